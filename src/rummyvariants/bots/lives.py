"""
What a hand is worth where a declaration needs certain runs, its lives.

Without its lives all cards of a hand may count, whatever else it holds. So a hand that
lacks them is weighed by how near it is: the cards missing for its nearest runs have a
price, and besides them only cards count that are in no meld.
"""

from __future__ import annotations

from typing import Final

import attrs

from rummyvariants._support.memos import remembered
from rummyvariants.cards import UNIT, count, faces, ranks_held, size
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.melds._deadwood import (
    fewest_points,
    least_unmatched,
    worth_of,
)
from rummyvariants.melds._meld import IDENTICAL
from rummyvariants.melds._tables import Lives, Terms, needing
from rummyvariants.melds.cover._lives import NO_WAY
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.melds.shapes._track import as_lane


# Found by trial over some thousands of deals for two players.
_MISSING: Final = 30
"""What a card costs that is missing for a life, in points."""
_WILD: Final = 8
"""What a wild that no life needs saves, in points."""
_TRIED: Final = 6
"""How many runs are tried for each life."""


@attrs.frozen
class Weight:
    """
    What a hand is worth.

    Attributes:
        missing: How many cards are missing for the lives.
        points: The points of the cards in no meld, and the price of what is missing.
        left: The cards that are neither in a meld nor kept for a life.
    """

    missing: int
    points: int
    left: int

    @property
    def price(self) -> int:
        """
        What it costs that cards are missing, in points.
        """
        return _MISSING * self.missing


def weigh(state: AnyState, hand: int) -> Weight:
    """
    What a hand is worth in a state.
    """
    terms = state.dealt.terms
    if terms.has_lives and not state.out:
        return _weighed(terms, hand)
    # Nobody declares any more, or whatever is melded counts.
    return Weight(0, fewest_points(terms, hand), least_unmatched(terms, hand))


def points_of(state: AnyState, hand: int) -> int:
    """
    The points of `weigh`.
    """
    terms = state.dealt.terms
    if terms.has_lives and not state.out:
        return _weighed(terms, hand).points
    return fewest_points(terms, hand)


@remembered(1 << 12)
def _weighed(terms: Terms, hand: int) -> Weight:
    with_lives = needing(terms, terms.lives)
    points = fewest_points(with_lives, hand)
    if points < NO_WAY:
        return Weight(0, points, least_unmatched(with_lives, hand))
    natural = hand & terms.natural_mask
    wilds = size(hand & terms.wild_mask)
    found = _nearest(terms, natural, wilds, terms.lives)
    # Lives of which no card is missing may want the same wild.
    return found if found.missing else attrs.evolve(found, missing=1)


def _nearest(terms: Terms, natural: int, wilds: int, lives: Lives) -> Weight:
    """
    The best plan for the lives that a hand still needs.

    Args:
        terms: The terms of the deal.
        natural: The natural cards that no life has taken yet.
        wilds: How many wilds none has taken.
        lives: What is needed.
    """
    if not any(lives):
        left = natural & ~shapes_of(terms).reach(natural)
        return Weight(0, worth_of(terms, left) - _WILD * wilds, left)
    pure = lives.pure > 0
    best: Weight | None = None
    for used, length in _runs(terms, natural, 0 if pure else wilds, lives.longest):
        missing = length - size(used)
        filled = 0 if pure else min(missing, wilds)
        rest = lives.beside(length, pure=pure)
        found = _nearest(terms, natural - used, wilds - filled, rest)
        missing += found.missing - filled
        points = found.points + _MISSING * (missing - found.missing)
        if best is None or points < best.points:
            best = Weight(missing, points, found.left)
    if best is None:
        left = natural & ~shapes_of(terms).reach(natural)
        missing = terms.least_run * max(lives.runs, 1)
        best = Weight(missing, worth_of(terms, left) + _MISSING * missing, left)
    return best


def _runs(terms: Terms, natural: int, wilds: int, least: int) -> list[tuple[int, int]]:
    """
    The runs that some cards come nearest to: the cards, and the length of the run.
    """
    found = []
    for row in terms.rows if terms.runs else ():
        own = ranks_held(natural >> 64 * row)
        lengths = {max(least, terms.least_run)}
        for window in terms.runs_along.near(own, max(lengths) - 1):
            held, length = window.ranks & own, window.length
            missing = length - held.bit_count()
            if length in lengths or (length > least and not missing):
                used = as_lane(held) << 64 * row
                key = max(missing - wilds, 0), missing, -worth_of(terms, used)
                found.append((key, used, length))
    for code in faces(natural) if terms.alike and least <= IDENTICAL else ():
        copies = min(count(natural, code), IDENTICAL)
        if copies == IDENTICAL or (copies == IDENTICAL - 1 and not wilds):
            used, missing = copies * UNIT[code], IDENTICAL - copies
            found.append(((missing, missing, -worth_of(terms, used)), used, IDENTICAL))
    return [(used, length) for _, used, length in sorted(found)[:_TRIED]]
