"""Which cards are wild, and what a wild card may do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar

import attrs

from rummyvariants._support.words import counted
from rummyvariants.cards import CARDS, CODES, JOKER, RANKS, ROW_OF, Card, code_of
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds.shapes._filling import ANY_NUMBER
from rummyvariants.policies import cases
from rummyvariants.policies.base import (
    Policy,
    by_players,
    cards,
    choice,
    flag,
    from_table,
    number,
    number_or,
    unless,
    when,
)


@attrs.frozen(eq=False, repr=False)
class WildPolicy(Policy):
    """
    Which cards are wild, and what a wild card may do.
    """

    section: ClassVar[str] = "wild"

    jokers: bool = flag(False, "Whether jokers are wild.")
    twos: bool = flag(False, "Whether all twos are wild in every deal.")
    tens: bool = flag(False, "Whether all tens are wild in every deal.")
    one_eyed_jacks: bool = flag(
        False, "Whether the jacks of spades and hearts are wild in every deal."
    )
    cards: tuple[str, ...] = cards("Further cards that are wild in every deal.")
    indicator: str = choice(
        "none",
        "upcard",
        "last card",
        "extra card",
        "separate",
        "by round",
        "hand size",
        doc="What names the wild rank of a deal: nothing, the dealer's upcard, the "
        "dealer's last card, an extra card for the dealer, a separate card under "
        "the stock, the number of the round, from aces to kings, or the number of "
        "cards in each hand.",
    )
    is_named = unless("indicator", "none")
    by_upcard = when("indicator", "upcard")
    by_last_card = when("indicator", "last card")
    by_extra_card = when("indicator", "extra card")
    by_separate_card = when("indicator", "separate")
    by_round = when("indicator", "by round")
    by_hand_size = when("indicator", "hand size")
    indicator_stays: bool = flag(
        False,
        "Whether the dealer's card that names the wild rank stays face up in front of "
        "the dealer.",
    )
    indicator_is_wild: str = choice(
        "bury",
        "more cards",
        "aces",
        "no rank",
        doc="What happens when the card that would name the wild rank is a permanent "
        "wild: it is buried and replaced; the dealer keeps it and gets another card; "
        "or it stays, and aces are wild, or no rank is.",
    )
    indicator_turned: str = choice(
        "before the upcard",
        "after the upcard",
        doc="When the separate card that names the wild rank is turned up.",
    )
    above: bool = flag(
        False,
        "Whether the card above the one that names the wild rank, in its suit, is wild "
        "as well; above a king it is the ace.",
    )
    aces: bool = flag(True, "Whether the ace may be the wild rank of a deal.")
    stands_for: str = choice(
        "any card",
        doc="What a wild may stand for: any card that a meld lacks. The player says "
        "which when playing it, and a meld holds at least one natural card.",
    )
    limit: str = choice(
        "none",
        "one",
        "more naturals",
        doc="How many wilds a meld may hold: any number, one, or fewer than its "
        "natural cards.",
    )
    by_naturals: tuple[tuple[int, int], ...] = by_players(
        {},
        "The most wilds in a meld, from so many natural cards on; none beside fewer. "
        "Empty for what `limit` says.",
        by="the number of natural cards",
    )
    in_runs: str | int = number_or(
        "any number",
        doc="The most wilds in a run, in addition to what holds for every meld.",
        least=0,
    )
    between: int = number(0, "The fewest cards between two wilds of a run.")
    own_place: str = choice(
        "wild",
        "natural",
        doc="Whether a wild that stands for itself counts as wild or as natural for "
        "the limit.",
    )
    split: bool = flag(
        False, "Whether a meld of six or more cards may be split into two melds."
    )
    wild_melds: bool = flag(
        False,
        "Whether three or more wilds make a meld of their own, to which only wilds "
        "are added.",
    )
    real_card: str = choice(
        "nothing",
        "beside",
        "swap",
        "moves the wild",
        doc="What a player with the real card for a melded wild may do with it: "
        "nothing, lay the card beside the wild, or trade it for the wild; or lay it in "
        "the place of a wild that moves in its run, as one at an end of a run does to "
        "wherever cards laid off leave a gap.",
    )
    lies_beside = when("real_card", "beside")
    moves = when("real_card", "moves the wild")
    swaps = when("real_card", "swap")

    swap_in: str = choice(
        "any meld", "runs", doc="In which melds a wild may be traded for the real card."
    )
    swap_for: str = choice(
        "any wild",
        "jokers",
        doc="Which wilds may be traded for the real card: any, or only jokers.",
    )
    swap_with: str = choice(
        "one card",
        "all missing suits",
        doc="What is traded for the only wild of a set in which it stands for no suit "
        "in particular: a card of a suit that the set lacks; or the cards of all such "
        "suits, two at least, together.",
    )
    swaps_together = when("swap_with", "all missing suits")
    swapped: str = choice(
        "kept",
        "used at once",
        "moved to an end",
        doc="What a player does with a wild that they traded for: keep it like any "
        "card of the hand; meld it or lay it off in the same turn; or move it to an "
        "end of the run that it is in, which no wild of a set can do.",
    )
    uses_swapped = when("swapped", "used at once")

    @cached_property
    def moves_swapped(self) -> bool:
        """
        Whether a wild whose real card is laid stays in its run, at one of the ends.
        """
        return self.swaps and self.swapped == "moved to an end"

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        The cards between two wilds of a run.
        """
        if self.between:
            yield "wild.between", cases.wilds.Between(self.between)

    def traded(self) -> tuple[bool, ...]:
        """
        By code, which cards may be traded for the real card when they are wild.
        """
        jokers = self.swap_for == "jokers"
        return tuple([not jokers or card.is_joker for card in CARDS])

    def permanent(self) -> tuple[bool, ...]:
        """
        By code, which cards are wild in every deal.
        """
        return self._permanent

    @cached_property
    def _permanent(self) -> tuple[bool, ...]:
        wild = [False] * CODES
        wild[JOKER] = self.jokers
        for suit in ROW_OF:
            wild[code_of("2", suit)] = self.twos
            wild[code_of("T", suit)] = self.tens
        for suit in "sh":
            wild[code_of("J", suit)] = self.one_eyed_jacks
        for name in self.cards:
            wild[Card(name).code] = True
        return tuple(wild)

    def in_deal(self, rank: str, above: int = -1) -> tuple[bool, ...]:
        """
        By code, which cards are wild in a deal.

        Args:
            rank: The wild rank; empty for none.
            above: The code of the card above the one shown, where that is wild as well;
                -1 for none.
        """
        wild = list(self.permanent())
        if above >= 0:
            wild[above] = True
        if rank:
            for suit in ROW_OF:
                wild[code_of(rank, suit)] = True
        return tuple(wild)

    def most_beside(self, naturals: int, kind: str) -> int:
        """
        The most wilds that one meld may hold beside so many natural cards.

        It is asked about melds and lay-offs. A meld with more natural cards may hold at
        least as many wilds: the largest answer for fewer cards applies.

        Args:
            naturals: How many natural cards count, wilds in their own places among them
                where `own_place` says so.
            kind: ``set`` or ``run``.
        """
        most = self._most_beside(naturals)
        if kind == "run" and isinstance(self.in_runs, int):
            most = min(most, self.in_runs)
        return most

    def _most_beside(self, naturals: int) -> int:
        """
        The same by the values that hold for sets and runs alike.
        """
        if self.by_naturals:
            few = naturals < self.by_naturals[0][0]
            return 0 if few else from_table(self.by_naturals, naturals)
        if self.limit == "one":
            return 1
        return naturals - 1 if self.limit == "more naturals" else ANY_NUMBER

    def too_many(self, naturals: int, most: int, kind: str) -> str:
        """
        The reason to refuse a meld that holds more wilds than it may.

        Args:
            naturals: How many natural cards count.
            most: How many wilds may stand beside them.
            kind: ``set`` or ``run``.
        """
        only = f"only {counted(most, 'wild card')}" if most > 0 else "no wild card"
        if self._limits_runs(naturals, most, kind):
            return f"a run may hold {only}"
        if self.by_naturals:
            return f"a meld with {counted(naturals, 'natural card')} may hold {only}"
        if self.limit == "one":
            return "a meld may hold only one wild card"
        return "a meld needs more natural cards than wild ones"

    def limited_by(self, naturals: int, most: int, kind: str) -> str:
        """
        The policy value that lets a meld hold no more wilds.

        The arguments are those of `too_many`.
        """
        if self._limits_runs(naturals, most, kind):
            return "wild.in_runs"
        return "wild.by_naturals" if self.by_naturals else "wild.limit"

    def _limits_runs(self, naturals: int, most: int, kind: str) -> bool:
        """
        Whether it is the limit for runs alone.
        """
        return kind == "run" and self.in_runs == most < self._most_beside(naturals)

    def in_rounds(self, deck_ranks: str) -> str:
        """
        The ranks that are wild round by round, where the round names the wild rank.

        Args:
            deck_ranks: The ranks of the deck; those that it lacks are skipped.
        """
        return "".join(
            rank for rank in RANKS if rank in deck_ranks and (self.aces or rank != "A")
        )

    def rank_of_size(self, size: int, deck_ranks: str) -> str:
        """
        The rank that hands of a size make wild; empty if the deck does not have it.

        It is a three for hands of three cards, and an ace for hands of one or 14.
        """
        rank = RANKS[(size - 1) % len(RANKS)]
        return rank if rank in self.in_rounds(deck_ranks) else ""

    @cached_property
    def by_any_card(self) -> bool:
        """
        Whether a card names it, whichever that is.
        """
        return self.is_named and not (self.by_round or self.by_hand_size)

    @cached_property
    def by_card_beyond(self) -> bool:
        """
        Whether a card names it that is dealt beyond the hands.
        """
        return self.by_extra_card or self.by_separate_card

    @cached_property
    def by_dealers_card(self) -> bool:
        """
        Whether one of the dealer's own cards names the wild rank.
        """
        return self.indicator in {"upcard", "last card", "extra card"}

    @cached_property
    def keeps_wilds(self) -> bool:
        """
        Whether the dealer keeps permanent wilds that would name the wild rank.
        """
        return self.by_dealers_card and self.indicator_is_wild == "more cards"

    @cached_property
    def turned_late(self) -> bool:
        """
        Whether a separate card that names the wild rank is turned up after the upcard.
        """
        return self.by_separate_card and self.indicator_turned == "after the upcard"

    @cached_property
    def shows_wilds(self) -> bool:
        """
        Whether a card that should name the wild rank stays if it is a permanent wild.

        It does not where it would lie in front of the dealer to be built on.
        """
        stays = self.indicator_is_wild in {"aces", "no rank"}
        on_table = self.by_dealers_card and self.indicator_stays
        return self.by_any_card and stays and not on_table

    def rank_shown(self, code: int) -> str:
        """
        The rank that a card makes wild which names the wild rank.

        Args:
            code: The card; it may be a permanent wild where `shows_wilds` says so.

        Returns:
            Its own rank, or what `indicator_is_wild` says; empty for none.
        """
        if self.shows_wilds and self.permanent()[code]:
            return "A" if self.indicator_is_wild == "aces" else ""
        return CARDS[code].rank


def face_above(wild: WildPolicy, card: Card, deck_ranks: str) -> int:
    """
    The code of the card above the one that names the wild rank, if it is wild too.

    Args:
        wild: The policy.
        card: The card that is shown.
        deck_ranks: The ranks of the deck; those that it lacks are passed over.

    Returns:
        -1 for none, as above a joker.
    """
    if not wild.above or card.is_joker:
        return -1
    higher = (RANKS + "A")[RANKS.index(card.rank) + 1 :]
    rank = next((one for one in higher if one in deck_ranks), "")
    return code_of(rank, card.suit) if rank else -1
