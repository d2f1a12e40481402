"""
Cards that a rule lets go from one place to another, and hands that it fills again.
"""

from __future__ import annotations

import attrs

from rummyvariants.cards import FIELD, common, pack
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, HANDS, move, zone_of
from rummyvariants.game._round import BETWEEN_ROUNDS, EVERYBODY, STOCK
from rummyvariants.game._state import Draft, absent, stock_left
from rummyvariants.house import Move
from rummyvariants.house.facts import Location


def transfer(draft: Draft, one: Move, log: Log) -> None:
    """
    Move cards as a rule says; a seat that is out gets none.
    """
    source, target = location(one.source, one.source_seat), _target(one)
    if target.name == "hand" and target.seat in absent(draft):
        return
    cards = moved(draft, one)
    if not cards:
        return
    shown = EVERYBODY if one.shown or target == DISCARDS else 0
    if target.name == "hand":
        shown |= 1 << target.seat
    move(draft, cards, source, target, shown_to=shown, log=log)
    if target.name == "hand":
        draft._floating &= ~(1 << target.seat)
        if draft.drawn.source and target.seat == draft.turn:
            # Counted as held before the draw; otherwise others could infer what came.
            held = draft.drawn.held + cards
            draft.drawn = attrs.evolve(draft.drawn, held=held)
    if source.name == "hand":
        lose(draft, source.seat, cards)


def lose(draft: Draft, seat: int, cards: int) -> None:
    """
    Note that cards have left a hand that are not laid or discarded.
    """
    drawn = draft.drawn
    if drawn.source and seat == draft.turn:
        held = drawn.held - common(drawn.held, cards)
        left = pack(drawn._cards)
        left -= common(left, cards - common(drawn.held, cards))
        kept = bytes([code for code in drawn._cards if left & FIELD[code]])
        draft.drawn = attrs.evolve(drawn, cards=kept, held=held)
    if draft._hands[seat] or (seat == draft.turn and draft.phase == "play"):
        return
    if draft.phase not in BETWEEN_ROUNDS and seat not in absent(draft):
        draft._floating |= 1 << seat


def moved(state: AnyState, one: Move) -> int:
    """
    The cards that a move would move, as a multiset.
    """
    source = location(one.source, one.source_seat)
    if source == STOCK:
        left = stock_left(state)
        number = left if one.number is None else one.number
        return pack(state._stock[: max(0, min(number, left))])
    if source.name == "hand":
        held = state._hands[source.seat]
        return held if one.cards is None else common(held, one.cards.bits)
    pile = state._discards
    if source != DISCARDS:
        pile = zone_of(state, source)._cards
        if one.cards is not None:
            return common(pack(pile), one.cards.bits)
    number = len(pile) if one.number is None else one.number
    return pack(pile[-number:]) if number else 0


def refills(state: AnyState, seat: int) -> list[Move]:
    """
    The moves by which a rule fills an empty hand again; empty if none does.

    A hand that was declared is not filled again.
    """
    if state.match.rules.out.declares:
        return []
    for moves in asking.refilling(state, seat):
        own = [one for one in moves if _target(one) == HANDS[seat]]
        if any(moved(state, one) for one in own):
            return own
    return []


def refill(draft: Draft, seat: int, log: Log) -> bool:
    """
    Fill a hand that is empty again, if a rule does.
    """
    moves = refills(draft, seat)
    for one in moves:
        transfer(draft, one, log)
    return bool(moves)


def location(name: str, seat: int) -> Location:
    if name == "hand":
        return HANDS[seat]
    return Location(name, seat if name not in {"stock", "discards"} else -1)


def _target(one: Move) -> Location:
    return location(one.target, one.target_seat)
