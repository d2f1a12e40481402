"""
The answers of the page "Try it", asked without a browser.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tomllib

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from packaging.requirements import Requirement

import answering
import desk
import lines
import playing
import rummyvariants as rv
import try_it

from places import ROOT
from rummyvariants.rules.sheet import statements


PAGE = ROOT / "docs" / "try-it"
PLAIN = {"extends": "rummy-500", "with": []}
OURS = {
    "extends": "rummy-500",
    "title": "Ours",
    "with": ["PGV-P4", "R5V-13=9"],
    "match": {"target": 300},
}
FACTS = {
    "hand": "7h 9h Kd",
    "pile": "Qd",
    "melds": "Ben: 6h *=7h 8h",
    "players": "Ann, Ben",
    "more": 'drawn = "stock 9h"',
}


def said(ask: str, **given: Any) -> dict[str, Any]:
    return json.loads(answering.answer(json.dumps({"ask": ask, **given})))


def answered(ask: str, **given: Any) -> Any:
    found = said(ask, **given)
    assert "error" not in found, found
    return found["answer"]


def problems(ask: str, **given: Any) -> list[tuple[int | None, str]]:
    found = said(ask, **given)
    return [(one["line"], one["text"]) for one in found["error"]["problems"]]


# ------------------------------------------------------------------------- rules desk


def test_the_desk_has_every_game_and_every_option_once() -> None:
    about = answered("about")
    assert [one["name"] for one in about["games"]] == [*rv.presets()]
    found = [one["id"] for group in about["groups"] for one in group["options"]]
    assert sorted(found) == sorted(rv.options())
    assert all(
        one["title"] and one["text"] and one["source"]
        for group in about["groups"]
        for one in group["options"]
    )


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("rules.file", 'modules = ["this"]\nextends = "rummy-500"'),
        ("rules.file", '[rules]\nmodules = ["this"]\nextends = "rummy-500"'),
        ("ask.paste", '[rules]\nmodules = ["this"]\nextends = "rummy-500"\n[position]'),
    ],
)
def test_no_code_of_a_file_is_run(ask: str, text: str) -> None:
    sys.modules.pop("this", None)
    given = {"table": PLAIN} if ask == "ask.paste" else {}
    (problem,) = said(ask, text=text, **given)["error"]["problems"]
    assert "this page runs no code of a file" in problem["text"]
    assert "this" not in sys.modules


@pytest.mark.parametrize("name", rv.presets())
def test_a_game_has_its_own_sheet_and_differs_in_nothing(name: str) -> None:
    found = answered("rules", table={"extends": name})
    rules = rv.preset(name)
    assert not found["problems"]
    assert rules.title in found["sheet"]
    assert found["players"] == [*rules.match.players]
    assert found["differs"] == found["values"] == []
    assert desk.read_file(found["file"])["table"] == {"extends": name}


def test_rules_of_a_table_say_what_differs_in_sentences() -> None:
    found = answered("rules", table=OURS)
    assert found["title"] == "Ours"
    assert "<title>Ours: the rules</title>" in found["sheet"]
    assert {one["name"] for one in found["values"]} == {
        "deal.for_two",
        "match.target",
        "wild.real_card",
    }
    by_section = {one["section"]: one for one in found["differs"]}
    match = by_section["Players and aim"]
    assert match["now"] == ["Rounds are played until somebody has 300 points."]
    assert match["before"] == ["Rounds are played until somebody has 500 points."]


def test_a_conflict_is_named_with_its_options() -> None:
    table = {"extends": "rummy-500", "with": ["PGV-C1a", "PGV-P4", "PGV-C1b"]}
    found = answered("rules", table=table)
    assert [one["options"] for one in found["problems"]] == [["PGV-C1a", "PGV-C1b"]]
    assert "exclude each other" in found["problems"][0]["text"]
    assert "sheet" not in found
    # The first of the two is in force for what may be added.
    fits = answered("rules.fits", table=table)
    assert fits["PGV-C1b"]["status"] == "refused"
    assert "PGV-C1a" in fits["PGV-C1b"]["why"]


def test_what_fits_is_what_the_library_says() -> None:
    fits = answered("rules.fits", table=PLAIN)
    expected = {fit.option.id: fit for fit in rv.rules.options_for("rummy-500")}
    assert {name: one["status"] for name, one in fits.items()} == {
        name: fit.status for name, fit in expected.items()
    }
    assert fits["PGV-D3e"]["needs"] == [*expected["PGV-D3e"].needs]


@pytest.mark.parametrize(
    "table",
    [
        PLAIN,
        OURS,
        {"extends": "gin-rummy", "with": ["GRV-07=50"]},
        {
            "extends": "rummy-500",
            "with": ["PGV-C7b=Qs:45"],
            "score": {"points": {"A": 20}},
        },
    ],
)
def test_rules_come_back_from_a_link_and_from_a_file(table: dict[str, Any]) -> None:
    found = answered("rules", table=table)
    assert not found["problems"]
    rules = desk.of(table)
    from_link = answered("rules.link", text=found["link"])
    assert from_link["problems"] == []
    from_file = answered("rules.file", text=found["file"])
    for other in (from_link, from_file):
        assert desk.of(other["table"]) == rules
        assert desk.of(other["table"]).title == rules.title
        assert statements(desk.of(other["table"])) == statements(rules)


def test_a_link_with_unknown_parts_keeps_the_rest() -> None:
    link = "rules?game=rummy-500&with=PGV-P4&with=PGV-P44&with=R5V-13%3D9"
    found = answered("rules.link", text=f"{link}&match.target=three&match.tarjet=3&x=1")
    assert found["table"] == {"extends": "rummy-500", "with": ["PGV-P4", "R5V-13=9"]}
    assert found["problems"] == [
        "there is no option 'PGV-P44'; did you mean 'PGV-P4'?",
        "match.target: 'three' is not a value",
        "there is no policy value 'match.tarjet'; did you mean 'match.target'?",
        "a link has no part 'x'",
    ]
    found = answered("rules.link", text="rules?game=rumy-500&with=PGV-P4")
    assert found["table"]["extends"] == desk.FIRST
    assert "did you mean 'rummy-500'" in found["problems"][0]
    found = answered("rules.link", text="rules?game=&with=PGV-P4&with=PGV-P4")
    assert found["table"] == {"extends": desk.FIRST, "with": ["PGV-P4"]}
    assert found["problems"] == ["there is no game ''; choose one above"]
    found = answered("rules.link", text=f"rules?title={'A' * 5000}")
    assert found["table"]["title"] == "A" * 80
    assert found["problems"] == ["a name has 80 characters at most"]


def test_a_broken_rules_file_is_refused_by_line_and_key() -> None:
    assert problems("rules.file", text='extends = "rummy-500"\nwith = [')[0][0] == 2
    text = 'extends = "rummy-500"\nwit = ["PGV-P4"]\n\n[match]\ntarget = "x"\n'
    assert problems("rules.file", text=text) == [
        (2, "there is no key 'wit'; did you mean 'with'?"),
        (5, "match.target: 'x' is not allowed: give a whole number from 1"),
    ]
    text = 'extends = "rummy-500"\nwith = [\n  "PGV-C1a",\n  "PGV-C1b",\n]\n'
    assert problems("rules.file", text=text) == [
        (3, "PGV-C1a and PGV-C1b exclude each other: take one out")
    ]


# ------------------------------------------------------------------------------- ask


def test_a_refusal_has_its_rule_sentence_and_source() -> None:
    found = answered("ask", table=PLAIN, facts=FACTS, action="lay 7h on 1")
    assert found["ruling"]["legal"] is False
    assert found["ruling"]["rule"] == "BN-09"
    assert found["rules"][0]["text"] == rv.rule("BN-09").text
    assert found["rules"][0]["source"] == rv.rule("BN-09").source
    assert found["player"] == "Ann"


@pytest.mark.parametrize("action", ["lay 7h on 1", "lay 9h on 1", "discard Kd"])
def test_a_question_is_a_scenario_that_holds(action: str) -> None:
    found = answered("ask", table=OURS, facts=FACTS, action=action)
    scenario = rv.files.parse_scenario(found["scenario"])
    outcome = rv.files.run(scenario)
    assert not outcome.differences
    (step,) = outcome.rulings
    assert bool(step[1]) == found["ruling"]["legal"]
    again = answered("ask.paste", text=found["scenario"], table=PLAIN)
    assert again["table"]["with"] == OURS["with"]
    assert not again["differs"]


@pytest.mark.parametrize(
    ("game", "action", "legal"),
    [
        ("rummy-500", "meld 7h 8h 9h", True),
        ("rummy-500", "meld 8h 9h 2c", False),
        ("rummy-500", "draw", True),
        ("rummy-500", "take Kd", True),
        ("rummy-500", "take all", False),  # the five fits nowhere
        ("rummy-500", "2c", True),
        ("contract-rummy", "meld 7h 8h 9h", False),
        ("rummy-5000", "meld 7h 8h 9h", True),
    ],
)
def test_a_hand_is_enough_for_a_question(
    game: str, action: str, *, legal: bool
) -> None:
    facts = {"hand": "7h 8h 9h 2c", "pile": "5d Kd", "melds": "  ", "more": ""}
    found = answered("ask", table={"extends": game}, facts=facts, action=action)
    assert found["ruling"]["legal"] is legal
    assert "the stock" in found["assumed"]
    view = found["message"]["view"]
    assert sorted(view["hand"]) == ["2c", "7h", "8h", "9h"]
    assert rv.files.run(rv.files.parse_scenario(found["scenario"])).differences == ()


def test_what_is_next_starts_at_the_draw() -> None:
    facts = {"hand": "7h 8h 9h 2c", "pile": "5d"}
    found = answered("ask", table=PLAIN, facts=facts)
    assert found["message"]["view"]["phase"] == "draw"
    assert found["message"]["actions"]["actions"][0]["text"] == "draw"
    # What is said goes before what the question needs.
    found = answered(
        "ask", table=PLAIN, facts={**facts, "phase": "draw"}, action="meld 7h 8h 9h"
    )
    assert not found["ruling"]["legal"]
    assert "has to wait" in found["ruling"]["reason"]


def test_facts_are_what_the_page_is_told_of_a_position() -> None:
    facts = {
        "hand": "7d 9d",
        "melds": "Ben: 6h *=7h 8h | Dora: 9h / Cleo: 3c 3d 3h\nCleo: Kc Kd Kh\n",
        "players": " Ann,Ben, Cleo ,Dora",
        "more": 'scores = { Ben = -40 }\nturn = "Cleo"\n',
    }
    view = answered("ask", table=PLAIN, facts=facts)["message"]["view"]
    assert view["seat"] == 2
    assert view["scores"] == [0, -40, 0, 0]
    assert len(view["table"]) == 3
    four = answered("ask", table=PLAIN, facts={"hand": "7h", "players": "4"})
    assert len(four["message"]["players"]) == 4


def test_the_options_that_would_allow_it_are_found() -> None:
    facts = {"hand": "Kh Ah 2h 9s", "pile": "5d"}
    action = "meld Kh Ah 2h"
    found = answered("ask.allowed_by", table=PLAIN, facts=facts, action=action)
    assert "R5V-18" in [one["id"] for one in found]
    for one in found:
        table = {**PLAIN, "with": [rv.options()[one["id"]].example or one["id"]]}
        asked = answered("ask", table=table, facts=facts, action=action)
        assert asked["ruling"]["legal"], one
        assert one["title"] == rv.rule(one["id"]).title
    held = {"table": PLAIN, "facts": facts, "action": "discard Qs"}
    assert answered("ask.allowed_by", **held) == []


def test_what_decides_is_asked_for() -> None:
    knock = {"table": {"extends": "gin-rummy"}, "action": "knock 7h"}
    ((_, text),) = problems("ask", facts={"hand": ""}, **knock)
    assert text.startswith("hand: give the whole hand")
    found = answered("ask", facts={"hand": "As Ah Ad 2c 3c 4c 5d 5h 5s Kd 7h"}, **knock)
    assert found["ruling"]["legal"]
    assert found["rules"][0]["id"] == "GR-06"


def test_a_hand_is_read_as_everywhere() -> None:
    assert answered("ask.cards", text="9h, 10c *") == ["9h", "Tc", "*"]
    assert problems("ask.cards", text="9h 99")


def test_all_problems_of_an_impossible_position_are_said_at_once() -> None:
    facts = {**FACTS, "hand": "7h 7h 99", "melds": "Ben: 6h 7h 9h"}
    facts["more"] = 'dealer = "Cleo"'
    found = " ".join(text for _, text in problems("ask", table=PLAIN, facts=facts))
    for part in ("Cleo", "'99'", "7h once", "meld 1"):
        assert part in found


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"hand": "7h", "more": "turn = Ann"}, "the further keys: .*line 1"),
        ({"hand": "7h", "more": "tern = 'Ann'"}, "tern"),
        ({"hand": "7h", "players": "9"}, "players"),
        ({"hand": "7h", "players": "0"}, "players"),
        ({"hand": "7h", "players": "Ann, Ann"}, "Ann"),
        ({"hand": "7h", "phase": "pay"}, "there is no phase 'pay'"),
        ({"pile": "7h"}, "7h once"),
    ],
)
def test_facts_that_cannot_be_are_refused(facts: dict[str, str], says: str) -> None:
    found = " ".join(
        text for _, text in problems("ask", table=PLAIN, facts=facts, action="meld 7h")
    )
    assert re.search(says, found), found


def test_a_word_that_is_no_action_is_an_error() -> None:
    ((_, text),) = problems("ask", table=PLAIN, facts=FACTS, action="discrad Kd")
    assert "did you mean 'discard'?" in text


def test_without_an_action_the_table_is_shown_as_the_player_sees_it() -> None:
    facts = {**FACTS, "hand": "2c", "more": 'turn = "Ben"'}
    found = answered("ask", table=PLAIN, facts=facts)
    view = found["message"]["view"]
    assert (found["player"], view["seat"], view["hand"]) == ("Ben", 1, ["2c"])
    assert "ruling" not in found
    assert found["message"]["actions"]["actions"]


@pytest.mark.parametrize("name", rv.presets())
def test_the_example_of_every_game_can_be_asked_about(name: str) -> None:
    table = {"extends": name}
    facts = answered("ask.example", table=table)["facts"]
    asked = answered("ask", table=table, facts=facts)
    actions = asked["message"]["actions"]["actions"]
    assert actions
    assert asked["assumed"] == []
    action = actions[0]["text"]
    assert answered("ask", table=table, facts=facts, action=action)["ruling"]["legal"]


def test_a_bare_position_can_be_pasted() -> None:
    text = """\
