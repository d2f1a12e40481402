"""
Gin as OpenSpiel plays it, where that is installed; see docs/conformance.md.
"""

from __future__ import annotations

import random

from collections import Counter

import pytest

from places import DOCS


pytest.importorskip("pyspiel", reason="the dependency group `lockstep` is not there")

import lockstep


PAGE = DOCS / "conformance.md"


@pytest.mark.parametrize("setting", lockstep.SETTINGS, ids=lambda one: one.name)
def test_random_games_are_the_same_on_both_sides(setting: lockstep.Setting) -> None:
    known: Counter[str] = Counter()
    for number in range(10):
        rng = random.Random(f"test {number}")
        assert lockstep.play(lockstep.Game(setting, rng), rng, known) > 0
    assert known.keys() <= lockstep.KNOWN.keys()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("eleven cards", "1 points after a discard, not 2"),
        ("long runs", "5 cards at most"),
        ("third lay-off", "3h 8h, and not 9h"),
        ("two places", "6h Jh Th"),
        ("equal hands", "(0, 25) here, (0, 0) there"),
        ("draw by repetition", "2 times: the hand is over there"),
        ("who begins", "there; here seat 1 or 0, as seat 0 or 1 deals"),
        ("a knock in steps", "Knock, Kd, 5s5c5d, 7h8h9h there"),
    ],
)
def test_each_known_difference_is_shown_by_a_position(name: str, shown: str) -> None:
    texts = dict(lockstep.cases())
    assert texts.keys() == lockstep.KNOWN.keys()
    assert shown in texts[name]
    assert shown in PAGE.read_text("utf-8")
