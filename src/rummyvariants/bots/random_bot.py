"""
A player that plays at random.
"""

from __future__ import annotations

import random

import attrs

from rummyvariants.game._views import View
from rummyvariants.game.actions import Action


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
