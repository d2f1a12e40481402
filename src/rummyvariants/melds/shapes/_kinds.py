"""
Melds of the kinds that house rules declare: which there are, and how they grow.

A rule says only whether some cards fit together. Everything else is here: such melds
are made of natural cards and grow card by card, so that they are found from the
smallest ones on, and cards that are another meld are none.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterator
from typing import Final

from rummyvariants._support.memos import kept, remembered
from rummyvariants.cards import (
    FIELD,
    JOKER,
    LANE,
    UNIT,
    count,
    faces,
    present,
    ranks_held,
    size,
    sub_multisets,
)
from rummyvariants.melds._tables import Terms


_REMEMBERED: Final = 1 << 16


class Kinds:
    """
    The melds of declared kinds under the terms of a deal.

    Cards are multisets; a kind is named by its number.

    Args:
        terms: The terms.
    """

    __slots__ = ("_made", "_read", "_terms", "names")

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self.names = tuple([one.name for one in terms.kinds])
        self._made: list[dict[int, bool]] = [{} for _ in terms.kinds]
        self._read: dict[int, int] = {}

    def of(self, bits: int) -> int:
        """
        The kind of meld that some cards make; -1 if they make none, or another meld.
        """
        found = self._read.get(bits)
        if found is None:
            found = -1
            if not bits & self._terms.wild_mask:
                numbers = range(len(self.names))
                found = next((at for at in numbers if self._makes(at, bits)), -1)
            if found >= 0 and _is_plain(self._terms, bits):
                found = -1
            kept(self._read, bits, found, _REMEMBERED)
        return found

    def new(self, bits: int) -> Iterator[list[int]]:
        """
        By kind, the melds that can be made of some natural cards.
        """
        for at, kind in enumerate(self._terms.kinds):
            makes = functools.partial(self._makes, at)
            least = filter(makes, sub_multisets(bits, kind.least, kind.least))
            melds = _grown([*least], bits, kind.most, makes)
            yield [one for one in melds if self.of(one) == at]

    def longer(self, at: int, meld: int, bits: int) -> list[int]:
        """
        What may be laid off on a meld of a kind, one card after another.

        Args:
            at: The kind.
            meld: The cards of the meld.
            bits: The cards at hand.
        """

        def joins(more: int) -> bool:
            return self.of(meld + more) == at

        most = self._terms.kinds[at].most - size(meld)
        first = [UNIT[code] for code in faces(bits)] if most > 0 else []
        return _grown([*filter(joins, first)], bits, most, joins)

    def joins(self, at: int, meld: int, more: int) -> bool:
        """
        Whether cards may be laid off on a meld of a kind, one after another.
        """
        return more in self.longer(at, meld, more)

    def takes(self, at: int, meld: int) -> int:
        """
        Mask of the cards that can be laid off alone on a meld of a kind.
        """
        if size(meld) >= self._terms.kinds[at].most:
            return 0
        there = enumerate(self._terms.copies)
        free = [code for code, number in there if count(meld, code) < number]
        return sum([FIELD[one] for one in free if self.of(meld + UNIT[one]) == at])

    def _makes(self, at: int, bits: int) -> bool:
        """
        Whether cards fit as a meld of a kind, and so do all but one, down to the least.
        """
        known = self._made[at]
        found = known.get(bits)
        if found is None:
            kind, number = self._terms.kinds[at], size(bits)
            found = (
                kind.least <= number <= kind.most
                and kind.fits(bits)
                and (
                    number == kind.least
                    or any(self._makes(at, bits - UNIT[one]) for one in faces(bits))
                )
            )
            kept(known, bits, found, _REMEMBERED)
        return found


def _grown(
    melds: list[int], bits: int, most: int, makes: Callable[[int], bool]
) -> list[int]:
    """
    Some melds of cards, and all that grow from them card by card.

    Args:
        melds: The smallest ones, all of one size.
        bits: The cards.
        most: The most cards of a meld.
        makes: Whether cards that contain a smaller meld make one.
    """
    found: list[int] = []
    while melds:
        found += melds
        if size(melds[0]) >= most:
            break
        longer = {one + UNIT[code] for one in melds for code in faces(bits - one)}
        melds = [*filter(makes, longer)]
    return found


def _is_plain(terms: Terms, bits: int) -> bool:
    """
    Whether natural cards are a set, a run or alike, but for limits on these.
    """
    number, twins = size(bits), bits != present(bits)
    if bits == 3 * terms.alike_in(bits):
        return True
    if any(not bits & ~mask for mask in terms.rank_masks.values()):
        free = terms.twins or not twins or bool(bits & FIELD[JOKER])
        return terms.sets and number >= terms.least_set and free
    lane = next((one for one in terms.rows if not bits & ~(LANE << 64 * one)), -1)
    if lane < 0 or twins or not terms.runs:
        return False
    ranks = ranks_held(bits >> 64 * lane)
    return any(one.ranks == ranks for one in terms.any_runs.by_length.get(number, ()))


@remembered(1)
def kinds_of(terms: Terms) -> Kinds:
    """
    The melds of declared kinds under the terms of a deal.
    """
    return Kinds(terms)
