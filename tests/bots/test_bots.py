"""
The players that are no persons: legal, finished in time, and blind to what is hidden.
"""

from __future__ import annotations

import itertools
import json
import random
import time

import attrs
import pytest

import rummyvariants as rv

from amounts import every_third
from places import DOCS
from rummyvariants.bots import (
    Bot,
    CarefulBot,
    GreedyBot,
    RandomBot,
    SearchBot,
    StrongBot,
    next_to_decide,
    play_on,
)
from rummyvariants.cards import codes, pack
from rummyvariants.files._positions import read_position
from walks import GAMES, IDS, exchanged, walk


BOTS = [CarefulBot(), GreedyBot(), RandomBot(), StrongBot(8)]
MANY = 60_000
"""More steps than any match of the best bots has."""


def _name(bot: Bot) -> str:
    return type(bot).__name__


def _games(numbers):
    return [
        pytest.param(name, players, id=f"{name}-{players}")
        for name in rv.presets()
        for players in numbers(*rv.preset(name).match.players)
    ]


def _play_out(name: str, players: int, bot: Bot, seed: int, most=MANY) -> rv.State:
    state = rv.game.begin(name, players, seed=seed)
    for done in itertools.islice(play_on(state, [bot] * players, seed), most):
        state = done.after
    return state


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "players"),
    _games(lambda low, high: {low, min(high, 5)}),
)
@pytest.mark.parametrize("bot", [CarefulBot(), StrongBot(0)], ids=_name)
def test_matches_of_the_best_bots_end(name, players, bot):
    state = _play_out(name, players, bot, seed=1)
    assert state.is_over
    assert state.winners
    match = state.rules.match
    if match.ends == "at the target":
        assert max(state.side_scores) >= match.target
    elif match.ends == "when one is left":
        assert len(state.eliminated) >= players - 1
    else:
        assert state.round_number == match.rounds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"), _games(lambda low, high: range(low, high + 1))
)
def test_matches_end_with_every_number_of_players(name, players):
    for seed in range(3):
        assert _play_out(name, players, CarefulBot(), seed).is_over


@pytest.mark.parametrize("bot", [*BOTS, SearchBot(4)], ids=_name)
def test_the_same_seed_gives_the_same_game(bot):
    games = [_play_out("rummy-500", 3, bot, seed=4, most=40) for _ in range(2)]
    assert games[0] == games[1]
    assert str(rv.record(games[0])) == str(rv.record(games[1]))


def test_the_global_source_of_chance_is_left_alone():
    random.seed(1)
    before = random.getstate()
    for bot in BOTS:
        _play_out("rummy-500", 2, bot, seed=1, most=200)
    assert random.getstate() == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "players", "seed"), every_third(GAMES, pytest.mark.slow), ids=IDS
)
def test_what_is_hidden_changes_no_choice(rules, players, seed):
    """
    Nor is a choice ever refused, whatever the rules.
    """
    rng = random.Random(seed)
    for number, done in enumerate(walk(rules, players, seed, 120)):
        state = done.after
        if not state.to_act or number % 8:
            continue
        seat = next_to_decide(state)
        other = exchanged(state, seat, rng)
        for bot in (*BOTS, SearchBot(2)):
            chosen = [
                bot.choose(rv.view(one, seat), random.Random(number))
                for one in (state, other)
            ]
            assert chosen[0] == chosen[1]
            assert rv.check(state, chosen[0])


@pytest.mark.parametrize("bot", BOTS, ids=_name)
def test_a_huge_hand_full_of_wilds_is_no_long_search(bot):
    state = rv.new_game("rummy-5000", 5, seed=1)
    while state.phase != "play":
        seat = next_to_decide(state)
        state = rv.apply(state, "draw" if state.phase == "draw" else "pass", seat)
    seat = state.turn
    everything = [card.code for card in state.stock]
    for other, hand in enumerate(state.hands):
        if other != seat:
            everything += codes(hand.bits)
    state = attrs.evolve(
        state,
        hands=tuple(
            state.hands[seat].bits + pack(everything[20:]) if other == seat else 0
            for other in range(5)
        ),
        stock=bytes(everything[:20]),
        seen=(0,) * 5,
    )
    assert len(state.hands[seat]) > 60
    quickest = 1.0
    for number in range(5):
        start = time.perf_counter()
        action = bot.choose(rv.view(state, seat), random.Random(number))
        quickest = min(quickest, time.perf_counter() - start)
        assert rv.check(state, action)
    assert quickest < 0.05


