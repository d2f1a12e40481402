"""The command that plays many games between bots."""

from __future__ import annotations

import contextlib
import os

from collections.abc import Generator, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from rummyvariants._support.words import figure
from rummyvariants.cli.files import Interruption, seed_of
from rummyvariants.cli.many_games import asks_for_games, bots_from, progress
from rummyvariants.cli.parameters import GAME, with_options
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.seats import rules_with
from rummyvariants.cli.show import game_title


if TYPE_CHECKING:
    from rummyvariants.simulation.files import RowFile
    from rummyvariants.simulation.games import Unit
    from rummyvariants.simulation.plans import Simulation
    from rummyvariants.simulation.ratings import Ladder
    from rummyvariants.simulation.rows import GameRow
    from rummyvariants.simulation.summary import Tally


@click.command()
@GAME
@with_options()
@asks_for_games(least=0)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a row for each game to FILE.jsonl or FILE.csv.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Continue with the games of the output file.",
)
@click.option(
    "--ratings",
    is_flag=True,
    help="Rate the bots with openskill (the extra `tournament`).",
)
@click.option(
    "--plain",
    is_flag=True,
    help="Write without colour and bars, as to a pipe.",
)
@click.pass_context
def simulate(
    context: click.Context,
    rules_name: str,
    options: tuple[str, ...],
    bot_names: tuple[str, ...],
    players: int | None,
    games: int,
    seed: str | None,
    unit: Unit,
    limit: int,
    seconds: float | None,
    number: int,
    output: Path | None,
    *,
    resume: bool,
    ratings: bool,
    plain: bool,
) -> None:
    """
    Play many games of PRESET between bots, and summarize the results.

    The bots move round the table, with the same deals for every order of seats. The
    exit status is 1 if a bot broke a rule or raised an error.
    """
    from rummyvariants.simulation.files import asked_of
    from rummyvariants.simulation.plans import planned

    if resume and output is None:
        msg = "name the file to continue, with --output"
        raise click.UsageError(msg)
    if resume and seed is None and output is not None and os.path.lexists(output):
        seed = asked_of(output).get("seed")
    simulation = planned(
        rules_with(rules_name, options),
        bots_from(bot_names, seconds),
        players=players,
        seed=seed_of(seed),
        unit=unit,
        limit=limit,
    )
    run = _Run(simulation, output, resume=resume, ratings=ratings)
    screen = Screen(plain=plain)
    screen.line(
        f"{game_title(simulation.rules)}, {len(simulation.bots)} players, "
        f"seed {simulation.seed}"
    )
    stop = _Stop()
    with stop, run:
        shown = progress(run.done, games, plain=plain)
        try:
            with _games(simulation, run.done, games, number) as rows, shown as tell:
                for row in rows:
                    with stop.held():
                        run.add(row)
                        tell(run.done)
        except KeyboardInterrupt:
            if not stop.signal:
                raise
    run.show(screen)
    if stop.signal:
        kept = (
            f"they are in {output}; continue with the same command and --resume"
            if output is not None
            else "to be able to continue, name a file with --output"
        )
        done = f"{run.done} of {figure(games, 'game')}"
        click.echo(f"Interrupted after {done}: {kept}.", err=True)
        context.exit(stop.status)
    context.exit(1 if run.tally.troubles else 0)


class _Run:
    """
    Where the rows go: the file, the summary, the ratings.
    """

    def __init__(
        self,
        simulation: Simulation,
        output: Path | None,
        *,
        resume: bool,
        ratings: bool,
    ) -> None:
        from rummyvariants.simulation.files import RowFile, read_rows
        from rummyvariants.simulation.ratings import Ladder
        from rummyvariants.simulation.summary import Tally

        self.tally: Tally = Tally()
        self._ladder: Ladder | None = Ladder() if ratings else None
        self._file: RowFile | None = None
        if output is not None:
            self._file = RowFile(output, simulation, resume=resume)
            if self._file.kept:
                for row in read_rows(output):
                    self._count(row)

    @property
    def done(self) -> int:
        """
        The number of games played, including those already in the file.
        """
        return self.tally.games

    def add(self, row: GameRow) -> None:
        """
        Write a row and count it.
        """
        if self._file is not None:
            self._file.write(row)
        self._count(row)

    def _count(self, row: GameRow) -> None:
        self.tally.add(row)
        if self._ladder is not None:
            self._ladder.add(row)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def show(self, screen: Screen) -> None:
        """
        Print the summary, and the ratings.
        """
        screen.line()
        screen.blocks(self.tally.summary().blocks)
        if self._ladder is None:
            return
        screen.line()
        rows = [
            (name, f"{one.ordinal:.2f}", f"{one.mu:.2f}", f"{one.sigma:.2f}")
            for name, one in self._ladder.ratings().items()
        ]
        screen.table(("rating", "ordinal", "mu", "sigma"), rows, right=(1, 2, 3))


class _Stop(Interruption):
    """
    Stops a wait for a game at once, and the writing of a row once it is complete.
    """

    def __init__(self) -> None:
        super().__init__()
        self._is_held = False

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


@contextlib.contextmanager
def _games(
    simulation: Simulation, first: int, games: int, number: int
) -> Iterator[Generator[GameRow, None, None]]:
    """
    The remaining rows, from this process or from others.
    """
    from rummyvariants.simulation.processes import processes
    from rummyvariants.simulation.runs import play

    with contextlib.ExitStack() as stack:
        pool = stack.enter_context(processes(number if first < games else 1))
        rows = play(simulation, games, first=first, executor=pool)
        yield stack.enter_context(contextlib.closing(rows))
