"""
One measure of two games, and how certain their difference is.
"""

from __future__ import annotations

import contextlib
import itertools
import statistics

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from rummyvariants.simulation.estimates import CONFIDENCE, Estimate, estimate
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.measures import MEASURES, Figure
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.significance import Evidence, evidence, holm
from rummyvariants.simulation.skill import (
    SKILL,
    SkillError,
    leads_by_deal,
    shares_by_deal,
)


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
        adjusted: The p-value of the test, adjusted for all measures of the comparison;
            None without scipy.
    """

    measure: Figure
    a: float
    b: float
    difference: Estimate
    deviation: float
    evidence: Evidence
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
        return {
            "measure": self.measure.key,
            "unit": self.measure.unit,
            "a": self.a,
            "b": self.b,
            "difference": self.difference.mean,
            "interval": self.evidence.interval,
            "deals": self.difference.count,
            "deviation": self.deviation,
            "test": self.evidence.test,
            "p": self.evidence.p,
            "adjusted": self.adjusted,
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
    finished = finished_by_both(pairs)
    found = [*_contrasts(finished, unit, knocks=knocks), *_of_skill(pairs)]
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
    deals = [
        list(same_deal)
        for _, same_deal in itertools.groupby(finished, key=lambda pair: pair[0].deal)
    ]
    for one in MEASURES if deals else ():
        if one.applies(unit, knocks=knocks):
            # Where several bots take turns, all games of a deal are one observation.
            first, second = (
                [
                    statistics.fmean([one.of(pair[at]) for pair in deal])
                    for deal in deals
                ]
                for at in (0, 1)
            )
            yield _contrast(one, first, second)


def _of_skill(pairs: Sequence[Pair]) -> Iterator[Contrast]:
    """
    The skill share, if two bots play and it can be measured.
    """
    names = [*dict.fromkeys(pairs[0][0].bots)] if pairs else []
    if len(names) != 2:
        return
    leads = [leads_by_deal((pair[at] for pair in pairs), *names) for at in (0, 1)]
    both = sorted(leads[0].keys() & leads[1].keys())
    if len(both) < 2:
        return
    with contextlib.suppress(SkillError):
        first, second = (
            [*shares_by_deal({deal: of[deal] for deal in both}).values()]
            for of in leads
        )
        yield _contrast(SKILL, first, second)


def _contrast(
    measure: Figure, first: Sequence[float], second: Sequence[float]
) -> Contrast:
    """
    A measure of some deals under the first rules and under the second.
    """
    differences = [there - here for here, there in zip(first, second, strict=True)]
    difference = estimate(differences)
    assert difference is not None  # noqa: S101 -- there are deals
    return Contrast(
        measure,
        statistics.fmean(first),
        statistics.fmean(second),
        difference,
        statistics.pstdev([*first, *second]),
        evidence(
            differences, share=measure.unit == "%" and {*first, *second} <= {0, 100}
        ),
    )


def shown_p(value: float) -> str:
    """
    A p-value as in a table.
    """
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _signed(value: float, places: int) -> str:
    text = f"{value:+.{places}f}"
    return text[1:] if not float(text) else text
