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

from collections.abc import Iterable, Iterator, Sequence

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
from rummyvariants.melds.dividing._prices import Prices
from rummyvariants.melds.dividing._runs import LANES, NEVER, roominess


# --------------------------------------------------------------- in their own places


def counted_ranks(terms: Terms, suit: int) -> int:
    """
    The ranks of a suit, as bits, whose cards count as wild in their own places.
    """
    if terms.own_place_is_natural:
        return 0
    return sum(
        [terms.wild[16 * suit + number + 1] << number for number in range(len(RANKS))]
    )


def wild_choices(terms: Terms, bits: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """
    The wilds of a hand split into those that stand for themselves and all others.

    Yields:
        The cards that stand for themselves, naturals included, with the codes of the
        other wilds; a single choice where no wild gains by standing for itself.
    """
    pool = bits & terms.wild_mask
    if not pool:
        yield bits, ()
        return
    natural = bits - pool
    held = [(code, count(pool, code)) for code in faces(pool)]
    homes = [range(1) for _ in held]
    if homes_matter(terms, bits, size(pool)):
        homes = [range(1 if code == JOKER else copies + 1) for code, copies in held]
    for chosen in itertools.product(*reversed(homes)):
        own = natural
        away: list[int] = []
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
            if sum([1 for _ in faces(same)]) + wilds > len(terms.suits):
                return True
    return terms.runs and any(
        ranks_held(bits >> lane).bit_count() + wilds
        > roominess(terms.track, terms.least_run)
        for lane in LANES
        if pool >> lane & LANE
    )


# ------------------------------------------------------------------ what they bring


def tails_of(
    terms: Terms,
    prices: Prices,
    pool: tuple[int, ...],
    *,
    any_number: bool,
    lying: int = 0,
    least: int = 0,
) -> tuple[int, ...]:
    """
    The value of all wilds that are used, by how many are in melds with other cards.

    Wilds may make melds among themselves as well.

    Args:
        terms: The terms of the deal.
        prices: What cards are worth.
        pool: The codes of the wilds.
        any_number: Whether any number of further wilds can be laid down.
        lying: How many lie in a meld of wilds alone, to which others are added.
        least: How many at least must be in melds of their own.

    Returns:
        By the number in melds with other cards, the value, `NEVER` for none.
    """
    total = len(pool)
    if not total:
        return (NEVER if least else 0,)
    best = [among(prices, pool, number, 0) for number in range(total + 1)]
    extra = alone(terms, pool)
    tails = []
    for number in range(total + 1):
        values = []
        if not least:
            values = [sum([prices.cards[code] for code in best[number]])]
        for more in range(max(1, least), total - number + 1):
            homes = 0 if any_number else extra.get(more, -1)
            if homes >= 0:
                chosen = among(prices, pool, number + more, homes)
                value = sum([prices.cards[code] for code in chosen])
                values.append(value + (0 if homes else grown(prices, lying, more)))
        tails.append(max(values, default=NEVER))
    return tuple(tails)


def grown(prices: Prices, lying: int, more: int) -> int:
    """
    What so many more wilds make a meld of wilds alone worth besides its cards.
    """
    return prices.of_set(0, lying + more) - prices.of_set(0, lying)


def among(
    prices: Prices, pool: Sequence[int], number: int, homes: int
) -> tuple[int, ...]:
    """
    The most valuable of some wilds, with a least number of them that are not jokers.
    """
    ordered = sorted(pool, key=prices.cards.__getitem__, reverse=True)
    first = [at for at, code in enumerate(ordered) if code != JOKER][:homes]
    rest = [at for at in range(len(ordered)) if at not in first]
    return tuple([ordered[at] for at in (first + rest)[:number]])


@remembered(1_000)
def alone(terms: Terms, pool: tuple[int, ...]) -> dict[int, int]:
    """
    The numbers of wilds that can make melds without other cards.

    Returns:
        For each number of wilds, how many of them at least stand for themselves: one in
        each set or run, and none in a meld of the kind ``wilds``.
    """
    total = len(pool)
    found = {0: 0}
    lengths = alone_lengths(terms, pool)
    for melds in range(sum([code != JOKER for code in pool]) if lengths else 0):
        for number in [one for one, used in found.items() if used == melds]:
            for length in lengths:
                found.setdefault(number + length, melds + 1)
    del found[0]
    if terms.wild_melds:
        found.update(dict.fromkeys(range(terms.least_set, total + 1), 0))
    return {number: melds for number, melds in found.items() if number <= total}


def alone_lengths(terms: Terms, pool: Sequence[int]) -> list[int]:
    """
    The lengths of sets and runs of wilds in which one, no joker, stands for itself.
    """
    lengths = {*range(terms.least_set, longest_set_alone(terms, len(pool)) + 1)}
    if terms.runs:
        ranks = _together([1 << (code & 15) - 1 for code in pool if code != JOKER])
        home = int(terms.own_place_is_natural)
        most = home + terms.most_in_runs[home]
        lengths.update(
            length
            for length, windows in terms.runs_along.by_length.items()
            if length <= most and not ranks & ~_together([held for _, held in windows])
        )
    return sorted(length for length in lengths if length <= len(pool))


def _together(masks: Iterable[int]) -> int:
    """
    All bits of some masks.
    """
    return functools.reduce(operator.or_, masks, 0)


def longest_set_alone(terms: Terms, wilds: int) -> int:
    """
    The most of some wilds that make a set in which one, no joker, stands for itself.

    That one may count as natural, and so allow more of the others.
    """
    if not terms.sets:
        return 0
    home = int(terms.own_place_is_natural)
    most = len(terms.suits) if terms.distinct else wilds
    return min(most, home + terms.most_in_sets[home])
