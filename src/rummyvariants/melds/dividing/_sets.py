"""
The sets of one rank: which of its cards, and how many wilds, can go into sets.

The cards of a rank form a *pattern*: three bits for each suit, 64 bits apart, as in a
multiset shifted so that the rank lies at the bottom.
"""

from __future__ import annotations

import functools
import itertools

from typing import Final

import attrs

from rummyvariants.cards import RANKS, SUITS
from rummyvariants.melds._tables import ANY_NUMBER, Terms
from rummyvariants.melds.dividing._runs import may_hold


PATTERN: Final = 7 | 7 << 64 | 7 << 128 | 7 << 192
"""All cards of a rank, as a pattern."""
NATURAL_JOKERS: Final = 13
"""The number of the rank of jokers that are not wild, after all other ranks."""


@attrs.frozen(cache_hash=True)
class SetRules:
    """
    What decides which sets of a rank are possible.

    Attributes:
        places: The suits of the deck as bits, c d h s, where a set holds at most one
            card of each suit, wilds by what they stand for; otherwise 0.
        single: Suits, as bits, of which a set holds at most one card as itself, where
            suits matter for natural cards alone.
        least: The least number of cards of a set.
        most_wilds: The most wilds of a set, as in `Terms`.
        counted: Suits, as bits, whose cards count as wild in their own places.
        beside: Whether a real card may lie beside the wild that stands for it.
    """

    places: int
    single: int
    least: int
    most_wilds: tuple[int, ...]
    counted: int
    beside: bool


def set_rules(terms: Terms, number: int) -> SetRules:
    """
    What decides which sets of a rank are possible.
    """
    rank = RANKS[number] if number < len(RANKS) else "*"
    if not terms.sets or (rank != "*" and rank not in terms.set_ranks):
        return _set_rules(0, 0, 99, terms.most_in_sets, 0, beside=False)
    most = terms.most_in_sets
    natural = rank in terms.natural_ranks
    if natural:
        most = (0,) * len(most)
    places = single = counted = 0
    for suit in range(4):
        wild = terms.wild[16 * suit + number + 1]
        if terms.distinct and SUITS[suit] in terms.suits:
            places |= 1 << suit
        if not (wild or terms.twins):
            single |= 1 << suit
        if wild and (natural or not terms.own_place_is_natural):
            counted |= 1 << suit
    return _set_rules(
        places, single, terms.least_set, most, counted, beside=terms.lies_beside
    )


@functools.lru_cache(maxsize=256)
def _set_rules(
    places: int,
    single: int,
    least: int,
    most_wilds: tuple[int, ...],
    counted: int,
    beside: bool,  # noqa: FBT001
) -> SetRules:
    return SetRules(places, single, least, most_wilds, counted, beside)


@attrs.frozen
class Standing:
    """
    What decides which cards fit a set on the table.

    Attributes:
        number: The number of the meld.
        naturals: How many of its cards count as natural for the limit.
        wilds: How many count as wild.
        free: Suits, as bits, for which no card stands; 0 where suits do not matter.
        covered: Suits, as bits, of the wilds beside which the real card may be laid.
    """

    number: int
    naturals: int
    wilds: int
    free: int
    covered: int

    def __len__(self) -> int:
        return self.naturals + self.wilds


@attrs.frozen
class Part:
    """
    What goes into one set.

    Attributes:
        used: The cards of the rank, as a pattern.
        wilds: How many wilds.
        beside: Suits, as bits, whose card lies beside a wild.
        onto: The number of the meld on the table; -1 for a new set.
    """

    used: int
    wilds: int
    beside: int = 0
    onto: int = -1


Parts = tuple[Part, ...]


@functools.lru_cache(maxsize=20_000)
def set_parts(
    rules: SetRules,
    pattern: int,
    wilds: int,
    table: tuple[Standing, ...] = (),
    most: int = ANY_NUMBER,
) -> dict[tuple[int, int], Parts]:
    """
    Every way to use cards of a rank in sets, by the cards and the number of wilds.

    Args:
        rules: Which sets are possible.
        pattern: The cards at hand.
        wilds: How many wilds are at hand.
        table: The sets of this rank on the table.
        most: How many new sets there may be.
    """
    found: dict[tuple[int, int], Parts] = {(0, 0): ()}
    for standing in table:
        found = _joined(found, _onto(rules, standing, pattern, wilds), pattern, wilds)
    new = _new(rules, pattern, wilds)
    if new:
        more = found
        while more and most:
            most -= 1
            more = {
                key: parts
                for key, parts in _joined(more, new, pattern, wilds).items()
                if key not in found
            }
            found = {**found, **more}
    return found


