"""
What may be laid off on a meld: cards beside its wilds, and cards by which it grows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final

from rummyvariants.cards import FIELD, JOKER, UNIT, faces, present, ranks_with, size
from rummyvariants.melds._choices import (
    DONE,
    GROW,
    for_beside,
    for_high,
    for_low,
    for_shape,
)
from rummyvariants.melds._filling import Filling, by_naturals
from rummyvariants.melds._layoff_reading import uncovered
from rummyvariants.melds._meld import Meld, Played, counted_wilds
from rummyvariants.melds._places import Places, as_themselves
from rummyvariants.melds._tables import Terms
from rummyvariants.melds._tree import Fork, Node, fork, leaves


Laid = tuple[tuple[Played, ...], int, str | None]
"""The cards, the same as a multiset, and the end of the run where it has to be said."""

EndAt = Callable[[tuple[Played, ...], int, str | None], Node]
"""What makes a leaf of the same."""

Grown = tuple[Places, Places, str | None]
"""A run as it may become, the new places of it, and the end where it has to be said."""


def layoffs_on(terms: Terms, meld: Meld, bits: int, must: int = -1) -> Iterator[Laid]:
    """
    Every way to lay some of the cards off on a meld, or beside wilds of it.

    A card that has to be used is given by its code; -1 stands for none.
    """
    need = 0 if must < 0 else FIELD[must]
    return leaves(Growth(terms, meld, bits, need, lambda *laid: laid).start())


@final
class Growth:
    """
    The tree of what may be laid off on a meld, or beside wilds of it.

    Attributes:
        terms: The terms of the deal.
        meld: The meld.
        bits: The cards at hand.
        need: Mask of cards of which one has to be used; 0 for none.
        end: What makes a leaf of the cards.
    """

    __slots__ = ("_open", "bits", "end", "meld", "need", "terms")

    def __init__(
        self, terms: Terms, meld: Meld, bits: int, need: int, end: EndAt
    ) -> None:
        self.terms = terms
        self.meld = meld
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
            natural = bits & terms.natural_mask if terms.sets else 0
            ranks = ranks_with(natural, terms.least_set - 1)
            return Fork(ranks, self._of_rank, for_shape) if ranks else None
        if meld.kind == "wilds":
            return self._filling(0, None).part(bits & terms.wild_mask, 1)
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
        if terms.distinct:
            held = present(held)
            most = len(terms.suits) - 1
        own = terms.own_place_is_natural and self.meld.slots[0].card.rank == rank
        if not own:
            least = max(least, terms.first_wild)
        return self._filling(0, None).part(held, least, most)

    def _go_on(self, places: Places, lying: int) -> Node:
        """
        More cards for places beside wilds, or the growth after those that lie there.
        """
        options = []
        if lying and (not self.need or lying & self.need):
            options.append(DONE)
        left = self.bits - lying
        if left & (self.meld.grows | self.terms.wild_mask):
            options.append(GROW)
        options += places

        def go(option: int) -> Node:
            if option == GROW:
                return self._grown(lying)
            if option == DONE:
                return self.end(self._beside(lying), lying, None)
            rest = places[places.index(option) + 1 :]
            return self._go_on(rest, lying + UNIT[option])

        return fork(options, go, for_beside)

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
                    return self._as_itself(lying, bits, places, None)
            return self._filling(lying, None).some_of(places, 1)
        filling = self._filling(lying, None)
        if meld.rank == "*":
            return filling.part(bits & FIELD[JOKER], 1)
        return filling.free_set(meld.rank)

    def _longer(self, lying: int, bits: int) -> Node:
        """
        Which places of a run are new, and then their cards.
        """
        wilds = bits & self.terms.wild_mask
        fillings: dict[str | None, Filling] = {}

        def filled(run: Grown) -> Node:
            _, places, side = run
            if not wilds:
                return self._as_itself(lying, bits, places, side)
            if side not in fillings:
                fillings[side] = self._filling(lying, side)
            return fillings[side].all_of(places)

        return fork(
            self._by_low(bits),
            lambda runs: fork(runs, filled, lambda run: for_high(run[0][-1]), True),
            lambda runs: for_low(runs[0][0][0]),
            wide=True,
        )

    def _as_itself(
        self, lying: int, bits: int, places: Places, side: str | None
    ) -> Node:
        """
        The leaf of cards that are all in their own places; no wild is at hand.
        """
        found = by_naturals(places, bits, 0 if lying & self.need else self.need)
        if found is None:
            return None
        cards, used = found
        if lying:
            cards = self._beside(lying) + cards
        return self.end(cards, lying + used, side)

    def _beside(self, lying: int) -> tuple[Played, ...]:
        """
        The cards that lie beside wilds of the meld, as they are named.
        """
        if not lying:
            return ()
        laid = [code for code in self._open if lying & FIELD[code]]
        return tuple(as_themselves(self.terms, laid))

    def _filling(self, lying: int, side: str | None) -> Filling:
        """
        The cards for places that are new, after some were laid beside wilds.
        """
        terms, end = self.terms, self.end
        bits = self.bits - lying
        need = 0 if lying & self.need else self.need
        beside = self._beside(lying)
        # Without a wild at hand no limit on wilds can be broken.
        wilds = counted_wilds(terms, self.meld.slots) if bits & terms.wild_mask else 0

        def grown(cards: tuple[Played, ...], used: int) -> Node:
            return end(beside + cards, lying + used, side)

        return Filling(terms, bits, need, grown, len(self.meld) - wilds, wilds)

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


def _holes(along: Places, way: range, bits: int, wilds: int) -> list[int]:
    """
    How many wilds the next places take, by how many they are, as far as wilds go.
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
