"""
One measure of two games, and how certain their difference is.
"""

from __future__ import annotations

import itertools
import statistics

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from rummyvariants.simulation.estimates import CONFIDENCE, Estimate, estimate
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.measures import MEASURES, Measure
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.significance import Evidence, evidence, holm, wilson


Pair = tuple[GameRow, GameRow]
"""A game under the first rules, and its twin under the second."""


@attrs.frozen
class Contrast:
    """
    A measure of both games.

    Attributes:
        measure: What is measured.
        a: Its mean under the first rules.
        b: Its mean under the second.
        difference: How much greater it is under the second, deal by deal.
        deviation: By how much it varies from deal to deal, under either rules.
        evidence: The interval of the difference, and its test.
        counts: In how many deals the event came up under each rules, if the measure is
            the share of deals in which it did; otherwise None.
        adjusted: The p-value of the test, adjusted for all measures of the comparison;
            None without scipy.
    """

    measure: Measure
    a: float
    b: float
    difference: Estimate
    deviation: float
    evidence: Evidence
    counts: tuple[int, int] | None
    adjusted: float | None = None

    @property
    def side(self) -> int:
        """
        The direction of a difference that is hardly chance, -1 or 1; otherwise 0.
        """
        if self.adjusted is None or self.adjusted >= 1 - CONFIDENCE:
            return 0
        return -1 if self.difference.mean < 0 else 1

    @property
    def has_only_signs(self) -> bool:
        """
        Whether there are differences of which only the signs are tested.
        """
        return self.evidence.test == "sign" and bool(self.difference.error)

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """
        Both means, the difference, its interval and its p-value, as in a table.
        """
        places = self.measure.decimals
        interval = self.evidence.interval
        return (
            f"{self.a:.{places}f}",
            f"{self.b:.{places}f}",
            _signed(self.difference.mean, places),
            " to ".join(_signed(end, places) for end in interval) if interval else "",
            "" if self.adjusted is None else shown_p(self.adjusted),
        )

    def to_data(self) -> dict[str, Any]:
        """
        The figures as plain data.
        """
        deals = self.difference.count
        shares: list[list[float] | None] = [None, None]
        if self.counts is not None and self.adjusted is not None:
            shares = [[100 * end for end in wilson(one, deals)] for one in self.counts]
        return {
            "measure": self.measure.key,
            "unit": self.measure.unit,
            "a": self.a,
            "b": self.b,
            "difference": self.difference.mean,
            "interval": self.evidence.interval,
            "deals": deals,
            "deviation": self.deviation,
            "test": self.evidence.test,
            "p": self.evidence.p,
            "adjusted": self.adjusted,
            "a_interval": shares[0],
            "b_interval": shares[1],
        }


def finished_by_both(pairs: Iterable[Pair]) -> list[Pair]:
    """
    The pairs that have figures.
    """
    return [
        pair
        for pair in pairs
        if all(row.status == "finished" and row.rounds for row in pair)
    ]


def contrasts(
    pairs: Sequence[Pair], unit: Unit, *, knocks: bool
) -> tuple[Contrast, ...]:
    """
    The measures of the games that were finished under both rules.

    Args:
        pairs: The games, each with its twin.
        unit: What a game is.
        knocks: Whether players knock under either rules.
    """
    found = list(_contrasts(finished_by_both(pairs), unit, knocks=knocks))
    values = [one.evidence.p for one in found]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return tuple(found)
    return tuple(
        attrs.evolve(one, adjusted=adjusted)
        for one, adjusted in zip(found, holm(known), strict=True)
    )


def _contrasts(
    finished: Sequence[Pair], unit: Unit, *, knocks: bool
) -> Iterator[Contrast]:
    for one in MEASURES:
        if (one.whole_match and unit == "round") or (one.knocks and not knocks):
            continue
        first, second, differences = [], [], []
        for _, same_deal in itertools.groupby(finished, key=lambda pair: pair[0].deal):
            # Where several bots take turns, all games of a deal are one observation.
            values = [(one.of(here), one.of(there)) for here, there in same_deal]
            first.append(statistics.fmean([here for here, _ in values]))
            second.append(statistics.fmean([there for _, there in values]))
            differences.append(statistics.fmean([y - x for x, y in values]))
        difference = estimate(differences)
        if difference is None:
            continue
        share = one.unit == "%" and {*first, *second} <= {0, 100}
        yield Contrast(
            one,
            statistics.fmean(first),
            statistics.fmean(second),
            difference,
            statistics.pstdev([*first, *second]),
            evidence(differences, share=share),
            (sum(map(bool, first)), sum(map(bool, second))) if share else None,
        )


def shown_p(value: float) -> str:
    """
    A p-value as in a table.
    """
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _signed(value: float, places: int) -> str:
    text = f"{value:+.{places}f}"
    return text[1:] if not float(text) else text
