"""The commands, and how they report errors."""

from __future__ import annotations

import itertools
import os
import sys

from collections import Counter
from collections.abc import Collection, Iterable
from importlib import metadata
from pathlib import Path
from typing import IO, Any, Final

import attrs
import click

import rummyvariants as rv

from rummyvariants._support.words import figure
from rummyvariants.cli import parameters as asks
from rummyvariants.cli.explaining import explain, write_option
from rummyvariants.cli.files import named_rules, named_scenario, scenario_files, seed_of
from rummyvariants.cli.play import play_game
from rummyvariants.cli.resuming import Game, resumed
from rummyvariants.cli.screen import Screen, complain
from rummyvariants.cli.seats import Table, asks_for_table, rules_with
from rummyvariants.cli.show import (
    COUNTED,
    score_sheet,
    sheet,
    titled,
    told_hands,
    winners_line,
)
from rummyvariants.cli.simulating import compare, measure, simulate
from rummyvariants.cli.statuses import FAILED, INTERRUPTED, WRONG
from rummyvariants.cli.watching import replay, watch
from rummyvariants.errors import visible
from rummyvariants.files._score_text import column_blocks, match_blocks
from rummyvariants.files._situations import is_sentence, read_question, scenario_of
from rummyvariants.files._table_text import pile_line, table_lines
from rummyvariants.rules._variants import no_preset
from rummyvariants.rules.sheet import rule_sheet


class Trouble(click.ClickException):
    """
    An error of the user's input, shown as a message.
    """

    exit_code = WRONG

    def show(self, file: IO[Any] | None = None) -> None:
        """
        Write the message, with several problems one below the other.
        """
        first, *more = self.message.split("\n")
        if more:
            first, more = f"there are {len(more) + 1} problems", [first, *more]
        complain(f"Error: {first}", 2, file)
        for problem in more:
            complain(f"  {problem}", 4, file)


class Commands(click.Group):
    """
    Turns every error of the library, and an interrupt, into a message.

    What a command returns is its exit status.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """
        Run a command.
        """
        try:
            ctx.exit(super().invoke(ctx) or 0)
        except rv.RummyError as error:
            raise Trouble(str(error)) from None
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)
        except click.UsageError as error:
            raise click.UsageError(visible(error.message), error.ctx) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """
        Find a command; the error about an unknown one names what may be meant.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            meant = _MEANT.get(args[0])
            if meant is None:
                raise
            msg = f"There is no command {args[0]!r}; write `rummyvariants {meant}`."
            raise click.UsageError(msg, error.ctx) from None


_MEANT: Final = {
    "diff": "rules A --diff B",
    "games": "presets",
    "record": "play --record FILE",
    "rule": "explain",
    "run": "check",
    "search": "explain",
    "variants": "presets",
}
"""What to write for names of commands that people guess."""


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(metadata.version("rummyvariants"), "--version")
def commands() -> None:
    """
    Rummy games by their rules: play, watch, settle disputes, look up rules.

    Name a game by its preset, such as rummy-5000, or by a file of house rules.
    """


for _command in (simulate, compare, measure, watch, replay):
    commands.add_command(_command)


# ------------------------------------------------------------------------------ playing


@commands.command()
@asks.MAYBE_GAME
@asks_for_table
@asks.number(
    "--humans",
    "The number of people at this terminal, in the first seats; 1 by default.",
    1,
    99,
    metavar="K",
)
@asks.number(
    "--bots", "The number of bots; all players but one by default.", 0, 99, metavar="K"
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False, readable=False),
    help="Continue the game of a record or of a saved position; without --record, "
    "a record is kept in the same file.",
)
@asks.PLAIN
def play(
    screen: Screen,
    rules_name: str | None,
    table: Table,
    humans: int | None,
    bots: int | None,
    resume: Path | None,
) -> int:
    """
    Play a game of PRESET against bots.

    Write actions such as `draw`, `take 3`, `meld 7h 8h 9h`, `lay Th on 2` and
    `discard Kc`; `?` lists the legal actions, and `help` shows the other commands.
    """
    if sys.stdin is None:
        msg = "standard input is closed, so no one can play"
        raise Trouble(msg)
    file, players = table.file, table.players
    if resume is not None:
        if rules_name or table.names or table.options or players is not None:
            msg = "with --resume the game and its players come from the file"
            raise click.UsageError(msg)
        game = resumed(resume, table.seed)
        file = file or (None if game.state.from_position else resume)
    else:
        if not rules_name:
            msg = (
                "name a game (`rummyvariants presets` lists them) or a file of house "
                "rules"
            )
            raise click.UsageError(msg)
        rules = rules_with(rules_name, table.options)
        if file is not None and os.path.lexists(file) and file.is_file():
            msg = f"{file} exists already: continue it with --resume, or name another"
            raise click.UsageError(msg)
        if bots is not None and players is None and table.names is None:
            table = attrs.evolve(table, players=(humans or 1) + bots)
        seats = table.seats(rules, len(table.bot_names) + (humans or 1))
        game = Game(rv.game.begin(rules, seats, seed=seed_of(table.seed)))
    count = len(game.state.players)
    if humans is not None and bots is not None and humans + bots != count:
        some = f"{figure(humans, 'person')} and {figure(bots, 'bot')}"
        msg = f"{some} do not make {figure(count, 'player')}"
        raise click.UsageError(msg)
    persons = humans if humans is not None else count - bots if bots is not None else 1
    if not 1 <= persons <= count:
        msg = f"with {count} players, --humans can be 1 to {count}; see also `watch`"
        raise click.UsageError(msg)
    return play_game(screen, game, persons, table.bots(count - persons), file)


