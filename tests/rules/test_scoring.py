"""
The lines of a score sheet: what each says, and that none says nothing.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.bots import CarefulBot, play_on
from rummyvariants.files._positions import read_position
from rummyvariants.game._scoring import points_on_table, round_result, went_rummy


def lines(preset: str, *options: str, **position: Any) -> list[str]:
    """
    The score sheet of a position if the stock were empty now.
    """
    given = {"seats": ["Ann", "Ben", "Cleo"], "stock": "5d", "discards": "6d"}
    rules = rv.preset(preset).with_options(*options)
    state = read_position(given | position, rules)
    return [
        str(one).replace(f"seat {one.seat}", state.players[one.seat], 1)
        for one in round_result(state, "stock").items
    ]


def test_each_card_says_how_it_came_to_the_table() -> None:
    assert lines(
        "rummy-5000",
        wild="4",
        hands={"Ann": "4d", "Ben": "2d", "Cleo": "Kd"},
        table=["Ann: 4c=6h 7h 8h | Ben: 9h | Ben: 6h"],
    ) == [
        "Ann: +100 4c melded as a wild [PG-20]",
        "Ann: +5 7h melded [PG-20]",
        "Ann: +5 8h melded [PG-20]",
        "Ben: +5 9h laid off [PG-20]",
        "Ben: +5 6h beside a wild [PG-20]",
    ]


def test_a_low_ace_says_so_and_so_does_each_card_in_a_hand() -> None:
    assert lines(
        "rummy-500",
        hands={"Ann": "4d", "Ben": "*", "Cleo": "Ad"},
        table=["Ann: Ac 2c 3c", "Ben: Qc Kc *=Ac"],
    ) == [
        "Ann: +1 Ac melded as a low ace [BN-08]",
        "Ann: +2 2c melded [BN-03]",
        "Ann: +3 3c melded [BN-03]",
        "Ben: +10 Qc melded [BN-03]",
        "Ben: +10 Kc melded [BN-03]",
        "Ben: +15 * melded as a wild [BN-03]",
        "Ann: -4 4d left in the hand [BN-17]",
        "Ben: -15 * left in the hand [BN-17]",
        "Cleo: -15 Ad left in the hand [BN-17]",
    ]


def test_four_aces_of_any_player_and_nothing_else_are_a_hundred_each() -> None:
    found = lines(
        "rummy-500",
        "R5V-10",
        hands={"Ann": "4d", "Ben": "5c", "Cleo": "6c"},
        table=["Ann: Kc Kd Kh Ks", "Ben: Ac Ad Ah As"],
    )
    assert [one for one in found if "+" in one] == [
        *[f"Ann: +10 K{suit} melded [BN-03]" for suit in "cdhs"],
        *[f"Ben: +25 A{suit} melded [R5V-10]" for suit in "cdhs"],
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (["Cleo: Tc Td Th"], "+100 4h face up before the dealer"),
        ([], "-100 4h face up, and no meld put down"),
    ],
)
def test_the_dealers_wild_says_for_whom_it_counts(
    table: list[str], message: str
) -> None:
    found = lines(
        "2500-house",
        wild="4",
        dealer_wild="4h",
        hands={"Ann": "Kd", "Ben": "Ac", "Cleo": "5d"},
        table=["Ann: Qc Qd Qh", "Ann: 4c", *table],
    )
    assert "Ann: +100 4c put down as a wild [HR-16]" in found
    assert f"Cleo: {message} [HR-17]" in found


@pytest.mark.parametrize(
    ("built", "seats"),
    [
        ("4h=T | Ben: Tc Td", {1}),
        ("4h=T | Ben: Tc | Cleo: Td", {1, 2}),
        ("4h=T | Cleo: Tc | Ben: Td", {1, 2}),
        ("4h", set()),
    ],
)
def test_who_builds_on_the_dealers_wild_alone_has_laid_cards(
    built: str, seats: set[int]
) -> None:
    """
    The wild itself was laid by nobody.
    """
    given = {
        "seats": ["Ann", "Ben", "Cleo"],
        "dealer": "Cleo",
        "wild": "4",
        "dealer_wild": built,
        "stock": "5d",
        "discards": "6d",
        "hands": {"Ann": "Kd", "Ben": "Ac", "Cleo": "5d"},
    }
    state = read_position(given, rv.preset("2500-house").with_options("BAS-06a"))
    gone = [attrs.evolve(state, out=(seat,), memory=()) for seat in range(3)]
    assert {one.out[0] for one in gone if went_rummy(one)} == seats


@pytest.mark.parametrize(
    ("preset", "rule"), [("2500-house", "HR-08"), ("rummy-5000", "PG-17")]
)
def test_a_round_ends_by_the_rule_for_going_out(preset: str, rule: str) -> None:
    given = {
        "seats": ["Ann", "Ben", "Cleo"],
        "phase": "play",
        "drawn": "stock 9c",
        "stock": "5d",
        "discards": "6d",
        "hands": {"Ann": "9c", "Ben": "3d", "Cleo": "4d"},
        "table": ["Ann: Qc Qd Qh"],
    }
    state = rv.apply(read_position(given, rv.preset(preset)), "discard 9c")
    assert state.result is not None
    assert state.result.rule == rule


@pytest.mark.parametrize(
    "rules",
    [
        rv.preset("gin-rummy").with_options("GRV-02", "GRV-05a", "GRV-05c", "GRV-10"),
        rv.preset("gin-rummy").with_values(
            {"score.gin_bonus": 0, "score.big_gin_bonus": 0, "score.undercut_bonus": 0}
        ),
        rv.preset("basic-rummy"),
        rv.preset("persian-rummy"),
    ],
    ids=str,
)
def test_a_bonus_of_nothing_is_no_line(rules: rv.Ruleset) -> None:
    players = rules.match.players[0]
    seen = 0
    for seed in range(4):
        state = rv.game.begin(rules, players, seed=seed)
        for step in play_on(state, [CarefulBot()] * players, seed):
            if step.after.is_round_over and not step.before.is_round_over:
                seen += 1
                items = step.after.result.items
                assert all(one.points for one in items if one.card is None)
    assert seen > 5


def test_equal_hands_that_nobody_wins_leave_no_line() -> None:
    given = {
        "seats": ["Ann", "Ben"],
        "phase": "play",
        "drawn": "stock Kd",
        "stock": "Kh Qh 9s 9d 7c 7d 8s 3s",
        "discards": "Ks",
        "hands": {
            "Ann": "7h 8h 9h 5c 5d 5s Js Jd Jh 4c Kd",
            "Ben": "Tc Td Ts Qc Qd Qs 2d 2h 2s 4h",
        },
    }
    rules = rv.preset("gin-rummy")
    items = []
    for ruleset in (rules.with_options("GRV-02"), rules):
        state = rv.apply(read_position(given, ruleset), "knock Kd")
        result = rv.apply(state, "pass").result
        items.append([one.reason for one in result.items])
    assert items == [
        [],
        ["for an undercut", "unmatched in the hand of Ann", "unmatched"],
    ]


def test_points_on_the_table_are_those_of_the_score_sheet_for_each_seat() -> None:
    state = rv.position(
        "rummy-500",
        hands={"Ann": "4d", "Ben": "*"},
        table=["Ann: 2c 3c 4c | Ben: 5c", "Ben: Qc Kc *=Ac"],
        fill=True,
    )
    assert points_on_table(state, 0) == 2 + 3 + 4
    assert points_on_table(state, 1) == 5 + 10 + 10 + 15


def test_a_box_counts_at_once_and_twice_with_the_round() -> None:
    rules = rv.preset("rummy-500")
    rules = attrs.evolve(
        rules,
        score=attrs.evolve(rules.score, spade_upcard=True),
        match=attrs.evolve(rules.match, box_bonus=20, box_counts="at once"),
    )
    given = {
        "seats": ["Ann", "Ben"],
        "stock": "5d",
        "discards": "6d",
        "hands": {"Ann": "4d", "Ben": "3d"},
        "table": ["Ann: Qc Kc Ac", "Ben: 2c 3c 4c"],
    }
    state = read_position(given, rules)
    spade = attrs.evolve(state.dealt, upcard=rv.Card("9s"))
    result = round_result(attrs.evolve(state, dealt=spade), "stock")
    plain = (10 + 10 + 15 - 4, 2 + 3 + 4 - 3)
    assert result.points == (2 * (plain[0] + 20), 2 * plain[1])
    sums = [line.split()[-3] for line in str(result).splitlines() if "in all" in line]
    assert sums == [f"{points:+d}" for points in result.points]
