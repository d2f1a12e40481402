"""
The test kit: what must hold of every game, as functions that take a ruleset.

They are for policies and rules of your own; `check_ruleset` is the one call that does
all. Nothing but the library is needed: whatever does not hold is an `AssertionError`
with a sentence that says what, and a test runner of any kind shows it.
"""

from __future__ import annotations

from rummyvariants.testing.answers import check_answers
from rummyvariants.testing.holding import BrokenInvariantError
from rummyvariants.testing.legality import check_legality
from rummyvariants.testing.matches import (
    check_record,
    check_rules,
    check_ruleset,
    play_match,
)
from rummyvariants.testing.secrecy import check_secrecy
from rummyvariants.testing.states import check_state
from rummyvariants.testing.steps import check_step, do


__all__ = [
    "BrokenInvariantError",
    "check_answers",
    "check_legality",
    "check_record",
    "check_rules",
    "check_ruleset",
    "check_secrecy",
    "check_state",
    "check_step",
    "do",
    "play_match",
]
