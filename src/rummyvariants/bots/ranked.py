"""
How bots play games whose melds are one set of each rank and side, such as Canasta.

This holds what all of our bots share, and the choices of the greedy one: it takes the
pile whenever that pays, and opens and lays as much as it can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rummyvariants.bots.plays import Spare
from rummyvariants.bots.ranks import (
    Holding,
    Laying,
    cards_of,
    first_sets,
    growing,
    holding_of,
    laid,
    natural_layings,
    points_needed,
    way_out,
)
from rummyvariants.cards import CARDS, UNIT, codes, faces, pack, size, total
from rummyvariants.game._engine.plays import AnyState, sets_of
from rummyvariants.game.actions import Action, Discard, Draw, Pass, TakeOn, TakeWith
from rummyvariants.melds._meld import place, played


Lays = Callable[[AnyState, int, Holding], Iterator[list[Laying]]]
"""What a seat lays that does not go out, best first: melds laid together."""


def ranked(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The greedy bot's candidates, best first; some may be illegal.
    """
    return in_turn(state, seat, lays=_everything, spare=_loose)


def in_turn(
    state: AnyState, seat: int, *, lays: Lays, spare: Spare
) -> Iterator[Action]:
    """
    Actions that may be worth doing, best first; some may be illegal.

    Args:
        state: A state in which the seat draws or plays; only what it may see is used.
        seat: Who acts.
        lays: What to lay.
        spare: The cards of the hand as codes, the preferred discard first.
    """
    if state.phase == "draw":
        yield from _takes(state, seat)
        yield Draw(seat)
        yield Pass(seat)
        return
    yield from _out(state, seat)
    for found in lays(state, seat, holding_of(state, seat, state._hands[seat])):
        yield laid(found, seat)
    for code in spare(state, seat):
        yield Discard(CARDS[code], seat)


def _takes(state: AnyState, seat: int) -> Iterator[Action]:
    """
    Takes of the pile that bring more points than they cost in wilds, cheapest first.
    """
    worth, wilds = state.dealt.terms.worth, state.dealt.terms.wild_mask
    gained = total(worth, pack(state._discards))
    for used, action in _takings(state, seat):
        if gained > total(worth, used & wilds):
            yield action


def _takings(state: AnyState, seat: int) -> Iterator[tuple[int, TakeOn | TakeWith]]:
    """
    Takes of the pile, each with the cards of the hand that are laid with the top card.
    """
    pile, terms = state._discards, state.dealt.terms
    if not pile or terms.wild[pile[-1]]:
        return
    top, hand = pile[-1], state._hands[seat]
    rank = CARDS[top].rank
    number = sets_of(state, seat).get(rank, 0)
    if number:
        yield 0, TakeOn(None, number, seat)
    points = points_needed(state, seat)
    if points:
        holding = holding_of(state, seat, hand + UNIT[top])
        for (first, held, wilds), *others in first_sets(state, holding, points, rank):
            layings = [(first, held - UNIT[top], wilds), *others]
            used = sum([natural + pack(added) for _, natural, added in layings])
            yield used, TakeWith(None, tuple(map(cards_of, layings)), seat)
        return
    mates = codes(hand & terms.mates[top] & terms.natural_mask)[:2]
    if len(mates) > 1:
        yield pack(mates), TakeWith(None, (tuple(map(played, mates)),), seat)
    for wild in faces(hand & terms.wild_mask) if mates else ():
        cards = played(mates[0]), played(wild, place(rank))
        yield UNIT[mates[0]] + UNIT[wild], TakeWith(None, (cards,), seat)


def _out(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The next play of a way to go out in this turn, if there is one.
    """
    way = way_out(state, seat)
    if way is None:
        return
    layings, gone = way
    first = [one for one in layings if not one[0].number]
    if first and not state._has_meld >> seat & 1:
        yield laid([one for one in first if not one[0].last] or first, seat)
    for laying in layings:
        yield laid([laying], seat)
    for code in codes(gone):
        yield Discard(CARDS[code], seat)


def _everything(state: AnyState, seat: int, holding: Holding) -> Iterator[list[Laying]]:
    """
    Natural cards, and wilds on sets that are no canastas yet and with pairs.
    """
    if not state._has_meld >> seat & 1:
        yield from first_sets(state, holding, points_needed(state, seat))
        return
    yield from natural_layings(holding)
    yield from growing(holding, holding.least - 1)


def _loose(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, those without mates first, then those worth most; wilds last.
    """
    terms, hand = state.dealt.terms, state._hands[seat]

    def keep(code: int) -> tuple[bool, int, int, int]:
        mates = size(hand & terms.mates[code] & terms.natural_mask)
        return terms.wild[code], mates, -terms.worth[code], code

    return sorted(faces(hand), key=keep)
