"""What values print: a game as its table, a step as its events, rules as a sheet."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys

from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.bots import CarefulBot, play_on
from rummyvariants.files._table_text import state_text, view_text
from rummyvariants.rules import Differences
from rummyvariants.rules.sheet import rule_sheet
from walks import GAMES, exchanged, walk


def dispute(**given: Any) -> rv.State:
    """
    A position with a meld of several players, a pile, and hands.
    """
    return rv.position(
        "rummy-500",
        **{
            "hands": {"Ann": "9s 2c", "Ben": "Qh", "Cleo": "3d 3s"},
            "table": ["Ann: 7h 8h 9h | Ben: Th"],
            "discards": "4c 7d",
            "stock": "5s 6s",
            "scores": {"Ann": 120, "Ben": -15},
            "phase": "draw",
            **given,
        },
    )


FOURS = {"Ann": "4d 4s 2c", "Ben": "Qh", "Cleo": "3d 3s"}
"""Hands with which Ann may take two discards."""


def test_a_state_prints_as_the_table_with_all_hands() -> None:
    assert str(dispute()).splitlines() == [
        "Rummy 500",
        "Ann has to draw.",
        "Round 1, Cleo deals, stock: 2, played to 500",
        "player  cards  points",
        "Ann         2     120  to act, has a meld",
        "Ben         1     -15",
        "Cleo        2       0  dealer",
        "  1  Ann: 7h 8h 9h | Ben: Th",
        "discards, the top last: 4c 7d",
        "Ann holds 2c 9s",
        "Ben holds Qh",
        "Cleo holds 3d 3s",
    ]


def test_a_view_prints_what_the_seat_knows() -> None:
    lines = str(rv.view(dispute(), "Ben")).splitlines()
    assert "Ben         1     -15  you" in lines
    assert lines[-3:] == ["Ann holds 2 cards", "Ben holds Qh", "Cleo holds 2 cards"]
    assert "Qh" not in str(rv.view(dispute()))
    took = rv.apply(dispute(hands=FOURS), "take 2")
    assert str(rv.view(took, "Ben")).splitlines()[-3:] == [
        "Ann holds 5 cards, among them 4c 7d",
        "Ben holds Qh",
        "Cleo holds 2 cards",
    ]


@pytest.mark.parametrize("number", range(0, len(GAMES), 2))
def test_a_view_prints_no_card_that_the_seat_does_not_know(number: int) -> None:
    """
    Two games that differ in hidden cards alone print alike for those who see neither.
    """
    rng = random.Random(number)
    rules, players, seed = GAMES[number]
    for state in [step.after for step in walk(rules, players, seed, 60)][::9]:
        for seat in (None, *range(len(state.players))):
            view = rv.view(state, seat)
            if state.phase == "play":
                other = exchanged(state, seat, rng)
                assert str(rv.view(other, seat)) == str(view)
            assert str(view) == view_text(view)
            assert "\n" not in repr(view)
        text = state_text(state)
        assert str(state) == text
        assert f"stock: {len(state.stock)}" in text
        for name, hand in zip(state.players, state.hands, strict=True):
            assert f"\n{name} holds {hand or 'no cards'}" in text
        assert "\n" not in repr(state)


def test_a_covered_pile_is_seen_by_who_sees_everything_alone() -> None:
    state = rv.position(
        "gin-rummy",
        hands={"Ann": "9s 2c", "Ben": "Qh Qd"},
        discards="4c 7d",
        stock="5s 6s 7s",
        partial=True,
    )
    assert "discards, the top last: 4c 7d" in str(state)
    assert "discards: 7d on 1 other card" in str(rv.view(state, 0))


def test_after_a_round_its_points_are_printed_and_after_the_match_who_won() -> None:
    state = dispute(
        hands={"Ann": "9s", "Ben": "Qh", "Cleo": "3d 3s"},
        phase="play",
        scores={"Ann": 490},
    )
    state = rv.apply(state, "discard 9s")
    lines = str(state).splitlines()
    assert lines[1] == "The match is over; Ann won."
    assert "points of round 1: Ann +24, Ben +0 and Cleo -6" in lines
    assert "Ann holds no cards" in lines
    sheet = str(rv.game.score_sheet(state)).splitlines()
    assert sheet[0] == "Score sheet of round 1"
    assert sheet[-1] == "Ann wins the match."
    assert "total  514    0    -6" in sheet
    assert str(state.result) in "\n".join(sheet)


def test_a_result_without_names_numbers_the_seats() -> None:
    state = rv.apply(
        dispute(
            hands={"Ann": "9s", "Ben": "Qh"},
            table=["Ann: 7h 8h 9h"],
            phase="play",
            scores={},
        ),
        "discard 9s",
    )
    assert state.result is not None
    bare = rv.game.RoundResult(
        state.result.points, state.result.items, 0, "out", state.result.rule
    )
    assert str(bare).splitlines()[1].startswith("seat 0")


def test_what_is_typed_at_the_prompt_is_read_there() -> None:
    state = dispute()
    result = rv.round_result(state, seat="Ben")
    assert repr(result) == "<RoundResult: out by Ben; Ann +13, Ben +10, Cleo -6>"
    stock = rv.round_result(state)
    assert repr(stock) == "<RoundResult: stock; Ann +13, Ben +0, Cleo -6>"
    bare = attrs.evolve(stock, players=())
    assert repr(bare) == "<RoundResult: stock; seat 0 +13, seat 1 +0, seat 2 -6>"
    rule = rv.rule("PG-14")
    assert repr(rule) == f"<Rule PG-14, {rule.title}: {rule.text}>"
    option = rv.options()["deuces wild"]
    assert repr(option) == "<Option Deuces wild [R5V-12]>"
    found = rv.preset("rummy-500").diff("rummy-5000")
    assert repr(found) == str(found)
    assert repr(found[-1]) == f"<Difference in {found[-1]}>"


def test_games_print_their_titles_and_numbers_of_players() -> None:
    games = rv.presets()
    assert isinstance(games, tuple)
    assert (*games,) == games == pickle.loads(pickle.dumps(games))  # noqa: S301 -- ours
    lines = repr(games).splitlines()
    assert [line.split()[0] for line in lines] == [*games]
    assert lines[games.index("canasta")].endswith("  Canasta, 2 to 4 players")
    assert lines[games.index("gin-rummy")].endswith("  Gin Rummy, 2 players")
    for line, name in zip(lines, games, strict=True):
        assert f"  {rv.preset(name).title}, " in line


def test_columns_are_on_the_score_sheet() -> None:
    state = rv.game.begin(rv.preset("gin-rummy").with_options("GRV-09"), 2, seed=5)
    *_, last = play_on(state, [CarefulBot(), CarefulBot()], 5)
    lines = str(rv.game.score_sheet(last.after)).splitlines()
    assert any(line.startswith("column  player 0") for line in lines)
    assert "Score sheet of column 1" in lines
    assert lines[-1].endswith("the match.")


def test_a_step_prints_its_events() -> None:
    step = rv.step(dispute(), "take 1")
    assert str(step) == "Ann takes 7d."
    drew = rv.step(dispute(), "draw")
    assert str(drew) == "Ann draws 5s."
    assert [*map(str, drew.seen_by("Ben"))] == ["Ann draws a card."]
    assert len(str(rv.step(drew.after, "discard 2c")).splitlines()) > 1
    assert "discards 2c" in str(rv.step(drew.after, "discard 2c"))


def test_rules_print_their_sheet_and_are_a_line_otherwise() -> None:
    rules = rv.preset("rummy-500").with_options("PGV-P4")
    assert str(rules) == rules.describe() == rule_sheet(rules)
    assert repr(rules) == "<Ruleset rummy-500 with PGV-P4>"


def test_differences_print_what_each_value_is_about_and_are_a_tuple() -> None:
    here, there = rv.preset("rummy-500"), rv.preset("rummy-5000")
    found = here.diff(there)
    assert isinstance(found, Differences)
    assert found == tuple(found)
    lines = str(found).splitlines()
    assert lines[:3] == [
        "deck.packs: How many packs are used, by the number of players",
        "  rummy-500:  { 2 = 1, 5 = 2 } (BN-02, rummy-500)",
        "  rummy-5000: { 3 = 1, 5 = 2 } (PG-02, rummy-5000)",
    ]
    heads = [line.partition(":")[0] for line in lines[::3]]
    values = [".".join(one.value.split(".")[:2]) for one in found]
    assert heads == [*dict.fromkeys(values)]
    points = lines[lines.index("score.points: The points of natural cards, by rank") :]
    assert points[1].startswith("  rummy-500:  A = 15, 2 = 2, 3 = 3, ")
    assert points[2].endswith(", * = none (PG-20, rummy-5000)")
    assert str(here.diff(here)) == ("rummy-500 and rummy-500 do not differ.")
    ours = here.with_options("PGV-E5=300")
    assert here.diff(ours).names == ("rummy-500", "rummy-500 with PGV-E5=300")


def test_legal_actions_print_line_by_line() -> None:
    state = dispute()
    legal = rv.legal_actions(state)
    assert str(legal).splitlines() == [*map(str, legal)]
    assert str(rv.legal_actions(state, "Ben")) == "nothing"
    assert "\n" not in repr(legal)


def test_legal_actions_of_several_are_grouped_by_player() -> None:
    turn = rv.position(
        "rummy-5000",
        hands={"Ann": "9s 2c", "Ben": "8h 5s 2d", "Cleo": "3d 3s"},
        table=["Ann: 5h 6h 7h", "Cleo: Kc Kd Ks"],
        discards="2s",
        stock="2h 6c",
        turn="Ben",
        phase="play",
    )
    window = rv.apply(turn, "discard 8h")
    assert len(window.to_act) > 1
    lines = str(rv.legal_actions(window)).splitlines()
    groups = [line for line in lines if not line.startswith("  ")]
    assert groups == [f"{window.players[seat]} may" for seat in window.to_act]
    inner = [line.strip() for line in lines if line.startswith("  ")]
    assert inner == [*map(str, rv.legal_actions(window))]


def test_a_long_list_of_legal_actions_ends() -> None:
    ranks = "23456789"
    cards = " ".join(f"{rank}{suit}" for rank in ranks for suit in "cdhs")
    hands = {"Ann": f"{cards} * *", "Ben": "Qh"}
    state = rv.position("rummy-500", hands=hands, stock="As", phase="play")
    lines = str(rv.legal_actions(state)).splitlines()
    assert len(lines) == 1001
    assert lines[-1] == "... and more"


def test_lists_of_legal_actions_compare() -> None:
    state = dispute(hands=FOURS)
    legal = rv.legal_actions(state)
    actions = list(legal)
    assert legal == actions == legal
    assert legal == tuple(actions)
    assert legal == ["draw", "take 1", "take 2"]
    assert legal != ["take 1", "draw", "take 2"]
    assert legal != actions[:-1]
    assert legal != [*actions, actions[0]]
    assert legal != [*actions, None]
    assert legal == rv.legal_actions(state, "Ann")
    assert legal == rv.legal_actions(rv.view(state, "Ann").world)
    assert legal != rv.legal_actions(state, "Ben")
    assert rv.legal_actions(state, "Ben") == []
    assert legal != rv.legal_actions(rv.apply(state, "draw"))
    assert legal != "draw"
    assert legal != {*actions}
    assert len({legal, rv.legal_actions(state), rv.legal_actions(state, 0)}) == 1
    assert random.Random(3).choice(legal) in actions


def test_a_chooser_and_an_arrangement_print_what_they_hold() -> None:
    state = dispute(hands=FOURS)
    assert str(rv.chooser(state)) == "chosen: nothing yet\nnext: draw, take"
    assert str(rv.chooser(state).choose("take", "2")) == (
        "chosen: take / 2\naction: take 2"
    )
    assert str(rv.chooser(state, "Ben")) == "chosen: nothing yet\nnext: nothing"
    play = dispute(hands={"Ann": "9s 9c 9d 2c", "Ben": "Qh"}, phase="play")
    assert str(rv.arrange(play, seat=0)).splitlines() == [
        "most points: 27 points laid down",
        "  meld 9c 9d 9s",
        "left: 2c (2 points)",
        "The player can go out.",
    ]


def test_cards_melds_and_states_are_pictures_in_a_notebook() -> None:
    state = dispute()
    for value in (state, rv.view(state, 0), state.hands[0], state.table[0], rv.Cards()):
        assert value._repr_html_().startswith("<svg")
    assert "nine of spades" in state.hands[0]._repr_html_()


def test_nothing_that_draws_is_imported_before_something_is_printed() -> None:
    code = (
        "import sys, rummyvariants as rv\n"
        "state = rv.new_game('rummy-500', 2)\n"
        "rv.apply(state, rv.legal_actions(state)[0])\n"
        "names = ['files._table_text', 'files._score_text', 'svg', '_support.tables']\n"
        "print(*[one in str([*sys.modules]) for one in names])\n"
        "print(str(state) != repr(state))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False"] * 4 + ["True"]


# --------------------------------------------------------- what rules are asked


@pytest.mark.parametrize(
    ("game", "players", "said"),
    [
        ("rummy-500", 2, "10 cards [BN-10]"),
        ("rummy-500", 5, "7 cards [BN-10]"),
        ("rummy-5000", 3, "3 to 12 cards, as many as the first card of the hand"),
        ("contract-rummy", 4, "10 cards, from round 4 on 12 cards [CON-03]"),
        ("shanghai-rummy", 4, "11 cards [SHA-02]"),
        (
            "three-thirteen",
            3,
            "3 cards in round 1, and one more in each round up to 13 in round 11",
        ),
    ],
)
def test_how_many_cards_are_dealt(game: str, players: int, said: str) -> None:
    assert rv.preset(game).hand_size(players).startswith(said)


@pytest.mark.parametrize("game", rv.presets())
def test_the_cards_dealt_are_as_many_as_was_said(game: str) -> None:
    rules = rv.preset(game)
    for players in range(rules.match.players[0], rules.match.players[1] + 1):
        said = rules.hand_size(players)
        try:
            state = rv.new_game(rules, players, seed=players)
        except rv.errors.RulesError:
            continue  # not all numbers between make sides
        sizes = {len(hand) for hand in state.hands}
        numbers = [int(word) for word in said.split() if word.isdecimal()]
        if rules.deal.is_fixed and not rules.deal.may_be_short:
            extra = {numbers[0] + 1} if not rules.deal.turns_up else set()
            assert sizes <= {numbers[0]} | extra, said
        elif not rules.deal.is_fixed:
            low, high = numbers[:2]
            assert low <= min(sizes) <= max(sizes) <= high, said


def test_a_game_for_others_says_so() -> None:
    with pytest.raises(rv.errors.RulesError, match="gin-rummy is for 2 players, not 5"):
        rv.preset("gin-rummy").hand_size(5)
    with pytest.raises(TypeError, match="players is '5'"):
        rv.preset("gin-rummy").hand_size("5")  # type: ignore[arg-type]


def test_what_a_card_counts_is_said_by_where_it_lies() -> None:
    rules = rv.preset("rummy-500")
    assert rules.worth("A") == (
        "15 points, 1 when low in a run; on the table it counts for the player who "
        "laid it; left in a hand it counts against its holder "
        "[BN-03, BN-08, BN-13, BN-17]"
    )
    assert rules.worth("joker").startswith("15 points, being wild")
    assert (
        rv.preset("rummy-5000").worth("T").startswith("10 points, 100 when it is wild")
    )
    assert "in no meld" in rv.preset("gin-rummy").worth("K")
    assert (
        rv.preset("canasta")
        .worth("3")
        .startswith("3c 3s: 5 points; 3d 3h: 100 points, laid out at once")
    )
    ours = rules.with_values({"score.special": {"Qs": 40}})
    assert ours.worth("Q").startswith("Qc Qd Qh: 10 points; Qs: 40 points; ")
    assert ours.worth("Qs").startswith("40 points; ")


@pytest.mark.parametrize("game", rv.presets())
def test_a_card_of_a_hand_counts_what_is_said(game: str) -> None:
    state = rv.new_game(rv.preset(game), rv.preset(game).match.players[1], seed=2)
    view = rv.view(state, 0)
    for card in {*view.hand}:
        said = state.rules.worth(card)
        assert str(view.points(card)) in said.replace(",", "").split(), said


@pytest.mark.parametrize(
    "text", ["Q", "queen", "Queens", "qs", "queen of spades", "Q♠"]
)
def test_a_card_is_named_in_any_way(text: str) -> None:
    assert rv.preset("rummy-500").worth(text).startswith("10 points; ")


@pytest.mark.parametrize("text", ["", "14", "?", "queen of", "Qy", "7h 8h"])
def test_what_is_no_card_is_told_how_to_write_one(text: str) -> None:
    with pytest.raises(rv.errors.ParseError, match="neither a card such as 'Qs'"):
        rv.preset("rummy-500").worth(text)


def test_a_card_that_no_deck_holds_is_refused() -> None:
    with pytest.raises(
        rv.errors.RulesError, match="the deck of gin-rummy holds no joker"
    ):
        rv.preset("gin-rummy").worth("joker")


@pytest.mark.parametrize("game", rv.presets())
def test_completion_lists_what_users_need(game: str) -> None:
    rules = rv.preset(game)
    shown = dir(rules)
    assert len(shown) <= 35
    assert all(hasattr(rules, name) for name in shown)
    assert {"match", "options", "with_options", "diff", "worth"} <= {*shown}
    engine = "asked vetoed silent secrets few settled answers in_deal discardable"
    assert not {*engine.split()} & {*shown}
    assert not any(name.startswith("_") for name in shown)
    docstring = rv.Ruleset.__doc__ or ""
    assert not [one for one in engine.split() if f" {one}:" in docstring]
