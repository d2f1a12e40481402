"""What games share and where they differ: distances, the tree, the command, a page."""

from __future__ import annotations

import importlib
import itertools
import json
import re
import sys

from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import attrs
import pytest

from click.testing import CliRunner, Result

import rummyvariants as rv

from rummyvariants.cli.commands import commands
from rummyvariants.rules._family import answers, distance, nearest, tree
from rummyvariants.rules.sheet.brief import brief, questions


IND = "indian-rummy"
DOCS = Path(__file__).parents[1] / "docs"
GAMES = [rv.preset(name) for name in rv.presets()]
NEW = rv.read_rules(
    {
        "name": "elevens-rummy",
        "title": "Elevens & Rummy",
        "extends": "rummy-500",
        "deal": {"hand_size": 11},
        "draw": {"take": "the whole pile"},
    }
)
"""A game that no preset is."""


# ---------------------------------------------------------------------------- distances


def test_distances_are_symmetric_and_count_the_values_that_differ() -> None:
    for one, other in itertools.product(GAMES, repeat=2):
        mine, theirs = one.values(), other.values()
        differ = sum(mine[path] != theirs[path] for path in mine)
        assert distance(one, other) == distance(other, one) == differ
    assert {distance(one, one) for one in GAMES} == {0}
    assert distance(rv.preset("rummy-500"), NEW) == 2


@pytest.mark.long
def test_distances_keep_to_the_triangle() -> None:
    for one, other, third in itertools.permutations(GAMES, 3):
        assert distance(one, third) <= distance(one, other) + distance(other, third)


# ----------------------------------------------------------------------------- the tree


def test_the_tree_has_every_game_once_below_another_one() -> None:
    relatives = tree(GAMES)
    assert sorted(one.game.name for one in relatives) == sorted(rv.presets())
    assert relatives[0].beside is None
    path: list[str] = []
    for one in relatives:
        del path[one.depth :]
        assert (one.beside.name if one.beside else "") == (path[-1] if path else "")
        path.append(one.game.name)


def test_no_link_of_the_tree_can_be_made_shorter() -> None:
    relatives = tree(GAMES)
    for at, one in enumerate(relatives[1:], 1):
        after = (
            place
            for place, other in enumerate(relatives)
            if place > at and other.depth <= one.depth
        )
        end = next(after, len(relatives))
        below = [other.game for other in relatives[at:end]]
        others = [other.game for other in (*relatives[:at], *relatives[end:])]
        across = itertools.product(below, others)
        assert one.distance == min(distance(*pair) for pair in across)


def test_every_game_is_joined_to_the_one_that_it_is_nearest_to() -> None:
    joined: dict[str, list[int]] = {name: [] for name in rv.presets()}
    for one in tree(GAMES):
        if one.beside is not None:
            joined[one.game.name].append(one.distance)
            joined[one.beside.name].append(one.distance)
    for game in GAMES:
        others = [distance(game, other) for other in GAMES if other.name != game.name]
        assert min(joined[game.name]) == min(others)


def test_the_root_is_nearest_to_all_others() -> None:
    root, *_ = tree(GAMES)
    sums = [sum(distance(one, other) for other in GAMES) for one in GAMES]
    assert sum(distance(root.game, other) for other in GAMES) == min(sums)


def test_games_of_the_same_rules_are_beside_each_other() -> None:
    first, second = tree([rv.preset("contract-rummy"), rv.preset("liverpool-rummy")])
    assert (second.beside, second.distance, second.changes) == (first.game, 0, ())


def test_one_game_is_a_tree() -> None:
    assert [one.game.name for one in tree([NEW])] == ["elevens-rummy"]


def test_the_nearest_come_first() -> None:
    relatives = nearest(NEW, GAMES)
    assert [one.game.name for one in relatives[:2]] == ["rummy-500", "rummy-500-pagat"]
    assert [one.distance for one in relatives] == sorted(
        distance(NEW, game) for game in GAMES
    )


# ----------------------------------------------------------------------------- in words


def test_games_beside_each_other_that_differ_say_what_changes() -> None:
    for one in tree(GAMES):
        assert bool(one.changes) == (one.distance > 0), one.game.name


