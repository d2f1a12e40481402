"""
How many wilds a meld may hold, and which of its places they may take.

This is the only place that counts wilds. It depends on patterns alone: the places whose
cards are at hand, and the number of wilds.
"""

from __future__ import annotations

import functools
import itertools

from collections.abc import Sequence
from typing import Final, NamedTuple


ANY_NUMBER: Final = 999
"""More wilds than a meld can hold."""


class Limit(NamedTuple):
    """
    How many wilds a meld of a kind may hold.

    Attributes:
        most: By the number of natural cards, the most wilds that may stand beside them;
            the last entry is for any greater number.
        own: Whether a wild in its own place is natural.
    """

    most: tuple[int, ...]
    own: bool

    def allows(self, naturals: int, homes: int, away: int) -> bool:
        """
        Whether a meld may hold some cards.

        Args:
            naturals: How many of them are natural.
            homes: How many are wilds in their own places.
            away: How many are wilds that stand for other cards.
        """
        return self.room(naturals, homes, away) >= 0

    def room(self, naturals: int, homes: int, away: int) -> int:
        """
        How many more wilds may join some cards; below zero if there are too many.
        """
        if self.own:
            naturals, homes = naturals + homes, 0
        return self.most[min(naturals, len(self.most) - 1)] - homes - away


Counted = tuple[int, int]
"""How many cards of a meld on the table count as natural, and how many as wild."""
Filling = tuple[int, int, int, int]
"""The places that wilds take, as bits; how many these are; the wilds that stay in their
own places, and those that leave them, as bits of these places."""


@functools.lru_cache(maxsize=1 << 15)
def fillings(
    limit: Limit,
    places: int,
    there: int,
    home: int,
    wilds: int,
    old: Counted | None = None,
) -> Sequence[Filling]:
    """
    Which of some places wilds may take: all that lack a card, and perhaps others.

    Args:
        limit: How many wilds the meld may hold.
        places: The places to be filled, as bits.
        there: Those whose natural cards are at hand.
        home: Those whose cards are at hand and wild.
        wilds: How many wilds are at hand, those of `home` among them.
        old: What counts of a meld that grows; None for a new meld, in which some card
            has to stand for itself.
    """
    naturals, counted = old or (0, 0)
    most, last, own = limit.most, len(limit.most) - 1, limit.own
    held = [1 << at for at in range(places.bit_length()) if (there | home) >> at & 1]
    missing = places & ~(there | home)
    away = missing.bit_count()
    found = []
    # No function is called for each of them, since there may be thousands.
    for number in range(min(wilds - away, len(held) - (old is None)) + 1):
        for some in itertools.combinations(held, number):
            out = sum(some)
            stay = home & ~out
            homes = stay.bit_count()
            if homes + away > wilds:
                continue
            natural, laid = naturals + (there & ~out).bit_count(), counted + away
            if own:
                natural += homes
            else:
                laid += homes
            if laid <= most[min(natural, last)]:
                found.append((missing | out, away, stay, home & out))
        away += 1
    return found


@functools.lru_cache(maxsize=1 << 14)
def orders(pool: tuple[int, ...], number: int) -> tuple[int, ...]:
    """
    The ways to take so many of some wilds, as digits, in the order of these.

    Args:
        pool: By wild face, how many there are.
        number: How many are taken.
    """
    if not pool:
        return () if number else (0,)
    rest, place = pool[1:], DIGIT * (len(pool) - 1)
    found = []
    if number <= pool[0]:
        found.append(number << place)
    for one in range(min(pool[0], number - 1), -1, -1):
        digit = 15 - one << place
        found += [digit | more for more in orders(rest, number - one)]
    return tuple(found)


DIGIT: Final = 4
"""How many bits a digit has."""


def digits_of(counts: Sequence[int]) -> int:
    """
    How many cards of each face, the first one highest, as a number.

    Such numbers are in the order in which cards are taken one by one: what is complete
    comes before what has another card, and a lower face before a higher one.
    """
    found, left = 0, sum(counts)
    for count in counts:
        left -= count
        found = found << DIGIT | (15 - count if left else count)
    return found


def counts_of(digits: int, faces: int) -> list[int]:
    """
    How many cards of each of so many faces a number stands for (see `digits_of`).
    """
    shifts = range(DIGIT * (faces - 1), 0, -DIGIT)
    found = [digits >> shift & 15 for shift in shifts]
    # Nothing comes after the last face, so its digit is the number itself.
    return [*[15 - one if one & 8 else one for one in found], digits & 15]
