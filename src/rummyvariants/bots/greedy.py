"""
A bot that lays what it can and discards its highest cards.
"""

from __future__ import annotations

import random

import attrs

from rummyvariants.bots.base import first_legal
from rummyvariants.bots.concealed import concealed
from rummyvariants.bots.contracts import contracted
from rummyvariants.bots.plays import dearest, wishes
from rummyvariants.bots.ranked import ranked
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._views import View
from rummyvariants.game.actions import Action


@attrs.frozen
class GreedyBot:
    """
    Lays what it can, most points first, and discards its highest cards.

    It takes discards if that lets it put more points on the table than it adds to its
    hand, calls whenever it can, and keeps no card for what it might become.
    """

    def choose(self, view: View, rng: random.Random) -> Action:
        """
        Choose the legal action that looks best; see `Bot`.
        """
        del rng
        assert view.seat is not None  # noqa: S101 -- a spectator is asked nothing
        return greedy(view.world, view.seat)

    def decide(self, state: AnyState, seat: int) -> Action:
        """
        Choose the same in a state, by what the seat may see of it.
        """
        return greedy(state, seat)


def greedy(state: AnyState, seat: int) -> Action:
    """
    The greedy bot's choice in a state, or a draft of one, in which the seat may act.
    """
    wanted = wishes(
        state,
        seat,
        junk=1,
        spare=dearest,
        concealed=concealed,
        contracted=contracted,
        ranked=ranked,
    )
    return first_legal(state, seat, wanted)
