"""
The stepwise form: the tree of choices, asked word by word.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any, final

from rummyvariants.actions import Action
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._offered import offered, wanted_in
from rummyvariants.game._state import Leaf
from rummyvariants.game.verbs._known import VERBS, tree_of
from rummyvariants.learning._vocabulary import Vocabulary, vocabulary_of
from rummyvariants.melds._tree import Fork, Node
from rummyvariants.rules import Ruleset


Way = tuple[tuple[int, ...], Node]
"""A choice as it is spelled, and the node that it leads to."""


@final
class Asked:
    """
    A question about an action that is chosen word by word.

    Attributes:
        answers: By index, the choices that go on with that word.
    """

    def __init__(self, walk: _Walk, answers: dict[int, list[Way]], depth: int) -> None:
        self.answers = answers
        self._walk = walk
        self._depth = depth

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """
        The indices that answer it, lowest first.
        """
        return tuple(sorted(self.answers))

    def after(self, index: int) -> Asked | Leaf:
        """
        What follows one of its answers: another question, or the action with its plan.
        """
        return self._walk.narrowed(self.answers[index], self._depth + 1)

    def toward(self, action: Action, taken: tuple[int, ...]) -> list[int]:
        """
        The indices that may lead to an action, the likely ones first.

        Likely is a word of which the text of the action holds more than were taken.
        """
        vocabulary = self._walk.vocabulary
        if not taken:
            verb = vocabulary.spelled[VERBS[type(action)].name_of(action)][0]
            return [verb] if verb in self.answers else []
        named = str(action).replace("=", " ").split()
        words = Counter(named)
        words.update({letter for one in named for letter in one})

        def unlikely(index: int) -> bool:
            label = vocabulary.labels[index]
            most = max([words[one] for one in (label, *label.split())])
            return most <= taken.count(index)

        return sorted(self.indices, key=unlikely)


@final
class _Walk:
    """
    What all questions about one action share.
    """

    __slots__ = ("_wanted", "vocabulary")

    def __init__(self, vocabulary: Vocabulary, wanted: int) -> None:
        self.vocabulary = vocabulary
        self._wanted = wanted

    def ways(self, node: Fork) -> list[Way]:
        """
        The choices at a fork that lead to an action.
        """
        found = offered(node.in_parts(), self._wanted)
        if len(found) == 1:
            return [((), found[0][1])]  # nobody is asked
        spelled = self.vocabulary.spelled
        return [(spelled[one.text], to) for one, to in found]

    def narrowed(self, ways: list[Way], depth: int) -> Asked | Leaf:
        """
        The next question that has several answers; the action if there is none.

        Args:
            ways: The choices that begin with the words given so far.
            depth: How many words of them were given.
        """
        while True:
            while len(ways) > 1:
                groups = self.grouped(ways, depth)
                if len(groups) > 1:
                    return Asked(self, groups, depth)
                depth += 1
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
            word = words[depth] if depth < len(words) else self.vocabulary.end
            groups.setdefault(word, []).append(way)
        return groups


@final
class Stepwise:
    """
    The stepwise form of the actions of some rules.

    Attributes:
        labels: By index, the word.
    """

    __slots__ = ("_vocabulary", "labels")

    def __init__(self, rules: Ruleset, players: int) -> None:
        self._vocabulary = vocabulary_of(rules, players)
        self.labels = self._vocabulary.labels

    def ask(self, state: AnyState, seat: int) -> Asked:
        """
        The first question to a seat that may act; it may have a single answer.
        """
        wanted, spelled = wanted_in(state), self._vocabulary.spelled
        walk = _Walk(self._vocabulary, wanted)
        verbs = offered(tree_of(state, seat), wanted)
        ways = [(spelled[one.text], to) for one, to in verbs]
        return Asked(walk, walk.grouped(ways, 0), 0)
