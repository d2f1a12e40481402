"""
Indian rummy: its presets, its options, and the values that came with it.
"""

from __future__ import annotations

import random

from typing import Any

import pytest

import rummyvariants as rv

from places import EXAMPLES
from rummyvariants.bots import Bot, CarefulBot, GreedyBot, SearchBot
from rummyvariants.bots.concealed import weigh
from rummyvariants.files._positions import read_position
from rummyvariants.policies import ScorePolicy
from rummyvariants.rules.sheet import rule_sheet


IND = "indian-rummy"
HOME = ("INV-01", "INV-02", "INV-03", "INV-04", "INV-06", "INV-17", "INV-18")
POSITION: dict[str, Any] = {
    "seats": ["N", "E"],
    "dealer": "E",
    "turn": "N",
    "stock": "Ah Td",
    "discards": "5c",
    "hands": {"N": "2c 3d", "E": "4h 9s"},
    "partial": True,
}


def chosen(*options: str, game: str = IND) -> dict[str, object]:
    """
    The policy values that some options change in a game.
    """
    base = rv.preset(game)
    rules = base.with_options(*options)
    return {
        path: rules.value(path)
        for path in rules.values()
        if rules.value(path) != base.value(path)
    }


# --------------------------------------------------------------------------- options


def test_inv_02_takes_two_prices_or_the_first_alone() -> None:
    assert chosen("INV-02") == {"out.first_drop": 10}
    assert chosen("INV-02=25/50") == {"out.first_drop": 25, "out.later_drop": 50}
    assert chosen("INV-02=25:50") == chosen("INV-02=25/50")
    assert chosen("INV-02=5") == {"out.first_drop": 5}


def test_inv_06_takes_a_word() -> None:
    assert chosen("INV-06") == chosen("INV-06=graded") == {"score.lives": "graded"}
    assert chosen("INV-06=all or nothing") == {}


def test_inv_14_brings_the_prices_of_its_pool() -> None:
    pool = "indian-rummy-pool"
    assert chosen("INV-14", game=pool) == {}
    assert chosen("INV-14=201", game=pool) == {
        "out.first_drop": 25,
        "out.later_drop": 50,
        "match.eliminated_at": 201,
        "match.rejoin": 174,
    }
    assert chosen("INV-14=151", game=pool) == {"match.eliminated_at": 151}


def test_what_inv_14_brings_leaves_chosen_prices() -> None:
    rules = rv.preset(IND).with_options("INV-02=10/40", "INV-14=201")
    assert (rules.out.first_drop, rules.out.later_drop) == (10, 40)
    assert rules.match.rejoin == 174


def test_a_total_that_is_refused_is_one_problem() -> None:
    with pytest.raises(rv.errors.RulesError) as error:
        rv.preset(IND).with_options("INV-14=0")
    assert error.value.problems == (
        "match.eliminated_at: 0 is not allowed: give a whole number from 1 or 'never'",
    )


def test_inv_15_ends_a_pool() -> None:
    rules = rv.preset("indian-rummy-pool").with_options("INV-15")
    assert rules.match.eliminated_at == "never"
    assert rules.match.rejoin == "never"


def test_inv_15_sets_the_deals() -> None:
    assert chosen("INV-15", game="indian-rummy-deals") == {}
    assert chosen("INV-15=3", game="indian-rummy-deals") == {"match.rounds": 3}


@pytest.mark.parametrize(
    "wrong", ["INV-02=10/40/5", "INV-02=ten", "INV-02=", "INV-06=halved", "INV-06=10"]
)
def test_arguments_that_make_no_sense_are_refused(wrong: str) -> None:
    with pytest.raises(rv.errors.RulesError, match="is not allowed: give "):
        rv.preset(IND).with_options(wrong)


def test_the_game_at_home_is_a_set_of_options() -> None:
    rules = rv.load_rules(EXAMPLES / "indian-at-home.toml")
    wanted = rv.preset(IND).with_options(*HOME, "INV-19", "INV-20", "INV-21")
    assert not rules.diff(wanted)
    assert rules.value("out.first_drop") == 10
    assert rules.match.players == (2, 10)
    assert {rules.deck.packs_for(players) for players in (2, 6)} == {2}
    assert {rules.deck.packs_for(players) for players in (7, 10)} == {3}