def test_unusual_changes_come_first() -> None:
    changes = {
        one.game.name: [asked for asked, _ in one.changes] for one in tree(GAMES)
    }
    contract = changes["contract-rummy"]
    assert contract.index("New melds") < contract.index("Players")
    assert changes["hollywood-gin"] == ["Match"]


def test_every_game_answers_every_question_once() -> None:
    found = answers(GAMES)
    for question, by in found.items():
        names = [game.name for games in by.values() for game in games]
        assert sorted(names) == sorted(rv.presets()), question
    assert {*questions()} - {*found} == {"House rules"}, "there is none in any game"


@pytest.mark.parametrize("game", ["rummy-5000", "gin-rummy", "contract-rummy"])
def test_every_option_can_be_put_in_a_few_words(game: str) -> None:
    for option in rv.options().values():
        try:
            rules = rv.preset(game).with_options(option.example)
        except rv.RulesError:
            continue
        for text in brief(rules).values():
            assert text
            assert "  " not in text
            assert not re.search(r"[.,;:] *$|\bNone\b", text), (option.id, text)


@pytest.mark.parametrize(
    ("game", "values", "question", "answer"),
    [
        ("basic-rummy", {"deck.ranks": "A789TJQK"}, "Deck", "no twos"),
        ("rummy-500", {"wild.limit": "more naturals"}, "Wilds in a meld", "fewer than"),
        ("rummy-500", {"meld.sets": False}, "Melds", "only runs, of three or more"),
        ("rummy-500", {"meld.ace": "round the corner"}, "Aces in runs", "between king"),
        ("rummy-500", {"draw.new_meld": True}, "From the discard pile", "a new meld"),
        ("basic-rummy", {"draw.duty": "top"}, "From the discard pile", "it has to be"),
        ("rummy-500", {"out.empty_hand": "refused"}, "Going out", "last discard only"),
        ("rummy-500", {"score.rummy": 30}, "Bonuses in a round", "30 for going rummy"),
        ("gin-rummy", {"out.knock": 0}, "Melds are shown", "when somebody goes gin"),
        ("gin-rummy", {"out.big_gin": False}, "Going out", "10 points or fewer"),
        ("three-thirteen", {"match.winner": "highest"}, "Match", "highest score wins"),
        (IND, {"wild.indicator_is_wild": "no rank"}, "Wild cards", "or none if"),
        (IND, {"draw.wilds": "free"}, "From the discard pile", "the top card"),
        (IND, {"out.runs": 3}, "Going out", "with three runs, one of them pure"),
        (IND, {"out.long_run": 4}, "Going out", "one of four cards"),
        (IND, {"out.wrong_declaration": 80}, "Going out", "declaration costs 80"),
        (IND, {"out.first_drop": "never"}, "Leaving a round", "a later turn, for 40"),
        (IND, {"score.lives": "graded"}, "What scores", "all cards but a pure run"),
        (IND, {"score.most_in_hand": 60}, "What scores", "60 at most"),
        (IND, {"score.rounded_to": 5}, "What scores", "rounded to five"),
        (IND, {"score.no_turn": "half"}, "What scores", "half without a turn"),
        (IND, {"match.eliminated_at": 201}, "Match", "out at 201 points"),
        ("indian-rummy-pool", {"match.rejoin": 50}, "Match", "the others have 50"),
    ],
)
def test_answers_follow_the_values(
    game: str, values: dict[str, object], question: str, answer: str
) -> None:
    before = brief(rv.preset(game))[question]
    after = brief(rv.preset(game).with_values(values))[question]
    assert answer in after
    assert after != before


def test_house_rules_are_put_in_their_own_words() -> None:
    @rv.register_rule("meld", "relatives: small families")
    @attrs.frozen
    class SmallFamilies(rv.HouseRule):
        """No meld has more than five cards."""

    own = rv.preset("rummy-500").with_values({"meld.rules": [SmallFamilies()]})
    assert distance(rv.preset("rummy-500"), own) == 1
    assert brief(own)["House rules"] == (
        "At this table: No meld has more than five cards."
    )


