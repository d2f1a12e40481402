"""
What must hold of hidden cards.
"""

from __future__ import annotations

import itertools

from random import Random
from typing import Final

import attrs

from rummyvariants import State, apply, check, legal_actions
from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action, Discard, Pass
from rummyvariants.cards import FIELD, UNIT, Cards, codes, common, pack
from rummyvariants.game._asking import never_held
from rummyvariants.game._engine.naming import cards_named
from rummyvariants.game._engine.offers import asks_takers_alone, can_take
from rummyvariants.house.answers import Points, Remember
from rummyvariants.melds._tree import RandRange
from rummyvariants.testing.holding import hold, source_of


@explained
def check_secrecy(
    state: State, limit: int = 40, *, randrange: Random | RandRange | None = None
) -> None:
    """
    Assert that a seat's legal actions do not depend on cards that it cannot see.

    Nor may what rules remember of an action depend on cards that only the seat sees.

    Raises:
        AssertionError: If a check fails.

    >>> rv.testing.check_secrecy(rv.new_game("gin-rummy", 2))
    """
    source = source_of("secrecy", state, limit, randrange)
    for seat in state.to_act:
        other = _mixed(state, seat, source)
        here = list(itertools.islice(legal_actions(state, seat), limit))
        there = list(itertools.islice(legal_actions(other, seat), limit))
        hold(
            here == there,
            f"what seat {seat} may do depends on hidden cards:",
            [str(one) for one in here if one not in there],
            "or",
            [str(one) for one in there if one not in here],
        )
        if state.rules.effects & {Remember, Points}:
            for action in here[:_REMEMBERED]:
                _check_memory(state, action, source)
        for action in here:
            if isinstance(action, Discard | Pass) and other.phase != "discard":
                after, elsewhere = apply(state, action), apply(other, action)
                ends = after.is_round_over, elsewhere.is_round_over
                if all(ends):
                    continue
                if any(ends) and state.rules.draw.melds_top:
                    going = elsewhere if ends[0] else after
                    nothing = after if ends[0] else elsewhere
                    _check_end(action, nothing, going)
                    continue
                hold(
                    (after.phase, after.to_act) == (elsewhere.phase, elsewhere.to_act),
                    f"what follows {action} of seat {seat} depends on hidden cards:",
                    f"{after.phase} of {after.to_act},",
                    f"or {elsewhere.phase} of {elsewhere.to_act}",
                )


_REMEMBERED: Final = 4
"""How many actions of a state are done again with another hand."""


def _check_memory(state: State, action: Action, randrange: RandRange) -> None:
    """
    Assert that what is remembered of an action is known to all, as all memory is.
    """
    other = _rest_mixed(state, action, randrange)
    if check(other, action):
        here, there = apply(state, action).memory, apply(other, action).memory
        told = [name for name in {*here, *there} if here.get(name) != there.get(name)]
        hold(
            not told,
            f"all see what {told} remembers of {action}, but it depends on cards that",
            f"only seat {action.seat} sees: {here}, or with other cards {there}",
        )


def _rest_mixed(state: State, action: Action, randrange: RandRange) -> State:
    """
    A state that looks the same to all but a seat: what only it sees is exchanged.

    The cards of the action stay in its hand, and so do cards drawn that others saw.
    """
    seat = action.seat or 0
    rest = hand = state._hands[seat]
    stays = [
        pack(one.card.code for one in cards_named(action)),
        *state._seen[seat:][:1],
    ]
    stays += [cards for whose, _, cards in state._seen_by_some if whose == seat]
    drawn = state.drawn
    named, taken = stays[0], []
    if seat == state.turn:
        stays.append(pack(drawn._cards))
        if drawn.source == "stock" and not drawn.duties:
            taken = [code for code in drawn._cards if hand & FIELD[code] & ~named]
    for cards in stays:
        rest -= common(rest, cards)
    if seat == state.turn and drawn.source and common(rest, drawn.held) != rest:
        return state
    aside, seen = never_held(state), state._stock_seen
    free = [
        at
        for at, code in enumerate(state._stock)
        if not (FIELD[code] & aside or (at < len(seen) and seen[at]))
    ]
    stock = bytearray(state._stock)
    held, cards_drawn = drawn.held, bytearray(drawn._cards)
    kept = codes(rest)
    for number, code in enumerate((*kept, *taken)):
        if free:
            at = free.pop(randrange(len(free)))
            hand += UNIT[stock[at]] - UNIT[code]
            if number < len(kept):
                held += UNIT[stock[at]] - UNIT[code]
            else:
                cards_drawn[cards_drawn.index(code)] = stock[at]
            stock[at] = code
    if seat == state.turn and drawn.source:
        drawn = attrs.evolve(drawn, held=held, cards=bytes(cards_drawn))
    hands = (*state._hands[:seat], hand, *state._hands[seat + 1 :])
    return attrs.evolve(state, hands=hands, stock=bytes(stock), drawn=drawn)


def _check_end(action: Action, over: State, going: State) -> None:
    """
    Assert that a round ends after an action only because nothing can be taken (RV-54).

    Args:
        action: The action, after which what others hold decides whether it ends.
        over: A state in which it has ended.
        going: One in which it goes on, with other cards in the hands of others.
    """
    seat, result = going.turn, over.result
    ends = result is not None and result.how == "stock"
    if ends and going.phase == "draw" and asks_takers_alone(going):
        stuck = attrs.evolve(going, hands=over._hands)
        ends = can_take(going, seat) and not can_take(stuck, seat)
    hold(
        ends,
        f"whether {action} ends the round depends on hidden cards, and not on whether",
        f"seat {seat} can take the discard pile",
    )


def _mixed(state: State, seat: int, randrange: RandRange) -> State:
    """
    A state that looks the same to a seat: the cards it cannot see are exchanged.
    """
    hidden = list(state.stock)
    for other, hand in enumerate(state.hands):
        hidden += hand if other != seat else ()
    for last in range(len(hidden) - 1, 0, -1):
        at = randrange(last + 1)
        hidden[last], hidden[at] = hidden[at], hidden[last]
    hands = list(state._hands)
    for other, hand in enumerate(state.hands):
        if other != seat:
            hands[other] = Cards(hidden[: len(hand)]).bits
            del hidden[: len(hand)]
    stock = bytes(card.code for card in hidden)
    return attrs.evolve(state, hands=tuple(hands), stock=stock)
