"""
One meld at random, without listing all: first its shape, then how that is filled.
"""

from __future__ import annotations

from collections.abc import Callable

from rummyvariants.cards import (
    CARDS,
    FIELD,
    JOKER,
    LANE,
    UNIT,
    codes,
    count,
    face_bits,
    holds,
    pack,
    present,
    ranks_in,
    size,
)
from rummyvariants.melds._combos import (
    Choice,
    arranged,
    ranks_with,
    wild_room,
    within_limit,
)
from rummyvariants.melds._meld import OWN_PLACE, Played, place, played
from rummyvariants.melds._tables import Shape, Terms


RandRange = Callable[[int], int]
"""A source of chance: a number from 0 to below another."""


def shapes_in(terms: Terms, bits: int) -> list[Shape]:
    """
    The sets and runs that some of the cards may make, how they are filled left open.

    A set whose suits matter comes with all its suits, of which some may stay empty.
    """
    wilds = size(bits & terms.wild_mask)
    usable = min(wilds, wild_room(terms, 99, 0)) if wilds else 0
    found: list[Shape] = []
    if terms.sets:
        counted = bits
        enough = not terms.distinct or len(terms.suits) >= terms.least_set
        if terms.distinct:
            counted = present(bits & terms.natural_mask) | (bits & terms.wild_mask)
        for rank in ranks_with(counted, max(terms.least_set - usable, 1)):
            if rank in terms.ranks and enough:
                found.append((rank, terms.set_codes[rank] if terms.distinct else ()))
        if not terms.wild[JOKER] and count(bits, JOKER) >= terms.least_set:
            found.append(("*", ()))
    if terms.runs:
        held = face_bits(bits)
        for row in terms.rows:
            ranks = ranks_in(held, row)
            if ranks:
                found += terms.runs_along.shapes(row, ranks, usable)
    if terms.wild_melds and wilds >= terms.least_set:
        found.append(("wilds", ()))
    return found


def shapes_with(terms: Terms, bits: int, code: int) -> list[Shape]:
    """
    The shapes of `shapes_in` that a card of them could be part of.
    """
    wild = bits & terms.wild_mask
    if terms.wild[code]:
        return shapes_in(terms, bits)
    usable = min(size(wild), wild_room(terms, 99, 0)) if wild else 0
    found: list[Shape] = []
    if terms.sets:
        rank = CARDS[code].rank
        mates = bits & terms.rank_masks[rank]
        if rank == "*":
            if size(mates) >= terms.least_set:
                found.append((rank, ()))
            return found
        if terms.distinct:
            mates = present(mates)
        if size(mates & ~wild) + usable >= terms.least_set:
            places = terms.set_codes[rank] if terms.distinct else ()
            if not places or len(places) >= terms.least_set:
                found.append((rank, places))
    if terms.runs:
        lane = present(bits >> 64 * (code >> 4) & LANE)
        found += terms.runs_along.shapes_at(lane, usable, code)
    return found


def one_of_shape(
    terms: Terms, shape: Shape, bits: int, randrange: RandRange
) -> Choice | None:
    """
    A meld of a shape at random; each can come. None if the shape was not filled.
    """
    rank, places = shape
    if not rank:
        return _filled(terms, places, bits, randrange)
    if rank == "wilds":
        return _named(_some(bits & terms.wild_mask, terms.least_set, randrange))
    if rank == "*":
        return _named(_some(bits & FIELD[JOKER], terms.least_set, randrange))
    if places:
        held = [code for code in places if bits & FIELD[code]]
        least = max(terms.least_set, 1)
        number = least + randrange(len(places) - least + 1)
        # Suits that are there come first, so that wilds need not fill all.
        chosen = _drawn(held, min(number, len(held)), randrange)
        rest = [code for code in places if code not in chosen]
        chosen += _drawn(rest, number - len(chosen), randrange)
        return _filled(terms, tuple(sorted(chosen)), bits, randrange)
    return _free_set(terms, rank, bits, randrange)


