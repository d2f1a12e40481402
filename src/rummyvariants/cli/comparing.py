"""The command that compares two rulesets by games between bots."""

from __future__ import annotations

import contextlib
import json

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rummyvariants.cli import completing
from rummyvariants.cli.files import named_rules, write_whole
from rummyvariants.cli.many_games import (
    Stop,
    asks_for_games,
    bots_from,
    keeps_rows,
    progress,
    seed_for,
)
from rummyvariants.cli.parameters import RULES_MODULES, with_options
from rummyvariants.cli.screen import Screen, complain


if TYPE_CHECKING:
    from rummyvariants.rules._ruleset import Ruleset
    from rummyvariants.simulation.games import Unit


_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("first", metavar="A", shell_complete=completing.games)
@click.argument(
    "second", metavar="[B]", required=False, shell_complete=completing.games
)
@with_options(
    "Instead of B: compare A with itself and this option, such as PGV-E5=2500."
)
@RULES_MODULES
@asks_for_games(least=1)
@click.option(
    "--plot",
    "picture",
    type=_FILE,
    help="Draw the differences (the extra `plot`), as .svg or .png.",
)
@click.option("--json", "data", type=_FILE, help="Write the figures to a file.")
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
def compare(
    context: click.Context,
    first: str,
    second: str | None,
    options: tuple[str, ...],
    games: int,
    players: int | None,
    bot_names: tuple[str, ...],
    seed: str | None,
    unit: Unit,
    limit: int,
    seconds: float | None,
    number: int,
    picture: Path | None,
    data: Path | None,
    output: Path | None,
    *,
    resume: bool,
    plain: bool,
) -> None:
    """
    Compare the games A and B: how their rules change play.

    A and B are names of games or files of house rules. The same bots play both from the
    same seeds. The exit status is 1 if a bot broke a rule or raised an error.
    """
    from rummyvariants.simulation.comparison import compare as compared
    from rummyvariants.simulation.plots import need_matplotlib, plot
    from rummyvariants.simulation.processes import processes

    a, b = _rules(first, second, options)
    if picture is not None:
        need_matplotlib()
    bots = bots_from(bot_names, seconds)
    chosen = seed_for(seed, output, resume=resume)
    with Stop() as stop, contextlib.ExitStack() as stack:
        tell = stop.through(stack.enter_context(progress(games, plain=plain)))
        found = compared(
            a,
            b,
            games=games,
            players=players,
            bots=bots,
            seed=chosen,
            unit=unit,
            limit=limit,
            executor=stack.enter_context(processes(number)),
            progress=tell,
            output=output,
            resume=resume,
        )
    if stop.signal:
        stop.end(context, games, output)
    Screen(plain=plain).blocks(found.blocks)
    for notice in dict.fromkeys((*a.notices, *b.notices)):
        complain(f"Note: {notice}")
    if data is not None:
        write_whole(data, json.dumps(found.to_data(), indent=2) + "\n")
    if picture is not None:
        plot(found, picture)
    troubles = (row.status in {"refused", "failed"} for of in found.rows for row in of)
    context.exit(1 if any(troubles) else 0)


def _rules(
    first: str, second: str | None, options: tuple[str, ...]
) -> tuple[Ruleset, Ruleset]:
    if (second is None) != bool(options):
        msg = "name a second game, or options for the first with --with"
        if second is not None:
            msg += ", and not both: a file of house rules can hold options of its own"
        raise click.UsageError(msg)
    a = named_rules(first)
    return a, a.with_options(*options) if second is None else named_rules(second)
