"""Every scenario file is run, and the runner is shown to tell a wrong one."""

from __future__ import annotations

import os
import re

import pytest

from places import EXAMPLES, SCENARIOS
from rummyvariants import apply, legal_actions, load_rules, position
from rummyvariants.errors import PositionError, RecordError, RulesError
from rummyvariants.files import _expectations, parse_scenario, run, scenario_text
from rummyvariants.files._scenarios import Outcome, Scenario, load_scenario
from rummyvariants.game import parse_action
from rummyvariants.rulings import catalogue


FILES = {
    path.relative_to(SCENARIOS).as_posix(): path
    for path in sorted(SCENARIOS.rglob("*.toml"))
}
HOUSE_RULES = EXAMPLES / "rules"

POSITION = """
title = "A run and a discard"
cites = ["PG-13"]
rules = "rummy-5000"

[position]
seats = ["N", "E", "S"]
dealer = "S"
turn = "N"
stock = "2c 9d Ks 3s"
discards = "Qd 6s"
table = ["E: 6h 7h 8h", "N: Jc Jd Jh"]
hands = { N = "9h Kc", E = "2d 2h", S = "5c 6d" }

[[step]]
seat = "N"
do = "draw"

[[step]]
seat = "N"
do = "lay 9h on 1"

[[step]]
seat = "N"
do = "lay Kc on 1"
refused = "PG-13"

[expect]
turn = "N"
phase = "play"
hands = { N = "2c Kc" }
laid = { N = "9h Jc Jd Jh" }
table = ["E: 6h 7h 8h | N: 9h", "N: Jc Jd Jh"]
legal = ["discard 2c", "discard Kc"]
"""


def words_of(scenario: Scenario, outcome: Outcome) -> list[str]:
    """
    Why a scenario cannot be, or the rulings on its steps and the score of its round.
    """
    if scenario.problem is not None:
        found = [f"invalid: {problem}" for problem in scenario.problem.problems]
        # A value set in the file comes from its path, which is another one elsewhere.
        return [one.replace(f"{SCENARIOS}{os.sep}", "") for one in found]
    said = [
        f"{number} {'legal' if ruling else 'refused'}: {ruling.reason}"
        f" [{', '.join(ruling.cites)}]"
        for number, (_, ruling) in enumerate(outcome.rulings, 1)
    ]
    if outcome.state is not None and outcome.state.result is not None:
        result = outcome.state.result
        said.append(f"ended: {result.how} [{result.rule}]")
        said += [
            f"{item.seat} {item.points:+d} {item.card or '-'} {item.reason}"
            f" [{item.rule}]"
            for item in result.items
        ]
    return said


@pytest.mark.parametrize("name", FILES)
def test_scenario(name, snapshot):
    """
    It holds, and what users read, and programs for the rule ids, is what it was.
    """
    scenario = load_scenario(FILES[name])
    outcome = run(scenario)
    assert not outcome.differences
    said = words_of(scenario, outcome)
    if said:
        assert "\n".join(said) == snapshot


@pytest.mark.long
def test_there_are_scenarios_for_every_base_rule_that_one_can_show():
    cited = {rule for path in FILES.values() for rule in load_scenario(path).cites}
    for path in HOUSE_RULES.glob("*.py"):
        cited |= {*re.findall(r'(?m)^cites = \["(.*)"\]$', path.read_text("utf-8"))}
    # Strategy is advice. Of hands without a move see test_vetoes, of big hands
    # test_worst_cases.
    beyond = {"HR-19", "GR-02", "RV-43", "RV-46"}
    base = {rule.id for rule in catalogue().values() if rule.kind == "base"}
    assert base - beyond - cited == set()


def test_the_unaltered_scenario_holds():
    assert run(parse_scenario(POSITION)).differences == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('turn = "N"\nphase = "play"', 'turn = "E"\nphase = "play"', "turn"),
        ('phase = "play"', 'phase = "draw"', "phase"),
        ('hands = { N = "2c Kc" }', 'hands = { N = "Kc" }', "hands"),
        ('laid = { N = "9h Jc Jd Jh" }', 'laid = { N = "Jc Jd Jh" }', "laid"),
        ('"E: 6h 7h 8h | N: 9h"', '"E: 6h 7h 8h 9h"', "table"),
        ('legal = ["discard 2c", "discard Kc"]', 'legal = ["discard 2c"]', "legal"),
        ('"discard Kc"]', '"discard Kc", "draw"]', "legal"),
        ('refused = "PG-13"', 'refused = "PG-19"', "refused by PG-19"),
        ('do = "lay Kc on 1"\nrefused = "PG-13"', 'do = "lay Kc on 1"', "is refused"),
        ('do = "lay 9h on 1"', 'do = "lay 9h on 1"\nrefused = "*"', "but is legal"),
    ],
)
def test_a_wrong_scenario_is_reported(old, new, message):
    assert old in POSITION
    differences = run(parse_scenario(POSITION.replace(old, new, 1))).differences
    assert any(message in line for line in differences)


