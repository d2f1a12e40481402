"""
Positions and questions of a few words: what is made up, and that it decides nothing.
"""

from __future__ import annotations

import re

from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants.files._situations import (
    Question,
    is_sentence,
    read_question,
    ruled,
    scenario_of,
    situation,
)


# ----------------------------------------------------------------------- positions


def test_a_hand_and_a_pile_are_a_position() -> None:
    state = rv.position("rummy-500", hand="7h 8h 2c", pile="9s 4d")
    assert state.players == ("Ann", "Ben")
    assert state.to_act == (0,)
    assert state.hands[0] == rv.Cards("7h 8h 2c")
    assert str(state.discards[-1]) == "4d"
    assert len(state.hands[1]) == 10
    assert state.assumed == ("2 players", "Ben's hand", "the stock")
    placed = [*state.hands[0], *state.hands[1], *state.stock, *state.discards]
    deck = rv.new_game("rummy-500", 2)
    whole = [*deck.hands[0], *deck.hands[1], *deck.stock, *deck.discards]
    assert sorted(placed) == sorted(whole)


@pytest.mark.parametrize("game", rv.presets())
def test_every_game_has_a_position_without_facts(game: str) -> None:
    state = rv.position(game)
    assert rv.check(state, "draw")
    assert state.assumed
    assert rv.position(game) == state
    scenario = rv.files.parse_scenario(rv.files.scenario_text(state))
    assert scenario.start == state


@pytest.mark.parametrize(
    ("facts", "players", "to_act"),
    [
        ({"hand": "7c"}, "Ann Ben", 0),
        ({"hand": "7c", "players": 3}, "Ann Ben Cleo", 0),
        ({"hand": "7c", "players": "Dora, Eve"}, "Dora Eve", 0),
        ({"hand": "7c", "players": ["Dora", "Eve"], "turn": "Eve"}, "Dora Eve", 1),
        ({"hand": "7c", "turn": "Ben"}, "Ann Ben", 1),
        ({"hand": "7c", "turn": "Dora"}, "Dora Ann", 0),
        ({"hand": "7c", "dealer": "Ann", "players": 3}, "Ann Ben Cleo", 1),
        ({"hand": "7c", "melds": "Ben: 6h 7h 8h"}, "Ann Ben", 0),
        ({"hand": "7c", "melds": "Ben: 6h 7h 8h | Cleo: 9h"}, "Ann Ben Cleo", 0),
        ({"hand": "7c", "hands": {"Ben": "8c"}}, "Ann Ben", 0),
        ({"hands": ["7c", "8c", "9c"]}, "Ann Ben Cleo", 0),
        ({"hands": {"Ben": "8c", "Ann": "7c"}, "stock": "2c"}, "Ben Ann", 0),
    ],
)
def test_players_are_those_that_are_named(
    facts: dict[str, Any], players: str, to_act: int
) -> None:
    state = rv.position("rummy-500", **facts)
    assert " ".join(state.players) == players
    assert state.to_act == (to_act,)
    if "hand" in facts:
        assert state.hands[to_act] == rv.Cards("7c")


@pytest.mark.parametrize(
    ("melds", "made"),
    [
        ("6h 7h 8h / 9c 9d 9s", "6h 7h 8h;9c 9d 9s"),
        (["6h 7h 8h", "Ben: 9c 9d 9s"], "6h 7h 8h;9c 9d 9s"),
        ("Ben: 6h 7h 8h | Ann: 9h", "6h 7h 8h 9h"),
    ],
)
def test_melds_are_a_text_or_a_list(melds: Any, made: str) -> None:
    for key in ("melds", "table"):
        state = rv.position("rummy-500", hand="2c", **{key: melds})
        assert ";".join(map(str, state.table)) == made
    owners = [one for one in state.assumed if "laid" in one]
    assert bool(owners) == (":" not in melds[0] and "Ben: 6h" not in melds)