# ----------------------------------------------------------------------------- disputes


@commands.command()
@click.argument("asked", nargs=-1, required=True, metavar="FILE | PRESET QUESTION...")
@asks.OPTIONS
@asks.RULES_MODULES
@asks.number(
    "--most",
    "How many legal actions to list for each player.",
    1,
    1_000_000,
    default=40,
)
@asks.PLAIN
def ask(
    screen: Screen, asked: tuple[str, ...], options: tuple[str, ...], most: int
) -> None:
    """
    Settle a dispute: what the rules say about a scenario FILE, or about a QUESTION.

    A question says what lies where and what somebody wants to do, as far as that
    matters: "hand 7h 8h 2c; pile 9h 4d; take 9h", or, with the hands of two players,
    "hand Ann: 7h 8h 2c; hand Ben: 9s Kd; pile 9h; Ann: take". A plain sentence, "May I
    keep the top discard?", is answered from the rules.

    You get the ruling on each step, with the rule, then the legal actions, and the
    score if the round ended now.
    """
    if len(asked) == 1:
        if options:
            msg = "a scenario file names its options: write them there, under `rules`"
            raise click.UsageError(msg)
        if asked[0] in rv.presets():
            msg = (
                f'what is the question? Write it behind, as in {asked[0]} "hand 7h 8h"'
            )
            raise click.UsageError(msg)
        scenario = named_scenario(Path(asked[0]))
    else:
        name, *words = asked
        parted = any(" " in one.strip() for one in words)
        rules = rules_with(name, options)
        question = ("; " if parted else " ").join(words)
        try:
            scenario = scenario_of(rules, question)
        except rv.errors.ParseError:
            if not is_sentence(question):
                raise
            explain(screen, question.rstrip("?"), rules)
            return
    screen.line(scenario.title or asked[0])
    if scenario.problem is not None:
        screen.heading("This position is impossible:")
        screen.each(scenario.problem.problems)
        _rules(screen, dict.fromkeys(scenario.problem.rules))
        return
    if scenario.start is not None and scenario.start.assumed:
        screen.line(f"Assumed: {'; '.join(scenario.start.assumed)}.", 2)
    outcome = rv.files.run(scenario)
    for place, (line, ruling) in enumerate(outcome.rulings, 1):
        who = f"{line.seat}: " if line.seat else ""
        screen.heading(f"{place}. {who}{line.do}")
        screen.line(f"  {'Legal' if ruling else 'Refused'}: {ruling.reason}.", 2)
        _rules(screen, ruling.cites)
    left = len(scenario.step) - len(outcome.rulings)
    if left:
        steps = "step was" if left == 1 else "steps were"
        screen.line()
        screen.line(f"{left} more {steps} not checked.")
    elif scenario.expect:
        as_expected = "Everything is as the file expects."
        differs = "The file expects something else:"
        screen.line()
        screen.line(differs if outcome.differences else as_expected)
        screen.each(outcome.differences)
    state = outcome.state or scenario.start
    if state is not None and state.dealer is not None:
        _where_it_stands(screen, state, most)


def _rules(screen: Screen, ids: Iterable[str]) -> None:
    known = rv.rules.catalogue()
    screen.each(
        f"{titled(one)}: {known[one].text}" if one in known else one for one in ids
    )


def _rests_on_made_up(
    result: rv.game.RoundResult, state: rv.State, told: Collection[int]
) -> bool:
    """
    Whether a player whose hand is known scores for one that was made up.
    """
    made_up = [name for at, name in enumerate(state.players) if at not in told]
    reasons = [one.reason for one in result.items if one.seat in told]
    return any(name in reason.split() for name in made_up for reason in reasons)


