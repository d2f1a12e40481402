"""
The new melds that some cards make: the shape, then its cards.
"""

from __future__ import annotations

import functools

from collections.abc import Iterator

import attrs

from rummyvariants.cards import FIELD, JOKER, SUITS, codes, count, faces, size
from rummyvariants.game._chooser.choices import Choice
from rummyvariants.game._chooser.filling import Filling, Finish
from rummyvariants.game._chooser.runs import by_ends
from rummyvariants.game._chooser.tree import Branch, Node
from rummyvariants.melds._combos import ranks_held, wild_room
from rummyvariants.melds._meld import played
from rummyvariants.melds._tables import Terms


@attrs.frozen
class NewMelds:
    """
    The tree of the new melds that some cards make.
    """

    terms: Terms
    bits: int
    need: int
    wanted: int
    end: Finish

    def _filling(self) -> Filling:
        return Filling(self.terms, self.bits, self.need, self.wanted, -1, 0)

    def shapes(self) -> Node:
        """
        Sets by rank, runs by suit, wilds alone.
        """
        return Node(self._shapes)

    def _shapes(self) -> Iterator[Branch]:
        terms, bits = self.terms, self.bits
        filling = self._filling()
        near = bits & terms.natural_mask
        wilds = bits & terms.wild_mask
        if terms.sets:
            for rank in terms.ranks:
                mask = terms.rank_masks[rank]
                if not bits & mask or self._useless((bits & mask) | wilds):
                    continue
                held = size(near & mask)
                if held + size(wilds) < terms.least_set:
                    continue
                if terms.distinct:
                    grow = functools.partial(
                        filling.some_of, terms.set_codes[rank], terms.least_set
                    )
                else:
                    grow = functools.partial(filling.free_set, rank)
                yield (
                    Choice(f"set of {rank}", "shape"),
                    functools.partial(grow, finish=self.end),
                )
            if not terms.wild[JOKER] and count(bits, JOKER) >= terms.least_set:
                yield Choice("set of *", "shape"), lambda: self._alone((JOKER,))
        if terms.runs:
            usable = min(size(wilds), wild_room(terms, 99, 0))
            for suit in terms.suits:
                windows = self._windows(suit, usable)
                if windows:
                    yield (
                        Choice(f"run of {suit}", "shape"),
                        functools.partial(self._runs, windows),
                    )
        if terms.wild_melds and size(wilds) >= terms.least_set:
            yield (
                Choice("wilds", "shape"),
                lambda: self._alone(tuple(faces(wilds))),
            )

    def _useless(self, cards: int) -> bool:
        return bool(self.need) and not cards & self.need

    def _alone(self, order: tuple[int, ...]) -> Node | None:
        return self._filling().part_of(
            order,
            self.terms.least_set,
            lambda chosen: self.end(tuple(map(played, codes(chosen)))),
        )

    def _windows(self, suit: str, usable: int) -> list[tuple[int, ...]]:
        """
        The runs of a suit that the cards come near to, as codes from low to high.
        """
        along = self.terms.run_codes[suit]
        held = ranks_held(self.bits >> 64 * SUITS.index(suit))
        windows = [
            along[low : low + length]
            for low, length, _ in self.terms.runs_along.near(held, usable)
        ]
        if not self.need or self.need & self.terms.wild_mask:
            return windows
        return [one for one in windows if any(self.need & FIELD[code] for code in one)]

    def _runs(self, windows: list[tuple[int, ...]]) -> Node:
        return by_ends(
            (
                window[0],
                window[-1],
                functools.partial(self._filling().all_of, window, self.end),
            )
            for window in windows
        )
