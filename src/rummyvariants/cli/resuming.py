"""
A game at the terminal as a value, and the files that it comes from and is kept in.
"""

from __future__ import annotations

from pathlib import Path

import attrs
import click

from rummyvariants._support import toml
from rummyvariants.cli.files import seed_of
from rummyvariants.errors import RecordError
from rummyvariants.files._records import load_record, read_text, record, replay_steps
from rummyvariants.files._scenarios import load_scenario, run, scenario_text
from rummyvariants.game._engine.beginning import next_deal
from rummyvariants.game._engine.game import apply
from rummyvariants.game._round import RoundResult
from rummyvariants.game._state import State
from rummyvariants.game.events import RoundEnded


@attrs.frozen
class Game:
    """
    A game with what happened in it so far.

    Attributes:
        state: Where it stands.
        rounds: The number of each round that is over, with its points.
        result: The result of the last of them.
    """

    state: State
    rounds: tuple[tuple[int, tuple[int, ...]], ...] = ()
    result: RoundResult | None = None

    def after(self, state: State, events: tuple[object, ...]) -> Game:
        """
        The game after a step.
        """
        for event in events:
            if isinstance(event, RoundEnded):
                ended = (state.round_number, event.points)
                return Game(state, (*self.rounds, ended), state.result)
        return attrs.evolve(self, state=state)


def resumed(path: Path, seed: str | None) -> Game:
    """
    The game of a record, or the one that a saved position begins.

    Args:
        path: A record or a scenario file.
        seed: What the deals after a saved position come from.

    Raises:
        RummyError: If the file is neither, or is not legal.
    """
    try:
        given = toml.read(read_text(path))
    except ValueError as error:
        raise RecordError(str(error), where=str(path)) from None
    if "position" in given or "deal" in given:
        state = run(load_scenario(path)).state
        if state is None:
            msg = "its position is one that must be refused, so it cannot be played"
            raise RecordError(msg, where=str(path))
        match = attrs.evolve(state.match, seed=seed_of(seed))
        return Game(attrs.evolve(state, match=match))
    if seed is not None:
        msg = "a record has its seed in it"
        raise click.UsageError(msg)
    found = load_record(path)
    game: Game | None = None
    for done in replay_steps(found):
        game = (game or Game(done.before)).after(done.after, done.events)
    if game is None:
        msg = "no round of this record was dealt"
        raise RecordError(msg, where=str(path))
    return game


def kept_text(state: State) -> str:
    """
    A game as a file from which it can be resumed: its record, if it has one.

    What began from a position is written as another one; between two rounds there is
    none, so the next round is dealt for it.
    """
    if not state.from_position:
        return str(record(state))
    while state.phase == "deal":
        state = apply(state, next_deal(state))
    return position_text(state)


def position_text(state: State) -> str:
    """
    Where a round stands, as a scenario file.

    Raises:
        PositionError: If no round is being played.
    """
    names = ", ".join(state.players)
    title = f"{state.rules.title}: {names} in round {state.round_number}"
    return scenario_text(state, title=title)
