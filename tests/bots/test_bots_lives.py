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
from rummyvariants.simulation.runs import simulate


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
    state = rv.game.begin(rules, 3, seed=2)
    for done in itertools.islice(play_on(state, [bot] * 3, 2), 400):
        state = done.after
        if done.before.phase == "rejoin":
            assert str(done.action) == "rejoin"
        if state.result is not None:
            reasons = {item.reason for item in state.result.items}
            assert "for a wrong declaration" not in reasons


# ------------------------------------------------------- rounds in which nothing moves


POOR = "4h 5h 9s Ts Kc 2d 7s Jd 6c Ad Qh 3s 3d"
BETTER = "4h 5h 9s Ts Js Kc Kd 3c 3d 3s 7s Jd Qs"
NEARLY = "4h 5h 7h 8h 9h Ts Js Qs Kc Kd Kh 3c 3d"


@pytest.mark.parametrize("bot", BOTS[:2], ids=lambda bot: type(bot).__name__)
def test_the_pile_is_turned_over_rather_than_a_useless_card_taken(bot):
    empty = {"stock": "", "discards": "5c Kh 9d Tc"}
    assert chosen(bot, position(POOR, "draw", **empty)) == "draw"
    # It was turned over before, so whoever does not take it ends the round.
    assert chosen(bot, position(POOR, "draw", **empty, turned=1, fresh=False)) == "pass"


@pytest.mark.parametrize("bot", BOTS[:2], ids=lambda bot: type(bot).__name__)
def test_nobody_ends_a_round_by_an_idle_turn(bot):
    fitting = {"stock": "2s 9c", "discards": "5c 6h"}
    assert chosen(bot, position(BETTER, "draw", **fitting)) == "take 1"
    assert chosen(bot, position(BETTER, "draw", **fitting, idle_turns=4)) == "take 1"
    assert chosen(bot, position(BETTER, "draw", **fitting, idle_turns=5)) == "draw"
    assert chosen(bot, position(NEARLY, "draw", **fitting, idle_turns=5)) == "take 1"


def idle_rounds(bots: list[str], games: int, seed: int) -> int:
    """
    How many of so many rounds with six players come to an end without progress.
    """
    rows = list(simulate(INDIAN, bots, games=games, players=6, seed=seed, unit="round"))
    assert {row.status for row in rows} == {"finished"}
    return sum(one.how == "idle" for row in rows for one in row.rounds)


def test_a_round_that_was_idle_is_played_out():
    # Of the earlier bots, the second of these rounds ended so.
    assert not idle_rounds(["careful", "greedy"] * 3, 2, 1)


@pytest.mark.long
@pytest.mark.parametrize("bots", [["careful"] * 6, ["careful", "greedy"] * 3])
def test_no_round_between_bots_is_idle(bots):
    assert not idle_rounds(bots, 150, 0)
