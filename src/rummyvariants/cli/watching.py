"""The commands that show a game without a player at the terminal."""

from __future__ import annotations

import sys

from pathlib import Path
from typing import Final

import click

import rummyvariants as rv

from rummyvariants.bots import play_on
from rummyvariants.cli import parameters as asks
from rummyvariants.cli.files import Interruption, keep, seed_of
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.seats import Table, asks_for_table, rules_with
from rummyvariants.cli.show import ruling_lines
from rummyvariants.cli.statuses import FAILED
from rummyvariants.cli.telling import Telling
from rummyvariants.files._records import who_acts
from rummyvariants.files._table_text import game_title


_FIRST_PROMPT: Final = "[Enter goes on, q ends] "
_PROMPT: Final = ": "
_STEP: Final = asks.flag(
    "--step", "Wait for Enter after each action; q stops.", "by_step"
)


class _Pace:
    """
    Waits after each action, so that it can be read before the next one.

    Prompts go to standard error, so that a file or a pipe holds only the game.

    Args:
        by_step: Whether to wait at all.
        interruption: The object that notes signals.
    """

    def __init__(self, interruption: Interruption, *, by_step: bool) -> None:
        self._prompt = _FIRST_PROMPT
        self._by_step = by_step
        self._waits = sys.stdin is not None
        self._interruption = interruption

    def after(self, step: rv.Step, telling: Telling) -> bool:
        """
        Write an action and wait, if there was anything to show.

        Returns:
            Whether to go on.
        """
        wrote = telling.step(step)
        if not self._by_step:
            return True
        wrote = telling.pause() or wrote
        if not (wrote and self._waits) or step.after.is_over:
            return True
        asks = sys.stdin.isatty()
        if asks:
            click.echo(self._prompt, err=True, nl=False)
            self._prompt = _PROMPT
        with self._interruption.raising(at_once=True):
            line = sys.stdin.readline()
        self._waits = bool(line)
        if asks and not line:
            click.echo(err=True)
        return line.strip().casefold() not in {"q", "quit", "exit"}


@click.command()
@asks.GAME
@asks_for_table
@asks.number("--rounds", "Stop after this many rounds.", 1, metavar="K")
@asks.flag("--full", "Show every turn of every round, not only of the last one.")
@_STEP
@asks.PLAIN
def watch(
    screen: Screen,
    rules_name: str,
    table: Table,
    rounds: int | None,
    *,
    full: bool,
    by_step: bool,
) -> int:
    """
    Watch bots play a game of PRESET to its score sheet.

    Each round is summed up in two lines; the last one is shown turn by turn. PRESET is
    the name of a game (see `rummyvariants presets`) or a file of house rules. The
    record is written after each round, and when the game is interrupted.
    """
    rules = rules_with(rules_name, table.options)
    seats = table.seats(rules, len(table.bot_names))
    seed = seed_of(table.seed)
    state = rv.game.begin(rules, seats, seed=seed)
    bots = table.bots(len(seats))
    screen.line(f"{game_title(rules)}, {len(seats)} players, seed {seed}")
    telling = Telling(screen, state, full=full or by_step, last=rounds)
    with Interruption().heard() as interruption:
        pace = _Pace(interruption, by_step=by_step)
        try:
            keep(table.file, state)
            for step in play_on(state, bots, seed):
                state = step.after
                goes_on = pace.after(step, telling)
                if interruption.signal or not goes_on:
                    break
                if state.is_round_over:
                    keep(table.file, state)
                    if telling.finished == rounds:
                        break
        except KeyboardInterrupt:
            if not by_step:
                raise
            click.echo(err=True)
        finally:
            keep(table.file, state)
        if not interruption.signal:
            telling.end(state)
            return 0
        telling.pause()
    where = f"; what was played is in {table.file}" if table.file is not None else ""
    click.echo(f"Interrupted in round {state.round_number}{where}.", err=True)
    return interruption.status


@click.command()
@click.argument("file", type=asks.READ)
@asks.RULES_MODULES
@_STEP
@asks.PLAIN
def replay(screen: Screen, file: Path, *, by_step: bool) -> int:
    """
    Replay the game of a record FILE.

    If an action is not legal, its ruling is shown and the exit status is 1.
    """
    game = rv.files.load_record(file)
    state = rv.game.begin(game.rules, game.players, seed=game.seed)
    screen.line(f"{game_title(game.rules)}, {len(game.players)} players")
    if game.notes:
        screen.line(game.notes)
    telling = Telling(screen, state)
    pace = _Pace(Interruption(), by_step=by_step)
    try:
        for step in rv.files.replay_steps(game):
            state = step.after
            if not pace.after(step, telling):
                break
    except rv.files.ReplayError as error:
        telling.pause()
        name = who_acts(state, error.action)
        who = f"{name}: " if name else ""
        screen.heading(f"Action {error.number} is not legal")
        screen.line(f"  {who}{error.action}", 4)
        screen.each(ruling_lines(error.ruling), 6)
        return FAILED
    telling.end(state)
    return 0