def test_a_hand_with_a_card_more_than_was_dealt_has_drawn() -> None:
    hand = "3c 3d 3h 5s 6s 7s 8s As 2c 2d"
    assert rv.position("gin-rummy", hand=hand).phase == "draw"
    state = rv.position("gin-rummy", hand=f"{hand} Kd")
    assert state.phase == "play"
    assert "that Ann has drawn from the stock" in state.assumed
    both = {"Ann": f"{hand} Kd", "Ben": "4c 4d 4h 6d 7d 8d 9s Ts Qc Qh"}
    state = rv.position("gin-rummy", hands=both)
    assert state.phase == "play"
    assert state.assumed == ("that Ann has drawn from the stock",)
    for facts, said in (
        ({"phase": "draw"}, "say phase='play' if Ann has drawn; say partial=True"),
        ({"turn": "Ben"}, "a hand has 10 before the draw; say partial=True"),
    ):
        with pytest.raises(rv.errors.PositionError, match=re.escape(said)):
            rv.position("gin-rummy", hands=both, fill=True, **facts)


def test_a_card_is_laid_off_on_melds_of_whoever_has_knocked() -> None:
    hand = {"hand": "4s 8h 8c 8d"}
    for action, is_legal in (("lay 4s on 1", True), ("lay 8c", False)):
        state, ruling = ruled("gin-rummy", action, melds="Ben: 5s 6s 7s", **hand)
        assert bool(ruling) == is_legal
        assert state.phase == "layoff"
        assert {"that Ben has knocked", "Ben's hand"} < {*state.assumed}
    with pytest.raises(rv.errors.PositionError, match="phase='layoff' and out='Ben'"):
        rv.position("gin-rummy", melds="Ben: 5s 6s 7s", **hand)
    with pytest.raises(rv.errors.PositionError, match="say who has knocked"):
        ruled("gin-rummy", "lay 4s", melds="5s 6s 7s", **hand)


def test_pots_and_feet_are_not_taken_yet() -> None:
    state = rv.position("burraco", hand="5s 6s 7s")
    lying = [(one.name, one.seat, len(one.cards)) for one in state.zones]
    assert lying == [("pot", 0, 11), ("pot", 1, 11)]
    assert "every pot as it was dealt" in state.assumed
    assert rv.check("burraco", "meld 5s 6s 7s", hand="5s 6s 7s")
    ruling = rv.check("burraco", "meld 5s 6s 7s", hand="5s 6s 7s", zones={})
    assert ruling.rule == "BUR-17"
    hands = {"Ann": "3c", "Ben": "4c", "Cleo": "5c", "Dan": "6c"}
    assert not rv.position("burraco", hands=hands, stock="7c 8c 9c").zones


def test_the_phase_is_that_of_other_keys() -> None:
    state = rv.position("rummy-500", hand="9h 8h 7h 2c", drawn="take 9h")
    assert state.phase == "play"
    assert not [one for one in state.assumed if "drawn" in one]


@pytest.mark.parametrize("scores", [[1500, 0], {0: 1500}, {"Ann": 1500}, 1500])
def test_what_each_player_has_goes_by_name_by_number_or_in_order(scores: Any) -> None:
    state = rv.position("rummy-500", hand="7c", scores=scores)
    assert state.scores == (1500, 0)
    hands = {1: "8c", 0: "7c"}
    state = rv.position("rummy-500", hands=hands, fill=True)
    assert [*map(str, state.hands)] == ["7c", "8c"]


def test_nothing_is_made_up_where_that_is_not_wanted() -> None:
    facts: dict[str, Any] = {"hand": "7c", "hands": {"Ben": "8c"}, "stock": "2c"}
    state = rv.position("rummy-500", fill=False, **facts)
    assert (len(state.stock), state.assumed) == (1, ())
    whole = rv.position(
        "rummy-500", hands={"Ann": "7c", "Ben": "8c"}, stock="2c", discards=""
    )
    assert state == whole


