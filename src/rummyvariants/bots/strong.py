"""
A bot that plays as the careful one does, save where it knows something better.
"""

from __future__ import annotations

import functools
import random

from typing import Final

import attrs

from rummyvariants.bots.advantages import Family, Learned, packaged
from rummyvariants.bots.base import first_legal
from rummyvariants.bots.careful import careful
from rummyvariants.bots.knocking import Knocking
from rummyvariants.bots.laying import Laying
from rummyvariants.bots.turns import whole_turn
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._views import View
from rummyvariants.game.actions import Action
from rummyvariants.rules import Ruleset


FAMILIES: Final[tuple[Family, ...]] = (
    Knocking(),
    Laying("laying, rummy-500"),
    Laying("laying, rummy-5000"),
    Laying("laying, 2500-house"),
)
"""The families of games that something may have been learned of."""


@attrs.frozen
class StrongBot:
    """
    Plays as the careful bot does, save where a turn can lay more, or a rival gains.

    What rivals gain was learned from rounds of the careful bot, played on both with its
    choice and with the rival. Where nothing was learned, under other options too, it
    differs from the careful bot only in turns that lay more points.
    """

    def choose(self, view: View, rng: random.Random) -> Action:
        """
        Choose the careful bot's action, or a better one; see `Bot`.
        """
        del rng
        assert view.seat is not None  # noqa: S101 -- a spectator is asked nothing
        return self.decide(view.world, view.seat)

    def decide(self, state: AnyState, seat: int) -> Action:
        """
        Choose the same in a state, by what the seat may see of it.
        """
        return strong(state, seat)


def strong(state: AnyState, seat: int) -> Action:
    """
    The strong bot's choice in a state, or a draft of one, in which the seat may act.
    """
    known = _known(state.match.rules, len(state._hands))
    base = whole_turn(state, seat, careful(state, seat))
    return base if known is None else improved(state, seat, known, base)


def improved(state: AnyState, seat: int, known: Learned, base: Action) -> Action:
    """
    A base choice, or the rival of it that is known to gain most.
    """
    better = known.better(state, seat, base)
    return first_legal(state, seat, [*better, base]) if better else base


@functools.lru_cache(maxsize=64)
def _known(rules: Ruleset, players: int) -> Learned | None:
    """
    What has been learned for a game, if anything.
    """
    found = [one for one in packaged(FAMILIES) if one.holds(rules, players)]
    return found[0] if found else None
