"""Going out by a declaration, and the last turns that follow it."""

from __future__ import annotations

import random

from collections import Counter
from typing import Any

import attrs
import pytest

import naive_turns
import rummyvariants as rv

from composition import look_closely
from invariants import look_at
from rummyvariants import bots
from rummyvariants.melds._deadwood import (
    fewest_points,
)
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
        state = do(state, rv.game.parse_action(one, state.turn))
    return state


def test_a_last_turn_can_be_written_down() -> None:
    state = after(rv.position(GAME, **BEFORE), "declare Ks: 5c 5d 5h")
    again = rv.position(GAME, **AFTER)
    assert again.to_act == state.to_act == (1,)
    for one in (state, again):
        later = after(one, "draw", "discard 2c")
        assert (later.turn, later.had_last_turn) == (2, (1,))
        text = rv.files.scenario_text(later)
        read = rv.files.parse_scenario(text).start
        assert read is not None
        assert (read.had_last_turn, read.out, read.turn) == ((1,), (0,), 2)
        assert rv.files.from_json(rv.files.to_json(later), rv.State) == later
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
    with pytest.raises(rv.errors.PositionError, match=problem):
        rv.position(GAME, **{**AFTER, **changes})


def test_what_everybody_sees_in_a_last_turn() -> None:
    state = after(rv.position(GAME, **BEFORE), "declare Ks: 5c 5d 5h")
    for seat in range(3):
        view = rv.view(state, seat)
        assert [str(meld) for meld in view.table] == ["5c 5d 5h"]
        assert view.world.out == (0,)
        assert [view.hand_sizes[one] for one in range(3)] == [0, 3, 3]
        assert rv.files.from_json(rv.files.to_json(view), rv.View) == view
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


LAYING: dict[str, Any] = {
    **AFTER,
    "phase": "play",
    "drawn": "stock 2d",
    "stock": "2c 4c 8s",
    "table": ["N: 5c 6c 7c"],
    "hands": {"E": "8c 9c Th 2d", "S": "Qc 3h 3s"},
    "partial": True,
}


def test_a_hand_laid_off_in_a_last_turn_can_be_written_down() -> None:
    rules = GAME.with_options("THV-06")
    hands = {"E": "8c 9c Tc Jc", "S": "Qc 3h 3s"}
    start = rv.position(rules, **{**LAYING, "hands": hands, "drawn": "stock Jc"})
    state = after(start, "lay 8c 9c Tc on 1", "lay Jc on 1")
    assert (state.out, state.turn, len(state.hands[1])) == ((0,), 2, 0)
    assert state.had_last_turn == (1,)
    again = rv.files.parse_scenario(rv.files.scenario_text(state)).start
    assert again is not None
    for one in (state, again):
        over = after(one, "draw", "discard Qc")
        assert over.result is not None
        assert (over.result.how, over.result.points) == ("out", (0, 0, 0))


@pytest.mark.parametrize("empty", ["refused", "float", "out"])
def test_the_last_card_is_laid_off_or_kept_for_the_discard(empty: str) -> None:
    rules = GAME.with_options("THV-06").with_values({"out.empty_hand": empty})
    hands = {"E": "8c 9c Tc Jc", "S": "Qc 3h 3s"}
    start = rv.position(rules, **{**LAYING, "hands": hands, "drawn": "stock Jc"})
    state = after(start, "lay 8c 9c Tc on 1")
    assert rv.check(state, "lay Jc on 1").legal == (empty != "refused")
    last = after(state, "discard Jc")
    assert (last.turn, last.out, len(last.hands[1])) == (2, (0,), 0)
    assert 1 not in last.floating


@pytest.mark.parametrize("bot", [bots.GreedyBot(), bots.CarefulBot()])
def test_a_bot_lays_off_what_leaves_fewer_points(bot: bots.Bot) -> None:
    chance = random.Random(5)
    state = rv.position(GAME.with_options("THV-06"), **LAYING)
    while state.turn == 1:
        state = rv.apply(state, bot.choose(rv.view(state, 1), chance))
    assert [str(meld) for meld in state.table] == ["5c 6c 7c 8c 9c"]
    assert [str(card) for card in state.hands[1]] == ["2d"]


@pytest.mark.parametrize("bot", [bots.GreedyBot(), bots.CarefulBot()])
def test_a_bot_takes_a_card_that_it_can_lay_off(bot: bots.Bot) -> None:
    hands = {"E": "2d 4h 5h", "S": "Qc 3h 3s"}
    before = {**AFTER, "hands": hands, "stock": "2c 2s 8s", "discards": "Ts Ks 9c"}
    rules = GAME.with_options("THV-06")
    for table, chosen in (("N: 6c 7c 8c", "take 1"), ("N: 5c 6c 7c", "draw")):
        state = rv.position(rules, **{**before, "table": [table]})
        action = bot.choose(rv.view(state, 1), random.Random(1))
        assert str(action) == chosen