def _where_it_stands(screen: Screen, state: rv.State, most: int) -> None:
    """
    The table, the hands, the legal actions and the score, but for made-up hands.
    """
    told = told_hands(state)
    drew = set[int | None]()
    if "the stock" in state.assumed:
        drew = {one.seat for one in state.history if isinstance(one, rv.actions.Draw)}
    if not state.is_round_over:
        screen.heading("On the table")
        for line in table_lines(state):
            screen.line(line, 5)
        screen.line(f"     {pile_line(state)}", 5)
        if told:
            screen.heading("Hands")
        for seat in told:
            hand = str(state.hands[seat]) or "no cards"
            made_up = "; what was drawn is made up" * (seat in drew)
            screen.line(f"  {state.players[seat]}: {hand}{made_up}", 4)
    for seat in state.to_act:
        if seat not in told:
            continue
        screen.heading(f"{state.players[seat]} may")
        actions = iter(rv.legal_actions(state, seat))
        some = [str(one) for one in itertools.islice(actions, most)]
        screen.each(some or ["nothing"])
        more = sum(1 for _ in itertools.islice(actions, COUNTED))
        if more:
            at_least = "at least " if more == COUNTED else ""
            screen.line(f"  ... and {at_least}{more} more")
    told = [seat for seat in told if seat not in drew]
    if state.phase == "choose":
        return
    result, title = state.result, "The score of the round"
    if not state.is_round_over:
        ending = "knock" if state.phase == "layoff" else "stock"
        result = rv.round_result(state, ending)
        title = "The score if the round ended now"
    if result is not None and told and not _rests_on_made_up(result, state, told):
        screen.heading(title)
        score_sheet(screen, result, state.players, told)
    if state.is_round_over:
        screen.line()
        screen.line("The round is over.")
        screen.blocks(match_blocks(state))
        screen.blocks(column_blocks(state.players, state.columns))
        screen.line(winners_line(state))


@commands.command()
@asks.GAME
@click.argument("hand", nargs=-1, required=True, metavar="HAND...")
@click.option(
    "--goal",
    type=click.Choice(rv.solver.GOALS),
    default=rv.solver.GOALS[0],
    help="What is best.",
)
@asks.OPTIONS
@asks.RULES_MODULES
@asks.PLAIN
def arrange(
    screen: Screen,
    rules_name: str,
    hand: tuple[str, ...],
    goal: str,
    options: tuple[str, ...],
) -> None:
    """
    Find the best that can be done with a HAND in a turn.

    HAND is cards, "7h 8h 9h 2c", or a hand and what lies where, as for `ask`: "hand 7h
    8h 2c; melds 9h Th Jh".
    """
    rules = rules_with(rules_name, options)
    asked = read_question(" ".join(hand))
    facts = {**asked.facts}
    cards = [*asked.actions, *([facts.pop("hand")] if "hand" in facts else [])]
    if len(cards) != 1:
        msg = 'give one hand, as in "7h 8h 9h 2c" or "hand 7h 8h 2c; melds 9h Th Jh"'
        raise rv.errors.RequestError(msg)
    screen.lines(str(rv.arrange(rules, cards[0], goal, **facts)))


@commands.command()
@click.argument("files", type=asks.READ, nargs=-1, required=True, metavar="FILE...")
@asks.RULES_MODULES
@asks.PLAIN
def check(screen: Screen, files: tuple[Path, ...]) -> int:
    """
    Check scenario files: one line each, `ok` or what differed.

    For a folder, all TOML files below it are checked. The exit status is 1 if any
    failed, 2 if a file could not be read. An error in the library fails its file.
    """
    status = 0
    for given in files:
        try:
            found = scenario_files(given)
        except rv.RummyError as error:
            screen.line(_one_line(error), 4)
            status = WRONG
            continue
        for file in found:
            said, its_status = _checked(file)
            screen.line(said, 4)
            status = max(status, its_status)
    return status


def _checked(file: Path) -> tuple[str, int]:
    """
    What is said of a scenario file, and the exit status.
    """
    try:
        differences = rv.files.run(named_scenario(file)).differences
    except rv.RummyError as error:
        message = _one_line(error)
        named = message.startswith(visible(str(file)))
        return message if named else f"{file}: {message}", WRONG
    except Exception as error:  # noqa: BLE001 -- one file must not stop the others
        message = f"an error in the library, please report it: {error!r}"
        return f"{file}: {message}", FAILED
    return f"{file}: {'; '.join(differences) or 'ok'}", FAILED if differences else 0


