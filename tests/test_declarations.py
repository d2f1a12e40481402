"""Going out by a declaration, and the last turns that follow it."""

from __future__ import annotations

import random

from typing import Any

import attrs
import pytest

import naive_turns
import rummyvariants as rv

from composition import look_closely
from invariants import look_at
from rummyvariants.testing import check_secrecy, do, play_match


GAME = rv.preset("three-thirteen")
BEFORE: dict[str, Any] = {
    "seats": ["N", "E", "S"],
    "dealer": "S",
    "turn": "N",
    "phase": "play",
    "wild": "3",
    "stock": "2c 4c 8s",
    "discards": "Ts",
    "hands": {"N": "5c 5d 5h Ks", "E": "7h 8h 9h", "S": "Qc Qd 3s"},
    "drawn": "stock Ks",
}
AFTER: dict[str, Any] = {
    "seats": ["N", "E", "S"],
    "dealer": "S",
    "turn": "E",
    "wild": "3",
    "stock": "2c 4c 8s",
    "discards": "Ts Ks",
    "table": ["N: 5c 5d 5h"],
    "out": ["N"],
    "hands": {"E": "7h 8h 9h", "S": "Qc Qd 3s"},
    "turns_taken": {"N": 2, "E": 1, "S": 1},
}


def after(state: rv.State, *done: str) -> rv.State:
    """
    The state after some actions of those whose turn it is, all checks made.
    """
    for one in done:
        state = do(state, rv.parse_action(one, state.turn))
    return state


def test_a_last_turn_can_be_written_down() -> None:
    state = after(rv.position(GAME, **BEFORE), "declare Ks: 5c 5d 5h")
    again = rv.position(GAME, **AFTER)
    assert again.to_act == state.to_act == (1,)
    for one in (state, again):
        later = after(one, "draw", "discard 2c")
        assert (later.turn, later.had_last_turn) == (2, (1,))
        text = rv.scenario_text(later)
        read = rv.parse_scenario(text).start
        assert read is not None
        assert (read.had_last_turn, read.out, read.turn) == ((1,), (0,), 2)
        assert rv.from_json(rv.to_json(later), rv.State) == later
        for last in (later, read):
            over = after(last, "draw", "discard 4c")
            assert over.result is not None
            assert (over.result.how, over.result.points) == ("out", (0, 0, 0))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"phase": "layoff"}, "nobody knocks in this game"),
        ({"out": ["N", "S"], "hands": {"E": "7h 8h 9h"}}, "only one player"),
        ({"hands": {"N": "6c", "E": "7h 8h 9h"}}, "holds no card any more"),
        ({"table": []}, "are missing"),
        ({"table": ["N: 5c 5d 5h", "E: 6c 6d 6h"]}, "until somebody declares"),
        ({"turn": "N", "hands": {"N": "6c 6d 6h"}}, "no turn left"),
        ({"had_last_turn": ["E"]}, "no turn left"),
        ({"out": []}, "until somebody declares"),
        ({"out": [], "table": [], "had_last_turn": ["E"]}, "nobody is out"),
    ],
)
def test_no_last_turn_is_like_that(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(rv.PositionError, match=problem):
        rv.position(GAME, **{**AFTER, **changes})


def test_what_everybody_sees_in_a_last_turn() -> None:
    state = after(rv.position(GAME, **BEFORE), "declare Ks: 5c 5d 5h")
    for seat in range(3):
        view = rv.view(state, seat)
        assert [str(meld) for meld in view.table] == ["5c 5d 5h"]
        assert view.world.out == (0,)
        assert [view.hand_sizes[one] for one in range(3)] == [0, 3, 3]
        assert rv.from_json(rv.to_json(view), rv.View) == view
        for seed in range(4):
            world = rv.determinize(view, random.Random(seed))
            assert world.out == (0,)
            assert world.hands[seat] == state.hands[seat]
            look_at(world)
    check_secrecy(state)


@pytest.mark.parametrize("empty", ["refused", "float", "out"])
def test_a_declaration_goes_out_whatever_an_empty_hand_does(empty: str) -> None:
    rules = GAME.with_values({"out.empty_hand": empty})
    hands = {**BEFORE["hands"], "N": "5c 5d 5h 5s"}
    state = rv.position(rules, **{**BEFORE, "hands": hands, "drawn": "stock 5s"})
    state = after(state, "declare: 5c 5d 5h 5s")
    assert (state.out, state.floating, state.turn) == ((0,), (), 1)


def test_a_declaration_is_no_idle_turn() -> None:
    """
    It lays cards on the table, so the others have their last turn (RV-01).
    """
    before = {**BEFORE, "drawn": "take Ks", "idle_turns": 8}
    state = after(rv.position(GAME, **before), "declare Ks: 5c 5d 5h")
    assert (state.phase, state.turn, state.idle) == ("draw", 1, 0)


def test_after_a_declaration_the_pile_may_be_turned_over_again() -> None:
    """
    Cards have reached the table since it was turned over last (RV-08).
    """
    before = {**BEFORE, "stock": "", "turned": 1, "fresh": False}
    state = after(rv.position(GAME, **before), "declare Ks: 5c 5d 5h", "draw")
    assert state.turned == 2


def test_a_round_that_ends_with_the_stock_leaves_no_last_turn() -> None:
    rules = GAME.with_options("THV-04")
    state = rv.position(rules, **{**BEFORE, "stock": ""})
    state = after(state, "declare Ks: 5c 5d 5h")
    assert state.result is not None
    assert (state.result.how, state.result.points) == ("stock", (0, 0, 0))


@pytest.mark.parametrize("worth", [0, -10])
@pytest.mark.parametrize("hand", ["5c 5d 5h Ks", "5c 5d 5h Ks Kh", "5c 5d 5h Ks Kh Kd"])
def test_a_card_that_is_worth_nothing_is_not_left_over(worth: int, hand: str) -> None:
    """
    What a declaration shows has to be all cards, not all points.
    """
    rules = GAME.with_values({"score.special": {"Ks": worth}})
    number = len(hand.split()) - 3
    hands = {**BEFORE["hands"], "N": hand}
    state = rv.position(rules, **{**BEFORE, "hands": hands, "round": number})
    look_closely(state)
    for goal in ("out", "least points left", "least cards left"):
        for action in rv.arrange(state, goal=goal).actions:
            assert rv.check(state, action), action


@rv.register_rule("out", "nobody declares in a first turn")
@attrs.frozen
class Patience(rv.HouseRule):
    """
    A table on which everybody has a turn first.
    """

    def may_knock(self, turn: rv.Turn) -> bool:
        return turn.turns_taken[turn.seat] > 0


def test_a_house_rule_forbids_a_declaration() -> None:
    rules = GAME.with_values({"out.rules": ["nobody declares in a first turn"]})
    turns = dict.fromkeys(BEFORE["seats"], 0)
    state = rv.position(rules, **BEFORE, turns_taken=turns)
    ruling = rv.check(state, "declare Ks: 5c 5d 5h")
    assert (
        ruling.reason
        == "nobody may declare now: a table on which everybody has a turn first"
    )
    assert not [one for one in rv.legal_actions(state) if isinstance(one, rv.Declare)]
    later = rv.position(rules, **BEFORE)
    assert rv.check(later, "declare Ks: 5c 5d 5h")
    judge = naive_turns.Judge(state)
    assert judge.allows(state, rv.parse_action("declare Ks: 5c 5d 5h", 0))
    play_match(rules, 3, limit=200)
