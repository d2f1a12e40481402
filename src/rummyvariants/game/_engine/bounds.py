"""
Quick looks at openings: whether cards may be enough for first melds.

They spare the search for melds that cannot become a player's first.
"""

from __future__ import annotations

import functools
import operator

from collections.abc import Sequence
from typing import Final, final

from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    CARDS,
    FIELD,
    JOKER,
    LANE,
    SUITS,
    codes,
    ranks_held,
    ranks_with,
    size,
    total,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._divisions import Melds
from rummyvariants.melds.shapes._track import Track
from rummyvariants.policies._questions import Groups
from rummyvariants.policies.answers import Opening
from rummyvariants.policies.house import HouseRule


_NO_SETS: Final = frozenset({*SUITS, "wilds"})
"""The shapes of melds that are no sets."""
Openings = list[tuple[str, HouseRule, Opening, Groups]]
"""What first melds must be, as `asked_openings` gives it."""


@final
class Bound:
    """
    Whether cards may still be enough for an opening: its groups, its points.

    Made once for a state, asked about many cards. What it refuses is impossible; what
    it allows need not be possible.

    Args:
        state: The state.
        openings: What a player's first melds must be.
    """

    __slots__ = ("_openings", "_points", "_terms", "_waived", "_worth")

    def __init__(self, state: AnyState, openings: Openings) -> None:
        self._terms = state.dealt.terms
        self._openings = openings
        self._points = max([one.points for _, _, one, _ in openings], default=0)
        self._worth = _worth(self._terms) if self._points else ()
        from_stock = state.drawn.source == "stock"
        self._waived = from_stock and any(one.waived_at for _, _, one, _ in openings)

    def alone(self, hand: int, shapes: list[str]) -> list[str]:
        """
        The shapes of which one meld of some cards may reach the points.
        """
        if not self._points:
            return shapes
        terms, worth = self._terms, self._worth
        wild = hand & terms.wild_mask
        most = 0 if terms.own_place_is_natural else terms.most_in_one()
        lacking = self._points - sum(self._best(wild)[: most or None])
        found = []
        for shape in shapes:
            cards = hand & cards_of(terms, shape)
            if (
                shape == "wilds"
                or total(worth, cards & terms.natural_mask) >= lacking
                or (self._waived and size(hand & ~(cards | wild)) < 2)
            ):
                found.append(shape)
        return found

    def allows(
        self, made: Melds, left: int, shapes: Sequence[str], *, once: bool
    ) -> bool:
        """
        Whether the points may be reached by melds that are chosen and some more.

        Args:
            made: The melds that are chosen.
            left: The cards that are left.
            shapes: The shapes of which more melds may be made.
            once: Whether each set may be made only once.
        """
        if not self._points:
            return True
        terms, worth = self._terms, self._worth
        wild = left & terms.wild_mask if shapes else 0
        best = self._best(wild)
        whole, short = 0, []
        for shape in shapes:
            cards = left & cards_of(terms, shape)
            if shape in SUITS or size(cards) >= terms.least_set:
                whole |= cards
            else:
                short.append((total(worth, cards & terms.natural_mask), cards))
        points = sum([worth[one.card.code] for meld in made for one in meld])
        points += total(worth, whole & terms.natural_mask)
        # Each set that lacks cards needs a wild of its own.
        short.sort(reverse=True)
        points += sum([one for one, _ in short[: len(best)]])
        sets = _NO_SETS.isdisjoint(shapes)
        if once and sets and not terms.own_place_is_natural:
            best = best[: terms.most_in_one() * len(shapes)]
        if points + sum(best) >= self._points:
            return True
        # A hand that goes out may need no points.
        used = functools.reduce(operator.or_, [one for _, one in short], whole | wild)
        return self._waived and size(left) - size(used) < 2

    def has_groups(self, laid: list[tuple[str, int]], left: int) -> bool:
        """
        Whether each group that still lacks a meld may get cards of its own.

        Args:
            laid: The melds that are chosen, by kind and size.
            left: The cards that are left.
        """
        terms = self._terms
        wild = left & terms.wild_mask
        natural, wilds = left ^ wild, size(wild)
        for _, _, answer, groups in self._openings:
            short, _ = asking.lacking(groups, laid, exact=answer.exact)
            if short:
                sets = [most for kind, most in short if kind == "set"]
                runs = [most for kind, most in short if kind == "run"]
                needed = _wilds_for_sets(terms, natural, sets)
                if needed + _wilds_for_runs(terms, natural, runs, wilds) > wilds:
                    return False
        return True

    def _best(self, wild: int) -> list[int]:
        """
        What some wilds count, the most first.
        """
        return sorted([self._worth[code] for code in codes(wild)], reverse=True)


@remembered(1)
def _worth(terms: Terms) -> tuple[int, ...]:
    """
    The most that each card counts on the table, by its code.
    """
    if not terms.runs:
        return terms.worth
    low = terms.low_ace
    worth = zip(CARDS, terms.worth, strict=True)
    return tuple([max(one, low) if card.rank == "A" else one for card, one in worth])


def cards_of(terms: Terms, shape: str) -> int:
    """
    The cards that melds of a shape are made of, wilds aside.
    """
    if shape in SUITS:
        return LANE << 64 * SUITS.index(shape)
    return terms.rank_masks.get(shape, 0)


def _wilds_for_sets(terms: Terms, natural: int, sizes: list[int]) -> int:
    """
    The fewest wilds with which natural cards make so many sets, at least.

    Args:
        terms: The terms of the deal.
        natural: The cards.
        sizes: The least number of cards of each set.
    """
    if not sizes or natural & FIELD[JOKER]:
        return 0
    least = max(min(sizes), terms.least_set)
    needed = made = 0
    for lacking in range(least):
        # A rank makes another set of the cards beyond those of its other sets.
        there = [
            len(ranks_with(natural, number * least - lacking))
            for number in range(1, len(sizes) + 1)
        ]
        more = min(sum(there), len(sizes)) - made
        needed += more * lacking
        made += more
        if made == len(sizes):
            return needed
    return needed + (len(sizes) - made) * least


def _wilds_for_runs(terms: Terms, natural: int, sizes: list[int], most: int) -> int:
    """
    The fewest wilds with which natural cards make so many runs, at least.

    Args:
        terms: The terms of the deal.
        natural: The cards.
        sizes: The least number of cards of each run.
        most: How many wilds there are; if it takes more, one more than that.
    """
    if not sizes:
        return 0
    least = max(min(sizes), terms.least_run)
    needs = []
    for row in terms.rows:
        lane = natural >> 64 * row & LANE
        holes = _fewest_holes(terms.runs_along, ranks_held(lane), least, most)
        cards, before = size(lane), 0
        for number in range(1, len(sizes) + 1):
            needed = max(number * holes, number * least - cards)
            needs.append(needed - before)
            before = needed
    needs.sort()
    return sum(needs[: len(sizes)])


@functools.lru_cache(maxsize=20_000)
def _fewest_holes(along: Track, ranks: int, least: int, most: int) -> int:
    """
    How many cards of a suit a run of so many lacks, at least; one too many if more.
    """
    for holes in range(most + 1):
        if any(one.length >= least for one in along.near(ranks, holes)):
            return holes
    return most + 1
