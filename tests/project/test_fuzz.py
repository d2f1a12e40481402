"""Only documented errors come out of any reader, and none of them takes long."""

from __future__ import annotations

import json
import os
import random
import time

from collections.abc import Callable
from typing import Any, Final

import pytest

from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import rummyvariants as rv

from fuzz import READERS, outcome
from rummyvariants._support.limits import DEPTH, DIGITS, LINE
from rummyvariants.cli.commands import commands
from rummyvariants.files.json import JsonError, from_data, from_json, to_data
from rummyvariants.simulation.files import read_rows
from rummyvariants.simulation.plans import SimulationError, planned
from rummyvariants.simulation.runs import play


THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
@settings(max_examples=2_000 if THOROUGH else 150, derandomize=not THOROUGH)
@given(rng=st.randoms(use_true_random=True))
def test_only_documented_errors_come_out(name: str, rng: random.Random) -> None:
    """
    What is read can be used and written again, and what is refused is reported.
    """
    outcome(READERS[name], READERS[name].given(rng))


# ------------------------------------------------------------- faults that there were


POSITION = """
rules = "rummy-5000"
[position]
seats = ["N", "E", "S"]
stock = "2c 3c"
discards = "9h"
"""
RECORD = 'rules = "rummy-500"\nplayers = ["Ann", "Ben"]\n'
LONG = "9" * 5_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"take {LONG}", "write 'take' or 'take 3'"),
        (f"split {LONG} after 3", "write 'split 2 after 3'"),
        (f"{LONG}: draw", "write the seat in front as in '2: draw'"),
        (f"deal {LONG} : 7h", f"numbers of at most {DIGITS} digits"),
        (f"deal 1 back {LONG} : 7h", f"numbers of at most {DIGITS} digits"),
        ("discard K\u017f", "is not a card"),
        ("lay Ah h\u0131gh on 1", "write 'lay Th on 2'"),
        ("lay , on 1", "write 'lay Th on 2'"),
        ("meld ,", "write 'meld 7h 8h 9h'"),
        ("take 1 with ,", "write 'take all with 9c 9h'"),
        ("knock Kc: ,", "write 'knock Kc: 7h 8h 9h / 5c 5d 5h'"),
        ("take 3 on x", "write 'take all on 2'"),
        ("rummy 9h on", "write 'rummy 9h on 2'"),
        ("lay 5c" + " " * 40_000, "more than 10000 characters"),
    ],
)
def test_what_is_no_action_is_reported(text: str, message: str) -> None:
    with pytest.raises(rv.errors.ParseError) as caught:
        rv.game.parse_action(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"seed = {LONG}", f"line 1: a whole number has at most {DIGITS} digits"),
        (
            f"seed = 0x{'f' * 5_000}",
            f"seed: a whole number has at most {DIGITS} digits",
        ),
        ("seed = " + "[" * 100_000, f"nested too deep: lists and tables go {DEPTH}"),
        ("a." * 30_000 + "a = 1", "line 1 has more than 1000 dots"),
        ("a." * 100 + "a = 1", f"nested too deep: lists and tables go {DEPTH}"),
        (RECORD + "round = [1]", "give [[round]] before each round"),
        (RECORD + "round = [{ actions = 1 }]", "round 1: actions: give a list"),
        (RECORD + "round = [{ actions = [1] }]", "round 1, action 1: give an action"),
        (
            RECORD + 'round = [{ actions = ["9: draw"] }]',
            "round 1, action 1: '9: draw': there is no seat 9; seats go from 0 to 1",
        ),
        ('rules = { extends = ["x"] }\nplayers = []', "there is no preset ['x']"),
    ],
)
def test_what_is_no_record_is_reported(text: str, message: str) -> None:
    with pytest.raises(rv.errors.RecordError) as caught:
        rv.files.Record.parse(text)
    assert message in str(caught.value)


