"""
What the commands that play many games between bots share.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import click

from rummyvariants._support.words import figure
from rummyvariants.bots import TimedBot
from rummyvariants.cli import parameters as asks
from rummyvariants.cli.files import Interruption, seed_of


if TYPE_CHECKING:
    from rummyvariants.simulation.games import Unit


_PAUSE: Final = 5.0
"""The seconds between two lines of progress."""


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


@attrs.frozen
class Games:
    """
    The games that a command is to play, by its options.

    Attributes:
        games: How many.
        unit: Whether a game is a whole match or the first round of one.
        processes: How many processes play.
        output: Where rows are kept.
        resume: Whether what is there is continued.
        plain: Whether progress is written without a bar.
        seed: The seed of them all.
    """

    games: int
    _seed: str | None
    unit: Unit
    processes: int
    output: Path | None
    resume: bool
    plain: bool
    seed: int | str = attrs.field(init=False)

    @seed.default
    def _chosen(self) -> int | str:
        return seed_for(self._seed, self.output, resume=self.resume)

    @property
    def setting(self) -> dict[str, Any]:
        """
        What they are as arguments of the library.
        """
        names = ("games", "seed", "unit", "resume")
        return {name: getattr(self, name) for name in names}

    @contextlib.contextmanager
    def playing(
        self,
        games: int,
        part: int = 0,
        parts: int = 1,
        stopped: Callable[[], int] | None = None,
    ) -> Iterator[tuple[Interruption, Executor | None, Callable[[int], None]]]:
        """
        Play games: gives what notes signals, what plays, and what reports progress.

        If a signal stops them, it says what is kept and ends the command.

        Args:
            games: How many games are played.
            part: How many such parts of all games were played before.
            parts: How many parts there are.
            stopped: Does what is to be done first if they are stopped, and gives how
                many were played; by default the number last reported.
        """
        from rummyvariants.simulation.processes import processes

        done = 0

        def report(now: int) -> None:
            nonlocal done
            with stop.raising(at_once=False):
                done = now
                tell(done)

        with (
            Interruption(at_once=True).heard() as stop,
            processes(self.processes) as executor,
            progress(games, plain=self.plain) as tell,
        ):
            yield stop, executor, report
        if not stop.signal:
            return
        done = stopped() if stopped is not None else part * games + done
        kept = (
            f"they are in {self.output}; continue with the same command and --resume"
            if self.output is not None
            else "to be able to continue, name a place for them with --output"
        )
        of = figure(games * parts, "game")
        click.echo(f"Interrupted after {done} of {of}: {kept}.", err=True)
        raise click.exceptions.Exit(stop.status)


def asks_for_games(
    least: int,
    default: int = 100,
    *,
    games: str,
    kind: click.Path = asks.FOLDER,
    output: str = "Write the rows of all games to files in this folder, each when it "
    "is ready.",
) -> Callable[[Any], Any]:
    """
    The options for how many games are played: a command gets `asked`, its `Games`.

    Args:
        least: The least number of games allowed.
        default: The number unless one is given.
        games: The help text of ``--games``.
        kind: Whether rows are kept in a file or in a folder.
        output: The help text of ``--output``.
    """
    return asks.gathered(
        "asked",
        Games,
        asks.number("--games", games, least, default=default),
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
            help="Whether a game is a whole match or the first round of one.",
        ),
        asks.number("--processes", "The number of processes that play.", 1, default=1),
        click.option("--output", type=kind, help=output),
        asks.flag("--resume", "Continue what an interrupted command left in --output."),
        asks.flag("--plain", "Write without colour and bars, as to a pipe."),
    )


def _seats(
    *,
    bot_names: Sequence[str],
    players: int | None,
    limit: int,
    seconds: float | None,
) -> dict[str, Any]:
    find_bots_here()
    given = bot_names or ("careful",)
    bots = [name if seconds is None else TimedBot(name, seconds) for name in given]
    return {"bots": bots, "players": players, "limit": limit}


asks_for_seats: Final = asks.gathered(
    "seats",
    _seats,
    asks.BOTS,
    asks.number(
        "--players",
        "The number of players; by default as many as bots, or the fewest that "
        "the rules allow.",
        1,
        99,
    ),
    asks.number("--limit", "Stop a game after this many actions.", 1, default=20_000),
    asks.TIME_LIMIT,
)
"""The options for who plays: a command gets `seats`, arguments of the library."""


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
    Show the progress of the games: a bar on a terminal, else a line now and then.

    The pace does not count the first moments: games kept from an earlier run come all
    at once.
    """
    begun = reported = time.monotonic()
    first: int | None = None

    def pace(done: int, now: float) -> float | None:
        nonlocal begun, first
        if first is not None:
            return (done - first) / max(now - begun, 1e-6)
        if now - begun >= _PAUSE:
            begun, first = now, done
        return None

    def write(done: int) -> None:
        nonlocal reported
        now = time.monotonic()
        rate = pace(done, now)
        if now - reported < _PAUSE:
            return
        reported = now
        line = f"{done} of {figure(games, 'game')}"
        if rate:
            left = figure(round((games - done) / rate), "second")
            line += f", {rate:.1f} a second, {left} left"
        click.echo(line, err=True)

    if plain or not sys.stderr.isatty():
        yield write
        return
    from rich import progress as bars
    from rich.console import Console

    bar = bars.Progress(
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("games{task.fields[pace]},"),
        bars.TimeRemainingColumn(),
        bars.TextColumn("left"),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=games, pace="")

        def move(done: int) -> None:
            rate = pace(done, time.monotonic())
            text = "" if rate is None else f", {rate:.1f} a second"
            bar.update(task, completed=done, pace=text)

        yield move
