"""
What users read: counts in the right number, and what would be right instead.

`test_scenarios` keeps the refusals of the scenarios; here is what those leave out.
"""

from __future__ import annotations

import itertools
import random
import re

import attrs
import pytest

import rummyvariants as rv

from rummyvariants._support.words import counted, figure, times
from rummyvariants.files._positions import read_position
from rummyvariants.game.verbs._known import verbs_of
from rummyvariants.rules._variants import presets


WRONG = (
    re.compile(r"\b1 (?!of\b)[a-z]+s\b(?<!is)(?<!was)(?<!has)"),
    re.compile(r"\b(\d+) to \1\b"),
    re.compile(r" {2}"),
    re.compile(r"\ba (?=[aeio])(?!one)"),
    re.compile(r"\ban (?=[bcdfgjklmnpqrstvwxyz])"),
    re.compile(r"\.$"),
    re.compile(r"^\s|\s$"),
)


def faults(text):
    """
    What an editor would mark in a message.
    """
    return [rule.pattern for rule in WRONG if rule.search(text)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1 cards",
            "for 2 to 2 players",
            "no  run",
            "it ends.",
            "of 1 players, not 2",
        ),
        *("a ace is wild", "an meld"),
    ],
)
def test_the_faults_are_seen(text):
    assert faults(text)
    assert not faults("1 card of 12 cards is left, for 2 to 8 players")


def test_numbers_have_their_nouns():
    assert figure(1, "card") == "1 card"
    assert figure(0, "card") == "0 cards"
    assert figure(-1, "point") == "-1 point"
    assert counted(1, "joker") == "one joker"
    assert counted(0, "joker") == "no jokers"
    assert [times(one) for one in range(4)] == [
        "not at all",
        "once",
        "twice",
        "three times",
    ]


# --------------------------------------------------------------------- cards and decks


def position(rules, **given):
    """
    A position from the keys of its table.
    """
    rules = rv.preset(rules) if isinstance(rules, str) else rules
    return read_position({"seats": list(given["hands"]), **given}, rules)


def in_play(rules, hand, **more):
    """
    A position in which N has drawn.
    """
    return position(
        rules,
        hands={"N": hand, "E": "Kc Kd", "S": "Jd Jh"},
        stock="9c 9d 9h 9s",
        phase="play",
        turn="N",
        **more,
    )


@pytest.mark.parametrize(
    "text",
    ["meld 2c 2d 2h", "lay 2c on 1", "discard 2c", "put 2c", "lay 5h 2c on 4"],
)
def test_a_card_that_the_deck_lacks_is_refused_by_the_deck(text):
    state = in_play("2500-house", "5c 5d 5h 7s", discards="6d")
    ruling = rv.check(state, text)
    assert ruling.reason == "there is no 2c: the deck has no twos"
    assert ruling.cites == ("HR-02", "RV-07")


def test_a_swap_with_a_card_that_the_deck_lacks():
    rules = rv.preset("rummy-5000").with_options("PGV-P4", "PGV-C1a")
    ruling = rv.check(in_play(rules, "5c 5d", discards="6d"), "swap 2c on 1")
    assert ruling.reason == "there is no 2c: the deck has no twos"
    assert ruling.rule == "PGV-C1a"


def test_a_knock_with_a_joker_in_a_game_without():
    state = position(
        "gin-rummy",
        hands={"N": "5c 5d 5h 6s", "E": "Kc Kd"},
        stock="9c 9d 9h 9s",
        discards="6d",
        phase="play",
        turn="N",
        partial=True,
    )
    for text in ("knock *: 5c 5d 5h", "knock 6s: 5c 5d *", "discard *"):
        ruling = rv.check(state, text)
        assert ruling.reason == "there is no *: the deck has no jokers"
        assert "RV-07" in ruling.also
    ruling = rv.check(state, "knock 5c: 5c 5d 5h")
    assert ruling.reason == "5c is in a meld and cannot be discarded as well"


def test_a_call_with_a_card_that_the_deck_lacks():
    state = position(
        "rummy-500",
        hands={"N": "5c 5d", "E": "Kc Kd", "S": "Jd"},
        table=["N: 7h 8h 9h"],
        stock="2c 3c",
        discards="Th",
        phase="call",
        turn="E",
        discarder="N",
    )
    ruling = rv.check(state, "rummy Th Th on 1", seat=state.to_act[0])
    assert ruling.reason == "the deck holds Th once, not twice"
    assert ruling.rule == state.rules.rule_of("deck.packs")


