"""
Branches without what house rules forbid.
"""

from __future__ import annotations

from typing import Any, final

from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.offers import Branch
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.melds._choices import Choice
from rummyvariants.melds._tree import Fork, Node


@final
class _Vetoed(Fork):
    """
    A branch without the leaves that rules forbid.
    """

    __slots__ = ("_fork", "_state")

    def __init__(self, fork: Fork, state: AnyState) -> None:
        self._fork, self._state = fork, state
        self._options = fork.options

    @property
    def wide(self) -> bool:
        return self._fork.wide

    def go(self, option: Any) -> Node:
        return _without_vetoes(self._fork.go(option), self._state)

    def name(self, option: Any) -> Choice:
        return self._fork.name(option)


def _without_vetoes(node: Node, state: AnyState) -> Node:
    """
    A tree without the actions that rules forbid.
    """
    if isinstance(node, Fork):
        return _Vetoed(node, state)
    if node is None or asking.forbidden(state, *node) is not None:
        return None
    return node


def obeying_vetoes(offer: Branch, state: AnyState, seat: int) -> Node:
    """
    A branch, grown without the actions that rules forbid.
    """
    return _without_vetoes(offer(state, seat), state)
