"""
Which branches of the tree of choices lead to a legal action.
"""

from __future__ import annotations

import functools

from typing import Any, Final

from rummyvariants.cards import FIELD, faces, pack
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.melds._choices import Choice
from rummyvariants.melds._tree import Fork, Lazily, Node


MOST_LOOKS: Final = 250
"""The most points at which a legal action is looked for in the branch of one shape."""


def offered(node: Node, wanted: int) -> list[tuple[Choice, Node]]:
    """
    The choices at a fork, each with the node that it leads to.

    They are those behind which a legal action is found.

    Args:
        node: The fork; anything else has no choices.
        wanted: What `wanted_in` says of the state.
    """
    found: list[tuple[Choice, Node]] = []
    if not isinstance(node, Fork):
        return found
    for option in node.options:
        there = node.go(option)
        if isinstance(there, Fork):
            there = past_single(there)
            if isinstance(there, Fork) and not leads(there, wanted):
                continue
        if there is not None:
            found.append((node.name(option), there))
    return found


def past_single(node: Node) -> Node:
    """
    Where a node leads by itself: inside of a shape there may be nothing to ask.
    """
    while isinstance(node, Fork) and not node.wide and len(node.options) == 1:
        node = node.go(node.options[0])
    return node


def leads(node: Node, wanted: int) -> bool:
    """
    Whether a legal action is found on a branch, the cards of a mask tried first.
    """
    return _leads(node, wanted, [MOST_LOOKS])


def _leads(node: Node, wanted: int, looks: list[int]) -> bool:
    """
    The same; the number of points that may be looked at is counted down.
    """
    looks[0] -= 1
    if not isinstance(node, Fork):
        return node is not None
    options = node.options
    if isinstance(options, Lazily):
        return True
    if wanted and not node.wide:
        options = sorted(options, key=functools.partial(_rank, node, wanted))
    for option in options:
        if _leads(node.go(option), wanted, [MOST_LOOKS] if node.wide else looks):
            return True
        if looks[0] <= 0:
            break
    return False


def _rank(fork: Fork, wanted: int, option: Any) -> bool:
    card = fork.name(option).card
    return card is None or not wanted & FIELD[card.code]


def wanted_in(state: AnyState) -> int:
    """
    Mask of the cards to try first: those owed, or in a call those called.
    """
    if state.phase == "call":
        return sum([FIELD[code] for code in faces(pack(state._discards))])
    duties = state.drawn.duties
    return sum({FIELD[duty.code] for duty in duties}) if duties else 0
