"""
Whether what is written of a state reads back.
"""

from __future__ import annotations

import random

from collections.abc import Collection

import attrs

import rummyvariants as rv


def keeps(
    state: rv.State,
    chance: random.Random,
    phases: Collection[str] = ("draw", "play", "answer"),
) -> None:
    """
    Assert that what is written of a state reads back: as JSON, record and position.

    Args:
        state: The state.
        chance: What the worlds of a view come from.
        phases: Where a state is written as a position as well.
    """
    assert rv.files.from_json(rv.files.to_json(state), rv.State) == state
    assert rv.replay(str(rv.record(state))) == state
    for seat in (None, *range(len(state.players))):
        view = rv.view(state, seat)
        assert rv.files.from_json(rv.files.to_json(view), rv.View) == view
        world = rv.determinize(view, chance)
        assert rv.files.from_json(rv.files.to_json(world), rv.State) == world
    if state.phase in phases:
        scenario = rv.files.parse_scenario(rv.files.scenario_text(state))
        start = scenario.start
        assert start is not None
        assert start.drawn.cards == state.drawn.cards
        # It does not say which cards were played since the draw.
        assert start == attrs.evolve(state, match=start.match, drawn=start.drawn)