def test_a_record_made_in_python_may_name_a_seat_that_there_is_not() -> None:
    record = rv.record(rv.new_game("rummy-500", 2, seed=1))
    rounds = tuple(
        type(one)((*one.actions, rv.actions.Draw(9)), one.comment)
        for one in record.rounds
    )
    odd = rv.files.Record(record.rules, record.players, record.seed, rounds)
    with pytest.raises(
        rv.files.ReplayError, match="'draw' is refused: there is no seat 9"
    ):
        rv.replay(odd)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            "[expect]\n\n[[step]]\nseat = 1\ndo = 'draw'",
            "step 1: seat: give the name",
        ),
        (
            'table = ["N: 6h * 8h * Th * | E: 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"]',
            "its cards differ in rank",
        ),
        (f"table = [{', '.join(40 * [repr('N: 7h 8h 9h')])}]", "more cards than the"),
        ('phase = "play"\nhands = { E = "7h" }', "N has drawn, but holds no card"),
    ],
)
def test_what_is_no_scenario_is_reported(more: str, message: str) -> None:
    with pytest.raises((rv.errors.RecordError, rv.errors.PositionError)) as caught:
        rv.files.parse_scenario(POSITION + more)
    assert message in str(caught.value)


def test_a_step_that_is_no_table_is_reported() -> None:
    with pytest.raises(rv.errors.RecordError, match=r"step 1: give \[\[step\]\]"):
        rv.files.parse_scenario(f"step = [1]\n{POSITION}")


def test_a_hand_of_gin_is_no_greater_than_it_can_be() -> None:
    text = """
rules = "gin-rummy"
[position]
seats = ["N", "E"]
phase = "play"
hands = { N = "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc", E = "2d" }
"""
    with pytest.raises(
        rv.errors.PositionError, match="N holds 12 cards, but a hand has 11"
    ):
        rv.files.parse_scenario(text)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"extends": ["x"]}, "there is no preset ['x']"),
        ({"extends": "rummy-500", "meld": {"": 1}}, "there is no policy value 'meld.'"),
        (
            {"extends": "rummy-500", "match": {"players": [2, 10**9]}},
            "match.players: [2, 1000000000] is not allowed: give two numbers",
        ),
        (
            {"extends": "rummy-500", "match": {"target": {"value": 5, "rule": [1]}}},
            "match.target: rule: give a line",
        ),
        ({"extends": "rummy-500", "title": "\x1b[31m"}, "title: give a line"),
    ],
)
def test_what_are_no_rules_is_reported(given: Any, message: str) -> None:
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.rules.read_rules(given)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'{{"seat": {LONG}, "action": "draw"}}', f"has at most {DIGITS} digits"),
        (f'{{"seat": {"9" * 4_000}, "action": "draw"}}', "seat: a whole number has"),
        ('{"seat": 0, "action": "\\ud800"}', "action: a text holds whole characters"),
    ],
)
def test_what_is_no_json_is_reported(text: str, message: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_json(text, "action")
    assert message in str(caught.value)


def test_a_card_is_shown_no_more_often_than_it_is_held() -> None:
    state = rv.apply(rv.new_game("rummy-500", 3, seed=3), "take 1")
    world = rv.determinize(rv.view(state), random.Random(1))
    data = to_data(world)
    data["shown"][state.turn] *= 2
    with pytest.raises(JsonError, match="a card is not in the hand"):
        from_data(data, "state")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda line: "[" * 100_000 + line, "nested too deep"),
        (lambda line: line.replace("[", '["x",', 1), "2 entries for 3 players"),
        (lambda line: line[:0] + "{}", "row.number is missing"),
        (
            lambda line: line.replace('"number":0', '"number":"x"'),
            "row.number give a whole number",
        ),
    ],
)
def test_what_is_no_row_is_reported(
    tmp_path: Any, change: Callable[[str], str], message: str
) -> None:
    file = tmp_path / "rows.jsonl"
    plan = planned("rummy-500", ["random"], seed=7, unit="round")
    list(play(plan, 1, output=file))
    head, line = file.read_text(encoding="utf-8").splitlines()
    file.write_text(f"{head}\n{change(line)}\n", encoding="utf-8", newline="")
    with pytest.raises(SimulationError) as caught:
        list(read_rows(file))
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{file}: line 2 cannot be read: ")


