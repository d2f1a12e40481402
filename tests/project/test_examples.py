"""The examples run, say what they show, and are quick."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys

from pathlib import Path

import pytest

import corpus
import rummyvariants as rv

from places import EXAMPLES
from rummyvariants.house import rules as house
from rummyvariants.rules.sheet import rule_sheet


HOUSE_RULES = sorted(EXAMPLES.glob("rules/*.py"))
GAMES = sorted(EXAMPLES.glob("games/*.py"))
ALL = [*sorted(EXAMPLES.glob("*.py")), *HOUSE_RULES, *GAMES]


@pytest.mark.long
@pytest.mark.parametrize("path", ALL, ids=lambda one: one.stem)
def test_example_runs(path: Path, tmp_path: Path) -> None:
    if path.stem == "conformance_runner":
        (tmp_path / "build").mkdir()
        corpus.build(tmp_path / "build")
    words = []
    if path.stem == "learn_gin":
        pytest.importorskip("torch", reason="the group `learn` is not installed")
        words = ["--quick"]
    before = {*tmp_path.rglob("*")}
    done = subprocess.run(
        [sys.executable, "-W", "error", path, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert 3 < len(done.stdout.splitlines()) < 60
    assert {*tmp_path.rglob("*")} == before


@pytest.mark.parametrize("path", ALL, ids=lambda one: one.stem)
def test_example_says_what_it_shows_and_asserts_it(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    assert any(isinstance(node, ast.Assert) for node in ast.walk(tree))


def test_there_are_examples() -> None:
    assert len(list(EXAMPLES.glob("*.py"))) >= 7
    assert len(HOUSE_RULES) >= 29


@pytest.mark.parametrize("path", [*HOUSE_RULES, *GAMES], ids=lambda one: one.stem)
def test_house_rule_needs_nothing_but_what_is_public(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{one.name}" for one in node.names}
        elif isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_"), node.attr
    public = {
        "rummyvariants",
        "rummyvariants.testing",
        "rummyvariants.events",
    }
    assert {one for one in found if one.startswith("rummyvariants")} <= public


@pytest.mark.parametrize("path", HOUSE_RULES, ids=lambda one: one.stem)
def test_house_rule_stands_in_a_rules_file_and_on_its_sheet(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "_RULES", {})
    example = runpy.run_path(str(path))
    rules = rv.files.parse_scenario(example["SCENARIO"]).rules
    assert rules is not None
    (given,) = [
        one
        for one in example.values()
        if isinstance(one, type) and one.__module__ == "<run_path>"
    ]
    said = given().describe()
    assert "{" not in said
    assert said in rule_sheet(rules, "markdown")
