"""
A hand divided into melds and cards left over, with as few points left as possible.

It uses the search that arranges hands, with prices for points that are not left. The
number of nodes is limited, since a knock must not take long.
"""

from __future__ import annotations

from typing import Final

import attrs

from rummyvariants._support.memos import remembered
from rummyvariants.cards import UNIT, count, faces, lowest, size, total
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._meld import ALIKE, HOME, PLAIN, Played
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
"""The most nodes visited for a hand, times its cards, since a node of a big hand is
more work. Hands of ten or eleven cards need a tenth of that."""
_START: Final = 8
"""The work of starting a search, in nodes."""
_MOST_EFFORT: Final = 100
"""The most work, in nodes, for tables in which wilds replace cards at hand."""
_REMEMBERED: Final = 1 << 12


@attrs.frozen(eq=False)
class Division:
    """
    The best way found to divide a hand.

    Attributes:
        points: The points left over.
        cards: How many cards are left over.
        exact: Whether it is certain that no division leaves fewer.
        work: How many nodes were visited, and other work counted as nodes.
    """

    points: int
    cards: int
    exact: bool
    work: int
    _found: tuple[Searcher, Found, int, tuple[int, ...], tuple[int, ...]] | None
    _named: tuple[tuple[tuple[Played, ...], ...], int] = ((), 0)

    def laid(self) -> tuple[tuple[tuple[Played, ...], ...], int]:
        """
        The melds, and the cards left over as a multiset.
        """
        if self._found is None:
            return self._named
        searcher, one, own, pool, tails = self._found
        laid = layout(searcher, one, own, pool, tails, EMPTY, any_number=False)
        # Only where a card lies beside a wild may no wild fit.
        assert laid is not None  # noqa: S101
        return tuple([meld.cards(searcher.terms) for meld in laid.melds]), laid.left


@remembered(_REMEMBERED)
def divided(terms: Terms, bits: int) -> Division:
    """
    The division of a hand that leaves the fewest points, then the fewest cards.

    The runs that a hand needs are not considered; see `_lives`.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
    """
    return _divided(terms, bits, NEVER)


@remembered(_REMEMBERED)
def divided_within(terms: Terms, bits: int, most: int) -> Division:
    """
    A division of a hand that leaves no more than so many points, if one is found.

    That is known sooner than the best division, and may be found where the search for
    the best one is given up.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
        most: The most points of interest; if there are more, no card is used.
    """
    wanted = total(terms.worth, bits) - most
    if wanted <= 0:
        return divided(terms, bits)
    return _divided(terms, bits, wanted * FIRST - 1)


def _divided(terms: Terms, bits: int, above: int) -> Division:
    """
    The best division of a hand whose cards used are worth more than a value.

    If there is none, the one that uses no card.
    """
    if terms.extra is not None:
        return _meld_by_meld(terms, bits)
    if terms.alike:
        return _beside_alike(terms, bits)
    search = _searcher(terms)
    best = None
    work, exact = 0, True
    held = size(bits)
    most = NODES // max(held, 1)
    for own, pool in wild_choices(search.terms, bits):
        if best is not None and above >= search.prices.of(bits):
            break  # every card is used
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
            above, best = one.value, (search, one, own, pool, tails)
    # It is always possible to use no card at all, which is worth 0.
    gained, used = divmod(max(above, 0) if best else 0, FIRST)
    points, cards = total(terms.worth, bits) - gained, held - used
    return Division(points, cards, exact, work, best, ((), bits))


def _beside_alike(terms: Terms, bits: int) -> Division:
    """
    The same where three identical cards may be a meld: with and without each.
    """
    others = _without_alike(terms)
    best = divided(others, bits)
    work, exact = best.work, best.exact
    known = {0}
    more = [0]
    while more:
        more = [
            taken + ALIKE * UNIT[code]
            for taken in more
            for code in faces(terms.alike_in(bits - taken))
        ]
        more = [taken for taken in dict.fromkeys(more) if taken not in known]
        known.update(more)
        for taken in more:
            one = divided(others, bits - taken)
            work += _START + one.work
            exact = exact and one.exact
            if (one.points, one.cards) < (best.points, best.cards):
                melds, left = one.laid()
                alike = [
                    ((HOME if terms.wild[code] else PLAIN)[code],) * ALIKE
                    for code in faces(taken)
                    for _ in range(count(taken, code) // ALIKE)
                ]
                best = attrs.evolve(one, found=None, named=((*alike, *melds), left))
    return attrs.evolve(best, work=work, exact=exact)


@remembered(1)
def _without_alike(terms: Terms) -> Terms:
    """
    The terms of a deal in which identical cards are no meld.
    """
    return terms.changed(alike=False)


@remembered(1)
def _searcher(terms: Terms) -> Searcher:
    """
    The search for hands of a deal, where no card lies beside a wild.
    """
    alone = terms.changed(lies_beside=False, swaps=False)
    return Searcher(alone, of_points(terms.worth))


def _meld_by_meld(terms: Terms, bits: int) -> Division:
    """
    The same where a third party may refuse melds: all melds of each card are tried.
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
    return Division(points, size(left), looks >= 0, work, None, (melds, left))