def _drawn(items: list[int], number: int, randrange: RandRange) -> list[int]:
    """
    So many of the items at random.
    """
    if number == len(items):
        return items
    left = list(items)
    return [left.pop(randrange(len(left))) for _ in range(number)]


def _some(bits: int, least: int, randrange: RandRange) -> int:
    """
    A part of a multiset at random, of so many cards or more.
    """
    held = list(codes(bits))
    return pack(_drawn(held, least + randrange(len(held) - least + 1), randrange))


def _named(bits: int) -> Choice:
    return tuple(map(played, codes(bits))), bits


def _filled(
    terms: Terms, places: tuple[int, ...], bits: int, randrange: RandRange
) -> Choice | None:
    """
    Places filled at random, each by its own card or by a wild; None if that failed.
    """
    pool = bits & terms.wild_mask
    if not pool:
        used = sum([UNIT[code] for code in places])
        return (tuple(map(played, places)), used) if holds(bits, used) else None
    there = [code for code in places if bits & FIELD[code]]
    spare = size(pool) - (len(places) - len(there))
    if spare < 0 or not there:
        return None
    given: list[int] = []
    if spare and len(there) > 1:
        given = _drawn(there, randrange(min(spare, len(there) - 1) + 1), randrange)
    own = pack([code for code in there if code not in given])
    loose = list(codes(pool - (own & terms.wild_mask)))
    holes = [code for code in places if not own & FIELD[code]]
    if len(holes) > len(loose):
        return None
    if not within_limit(terms, len(places), len(holes), own, 0, 0):
        return None
    wilds = tuple(sorted(_drawn(loose, len(holes), randrange)))
    order = arranged(wilds, tuple(holes))
    if order is None:
        return None
    filling = dict(zip(holes, order, strict=True))
    return _placed(terms, places, filling), own + pack(wilds)


def _placed(
    terms: Terms, places: tuple[int, ...], filling: dict[int, int]
) -> tuple[Played, ...]:
    """
    The cards that stand in places: wilds where they fill them, else the own cards.
    """
    return tuple(
        [
            played(filling[code], OWN_PLACE[code])
            if code in filling
            else played(code, OWN_PLACE[code] if terms.wild[code] else None)
            for code in places
        ]
    )


def _free_set(
    terms: Terms, rank: str, bits: int, randrange: RandRange
) -> Choice | None:
    """
    A set whose suits do not matter, its cards drawn at random; None if that failed.
    """
    mask = terms.rank_masks[rank]
    natural = list(codes(bits & mask & terms.natural_mask))
    if not bits & terms.wild_mask:
        if len(natural) < terms.least_set:
            return None
        number = terms.least_set
        if len(natural) > number:
            number += randrange(len(natural) - number + 1)
        chosen = sorted(_drawn(natural, number, randrange))
        return tuple(map(played, chosen)), pack(chosen)
    wild = list(codes(bits & terms.wild_mask))
    usable = min(len(wild), wild_room(terms, 99, 0))
    least = max(terms.least_set - len(natural), 0)
    if least > usable:
        return None
    wilds = least + (randrange(usable - least + 1) if usable > least else 0)
    fewest = max(terms.least_set - wilds, 0)
    number = fewest + randrange(len(natural) - fewest + 1)
    laid = sorted(_drawn(natural, number, randrange))
    stand_ins = sorted(_drawn(wild, wilds, randrange))
    own = pack([code for code in stand_ins if FIELD[code] & mask])
    if not laid and not own:
        return None
    others = len(stand_ins) - size(own)
    if not within_limit(terms, len(laid) + len(stand_ins), others, own, 0, 0):
        return None
    named = [played(code) for code in laid]
    named += [
        played(code, OWN_PLACE[code] if FIELD[code] & mask else place(rank))
        for code in stand_ins
    ]
    return tuple(named), pack(laid) + pack(stand_ins)
