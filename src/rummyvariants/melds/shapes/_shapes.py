"""
The plays of a deal: which new melds and lay-offs a hand allows, and what each means.
"""

from __future__ import annotations

import functools
import itertools

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from rummyvariants._support.memos import kept, remembered
from rummyvariants.cards import (
    CODES,
    FIELD,
    JOKER,
    LANE,
    RANKS,
    ROW_OF,
    SUIT_BIT,
    UNIT,
    codes,
    common,
    count,
    faces,
    pack,
    present,
    ranks_by_suit,
    ranks_held,
    ranks_with,
    size,
)
from rummyvariants.melds._meld import (
    HOME,
    IDENTICAL,
    PLAIN,
    STANDING,
    Beside,
    Meld,
    Played,
    Slot,
    built,
    laid_along,
    moved_in,
    moving_in,
    place,
    played,
    uncovered,
    window_of,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._filling import (
    ANY_NUMBER,
    DIGIT,
    counts_of,
    digits_of,
    orders,
)
from rummyvariants.melds.shapes._kinds import Kinds, kinds_of
from rummyvariants.melds.shapes._numbers import (
    ALIKE,
    BESIDE,
    CARDS_MASK,
    FREE_MASK,
    HELD,
    HELD_MASK,
    HOLES_MASK,
    JOKERS,
    KIND,
    KINDS_AT_MOST,
    RUN,
    SHAPE,
    SUBSETS,
    WHICH,
    WHICH_MASK,
    WILDS,
    cards_to_number,
    number_to_cards,
)
from rummyvariants.melds.shapes._tables import (
    AT_HOME,
    LEAVE,
    RUNS_NUMBER,
    SETS_NUMBER,
    STAY,
    Entry,
    Runs,
    run_table,
    set_table,
    suit_rows,
)
from rummyvariants.melds.shapes._track import (
    RUN_CODES,
    Side,
    Track,
    Window,
    as_lane,
    codes_along,
    places_of,
    ranks_at,
)


class Lot(NamedTuple):
    """
    Some plays of a shape: each of the parts goes with each choice of wilds.

    Attributes:
        parts: The numbers without shape and wilds, in order.
        wilds: What is added to these, in order.
        most: No play has more cards.
    """

    parts: Sequence[int]
    wilds: Sequence[int]
    most: int


class Filled(NamedTuple):
    """
    What a number means.

    Attributes:
        cards: The cards as an action names them.
        used: The same as a multiset.
        side: The end of the run that they go to, if it must be named.
    """

    cards: tuple[Played, ...]
    used: int
    side: Side | None


class Outline(NamedTuple):
    """
    What a number says with all cards in their own places, wilds left out.

    Attributes:
        codes: The codes of the cards in their places, those beside wilds first.
        cards: These cards as they are played where they are natural.
        places: Which card is left out if a bit of a number is set.
        own: The cards as a multiset.
        side: The end of the run that they go to, if it must be named.
    """

    codes: tuple[int, ...]
    cards: tuple[Played, ...]
    places: dict[int, int]
    own: int
    side: Side | None


_lot: Final[Any] = functools.partial(tuple.__new__, Lot)
_filled: Final[Any] = functools.partial(tuple.__new__, Filled)
"""Make them more quickly than the classes do."""

_ALL_RANKS: Final = (1 << len(RANKS)) - 1
_COLUMN: Final = sum(7 << 64 * row for row in ROW_OF.values())


_BY_BIT: Final = sorted(ROW_OF.values(), key=SUIT_BIT.__getitem__)
"""The rows of suits by their bits."""


class _Pool:
    """
    The wilds of a hand: what they add to keys of tables, and what lots ask of them.

    Attributes:
        bits: The wilds.
        number: How many they are.
        least: The fewest cards of a rank that make a set with them.
        runs: By suit, what is added to a key of its runs.
        sets: By rank, what is added to a key of its sets.
        choices: By shape and lot, the choices of wilds.
    """

    __slots__ = ("_counts", "bits", "choices", "least", "number", "runs", "sets")

    def __init__(self, shapes: Shapes, bits: int) -> None:
        terms = shapes.terms
        self.bits, self.number = bits, size(bits)
        self.least = shapes.fewest_beside(self.number)
        self._counts = tuple([count(bits, code) for code in shapes.faces])
        number = self.number << RUNS_NUMBER
        ranks = ranks_by_suit(bits, terms.every_row)
        self.runs = [one << AT_HOME | number for one in ranks]
        self.sets = [self.number << SETS_NUMBER] * len(RANKS)
        for code in faces(bits & ~FIELD[JOKER]):
            at = (code & 15) - 1
            self.sets[at] |= SUIT_BIT[code >> 4] << 4
            if not terms.distinct:
                self.sets[at] -= count(bits, code) << SETS_NUMBER
        for rank in terms.natural_ranks:
            self.sets[RANKS.index(rank)] = 0
        self.choices: dict[tuple[int, int], tuple[int, ...]] = {}

    def orders(self, numbers: Iterable[int]) -> list[int]:
        """
        The ways to take so many of the wilds, in order.
        """
        return sorted([one for n in numbers for one in orders(self._counts, n)])

    def taking(self, shapes: Shapes, shape: int, lot: int) -> Sequence[int]:
        """
        The ways to take the wilds of a lot, so that none has to be in its own place.
        """
        number, counts = lot & 15, [*self._counts]
        if shapes.is_free(shape):
            # Those of the rank of a set have their own places in it.
            mask = shapes.terms.rank_masks[RANKS[shape]]
            for at, code in enumerate(shapes.faces):
                counts[at] *= not FIELD[code] & mask
        if lot < 1 << STAY:
            return orders(tuple(counts), number)
        mates: Sequence[int] = RUN_CODES[max(shape - RUN, 0)]
        if shape < JOKERS:
            mates = [16 * row + shape + 1 for row in _BY_BIT]
        lonely = []
        for at, code in enumerate(mates):
            if lot >> STAY + at & 1:
                counts[shapes.faces.index(code)] -= 1
            if lot >> LEAVE + at & 1:
                alone = [number * (one == code) for one in shapes.faces]
                lonely.append(digits_of(alone))
        return [one for one in orders(tuple(counts), number) if one not in lonely]


class Shapes:
    """
    What melds can be made, and how melds grow, under the terms of a deal.

    Args:
        terms: The terms.

    Attributes:
        terms: The same.
        faces: The codes of the wild cards.
        width: How many bits of a number say which wilds are used.
        sets: The table of sets.
        has_places: By shape, whether each of its cards has a place of its own.
        names: By shape, its name.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.faces = tuple([code for code in terms.codes if terms.wild[code]])
        number = len(self.faces)
        self.width = 4 * number
        self._runs: Runs = run_table(terms.runs_along, terms.limit("run"), number)
        suits = sum([SUIT_BIT[row] for row in terms.rows])
        most = terms.most_set
        if terms.distinct:
            most = min(most, len(terms.rows))
        self.sets = set_table(
            terms.limit("set"),
            (terms.least_set, most),
            suits,
            distinct=terms.distinct,
            twins=terms.twins,
            alike=terms.alike,
            faces=number,
        )
        self._known_sets, self._known_runs = self.sets.known, self._runs.known
        # Whether sets, and runs, may hold any number of wilds.
        self._any_number = [one.most[0] >= ANY_NUMBER for one in terms.limits]
        # By code, the card as it is played as itself.
        self._named = [
            home if wild else plain
            for home, plain, wild in zip(HOME, PLAIN, terms.wild, strict=True)
        ]
        self.has_places = [
            RUN <= shape < WILDS or (shape < JOKERS and terms.distinct)
            for shape in range(KIND + KINDS_AT_MOST)
        ]
        self.kinds: Kinds | None = kinds_of(terms) if terms.kinds else None
        declared = [one.name for one in terms.kinds]
        self.names = {**NAMES, **dict(enumerate(declared, KIND))}
        self._outline: Callable[[int], Outline] = functools.partial(
            _outline, terms.runs_along, 0 if terms.distinct else len(self.sets.rows)
        )
        self._of_kinds: dict[int, list[Lot]] = {}
        self._pools: dict[int, _Pool] = {}
        self._taken: dict[int, tuple[tuple[int, ...], int]] = {}
        self._plays: dict[int, Filled] = {}
        self._melds: dict[tuple[int, int], Meld] = {}

    # ---------------------------------------------------------------------- new melds

    def new(self, bits: int, need: int = 0) -> list[Lot]:
        """
        The new melds of some cards: sets by rank, runs by suit, then other melds.

        Args:
            bits: The cards.
            need: Mask of cards of which one must be used; 0 for none.
        """
        terms = self.terms
        wilds = bits & terms.wild_mask
        pool = self._pools.get(wilds) or self._pool(wilds)
        natural = bits ^ wilds
        faces_held = present(natural)
        # A wild may be part of any meld.
        near = need if need and not need & wilds else -1
        found: list[Lot] = []
        if terms.sets:
            some = bits if terms.twins else faces_held + wilds
            for rank in ranks_with(some, pool.least):
                if rank in terms.set_ranks and near & terms.rank_masks[rank]:
                    at = RANKS.index(rank)
                    some = natural if rank in terms.natural_ranks else bits
                    key = some >> 4 * at + 4 & _COLUMN | pool.sets[at]
                    entry = self._known_sets.get(key)
                    if entry is None:
                        entry = self.sets.new(key)
                    if entry:
                        self._add(found, pool, at, entry, 0)
            if bits >= UNIT[JOKER] and not terms.wild[JOKER]:
                most = min(count(bits, JOKER), terms.most_set)
                jokers = [*range(terms.least_set, most + 1)]
                self._add_other(found, JOKERS, jokers, (0,), most)
        if terms.runs:
            if not wilds:
                natural = terms.runs_along.in_own_places(faces_held)
                near &= natural * 15
            for row in terms.rows if near else ():
                if near >> 64 * row & LANE:
                    key = ranks_held(natural >> 64 * row) | pool.runs[row]
                    entry = self._known_runs.get(key)
                    if entry is None:
                        entry = self._runs.new(key)
                    if entry:
                        self._add(found, pool, RUN + row, entry, 0)
        if terms.wild_melds:
            most = min(pool.number, terms.most_wild_meld)
            alone = pool.orders(range(terms.least_set, most + 1))
            self._add_other(found, WILDS, (0,), alone, most)
        if terms.alike:
            alike = [code << WHICH for code in faces(terms.alike_in(bits))]
            self._add_other(found, ALIKE, alike, (0,), IDENTICAL)
        if self.kinds is not None:
            found += self._declared(bits & ~terms.wild_mask)
        return self.wanted(found, need) if need and found else found

    def reach(self, bits: int) -> int:
        """
        Mask of the cards that new melds of some cards may hold, perhaps with others.
        """
        terms = self.terms
        if self.kinds is not None:
            return -1
        natural = bits & terms.natural_mask
        wilds = size(bits ^ natural) if bits != natural else 0
        found = FIELD[JOKER] | terms.wild_mask | self.in_runs(natural, wilds)
        if terms.sets:
            some = natural if terms.twins else present(natural)
            least = self.fewest_beside(wilds)
            if terms.own_place_is_natural:
                least = min(least, max(terms.least_set - wilds, 1))
            for rank in ranks_with(some, least):
                found |= terms.rank_masks[rank] & terms.in_sets
        return found | terms.alike_in(natural) * 15 if terms.alike else found

    def fewest_beside(self, wilds: int) -> int:
        """
        The fewest cards of a rank that make a new set with so many wilds.
        """
        terms = self.terms
        return max(terms.least_set - min(wilds, terms.most_in_sets[-1]), 1)

    def in_runs(self, natural: int, wilds: int) -> int:
        """
        Mask of the faces that some runs of natural cards and so many wilds hold.

        Wilds in their own places may be natural, whatever the limit on the others.
        """
        terms = self.terms
        if not terms.runs:
            return 0
        if not wilds:
            return terms.runs_along.in_own_places(present(natural)) * 15
        found, most = 0, wilds
        if not terms.own_place_is_natural:
            most = min(wilds, terms.most_in_runs[-1])
        for row in terms.rows:
            ranks = ranks_held(natural >> 64 * row)
            found |= as_lane(terms.runs_along.covered(ranks, most)) * 15 << 64 * row
        return found

    def fewest(self, bits: int, code: int) -> int:
        """
        The fewest cards of a new meld that uses a card; 0 if there is none.

        Args:
            bits: The cards, the card among them.
            code: Its code.
        """
        terms, wilds = self.terms, bits & self.terms.wild_mask
        if code == JOKER or terms.wild[code] or terms.kinds:
            return self.fewest_of(self.new(bits, FIELD[code]))
        if terms.alike and terms.alike_in(bits) & UNIT[code]:
            return IDENTICAL
        pool, natural = self._pools.get(wilds) or self._pool(wilds), bits ^ wilds
        at, row, found = (code & 15) - 1, code >> 4, 0
        if terms.runs and row in terms.rows:
            key = ranks_held(natural >> 64 * row) | pool.runs[row]
            found = self._runs.fewest(None, (0, 0), key, at)
        if terms.mates[code] and not 0 < found < terms.least_set:
            some = natural if RANKS[at] in terms.natural_ranks else bits
            key = some >> 4 * at + 4 & _COLUMN | pool.sets[at]
            # Of a larger set, some cards may be left out: first wilds, then naturals.
            if self._known_sets.get(key) or self.sets.new(key):
                found = terms.least_set
        return found

    def joining(self, bits: int, code: int, mates: int, more: int = 0) -> int:
        """
        The fewest cards of a new meld of a card and two others; 0 if there is none.

        Args:
            bits: The cards, all these among them.
            code: The code of the card.
            mates: The others, natural cards.
            more: How many more wilds might be there.
        """
        terms, wilds = self.terms, bits & self.terms.wild_mask
        pool, natural = self._pools.get(wilds) or self._pool(wilds), bits ^ wilds
        wild, faces_held = terms.wild[code], present(natural)
        fit = mates & (terms.in_sets if wild else terms.mates[code])
        if not terms.twins:
            fit, natural = present(fit & ~FIELD[code]), faces_held
        found = []
        if count(mates, code) > 1:
            # Cards of one face make a meld where they are jokers, or as alike ones.
            least = max(IDENTICAL, terms.least_set * (code == JOKER))
            makes = terms.sets if code == JOKER else terms.alike
            found += [least] * (makes and count(bits, code) >= least)
        declared = self._declared(bits ^ wilds) if self.kinds is not None else ()
        for part in [one for lot in declared for one in lot.parts]:
            cards = number_to_cards(part >> self.width)
            others = pack(cards) - UNIT[code] if code in cards else 0
            found += [len(cards)] * (size(common(others, mates)) > 1)
        for rank in ranks_with(fit, 2):
            room = 0 if rank in terms.natural_ranks else pool.number + more
            most = size(natural & terms.rank_masks[rank])
            for number in range(2 + (not wild), most + 1):
                lacking = max(terms.least_set - number, int(wild))
                if lacking <= min(room, terms.wild_room("set", number, 0)):
                    found.append(number + lacking)
                    break
        for row in terms.rows if wild else (code >> 4,):
            if terms.runs and row in terms.rows:
                key = ranks_held(faces_held >> 64 * row) | pool.runs[row]
                key += more << RUNS_NUMBER
                two = ranks_held(mates >> 64 * row)
                found.append(
                    self._runs.joining(two, key, -1 if wild else code % 16 - 1)
                )
        return min(filter(None, found), default=0)

    def fewest_onto(self, meld: Meld, bits: int, code: int) -> int:
        """
        The fewest cards of a lay-off on a meld that uses a card; 0 if there is none.
        """
        terms = self.terms
        if (meld.grows | meld.real * terms.lies_beside) & FIELD[code]:
            return 1
        if not terms.wild[code]:
            if not meld.kin & FIELD[code]:
                return 0
            if meld.kind == "set" and not terms.rising:
                return 0
            if meld.kind == "run":
                if not bits & (meld.grows | terms.wild_mask):
                    return 0  # nothing that could lie at an end of the run
                if not (terms.lies_beside or terms.moves):
                    row, wilds = code >> 4, bits & terms.wild_mask
                    pool = self._pools.get(wilds) or self._pool(wilds)
                    key = ranks_held((bits ^ wilds) >> 64 * row) | pool.runs[row]
                    window, rank = window_of(meld), (code & 15) - 1
                    return self._runs.fewest(window, meld.counted, key, rank)
        return self.fewest_of(self.longer(meld, bits, FIELD[code]))

    def fewest_of(self, lots: Iterable[Lot]) -> int:
        """
        The fewest cards of any of some plays; 0 if there are none.
        """
        return min(
            [
                min([self._cards(part + wilds[0]) for part in parts])
                + min(map(self._more, wilds))
                for parts, wilds, _ in lots
            ],
            default=0,
        )

    def _pool(self, wilds: int) -> _Pool:
        return kept(self._pools, wilds, _Pool(self, wilds), _REMEMBERED)

    def _add(
        self, found: list[Lot], pool: _Pool, shape: int, entry: Entry, tag: int
    ) -> None:
        """
        Add the lots of an entry of a table, with the wilds of a hand.
        """
        beside = (tag >> BESIDE + self.width).bit_count() if tag else 0
        for lot, parts, most in entry:
            wilds = pool.choices.get((shape, lot))
            if wilds is None:
                wilds = pool.choices[shape, lot] = self._choices(pool, shape, lot)
            if wilds:
                tagged = [tag + one for one in wilds] if tag else wilds
                found.append(_lot((parts, tagged, most + beside)))

    def _choices(self, pool: _Pool, shape: int, lot: int) -> tuple[int, ...]:
        """
        The ways to take the wilds of a lot, with the shape.
        """
        tag = shape << SHAPE + self.width
        return tuple([tag | one for one in pool.taking(self, shape, lot)])

    def _add_other(
        self,
        found: list[Lot],
        shape: int,
        parts: Sequence[int],
        wilds: Sequence[int],
        most: int,
        tag: int = 0,
    ) -> None:
        """
        Add plays of another shape.

        Args:
            found: What is added to.
            shape: The shape.
            parts: The plays, not shifted yet.
            wilds: What is added to these.
            most: The most cards of any of them, those beside wilds aside.
            tag: The cards beside wilds.
        """
        if parts and wilds:
            most += (tag >> BESIDE + self.width).bit_count()
            tag += shape << SHAPE + self.width
            parts = [part << self.width for part in parts]
            found.append(Lot(parts, [tag + one for one in wilds], most))

    def _declared(self, bits: int) -> list[Lot]:
        """
        The new melds of natural cards of the kinds that house rules declare.
        """
        found = self._of_kinds.get(bits)
        if found is None:
            found = []
            for at, melds in enumerate(self.kinds.new(bits) if self.kinds else ()):
                self._add_of_kind(found, at, melds)
            kept(self._of_kinds, bits, found, _REMEMBERED)
        return found

    def _add_of_kind(self, found: list[Lot], at: int, melds: Sequence[int]) -> None:
        """
        Add plays of some cards each, as multisets, of a kind that a rule declares.
        """
        parts = sorted([cards_to_number(codes(one)) for one in melds])
        most = max(map(size, melds), default=0)
        self._add_other(found, KIND + at, parts, (0,), most)

    # ----------------------------------------------------------------------- lay-offs

    def longer(
        self, meld: Meld, bits: int, need: int = 0, *, beside: bool = True
    ) -> list[Lot]:
        """
        What may be laid off on a meld, or beside wilds of it.

        Args:
            meld: The meld.
            bits: The cards in the hand.
            need: Mask of cards of which one must be used; 0 for none.
            beside: Whether cards may lie beside wilds.
        """
        found: list[Lot] = []
        self._grow(found, meld, bits, 0)
        if beside and bits & meld.real:
            held = [one for one in uncovered(self.terms, meld) if bits & FIELD[one]]
            run = meld.kind == "run"
            for number in range(1, len(held) + 1):
                for some in itertools.combinations(held, number):
                    lying = sum([_beside_bit(one, run=run) for one in some])
                    tag = lying << BESIDE + self.width
                    self._add_other(found, *self._still(meld), (0,), 0, tag)
                    rest = bits - sum([UNIT[one] for one in some])
                    self._grow(found, meld, rest, tag)
        return self.wanted(found, need) if need and found else found

    def _still(self, meld: Meld) -> tuple[int, list[int]]:
        """
        The shape of a meld, and the part of a lay-off by which it does not grow.
        """
        if meld.kind == "set":
            return RANKS.index(meld.rank), [0]
        window = window_of(meld)
        held = (1 << window.length) - 1
        return RUN + meld.row, [window.down << WHICH | held << HELD]

    def _grow(self, found: list[Lot], meld: Meld, bits: int, tag: int) -> None:
        """
        Add the ways in which a meld grows.
        """
        terms, kind = self.terms, meld.kind
        wilds = bits & terms.wild_mask
        pool = self._pools.get(wilds) or self._pool(wilds)
        natural = bits ^ wilds
        if kind == "run":
            row, window = meld.row, window_of(meld)
            counted = (0, 0) if self._any_number[1] else meld.counted
            others, moving = window.ranks ^ _ALL_RANKS, moving_in(terms, meld)
            if moving is not None:
                others |= 1 << window.along[moving[0]]
            key = ranks_held(natural >> 64 * row) & others
            key |= pool.runs[row] & (others << AT_HOME | -1 << RUNS_NUMBER)
            entry = self._runs.longer(window, counted, key, moving)
            if entry:
                self._add(found, pool, RUN + row, entry, tag)
        elif kind == "wilds":
            most = min(pool.number, terms.most_wild_meld - len(meld))
            more = pool.orders(range(1, most + 1))
            self._add_other(found, WILDS, (0,), more, most, tag)
        elif kind == "wild":
            self._build_on_wild(found, meld, natural)
        elif kind == "set" and meld.rank == "*":
            most = min(count(natural, JOKER), terms.most_set - len(meld))
            jokers = range(1, most + 1)
            self._add_other(found, JOKERS, [*jokers], (0,), most, tag)
        elif self.kinds is not None and kind in self.kinds.names:
            at, lying = self.kinds.names.index(kind), [one.code for one in meld.cards]
            self._add_of_kind(found, at, self.kinds.longer(at, pack(lying), natural))
        elif kind == "set":
            rank = RANKS.index(meld.rank)
            counted = (0, 0) if self._any_number[0] else meld.counted
            # Where a set may be of any size, it does not matter how big this one is.
            cards = len(meld) if terms.most_set < ANY_NUMBER else terms.least_set
            some = natural if meld.rank in terms.natural_ranks else bits
            key = some >> 4 * rank + 4 & _COLUMN | pool.sets[rank]
            entry = self.sets.larger(meld.taken, cards, counted, key)
            if entry:
                self._add(found, pool, rank, entry, tag)

    def _build_on_wild(self, found: list[Lot], meld: Meld, natural: int) -> None:
        """
        Add the ways to make a set of a single wild and naturals of one rank.
        """
        terms = self.terms
        pool = self._pools.get(0) or self._pool(0)
        some = natural & terms.in_sets
        for rank in ranks_with(some, max(terms.least_set - 1, 1)):
            if rank in terms.natural_ranks:
                continue
            at, own = RANKS.index(rank), meld.slots[0].card.rank == rank
            counted = (1, 0) if own and terms.own_place_is_natural else (0, 1)
            entry = self.sets.larger(0, 1, counted, some >> 4 * at + 4 & _COLUMN)
            self._add(found, pool, at, entry, 0)

    # ------------------------------------------------------------------ of some plays

    def wanted(self, lots: Iterable[Lot], need: int) -> list[Lot]:
        """
        The plays that use a card of a mask.
        """
        # No function is called for each play, since there may be thousands.
        last = len(self.faces) - 1
        shifts = [
            DIGIT * (last - at)
            for at, code in enumerate(self.faces)
            if FIELD[code] & need
        ]
        found = []
        for parts, wilds, most in lots:
            using = self._using(parts, wilds[0], need)
            if using:
                found.append(Lot(using, wilds, most))
            if shifts and len(using) < len(parts):
                taking = {
                    one
                    for shift in shifts
                    for one in wilds
                    if 0 < (one >> shift & 15) < 15 + (not shift)
                }
                if taking:
                    others = sorted({*parts} - {*using})
                    found.append(Lot(others, sorted(taking), most))
        return found

    def _using(self, parts: Sequence[int], tag: int, need: int) -> Sequence[int]:
        """
        Those of some parts in which a card of a mask stands for itself.
        """
        head, width = (parts[0] + tag) >> self.width, self.width
        if head >> BESIDE & HELD_MASK:
            if [code for code in self.beside(head) if FIELD[code] & need]:
                return parts
        shape = head >> SHAPE & 31
        if shape >= KIND:
            return [one for one in parts if need & pack(number_to_cards(one >> width))]
        at = width + WHICH
        if RUN <= shape < WILDS:
            held = head >> HELD & HELD_MASK
            track = self.terms.runs_along
            windows = track.downs if held else track.windows
            ranks = ranks_held(need >> 64 * (shape - RUN))
            found = []
            for one in parts if ranks else ():
                window, play = windows[one >> at & WHICH_MASK], one >> width
                wanted = ranks & window.ranks
                if wanted and places_of(wanted, window.along) & ~(play | play >> HELD):
                    found.append(one)
            return found
        if shape == ALIKE:
            return [one for one in parts if FIELD[one >> at & WHICH_MASK] & need]
        if shape >= JOKERS:
            return parts if shape == JOKERS and need & FIELD[JOKER] else ()
        rows = [row for row in ROW_OF.values() if need & FIELD[16 * row + shape + 1]]
        if self.terms.distinct:
            suits = sum([SUIT_BIT[row] for row in rows])
            return [
                one
                for one in parts
                if SUBSETS[one >> at & WHICH_MASK] & suits & ~(one >> width)
            ]
        last = len(self.sets.rows) - 1
        shifts = [width + DIGIT * max(last - row, 0) for row in rows]
        some = {one for at in shifts for one in parts if 0 < (one >> at & 15) < 15}
        return sorted(some)

    def kept(self, lots: Iterable[Lot], test: Callable[[int], bool]) -> list[Lot]:
        """
        The plays whose cards in their own places pass a test.

        Melds of wilds and of identical cards are kept.
        """
        found = []
        for parts, wilds, most in lots:
            some = parts
            if self.shape_of(wilds[0]) not in {WILDS, ALIKE}:
                some = [one for one in parts if test(self.own(one + wilds[0]))]
            if some:
                found.append(Lot(some, wilds, most))
        return found

    def of_sizes(self, lots: Iterable[Lot], least: int, most: int) -> list[Lot]:
        """
        The plays of no fewer and no more than so many cards.
        """
        found = []
        for parts, wilds, _ in lots:
            by_number: dict[int, list[int]] = {}
            for one in wilds:
                by_number.setdefault(self._more(one), []).append(one)
            for more, those in by_number.items():
                first = those[0]
                some = [
                    one
                    for one in parts
                    if least <= self._cards(one + first) + more <= most
                ]
                if some:
                    found.append(Lot(some, those, most))
        return found

    def named(self, lots: Iterable[Lot]) -> list[str]:
        """
        The names of the shapes of some plays.
        """
        at = SHAPE + self.width
        return [*dict.fromkeys([self.names[one.wilds[0] >> at & 31] for one in lots])]

    def of_names(self, lots: Iterable[Lot], names: Iterable[str]) -> list[Lot]:
        """
        The plays of the shapes with some names.
        """
        at = SHAPE + self.width
        return [one for one in lots if self.names[one.wilds[0] >> at & 31] in names]

    def numbers(self, lots: Sequence[Lot]) -> list[int]:
        """
        The numbers of some plays, in their order.
        """
        every = self.blocks(lots)
        return [first + one for first, wilds in every for one in wilds]

    def blocks(self, lots: Sequence[Lot]) -> list[tuple[int, Sequence[int]]]:
        """
        Some plays in the order of their numbers, as parts with the wilds of each.

        Plays of one part differ in their wilds alone, which are the lowest digits.
        """
        if len(lots) == 1:
            wilds = lots[0].wilds
            return [(part, wilds) for part in lots[0].parts]
        found: dict[int, tuple[int, Sequence[int]]] = {}
        for parts, wilds, _ in lots:
            shape = wilds[0] >> self.width << self.width
            for part in parts:
                before = found.get(part + shape)
                some = sorted([*before[1], *wilds]) if before else wilds
                found[part + shape] = part, some
        return [found[one] for one in sorted(found)]

    def shape_of(self, number: int) -> int:
        """
        The shape of a play.
        """
        return number >> SHAPE + self.width & 31

    # ------------------------------------------------------------- what a number means

    def _cards(self, number: int) -> int:
        """
        How many places a play has.
        """
        head = number >> self.width
        shape = head >> SHAPE & 31
        if RUN <= shape < WILDS:
            window, held = self.window(head)
            beside = (head >> BESIDE & HELD_MASK).bit_count()
            return window.length - held.bit_count() + beside
        return 0 if shape == WILDS else len(self.outline(number).codes)

    def _more(self, number: int) -> int:
        """
        How many wilds lie in no places of a play.
        """
        shape = self.shape_of(number)
        return (
            len(self.taken(number)[0]) if shape == WILDS or self.is_free(shape) else 0
        )

    def play(self, number: int) -> Filled:
        """
        What a number means; remembered.
        """
        found = self._plays.get(number)
        if found is None:
            found = kept(self._plays, number, self._play(number), _REMEMBERED)
        return found

    def _play(self, number: int) -> Filled:
        codes, cards, places, own, side = self.outline(number)
        if own & self.terms.wild_mask:
            cards = tuple([self._named[code] for code in codes])
            if self.is_free(self.shape_of(number)):
                # Those that are wild come last.
                cards = tuple(sorted(cards, key=lambda one: one.stands_for is not None))
        digits = number & (1 << self.width) - 1
        taken, wilds = self._taken.get(digits) or self.taken(number)
        if not taken:
            return _filled((cards, own, side))  # type: ignore[no-any-return]
        laid, empty = [*cards], number >> self.width & HOLES_MASK
        if places and len(taken) == 1:
            at = places[empty]
            hole = codes[at]
            laid[at] = STANDING[CODES * taken[0] + hole]
            own -= UNIT[hole]
        elif places:
            holes = []
            while empty:
                bit = 1 << empty.bit_length() - 1
                empty ^= bit
                holes.append(places[bit])
            lost = [codes[at] for at in holes]
            if len(holes) > 1 and not {*taken}.isdisjoint(lost):
                taken = apart(taken, lost)
            for at, hole, code in zip(holes, lost, taken, strict=True):
                laid[at] = STANDING[CODES * code + hole]
                own -= UNIT[hole]
        elif self.shape_of(number) == WILDS:
            laid = [PLAIN[code] for code in taken]
        else:
            rank = place(RANKS[self.shape_of(number)])
            mixed = [(one.card.code, one) for one in cards if one.stands_for]
            mixed += [(code, played(code, rank)) for code in taken]
            mixed.sort(key=lambda one: one[0])
            plain = [one for one in cards if not one.stands_for]
            laid = [*plain, *[one for _, one in mixed]]
        return _filled((tuple(laid), own + wilds, side))  # type: ignore[no-any-return]

    def taken(self, number: int) -> tuple[tuple[int, ...], int]:
        """
        The wilds that a play takes besides those in their own places.

        Returns:
            Their codes, and the same as a multiset.
        """
        digits = number & (1 << self.width) - 1
        found = self._taken.get(digits)
        if found is None:
            counts = counts_of(digits, len(self.faces)) if digits else []
            some = [(code,) * n for code, n in zip(self.faces, counts, strict=False)]
            codes = tuple(itertools.chain(*some))
            found = kept(self._taken, digits, (codes, pack(codes)), _REMEMBERED)
        return found

    def meld(self, number: int, seat: int) -> Meld:
        """
        The new meld that a seat lays; remembered.

        Args:
            number: The number of the play.
            seat: The seat.
        """
        found = self._melds.get((number, seat))
        if found is None:
            shape, low = self.shape_of(number), -1
            kind = "set"
            if shape >= KIND:
                kind = self.names[shape]
            elif shape >= WILDS:
                kind = "alike" if shape == ALIKE else "wilds"
            elif shape >= RUN:
                kind, low = "run", self.window(number >> self.width)[0].low
            slots = _slots(self.play(number).cards, seat)
            found = built(self.terms, kind, slots, seat, low)
            kept(self._melds, (number, seat), found, _REMEMBERED)
        return found

    def enlarged(self, old: Meld, number: int, seat: int) -> Meld:
        """
        A meld with what a seat lays off on it.

        Args:
            old: The meld before, no single wild.
            number: The number of the play.
            seat: The seat.
        """
        head, cards = number >> self.width, self.play(number).cards
        at = len(self.beside(head))
        low, lying, beside = -1, old.slots, old.beside
        if old.kind == "run" and self.terms.moves:
            window, held = self.window(head)
            lying = moved_in(lying, codes_along(old.row, window), held)
        slots = (*lying, *_slots(cards[at:], seat))
        if old.kind == "run":
            window, _ = self.window(head)
            along = codes_along(old.row, window)
            (slots, beside), low = laid_along(slots, beside, along), window.low
        if at:
            codes = [slot.code for slot in slots]
            beside += tuple(
                [
                    Beside(codes.index(one.card.code), one.card, seat)
                    for one in cards[:at]
                ]
            )
        return built(self.terms, old.kind, slots, old.maker, low, beside)

    def is_free(self, shape: int) -> bool:
        """
        Whether a shape is a set whose suits do not matter.
        """
        return shape < JOKERS and not self.terms.distinct

    def outline(self, number: int) -> Outline:
        """
        What a number says with all cards in their own places; remembered.
        """
        head = number >> self.width
        if self.has_places[head >> SHAPE & 31]:
            head &= ~HOLES_MASK
        return self._outline(head)

    def own(self, number: int) -> int:
        """
        The cards of a play that stand for themselves, as a multiset.
        """
        codes, _, places, own, _ = self.outline(number)
        empty = number >> self.width & HOLES_MASK
        for bit, at in places.items():
            if empty & bit:
                own -= UNIT[codes[at]]
        return own

    def window(self, head: int) -> tuple[Window, int]:
        """
        The run that a play leads to, and the places that were filled before.
        """
        return _window(self.terms.runs_along, head)

    def beside(self, head: int) -> list[int]:
        """
        The codes of the cards that lie beside wilds.
        """
        return _beside(self.terms.runs_along, head)


def _window(track: Track, head: int) -> tuple[Window, int]:
    held = head >> HELD & HELD_MASK
    return (track.downs if held else track.windows)[head >> WHICH & WHICH_MASK], held


def _beside(track: Track, head: int) -> list[int]:
    lying, shape = head >> BESIDE & HELD_MASK, head >> SHAPE & 31
    if not lying:
        return []
    if shape >= RUN:
        window, _ = _window(track, head)
        along = [rank for rank in window.along if lying >> 12 - rank & 1]
        return [RUN_CODES[shape - RUN][rank] for rank in along]
    return [16 * row + shape + 1 for row in suit_rows(lying)]


@functools.lru_cache(maxsize=1 << 12)
def _outline(track: Track, free: int, head: int) -> Outline:
    """
    What a number says; of so many suits where those of sets do not matter, or of none.
    """
    shape, side = head >> SHAPE & 31, None
    codes = _beside(track, head) if head >> BESIDE & HELD_MASK else []
    places: dict[int, int] = {}
    if shape >= KIND:
        codes += number_to_cards(head & CARDS_MASK)
    elif shape >= WILDS:
        codes += [head >> WHICH & WHICH_MASK] * (IDENTICAL * (shape == ALIKE))
    elif shape >= RUN:
        window, held = _window(track, head)
        bit, row = 1 << window.length, RUN_CODES[shape - RUN]
        if held:
            side = track.side(window, ranks_at(held, window.along))
        for rank in window.along:
            bit >>= 1
            if not held & bit:
                places[bit] = len(codes)
                codes.append(row[rank])
    elif shape == JOKERS:
        codes += [JOKER] * (head & HOLES_MASK)
    elif not free:
        for suit in suit_rows(SUBSETS[head >> WHICH & WHICH_MASK]):
            places[SUIT_BIT[suit]] = len(codes)
            codes.append(16 * suit + shape + 1)
    else:
        counts = counts_of(head & FREE_MASK, free)
        every = zip(ROW_OF.values(), counts, strict=False)
        codes += [16 * one + shape + 1 for one, n in every for _ in range(n)]
    cards = tuple([PLAIN[code] for code in codes])
    return Outline(tuple(codes), cards, places, pack(codes), side)


NAMES: Final[dict[int, str]] = {
    **dict(enumerate(RANKS)),
    JOKERS: "*",
    **{RUN + row: suit for suit, row in ROW_OF.items()},
    WILDS: "wilds",
    ALIKE: "alike",
}


_REMEMBERED: Final = 1 << 10


def _slots(cards: Iterable[Played], seat: int) -> tuple[Slot, ...]:
    """
    Cards of an action, all wilds of which are declared, as a seat lays them.
    """
    return tuple([Slot(one.card, one.stands_for, seat) for one in cards])


def _beside_bit(code: int, *, run: bool) -> int:
    """
    A card beside a wild, as a bit of a number: of a run its rank, of a set its suit.
    """
    return 1 << 13 - (code & 15) if run else SUIT_BIT[code >> 4]


@remembered(1)
def shapes_of(terms: Terms) -> Shapes:
    """
    The shapes of a deal.
    """
    return Shapes(terms)


def apart(wilds: tuple[int, ...], holes: Sequence[int]) -> tuple[int, ...]:
    """
    Wilds put in as many places in order, the lowest first, none in its own place.
    """
    if not [code for code in wilds if code in holes]:
        return wilds
    left, found = [*wilds], []
    for at, hole in enumerate(holes):
        for code in left:
            rest = [*left]
            rest.remove(code)
            stuck = rest and rest[0] == rest[-1] and rest[0] in holes[at + 1 :]
            if code != hole and not stuck:
                break
        found.append(code)
        left = rest
    return tuple(found)
