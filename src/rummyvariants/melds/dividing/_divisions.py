"""
A hand divided into melds and cards left over, so that few points are left.

It is the search that arranges hands, with prices by which points that are not left
count. It looks at so many nodes at most, since whoever knocks cannot wait for more.
"""

from __future__ import annotations

import functools

from typing import Final

import attrs

from rummyvariants.cards import UNIT, lowest, size, total
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._meld import Played
from rummyvariants.melds._reading import is_allowed
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.dividing._growths import EMPTY
from rummyvariants.melds.dividing._layouts import layout
from rummyvariants.melds.dividing._prices import FIRST, of_points
from rummyvariants.melds.dividing._runs import NEVER
from rummyvariants.melds.dividing._search import Found
from rummyvariants.melds.dividing._searcher import Searcher
from rummyvariants.melds.dividing._wilds import wild_choices


NODES: Final = 4_000
"""How many nodes are looked at for a hand, times its cards, since a node of a big hand
is more work. Hands of ten or eleven cards need a tenth of that."""
_START: Final = 8
"""To begin a search is as much work as so many nodes."""
_MOST_EFFORT: Final = 100
"""How much work may go into tables in which wilds take places of cards at hand."""
_REMEMBERED: Final = 1 << 14


@attrs.frozen(eq=False)
class Division:
    """
    The best way found to divide a hand.

    Attributes:
        points: The points left over.
        exact: Whether it is known that no way leaves fewer.
        work: How many nodes were looked at.
    """

    points: int
    exact: bool
    work: int
    _terms: Terms
    _bits: int
    _found: tuple[Found, int, tuple[int, ...], tuple[int, ...]] | None
    _named: tuple[tuple[tuple[Played, ...], ...], int] = ((), 0)

    def laid(self) -> tuple[tuple[tuple[Played, ...], ...], int]:
        """
        The melds, and the cards left over.
        """
        if self._found is None:
            return self._named
        one, own, pool, tails = self._found
        searcher = _searcher(self._terms)
        laid = layout(searcher, one, own, pool, tails, EMPTY, any_number=False)
        # A wild that has to stand somewhere may stand for itself where none lies beside
        # it, so that there is a layout of whatever was found.
        assert laid is not None  # noqa: S101
        return tuple([meld.cards(searcher.terms) for meld in laid.melds]), laid.left


@functools.lru_cache(maxsize=_REMEMBERED)
def divided(terms: Terms, bits: int) -> Division:
    """
    The best way to divide a hand: few points are left, and of equal ways few cards.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
    """
    if terms.extra is not None:
        return _meld_by_meld(terms, bits)
    search = _searcher(terms)
    best = None
    above, work, exact = NEVER, 0, True
    most = NODES // max(size(bits), 1)
    for own, pool in wild_choices(search.terms, bits):
        if best is not None and above >= search.prices.of(bits):
            break  # all is used
        if work >= most:
            exact = False
            break
        wilds = len(pool)
        whole = search.effort(own, wilds) <= _MOST_EFFORT
        tails = search.tails(pool, any_number=False)
        one = search.search(own, tails, above=above, limit=most - work, whole=whole)
        work += _START + one.work
        exact = exact and one.exact
        if one.value > above:
            above, best = one.value, (one, own, pool, tails)
    # Nothing at all may be used, which is worth nothing and found in any case.
    points = total(terms.worth, bits) - (max(above, 0) // FIRST)
    return Division(points, exact, work, terms, bits, best, ((), bits))


@functools.lru_cache(maxsize=32)
def _searcher(terms: Terms) -> Searcher:
    """
    The search for hands of a deal, in which no card lies beside another.
    """
    alone = attrs.evolve(terms, lies_beside=False, swaps=False)
    return Searcher(alone, of_points(terms.worth))


def _meld_by_meld(terms: Terms, bits: int) -> Division:
    """
    The same where a third party has a say about melds: each is tried for each card.
    """
    worth = terms.worth
    known: dict[int, tuple[int, tuple[tuple[Played, ...], ...]]] = {0: (0, ())}
    most = looks = NODES // max(size(bits), 1)

    def best(bits: int) -> tuple[int, tuple[tuple[Played, ...], ...]]:
        nonlocal looks
        found = known.get(bits)
        if found is not None:
            return found
        code = lowest(bits & terms.natural_mask or bits)
        found = best(bits - UNIT[code])
        for cards, used in melds_in(terms, bits, code):
            looks -= 1
            if looks < 0:
                break
            if not is_allowed(terms, cards):
                continue
            value, melds = best(bits - used)
            value += total(worth, used) * FIRST + size(used)
            if value > found[0]:
                found = value, (cards, *melds)
        known[bits] = found
        return found

    _, melds = best(bits)
    left = bits - sum([UNIT[one.card.code] for cards in melds for one in cards])
    work = most - max(looks, 0)
    points = total(worth, left)
    return Division(points, looks >= 0, work, terms, bits, None, (melds, left))