LEGAL = (
    ('legal = ["discard 2c", "discard Kc"]', "'discard Kc' is legal, but not among"),
    ('legal_includes = ["discard Kc"]', "'discard Kc' is legal, but not among"),
    ('legal = { N = ["discard 2c"] }', "'discard 9c' is listed as legal, but is not"),
    ('legal_excludes = ["discard 9c"]', "'discard 9c' is listed as legal, but is not"),
)


@pytest.mark.parametrize(("expected", "message"), LEGAL)
def test_what_is_legal_is_held_against_the_list(expected, message, monkeypatch):
    """
    The king is left out of the list, and a card that is not in the hand is on it.
    """
    text = POSITION.replace(LEGAL[0][0], expected)
    wrong = [parse_action(f"discard {card}", 0) for card in ("2c", "9c")]
    for name in ("LegalActions", "listed_like"):
        monkeypatch.setattr(_expectations, name, lambda *_: wrong)
    differences = run(parse_scenario(text)).differences
    assert any(message in line for line in differences), differences


def test_actions_are_looked_for_in_a_list_that_is_too_long_to_go_through():
    """
    Of these cards far more than 20,000 first melds can be made.
    """
    text = """
        rules = "canasta"
        [position]
        seats = ["N", "E", "S", "W"]
        turn = "N"
        phase = "play"
        drawn = "stock 2c"
        stock = "9h Th"
        discards = "Qh"
        hands.N = "4c 4c 4d 4h 5c 5c 5d 5h 6c 6d 6h 6s Kc Kd Kh Ks 2c 2d * Qs Js"
        hands.E = "7c 8c"
        hands.S = "7d 8d"
        hands.W = "9s Ts"
        [expect]
        legal_includes = ["meld 4c 4d 4h 2c / 6c 6d 6h 2d / Kc Kd Kh", "discard *"]
        legal_excludes = ["meld 4c 4d 4h / 5c 5d 5h"]
    """
    assert run(parse_scenario(text)).differences == ()


def test_cards_that_differ_are_listed_by_suit_and_rank():
    text = POSITION.replace('laid = { N = "9h Jc Jd Jh" }', 'laid = { N = "Jh Jc 9h" }')
    (line,) = run(parse_scenario(text)).differences
    assert line == "laid: N: expected 'Jc 9h Jh', but it is 'Jc Jd 9h Jh'"


def test_the_rules_of_a_scenario_may_be_a_file_beside_it(tmp_path):
    rules = '[rules]\nextends = "rummy-500"\n[rules.draw]\nduty = "none"\n'
    (tmp_path / "ours.toml").write_text(rules)
    file = tmp_path / "dispute.toml"
    file.write_text(
        'rules = "ours.toml"\n[position]\nseats = ["N", "E"]\ndiscards = "5h 9d Kc"\n'
        'stock = "2c"\nhands = { N = "4c", E = "Qc" }\n[[step]]\ndo = "take 3"\n'
    )
    scenario = load_scenario(file)
    assert run(scenario).differences == ()
    assert scenario.rules == load_rules(tmp_path / "ours.toml")
    # What is written of it carries the rules themselves.
    assert parse_scenario(scenario_text(scenario.start)).rules == scenario.rules
    with pytest.raises(
        RulesError, match=r"'ours\.toml' is a file: write what it holds"
    ):
        parse_scenario(file.read_text())
    (tmp_path / "ours.toml").unlink()
    with pytest.raises(RulesError, match=r"ours\.toml: cannot be read"):
        load_scenario(file)


KNOWN = FILES["notation/what-each-seat-knows.toml"].read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'Ben = "9c ?? ??"',
            'Ben = "?? ?? ??"',
            "view.Ann.hands: Ben: expected '?? ?? ??', but it is '9c ?? ??'",
        ),
        ('Ben = "9c ?? ??"', 'Ben = "9c 8d ??"', "but it is '9c ?? ??'"),
        ('Ben = "9c ?? ??"', 'Ben = "9c ??"', "but it is '9c ?? ??'"),
        ('Ann = "Jh 3s"', 'Ann = "Jh ??"', "but it is 'Jh 3s'"),
        ('Ann = "?? ??"', 'Ann = "3s ??"', "view.Ben.hands: Ann"),
        ("stock_size = 2", "stock_size = 3", "view.Ann.stock_size: expected 3"),
        ('discards   = "4c 6s"', 'discards   = "4c"', "view.Ann.discards"),
        ("{ Ben = 3 }", "{ Ben = 2 }", "view.Ann.hand_sizes: Ben"),
        ('turn           = "Ben"', 'turn = "Ann"', "view.Ben.turn"),
        ("legal      = []", 'legal = ["draw"]', "view.Ann.legal: Ann: 'draw'"),
        ('["discard 8d"]', '["discard 3s"]', "view.Ben.legal_includes: 'discard 3s'"),
    ],
)
def test_a_wrong_claim_about_a_view_is_reported(old, new, message):
    assert old in KNOWN
    (line,) = run(parse_scenario(KNOWN.replace(old, new, 1))).differences
    assert message in line


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("stock_size = 2", "stocksize = 2", "did you mean 'stock_size'?"),
        (
            "stock_size = 2",
            'stock = "?? ??"',
            "Ann: stock: there is no such key;",
        ),
        ("expect.view.Ann", "expect.views.Ann", "did you mean 'view'?"),
        ("expect.view.Ben", "expect.view.Bee", "did you mean 'Ben'?"),
        ('Ben = "9c ?? ??"', 'Bea = "9c ?? ??"', "did you mean 'Ben'?"),
        ('Ben = "9c ?? ??"', 'Ben = "9c ? ?"', "view.Ann.hands: '?' is not a card"),
        (
            "[expect.view.Ben]",
            "[expect.view]\nBen = 1\n[expect.hands]",
            "[expect.view.N]",
        ),
    ],
)
def test_a_claim_about_a_view_that_cannot_be_read_is_reported(old, new, message):
    assert old in KNOWN
    with pytest.raises(RecordError) as caught:
        run(parse_scenario(KNOWN.replace(old, new, 1)))
    (problem,) = caught.value.problems
    assert message in problem


