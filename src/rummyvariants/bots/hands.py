"""
Melds of a hand found at a glance: no search, so not every meld.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants.cards import (
    CARDS,
    FIELD,
    JOKER,
    code_of,
    codes,
    faces,
    present,
    ranks_held,
    size,
)
from rummyvariants.game.actions import LayDown
from rummyvariants.melds._meld import OWN_PLACE, place, played
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._track import codes_along


# Melds without a long search: all natural cards of each rank and of each run, or one
# wild where a single card is missing.


def naturals(terms: Terms, hand: int) -> Iterator[list[int]]:
    """
    New melds of natural cards, by their codes.
    """
    held = hand & terms.natural_mask
    if terms.sets:
        for cards in _of_ranks(terms, held):
            if size(cards) >= terms.least_set:
                yield list(codes(cards))
        jokers = held & FIELD[JOKER]
        if jokers and size(jokers) >= terms.least_set:
            yield list(codes(jokers))
    if terms.runs:
        for run in _runs(terms, held, 0):
            yield [*run]


def with_a_wild(terms: Terms, hand: int) -> Iterator[list[int]]:
    """
    New melds with one wild card, by their codes, the wild last.
    """
    wilds = list(faces(hand & terms.wild_mask))
    held = hand & terms.natural_mask
    if not wilds:
        return
    if terms.sets:
        # Where no suit may repeat, a set of all suits has no place for a wild.
        most = len(terms.suits) if terms.distinct else terms.least_set
        for cards in _of_ranks(terms, held):
            if cards and size(cards) == terms.least_set - 1 < most:
                yield [*codes(cards), wilds[0]]
    if terms.runs:
        for run in _runs(terms, held, 1):
            there = [code for code in run if held & FIELD[code]]
            if len(there) < len(run):
                yield [*there, wilds[0]]


def _of_ranks(terms: Terms, held: int) -> Iterator[int]:
    """
    For each rank, the cards that could form one set.
    """
    if not terms.twins:
        held = present(held)
    for rank in terms.ranks:
        yield held & terms.rank_masks[rank]


def _runs(terms: Terms, held: int, holes: int) -> Iterator[tuple[int, ...]]:
    """
    The codes of the runs that some cards make if so many gaps are filled.
    """
    for row in terms.rows:
        for window in terms.runs_along.near(ranks_held(held >> 64 * row), holes):
            yield codes_along(row, window)


def declared(terms: Terms, cards: list[int], seat: int) -> LayDown:
    """
    The meld of some codes, with a wild declared as the card it represents.
    """
    natural = [code for code in cards if not terms.wild[code]]
    named = [played(code) for code in natural]
    for wild in (code for code in cards if terms.wild[code]):
        ranks = {CARDS[code].rank for code in natural}
        if len(ranks) > 1:
            named.append(played(wild, OWN_PLACE[_hole(terms, natural)]))
        elif terms.distinct:
            (rank,) = ranks
            free = [code_of(rank, suit) for suit in terms.suits]
            suits = [code for code in free if code not in natural]
            named.append(played(wild, OWN_PLACE[suits[0]]))
        else:
            named.append(played(wild, place(ranks.pop())))
    return LayDown(tuple(named), seat)


def _hole(terms: Terms, natural: list[int]) -> int:
    """
    The code of the card that a run lacks, in its middle or at one of its ends.
    """
    ranks = sum(1 << code % 16 - 1 for code in natural)
    for window in terms.runs_along.near(ranks, 1):
        places = codes_along(natural[0] >> 4, window)
        missing = [code for code in places if code not in natural]
        if len(places) == len(natural) + 1 and len(missing) == 1:
            return missing[0]
    return natural[0]
