"""
A bot that lays what it can and discards its highest cards.
"""

from __future__ import annotations

import random

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants.bots.base import deciding, first_legal
from rummyvariants.bots.concealed import concealed
from rummyvariants.bots.contracts import contracted
from rummyvariants.bots.plays import dearest, wishes
from rummyvariants.bots.ranked import ranked
from rummyvariants.errors import Seat
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

    @explained
    def choose(self, view: View, rng: random.Random) -> Action:
        """
        Choose the legal action that looks best; see `Bot`.
        """
        del rng
        return greedy(view.world, deciding(view.world, view.seat))

    @explained
    def decide(self, state: AnyState, seat: Seat) -> Action:
        """
        Choose the same in a state, by what the seat may see of it.
        """
        return greedy(state, deciding(state, seat))


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