WRONG_TYPES: Final = (
    *(
        rv.actions.Draw("0"),
        rv.actions.Draw(True),
        rv.actions.Draw(0.0),
        rv.actions.Draw(10**5_000),
    ),  # type: ignore[arg-type]
    *(rv.actions.Take(1.0, 0), rv.actions.Take(True, 0)),  # type: ignore[arg-type]
    *(
        rv.actions.Discard("Kc", 0),
        rv.actions.NewMeld(("7h",), 0),
        rv.actions.NewMeld((), 0),
    ),  # type: ignore[arg-type]
    *(rv.actions.NewMeld([], 0), rv.actions.Knock(7, None, 0), 5, None),  # type: ignore[arg-type]
)


@pytest.mark.parametrize("action", WRONG_TYPES, ids=range(len(WRONG_TYPES)))
@pytest.mark.skipif(rv.IS_COMPILED, reason="compiled classes refuse them when made")
def test_actions_of_wrong_types_are_refused(action: Any) -> None:
    state = rv.new_game("rummy-500", 2, seed=1, dealer=1)
    for one in (state, rv.apply(state, "draw")):
        ruling = rv.check(one, action)
        assert not ruling
        assert ruling.rule == "RV-07"
        assert action not in rv.legal_actions(one)
        with pytest.raises(rv.IllegalAction):
            rv.apply(one, action)
        with pytest.raises(rv.IllegalAction):
            rv.step(one, action)


# ------------------------------------------------------------------------------ names


@pytest.mark.parametrize(
    "name",
    [
        *("\x1b[31mAnn", "An\nn", "Ann\t", "An\x9bn", "\u202eAnn", "\ud800", "x" * 201),
        *("", " ", " Ann", "A:B", "A|B"),
    ],
    ids=ascii,
)
def test_a_name_can_be_shown_and_written(name: str) -> None:
    with pytest.raises(
        rv.errors.RulesError, match="every player needs a name"
    ) as caught:
        rv.new_game("rummy-500", ["Ben", name])
    assert "\x1b" not in str(caught.value)
    quoted = json.dumps(name)
    if "\\ud800" not in quoted:
        with pytest.raises(
            rv.errors.RecordError, match="players: every player needs a name"
        ):
            rv.files.Record.parse(f'rules = "rummy-500"\nplayers = ["Ben", {quoted}]')
        with pytest.raises(
            rv.errors.PositionError, match="seats: every player needs a name"
        ):
            rv.files.parse_scenario(POSITION.replace('"S"', quoted))
    state = rv.new_game("rummy-500", 2, seed=1)
    for kind, key in (("view", "seats"), ("state", "seats"), ("record", "players")):
        value = {"view": rv.view(state, 0), "record": rv.record(state)}
        data = to_data(value.get(kind, state))
        data[key][0] = name
        with pytest.raises(JsonError, match=key):
            from_data(data, kind)


@pytest.mark.parametrize(
    "name", ["Zoë", "مریم", "می‌خواهم", "👩‍🚀", "O'Neil-Smith", "x" * LINE]
)
def test_other_names_come_back(name: str) -> None:
    state = rv.apply(rv.new_game("rummy-500", [name, "Ben"], seed=1, dealer=1), "draw")
    assert rv.replay(str(rv.record(state))).players == (name, "Ben")
    assert rv.files.parse_scenario(rv.files.scenario_text(state)).start.players == (
        name,
        "Ben",
    )  # type: ignore[union-attr]


def test_no_escape_code_of_a_file_reaches_the_terminal(tmp_path: Any) -> None:
    file = tmp_path / "odd.toml"
    text = 'title = "\\u001b[2Jgone"' + POSITION + 'hands = { N = "\\u001b7h" }\n'
    for content, status in ((text, 2), (text.replace("\\u001b7h", "7h"), 0)):
        file.write_text(content, encoding="utf-8")
        done = CliRunner().invoke(commands, ["ask", str(file)])
        assert done.exit_code == status
        assert "\\x1b" in done.output
        assert "\x1b" not in done.output


