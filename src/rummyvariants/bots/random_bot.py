"""
A player that plays at random.
"""

from __future__ import annotations

import random

import attrs

from rummyvariants.actions import Action
from rummyvariants.engine.plays import AnyState
from rummyvariants.moves import sample
from rummyvariants.views import View


@attrs.frozen
class RandomBot:
    """
    Plays at random, as `LegalActions.sample` does.

    Players like that can lose points round by round, and so a match among them need not
    end.
    """

    def choose(self, view: View, rng: random.Random) -> Action:
        """
        Some legal action; see `Bot`.
        """
        return view.legal_actions.sample(rng.randrange)


def at_random(state: AnyState, seat: int, rng: random.Random) -> Action:
    """
    What the random bot does; see `Decide`.
    """
    return sample(state, (seat,), rng.randrange)