seats = ["Ann", "Ben"]
hands = { Ann = "7h 9h", Ben = "2c" }
discards = "5c"
stock = "6c 2d"
round = 3
"""
    found = answered("ask.paste", text=text, table=PLAIN)
    assert found["facts"]["hand"] == "7h 9h"
    assert found["facts"]["players"] == "Ann, Ben"
    more = tomllib.loads(found["facts"]["more"])
    assert more["hands"] == {"Ben": "2c"}
    assert more["round"] == 3
    headed = answered("ask.paste", text=f"[position]\n{text}", table=PLAIN)
    assert headed == found


def test_a_record_can_be_pasted() -> None:
    state = rv.new_game("gin-rummy", ["Ann", "Ben"], seed=5)
    for text in ("pass", "pass", "draw"):
        state = rv.apply(state, text)
    found = answered("ask.paste", text=str(rv.record(state)), table=PLAIN)
    assert found["table"]["extends"] == "gin-rummy"
    more = tomllib.loads(found["facts"]["more"])
    assert more["drawn"].startswith("stock ")
    held = found["facts"]["hand"].split()
    assert sorted(held) == sorted(map(str, state.hands[state.to_act[0]]))


def test_a_broken_position_is_refused_by_line() -> None:
    text = """\
title = "x"
rules = "rummy-500"

