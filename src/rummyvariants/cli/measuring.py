"""The command that measures a game by games between bots."""

from __future__ import annotations

import json

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rummyvariants.cli import completing
from rummyvariants.cli.files import write_whole
from rummyvariants.cli.many_games import (
    Stop,
    find_bots_here,
    keeps_rows,
    progress,
    seed_for,
)
from rummyvariants.cli.parameters import GAME, PROCESSES, RULES_MODULES, with_options
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.seats import rules_with


if TYPE_CHECKING:
    from rummyvariants.simulation.games import Unit
    from rummyvariants.simulation.portrait import Portrait


@click.command()
@GAME
@with_options()
@RULES_MODULES
@click.option(
    "--players",
    type=click.IntRange(1, 99),
    multiple=True,
    metavar="N",
    help="The number of players, by default the fewest that the rules allow. Repeat it "
    "to measure the game for several numbers.",
)
@click.option(
    "--games",
    type=click.IntRange(2),
    default=200,
    show_default=True,
    metavar="N",
    help="The number of matches, of games for the skill, and of decisions tried.",
)
@click.option(
    "--bot",
    "name",
    default="careful",
    show_default=True,
    metavar="BOT",
    shell_complete=completing.bots,
    help="The bot that plays all seats.",
)
@click.option(
    "--weaker",
    default="greedy",
    show_default=True,
    metavar="BOT",
    shell_complete=completing.bots,
    help="The bot that it should lead.",
)
@click.option(
    "--seed",
    metavar="SEED",
    help="The seed of the deals and of all that is drawn: the same seed gives the same "
    "figures.",
)
@click.option(
    "--unit",
    type=click.Choice(["match", "round"]),
    default="match",
    show_default=True,
    help="Whether skill and decisions are those of whole matches or of first rounds.",
)
@PROCESSES
@click.option(
    "--json",
    "data",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the figures to a file.",
)
@keeps_rows(
    click.Path(path_type=Path, file_okay=False),
    "Write the rows of all games to files in this folder, each when it is ready.",
)
@click.option(
    "--plain",
    is_flag=True,
    help="Write without colour and bars, as to a pipe.",
)
@click.pass_context
def measure(
    context: click.Context,
    rules_name: str,
    options: tuple[str, ...],
    players: tuple[int, ...],
    games: int,
    name: str,
    weaker: str,
    seed: str | None,
    unit: Unit,
    number: int,
    data: Path | None,
    output: Path | None,
    *,
    resume: bool,
    plain: bool,
) -> None:
    """
    Measure PRESET: its length, its course, its seats, and what depends on skill.

    It needs the extra `statistics`.
    """
    from rummyvariants.simulation.files import inside
    from rummyvariants.simulation.portrait import portrait
    from rummyvariants.simulation.processes import processes

    rules = rules_with(rules_name, options)
    find_bots_here()
    screen = Screen(plain=plain)
    chosen = seed_for(seed, output, resume=resume)
    # Games alone, games for the skill, and games in which a decision is tried.
    each = 3 * games
    players = tuple(dict.fromkeys(players))
    found: list[Portrait] = []
    for many in players or (None,):
        folder = output
        if len(players) > 1:
            (folder,) = inside(output, f"{many}-players")
        with (
            Stop() as stop,
            processes(number) as pool,
            progress(each, plain=plain) as tell,
        ):
            found.append(
                portrait(
                    rules,
                    games=games,
                    players=many,
                    bot=name,
                    weaker=weaker,
                    seed=chosen,
                    unit=unit,
                    executor=pool,
                    progress=stop.through(tell, len(found) * each),
                    output=folder,
                    resume=resume,
                )
            )
        if stop.signal:
            stop.end(context, each * max(len(players), 1), output)
        if len(found) > 1:
            screen.line()
        screen.blocks(found[-1].blocks)
    if data is not None:
        figures = [one.to_data() for one in found]
        write_whole(data, json.dumps(figures, indent=2) + "\n")
