"""
Random matches, with every invariant looked at.

``python tests/legality/test_random_games.py --matches 1000`` plays that many, spread
over the presets and every number of players that they permit.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

import pytest

import rummyvariants as rv

from amounts import every_third
from rummyvariants.testing import play_match


TABLES = [
    (name, players)
    for name in rv.presets()
    for players in range(
        rv.preset(name).match.players[0], rv.preset(name).match.players[1] + 1
    )
]
# Random players lose points round by round where many hands are subtracted, so that a
# match has to be left some time: this many rounds are enough to see all of a game.
ROUNDS = 30


def whole_match(name: str, players: int, seed: int) -> rv.State:
    """
    A match of random players to its end, or through many rounds; nothing looked at.
    """
    randrange = random.Random(seed).randrange
    state = rv.new_game(name, players, seed=seed)
    while not state.is_over and state.round_number <= ROUNDS:
        if state.phase == "deal":
            state = rv.game.deal(state)
            continue
        assert state.to_act
        state = rv.apply(state, rv.legal_actions(state).sample(randrange))
    return state


@pytest.mark.parametrize(("name", "players"), every_third(TABLES))
def test_random_matches_come_to_an_end_or_go_on(name, players):
    ended = [whole_match(name, players, seed) for seed in range(3)]
    for state in ended:
        assert state.is_over or state.round_number > ROUNDS
        assert bool(state.winners) == state.is_over
        # The columns of a score are compared with their bonuses, sides as a whole.
        totals = state.final_scores if state.columns else state.scores
        aim = min if state.rules.match.winner == "lowest" else max
        best = aim(state.by_side(totals))
        for side, total in zip(state.sides, state.by_side(totals), strict=True):
            assert total == best or not {*side} & {*state.winners}


@pytest.mark.long
@pytest.mark.parametrize(("name", "players"), every_third(TABLES, pytest.mark.slow))
def test_every_invariant_holds_in_random_play(name, players):
    play_match(name, players, seed=f"{name} {players}", limit=250, every=16)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_invariant_holds_in_whole_matches(name, players):
    for seed in range(10):
        play_match(name, players, seed=seed, limit=5_000)


def main() -> int:
    """
    Play many matches, and report how they went.
    """
    parser = argparse.ArgumentParser(description="play random matches")
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    started = time.perf_counter()
    ended = rounds = 0
    for number in range(given.matches):
        name, players = TABLES[number % len(TABLES)]
        state = whole_match(name, players, given.seed + number)
        ended += state.is_over
        rounds += state.round_number
    took = time.perf_counter() - started
    print(
        f"{given.matches} matches, {ended} to their end, the others through {ROUNDS} "
        f"rounds; {rounds} rounds, none stuck, {took:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
