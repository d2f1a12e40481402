"""
Every state that a round with a tiny deck can come to, and the naive twin asked there.
"""

from __future__ import annotations

from collections import Counter

import pytest

import naive_rounds
import naive_turns
import rummyvariants as rv

from amounts import big_is_slow
from canasta_twin import Beside
from conftest import Update
from invariants import look_at, ruled
from rummyvariants.game._meanings import meaning
from rummyvariants.testing import check_state, do
from rummyvariants.testing.states import cards_of
from tiny_decks import FILE, TinyDeck, as_lines, tiny_decks, walk, with_lines


STEP_EVERY = 25
"""Of how many states one is looked at in all its steps, events and history too."""


def listed_meanings(state: rv.State, actions: list[rv.Action]) -> None:
    """
    Assert that no two of the listed actions of a seat mean the same.
    """
    means = Counter((meaning(state, action), action.seat) for action in actions)
    assert not [seat for one, seat in means if one is None]
    twice = [one for one, number in means.items() if number > 1]
    assert not twice, f"listed twice: {twice}"


def look_at_both_ways(
    state: rv.State, actions: list[rv.Action], judge: naive_turns.Judge
) -> None:
    """
    Assert that what is listed is what remains of everything that could be written.
    """
    listed = {(meaning(state, one), one.seat): one for one in actions}
    found = {
        (meaning(state, action), action.seat)
        for action, ruling in ruled(state, judge)
        if ruling
    }
    missing = [str(one) for means, one in listed.items() if means not in found]
    assert not missing, f"listed, but nobody could write {missing}"
    assert found <= set(listed), f"legal, but not listed: {found - set(listed)}"


def look_at_penalty(before: rv.State, action: rv.Action, after: rv.State) -> None:
    """
    Assert what the player takes who left what is called.
    """
    if (
        not isinstance(action, rv.actions.CallRummy)
        or before.rules.call.penalty == "none"
    ):
        return
    due = naive_rounds.penalty(before, action)
    taken = 0
    for seat, hand in enumerate(before.hands):
        more = Counter(after.hands[seat]) - Counter(hand)
        assert more == (due[1] if due and due[0] == seat else Counter())
        taken += more.total()
    pile = len(before.stock) + len(before.discards) - len(action.cards)
    assert len(after.stock) + len(after.discards) == pile - taken


@pytest.mark.long
@pytest.mark.parametrize("deck", big_is_slow(tiny_decks()))
def test_every_state_of_a_tiny_deck(deck: TinyDeck, update: Update) -> None:
    """
    No state is stuck, nothing is lost, and the two ways to legality agree.
    """
    judges = naive_turns.Judges()
    start = deck.start()
    cards = cards_of(start)
    beside = Beside(start) if start.rules.draw.melds_top else None

    def look(number: int, state: rv.State, actions: list[rv.Action]) -> None:
        if beside is None:
            look_at(state)
        else:
            check_state(state)
            beside.look(state)
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
        if number % deck.naive_every == 0 and beside is None:
            look_at_both_ways(state, actions, judges(state))

    found = walk(deck, look)
    lines = as_lines(*found)
    if not update(FILE, lambda text: with_lines(text, deck.name, lines)):
        assert found == (dict(deck.counts), dict(deck.sequences))
