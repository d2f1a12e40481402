"""Questions about the rules that need no game, and what a ruling says of itself."""

from __future__ import annotations

import pickle

from fnmatch import fnmatch
from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants import solver


GIN = "7h 8h 9h 2c 2d 2s 4c 5c 6c"
TAKE = {"hand": "7h 8h 2c Qd", "pile": "Qs 9h 4d 9c"}


@pytest.mark.parametrize(
    ("game", "action", "facts", "legal", "rule"),
    [
        ("rummy-500", "meld Qc Kc Ac", {}, True, "BN-05"),
        ("rummy-500", "meld Kc Ac 2c", {}, False, "BN-07"),
        ("rummy-500", "take 9h", TAKE, True, "BN-12"),
        ("rummy-500", "take Qs", TAKE, False, "BN-12"),
        ("rummy-5000", "discard Ac", {"hand": "Ac 2c"}, True, "PG-14"),
        ("gin-rummy", "knock Kd", {"hand": f"{GIN} As Kd"}, True, "GR-06"),
    ],
)
def test_a_game_and_a_few_facts_are_enough(
    game: str, action: str, facts: dict[str, Any], *, legal: bool, rule: str
) -> None:
    ruling = rv.check(game, action, **facts)
    assert (ruling.legal, ruling.rule) == (legal, rule), ruling
    assert rv.check(rv.preset(game), action, **facts) == ruling


@pytest.mark.parametrize(
    ("options", "action", "facts", "says"),
    [
        (
            (),
            "meld 5h 6h *",
            {},
            "legal: if * 'meld *=4h 5h 6h' or 'meld 5h 6h *=7h' [B",
        ),
        (
            (),
            "lay * on 1",
            {"melds": "5h 6h 7h"},
            "legal: if * 'lay *=8h on 1' or 'lay",
        ),
        ((), "rummy * on 1", {"melds": "5h 6h 7h", "pile": "9c *"}, "legal: if * 'rum"),
        (
            ("PGV-P2a",),
            "meld 5h * *",
            {},
            "refused: a meld needs more natural cards * [",
        ),
        (
            ("R5V-31", "R5V-33"),
            "meld 5h 6h *",
            {"hand": "5h 6h * 8h"},
            "legal: if * 'meld *=4h 5h 6h'; not 'meld 5h 6h *=7h': * [BN-05, BN-09",
        ),
    ],
)
def test_wild_cards_that_are_not_declared_are_asked_about_in_every_way(
    options: tuple[str, ...], action: str, facts: dict[str, Any], says: str
) -> None:
    rules = rv.preset("rummy-500").with_options(*options)
    ruling = rv.check(rules, action, **facts)
    assert fnmatch(str(ruling), says.replace("[", "[[]") + "*"), ruling
    state, asked, _ = ruling.case
    assert rv.check(state, asked).legal == ruling.legal
    assert not rv.check(state, action)


def test_the_size_of_a_hand_says_whether_its_player_has_drawn() -> None:
    dealt, drawn = "7h 8h 9h", "7h 8h 9h Kd"
    assert rv.check("three-thirteen", "go out", hand=drawn).rule == "THR-09"
    assert rv.check("three-thirteen", "go out", hand=drawn)
    assert rv.check("three-thirteen", "declare", hand=drawn).rule == "THR-09"
    assert rv.check("three-thirteen", "declare", hand=dealt).rule == "RV-07"


def test_what_is_made_up_decides_nothing() -> None:
    with pytest.raises(rv.errors.PositionError, match="say who laid each"):
        rv.check(
            rv.preset("rummy-5000").with_options("PGV-P4"),
            *("swap 7h on 1",),
            hand="7h Kc",
            melds="6h 4c=7h 8h",
            wild="4",
        )


def test_facts_do_not_go_with_a_state() -> None:
    state = rv.position("rummy-500", **TAKE)
    for asked in (rv.legal_actions, lambda *a, **k: rv.check(*a, "draw", **k)):
        with pytest.raises(rv.errors.RequestError, match="hand: a state has its own"):
            asked(state, hand="7h")


