"""
A game at the terminal as a value, and the files that hold it.
"""

from __future__ import annotations

from pathlib import Path

import attrs
import click

import rummyvariants as rv

from rummyvariants._support import toml
from rummyvariants.cli.files import named_scenario, seed_of
from rummyvariants.cli.show import rows_of
from rummyvariants.files._records import read_text
from rummyvariants.files._score_text import Row


@attrs.frozen
class Game:
    """
    A game and its course so far.

    Attributes:
        state: The current state.
        rounds: What changed the totals so far, as by `rows_of`.
    """

    state: rv.State
    rounds: tuple[Row, ...] = ()

    def after(self, step: rv.Step) -> Game:
        """
        The game after a step.
        """
        return Game(step.after, (*self.rounds, *rows_of(step)))


def resumed(path: Path, seed: str | None) -> Game:
    """
    The game of a record, or one that starts from a saved position.

    Args:
        path: A record or a scenario file.
        seed: The seed of the deals after a saved position.

    Raises:
        RummyError: If the file is neither, or is not legal.
    """
    try:
        given = toml.read(read_text(path))
    except ValueError as error:
        raise rv.errors.RecordError(str(error), where=str(path)) from None
    if "position" in given or "deal" in given:
        state = rv.files.run(named_scenario(path)).state
        if state is None:
            msg = "its position is meant to be refused, so it cannot be played"
            raise rv.errors.RecordError(msg, where=str(path))
        match = attrs.evolve(state.match, seed=seed_of(seed))
        return Game(attrs.evolve(state, match=match))
    if seed is not None:
        msg = "a record has its own seed: leave out --seed"
        raise click.UsageError(msg)
    found = rv.files.load_record(path)
    game: Game | None = None
    for done in rv.files.replay_steps(found):
        game = (game or Game(done.before)).after(done)
    if game is None:
        msg = "no round of this record was dealt"
        raise rv.errors.RecordError(msg, where=str(path))
    return game


def kept_text(state: rv.State) -> str:
    """
    A game as the text of a file to resume it from: its record, if it has one.

    A game that began from a position is written as a new position; between two rounds
    there is none, so the next round is dealt first.
    """
    if not state.from_position:
        return str(rv.record(state))
    while state.phase == "deal":
        state = rv.apply(state, rv.game.next_deal(state))
    return position_text(state)


def position_text(state: rv.State) -> str:
    """
    The current position of a round, as a scenario file.

    Raises:
        PositionError: If no round is being played.
    """
    names = ", ".join(state.players)
    title = f"{state.rules.title}: {names} in round {state.round_number}"
    return rv.files.scenario_text(state, title=title)