# -------------------------------------------------------------------------- the command


def run(*words: object) -> Result:
    return CliRunner().invoke(commands, ["family", *map(str, words)])


def said(*words: object) -> str:
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_all_games_are_shown_as_a_tree_and_by_question() -> None:
    lines = said().splitlines()
    for one in tree(GAMES):
        start = "  " * one.depth + one.game.name
        assert sum(re.match(rf"{start}(, |$)", line) is not None for line in lines) == 1
    for question in {*questions()} - {"House rules"}:
        assert question in lines


def test_some_games_are_compared_with_each_other_alone() -> None:
    text = said("gin-rummy", "straight-gin", "gin-rummy")
    assert "\n  straight-gin, 1 value. Melds are shown: when somebody goes gin." in text
    differ, shared = text.split("\nThe same in both\n")
    assert "  none: straight-gin" in differ
    assert "  Players: two\n" in shared
    assert "Players" not in differ
    assert "rummy-500" not in text


def test_a_single_game_has_all_others_beside_it() -> None:
    names = re.findall(r"(?m)^  ([\w-]+), ", said("gin-rummy"))
    assert sorted([*names, "gin-rummy"]) == sorted(rv.presets())
    assert names[0] in {"straight-gin", "hollywood-gin"}


def test_a_file_of_house_rules_is_a_game(tmp_path: Path) -> None:
    file = tmp_path / "elevens.toml"
    file.write_text(
        'name = "elevens"\nextends = "rummy-500"\n[deal]\nhand_size = 11\n', "utf-8"
    )
    names = re.findall(r"(?m)^  ([\w-]+), (\d+) value", said(file))
    assert names[0] == ("rummy-500", "1")
    assert "\n  elevens, 1 value. Hands: eleven cards.\n" in said("rummy-500", file)


def test_a_wrong_name_suggests_the_nearest() -> None:
    done = run("gin-rummy", "contract-rumy")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "did you mean 'contract-rummy'?" in done.stderr


def test_json_has_what_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "family.json"
    said("gin-rummy", "hollywood-gin", "--json", file)
    found = json.loads(file.read_text("utf-8"))
    assert found["games"][1] == {
        "name": "hollywood-gin",
        "beside": "gin-rummy",
        "values": 1,
        "changes": {"Match": "to 100 points, in three columns"},
    }
    assert found["questions"]["Match"] == {
        "to 100 points": ["gin-rummy"],
        "to 100 points, in three columns": ["hollywood-gin"],
    }


# ----------------------------------------------------------------------------- the page


@pytest.fixture(name="family", scope="module")
def _family() -> ModuleType:
    sys.path.append(str(DOCS))
    return importlib.import_module("family")


def test_a_new_game_is_on_the_page_by_itself(family: ModuleType) -> None:
    page = family.page([*GAMES, NEW])
    assert '<a href="rules/elevens-rummy.html">Elevens &amp; Rummy</a>' in page
    assert "Elevens &amp; Rummy beside Rummy 500" in page
    assert "| eleven cards | [Elevens & Rummy](rules/elevens-rummy.md)" in page
    assert "*From the discard pile:* the whole pile; the deepest of several" in page


def test_the_picture_is_well_formed_and_within_its_width(family: ModuleType) -> None:
    relatives = tree([*GAMES, NEW])
    drawing = family.picture(relatives)
    drawn = drawing[drawing.index("<svg") :].partition("</div")[0]
    svg = ET.fromstring(drawn)  # noqa: S314 -- we wrote what it reads
    assert svg.get("aria-label", "").count(" beside ") == len(relatives) - 1
    texts = svg.findall("text")
    assert len(svg.findall("path")) == len(relatives) - 1
    assert len([text for text in texts if text.find("a") is not None]) == len(relatives)
    assert [int(text.get("y", "")) for text in texts] == sorted(
        {int(text.get("y", "")) for text in texts}
    ), "one below the other"
    for text in texts:
        if text.get("class") == "small":
            ends = float(text.get("x", "")) + family.LETTER * len(text.text or "")
            assert ends <= family.WIDTH
