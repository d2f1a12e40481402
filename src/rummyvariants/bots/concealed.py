"""
How bots play games in which melds stay in the hand until somebody knocks.

This holds what all of our bots share, and the choices of the greedy one, which only
tries to keep deadwood low: it takes the upcard if that makes the hand better, discards
the card that leaves the best hand, and knocks as soon as it may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rummyvariants.bots.lives import points_of, weigh
from rummyvariants.cards import CARDS, FIELD, UNIT, faces
from rummyvariants.game._engine.candidates import to_lay, unplanned
from rummyvariants.game._engine.draws import refuse_draw
from rummyvariants.game._engine.endings import (
    may_knock_with,
    may_show_dealt,
    points_allow_knock,
)
from rummyvariants.game._engine.plays import AnyState, keeps_melds
from rummyvariants.game._state import fits_of
from rummyvariants.game.actions import Action, Discard, Draw, Pass, Take
from rummyvariants.game.verbs._knocking import named, shown_without
from rummyvariants.melds._deadwood import (
    fewest_after_discard,
    fewest_points,
)
from rummyvariants.melds._meld import bits_of
from rummyvariants.melds._tables import Terms


Wants = Callable[[AnyState, int], bool]
"""Whether a seat wants the upcard; there is one."""
Ends = Callable[[AnyState, int], Iterator[Action]]
"""Knocks and discards, best first."""


def concealed(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The greedy bot's candidates, best first; some may be illegal.
    """
    return in_turn(state, seat, wants=_betters, ends=_ends)


def in_turn(
    state: AnyState, seat: int, *, wants: Wants, ends: Ends
) -> Iterator[Action]:
    """
    Actions that may be worth doing, best first; some may be illegal.

    Args:
        state: A state in which the seat may act; only what it may see is used.
        seat: Who acts.
        wants: Whether to take the upcard rather than draw from the stock.
        ends: How to end a turn after the draw.
    """
    match state.phase:
        case "draw" | "offer":
            if may_show_dealt(state, seat):
                yield from at_best(state, seat, [-1])
            drawable = refuse_draw(state) is None
            if state._discards and (
                (not drawable and state.match.rules.stock.last_is_to_knock)
                or _fits_shown(state, seat)
                or (wants(state, seat) and not _ends_idle(state, seat))
            ):
                yield Take(1, seat)
            if state.phase == "draw" and drawable:
                yield Draw(seat)
            yield Pass(seat)
        case "layoff":
            yield from _layoffs(state, seat, fewest_points)
            yield Pass(seat)
        case _:
            if not keeps_melds(state):
                yield from _layoffs(state, seat, _after_discard)
            yield from ends(state, seat)


def _ends_idle(state: AnyState, seat: int) -> bool:
    """
    Whether a turn without a card from the stock ends the round in nothing (RV-01).

    A hand that the upcard completes is shown before that.
    """
    most = state.match.rules.stock.idle_rounds * len(state.turns)
    if state.idle + 1 < most:
        return False
    hand = state._hands[seat] + UNIT[state._discards[-1]]
    return bool(fewest_after_discard(state.dealt.terms, hand))


def _betters(state: AnyState, seat: int) -> bool:
    """
    Whether the upcard makes the hand better and stays in it as part of a meld.
    """
    hand = state._hands[seat]
    top = state._discards[-1]
    more = hand + UNIT[top]
    # A low card that would stay unmatched is not worth a draw while play goes on.
    if not state.out and weigh(state, more).left & UNIT[top]:
        return False
    *_, thrown = min(_costs(state, more))
    return thrown != top and points_of(state, more - UNIT[thrown]) < points_of(
        state, hand
    )


def _costs(state: AnyState, hand: int) -> Iterator[tuple[bool, int, int, int]]:
    """
    What it costs to discard each card of a hand, with its code.
    """
    terms = state.dealt.terms
    for code in faces(hand):
        left = points_of(state, hand - UNIT[code])
        # A wild is worth more than its points until the last turn.
        yield terms.wild[code] and not state.out, left, -terms.worth[code], code


def _ends(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Big gin, the best knock, then discards, the one that leaves the best hand first.
    """
    yield from at_best(state, seat, [-1])
    rated = [code for *_, code in sorted(_costs(state, state._hands[seat]))]
    yield from at_best(state, seat, rated)
    for code in rated:
        yield Discard(CARDS[code], seat)


def shown(state: AnyState, seat: int, code: int) -> Action:
    """
    The knock or declaration with a discard, or without one if its code is negative.
    """
    return named(state, shown_without(state, seat, code, None))


def at_best(state: AnyState, seat: int, thrown: Iterable[int]) -> Iterator[Action]:
    """
    The knocks or declarations with some discards that the rules accept.

    Args:
        state: A state in which the seat has drawn.
        seat: Who acts.
        thrown: The codes of the discards in the order wanted; -1 for none.
    """
    if points_allow_knock(state, seat):
        for code in thrown:
            if may_knock_with(state, seat, code):
                yield shown(state, seat, code)


def _fits_shown(state: AnyState, seat: int) -> bool:
    """
    Whether the upcard can be laid off, so that the turn leaves one card fewer.
    """
    if state.phase != "draw" or keeps_melds(state):
        return False
    return bool(fits_of(state, seat).grows & FIELD[state._discards[-1]])


def _after_discard(terms: Terms, hand: int) -> int:
    """
    The fewest points that a hand leaves after a discard, if it holds a card.
    """
    return fewest_after_discard(terms, hand) if hand else 0


def _layoffs(
    state: AnyState, seat: int, leaves: Callable[[Terms, int], int]
) -> Iterator[Action]:
    """
    The lay-off that leaves the fewest points, if any helps.

    Args:
        state: A state in which the seat may lay off.
        seat: Who lays off.
        leaves: The points that a hand leaves at the end of the turn.
    """
    terms = state.dealt.terms
    hand = state._hands[seat]
    before = leaves(terms, hand)
    rated = [
        (leaves(terms, hand - bits_of(action.cards)), number, action)
        for number, action in enumerate(unplanned(to_lay, state, seat))
    ]
    if rated:
        after, _, action = min(rated)
        if after < before:
            yield action
