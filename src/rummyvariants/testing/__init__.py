"""
The test kit: functions that check what must hold of every game under a ruleset.

Use them to test your own policies and house rules; `check_ruleset` runs them all. They
need only the library: a failed check raises an `AssertionError` whose message says what
does not hold, and any test runner shows it.
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