def test_positions_decks_and_actions_say_the_same_of_the_deck():
    message = "there is no 2c: the deck has no twos"
    with pytest.raises(rv.errors.PositionError) as caught:
        in_play("2500-house", "2c")
    assert f"hands.N: {message}" in caught.value.problems
    with pytest.raises(rv.errors.PositionError) as caught:
        rv.new_game("2500-house", 3, deck="2c")
    assert caught.value.problems == (message,)
    assert caught.value.rules == ("HR-02",)


# ------------------------------------------------------------------------------- verbs


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("gin-rummy", "knok Kc", "did you mean 'knock'?"),
        ("2500-house", "putt 7c", "did you mean 'put'?"),
        (
            "rummy-500",
            "putt 7c",
            "the known ones are discard, draw, lay, meld, pass, rummy, take",
        ),
        ("rummy-500", "put", "this game has no 'put'"),
        ("rummy-500", "gin", "this game has no 'gin'"),
    ],
)
def test_errors_about_verbs_name_those_of_the_game(game, text, message):
    state = rv.new_game(game, 2, seed=1)
    for ask in (rv.check, rv.apply, rv.step):
        with pytest.raises(rv.errors.ParseError) as caught:
            ask(state, text)
        assert message in str(caught.value)


def test_what_can_be_read_is_refused_by_a_rule_and_not_as_unknown():
    state = in_play("rummy-500", "5c 5d", discards="6d")
    assert rv.check(state, "put 5c").rule


@pytest.mark.parametrize("game", presets())
def test_the_verbs_of_a_game_are_those_of_its_actions(game):
    rules = rv.preset(game)
    state = rv.new_game(rules, rules.match.players[0], seed=3)
    chance = random.Random(3)
    for _ in range(60):
        if state.phase in {"deal", "over"}:
            break
        some = list(itertools.islice(rv.legal_actions(state), 40))
        assert {str(one).split()[0] for one in some} <= verbs_of(rules)
        state = rv.apply(state, chance.choice(some))


# ----------------------------------------------------------------------- rules of files


def test_a_notice_names_the_file_of_the_option(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text('extends = "rummy-5000"\nwith = ["PGV-P9a"]\n', encoding="utf-8")
    rules = rv.load_rules(path)
    message = "PGV-P9a changes nothing: these rules already say so"
    assert rules.notices == (f"{path}, with: {message}",)
    assert rv.preset("rummy-5000").with_options("PGV-P9a").notices == (message,)
    more = rules.with_values({"match.target": 1000})
    assert more.notices == rules.notices


def test_a_wrong_value_in_a_file_is_reported_with_its_whole_path(tmp_path):
    path = tmp_path / "house.toml"
    text = 'extends = "rummy-5000"\n[match]\ntargt = 100\n'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        rv.errors.RulesError, match=r"'match\.targt'; did you mean 'match\.target'"
    ):
        rv.load_rules(path)


# ---------------------------------------------------------------------------- nonsense


RANKS, SUITS = "A23456789TJQK", "cdhs"


def nonsense(chance):
    """
    The text of an action that is hardly ever legal.
    """

    def cards(most=4):
        some = [
            chance.choice(["*", chance.choice(RANKS) + chance.choice(SUITS)])
            for _ in range(chance.randint(1, most))
        ]
        if chance.random() < 0.2:
            some[0] += f"={chance.choice(RANKS)}{chance.choice(SUITS)}"
        if chance.random() < 0.2:
            some *= 2
        return " ".join(some)

    number = chance.randint(0, 9)
    return chance.choice(
        [
            f"meld {cards()}",
            f"lay {cards(2)} on {number}",
            f"lay {cards(1)} low on {number}",
            f"take {number}",
            f"discard {cards(1)}",
            f"swap {cards(1)} on {number}",
            f"put {cards(1)}",
            f"split {number} after {chance.randint(0, 9)}",
            f"rummy {cards()}",
            f"rummy {cards(2)} on {number}",
            f"knock {cards(1)}: {cards()}",
            "big gin",
            f"choose {number}",
            "draw",
            "pass",
            cards(),
            chance.choice(["drow", "tak 1", "meld", "lay 7h", "take many", "", "rumy"]),
        ]
    )


@pytest.mark.parametrize("game", presets())
def test_nonsense_is_refused_in_sound_english(game):
    chance = random.Random(game)
    rules = rv.preset(game)
    state = rv.new_game(rules, rules.match.players[0], seed=7)
    messages = set()
    for number in range(40):
        if state.phase in {"deal", "over"}:
            state = rv.new_game(rules, rules.match.players[0], seed=8 + number)
        for _ in range(15):
            try:
                ruling = rv.check(
                    state, nonsense(chance), seat=chance.choice(state.players)
                )
            except rv.errors.ParseError as error:
                messages.add(str(error))
            else:
                messages.add(ruling.reason)
        some = list(itertools.islice(rv.legal_actions(state), 20))
        state = rv.apply(state, chance.choice(some))
    assert len(messages) > 50
    assert {text: wrong for text in messages if (wrong := faults(text))} == {}


