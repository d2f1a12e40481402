"""
Rows as lines of text: JSON lines, and CSV with one line for each game.
"""

from __future__ import annotations

import csv
import io
import json

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, Protocol

import attrs

from rummyvariants._support.limits import (
    DIGITS,
    LONG_NUMBER,
    NO_TEXT,
    TOO_DEEP,
    excesses,
)
from rummyvariants._support.words import figure
from rummyvariants.simulation.rows import (
    GameRow,
    RoundRow,
    Row,
    check_row,
    row_of,
    typed,
)


FORM: Final = 1
"""The version of both forms."""

ASKED: Final[Mapping[str, str]] = {
    "form": "int",
    "library": "str",
    "rules": "str | dict",
    "bots": "tuple[str, ...]",
    "players": "int",
    "seed": "str",
    "unit": "str",
    "limit": "int",
}
"""The settings of a simulation that accompany its rows, and their types."""

Asked = Mapping[str, Any]


class Form(Protocol[Row]):
    """
    A way to write rows as lines, without line ends.
    """

    def head(self, asked: Asked) -> str:
        """
        The first line of a file.
        """

    def line(self, row: Row, asked: Asked) -> str:
        """
        The line of a row.
        """

    def read(self, lines: Iterable[str]) -> Iterator[dict[str, Any] | Row]:
        """
        The rows of the lines, with the settings before the first of them.

        Raises:
            ValueError: If a line is not of this form.
        """


@attrs.frozen
class JsonLines(Generic[Row]):
    """
    A line for the settings, and one for each row, as JSON.

    Attributes:
        kind: The class of the rows.
    """

    kind: type[Row]

    def head(self, asked: Asked) -> str:
        """
        The settings.
        """
        return json.dumps(asked)

    def line(self, row: Row, asked: Asked) -> str:
        """
        A row, its attributes by name.
        """
        del asked
        return json.dumps(attrs.asdict(row), separators=(",", ":"))

    def read(self, lines: Iterable[str]) -> Iterator[dict[str, Any] | Row]:
        """
        See `Form`.
        """
        found = iter(lines)
        for line in found:
            head = _object(line)
            if not isinstance(head, dict) or set(head) != set(ASKED):
                msg = "the first line does not hold the settings of a simulation"
                raise ValueError(msg)
            for name, kind in ASKED.items():
                typed(kind, head[name], name)
            yield head
            break
        for line in found:
            yield row_of(_object(line), self.kind)


def _object(line: str) -> Any:
    """
    The value of a line of JSON.
    """
    try:
        found = json.loads(line)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    for path, problem in excesses(found):
        # The name or the error of a bot may not be valid text.
        if problem != NO_TEXT:
            msg = f"{path}: {problem}"
            raise ValueError(msg)
    return found


_ROW: Final = (
    *("number", "deal", "seed", "status", "problem", "culprit"),
    *("actions", "rounds", "turns", "winners", "sides", "lowest"),
)
_SEAT: Final = ("bot", "score", "points", "hand_sizes")
_ROUND: Final = ("dealer", "how", "out", "turns", "actions", "thrown_in", "wilds")
_SAME: Final = ("rules", "unit", "limit", "library", "form")


def columns(players: int) -> tuple[str, ...]:
    """
    The columns of a CSV file.

    In order: the game; ``bot_0``, ``bot_1`` and so on by seat, then ``score_0``,
    ``points_0`` and ``hand_sizes_0`` likewise; the rounds; the settings. Cells of
    ``points``, ``hand_sizes`` and the rounds' columns hold a value for each round,
    separated by spaces.
    """
    return (
        *_ROW,
        *(f"{name}_{seat}" for name in _SEAT for seat in range(players)),
        *(f"round_{name}" for name in _ROUND),
        *_SAME,
    )


