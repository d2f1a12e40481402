"""
The rows of a plan as a file that can be continued.

A row is one line, and is written before the next game is awaited. Text after the last
end of a line was being written at an interruption: it is cut off, and that game is
played again. One writer at a time holds a file.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os

from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Generic, Self

from rummyvariants.files._facts import rules_table
from rummyvariants.simulation.forms import ASKED, FORM, Csv, Form, JsonLines
from rummyvariants.simulation.locks import lock
from rummyvariants.simulation.plans import Plan, Simulation, SimulationError
from rummyvariants.simulation.rows import DecisionRow, GameRow, Row


def asked_by(plan: Plan[Row]) -> dict[str, Any]:
    """
    The settings of a plan, as its file holds them.
    """
    values = (
        FORM,
        metadata.version("rummyvariants"),
        rules_table(plan.rules),
        plan.names,
        len(plan.names),
        str(plan.seed),
        plan.about,
        plan.limit,
    )
    # As it is read back: tuples are lists there.
    text = json.dumps(dict(zip(ASKED, values, strict=True)))
    found: dict[str, Any] = json.loads(text)
    return found


def asked_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """
    The settings in the file of a simulation; empty if it has none yet.

    Raises:
        SimulationError: If it cannot be read.
    """
    asked: dict[str, Any] = {}
    for one in _Reading(Path(path), GameRow):
        if not isinstance(one, dict):
            break
        asked |= one
        if len(asked) == len(ASKED):
            break
    return asked


def read_rows(path: str | os.PathLike[str]) -> Iterator[GameRow]:
    """
    The rows of a file; an incomplete last line is left out.

    Args:
        path: The file; its name ends in ``.jsonl`` or ``.csv``.

    Raises:
        SimulationError: If it cannot be read.
    """
    for one in _Reading(Path(path), GameRow):
        if isinstance(one, GameRow):
            yield one


def write_rows(
    path: str | os.PathLike[str],
    simulation: Simulation,
    rows: Iterable[GameRow],
) -> None:
    """
    Write rows to a new file.

    Raises:
        SimulationError: If the file exists already, or cannot be written.
    """
    with RowFile(path, simulation) as file:
        for row in rows:
            file.write(row)


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
    except FileExistsError:
        msg = "has to be a folder, in which the rows of each simulation have a file"
        raise SimulationError(msg, where=str(folder)) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        msg = f"this folder cannot be made: {why}"
        raise SimulationError(msg, where=str(folder)) from None
    return tuple(Path(folder, name) for name in names)


class RowFile(Generic[Row]):
    """
    A file of rows, open for writing, and locked until it is closed.

    Args:
        path: The file; its name ends in ``.jsonl`` or ``.csv``.
        plan: The simulation that is played.
        resume: Whether to continue the file, if it exists.

    Attributes:
        kept: How many games the file held already; the next game has this number.

    Raises:
        SimulationError: If the file exists and is not to be continued, or is of another
            simulation, or another process is writing to it, or it cannot be read or
            written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        plan: Plan[Row],
        *,
        resume: bool = False,
    ) -> None:
        self._path = Path(path)
        self._kind: Any = plan.kind
        self._form: Form[Row] = _form_of(self._path, self._kind)
        self._asked = asked_by(plan)
        self._head = _line(self._form.head(self._asked))
        self.kept = 0
        try:
            self._file: BinaryIO = self._path.open("ab")
        except (OSError, ValueError) as error:
            raise self._unwritable(error) from None
        try:
            self._begin(resume=resume)
        except BaseException:
            self._file.close()
            raise
        self._next = self.kept

    def _begin(self, *, resume: bool) -> None:
        """
        Make sure that rows can be appended to what the file holds.
        """
        # Lock before reading: another writer could append to it meanwhile.
        if not lock(self._file):
            msg = "another process is writing to it: wait, or name another file"
            raise SimulationError(msg, where=str(self._path))
        size = 0
        there = os.fstat(self._file.fileno()).st_size
        if there:
            if not resume:
                msg = "exists already: continue it, or name another file"
                raise SimulationError(msg, where=str(self._path))
            size = self._look()
        if there > size:
            try:
                self._file.truncate(size)
            except OSError as error:
                raise self._unwritable(error) from None
        if not size:
            self._append(self._head)

    def _look(self) -> int:
        """
        How many bytes of the file are complete lines, if they are of this simulation.
        """
        reading: _Reading[Row] = _Reading(self._path, self._kind)
        read: dict[str, Any] = {}
        for one in reading:
            if not isinstance(one, dict):
                self.kept += 1
                continue
            # Before the rows: those of another kind could not be read.
            read |= one
            if len(read) == len(ASKED):
                self._compare(read)
        self._compare(read)
        if not reading.size and not self._head.startswith(self._path.read_bytes()):
            msg = "does not begin like a file of this simulation"
            raise SimulationError(msg, where=str(self._path))
        return reading.size

    def _compare(self, read: dict[str, Any]) -> None:
        """
        Refuse a file that is of another simulation.
        """
        differences = [
            f"{name} is {_shown(read[name])} there and {_shown(self._asked[name])} here"
            for name in ASKED
            if name in read and read[name] != self._asked[name]
        ]
        if differences:
            msg = f"is of another simulation: {'; '.join(differences)}"
            raise SimulationError(msg, where=str(self._path))

    def rows(self) -> Iterator[Row]:
        """
        The rows that the file held already.

        Raises:
            SimulationError: If they cannot be read.
        """
        reading: _Reading[Row] = _Reading(self._path, self._kind)
        rows = (one for one in reading if not isinstance(one, dict))
        return itertools.islice(rows, self.kept)

    def write(self, row: Row) -> None:
        """
        Append a row.

        Raises:
            SimulationError: If it is not the next one, or cannot be written; then the
                file is closed, and can be continued.
        """
        if row.number != self._next:
            msg = f"game {row.number} is where game {self._next} belongs"
            raise SimulationError(msg, where=str(self._path))
        self._append(_line(self._form.line(row, self._asked)))
        self._next += 1

    def _append(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            # Otherwise closing it would try once more.
            with contextlib.suppress(OSError):
                self._file.close()
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError | ValueError) -> SimulationError:
        msg = f"cannot be written: {getattr(error, 'strerror', None) or error}"
        return SimulationError(msg, where=str(self._path))

    def close(self) -> None:
        """
        Close the file.

        Raises:
            SimulationError: If the last rows could not be written.
        """
        try:
            self._file.close()
        except OSError as error:
            raise self._unwritable(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Reading(Generic[Row]):
    """
    The contents of a file, line by line.

    Attributes:
        size: The number of bytes of the lines read so far.
    """

    def __init__(self, path: Path, kind: type[Row]) -> None:
        self._path = path
        self._form: Form[Row] = _form_of(path, kind)
        self._number = 0
        self._games = 0
        self.size = 0

    def __iter__(self) -> Iterator[dict[str, Any] | Row]:
        try:
            with self._path.open("rb") as file:
                for one in self._form.read(self._lines(file)):
                    if not isinstance(one, dict):
                        self._follow(one)
                    yield one
        except OSError as error:
            msg = f"cannot be read: {error.strerror or error}"
            raise SimulationError(msg, where=str(self._path)) from None
        except (ValueError, RecursionError) as error:
            if isinstance(error, SimulationError):
                raise
            msg = f"line {self._number} cannot be read: {error}"
            raise SimulationError(msg, where=str(self._path)) from None

    def _follow(self, row: Row) -> None:
        """
        Refuse a row that does not follow the previous one.
        """
        if row.number != self._games:
            msg = (
                f"line {self._number}: game {row.number} is where game "
                f"{self._games} belongs"
            )
            raise SimulationError(msg, where=str(self._path))
        self._games += 1

    def _lines(self, file: BinaryIO) -> Iterator[str]:
        for line in file:
            if not line.endswith(b"\n"):
                return
            self._number += 1
            self.size += len(line)
            yield line.decode().rstrip("\r\n")


def _form_of(path: Path, kind: type[Row]) -> Form[Any]:
    ending = path.suffix.lower()
    if ending == ".jsonl":
        return JsonLines(kind)
    if ending == ".csv" and issubclass(kind, GameRow):
        return Csv()
    decisions = issubclass(kind, DecisionRow)
    these = (
        "decisions are written as .jsonl"
        if decisions
        else ("rows are written as .jsonl or .csv")
    )
    msg = f"{these}, not as {ending!r}"
    raise SimulationError(msg, where=str(path))


def _line(text: str) -> bytes:
    # The name or the error of a bot may not be valid text.
    return f"{text}\n".encode(errors="backslashreplace")


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)
