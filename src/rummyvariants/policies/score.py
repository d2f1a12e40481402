"""What cards are worth, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants.cards import CARDS, CODES, RANKS
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds._tables import ALL_COUNTED, GRADED, UNMATCHED
from rummyvariants.policies import cases
from rummyvariants.policies.base import (
    Policy,
    by_card,
    by_players,
    by_rank,
    choice,
    flag,
    number,
    number_in,
    number_or,
    unless,
    when,
)


_WITHOUT_LIVES: Final = {
    "none": UNMATCHED,
    "all or nothing": ALL_COUNTED,
    "graded": GRADED,
}
"""What counts of a hand without the runs that a declaration needs, as in `Terms`."""


@attrs.frozen(eq=False, repr=False)
class LeftOver(Value):
    """
    What the cards left in the hands do.

    Attributes:
        path: The policy value that decides it.
        sign: 1 if they add to the score of their holder, -1 if they count against it,
            otherwise 0.
        to_out: Whether those of the others count for the player who went out.
        to_lowest: Whether they count for the player with the fewest points in the hand.
    """

    path: str
    sign: int = 0
    to_out: bool = False
    to_lowest: bool = False


@attrs.frozen(eq=False, repr=False)
class ScorePolicy(Policy):
    """
    What cards are worth, and to whom.
    """

    section: ClassVar[str] = "score"

    points: tuple[tuple[str, int], ...] = by_rank(
        {rank: min(at + 1, 10) for at, rank in enumerate(RANKS)},
        "The points of natural cards, by rank.",
    )
    low_ace: str | int = number_or(
        "as any ace", doc="The points of a natural ace that is low in a run.", least=0
    )
    natural_low_ace = number_in("low_ace")
    wild: str | int = number_or(
        15,
        "as the card",
        doc="The points of a wild card: this many, or as many as if it were not wild.",
        least=0,
    )
    melded_wild: str = choice(
        "as any wild",
        "as its card",
        doc="The points of a wild card in a meld: those of a wild, or those of the "
        "card that it stands for.",
    )
    counts_as_card = when("melded_wild", "as its card")
    wild_ace: str | int = number_or(
        15, "as the card", doc="The points of a wild ace, likewise.", least=0
    )
    special: tuple[tuple[str, int], ...] = by_card(
        "The points of particular cards, whether wild or not."
    )
    in_hand: tuple[tuple[str, int], ...] = by_card(
        "The points of particular cards left in a hand, where they differ from those "
        "on the table."
    )
    down: str = choice(
        "add",
        "nothing",
        doc="Whether cards on the table count for the player who laid them, or not at "
        "all.",
    )
    counts_table = when("down", "add")
    hands: str = choice(
        "subtract",
        "to the one who is out",
        "nothing",
        "add",
        "the difference",
        doc="How cards left in the hands count: against their holder; for the player "
        "who went out; not at all; added to the score of their holder, where the "
        "lowest score wins; or, after a knock, the player with fewer points in "
        "unmatched cards scores the difference.",
    )
    adds_hands = when("hands", "add")
    counts_difference = when("hands", "the difference")
    counted: str = choice(
        "all cards",
        "unmatched cards",
        doc="Which cards left in a hand count: all, or only those that are in no meld "
        "when the hand is arranged so that they come to the fewest points.",
    )
    counts_unmatched = when("counted", "unmatched cards")
    lives: str = choice(
        "none",
        "all or nothing",
        "graded",
        doc="What the runs that a declaration needs mean for the unmatched cards of "
        "the others: nothing; without all of them every card of the hand counts; or "
        "without a pure run every card counts, and with pure runs but not enough runs "
        "all cards but those of a pure run.",
    )
    rounded_to: int = number(
        1,
        "The number to a multiple of which the points of a hand are rounded.",
        least=1,
    )
    most_in_hand: str | int = number_or(
        "any number", doc="The most points that a hand counts.", least=0
    )
    no_turn: str = choice(
        "in full",
        "half",
        doc="How the hand of a player counts who has had no turn when the round ends.",
    )
    dealt_hand: str = choice(
        "as any other",
        "double",
        doc="How the hands of players who have had a turn count when a player declares "
        "the hand as it was dealt.",
    )
    above: tuple[tuple[int, int], ...] = by_players(
        {},
        "What each player who is still in the round pays, beside the points, to one "
        "who holds the card above the one that names the wild rank, from so many such "
        "cards on. Empty for nothing.",
        by="the number of cards",
    )
    blocked: str = choice(
        "as ever",
        "nothing",
        "subtract",
        "to the lowest hand",
        doc="How cards left in the hands count when nobody has gone out: as they do "
        "otherwise; not at all, nor what it costs to leave the round; against their "
        "holder; or those of the others for the one player with the fewest points in "
        "hand.",
    )
    blocks_all = when("blocked", "nothing")
    out_bonus: int = number(0, "A bonus for going out.")
    rummy: str | int = number_or(
        "nothing",
        "double",
        doc="What a player gains by going rummy, that is, going out by laying the "
        "whole hand in one turn with no card on the table before: nothing, the "
        "hands of the others counted twice, or a bonus, taken off where the lowest "
        "score wins.",
    )
    counts_rummy = unless("rummy", "nothing")
    rummy_bonus = number_in("rummy")
    natural_rummy: str | int = number_or(
        "as any rummy",
        doc="The bonus for going rummy without a wild card, if that differs.",
    )
    natural_bonus = number_in("natural_rummy")
    face_up_wild: str = choice(
        "for who has a set",
        doc="For whom the dealer's wild on the table counts: for a dealer who has put "
        "down a meld, and otherwise against the dealer.",
    )
    gin_bonus: int = number(
        0,
        "A bonus for gin, a knock with no card unmatched, taken off where the lowest "
        "score wins.",
    )
    big_gin_bonus: int = number(
        0,
        "A bonus for big gin, with all cards in melds and no discard, taken off where "
        "the lowest score wins.",
    )
    undercut_bonus: int = number(
        0,
        "A bonus for an undercut, when the other player has no more points in "
        "unmatched cards than the knocker.",
    )
    laid_aside: int = number(
        0,
        "The points of each card that no hand keeps, for whoever laid it out; they "
        "are taken off where the side has no meld.",
    )
    all_laid_aside: int = number(
        0,
        "The points of all such cards of the deck together, if one side has laid them "
        "out; 0 if they count one by one.",
    )
    natural_canasta: int = number(0, "A bonus for a canasta without a wild card.")
    mixed_canasta: int = number(
        0, "A bonus for a canasta with a wild card, or of wild cards alone."
    )
    wild_canasta: str | int = number_or(
        "as a mixed one",
        doc="A bonus for a canasta of wild cards alone, if it differs.",
        least=0,
    )
    wild_bonus = number_in("wild_canasta")
    concealed: int = number(
        0,
        "A further bonus for going out concealed: with no card on the table before the "
        "turn, none laid on melds of a partner, and a canasta of one's own.",
    )
    concealed_from: str = choice(
        "any draw",
        "the stock",
        doc="Whether a player goes out concealed after any draw, or only after one "
        "from the stock.",
    )
    concealed_alone: bool = flag(
        False,
        "Whether a player goes out concealed only if the partner has no card on the "
        "table.",
    )
    equal_hands: str = choice(
        "undercut",
        "nobody",
        doc="Who scores when the knocker and the other player have equal points in "
        "unmatched cards: the other player, as for an undercut, or nobody.",
    )
    four_at_once: str = choice(
        "once",
        "twice",
        doc="Whether the cards of a set or run of four count once or twice when it is "
        "put down in one play. Cards laid off count once, whether they make a "
        "meld four cards long or add to it.",
    )
    doubles_fours = when("four_at_once", "twice")
    four_aces: str | int = number_or(
        "as any aces",
        doc="The points of each natural ace when one player has laid four or more of "
        "them in one set, unless an ace is worth more anyway.",
        least=0,
    )
    exact_cut: int = number(
        0,
        "A bonus for the player before the dealer, who cuts, for cutting off exactly "
        "the cards of the deal, with or without the one that is turned up. It is taken "
        "off where the lowest score wins.",
    )
    spade_upcard: bool = flag(
        False,
        "Whether a round and its box count twice when the first upcard is a spade.",
    )

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        Canastas, going out concealed, and the cut.
        """
        if self.counts_as_card:
            melded = cases.bonuses.WildsAsCards(self.natural_low_ace)
            yield "score.melded_wild", melded
        if self.exact_cut:
            yield "score.exact_cut", cases.bonuses.ExactCut(self.exact_cut)
        if self.natural_canasta:
            yield (
                "score.natural_canasta",
                cases.canastas.Canastas(self.natural_canasta, "natural"),
            )
        wild = self.wild_bonus
        if self.mixed_canasta:
            mixed = cases.canastas.Canastas(self.mixed_canasta, "mixed", wild is None)
            yield "score.mixed_canasta", mixed
        if wild:
            yield "score.wild_canasta", cases.canastas.Canastas(wild, "wild")
        if self.laid_aside:
            yield (
                "score.laid_aside",
                cases.aside.CardsAside(self.laid_aside, self.all_laid_aside),
            )
        if self.above:
            yield "score.above", cases.bonuses.CardAbove(self.above)
        if self.concealed:
            stock = self.concealed_from != "any draw"
            rule = cases.canastas.Concealed(self.concealed, stock, self.concealed_alone)
            yield "score.concealed", rule

    @cached_property
    def canastas(self) -> tuple[int, int, int]:
        """
        What a canasta counts besides its cards: natural, mixed, and of wild cards.
        """
        wild = self.wild_bonus
        alone = self.mixed_canasta if wild is None else wild
        return self.natural_canasta, self.mixed_canasta, alone

    def adjusted(
        self, points: int, *, had_turn: bool, dealt_hand: bool = False
    ) -> Iterator[tuple[int, str, str]]:
        """
        What the points of the cards left in a hand become.

        They are rounded to the nearest multiple, up from halfway, then capped, then
        halved, with half a point left out, or doubled.

        Args:
            points: The points of the cards.
            had_turn: Whether their holder has had a turn.
            dealt_hand: Whether a hand was declared as it was dealt.

        Yields:
            For each step that changes them, the difference, the reason, and the policy
            value that asks for it.
        """
        to = self.rounded_to
        new = (2 * points + to) // (2 * to) * to
        if new != points:
            yield new - points, f"rounded to {new}", "score.rounded_to"
        most = self.most_in_hand
        if isinstance(most, int) and new > most:
            yield most - new, f"{most} at most", "score.most_in_hand"
            new = most
        if self.no_turn == "half" and not had_turn and new:
            yield new // 2 - new, "half, before the first turn", "score.no_turn"
        if dealt_hand and had_turn and self.dealt_hand == "double" and new:
            yield new, "double, for a hand as it was dealt", "score.dealt_hand"

    @cached_property
    def without_lives(self) -> str:
        """
        What counts of a hand without the runs that a declaration needs, as in `Terms`.
        """
        return _WITHOUT_LIVES[self.lives]

    @cached_property
    def asks_who_laid(self) -> bool:
        """
        Whether it matters who had laid a card before the turn in which they go out.
        """
        return self.counts_rummy or self.concealed > 0

    @cached_property
    def four_ace_points(self) -> int | None:
        """
        The points of each of four aces in one set; None if that is no more than usual.
        """
        points, usual = self.four_aces, dict(self.points).get("A", 0)
        return points if isinstance(points, int) and points > usual else None

    def left_over(self, *, out: bool) -> LeftOver:
        """
        What the cards left in the hands do.

        Args:
            out: Whether somebody went out.
        """
        does, path = self.hands, "score.hands"
        if not out and self.blocked != "as ever":
            does, path = self.blocked, "score.blocked"
        return LeftOver(
            path,
            sign={"subtract": -1, "add": 1}.get(does, 0),
            to_out=out and does == "to the one who is out",
            to_lowest=does == "to the lowest hand",
        )

    def knock_winner(self, mine: int, theirs: int) -> str:
        """
        Who wins a round that a knock without gin has ended.

        Args:
            mine: The points of the knocker's unmatched cards.
            theirs: The same of the other player.

        Returns:
            ``knocker``, ``other`` or ``nobody``.
        """
        if mine < theirs:
            return "knocker"
        if mine == theirs and self.equal_hands == "nobody":
            return "nobody"
        return "other"

    def question(self, code: int, *, wild: bool, low_ace: bool = False) -> str:
        """
        The policy value that gives a card its points.
        """
        card = CARDS[code]
        if str(card) in dict(self.special):
            return f"score.special.{card}"
        if wild:
            name = "wild_ace" if card.rank == "A" else "wild"
            if not isinstance(getattr(self, name), str):
                return f"score.{name}"
        if low_ace and not isinstance(self.low_ace, str):
            return "score.low_ace"
        return f"score.points.{card.rank}"

    def worth(self, wild: tuple[bool, ...]) -> tuple[int, ...]:
        """
        The points of every card by its code, aces not being low.

        Args:
            wild: By code, which cards are wild.
        """
        special, points = dict(self.special), dict(self.points)
        table = []
        for code in range(CODES):
            card = CARDS[code]
            value = points.get(card.rank, 0)
            if wild[code]:
                as_wild = self.wild_ace if card.rank == "A" else self.wild
                value = as_wild if isinstance(as_wild, int) else value
            table.append(special.get(str(card), value))
        return tuple(table)

    def low_ace_points(self) -> int:
        """
        The points of a natural ace that is low in a run.
        """
        if isinstance(self.low_ace, int):
            return self.low_ace
        return dict(self.points).get("A", 0)
