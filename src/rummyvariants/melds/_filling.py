"""
Which cards fill a shape: the tree of cards for its places.

Complete up to cards of one face and to equal placements of wilds: wilds that do not
stand for themselves fill their places from low to high in the order c d h s, jokers
last. Every leaf is fully declared, so that reading it back gives one meaning.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterable, Iterator
from typing import Any, final

from rummyvariants.cards import (
    FIELD,
    JOKER,
    SUITS,
    UNIT,
    codes,
    face_bits,
    present,
    ranks_in,
    size,
)
from rummyvariants.melds._choices import for_high, for_low, for_place, for_suits
from rummyvariants.melds._meld import HOME, PLAIN, Played, place, played, standing
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
    next_open,
    numbers_of,
    parts_of_row,
    pattern_of,
    which_places,
)
from rummyvariants.melds._tables import (
    ANY_NUMBER,
    Terms,
    Window,
    most_of_places,
)
from rummyvariants.melds._tree import Fork, Node, fork


Filled = tuple[tuple[Played, ...], int]
"""Cards as an action names them, and the same as a multiset."""

End = Callable[[tuple[Played, ...], int], Node]
"""What makes a leaf of cards as an action names them, and the same as a multiset."""

Enough = Callable[[int], bool]
"""What tells of cards in their own places whether they may be enough."""

Setting = tuple[list[Played], Places, tuple[int, ...], int, bool]
"""Cards in their own places; these places; the numbers of those that wilds take, as
`numbers_of` counts them; the cards of the others; whether a wild leaves its place."""

Chosen = tuple[Places, int]
"""Places, and those of which the cards are at hand, as bits, the first the highest."""


def filled(cards: tuple[Played, ...], used: int) -> Filled:
    """
    The plainest leaf.
    """
    return cards, used


def by_naturals(places: Places, bits: int, need: int) -> Filled | None:
    """
    Places filled by their own cards; None if one is not at hand, or none is needed.
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
        bits: The cards at hand.
        need: Mask of cards of which one has to be used; 0 for none.
        end: What makes a leaf of the cards.
        naturals: Natural cards that the meld holds already; -1 for a new meld, which
            needs one.
        wilds: Wilds that it holds already and that count for the limit.
        enough: Of cards in their own places, as many as may be: whether a meld with
            some of them will do; None where all do.
    """

    __slots__ = (
        "_no_limit",
        "_one_face",
        "_pool",
        "_size",
        "bits",
        "end",
        "enough",
        "naturals",
        "need",
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
    ) -> None:
        self.enough = enough
        self.terms = terms
        self.bits = bits
        self.need = need
        self.end = end
        self.naturals = naturals
        self.wilds = wilds
        self._pool = bits & terms.wild_mask
        self._size = size(self._pool)
        self._no_limit: Limit | None = None
        if terms.unlimited:
            self._no_limit = ANY_NUMBER, False, naturals < 0
        self._one_face = present(self._pool).bit_count() == 1

    def of_shape(self, usable: int, shape: str) -> Node:
        """
        A new meld of a rank, of a suit with so many wilds, or of jokers or wilds alone.
        """
        terms = self.terms
        if shape in {"wilds", "*"}:
            alone = self._pool if shape == "wilds" else self.bits & FIELD[JOKER]
            return self.part(alone, terms.least_set)
        if shape in SUITS:
            return self._of_suit(usable, SUITS.index(shape))
        if terms.distinct:
            return self.some_of(terms.set_codes[shape], terms.least_set)
        return self.free_set(shape)

    def _of_suit(self, usable: int, suit: int) -> Node:
        """
        A new run of a suit with so many wilds: first its lowest card, then its highest.
        """
        bits, need = self.bits, self.need
        along = self.terms.runs_along
        track = along.codes[suit]
        runs = along.by_low(ranks_in(face_bits(bits), suit), usable)
        if need and not need & self._pool:
            useful = ranks_in(face_bits(need), suit)
            some = [tuple([run for run in one if run[2] & useful]) for one in runs]
            runs = tuple(filter(None, some))

        def filled(run: Window) -> Node:
            return self.all_of(track[run[0] : run[0] + run[1]])

        def every(runs: Iterable[Window]) -> Iterator[Any]:
            if self._pool:
                row = Row(self.terms, bits, track)
                return self._ways(self._in_run(row, runs))
            return self._every([track[low : low + long] for low, long, _ in runs])

        def from_low(one: tuple[Window, ...]) -> Node:
            return fork(
                one,
                filled,
                lambda run: for_high(track[run[0] + run[1] - 1]),
                True,
                lambda: every(one),
            )

        return fork(
            runs,
            from_low,
            lambda one: for_low(track[one[0][0]]),
            True,
            lambda: every(itertools.chain.from_iterable(runs)),
        )

    def part(self, bits: int, least: int, most: int = 99) -> Node:
        """
        Some of the cards, so many at least and at most, each as itself.
        """
        return parts(bits, least, most, self.need, self._as_named)

    def _as_named(self, used: int) -> Node:
        return self.end(tuple([PLAIN[code] for code in codes(used)]), used)

    def all_of(self, places: Places) -> Node:
        """
        Every place filled, by its own card or by a wild.
        """
        if not self._pool:
            found = by_naturals(places, self.bits, self.need)
            return None if found is None else self.end(*found)
        row = Row(self.terms, self.bits, places)
        number = len(places)
        if self.enough is not None and not self.enough(_units(places, row.there)):
            return None
        pattern = pattern_of(
            number, row.there, row.homes, self._size, self._limit(number)
        )
        if pattern is None:
            return None

        def every() -> Iterator[Any]:
            return self._ways(self._in_run(row, [(0, number, 0)]))

        if self._one_face and not (row.homes or next_open(pattern)):
            return next(every(), None)
        node = self._decide((places, row.there), pattern)
        if isinstance(node, Fork):
            node.kept = every
        return node

    def _every(self, several: Iterable[Places]) -> Iterator[Any]:
        """
        The leaves of `all_of` for some places and others after them; none is a fork.
        """
        found = map(self.all_of, several)
        return (leaf for leaf in found if leaf is not None)

    def _limit(self, number: int) -> Limit:
        """
        How many wilds so many places may hold, as `pattern_of` asks for it.
        """
        if self._no_limit is not None:
            return self._no_limit
        terms = self.terms
        held = max(self.naturals, 0)
        most = max(most_of_places(terms.most_wilds, number, held, self.wilds), 0)
        return most, not terms.own_place_is_natural, self.naturals < 0

    def _decide(self, chosen: Chosen, pattern: Pattern, out: int = 0) -> Node:
        """
        Which places are left to wilds, one after another.

        Args:
            chosen: All the places, and those of which the cards are at hand.
            pattern: What decides it, of the places to come.
            out: Those that are left to wilds so far.
        """
        bit = next_open(pattern)
        if not bit:
            return self._with_wilds(chosen, out)
        places, there = chosen
        code = places[-bit.bit_length()]
        kept, left = decided(pattern, bit)
        need = self.need

        def go(option: int) -> Node:
            now_out = out if option >= 0 else out | bit
            if need and not need & self._pool:
                # Of the cards that stay where they are one has to be needed.
                if not need & _units(places, there & ~now_out):
                    return None
            if self.enough is not None:
                if not self.enough(_units(places, there & ~now_out)):
                    return None
            return self._decide(chosen, kept if option >= 0 else left, now_out)

        return Fork((code, ~code), go, for_place)

    def _with_wilds(self, chosen: Chosen, out: int) -> Node:
        """
        Which wilds go to the holes, lowest first; where each goes follows from that.
        """
        places, there = chosen
        holes = numbers_of((1 << len(places)) - 1 & ~there | out)
        own = _units(places, there & ~out)
        pool = self._pool - (own & self.terms.wild_mask)
        if len(holes) == 1:
            pool &= ~FIELD[places[holes[0]]]
        need = 0 if own & self.need else self.need

        def placed(wilds: int) -> Node:
            order = arranged(codes(wilds), tuple([places[at] for at in holes]))
            if order is None:
                return None
            cards = as_themselves(self.terms, places)
            for at, code in zip(holes, order, strict=True):
                cards[at] = standing(code, places[at])
            return self.end(tuple(cards), own + wilds)

        return parts(pool, len(holes), len(holes), need, placed)

    def _in_run(self, row: Row, runs: Iterable[Window]) -> Iterator[Setting]:
        """
        What stands where if the places of some runs of a row are filled.
        """
        wilds = self._size
        for low, number, _ in runs:
            high = low + number
            after = len(row.places) - high
            full = (1 << number) - 1
            there, homes = row.there >> after & full, row.homes >> after & full
            places, cards = row.places[low:high], row.cards[low:high]
            all_own = row.before[high] - row.before[low]
            limit = self._no_limit or self._limit(number)
            for out, holes, astray in left_to_wilds(number, there, homes, wilds, limit):
                own = all_own
                for at in out:
                    own -= UNIT[places[at]]
                yield cards, places, holes, own, astray

    def _in_set(self, row: Row, least: int) -> Iterator[Setting]:
        """
        What stands where if some places of a row are filled, so many at least.
        """
        number = len(row.places)
        limits = tuple([self._limit(many) for many in range(number + 1)])
        last: tuple[int, ...] = ()
        cards: list[Played] = []
        places: Places = ()
        for chosen, kept, holes, astray in parts_of_row(
            number, row.there, row.homes, self._size, least, limits
        ):
            if chosen is not last:
                last = chosen
                cards = [row.cards[at] for at in chosen]
                places = tuple([row.places[at] for at in chosen])
            own = 0
            for at in kept:
                own += UNIT[row.places[at]]
            yield cards, places, holes, own, astray

    def _ways(self, settings: Iterable[Setting]) -> Iterator[Any]:
        """
        The leaves of some settings: which wilds take the places that are left to them.
        """
        need, end, wild_mask = self.need, self.end, self.terms.wild_mask
        enough = self.enough
        orders = few_orders if self._size <= FEW_WILDS else orders_of
        for own_cards, places, holes, own, astray in settings:
            pool = self._pool - (own & wild_mask)
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
                    cards[at] = standing(code, places[at])
                leaf = end(tuple(cards), own + wilds)
                if leaf is not None:
                    yield leaf

    def some_of(self, places: Places, least: int) -> Node:
        """
        Some of the places of a set filled, so many at least: first which.
        """
        bits, pool = self.bits, self._pool
        if not pool:
            places = tuple([code for code in places if bits & FIELD[code]])
            if len(places) == least:
                return self.all_of(places)
        row = Row(self.terms, bits, places)
        naturals = int(self.naturals < 0)
        which = [*which_places(row.there, len(places), least, self._size, naturals)]
        if self.need and not self.need & pool:
            there = row.there
            which = [one for one in which if self.need & _units(places, one & there)]

        def chosen(mask: int) -> Places:
            return tuple([places[at] for at in numbers_of(mask)])

        def every() -> Iterator[Any]:
            if pool:
                return self._ways(self._in_set(row, least))
            return self._every(map(chosen, which))

        return fork(
            which,
            lambda mask: self.all_of(chosen(mask)),
            lambda mask: for_suits(chosen(mask)),
            False,
            every,
        )

    def free_set(self, rank: str) -> Node:
        """
        Cards of a set whose suits do not matter: those of the rank, then other wilds.
        """
        terms = self.terms
        new = self.naturals < 0
        least = terms.least_set if new else 1
        mask = terms.rank_masks[rank]
        others = self._pool & ~mask
        fewest = max(least - size(others), int(new))
        mates = self.bits & mask
        if size(mates) < fewest:
            return None
        need = 0 if self.need & others else self.need
        return parts(
            mates, fewest, 99, need, lambda own: self._with_others(rank, others, own)
        )

    def _with_others(self, rank: str, others: int, mates: int) -> Node:
        if self.enough is not None and not self.enough(mates):
            return None
        terms = self.terms
        least = terms.least_set if self.naturals < 0 else 1
        number = size(mates)
        counted = 0 if terms.own_place_is_natural else size(mates & terms.wild_mask)
        naturals = max(self.naturals, 0) + number - counted
        room = terms.wild_room(naturals, self.wilds) - counted
        if counted and room < 0:
            return None
        need = 0 if mates & self.need else self.need
        if not others or room <= 0:
            enough = number >= least and not need
            return self._as_set(rank, mates, 0) if enough else None
        if number + room < least:
            return None
        return parts(
            others,
            least - number,
            room,
            need,
            lambda beside: self._as_set(rank, mates, beside),
        )

    def _as_set(self, rank: str, mates: int, others: int) -> Node:
        terms = self.terms
        used = mates + others
        cards = [PLAIN[code] for code in codes(mates & terms.natural_mask)]
        if used & terms.wild_mask:
            mask = terms.rank_masks[rank]
            cards += [
                HOME[code] if FIELD[code] & mask else played(code, place(rank))
                for code in codes(used & terms.wild_mask)
            ]
        return self.end(tuple(cards), used)


def _units(places: Places, mask: int) -> int:
    """
    The cards of those places that a mask names, as a multiset.
    """
    found = 0
    for at in numbers_of(mask):
        found += UNIT[places[at]]
    return found
