"""
Means over deals: deals are independent, games of one deal are not.
"""

from __future__ import annotations

from collections.abc import Mapping

from rummyvariants.simulation.estimates import Estimate, estimate


class ByDeal:
    """
    A number counted in games, kept as its mean for each deal.
    """

    __slots__ = ("_numbers", "_sums")

    def __init__(self) -> None:
        self._sums: dict[int, float] = {}
        self._numbers: dict[int, int] = {}

    def add(self, deal: int, value: float) -> None:
        """
        Count a value in a game of a deal.
        """
        self._sums[deal] = self._sums.get(deal, 0) + value
        self._numbers[deal] = self._numbers.get(deal, 0) + 1

    def means(self) -> Mapping[int, float]:
        """
        The mean of each deal.
        """
        return {deal: self._sums[deal] / many for deal, many in self._numbers.items()}

    def estimate(self) -> Estimate | None:
        """
        The mean of the deals' means; None if nothing was counted.
        """
        return estimate(self.means().values())

    def above(self, other: ByDeal) -> Estimate | None:
        """
        How much greater this is than another, over the deals that both have.
        """
        theirs = other.means()
        return estimate(
            mean - theirs[deal] for deal, mean in self.means().items() if deal in theirs
        )