@pytest.mark.parametrize("game", presets())
@pytest.mark.parametrize("players", [1, 11])
def test_wrong_numbers_of_players_are_reported_in_sound_english(game, players):
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.new_game(game, players)
    for problem in caught.value.problems:
        assert not faults(problem), problem
    names = [f"seat {one}" for one in range(players)]
    with pytest.raises(rv.errors.PositionError) as wrong:
        position(game, hands={}, seats=names)
    assert f"seats: {caught.value.problems[0]}" in wrong.value.problems


@pytest.mark.parametrize(
    ("text", "phase", "message"),
    [
        ("take all with 9c 9h", "draw", "cards are not taken together with a meld"),
        ("take 99 with 9c 9h", "draw", "cards are not taken together with a meld"),
        ("meld 7h 8h 9h / Kc Kd Ks", "play", "melds are put down one by one"),
    ],
)
def test_what_no_rule_allows_is_refused_whatever_the_cards(
    text: str, phase: str, message: str
) -> None:
    hands = {"N": "5c 5d 5h 6s", "E": "Kc Kd"}
    state = rv.position(
        "rummy-500", hands=hands, discards="Qd", stock="2c 3c", phase=phase
    )
    ruling = rv.check(state, text)
    assert str(ruling) == f"refused: {message} in this game [RV-07]"


def test_a_take_may_name_the_deepest_card_and_a_discard_the_card_alone():
    hands = {"A": "4c 6s", "B": "Qc"}
    state = position("rummy-500", hands=hands, discards="5h 9d Kc", stock="2c")
    for text, full in (("take all", "take 3"), ("take 9D", "take 2"), ("4c", None)):
        ruling = rv.check(state, text)
        assert ruling == rv.check(state, full or "discard 4c")
        if ruling:
            assert rv.apply(state, text) == rv.apply(state, full)
    assert "8d is not in the discard pile" in rv.check(state, "take 8d").reason


def test_a_take_says_how_the_top_card_is_melded():
    state = rv.new_game("canasta", 4, seed=1)
    meant = "; here the top card is melded at once: write 'take all with 9c 9h'"
    with pytest.raises(rv.errors.ParseError, match=meant):
        rv.check(state, "take all")


@pytest.mark.parametrize(
    ("name", "action", "cited"),
    [
        ("canasta", "drop", ""),
        ("canasta", "rejoin", ""),
        ("canasta", "declare Kc", ""),
        ("canasta", "rummy 7c on 1", ", CAN-06"),
        ("indian-rummy", "rejoin", ""),
        ("gin-rummy", "drop", ""),
    ],
)
def test_a_verb_of_other_games_cites_no_rule_of_theirs(name, action, cited):
    state = rv.new_game(name, 2, seed=1)
    said = f"refused: '{action}' is no action of this game [RV-07{cited}]"
    assert str(rv.check(state, action)) == said


def test_a_take_without_a_duty_cites_the_rule_that_lifts_it():
    duty = {"value": "none", "rule": "OUR-1"}
    rules = rv.rules.read_rules({"extends": "rummy-500", "draw": {"duty": duty}})
    hands = {"A": "4c 6s", "B": "Qc"}
    state = position(rules, hands=hands, discards="5h 9d Kc", stock="2c")
    assert rv.check(state, "take 3").rule == "OUR-1"
    assert rv.check(state, "take 1").rule == "BN-12"


@attrs.frozen
class QueensStay(rv.house.HouseRule):
    """Queens are not discarded."""

    def discards(self, turn: rv.house.Turn) -> list[rv.Card]:
        return [card for card in turn.hand if card.rank != "Q"]


@pytest.mark.parametrize(
    ("values", "hand", "cites"),
    [
        ({"discard.keep": ["Qs", "Kd"]}, "Qs Kd", ("RV-03", "set here")),
        ({"discard.rules": ["queens stay"]}, "Qs", ("RV-43", "queens stay")),
        ({}, "Qs", ("BN-14",)),
    ],
)
def test_rv_43_a_discard_that_a_rule_forbids_cites_what_gave_way(values, hand, cites):
    rv.house.register_rule("discard", "queens stay")(QueensStay)
    state = rv.position(
        rv.preset("rummy-500").with_values(values),
        hands={"N": hand, "S": "Kc 5c"},
        dealer="S",
        turn="N",
        phase="play",
        drawn="stock Qs",
        discards="4d",
        stock="5d 6d",
    )
    ruling = rv.check(state, "discard Qs")
    assert ruling
    assert ruling.cites == cites
    assert ("otherwise" in ruling.reason) == (len(cites) > 1)
