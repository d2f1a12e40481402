"""
The figures of a summary, as values and as a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from rummyvariants.simulation.estimates import Estimate
from rummyvariants.simulation.tables import Block, as_text


_HEADS: Final = ("won", "points a round", "points a game")
_ENDINGS: Final = {
    "out": "somebody out",
    "stock": "nothing left to draw",
    "idle": "nobody doing anything",
    "knock": "a knock",
}


@attrs.frozen
class Figures:
    """
    How somebody did, or whoever sat somewhere; or how one did beyond another.

    None stands for what was never counted.

    Attributes:
        won: What part of the finished games was won; a joint win counts as its part. In
            games of one round the best score wins.
        round_points: The points of a round.
        match_points: The points of a game that is finished.
    """

    won: Estimate | None
    round_points: Estimate | None
    match_points: Estimate | None


@attrs.frozen
class BotSummary:
    """
    How a bot did, a seat of it taken by itself.

    Attributes:
        name: The bot.
        games: In how many games it sat at the table.
        played: How many seats it had in the finished ones, all together.
        wins: How many of them it won, a joint win counted as its part.
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
    How those did who sat somewhere.

    Attributes:
        seat: The number of the seat; or how many places behind the first dealer it is,
            so that 1 plays first and 0 is the dealer.
        figures: Their means, with intervals over deals.
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

    Intervals are of 95 %, and are taken over deals: games of one deal are not
    independent, so the mean of the games of each deal is one value. The interval is a
    normal one, too narrow where there are only a few deals, and missing below two.

    Attributes:
        games: How many games there are.
        deals: Of how many deals they are.
        statuses: How many games there are by status.
        bots: By bot, in order of their first seats.
        differences: Of each bot to each that comes behind it.
        seats: By number of seat.
        places: By place behind the first dealer.
        rounds: How many rounds a finished game had.
        turns: How many turns a round had.
        endings: How many rounds ended how.
    """

    games: int
    deals: int
    statuses: Mapping[str, int]
    bots: tuple[BotSummary, ...]
    differences: tuple[Difference, ...]
    seats: tuple[SeatSummary, ...]
    places: tuple[SeatSummary, ...]
    rounds: Estimate | None
    turns: Estimate | None
    endings: Mapping[str, int]

    def to_data(self) -> dict[str, Any]:
        """
        The same as plain values, for JSON.
        """
        found: dict[str, Any] = _data(self)
        return found

    @property
    def blocks(self) -> tuple[Block, ...]:
        """
        The lines and tables that are printed.
        """
        return tuple(_blocks(self))

    def __str__(self) -> str:
        return as_text(self.blocks)


def _data(value: Any) -> Any:
    """
    A value of a summary as plain values.
    """
    match value:
        case Estimate():
            low, high = value.interval or (None, None)
            return {"mean": value.mean, "low": low, "high": high, "deals": value.count}
        case tuple():
            return [_data(one) for one in value]
        case _ if attrs.has(type(value)):
            return {
                field.name: _data(getattr(value, field.name))
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
    yield [
        ("bot", "seats", "wins", *_HEADS),
        *(
            (bot.name, str(bot.played), f"{bot.wins:.4g}", *_cells(bot.figures))
            for bot in summary.bots
        ),
    ]
    if summary.differences:
        yield ""
        yield [
            ("difference", *_HEADS),
            *(
                (f"{one.one} - {one.other}", *_cells(one.figures, sign="+"))
                for one in summary.differences
            ),
        ]
    yield ""
    places = [
        (_place(one.seat), *_cells(one.figures))
        for one in (*summary.places[1:], *summary.places[:1])
    ]
    seats = [(f"seat {one.seat}", *_cells(one.figures)) for one in summary.seats]
    yield [("seat", *_HEADS), *seats, *places]
    yield ""
    rounds, turns = _number(summary.rounds), _number(summary.turns)
    yield f"Rounds a game: {rounds}; turns a round: {turns}."
    if summary.endings:
        endings = _counted(
            {_ENDINGS.get(how, how): many for how, many in summary.endings.items()}
        )
        yield f"Rounds ended with {endings}."
    yield f"After ± stand 95 % intervals, over {deals}."
    for bot in summary.bots:
        if bot.troubles:
            yield ""
            yield f"{bot.name}: {_counted(bot.troubles)}"
            yield from (f"  {problem}" for problem in bot.problems)
            left = sum(bot.troubles.values()) - len(bot.problems)
            if left:
                yield f"  and {left} more"


def _place(place: int) -> str:
    return "first dealer" if not place else f"{place} behind the first dealer"


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
