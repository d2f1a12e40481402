"""
A play of cards, a new meld or a lay-off, as a number.

The number says which cards are used and where each of them lies. Numbers are in the
order of the tree of choices. The fields, from the lowest bit:

====== ==== =======================================================================
wilds  4 n  for each of the n wild faces of the deal, the first the highest, how many
            are used, as digits (see `_filling`); those in their own places only
            where nothing else says that they are there
holes  16   the places that wilds take, as bits, the first the highest; of a set whose
            suits do not matter, how many cards of its rank it has of each suit, as
            digits, in five suits four bits more; of jokers that are not wild, how many
held   14   of a lay-off on a run, the places that were filled before; where its wild
            moves, those of the other cards and the new one of the wild
which  12   which run of the track; of a set, which of the suits are filled; of three
            identical cards, their code
shape  5    the rank of a set, the suit of a run, or one of the others below; of melds
            of the kinds that house rules declare, which kind, and their cards stand in
            the 42 bits of the fields above as one number (see `cards_to_number`)
beside 14   of a lay-off, the cards that lie beside wilds: of a run their ranks, of a
            set their suits
meld   8    the number of the meld that is laid on, 0 for a new one
====== ==== =======================================================================
"""

from __future__ import annotations

import functools
import itertools
import math

from collections.abc import Iterable
from typing import Final

from rummyvariants.cards import JOKER, ROW_OF, STARS, SUIT_BIT


LAYOUT: Final = 1
"""The version of this layout, which grows when a number comes to mean another play."""
HELD: Final = 16
WHICH: Final = 30
SHAPE: Final = 42
BESIDE: Final = 47

HOLES_MASK: Final = (1 << HELD) - 1
HELD_MASK: Final = (1 << 14) - 1
WHICH_MASK: Final = (1 << 12) - 1
CARDS_MASK: Final = (1 << SHAPE) - 1
"""The fields that number the cards of melds of declared kinds."""

JOKERS: Final = 13
"""The shape of a set of jokers that are not wild; lower shapes are ranks."""
RUN: Final = 16
"""The shape of a run of clubs; those of other suits follow."""
WILDS: Final = 24
"""The shape of a meld of wilds alone."""
ALIKE: Final = 25
"""The shape of three identical cards."""
KIND: Final = 26
"""The shape of melds of the first kind that house rules declare; others follow."""
KINDS_AT_MOST: Final = 6
"""How many such kinds there are at most."""
LEAST_AT_MOST: Final = 5
"""The fewest cards of these are no more: all parts of a hand of that size are tried."""
KIND_AT_MOST: Final = 12
"""How many cards melds of these kinds have at most."""

FREE_MASK: Final = (1 << 20) - 1
"""The digits of a set whose suits do not matter."""

SUBSETS: Final = tuple(
    [
        stars + sum(some)
        for stars in (0, SUIT_BIT[ROW_OF[STARS]])
        for number in range(5)
        for some in itertools.combinations(SUIT_BIT[:4], number)
    ]
)
"""The suits that a set may fill, as bits: those without stars, then few first."""


# ------------------------------------------------- the cards of melds of other kinds


IN_ORDER: Final = (*[16 * row + at for at in range(1, 14) for row in range(4)], JOKER)
"""The codes of all faces of an ordinary pack, by rank and then by suit."""
PLACE_OF: Final = {code: at for at, code in enumerate(IN_ORDER)}


def by_rank_and_suit(codes: Iterable[int]) -> list[int]:
    """
    Cards by rank and then by suit, by their codes.
    """
    return sorted(codes, key=PLACE_OF.__getitem__)


def cards_to_number(codes: Iterable[int]) -> int:
    """
    Some cards, `KIND_AT_MOST` at most, as a number in the order of `by_rank_and_suit`.

    Where one of two hands begins with the other, it comes later.
    """
    found = last = 0
    for at, code in enumerate(by_rank_and_suit(codes)):
        left, place = KIND_AT_MOST - at, PLACE_OF[code]
        found += 1 + _from(last, left) - _from(place, left)
        last = place
    return found


@functools.lru_cache(maxsize=1 << 12)
def number_to_cards(number: int) -> tuple[int, ...]:
    """
    The codes of the cards that a number stands for.
    """
    found: list[int] = []
    place, left = 0, KIND_AT_MOST
    while number:
        number -= 1
        while (here := _from(place, left) - _from(place + 1, left)) <= number:
            number, place = number - here, place + 1
        found.append(IN_ORDER[place])
        left -= 1
    return tuple(found)


@functools.cache
def _from(place: int, left: int) -> int:
    """
    How many hands of one to so many cards there are from a place of the order on.
    """
    return math.comb(len(IN_ORDER) - place + left, left) - 1
