"""
What the commands that play many games between bots share.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final, NoReturn, TypeVar

import click

from rummyvariants._support.words import figure
from rummyvariants.bots import Bot, TimedBot
from rummyvariants.cli.files import Interruption, seed_of
from rummyvariants.cli.parameters import BOTS, PROCESSES, TIME_LIMIT


_PAUSE: Final = 5.0
"""The seconds between two lines of progress."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


def asks_for_games(least: int) -> Callable[[_Command], _Command]:
    """
    The options for who plays how many games, and in how many processes.

    The command gets `bot_names`, `players`, `games`, `seed`, `unit`, `limit`, `seconds`
    and `number`, the number of processes.

    Args:
        least: The least number of games allowed.
    """
    options = (
        BOTS,
        click.option(
            "--players",
            type=click.IntRange(1, 99),
            metavar="N",
            help="The number of players; by default as many as bots, or the fewest "
            "that the rules allow.",
        ),
        click.option(
            "--games",
            type=click.IntRange(least),
            default=100,
            show_default=True,
            metavar="N",
            help="The number of games in all, or under each set of rules.",
        ),
        click.option(
            "--seed",
            metavar="SEED",
            help="The seed of the deals and of the bots' random decisions: the same "
            "seed gives the same games.",
        ),
        click.option(
            "--unit",
            type=click.Choice(["match", "round"]),
            default="match",
            show_default=True,
            help="Whether a game is a whole match or the first round of one.",
        ),
        click.option(
            "--limit",
            type=click.IntRange(1),
            default=20_000,
            show_default=True,
            metavar="N",
            help="Stop a game after this many actions.",
        ),
        TIME_LIMIT,
        PROCESSES,
    )

    def with_options(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return with_options


def keeps_rows(kind: click.Path, text: str) -> Callable[[_Command], _Command]:
    """
    The options for where rows are kept: a command gets `output` and `resume`.

    Args:
        kind: Whether it is a file or a folder.
        text: The help text of ``--output``.
    """

    def with_options(command: _Command) -> _Command:
        resume = click.option(
            "--resume",
            is_flag=True,
            help="Continue what an interrupted command has left there.",
        )
        return click.option("--output", type=kind, help=text)(resume(command))

    return with_options


def seed_for(seed: str | None, output: Path | None, *, resume: bool) -> int | str:
    """
    The seed of a command: the one given, that of the rows kept, or a new one.

    Args:
        seed: The one given.
        output: Where rows are kept.
        resume: Whether to continue them.

    Raises:
        SimulationError: If what is there cannot be read.
    """
    from rummyvariants.simulation.files import asked_of

    if resume and output is None:
        msg = "name what to continue, with --output"
        raise click.UsageError(msg)
    if resume and seed is None and output is not None and os.path.lexists(output):
        files = sorted(output.rglob("*.jsonl")) if output.is_dir() else [output]
        kept = (asked_of(file).get("seed") for file in files)
        seed = next(filter(None, kept), None)
    return seed_of(seed)


class Stop(Interruption):
    """
    Stops a wait for a game at once, and what is done with its row once it is complete.

    Attributes:
        done: How many games were done at the last report.
    """

    def __init__(self) -> None:
        super().__init__()
        self.done = 0
        self._is_held = False

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        super().__exit__(kind, error, trace)
        return bool(self.signal) and isinstance(error, KeyboardInterrupt)

    def _note(self, number: int, frame: FrameType | None) -> None:
        del frame
        again = bool(self.signal)
        self.signal = number
        if again or not self._is_held:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """
        Let this block finish first.
        """
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
        if self.signal:
            raise KeyboardInterrupt

    def through(
        self, tell: Callable[[int], None], before: int = 0
    ) -> Callable[[int], None]:
        """
        The same report of progress, which notes the number and is not interrupted.

        Args:
            tell: Reports how many games are done.
            before: How many games were done before those.
        """
        self.done = before

        def report(done: int) -> None:
            with self.held():
                self.done = before + done
                tell(done)

        return report

    def end(self, context: click.Context, games: int, output: Path | None) -> NoReturn:
        """
        Say what is kept, and end the command.

        Args:
            context: The command.
            games: The number of games in all.
            output: Where rows are kept.
        """
        kept = (
            f"they are in {output}; continue with the same command and --resume"
            if output is not None
            else "to be able to continue, name a place for them with --output"
        )
        done = f"{self.done} of {figure(games, 'game')}"
        click.echo(f"Interrupted after {done}: {kept}.", err=True)
        context.exit(self.status)


def bots_from(names: Sequence[str], seconds: float | None) -> list[Bot | str]:
    """
    The bots of a command: the careful bot if none is named, each with a limit of time.

    Args:
        names: Their names.
        seconds: How long each may take for a choice; None for as long as it likes.

    Raises:
        BotError: If there is no such bot.
    """
    find_bots_here()
    given = names or ("careful",)
    return [name if seconds is None else TimedBot(name, seconds) for name in given]


def find_bots_here() -> None:
    """
    Let a user's module be found in the working directory, as `python` does.
    """
    # The folder may have been removed; then it holds no modules.
    with contextlib.suppress(OSError):
        here = str(Path.cwd())
        if not {"", here} & set(sys.path):
            sys.path.insert(0, here)


@contextlib.contextmanager
def progress(games: int, *, plain: bool) -> Iterator[Callable[[int], None]]:
    """
    Shows the progress of the games: a bar on a terminal, else a line now and then.
    """
    if plain or not sys.stderr.isatty():
        yield _Lines(games)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games{task.fields[pace]},"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=games, pace="")
        pace = _Pace()

        def tell(done: int) -> None:
            rate = pace.after(done)
            text = "" if rate is None else f", {rate:.1f} a second"
            bar.update(task, completed=done, pace=text)

        yield tell


class _Lines:
    """
    Writes a line now and then.
    """

    def __init__(self, games: int) -> None:
        self._games = games
        self._pace = _Pace()
        self._reported = time.monotonic()

    def __call__(self, done: int) -> None:
        """
        Note how many games are done.
        """
        rate = self._pace.after(done)
        now = time.monotonic()
        if now - self._reported < _PAUSE:
            return
        self._reported = now
        line = f"{done} of {figure(self._games, 'game')}"
        if rate:
            left = figure(round((self._games - done) / rate), "second")
            line += f", {rate:.1f} a second, {left} left"
        click.echo(line, err=True)


class _Pace:
    """
    How many games are done in a second.

    The first moments do not count: games kept from an earlier run come all at once.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._first: int | None = None

    def after(self, done: int) -> float | None:
        """
        The pace when so many games are done; None at first.
        """
        now = time.monotonic()
        if self._first is not None:
            return (done - self._first) / max(now - self._begun, 1e-6)
        if now - self._begun >= _PAUSE:
            self._begun, self._first = now, done
        return None
