"""
What to do in games in which melds stay in the hand until somebody knocks.

What counts is how few points stay unmatched, so that is all that is looked at: a
discard is taken if the hand is better with it, the card goes that leaves the best hand,
and who may knock does.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants.actions import Action, Discard, Draw, Knock, Pass, Take
from rummyvariants.cards import CARDS, UNIT, faces
from rummyvariants.engine.candidates import knocked_on
from rummyvariants.engine.knocks import named
from rummyvariants.engine.plays import AnyState, terms_of
from rummyvariants.melds import bits_of
from rummyvariants.state import stock_left
from rummyvariants.terms import Terms
from rummyvariants.unmatched import least_unmatched, worth_of


def concealed(state: AnyState, seat: int) -> Iterator[Action]:
    """
    What may be worth doing, the best first; not all of it need be legal.
    """
    match state.phase:
        case "draw" | "offer":
            yield from _draws(state, seat)
        case "layoff":
            yield from _layoffs(state, seat)
        case _:
            yield from _ends(state, seat)


def unmatched(terms: Terms, hand: int) -> int:
    """
    The points of a hand that stay outside of melds at best.
    """
    return worth_of(terms, least_unmatched(terms, hand))


def _draws(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The top discard if the hand gets better by it, else the stock.
    """
    terms = terms_of(state)
    hand = state._hands[seat]
    before = unmatched(terms, hand)
    top = state._discards[-1:]
    if top and stock_left(state) > 0:
        more = hand + UNIT[top[0]]
        after = min(
            unmatched(terms, more - UNIT[code])
            for code in faces(more)
            if code != top[0]
        )
        if after < before and not _is_shed(terms, more, top[0]):
            yield Take(1, seat)
    elif top:
        yield Take(1, seat)  # legal only if a knock can follow
    if state.phase == "draw" and stock_left(state) > 0:
        yield Draw(seat)
    yield Pass(seat)


def _is_shed(terms: Terms, hand: int, code: int) -> bool:
    """
    Whether a card would stay unmatched: a low one is not worth a draw.
    """
    return bool(least_unmatched(terms, hand) & UNIT[code])


def _ends(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Big gin, the best knock, then discards, those first that leave the best hand.
    """
    terms = terms_of(state)
    hand = state._hands[seat]

    def cost(code: int) -> tuple[int, int, int]:
        left = unmatched(terms, hand - UNIT[code])
        return left, -terms.worth[code], code

    if not least_unmatched(terms, hand):
        yield named(state, Knock(None, None, seat))
    codes = sorted(faces(hand), key=cost)
    for code in codes:
        yield named(state, Knock(CARDS[code], None, seat))
    for code in codes:
        yield Discard(CARDS[code], seat)


def _layoffs(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The lay-off after which the fewest points are left, while one helps.
    """
    terms = terms_of(state)
    hand = state._hands[seat]
    before = unmatched(terms, hand)
    rated = [
        (unmatched(terms, hand - bits_of(action.cards)), number, action)
        for number, action in enumerate(knocked_on(state, seat))
    ]
    if rated:
        after, _, action = min(rated)
        if after < before:
            yield action
    yield Pass(seat)
