"""
Draws and takes that depend on the turn.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterable

import attrs

from rummyvariants.house.answers import Owed
from rummyvariants.house.facts import Turn
from rummyvariants.house.rules import HouseRule
from rummyvariants.policies.base import from_table
from rummyvariants.policies.cases._bases import Stated


@attrs.frozen(eq=False, repr=False)
class DrawsSeveral(HouseRule):
    """
    Several cards are drawn from the stock at once.

    Attributes:
        number: How many, by the number of players.
    """

    section = "draw"
    name = "several"
    reads = frozenset({"players"})

    number: tuple[tuple[int, int], ...]

    def cards_drawn(self, turn: Turn) -> int:
        """
        The number for so many players.
        """
        return from_table(self.number, turn.players)


@attrs.frozen(eq=False, repr=False)
class WildsStay(Stated):
    """
    A wild card is taken from the discard pile only as the first upcard.
    """

    section = "draw"
    name = "wilds"
    reads = frozenset({"discards", "have_drawn", "wild_rank"})
    statement = (
        "a wild card is taken from the discard pile only as the first upcard, by the "
        "first player"
    )

    def takes(self, turn: Turn) -> Iterable[int] | None:
        """
        As many cards as lie above the topmost wild; any number while nobody has drawn.
        """
        if not turn.have_drawn:
            return None
        pile = turn.discards
        above = itertools.takewhile(lambda one: not turn.is_wild(one), pile[::-1])
        return range(1, len(list(above)) + 1)


@attrs.frozen(eq=False, repr=False)
class StockAlone(HouseRule):
    """
    Some players take no card from the discard pile.

    Attributes:
        melded: Whether these are the players who have melded, or those who have not.
    """

    section = "draw"
    name = "stock alone"
    reads = frozenset({"has_melded"})

    melded: bool

    def takes(self, turn: Turn) -> Iterable[int] | None:
        """
        None for such players.
        """
        return () if turn.has_melded == self.melded else None

    def because(self, text: str) -> str:
        """
        The rule alone.
        """
        del text
        has = "has" if self.melded else "has not"
        return f"a player who {has} melded takes no card from the discard pile"


@attrs.frozen(eq=False, repr=False)
class TakesToMeld(HouseRule):
    """
    A player who has not melded uses a card taken in the first melds.
    """

    section = "draw"
    name = "takes to meld"
    reads = frozenset({"has_melded", "source", "drawn"})

    def owes(self, turn: Turn) -> list[Owed] | None:
        """
        The deepest card taken, before anything else is done.
        """
        if turn.has_melded or turn.source != "discards":
            return None
        return [Owed(turn.drawn[0], at_once=True)]
