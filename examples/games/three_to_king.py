"""
A game written as a file: Three Thirteen once more, under another name.

The values are in `three_to_king.toml`, next to this file. The game is played beside the
preset, and nothing but the ids of the rules that it cites is different.
"""

from __future__ import annotations

import random

from pathlib import Path

import rummyvariants as rv


FILE = Path(__file__).with_suffix(".toml")
PLAYERS = ["Ann", "Ben", "Cleo"]


def main() -> None:
    """
    Play both games from the same deals with the same choices, and compare them.
    """
    ours, preset = rv.load_rules(FILE), rv.preset("three-thirteen")
    left = {one.value for one in ours.diff(preset)}
    print(f"{ours.title} differs from {preset.title} in: {', '.join(sorted(left))}")
    # With hands by round, and no target, these say nothing.
    assert left <= {"deal.hand_size", "match.target"}

    one, other = (
        rv.new_game(ours, PLAYERS, seed=5),
        rv.new_game(preset, PLAYERS, seed=5),
    )
    chance = random.Random(5)
    actions = 0
    while not one.is_over:
        if one.phase == "deal":
            one, other = rv.game.deal(one), rv.game.deal(other)
            continue
        legal = list(map(str, rv.legal_actions(one)))
        assert legal == list(map(str, rv.legal_actions(other)))
        action = chance.choice(legal)
        one, other = rv.apply(one, action), rv.apply(other, action)
        actions += 1
        assert one.hands == other.hands
        if one.result is not None:
            assert other.result is not None
            assert one.result.points == other.result.points
    assert one.scores == other.scores
    assert one.winners == other.winners
    print(f"{actions} actions later the scores of both are {one.scores}.")
    for state in (one, other):
        assert state.result is not None
        ended = f"The last round of {state.rules.title} ended by {state.result.rule}."
        print(ended)


if __name__ == "__main__":
    main()
