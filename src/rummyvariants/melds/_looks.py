"""
Quick looks at what cards might make, limits on wild cards left aside.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    FIELD,
    JOKER,
    LANE,
    present,
    ranks_by_suit,
    ranks_with,
    size,
)
from rummyvariants.melds._meld import Meld
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._shapes import Filled, shapes_of
from rummyvariants.melds.shapes._track import codes_along


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
    if not terms.wild[code]:
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


def joining_two(
    terms: Terms, bits: int, mates: int, code: int, more_wilds: int = 0
) -> list[tuple[int, int]]:
    """
    The sets and runs that a card may make with two of some naturals.

    If there are none, the card makes no such meld; those found may still break a limit
    on wilds.

    Args:
        terms: The terms of the deal.
        bits: The cards at hand.
        mates: The naturals, without the card itself.
        code: The card.
        more_wilds: How many more wilds might come to the hand.

    Returns:
        For each a mask of its natural cards, and how many wilds it needs, itself if it
        is one; sets first, then runs, the shortest first.
    """
    wilds = size(bits & terms.wild_mask) + more_wilds
    if not terms.own_place_is_natural:
        wilds = min(wilds, terms.most_in_one())
    wild = terms.wild[code]
    found: list[tuple[int, int]] = []
    fit = (mates if terms.twins or wild else mates & ~FIELD[code]) & terms.in_sets
    if not wild:
        fit &= terms.mates[code]
    for rank in ranks_with(fit if terms.twins else present(fit), 2):
        number = max(int(wild), terms.least_set - 2 - (not wild))
        found.append((terms.rank_masks[rank], number))
    if not terms.runs or (code == JOKER and not wild):
        return found
    held = ranks_by_suit(bits & terms.natural_mask)
    two = ranks_by_suit(mates)
    runs = []
    for row in terms.rows if wild else (code >> 4,):
        there = held[row]
        others = two[row]
        own = 0 if wild else 1 << (code & 15) - 1
        for window in terms.runs_along.new:
            wanted = window.ranks
            missing = (wanted & ~there).bit_count()
            if wanted & own != own or missing > wilds:
                continue
            if window.length > 2 and (wanted & others & ~own).bit_count() > 1:
                mask = sum([FIELD[one] for one in codes_along(row, window)])
                runs.append((window.length, mask, max(missing, int(wild))))
    found += [(mask, number) for _, mask, number in sorted(runs)]
    return found
