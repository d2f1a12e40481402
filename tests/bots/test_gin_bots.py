"""
The bots where melds stay in the hand: blind to what is hidden, and with a plan.
"""

from __future__ import annotations

import json
import random

import attrs
import pytest

import rummyvariants as rv

from places import DOCS
from rummyvariants.bots import (
    CarefulBot,
    GreedyBot,
    SearchBot,
    next_to_decide,
    play_on,
)
from rummyvariants.cards import UNIT, pack
from rummyvariants.melds._deadwood import (
    fewest_after_discard,
    fewest_points,
)
from walks import exchanged


GAMES = [
    (),
    ("GRV-01",),
    ("GRV-03", "GRV-04"),
    ("GRV-05b", "GRV-05c"),
    ("GRV-06",),
]


@pytest.mark.parametrize("options", GAMES, ids=lambda one: " ".join(one) or "gin")
def test_what_is_hidden_changes_no_choice_in_hands_that_are_played_well(options):
    """
    Played at random hardly a hand comes to a knock, so here the careful bot plays.
    """
    rules = rv.preset("gin-rummy").with_options(*options)
    rng = random.Random(str(options))
    phases = set()
    for seed in range(3):
        state = rv.new_game(rules, 2, seed=seed)
        for number, done in enumerate(play_on(state, [CarefulBot()] * 2, seed)):
            if state.to_act:
                seat = next_to_decide(state)
                other = exchanged(state, seat, rng)
                bots = [CarefulBot(), GreedyBot()]
                if not number % 12:
                    bots.append(SearchBot(4))
                for bot in bots:
                    chosen = [
                        bot.choose(rv.view(one, seat), random.Random(number))
                        for one in (state, other)
                    ]
                    assert chosen[0] == chosen[1]
                    assert rv.check(state, chosen[0])
                phases.add(state.phase)
            state = done.after
            if state.is_round_over:
                break
    assert {"offer", "draw", "play"} <= phases


@pytest.mark.parametrize("bot", [CarefulBot(), GreedyBot()], ids=["careful", "greedy"])
def test_wilds_are_kept_until_only_points_count(bot):
    """
    The last turn after a declaration leaves as few points as a discard can leave.
    """
    rng = random.Random(1)
    state = rv.game.begin("three-thirteen", 3, seed=1)
    last_turns = 0
    for done in play_on(state, [bot] * 3, seed=1):
        before, seat, action = done.before, done.before.turn, done.action
        if before.to_act:
            other = exchanged(before, seat, rng)
            assert bot.choose(rv.view(other, seat), rng) == action
        if isinstance(action, rv.actions.Discard):
            terms = before.dealt.terms
            hand = before.hands[seat].bits
            if before.out:
                last_turns += 1
                left = fewest_points(terms, hand - UNIT[action.card.code])
                assert left == fewest_after_discard(terms, hand)
            else:
                assert not terms.wild[action.card.code]
    assert last_turns == 22


def position(tmp_path, text: str, turns: int = 0, seen: str = "") -> rv.State:
    """
    A hand of gin from a position.

    Args:
        tmp_path: Where a file may be.
        text: The position, as in a scenario file.
        turns: How many turns both players have finished.
        seen: Cards that all saw go to the other player's hand.
    """
    file = tmp_path / "position.toml"
    file.write_text(
        'title = "A hand of gin"\nrules = "gin-rummy"\n[position]\n'
        'seats = ["N", "E"]\ndealer = "E"\nturn = "N"\n'
        f"{text}\n[expect]\n"
    )
    state = rv.files.run(rv.files.load_scenario(file)).state
    assert state is not None
    shown = pack([card.code for card in rv.cards.parse_cards(seen)]) if seen else 0
    return attrs.evolve(state, turns=(turns, turns), seen=(0, shown))


def choice(state: rv.State, bot=CarefulBot()) -> str:
    return str(bot.choose(rv.view(state, 0), random.Random(0)))


DRAW = """
phase = "draw"
stock = "2c 3d Jh Qs 9d 8s 2d 4s"
discards = "Qd 7c"
hands = {{ N = "{hand}", E = "Ac Ad 5d 6s 8d Td Jc Js Qh Kc" }}
"""


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("7h 7s 2h 3h 9c Tc Kd Kh 4d 5c", "take 1"),
        ("6h 8c 2h 3h 9s Tc Kd Kh 4d Qc", "draw"),
    ],
    ids=["a third seven", "a seven beside nothing"],
)
def test_a_discard_is_taken_for_a_meld_and_not_for_hope(tmp_path, hand, wanted):
    state = position(tmp_path, DRAW.format(hand=hand), turns=3)
    assert rv.check(state, "take 1")
    assert choice(state) == wanted


GIVE = """
phase = "play"
drawn = "stock Qd"
stock = "Jh 9d 9s 4s Td 8s 5h 2c 3d Ac"
discards = "7d"
hands = { N = "2h 3h 4h 6c 7c 8c 9c As 2d Qd Ks", E = "Qc Qs Kc Kd 5d 6s 8d Jc Js 6h" }
"""


@pytest.mark.parametrize(
    ("seen", "wanted"), [("Qc Qs", "discard Ks"), ("Kc Kd", "discard Qd")]
)
def test_what_the_other_player_collects_is_not_discarded(tmp_path, seen, wanted):
    assert choice(position(tmp_path, GIVE, seen=seen)) == wanted


KNOCK = """
phase = "play"
drawn = "stock Qd"
stock = "2c 3d Jh 9d 2d 4s Td 8s 5h 4d Kh Ks"
discards = "7d"
hands = {{ N = "2h 3h 4h 6c 7c 8c {rest} Qd", E = "Qc Qs Ac 5d 6s 8d Jc Js 6h 3c" }}
"""


@pytest.mark.parametrize(
    ("rest", "turns", "knocks"),
    [
        ("9h 9c 9s Ad", 0, True),
        ("9h 9c 9s Ad", 6, False),
        ("Ah As 4c 3s", 2, True),
        ("Ah As 4c 3s", 11, False),
    ],
    ids=["early", "gin is near", "nine points early", "nine points late"],
)
def test_a_knock_is_early_or_low_and_waits_for_gin(tmp_path, rest, turns, knocks):
    state = position(tmp_path, KNOCK.format(rest=rest), turns)
    assert rv.check(state, "knock Qd")
    assert choice(state).startswith("knock") == knocks
    assert choice(state, GreedyBot()).startswith("knock")


def test_gin_is_called_whenever_it_is_there(tmp_path):
    for turns in (0, 6, 12):
        state = position(tmp_path, KNOCK.format(rest="9h 9c 9s 5c"), turns)
        assert choice(state).startswith("knock Qd:")


def test_the_bots_measured_against_the_other_bot_lead_it():
    lines = json.loads((DOCS / "gin-duel.json").read_text("utf-8"))
    assert "careful" in {line["bot"] for line in lines}
    for line in lines:
        assert line["lead"] > line["half"] > 0
        assert not line["unfinished"]


def test_the_search_bot_plays_gin_as_the_careful_one_does():
    state = rv.new_game("gin-rummy", 2, seed=5)
    for done in play_on(state, [CarefulBot()] * 2, seed=5):
        if state.to_act:
            view = rv.view(state, next_to_decide(state))
            chosen = CarefulBot().choose(view, random.Random(1))
            assert SearchBot().choose(view, random.Random(1)) == chosen
        state = done.after
        if state.is_round_over:
            break
    assert state.is_round_over