[position]
seats = ["Ann", "Ben"]
phase = "pay"
table = [
  "Ann: 3c 3d 3h",
  "Ben: 6h 7h 9h",
]
hands = { Ann = "7h 9c", Ben = "2c 99" }
"""
    found = dict(problems("ask.paste", text=text, table=PLAIN))
    assert found[6].startswith("phase: there is no phase 'pay'")
    assert found[9].startswith("table, meld 2: 6h 7h 9h is not a run")
    assert found[11].startswith("hands.")
    assert problems("ask.paste", text="title = ", table=PLAIN)[0][0] == 1
    stepped = text.replace("pay", "play") + '\n[[step]]\nseat = "Ann"\ndo = "drawx"\n'
    assert problems("ask.paste", text=stepped, table=PLAIN)[0][0] == 13


# ------------------------------------------------------------------------------ play


def table_of(found: dict[str, Any]) -> dict[str, Any]:
    (first, *_) = found["messages"]
    assert first["type"] == "table"
    return first


def played(found: dict[str, Any], by: str = "hint") -> Iterator[dict[str, Any]]:
    """
    Play by hints, or by the first action of the page, until the match is over.
    """
    while True:
        message = table_of(found)
        yield message
        if found["more"]:
            found = answered("play.go_on")
        elif message["over"] == "match":
            return
        elif message["over"] == "round":
            assert "deal" in message["can"]
            found = answered("play.deal", number=message["number"])
        else:
            action = message["actions"]["actions"][0]["text"]
            if by == "hint":
                action = answered("play.hint")["messages"][0]["action"]
            found = answered("play.do", number=message["number"], action=action)


@pytest.mark.parametrize(
    ("name", "others"),
    [("rummy-500", 3), ("gin-rummy", 1), ("rummy-5000", 7), ("canasta", 3)],
)
def test_a_round_is_played_to_its_end(name: str, others: int) -> None:
    found = answered("play.start", table={"extends": name}, others=others, seed="7")
    for message in played(found):
        assert message["view"]["seat"] == 0
        assert len(message["players"]) == others + 1
        if message["over"]:
            break
    sheet = answered("play.sheet")["messages"][0]["sheet"]
    assert len(sheet["rounds"]) == 1
    assert sheet["scores"] == message["view"]["scores"]
    record = answered("play.save")["messages"][0]
    state = rv.replay(record["text"])
    assert [*state.scores] == sheet["scores"]


def test_a_person_who_does_anything_gets_through_a_match() -> None:
    table = {"extends": "three-thirteen"}
    found = answered("play.start", table=table, others=2, seed="3")
    *_, last = played(found, by="page")
    assert last["over"] == "match"
    assert last["view"]["winners"]


def test_what_is_refused_changes_nothing() -> None:
    found = answered("play.start", table=PLAIN, others=1, seed="1")
    for message in played(found):
        if message["actions"]:
            break
    refused = answered("play.do", number=message["number"], action="discard Kc")
    (ruling,) = refused["messages"]
    assert ruling["type"] == "ruling"
    assert not ruling["ruling"]["legal"]
    page = answered("play.actions", cards=[], start=0)
    assert page["messages"][0]["page"] == message["actions"]
    stale = problems("play.do", number=message["number"] - 1, action="draw")
    assert stale == [(None, "the table has moved on: look again")]


def test_undo_goes_back_to_the_decision_before() -> None:
    found = answered("play.start", table=PLAIN, others=2, seed="2")
    shown = []
    for message in played(found):
        if message["actions"]:
            shown.append(message)
        if len(shown) == 4:
            break
    for before in reversed(shown[:-1]):
        again = table_of(answered("play.undo"))
        assert again["number"] == before["number"]
        assert again["view"] == before["view"]
        assert again["actions"] == before["actions"]
    assert "undo" not in again["can"]


def test_a_saved_game_goes_on_as_it_was() -> None:
    found = answered("play.start", table=OURS, others=2, seed="5")
    for message in played(found):
        if message["number"] > 30 and message["actions"]:
            break
    record = answered("play.save")["messages"][0]["text"]
    opened = answered("play.open", text=record)
    again = table_of(opened)
    assert again["view"] == message["view"]
    assert again["actions"] == message["actions"]
    assert len(answered("play.sheet")["messages"][0]["sheet"]["rounds"]) == (
        message["view"]["round"] - 1
    )
    undone = table_of(answered("play.undo"))
    assert undone["number"] < message["number"]
    assert undone["actions"]


def test_a_broken_record_is_refused_by_line() -> None:
    answered("play.start", table=PLAIN, others=1, seed="5")
    answered("play.go_on")
    record = answered("play.save")["messages"][0]["text"]
    assert record.endswith(",\n]\n")
    text = record.removesuffix("]\n") + '  "0: drew",\n]\n'
    last = text.count("\n") - 1
    ((line, words),) = problems("play.open", text=text)
    assert line == last
    assert "did you mean 'draw'?" in words
    text = record.removesuffix("]\n") + '  "0: discard 2c",\n]\n'
    ((line, words),) = problems("play.open", text=text)
    assert line == last
    assert "is refused" in words
    assert problems("play.open", text="rules = [")[0][0] == 1


def test_impossible_tables_are_refused() -> None:
    many = problems("play.start", table={"extends": "gin-rummy"}, others=3)
    assert "2 players" in many[0][1] or "two" in many[0][1]
    wrong = {"extends": "rummy-500", "with": ["PGV-C1a", "PGV-C1b"]}
    assert "exclude each other" in problems("play.start", table=wrong, others=1)[0][1]
    assert problems("play.start", table=PLAIN, others=1, name="a\nb")


def test_no_message_of_a_game_tells_what_its_player_cannot_know() -> None:
    """
    With other cards hidden from the person, the table is told the same.
    """
    found = answered("play.start", table=PLAIN, others=2, seed="9")
    for message in played(found):
        if message["number"] > 12 and message["actions"]:
            break
    game = playing._games["table"]
    world = rv.determinize(rv.view(game.state, 0), random.Random(1))
    assert world != game.state
    before = answered("play.hint"), playing.told()
    game.now = playing.Moment(world, game.now.results)
    after = answered("play.hint"), playing.told()
    # A world has no deal in its history.
    table_of(before[1])["number"] -= 1
    assert after == before


# ----------------------------------------------------------------------------- lines


def test_a_line_that_is_not_found_is_not_made_up() -> None:
    assert lines.located(["nothing of that"], "a = 1") == [
        {"text": "nothing of that", "line": None}
    ]
    found = lines.located(["round 2, action 2: no"], '[[round]]\nactions = ["a", "b"]')
    assert found[0]["line"] is None


# ----------------------------------------------------------------------- how it is made


def test_without_npm_the_page_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(try_it.LeftOut, match="npm is not on this machine"):
        try_it.make(tmp_path / "try")
    assert not (tmp_path / "try").exists()


def test_a_folder_with_something_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    with pytest.raises(try_it.LeftOut, match="holds something else"):
        try_it.make(tmp_path)
    assert (tmp_path / "mine.txt").exists()


def test_everything_from_elsewhere_is_pinned_by_its_hash() -> None:
    lock = json.loads((PAGE / "package-lock.json").read_text("utf-8"))
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert all(one["integrity"] for one in packages.values())
    wanted = json.loads((PAGE / "package.json").read_text("utf-8"))["dependencies"]
    assert {
        name: packages[f"node_modules/{name}"]["version"] for name in wanted
    } == wanted
    lines = (PAGE / "requirements.txt").read_text("utf-8").splitlines()
    pinned = {}
    for line in lines:
        if not line.startswith("#"):
            name, version = re.fullmatch(
                r"(.+)==(\S+) --hash=sha256:\w{64}", line
            ).groups()
            pinned[name] = version
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = project["dependencies"]
    for one in map(Requirement, needed):
        assert one.specifier.contains(pinned.pop(one.name)), one
    assert not pinned
