"""
One meld at random, without listing all: first its shape, then how that is filled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rummyvariants.cards import FIELD, JOKER, SUITS, codes, count, pack, present, size
from rummyvariants.combos import (
    WILDS_REMEMBERED,
    Choice,
    distinct_sets_in,
    filled,
    free_sets,
    ranks_held,
    ranks_with,
    sub_multisets,
    wild_room,
    wilds_alone,
)
from rummyvariants.melds import played
from rummyvariants.terms import Terms


Shape = tuple[str, tuple[int, ...]]
"""A rank whose suits do not matter, or an empty text and the places to be filled."""


RandRange = Callable[[int], int]
"""A source of chance: a number from 0 to below another."""


def shapes_in(terms: Terms, bits: int) -> list[Shape]:
    """
    The sets and runs that some of the cards may make, how they are filled left open.

    A set whose suits matter comes with all its suits, of which some may stay empty.
    """
    wilds = size(bits & terms.wild_mask)
    usable = min(wilds, wild_room(terms, 99, 0))
    found: list[Shape] = []
    if terms.sets:
        natural = bits & terms.natural_mask
        counted = (present(natural) if terms.distinct else natural) | (
            bits & terms.wild_mask
        )
        for rank in ranks_with(counted, max(terms.least_set - usable, 1)):
            if rank in terms.ranks:
                found.append((rank, terms.set_codes[rank] if terms.distinct else ()))
        if not terms.wild[JOKER] and count(bits, JOKER) >= terms.least_set:
            found.append(("*", ()))
    if terms.runs:
        for suit in terms.suits:
            held = ranks_held(bits >> 64 * SUITS.index(suit))
            if held:
                along = terms.run_codes[suit]
                found += [
                    ("", along[low : low + length])
                    for low, length in terms.runs_along.near(held, usable)
                ]
    if terms.wild_melds and wilds >= terms.least_set:
        found.append(("wilds", ()))
    return found


def one_of_shape(
    terms: Terms, shape: Shape, bits: int, randrange: RandRange
) -> Choice | None:
    """
    A meld of a shape at random; each can come. None if the shape cannot be filled.
    """
    rank, places = shape
    pool = bits & terms.wild_mask
    if rank == "wilds":
        return _picked(tuple(wilds_alone(terms, bits)), randrange)
    if rank == "*":
        found = sub_multisets(bits & FIELD[JOKER], terms.least_set)
        return _picked(
            [(tuple(map(played, codes(one))), one) for one in found], randrange
        )
    if size(pool) > WILDS_REMEMBERED:
        # With many wilds a part of them is enough for one meld.
        drawn = list(codes(pool))
        kept = 1 + randrange(min(len(drawn), 4))
        while len(drawn) > kept:
            drawn.pop(randrange(len(drawn)))
        bits = bits - pool + pack(drawn)
    if not rank:
        return _picked(tuple(filled(terms, places, bits, -1)), randrange)
    if not places:
        return _picked(tuple(free_sets(terms, rank, bits, -1, 0, -1)), randrange)
    return _picked(tuple(distinct_sets_in(terms, rank, bits, -1)), randrange)


def _picked(choices: Sequence[Choice], randrange: RandRange) -> Choice | None:
    return choices[randrange(len(choices))] if choices else None
