"""
What bots know about games whose melds are one set of each rank and side.
"""

from __future__ import annotations

import random

import pytest

import rummyvariants as rv

from rummyvariants.bots import Bot, CarefulBot, GreedyBot, RandomBot, play_on
from rummyvariants.files._positions import read_position


BOTS = [CarefulBot(), GreedyBot()]


def _name(bot: Bot) -> str:
    return type(bot).__name__


def _chosen(bot, hand, **more):
    """
    What a bot does with a hand; four cards are unseen in each of the other hands.

    It is the first of three players, in its turn to play unless a phase is given.
    """
    position = {
        "seats": ["N", "E", "S"],
        "dealer": "S",
        "turn": "N",
        "phase": "play",
        "drawn": f"stock {hand.split()[-1]}",
        "stock": "5c 5d 6c 6d Qc Qd Jc Jd",
        "discards": "4d",
        "hands": {"N": hand, "E": "4c 4s 8c 8d", "S": "7c 7d 9c 9d"},
        **more,
    }
    if position["phase"] != "play":
        del position["drawn"]
    state = read_position(position, rv.preset("canasta"))
    action = bot.choose(rv.view(state, 0), random.Random(0))
    assert rv.check(state, action)
    return str(action)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bot", [*BOTS, RandomBot()], ids=_name)
def test_bots_play_rounds_to_their_end(bot, players):
    state = rv.new_game("canasta", players=players, seed=players)
    for done in play_on(state, [bot] * players):
        state = done.after
        if state.is_round_over:
            break
    assert state.result is not None


@pytest.mark.parametrize("bot", BOTS, ids=_name)
def test_a_bot_takes_a_big_pile(bot):
    pile = "Kd Ks Qs Qh Js Jh Th 9h"
    table = ["N: Kc Kc Kh", "E: Ac Ad Ah"]
    # With two natural cards, on a meld, and with one card and a wild.
    for hand, top, action in [
        ("9s 9c 4h 5h", pile, "take all with 9c 9s"),
        ("4h 5h 6h Ts", f"{pile} Kd", "take all on 1"),
        ("9s 2c 4h 5h", pile, "take all with 9s 2c=9"),
    ]:
        chosen = _chosen(bot, hand, phase="draw", discards=top, table=table)
        assert chosen == action
    # A pile of little worth is no reason to spend a joker.
    assert _chosen(bot, "9s * 4h 5h", phase="draw", discards="4d 9h", table=table) == (
        "draw"
    )


@pytest.mark.parametrize("bot", BOTS, ids=_name)
def test_a_bot_takes_a_frozen_pile_only_with_a_natural_pair(bot):
    more = {"phase": "draw", "discards": "Qs 2d Th Ah", "table": ["N: Kc Kd Kh"]}
    assert _chosen(bot, "As 2c 4h 5h", **more) == "draw"
    assert _chosen(bot, "As Ac 4h 5h", **more) == "take all with Ac As"


@pytest.mark.parametrize("bot", BOTS, ids=_name)
def test_a_bot_opens_when_its_melds_reach_the_minimum_can_13(bot):
    # 45 points are too few, 50 will do, with two sets if need be, or with a wild.
    assert _chosen(bot, "8h 8s 8c 5h 5s 5c Ts 4h").startswith("discard")
    assert _chosen(bot, "Ah As Ac 5h 6s 7c 9s 4h") == "meld Ac Ah As"
    assert _chosen(bot, "Kh Ks Kc Th Ts Tc 9s 4h") == "meld Tc Th Ts / Kc Kh Ks"
    # At 1500 points it takes 90.
    scores = {"N": 1500, "E": 0, "S": 0}
    assert _chosen(bot, "Ah As Ac 5h 6s 7c 9s 4h", scores=scores).startswith("discard")


@pytest.mark.parametrize("bot", BOTS, ids=_name)
def test_a_bot_takes_the_pile_with_its_first_melds(bot):
    more = {"phase": "draw", "discards": "Qs Th Kd"}
    assert _chosen(bot, "Kh Ks Jh Js Jd 4h", **more) == "take all with Kh Ks / Jd Jh Js"
    assert _chosen(bot, "Kh Ks Jh Js 4h 5h", **more) == "draw"


@pytest.mark.parametrize("bot", BOTS, ids=_name)
def test_a_bot_keeps_its_last_cards_without_a_canasta(bot):
    table = ["N: Kc Kd Kh Ks Kc", "E: Ac Ad Ah"]
    # With all of them on the table the player could not go out.
    assert _chosen(bot, "Kd Ts", table=table).startswith("discard")
    # Two kings, or one and a wild, make a canasta.
    assert _chosen(bot, "Kd Kh", table=table) == "lay Kd Kh on 1"
    assert _chosen(bot, "Kd 2c Ts", table=table) == "lay Kd 2c=K on 1"


@pytest.mark.parametrize("bot", BOTS, ids=_name)
def test_a_bot_goes_out_with_wilds_where_they_fit(bot):
    table = ["N: Kc Kc Kd Kd Kh Kh Ks", "N: 8h 8s 8s"]
    # The wild makes a set of the pair, or joins a set; a single card is the discard.
    assert _chosen(bot, "5h 5s 2c 4h", table=table) == "meld 5h 5s 2c=5"
    assert _chosen(bot, "2c 4h", table=table) == "lay 2c=8 on 2"


def test_the_careful_bot_keeps_wilds_from_small_sets():
    table = ["N: Kc Kd Kh", "E: Ac Ad Ah"]
    hand = "5h 5s 2c 4h 6h 7h Ts"
    assert _chosen(GreedyBot(), hand, table=table) == "lay 2c=K on 1"
    assert _chosen(CarefulBot(), hand, table=table) == "discard Ts"
    table = ["N: Kc Kd Kh Ks", "E: Ac Ad Ah"]
    assert _chosen(CarefulBot(), hand, table=table) == "lay 2c=K on 1"


def test_the_careful_bot_saves_wilds_when_it_opens_for_itself():
    # Two aces and a joker are 90 points.
    hand = "Ah As * 5h 6s 7c 9s 4h"
    assert _chosen(GreedyBot(), hand) == "meld Ah As *=A"
    assert _chosen(CarefulBot(), hand).startswith("discard")
    four = {
        "seats": ["N", "E", "S", "W"],
        "dealer": "W",
        "hands": {"N": hand, "E": "4c 4s", "S": "7d 8d", "W": "8c 9c"},
    }
    assert _chosen(CarefulBot(), hand, **four) == "meld Ah As *=A"


def test_the_careful_bot_gives_no_big_pile_away():
    pile = "Kd Ks Qs Qh Js Jh Th 9h"
    table = ["N: Kc Kc Kh", "E: Ac Ad Ah"]
    # The next player has aces on the table; nobody can have two other nines.
    hand = "As 9s 5h 5s 4h 4h"
    more = {"discards": pile, "table": table}
    assert _chosen(CarefulBot(), hand, **more) == "discard 9s"
    # Where all others would be taken, it blocks the pile.
    table.append("E: Qc Qc Qd")
    assert _chosen(CarefulBot(), "As As Qd 3s", **more, stock="5c") == "discard 3s"


def test_the_careful_bot_discards_what_it_needs_least_onto_a_small_pile():
    table = ["N: Kc Kc Kh", "E: Ac Ad Ah"]
    hand = "5h 5s 8h 8s 6h 2c"
    assert _chosen(CarefulBot(), hand, discards="2d", table=table) == "discard 6h"
