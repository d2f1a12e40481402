"""
The measures of a game.
"""

from __future__ import annotations

import functools
import itertools
import math
import statistics

from collections.abc import Callable, Iterable
from typing import Any, Final

import attrs

from rummyvariants.errors import nearest
from rummyvariants.simulation.estimates import ByDeal, Estimate
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.significance import interval_of, with_interval


@attrs.frozen
class Figure:
    """
    A number that games have, alone or together.

    Attributes:
        key: Its name in data.
        name: Its name in tables.
        sentence: What it measures.
        unit: Its unit.
        decimals: The number of decimals shown.
    """

    key: str
    name: str
    sentence: str
    unit: str
    decimals: int = 2

    @property
    def title(self) -> str:
        """
        Its name, with its unit if the name does not say it.
        """
        return (
            f"{self.name} ({self.unit})" if self.unit in {"%", "points"} else self.name
        )


@attrs.frozen(kw_only=True)
class Measure(Figure):
    """
    A number that every finished game has.

    Attributes:
        of: Its value for a game; a game without a finished round has none.
        whole_match: Whether it applies only to whole matches, not to single rounds.
        knocks: Whether it applies only to games in which players knock.
    """

    of: Callable[[GameRow], float] = attrs.field(repr=False)
    whole_match: bool = False
    knocks: bool = False

    def applies(self, unit: Unit, *, knocks: bool) -> bool:
        """
        Whether games have it.

        Args:
            unit: What a game is.
            knocks: Whether players knock.
        """
        return (unit == "match" or not self.whole_match) and (knocks or not self.knocks)


_OfMatch = Callable[[GameRow], float]
_OfRound = Callable[[RoundRow], float]
_FOUND: Final[list[Measure]] = []


def _of_match(
    key: str, name: str, unit: str, decimals: int = 2
) -> Callable[[_OfMatch], _OfMatch]:
    """
    Make a measure of a function of a match, which says in its docstring what it is.
    """

    def add(of: _OfMatch) -> _OfMatch:
        said = _sentence(of)
        _FOUND.append(Measure(key, name, said, unit, decimals, of=of, whole_match=True))
        return of

    return add


def _of_round(
    key: str, name: str, unit: str, decimals: int = 2, *, knocks: bool = False
) -> Callable[[_OfRound], _OfRound]:
    """
    Make a measure of a function of a round: its mean over the rounds of a game.
    """

    def add(of: _OfRound) -> _OfRound:
        mean = functools.partial(_per_round, of)
        _FOUND.append(
            Measure(key, name, _sentence(of), unit, decimals, of=mean, knocks=knocks)
        )
        return of

    return add


def _sentence(of: Callable[..., float]) -> str:
    return " ".join((of.__doc__ or "").split())


def _per_round(of: _OfRound, row: GameRow) -> float:
    return statistics.fmean([of(one) for one in row.rounds])


# ------------------------------------------------------------------------- of a match


@_of_match("rounds", "rounds per match", "rounds")
def _rounds(row: GameRow) -> float:
    """
    How many rounds a match takes.
    """
    return len(row.rounds)


@_of_match("match_actions", "actions per match", "actions", 1)
def _length(row: GameRow) -> float:
    """
    How many actions the players take in a match.
    """
    return row.actions


@_of_match("lead", "winner's lead", "points", 1)
def _lead(row: GameRow) -> float:
    """
    By how much the winner leads the best of the others; zero for joint winners.
    """
    # Partners are one winner, and their points one total.
    scores = row.merits
    winners = {row.sides[seat] for seat in row.winners} if row.sides else row.winners
    if len(winners) != 1:
        return 0
    others = [score for seat, score in enumerate(scores) if seat not in row.winners]
    return scores[row.winners[0]] - max(others)


def _leaders(row: GameRow) -> list[int | None]:
    """
    Who leads after each round: the first seat of a side alone in front, or None.
    """
    found: list[int | None] = []
    for scores in row.course:
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        sides = {row.sides[seat] for seat in best} if row.sides else best
        found.append(best[0] if len(sides) == 1 else None)
    return found


@_of_match("lead_changes", "changes of the lead", "changes")
def _lead_changes(row: GameRow) -> float:
    """
    How often another player or side leads after a round than before; a tie does not.
    """
    leaders = [seat for seat in _leaders(row) if seat is not None]
    return sum(before != after for before, after in itertools.pairwise(leaders))


@_of_match("settled", "round of the last lead", "rounds")
def _settled(row: GameRow) -> float:
    """
    From which round on the winner leads for good; the last if only the end decides.
    """
    leaders = _leaders(row)
    number = len(leaders)
    if leaders[-1] not in row.winners:
        return number
    while number > 1 and leaders[number - 2] in row.winners:
        number -= 1
    return number


# ------------------------------------------------------------------------- of a round


@_of_round("turns", "turns per round", "turns")
def _turns(one: RoundRow) -> float:
    """
    How many turns the players finish in a round.
    """
    return one.turns


@_of_round("actions", "actions per round", "actions")
def _actions(one: RoundRow) -> float:
    """
    How many actions the players take in a round.
    """
    return one.actions


@_of_round("points", "points per round and seat", "points")
def _points(one: RoundRow) -> float:
    """
    What a player scores in a round.
    """
    return statistics.fmean(one.points)


@_of_round("spread", "spread of a round", "points")
def _spread(one: RoundRow) -> float:
    """
    The standard deviation of the points of a round over the seats.
    """
    return statistics.pstdev(one.points)


