"""
The tree of what is offered: a branch for each choice, an action at each end.

It is grown only where somebody looks, and a branch is offered once one legal action is
found on it. To find one, a branch is tried with the cards that are owed and with few
cards first. So that a big hand is no more work than a small one, not more than `LOOKS`
points of one shape's branch are looked at; if no legal action is among them it is not
offered.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rummyvariants.cards import FIELD
from rummyvariants.game._chooser.choices import Choice
from rummyvariants.game._engine.verbs import planned
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action
from rummyvariants.rulings import Objection


MOST_CHOICES: Final = 64
"""More choices than this are never offered at once."""

LOOKS: Final = 250
"""At how many points of one shape's branch a legal action is looked for."""


Branch = tuple[Choice, Callable[[], "Node | None"]]


class Node:
    """
    A point of the tree: an action at an end, or the branches from there.

    Private to the choosers, and changed only in what it remembers of itself.

    Attributes:
        action: The action of an end.
        state: The state that an action is for, unless it is known to be legal.
        wide: Whether each branch is searched by itself, since they are few.
        wanted: Mask of the cards that are tried first.
        leads: Whether a legal action is found on it; None if nobody looked.
    """

    __slots__ = ("_branches", "_grow", "action", "leads", "state", "wanted", "wide")

    def __init__(
        self,
        grow: Callable[[], Iterable[Branch]] | None = None,
        *,
        action: Action | None = None,
        state: State | None = None,
        wide: bool = True,
        wanted: int = 0,
    ) -> None:
        self.action = action
        self.state = state
        self.wide = wide
        self.wanted = wanted
        self.leads: bool | None = None
        self._grow = grow
        self._branches: list[tuple[Choice, Node]] | None = None

    @property
    def branches(self) -> list[tuple[Choice, Node]]:
        """
        The branches, legal or not, those left out that the cards do not fill.
        """
        if self._branches is None:
            self._branches = []
            for choice, grow in self._grow() if self._grow else ():
                node = grow()
                if node is not None:
                    self._branches.append((choice, node))
        return self._branches

    def in_order(self) -> list[Node]:
        """
        The nodes of the branches in the order in which they are tried.
        """
        if self.wide:
            return [node for _, node in self.branches]
        ranked = sorted(self.branches, key=lambda branch: self._rank(branch[0]))
        return [node for _, node in ranked]

    def _rank(self, choice: Choice) -> int:
        if choice.kind == "done":
            return 1
        if choice.kind == "card" and choice.card is not None:
            return 0 if self.wanted & FIELD[choice.card.code] else 2
        return 2


def leads(node: Node) -> bool:
    """
    Whether a branch leads to a legal action, as far as that is looked for.
    """
    return _search(node, [LOOKS])


def _search(node: Node, looks: list[int]) -> bool:
    """
    Whether a legal action is found on a branch, before so many looks are used up.
    """
    if node.leads is None:
        looks[0] -= 1
        if node.action is not None:
            node.leads = _is_legal(node)
        else:
            whole = True
            for branch in node.in_order():
                own = [LOOKS] if node.wide else looks
                if _search(branch, own):
                    node.leads = True
                    break
                whole = whole and own[0] > 0
                if looks[0] <= 0:
                    break
            if whole and node.leads is None:
                node.leads = False
    return bool(node.leads)


def _is_legal(node: Node) -> bool:
    assert node.action is not None  # noqa: S101 -- for the type checker
    if node.state is None:
        return True
    return not isinstance(planned(node.state, node.action), Objection)


def fork(branches: Sequence[Branch], *, wide: bool = True, wanted: int = 0) -> Node:
    """
    Some branches; where there are too many to be offered at once, a range comes first.
    """
    if len(branches) > MOST_CHOICES:
        branches = [
            (
                Choice(f"{some[0][0].number} to {some[-1][0].number}", "numbers"),
                functools.partial(fork, some, wide=wide, wanted=wanted),
            )
            for some in (
                branches[at : at + MOST_CHOICES]
                for at in range(0, len(branches), MOST_CHOICES)
            )
        ]
    return Node(lambda: branches, wide=wide, wanted=wanted)


def asked(branches: Sequence[Branch], wanted: int) -> Node | None:
    """
    Some branches inside of a shape; what is the only one is not asked for.
    """
    if len(branches) == 1:
        return branches[0][1]()
    return fork(branches, wide=False, wanted=wanted) if branches else None
