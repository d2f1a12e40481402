"""
The course of matches: how long they are, and how often a player comes back.
"""

from __future__ import annotations

import statistics

from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from rummyvariants.simulation.estimates import estimate
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.significance import interval_of, quantile, wilson
from rummyvariants.simulation.summary import shares


SHARES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The shares of matches whose lengths are given."""
_PARTS: Final = (0.1, 0.2, 0.3, 0.5)
"""The deficits, as parts of how far a winner ends above zero or above the last."""


@attrs.frozen
class Quantile:
    """
    A number up to which a share of matches goes.

    Attributes:
        share: The share of matches.
        value: The number.
        interval: Its exact 95 % interval; None if there are too few matches.
    """

    share: float
    value: float
    interval: tuple[float, float] | None


@attrs.frozen
class Comeback:
    """
    How often a player or side wins that once was far behind.

    Attributes:
        behind: How many points behind the leader.
        matches: In how many matches somebody was so far behind before the last round.
        wins: In how many of them the first to be so won, or was a joint winner.
        interval: The 95 % interval of their share, by Wilson's method; None without a
            match.
    """

    behind: int
    matches: int
    wins: int
    interval: tuple[float, float] | None


@attrs.frozen
class SeatShare:
    """
    How often a seat wins.

    Attributes:
        place: Its place after the first dealer, so that 1 plays first and 0 deals.
        won: The share of matches that it wins; a joint win counts as its part.
        interval: The 95 % interval of the share, by Wilson's method, or Student's t if
            there are joint wins; None if nothing varies.
    """

    place: int
    won: float
    interval: tuple[float, float] | None


def lengths(
    rows: Iterable[GameRow], parts: Sequence[float] = SHARES
) -> dict[str, tuple[Quantile, ...]]:
    """
    How long matches are.

    Args:
        rows: Games between equal bots.
        parts: The shares of matches, each above 0 and below 1.

    Returns:
        The quantiles of ``rounds`` and of ``actions`` of a match.

    Raises:
        SimulationError: If no match was finished, different bots play, or scipy is not
            installed.
    """
    found = finished(rows)
    values = {
        "rounds": [len(row.rounds) for row in found],
        "actions": [row.actions for row in found],
    }
    return {
        name: tuple(Quantile(share, *quantile(numbers, share)) for share in parts)
        for name, numbers in values.items()
    }


def comebacks(
    rows: Iterable[GameRow], behind: Sequence[int] | None = None
) -> tuple[Comeback, ...]:
    """
    How often a match is won by who once was far behind.

    Each match counts once for each deficit: for the player or side who was the first to
    be so far behind the leader after a round, the last round left out. If several are,
    the one with the least points counts.

    Args:
        rows: Games between equal bots.
        behind: The deficits; by default a tenth, a fifth, three tenths and half of how
            far a winner ends above zero, or above the last if that is more, in the
            middle of all matches.

    Raises:
        SimulationError: If no match was finished, different bots play, or scipy is not
            installed.
    """
    found = finished(rows)
    if behind is None:
        best = [max(row.course[-1]) - min(*row.course[-1], 0) for row in found]
        middle, _ = quantile(best, 0.5)
        behind = sorted({max(round(part * middle), 1) for part in _PARTS})
    return tuple(_comeback(found, one) for one in behind)


def seat_shares(rows: Iterable[GameRow]) -> tuple[SeatShare, ...]:
    """
    How often each seat wins, the first dealer first.

    Args:
        rows: Games between equal bots.

    Raises:
        SimulationError: If no match was finished, different bots play, or scipy is not
            installed.
    """
    found = finished(rows)
    seats = range(len(found[0].bots))
    won = [
        [shares(row)[(row.rounds[0].dealer + place) % len(seats)] for row in found]
        for place in seats
    ]
    return tuple(_seat_share(place, of) for place, of in enumerate(won))


def _seat_share(place: int, won: Sequence[float]) -> SeatShare:
    if {*won} <= {0.0, 1.0}:
        interval: tuple[float, float] | None = wilson(round(sum(won)), len(won))
    else:
        interval = interval_of(estimate(won))
    return SeatShare(place, statistics.fmean(won), interval)


def finished(rows: Iterable[GameRow]) -> list[GameRow]:
    """
    The finished matches, each of them independent of the others.

    Raises:
        SimulationError: If there is none, or different bots play.
    """
    played = list(rows)
    found = [row for row in played if row.status == "finished" and row.rounds]
    if not found:
        why = f"; the first: {played[0].problem}" if played else ""
        msg = f"no match was finished{why}"
        raise SimulationError(msg)
    for row in found:
        if len({*row.bots}) > 1:
            msg = f"the course of matches is that of equal bots, not of {row.bots}"
            raise SimulationError(msg)
    return found


def _comeback(rows: Sequence[GameRow], behind: int) -> Comeback:
    fallen = [(row, _fallen(row, behind)) for row in rows]
    wins = [seat in row.winners for row, seat in fallen if seat is not None]
    interval = wilson(sum(wins), len(wins)) if wins else None
    return Comeback(behind, len(wins), sum(wins), interval)


def _fallen(row: GameRow, behind: int) -> int | None:
    """
    The first seat to be so far behind, before the last round.
    """
    for scores in row.course[:-1]:
        least = min(scores)
        if max(scores) - least >= behind:
            return scores.index(least)
    return None
