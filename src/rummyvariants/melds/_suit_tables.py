"""
What each suit leaves outside of melds, in tables that fill as they are asked.

That holds for hands without wilds in which no card comes twice: then a run takes cards
of one suit, and what goes into sets is decided first. An entry is one number, so that
those of four suits add up to what there is to know about a hand:

* from bit 48 on, the points of the cards that no run takes;
* bits 42 to 47, how many these are;
* bits 39 to 41, how many suits have cards in runs;
* below, three bits a rank, a number that reaches four where the rank makes a set.
"""

from __future__ import annotations

from typing import Final

from rummyvariants.cards import (
    LANE,
    ONES,
    RANKS,
    SUITS,
    UNIT,
    code_of,
    faces,
    lowest,
    pack,
    ranks_held,
)
from rummyvariants.melds._tables import Terms


CLUBS: Final = LANE
DIAMONDS: Final = LANE << 64
HEARTS: Final = LANE << 128
ABOVE: Final = 192
"""How far spades are shifted down: what is no card of a suit is seen by that."""
POINTS: Final = 48
"""From which bit on an entry counts points."""
CARDS: Final = 42
"""From which bit on it counts cards."""
IN_RUNS: Final = 7 << 39
"""The bits of which none is set where no run takes a card."""
UNDECIDED: Final = -1
"""No entry and no sum of entries: it would count 63 cards."""
MAKES_SET: Final = sum(4 << 3 * at for at in range(len(RANKS)))
"""The bits that are set where a rank makes a set."""
OF_RANK: Final = {
    4 << 3 * at: sum(UNIT[code_of(rank, suit)] for suit in SUITS)
    for at, rank in enumerate(RANKS)
}
"""All cards of the rank that one of these bits stands for."""

_CARD: Final = 1 << CARDS
_RUN: Final = 1 << 39
_PLAIN: Final = ONES & (1 << 256) - 1
_NONE: Final = -(1 << 40)
"""What a suit without cards has to spare."""


def fill(terms: Terms, bits: int) -> bool:
    """
    See to it that the tables hold what is left of the cards of each suit.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.

    Returns:
        Whether they can: not of wilds, of cards that come twice, nor where a third
        party has a say about melds.
    """
    if bits & ~_PLAIN or bits & terms.wild_mask or terms.extra is not None:
        return False
    for row in range(len(SUITS)):
        _fill(terms, row, bits & LANE << 64 * row)
    return True


def fill_spared(terms: Terms, bits: int) -> None:
    """
    See to it that the tables hold what a discard of each suit spares.

    Args:
        terms: The terms of the deal.
        bits: Cards of which they hold what is left.
    """
    for row, table in enumerate(terms.suit_tables.spared):
        lane = bits & LANE << 64 * row
        key = lane >> (ABOVE if row == len(SUITS) - 1 else 0)
        if key not in table:
            table[key] = _spared(terms, row, lane)


def _fill(terms: Terms, row: int, lane: int) -> int:
    """
    The entry of some cards of a suit, worked out from those of fewer cards.
    """
    tables = terms.suit_tables
    shift = ABOVE if row == len(SUITS) - 1 else 0
    key = lane >> shift
    known = tables.left[row].get(key)
    if known is not None:
        return known
    if not lane:
        # The numbers of the first suit are ahead by what four suits fall short.
        ahead = terms.sets and row == 0 and terms.least_set <= len(SUITS)
        best = MAKES_SET // 4 * (4 - terms.least_set) if ahead else 0
        left = 0
    else:
        code = lowest(lane)
        rest = lane - UNIT[code]
        mark = 1 << 3 * (code % 16 - 1) if terms.sets else 0
        best = _fill(terms, row, rest) + (terms.worth[code] << POINTS) + _CARD + mark
        left = tables.cards[row][rest >> shift] + UNIT[code]
        for part in _runs_from(terms, row, lane, code):
            entry = _fill(terms, row, lane - part)
            for other in faces(part) if terms.sets else ():
                entry += 1 << 3 * (other % 16 - 1)
            entry |= _RUN
            cards = tables.cards[row][(lane - part) >> shift]
            # Of equal ways the one that leaves the lowest cards: always the same.
            best, left = min((best, left), (entry, cards))
    tables.left[row][key] = best
    tables.cards[row][key] = left
    return best


def _runs_from(terms: Terms, row: int, lane: int, code: int) -> list[int]:
    """
    The runs that some cards of a suit make of which a card is a part.
    """
    if not terms.runs or row not in terms.rows:
        return []
    along = terms.runs_along
    rank = code % 16 - 1
    return [
        pack(along.codes[row][low : low + length])
        for low, length, ranks in along.near(ranks_held(lane >> 64 * row), 0)
        if ranks >> rank & 1
    ]


def _spared(terms: Terms, row: int, lane: int) -> int:
    """
    How many points fewer are left of some cards of a suit without the best to discard.
    """
    if not lane:
        return _NONE
    fewest = min([_fill(terms, row, lane - UNIT[code]) for code in faces(lane)])
    return (_fill(terms, row, lane) >> POINTS) - (fewest >> POINTS)
