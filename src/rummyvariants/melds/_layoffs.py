"""
What may be laid off on a meld: cards beside its wilds, and cards by which it grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import final

from rummyvariants.cards import FIELD, JOKER, UNIT, faces, present, ranks_with, size
from rummyvariants.melds._choices import (
    DONE,
    GROW,
    Choice,
    for_beside,
    for_high,
    for_low,
    for_shape,
)
from rummyvariants.melds._filling import End, Filling, by_naturals
from rummyvariants.melds._free_sets import free_set
from rummyvariants.melds._layoff_reading import uncovered
from rummyvariants.melds._meld import Meld, Played, counted_wilds
from rummyvariants.melds._places import Places, as_themselves
from rummyvariants.melds._runs_and_sets import some_of
from rummyvariants.melds._tables import Terms
from rummyvariants.melds._tree import Branches, Fork, Node, leaves


Laid = tuple[tuple[Played, ...], int, str | None]
"""The cards, the same as a multiset, and the end of the run if it must be named."""

Grown = tuple[Places, Places, str | None]
"""A longer run, its new places, and the end if it must be named."""


def layoffs_on(terms: Terms, meld: Meld, bits: int, must: int = -1) -> Iterator[Laid]:
    """
    Every way to lay some of the cards off on a meld, or beside wilds of it.

    A card that must be used is given by its code; -1 for none.
    """
    need = 0 if must < 0 else FIELD[must]
    return leaves(Growth(terms, meld, bits, need, LaidEnd()).start())


@final
class LaidEnd(End):
    """
    Leaves as `Laid` says.
    """

    __slots__ = ()

    def leaf(
        self, cards: tuple[Played, ...], used: int, side: str | None = None
    ) -> Laid:
        return cards, used, side


@final
class Growth:
    """
    The tree of what may be laid off on a meld, or beside wilds of it.

    Attributes:
        terms: The terms of the deal.
        meld: The meld.
        bits: The cards in the hand.
        need: Mask of cards of which one must be used; 0 for none.
        end: Makes a leaf from the cards.
    """

    __slots__ = ("_open", "bits", "end", "meld", "need", "terms")

    def __init__(
        self, terms: Terms, meld: Meld, bits: int, need: int, end: End
    ) -> None:
        self.terms = terms
        self.meld = meld
        if terms.natural_ranks and meld.kind == "set":
            if meld.rank in terms.natural_ranks:
                bits &= terms.natural_mask
        self.bits = bits
        self.need = need
        self.end = end
        self._open: Places = ()

    def start(self, *, beside: bool = True) -> Node:
        """
        Cards to go beside wilds, if they may, and then cards by which the meld grows.
        """
        terms, meld, bits = self.terms, self.meld, self.bits
        if meld.kind == "wild":
            natural = bits & terms.natural_mask & terms.in_sets
            ranks = [
                rank
                for rank in ranks_with(natural, terms.least_set - 1)
                if rank not in terms.natural_ranks
            ]
            return Branches(ranks, self._of_rank, for_shape) if ranks else None
        if meld.kind == "wilds":
            return self.filling(0, None).part(bits & terms.wild_mask, 1)
        if beside and bits & meld.real:
            open_to = uncovered(terms, meld)
            self._open = tuple([code for code in open_to if bits & FIELD[code]])
        return self._go_on(self._open, 0) if self._open else self._grown(0)

    def _of_rank(self, rank: str) -> Node:
        """
        Natural cards of a rank on a single wild.
        """
        terms = self.terms
        held = self.bits & terms.rank_masks[rank] & terms.natural_mask
        least, most = terms.least_set - 1, 99
        if not terms.twins:
            held = present(held)
        if terms.distinct:
            most = len(terms.suits) - 1
        own = terms.own_place_is_natural and self.meld.slots[0].card.rank == rank
        if not own:
            least = max(least, terms.first_wild)
        return self.filling(0, None).part(held, least, most)

    def _go_on(self, places: Places, lying: int) -> Node:
        """
        More cards for places beside wilds, or then the cards by which the meld grows.
        """
        options = []
        if lying and (not self.need or lying & self.need):
            options.append(DONE)
        left = self.bits - lying
        if left & (self.meld.grows | self.terms.wild_mask):
            options.append(GROW)
        options += places
        go = partial(self._gone_on, places, lying)
        return Branches(options, go, for_beside).node()

    def _gone_on(self, places: Places, lying: int, option: int) -> Node:
        """
        What follows one more card for the places, the growth, or no more cards.
        """
        if option == GROW:
            return self._grown(lying)
        if option == DONE:
            return self.end.leaf(self._beside(lying), lying)
        rest = places[places.index(option) + 1 :]
        return self._go_on(rest, lying + UNIT[option])

    def _grown(self, lying: int) -> Node:
        """
        Cards by which a set or run grows, after some were laid beside its wilds.
        """
        terms, meld = self.terms, self.meld
        bits = self.bits - lying
        if not bits & (meld.grows | terms.wild_mask):
            return None
        if meld.kind == "run":
            return self._longer(lying, bits)
        if terms.distinct and meld.rank != "*":
            if bits & terms.wild_mask:
                taken = [slot.code for slot in meld.slots]
                codes = terms.set_codes[meld.rank]
                places = tuple([one for one in codes if one not in taken])
            else:
                places = tuple(faces(bits & meld.grows))
                if len(places) == 1:
                    return self.as_itself(lying, bits, places, None)
            return some_of(self.filling(lying, None), places, 1)
        filling = self.filling(lying, None)
        if meld.rank == "*":
            return filling.part(bits & FIELD[JOKER], 1)
        return free_set(filling, meld.rank, meld.slots)

    def _longer(self, lying: int, bits: int) -> Node:
        """
        Which places of a run are new, and then their cards.
        """
        groups = self._by_low(bits)
        if not groups:
            return None
        longer = _Longer(groups, self, lying, bits)
        return longer.go(groups[0]) if len(groups) == 1 else longer

    def as_itself(
        self, lying: int, bits: int, places: Places, side: str | None
    ) -> Node:
        """
        The leaf of cards that are all in their own places; the hand has no wild.
        """
        found = by_naturals(places, bits, 0 if lying & self.need else self.need)
        if found is None:
            return None
        cards, used = found
        if lying:
            cards = self._beside(lying) + cards
        return self.end.leaf(cards, lying + used, side)

    def _beside(self, lying: int) -> tuple[Played, ...]:
        """
        The cards that lie beside wilds of the meld, as they are named.
        """
        if not lying:
            return ()
        laid = [code for code in self._open if lying & FIELD[code]]
        return tuple(as_themselves(self.terms, laid))

    def filling(self, lying: int, side: str | None) -> Filling:
        """
        The cards for places that are new, after some were laid beside wilds.
        """
        terms, end = self.terms, self.end
        bits = self.bits - lying
        need = 0 if lying & self.need else self.need
        # Without a wild in the hand no limit on wilds can be broken.
        wilds = counted_wilds(terms, self.meld.slots) if bits & terms.wild_mask else 0
        if lying or side is not None:
            end = _Beside(end, self._beside(lying), lying, side)
        naturals, run = len(self.meld) - wilds, self.meld.kind == "run"
        return Filling(terms, bits, need, end, naturals, wilds, run=run)

    def _by_low(self, bits: int) -> list[list[Grown]]:
        """
        The runs that this one may become, those with one lowest card together.
        """
        terms, meld = self.terms, self.meld
        along = terms.run_codes[meld.suit]
        low, length = meld.low, len(meld)
        top = low + length
        wilds = size(bits & terms.wild_mask)
        downs = _holes(along, range(low - 1, -1, -1), bits, wilds)
        ups = _holes(along, range(top, len(along)), bits, wilds)
        found = []
        for below, holes in enumerate(downs):
            group: list[Grown] = []
            for above, more in enumerate(ups):
                if holes + more > wilds:
                    break
                if not (below or above):
                    continue
                longer = terms.runs_along.longer(low, length, below, above)
                if longer is not None:
                    start, end, side = longer
                    places = along[start:low] + along[top:end]
                    group.append((along[start:end], places, side))
            if group:
                found.append(group)
        return found


@final
class _Longer(Fork):
    """
    The lowest card of a run that grows.
    """

    __slots__ = ("_bits", "_fillings", "_growth", "_lying")

    wide = True

    def __init__(
        self, groups: list[list[Grown]], growth: Growth, lying: int, bits: int
    ) -> None:
        self.options = groups
        self._growth = growth
        self._lying = lying
        self._bits = bits
        self._fillings: dict[str | None, Filling] = {}

    def go(self, runs: list[Grown]) -> Node:
        return self.filled(runs[0]) if len(runs) == 1 else _LongerTo(runs, self)

    def name(self, runs: list[Grown]) -> Choice:
        return for_low(runs[0][0][0])

    def filled(self, run: Grown) -> Node:
        """
        The cards for the new places of a run.
        """
        _, places, side = run
        growth, lying, bits = self._growth, self._lying, self._bits
        if not bits & growth.terms.wild_mask:
            return growth.as_itself(lying, bits, places, side)
        if side not in self._fillings:
            self._fillings[side] = growth.filling(lying, side)
        return self._fillings[side].all_of(places)


@final
class _LongerTo(Fork):
    """
    The highest card of a run that grows.
    """

    __slots__ = ("_longer",)

    wide = True

    def __init__(self, runs: list[Grown], longer: _Longer) -> None:
        self.options = runs
        self._longer = longer

    def go(self, run: Grown) -> Node:
        return self._longer.filled(run)

    def name(self, run: Grown) -> Choice:
        return for_high(run[0][-1])


@final
class _Beside(End):
    """
    Leaves of cards by which a meld grows, those that lie beside its wilds before them.
    """

    __slots__ = ("_beside", "_end", "_lying", "_side")

    def __init__(
        self, end: End, beside: tuple[Played, ...], lying: int, side: str | None
    ) -> None:
        self._end = end
        self._beside = beside
        self._lying = lying
        self._side = side

    def leaf(
        self, cards: tuple[Played, ...], used: int, side: str | None = None
    ) -> Node:
        del side
        return self._end.leaf(self._beside + cards, self._lying + used, self._side)


def _holes(along: Places, way: range, bits: int, wilds: int) -> list[int]:
    """
    How many wilds the next places take, by their number, as far as the wilds suffice.
    """
    holes = 0
    found = [0]
    for at in way:
        code = along[at]
        if not bits & FIELD[code]:
            holes += 1
            if not code or holes > wilds:
                break
        found.append(holes)
    return found
