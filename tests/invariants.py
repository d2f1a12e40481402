"""What the twins of the tests say of every state, beside what the test kit says."""

from __future__ import annotations

from collections import Counter

import naive

from rummyvariants import State
from rummyvariants.cards import CARDS
from rummyvariants.testing import check_state


def look_at(state: State) -> None:
    """
    Assert what must hold of a state.
    """
    check_state(state)
    if state.phase == "deal" and state.result is None:
        return
    _look_at_duties(state)
    _look_at_table(state)
    if state.is_round_over:
        _look_at_result(state)


def _look_at_duties(state: State) -> None:
    owed = None if not state.drawn.source else naive.owed_by_a_take(state)
    if owed is not None:
        assert [CARDS[duty.code] for duty in state.drawn.duties] == owed


def _look_at_table(state: State) -> None:
    rules = naive.MeldRules.of(state)
    for meld in (*state.table, state.dealer_wild):
        assert meld is None or naive.is_standing(rules, meld), f"{meld} is none"
    fours = None if state.from_position else naive.fours_at_once(state)
    if fours is not None:
        assert state.doubled == tuple(fours)
        for number, laid in fours.items():
            slots = state.table[number - 1].slots
            assert laid == Counter((s.card, s.seat) for s in slots if s.twice)


def _look_at_result(state: State) -> None:
    result = state.result
    assert result is not None
    twice = [one for one in result.items if "going rummy" in one.reason]
    if twice and not state.from_position:
        assert naive.went_rummy(state)
    more = [one for one in result.items if "once more, as one of four" in one.reason]
    assert Counter((one.card, one.seat) for one in more) == Counter(
        (slot.card, slot.seat)
        for meld in state.table
        for slot in meld.slots
        if slot.twice and state.rules.score.down == "add"
    )
    assert all(
        any(
            (one.card, one.seat, one.points) == (two.card, two.seat, two.points)
            for two in result.items
            if two not in more
        )
        for one in more
    )
    if state.out and isinstance(state.rules.score.rummy, int):
        assert state.from_position or bool(twice) == naive.went_rummy(state)
    if state.rules.match.sides != "none":
        half = len(state.players) // 2
        assert state.sides == tuple((seat, seat + half) for seat in range(half))
    # A policy of a third party may pay and count by other sums.
    assert sum(state.payments) == 0
    assert sum(state.side_scores) == sum(state.final_scores)
    match = state.rules.match
    if state.is_over and not match.counts_boxes and match.columns == 1:
        won = [
            after - before
            for after, before in zip(
                state.side_scores, state.by_side(state.scores), strict=True
            )
        ]
        assert won == naive.won_with_the_match(state)
