"""The examples run, say what they show, and are quick."""

from __future__ import annotations

import ast
import subprocess
import sys

from pathlib import Path

import pytest


EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("*.py")), ids=lambda one: one.stem
)
def test_example_runs(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", path],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert 3 < len(done.stdout.splitlines()) < 60
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("*.py")), ids=lambda one: one.stem
)
def test_example_says_what_it_shows_and_asserts_it(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    assert any(isinstance(node, ast.Assert) for node in ast.walk(tree))


def test_there_are_examples() -> None:
    assert len(list(EXAMPLES.glob("*.py"))) >= 7
