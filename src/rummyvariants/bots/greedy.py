"""
A player that lays what it can and discards what costs most.
"""

from __future__ import annotations

import itertools
import random

from collections.abc import Iterator
from typing import Final

import attrs

from rummyvariants.actions import Action, Discard, Draw, Pass, Take
from rummyvariants.bots.base import first_legal
from rummyvariants.bots.concealed import concealed
from rummyvariants.bots.plays import TRIES, calls, can_lay, plays, sizes
from rummyvariants.cards import CARDS, UNIT, faces
from rummyvariants.engine.draws import refuse_draw
from rummyvariants.engine.plays import AnyState, terms_of
from rummyvariants.views import View


_DEPTH: Final = 10
"""How deep into the discard pile it looks."""


@attrs.frozen
class GreedyBot:
    """
    Lays what it can, big points first, and sheds what costs most.

    It takes discards if that lets it put more points on the table than it gets into its
    hand, calls whenever it can, and keeps no card for what it might become.
    """

    def choose(self, view: View, rng: random.Random) -> Action:
        """
        The legal action that looks best; see `Bot`.
        """
        assert view.seat is not None  # noqa: S101 -- a spectator is asked nothing
        return greedy(view.world, view.seat, rng)


def greedy(state: AnyState, seat: int, rng: random.Random) -> Action:
    """
    What the greedy bot does; see `Decide`.
    """
    del rng
    return first_legal(state, seat, _wanted(state, seat))


def _wanted(state: AnyState, seat: int) -> Iterator[Action]:
    if state.match.rules.meld.concealed and state.phase != "choose":
        yield from concealed(state, seat)
        return
    match state.phase:
        case "draw":
            yield from _draws(state, seat)
        case "play":
            yield from plays(state, seat)
            yield from _discards(state, seat)
        case "call":
            yield from calls(state, seat)
            yield Pass(seat)
        case "choose":
            yield from sizes(state, seat)
        case _:
            yield from _discards(state, seat)


def _draws(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The take that brings most, if one brings anything; then the stock.
    """
    worth = terms_of(state).worth
    hand = state._hands[seat]
    before = can_lay(state, seat, hand)
    taken = gained = 0
    takes = []
    top_first = itertools.islice(reversed(state._discards), _DEPTH)
    for count, code in enumerate(top_first, 1):
        taken += UNIT[code]
        gained += worth[code]
        more = can_lay(state, seat, hand + taken) - before
        value = more - max(gained - more, 0)
        if more > 0 and value > 0:
            takes.append((-value, count))
    for _, count in itertools.islice(sorted(takes), TRIES):
        yield Take(count, seat)
    yield Draw(seat) if refuse_draw(state) is None else Pass(seat)


def _discards(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The cards of the hand, the dearest in front, wilds last.
    """
    terms = terms_of(state)
    hand = state._hands[seat]

    def keep(code: int) -> tuple[bool, int, int]:
        return terms.wild[code], -terms.worth[code], code

    for code in sorted(faces(hand), key=keep):
        yield Discard(CARDS[code], seat)
