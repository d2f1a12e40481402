"""
The goals of an arrangement, as the value of each card used.
"""

from __future__ import annotations

from typing import Final

from rummyvariants._support.memos import remembered
from rummyvariants._support.words import listed
from rummyvariants.cards import CARDS, CODES
from rummyvariants.errors import RummyError, nearest
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._prices import FIRST, Prices, of_points
from rummyvariants.melds.cover._search import Cover
from rummyvariants.rules._ruleset import Ruleset


GOALS: Final = ("most points", "least points left", "least cards left", "out")


LIMIT: Final = 60_000
"""How many nodes are looked at by default."""
ANY: Final = "any turn"
STAYS: Final = "a turn that does not go out"
WHOLE: Final = "a turn that plays all cards but one at most"
OWED: Final = FIRST << 24
"""The worth of playing a card that must be played, beyond everything else."""
EACH: Final = OWED << 10
"""The worth of playing a card where all must be played."""


class ArrangeError(RummyError, ValueError):
    """
    A question about an arrangement that has no answer.
    """


def check_goal(goal: str) -> None:
    """
    Refuse an unknown goal.

    Raises:
        ArrangeError: If the goal is unknown.
    """
    if goal not in GOALS:
        goals = f"the goals are {listed(map(repr, GOALS))}"
        hint = nearest(str(goal), GOALS, listed=goals)
        also = "" if hint.endswith(goals) else f" ({goals})"
        msg = f"there is no goal {goal!r}{hint}{also}"
        raise ArrangeError(msg)


def check_limit(limit: int | None) -> None:
    """
    Refuse a negative limit.

    Raises:
        ArrangeError: If the limit is negative.
    """
    if limit is not None and limit < 0:
        msg = f"limit is {limit}, but cannot be negative"
        raise ArrangeError(msg)


@remembered(8)
def low_aces(terms: Terms, rules: Ruleset) -> tuple[int, ...]:
    """
    By row, the points of an ace that is low in a run.
    """
    found = []
    for code in range(1, CODES, 16):
        path = rules.score.question(code, wild=terms.wild[code], low_ace=True)
        is_low = path == "score.low_ace"
        found.append(terms.low_ace if is_low else terms.worth[code])
    return tuple(found)


@remembered(8)
def prices(terms: Terms, rules: Ruleset, goal: str) -> Prices:
    """
    How much the use of each card is worth for a goal.

    Of equally good arrangements, the one with more cards in melds is better; where
    cards count, the one with more points.
    """
    worth, low = terms.worth, low_aces(terms, rules)
    faces = [bool(card.rank) for card in CARDS]
    if goal == "most points":
        natural, mixed, alone = rules.score.canastas
        return Prices(
            tuple(points * FIRST + 1 for points in worth),
            tuple(points * FIRST + 1 for points in low),
            (rules.out.canasta, natural * FIRST, mixed * FIRST, alone * FIRST),
        )
    if goal == "least points left":
        return of_points(worth)
    return Prices(
        tuple(
            is_face * FIRST + points
            for is_face, points in zip(faces, worth, strict=True)
        ),
        tuple(FIRST + points for points in low),
    )


@remembered(32)
def cover(
    terms: Terms,
    rules: Ruleset,
    goal: str,
    turn: str = ANY,
    owed: tuple[int, ...] = (),
    melds: bool = True,  # noqa: FBT001, FBT002 -- remembered by what it is given
) -> Cover:
    """
    The search for a goal, with tables that hands of one deal share.

    Args:
        terms: The terms of the deal.
        rules: The rules.
        goal: The goal.
        turn: What turns are looked for: `ANY`, `STAYS` or `WHOLE`.
        owed: The codes of cards whose use comes before everything else.
        melds: Whether new melds may be made.
    """
    found = prices(terms, rules, goal)
    last = rules.meld.last_ranks
    if turn == STAYS and last:
        kept = [one for one in terms.set_ranks if one not in last]
        terms = terms.changed(set_ranks="".join(kept))
    if not melds:
        terms = terms.changed(runs=False, sets=False, wild_melds=False, alike=False)
    if turn == WHOLE:
        found = found.raised(range(len(CARDS)), EACH)
    return Cover(terms, found.raised(owed, OWED) if owed else found)
