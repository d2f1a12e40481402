"""
Policy values that are played by house rules of the library's own.

What such a value says depends on the turn, so it is put into force as a house rule: the
engine asks it the same questions as anybody's, and knows none of these classes.
"""

from __future__ import annotations

import functools

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rummyvariants.house.rules import HouseRule


if TYPE_CHECKING:
    from rummyvariants.policies.cases import (
        aside,
        bonuses,
        buying,
        canastas,
        draws,
        layoffs,
        leaving,
        openings,
        wilds,
    )

__all__ = [
    "aside",
    "bonuses",
    "buying",
    "canastas",
    "draws",
    "layoffs",
    "leaving",
    "openings",
    "wilds",
]


def __getattr__(name: str) -> Any:
    # A game imports only those that its values ask for.
    if name not in __all__:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return import_module(f"{__name__}.{name}")


@functools.cache
def names_of_actions() -> frozenset[str]:
    """
    The names of the actions that they offer.
    """
    return frozenset(
        [
            name
            for module in map(__getattr__, __all__)
            for rule in vars(module).values()
            if isinstance(rule, type) and issubclass(rule, HouseRule)
            for name in rule.actions
        ]
    )
