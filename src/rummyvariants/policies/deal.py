"""How many cards each player gets, and how they come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import attrs

from rummyvariants.cards import RANKS
from rummyvariants.house.rules import HouseRule
from rummyvariants.policies import cases
from rummyvariants.policies.base import (
    Policy,
    by_players,
    by_rank,
    cards,
    choice,
    flag,
    from_table,
    number_or,
    ranks,
    when,
)


@attrs.frozen(eq=False, repr=False)
class DealPolicy(Policy):
    """
    How many cards each player gets, and how they come.
    """

    section: ClassVar[str] = "deal"

    method: str = choice(
        "fixed",
        "upcard",
        doc="How hands are dealt: with fixed, all of one size, a card at a time; with "
        "upcard, one whole hand after another, each of the size that its first "
        "card, dealt face up, names.",
    )
    is_fixed = when("method", "fixed")
    hand_size: tuple[tuple[int, int], ...] = by_players(
        {2: 10, 3: 7}, "How many cards a hand has, where hands are of one size."
    )
    for_two: str | int = number_or(
        "as others",
        doc="How many cards a hand of fixed size has when two play, if that differs.",
    )
    by_round: tuple[tuple[int, int], ...] = by_players(
        {},
        "How many cards a hand of fixed size has from a round on, where that depends "
        "on the round and not on the number of players.",
        by="the round",
    )
    upcard_counts: tuple[tuple[str, int], ...] = by_rank(
        {"J": 10, "Q": 10, "K": 10, "A": 11},
        "The number that an upcard of each rank names; ranks left out name their face "
        "value.",
        least=0,
    )
    upcard_means: str = choice(
        "additional",
        "total",
        doc="Whether an upcard names how many cards follow it, or how many the whole "
        "hand has.",
    )
    put_back_ranks: str = ranks(
        "", "Upcards of these ranks go back into the deck and are replaced."
    )
    wild_upcard: str | int = number_or(
        "bury",
        doc="What happens when an upcard is a permanent wild: it names this number of "
        "cards, or it is buried and replaced.",
    )
    two_upcard: str | int = number_or(
        "as wild",
        "choose",
        doc="What happens when an upcard is a two that is a permanent wild: it names "
        "this number of cards, it lets the player choose 2 or 12, or it is "
        "treated like any other permanent wild.",
    )
    first_discard: str = choice(
        "turned up",
        "by the first player",
        "after a draw",
        doc="Where the first discard comes from: one card is turned up after the "
        "deal, or the first player is dealt one card more and begins without a "
        "draw, or draws as in any turn.",
    )
    deals_one_more = when("first_discard", "by the first player")
    turns_up = when("first_discard", "turned up")
    laid_aside: tuple[str, ...] = cards(
        "Cards that no hand keeps: they are laid out face up at once and replaced from "
        "the stock, or not replaced if they were taken from the discard pile."
    )
    first_upcard_again: bool = flag(
        False,
        "Whether another card is turned up on a first upcard that is wild or that no "
        "hand keeps.",
    )
    turned_again: tuple[str, ...] = cards(
        "Further cards on which another is turned up if they are the first upcard."
    )
    dealer: str = choice("random", doc="How the first dealer is chosen: at random.")
    too_few: str = choice(
        "redeal",
        "short",
        doc="What happens when the deck has too few cards: they are dealt anew, or "
        "the hands dealt last get fewer cards.",
    )
    may_be_short = when("too_few", "short")

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        The cards that no hand keeps.
        """
        if self.laid_aside:
            yield "deal.laid_aside", cases.aside.LaidAside(self.laid_aside)

    def fixed_size(self, players: int, round_number: int) -> int:
        """
        The size of a hand for so many players in a round where it is fixed.
        """
        if self.by_round:
            return from_table(self.by_round, round_number)
        if players == 2 and isinstance(self.for_two, int):
            return self.for_two
        return from_table(self.hand_size, players)

    def upcard_number(self, rank: str) -> int:
        """
        The number that an upcard of a rank names, no wild being permanent.
        """
        named = dict(self.upcard_counts).get(rank)
        return RANKS.index(rank) + 1 if named is None else named

    def whole_hand(self, number: int) -> int:
        """
        The size of a whole hand whose upcard names a number, the upcard included.
        """
        return max(1, number + (self.upcard_means == "additional"))

    def buries(self, rank: str) -> bool:
        """
        Whether a permanent wild of a rank is buried and replaced when it is an upcard.
        """
        return self._wild(rank) == "bury"

    def lets_choose(self, rank: str) -> bool:
        """
        Whether a permanent wild of a rank lets the player choose a size as an upcard.
        """
        return self._wild(rank) == "choose"

    def wild_number(self, rank: str) -> int:
        """
        The number that a permanent wild of a rank names as an upcard, if it names one.
        """
        return int(self._wild(rank))

    def _wild(self, rank: str) -> str | int:
        """
        What a permanent wild of a rank does as an upcard.
        """
        if rank == "2" and self.two_upcard != "as wild":
            return self.two_upcard
        return self.wild_upcard

    def choices(self) -> tuple[int, ...]:
        """
        The sizes of a whole hand that a player may choose from.
        """
        return (2, 12)


def sizes_of(deal: DealPolicy, players: int) -> tuple[int, ...]:
    """
    The sizes that a hand of fixed size can have for so many players, round by round.
    """
    rounds = [number for number, _ in deal.by_round] or [1]
    return tuple([deal.fixed_size(players, one) for one in rounds])
