"""The commands by which bots play many games: `simulate`, `compare` and `measure`."""

from __future__ import annotations

import contextlib
import itertools

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import rummyvariants as rv

from rummyvariants._support.tables import Grid
from rummyvariants._support.words import figure
from rummyvariants.cli import parameters as asks
from rummyvariants.cli.files import named_rules, write_json
from rummyvariants.cli.many_games import (
    Games,
    asks_for_games,
    asks_for_seats,
    find_bots_here,
)
from rummyvariants.cli.screen import Screen, complain
from rummyvariants.cli.seats import RULES
from rummyvariants.files._table_text import game_title


if TYPE_CHECKING:
    from rummyvariants.simulation.rows import GameRow


@click.command()
@RULES
@asks_for_seats
@asks_for_games(
    0,
    games="The number of games.",
    kind=asks.FILE,
    output="Write a row for each game to FILE.jsonl, each when it is ready.",
)
@asks.flag("--ratings", "Rate the bots with openskill (the extra `tournament`).")
def simulate(
    rules: rv.Ruleset, seats: dict[str, Any], asked: Games, *, ratings: bool
) -> int:
    """
    Play many games of PRESET between bots, and summarize the results.

    The bots move round the table, with the same deals for every order of seats. The
    exit status is 1 if a bot broke a rule or raised an error.
    """
    from rummyvariants.simulation.files import read_rows
    from rummyvariants.simulation.plans import planned
    from rummyvariants.simulation.ratings import Ladder
    from rummyvariants.simulation.runs import play
    from rummyvariants.simulation.summary import Tally

    plan = planned(rules, **seats, seed=asked.seed, unit=asked.unit)
    tally = Tally()
    ladder = Ladder() if ratings else None
    screen = Screen(plain=asked.plain)
    title = game_title(plan.rules)
    screen.line(f"{title}, {len(plan.bots)} players, seed {plan.seed}")

    def add(row: GameRow) -> None:
        tally.add(row)
        if ladder is not None:
            ladder.add(row)

    def show() -> None:
        screen.line()
        screen.blocks(tally.summary().blocks)
        if ladder is not None:
            screen.line()
            rows = [
                (name, f"{one.ordinal:.2f}", f"{one.mu:.2f}", f"{one.sigma:.2f}")
                for name, one in ladder.ratings().items()
            ]
            screen.blocks([Grid([("rating", "ordinal", "mu", "sigma"), *rows])])

    def stopped() -> int:
        # Rows may have been written, but not counted.
        if asked.output is not None and asked.output.exists():
            kept = read_rows(asked.output)
            for row in itertools.islice(kept, tally.games, asked.games):
                add(row)
        show()
        return tally.games

    with asked.playing(asked.games, stopped=stopped) as (stop, executor, tell):
        rows = play(
            plan,
            asked.games,
            executor=executor,
            output=asked.output,
            resume=asked.resume,
        )
        with contextlib.closing(rows):
            for row in rows:
                with stop.raising(at_once=False):
                    add(row)
                    tell(tally.games)
    show()
    return 1 if tally.troubles else 0


@click.command()
@click.argument("first", metavar="A", shell_complete=asks.GAMES)
@click.argument("second", metavar="[B]", required=False, shell_complete=asks.GAMES)
@asks.with_options(
    "Instead of B: compare A with itself and this option, such as PGV-E5=2500."
)
@asks.RULES_MODULES
@asks_for_seats
@asks_for_games(1, games="The number of games under each set of rules.")
@click.option(
    "--plot",
    "picture",
    type=asks.FILE,
    help="Draw the differences (the extra `plot`), as .svg or .png.",
)
@asks.JSON
def compare(
    first: str,
    second: str | None,
    options: tuple[str, ...],
    seats: dict[str, Any],
    asked: Games,
    picture: Path | None,
    data: Path | None,
) -> int:
    """
    Compare the games A and B: how their rules change play.

    A and B are names of games or files of house rules. The same bots play both from the
    same seeds. The exit status is 1 if a bot broke a rule or raised an error.
    """
    from rummyvariants.simulation.comparison import compare as compared
    from rummyvariants.simulation.plots import need_matplotlib, plot

    if (second is None) != bool(options):
        msg = "name a second game, or options for the first with --with"
        if second is not None:
            msg += ", and not both: a file of house rules can hold options of its own"
        raise click.UsageError(msg)
    a = named_rules(first)
    b = a.with_options(*options) if second is None else named_rules(second)
    if picture is not None:
        need_matplotlib(picture)
    with asked.playing(asked.games) as (_, executor, tell):
        found = compared(
            a,
            b,
            **seats,
            **asked.setting,
            executor=executor,
            progress=tell,
            output=asked.output,
        )
    Screen(plain=asked.plain).blocks(found.blocks)
    for notice in dict.fromkeys((*a.notices, *b.notices)):
        complain(f"Note: {notice}")
    write_json(data, found.to_data())
    if picture is not None:
        plot(found, picture)
    troubles = (row.status in {"refused", "failed"} for of in found.rows for row in of)
    return 1 if any(troubles) else 0


