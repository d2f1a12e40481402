"""
What is cited for the values of a game, on its sheet, in rulings and in scores.

That is the game itself, an option in force, the file that sets a value or a reading of
the library, and never another game. Records and JSON keep it.
"""

from __future__ import annotations

import itertools
import random
import tomllib

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants.rules.sheet import sheet
from test_sheet import CASES, TOGETHER


def stated(name: str) -> set[str]:
    """
    The rules of a game and of the games it is built on, and options of its preset.
    """
    known = rv.rules.catalogue()
    found: set[str] = set()
    while name:
        file = resources.files("rummyvariants") / "games" / f"{name}.toml"
        preset = tomllib.loads(file.read_text("utf-8"))
        found |= {rule.id for rule in known.values() if rule.game == name}
        found |= {
            entry["rule"]
            for section in preset.values()
            if isinstance(section, dict)
            for entry in section.values()
            if known[entry["rule"]].kind == "option"
        }
        name = preset.get("extends", "")
    return found


OWN = {name: stated(name) for name in rv.presets()}
LIBRARY = {rule.id for rule in rv.rules.catalogue().values() if rule.game == "library"}


def cited(rules: rv.Ruleset) -> set[str]:
    """
    Everything that a ruleset cites for its values, and on its sheet.
    """
    found = {rules.origin(path).rule for path in rules.values()}
    found |= {origin.rule for origin in rules.origins.values()}
    for section in sheet(rules):
        for paragraph in section.paragraphs:
            found.update(paragraph.rules, *(row.rules for row in paragraph.rows))
    return found


def fitting(name: str, every: int) -> Iterator[tuple[str, rv.Ruleset]]:
    """
    A preset with each option, or every so many of them, that goes on it.
    """
    base = rv.preset(name)
    for option in [*rv.options().values()][rv.presets().index(name) % every :: every]:
        try:
            yield option.id, base.with_options(option.example)
        except rv.errors.RulesError:
            continue


def check_options(name: str, every: int) -> None:
    base = rv.preset(name)
    for option, rules in fitting(name, every):
        assert cited(rules) <= OWN[name] | LIBRARY | {option}, option
        for found in base.diff(rules):
            assert found.there_from.rule == option, found
            assert found.here_from.rule in OWN[name] | LIBRARY, found


@pytest.mark.parametrize("name", rv.presets())
def test_a_preset_cites_no_other_game(name: str) -> None:
    assert cited(rv.preset(name)) <= OWN[name] | LIBRARY
    check_options(name, 20)


@pytest.mark.long
@pytest.mark.parametrize("name", rv.presets())
def test_an_option_brings_no_other_citation(name: str) -> None:
    check_options(name, 1)


def spelled(one: Any) -> str:
    if isinstance(one, bool | int):
        return str(one).lower()
    if isinstance(one, list | tuple):
        return f"[{', '.join(map(spelled, one))}]"
    if isinstance(one, dict):
        inside = [f'"{key}" = {spelled(at)}' for key, at in one.items()]
        return f"{{ {', '.join(inside)} }}"
    return f"'{one}'" if '"' in one else f'"{one}"'


def check_file(path: str, name: str, one: Any, folder: Path) -> bool:
    """
    Whether a file may set a value in a game; it is then cited as the file's.
    """
    more = TOGETHER.get((path, one), {}) if isinstance(one, str) else {}
    lines = [f"# at our table\nextends = '{name}'"]
    lines += [f"{at} = {spelled(value)}" for at, value in more.items()]
    lines.append(f"{path} = {spelled(one)}")
    file = folder / "ours.toml"
    file.write_text("\n".join(lines), "utf-8")
    try:
        rules = rv.load_rules(file)
    except rv.errors.RulesError:
        return False
    base, line = rv.preset(name), f"ours.toml, line {len(lines) + 1}"
    for found in base.diff(rules):
        if f"{found.value}.".startswith(f"{path}."):
            assert found.there_from == rv.rules.Origin(line, line)
            assert line in str(found)
    own = {f"ours.toml, line {number}" for number in range(3, len(lines) + 2)}
    assert cited(rules) <= OWN[name] | LIBRARY | own
    return True


