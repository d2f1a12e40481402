"""
A bot that plays at random.
"""

from __future__ import annotations

import random

import attrs

from rummyvariants import View
from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action
from rummyvariants.bots.base import deciding


@attrs.frozen
class RandomBot:
    """
    Plays at random, as `LegalActions.sample` does.

    Such players can lose points round after round, so a match between them may never
    end.

    >>> import random
    >>> view = rv.view(rv.new_game("rummy-500", 2), 0)
    >>> rv.bots.RandomBot().choose(view, random.Random(1)) in view.legal_actions
    True
    """

    @explained
    def choose(self, view: View, rng: random.Random) -> Action:
        """
        Choose a legal action at random; see `Bot`.
        """
        deciding(view.world, view.seat)
        return view.legal_actions.sample(rng.randrange)