@pytest.mark.parametrize("bot", [CarefulBot(), GreedyBot()], ids=_name)
def test_a_bot_takes_what_makes_a_meld(tmp_path, bot):
    file = tmp_path / "position.toml"
    file.write_text(
        """
        title = "A king would be the third"
        rules = "rummy-500"
        [position]
        seats = ["N", "E"]
        dealer = "E"
        turn = "N"
        phase = "draw"
        stock = "2c 3d 4h"
        discards = "7d Kh"
        hands = { N = "Kc Kd 2s", E = "5c 6d" }
        [expect]
        """
    )
    state = rv.files.run(rv.files.load_scenario(file)).state
    assert state is not None
    doings = []
    while state.turn == 0 and not state.is_round_over:
        action = bot.choose(rv.view(state, 0), random.Random(0))
        doings.append(str(action))
        state = rv.apply(state, action)
    assert doings == ["take 1", "meld Kc Kd Kh", "discard 2s"]


@pytest.mark.parametrize("bot", [CarefulBot(), GreedyBot()], ids=_name)
@pytest.mark.parametrize(
    ("phase", "discards", "hand", "chosen"),
    [
        # The deepest card is of no use, and nothing but the whole pile is taken.
        ("draw", "8h 5d Kh", "Kc Kd 3s 9s", "take 3"),
        ("draw", "8h 5d Kh", "8c 8d 3s 9s", "draw"),
        ("offer", "Kh", "Kc Kd 3s 9s", "take 1"),
        ("offer", "Kh", "8c 8d 3s 9s", "pass"),
    ],
)
def test_a_bot_takes_the_whole_pile_or_none(phase, discards, hand, chosen, bot):
    position = {
        "seats": ["N", "E"],
        "dealer": "E",
        "turn": "N",
        "phase": phase,
        "stock": "2c 3d 4h",
        "discards": discards,
        "hands": {"N": hand, "E": "5c 6d"},
    }
    state = read_position(position, rv.preset("oklahoma-rummy"))
    assert str(bot.choose(rv.view(state, 0), random.Random(0))) == chosen


def _turn(rules: str, bot: Bot, *, phase="play", **given) -> list[str]:
    """
    What a bot does in its turn in a position, whose first seat is in turn.
    """
    seats = list(given["hands"])
    position = {"seats": seats, "dealer": seats[-1], "turn": seats[0], "phase": phase}
    if phase == "play":
        position["drawn"] = f"stock {given['hands'][seats[0]].split()[-1]}"
    state = read_position({**position, **given}, rv.preset(rules))
    doings = []
    while state.turn == 0 and not state.is_round_over:
        action = bot.choose(rv.view(state, 0), random.Random(0))
        doings.append(str(action))
        state = rv.apply(state, action)
    return doings


@pytest.mark.parametrize("bot", [CarefulBot(), GreedyBot()], ids=_name)
@pytest.mark.parametrize(
    ("hand", "given", "doings"),
    [
        ("* * * * 5c 8d Kh", {}, ["meld * * * *", "discard Kh"]),
        ("* * * 5c 8d Kh", {}, ["meld * * *", "discard Kh"]),
        (
            "* * 5c 8d Kh",
            {"phase": "draw", "discards": "6d *"},
            ["take 1", "meld * * *", "discard Kh"],
        ),
        (
            "* 5c 8d Kh",
            {"table": ["E: * * *"]},
            ["lay * on 1", "discard Kh"],
        ),
    ],
)
def test_jokers_that_are_not_wild_make_a_set(hand, given, doings, bot):
    position = {
        "stock": "Qd Jd Qh Js",
        "discards": "6d",
        "hands": {"N": hand, "E": "2c", "S": "3c", "W": "4c"},
        **given,
    }
    assert _turn("persian-rummy", bot, **position) == doings


@pytest.mark.parametrize("bot", [CarefulBot(), GreedyBot()], ids=_name)
@pytest.mark.parametrize(
    ("rules", "doings"),
    [
        # The four that are put down together count 52 there, the last one 4.
        ("persian-rummy", ["meld 5c 6c 7c 8c", "lay 4c on 1", "discard Kh"]),
        ("rummy-500", ["meld 4c 5c 6c 7c 8c", "discard Kh"]),
    ],
)
def test_four_cards_are_put_down_together_where_they_count_twice(rules, doings, bot):
    hands = {"N": "4c 5c 6c 7c 8c Kh", "E": "2c", "S": "3c", "W": "4d"}
    stock = "Qd Jd Qh Js"
    assert _turn(rules, bot, stock=stock, discards="6d", hands=hands) == doings


@pytest.mark.parametrize(
    ("rules", "discarded"),
    [
        # Cards on the table score nothing, so two twos are as useful as two kings.
        ("basic-rummy", "discard Jd"),
        # There a set of twos would score 6.
        ("rummy-500", "discard 2h"),
    ],
)
def test_a_pair_of_low_cards_is_kept_where_only_the_end_matters(rules, discarded):
    position = {
        "stock": "Qd Jc Qh Js 5d 6s 7s 9d Qs Qc Ks Kh 3c 3d 5c 6c 8c 9c Th Tc Ts 2c 2s",
        "discards": "6d",
        "hands": {"N": "2d 2h 9s Jd", "E": "Ac 9h 8h 7c Kc 5s 4d"},
    }
    assert _turn(rules, CarefulBot(), **position) == [discarded]


