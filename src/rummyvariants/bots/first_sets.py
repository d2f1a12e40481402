"""
First melds that are worth enough points, where melds are one set of each rank.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator

from rummyvariants.bots.ranks import Holding, Laying, Rank, points_of
from rummyvariants.cards import size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState, terms_of


def points_needed(state: AnyState, seat: int) -> int:
    """
    The points that a seat's first melds need; 0 for none, or if it has melded.
    """
    found = asking.asked_openings(state, seat)
    return max([answer.points for _, _, answer, _ in found], default=0)


def first_sets(
    state: AnyState, holding: Holding, points: int, top: str = ""
) -> Iterator[list[Laying]]:
    """
    Sets that come to some points together, those with few wilds and pairs first.

    Args:
        state: A state after the deal.
        holding: What a hand holds; its side has no meld.
        points: The points.
        top: A rank of which there must be a set of natural cards alone, which comes
            first; empty for none.
    """
    worth = terms_of(state).worth
    sets = [one for one in holding.open if size(one.held) >= holding.least]
    pairs = [one for one in holding.open if size(one.held) == holding.least - 1]
    pairs = [one for one in pairs if one.room]
    sets.sort(key=lambda one: one.name != top)
    if top and not (sets and sets[0].name == top):
        return
    for wilds, paired in itertools.product(
        range(len(holding.wilds) + 1), range(len(pairs) + 1)
    ):
        for number in range(len(sets) + 1):
            if paired > wilds or not number + paired or (top and not number):
                continue
            chosen = [*sets[:number], *pairs[:paired]]
            made = _shared(chosen, holding.wilds[:wilds], holding.least)
            if made is not None and points_of(worth, made) >= points:
                yield made
                break


def _shared(
    ranks: list[Rank], wilds: tuple[int, ...], least: int
) -> list[Laying] | None:
    """
    Sets of all natural cards of some ranks and of some wilds, each wild in one of them.

    Pairs get a wild each, the others go to the sets with most cards.

    Returns:
        None if there are too many wilds.
    """
    given: list[list[int]] = [[] for _ in ranks]
    left = list(wilds)
    for at, rank in enumerate(ranks):
        while size(rank.held) + len(given[at]) < least:
            if not left:
                return None
            given[at].append(left.pop(0))
    for at, rank in sorted(enumerate(ranks), key=lambda one: -one[1].size):
        while left and len(given[at]) < rank.room:
            given[at].append(left.pop(0))
    if left:
        return None
    return [
        (rank, rank.held, tuple(mine)) for rank, mine in zip(ranks, given, strict=True)
    ]
