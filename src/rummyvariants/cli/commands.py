"""The commands, and how they tell of errors."""

from __future__ import annotations

import functools
import os
import sys

from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import IO, Any

import click

from rummyvariants.bots import CarefulBot, play_on
from rummyvariants.building import preset
from rummyvariants.cli import INTERRUPTED, WRONG, completing
from rummyvariants.cli.comparing import compare
from rummyvariants.cli.explaining import explain, list_options
from rummyvariants.cli.files import (
    Interruption,
    rules_of,
    scenario_files,
    seed_of,
    write_whole,
)
from rummyvariants.cli.play import play_game
from rummyvariants.cli.resuming import Game, resumed
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.show import (
    differences,
    legal_lines,
    ruling_lines,
    score_sheet,
    table_lines,
    titled,
)
from rummyvariants.cli.simulating import simulate
from rummyvariants.cli.telling import Telling
from rummyvariants.engine.beginning import begin
from rummyvariants.errors import RummyError, visible
from rummyvariants.records import (
    ReplayError,
    load_record,
    record,
    replay_steps,
    who_acts,
)
from rummyvariants.ruleset import Ruleset
from rummyvariants.rulings import catalogue
from rummyvariants.scenarios import Scenario, load_scenario, run
from rummyvariants.scoring import round_result
from rummyvariants.sheet import rule_sheet
from rummyvariants.sheet.forms import WIDTH
from rummyvariants.state import State
from rummyvariants.variants import presets
from rummyvariants.words import figure


NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
FAILED = 1


class Trouble(click.ClickException):
    """
    An error of the user's input, told in a message.
    """

    exit_code = WRONG

    def show(self, file: IO[Any] | None = None) -> None:
        """
        Write the message; several problems stand below each other.
        """
        problems = self.message.split("\n")
        if len(problems) == 1:
            click.echo(f"Error: {problems[0]}", file=file, err=True)
            return
        click.echo(f"Error: there are {len(problems)} problems", file=file, err=True)
        for problem in problems:
            click.echo(f"  {problem}", file=file, err=True)


