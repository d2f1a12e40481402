"""
Checks of the engine's legal actions against the policies, asked one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants import State
from rummyvariants._support.arguments import explained
from rummyvariants.actions import (
    Action,
    CallRummy,
    Deal,
    Declare,
    Discard,
    Draw,
    Knock,
    LayOff,
    NewMeld,
    NewMelds,
    PutWild,
    Swap,
    Take,
)
from rummyvariants.cards import count, size
from rummyvariants.game._engine.finish import is_released
from rummyvariants.game._round import History
from rummyvariants.game._state import side_of, stock_left
from rummyvariants.melds import Meld, Played
from rummyvariants.melds._meld import is_natural
from rummyvariants.melds._reading import read_meld
from rummyvariants.rulings import Objection
from rummyvariants.testing.holding import fail


@explained
def check_answers(state: State, action: Action) -> None:
    """
    Assert that no policy refuses a legal action.

    The policies are asked one by one, from the state and its history, so the check
    finds any shortcut of the engine that skips one of them.

    Args:
        state: A state in which a player may act.
        action: A legal action in it.

    Raises:
        AssertionError: If a policy refuses the action.

    >>> rv.testing.check_answers(rv.new_game("rummy-500", 2), rv.actions.Draw(0))
    """
    for wrong in _answers(state, action):
        if wrong is not None:
            reason = wrong if isinstance(wrong, str) else wrong.reason
            fail(f"{action} is legal, but a policy refuses it: {reason}")


def _answers(state: State, action: Action) -> Iterator[Objection | str | None]:
    """
    The policies' answers to an action: None where a policy allows it.
    """
    if action.seat is None:
        return
    rules, terms, seat = state.rules, state.dealt.terms, action.seat
    has_meld = state.has_meld(seat)
    match action:
        case Draw():
            if stock_left(state) < 1:
                yield rules.stock.refuse_turning(
                    len(state.discards), state.turned, fresh=state.fresh
                )
        case Take():
            pile = state._discards
            top = terms.number[pile[-1]] if pile else 0
            yield rules.draw.refuse_take(
                terms, state._hands[seat], pile, action.count, top
            )
        case NewMeld():
            yield rules.meld.refuse_another(_melds_made(state))
            yield from _of_new_meld(state, seat, action.cards)
        case NewMelds():
            made = _melds_made(state) + len(action.melds) - 1
            yield rules.meld.refuse_another(made)
        case CallRummy(meld=None):
            yield from _of_new_meld(state, seat, action.cards)
        case LayOff() | Swap() | CallRummy():
            meld = _meld_at(state, action.meld)
            own = bool(side_of(state, seat) >> meld.maker & 1)
            yield rules.layoff.refuse_onto(own=own)
            if not isinstance(action, CallRummy):
                yield rules.layoff.refuse(has_meld=has_meld)
                if meld.kind == "wild":
                    yield rules.meld.refuse_another(_melds_made(state))
        case PutWild():
            wild = terms.wild[action.card.code]
            yield rules.layoff.refuse_single(has_meld=has_meld, wild=wild)
        case Discard() | Knock() | Declare():
            if action.card is not None:
                yield _to_discard(state, seat, action.card.code)


def _of_new_meld(
    state: State, seat: int, cards: tuple[Played, ...]
) -> Iterator[Objection | str | None]:
    meld = read_meld(state.dealt.terms, cards, seat)
    if isinstance(meld, Objection):
        yield meld
        return
    policy = state.rules.meld
    natural = meld.kind != "wilds" and is_natural(meld.slots)
    yield policy.refuse_first(has_meld=state.has_meld(seat), natural=natural)


def _to_discard(state: State, seat: int, code: int) -> Objection | None:
    """
    The answer to a discard; None if a card from the stock left no legal way to end.
    """
    drawn = state.drawn
    taken = drawn._cards if drawn.source == "discards" else b""
    hand = state._hands[seat]
    wrong = state.rules.discard.refuse(
        code, taken=taken, left=size(hand), copies=count(hand, code)
    )
    return None if wrong is None or is_released(state, seat) else wrong


def _meld_at(state: State, number: int | None) -> Meld:
    meld = state.table[number - 1] if number else state.dealer_wild
    assert meld is not None  # noqa: S101 -- the action is legal
    return meld


def _melds_made(state: State) -> int:
    """
    How many new melds the turn has made: from its history, or as its draw says.
    """
    made = 0
    node: History | None = state._history
    while node is not None and not isinstance(node.action, Draw | Take | Deal):
        made += isinstance(node.action, NewMeld)
        if isinstance(node.action, NewMelds):
            made += len(node.action.melds)
        node = node.before
    return max(made, state.drawn.melds)
