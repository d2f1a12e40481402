"""
Knocks with any number of points, by one of several players, and without lay-offs.
"""

from __future__ import annotations

import random

import pytest

import rummyvariants as rv


RULES = rv.preset("gin-rummy").with_values(
    {
        "out.knock": "any number",
        "layoff.knocked": "never",
        "score.hands": "nothing",
        "match.players": [2, 4],
        "match.ends": "after the rounds",
        "match.rounds": 1,
    }
)
HANDS = {"Ann": "7h 8h 9h Kc Qd 2c", "Ben": "Th 3d", "Cleo": "9s"}


def before_knock(rules: rv.Ruleset, **facts: object) -> rv.State:
    given = {"hands": HANDS, "turn": "Ann", "phase": "play", "drawn": "stock 2c"}
    piles = {"stock": "4c 5c 6d", "discards": "Jd"}
    return rv.position(rules, partial=True, **{**given, **piles, **facts})


def test_any_number_of_points_may_be_left() -> None:
    state = before_knock(RULES)
    ruling = rv.check(state, "knock 2c: 7h 8h 9h")
    assert ruling
    assert ruling.reason.endswith("20 points, and a knock leaves any number")
    assert "knock 2c" in [str(one)[:8] for one in rv.legal_actions(state)]


def test_nobody_lays_off_where_that_is_never_done() -> None:
    state = rv.apply(before_knock(RULES), "knock 2c: 7h 8h 9h")
    assert state.result is not None
    assert state.result.how == "knock"
    assert state.is_over
    with pytest.raises(rv.errors.PositionError, match="nobody lays off after a knock"):
        rv.position(
            RULES,
            hands={"Ann": "Kc", "Ben": "Th"},
            table=["Ann: 7h 8h 9h"],
            out="Ann",
            turn="Ben",
            phase="layoff",
            partial=True,
        )


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"score.hands": "the difference"}, "only two players compare their hands"),
        ({"layoff.knocked": "unless gin"}, "only one other player lays off"),
    ],
)
def test_what_is_for_two(values: dict[str, str], reason: str) -> None:
    with pytest.raises(rv.errors.RulesError, match=reason):
        RULES.with_values(values)


def test_the_last_round_may_have_to_bring_points() -> None:
    for scores, over in ((True, False), (False, True)):
        rules = RULES.with_values({"match.last_scores": scores})
        state = rv.apply(before_knock(rules), "knock 2c: 7h 8h 9h")
        assert state.is_over == over
        assert state.phase == ("over" if over else "deal")


def test_the_sheet_says_so() -> None:
    sheet = " ".join(RULES.describe().split())
    assert "unmatched cards, whatever these are worth." in sheet
    assert "Laying off" not in sheet


@pytest.mark.parametrize("name", ["greedy", "careful"])
def test_bots_knock_only_with_a_hand_that_may_be_lowest(name: str) -> None:
    bot = rv.bots.bot(name)
    chance = random.Random(1)
    high = before_knock(RULES)
    hands = {"Ann": "7h 8h 9h Ac 2c", "Ben": "Th 3d 5s 6s", "Cleo": "8d Qh 9s Js"}
    low = before_knock(RULES, hands=hands)
    assert str(bot.choose(rv.view(high, 0), chance)).startswith("discard")
    assert str(bot.choose(rv.view(low, 0), chance)).startswith("knock 2c")
