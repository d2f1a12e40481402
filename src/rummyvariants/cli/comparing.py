"""The command that compares two rulesets by games between bots."""

from __future__ import annotations

import contextlib
import json

from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from rummyvariants.simulation.comparison import Comparison
    from rummyvariants.simulation.games import Unit
    from rummyvariants.simulation.skill import SkillComparison
    from rummyvariants.simulation.verdicts import Verdicts


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
    "--verdicts",
    is_flag=True,
    help="Repeat the comparison in two blocks of deals with each bot, by default "
    "careful and greedy, and say what all of them find.",
)
@click.option(
    "--skill",
    is_flag=True,
    help="Compare how far the first bot leads the second in a round, by default "
    "careful and greedy.",
)
@click.option(
    "--html", type=_FILE, help="Write a page with plots (the extra `plot`) to a file."
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
    html: Path | None,
    data: Path | None,
    output: Path | None,
    *,
    resume: bool,
    verdicts: bool,
    skill: bool,
    plain: bool,
) -> None:
    """
    Compare the games A and B: how their rules change play.

    A and B are names of games or files of house rules. The same bots play both from the
    same seeds. The exit status is 1 if a bot broke a rule or raised an error.
    """
    from rummyvariants.simulation.comparison import compare as compared
    from rummyvariants.simulation.processes import processes
    from rummyvariants.simulation.skill import SkillComparison, compare_skill
    from rummyvariants.simulation.verdicts import BLOCKS, BOTS, Verdicts, seed_of_block
    from rummyvariants.simulation.verdicts import verdicts as judged

    a, b = _rules(first, second, options)
    if skill and verdicts:
        msg = "--skill and --verdicts do not go together: name one of them"
        raise click.UsageError(msg)
    if skill:
        _refuse_with_skill(bot_names)
    if skill or verdicts:
        if html is not None:
            msg = "--html writes a page of a plain comparison; --json goes with all"
            raise click.UsageError(msg)
        bot_names = bot_names or BOTS
    if html is not None:
        from rummyvariants.simulation.plots import need_matplotlib

        need_matplotlib()
    bots = bots_from(bot_names, seconds)
    found: Comparison | SkillComparison | Verdicts
    total = games * BLOCKS * len(bots) if verdicts else games
    end = seed_of_block("", 1) if verdicts else ""
    chosen = seed_for(seed, output, resume=resume, end=end)
    with Stop() as stop, contextlib.ExitStack() as stack:
        tell = stop.through(stack.enter_context(progress(total, plain=plain)))
        setting: dict[str, Any] = {
            "games": games,
            "players": players,
            "seed": chosen,
            "unit": unit,
            "limit": limit,
            "executor": stack.enter_context(processes(number)),
            "progress": tell,
            "output": output,
            "resume": resume,
        }
        if skill:
            found = compare_skill(a, b, better=bots[0], weaker=bots[1], **setting)
        elif verdicts:
            found = judged(a, b, bots=bots, **setting)
        else:
            found = compared(a, b, bots=bots, **setting)
    if stop.signal:
        stop.end(context, total, output)
    Screen(plain=plain).blocks(found.blocks)
    for notice in dict.fromkeys((*a.notices, *b.notices)):
        complain(f"Note: {notice}")
    if data is not None:
        write_whole(data, json.dumps(found.to_data(), indent=2) + "\n")
    if isinstance(found, SkillComparison):
        context.exit(1 if found.troubles else 0)
    if isinstance(found, Verdicts):
        context.exit(1 if any(map(_troubles, found.comparisons)) else 0)
    if html is not None:
        from rummyvariants.simulation.report import report

        write_whole(html, report(found))
    context.exit(1 if _troubles(found) else 0)


def _refuse_with_skill(bot_names: tuple[str, ...]) -> None:
    """
    Refuse what does not go together with ``--skill``.
    """
    if len(bot_names) not in {0, 2}:
        msg = "--skill compares two bots: name the better one first, then the other"
        raise click.UsageError(msg)
    from rummyvariants.simulation.significance import need_scipy

    need_scipy()


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


def _troubles(found: Comparison) -> bool:
    return any(
        row.status in {"refused", "failed"} for rows in found.rows for row in rows
    )