@pytest.mark.parametrize("path", CASES)
def test_a_value_of_a_file_is_cited_as_the_files(path: str, tmp_path: Path) -> None:
    name, _, choices = CASES[path]
    games = itertools.cycle([name, rv.presets()[len(path) % len(rv.presets())]])
    for one, game in zip(choices[:4], games, strict=False):
        check_file(path, game, one, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", rv.presets())
def test_any_value_of_a_file_is_cited_as_the_files(name: str, tmp_path: Path) -> None:
    tried = [
        check_file(path, name, one, tmp_path)
        for path, (_, _, choices) in CASES.items()
        for one in choices
    ]
    assert sum(tried) > 100


def test_the_lines_of_a_file_are_found_however_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "our.rules.toml"
    file.write_text(
        """\
[rules]                                # 1
'draw' . "pair" = "top"
extends = "rummy-500"
notes = '''
[score]
wild = 7
'''                                    # 7
match.players = [
  2,
  # at a small table
  4,
]                                      # 12
score = { wild = 25, points = { K = 11 } }
[rules.discard]
throw_back = { value = "refused", rule = "T-1" }
[rules."meld"]
least_run = 4
""",
        "utf-8",
    )
    rules = rv.load_rules(file)
    lines = {
        found.value: found.there_from.set_by.rpartition(" ")[2]
        for found in rv.preset("rummy-500").diff(rules)
    }
    assert lines == {
        "draw.pair": "2",
        "match.players": "8",
        "score.wild": "13",
        "score.points.K": "13",
        "discard.throw_back": "15",
        "meld.least_run": "17",
    }
    assert rules.rule_of("discard.throw_back") == "T-1"


def test_refusals_and_scores_cite_the_file(tmp_path: Path) -> None:
    file = tmp_path / "friday.toml"
    file.write_text(
        "extends = 'rummy-500'\n"
        "discard.throw_back = 'refused'\n"
        "score.points.K = 13\n"
        "[layoff]\n"
        "onto = 'own melds'\n",
        "utf-8",
    )
    state = rv.position(
        rv.load_rules(file),
        seats=["N", "E"],
        turn="N",
        phase="play",
        drawn="take 9h",
        table=["E: Kc Kd Kh"],
        hands={"N": "Ks 9h 2c", "E": "3c"},
        stock="4d 5d",
    )
    assert rv.check(state, "lay Ks on 1").cites == ("friday.toml, line 5",)
    assert rv.check(state, "discard 9h").cites == ("friday.toml, line 2",)
    assert str(rv.check(state, "discard 9h")).endswith("[friday.toml, line 2]")
    items = rv.round_result(state, "stock").items
    assert {one.rule for one in items if "melded" in one.reason} == {
        "friday.toml, line 3"
    }


@pytest.mark.parametrize("name", rv.presets())
def test_a_game_scored_by_a_file_cites_no_other_game(name: str, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(f"extends = '{name}'\nscore.points.9 = 17\n", "utf-8")
    rules = rv.load_rules(file)
    state = rv.new_game(rules, rules.match.players[0], seed=3)
    state = rv.playout(state, random.Random(3).randrange)
    found = {one.rule for one in state.result.items}
    assert found <= OWN[name] | LIBRARY | {"ours.toml, line 2"}


def kept(rules: rv.Ruleset) -> None:
    """
    Check that a record and JSON say what is in force.
    """
    text = str(rv.files.Record(rules, ("A", "B"), None, ()))
    read = rv.rules.read_rules(tomllib.loads(text)["rules"])
    for again in read, rv.files.from_json(rv.files.to_json(rules), "ruleset"):
        assert again == rules, text
        assert again.values() == rules.values()
        assert {path: one.rule for path, one in again.origins.items()} == {
            path: one.rule for path, one in rules.origins.items()
        }


def check_pairs(path: str, most: int) -> None:
    name, others, choices = CASES[path]
    base = rv.preset(name).with_values(others, "others")
    for first, second in itertools.permutations(choices[:most], 2):
        try:
            rules = base.with_values({path: first}, "first")
            rules = rules.with_values({path: second}, "second")
        except rv.errors.RulesError:
            continue
        kept(rules)
        # A table of entries is added to; anything else is replaced.
        whole = base.with_values({path: second}, "second")
        if not isinstance(first, dict):
            assert rules == whole


@pytest.mark.parametrize("path", CASES)
def test_a_value_changed_twice_is_kept(path: str) -> None:
    check_pairs(path, 2)


@pytest.mark.long
@pytest.mark.parametrize("path", CASES)
def test_any_value_changed_twice_is_kept(path: str) -> None:
    check_pairs(path, 100)


def test_changes_that_add_up_are_kept() -> None:
    rules = rv.preset("rummy-500")
    for at, points in enumerate(({"K": 15}, {"A": 20, "K": 10}, {"Q": 10}, {"*": 40})):
        rules = rules.with_values({"score.points": points}, f"change {at}")
        kept(rules)
    assert rules.rule_of("score.points.K") == "change 1"
    assert rules.rule_of("score.points.Q") == "BN-03"
    replaced = rv.preset("basic-rummy").with_values({"deck.packs": {2: 2}})
    replaced = replaced.with_values({"deck.packs": {1: 1}})
    assert replaced.deck.packs == ((1, 1),)
    kept(replaced)