def test_red_threes_are_dealt_to_nobody() -> None:
    for order in range(8):
        state = situation("canasta", order=order)
        held = {str(card) for hand in state.hands for card in hand}
        assert not held & {"3d", "3h"}


def test_a_file_takes_the_same_keys() -> None:
    text = 'rules = "rummy-500"\n[position]\nhand = "7h 8h 2c"\npile = "9h 4d"\n'
    scenario = rv.files.parse_scenario(f"{text}melds = 'Kc Kd Kh'\n[expect]\n")
    assert scenario.start == rv.position(
        "rummy-500", hand="7h 8h 2c", pile="9h 4d", melds="Kc Kd Kh"
    )


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"hand": "7y"}, "hand: '7y' is not a card"),
        ({"hand": "7c 7c"}, "hand: the deck holds 7c once"),
        ({"hand": 7}, "hand: give cards as a text"),
        ({"hand": "7c", "pile": "9q"}, "pile: '9q' is not a card"),
        ({"hand": "7c", "melds": "7h 8h"}, "melds, meld 1: 7h 8h is too short"),
        ({"hand": "7c", "melds": 3}, "melds: give a list of melds"),
        ({"hand": "7c", "pile": "2c", "discards": "2c"}, "write either pile or"),
        ({"hand": "7c", "hands": {"Ann": "2c"}}, "hand: the cards of Ann are in"),
        ({"hand": "7c", "players": 0}, "players: give 1 to 99"),
        ({"hand": "7c", "players": 9}, "players: rummy-500 is for 2 to 8"),
        ({"hand": "7c", "players": 2.5}, "players: give the names"),
        ({"hands": ["7c", "8c", "9c"], "players": 2}, "hands: there are 2 players"),
        ({"hands": "7c"}, "hands: give cards by seat"),
        ({"hand": "7c", "fill": "yes"}, "fill: give true or false"),
        ({"hand": "7c", "phase": "drawing"}, "phase: there is no phase 'drawing'"),
        ({"hand": "7c", "score": 3}, "did you mean 'scores'?"),
        ({"scores": {0: 20, 7: 5}}, "scores: there is no seat 7"),
        ({"scores": "many"}, "as in scores={'Ann': ...}"),
        ({"scores": [1, 2, 3]}, "scores: there are 2 players, not 3"),
        ({"hands": {9: "2c"}}, "hands: there is no seat 9"),
        ({"hands": {"Ann": "7c", "Ben": "8c"}}, "or fill=True for all"),
    ],
)
def test_wrong_facts_are_told_by_the_key_that_was_written(
    facts: dict[str, Any], said: str
) -> None:
    with pytest.raises(rv.errors.PositionError, match=re.escape(said)):
        rv.position("rummy-500", **facts)


# ------------------------------------------------------------------------ questions


