"""
One measure of two games, and how certain their difference is.
"""

from __future__ import annotations

import itertools
import statistics

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from rummyvariants.simulation.estimates import Estimate, estimate
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.measures import MEASURES, Measure
from rummyvariants.simulation.rows import GameRow


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
    """

    measure: Measure
    a: float
    b: float
    difference: Estimate
    deviation: float

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """
        Both means, the difference and its interval, as in a table.
        """
        places = self.measure.decimals
        interval = self.difference.interval
        return (
            f"{self.a:.{places}f}",
            f"{self.b:.{places}f}",
            _signed(self.difference.mean, places),
            " to ".join(_signed(end, places) for end in interval) if interval else "",
        )

    def to_data(self) -> dict[str, Any]:
        """
        The figures as plain data.
        """
        return {
            "measure": self.measure.key,
            "unit": self.measure.unit,
            "a": self.a,
            "b": self.b,
            "difference": self.difference.mean,
            "interval": self.difference.interval,
            "deals": self.difference.count,
            "deviation": self.deviation,
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


def contrasts(pairs: Sequence[Pair], unit: Unit, *, knocks: bool) -> Iterator[Contrast]:
    """
    The measures of the games that were finished under both rules.

    Args:
        pairs: The games, each with its twin.
        unit: What a game is.
        knocks: Whether players knock under either rules.
    """
    finished = finished_by_both(pairs)
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
        if difference is not None:
            yield Contrast(
                one,
                statistics.fmean(first),
                statistics.fmean(second),
                difference,
                statistics.pstdev([*first, *second]),
            )


def _signed(value: float, places: int) -> str:
    text = f"{value:+.{places}f}"
    return text[1:] if not float(text) else text
