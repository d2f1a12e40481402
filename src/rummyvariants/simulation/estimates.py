"""
How sure an average is: a mean with the interval that it probably lies in.
"""

from __future__ import annotations

import math
import statistics

from collections.abc import Iterable, Sequence
from typing import Final

import attrs


CONFIDENCE: Final = 0.95
"""How often an interval should hold the truth."""

_Z: Final = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@attrs.frozen
class Estimate:
    """
    A mean of independent values.

    The interval takes the mean to be distributed normally, which it is nearly from some
    thirty values on.

    Attributes:
        mean: The mean of the values.
        error: The standard error of the mean; None where one value alone is known.
        count: How many values there were.
    """

    mean: float
    error: float | None
    count: int

    @property
    def half(self) -> float | None:
        """
        Half the width of the interval of 95 %.
        """
        return None if self.error is None else _Z * self.error

    @property
    def interval(self) -> tuple[float, float] | None:
        """
        The interval of 95 %.
        """
        if self.half is None:
            return None
        return self.mean - self.half, self.mean + self.half

    @property
    def side(self) -> int:
        """
        On which side of zero the whole interval lies: -1, 1, or 0 if zero is in it.
        """
        if self.interval is None:
            return 0
        low, high = self.interval
        return (low > 0) - (high < 0)


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
    How much more y there is for each x more, within groups of pairs (x, y).

    Only the differences within a group count, so that whatever all of a group have in
    common plays no part. Groups are taken to be independent, their members not.

    Returns:
        The slope with the number of groups; None if x is the same throughout every
        group.
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
    How much x varies in a group, and how much y varies with it.
    """
    middle_x = statistics.fmean([x for x, _ in group])
    middle_y = statistics.fmean([y for _, y in group])
    return (
        math.fsum((x - middle_x) ** 2 for x, _ in group),
        math.fsum((x - middle_x) * (y - middle_y) for x, y in group),
    )