@pytest.mark.parametrize("rules", ["scala-40", "loba"])
def test_two_cards_of_one_suit_are_no_pair_where_no_set_takes_them(rules):
    """
    The kings are of one suit; in Loba a house rule keeps them from being in one set.
    """
    hands = {"N": "Kc Kc 2h 2d 9s", "E": "Ac 9h 8h 7c 4c 5s 4d"}
    stock = "Qd Jc Qh Js 5d 6s 7s 9d Qs Qc Ks Kh 3c 3d 5c 6c 8c 9c Th Tc 2c 2s"
    given = {"stock": stock, "discards": "6d", "hands": hands}
    assert _turn(rules, CarefulBot(), **given) == ["discard Kc"]


def test_careful_knocks_sooner_where_any_hand_may_knock():
    """
    Of two hands the lower one is about as likely as not to be this one.
    """
    hands = {
        "N": "Ks Qd Jh 9c 3s 5h Ad 4c 2s 3d Kd",
        "E": "5c 5d Ts Th 2c 2d Qs Jc 9h 7h",
    }
    given = {"stock": "Qh Jd 3c 4h As Ac", "discards": "6d", "hands": hands}
    assert _turn("knock-rummy", CarefulBot(), **given) == ["knock Qd: none"]
    assert _turn("knock-rummy", GreedyBot(), **given) == ["discard Qd"]


def test_the_search_bot_sees_what_a_discard_gives_away(tmp_path):
    """
    The next player holds two queens and has shown them: the third is not for her.
    """
    file = tmp_path / "position.toml"
    file.write_text(
        """
        title = "A queen or a four"
        rules = "rummy-500"
        [position]
        seats = ["N", "E"]
        dealer = "E"
        turn = "N"
        phase = "play"
        drawn = "stock 4d"
        stock = "2c 3d 4h 6s 7h"
        discards = "7d"
        hands = { N = "Qd 4d Ks", E = "Qc Qs 9d" }
        [expect]
        """
    )
    state = rv.files.run(rv.files.load_scenario(file)).state
    assert state is not None
    # All see E take up the queens: a position made by hand starts with nothing known.
    shown = (0, pack([rv.Card(card).code for card in ("Qc", "Qs")]))
    state = attrs.evolve(state, seen=shown)
    for seed in range(5):
        action = SearchBot().choose(rv.view(state, 0), random.Random(seed))
        assert str(action) != "discard Qd"
    assert str(GreedyBot().choose(rv.view(state, 0), random.Random(0))) != "discard 4d"


def test_a_hand_size_may_be_searched_for_that_the_deck_does_not_have():
    """
    Where the deck may not suffice for the hand that is chosen, the deal is thrown in.
    """
    rules = rv.preset("rummy-5000").with_options("PGV-D3e", "PGV-C2a")
    chosen = 0
    for seed in range(400):
        state = rv.game.begin(rules, 4, seed=seed)
        state = rv.apply(state, rv.game.next_deal(state))
        if state.phase == "choose":
            seat = next_to_decide(state)
            action = SearchBot(12).choose(rv.view(state, seat), random.Random(seed))
            assert rv.check(state, action)
            chosen += 1
            if chosen == 12:
                break
    assert chosen == 12


def test_a_search_has_a_playout_at_least():
    with pytest.raises(ValueError, match="playouts"):
        SearchBot(0)


NOT_MEASURED = {"carioca", "continental", "five-suit-thirteen", "hand-and-foot"}
"""Games for which the page on bots says that no lead was measured yet."""


def test_the_strengths_measured_are_of_every_game_and_never_less():
    lines = json.loads((DOCS / "strength.json").read_text("utf-8"))
    searched = {"rummy-500", "rummy-5000", "2500-house"}
    laying = {"george", "oklahoma-rummy", "persian-rummy", "rummy-500-pagat"}
    stronger = searched | laying | {"gin-rummy", "hollywood-gin"}
    # Contract rummy has a table of its own.
    others = {*rv.presets()} - {"contract-rummy"} - NOT_MEASURED
    assert {(one["game"], one["bot"]) for one in lines} == {
        *((game, bot) for game in others for bot in ("greedy", "careful")),
        *((game, "search") for game in searched),
        *((game, "strong") for game in stronger),
    }
    for game in ("canasta", "basic-rummy", "oklahoma-rummy", "rummy-500-pagat"):
        measured = {one["players"] for one in lines if one["game"] == game}
        assert measured == {2, 3, 4}
    for line in lines:
        # Where there is little for it to do better, strong is as good as careful.
        least = -line["half"] if line["bot"] == "strong" else line["half"]
        assert line["lead"] > least
        assert line["half"] > 0
        assert not line["unfinished"]
