"""
Bots where a hand needs certain runs: they keep them, declare, drop and come back.
"""

from __future__ import annotations

import itertools
import random

import pytest

import rummyvariants as rv

from rummyvariants.bots import CarefulBot, GreedyBot, SearchBot, play_on
from rummyvariants.files._positions import read_position


INDIAN = rv.preset("indian-rummy")
BOTS = [CarefulBot(), GreedyBot(), SearchBot(2)]


def position(hand: str, phase: str = "play", rules=INDIAN, **more):
    """
    A moment of Indian rummy with eights wild, in which N acts.
    """
    text = {
        "seats": ["N", "E"],
        "dealer": "E",
        "turn": "N",
        "phase": phase,
        "wild": "8",
        "indicator": "8d",
        "discards": "5c",
        "hands": {"N": hand, "E": "Ah Kd Qs Jh Tc 2c 3d 4h 5s 9c 2h 8s *"},
        **more,
    }
    if phase == "play":
        text["drawn"] = f"stock {hand.rsplit(maxsplit=1)[-1]}"
    return read_position(text, rules)


def chosen(bot, state: rv.State) -> str:
    return str(bot.choose(rv.view(state, 0), random.Random(0))).partition(":")[0]


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
def test_a_whole_hand_is_declared_at_once(bot):
    state = position("Ac 2c 3c 4c 9h Th Jh 6c 6d 6s Qc Qd Qs Kd")
    assert chosen(bot, state) == "declare Kd"


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
def test_a_pure_run_and_wilds_are_kept(bot):
    state = position("4h 5h 6h 8c * Kd Ks Qh 9c 9d 7s Jd 2s Th")
    assert chosen(bot, state).removeprefix("discard ") not in {
        *("4h", "5h", "6h", "8c", "*"),
    }


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
def test_sets_without_a_pure_run_are_not_declared_even_where_that_is_legal(bot):
    rules = INDIAN.with_values({"out.wrong_declaration": 80})
    hand = "3c 3d 3s 9c 9d 9h Kc Kd Ks 6c 6d 6s 6h Qd"
    assert chosen(bot, position(hand, rules=rules)).startswith("discard")


def test_only_the_careful_bot_drops_a_hopeless_hand():
    hand = "Ac 4d 7h Ts Kc Jd 2h 5s 9c Qd 3s 6c Jh"
    state = position(hand, "draw", turns_taken={"N": 0, "E": 0})
    assert chosen(CarefulBot(), state) == "drop"
    assert chosen(GreedyBot(), state) != "drop"


def test_nobody_drops_a_hand_with_its_runs():
    hand = "4h 5h 6h 9s Ts Js Kc Kd Kh 3c 3d 8h Qd"
    state = position(hand, "draw", turns_taken={"N": 0, "E": 0})
    assert chosen(CarefulBot(), state) != "drop"


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: type(bot).__name__)
def test_pools_are_played_without_a_wrong_declaration(bot):
    rules = rv.preset("indian-rummy-pool").with_values({"out.wrong_declaration": 80})
    state = rv.begin(rules, 3, seed=2)
    for done in itertools.islice(play_on(state, [bot] * 3, 2), 400):
        state = done.after
        if done.before.phase == "rejoin":
            assert str(done.action) == "rejoin"
        if state.result is not None:
            reasons = {item.reason for item in state.result.items}
            assert "for a wrong declaration" not in reasons
