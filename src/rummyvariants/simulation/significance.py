"""
How sure a difference is: exact tests and intervals, from scipy.

They need the extra ``statistics``. Without it differences have intervals that assume
many deals, and no test.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import attrs

from rummyvariants.simulation.estimates import CONFIDENCE, Estimate, estimate
from rummyvariants.simulation.plans import SimulationError


_FEW: Final = 30
"""If fewer deals than this differ, only the directions of the differences count."""
_WHOLE: Final = 100.0
"""What a share counts, in percent, where it came up."""


@attrs.frozen
class Evidence:
    """
    What paired differences say about the mean difference.

    Attributes:
        interval: Its 95 % interval; None if the differences do not give one, or only
            their signs are tested, which say nothing of how great the mean is.
        test: The test of whether it is zero: ``McNemar``, ``sign`` or ``t``; None
            without scipy.
        p: How often chance alone gives as great a difference; None without scipy.
    """

    interval: tuple[float, float] | None
    test: str | None = None
    p: float | None = None


def need_scipy() -> None:
    """
    Check that scipy is installed.

    Raises:
        SimulationError: If it is not installed.
    """
    if _stats() is None:
        msg = "exact tests need scipy: pip install 'rummyvariants[statistics]'"
        raise SimulationError(msg)


def evidence(differences: Sequence[float], *, share: bool) -> Evidence:
    """
    What the differences of twins say.

    Shares are tested by the exact test of McNemar, which counts the twins of which one
    alone has the event. Other numbers are tested by the same test of signs if fewer
    than 30 differ, otherwise by Student's t. Test and interval are of one kind, so
    that signs, which bound no mean, have no interval.

    Args:
        differences: One for each deal; there is at least one.
        share: Whether each twin is 0 or 100: the event came up in it or not.
    """
    # The interval of Bonett and Price: as if one more pair differed each way.
    interval = interval_of(estimate([*differences, *([_WHOLE, -_WHOLE] * share)]))
    if interval and share:
        interval = max(interval[0], -_WHOLE), min(interval[1], _WHOLE)
    if _stats() is None:
        return Evidence(interval)
    differing = sum(map(bool, differences))
    by_size = None if share or differing < _FEW else t_test(estimate(differences))
    if by_size is not None:
        return Evidence(interval, "t", by_size)
    p = sign_test(sum(one > 0 for one in differences), differing)
    return Evidence(interval, "McNemar", p) if share else Evidence(None, "sign", p)


def sign_test(count: int, of: int) -> float:
    """
    The exact two-sided test of whether as many pairs differ one way as the other.

    For events that came up or not, it is the test of McNemar.

    Args:
        count: How many pairs differ in one direction.
        of: How many pairs differ.

    Returns:
        The p-value.

    Raises:
        SimulationError: If scipy is not installed.
    """
    if not of:
        return 1.0
    return float(_needed().binomtest(count, of).pvalue)


def interval_of(found: Estimate | None) -> tuple[float, float] | None:
    """
    The 95 % interval of a mean, by Student's t if scipy is there; None if none varies.
    """
    if found is None or not found.error:
        return None
    stats = _stats()
    if stats is None:
        return found.interval
    low, high = stats.t.interval(CONFIDENCE, found.count - 1, found.mean, found.error)
    return float(low), float(high)


def with_interval(found: Estimate, places: int) -> tuple[str, str]:
    """
    A mean and its interval, as in a table.
    """
    ends = interval_of(found)
    shown = f"{ends[0]:.{places}f} to {ends[1]:.{places}f}" if ends else ""
    return f"{found.mean:.{places}f}", shown


def t_test(found: Estimate | None) -> float | None:
    """
    The two-sided p-value of a mean that should be zero; None if nothing varies.

    Raises:
        SimulationError: If scipy is not installed.
    """
    if found is None or not found.error:
        return None
    ratio = abs(found.mean) / found.error
    return float(2 * _needed().t.sf(ratio, found.count - 1))


def holm(values: Iterable[float]) -> list[float]:
    """
    The p-values of several tests, adjusted by Holm's method.

    If every adjusted value below 0.05 is taken for a difference, the chance that any of
    those is none is at most 5 %, however the tests depend on one another.

    Args:
        values: The p-values.

    Returns:
        The adjusted values in the same order.
    """
    found = list(values)
    adjusted = [1.0] * len(found)
    largest = 0.0
    for rank, at in enumerate(sorted(range(len(found)), key=found.__getitem__)):
        largest = max(largest, min((len(found) - rank) * found[at], 1.0))
        adjusted[at] = largest
    return adjusted


def _needed() -> Any:
    need_scipy()
    return _stats()


def _stats() -> Any:
    """
    The module `scipy.stats`; None if scipy is not installed.
    """
    try:
        from scipy import stats
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "scipy":
            raise
        return None
    return stats
