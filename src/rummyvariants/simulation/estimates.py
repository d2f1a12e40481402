"""
How certain an average is: a mean with its confidence interval.
"""

from __future__ import annotations

import math
import statistics

from collections.abc import Iterable, Sequence
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


def slope(groups: Iterable[Sequence[tuple[float, float]]]) -> Estimate | None:
    """
    How much y grows for each unit of x, within groups of pairs (x, y).

    Only differences within a group count, so that what a group has in common plays no
    part. Groups are assumed to be independent, their members are not.

    Returns:
        The slope with the number of groups; None if x is constant in every group.
    """
    sums = [_within(group) for group in groups if group]
    spread = math.fsum(xx for xx, _ in sums)
    if not spread:
        return None
    found = math.fsum(xy for _, xy in sums) / spread
    varying = [(xx, xy) for xx, xy in sums if xx]
    count = len(varying)
    error = None
    if count > 1:
        rest = math.fsum((xy - found * xx) ** 2 for xx, xy in varying)
        error = math.sqrt(rest * count / (count - 1)) / spread
    return Estimate(found, error, count)


def _within(group: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """
    By how much x varies in a group, and by how much y varies with it.
    """
    middle_x = statistics.fmean([x for x, _ in group])
    middle_y = statistics.fmean([y for _, y in group])
    return (
        math.fsum((x - middle_x) ** 2 for x, _ in group),
        math.fsum((x - middle_x) * (y - middle_y) for x, y in group),
    )
