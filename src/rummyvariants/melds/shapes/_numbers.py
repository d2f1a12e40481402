"""
A play of cards, a new meld or a lay-off, as a number.

The number says which cards are used and where each of them lies. Numbers are in the
order of the tree of choices. The fields, from the lowest bit:

====== ==== =======================================================================
wilds  4 n  for each of the n wild faces of the deal, the first the highest, how many
            are used, as digits (see `_filling`); those in their own places only
            where nothing else says that they are there
holes  16   the places that wilds take, as bits, the first the highest; of a set whose
            suits do not matter, how many cards of its rank it has of each suit, as
            digits; of jokers that are not wild, how many
held   14   of a lay-off on a run, the places that were filled before
which  12   which run of the track; of a set, which of the suits are filled; of three
            identical cards, their code
shape  5    the rank of a set, the suit of a run, or one of the others below
beside 14   of a lay-off, the cards that lie beside wilds: of a run their ranks, of a
            set their suits
meld   8    the number of the meld that is laid on, 0 for a new one
====== ==== =======================================================================
"""

from __future__ import annotations

import itertools

from typing import Final


LAYOUT: Final = 1
"""The version of this layout, which grows when a number comes to mean another play."""
HELD: Final = 16
WHICH: Final = 30
SHAPE: Final = 42
BESIDE: Final = 47
MELD: Final = 61

HOLES_MASK: Final = (1 << HELD) - 1
HELD_MASK: Final = (1 << 14) - 1
WHICH_MASK: Final = (1 << 12) - 1

JOKERS: Final = 13
"""The shape of a set of jokers that are not wild; lower shapes are ranks."""
RUN: Final = 16
"""The shape of a run of clubs; those of other suits follow."""
WILDS: Final = 24
"""The shape of a meld of wilds alone."""
ALIKE: Final = 25
"""The shape of three identical cards."""

SUBSETS: Final = tuple(
    [
        sum(some)
        for number in range(5)
        for some in itertools.combinations((8, 4, 2, 1), number)
    ]
)
"""The suits that a set may fill, as bits, clubs the highest: few first."""
