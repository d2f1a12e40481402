"""
What both strategies of the gin challenge need: hands, their best melds, and lay-offs.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

import rummyvariants as rv

from rummyvariants.cards import CARDS, RANKS, SUITS, UNIT, code_of, faces
from rummyvariants.melds._deadwood import (
    fewest_after_discard,
    fewest_points,
)
from rummyvariants.melds._partitions import (
    partitions,
)
from rummyvariants.melds.cover._divisions import Melds


Shown = tuple[Melds, int]
"""Melds, and the unmatched cards as a multiset."""


@attrs.frozen
class Hand:
    """
    The cards of a seat that acts.

    Attributes:
        view: What the seat knows.
        bits: The cards as a multiset.
    """

    view: rv.View
    bits: int

    @property
    def seat(self) -> int:
        """
        Whose hand it is.
        """
        return self.view.seat or 0

    @property
    def codes(self) -> list[int]:
        """
        The codes of its cards.
        """
        return list(faces(self.bits))

    def plus(self, code: int) -> Hand:
        """
        The hand with one more card.
        """
        return Hand(self.view, self.bits + UNIT[code])

    def minus(self, code: int) -> Hand:
        """
        The hand without a card.
        """
        return Hand(self.view, self.bits - UNIT[code])

    @property
    def points(self) -> int:
        """
        The fewest points that can be left unmatched.
        """
        return fewest_points(self.view.world.dealt.terms, self.bits)

    @property
    def points_after_discard(self) -> int:
        """
        The fewest points that can be left unmatched after a discard.
        """
        return fewest_after_discard(self.view.world.dealt.terms, self.bits)

    def best(self) -> list[Shown]:
        """
        Every division into melds and unmatched cards that leaves the fewest points.
        """
        return list(partitions(self.view.world.dealt.terms, self.bits, self.points))

    def taken(self) -> int:
        """
        The code of the card taken from the discard pile in this turn; -1 if none was.
        """
        drawn = self.view.world.drawn
        return drawn.cards[0].code if drawn.source == "discards" else -1


def hand_of(view: rv.View) -> Hand:
    """
    The hand of the seat that a view is of.
    """
    return Hand(view, view.hand.bits)


def upcard(view: rv.View) -> int:
    """
    The code of the top discard.
    """
    return view.discards[-1].code


def beside(code: int, step: int) -> int:
    """
    The card so many ranks above a card, in its suit; -1 if there is none.
    """
    card = CARDS[code]
    place = RANKS.index(card.rank) + step
    return code_of(RANKS[place], card.suit) if 0 <= place < len(RANKS) else -1


def mates(code: int) -> list[int]:
    """
    The other three cards of the rank of a card.
    """
    card = CARDS[code]
    return [code_of(card.rank, suit) for suit in SUITS if suit != card.suit]


def lay_off(view: rv.View, unmatched: int) -> rv.Action:
    """
    A lay-off of an unmatched card, or a pass if none of them fits.

    The challenge's program lays off for its players, one card after the other.
    """
    for action in view.legal_actions:
        if isinstance(action, rv.LayOff) and len(action.cards) == 1:
            if unmatched & UNIT[action.cards[0].card.code]:
                return action
    return rv.Pass(view.seat)


def legal(view: rv.View, wanted: Iterable[rv.Action]) -> rv.Action:
    """
    The first of some actions that is legal.
    """
    return next(one for one in wanted if rv.check(view.world, one))