@pytest.mark.parametrize("empty", ["refused", "out"])
def test_lay_offs_of_a_last_turn_are_arranged_as_well_as_can_be(empty: str) -> None:
    chance = random.Random(empty)
    rules = GAME.with_options("THV-06").with_values({"out.empty_hand": empty})
    deck = [rank + suit for rank in "3489T" for suit in "cd"]
    helped = 0
    for _ in range(60):
        cards = chance.sample(deck, chance.randint(2, 4))
        hands = {"E": " ".join(cards), "S": "Qc 3h 3s"}
        table = [chance.choice(["N: 7c 7h 7s", "N: 5c 6c 7c", "N: 6d 7d 3h=8d"])]
        given = {"hands": hands, "drawn": f"stock {cards[0]}", "stock": "2c 2h 8s"}
        state = rv.position(rules, **{**LAYING, **given, "table": table})
        found = rv.arrange(state, goal="least points left")
        assert found.exact
        assert found.points_left == _least_left(state, 1)
        after(state, *map(str, found.actions))
        helped += any(isinstance(one, rv.actions.LayOff) for one in found.actions)
    assert helped > 10


@pytest.mark.parametrize("empty", ["refused", "out"])
def test_each_of_two_defenders_lays_off_what_leaves_the_least(empty: str) -> None:
    """
    The second lays cards off on the melds as the first has left them.
    """
    chance = random.Random(f"two {empty}")
    rules = GAME.with_options("THV-06").with_values({"out.empty_hand": empty})
    deck = [rank + suit for rank in "3489T" for suit in "cd"]
    helped = Counter[int]()
    for _ in range(60):
        cards = chance.sample(deck, 8)
        first, second = chance.randint(2, 4), chance.randint(1, 3)
        hands = {"E": " ".join(cards[:first]), "S": " ".join(cards[4 : 4 + second])}
        table = [chance.choice(["N: 7c 7h 7s", "N: 5c 6c 7c", "N: 6d 7d 3h=8d"])]
        given = {"hands": hands, "drawn": f"stock {cards[0]}"}
        stock = f"{cards[7]} 2h 8s"
        state = rv.position(
            rules, **{**LAYING, **given, "stock": stock, "table": table}
        )
        for seat in (1, 2):
            if state.phase == "draw":
                state = after(state, "draw")
            found = rv.arrange(state, goal="least points left")
            assert found.exact
            assert found.points_left == _least_left(state, seat)
            state = after(state, *map(str, found.actions))
            helped[seat] += any(
                isinstance(one, rv.actions.LayOff) for one in found.actions
            )
    assert min(helped[1], helped[2]) > 10


def _least_left(state: rv.State, seat: int) -> int:
    """
    The fewest points that a seat in its turn can be left with, by all that it may do.
    """
    if state.turn != seat or state.is_round_over:
        return fewest_points(state.dealt.terms, state.hands[seat].bits)
    return min(
        _least_left(rv.apply(state, one), seat) for one in rv.legal_actions(state)
    )


def test_a_round_that_ends_with_the_stock_leaves_no_last_turn() -> None:
    rules = GAME.with_options("THV-04")
    state = rv.position(rules, **{**BEFORE, "stock": ""})
    state = after(state, "declare Ks: 5c 5d 5h")
    assert state.result is not None
    assert (state.result.how, state.result.points) == ("stock", (0, 0, 0))


@pytest.mark.parametrize("worth", [0, -10])
@pytest.mark.parametrize("hand", ["6c 6d 6h Ks", "6c 6d 6h Ks Kh", "6c 6d 6h Ks Kh Kd"])
def test_a_card_that_is_worth_nothing_is_not_left_over(worth: int, hand: str) -> None:
    """
    What a declaration shows has to be all cards, not all points.
    """
    rules = GAME.with_values({"score.special": {"Ks": worth}})
    number = len(hand.split()) - 3
    hands = {**BEFORE["hands"], "N": hand}
    wild = "345"[number - 1]
    given = {"hands": hands, "round": number, "wild": wild, "partial": True}
    state = rv.position(rules, **{**BEFORE, **given})
    look_closely(state)
    for goal in ("out", "least points left", "least cards left"):
        for action in rv.arrange(state, goal=goal).actions:
            assert rv.check(state, action), action


@rv.house.register_rule("out", "nobody declares in a first turn")
@attrs.frozen
class Patience(rv.house.HouseRule):
    """
    A table on which everybody has a turn first.
    """

    def may_knock(self, turn: rv.house.Turn) -> bool:
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
    assert not [
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.Declare)
    ]
    later = rv.position(rules, **BEFORE)
    assert rv.check(later, "declare Ks: 5c 5d 5h")
    judge = naive_turns.Judge(state)
    assert judge.allows(state, rv.game.parse_action("declare Ks: 5c 5d 5h", 0))
    play_match(rules, 3, limit=200)
