"""
What must hold of hidden cards.
"""

from __future__ import annotations

import itertools

import attrs

from rummyvariants.cards import Cards
from rummyvariants.game._chance import Chance
from rummyvariants.game._engine.game import apply
from rummyvariants.game._engine.offers import asks_takers_alone, can_take
from rummyvariants.game._moves import legal_actions
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action, Discard, Pass
from rummyvariants.melds._tree import RandRange
from rummyvariants.testing.holding import hold


def check_secrecy(
    state: State, limit: int = 40, *, randrange: RandRange | None = None
) -> None:
    """
    Assert that a seat's legal actions do not depend on cards that it cannot see.

    Raises:
        AssertionError: If a check fails.
    """
    randrange = randrange or Chance("secrecy", state.match.round_number).below
    for seat in state.to_act:
        other = _mixed(state, seat, randrange)
        here = list(itertools.islice(legal_actions(state, seat), limit))
        there = list(itertools.islice(legal_actions(other, seat), limit))
        hold(
            here == there,
            f"what seat {seat} may do depends on hidden cards:",
            [str(one) for one in here if one not in there],
            "or",
            [str(one) for one in there if one not in here],
        )
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
        if other != seat:
            hidden += hand
    for last in range(len(hidden) - 1, 0, -1):
        at = randrange(last + 1)
        hidden[last], hidden[at] = hidden[at], hidden[last]
    hands = []
    for other, hand in enumerate(state.hands):
        if other == seat:
            hands.append(hand.bits)
        else:
            hands.append(Cards(hidden[: len(hand)]).bits)
            del hidden[: len(hand)]
    stock = bytes(card.code for card in hidden)
    return attrs.evolve(state, hands=tuple(hands), stock=stock)
