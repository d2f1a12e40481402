"""
How bots play games whose first melds have to be certain groups, such as a contract.

This holds what all of our bots share, and the choices of the greedy one, which counts
only how many cards are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rummyvariants.bots.planning import laid, plan_of
from rummyvariants.bots.plays import Spare, dearest, plays
from rummyvariants.cards import CARDS, FIELD, UNIT
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._state import fits_of
from rummyvariants.game.actions import Action, Buy, Discard, Draw, Pass, Take


Wants = Callable[[AnyState, int, int], bool]
"""
Whether a seat without a meld wants the upcard; there is one.

The number is how many cards from the stock it costs; -1 if it is taken in turn.
"""


def contracted(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The greedy bot's candidates, best first; some may be illegal.
    """
    return in_turn(state, seat, wants=fewer_missing, spare=_unplanned)


def in_turn(
    state: AnyState, seat: int, *, wants: Wants, spare: Spare
) -> Iterator[Action]:
    """
    Actions that may be worth doing, best first; some may be illegal.

    Args:
        state: A state in which the seat may act; only what it may see is used.
        seat: Who acts.
        wants: Whether to take the upcard, or to buy it, before the first melds.
        spare: The cards of the hand as codes, the preferred discard first.
    """
    has_meld = bool(state._has_meld >> seat & 1)
    match state.phase:
        case "stock":
            yield Draw(seat)
        case "draw" | "offer":
            if state._discards and (
                _fits(state, seat) if has_meld else wants(state, seat, -1)
            ):
                yield Take(1, seat)
            yield Draw(seat)
            yield Pass(seat)
        case "buy":
            price = asking.answer_to(state, seat, "buys")
            if price is not None and not has_meld:
                if wants(state, seat, price[1].penalty):
                    yield Buy(seat)
            yield Pass(seat)
        case phase:
            if phase == "play":
                yield from plays(state, seat) if has_meld else _first(state, seat)
            for code in spare(state, seat):
                yield Discard(CARDS[code], seat)


def _fits(state: AnyState, seat: int) -> bool:
    """
    Whether the upcard can be laid off.
    """
    top = state._discards[-1]
    fits = fits_of(state, seat)
    return state.dealt.terms.wild[top] or bool((fits.grows | fits.real) & FIELD[top])


def _first(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The first melds, if no card of them is missing.
    """
    plan = plan_of(state, seat, state._hands[seat])
    if plan is not None and not plan.missing:
        yield laid(state, seat, plan)


def fewer_missing(state: AnyState, seat: int, price: int) -> bool:
    """
    Whether fewer cards are missing with the upcard, and it costs at most two each.
    """
    hand = state._hands[seat]
    before = plan_of(state, seat, hand, more=1)
    after = plan_of(state, seat, hand + UNIT[state._discards[-1]], more=price + 1)
    if before is None or after is None:
        return False
    return after.missing < before.missing and price <= 2


def _unplanned(state: AnyState, seat: int) -> list[int]:
    """
    The dearest cards first, those that the plan uses last.
    """
    hand, found = state._hands[seat], dearest(state, seat)
    plan = None if state._has_meld >> seat & 1 else plan_of(state, seat, hand)
    free = hand - plan.used if plan is not None else hand
    return sorted(found, key=lambda code: not free & FIELD[code])
