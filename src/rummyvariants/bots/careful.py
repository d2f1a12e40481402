"""
A player that follows the advice of those who play these games (HR-19).
"""

from __future__ import annotations

import itertools
import random

from collections.abc import Iterator

import attrs

from rummyvariants.actions import Action, Discard, Draw, Pass, Take
from rummyvariants.bots.base import first_legal
from rummyvariants.bots.hands import has_company
from rummyvariants.bots.plays import TRIES, calls, can_lay, plays, sizes
from rummyvariants.cards import CARDS, FIELD, UNIT, faces
from rummyvariants.engine.plays import AnyState, terms_of
from rummyvariants.state import fits_of
from rummyvariants.views import View


_DEPTH = 10


@attrs.frozen
class CarefulBot:
    """
    Plays with care.
    """

    def choose(self, view: View, rng: random.Random) -> Action:
        """
        The legal action that looks best; see `Bot`.
        """
        assert view.seat is not None  # noqa: S101 -- a spectator is asked nothing
        return careful(view.world, view.seat, rng)


def careful(state: AnyState, seat: int, rng: random.Random) -> Action:
    """
    What the careful bot does; see `Decide`.
    """
    del rng
    return first_legal(state, seat, wanted(state, seat))


def wanted(state: AnyState, seat: int) -> Iterator[Action]:
    """
    What may be worth doing, the best first.
    """
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
        value = more - max(gained - more, 0) // 3
        if more > 0 and value > 0:
            takes.append((-value, count))
    for _, count in itertools.islice(sorted(takes), TRIES):
        yield Take(count, seat)
    yield Draw(seat) if state._stock else Pass(seat)


def _discards(state: AnyState, seat: int) -> Iterator[Action]:
    terms = terms_of(state)
    hand = state._hands[seat]
    fits = fits_of(state)
    playable = fits.grows | fits.real

    def keep(code: int) -> tuple[bool, bool, bool, int, int]:
        return (
            terms.wild[code],
            bool(playable & FIELD[code]),
            has_company(terms, hand, code),
            -terms.worth[code],
            code,
        )

    for code in sorted(faces(hand), key=keep):
        yield Discard(CARDS[code], seat)
