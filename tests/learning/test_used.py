"""Numbers and words that no game needs are left out: gin uses nearly all it has."""

from __future__ import annotations

import random

from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants.bots import GreedyBot


np = pytest.importorskip("numpy")

RARE_WORDS = {"from", "to", "done"}
"""Words for several cards laid off at once, which few players ever hold."""
RARE_NUMBERS = {
    "last_round": 2,  # a round that nobody ends
    "deal": 2,  # deals that are thrown in
    "pile": 3,  # a round to the last card
    "melds": 16,  # the third meld of a hand
    "table": 36,  # two hands in melds
    "chosen": 23,  # a hand of many melds, named one by one
}
"""By field, how many numbers few games use."""


@pytest.mark.long
def test_gin_uses_nearly_all_words_and_numbers() -> None:
    spec = rv.learning.observation_spec("gin-rummy", 2)
    encoding = rv.learning.encoding("gin-rummy", 2)
    used = np.zeros(spec.size, bool)
    words: set[int] = set()
    chance = random.Random(1)
    for seed in range(120):
        state = rv.new_game("gin-rummy", 2, seed=seed)
        share = chance.random()
        while not state.is_over:
            for seat in range(2):
                used |= spec.vector(state, seat) != 0
            if state.phase == "deal":
                state = rv.game.deal(state)
                continue
            seat = state.to_act[0]
            if chance.random() > share:
                action = GreedyBot().choose(rv.view(state, seat), chance)
                state = rv.apply(state, action)
                continue
            at: Any = encoding.begin(state, seat)
            while isinstance(at, rv.learning.Selection):
                legal = encoding.legal(at)
                words.update(legal)
                used |= spec.vector(at) != 0
                at = encoding.decode(chance.choice(legal), at)
            state = rv.apply(state, at)
        for seat in range(2):
            used |= spec.vector(state, seat) != 0
    labels = encoding.labels
    never = {labels[at] for at in range(encoding.size) if at not in words}
    assert never <= RARE_WORDS
    for field in spec.fields:
        unused = int((~used[field.start : field.stop]).sum())
        assert unused <= RARE_NUMBERS.get(field.name, 0), field.name
