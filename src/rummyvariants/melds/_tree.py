"""
The tree of what may be done, grown only where it is walked.

A fork is a row of options, each of which leads to another fork, to a leaf, or nowhere.
The list of what may be done is all leaves, a sample is a random descent, and a chooser
shows the options.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, final

from rummyvariants.melds._choices import Choice


RandRange = Callable[[int], int]
"""A source of chance: called with a number, it gives one from 0 to below it."""

Node = Any
"""A `Fork`; a leaf, which is anything else; or None if there is no leaf."""


class Fork:
    """
    A point of the tree from which several branches go.

    Each kind of fork is a class that holds what its branches grow from. Nested
    functions would be made anew at each point and refer to each other.
    """

    __slots__ = ("_options",)

    _wide: bool = False

    def __init__(self, options: Sequence[Any] | Lazily | None) -> None:
        self._options: Any = options

    @property
    def options(self) -> Sequence[Any] | Lazily:
        """
        What may be chosen: any values that identify branches, perhaps made `Lazily`.
        """
        if self._options is None:
            self._options = self.grow()
        found: Sequence[Any] | Lazily = self._options
        return found

    def grow(self) -> Sequence[Any]:
        """
        The options, where they are not known from the beginning.
        """
        raise NotImplementedError

    @property
    def wide(self) -> bool:
        """
        Whether each branch is searched separately, since they are few.
        """
        return self._wide

    def go(self, option: Any) -> Node:
        """
        The node that an option leads to.
        """
        raise NotImplementedError

    def name(self, option: Any) -> Choice:
        """
        The choice that an option is.
        """
        raise NotImplementedError

    @property
    def summary(self) -> Any:
        """
        What stands for all leaves where one is the best of them; None if none is.
        """
        return None

    def best(self) -> Node:
        """
        The leaf that `summary` means.
        """
        raise NotImplementedError

    def in_parts(self) -> Fork:
        """
        The fork itself, or one that asks part by part for what it asks as a whole.
        """
        return self

    def node(self) -> Node:
        """
        The fork itself, or where its only option leads.
        """
        options = self.options
        if len(options) == 1:
            return self.go(options[0])
        return self if options else None


class Known(Fork):
    """
    A fork that knows its leaves without a walk.
    """

    __slots__ = ()

    def every(self) -> Iterable[Any]:
        """
        All leaves, in their order.
        """
        raise NotImplementedError

    def listed(self) -> Sequence[Any] | None:
        """
        The same as a sequence whose length is known.

        Its items may be made when they are looked at.

        Returns:
            None if each leaf has to be asked whether it is one.
        """
        return None


@final
class Branches(Fork):
    """
    A fork made of functions, for what is seldom grown.
    """

    __slots__ = ("_go", "_name", "_wide")

    def __init__(
        self,
        options: Sequence[Any] | Lazily,
        go: Callable[[Any], Node],
        name: Callable[[Any], Choice],
        *,
        wide: bool = False,
    ) -> None:
        self._options: Any = options
        self._wide = wide
        self._go = go
        self._name = name

    def go(self, option: Any) -> Node:
        """
        The node that an option leads to.
        """
        return self._go(option)

    def name(self, option: Any) -> Choice:
        """
        The choice that an option is.
        """
        return self._name(option)


@final
class Lazily:
    """
    Options of a fork that are worked out only as far as they are used.

    There is at least one, and a leaf behind each of them.

    Args:
        begin: Yields them one by one, from the first, whenever it is called.
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


def gather(nodes: Iterable[Node], most: int, parts: list[Any]) -> int:
    """
    Add all leaves of some trees to a list, in parts, in the order of the options.

    Args:
        nodes: The trees.
        most: If so many leaves had to be listed, others may be left out.
        parts: What is added to: lists of leaves, the last part among them, and
            sequences that make them.

    Returns:
        How many leaves had to be listed.
    """
    number, last = 0, parts[-1]
    for node in nodes:
        if not isinstance(node, Fork):
            if node is not None:
                last.append(node)
                number += 1
            continue
        if not isinstance(node, Known):
            number += gather(map(node.go, node.options), most, parts)
            last = parts[-1]
        elif (listed := node.listed()) is not None:
            last = []
            parts += [listed, last]
        else:
            some = [*itertools.islice(node.every(), most)]
            last += some
            number += len(some)
        if number >= most:
            break
    return number


def leaves(node: Node) -> Iterator[Any]:
    """
    All leaves of a tree, in the order of the options.
    """
    if not isinstance(node, Fork):
        if node is not None:
            yield node
        return
    path = []
    fork, options = node, iter(node.options)
    while True:
        for option in options:
            child = fork.go(option)
            if child is None:
                continue
            if not isinstance(child, Fork):
                yield child
            elif isinstance(child, Known):
                yield from child.every()
            else:
                path.append((fork, options))
                fork, options = child, iter(child.options)
                break
        else:
            if not path:
                return
            fork, options = path.pop()


def descend(fork: Fork, randrange: RandRange, looks: list[int]) -> Any:
    """
    A random leaf, reached at each fork by one of the branches that lead to a leaf.

    Args:
        fork: Where to begin.
        randrange: A source of chance.
        looks: How many dead ends may be met, counted down.

    Returns:
        None if no leaf was found.
    """
    options: Any = fork._options or fork.options
    left = len(options)
    while left:
        at = randrange(left) if left > 1 else 0
        child = fork.go(options[at])
        if child is None:
            looks[0] -= 1
        elif isinstance(child, Fork):
            if left == 1:
                fork, options = child, child._options or child.options
                left = len(options)
                continue
            child = descend(child, randrange, looks)
        if child is not None or looks[0] <= 0:
            return child
        if left == len(options):
            options = list(options)
        left -= 1
        options[at] = options[left]
    return None
