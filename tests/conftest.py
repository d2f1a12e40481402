"""How the tests run: hypothesis bounded, and the same terminal everywhere."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import os
import time

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from hypothesis import HealthCheck, settings

from places import PACKAGE
from rummyvariants.melds import Terms
from rummyvariants.rules._ruleset import _KNOWN, Ruleset


# Tests that register rules do so apart from all others, among which these have to be.
for _module in (PACKAGE / "games").glob("[a-z]*.py"):
    importlib.import_module(f"rummyvariants.games.{_module.stem}")


_SLOW_STARTS = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "quick", max_examples=60, deadline=None, suppress_health_check=_SLOW_STARTS
)
settings.register_profile("ci", parent=settings.get_profile("quick"), derandomize=True)
settings.register_profile(
    "thorough", parent=settings.get_profile("quick"), max_examples=2_000
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "quick")
)
# What a terminal shows does not depend on the one in which the tests run.
os.environ["TERM"] = "xterm-256color"


def pytest_sessionstart() -> None:
    """
    Forget what was worked out before, where `mutants` has changed the code since.
    """
    if "MUTANT_UNDER_TEST" not in os.environ:
        return
    _KNOWN.clear()
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper):
            one.cache_clear()
        elif isinstance(one, Ruleset):
            one._memo.clear()
        elif isinstance(one, Terms):
            for field in attrs.fields(Terms):
                if field.default == attrs.Factory(dict):
                    getattr(one, field.name).clear()


Update = Callable[[Path, Callable[[str], str]], bool]
"""What changes the text of a file, if asked to."""


@pytest.fixture
def update(pytestconfig: pytest.Config) -> Update:
    """
    Change a file of data that keeps counts beside what they are of.

    Returns:
        Whether it was changed, as ``--snapshot-update`` asks for.
    """

    def update(path: Path, change: Callable[[str], str]) -> bool:
        if not pytestconfig.option.update_snapshots:
            return False
        lock = path.with_suffix(".lock")
        while True:
            with contextlib.suppress(FileExistsError):
                lock.mkdir()
                break
            time.sleep(0.1)
        try:
            path.write_text(change(path.read_text("utf-8")), "utf-8", newline="\n")
        finally:
            lock.rmdir()
        return True

    return update


SHOWN: Final = {
    "rules": "scenarios, counted sequences, twins of games, and options",
    "legality": "lists, plays and arrangements against trying everything",
    "states": "invariants, hidden cards, records, JSON and input made to break them",
    "texts": "rule sheets, citations and messages",
    "bots": "computer players",
    "simulation": "many games, comparisons and measures",
    "learning": "observations, encodings and environments",
    "cli": "the command line",
    "project": "structure, pages, examples, package, test kit and pictures",
}
"""By the folder of tests, what they show."""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """
    Say what was shown, and how to run what was left out.
    """
    stats = terminalreporter.stats
    passed = Counter(
        Path(one.nodeid.partition("::")[0]).parent.name
        for one in stats.get("passed", ())
    )
    if passed.total() < 1_000:
        return
    terminalreporter.section("what was shown")
    for folder, what in SHOWN.items():
        if passed[folder]:
            terminalreporter.write_line(f"{passed[folder]:6,} {folder}: {what}")
    left = len(stats.get("deselected", ()))
    if left:
        terminalreporter.write_line(
            f"{left:6,} left out by -m or -k; the long ones run with -m long"
        )
