"""
A bot that lays what it can and discards its highest cards.
"""

from __future__ import annotations

import random

import attrs

from rummyvariants.bots.base import first_legal
from rummyvariants.bots.concealed import concealed
from rummyvariants.bots.plays import wishes
from rummyvariants.cards import faces
from rummyvariants.game._engine.plays import AnyState, terms_of
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
        wanted = wishes(
            view.world, view.seat, junk=1, spare=_dearest, concealed=concealed
        )
        return first_legal(view.world, view.seat, wanted)


def _dearest(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, the highest points first, wilds last.
    """
    terms = terms_of(state)

    def keep(code: int) -> tuple[bool, int, int]:
        return terms.wild[code], -terms.worth[code], code

    return sorted(faces(state._hands[seat]), key=keep)