@pytest.mark.parametrize(
    ("game", "option", "reason"),
    [
        ("rummy-500", "INV-14", "only where the lowest score wins"),
        ("rummy-500", "INV-05", "players do not declare"),
        ("gin-rummy", "INV-13", "players do not declare"),
        ("hollywood-gin", "INV-14", r"one column: match\.eliminated_at"),
        (IND, "PGV-C6b", "makes aces wild"),
    ],
)
def test_options_that_contradict_a_game(game: str, option: str, reason: str) -> None:
    with pytest.raises(rv.errors.RulesError, match=reason):
        rv.preset(game).with_options(option)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"out.pure_runs": 3}, "more runs would have to be pure"),
        ({"meld.runs": False}, "a declaration needs runs"),
        ({"match.ends": "when one is left"}, "nobody is ever eliminated"),
        ({"deck.ranks": "23456789TJQK"}, "makes aces wild"),
        (
            {"match.eliminated_at": 99, "match.sides": "partners opposite"},
            "partners are not eliminated",
        ),
    ],
)
def test_values_that_contradict_each_other(values: Any, reason: str) -> None:
    with pytest.raises(rv.errors.RulesError, match=reason):
        rv.preset(IND).with_values(values)


# ---------------------------------------------------------------------------- scores


@pytest.mark.parametrize(
    ("values", "points", "turns", "counted"),
    [
        ({}, 62, 0, 62),
        ({"rounded_to": 5}, 62, 1, 60),
        ({"rounded_to": 5}, 63, 1, 65),
        ({"rounded_to": 10}, 65, 1, 70),
        ({"rounded_to": 5}, 65, 1, 65),
        ({"most_in_hand": 80}, 81, 1, 80),
        ({"most_in_hand": 80}, 80, 1, 80),
        ({"most_in_hand": 0}, 7, 1, 0),
        ({"no_turn": "half"}, 63, 0, 31),
        ({"no_turn": "half"}, 63, 1, 63),
        ({"no_turn": "half"}, 0, 0, 0),
        ({"rounded_to": 5, "most_in_hand": 80, "no_turn": "half"}, 91, 0, 40),
        ({"rounded_to": 5, "most_in_hand": 80, "no_turn": "half"}, 63, 0, 32),
        ({"dealt_hand": "double"}, 63, 1, 126),
        ({"dealt_hand": "double"}, 63, 0, 63),
        ({"most_in_hand": 80, "dealt_hand": "double"}, 91, 1, 160),
        ({"no_turn": "half", "dealt_hand": "double"}, 63, 0, 31),
    ],
)
def test_rv_49_rounded_then_limited_then_halved_or_doubled(
    values: Any, points: int, turns: int, counted: int
) -> None:
    policy = ScorePolicy(**values)
    steps = [*policy.adjusted(points, had_turn=turns > 0, dealt_hand=True)]
    assert points + sum(more for more, _, _ in steps) == counted
    assert all(more for more, _, _ in steps)


# --------------------------------------------------------------- wrong declarations


GOOD = "4h 5h 6h / 9s *=Ts Js / Kc Kd Kh / 3c 3d 3s 8h=3h"
SHOWING: dict[str, Any] = {
    "seats": ["N", "E", "S"],
    "dealer": "S",
    "turn": "N",
    "phase": "play",
    "wild": "8",
    "indicator": "8d",
    "drawn": "stock Qd",
    "stock": "7h 6d 9h",
    "discards": "5c",
    "hands": {
        "N": "4h 5h 6h 9s * Js Kc Kd Kh 3c 3d 3s 8h Qd",
        "E": "2c 3c 8c Qh Qd Qs 7d 7s 9c 9d Jh Ah 5s",
        "S": "Ac 2d 2h 4c 4d 5d 6c 6s Th Tc Ts Ks Ac",
    },
}
SETS = "5h 6h 7h 9s Ts 8h 4c 4d 4s Kc Kd Kh Ks 2d"
FORM = "write 'declare Kc: 7h 8h 9h / 5c 5d 5h'"


