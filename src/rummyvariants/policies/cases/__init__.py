"""
Policy values that are played by house rules of the library's own.

What such a value says depends on the turn, so it is put into force as a house rule: the
engine asks it the same questions as anybody's, and knows none of these classes.
"""

from __future__ import annotations

from typing import Final

from rummyvariants.policies.cases import (
    aside,
    bonuses,
    buying,
    canastas,
    draws,
    layoffs,
    leaving,
    openings,
)
from rummyvariants.policies.house import HouseRule


_MODULES = aside, bonuses, buying, canastas, draws, layoffs, leaving, openings
ACTIONS: Final = frozenset(
    [
        name
        for module in _MODULES
        for rule in vars(module).values()
        if isinstance(rule, type) and issubclass(rule, HouseRule)
        for name in rule.actions
    ]
)
"""The names of the actions that they offer."""
