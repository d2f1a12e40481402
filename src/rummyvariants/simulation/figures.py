"""
The figures of a summary, as values and as a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from rummyvariants._support.tables import Block, Grid, as_text
from rummyvariants.simulation.estimates import Estimate


_HEADS: Final = ("won", "points a round", "points a game")
_ENDINGS: Final = {
    "out": "somebody out",
    "stock": "nothing left to draw",
    "idle": "no progress",
    "knock": "a knock",
}


@attrs.frozen
class Figures:
    """
    The results of a bot or of a seat, or the difference of two bots.

    None means that nothing was counted.

    Attributes:
        won: The share of finished games won; a joint win counts as its share. In games
            of one round the best score wins.
        round_points: The points of a round.
        match_points: The points of a finished game.
    """

    won: Estimate | None
    round_points: Estimate | None
    match_points: Estimate | None


@attrs.frozen
class BotSummary:
    """
    The results of a bot, with each of its seats counted separately.

    Attributes:
        name: The bot.
        games: The number of games in which it played.
        played: The number of its seats in finished games.
        wins: How many of them it won, a joint win counted as its share.
        figures: Its means, with intervals over deals.
        troubles: How often a game ended because of it, by status.
        problems: The first of these problems.
    """

    name: str
    games: int
    played: int
    wins: float
    figures: Figures
    troubles: Mapping[str, int]
    problems: tuple[str, ...]


@attrs.frozen
class SeatSummary:
    """
    The results of a seat.

    Attributes:
        seat: Its place after the first dealer: 1 plays first, and 0 is the dealer.
        figures: Its means, with intervals over deals.
    """

    seat: int
    figures: Figures


@attrs.frozen
class Difference:
    """
    By how much a bot did better than another, paired by deal.

    Attributes:
        one: The bot.
        other: The other bot.
        figures: The means of the differences, with intervals over deals.
    """

    one: str
    other: str
    figures: Figures


@attrs.frozen
class Summary:
    """
    What the rows of a simulation show.

    Intervals are 95 % intervals over deals: games of one deal are not independent, so
    the mean of the games of each deal is one value. The interval assumes a normal
    distribution; it is too narrow with only a few deals, and missing below two.

    Attributes:
        games: The number of games.
        deals: The number of their deals.
        statuses: The number of games by status.
        bots: The bots, in order of their first seats.
        differences: The difference of each bot to each later one.
        places: The seats, by place after the first dealer.
        rounds: How many rounds a finished game had.
        turns: How many turns a round had.
        endings: The number of rounds by how they ended.
    """

    games: int
    deals: int
    statuses: Mapping[str, int]
    bots: tuple[BotSummary, ...]
    differences: tuple[Difference, ...]
    places: tuple[SeatSummary, ...]
    rounds: Estimate | None
    turns: Estimate | None
    endings: Mapping[str, int]

    def to_data(self) -> dict[str, Any]:
        """
        The summary as plain values, for JSON.
        """
        found: dict[str, Any] = as_data(self)
        return found

    @property
    def places_table(self) -> Block:
        """
        The table of the seats by place, the first dealer last.
        """
        places = (*self.places[1:], *self.places[:1])
        rows = [(_place(one.seat), *_cells(one.figures)) for one in places]
        return Grid([("seat", *_HEADS), *rows])

    @property
    def blocks(self) -> tuple[Block, ...]:
        """
        The lines and tables that are printed.
        """
        return tuple(_blocks(self))

    def __str__(self) -> str:
        return as_text(self.blocks)


def as_data(value: Any) -> Any:
    """
    A value of a summary as plain values.
    """
    match value:
        case Estimate():
            low, high = value.interval or (None, None)
            return {"mean": value.mean, "low": low, "high": high, "deals": value.count}
        case tuple():
            return [as_data(one) for one in value]
        case _ if attrs.has(type(value)):
            return {
                field.name: as_data(getattr(value, field.name))
                for field in attrs.fields(type(value))
            }
        case _:
            return value


def _blocks(summary: Summary) -> Iterator[Block]:
    deals = f"{summary.deals} deal{'' if summary.deals == 1 else 's'}"
    games = f"{summary.games} game{'' if summary.games == 1 else 's'}"
    yield f"{games} of {deals}: {_counted(summary.statuses) or 'nothing to count'}"
    if not summary.games:
        return
    yield ""
    rows = [
        (bot.name, str(bot.played), f"{bot.wins:.4g}", *_cells(bot.figures))
        for bot in summary.bots
    ]
    yield Grid([("bot", "seats", "wins", *_HEADS), *rows])
    if summary.differences:
        yield ""
        apart = [
            (f"{one.one} - {one.other}", *_cells(one.figures, sign="+"))
            for one in summary.differences
        ]
        yield Grid([("difference", *_HEADS), *apart])
    yield ""
    yield summary.places_table
    yield ""
    rounds, turns = _number(summary.rounds), _number(summary.turns)
    yield f"Rounds a game: {rounds}; turns a round: {turns}."
    if summary.endings:
        endings = _counted(
            {_ENDINGS.get(how, how): many for how, many in summary.endings.items()}
        )
        yield f"Rounds ended with {endings}."
    yield f"± gives 95 % intervals, over {deals}."
    for bot in summary.bots:
        if bot.troubles:
            yield ""
            yield f"{bot.name}: {_counted(bot.troubles)}"
            yield from (f"  {problem}" for problem in bot.problems)
            left = sum(bot.troubles.values()) - len(bot.problems)
            if left:
                yield f"  and {left} more"


def _place(place: int) -> str:
    return "first dealer" if not place else f"{place} after the first dealer"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{many} {what}" for what, many in counts.items())


def _cells(figures: Figures, sign: str = "") -> tuple[str, str, str]:
    return (
        _number(figures.won, sign, percent=True),
        _number(figures.round_points, sign),
        _number(figures.match_points, sign),
    )


def _number(estimate: Estimate | None, sign: str = "", *, percent: bool = False) -> str:
    if estimate is None:
        return "-"
    times = 100 if percent else 1
    unit = " %" if percent else ""
    text = f"{times * estimate.mean:{sign}.1f}"
    if estimate.half is None:
        return f"{text}{unit}"
    return f"{text} ± {times * estimate.half:.1f}{unit}"