def showing(hand: str = "", rules: rv.Ruleset | None = None, **more: Any) -> rv.State:
    """
    A state in which N has drawn, perhaps with another hand.
    """
    position = {**SHOWING, "partial": True, **more}
    if hand:
        position["hands"] = {**position["hands"], "N": hand, "S": "As As Ad Jd Jc 2s"}
        position["drawn"] = f"stock {hand.rsplit(maxsplit=1)[-1]}"
    return read_position(position, rules or rv.preset(IND))


def test_ind_12_a_wild_with_several_places_need_not_be_placed() -> None:
    text = "declare 2d: 5h 6h 7h / 9s Ts 8h / 4c 4d 4s / Kc Kd Kh Ks"
    assert rv.check(showing(SETS), text)


@pytest.mark.parametrize(
    ("hand", "text", "rule", "reason"),
    [
        # What a declaration has to show.
        (
            "5h 6h 8c 9s Ts 8h 4c 4d 4s Kc Kd Kh Ks 2d",
            "declare 2d: 5h 6h 8c=7h / 9s Ts 8h=Js / 4c 4d 4s / Kc Kd Kh Ks",
            "IND-13",
            "the hand shows no pure run, and a declaration needs one",
        ),
        (
            "5h 6h 7h 9s 9h 8h 4c 4d 4s Kc Kd Kh Ks 2d",
            "declare 2d: 5h 6h 7h / 9s 9h 8h=9c / 4c 4d 4s / Kc Kd Kh Ks",
            "IND-14",
            "the hand shows one run, and a declaration needs two, one of them pure",
        ),
        (
            "",
            "declare Qd: 4h 5h 6h / 9s *=Ts Js / Kc Kd Kh / 3c 3d 3s",
            "IND-14",
            "8h would be left, and a declaration leaves none",
        ),
        ("", f"declare: {GOOD}", "IND-14", "a declaration needs a discard"),
        # What is no meld.
        (
            "5h 6h 7h 9s Ts Js 4c 4c 4s Kc Kd Kh Ks 2d",
            "declare 2d: 5h 6h 7h / 9s Ts Js / 4c 4c 4s / Kc Kd Kh Ks",
            "IND-10",
            "4c 4c 4s is not a set: it would hold two cards of one suit",
        ),
        (
            SETS,
            "declare 2d: 5h 6h 7h / 9s Ts 8h=Js / 4c 4d / 4s Kc Kd Kh Ks",
            "IND-10",
            "4c 4d is too short: a set has at least three cards",
        ),
        (
            SETS,
            "declare 2d: 5h 6h 7h / 9s Ts / 4c 4d 4s / Kc Kd Kh Ks 8h",
            "IND-10",
            "9s Ts is too short: a run has at least three cards",
        ),
        (
            SETS,
            "declare Ts: 5h 6h 7h / 9s 2d 4c / 4d 4s / Kc Kd Kh Ks 8h",
            "IND-10",
            "9s 2d 4c is not a run: its suits differ",
        ),
        (
            "",
            "declare Qd: 3c 3d 3s 8h * / 4h 5h 6h / Kc Kd Kh",
            "IND-10",
            (
                "3c 3d 3s 8h * is not a set: a set has at most four cards, one of each "
                "suit"
            ),
        ),
        (
            SETS,
            "declare 2d: 5h 6h 7h / 9s Ts 8h=Qs / 4c 4d 4s / Kc Kd Kh Ks",
            "IND-12",
            "9s Ts 8h=Qs is not a meld: a wild card cannot stand for that",
        ),
        (
            SETS,
            "declare 2d: 5h 6h 7h / 9s Ts 8h=Js / 4c 4d 4s / Kc Kd Kh=Kc Ks",
            "IND-12",
            "Kh is not wild in this deal and stands for itself alone",
        ),
        (
            "",
            "declare Qd: 4h 5h 6h, 9s *=Ts Js, Kc Kd Kh, 3c 3d 3s 8h=3h",
            "IND-11",
            (
                "4h 5h 6h 9s *=Ts Js Kc Kd Kh 3c 3d 3s 8h=3h is not a set: its cards "
                "differ in rank; melds are separated by '/'"
            ),
        ),
        # What is not there.
        ("", f"declare Qd: 7h {GOOD}", "RV-07", "7h is not in the hand"),
        ("", f"declare Qs: {GOOD}", "RV-07", "Qs is not in the hand"),
        (
            "",
            f"declare Kc: {GOOD}",
            "RV-07",
            "Kc is in a meld and cannot be discarded as well",
        ),
        (
            "",
            f"declare Qd: {GOOD} / 4h 5h 6h",
            "RV-07",
            "4h is in the hand once, not twice",
        ),
        # What is done in other games.
        (
            "",
            f"knock Qd: {GOOD}",
            "RV-07",
            "nobody knocks in this game: a player goes out with 'declare'",
        ),
        (
            "",
            "meld 4h 5h 6h",
            "IND-09",
            (
                "melds stay in the hand until somebody declares, "
                "though the cards make a run of hearts from four to six"
            ),
        ),
    ],
)
def test_ind_16_a_wrong_declaration_is_refused_with_what_lacks(
    hand: str, text: str, rule: str, reason: str
) -> None:
    found = rv.check(showing(hand), text)
    assert not found
    assert (found.rule, found.reason) == (rule, reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GOOD.replace("/", "|"), f"melds are separated by '/': {FORM}"),
        (GOOD.replace(" /", ";"), f"melds are separated by '/': {FORM}"),
        (f"{GOOD} /", FORM),
        ("", FORM),
    ],
)
def test_melds_of_a_declaration_that_cannot_be_read(text: str, reason: str) -> None:
    with pytest.raises(rv.errors.ParseError) as error:
        rv.check(showing(), f"declare Qd: {text}")
    assert str(error.value).endswith(f"is not an action: {reason}")


