"""
Players who leave a round or the match: drops, wrong declarations, pools, coming back.
"""

from __future__ import annotations

import random

from collections import Counter

import pytest

import rummyvariants as rv

from rummyvariants.files._table_text import table_lines
from rummyvariants.testing import check_ruleset


POOL = {
    "match.ends": "when one is left",
    "match.rounds": "any number",
    "match.eliminated_at": 101,
    "match.rejoin": 79,
}
DROPS = {"out.first_drop": 20, "out.later_drop": 40}
RULES = {
    "a pool": rv.preset("three-thirteen").with_values(
        {**POOL, **DROPS, "out.wrong_declaration": 80}
    ),
    "under the stock": rv.preset("three-thirteen").with_values(
        {**DROPS, "out.dropped_hand": "under the stock"}
    ),
    "in turn": rv.preset("rummy-500").with_values(DROPS),
    "contracts": rv.preset("contract-rummy").with_values(DROPS),
}


def states(name: str, players: int, seed: int) -> list[rv.State]:
    """
    The states of a random match, at most 400.
    """
    chance = random.Random(f"{name} {players} {seed}")
    found = [rv.new_game(RULES[name], players, seed=seed)]
    while not found[-1].is_over and len(found) < 400:
        state = found[-1]
        if state.phase == "deal":
            found.append(rv.game.deal(state))
        else:
            action = rv.legal_actions(state).sample(chance.randrange)
            found.append(rv.apply(state, action))
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_the_invariants_hold(name: str) -> None:
    check_ruleset(RULES[name], matches=1)


@pytest.mark.long
@pytest.mark.parametrize("name", RULES)
def test_states_and_views_are_read_back(name: str) -> None:
    seen: Counter[str] = Counter()
    for players in (3, 4):
        for state in states(name, players, 5)[::3]:
            seen[state.phase] += 1
            assert rv.files.from_json(rv.files.to_json(state), rv.State) == state
            for seat in (None, *range(players)):
                view = rv.view(state, seat)
                assert rv.files.from_json(rv.files.to_json(view), rv.View) == view
            if state.dropped and not state.is_round_over:
                seen["dropped"] += 1
                start = rv.files.parse_scenario(rv.files.scenario_text(state)).start
                assert start is not None
                assert start.dropped == state.dropped
    assert seen["dropped"]


def test_positions_keep_who_sees_a_hand_that_has_left_the_round() -> None:
    dropped = rv.apply(rv.new_game(RULES["a pool"], 3, seed=1), "drop")
    drawn = rv.apply(rv.new_game(RULES["a pool"], 3, seed=1), "draw")
    declared = rv.apply(drawn, f"declare {next(iter(drawn.hands[drawn.turn]))}")
    assert declared.dropped == {drawn.turn: 80}
    for state in (dropped, declared):
        start = rv.files.parse_scenario(rv.files.scenario_text(state)).start
        assert start is not None
        for seat in (None, 0, 1, 2):
            assert [*table_lines(start, seat)] == [*table_lines(state, seat)]


def test_who_has_dropped_is_passed_over_and_pays() -> None:
    state = rv.new_game(RULES["a pool"], 3, seed=1)
    first = state.turn
    left = rv.apply(state, "drop")
    assert left.dropped == {first: 20}
    assert not left.hands[first]
    assert left.turn == (first + 1) % 3
    ended = rv.apply(left, "drop")
    assert ended.result is not None
    assert ended.result.how == "drop"
    assert sorted(ended.scores) == [0, 20, 20]
    assert ended.scores[(first + 2) % 3] == 0
    assert ended.dropped == {first: 20, (first + 1) % 3: 20}


def test_a_later_drop_costs_more_and_none_follows_a_draw() -> None:
    state = rv.new_game(RULES["a pool"], 2, seed=1)
    for _ in range(2):
        state = _a_turn(state)
    drawn = rv.apply(state, "draw")
    ruling = rv.check(drawn, "drop")
    assert not ruling
    ended = rv.apply(state, "drop")
    assert sorted(ended.scores) == [0, 40]


def _a_turn(state: rv.State) -> rv.State:
    drawn = rv.apply(state, "draw")
    action = next(
        one for one in rv.legal_actions(drawn) if isinstance(one, rv.actions.Discard)
    )
    return rv.apply(drawn, action)


def test_a_hand_under_the_stock_stays_hidden() -> None:
    state = rv.new_game(RULES["under the stock"], 3, seed=1)
    left = rv.apply(state, "drop")
    hand = state.hands[state.turn]
    assert sorted(left.stock[-len(hand) :]) == sorted(hand)
    assert left.stock[: -len(hand)] == state.stock
    view = rv.view(left, left.turn)
    assert not [card for card in view.known_stock if card]


def test_an_eliminated_player_comes_back_one_point_above_the_highest() -> None:
    rules = RULES["a pool"]
    state = rv.position(
        rules,
        seats=["N", "E", "S"],
        dealer="E",
        scores={"N": 50, "E": 75, "S": 90},
        turns_taken={"N": 0, "E": 0, "S": 0},
        hands={"N": "2c 3d 5h", "E": "7c 8d Th", "S": "4c 6d Qh"},
        stock="2h 3h 4h",
        discards="Ks",
        wild="3",
    )
    asked = rv.apply(rv.apply(state, "drop"), "drop")
    assert (asked.phase, asked.to_act) == ("rejoin", (2,))
    assert asked.eliminated == (2,)
    back = rv.apply(asked, "rejoin")
    assert (back.phase, back.scores, back.eliminated) == ("deal", (70, 75, 76), ())
    stays = rv.apply(asked, "pass")
    assert (stays.phase, stays.eliminated) == ("deal", (2,))
