"""
Which cards fill a shape: the tree of cards for its places.

The tree is complete, except that cards of one face and equal placements of wilds come
once: wilds that do not stand for themselves fill their places from low to high in the
order c d h s, jokers last. Every leaf is fully declared, so it has only one reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, final

from rummyvariants.cards import (
    CODES,
    FIELD,
    UNIT,
    codes,
    present,
    size,
)
from rummyvariants.melds._choices import Choice, for_place
from rummyvariants.melds._meld import PLAIN, STANDING, Played
from rummyvariants.melds._parts import (
    FEW_WILDS,
    arranged,
    few_orders,
    orders_of,
    parts,
)
from rummyvariants.melds._places import (
    Limit,
    Pattern,
    Places,
    Row,
    as_themselves,
    decided,
    left_to_wilds,
    limits_of,
    next_open,
    numbers_of,
    parts_of_row,
    pattern_of,
)
from rummyvariants.melds._tables import Terms, Window
from rummyvariants.melds._tree import Fork, Known, Node


Filled = tuple[tuple[Played, ...], int]
"""Cards as an action names them, and the same as a multiset."""

Enough = Callable[[int], bool]
"""A test whether cards in their own places may be enough."""

MOST_CARDS: Final = 99
"""More cards than a meld ever has."""

Setting = tuple[list[Played], Places, tuple[int, ...], int, bool]
"""Cards in their own places; these places; the numbers of those that wilds take, as
`numbers_of` counts them; the cards of the others; whether a wild leaves its place."""

Chosen = tuple[Places, int]
"""Places, and a bit for each whose card is in the hand, the first place highest."""


class End:
    """
    Makes a leaf, or a branch, from the cards that an action names.
    """

    __slots__ = ()

    def leaf(
        self, cards: tuple[Played, ...], used: int, side: str | None = None
    ) -> Node:
        """
        The plainest leaf; subclasses do more with the cards.

        Args:
            cards: The cards as an action names them.
            used: The same as a multiset.
            side: The end of a run that they go to, if it must be named.
        """
        del side
        return cards, used


def by_naturals(places: Places, bits: int, need: int) -> Filled | None:
    """
    Places filled by their own cards; None if one is missing, or no needed card is used.
    """
    used = 0
    for code in places:
        if not bits & FIELD[code]:
            return None
        used |= UNIT[code]
    if need and not used & need:
        return None
    return tuple([PLAIN[code] for code in places]), used


@final
class Filling:
    """
    Cards that fill the places of a meld, one of them perhaps on the table already.

    Attributes:
        terms: The terms of the deal.
        bits: The cards in the hand.
        pool: Those of them that are wild.
        pool_size: How many these are.
        need: Mask of cards of which one must be used; 0 for none.
        end: Makes a leaf from the cards.
        naturals: Natural cards that the meld holds already; -1 for a new meld, which
            needs one.
        wilds: Wilds that it holds already and that count for the limit.
        enough: A test whether a meld with some cards in their own places is enough;
            None if every meld is.
        most: The most cards of a new run, or of a new set whose suits do not matter.
        run: Whether the places are those of runs, which may limit wilds otherwise.
    """

    __slots__ = (
        "_limits",
        "_one_face",
        "bits",
        "end",
        "enough",
        "most",
        "naturals",
        "need",
        "pool",
        "pool_size",
        "run",
        "terms",
        "wilds",
    )

    def __init__(
        self,
        terms: Terms,
        bits: int,
        need: int,
        end: End,
        naturals: int = -1,
        wilds: int = 0,
        enough: Enough | None = None,
        most: int = MOST_CARDS,
        *,
        run: bool = False,
    ) -> None:
        self.run = run
        self.enough = enough
        self.most = most
        self.terms = terms
        self.bits = bits
        self.need = need
        self.end = end
        self.naturals = naturals
        self.wilds = wilds
        pool = bits & terms.wild_mask
        self.pool = pool
        self.pool_size = size(pool) if pool else 0
        self._one_face = pool != 0 and present(pool).bit_count() == 1
        self._limits: tuple[Limit, ...] = ()
        if pool:
            own = terms.own_place_is_natural
            of_kind = terms.most_in_runs if run else terms.most_in_sets
            self._limits = limits_of(of_kind, own, naturals, wilds)

    def without_wilds(self) -> Filling:
        """
        The same for a new meld that holds no wild card.
        """
        bits = self.bits - self.pool
        return Filling(
            self.terms, bits, self.need, self.end, enough=self.enough, most=self.most
        )

    def for_runs(self) -> Filling:
        """
        The same for runs, if it was made for sets.
        """
        terms = self.terms
        if self.run or not self.pool or terms.most_in_runs == terms.most_in_sets:
            return self
        return Filling(
            terms,
            self.bits,
            self.need,
            self.end,
            self.naturals,
            self.wilds,
            self.enough,
            self.most,
            run=True,
        )

    def part(self, bits: int, least: int, most: int = MOST_CARDS) -> Node:
        """
        Some of the cards, within limits of their number, each as itself.
        """
        return parts(bits, least, most, self.need, self._as_named)

    def _as_named(self, used: int) -> Node:
        return self.end.leaf(tuple([PLAIN[code] for code in codes(used)]), used)

    def all_of(self, places: Places) -> Node:
        """
        Every place filled, by its own card or by a wild.
        """
        if not self.pool:
            found = by_naturals(places, self.bits, self.need)
            if found is None:
                return None
            cards, used = found
            return self.end.leaf(cards, used)
        row = Row(self.terms, self.bits, places)
        number = len(places)
        if self.enough is not None and not self.enough(units_of(places, row.there)):
            return None
        pattern = pattern_of(
            number, row.there, row.homes, self.pool_size, self._limits[number]
        )
        if pattern is None:
            return None
        if self._one_face and not (row.homes or next_open(pattern)):
            return next(self.ways_in(row), None)
        node = self._decide((places, row.there), pattern)
        return _Whole(node, self, row) if isinstance(node, Fork) else node

    def ways_in(self, row: Row) -> Iterator[Any]:
        """
        The leaves of a run or set that takes all places of a row.
        """
        return self.ways(self.in_run(row, [(0, len(row.places), 0)]))

    def each(self, several: Iterable[Places]) -> Iterator[Any]:
        """
        The leaves of `all_of` for several lots of places; none is a fork.
        """
        for places in several:
            leaf = self.all_of(places)
            if leaf is not None:
                yield leaf

    def _decide(self, chosen: Chosen, pattern: Pattern, out: int = 0) -> Node:
        """
        Which places are left to wilds, one after another.

        Args:
            chosen: All the places, and those whose cards are in the hand.
            pattern: What decides it, of the places to come.
            out: Those that are left to wilds so far.
        """
        bit = next_open(pattern)
        if not bit:
            return self._with_wilds(chosen, out)
        code = chosen[0][-bit.bit_length()]
        return _OwnOrWild((code, ~code), self, chosen, pattern, bit, out)

    def decide(self, chosen: Chosen, pattern: Pattern, out: int) -> Node:
        """
        The same, once one more place is decided, if the cards that stay may be enough.
        """
        need, enough = self.need, self.enough
        if enough is not None or (need and not need & self.pool):
            places, there = chosen
            own = units_of(places, there & ~out)
            # One of the cards that stay where they are must be needed.
            if need and not need & (self.pool | own):
                return None
            if enough is not None and not enough(own):
                return None
        return self._decide(chosen, pattern, out)

    def _with_wilds(self, chosen: Chosen, out: int) -> Node:
        """
        Which wilds go to the holes, lowest first; where each goes follows from that.
        """
        places, there = chosen
        holes = numbers_of((1 << len(places)) - 1 & ~there | out)
        own = units_of(places, there & ~out)
        pool = self.pool - (own & self.terms.wild_mask)
        if len(holes) == 1:
            pool &= ~FIELD[places[holes[0]]]
        need = 0 if own & self.need else self.need
        placed = partial(self._placed, places, holes, own)
        return parts(pool, len(holes), len(holes), need, placed)

    def _placed(
        self, places: Places, holes: tuple[int, ...], own: int, wilds: int
    ) -> Node:
        """
        The leaf of wilds that go to the holes, if none of them has to go to its own.
        """
        order = arranged(codes(wilds), tuple([places[at] for at in holes]))
        if order is None:
            return None
        cards = as_themselves(self.terms, places)
        for at, code in zip(holes, order, strict=True):
            cards[at] = STANDING[CODES * code + places[at]]
        return self.end.leaf(tuple(cards), own + wilds)

    def in_run(self, row: Row, runs: Iterable[Window]) -> Iterator[Setting]:
        """
        What stands where if the places of some runs of a row are filled.
        """
        wilds = self.pool_size
        for low, number, _ in runs:
            high = low + number
            after = len(row.places) - high
            full = (1 << number) - 1
            there, homes = row.there >> after & full, row.homes >> after & full
            places, cards = row.places[low:high], row.cards[low:high]
            all_own = row.before[high] - row.before[low]
            limit = self._limits[number]
            for out, holes, astray in left_to_wilds(number, there, homes, wilds, limit):
                own = all_own
                for at in out:
                    own -= UNIT[places[at]]
                yield cards, places, holes, own, astray

    def in_set(self, row: Row, least: int) -> Iterator[Setting]:
        """
        What stands where if some places of a row are filled, so many at least.
        """
        number = len(row.places)
        limits = self._limits[: number + 1]
        last: tuple[int, ...] = ()
        cards: list[Played] = []
        places: Places = ()
        for chosen, kept, holes, astray in parts_of_row(
            number, row.there, row.homes, self.pool_size, least, limits
        ):
            if chosen is not last:
                last = chosen
                cards = [row.cards[at] for at in chosen]
                places = tuple([row.places[at] for at in chosen])
            own = 0
            for at in kept:
                own += UNIT[row.places[at]]
            yield cards, places, holes, own, astray

    def ways(self, settings: Iterable[Setting]) -> Iterator[Any]:
        """
        The leaves of some settings: which wilds take the places that are left to them.
        """
        need, end, wild_mask = self.need, self.end, self.terms.wild_mask
        enough = self.enough
        orders = few_orders if self.pool_size <= FEW_WILDS else orders_of
        for own_cards, places, holes, own, astray in settings:
            pool = self.pool - (own & wild_mask)
            if need and not need & (own | pool):
                continue
            if enough is not None and not enough(own):
                continue
            for taken, wilds in orders(pool, len(holes)):
                if need and not need & (own | wilds):
                    continue
                order = taken
                if astray:
                    apart = arranged(taken, tuple([places[at] for at in holes]))
                    if apart is None:
                        continue
                    order = apart
                cards = own_cards.copy()
                for at, code in zip(holes, order):  # noqa: B905 -- equally many
                    cards[at] = STANDING[CODES * code + places[at]]
                leaf = end.leaf(tuple(cards), own + wilds)
                if leaf is not None:
                    yield leaf


@final
class _Whole(Known):
    """
    What places are left to wilds, or which wilds: a fork whose leaves are known.
    """

    __slots__ = ("_filling", "_fork", "_row")

    def __init__(self, fork: Fork, filling: Filling, row: Row) -> None:
        self.options = fork.options
        self._fork = fork
        self._filling = filling
        self._row = row

    def go(self, option: Any) -> Node:
        return self._fork.go(option)

    def name(self, option: Any) -> Choice:
        return self._fork.name(option)

    def every(self) -> Iterator[Any]:
        return self._filling.ways_in(self._row)


@final
class _OwnOrWild(Fork):
    """
    Whether a place is taken by its own card, or by a wild.
    """

    __slots__ = ("_bit", "_chosen", "_filling", "_out", "_pattern")

    def __init__(
        self,
        options: tuple[int, int],
        filling: Filling,
        chosen: Chosen,
        pattern: Pattern,
        bit: int,
        out: int,
    ) -> None:
        self.options = options
        self._filling = filling
        self._chosen = chosen
        self._pattern = pattern
        self._bit = bit
        self._out = out

    def go(self, option: int) -> Node:
        kept, left = decided(self._pattern, self._bit)
        if option >= 0:
            return self._filling.decide(self._chosen, kept, self._out)
        return self._filling.decide(self._chosen, left, self._out | self._bit)

    def name(self, option: int) -> Choice:
        return for_place(option)


def units_of(places: Places, mask: int) -> int:
    """
    The cards of those places that a mask names, as a multiset.
    """
    found = 0
    for at in numbers_of(mask):
        found += UNIT[places[at]]
    return found
