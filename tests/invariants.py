"""What the twins of the tests say of every state, beside what the test kit says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import naive
import naive_rounds
import naive_turns

from naive_turns import Judge
from rummyvariants import State, apply, check
from rummyvariants.actions import (
    Action,
    Buy,
    CallRummy,
    Deal,
    Declare,
    Discard,
    HouseAction,
    Pass,
)
from rummyvariants.cards import CARDS
from rummyvariants.rulings import Ruling
from rummyvariants.testing import check_state


MOST_CALLED = 8
"""How big a discard pile may be for all calls on it to be tried."""
MOST_DIVIDED = 6
"""How big a hand may be for all ways to divide it into melds to be tried."""


def look_at(state: State) -> None:
    """
    Assert what must hold of a state.
    """
    check_state(state)
    if state.phase == "deal" and state.result is None:
        return
    if not state.from_position:
        assert state.dropped == naive_rounds.left_round(state)
    _look_at_duties(state)
    _look_at_table(state)
    if state.rules.wild.indicator == "hand size":
        assert state.wild_rank == naive_rounds.rank_of_size(state)
    if state.rules.out.declare != "never":
        _look_at_declaration(state)
    if state.is_round_over:
        _look_at_result(state)


def _look_at_duties(state: State) -> None:
    owed = None if not state.drawn.source else naive_rounds.owed_by_a_take(state)
    if owed is not None:
        assert owed == tuple(
            (CARDS[duty.code], duty.how) for duty in state.drawn.duties
        )


def _look_at_table(state: State) -> None:
    rules = naive.MeldRules.of(state)
    for meld in (*state.table, state.dealer_wild):
        assert meld is None or naive.is_standing(rules, meld), f"{meld} is none"
    fours = None if state.from_position else naive_rounds.fours_at_once(state)
    if fours is not None:
        assert state.doubled == tuple(fours)
        for number, laid in fours.items():
            slots = state.table[number - 1].slots
            assert laid == Counter((s.card, s.seat) for s in slots if s.twice)


def _look_at_declaration(state: State) -> None:
    """
    Assert who is out, what everybody holds, and when the round ends and what it counts.
    """
    if state.from_position:
        return
    assert state.out == naive_rounds.declared_by(state)
    assert naive_rounds.may_be_over(state)
    deal, draw = state.rules.deal, state.rules.draw
    whole = deal.method == "fixed" and deal.too_few == "redeal"
    extra = state.rules.wild.indicator == "extra card"
    if whole and draw.take == "the top card" and not extra:
        drawn = state.turn if state.phase == "play" else None
        for seat, hand in enumerate(state.hands):
            held = naive_rounds.size_dealt(state) + (seat == drawn)
            passed = {*state.out, *naive_turns.gone(state)}
            laid = naive_rounds.laid_off_by(state, seat)
            assert len(hand) == (0 if seat in passed else max(0, held - laid))
    few = state.result is not None and max(map(len, state.hands)) <= MOST_DIVIDED
    if few and plain_deal(state):
        assert state.result is not None
        points = naive_rounds.declared_points(state)
        assert points in {None, state.result.points}
    if state.result is not None:
        assert state.result.how != "out" or state.out
        dealt = naive_rounds.declared_as_dealt(state)
        assert dealt == (state.result.how == "dealt hand")


def plain_deal(state: State) -> bool:
    """
    Whether what a cut brings follows from the deal, if it matters at all.
    """
    if not state.rules.score.exact_cut:
        return True
    deal = state.rules.deal
    whole = deal.method == "fixed" and deal.too_few == "redeal"
    dealt = not state.from_position or any(isinstance(o, Deal) for o in state.history)
    return whole and dealt and state.rules.wild.indicator != "extra card"


def _look_at_result(state: State) -> None:
    result = state.result
    assert result is not None
    if plain_deal(state):
        cut = [one for one in result.items if one.reason.startswith("cut exactly")]
        by_seat = {one.seat: one.points for one in cut}
        seats = range(len(state.players))
        assert [by_seat.get(s, 0) for s in seats] == naive_rounds.cut_points(state)
    if state.rules.meld.contracts and plain_deal(state):
        points = naive_rounds.left_points(state)
        assert points in {None, result.points}
    rummy = state.rules.meld.whole_hand
    twice = [one for one in result.items if rummy in one.reason]
    if twice and not state.from_position:
        assert naive_rounds.went_rummy(state)
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
        assert state.from_position or bool(twice) == naive_rounds.went_rummy(state)
    won = naive_rounds.won_after_the_rounds(state)
    assert won in {None, state.winners}
    assert [*map(list, state.sides)] == naive_rounds.sides_of(state)
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
        assert won == naive_rounds.won_with_the_match(state)


def ruled(state: State, judge: Judge) -> Iterator[tuple[Action, Ruling]]:
    """
    Everything that could be written in a state with the ruling, on which all agree.

    Where it is legal, what comes next is looked at as well.
    """
    for action in naive.everything(state):
        ruling = check(state, action)
        assert bool(ruling) == judge.allows(state, action), (
            f"brute force says otherwise of {action}: {ruling}"
        )
        if ruling:
            _look_at_next(state, action, judge)
        yield action, ruling


def _look_at_next(state: State, action: Action, judge: Judge) -> None:
    """
    Assert how a turn goes on after an action, or who is asked or whose turn it is then.
    """
    after = apply(state, action)
    left = dict(state.dropped)
    if isinstance(action, HouseAction):
        left[action.seat or 0] = naive_turns.drop_price(state, action.seat or 0) or 0
    elif isinstance(action, Declare) and action.seat not in after.out:
        left[action.seat or 0] = int(state.rules.out.wrong_declaration)
    assert after.dropped == left, str(action)
    if isinstance(action, Declare):
        turn = judge.turn(state, action.seat or 0)
        dealt = state.phase == "draw"
        right = judge.may_declare(turn, action, dealt=dealt)
        assert (action.seat in after.out) == right, str(action)
    if isinstance(action, Buy):
        hands = [Counter(hand) for hand in after.hands]
        assert hands == naive_rounds.hands_after(state, action)
    if after.is_round_over:
        wanted = naive_rounds.after_elimination(state, action, after)
        named = after.to_act or after.winners
        assert wanted in {None, (after.phase, named, after.scores)}, str(action)
        return
    if isinstance(action, Buy | Pass) and state.phase in {"draw", "buy"}:
        due = naive_rounds.after_a_sale(state, action, after)
        assert (after.phase, *after.to_act) == due, str(action)
        return
    wanted = judge.goes_on(state, action)
    if isinstance(action, CallRummy):
        wanted = naive_rounds.turn_of_a_caller(state, action, after, judge)
        assert (wanted is not None) == (after.phase == "play"), str(action)
    if wanted is not None:
        if after.phase in {"play", "layoff"} and after.turn == action.seat:
            assert judge.turn(after, after.turn) == wanted, str(action)
        return
    if isinstance(action, CallRummy | Declare | Discard | HouseAction):
        following = naive_rounds.who_is_next(state, action, after)
        assert following in {None, after.turn}, str(action)
    if isinstance(action, Discard) and len(after.discards) <= MOST_CALLED:
        asked = judge.asked(after, action.seat)
        assert asked == (set(after.to_act) if after.phase == "call" else set())
