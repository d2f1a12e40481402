"""The commands that show a game without a player at the terminal."""

from __future__ import annotations

import contextlib
import sys

from pathlib import Path
from typing import Final

import click

from rummyvariants.bots import play_on
from rummyvariants.cli.files import Interruption, seed_of, write_whole
from rummyvariants.cli.parameters import (
    BOTS,
    GAME,
    NAMES,
    PLAYERS,
    RECORD,
    RULES_MODULES,
    SEED,
    TIME_LIMIT,
    file_argument,
    plain,
    with_options,
)
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.seats import bots_of, players_of, rules_with
from rummyvariants.cli.show import game_title, ruling_lines
from rummyvariants.cli.statuses import FAILED
from rummyvariants.cli.telling import Telling
from rummyvariants.files._records import (
    ReplayError,
    load_record,
    record,
    replay_steps,
    who_acts,
)
from rummyvariants.game._engine.beginning import begin
from rummyvariants.game._engine.steps import Step
from rummyvariants.game._state import State


_FIRST_PROMPT: Final = "[Enter goes on, q ends] "
_PROMPT: Final = ": "
_STEP: Final = click.option(
    "--step",
    "by_step",
    is_flag=True,
    help="Wait for Enter after each action; q stops.",
)


class _Pace:
    """
    Waits after each action, so that it can be read before the next one.

    Prompts go to standard error, so that a file or a pipe holds only the game.

    Args:
        by_step: Whether to wait at all.
        interruption: The object that notes signals; None for none.
    """

    def __init__(
        self, *, by_step: bool, interruption: Interruption | None = None
    ) -> None:
        self._prompt = _FIRST_PROMPT
        self._by_step = by_step
        self._waits = sys.stdin is not None
        self._interruption = interruption

    def after(self, step: Step, telling: Telling) -> bool:
        """
        Write an action and wait, if there was anything to show.

        Returns:
            Whether to go on.
        """
        wrote = telling.step(step)
        if not self._by_step:
            return True
        wrote = telling.pause() or wrote
        waits = wrote and self._waits and not step.after.is_over
        return not waits or self._is_to_go_on()

    def _is_to_go_on(self) -> bool:
        asks = sys.stdin.isatty()
        if asks:
            click.echo(self._prompt, err=True, nl=False)
            self._prompt = _PROMPT
        with contextlib.ExitStack() as stack:
            if self._interruption is not None:
                stack.enter_context(self._interruption.at_once())
            line = sys.stdin.readline()
        self._waits = bool(line)
        if asks and not line:
            click.echo(err=True)
        return line.strip().casefold() not in {"q", "quit", "exit"}


@click.command()
@GAME
@PLAYERS
@NAMES
@BOTS
@TIME_LIMIT
@with_options()
@RULES_MODULES
@SEED
@RECORD
@click.option(
    "--rounds",
    type=click.IntRange(1),
    metavar="K",
    help="Stop after this many rounds.",
)
@click.option(
    "--full",
    is_flag=True,
    help="Show every turn of every round, not only of the last one.",
)
@_STEP
@plain
@click.pass_context
def watch(
    context: click.Context,
    screen: Screen,
    rules_name: str,
    players: int | None,
    names: str | None,
    bot_names: tuple[str, ...],
    seconds: float | None,
    options: tuple[str, ...],
    seed: str | None,
    file: Path | None,
    rounds: int | None,
    *,
    full: bool,
    by_step: bool,
) -> None:
    """
    Watch bots play a game of PRESET to its score sheet.

    Each round is summed up in two lines; the last one is shown turn by turn. PRESET is
    the name of a game (see `rummyvariants presets`) or a file of house rules. The
    record is written after each round, and when the game is interrupted.
    """
    rules = rules_with(rules_name, options)
    seats = players_of(rules, players, names, len(bot_names))
    chosen = seed_of(seed)
    state = begin(rules, seats, seed=chosen)
    bots = bots_of(bot_names, len(seats), seconds)
    screen.line(f"{game_title(rules)}, {len(seats)} players, seed {chosen}")
    telling = Telling(screen, state, full=full or by_step, last=rounds)
    with Interruption() as interruption:
        pace = _Pace(by_step=by_step, interruption=interruption)
        try:
            _keep(file, state)
            for step in play_on(state, bots, chosen):
                state = step.after
                goes_on = pace.after(step, telling)
                if interruption.signal or not goes_on:
                    break
                if state.is_round_over:
                    _keep(file, state)
                    if telling.finished == rounds:
                        break
        except KeyboardInterrupt:
            if not by_step:
                raise
            click.echo(err=True)
        finally:
            _keep(file, state)
        if not interruption.signal:
            telling.end(state)
            return
        telling.pause()
    where = f"; what was played is in {file}" if file is not None else ""
    click.echo(f"Interrupted in round {state.round_number}{where}.", err=True)
    context.exit(interruption.status)


def _keep(file: Path | None, state: State) -> None:
    if file is not None:
        write_whole(file, str(record(state)))


@click.command()
@file_argument("file")
@RULES_MODULES
@_STEP
@plain
@click.pass_context
def replay(
    context: click.Context, screen: Screen, file: Path, *, by_step: bool
) -> None:
    """
    Replay the game of a record FILE.

    If an action is not legal, its ruling is shown and the exit status is 1.
    """
    game = load_record(file)
    state = begin(game.rules, game.players, seed=game.seed)
    screen.line(f"{game_title(game.rules)}, {len(game.players)} players")
    if game.notes:
        screen.line(game.notes)
    telling = Telling(screen, state)
    pace = _Pace(by_step=by_step)
    try:
        for step in replay_steps(game):
            state = step.after
            if not pace.after(step, telling):
                break
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
