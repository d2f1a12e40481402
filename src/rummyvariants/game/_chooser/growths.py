"""
What may be laid off on a meld: cards beside its wilds, and cards by which it grows.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterator

import attrs

from rummyvariants.cards import CARDS, FIELD, JOKER, codes, faces, pack, size
from rummyvariants.game._chooser.choices import DONE, Choice
from rummyvariants.game._chooser.filling import Filling
from rummyvariants.game._chooser.runs import by_ends
from rummyvariants.game._chooser.tree import Branch, Node, fork
from rummyvariants.game.actions import End
from rummyvariants.melds._layoff_reading import uncovered
from rummyvariants.melds._layoffs import closed_above, end_to_say
from rummyvariants.melds._meld import OWN_PLACE, Meld, Played, counted_wilds, played
from rummyvariants.melds._tables import Terms


FinishAt = Callable[[tuple[Played, ...], End | None], Node | None]


@attrs.frozen
class Growths:
    """
    The tree of what may be laid off on a meld, or beside wilds of it.
    """

    terms: Terms
    meld: Meld
    bits: int
    need: int
    wanted: int
    end: FinishAt
    beside: bool

    def start(self) -> Node | None:
        """
        Cards to go beside wilds, and then cards by which the meld grows.
        """
        terms, meld = self.terms, self.meld
        if meld.kind == "wild":
            return self._on_single()
        if meld.kind == "wilds":
            order = tuple(faces(self.bits & terms.wild_mask))
            return self._part(order, 1)
        return self._go_on((), 0)

    def _filling(self, bits: int, need: int, naturals: int, wilds: int) -> Filling:
        return Filling(self.terms, bits, need, self.wanted, naturals, wilds)

    def _part(self, order: tuple[int, ...], least: int, most: int = 99) -> Node | None:
        filling = self._filling(self.bits, self.need, 0, 0)
        return filling.part_of(
            order,
            least,
            lambda chosen: self.end(tuple(map(played, codes(chosen))), None),
            most=most,
        )

    def _on_single(self) -> Node | None:
        terms = self.terms
        if not terms.sets:
            return None
        least = terms.least_set - 1
        branches: list[Branch] = []
        for rank in terms.ranks:
            order = tuple(
                faces(self.bits & terms.rank_masks[rank] & terms.natural_mask)
            )
            if not order:
                continue
            branches.append(
                (
                    Choice(f"set of {rank}", "shape"),
                    functools.partial(self._naturals, order, least),
                )
            )
        return fork(branches)

    def _naturals(self, order: tuple[int, ...], least: int) -> Node | None:
        terms = self.terms
        if not terms.distinct:
            return self._part(order, least)
        once = Growths(
            terms,
            self.meld,
            pack(order),
            self.need,
            self.wanted,
            self.end,
            self.beside,
        )
        return once._part(order, least, len(terms.suits) - 1)

    def _go_on(self, lying: tuple[int, ...], at: int) -> Node | None:
        """
        More cards beside wilds, or the growth after those that were chosen.
        """
        terms, bits = self.terms, self.bits
        places = []
        if self.beside:
            found = uncovered(terms, self.meld)
            places = [code for code in found if bits & FIELD[code]]
        if not places:
            return self._grown(lying)
        branches: list[Branch] = [
            (
                Choice(f"{CARDS[places[now]]} beside", "beside", CARDS[places[now]]),
                functools.partial(self._go_on, (*lying, places[now]), now + 1),
            )
            for now in range(at, len(places))
        ]
        branches.append((Choice("grow", "on"), lambda: self._grown(lying)))
        if lying and (not self.need or pack(lying) & self.need):
            named = tuple(self._as_itself(code) for code in lying)
            branches.append((DONE, lambda: self.end(named, None)))
        return fork(branches, wide=False, wanted=self.wanted)

    def _as_itself(self, code: int) -> Played:
        return played(code, OWN_PLACE[code] if self.terms.wild[code] else None)

    def _grown(self, lying: tuple[int, ...]) -> Node | None:
        terms, meld = self.terms, self.meld
        bits = self.bits - pack(lying)
        if not (meld.grows & bits or bits & terms.wild_mask):
            return None
        counted = counted_wilds(terms, meld.slots)
        need = 0 if pack(lying) & self.need else self.need
        filling = self._filling(bits, need, len(meld) - counted, counted)
        named = tuple(self._as_itself(code) for code in lying)
        if meld.kind == "run":
            return self._run(filling, named)

        def finish(cards: tuple[Played, ...]) -> Node | None:
            return self.end(named + cards, None)

        if meld.rank == "*":
            return filling.part_of(
                (JOKER,),
                1,
                lambda chosen: finish(tuple(map(played, codes(chosen)))),
            )
        if not terms.distinct:
            return filling.free_set(meld.rank, finish)
        taken = {slot.code for slot in meld.slots}
        free = tuple(c for c in terms.set_codes[meld.rank] if c not in taken)
        return filling.some_of(free, 1, finish)

    def _run(self, filling: Filling, named: tuple[Played, ...]) -> Node | None:
        terms, meld = self.terms, self.meld
        along = terms.run_codes[meld.suit]

        def runs() -> Iterator[tuple[int, int, Callable[[], Node | None]]]:
            for below, above in self._reaches(filling.bits):
                low, top = meld.low - below, meld.low + len(meld) + above
                places = along[low : meld.low] + along[top - above : top]
                side = end_to_say(terms, meld, below, above)

                def grow(
                    places: tuple[int, ...] = places,
                    side: End | None = side,  # type: ignore[assignment]
                ) -> Node | None:
                    return filling.all_of(
                        places, lambda cards: self.end(named + cards, side)
                    )

                yield along[low], along[top - 1], grow

        return by_ends(runs())

    def _reaches(self, bits: int) -> Iterator[tuple[int, int]]:
        """
        By how many cards the run may grow below and above.
        """
        terms, meld = self.terms, self.meld
        wilds = size(bits & terms.wild_mask)
        along = terms.run_codes[meld.suit]
        top = meld.low + len(meld)
        for below in range(len(terms.track)):
            for above in range(len(terms.track)):
                low, total = meld.low - below, len(meld) + below + above
                if not below + above:
                    continue
                if below + above > size(bits) or not terms.fits_track(low, total):
                    break
                places = along[low : meld.low] + along[top : top + above]
                if sum(not bits & FIELD[code] for code in places) > wilds:
                    break
                if not closed_above(terms, meld, below, total):
                    yield below, above
