"""
The games of a simulation as a file of JSON lines that can be continued.

The first line says what was asked, each further line has a game, written before the
next is awaited. Text after the last end of a line was being written at an interruption:
it is cut off, and that game is played again.
"""

from __future__ import annotations

import itertools
import json
import os

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from rummyvariants._support.limits import NO_TEXT, TOO_DEEP, excesses
from rummyvariants.files._facts import rules_table
from rummyvariants.files._forms import SEAT, SEAT_OR_NONE, Fields, Many, Reading
from rummyvariants.files._problems import Problems
from rummyvariants.simulation.plans import Simulation, SimulationError
from rummyvariants.simulation.rows import GameRow


FORM: Final = 1
"""The version of the form of these files."""
_ROW: Final = Fields(GameRow, culprit=SEAT_OR_NONE, sides=Many(SEAT))


def asked_by(plan: Simulation) -> dict[str, Any]:
    """
    What was asked for by a simulation, as its file says it.
    """
    asked = {
        "form": FORM,
        "library": metadata.version("rummyvariants"),
        "rules": rules_table(plan.rules),
        "bots": plan.names,
        "players": len(plan.names),
        "seed": str(plan.seed),
        "unit": plan.unit,
        "limit": plan.limit,
    }
    # As it is read back: tuples are lists there.
    found: dict[str, Any] = json.loads(json.dumps(asked))
    return found


def asked_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """
    What was asked for by the simulation of a file; empty if that says nothing yet.

    Raises:
        SimulationError: If it cannot be read.
    """
    return next((asked for asked, _, _ in _read(Path(path))), {})


def read_rows(path: str | os.PathLike[str]) -> Iterator[GameRow]:
    """
    The rows of a file; an incomplete last line is left out.

    Raises:
        SimulationError: If it cannot be read.
    """
    for _, row, _ in _read(Path(path)):
        if row is not None:
            yield row


def inside(
    folder: str | os.PathLike[str] | None, *names: str
) -> tuple[Path | None, ...]:
    """
    The paths of files or folders inside of a folder, which is made if needed.

    Args:
        folder: The folder; None if rows are not kept.
        names: Their names.

    Returns:
        The paths; None for each without a folder.

    Raises:
        SimulationError: If it cannot be made.
    """
    if folder is None:
        return (None,) * len(names)
    try:
        Path(folder).mkdir(exist_ok=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        msg = f"this folder cannot be made: {why}"
        raise SimulationError(msg, where=str(folder)) from None
    return tuple(Path(folder, name) for name in names)


class RowFile:
    """
    A file of rows, open for writing. Let one writer at a time hold it.

    Args:
        path: The file; its name ends in ``.jsonl``.
        plan: The simulation that is played.
        resume: Whether to continue the file, if it exists.

    Attributes:
        kept: How many games the file held already.

    Raises:
        SimulationError: If the file exists and is not to be continued, or is of another
            simulation, or cannot be read or written.
    """

    def __init__(
        self, path: str | os.PathLike[str], plan: Simulation, *, resume: bool = False
    ) -> None:
        self._path = Path(path)
        if self._path.suffix.lower() != ".jsonl":
            msg = f"rows are written as .jsonl, not as {self._path.suffix!r}"
            raise SimulationError(msg, where=str(path))
        self.kept = 0
        try:
            self._file: BinaryIO = self._path.open("ab", buffering=0)
        except (OSError, ValueError) as error:
            raise self._unwritable(error) from None
        try:
            self._begin(asked_by(plan), resume=resume)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, asked: dict[str, Any], *, resume: bool) -> None:
        """
        Make sure that rows can be appended to what the file holds.
        """
        head = f"{json.dumps(asked)}\n".encode()
        there = self._path.stat().st_size
        if there and not resume:
            msg = "exists already: continue it, or name another file"
            raise SimulationError(msg, where=str(self._path))
        size = 0
        for read, row, size in _read(self._path):  # noqa: B007 -- the last one counts
            if row is None:
                self._compare(read, asked)
            else:
                self.kept += 1
        if not size and not head.startswith(self._path.read_bytes()):
            msg = "does not begin like a file of this simulation"
            raise SimulationError(msg, where=str(self._path))
        try:
            self._file.truncate(size)
        except OSError as error:
            raise self._unwritable(error) from None
        if not size:
            self._append(head)

    def _compare(self, read: dict[str, Any], asked: dict[str, Any]) -> None:
        """
        Refuse a file that is of another simulation.
        """
        differences = [
            f"{name} is {_shown(read.get(name))} there and {_shown(here)} here"
            for name, here in asked.items()
            if read.get(name) != here
        ]
        if differences:
            msg = f"is of another simulation: {'; '.join(differences)}"
            raise SimulationError(msg, where=str(self._path))

    def rows(self) -> Iterator[GameRow]:
        """
        The rows that the file held already.
        """
        return itertools.islice(read_rows(self._path), self.kept)

    def write(self, row: GameRow) -> None:
        """
        Append the next row.

        Raises:
            SimulationError: If it cannot be written; the file can be continued.
        """
        text = json.dumps(_ROW.write(row), separators=(",", ":"))
        self._append(f"{text}\n".encode())

    def _append(self, line: bytes) -> None:
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError | ValueError) -> SimulationError:
        msg = f"cannot be written: {getattr(error, 'strerror', None) or error}"
        return SimulationError(msg, where=str(self._path))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def _read(path: Path) -> Iterator[tuple[dict[str, Any], GameRow | None, int]]:
    """
    What was asked, the row and the size up to here, after each whole line of a file.
    """
    asked: dict[str, Any] = {}
    number = size = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    return
                size += len(line)
                found = _object(line)
                if number:
                    yield asked, _row(found, number - 1), size
                    continue
                asked = _asked(found)
                yield asked, None, size
    except OSError as error:
        msg = f"cannot be read: {error.strerror or error}"
        raise SimulationError(msg, where=str(path)) from None
    except ValueError as error:
        msg = f"line {number + 1} cannot be read: {error}"
        raise SimulationError(msg, where=str(path)) from None


def _object(line: bytes) -> Any:
    try:
        found = json.loads(line)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    for place, problem in excesses(found):
        # The name or the error of a bot may not be valid text.
        if problem != NO_TEXT:
            msg = f"{place}: {problem}"
            raise ValueError(msg)
    return found


def _asked(found: Any) -> dict[str, Any]:
    if isinstance(found, dict) and isinstance(found.get("seed"), str):
        return found
    msg = "it does not say what was asked of a simulation"
    raise ValueError(msg)


def _row(given: Any, number: int) -> GameRow:
    """
    The row of a game.

    Raises:
        ValueError: If it is none, or that of another game.
    """
    seats = given.get("bots") if isinstance(given, dict) else None
    many = len(seats) if isinstance(seats, list) else None
    problems = Problems(lambda found, _: SimulationError(map(" ".join, found)))
    row = _ROW.read(given, "row", Reading(problems, seats=many))
    problems.done()
    by_seat = {"bots": row.bots, "scores": row.scores, "sides": row.sides or row.bots}
    for at, one in enumerate(row.rounds):
        by_seat |= {f"points {at}": one.points, f"hand_sizes {at}": one.hand_sizes}
    for name, values in by_seat.items():
        if len(values) != many or not many:
            msg = f"{name} has {len(values)} entries for {many} players"
            raise ValueError(msg)
    if row.number != number:
        msg = f"game {row.number} is where game {number} belongs"
        raise ValueError(msg)
    return row


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)
