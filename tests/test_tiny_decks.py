"""
Every state that a round with a tiny deck can come to, and the naive twin asked there.
"""

from __future__ import annotations

from collections import Counter

import pytest

import naive
import rummyvariants as rv

from invariants import look_at
from rummyvariants.files._expectations import meaning
from rummyvariants.testing import do
from rummyvariants.testing.states import cards_of
from tiny_decks import TinyDeck, tiny_decks, walk


ENDS = {
    "draw": (rv.Take,),
    "offer": (rv.Take,),
    "play": (rv.LayDown, rv.LayOff, rv.PutDown, rv.Swap, rv.Split, rv.Discard),
}
"""By phase, the actions that have to leave a way to finish the turn."""

STEP_EVERY = 25
"""Of how many states one is looked at in all its steps, events and history too."""


def _decks() -> list[object]:
    marks = {False: (), True: (pytest.mark.slow,)}
    return [pytest.param(d, id=d.name, marks=marks[d.slow]) for d in tiny_decks()]


def listed_meanings(state: rv.State, actions: list[rv.Action]) -> None:
    """
    Assert that no two of the listed actions of a seat mean the same.
    """
    means = Counter((meaning(state, action), action.seat) for action in actions)
    assert not [seat for one, seat in means if one is None]
    twice = [one for one, number in means.items() if number > 1]
    assert not twice, f"listed twice: {twice}"


def look_at_both_ways(
    state: rv.State, actions: list[rv.Action], finisher: naive.Finisher
) -> None:
    """
    Assert that what is listed is what remains of everything that could be written.

    Each of those is also legal just if the turn can be finished after it (RV-03), by
    a search through all plays.
    """
    listed = {(meaning(state, one), one.seat): one for one in actions}
    found = set()
    for action in naive.everything(state):
        ruling = rv.check(state, action)
        legal = bool(ruling)
        if legal:
            means = (meaning(state, action), action.seat)
            assert means in listed, f"{action} is legal, but not listed"
            if means in found:
                continue
            found.add(means)
        if isinstance(action, rv.Knock) and state.phase == "play":
            assert legal == naive.may_knock(state, action), str(action)
        if isinstance(action, rv.Draw) and state.phase == "draw":
            assert legal == naive.may_draw(state), str(action)
        if isinstance(action, rv.CallRummy) and state.rules.layoff.onto == "own melds":
            assert legal == naive.may_call(state, action), str(action)
        if state.phase == "layoff":
            assert legal == naive.may_lay_off(state, action), str(action)
        if state.phase == "play" and (legal or "R5V-29" in ruling.cites):
            assert legal == naive.keeps_at_once(state, action), str(action)
        if type(action) in ENDS.get(state.phase, ()):
            assert legal == finisher.allows(state, action), str(action)
        if legal and isinstance(action, (rv.CallRummy, rv.Discard)):
            look_at_turns(state, action, finisher)
    missing = [str(one) for means, one in listed.items() if means not in found]
    assert not missing, f"listed, but nobody could write {missing}"


def look_at_turns(state: rv.State, action: rv.Action, finisher: naive.Finisher) -> None:
    """
    Assert whose turn it is after a call, or after a discard.
    """
    after = rv.apply(state, action)
    if after.is_round_over:
        return
    if isinstance(action, rv.CallRummy):
        plays_on = naive.plays_on(state, action, after, finisher)
        assert plays_on == (after.phase == "play"), str(action)
        if plays_on:
            assert after.turn == action.seat
            return
    assert naive.who_is_next(state, action, after) in {None, after.turn}, str(action)


def look_at_penalty(before: rv.State, action: rv.Action, after: rv.State) -> None:
    """
    Assert what the player takes who left what is called.
    """
    if not isinstance(action, rv.CallRummy) or before.rules.call.penalty == "none":
        return
    due = naive.penalty(before, action)
    taken = 0
    for seat, hand in enumerate(before.hands):
        more = Counter(after.hands[seat]) - Counter(hand)
        assert more == (due[1] if due and due[0] == seat else Counter())
        taken += more.total()
    pile = len(before.stock) + len(before.discards) - len(action.cards)
    assert len(after.stock) + len(after.discards) == pile - taken


@pytest.mark.parametrize("deck", _decks())
def test_every_state_of_a_tiny_deck(deck: TinyDeck) -> None:
    """
    No state is stuck, nothing is lost, and the two ways to legality agree.
    """
    finisher = naive.Finisher()
    cards = cards_of(deck.start())

    def look(number: int, state: rv.State, actions: list[rv.Action]) -> None:
        look_at(state)
        assert cards_of(state) == cards or not cards_of(state)
        assert bool(actions) == (state.phase not in {"deal", "over"})
        assert bool(state.to_act) == bool(actions)
        assert {action.seat for action in actions} == set(state.to_act)
        listed_meanings(state, actions)
        for action in actions:
            assert action in rv.legal_actions(state)
        if number % STEP_EVERY == 0:
            for action in actions:
                do(state, action)
        if state.phase == "call" and state.rules.call.penalty != "none":
            for action in actions:
                look_at_penalty(state, action, rv.apply(state, action))
        if number % deck.naive_every == 0:
            look_at_both_ways(state, actions, finisher)

    assert walk(deck, look) == dict(deck.counts)
