"""
Ratings of bots, by openskill. It needs what the extra ``tournament`` installs.
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
    How strong a bot is thought to be, and how sure that is.

    Attributes:
        mu: The middle of what is thought of its strength; 25 before the first game.
        sigma: How far off that may be.
        ordinal: Three times sigma below mu: a strength that it has almost surely.
        games: How many games were rated.
    """

    mu: float
    sigma: float
    ordinal: float
    games: int


def ratings(rows: Iterable[GameRow]) -> dict[str, Rating]:
    """
    The bots' ratings after some games, by the Plackett-Luce model.

    Each finished game between different bots is rated, in the order of the rows: who
    has the better score is ranked higher, partners by that of their side, and a bot
    with several seats has their mean.

    Args:
        rows: The rows of a simulation.

    Returns:
        The ratings by bot, the highest ordinal in front.

    Raises:
        SimulationError: If openskill is not installed.
    """
    ladder = Ladder()
    for row in rows:
        ladder.add(row)
    return ladder.ratings()


class Ladder:
    """
    Ratings in the making, which rows are given to one by one.

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
        The ratings after the games so far, the highest ordinal in front.
        """
        found = {
            name: Rating(one.mu, one.sigma, one.ordinal(), self._games[name])
            for name, one in self._ratings.items()
        }
        return dict(sorted(found.items(), key=lambda one: -one[1].ordinal))
