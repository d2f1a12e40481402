"""
Which cards fill a shape: the tree of parts of a multiset, and of cards for places.

Complete up to cards of one face and to equal placements of wilds: wilds that do not
stand for themselves fill their places from low to high in the order c d h s, jokers
last. Every leaf is fully declared, so that reading it back gives one meaning.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import Any, Final, final

from rummyvariants.cards import (
    FIELD,
    JOKER,
    SUITS,
    UNIT,
    codes,
    face_bits,
    faces,
    present,
    ranks_in,
    size,
)
from rummyvariants.melds._choices import (
    DONE,
    Choice,
    for_card,
    for_high,
    for_low,
    for_place,
    for_shape,
    for_suits,
)
from rummyvariants.melds._meld import OWN_PLACE, Played, place, played
from rummyvariants.melds._tables import Terms, most_of_places
from rummyvariants.melds._tree import Fork, Node, fork, leaves


Places = tuple[int, ...]
"""The places of a meld as the codes of the cards that they stand for."""

Filled = tuple[tuple[Played, ...], int]
"""Cards as an action names them, and the same as a multiset."""

End = Callable[[tuple[Played, ...], int], Node]
"""What makes a leaf of cards as an action names them, and the same as a multiset."""

PartEnd = Callable[[int], Node]
"""What makes a leaf of a multiset."""


def filled(cards: tuple[Played, ...], used: int) -> Filled:
    """
    The plainest leaf.
    """
    return cards, used


WILDS_REMEMBERED: Final = 2
"""With how many wilds at hand the ways to fill a shape are remembered."""
_FILLS_REMEMBERED: Final = 4_000


# ---------------------------------------------------------------- parts of a multiset


def parts(
    bits: int, least: int, most: int, need: int, end: PartEnd, chosen: int = 0
) -> Node:
    """
    The parts of a multiset: one card after another, none lower than the last.

    Least and most count the cards that are still to come after those chosen. Of the
    cards of a mask one has to be used; 0 stands for none.
    """
    if most <= 0:
        return end(chosen) if not need or chosen & need else None
    options = []
    if least <= 0 and (not need or chosen & need):
        options.append(DONE)
    left, rest = size(bits), bits
    for code in faces(bits):
        if left < least or (need and not (chosen | rest) & need):
            break
        options.append(code)
        copies = rest & FIELD[code]
        left -= copies >> 4 * code
        rest ^= copies

    def with_one(code: int) -> Node:
        if code == DONE:
            return end(chosen)
        unit = UNIT[code]
        left = (bits >> 4 * code << 4 * code) - unit
        return parts(left, least - 1, most - 1, need, end, chosen + unit)

    return fork(options, with_one, for_card)


def sub_multisets(bits: int, least: int = 0, most: int = 99) -> Iterator[int]:
    """
    The parts of a multiset with so many cards.
    """
    if size(bits) >= least:
        yield from leaves(parts(bits, least, most, 0, int))


# --------------------------------------------------------------------- filling places


def as_themselves(terms: Terms, places: Iterable[int]) -> list[Played]:
    """
    Cards in their own places, those that are wild declared.
    """
    wild = terms.wild
    return [played(code, OWN_PLACE[code] if wild[code] else None) for code in places]


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
    """

    __slots__ = ("_pool", "bits", "end", "naturals", "need", "terms", "wilds")

    def __init__(
        self,
        terms: Terms,
        bits: int,
        need: int,
        end: End,
        naturals: int = -1,
        wilds: int = 0,
    ) -> None:
        self.terms = terms
        self.bits = bits
        self.need = need
        self.end = end
        self.naturals = naturals
        self.wilds = wilds
        self._pool = bits & terms.wild_mask

    def of_shape(self, usable: int, shape: str) -> Node:
        """
        A new meld of a rank, of a suit with so many wilds, or of jokers or wilds alone.
        """
        terms, bits, need = self.terms, self.bits, self.need
        if shape in {"wilds", "*"}:
            alone = self._pool if shape == "wilds" else bits & FIELD[JOKER]
            return self.part(alone, terms.least_set)
        if shape in SUITS:
            row = SUITS.index(shape)
            ranks = ranks_in(face_bits(bits), row)
            runs = terms.runs_along.by_low(row, ranks, usable)
            if need and not need & self._pool:
                useful = [
                    tuple([run for run in one if any(need & FIELD[c] for c in run)])
                    for one in runs
                ]
                runs = tuple(filter(None, useful))
            return fork(
                runs, lambda one: fork(one, self.all_of, for_high, True), for_low, True
            )
        if terms.distinct:
            return self.some_of(terms.set_codes[shape], terms.least_set)
        return self.free_set(shape)

    def part(self, bits: int, least: int, most: int = 99) -> Node:
        """
        Some of the cards, so many at least and at most, each as itself.
        """
        return parts(bits, least, most, self.need, self._as_named)

    def _as_named(self, used: int) -> Node:
        return self.end(tuple([played(code) for code in codes(used)]), used)

    def all_of(self, places: Places) -> Node:
        """
        Every place filled, by its own card or by a wild.
        """
        bits = self.bits
        if not self._pool:
            used = 0
            for code in places:
                if not bits & FIELD[code]:
                    return None
                used |= UNIT[code]
            if self.need and not used & self.need:
                return None
            return self.end(tuple([played(code) for code in places]), used)
        mask = 0
        for code in places:
            mask |= UNIT[code]
        held = present(bits) & mask
        return self._remembering(self._all_of, places, for_suits, held)

    def free_set(self, rank: str) -> Node:
        """
        Cards of a set whose suits do not matter: those of the rank, then other wilds.
        """
        if not self._pool:
            return self._free_set(rank)
        held = self.bits & self.terms.rank_masks[rank]
        return self._remembering(self._free_set, rank, for_shape, held)

    def _remembering(
        self,
        go: Callable[[Any], Node],
        shape: Places | str,
        name: Callable[[Any], Choice],
        held: int,
    ) -> Node:
        """
        A branch whose leaves are remembered by its shape, if few wilds are at hand.

        The cards that are held are those of the hand that it may take beside wilds.
        """
        if size(self._pool) > WILDS_REMEMBERED:
            return go(shape)
        key = (shape, held, self._pool, self.naturals, self.wilds)
        kept = partial(self._kept, key, shape)
        return Fork((shape,), go, name, False, kept)

    def _kept(self, key: Hashable, shape: Places | str) -> Iterator[Any]:
        memo = self.terms.memo
        found: tuple[Filled, ...] | None = memo.get(key)
        if found is None:
            plain = Filling(self.terms, self.bits, 0, filled, self.naturals, self.wilds)
            branch = (
                plain._free_set(shape)
                if isinstance(shape, str)
                else plain._all_of(shape)
            )
            found = tuple(leaves(branch))
            if len(memo) >= _FILLS_REMEMBERED:
                memo.clear()
            memo[key] = found
        need, end = self.need, self.end
        for cards, used in found:
            if not need or used & need:
                leaf = end(cards, used)
                if leaf is not None:
                    yield leaf

    def _all_of(self, places: Places) -> Node:
        bits = self.bits
        wild = self.terms.wild
        missing = homes = 0
        for code in places:
            if not bits & FIELD[code]:
                missing += 1
            elif wild[code]:
                homes += 1
        # How many places may be left to wilds though their own cards are there: of
        # natural cards, since each takes one more wild, and of all.
        spare = size(self._pool) - missing - homes
        room = len(places) - missing - 1 if self.naturals < 0 else 99
        if spare < 0 or room < 0:
            return None
        if not self.terms.unlimited:
            naturals, limits = max(self.naturals, 0), self.terms.most_wilds
            most = most_of_places(limits, len(places), naturals, self.wilds)
            most = max(most, 0)
            if self.terms.own_place_is_natural:
                room = min(room, most - missing)
            else:
                spare = min(spare, most - missing - homes)
            if min(room, spare) < 0:
                return None
        return self._decide(places, 0, (), spare, room, 0)

    def _decide(
        self, places: Places, own: int, holes: Places, spare: int, room: int, at: int
    ) -> Node:
        """
        Which places are left to wilds, one after another.

        Args:
            places: All the places.
            own: The cards that are in their own places so far.
            holes: The numbers of the places left to wilds so far.
            spare: How many natural cards of those to come may be left out.
            room: How many of all to come may be left out.
            at: The number of the next place.
        """
        wild = self.terms.wild
        for now in range(at, len(places)):
            code = places[now]
            if not self.bits & FIELD[code]:
                holes += (now,)
            elif room > 0 and (spare > 0 or wild[code]):
                break
            else:
                own |= UNIT[code]
        else:
            return self._with_wilds(places, own, holes)
        need = self.need
        after = places[now + 1 :]

        def decided(option: int) -> Node:
            with_own = own | UNIT[code] if option >= 0 else own
            if need and not need & (with_own | self._pool):
                if not any(need & self.bits & FIELD[one] for one in after):
                    return None
            if option >= 0:
                return self._decide(places, with_own, holes, spare, room, now + 1)
            left = spare - (not wild[code])
            return self._decide(places, own, (*holes, now), left, room - 1, now + 1)

        return Fork((code, ~code), decided, for_place)

    def _with_wilds(self, places: Places, own: int, holes: Places) -> Node:
        """
        Which wilds go to the holes, lowest first; where each goes follows from that.
        """
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
                cards[at] = played(code, OWN_PLACE[places[at]])
            return self.end(tuple(cards), own + wilds)

        return parts(pool, len(holes), len(holes), need, placed)

    def some_of(self, places: Places, least: int) -> Node:
        """
        Some of the places of a set filled, so many at least: first which.
        """
        bits = self.bits
        spare = size(self._pool)
        if not spare:
            places = tuple([code for code in places if bits & FIELD[code]])
            if len(places) == least:
                return self.all_of(places)
        need = 0 if self.need & self._pool else self.need
        new = self.naturals < 0
        options = []
        for length in range(least, len(places) + 1):
            for chosen in itertools.combinations(places, length):
                held = [code for code in chosen if bits & FIELD[code]]
                if length - len(held) > spare or (new and not held):
                    continue
                if not need or any(need & FIELD[code] for code in held):
                    options.append(chosen)
        return fork(options, self.all_of, for_suits)

    def _free_set(self, rank: str) -> Node:
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
        cards = [played(code) for code in codes(mates & terms.natural_mask)]
        if used & terms.wild_mask:
            mask = terms.rank_masks[rank]
            cards += [
                played(code, OWN_PLACE[code] if FIELD[code] & mask else place(rank))
                for code in codes(used & terms.wild_mask)
            ]
        return self.end(tuple(cards), used)


def arranged(wilds: Iterable[int], targets: Places) -> tuple[int, ...] | None:
    """
    As many wilds put to places in order, the lowest first, none of them to its own.

    Returns:
        None if one of them had to go to its own place.
    """
    left = list(wilds)
    found: list[int] = []
    for at in range(len(targets)):
        after = targets[at + 1 :]
        for code in left:
            if code == targets[at]:
                continue
            rest = list(left)
            rest.remove(code)
            if not any(rest.count(one) == len(rest) for one in after if one in rest):
                found.append(code)
                left = rest
                break
        else:
            return None
    return tuple(found)
