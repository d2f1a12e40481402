"""
Wilds, counted separately from other cards: which are used, and what they are worth.

A search decides how many wilds it uses, not which. This module says what a number of
wilds is worth, how many can make melds without other cards, and which have to be tried
as cards that stand for themselves.
"""

from __future__ import annotations

import functools
import itertools
import operator

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    FIELD,
    JOKER,
    LANE,
    RANKS,
    UNIT,
    count,
    faces,
    ranks_held,
    size,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._prices import Prices
from rummyvariants.melds.cover._runs import NEVER, roominess


Alone = tuple[tuple[int, bool], ...]
"""Melds of wilds alone: how many cards each has, and whether one stands for itself."""


class Tail(NamedTuple):
    """
    The best use of wilds of which some are in melds with other cards.

    Attributes:
        value: What all wilds that are used are worth.
        more: How many of them are in no meld with other cards.
        melds: The melds of these; none where any number can be laid.
    """

    value: int
    more: int = 0
    melds: Alone = ()

    @property
    def seeds(self) -> int:
        """
        How many of them have to stand for themselves, and so are no jokers.
        """
        return sum([seeded for _, seeded in self.melds])


# --------------------------------------------------------------- in their own places


def splits(terms: Terms, bits: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """
    The wilds of a hand split into those that stand for themselves and all others.

    Yields:
        The cards that stand for themselves, naturals included, with the codes of the
        other wilds; a single split where no wild gains by standing for itself.
    """
    pool = bits & terms.wild_mask
    held = [(code, count(pool, code)) for code in faces(pool)]
    matters = pool > 0 and homes_matter(terms, bits, size(pool))
    most = [copies if matters and code != JOKER else 0 for code, copies in held]
    # Those with few in their own places come first.
    for chosen in itertools.product(*[range(one + 1) for one in reversed(most)]):
        own, away = bits - pool, []
        for (code, copies), home in zip(held, reversed(chosen), strict=True):
            own += home * UNIT[code]
            away += [code] * (copies - home)
        yield own, tuple(away)


def homes_matter(terms: Terms, bits: int, wilds: int) -> bool:
    """
    Whether it can matter if a wild stands for itself, apart from melds of wilds.
    """
    pool = bits & terms.wild_mask & ~FIELD[JOKER]
    if not pool:
        return False
    if not terms.unlimited:
        return terms.own_place_is_natural or terms.lies_beside
    if not terms.lies_beside or wilds < 2:
        return False
    # A wild laid beside a wild gains something only where it has no place in a meld.
    natural = bits & terms.natural_mask
    if terms.distinct and terms.sets:
        for code in faces(pool):
            same = natural & terms.rank_masks[RANKS[(code & 15) - 1]]
            if len(faces(same)) + wilds > len(terms.suits):
                return True
    room = roominess(terms)
    return terms.runs and any(
        ranks_held(bits >> 64 * row).bit_count() + wilds > room
        for row in terms.every_row
        if pool >> 64 * row & LANE
    )


# ------------------------------------------------------------------ what they bring


def tails_of(
    terms: Terms,
    prices: Prices,
    pool: tuple[int, ...],
    *,
    any_number: bool,
    lying: int,
    least: int,
    most: int,
) -> tuple[Tail, ...]:
    """
    The best use of wilds, by how many of them are in melds with other cards.

    Args:
        terms: The terms of the deal.
        prices: What cards are worth.
        pool: The codes of the wilds.
        any_number: Whether any number of further wilds can be laid down.
        lying: How many lie in a meld of wilds alone, to which others are added.
        least: How many at least must be in melds of their own.
        most: How many at most may be.
    """
    alone = {0: ()} if any_number else melds_alone(terms, pool)
    found = []
    for inside in range(len(pool) + 1):
        best = Tail(NEVER)
        for more in range(least, min(len(pool) - inside, most) + 1):
            if any_number or more in alone:
                one = Tail(0, more, () if any_number else alone[more])
                chosen = dearest(prices, pool, inside + more, one.seeds)
                value = sum([prices.cards[code] for code in chosen])
                if more and not one.seeds:
                    value += growth_worth(prices, lying, more)
                if value > best.value:
                    best = one._replace(value=value)
        found.append(best)
    return tuple(found)


def growth_worth(prices: Prices, lying: int, more: int) -> int:
    """
    What so many more wilds make a meld of wilds alone worth besides its cards.
    """
    return prices.of_set(0, lying + more) - prices.of_set(0, lying)


def dearest(
    prices: Prices, pool: Sequence[int], number: int, seeds: int
) -> tuple[int, ...]:
    """
    The most valuable of some wilds, first the least number of those that are no jokers.
    """
    ordered = sorted(pool, key=prices.cards.__getitem__, reverse=True)
    first = [at for at, code in enumerate(ordered) if code != JOKER][:seeds]
    rest = [at for at in range(len(ordered)) if at not in first]
    return tuple([ordered[at] for at in (first + rest)[:number]])


@remembered(1_000)
def melds_alone(terms: Terms, pool: tuple[int, ...]) -> dict[int, Alone]:
    """
    The melds without other cards that wilds can make, by how many they take.

    As few of the wilds as possible have to stand for themselves: one in each set or
    run, and none in a meld of the kind ``wilds``.
    """
    total = len(pool)
    seeds = sum([code != JOKER for code in pool])
    kinds = [(length, True) for length in lengths_alone(terms, pool)]
    if terms.wild_melds:
        most = min(total, terms.most_wild_meld)
        longest = range(most, terms.least_set - 1, -1)
        kinds = [*[(length, False) for length in longest], *kinds]
    found: dict[int, Alone] = {0: ()}
    for number in range(1, total + 1):
        ways = [
            (*found[number - length], (length, seeded))
            for length, seeded in kinds
            if number - length in found
        ]
        ways = [one for one in ways if sum([seeded for _, seeded in one]) <= seeds]
        if ways:
            found[number] = min(ways, key=lambda one: sum([own for _, own in one]))
    return found


def lengths_alone(terms: Terms, pool: Sequence[int]) -> list[int]:
    """
    The lengths of sets and runs of wilds in which one, no joker, stands for itself.
    """
    lengths = {*range(terms.least_set, longest_set_alone(terms, pool) + 1)}
    if terms.runs:
        ranks = functools.reduce(
            operator.or_, [1 << (code & 15) - 1 for code in pool if code != JOKER], 0
        )
        home = int(terms.own_place_is_natural)
        for length, windows in terms.runs_along.by_length.items():
            held = functools.reduce(operator.or_, [one.ranks for one in windows])
            if length <= home + terms.most_in_runs[home] and not ranks & ~held:
                lengths.add(length)
    return sorted(length for length in lengths if length <= len(pool))


def longest_set_alone(terms: Terms, pool: Sequence[int]) -> int:
    """
    The most of some wilds that make a set in which one, no joker, stands for itself.

    That one may count as natural, and so allow more of the others. It may be any of
    them, so the ranks of all must make sets that hold wilds.
    """
    ranks = {RANKS[(code & 15) - 1] for code in pool if code != JOKER}
    if not terms.sets or ranks - {*terms.set_ranks} or ranks & {*terms.natural_ranks}:
        return 0
    home = int(terms.own_place_is_natural)
    most = len(terms.suits) if terms.distinct else len(pool)
    return min(most, terms.most_set, home + terms.most_in_sets[home])
