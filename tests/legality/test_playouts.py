"""Games played on at random, to their end or a part of the way."""

from __future__ import annotations

import random

import pytest

import composition
import rummyvariants as rv

from rummyvariants import playout
from rummyvariants.testing.states import fingerprint


@pytest.mark.parametrize("name", rv.presets())
def test_a_playout_takes_steps_that_apply_takes(name: str) -> None:
    low, high = rv.preset(name).match.players
    start = rv.new_game(name, max(low, min(3, high)), seed=1)
    before = fingerprint(start)
    end = playout(start, random.Random(2).randrange)
    assert fingerprint(start) == before
    assert end.is_round_over
    state = start
    for action in end.history[len(start.history) :]:
        assert action in rv.legal_actions(state)
        state = rv.apply(state, action)
    assert state == end
    assert rv.replay(rv.record(end)) == end


@pytest.mark.parametrize("seed", range(40))
def test_playouts_of_options_put_together_replay(seed: int) -> None:
    game = composition.sample(500_000 + seed)
    try:
        start = rv.game.begin(game.rules(), game.players, seed=seed)
    except rv.errors.RulesError:
        return
    end = playout(start, random.Random(seed).randrange, until="match", actions=150)
    assert rv.replay(rv.record(end)) == end


def test_a_playout_goes_on_from_any_state() -> None:
    """
    In the middle of a turn, between rounds, and where nothing is left to do.
    """
    randrange = random.Random(3).randrange
    state = rv.new_game("rummy-500", 2, seed=5)
    state = playout(state, randrange, actions=7)
    assert sum(not isinstance(one, rv.actions.Deal) for one in state.history) == 7
    state = playout(state, randrange)
    assert state.is_round_over
    assert playout(state, randrange) == state
    again = playout(state, randrange, until="match", actions=1)
    assert again.round_number == state.round_number + 1
    over = playout(state, randrange, until="match")
    assert over.is_over
    assert playout(over, randrange, until="match") == over


def test_a_playout_depends_on_its_arguments_alone() -> None:
    start = rv.new_game("rummy-5000", 4, seed=1)
    first, second = (playout(start, random.Random(8).randrange) for _ in range(2))
    assert first == second
    assert first.history == second.history


def test_where_a_playout_ends_is_round_or_match() -> None:
    start = rv.new_game("rummy-500", 2, seed=1)
    with pytest.raises(ValueError, match="until is 'turn', but has to be"):
        playout(start, random.Random(1).randrange, until="turn")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="actions is -1"):
        playout(start, random.Random(1).randrange, actions=-1)
