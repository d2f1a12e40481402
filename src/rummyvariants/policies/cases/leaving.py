"""
Players who leave a round or a match, and come back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import attrs

from rummyvariants._support.words import figure
from rummyvariants.house.answers import Leave, Offer
from rummyvariants.house.facts import MatchFacts, Turn
from rummyvariants.house.rules import HouseRule


@attrs.frozen(eq=False, repr=False)
class Dropping(HouseRule):
    """
    A player may leave the round before the draw, on first turns or on later ones.

    Attributes:
        points: What it costs, or ``never`` if nobody leaves on such a turn.
        later: Whether it is about later turns.
        under_stock: Whether the cards then go under the stock.
    """

    section = "out"
    name = "dropping"
    reads = frozenset({"seat", "turns_taken"})
    effects = frozenset({Leave})
    actions: ClassVar = {"drop": ("draw",)}
    cardless = ("drop",)

    points: int | str
    later: bool = False
    under_stock: bool = False

    def offers(self, turn: Turn) -> Iterator[Offer]:
        """
        To leave, if this is such a turn.
        """
        if (turn.turns_taken[turn.seat] > 0) == self.later:
            if isinstance(self.points, int):
                yield Offer("drop", [Leave(self.points, self.under_stock)])
            else:
                yield Offer("drop", refused="nobody leaves the round on such a turn")

    def describe(self) -> str:
        """
        The rule with its price, if it has one.
        """
        whole = isinstance(self.points, int)
        price = f" for {figure(int(self.points), 'point')}" if whole else ""
        return f"A player may leave the round before the draw{price}"


@attrs.frozen(eq=False, repr=False)
class Elimination(HouseRule):
    """
    A player whose total is too high is out of the match.

    Attributes:
        at: The total.
    """

    section = "match"
    name = "elimination"

    at: int

    def eliminated(self, match: MatchFacts) -> Iterator[int]:
        """
        All seats with so many points or more.
        """
        totals = enumerate(match.scores)
        return (seat for seat, total in totals if total >= self.at)


@attrs.frozen(eq=False, repr=False)
class ComingBack(HouseRule):
    """
    A player may come back after the round in which they were eliminated.

    Attributes:
        most: The highest total of the others with which that is possible.
    """

    section = "match"
    name = "coming back"

    most: int

    def rejoins(self, match: MatchFacts, seat: int) -> int | None:
        """
        One point more than the highest total of those who are in the match.
        """
        del seat
        totals = enumerate(match.scores)
        others = [total for at, total in totals if at not in match.eliminated]
        highest = max(others, default=self.most + 1)
        return None if highest > self.most else highest + 1
