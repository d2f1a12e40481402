"""The command that measures a game by games between bots."""

from __future__ import annotations

import contextlib
import functools
import json

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rummyvariants._support.words import figure
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
    from rummyvariants.simulation.figures import Summary
    from rummyvariants.simulation.games import Unit
    from rummyvariants.simulation.measures import Measured
    from rummyvariants.simulation.skill import Skill
    from rummyvariants.simulation.tables import Block


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
    help="The number of games measured, and of games for the skill.",
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
    help="Whether a game is a whole match or the first round of one.",
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
    Measure PRESET: its length, its course, its seats, and how much it rewards skill.
    """
    from rummyvariants.simulation.comparison import called, knocks
    from rummyvariants.simulation.figures import as_data
    from rummyvariants.simulation.files import inside
    from rummyvariants.simulation.measures import measured
    from rummyvariants.simulation.processes import processes
    from rummyvariants.simulation.runs import simulate
    from rummyvariants.simulation.skill import measure_skill
    from rummyvariants.simulation.summary import summarize

    rules = rules_with(rules_name, options)
    find_bots_here()
    screen = Screen(plain=plain)
    chosen = seed_for(seed, output, resume=resume)
    asked = [*dict.fromkeys(players)] or [max(rules.match.players[0], 2)]
    found: list[dict[str, Any]] = []
    for many in asked:
        (folder,) = (output,) if len(asked) == 1 else inside(output, f"{many}-players")
        files = inside(folder, "games.jsonl", "skill.jsonl")
        with (
            Stop() as stop,
            processes(number) as pool,
            progress(2 * games, plain=plain) as tell,
        ):
            told = stop.through(tell, len(found) * 2 * games)
            done = functools.partial(_second, told, games)
            setting: dict[str, Any] = {
                "games": games,
                "players": many,
                "seed": chosen,
                "unit": unit,
                "executor": pool,
                "resume": resume,
            }
            rows = []
            games_of = simulate(rules, [name], output=files[0], **setting)
            with contextlib.closing(games_of) as played:
                for row in played:
                    rows.append(row)
                    told(len(rows))
            skill = measure_skill(
                rules,
                better=name,
                weaker=weaker,
                output=files[1],
                progress=done,
                **setting,
            )
        if stop.signal:
            stop.end(context, 2 * games * len(asked), output)
        measures = measured(rows, unit, knocks=knocks(rules))
        summary = summarize(rows)
        if found:
            screen.line()
        screen.line(f"{called(rules)}, {many} players, {name}, seed {chosen}")
        screen.blocks(_blocks(summary, measures, skill))
        found.append(
            {
                "rules": called(rules),
                "players": many,
                "games": games,
                "bot": name,
                "seed": chosen,
                "unit": unit,
                "measures": [one.to_data() for one in measures],
                "seats": as_data(summary.places),
                "skill": skill.to_data(),
            }
        )
    if data is not None:
        write_whole(data, json.dumps(found, indent=2) + "\n")


def _second(tell: Callable[[int], None], games: int, done: int) -> None:
    """
    Report the games for the skill, which are raised to whole deals.
    """
    tell(games + min(done, games))


def _blocks(
    summary: Summary, measures: Iterable[Measured], skill: Skill
) -> Iterator[Block]:
    """
    The tables that are printed.
    """
    unfinished = summary.games - summary.statuses.get("finished", 0)
    if unfinished:
        yield f"Not finished, and left out: {figure(unfinished, 'game')}."
    yield ""
    yield [
        ("measure", "mean", "95 % interval", "half at most", "95 % at most"),
        *((one.measure.title, *one.cells) for one in measures),
    ]
    yield ""
    yield summary.places_table
    yield ""
    yield skill.table