class Commands(click.Group):
    """
    Turns every error of the library, and an interrupt, into a message.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """
        Run a command.
        """
        try:
            return super().invoke(ctx)
        except RummyError as error:
            raise Trouble(str(error)) from None
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)
        except click.UsageError as error:
            raise click.UsageError(visible(error.message), error.ctx) from None


def _plain(command: Callable[..., None]) -> Callable[..., None]:
    """
    The option ``--plain``, which a command gets as its ``screen``.
    """

    @click.option(
        "--plain",
        is_flag=True,
        help="Write without colour and boxes, as for a pipe.",
    )
    @functools.wraps(command)
    def with_screen(*, plain: bool, **rest: object) -> None:
        command(screen=Screen(plain=plain), **rest)

    return with_screen


def _file(
    name: str, **more: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    # Whether it can be read is found out by reading it, one file after another.
    kind = click.Path(path_type=Path, readable=False)
    return click.argument(name, type=kind, **more)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(metadata.version("rummyvariants"), "--version")
def commands() -> None:
    """
    Rummy games by rule: play and watch them, settle disputes, look rules up.

    A game is named by a preset, such as rummy-5000, or by a file of house rules.
    """


commands.add_command(simulate)
commands.add_command(compare)


# ------------------------------------------------------------------------------ playing


def players_of(rules: Ruleset, players: int | None, names: str | None) -> list[str]:
    """
    The names of the players, from what was given on the command line.
    """
    if names is not None:
        found = [name.strip() for name in names.split(",")]
        if players is not None and players != len(found):
            msg = f"--players says {players}, --names names {len(found)}"
            raise click.UsageError(msg)
        return found
    if players is None:
        low, high = rules.match.players
        players = min(max(low, 4), high)
    return [
        NAMES[seat] if seat < len(NAMES) else f"player {seat + 1}"
        for seat in range(players)
    ]


_PLAYERS = click.option(
    "--players",
    type=click.IntRange(0, 99),
    metavar="N",
    help="How many play; 4 if the game allows it.",
)
_SEED = click.option(
    "--seed",
    metavar="SEED",
    help="What the shuffles come from: the same seed, the same deals.",
)


@commands.command()
@click.argument("rules_name", metavar="PRESET", shell_complete=completing.games)
@_PLAYERS
@click.option("--names", metavar="A,B,C", help="The players' names, in order of seats.")
@_SEED
@click.option(
    "--record",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep a record of the game in this file.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    metavar="K",
    help="Stop after so many rounds.",
)
@_plain
@click.pass_context
def watch(
    context: click.Context,
    screen: Screen,
    rules_name: str,
    players: int | None,
    names: str | None,
    seed: str | None,
    file: Path | None,
    rounds: int | None,
) -> None:
    """
    Watch careful players play a game of PRESET to its score sheet.

    PRESET is the name of a game (see `rummyvariants presets`) or a file of house rules.
    The record is written after each round, and when the game is interrupted.
    """
    rules = rules_of(rules_name)
    seats = players_of(rules, players, names)
    chosen = seed_of(seed)
    state = begin(rules, seats, seed=chosen)
    screen.line(f"{rules.title}, {len(seats)} players, seed {chosen}")
    telling = Telling(screen, state)
    with Interruption() as interruption:
        try:
            if file is not None:
                write_whole(file, str(record(state)))
            for step in play_on(state, [CarefulBot()] * len(seats), chosen):
                state = step.after
                telling.step(step)
                if interruption.signal:
                    break
                if state.is_round_over:
                    if file is not None:
                        write_whole(file, str(record(state)))
                    if len(telling.rounds) == rounds:
                        break
        finally:
            if file is not None:
                write_whole(file, str(record(state)))
        if not interruption.signal:
            telling.end(state)
            return
        telling.pause()
    where = f"; what was played is in {file}" if file is not None else ""
    click.echo(f"Interrupted in round {state.round_number}{where}.", err=True)
    context.exit(interruption.status)


@commands.command()
@click.argument(
    "rules_name", metavar="[PRESET]", required=False, shell_complete=completing.games
)
@_PLAYERS
@click.option("--names", metavar="A,B,C", help="The players' names, in order of seats.")
@click.option(
    "--humans",
    type=click.IntRange(1, 99),
    metavar="K",
    help="How many are persons at this terminal, from the first seat on; 1 by default.",
)
@click.option(
    "--bots",
    type=click.IntRange(0, 99),
    metavar="K",
    help="How many are simple players; all but one by default.",
)
@_SEED
@click.option(
    "--record",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep a record of the game in this file.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False, readable=False),
    help="Go on with the game of a record or of a saved position; without --record "
    "its record is kept in the same file.",
)
@_plain
@click.pass_context
def play(
    context: click.Context,
    screen: Screen,
    rules_name: str | None,
    players: int | None,
    names: str | None,
    humans: int | None,
    bots: int | None,
    seed: str | None,
    file: Path | None,
    resume: Path | None,
) -> None:
    """
    Play a game of PRESET against simple players.

    Actions are written as in `draw`, `take 3`, `meld 7h 8h 9h`, `lay Th on 2` and
    `discard Kc`; `?` lists what is legal, and `help` what else there is.
    """
    if sys.stdin is None:
        msg = "standard input is closed, so nobody can answer"
        raise Trouble(msg)
    if resume is not None:
        if rules_name or names or players is not None:
            msg = "with --resume the game and its players come from the file"
            raise click.UsageError(msg)
        game = resumed(resume, seed)
        file = file or (None if game.state.from_position else resume)
    else:
        if not rules_name:
            msg = (
                "name a game (`rummyvariants presets` lists them), or a file of house "
                "rules"
            )
            raise click.UsageError(msg)
        rules = rules_of(rules_name)
        if file is not None and os.path.lexists(file) and file.is_file():
            msg = f"{file} is there already: go on with it by --resume, or name another"
            raise click.UsageError(msg)
        seats = players_of(rules, players, names)
        game = Game(begin(rules, seats, seed=seed_of(seed)))
    count = len(game.state.players)
    if humans is not None and bots is not None and humans + bots != count:
        some = f"{figure(humans, 'person')} and {figure(bots, 'bot')}"
        msg = f"{some} are not {figure(count, 'player')}"
        raise click.UsageError(msg)
    persons = humans if humans is not None else count - bots if bots is not None else 1
    if not 1 <= persons <= count:
        msg = f"of {count} players 1 to {count} can be persons; see also `watch`"
        raise click.UsageError(msg)
    context.exit(play_game(screen, game, persons, file))


@commands.command()
@_file("file")
@_plain
@click.pass_context
def replay(context: click.Context, screen: Screen, file: Path) -> None:
    """
    Replay the game of a record FILE.

    If it stops being legal, that is told with the ruling, and the exit status is 1.
    """
    game = load_record(file)
    state = begin(game.rules, game.players, seed=game.seed)
    screen.line(f"{game.rules.title}, {len(game.players)} players")
    if game.notes:
        screen.line(game.notes)
    telling = Telling(screen, state)
    try:
        for step in replay_steps(game):
            state = step.after
            telling.step(step)
    except ReplayError as error:
        telling.pause()
        name = who_acts(state, error.action)
        who = f"{name}: " if name else ""
        screen.heading(f"Action {error.number} is not legal")
        screen.line(f"  {who}{error.action}", 4)
        for line in ruling_lines(error.ruling):
            screen.line(f"  {line}", 6)
        context.exit(FAILED)
    telling.end(state)


# ----------------------------------------------------------------------------- disputes


@commands.command()
@_file("file")
@click.option(
    "--most",
    type=click.IntRange(1, 1_000_000),
    default=40,
    show_default=True,
    metavar="N",
    help="How many legal actions of a player are listed.",
)
@_plain
def ask(screen: Screen, file: Path, most: int) -> None:
    """
    Settle a dispute: what the rules say to a scenario FILE.

    Each step gets its ruling, with the rule. Then follow all legal actions, and the
    score if the round ended now.
    """
    scenario = load_scenario(file)
    screen.line(scenario.title or str(file))
    if scenario.problem is not None:
        screen.heading("This cannot be:")
        for problem in scenario.problem.problems:
            screen.line(f"  {problem}", 4)
        for rule_id in dict.fromkeys(scenario.problem.rules):
            _rule(screen, rule_id)
        return
    outcome = run(scenario)
    for line, ruling in outcome.rulings:
        who = f"{line.seat}: " if line.seat else ""
        screen.heading(f"{line.number}. {who}{line.text}")
        screen.line(f"  {'Legal' if ruling else 'Refused'}: {ruling.reason}.", 2)
        for rule_id in ruling.cites:
            _rule(screen, rule_id)
    left = len(scenario.steps) - len(outcome.rulings)
    if left:
        steps = "step was" if left == 1 else "steps were"
        screen.line()
        screen.line(f"{left} more {steps} not looked at.")
    elif scenario.expect:
        _expected(screen, outcome.differences)
    state = outcome.state or scenario.start
    if state is not None:
        _where_it_stands(screen, state, most)


def _rule(screen: Screen, rule_id: str) -> None:
    entry = catalogue().get(rule_id)
    if entry is None:
        screen.line(f"  {rule_id}", 4)
        return
    screen.line(f"  {titled(rule_id)}: {entry.text}", 4)


def _expected(screen: Screen, found: tuple[str, ...]) -> None:
    screen.line()
    if not found:
        screen.line("All is as the file expects.")
        return
    screen.line("The file expects something else:")
    for difference in found:
        screen.line(f"  {difference}", 4)


def _where_it_stands(screen: Screen, state: State, most: int) -> None:
    """
    The table, the legal actions and the score.
    """
    if state.dealt is None:
        return
    if not state.is_round_over:
        screen.heading("On the table")
        for line in table_lines(state):
            screen.line(line, 5)
    for seat in state.to_act:
        screen.heading(f"{state.players[seat]} may")
        for line in legal_lines(state, seat, most=most):
            screen.line(f"  {line}", 4)
    if state.phase == "choose":
        return
    result = (
        state.result if state.is_round_over else round_result(state, _would_end(state))
    )
    if result is not None:
        over = "The score of the round"
        screen.heading(
            over if state.is_round_over else "The score if the round ended now"
        )
        score_sheet(screen, result, state.players)


def _would_end(state: State) -> str:
    """
    How the round would have ended if it ended now.
    """
    return "knock" if state.phase == "layoff" else "stock"


@commands.command()
@_file("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def check(context: click.Context, files: tuple[Path, ...]) -> None:
    """
    Check scenario files: a line each, `ok` or what differed.

    In place of a folder all TOML files below it are checked. The exit status is 1 if
    any failed, 2 if a file could not be read. An error in the library fails its file.
    """
    status = 0
    for given in files:
        try:
            found = list(scenario_files([given]))
        except RummyError as error:
            click.echo(_one_line(error))
            status = WRONG
            continue
        for file in found:
            status = max(status, _check(file))
    context.exit(status)


def _check(file: Path) -> int:
    try:
        scenario: Scenario = load_scenario(file)
        outcome = run(scenario)
    except RummyError as error:
        told = _one_line(error)
        click.echo(told if told.startswith(visible(str(file))) else f"{file}: {told}")
        return WRONG
    except Exception as error:  # noqa: BLE001 -- one file must not end the others' run
        click.echo(f"{file}: an error in the library, please report it: {error!r}")
        return FAILED
    if outcome.differences:
        click.echo(visible(f"{file}: {'; '.join(outcome.differences)}"))
        return FAILED
    click.echo(visible(f"{file}: ok"))
    return 0


def _one_line(error: RummyError) -> str:
    where = getattr(error, "where", "")
    problems = getattr(error, "problems", ()) or str(error).split("\n")
    told = "; ".join(" ".join(problem.split()) for problem in problems)
    return visible(f"{where}: {told}" if where else told)


# -------------------------------------------------------------------------------- rules


@commands.command()
@click.argument("rules_name", metavar="PRESET", shell_complete=completing.games)
@click.option(
    "--diff",
    "other",
    metavar="OTHER",
    shell_complete=completing.games,
    help="Show only in which policy values another game differs.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html"]),
    default="text",
    show_default=True,
    help="The form of the rule sheet.",
)
@_plain
def rules(screen: Screen, rules_name: str, other: str | None, form: str) -> None:
    """
    Print the rule sheet of PRESET in plain sentences.

    Beside them stand the ids of the rules; see `explain`. PRESET and OTHER are names of
    games or files of house rules.
    """
    chosen = rules_of(rules_name)
    if other is not None:
        if form != "text":
            msg = f"--diff is written as text, not as {form}"
            raise click.UsageError(msg)
        differences(screen, chosen, rules_of(other))
    elif form == "text":
        width = min(screen.width or WIDTH, WIDTH)
        screen.lines(rule_sheet(chosen, form, width=width))
    else:
        click.echo(visible(rule_sheet(chosen, form).rstrip("\n")))
    for notice in chosen.notices if other is None else ():
        click.echo(f"Note: {notice}", err=True)


@commands.command(name="explain")
@click.argument(
    "words",
    metavar="WORD...",
    nargs=-1,
    required=True,
    shell_complete=completing.names,
)
@_plain
def explain_words(screen: Screen, words: tuple[str, ...]) -> None:
    """
    Explain a rule, an option or a policy value, or search them.

    WORD is the id of a rule or option, such as PG-15, or the name of a policy value,
    such as match.target, alone or with a value as in "match.target = 1000". That gets
    its text and what puts it in force. Other words are searched for: what has all of
    them is listed, the best first, and explained if it is one thing alone.
    """
    explain(screen, " ".join(words))


@commands.command(name="options")
@click.argument(
    "rules_name", metavar="[PRESET]", required=False, shell_complete=completing.games
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="List as well what changes nothing in the game or is refused there, and why.",
)
@_plain
def list_options_of(
    screen: Screen, rules_name: str | None, *, everything: bool
) -> None:
    """
    List the options that go with PRESET, or all of them.

    Each stands with its text, what it takes, needs and excludes. PRESET is the name of
    a game or a file of house rules.
    """
    chosen = None if rules_name is None else rules_of(rules_name)
    list_options(screen, chosen, everything=everything)


@commands.command(name="presets")
@_plain
def list_presets(screen: Screen) -> None:
    """
    List the games that come with the library.
    """
    rows = []
    for name in presets():
        one = preset(name)
        low, high = one.match.players
        players = str(low) if low == high else f"{low} to {high}"
        rows.append((name, one.title, players, one.source))
    if screen.plain:
        screen.table(("name", "title", "players", "source"), rows)
        return
    for name, title, players, source in rows:
        screen.line(f"{name}  {title}, {players} players", 4)
        screen.line(f"    {source}", 4)