@pytest.mark.parametrize(
    ("game", "action", "facts", "rule"),
    [
        ("rummy-5000", "meld Kc Ac 2c", {}, "PG-09"),
        ("rummy-5000", "meld Qc Kc Ac", {}, ""),
        ("rummy-500", "take 9h", {"hand": "7h 8h 2c", "pile": "9h 4d"}, ""),
        ("rummy-500", "take 9h", {"hand": "7h 3h 2c", "pile": "9h 4d"}, "BN-12"),
        ("rummy-500", "take 9h", {}, ""),
        ("rummy-500", "draw", {}, ""),
        ("rummy-500", "draw", {"hands": {"Ann": "7h 8h", "Ben": "9c"}}, ""),
        ("rummy-500", "9h", {}, ""),
        ("rummy-500", "lay 9h on 1", {"melds": "6h 7h 8h"}, ""),
        ("rummy-500", "lay Th on 1", {"melds": "6h 7h 8h"}, "BN-06"),
        ("rummy-500", "swap 7h on 1", {"melds": "6h *=7h 8h"}, "BN-09"),
        ("rummy-500", "rummy 9h on 1", {"melds": "6h 7h 8h", "pile": "9h"}, ""),
        ("rummy-500", "rummy 9h on 1", {"melds": "Kc Kd Kh", "pile": "9h"}, "BN-06"),
        ("gin-rummy", "rummy 9h 9d 9c", {"pile": "9h"}, "RV-07"),
        ("contract-rummy", "buy", {"pile": "9h"}, ""),
        ("three-thirteen", "declare 2d: 5h 6h 7h", {}, ""),
        ("indian-rummy", "drop", {"turns_taken": {"Ann": 0, "Ben": 0}}, ""),
        (
            "gin-rummy",
            "knock Kd",
            {"hand": "3c 3d 3h 5s 6s 7s 8s As 2c 2d Kd"},
            "",
        ),
        (
            "gin-rummy",
            "lay 9s on 2",
            {
                "out": "Ben",
                "phase": "layoff",
                "hands": ["9s 2c 2d 4h 6h 8d Jc Qc Kc Ad", "As 2h"],
                "melds": "Ben: 3c 3d 3h / Ben: 5s 6s 7s 8s",
                "partial": True,
            },
            "",
        ),
    ],
)
def test_an_action_says_when_and_with_what(
    game: str, action: str, facts: dict[str, Any], rule: str
) -> None:
    state, ruling = ruled(game, action, **facts)
    assert bool(ruling) == (not rule)
    assert rule in {"", *ruling.cites}
    assert state == situation(game, action, **facts)


@pytest.mark.parametrize(
    ("game", "action", "facts", "said"),
    [
        ("rummy-500", "take 3", {}, "pile: give the discard pile"),
        ("rummy-500", "take", {}, "pile: give the discard pile"),
        ("rummy-500", "take all", {}, "pile: give the discard pile"),
        ("rummy-500", "pass", {}, "pile: give the discard pile"),
        ("rummy-500", "lay 9h on 1", {}, "melds: give what lies on the table"),
        ("rummy-5000", "lay 9h on 1", {"melds": "6h 7h 8h"}, "melds: say who laid"),
        ("contract-rummy", "pass", {"pile": "9h"}, "phase: say when that is"),
        ("gin-rummy", "knock Kd", {}, "hand: give the whole hand"),
        ("gin-rummy", "big gin", {}, "hand: give the whole hand"),
        ("gin-rummy", "knock Kd: 3c 3d 3h", {}, "hand: Ann holds 4 cards"),
        (
            "oklahoma-gin",
            "knock 4c",
            {"hand": "7h 7c 7d 9h Th Jh 2c 3h 4d 2d 4c"},
            "upcard: give the card that was turned up first",
        ),
        (
            "indian-rummy",
            "declare 2s",
            {"hand": "Ah 2h 3h 4h 5c 6c 7c 9d 9s 9h Kc Ks 8d 2s"},
            "wild: give the rank that is wild",
        ),
        ("indian-rummy", "drop", {}, "turns_taken: say how many turns"),
    ],
)
def test_what_only_the_asker_knows_is_asked_for(
    game: str, action: str, facts: dict[str, Any], said: str
) -> None:
    with pytest.raises(rv.errors.PositionError, match=re.escape(said)):
        ruled(game, action, **facts)


@pytest.mark.parametrize("action", ["take 9h", "take 4d"])
def test_no_ruling_rests_on_made_up_cards(action: str) -> None:
    said = "cards that you do not give: the rest of Ann's hand|: Ann's hand"
    with pytest.raises(rv.errors.PositionError, match=f"({said})$"):
        ruled("rummy-500", action, pile="9h 4d 2s")


