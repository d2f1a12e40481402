"""The page on skilful rules: its rows, its verdicts and its plots."""

from __future__ import annotations

import json
import re
import sys

from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import attrs
import pytest

from rummyvariants.simulation.comparison import called
from rummyvariants.simulation.skill import compare_skill


ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "docs"))

import measure_skill  # noqa: E402 -- the scripts of docs/ import each other by name

from forest import Mark, Panel, forest  # noqa: E402


SVG = "{http://www.w3.org/2000/svg}"


# ------------------------------------------------------------------------- measuring


def test_the_rows_are_those_declared() -> None:
    rows, found = measure_skill.declared(), measure_skill.known()
    assert len({measure_skill.key_of(row.settings) for row in rows}) == len(rows)
    assert [measure_skill.key_of(one) for one in found] == [
        measure_skill.key_of(row.settings) for row in rows
    ]
    for row, one in zip(rows, found, strict=True):
        assert {key: one[key] for key in row.settings} == row.settings
        assert one["measured"] >= one["declared"]
        assert one["b"] == called(row.rules) != one["a"] == row.game
        for skill in one["skill"]:
            assert (skill["better"], skill["weaker"]) == (row.better, row.weaker)
            assert skill["deals"] + one["left_out"] == row.deals
        assert not one["troubles"]
        shares = [skill["share"] for skill in one["skill"]]
        assert one["difference"] == pytest.approx(shares[1] - shares[0], abs=2e-5)


def test_a_game_as_it_is_has_one_share_for_all_its_questions() -> None:
    shares: dict[tuple[Any, ...], set[float]] = {}
    for one in measure_skill.known():
        key = (one["game"], one["better"], one["block"])
        shares.setdefault(key, set()).add(one["skill"][0]["share"])
    assert {len(of) for of in shares.values()} == {1}


@pytest.mark.long
def test_a_row_is_what_compare_says() -> None:
    row = measure_skill.declared()[-1]
    found = compare_skill(
        row.game,
        row.rules,
        better=row.better,
        weaker=row.weaker,
        games=2 * row.deals,
        players=row.players,
        seed=row.seed,
        unit="round",
    ).to_data()
    line = measure_skill.known()[-1]
    found = json.loads(json.dumps(measure_skill.rounded(found)))
    assert {key: line[key] for key in found} == found


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """
    Two questions, two deals each.
    """
    rows = [
        attrs.evolve(row, deals=2, seed="few") for row in measure_skill.declared()[-2:]
    ]
    monkeypatch.setattr(measure_skill, "declared", lambda: rows)
    return rows


def test_the_command_goes_on_after_an_interruption(
    few: list[Any], tmp_path: Path
) -> None:
    whole = measure_skill.measure_missing(tmp_path / "whole", tmp_path / "whole.json")
    assert len(whole) == len(few) == 2
    # The first row has been written, and the second stopped in the middle of a game.
    path = tmp_path / "cut.json"
    path.write_text(json.dumps(whole[:1]))
    files = sorted((tmp_path / "whole").rglob("*.jsonl"))
    assert len(files) == 3
    kept = {}
    for file in files:
        there = tmp_path / "cut" / file.relative_to(tmp_path / "whole")
        there.parent.mkdir(parents=True, exist_ok=True)
        kept[there] = file.read_text()
        lines = kept[there].splitlines(keepends=True)
        cut = "no-offer" in file.name
        there.write_text("".join(lines[:2]) + lines[2][:40] if cut else kept[there])
    assert measure_skill.measure_missing(tmp_path / "cut", path) == whole
    assert path.read_text() == (tmp_path / "whole.json").read_text()
    assert {file: file.read_text() for file in kept} == kept


def test_what_has_been_measured_is_not_played_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(measure_skill, "measure", lambda *_: pytest.fail("played"))
    found = measure_skill.known()
    assert measure_skill.measure_missing(tmp_path) == found
    path = tmp_path / "most.json"
    path.write_text(json.dumps(found[1:]))
    with pytest.raises(pytest.fail.Exception, match="played"):
        measure_skill.measure_missing(tmp_path, path)


# -------------------------------------------------------------------------- the page


def naive_sides() -> dict[tuple[str, str], list[int]]:
    """
    For each question the sides of its results, by Holm's method step by step.
    """
    found = measure_skill.known()
    sides, goes_on = [0] * len(found), True
    for rank, at in enumerate(sorted(range(len(found)), key=lambda at: found[at]["p"])):
        goes_on = goes_on and found[at]["p"] < 0.05 / (len(found) - rank)
        sides[at] = goes_on * (1 if found[at]["difference"] > 0 else -1)
    of: dict[tuple[str, str], list[int]] = {}
    for one, side in zip(found, sides, strict=True):
        of.setdefault((one["game"], one["question"]), []).append(side)
    return of