class Csv:
    """
    A line for the names of the columns, and one for each row; see `columns`.
    """

    def head(self, asked: Asked) -> str:
        """
        The names of the columns.
        """
        return _joined(columns(asked["players"]))

    def line(self, row: GameRow, asked: Asked) -> str:
        """
        A row, with a cell for each fact about the rounds.
        """
        rules = asked["rules"]
        rounds = row.rounds
        cells: list[object] = [
            *(row.number, row.deal, row.seed, row.status, row.problem),
            *(_cell(row.culprit), row.actions, len(rounds)),
            *(sum(one.turns for one in rounds), _listed(row.winners)),
            *(_listed(row.sides), int(row.lowest)),
            *row.bots,
            *row.scores,
        ]
        for name in ("points", "hand_sizes"):
            cells += [
                _listed(getattr(one, name)[seat] for one in rounds)
                for seat in range(len(row.bots))
            ]
        for name in _ROUND:
            cells.append(_listed(getattr(one, name) for one in rounds))
        cells.append(rules if isinstance(rules, str) else json.dumps(rules))
        cells += [asked[name] for name in _SAME[1:]]
        return _joined(cells)

    def read(self, lines: Iterable[str]) -> Iterator[dict[str, Any] | GameRow]:
        """
        See `Form`.
        """
        found = iter(lines)
        players = 0
        names: tuple[str, ...] = ()
        for line in found:
            names = tuple(_cells(line))
            players = sum(name.startswith("bot_") for name in names)
            if not players or names != columns(players):
                msg = "the first line does not name the columns of a simulation"
                raise ValueError(msg)
            yield {"players": players}
            break
        asked: dict[str, Any] = {}
        for line in found:
            values = _cells(line)
            if len(values) != len(names):
                there = figure(len(values), "cell")
                msg = f"the row has {there}, the heading {figure(len(names), 'column')}"
                raise ValueError(msg)
            cells = dict(zip(names, values, strict=True))
            row = _row(cells, players)
            same = _asked(cells, row, asked)
            if same != asked:
                if asked:
                    msg = "this row is of another simulation than the first one"
                    raise ValueError(msg)
                asked = same
                yield asked
            yield row


def _cells(line: str) -> list[str]:
    """
    The cells of a line.
    """
    try:
        return next(csv.reader([line], strict=True), [])
    except csv.Error as error:
        msg = f"it is not a line of CSV: {error}"
        raise ValueError(msg) from None


def _row(cells: Mapping[str, str], players: int) -> GameRow:
    """
    The row of a line of CSV.
    """
    seats = range(players)
    columns = {name: cells[f"round_{name}"].split() for name in _ROUND}
    points = [_numbers(cells[f"points_{seat}"]) for seat in seats]
    sizes = [_numbers(cells[f"hand_sizes_{seat}"]) for seat in seats]
    count = _number(cells["rounds"])
    if any(len(one) != count for one in (*columns.values(), *points, *sizes)):
        msg = f"a cell does not hold the values of {figure(count, 'round')}"
        raise ValueError(msg)
    rounds = tuple(
        RoundRow(
            _number(columns["dealer"][at]),
            tuple(one[at] for one in sizes),
            tuple(one[at] for one in points),
            columns["how"][at],
            _seat(columns["out"][at]),
            *(_number(columns[name][at]) for name in _ROUND[3:]),
        )
        for at in range(count)
    )
    row = GameRow(
        _number(cells["number"]),
        _number(cells["deal"]),
        cells["seed"],
        tuple(cells[f"bot_{seat}"] for seat in seats),
        cells["status"],
        cells["problem"],
        _seat(cells["culprit"]),
        tuple(_number(cells[f"score_{seat}"]) for seat in seats),
        _numbers(cells["winners"]),
        rounds,
        _number(cells["actions"]),
        _numbers(cells["sides"]),
        cells["lowest"] == "1",
    )
    check_row(row)
    return row


def _asked(
    cells: Mapping[str, str], row: GameRow, first: Mapping[str, Any]
) -> dict[str, Any]:
    """
    The settings of the simulation of a line; its first line gives the seats.
    """
    rules = cells["rules"]
    return {
        "form": _number(cells["form"]),
        "library": cells["library"],
        "rules": _object(rules) if rules.startswith("{") else rules,
        "bots": first.get("bots", list(row.bots)),
        "players": len(row.bots),
        "seed": row.seed.rpartition("/")[0],
        "unit": cells["unit"],
        "limit": _number(cells["limit"]),
    }


def _joined(cells: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()


def _cell(value: object) -> str:
    return "-" if value is None else str(value)


def _listed(values: Iterable[object]) -> str:
    return " ".join(map(_cell, values))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(_number, text.split()))


def _number(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(LONG_NUMBER)
    return int(text)


def _seat(text: str) -> int | None:
    return None if text == "-" else _number(text)