def _joined(
    first: dict[tuple[int, int], Parts],
    second: dict[tuple[int, int], Part],
    pattern: int,
    wilds: int,
) -> dict[tuple[int, int], Parts]:
    joined = dict(first)
    for (used, away), parts in first.items():
        for (more, wild), part in second.items():
            total = used + more
            if away + wild > wilds or (pattern | _GUARDS) - total & _GUARDS != _GUARDS:
                continue
            joined.setdefault((total, away + wild), (*parts, part))
    return joined


_GUARDS: Final = 8 | 8 << 64 | 8 << 128 | 8 << 192


def _new(rules: SetRules, pattern: int, wilds: int) -> dict[tuple[int, int], Part]:
    standing = Standing(-1, 0, 0, rules.places or rules.single, 0)
    if not rules.places:
        return _without_suits(rules, standing, pattern, wilds, rules.least)
    return _one_a_suit(rules, pattern, wilds, standing, rules.least)


def _onto(
    rules: SetRules, standing: Standing, pattern: int, wilds: int
) -> dict[tuple[int, int], Part]:
    if not rules.places:
        return _without_suits(rules, standing, pattern, wilds, 1)
    return _one_a_suit(rules, pattern, wilds, standing, 0)


def _without_suits(
    rules: SetRules, standing: Standing, pattern: int, wilds: int, least: int
) -> dict[tuple[int, int], Part]:
    naturals, counted, number = standing.naturals, standing.wilds, standing.number
    held = [pattern >> 64 * suit & 7 for suit in range(4)]
    for suit in range(4):
        if rules.counted >> suit & 1:
            held[suit] = 0  # they count as wild, and go in like any other wild
        elif rules.single >> suit & 1:
            held[suit] = min(held[suit], standing.free >> suit & 1)
    found = {}
    for taken in itertools.product(*[range(copies + 1) for copies in held]):
        cards = sum(taken)
        for away in range(wilds + 1):
            if cards + away < least:
                continue
            if away and not may_hold(
                rules.most_wilds, naturals + cards, counted + away
            ):
                continue
            if not naturals + counted + cards:
                continue
            used = sum([copies << 64 * suit for suit, copies in enumerate(taken)])
            found[used, away] = Part(used, away, 0, number)
    return found


def _one_a_suit(
    rules: SetRules, pattern: int, wilds: int, standing: Standing, least: int
) -> dict[tuple[int, int], Part]:
    there = sum([1 << suit for suit in range(4) if pattern >> 64 * suit & 7])
    found: dict[tuple[int, int], Part] = {}
    free = standing.free
    lying = there & standing.covered
    for inside in _subsets(there & free):
        room = (free & ~inside).bit_count()
        own = (inside & rules.counted).bit_count()
        naturals = inside.bit_count() - own
        for away in range(min(wilds, room) + 1):
            grown = inside.bit_count() + away
            if grown < least:
                continue
            if not inside and standing.number < 0:
                continue
            if grown and not may_hold(
                rules.most_wilds,
                standing.naturals + naturals,
                standing.wilds + own + away,
            ):
                continue
            # The real cards may lie beside the wilds that stand for them.
            outside = there & free & ~inside if rules.beside else 0
            for beside in _subsets(outside | lying):
                if (beside & outside).bit_count() > away:
                    continue
                if not grown and not beside:
                    continue
                used = _spread(inside | beside)
                found.setdefault(
                    (used, away), Part(used, away, beside, standing.number)
                )
    return found


def _subsets(mask: int) -> list[int]:
    found = []
    part = mask
    while True:
        found.append(part)
        if not part:
            break
        part = part - 1 & mask
    found.reverse()
    return found


def _spread(suits: int) -> int:
    return sum([1 << 64 * suit for suit in range(4) if suits >> suit & 1])
