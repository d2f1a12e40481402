"""The command that plays many games between bots."""

from __future__ import annotations

import contextlib
import itertools

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rummyvariants.cli.many_games import (
    Stop,
    asks_for_games,
    bots_from,
    keeps_rows,
    progress,
    seed_for,
)
from rummyvariants.cli.parameters import GAME, RULES_MODULES, with_options
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.seats import rules_with
from rummyvariants.cli.show import game_title


if TYPE_CHECKING:
    from rummyvariants.simulation.games import Unit
    from rummyvariants.simulation.ratings import Ladder
    from rummyvariants.simulation.rows import GameRow
    from rummyvariants.simulation.summary import Tally


@click.command()
@GAME
@with_options()
@RULES_MODULES
@asks_for_games(least=0)
@keeps_rows(
    click.Path(path_type=Path, dir_okay=False),
    "Write a row for each game to FILE.jsonl, each when it is ready.",
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
    from rummyvariants.simulation.plans import planned
    from rummyvariants.simulation.processes import processes
    from rummyvariants.simulation.runs import play

    simulation = planned(
        rules_with(rules_name, options),
        bots_from(bot_names, seconds),
        players=players,
        seed=seed_for(seed, output, resume=resume),
        unit=unit,
        limit=limit,
    )
    table = _Table(ratings=ratings)
    screen = Screen(plain=plain)
    screen.line(
        f"{game_title(simulation.rules)}, {len(simulation.bots)} players, "
        f"seed {simulation.seed}"
    )
    with Stop() as stop, contextlib.ExitStack() as stack:
        rows = play(
            simulation,
            games,
            executor=stack.enter_context(processes(number)),
            output=output,
            resume=resume,
        )
        tell = stack.enter_context(progress(games, plain=plain))
        for row in stack.enter_context(contextlib.closing(rows)):
            with stop.held():
                table.add(row)
                tell(table.done)
    if stop.signal:
        table.add_kept(output, games)
    table.show(screen)
    if stop.signal:
        stop.done = table.done
        stop.end(context, games, output)
    context.exit(1 if table.tally.troubles else 0)


class _Table:
    """
    The summary and the ratings of the rows so far.
    """

    def __init__(self, *, ratings: bool) -> None:
        from rummyvariants.simulation.ratings import Ladder
        from rummyvariants.simulation.summary import Tally

        self.tally: Tally = Tally()
        self._ladder: Ladder | None = Ladder() if ratings else None

    @property
    def done(self) -> int:
        """
        The number of games played, including those that a file had already.
        """
        return self.tally.games

    def add(self, row: GameRow) -> None:
        """
        Count a row.
        """
        self.tally.add(row)
        if self._ladder is not None:
            self._ladder.add(row)

    def add_kept(self, output: Path | None, games: int) -> None:
        """
        Count the rows that were written, but not counted, when a command was stopped.

        Args:
            output: Their file, if there is one.
            games: The number of games asked for.
        """
        from rummyvariants.simulation.files import read_rows

        if output is not None and output.exists():
            for row in itertools.islice(read_rows(output), self.done, games):
                self.add(row)

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
