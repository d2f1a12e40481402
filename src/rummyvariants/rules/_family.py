"""
Games beside each other: how far apart they are, and a tree that joins the nearest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rules.sheet.brief import NONE, brief


@attrs.frozen
class Relative:
    """
    A game beside another one.

    Attributes:
        game: The game.
        beside: The game that it is compared with; None for the root of a tree.
        depth: How many links of the tree lead to the root.
        distance: The number of policy values in which the two differ.
        changes: The questions that the game answers in another way, with its answers.
            The most unusual come first: few of the games give this answer, and few
            relatives differ in the question.
    """

    game: Ruleset
    beside: Ruleset | None
    depth: int
    distance: int
    changes: tuple[tuple[str, str], ...]


def distance(one: Ruleset, other: Ruleset) -> int:
    """
    The number of policy values in which two games differ.
    """
    return len({".".join(found.value.split(".")[:2]) for found in one.diff(other)})


def tree(games: Sequence[Ruleset]) -> tuple[Relative, ...]:
    """
    Games in the tree with the smallest sum of distances.

    Every game is joined to the one that it is nearest to, which is above or below it.
    The root is the game that is nearest to all others together. Of equal distances,
    the game named first decides.

    Args:
        games: The games, one or more.

    Returns:
        The root, then each game after the one that it is beside, the nearest first.
    """
    everyone = range(len(games))
    far = [[distance(one, other) for other in games] for one in games]
    root = min(everyone, key=lambda one: sum(far[one]))
    beside = {root: root}
    while len(beside) < len(games):
        _, one, other = min(
            (far[one][other], place, other)
            for place, one in enumerate(beside)
            for other in everyone
            if other not in beside
        )
        beside[other] = [*beside][one]

    def below(one: int, depth: int) -> Iterator[tuple[int, int]]:
        yield one, depth
        others = [other for other in beside if beside[other] == one != other]
        for other in sorted(others, key=lambda other: (far[one][other], other)):
            yield from below(other, depth + 1)

    return _with_changes(
        [
            Relative(
                games[one],
                None if one == root else games[beside[one]],
                depth,
                far[one][beside[one]],
                (),
            )
            for one, depth in below(root, 0)
        ]
    )


def nearest(game: Ruleset, others: Sequence[Ruleset]) -> tuple[Relative, ...]:
    """
    Other games beside a game, the nearest first.
    """
    found = [Relative(one, game, 1, distance(game, one), ()) for one in others]
    return _with_changes(sorted(found, key=lambda one: one.distance))


def _with_changes(relatives: Sequence[Relative]) -> tuple[Relative, ...]:
    """
    Relatives with what each of them changes.
    """
    briefs = [brief(one.game) for one in relatives]
    changed = []
    for one, mine in zip(relatives, briefs, strict=True):
        theirs = brief(one.beside or one.game)
        changed.append([pair for pair in mine.items() if pair not in theirs.items()])
    often = Counter(question for pairs in changed for question, _ in pairs)
    shared = Counter(pair for mine in briefs for pair in mine.items())

    def usual(pair: tuple[str, str]) -> int:
        return often[pair[0]] + shared[pair]

    return tuple(
        attrs.evolve(one, changes=tuple(sorted(pairs, key=usual)))
        for one, pairs in zip(relatives, changed, strict=True)
    )


def answers(games: Sequence[Ruleset]) -> dict[str, dict[str, list[Ruleset]]]:
    """
    By question, every answer with the games that give it.

    Questions that come up in none of the games are left out.
    """
    found: dict[str, dict[str, list[Ruleset]]] = {}
    for game in games:
        for question, text in brief(game).items():
            found.setdefault(question, {}).setdefault(text, []).append(game)
    return {question: by for question, by in found.items() if [*by] != [NONE]}
