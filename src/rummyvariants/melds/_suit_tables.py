"""
What each suit leaves outside of melds, in tables that fill up with use.

They work for hands without wilds in which no card comes twice: then a run takes cards
of one suit, and what goes into sets is decided first. An entry is one number, so the
entries of four suits add up to all that is needed about a hand:

* from bit 48 on, the points of the cards that no run takes;
* bits 42 to 47, how many these are;
* bits 39 to 41, how many suits have cards in runs;
* below, three bits a rank, a number that reaches four where the rank makes a set.

Suits whose cards are worth the same share their entries, so the tables are soon full.
"""

from __future__ import annotations

import itertools

from typing import Final

from rummyvariants.cards import (
    LANE,
    ONES,
    RANKS,
    SUITS,
    UNIT,
    code_of,
    faces,
)
from rummyvariants.melds._tables import UNKNOWN, Terms, as_lane


PLACES: Final = (1 << 13) + 1
"""
The places of a table: cards of a suit, none of them twice, are looked up at the
remainder of their division by this number.

A card counts sixteen times the one below it, and so leaves a power of two, or that much
less than this number: another one for each rank.
"""
CLUBS: Final = LANE
DIAMONDS: Final = LANE << 64
HEARTS: Final = LANE << 128
ABOVE: Final = 192
"""How far spades are shifted down, which shows what is not a card of a suit."""
POINTS: Final = 48
"""From which bit on an entry counts points."""
CARDS: Final = 42
"""From which bit on it counts cards."""
IN_RUNS: Final = 7 << 39
"""The bits of which none is set where no run takes a card."""
UNDECIDED: Final = -1
"""No entry and no sum of entries: it would count 63 cards."""
KNOWN: Final = UNKNOWN // 2
"""Less than any sum of known entries, more than one with others."""
MAKES_SET: Final = sum(4 << 3 * at for at in range(len(RANKS)))
"""The bits that are set where a rank makes a set."""
NOT_ALL: Final = MAKES_SET | -UNKNOWN << 3
"""One of these bits is set if a rank makes a set, or if a sum is negative."""
RANKS_AT_MOST: Final = 3
"""The most ranks whose sets are all tried: eleven cards have no more."""
OF_RANKS: Final = {
    sum([4 << 3 * at for at in ranks]): sum(
        [UNIT[code_of(RANKS[at], suit)] for at in ranks for suit in SUITS]
    )
    for number in range(RANKS_AT_MOST + 1)
    for ranks in itertools.combinations(range(len(RANKS)), number)
}
"""All cards of some ranks, by the bits of `MAKES_SET` that are set for them."""

_CARD: Final = 1 << CARDS
_RUN: Final = 1 << 39
_FROM: Final = (0, 64, 128, 0)
"""From which bit on the cards of each suit lie where they are looked up."""
_PLAIN: Final = ONES & (1 << 256) - 1
_NONE: Final = -(1 << 40)
"""What a suit without cards has to spare."""


def fill(terms: Terms, bits: int) -> bool:
    """
    Make sure that the tables hold what is left of the cards of each suit.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.

    Returns:
        Whether they can: not with wilds, cards that come twice, rules of third parties
        about melds, or runs that a hand needs.
    """
    if bits & ~_PLAIN or bits & terms.wild_mask or terms.extra is not None:
        return False
    if not terms.suit_tables.usable:
        return False
    if not terms.suit_tables.alike:
        _begin(terms)
    for row in range(len(SUITS)):
        _fill(terms, row, bits >> 64 * row & LANE)
    return True


def fill_spared(terms: Terms, bits: int) -> None:
    """
    Make sure that the tables hold what a discard of each suit saves.

    Args:
        terms: The terms of the deal.
        bits: Cards of which they hold what is left.
    """
    tables = terms.suit_tables
    for row, table in enumerate(tables.spared):
        lane = bits >> 64 * row & LANE
        if table[(lane << _FROM[row]) % PLACES] == UNKNOWN:
            spared = _spared(terms, row, lane)
            for other in tables.alike[row]:
                tables.spared[other][(lane << _FROM[other]) % PLACES] = spared


def _begin(terms: Terms) -> None:
    """
    Create empty tables, and find out which suits are alike.
    """
    tables = terms.suit_tables
    tables.unfit = tables.unfit & ~_PLAIN | terms.wild_mask
    for four in (tables.left, tables.cards, tables.spared):
        for table in four:
            table += [UNKNOWN] * (PLACES - 1)  # noqa: PLW2901 -- it is changed
    # The numbers of the first suit are ahead by what four suits fall short.
    if terms.sets and terms.least_set <= len(SUITS):
        tables.left[0][0] = MAKES_SET // 4 * (4 - terms.least_set)
    kinds = []
    for row in range(len(SUITS)):
        tables.spared[row][0] = _NONE
        held = slice(16 * row, 16 * row + 16)
        kinds.append((row in terms.rows, terms.worth[held], terms.wild[held]))
    tables.alike = tuple(
        [tuple([at for at, one in enumerate(kinds) if one == kind]) for kind in kinds]
    )
    for _, _, ranks in terms.runs_along.windows if terms.runs else ():
        run = as_lane(ranks)
        marks = _marks(terms, run)
        tables.runs.setdefault(run & -run, []).append((run, marks))


def _fill(terms: Terms, row: int, lane: int) -> int:
    """
    The entry of some cards of a suit, worked out from those of fewer cards.

    The entry is made for all suits that are alike.

    Args:
        terms: The terms of the deal.
        row: The number of the suit.
        lane: The cards as they would lie in a multiset if they were clubs.
    """
    tables = terms.suit_tables
    table, first = tables.left[row], _FROM[row]
    known = table[(lane << first) % PLACES]
    if known > KNOWN:
        return known
    low = lane & -lane
    rest = lane ^ low
    worth = terms.worth[16 * row + (low.bit_length() >> 2)]
    best = _fill(terms, row, rest) + (worth << POINTS) + _CARD + _marks(terms, low)
    cards = tables.cards[row]
    left = cards[(rest << first) % PLACES] | low << 64 * row
    for run, marks in tables.runs.get(low, ()) if row in terms.rows else ():
        if run & lane == run:
            rest = lane ^ run
            entry = _fill(terms, row, rest) + marks | _RUN
            # Of equal ways the one that leaves the lowest cards: always the same.
            best, left = min((best, left), (entry, cards[(rest << first) % PLACES]))
    entry = best - table[0]
    left >>= 64 * row
    for other in tables.alike[row]:
        at = (lane << _FROM[other]) % PLACES
        tables.left[other][at] = entry + tables.left[other][0]
        tables.cards[other][at] = left << 64 * other
    return best


def _marks(terms: Terms, lane: int) -> int:
    """
    One for each rank of which some cards of a suit are, if it makes sets.
    """
    lane &= terms.in_sets
    found = 0
    while lane:
        low = lane & -lane
        found += 1 << 3 * (low.bit_length() >> 2) - 3
        lane ^= low
    return found


def _spared(terms: Terms, row: int, lane: int) -> int:
    """
    How many points the best discard saves among some cards of a suit.
    """
    fewest = min([_fill(terms, row, lane - UNIT[code]) for code in faces(lane)])
    return (_fill(terms, row, lane) >> POINTS) - (fewest >> POINTS)
