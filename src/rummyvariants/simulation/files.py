"""
The rows of a simulation as a file that can be gone on with.

A row is one line, and goes to the file before the next one is waited for. What stands
behind the last end of a line was being written when it was interrupted: it is cut off,
and that game is played again.
"""

from __future__ import annotations

import json
import os

from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from rummyvariants.records import rules_table
from rummyvariants.simulation.forms import ASKED, FORM, Csv, Form, JsonLines
from rummyvariants.simulation.plans import Simulation, SimulationError
from rummyvariants.simulation.rows import GameRow


_FORMS: Final[dict[str, Form]] = {".csv": Csv(), ".jsonl": JsonLines()}


def asked_by(simulation: Simulation) -> dict[str, Any]:
    """
    What is asked of a simulation, as its file says it.
    """
    values = (
        FORM,
        metadata.version("rummyvariants"),
        rules_table(simulation.rules),
        simulation.names,
        len(simulation.names),
        str(simulation.seed),
        simulation.unit,
        simulation.limit,
    )
    # As it is read back: tuples are lists there.
    text = json.dumps(dict(zip(ASKED, values, strict=True)))
    found: dict[str, Any] = json.loads(text)
    return found


def asked_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """
    What the file of a simulation says that was asked; nothing if it says nothing yet.

    Raises:
        SimulationError: If it cannot be read.
    """
    told: dict[str, Any] = {}
    for one in _Reading(Path(path)):
        if isinstance(one, GameRow):
            break
        told |= one
    return told


def read_rows(path: str | os.PathLike[str]) -> Iterator[GameRow]:
    """
    The rows of a file; a last line that was not written to its end is left out.

    Args:
        path: The file; its name ends in ``.jsonl`` or ``.csv``.

    Raises:
        SimulationError: If it cannot be read.
    """
    for one in _Reading(Path(path)):
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
        SimulationError: If the file is there already, or cannot be written.
    """
    with RowFile(path, simulation) as file:
        for row in rows:
            file.write(row)


class RowFile:
    """
    A file of rows, open to be written.

    Args:
        path: The file; its name ends in ``.jsonl`` or ``.csv``.
        simulation: What is played.
        resume: Whether to go on with what the file holds, if it is there.

    Attributes:
        kept: How many games the file held already; the next one to be played has that
            number.

    Raises:
        SimulationError: If the file is there and is not to be gone on with, or is of
            another simulation, or cannot be read or written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        simulation: Simulation,
        *,
        resume: bool = False,
    ) -> None:
        self._path = Path(path)
        self._form = _form_of(self._path)
        self._asked = asked_by(simulation)
        self.kept = 0
        size = 0
        if self._path.exists() and self._path.stat().st_size:
            if not resume:
                msg = "is there already: go on with it, or name another file"
                raise SimulationError(msg, where=str(path))
            size = self._look()
        try:
            self._file: BinaryIO = self._path.open("ab")
            if self._file.seekable():
                self._file.truncate(size)
        except OSError as error:
            raise self._unwritable(error) from None
        if not size:
            self._append(self._form.head(self._asked))

    def _look(self) -> int:
        """
        How many bytes of the file are whole lines, if they are of this simulation.
        """
        reading = _Reading(self._path)
        told: dict[str, Any] = {}
        for one in reading:
            if not isinstance(one, GameRow):
                told |= one
                continue
            if not self.kept:
                self._compare(told)
            if one.number != self.kept:
                msg = f"game {one.number} stands where game {self.kept} belongs"
                raise SimulationError(msg, where=str(self._path))
            self.kept += 1
        self._compare(told)
        return reading.size

    def _compare(self, told: dict[str, Any]) -> None:
        """
        Refuse a file that is of another simulation.
        """
        differences = [
            f"{name} is {_shown(told[name])} there and {_shown(self._asked[name])} here"
            for name in ASKED
            if name in told and told[name] != self._asked[name]
        ]
        if differences:
            msg = f"is of another simulation: {'; '.join(differences)}"
            raise SimulationError(msg, where=str(self._path))

    def write(self, row: GameRow) -> None:
        """
        Append a row.

        Raises:
            SimulationError: If it cannot be written.
        """
        self._append(self._form.line(row, self._asked))

    def _append(self, line: str) -> None:
        try:
            # A bot may have been named, or have told of its error, in no valid text.
            self._file.write(f"{line}\n".encode(errors="backslashreplace"))
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> SimulationError:
        msg = f"cannot be written: {error.strerror or error}"
        return SimulationError(msg, where=str(self._path))

    def close(self) -> None:
        """
        Close the file.
        """
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Reading:
    """
    What a file holds, line by line.

    Attributes:
        size: How many bytes the lines had that were read so far.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._form = _form_of(path)
        self._number = 0
        self.size = 0

    def __iter__(self) -> Iterator[dict[str, Any] | GameRow]:
        try:
            with self._path.open("rb") as file:
                yield from self._form.read(self._lines(file))
        except OSError as error:
            msg = f"cannot be read: {error.strerror or error}"
            raise SimulationError(msg, where=str(self._path)) from None
        except ValueError as error:
            if isinstance(error, SimulationError):
                raise
            msg = f"line {self._number} cannot be read: {error}"
            raise SimulationError(msg, where=str(self._path)) from None

    def _lines(self, file: BinaryIO) -> Iterator[str]:
        for line in file:
            if not line.endswith(b"\n"):
                return
            self._number += 1
            self.size += len(line)
            yield line.decode().rstrip("\r\n")


def _form_of(path: Path) -> Form:
    ending = path.suffix.lower()
    if ending not in _FORMS:
        msg = f"rows are written as .jsonl or .csv, not as {ending!r}"
        raise SimulationError(msg, where=str(path))
    return _FORMS[ending]


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)
