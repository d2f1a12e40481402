"""
Payments and points for a card, and for the cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rummyvariants._support.words import number
from rummyvariants.house.answers import Memory, Points
from rummyvariants.house.facts import DealFacts, RoundFacts
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds._meld import Meld, Place, Slot
from rummyvariants.policies.base import from_table


@attrs.frozen(eq=False, repr=False)
class CardAbove(HouseRule):
    """
    A player who holds the card above the one shown is paid by each other player.

    Attributes:
        payments: What each pays, by how many such cards the player holds.
    """

    section = "score"
    name = "card above"

    payments: tuple[tuple[int, int], ...]

    def pays(self, end: RoundFacts) -> Iterator[Points]:
        """
        The payments among those still in the round, once somebody has gone out.
        """
        card = end.card_above
        if card is None or not end.out:
            return
        held = [end.hands[seat].count(card) for seat in range(end.players)]
        there = {seat for seat, hand in enumerate(end.hands) if hand}
        for meld in end.table:
            for one in meld.laid:
                there.add(one.seat)
                held[one.seat] += one.card == card
        there -= end.dropped
        for seat in sorted(there):
            if held[seat]:
                each = from_table(self.payments, held[seat])
                what = f"{number(held[seat])} {card}"
                yield Points(seat, each * (len(there) - 1), f"for holding {what}")
                for other in sorted(there - {seat}):
                    yield Points(other, -each, f"for {what} of another player")


@attrs.frozen(eq=False, repr=False)
class WildsAsCards(HouseRule):
    """
    A wild in a meld counts as the card that it stands for.

    Attributes:
        low_ace: The points of an ace that is low in a run; None for those of any ace.
    """

    section = "score"
    name = "wilds as cards"

    low_ace: int | None

    def worth(self, slot: Slot, meld: Meld) -> int | Place | None:
        """
        The points of that card; nothing where a wild stands for none.
        """
        place = slot.stands_for
        if place is not None and place.rank == "A" and meld.kind == "run":
            if slot is meld.slots[0] and self.low_ace is not None:
                return self.low_ace
        return place


@attrs.frozen(eq=False, repr=False)
class ExactCut(HouseRule):
    """
    Cutting exactly the cards of the deal counts, to the good of the player who cut.

    With or without the card that is turned up will do.

    Attributes:
        points: What it counts.
    """

    section = "score"
    name = "exact cut"
    memory = Memory(-1)

    points: int

    def remembers_deal(self, deal: DealFacts) -> int | None:
        """
        The seat before the dealer, if so many cards were cut off.
        """
        if not 0 <= deal.cut - deal.dealt <= 1:
            return None
        return deal.order[-2:][0]

    def could_remember(self, value: Any, players: int) -> bool:
        """
        Whether it is a seat, or -1 for none.
        """
        return type(value) is int and -1 <= value < players

    def score(self, end: RoundFacts) -> Iterator[Points]:
        """
        The points of the player who cut, if the cut was exact.
        """
        if end.memory >= 0:
            points = -self.points if end.lowest_wins else self.points
            yield Points(end.memory, points, "cut exactly the cards of the deal")