def test_a_position_that_must_be_refused_may_not_be_accepted():
    text = POSITION[: POSITION.index("[[step]]")]
    text = text.replace("rules =", 'invalid = "PG-02"\nrules =', 1)
    (line,) = run(parse_scenario(text)).differences
    assert "is accepted" in line


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("contract-rummy/con-13-a-purchase.toml", 1),  # others are asked
        ("contract-rummy/con-13-a-purchase.toml", 3),  # W has bought
        ("contract-rummy/con-12-what-was-declined-is-out-of-reach.toml", 4),
        ("contract-rummy/con-11-two-jokers-taken-in-one-turn.toml", 2),
        ("options/cov-05-the-second-purchase-is-refused.toml", 2),
    ],
)
def test_sales_and_wilds_traded_for_are_part_of_a_position(name, steps):
    scenario = load_scenario(FILES[name])
    state = scenario.start
    for line in scenario.step[:steps]:
        if line.refused is None:
            state = apply(state, line.do, state.players.index(line.seat))
    again = parse_scenario(scenario_text(state)).start
    assert again.frames == state.frames
    assert again.memory == state.memory
    assert again.drawn.duties == state.drawn.duties
    assert [*legal_actions(again)] == [*legal_actions(state)]


DRAWN = """
rules = "rummy-500"
[position]
hands = { Ann = "7h 8h", Ben = "2c" }
discards = "7s 9s"
stock = "3c"
[[step]]
do = "take 9s"
[expect]
"""


@pytest.mark.parametrize(
    ("expected", "difference"),
    [
        ('owed = ""', ""),
        ('drawn = "take 9s"', ""),
        ('caller = "Ann"', "caller: expected 'Ann', but it is ''"),
        ('discarder = "Ann"', "discarder: expected 'Ann', but it is ''"),
        ('acting = ["Ann"]', ""),
        ('acting = ["Ben"]', "acting: expected ['Ben'], but it is ['Ann']"),
    ],
)
def test_slots_are_compared_as_they_are_written(expected: str, difference: str) -> None:
    found = run(parse_scenario(DRAWN + expected)).differences
    assert found == ((difference,) if difference else ())


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ("acting = 7", "expect.acting: give a list of seats, not 7"),
        ('acting = ["Ann", 1]', "expect.acting: [1]: there is no seat 1"),
        ("hands = { Ann = 7 }", "expect.hands: Ann: give cards as a text"),
        ("legal = [2]", "give actions as texts"),
    ],
)
def test_an_expectation_of_a_wrong_kind_is_reported(
    expected: str, message: str
) -> None:
    with pytest.raises(RecordError) as caught:
        run(parse_scenario(DRAWN + expected))
    assert message in str(caught.value)


@pytest.mark.parametrize("cards", ["3d 3h", "3h 3d"])
def test_zones_are_compared_in_any_order_of_their_cards(cards: str) -> None:
    file = "can-05-a-red-three-that-replaces-one-is.toml"
    text = (SCENARIOS / "canasta" / file).read_text(encoding="utf-8")
    state = run(parse_scenario(text)).state
    assert state is not None
    (zone,) = (one for one in state.zones if one.cards)
    zones = f'{{ "{zone.name}" = {{ N = "{cards}" }} }}'
    assert run(parse_scenario(f"{text}zones = {zones}\n")).differences == ()


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"doubled": 7}, "doubled: give a list, not 7"),
        ({"phase": 99 * "x"}, "phase: there is no phase 'xxxxxxxxxxxxxxxxx...xx"),
        ({"wild": 99 * "x"}, "wild: 'XXXXXXXXXXXXXXXXX...XX"),
    ],
)
def test_a_wrong_key_is_reported_once_and_shortened(
    keys: dict[str, object], problem: str
) -> None:
    hands = {"Ann": "7h", "Ben": "8h"}
    with pytest.raises(PositionError) as caught:
        position("rummy-500", hands=hands, stock="9h", **keys)  # type: ignore[arg-type]
    (found,) = (one for one in caught.value.problems if one.startswith(tuple(keys)))
    assert found.startswith(problem)
    assert len(found) < 200