@pytest.mark.parametrize("head", ["declare Qd ", "declare Qd / ", "declare Qd, "])
def test_a_declaration_without_a_colon(head: str) -> None:
    with pytest.raises(rv.errors.ParseError) as error:
        rv.check(showing(), head + GOOD)
    said = "one card is discarded, and the melds follow a colon"
    assert str(error.value).endswith(f"is not an action: {said}: {FORM}")


def test_a_declaration_at_a_wrong_time_is_refused_with_what_is_due() -> None:
    hands = {**SHOWING["hands"], "N": "4h 5h 6h 9s * Js Kc Kd Kh 3c 3d 3s 8h"}
    before = {"phase": "draw", "drawn": None, "hands": hands}
    state = read_position(
        {name: one for name, one in {**SHOWING, **before}.items() if one is not None},
        rv.preset(IND),
    )
    found = rv.check(state, "declare")
    assert found.reason == "a turn starts with a draw, so 'declare' has to wait"
    found = rv.check(state, "declare", 1)
    assert found.reason == "it is N's turn to act, not E's"
    dropped = rv.apply(state, "drop")
    for text in ("declare", "drop", "draw", "discard Kc"):
        assert rv.check(dropped, text, 0).reason == "N has left the round"
    over = rv.apply(showing(), "declare Qd")
    assert rv.check(over, "declare Qd", 0).reason == "the match is over"


def test_inv_05_the_ruling_says_what_is_wrong_and_what_it_costs() -> None:
    rules = rv.preset(IND).with_options("INV-05")
    text = "declare Qd: 4h 5h 6h / Kc Kd Kh / 3c 3d 3s 8h=3h"
    found = rv.check(showing(rules=rules), text)
    assert (bool(found), found.rule) == (True, "INV-05")
    assert found.reason == (
        "a wrong declaration, which costs 80 points: 9s Js * would be left, and a "
        "declaration leaves none"
    )


def test_inv_05_everybody_is_told_that_a_declaration_was_wrong() -> None:
    rules = rv.preset(IND).with_options("INV-05")
    done = rv.step(showing(rules=rules), "declare Qd: 4h 5h 6h / Kc Kd Kh / 3c 3d 3s")
    told = [one.text for one in done.seen_by(1)]
    wrong = "N makes a wrong declaration and leaves the round for 80 points."
    assert told[:2] == ["N discards Qd.", wrong]
    begun = rv.new_game(rules, ["N", "E", "S"], seed=1)
    told = [one.text for one in rv.step(begun, "drop").seen_by(begun.turn)]
    assert told[:2] == ["You choose to drop.", "You leave the round for 20 points."]


# ------------------------------------------------------------- three identical cards


