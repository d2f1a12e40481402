"""
Quick looks at what cards might make, limits on wild cards left aside.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    FIELD,
    LANE,
)
from rummyvariants.melds._meld import Meld
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._shapes import Filled, shapes_of


def melds_in(terms: Terms, bits: int, must: int = -1) -> Iterator[Filled]:
    """
    Every meld that can be made of some of the cards: sets by rank, then runs by suit.

    A card that each must use is given by its code; -1 for none.
    """
    shapes = shapes_of(terms)
    lots = shapes.new(bits, 0 if must < 0 else FIELD[must])
    return map(shapes.play, shapes.numbers(lots))


@remembered(1_000)
def _melds_with(terms: Terms, bits: int, code: int) -> tuple[Filled, ...]:
    return tuple(melds_in(terms, bits, code))


def melds_with(terms: Terms, bits: int, code: int) -> tuple[Filled, ...]:
    """
    Every meld that can be made of some of the cards and uses a given one.

    The answer is remembered: cards that no such meld uses do not matter.
    """
    if not (terms.wild[code] or terms.kinds):
        near = terms.mates[code] | terms.wild_mask
        bits &= near | LANE << 64 * (code >> 4) if terms.runs else near
    return _melds_with(terms, bits, code)


def layoffs_on(terms: Terms, meld: Meld, bits: int, must: int = -1) -> Iterator[Filled]:
    """
    Every way to lay some of the cards off on a meld, or beside wilds of it.

    A card that must be used is given by its code; -1 for none.
    """
    shapes = shapes_of(terms)
    lots = shapes.longer(meld, bits, 0 if must < 0 else FIELD[must])
    return map(shapes.play, shapes.numbers(lots))


def any_meld(terms: Terms, bits: int) -> bool:
    """
    Whether some of the cards make a meld.
    """
    return bool(shapes_of(terms).new(bits))