def naive_word(sides: list[int]) -> str:
    if set(sides) == {1}:
        return "more"
    if set(sides) == {-1}:
        return "less"
    return "disagree" if {1, -1} <= set(sides) else "not decided"


def test_the_verdicts_of_the_page_are_those_of_its_rows() -> None:
    sides = naive_sides()
    block = measure_skill.made(measure_skill.known())["skill-verdicts"]
    sentence, *_ = block.strip().splitlines()
    lines = [line.strip("| ").split(" | ") for line in block.strip().splitlines()[4:]]
    assert len(lines) == len(sides) == 34
    counts: Counter[str] = Counter()
    for line, ((game, question), found) in zip(lines, sides.items(), strict=True):
        *name, rule, careful, greedy, verdict = line
        assert (name in ([], [f"`{game}`"]), rule) == (True, question)
        for said, of in ((careful, found[:2]), (greedy, found[2:])):
            word = naive_word(of)
            if word == "not decided" and any(of):
                which = 1 if of[0] else 2
                word = f"{'more' if sum(of) > 0 else 'less'} in block {which} alone"
            assert said == word
        word = naive_word(found)
        assert verdict == measure_skill.VERDICTS[word]
        counts[word] += 1
    numbers = [int(number) for number in re.findall(r"\d+", sentence)]
    assert numbers == [34, *(counts[word] for word in measure_skill.VERDICTS)]


def test_the_plots_have_a_mark_for_each_row_and_fill_those_that_are_sure() -> None:
    found = measure_skill.known()
    sides = naive_sides()
    parts = measure_skill.made(found)
    for game in {one["game"] for one in found}:
        text = parts[f"skill-{game}"]
        text = text[text.index("<svg") : text.index("</svg>") + len("</svg>")]
        root = ET.fromstring(text)  # noqa: S314 -- our own
        legend = 3  # circles, and as many squares
        marks = [
            list(root.iter(f"{SVG}circle"))[:-legend],
            [one for one in root.iter(f"{SVG}rect") if one.get("stroke")][:-legend],
        ]
        for block, of in enumerate(marks, 1):
            rows = [
                one for one in found if (one["game"], one["block"]) == (game, block)
            ]
            assert len(of) == len(rows)
        filled = sum(one.get("fill") == "currentColor" for of in marks for one in of)
        sure = [side for key, of in sides.items() if key[0] == game for side in of]
        assert filled == sum(map(abs, sure))


# -------------------------------------------------------------------------- the plot


def test_a_plot_says_where_its_marks_are_and_puts_them_there() -> None:
    marks = [Mark(-0.3, -0.5, -0.1, sure=True), Mark(0.2, -0.1, 0.5, sure=False)]
    more = [Mark(0.05, 0.0, 0.1, sure=False), Mark(0.0, 0.0, 0.0, sure=False)]
    text = forest(
        "key",
        "A & B",
        ["first", "second"],
        [Panel("one pair", [marks, more])],
        "difference",
        ("less", "more"),
        ("x", "y"),
    )
    root = ET.fromstring(text)  # noqa: S314 -- our own
    assert root.get("aria-labelledby") == "key-title key-desc"
    assert root.find(f"{SVG}title").text == "A & B"
    said = root.find(f"{SVG}desc").text
    assert "first: one pair, x -0.30 (-0.50 to -0.10), hardly chance" in said
    assert "y +0.20 (-0.10 to +0.50)." in said
    # The ticks say where a value belongs.
    at = {
        float(one.text): float(one.get("x"))
        for one in root.iter(f"{SVG}text")
        if re.fullmatch(r"[+-]?[\d.]+", one.text)
    }
    low, high = min(at), max(at)
    scale = (at[high] - at[low]) / (high - low)

    def across(value: float) -> float:
        return pytest.approx(at[0] + value * scale, abs=0.11)

    circles = [float(one.get("cx")) for one in root.iter(f"{SVG}circle")]
    assert circles[:2] == [across(-0.3), across(0.05)]
    squares = [
        float(one.get("x")) + float(one.get("width")) / 2
        for one in root.iter(f"{SVG}rect")
        if one.get("stroke")
    ]
    assert squares[:2] == [across(0.2), across(0)]
    lines = [
        [float(number) for number in re.findall(r"[MH](-?[\d.]+)", one.get("d"))]
        for one in root.iter(f"{SVG}path")
        if "H" in one.get("d")
    ]
    assert (lines[0][0], lines[0][-1]) == (across(-0.5), across(-0.1))
    assert (lines[1][0], lines[1][-1]) == (across(-0.1), across(0.5))
