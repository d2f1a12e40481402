"""
How certain an average is: a mean with its confidence interval.
"""

from __future__ import annotations

import math
import statistics

from collections.abc import Iterable, Mapping
from typing import Final

import attrs


CONFIDENCE: Final = 0.95
"""How often an interval should hold the true value."""

_Z: Final = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@attrs.frozen
class Estimate:
    """
    A mean of independent values.

    The interval assumes a normal distribution of the mean, which is nearly right from
    about thirty values on.

    Attributes:
        mean: The mean of the values.
        error: The standard error of the mean; None for a single value.
        count: The number of values.
    """

    mean: float
    error: float | None
    count: int

    @property
    def half(self) -> float | None:
        """
        Half the width of the 95 % interval.
        """
        return None if self.error is None else _Z * self.error

    @property
    def interval(self) -> tuple[float, float] | None:
        """
        The 95 % interval.
        """
        if self.half is None:
            return None
        return self.mean - self.half, self.mean + self.half


def estimate(values: Iterable[float]) -> Estimate | None:
    """
    The mean of independent values; None if there are none.
    """
    found = list(values)
    if not found:
        return None
    error = None
    if len(found) > 1:
        error = statistics.stdev(found) / math.sqrt(len(found))
    return Estimate(statistics.fmean(found), error, len(found))


class ByDeal:
    """
    A number counted in games, kept as its mean for each deal.

    Deals are independent, games of one deal are not.
    """

    __slots__ = ("_counted",)

    def __init__(self) -> None:
        self._counted: dict[int, tuple[float, int]] = {}

    def add(self, deal: int, value: float) -> None:
        """
        Count a value in a game of a deal.
        """
        total, number = self._counted.get(deal, (0.0, 0))
        self._counted[deal] = total + value, number + 1

    def means(self) -> Mapping[int, float]:
        """
        The mean of each deal.
        """
        return {deal: total / many for deal, (total, many) in self._counted.items()}

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
