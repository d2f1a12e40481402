"""
Which of some places are left to wilds, as tables of bits.

That depends on a pattern alone: of which places the cards are at hand, and how many
wilds there are. What follows from few bits is remembered for all deals.
"""

from __future__ import annotations

import functools
import itertools

from collections.abc import Iterable, Iterator
from typing import Final, final

from rummyvariants.cards import FIELD, UNIT
from rummyvariants.melds._meld import HOME, PLAIN, Played
from rummyvariants.melds._tables import Terms


Places = tuple[int, ...]
"""The places of a meld as the codes of the cards that they stand for."""


def as_themselves(terms: Terms, places: Iterable[int]) -> list[Played]:
    """
    Cards in their own places, those that are wild declared.
    """
    wild = terms.wild
    return [HOME[code] if wild[code] else PLAIN[code] for code in places]


@final
class Row:
    """
    Places in a row, and which of their cards are at hand.

    Attributes:
        places: The places.
        there: Those of which the cards are at hand, as bits, the first the highest.
        homes: Those of them whose cards are wild.
        cards: The cards of all places, as they are named in their own places.
        before: The cards at hand of the places before each, as a multiset, and at last
            those of all.
    """

    __slots__ = ("before", "cards", "homes", "places", "there")

    def __init__(self, terms: Terms, bits: int, places: Places) -> None:
        self.places = places
        self.cards = as_themselves(terms, places)
        wild = terms.wild
        there = homes = used = 0
        before = [0]
        for code in places:
            there <<= 1
            homes <<= 1
            if bits & FIELD[code]:
                there |= 1
                homes |= wild[code]
                used += UNIT[code]
            before.append(used)
        self.there = there
        self.homes = homes
        self.before = before


def next_open(there: int, homes: int, spare: int, room: int) -> int:
    """
    The first place that may be left to a wild though its own card is at hand.

    Args:
        there: The places of which the cards are at hand, as bits, the first the
            highest.
        homes: Those of them whose cards are wild.
        spare: How many that are no homes may be left.
        room: How many may be left in all.

    Returns:
        Its bit; 0 if there is none.
    """
    if room <= 0:
        return 0
    free = there if spare > 0 else homes
    return 1 << free.bit_length() - 1 if free else 0


Left = tuple[tuple[int, ...], tuple[int, ...], bool]
"""The numbers of places left to wilds though their cards are at hand; those of all that
wilds take; and whether a wild card at hand leaves its own place."""


def left_to_wilds(
    number: int, there: int, homes: int, spare: int, room: int
) -> Iterable[Left]:
    """
    What of so many places may be left to wilds together, the fewest and last ones first.

    The other arguments are those of `next_open`.
    """
    if number <= _FEW:
        return _few_left(number, there, homes, spare, room)
    return _all_left(number, there, homes, spare, room)


def _all_left(
    number: int, there: int, homes: int, spare: int, room: int
) -> Iterator[Left]:
    missing = (1 << number) - 1 & ~there
    for mask in _masks(there, homes, spare, room):
        yield numbers_of(mask), numbers_of(mask | missing), bool(mask & homes)


_FEW: Final = 7
"""For how many places what may be left to wilds is remembered."""


@functools.lru_cache(maxsize=2_000)
def _few_left(
    number: int, there: int, homes: int, spare: int, room: int
) -> tuple[Left, ...]:
    return tuple(_all_left(number, there, homes, spare, room))


def _masks(there: int, homes: int, spare: int, room: int) -> Iterator[int]:
    """
    The places that may be left to wilds together, as bits.
    """
    bit = next_open(there, homes, spare, room)
    if not bit:
        yield 0
        return
    rest = bit - 1
    there &= rest
    homes_left = homes & rest
    yield from _masks(there, homes_left, spare, room)
    for mask in _masks(there, homes_left, spare - (not homes & bit), room - 1):
        yield bit | mask


@functools.cache
def numbers_of(mask: int) -> tuple[int, ...]:
    """
    The places of a mask, first to last, counted from the end: -1 is the last place.
    """
    return tuple([at for at in range(-mask.bit_length(), 0) if mask >> -at - 1 & 1])


@functools.lru_cache(maxsize=4_000)
def which_places(
    held: int, number: int, least: int, spare: int, naturals: int
) -> bytes:
    """
    Which of so many places may be filled together, few first.

    Args:
        held: The places of which the cards are at hand, as bits, the first the highest.
        number: How many places there are.
        least: How many have to be filled.
        spare: How many wilds there are.
        naturals: How many of their own cards have to be there.
    """
    ones = [1 << at for at in range(number - 1, -1, -1)]
    return bytes(
        [
            mask
            for length in range(least, number + 1)
            for chosen in itertools.combinations(ones, length)
            for mask in [sum(chosen)]
            if length - spare <= (mask & held).bit_count() >= naturals
        ]
    )