def _one_line(error: rv.RummyError) -> str:
    where = getattr(error, "where", "")
    problems = getattr(error, "problems", ()) or str(error).split("\n")
    message = "; ".join(" ".join(problem.split()) for problem in problems)
    return visible(f"{where}: {message}" if where else message)


# -------------------------------------------------------------------------------- rules


@commands.command()
@asks.GAME
@asks.OPTIONS
@asks.RULES_MODULES
@click.option(
    "--diff",
    "other",
    metavar="OTHER",
    shell_complete=asks.GAMES,
    help="Show only the policy values that differ in another game.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "html"]),
    default="text",
    help="The form of the rule sheet.",
)
@asks.PLAIN
def rules(
    screen: Screen,
    rules_name: str,
    options: tuple[str, ...],
    other: str | None,
    form: str,
) -> None:
    """
    Print the rule sheet of PRESET in plain sentences.

    Each sentence cites the ids of its rules; see `explain`. PRESET and OTHER are names
    of games or files of house rules.
    """
    chosen = named_rules(rules_name)
    if options:
        chosen = chosen.with_options(*options)
    if other is not None:
        if form != "text":
            msg = f"--diff writes text, not {form}"
            raise click.UsageError(msg)
        screen.lines(str(chosen.diff(named_rules(other))))
    elif form == "text":
        screen.lines(sheet(screen, chosen))
    else:
        click.echo(visible(rule_sheet(chosen, form).rstrip("\n")))
    for notice in chosen.notices if other is None else ():
        complain(f"Note: {notice}")


@commands.command(name="explain")
@asks.WORDS
@asks.OF_GAME
@asks.OPTIONS
@asks.RULES_MODULES
@asks.PLAIN
def explain_words(
    screen: Screen,
    words: tuple[str, ...],
    rules_name: str | None,
    options: tuple[str, ...],
) -> None:
    """
    Explain a rule, an option or a policy value, or answer a question.

    WORD is the id or the title of a rule or option, such as PG-15, or the name of a
    policy value, such as match.target, alone or with a value as in "match.target =
    1000". You get its text and what puts it in force. Other words are a question, such
    as "may I pick up the whole pile": what the rules say about it is listed, the best
    first.
    """
    if options and rules_name is None:
        msg = "--with adds an option to a game: name it with --game"
        raise click.UsageError(msg)
    rules = None if rules_name is None else rules_with(rules_name, options)
    explain(screen, " ".join(words), rules)


@commands.command(name="options")
@click.argument(
    "words", metavar="[WORD...] [PRESET]", nargs=-1, shell_complete=asks.GAMES
)
@asks.flag(
    "--all",
    "Also list options that change nothing in the game or are refused, and why.",
    "everything",
)
@asks.RULES_MODULES
@asks.PLAIN
def list_options_of(
    screen: Screen, words: tuple[str, ...], *, everything: bool
) -> None:
    """
    List the options that go with PRESET, those about some words, or all of them.

    Each has its text, and what it takes, needs and excludes. PRESET is the name of a
    game or a file of house rules. Options about WORDS, such as "joker", are listed the
    best first.
    """
    *others, last = words or ("",)
    is_game = (
        last in rv.presets()
        or Path(last).suffix
        or Path(last).is_file()
        or "did you mean" in no_preset(last)
    )
    about = " ".join(others if is_game else words)
    found = rv.options(about)
    if not found:
        msg = f"no option is found about {about!r}; try other words"
        raise rv.errors.RulesError(msg)
    if not is_game:
        for option in found.values():
            write_option(screen, option)
        return
    rules = named_rules(last)
    every = {fit.option.id: fit for fit in rv.rules.options_for(rules)}
    fits = [every[one] for one in found]
    for fit in fits:
        if everything or fit.status == "goes":
            write_option(screen, fit.option, fit)
    if not everything:
        count = Counter(fit.status for fit in fits)
        screen.line()
        screen.line(
            f"{count['goes']} options go with {rules.name}. {count['idle']} that "
            f"change nothing there and {count['refused']} that it refuses are left "
            "out; --all lists them with the reason."
        )


@commands.command(name="presets")
@asks.PLAIN
def list_presets(screen: Screen) -> None:
    """
    List the games that come with the library.
    """
    rows = []
    for name in rv.presets():
        one = rv.preset(name)
        low, high = one.match.players
        players = str(low) if low == high else f"{low} to {high}"
        rows.append((name, one.title, players, one.source))
    if screen.plain:
        screen.table(("name", "title", "players", "source"), rows)
        return
    for name, title, players, source in rows:
        screen.line(f"{name}  {title}, {players} players", 4)
        screen.line(f"    {source}", 4)