@pytest.mark.parametrize(
    ("game", "facts", "assumed"),
    [
        ("contract-rummy", {}, "that it is the first round"),
        ("contract-rummy", {"round": 2}, ""),
        ("canasta", {}, "that nobody has points yet"),
        ("canasta", {"scores": {"Ann": 0, "Ben": 0}}, ""),
        ("rummy-500", {}, ""),
    ],
)
def test_what_is_assumed_of_the_match_is_told_where_it_decides(
    game: str, facts: dict[str, Any], assumed: str
) -> None:
    state, _ = ruled(game, "meld 7h 7d 7c", **facts)
    found = {one for one in state.assumed if "first round" in one or "points" in one}
    assert found == ({assumed} if assumed else set())


def test_a_question_in_words() -> None:
    assert read_question("hand 7h 8h; pile: 9s 9h\ntake 9s;") == Question(
        {"hand": "7h 8h", "pile": "9s 9h"}, ("take 9s",)
    )
    words = "scores Ann: 20 / Ben: -5; players 2; fill no; hands 2c / 3c; Ben: draw"
    assert read_question(words) == Question(
        {
            "scores": {"Ann": 20, "Ben": -5},
            "players": 2,
            "fill": False,
            "hands": ["2c", "3c"],
        },
        ("Ben: draw",),
    )
    words = "Ann's hand: 2c; hand Ben: 3c; score Ann: 20; scores Ben: 35; wild 8"
    assert read_question(f"{words}; melds 7h 8h 9h; melds Ben: Kc Kd Kh").facts == {
        "hands": {"Ann": "2c", "Ben": "3c"},
        "scores": {"Ann": 20, "Ben": 35},
        "wild": "8",
        "melds": "7h 8h 9h / Ben: Kc Kd Kh",
    }
    assert read_question("score 20; discard pile 9h") == Question(
        {"scores": 20, "pile": "9h"}, ()
    )
    assert read_question("") == Question({}, ())
    with pytest.raises(rv.errors.PositionError, match="hand: it is given twice"):
        read_question("hand 2c; Hand 3c")
    with pytest.raises(rv.errors.PositionError, match="hands, Ann: it is given twice"):
        read_question("hand Ann: 2c; Ann's hand: 3c")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("May I keep the top discard?", True),
        ("can I knock with 12 points", True),
        ("take the top card and keep it", True),
        ("must I?", True),
        ("draw?", False),
        ("meld 7h 8h 9y", False),
        ("meld 7h 8h 9h on my own run", False),
        ("hand 7h; may I meld that?", False),
        ("", False),
    ],
)
def test_a_sentence_is_no_action_with_a_mistake(text: str, *, is_one: bool) -> None:
    assert is_sentence(text) == is_one


def test_errors_about_questions_are_in_their_words() -> None:
    for wrong, said in (
        ("gin-rummy; hand 7h 8h 9h; draw", "say partial if not everything"),
        ("rummy-500; scores many", "scores: say what each seat has, as in scores Ann:"),
        ("indian-rummy; drop", "turns_taken Ann: 0 / Ben: 0"),
    ):
        game, _, question = wrong.partition("; ")
        with pytest.raises(rv.errors.PositionError, match=re.escape(said)):
            scenario_of(rv.preset(game), question)


def test_a_question_is_a_scenario() -> None:
    rules = rv.preset("rummy-500")
    text = "hand 7h 8h 2c; pile 9h 4d; take 9h; meld 7h 8h 9h; discard Kc; draw"
    outcome = rv.files.run(scenario_of(rules, text))
    assert [bool(ruling) for _, ruling in outcome.rulings] == [True, True, False]
    bens = scenario_of(rules, "Ben: take 9h; hand 7h 8h; pile 9h 4d")
    assert bens.start is not None
    assert bens.start.players[bens.start.turn] == "Ben"
    for wrong, said in (
        ("hand 7h; foo", "facts begin with hand, hands, pile, melds, players"),
        ("hnd 7h; draw", "facts begin with"),
        ("players Ann Ben; Zoe: draw", "there is no seat 'Zoe'"),
        ("draw; Zoe: discard 2c", "there is no 'Zoe'"),
    ):
        with pytest.raises(rv.RummyError, match=re.escape(said)):
            scenario_of(rules, wrong)