TANALA = rv.preset(IND).with_options("INV-10")


@pytest.mark.parametrize("bot", [GreedyBot(), CarefulBot(), SearchBot()])
def test_inv_10_a_bot_declares_with_three_identical_cards(bot: Bot) -> None:
    hand = "7c 7c 7c 9s * Js Kc Kd Kh 3c 3d 3s 3h Qd"
    state = showing(hand, TANALA)
    action = bot.choose(rv.view(state, 0), random.Random(1))
    assert str(action) == "declare Qd: 3c 3d 3h 3s / 7c 7c 7c / Kc Kd Kh / 9s *=Ts Js"
    found = rv.arrange(state, goal="out")
    assert (found.goes_out, found.exact) == (True, True)
    assert not rv.arrange(showing(hand, three_packs()), goal="out").goes_out


def three_packs() -> rv.Ruleset:
    """
    The game with as many packs, where identical cards are nothing.
    """
    return rv.preset(IND).with_values({"deck.packs": 3})


def test_inv_10_two_identical_cards_are_a_life_that_lacks_a_card() -> None:
    hand = rv.Cards("7c 7c 9s Ts Js Kc Kd Kh 2d 4h 6s 2s 9d").bits
    for rules, missing in ((TANALA, 1), (three_packs(), 2)):
        assert weigh(showing(SETS, rules), hand).missing == missing


def test_inv_10_a_tanala_is_chosen_as_one() -> None:
    state = showing("7c 7c 7c 9s * Js Kc Kd Kh 3c 3d 3s 3h Qd", TANALA)
    over = rv.apply(state, "declare Qd")
    assert [meld.kind for meld in over.table] == ["set", "alike", "set", "run"]
    assert rv.files.from_json(rv.files.to_json(over), "state") == over


# -------------------------------------------------------- the card above the one shown


PAPLU = rv.preset("indian-rummy-pool").with_options("INV-11")


def test_inv_11_every_payment_names_its_rule() -> None:
    over = rv.apply(showing(rules=PAPLU), f"declare Qd: {GOOD}")
    assert over.result is not None
    assert [str(one) for one in over.result.payments] == [
        "seat 1: +20 for holding one 9d [INV-11]",
        "seat 0: -10 for one 9d of another player [INV-11]",
        "seat 2: -10 for one 9d of another player [INV-11]",
    ]
    assert over.result.points == (0, 80, 80)
    assert over.payments == (-10, 20, -10)
    assert rv.files.from_json(rv.files.to_json(over), "state") == over


def test_inv_11_what_was_paid_stays_for_the_next_round() -> None:
    over = rv.apply(showing(rules=PAPLU), f"declare Qd: {GOOD}")
    later = rv.game.deal(over)
    assert (later.paid, later.payments) == ((-10, 20, -10), (-10, 20, -10))
    assert rv.view(later, 2).paid == later.paid
    for shape, value in (("state", later), ("view", rv.view(later, 2))):
        assert rv.files.from_json(rv.files.to_json(value), shape) == value


@pytest.mark.parametrize(
    ("rules", "paid", "message"),
    [
        (PAPLU, {"N": 30, "E": -10}, "paid: all payments together must add up to 0"),
        (
            rv.preset("indian-rummy-pool"),
            {"N": 30, "E": -30},
            "paid: nothing is paid after a round here",
        ),
    ],
)
def test_inv_11_payments_that_cannot_have_been(
    rules: rv.Ruleset, paid: dict[str, int], message: str
) -> None:
    with pytest.raises(rv.errors.PositionError, match=f"^{message}"):
        showing(rules=rules, paid=paid)


# -------------------------------------------------------------------- a hand as dealt


DEALT: dict[str, Any] = {
    "seats": ["N", "E"],
    "dealer": "E",
    "turn": "N",
    "wild": "8",
    "indicator": "8d",
    "turns_taken": {"N": 0, "E": 0},
    "stock": "4c 6d",
    "discards": "5c",
    "hands": {
        "N": "4h 5h 6h 9s * Js Kc Kd Kh 3c 3d 3s 8h",
        "E": "2c 3c 8c Qh Qd Qs 7d 7s 9c 9d Jh Ah 5s",
    },
}