def test_a_ruling_knows_which_options_and_games_allow_the_action() -> None:
    state = rv.position("rummy-500", **TAKE)
    refused = rv.check(state, "take Qs")
    allowing = refused.allowed_by()
    assert "R5V-12" in allowing
    assert "Deuces wild [R5V-12]" in str(allowing).splitlines()
    assert not rv.check(state, "take 9h").allowed_by()
    with pytest.raises(rv.errors.RulesError, match="not among these"):
        _ = allowing["PGV-P4"]
    for option in allowing.values():
        needs = [rv.options()[one].example for one in rv.rule(option.id).needs]
        ways = [(option.example,), *((one, option.example) for one in needs)]
        assert any(_legal(refused, state.rules, way) for way in ways), option
    assert all(refused.under(name) for name in refused.legal_in())
    assert "rummy-500" in rv.check(state, "take 9h").legal_in()


def test_games_that_cannot_have_the_table_are_told_with_the_reason() -> None:
    hands = {"Ann": "7h 8h 9h 2c", "Ben": "Kd", "Cleo": "Qd"}
    state = rv.position("rummy-500", hands=hands, phase="play", players=3)
    games = rv.check(state, "meld 7h 8h 9h").legal_in()
    assert isinstance(games, tuple)
    assert "rummy-500" in games
    assert not {"gin-rummy", "persian-rummy"} & {*games}
    assert pickle.loads(pickle.dumps(games)) == games  # noqa: S301 -- of our own making
    lines = str(games).splitlines()
    assert [line.split()[0] for line in lines[: len(games)]] == [*games]
    (told,) = [line for line in lines if "persian-rummy" in line]
    assert told.endswith(" and persian-rummy (seats: the game is for 4 players, not 3)")
    (told,) = [line for line in lines if "gin-rummy, " in line]
    assert told.endswith(" and straight-gin (seats: the game is for 2 players, not 3)")
    assert len(lines) < len(rv.presets())
    assert "not asked" not in str(rv.check("rummy-500", "meld Jc Qc Kc").legal_in())
    with pytest.raises(rv.errors.RequestError, match="what was asked"):
        rv.Ruling(legal=False, rule="BN-12", reason="no").legal_in()


def _legal(ruling: rv.Ruling, rules: rv.Ruleset, way: tuple[str, ...]) -> bool:
    try:
        return bool(ruling.under(rules.with_options(*way)))
    except rv.RummyError:
        return False


def test_an_error_knows_them_too_and_is_sent_with_what_was_asked() -> None:
    state = rv.position("rummy-500", **TAKE)
    for played in (rv.apply, rv.step):
        with pytest.raises(rv.IllegalAction) as error:
            played(state, "take Qs")
        ruling = error.value.ruling
        assert ruling == rv.check(state, "take Qs")
        assert ruling.case == (state, "take Qs", None)
        sent = pickle.loads(pickle.dumps(ruling))  # noqa: S301 -- of our own making
        assert sent.allowed_by() == ruling.allowed_by()
    with pytest.raises(rv.errors.RequestError, match="what was asked"):
        rv.Ruling(legal=False, rule="BN-12", reason="no").allowed_by()


def test_a_ruling_knows_what_the_cards_laid_count() -> None:
    assert rv.check("rummy-500", "meld Qc Kc Ac").points == 35
    assert rv.check("rummy-500", "draw", **TAKE).points == 0
    with pytest.raises(rv.errors.RequestError, match="refused"):
        _ = rv.check("rummy-500", "meld Kc Ac 2c").points


