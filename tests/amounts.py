"""How much of a test runs at every change, and how much at night alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pytest


if TYPE_CHECKING:
    from tiny_decks import TinyDeck


def rest_is_slow(values: Iterable[Any], number: int) -> list[Any]:
    """
    The values as parameters of a test; those after the first so many are marked slow.
    """
    return [
        value if at < number else pytest.param(value, marks=pytest.mark.slow)
        for at, value in enumerate(values)
    ]


def every_third(
    values: Iterable[Any], others: pytest.MarkDecorator = pytest.mark.long
) -> list[Any]:
    """
    The values as parameters of a test; those between the third ones have a mark.
    """
    return [
        value
        if at % 3 == 0
        else pytest.param(
            *(value if isinstance(value, tuple) else [value]), marks=others
        )
        for at, value in enumerate(values)
    ]


def big_is_slow(decks: Iterable[TinyDeck]) -> list[Any]:
    """
    Tiny decks as parameters of a test of every state; big ones are marked slow.
    """
    return [
        pytest.param(deck, id=deck.name, marks=[pytest.mark.slow] * deck.is_big)
        for deck in decks
    ]


def every_so_many(decks: Iterable[TinyDeck], every: int, *, big: bool) -> list[Any]:
    """
    Tiny decks, and of how many states one is looked at, as parameters of a test.

    Args:
        decks: The decks.
        every: Of how many states one is looked at.
        big: Whether big decks are among them.
    """
    return [
        pytest.param(deck, every, id=deck.name)
        for deck in decks
        if big or not deck.is_big
    ]