@click.command()
@RULES
@asks.number(
    "--players",
    "The number of players, by default the fewest that the rules allow. Repeat it "
    "to measure the game for several numbers.",
    1,
    99,
    multiple=True,
)
@asks.bot_option("--bot", "The bot that plays all seats.", "name", default="careful")
@asks.bot_option("--weaker", "The bot that it should lead.", default="greedy")
@asks_for_games(
    2, 200, games="The number of games for the measures, and again for the skill share."
)
@asks.JSON
def measure(
    rules: rv.Ruleset,
    players: tuple[int, ...],
    name: str,
    weaker: str,
    asked: Games,
    data: Path | None,
) -> int:
    """
    Measure PRESET: its length, its course, its seats, and how much it rewards skill.

    The exit status is 1 if a bot broke a rule or raised an error.
    """
    from rummyvariants.simulation.comparison import called, knocks
    from rummyvariants.simulation.figures import as_data
    from rummyvariants.simulation.files import inside
    from rummyvariants.simulation.measures import measured
    from rummyvariants.simulation.runs import simulate as simulated
    from rummyvariants.simulation.skill import SkillError, measure_skill
    from rummyvariants.simulation.summary import summarize

    if name == weaker:
        msg = f"--bot and --weaker both name {name}: skill is measured between two"
        raise click.UsageError(msg)
    find_bots_here()
    screen = Screen(plain=asked.plain)
    numbers = [*dict.fromkeys(players)] or [max(rules.match.players[0], 2)]
    found: list[dict[str, Any]] = []
    troubles = 0
    for many in numbers:
        folder = asked.output
        if len(numbers) > 1:
            (folder,) = inside(folder, f"{many}-players")
        games_file, skill_file = inside(folder, "games.jsonl", "skill.jsonl")
        of = (2 * asked.games, len(found), len(numbers))
        with asked.playing(*of) as (_, executor, tell):
            setting = {**asked.setting, "players": many, "executor": executor}
            rows = []
            played = simulated(rules, [name], output=games_file, **setting)
            with contextlib.closing(played):
                for row in played:
                    rows.append(row)
                    tell(len(rows))
            skill = None
            try:
                skill = measure_skill(
                    rules,
                    better=name,
                    weaker=weaker,
                    output=skill_file,
                    # The games for the skill are raised to whole deals.
                    progress=lambda done: tell(asked.games + min(done, asked.games)),
                    **setting,
                )
            except SkillError as error:
                unmeasured = str(error)
        measures = measured(rows, asked.unit, knocks=knocks(rules))
        summary = summarize(rows)
        if found:
            screen.line()
        screen.line(f"{called(rules)}, {many} players, {name}, seed {asked.seed}")
        unfinished = summary.games - summary.statuses.get("finished", 0)
        if unfinished:
            left_out = figure(unfinished, "game")
            screen.line(f"Not finished, and left out: {left_out}.")
        head = ("measure", "mean", "95 % interval", "half at most", "95 % at most")
        table = Grid([head, *((one.measure.title, *one.cells) for one in measures)])
        screen.blocks(["", table, "", summary.places_table, ""])
        screen.blocks([skill.table if skill else unmeasured])
        troubles += sum(sum(one.troubles.values()) for one in summary.bots)
        found.append(
            {
                "rules": called(rules),
                "players": many,
                "games": asked.games,
                "bot": name,
                "seed": asked.seed,
                "unit": asked.unit,
                "measures": [one.to_data() for one in measures],
                "seats": as_data(summary.places),
                "skill": skill and skill.to_data(),
            }
        )
    write_json(data, found)
    return 1 if troubles else 0
