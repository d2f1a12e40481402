"""How much of a test runs at every change, and how much at night alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import pytest


if TYPE_CHECKING:
    from tiny_decks import TinyDeck


STATES: Final = 2_000
"""How many states of a tiny deck are looked at in one test at every change."""


def rest_is_slow(values: Iterable[Any], number: int) -> list[Any]:
    """
    The values as parameters of a test; those after the first so many are marked slow.
    """
    return [
        value if at < number else pytest.param(value, marks=pytest.mark.slow)
        for at, value in enumerate(values)
    ]


def big_is_slow(decks: Iterable[TinyDeck]) -> list[Any]:
    """
    Tiny decks as parameters of a test of every state; big ones are marked slow.
    """
    return [
        pytest.param(
            deck,
            id=deck.name,
            marks=[pytest.mark.slow] * (deck.slow or deck.counts["states"] > STATES),
        )
        for deck in decks
    ]
