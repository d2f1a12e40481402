"""
What the commands that play many games between bots share.
"""

from __future__ import annotations

import contextlib
import sys
import time

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from rummyvariants._support.words import figure
from rummyvariants.bots import Bot, TimedBot
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
def progress(first: int, games: int, *, plain: bool) -> Iterator[Callable[[int], None]]:
    """
    Shows the progress of the games: a bar on a terminal, else a line now and then.
    """
    if plain or not sys.stderr.isatty():
        yield _Lines(first, games)
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
        TextColumn("games, {task.fields[rate]:.1f} a second,"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=games, completed=first, rate=0.0)
        begun = time.monotonic()

        def tell(done: int) -> None:
            rate = (done - first) / max(time.monotonic() - begun, 1e-6)
            bar.update(task, completed=done, rate=rate)

        yield tell


class _Lines:
    """
    Writes a line now and then.
    """

    def __init__(self, first: int, games: int) -> None:
        self._first = first
        self._games = games
        self._begun = self._reported = time.monotonic()

    def __call__(self, done: int) -> None:
        """
        Note how many games are done.
        """
        now = time.monotonic()
        if now - self._reported < _PAUSE:
            return
        self._reported = now
        rate = (done - self._first) / (now - self._begun)
        left = (self._games - done) / rate
        pace = f"{rate:.1f} a second, {figure(round(left), 'second')} left"
        click.echo(f"{done} of {figure(self._games, 'game')}, {pace}", err=True)