@pytest.mark.parametrize("seed", [10**DIGITS, True, 0.5, "x" * 1_001, "\ud800", [1]])
def test_a_seed_can_be_kept_in_a_record(seed: Any) -> None:
    with pytest.raises(rv.errors.RulesError, match="seed"):
        rv.new_game("rummy-500", 2, seed=seed)


# ----------------------------------------------------------------------- linear time


def _rules(**more: Any) -> Callable[[], object]:
    return lambda: rv.rules.read_rules({"extends": "rummy-500", **more})


def _scenario(more: str) -> Callable[[], object]:
    return lambda: rv.files.run(rv.files.parse_scenario(POSITION + more))


BIG = 40_000
LENGTHY: dict[str, Callable[[], object]] = {
    "blanks after an action": lambda: rv.game.parse_action("lay 5c" + " " * BIG),
    "blanks in an action": lambda: rv.game.parse_action("knock" + " " * 9_000 + "x"),
    "wilds in an action": lambda: rv.game.parse_action("meld " + "* " * 4_900),
    "digits of a seat": lambda: rv.game.parse_action("9" * 9_000 + ": draw"),
    "keys that come twice": lambda: from_json(
        "{" + ",".join(f'"k{number // 2}": 1' for number in range(BIG)) + "}", "view"
    ),
    "unknown keys": lambda: from_data({f"k{one}": 1 for one in range(BIG)}, "view"),
    "unknown options": _rules(**{"with": [f"PGV-X{one}" for one in range(BIG)]}),
    "an option again and again": _rules(
        **{"with": [f"PGV-E5={one}" for one in range(BIG)]}
    ),
    "unknown values": _rules(meld={f"x{one}": 1 for one in range(BIG)}),
    "unknown rules": _scenario(
        f'[[step]]\ndo = "draw"\nrefused = {[f"X{one}" for one in range(BIG)]}'
    ),
    "steps": _scenario('\n[[step]]\ndo = "draw"\nrefused = "X-1"' * (BIG // 8)),
    "cards of a hand": _scenario(f'hands = {{ N = "{"x " * BIG}" }}'),
    "cards of a meld": _scenario(f'table = ["N: {"7h " * BIG}"]'),
    "melds": _scenario(f"table = {['N: 7h 8h 9h'] * (BIG // 4)}"),
    "cards beside a wild": _scenario(f'table = ["N: 6h *=7h 8h | E: {"7h 8h " * 20}"]'),
    "words": lambda: rv.cards.parse_cards("7h " * BIG),
    "parts of a key": lambda: rv.files.Record.parse("a." * BIG + "a = 1"),
    "players": lambda: rv.new_game("rummy-500", 10**9),
    "a knock with half a deck": lambda: rv.check(_big_hand(), "big gin"),
}


def _big_hand() -> rv.State:
    """
    A hand of which the best melds would be long to find.
    """
    cards = " ".join(f"{rank}{suit}" for rank in "3456789TJQ" for suit in "cdhs")
    text = f'phase = "play"\nhands = {{ N = "{cards.replace("9h", "")}" }}'
    text = (POSITION + text).replace('discards = "9h"', 'discards = "Kh"')
    state = rv.files.parse_scenario(text.replace("2c 3c", "2c")).start
    assert state is not None
    return state


@pytest.mark.long
@pytest.mark.parametrize("name", LENGTHY)
def test_reading_takes_no_longer_than_the_input_is_long(name: str) -> None:
    """
    Each of them took many times as long as this, or would at twice the length.
    """
    rv.rules.read_rules("rummy-500")
    begun = time.process_time()
    try:
        LENGTHY[name]()
    except rv.RummyError as error:
        assert str(error)
    assert time.process_time() - begun < 4
