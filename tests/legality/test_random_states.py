"""What is legal in states of random games, compared with all that could be written."""

from __future__ import annotations

import attrs
import pytest

import composition
import random_states
import rummyvariants as rv

from random_states import Tally, compare_games


pytestmark = pytest.mark.long


STATES = 4_200
MANY_STATES = 20_000
FIRST = 2_000_000
"""Seeds of their own: the long runs begin at 0."""


def compare(states: int, first: int) -> Tally:
    """
    Compare so many states, and see to it that none of them fails.
    """
    tally = Tally()
    # Some more where chance has left a game out.
    for tally in compare_games(2 * states, first):
        for found in tally.failures:
            small = random_states.smallest(found.game)
            pytest.fail(f"{small.game}\n{small.failed}\n{small.position}")
        if len(tally.keys) >= states and len(tally.bases) == len(composition.GAMES):
            break
    return tally


def test_some_states() -> None:
    tally = compare(STATES, FIRST)
    assert len(tally.keys) >= STATES
    assert set(tally.bases) == set(composition.GAMES)
    assert {"draw", "play", "call"} <= set(tally.phases)


@pytest.mark.slow
def test_many_states() -> None:
    tally = compare(MANY_STATES, FIRST + 10_000)
    shares = {phase: number / MANY_STATES for phase, number in tally.phases.items()}
    later = {"stock", "rejoin", "offer", "buy", "layoff"}
    assert set(shares) == {"draw", "play", "call", "discard", "choose", *later}
    assert shares["play"] > 0.3
    assert shares["draw"] > 0.1
    assert shares["call"] > 0.01
    assert set(tally.bases) == set(composition.GAMES)
    assert set(tally.players) == {2, 3, 4, 5, 6}
    assert len(tally.named) > 0.9 * len(composition.OPTIONS)


def test_a_failure_is_made_small() -> None:
    """
    A twin that knows another ace finds a difference, and says where.
    """
    with pytest.MonkeyPatch.context() as patch:

        def look(state: rv.State) -> None:
            assert state.phase != "play" or state.turn != 1, "seat 1 plays"

        patch.setattr(random_states, "look_closely", look)
        game = attrs.evolve(
            random_states.game(3), base="rummy-500", options=("PGV-P7",), players=3
        )
        found = random_states.smallest(game)
    assert "seat 1 plays" in found.failed
    assert (found.game.options, found.game.players) == ((), 2)
    state = rv.files.parse_scenario(found.position).start
    assert state is not None
    assert (state.phase, state.turn) == ("play", 1)
