"""
Hands parted into melds and cards that are left over.

That is asked for where melds stay in the hand until somebody knocks.
"""

from __future__ import annotations

import functools

from collections.abc import Iterator
from typing import Final

from rummyvariants.cards import (
    FIELD,
    UNIT,
    codes,
    count,
    faces,
    holds,
    pack,
    present,
    size,
)
from rummyvariants.combos import melds_in, ranks_held, ranks_with, sub_multisets
from rummyvariants.melds import Played
from rummyvariants.terms import Terms


Melds = tuple[tuple[Played, ...], ...]
"""Melds as an action names them."""

_REMEMBERED: Final = 1 << 14


def worth_of(terms: Terms, bits: int) -> int:
    """
    The points that cards come to outside of melds.
    """
    worth = terms.worth
    return sum([worth[code] for code in codes(bits)])


# --------------------------------------------------------------------- the best parting


@functools.lru_cache(maxsize=_REMEMBERED)
def least_unmatched(terms: Terms, bits: int) -> int:
    """
    The cards that stay outside of melds where these come to as few points as can be.

    Of several ways the one with the fewest cards left over is taken, and then always
    the same one.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
    """
    if bits & terms.wild_mask:
        return _least_with_wilds(terms, bits, {})[1]
    parts = _parts(terms, bits)
    if not parts:
        return bits
    if len(parts) == 1:
        return bits - parts[0][1]
    best = [0, bits]

    def put(at: int, left: int, gained: int) -> None:
        if gained > best[0]:
            best[:] = gained, left
        for number in range(at, len(parts)):
            value, part = parts[number]
            # No later meld is worth more, and a meld takes two cards at least.
            if gained + value * (size(left) // 2) <= best[0]:
                return
            if holds(left, part):
                put(number, left - part, gained + value)

    put(0, bits, 0)
    return best[1]


Part = tuple[int, int]
"""What a meld is worth to whoever wants few points left, and its cards."""


def _parts(terms: Terms, bits: int) -> list[Part]:
    """
    The melds of a hand without wilds that are worth something, the best first.
    """
    parts: list[Part] = []
    if terms.distinct and terms.extra is None and present(bits) == bits:
        # With no card twice, sets and runs of a suit are found in tables.
        if terms.sets:
            for rank in ranks_with(bits, terms.least_set):
                parts += _sets_of(terms, bits & terms.rank_masks[rank])
        if terms.runs:
            for row in terms.rows:
                ranks = ranks_held(bits >> 64 * row)
                if ranks.bit_count() >= terms.least_run:
                    parts += _runs_of(terms, row, ranks)
    else:
        found = {used for _, used in melds_in(terms, bits)}
        parts = [_valued(terms, part) for part in found]
    parts.sort(reverse=True)
    while parts and parts[-1][0] <= 0:
        parts.pop()
    return parts


def _valued(terms: Terms, part: int) -> Part:
    """
    A meld with its worth: points first, then cards, in one number.
    """
    worth = terms.worth
    return sum([worth[code] * _FIRST + 1 for code in codes(part)]), part


@functools.lru_cache(maxsize=_REMEMBERED)
def _sets_of(terms: Terms, bits: int) -> tuple[Part, ...]:
    """
    The sets that some cards of one rank make.
    """
    return tuple(_valued(terms, part) for part in sub_multisets(bits, terms.least_set))


@functools.lru_cache(maxsize=_REMEMBERED)
def _runs_of(terms: Terms, row: int, ranks: int) -> tuple[Part, ...]:
    """
    The runs that cards of one suit make.
    """
    shapes = terms.runs_along.shapes(row, ranks, 0)
    return tuple(_valued(terms, pack(places)) for _, places in shapes)


_FIRST: Final = 64
"""More than the cards of a hand, so that points count first and cards after them."""


def _least_with_wilds(
    terms: Terms, bits: int, known: dict[int, tuple[int, int]]
) -> tuple[int, int]:
    """
    The points and cards left over, card by card, since wilds go with everything.
    """
    if not bits:
        return 0, 0
    found = known.get(bits)
    if found is None:
        code = next(faces(bits))
        points, left = _least_with_wilds(terms, bits - UNIT[code], known)
        found = points + terms.worth[code] * _FIRST + 1, left + UNIT[code]
        for part in {used for _, used in melds_in(terms, bits, code)}:
            found = min(found, _least_with_wilds(terms, bits - part, known))
        known[bits] = found
    return found


# ------------------------------------------------------------------------ all partings


def partings(terms: Terms, bits: int, most: int) -> Iterator[tuple[Melds, int]]:
    """
    Every way to part cards into melds and others of so many points at most.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.
        most: The most points that may be left over.

    Yields:
        The melds, and the cards left over. Each way comes once, up to cards of one face
        and to wilds exchanged; those that meld the lowest card come first.
    """
    return _partings(terms, bits, most, -1, ())


def _partings(
    terms: Terms, bits: int, most: int, before: int, least: tuple[str, ...]
) -> Iterator[tuple[Melds, int]]:
    """
    The ways for what is left, the lowest card decided first.

    Of equal cards the use of the first comes before that of the second, so that the
    same parting does not come twice.

    Args:
        terms: The terms of the deal.
        bits: The cards that are left.
        most: The points that may be left over of them.
        before: The code of the card that was decided before; -1 for none.
        least: The first use that is still to be tried for another card of that face.
    """
    if not bits:
        yield (), 0
        return
    code = next(faces(bits))
    twin = code == before
    for cards, used in melds_in(terms, bits, code):
        key = tuple(map(str, cards)) if count(bits, code) > 1 or twin else ()
        if twin and key < least:
            continue
        for melds, left in _partings(terms, bits - used, most, code, key):
            yield (cards, *melds), left
    worth = terms.worth[code]
    if worth <= most:
        # A face left over once is left over with all its copies that follow.
        rest = bits & FIELD[code]
        number = count(bits, code)
        if worth * number <= most:
            for melds, left in _partings(
                terms, bits - rest, most - worth * number, code, ()
            ):
                yield melds, left + rest