def test_the_same_table_under_other_rules() -> None:
    state = rv.position("rummy-500", **TAKE)
    other = state.under("rummy-5000")
    assert other.hands[0] == state.hands[0]
    assert other.discards == state.discards
    assert len(other.players) == 3  # the number was made up
    played = rv.apply(state, "draw")
    assert played.under("rummy-500") == played
    with_it = played.under(played.rules.with_options("PGV-P4"))
    assert with_it.hands == played.hands
    assert with_it.rules.options == ("PGV-P4",)
    with pytest.raises(rv.errors.PositionError, match="3 to 8 players"):
        played.under("rummy-5000")
    with pytest.raises(rv.errors.PositionError, match="middle of a round"):
        rv.game.begin("rummy-500", 2, seed=1).under("rummy-500")


def test_a_text_is_enough_of_a_hand() -> None:
    found = rv.arrange("gin-rummy", f"{GIN} Kd")
    assert (str(found.left), found.points_left) == ("Kd", 10)
    assert len(found.melds) == 3
    state = rv.position("rummy-500", hand="7h 8h 9h 2c", phase="play")
    assert rv.arrange(state) == rv.arrange(state, "Ann") == rv.arrange(state, 0)
    with pytest.raises(rv.RummyError, match="give a game and the cards"):
        rv.arrange("rummy-500")
    with pytest.raises(solver.ArrangeError, match="there is no seat"):
        rv.arrange(state, ["7h"])


def test_who_goes_out_now_has_no_card_left() -> None:
    hands = {"Ann": "9s 2c", "Ben": "Qh"}
    state = rv.position("rummy-500", hands=hands, fill=True)
    assert rv.round_result(state, seat="Ben").points == (-11, 0)
    assert rv.round_result(state).points == (-11, -10)
    with pytest.raises(rv.errors.RequestError, match="Dora"):
        rv.round_result(state, seat="Dora")


def test_who_ends_the_round_is_said_and_melds_are_shown_by_playing() -> None:
    state = rv.position("rummy-500", hand="7h 8h 2c")
    with pytest.raises(rv.errors.RequestError, match="as in seat='Ann'"):
        rv.round_result(state, "out")
    gin = rv.position("gin-rummy", hand=f"{GIN} As Kd", phase="play")
    for how in ("out", "knock", "gin"):
        with pytest.raises(rv.errors.RequestError, match="knocks to end the round"):
            rv.round_result(gin, how, "Ann")
    knocked = rv.apply(gin, "knock Kd")
    assert knocked.phase == "layoff"
    played = rv.apply(knocked, "pass")
    assert rv.round_result(knocked).points == played.result.points
    assert rv.round_result(knocked, seat="Ann") == rv.round_result(knocked)


def test_a_hand_alone_is_arranged_by_all_rules_of_its_game() -> None:
    hand = "7h 7d 7s Kd Ks Kc 4d * 2s"
    assert not rv.arrange("canasta", hand).goes_out  # without a canasta
    contract = rv.arrange("contract-rummy", "7h 8h 9h Th Kd Ks Kc 4d")
    assert not contract.goes_out
    found = rv.arrange("rummy-500", "9h 2c", melds="6h 7h 8h")
    assert str(found.actions[0]) == "lay 9h on 1"


def test_without_a_state_a_seat_is_a_name_and_in_turn() -> None:
    assert rv.check("rummy-500", "draw", "Ben", players="Ann Ben", **TAKE)
    with pytest.raises(rv.errors.RequestError, match="the player's name, not 1"):
        rv.check("rummy-500", "draw", 1, **TAKE)
    with pytest.raises(rv.errors.RequestError, match="turn of Ann, so leave Ben out"):
        rv.check("rummy-500", "draw", "Ben", turn="Ann", players=2, **TAKE)


def test_what_was_made_up_is_known_by_its_key_after_a_copy() -> None:
    state = rv.position("rummy-500", hand="7h 8h", players="Ann JoAnn")
    for one in (state, pickle.loads(pickle.dumps(state))):  # noqa: S301 -- of our own
        assert [made.key for made in one.assumed] == ["hands.JoAnn", "stock"]
