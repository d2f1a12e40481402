"""
The results of many games: wins, points, and what went wrong.
"""

from __future__ import annotations

import itertools

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from rummyvariants.simulation.estimates import ByDeal
from rummyvariants.simulation.figures import (
    BotSummary,
    Difference,
    Figures,
    SeatSummary,
    Summary,
)
from rummyvariants.simulation.rows import GameRow


_PROBLEMS: Final = 3
"""How many problems of a bot to show in full."""


def summarize(rows: Iterable[GameRow]) -> Summary:
    """
    The summary of rows.

    Args:
        rows: The rows of a simulation; they are not kept.
    """
    tally = Tally()
    for row in rows:
        tally.add(row)
    return tally.summary()


def shares(row: GameRow) -> tuple[float, ...]:
    """
    Each seat's share of winning a finished game.

    A game of one round has no winners of its own: there the best score wins. Partners
    win together, and each of them has the share of their side.
    """
    scores = row.merits
    best = max(scores)
    winners = row.winners or [
        seat for seat, score in enumerate(scores) if score == best
    ]
    number = len({row.sides[seat] for seat in winners} if row.sides else winners)
    return tuple(1 / number if seat in winners else 0.0 for seat in range(len(scores)))


class _Means:
    """
    The counts for a bot or for a seat.
    """

    def __init__(self) -> None:
        self.won = ByDeal()
        self.round_points = ByDeal()
        self.match_points = ByDeal()

    def figures(self) -> Figures:
        return Figures(
            self.won.estimate(),
            self.round_points.estimate(),
            self.match_points.estimate(),
        )

    def above(self, other: _Means) -> Figures:
        return Figures(
            self.won.above(other.won),
            self.round_points.above(other.round_points),
            self.match_points.above(other.match_points),
        )


class _BotTally:
    """
    The counts for a bot only.
    """

    def __init__(self) -> None:
        self.games = 0
        self.played = 0
        self.wins = 0.0
        self.means = _Means()
        self.troubles: Counter[str] = Counter()
        self.problems: list[str] = []

    def summary(self, name: str) -> BotSummary:
        return BotSummary(
            name,
            self.games,
            self.played,
            self.wins,
            self.means.figures(),
            dict(self.troubles),
            tuple(self.problems),
        )


class Tally:
    """
    A summary computed row by row.
    """

    def __init__(self) -> None:
        self._games = 0
        self._deals: set[int] = set()
        self._statuses: Counter[str] = Counter()
        self._bots: defaultdict[str, _BotTally] = defaultdict(_BotTally)
        self._places: defaultdict[int, _Means] = defaultdict(_Means)
        self._rounds = ByDeal()
        self._turns = ByDeal()
        self._endings: Counter[str] = Counter()

    @property
    def games(self) -> int:
        """
        The number of rows.
        """
        return self._games

    @property
    def troubles(self) -> int:
        """
        How many games ended because of a bot.
        """
        return self._statuses["failed"] + self._statuses["refused"]

    def add(self, row: GameRow) -> None:
        """
        Count a row.
        """
        self._games += 1
        self._deals.add(row.deal)
        self._statuses[row.status] += 1
        for name in dict.fromkeys(row.bots):
            self._bots[name].games += 1
        if row.culprit is not None:
            bot = self._bots[row.bots[row.culprit]]
            bot.troubles[row.status] += 1
            if len(bot.problems) < _PROBLEMS:
                bot.problems.append(f"game {row.number}: {row.problem}")
        dealer = row.rounds[0].dealer if row.rounds else None
        seats = len(row.bots)
        means = [
            (
                self._bots[name].means,
                *([] if dealer is None else [self._places[(seat - dealer) % seats]]),
            )
            for seat, name in enumerate(row.bots)
        ]
        for one in row.rounds:
            self._endings[one.how] += 1
            self._turns.add(row.deal, one.turns)
            for seat, points in enumerate(one.points):
                for mean in means[seat]:
                    mean.round_points.add(row.deal, points)
        if row.status != "finished":
            return
        self._rounds.add(row.deal, len(row.rounds))
        for seat, share in enumerate(shares(row)):
            bot = self._bots[row.bots[seat]]
            bot.played += 1
            bot.wins += share
            for mean in means[seat]:
                mean.won.add(row.deal, share)
                mean.match_points.add(row.deal, row.scores[seat])

    def summary(self) -> Summary:
        """
        The summary of the rows so far.
        """
        return Summary(
            self._games,
            len(self._deals),
            dict(self._statuses),
            tuple(one.summary(name) for name, one in self._bots.items()),
            tuple(
                Difference(one, other, ours.means.above(theirs.means))
                for (one, ours), (other, theirs) in itertools.combinations(
                    self._bots.items(), 2
                )
            ),
            _by_seat(self._places),
            self._rounds.estimate(),
            self._turns.estimate(),
            dict(self._endings),
        )


def _by_seat(means: Mapping[int, _Means]) -> tuple[SeatSummary, ...]:
    return tuple(SeatSummary(seat, means[seat].figures()) for seat in sorted(means))
