"""
Which of some places are left to wilds, as tables of bits.

This depends only on a pattern: the places whose cards are in the hand, and the number
of wilds. Results for few bits are remembered for all deals.
"""

from __future__ import annotations

import functools
import itertools

from collections.abc import Iterable, Iterator
from typing import Final, final

from rummyvariants.cards import FIELD, RANKS, UNIT
from rummyvariants.melds._meld import HOME, PLAIN, Played
from rummyvariants.melds._tables import ANY_NUMBER, Terms, most_of_places


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
    Places in a row, and which of their cards are in the hand.

    Attributes:
        places: The places.
        there: Those whose cards are in the hand, as bits, the first the highest.
        homes: Those of them whose cards are wild.
        cards: The cards of all places, as they are named in their own places.
        before: For each place, the cards in the hand for the places before it, as a
            multiset; at the end, those for all.
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


Limit = tuple[int, bool, bool]
"""See `pattern_of`."""


@functools.lru_cache(maxsize=256)
def limits_of(
    most_wilds: tuple[int, ...],
    own_is_natural: bool,  # noqa: FBT001 -- remembered by what it is given
    naturals: int,
    wilds: int,
) -> tuple[Limit, ...]:
    """
    By how many places are filled, how many wilds they may hold, for `pattern_of`.

    Args:
        most_wilds: As `Terms` has them for a kind of meld.
        own_is_natural: Whether wilds in their own places are natural.
        naturals: How many natural cards the meld holds already; -1 for a new meld.
        wilds: How many wilds that count it holds.
    """
    new = naturals < 0
    if most_wilds[0] >= ANY_NUMBER:
        return ((ANY_NUMBER, False, new),) * (len(RANKS) + 1)
    most = [
        most_of_places(most_wilds, places, max(naturals, 0), wilds)
        for places in range(len(RANKS) + 1)
    ]
    return tuple([(max(one, 0), not own_is_natural, new) for one in most])


Pattern = tuple[int, int, int, int]
"""Of which places the cards are at hand, and are wild, as bits, the first the highest;
how many of those of naturals may be left to wilds, and how many of all."""


def pattern_of(
    number: int, there: int, homes: int, wilds: int, limit: Limit
) -> Pattern | None:
    """
    How many places may be left to wilds though their own cards are there.

    Args:
        number: How many places have to be filled.
        there: Those whose cards are in the hand, as bits, the first the highest.
        homes: Those of them whose cards are wild.
        wilds: How many wilds are in the hand.
        limit: How many wilds the places may hold, whether those in their own places
            count among these, and whether there must be a natural card.

    Returns:
        None if the places cannot be filled.
    """
    most, counts_homes, needs_natural = limit
    missing = number - there.bit_count()
    # Of naturals, since each takes one more wild, and of all.
    spare = wilds - missing - homes.bit_count()
    room = number - missing - 1 if needs_natural else number
    if counts_homes:
        spare = min(spare, most - missing - homes.bit_count())
    else:
        room = min(room, most - missing)
    return None if min(spare, room) < 0 else (there, homes, spare, room)


def next_open(pattern: Pattern) -> int:
    """
    The first place that may be left to a wild though its own card is in the hand.

    Returns:
        Its bit; 0 if there is none.
    """
    there, homes, spare, room = pattern
    if room <= 0:
        return 0
    free = there if spare > 0 else homes
    return 1 << free.bit_length() - 1 if free else 0


def decided(pattern: Pattern, bit: int) -> tuple[Pattern, Pattern]:
    """
    The places after an open one, once that is taken by its own card, or by a wild.
    """
    there, homes, spare, room = pattern
    rest = bit - 1
    there &= rest
    spent = spare if homes & bit else spare - 1
    homes &= rest
    return (there, homes, spare, room), (there, homes, spent, room - 1)


Left = tuple[tuple[int, ...], tuple[int, ...], bool]
"""The numbers of places left to wilds though their cards are at hand; those of all that
wilds take; and whether a wild card at hand leaves its own place."""


def left_to_wilds(
    number: int, there: int, homes: int, wilds: int, limit: Limit
) -> Iterable[Left]:
    """
    The places that may be left to wilds together, the fewest and last places first.

    The arguments are those of `pattern_of`.
    """
    few = number <= _FEW
    return (_few_left if few else _all_left)(number, there, homes, wilds, limit)


def _all_left(
    number: int, there: int, homes: int, wilds: int, limit: Limit
) -> Iterator[Left]:
    pattern = pattern_of(number, there, homes, wilds, limit)
    if pattern is not None:
        missing = (1 << number) - 1 & ~there
        for mask in _masks(pattern):
            yield numbers_of(mask), numbers_of(mask | missing), bool(mask & homes)


_FEW: Final = 7
"""The most places for which what may be left to wilds is remembered."""


@functools.lru_cache(maxsize=2_000)
def _few_left(
    number: int, there: int, homes: int, wilds: int, limit: Limit
) -> tuple[Left, ...]:
    return tuple(_all_left(number, there, homes, wilds, limit))


def _masks(pattern: Pattern) -> Iterator[int]:
    """
    The places that may be left to wilds together, as bits.
    """
    bit = next_open(pattern)
    if not bit:
        yield 0
        return
    kept, left = decided(pattern, bit)
    yield from _masks(kept)
    for mask in _masks(left):
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


Part = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], bool]
"""The numbers of some places, and of those of them whose cards stay; which of these
places wilds take, counted among them; and the last of `Left`."""


@functools.lru_cache(maxsize=2_000)
def parts_of_row(
    number: int,
    there: int,
    homes: int,
    wilds: int,
    least: int,
    limits: tuple[Limit, ...],
) -> tuple[Part, ...]:
    """
    What of each of `which_places` wilds may take.

    Args:
        number: How many places there are.
        there: As for `pattern_of`.
        homes: The same.
        wilds: The same.
        least: How many places have to be filled.
        limits: The same, by how many places are filled.
    """
    found: list[Part] = []
    for mask in which_places(there, number, least, wilds, int(limits[0][2])):
        chosen = numbers_of(mask)
        held = _among(there, chosen)
        lefts = left_to_wilds(
            len(chosen), held, _among(homes, chosen), wilds, limits[len(chosen)]
        )
        for _, holes, astray in lefts:
            taken = {chosen[at] for at in holes}
            kept = tuple([at for at in chosen if at not in taken])
            found.append((chosen, kept, holes, astray))
    return tuple(found)


def _among(mask: int, numbers: tuple[int, ...]) -> int:
    """
    Those bits of a mask that some numbers name, side by side.
    """
    found = 0
    for at in numbers:
        found = found << 1 | mask >> -at - 1 & 1
    return found
