"""Files that the commands read and write, and signals that interrupt them."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import secrets
import signal

from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Self

import rummyvariants as rv

from rummyvariants.cli.statuses import BY_SIGNAL
from rummyvariants.rules._files import rules_at
from rummyvariants.rules._modules import import_failed


# A command imports the modules of rules that its files name: whoever names a file to it
# asks for that, as whoever names one to Python does. Records name none.


def named_rules(name: str) -> rv.Ruleset:
    """
    The rules of a preset or of a house-rules file.

    Raises:
        RulesError: As for `rules_at`, and if a module cannot be imported.
    """
    return rules_at(name, modules=True)


def named_scenario(path: Path) -> rv.files.Scenario:
    """
    The scenario of a file; the errors are those of `load_scenario`.
    """
    return rv.files.load_scenario(path, modules=True)


def import_rules(given: str) -> None:
    """
    Import a module of rules.

    Args:
        given: Its name, in the working directory or installed; the path of its file; or
            a house-rules file, for the modules that it names.

    Raises:
        RulesError: If it cannot be imported, or registers no rule.
    """
    path = Path(given)
    if path.suffix == ".toml":
        rv.load_rules(path, modules=True)
        return
    if path.suffix == ".py" or path.name != given:
        problem = import_failed(path.stem, path.parent, installed=False)
    else:
        problem = import_failed(given, Path())
    if problem:
        raise rv.errors.RulesError(problem, where="--rules-module")


def seed_of(text: str | None) -> int | str:
    """
    The seed given, or a new one.
    """
    if text is None:
        return secrets.randbelow(1_000_000)
    return int(text) if re.fullmatch(r"0|[1-9]\d{0,17}", text, re.ASCII) else text


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    """
    Report what prevents a file from being written as a RecordError.
    """
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
    except UnicodeEncodeError:
        why = "a name is not valid text"
    except ValueError as error:
        # Python raises this for paths that no file can have.
        why = str(error)
    else:
        return
    msg = f"cannot be written: {why}"
    raise rv.errors.RecordError(msg, where=str(path))


def write_whole(path: Path, text: str) -> None:
    """
    Write a file so that at any moment either the old or the new one is complete.

    Raises:
        RecordError: If it cannot be written.
    """
    with _writing(path):
        if path.exists() and not path.is_file():
            # A device or a pipe must not be replaced.
            path.write_text(text, encoding="utf-8")
            return
        target = Path(os.path.realpath(path))
        beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            with beside.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise


def keep(path: Path | None, state: rv.State) -> None:
    """
    Write the record of a game to a file, if one is kept.
    """
    if path is not None:
        write_whole(path, str(rv.record(state)))


def write_json(path: Path | None, data: object) -> None:
    """
    Write data to a file, if one is wanted.
    """
    if path is not None:
        write_whole(path, json.dumps(data, indent=2) + "\n")


def write_new(name: str, text: str) -> Path:
    """
    Write a new TOML file: in the working directory, or else in the home directory.

    Args:
        name: Its name, to which a number is added if the file exists.
        text: The text to write.

    Returns:
        The path of the file.

    Raises:
        RecordError: If it cannot be written.
    """
    stem = re.sub(r"[^\w-]+", "-", name)
    try:
        return _write_new(Path(), stem, text)
    except rv.errors.RecordError:
        with contextlib.suppress(rv.errors.RecordError, RuntimeError):
            return _write_new(Path.home(), stem, text)
        raise


def _write_new(folder: Path, stem: str, text: str) -> Path:
    for number in itertools.count(1):
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}.toml"
        with _writing(path), contextlib.suppress(FileExistsError):
            path.open("x").close()
            break
    try:
        write_whole(path, text)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def scenario_files(path: Path) -> list[Path]:
    """
    The file given; or for a folder all TOML files below it.

    Raises:
        RecordError: If a folder has none.
    """
    # Unlike `is_dir`, it raises no error for an impossible path.
    if not (os.path.lexists(path) and path.is_dir()):
        return [path]
    found = sorted(one for one in path.rglob("*.toml") if one.is_file())
    if not found:
        msg = "there is no TOML file in this folder"
        raise rv.errors.RecordError(msg, where=str(path))
    return found


class Interruption:
    """
    Notes the signals that ask a command to stop, so that it can stop between two steps.

    A second signal stops it at once, by a KeyboardInterrupt.

    Args:
        at_once: Whether any signal stops it at once.

    Attributes:
        signal: The number of the signal received; 0 for none.
    """

    def __init__(self, *, at_once: bool = False) -> None:
        self.signal = 0
        self._at_once = at_once

    @contextlib.contextmanager
    def heard(self, *also: signal.Signals) -> Iterator[Self]:
        """
        Hear the signals in this block, which ends without an error if stopped at once.

        Args:
            also: Signals to hear besides SIGINT and SIGTERM.
        """
        before = {}
        for number in {signal.SIGINT, signal.SIGTERM, *also}:
            # Signals come, and can be handled, only in the main thread.
            with contextlib.suppress(ValueError):
                before[number] = signal.signal(number, self._note)
        try:
            yield self
        except KeyboardInterrupt:
            if not (self._at_once and self.signal):
                raise
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        del frame
        again = bool(self.signal)
        self.signal = number
        if again or self._at_once:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def raising(self, *, at_once: bool) -> Iterator[None]:
        """
        Let a signal end this block, which only waits; or let it finish first.

        Raises:
            KeyboardInterrupt: If a signal was received.
        """
        before, self._at_once = self._at_once, at_once
        try:
            self._check()
            yield
        finally:
            self._at_once = before
        self._check()

    def _check(self) -> None:
        if self._at_once and self.signal:
            raise KeyboardInterrupt

    @property
    def status(self) -> int:
        """
        The exit status that reports the signal.
        """
        return BY_SIGNAL + self.signal