@pytest.mark.parametrize("bot", [GreedyBot(), CarefulBot(), SearchBot()])
def test_inv_07_a_bot_declares_the_hand_that_it_was_dealt(bot: Bot) -> None:
    rules = rv.preset(IND).with_options("INV-07")
    state = read_position(DEALT, rules)
    action = bot.choose(rv.view(state, 0), random.Random(1))
    assert str(action).startswith("declare: ")
    over = rv.apply(state, action)
    assert over.result is not None
    assert (over.result.how, over.result.rule) == ("dealt hand", "INV-07")
    assert rv.files.from_json(rv.files.to_json(over), "state") == over
    # Without the option, and on a later turn, the bot draws.
    later = {**DEALT, "turns_taken": {"N": 1, "E": 1}}
    for position, allowed in ((DEALT, rv.preset(IND)), (later, rules)):
        state = read_position(position, allowed)
        action = bot.choose(rv.view(state, 0), random.Random(1))
        assert isinstance(action, rv.actions.Draw | rv.actions.Take)


def test_inv_07_arrange_finds_the_hand_as_dealt() -> None:
    rules = rv.preset(IND).with_options("INV-07")
    found = rv.arrange(read_position(DEALT, rules), goal="out")
    (action,) = found.actions
    assert (found.goes_out, found.exact, str(action)[:8]) == (True, True, "declare:")
    found = rv.arrange(read_position(DEALT, rv.preset(IND)), goal="out")
    assert (found.goes_out, found.actions) == (False, ())


def test_inv_07_the_chooser_offers_the_hand_as_dealt() -> None:
    state = read_position(DEALT, rv.preset(IND).with_options("INV-07"))
    found = [
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.Declare)
    ]
    assert found
    assert all(one.card is None for one in found)
    assert "declare" in {one.text for one in rv.chooser(state).choices}


# --------------------------------------------------------------------- the card shown


def test_ind_05_the_card_shown_has_to_name_the_wild_rank() -> None:
    rules = rv.preset(IND)
    state = read_position(POSITION | {"wild": "8", "indicator": "8d"}, rules)
    assert state.wild_rank == "8"
    for wild, card, said in (
        ("9", "8d", "8d makes eights wild, but nines are wild"),
        ("8", "*", r"\* makes aces wild, but eights are wild"),
    ):
        with pytest.raises(rv.errors.PositionError, match=said):
            read_position(POSITION | {"wild": wild, "indicator": card}, rules)
    at_home = rules.with_options("INV-03")
    assert not read_position(POSITION | {"indicator": "*"}, at_home).wild_rank
    with pytest.raises(
        rv.errors.PositionError, match=r"\* makes no rank wild, but aces are"
    ):
        read_position(POSITION | {"wild": "A", "indicator": "*"}, at_home)
    other = rv.preset("rummy-500").with_options("PGV-D6", "R5V-04")
    with pytest.raises(rv.errors.PositionError, match="a joker names no wild rank"):
        read_position(POSITION | {"indicator": "*"}, other)


@pytest.mark.parametrize(("options", "rank"), [((), "A"), (("INV-03",), "")])
def test_ind_06_everybody_sees_a_joker_that_is_shown(
    options: tuple[str, ...], rank: str
) -> None:
    rules = rv.preset(IND).with_options(*options)
    joker = rv.Card("*")
    dealt = (rv.game.deal(rv.game.begin(rules, 2, seed=seed)) for seed in range(400))
    state = next(one for one in dealt if one.dealt.indicator == joker)
    assert state.wild_rank == rank
    assert rv.files.from_json(rv.files.to_json(state), "state") == state
    for seat in range(2):
        view = rv.view(state, seat)
        assert view.wild_rank == rank
        assert view.world.dealt.indicator == joker
        assert rv.files.from_json(rv.files.to_json(view), "view") == view


def test_ind_03_right_and_left_change_places() -> None:
    there = rule_sheet(rv.preset("rummy-500"))
    turned = rv.preset("rummy-500").with_values({"match.direction": "anticlockwise"})
    back = rule_sheet(turned)
    assert "dealer's left" in there
    assert "dealer's right" in back
    assert "dealer's left" not in back
    assert "anticlockwise" in back
    assert "anticlockwise" not in there
