"""
A hand divided into melds and cards left over, with as few points left as possible.

The number of nodes is limited, since a knock must not take long.
"""

from __future__ import annotations

from typing import Final

import attrs

from rummyvariants._support.memos import remembered
from rummyvariants.cards import UNIT, lowest, size, total
from rummyvariants.melds._looks import melds_in
from rummyvariants.melds._meld import Played
from rummyvariants.melds._reading import is_allowed
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._laying import layout
from rummyvariants.melds.cover._prices import FIRST, of_points
from rummyvariants.melds.cover._runs import NEVER
from rummyvariants.melds.cover._search import Cover, Use, Work


NODES: Final = 4_000
"""The most nodes visited for a hand, times its cards, since a node of a big hand is
more work. Hands of ten or eleven cards need a tenth of that."""
_SMALL: Final = 10
_MORE: Final = 4
"""For so many cards more, a node is as much work as one more node of a small hand."""
REMEMBERED: Final = 1 << 12
"""How many hands of a deal are remembered."""

Melds = tuple[tuple[Played, ...], ...]
"""Melds as an action names them."""


@attrs.frozen(eq=False)
class Division:
    """
    The best way found to divide a hand.

    Attributes:
        points: The points left over.
        cards: How many cards are left over.
        exact: Whether it is certain that no division leaves fewer.
        work: How many nodes were visited.
    """

    points: int
    cards: int
    exact: bool
    work: int
    _found: tuple[Cover, Use] | None
    _named: tuple[Melds, int] = ((), 0)

    def laid(self) -> tuple[Melds, int]:
        """
        The melds, and the cards left over as a multiset.
        """
        if self._found is None:
            return self._named
        cover, use = self._found
        laid = layout(cover, use)
        # Only where a card lies beside a wild may no wild fit.
        assert laid is not None  # noqa: S101
        return tuple([meld.cards(cover.terms) for meld in laid.melds]), laid.left


@remembered(REMEMBERED)
def divided(terms: Terms, bits: int) -> Division:
    """
    The division of a hand that leaves the fewest points, then the fewest cards.

    The runs that a hand needs are not considered; see `_lives`.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
    """
    return _divided(terms, bits, NEVER)


@remembered(REMEMBERED)
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
    held = size(bits)
    work = Work(NODES // max(held, 1))
    if not terms.by_values:
        return _meld_by_meld(terms, bits, work)
    cover = cover_of(terms)
    use = cover.best(bits, above=above, work=work)
    gained, used = (0, 0) if use is None else divmod(use.value, FIRST)
    points, cards = total(terms.worth, bits) - gained, held - used
    found = None if use is None else (cover, use)
    # A node of a big hand is more work.
    nodes = work.nodes * max(1, (held - _SMALL) // _MORE)
    return Division(points, cards, work.exact, nodes, found, ((), bits))


@remembered(1)
def cover_of(terms: Terms) -> Cover:
    """
    The search for hands of a deal, where no card lies beside a wild.
    """
    alone = terms.changed(lies_beside=False, swaps=False)
    return Cover(alone, of_points(terms.worth))


def _meld_by_meld(terms: Terms, bits: int, work: Work) -> Division:
    """
    The same where a rule refuses or declares melds: all melds of each card are tried.
    """
    worth = terms.worth
    known: dict[int, tuple[int, Melds]] = {0: (0, ())}

    def best(bits: int) -> tuple[int, Melds]:
        found = known.get(bits)
        if found is not None:
            return found
        code = lowest(bits & terms.natural_mask or bits)
        found = best(bits - UNIT[code])
        for cards, used, _ in melds_in(terms, bits, code):
            if not work.spend():
                break
            if is_allowed(terms, cards):
                value, melds = best(bits - used)
                value += total(worth, used) * FIRST + size(used)
                if value > found[0]:
                    found = value, (cards, *melds)
        known[bits] = found
        return found

    _, melds = best(bits)
    left = bits - sum([UNIT[one.card.code] for cards in melds for one in cards])
    points = total(worth, left)
    return Division(points, size(left), work.exact, work.nodes, None, (melds, left))
