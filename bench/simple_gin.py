"""
The strategy of OpenSpiel's simple gin bot, as a bot of ours.

It follows the source of `SimpleGinRummyBot`, written anew here.
``python bench/gin_duel.py --check`` asks both at every decision of random deals.
"""

from __future__ import annotations

import random

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants.cards import CARDS, UNIT, faces
from rummyvariants.game._engine.endings import knock_limit
from rummyvariants.game._state import stock_left
from rummyvariants.melds._deadwood import (
    least_unmatched,
    worth_of,
)
from rummyvariants.melds._tables import Terms


@attrs.frozen
class SimpleGin:
    """
    Considers only its unmatched cards.

    It takes the upcard if it could knock with it, or if the upcard would be in a meld
    of the best partition; it knocks as soon as it can; it discards the highest
    unmatched rank; it never lays off. The original has no big gin; this one calls it
    where the rules allow it.
    """

    def choose(self, view: rv.View, rng: random.Random) -> rv.Action:
        """
        Choose its action; see `rummyvariants.bots.Bot`.
        """
        del rng
        wishes = simple(view.world, view.seat or 0)
        return next(one for one in wishes if rv.check(view.world, one))


def simple(state: rv.State, seat: int) -> Iterator[rv.Action]:
    """
    Its candidates, best first; some may be illegal.
    """
    assert state.dealt is not None  # noqa: S101 -- for the type checker
    terms = state.dealt.terms
    hand = state.hands[seat].bits
    if state.phase in {"draw", "offer"}:
        if wants(state, terms, hand):
            yield rv.actions.Take(1, seat)
        yield rv.actions.Draw(seat)
        yield rv.actions.Pass(seat)
    elif state.phase == "layoff":
        yield rv.actions.Pass(seat)
    else:
        codes = throwable(terms, hand)
        yield rv.actions.Knock(None, None, seat)
        for code in codes:
            yield rv.actions.Knock(CARDS[code], None, seat)
        for code in codes:
            yield rv.actions.Discard(CARDS[code], seat)


def wants(state: rv.State, terms: Terms, hand: int) -> bool:
    """
    Whether the upcard allows a knock or is matched in the best partition.
    """
    card = state.discards[-1].code
    more = hand + UNIT[card]
    limit = knock_limit(state)
    least = min(
        worth_of(terms, least_unmatched(terms, more - UNIT[code]))
        for code in faces(more)
    )
    if stock_left(state) <= 0 or least <= limit:
        return least <= limit
    return not least_unmatched(terms, more) & UNIT[card]


def throwable(terms: Terms, hand: int) -> list[int]:
    """
    The cards of a hand, the highest unmatched one first.

    If none is unmatched, the first is one whose loss leaves the others matched.
    """
    left = least_unmatched(terms, hand)

    def rank(code: int) -> tuple[bool, int, int]:
        after = worth_of(terms, least_unmatched(terms, hand - UNIT[code]))
        if not left:
            return False, after, code
        return not left & UNIT[code], -(code & 15), -code

    return sorted(faces(hand), key=rank)
