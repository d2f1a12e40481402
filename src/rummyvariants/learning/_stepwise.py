"""
The stepwise form: the tree of choices, asked word by word.
"""

from __future__ import annotations

from typing import Any, final

from rummyvariants.game._chooser import offered, wanted_in
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._engine.verbs import tree_of
from rummyvariants.game._state import Leaf
from rummyvariants.learning._vocabulary import Vocabulary
from rummyvariants.melds._tree import Fork, Node


Way = tuple[tuple[int, ...], Node]
"""A choice as it is spelled, and the node that it leads to."""


@final
class Question:
    """
    A question about an action that is chosen word by word.

    Attributes:
        indices: The indices that answer it, lowest first.
    """

    __slots__ = ("_depth", "_walk", "_ways", "indices")

    def __init__(self, walk: _Walk, ways: dict[int, list[Way]], depth: int) -> None:
        self.indices = tuple(sorted(ways))
        self._walk = walk
        self._ways = ways
        self._depth = depth

    def after(self, index: int) -> Question | Leaf:
        """
        What follows one of its answers: another question, or the action with its plan.
        """
        return self._walk.narrowed(self._ways[index], self._depth + 1)


@final
class _Walk:
    """
    What all questions about one action share.
    """

    __slots__ = ("_vocabulary", "_wanted")

    def __init__(self, vocabulary: Vocabulary, wanted: int) -> None:
        self._vocabulary = vocabulary
        self._wanted = wanted

    def ways(self, node: Node) -> list[Way]:
        """
        The choices at a node that lead to an action.
        """
        spelled = self._vocabulary.spelled
        return [
            (spelled(choice.text), there)
            for choice, there in offered(node, self._wanted)
        ]

    def narrowed(self, ways: list[Way], depth: int) -> Question | Leaf:
        """
        The next question that has several answers; the action if there is none.

        Args:
            ways: The choices that begin with the words given so far.
            depth: How many words of them were given.
        """
        while True:
            if len(ways) > 1:
                groups = self.grouped(ways, depth)
                if len(groups) > 1:
                    return Question(self, groups, depth)
                depth += 1
                continue
            node: Any = ways[0][1]
            if not isinstance(node, Fork):
                return node  # type: ignore[no-any-return]
            ways, depth = self.ways(node), 0

    def grouped(self, ways: list[Way], depth: int) -> dict[int, list[Way]]:
        """
        Choices by the word that comes after so many words.
        """
        groups: dict[int, list[Way]] = {}
        for way in ways:
            words = way[0]
            word = words[depth] if depth < len(words) else self._vocabulary.end
            groups.setdefault(word, []).append(way)
        return groups


def first_question(vocabulary: Vocabulary, state: AnyState, seat: int) -> Question:
    """
    What a seat is asked first; nothing can be answered where it may not act.
    """
    walk = _Walk(vocabulary, wanted_in(state))
    acts = state.frames[-1].waiting >> seat & 1
    ways = walk.ways(tree_of(state, seat)) if acts else []
    return Question(walk, walk.grouped(ways, 0), 0)
