"""
The tree of what may be done, grown only where somebody walks.

A fork is a row of options and where each of them leads: to another fork, to a leaf, or
nowhere. The list of what may be done is all leaves, a sample is a descent at random,
and a chooser shows the options.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, final

from rummyvariants.melds._choices import Choice


RandRange = Callable[[int], int]
"""A source of chance: a number from 0 to below another."""

Node = Any
"""A `Fork`, a leaf, which is anything else, or None where no leaf is."""


@final
class Fork:
    """
    A point of the tree from which several branches go.

    Attributes:
        options: What may be chosen: a sequence of whatever branches are known by, or
            `Lazily` one.
        go: Gives the node that an option leads to.
        name: Gives the choice that an option is.
        wide: Whether each branch is searched by itself, since they are few.
        kept: Gives all leaves at once, where they are known; None where they are not.
    """

    __slots__ = ("go", "kept", "name", "options", "wide")

    def __init__(
        self,
        options: Sequence[Any] | Lazily,
        go: Callable[[Any], Node],
        name: Callable[[Any], Choice],
        wide: bool = False,  # noqa: FBT001, FBT002 -- made by the thousand
        kept: Callable[[], Iterable[Any]] | None = None,
    ) -> None:
        self.options = options
        self.go = go
        self.name = name
        self.wide = wide
        self.kept = kept


@final
class Lazily:
    """
    Options of a fork that are worked out as far as somebody looks at them.

    There is one at least, and a leaf behind each of them.

    Args:
        begin: Gives them one by one, from the first, whenever it is called.
    """

    __slots__ = ("_begin", "_found")

    def __init__(self, begin: Callable[[], Iterable[Any]]) -> None:
        self._begin = begin
        self._found: list[Any] | None = None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._begin() if self._found is None else self._found)

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, at: int) -> Any:
        return self._all()[at]

    def _all(self) -> list[Any]:
        if self._found is None:
            self._found = list(self._begin())
        return self._found


def fork(
    options: Sequence[Any],
    go: Callable[[Any], Node],
    name: Callable[[Any], Choice],
    wide: bool = False,  # noqa: FBT001, FBT002 -- as for `Fork`
    kept: Callable[[], Iterable[Any]] | None = None,
) -> Node:
    """
    A fork; what is the only option is not asked for.
    """
    if len(options) == 1:
        return go(options[0])
    return Fork(options, go, name, wide, kept) if options else None


def leaves(node: Node) -> Iterator[Any]:
    """
    All leaves of a tree, in the order of the options.
    """
    if not isinstance(node, Fork):
        if node is not None:
            yield node
        return
    path = []
    options, go = iter(node.options), node.go
    while True:
        for option in options:
            child = go(option)
            if child is None:
                continue
            if not isinstance(child, Fork):
                yield child
            elif child.kept is not None:
                yield from child.kept()
            else:
                path.append((options, go))
                options, go = iter(child.options), child.go
                break
        else:
            if not path:
                return
            options, go = path.pop()


def gather(node: Node, most: int, found: list[Any]) -> None:
    """
    Add all leaves of a tree to a list, in the order in which `leaves` gives them.

    Args:
        node: The tree.
        most: How many leaves are wanted at most; one more tells that there are others.
        found: The list.
    """
    if not isinstance(node, Fork):
        if node is not None:
            found.append(node)
        return
    if node.kept is not None:
        found += itertools.islice(node.kept(), most + 1 - len(found))
        return
    go = node.go
    for option in node.options:
        child = go(option)
        if isinstance(child, Fork):
            gather(child, most, found)
        elif child is not None:
            found.append(child)
        if len(found) > most:
            return


def descend(fork: Fork, randrange: RandRange, looks: list[int]) -> Any:
    """
    A leaf at random, at each fork by one of the branches that lead to a leaf.

    Args:
        fork: Where to begin.
        randrange: A source of chance.
        looks: How many dead ends may be met, counted down.

    Returns:
        None if no leaf was found.
    """
    go = fork.go
    options: Any = fork.options
    left = len(options)
    while left:
        at = randrange(left) if left > 1 else 0
        child = go(options[at])
        if child is None:
            looks[0] -= 1
        elif isinstance(child, Fork):
            child = descend(child, randrange, looks)
        if child is not None or looks[0] <= 0:
            return child
        if left == len(options):
            options = list(options)
        left -= 1
        options[at] = options[left]
    return None