@_of_round("first_advantage", "advantage of the first", "points")
def _first_advantage(one: RoundRow) -> float:
    """
    The points of who begins, at the dealer's left, less the mean of the others'.
    """
    return _advantage(one, (one.dealer + 1) % len(one.points))


def _advantage(one: RoundRow, seat: int) -> float:
    others = [points for at, points in enumerate(one.points) if at != seat]
    return one.points[seat] - statistics.fmean(others)


@_of_round("dealer_advantage", "advantage of the dealer", "points")
def _dealer_advantage(one: RoundRow) -> float:
    """
    The points of the dealer less the mean of the others'.
    """
    return _advantage(one, one.dealer)


@_of_round("ends_out", "rounds: somebody out", "%")
def _ends_out(one: RoundRow) -> float:
    """
    The share of rounds that end because somebody goes out.
    """
    return 100.0 * (one.how in {"out", "dealt hand"})


@_of_round("ends_stock", "rounds: stock used up", "%")
def _ends_stock(one: RoundRow) -> float:
    """
    The share of rounds that end because no card is left to draw.
    """
    return 100.0 * (one.how == "stock")


@_of_round("ends_idle", "rounds: no progress", "%")
def _ends_idle(one: RoundRow) -> float:
    """
    The share of rounds that end because no card comes from the stock or to the table.
    """
    return 100.0 * (one.how == "idle")


@_of_round("ends_knock", "rounds: a knock", "%", knocks=True)
def _ends_knock(one: RoundRow) -> float:
    """
    The share of rounds that end with a knock that is not gin.
    """
    return 100.0 * (one.how == "knock")


@_of_round("ends_gin", "rounds: gin", "%", knocks=True)
def _ends_gin(one: RoundRow) -> float:
    """
    The share of rounds that end with gin, big gin included.
    """
    return 100.0 * (one.how in {"gin", "big gin"})


@_of_round("undercuts", "rounds: an undercut", "%", knocks=True)
def _undercuts(one: RoundRow) -> float:
    """
    The share of rounds in which a player knocks and another gets the points.
    """
    if one.how != "knock" or one.out is None:
        return 0.0
    return 100.0 * (one.points[one.out] < max(one.points))


@_of_round("thrown_in", "deals thrown in per round", "deals", 4)
def _thrown_in(one: RoundRow) -> float:
    """
    How many deals are thrown in, before a round, because there are too few cards.
    """
    return one.thrown_in


@_of_round("hand", "cards dealt to a hand", "cards")
def _hand(one: RoundRow) -> float:
    """
    How many cards a player is dealt.
    """
    return statistics.fmean(one.hand_sizes)


@_of_round("small_hands", "hands of 4 cards or fewer", "%")
def _small_hands(one: RoundRow) -> float:
    """
    The share of hands with 4 cards or fewer in the deal.
    """
    return 100 * statistics.fmean([size <= 4 for size in one.hand_sizes])


@_of_round("wilds", "wild cards melded per round", "cards")
def _wilds(one: RoundRow) -> float:
    """
    How many wild cards are in melds when a round ends.
    """
    return one.wilds


MEASURES: Final = tuple(_FOUND)
"""All measures, in the order of the tables."""


def measure(key: str) -> Measure:
    """
    A measure by its key.

    Raises:
        SimulationError: If there is none; the message suggests the nearest.
    """
    for one in MEASURES:
        if one.key == key:
            return one
    msg = f"there is no measure {key!r}{nearest(key, [one.key for one in MEASURES])}"
    raise SimulationError(msg)


# ------------------------------------------------------------------------ of one game


@attrs.frozen
class Measured:
    """
    A measure of many games of the same rules.

    Attributes:
        measure: What is measured.
        mean: Its mean over deals.
        median: Half of the games have at most this.
        most: 95 % of the games have at most this.
    """

    measure: Measure
    mean: Estimate
    median: float
    most: float

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """
        The mean, its interval, the median and the most, as in a table.
        """
        places = self.measure.decimals
        return (
            *with_interval(self.mean, places),
            f"{self.median:.{places}f}",
            f"{self.most:.{places}f}",
        )

    def to_data(self) -> dict[str, Any]:
        """
        The figures as plain data.
        """
        return {
            "measure": self.measure.key,
            "unit": self.measure.unit,
            "mean": self.mean.mean,
            "interval": interval_of(self.mean),
            "deals": self.mean.count,
            "median": self.median,
            "most": self.most,
        }


def measured(
    rows: Iterable[GameRow], unit: Unit = "match", *, knocks: bool = True
) -> tuple[Measured, ...]:
    """
    The measures of the finished games.

    Args:
        rows: The games.
        unit: What a game is.
        knocks: Whether players knock under their rules.

    Raises:
        SimulationError: If no game was finished.
    """
    played = list(rows)
    finished = [row for row in played if row.status == "finished" and row.rounds]
    if not finished:
        why = f"; the first: {played[0].problem}" if played else ""
        msg = f"no game was finished{why}"
        raise SimulationError(msg)
    found = []
    for one in MEASURES:
        if not one.applies(unit, knocks=knocks):
            continue
        by_deal = ByDeal()
        for row in finished:
            by_deal.add(row.deal, one.of(row))
        mean = by_deal.estimate()
        values = sorted(map(one.of, finished))
        median, most = (
            values[math.ceil(share * len(values)) - 1] for share in (0.5, 0.95)
        )
        assert mean is not None  # noqa: S101 -- a game was finished
        found.append(Measured(one, mean, median, most))
    return tuple(found)
