"""
The new melds that a multiset of cards allows: their tree, and quick looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import final

from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    FIELD,
    JOKER,
    LANE,
    SUITS,
    UNIT,
    count,
    faces,
    present,
    ranks_by_suit,
    ranks_held,
    ranks_with,
    size,
)
from rummyvariants.melds._choices import Choice, for_card, for_shape
from rummyvariants.melds._filling import (
    End,
    Filled,
    Filling,
)
from rummyvariants.melds._free_sets import free_set
from rummyvariants.melds._meld import ALIKE, HOME, PLAIN
from rummyvariants.melds._runs_and_sets import new_runs, some_of
from rummyvariants.melds._tables import Terms
from rummyvariants.melds._tree import Branches, Fork, Node, leaves


def melds_in(terms: Terms, bits: int, must: int = -1) -> Iterator[Filled]:
    """
    Every meld that can be made of some of the cards: sets by rank, then runs by suit.

    A card that each must use is given by its code; -1 for none.
    """
    need = 0 if must < 0 else FIELD[must]
    return leaves(new_melds(terms, bits, need, End()))


def melds_with(terms: Terms, bits: int, code: int) -> tuple[Filled, ...]:
    """
    Every meld that can be made of some of the cards and uses a given one.

    The answer is remembered: cards that no such meld uses do not matter.
    """
    if not terms.wild[code]:
        near = terms.mates[code] | terms.wild_mask
        bits &= near | LANE << 64 * (code >> 4) if terms.runs else near
    return _melds_with(terms, bits, code)


@remembered(1_000)
def _melds_with(terms: Terms, bits: int, code: int) -> tuple[Filled, ...]:
    return tuple(melds_in(terms, bits, code))


def new_melds(terms: Terms, bits: int, need: int, end: End) -> Node:
    """
    The new melds that some cards make: first the shape, then its cards.

    Of the cards of a mask one must be used; 0 for none.
    """
    shapes = shapes_in(terms, bits, need)
    if not shapes:
        return None
    return NewMelds(shapes, Filling(terms, bits, need, end))


@final
class NewMelds(Fork):
    """
    The shape of a new meld, one of those that `shapes_in` finds.
    """

    __slots__ = ("_filling",)

    wide = True

    def __init__(self, shapes: list[str], filling: Filling) -> None:
        self.options = shapes
        self._filling = filling

    def go(self, shape: str) -> Node:
        filling = self._filling
        terms = filling.terms
        if shape in SUITS:
            return new_runs(filling.for_runs(), SUITS.index(shape))
        if shape == "wilds":
            return filling.part(filling.pool, terms.least_set)
        if shape == "alike":
            found = faces(_alike_with(terms, filling.bits, filling.need))
            return Branches(found, partial(_alike, filling), for_card).node()
        if shape == "*":
            return filling.part(filling.bits & FIELD[JOKER], terms.least_set)
        if shape in terms.natural_ranks:
            filling = filling.without_wilds()
        if terms.distinct:
            return some_of(filling, terms.set_codes[shape], terms.least_set)
        return free_set(filling, shape)

    def name(self, shape: str) -> Choice:
        return for_shape(shape)


def shapes_in(terms: Terms, bits: int, need: int) -> list[str]:
    """
    The ranks of sets, the suits of runs, and other melds, judged by a quick look.

    Of the cards of a mask one must be used; 0 for none.
    """
    wild = bits & terms.wild_mask
    wilds = usable = 0
    least_set, least_run = terms.least_set, terms.least_run
    if wild:
        wilds = size(wild)
        usable = min(wilds, terms.most_in_runs[-1])
        least_set = max(least_set - min(wilds, terms.most_in_sets[-1]), 1)
        least_run = max(least_run - usable, 1)
    # A wild may be part of any meld, so it is not looked for.
    anywhere = not need or bool(need & wild)
    found: list[str] = []
    if terms.sets:
        counted = bits
        if not terms.twins:
            counted = present(bits)
            if wild:
                counted = counted & terms.natural_mask | wild
        for rank in ranks_with(counted, least_set):
            if rank in terms.shape_ranks and (
                anywhere or need & terms.rank_masks[rank]
            ):
                found.append(rank)
        if not terms.wild[JOKER] and (not need or need & FIELD[JOKER]):
            if count(bits, JOKER) >= terms.least_set:
                found.append("*")
    if terms.runs:
        along = terms.runs_along
        by_suit = ranks_by_suit(bits)
        for row in terms.rows:
            ranks = by_suit[row]
            if ranks.bit_count() >= least_run and (anywhere or need >> 64 * row & LANE):
                if along.near(ranks, usable):
                    found.append(SUITS[row])
    if wild and anywhere and terms.wild_melds and wilds >= terms.least_set:
        found.append("wilds")
    if terms.alike and _alike_with(terms, bits, need):
        found.append("alike")
    return found


def _alike_with(terms: Terms, bits: int, need: int) -> int:
    """
    One copy of each face of three identical cards that make a meld.

    Of the cards of a mask one must be used; 0 for none.
    """
    found = terms.alike_in(bits)
    return found & need if need else found


def _alike(filling: Filling, code: int) -> Node:
    """
    The leaf of three identical cards.
    """
    one = (HOME if filling.terms.wild[code] else PLAIN)[code]
    return filling.end.leaf((one,) * ALIKE, ALIKE * UNIT[code])


def in_some_meld(terms: Terms, bits: int, code: int) -> bool:
    """
    A quick look: whether some of the cards make a meld with one of the naturals.

    Limits on wild cards are ignored.
    """
    wild = bits & terms.wild_mask
    natural = bits ^ wild
    mates = natural & terms.mates[code]
    if code == JOKER:
        # No wild stands for a joker, and no run holds one that is not wild.
        return mates > 0 and size(mates) >= terms.least_set
    wilds = size(wild) if wild else 0
    if mates:
        number = size(mates if terms.twins else present(mates))
        if number + wilds >= terms.least_set:
            return True
    if not terms.runs:
        return False
    ranks = ranks_held(natural >> 64 * (code >> 4))
    return terms.runs_along.covered(ranks, wilds) >> (code & 15) - 1 & 1 > 0


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
        for low, length, wanted in terms.runs_along.windows:
            missing = (wanted & ~there).bit_count()
            if wanted & own != own or missing > wilds:
                continue
            if length > 2 and (wanted & others & ~own).bit_count() > 1:
                places = terms.runs_along.codes[row][low : low + length]
                mask = sum([FIELD[one] for one in places])
                runs.append((length, mask, max(missing, int(wild))))
    found += [(mask, number) for _, mask, number in sorted(runs)]
    return found


def natural_in_some_meld(terms: Terms, bits: int) -> bool:
    """
    A quick look: whether some natural cards make a meld, with wilds from the hand.

    Limits on wild cards are ignored, and wilds in their own places are not considered.
    """
    wild = bits & terms.wild_mask
    wilds = size(wild) if wild else 0
    natural = bits & terms.natural_mask
    alike = (natural if terms.twins else present(natural)) & terms.in_sets
    if ranks_with(alike, max(1, terms.least_set - wilds)):
        return True
    if terms.runs:
        by_suit = ranks_by_suit(natural)
        for row in terms.rows:
            ranks = by_suit[row]
            if ranks and terms.runs_along.near(ranks, wilds):
                return True
    return False


def any_meld(terms: Terms, bits: int) -> bool:
    """
    Whether some of the cards make a meld.
    """
    if not bits & terms.wild_mask:
        if natural_in_some_meld(terms, bits):
            return True
        if terms.wild[JOKER]:
            return False
    return next(melds_in(terms, bits), None) is not None
