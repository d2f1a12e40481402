"""
Runs chosen by their ends: the lowest card, then the highest.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterable

from rummyvariants.game._chooser.choices import end_of
from rummyvariants.game._chooser.tree import Branch, Node, fork


def by_ends(
    runs: Iterable[tuple[int, int, Callable[[], Node | None]]],
) -> Node:
    """
    Runs by their lowest and then by their highest card.

    Args:
        runs: The codes of both cards, and what grows the branch from there.
    """
    by_low: dict[int, list[Branch]] = {}
    for low, high, grow in runs:
        by_low.setdefault(low, []).append((end_of("high", high), grow))
    return fork(
        [
            (end_of("low", low), functools.partial(fork, found))
            for low, found in by_low.items()
        ]
    )
