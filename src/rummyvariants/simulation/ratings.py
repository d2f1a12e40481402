"""
Ratings of bots with openskill; they need the extra ``tournament``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.rows import GameRow


if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


@attrs.frozen
class Rating:
    """
    The estimated strength of a bot, and how certain it is.

    Attributes:
        mu: The mean of the estimate; 25 before the first game.
        sigma: Its standard deviation.
        ordinal: mu less three times sigma: a strength that it almost certainly has.
        games: The number of games rated.
    """

    mu: float
    sigma: float
    ordinal: float
    games: int


def ratings(rows: Iterable[GameRow]) -> dict[str, Rating]:
    """
    The bots' ratings after some games, by the Plackett-Luce model.

    Each finished game between different bots is rated, in the order of the rows: a
    better score ranks higher, partners have the score of their side, and a bot with
    several seats has their mean.

    Args:
        rows: The rows of a simulation.

    Returns:
        The ratings by bot, the highest ordinal first.

    Raises:
        SimulationError: If openskill is not installed.
    """
    ladder = Ladder()
    for row in rows:
        ladder.add(row)
    return ladder.ratings()


class Ladder:
    """
    Ratings computed row by row.

    Raises:
        SimulationError: If openskill is not installed.
    """

    def __init__(self) -> None:
        try:
            from openskill.models import PlackettLuce  # noqa: PLC0415 -- an extra
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "openskill":
                raise
            msg = "ratings need openskill: pip install 'rummyvariants[tournament]'"
            raise SimulationError(msg) from None
        self._model = PlackettLuce()
        self._ratings: dict[str, PlackettLuceRating] = {}
        self._games: dict[str, int] = {}

    def add(self, row: GameRow) -> None:
        """
        Rate a game.
        """
        for name in row.bots:
            if name not in self._ratings:
                self._ratings[name] = self._model.rating(name=name)
                self._games[name] = 0
        points: dict[str, list[int]] = {}
        for name, score in zip(row.bots, row.merits, strict=True):
            points.setdefault(name, []).append(score)
        if row.status != "finished" or len(points) < 2:
            return
        rated = self._model.rate(
            [[self._ratings[name]] for name in points],
            scores=[sum(one) / len(one) for one in points.values()],
        )
        for name, (rating,) in zip(points, rated, strict=True):
            self._ratings[name] = rating
            self._games[name] += 1

    def ratings(self) -> dict[str, Rating]:
        """
        The ratings after the games so far, the highest ordinal first.
        """
        found = {
            name: Rating(one.mu, one.sigma, one.ordinal(), self._games[name])
            for name, one in self._ratings.items()
        }
        return dict(sorted(found.items(), key=lambda one: -one[1].ordinal))
