"""
The ways to partition a hand into melds and cards that are left over.
"""

from __future__ import annotations

import functools

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from rummyvariants._support.memos import remembered
from rummyvariants.cards import FIELD, count, holds, lowest, size
from rummyvariants.melds._deadwood import division, effort, fewest_points, worth_of
from rummyvariants.melds._looks import melds_in
from rummyvariants.melds._meld import LIVES, Played, is_pure, kind_of
from rummyvariants.melds._reading import is_allowed
from rummyvariants.melds._tables import GRADED, REFUSED, Terms, needing, plain
from rummyvariants.melds.cover._divisions import Melds
from rummyvariants.melds.cover._lives import pure_runs
from rummyvariants.melds.shapes._shapes import Filled


def partitions(
    terms: Terms, bits: int, most: int, looks: list[int] | None = None
) -> Iterator[tuple[Melds, int]]:
    """
    Every way to partition cards into melds and a rest of at most so many points.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.
        most: The most points that may be left over.
        looks: How much may be looked at, counted down; when it is used up, no more ways
            are found. Without it, all are.

    Yields:
        The melds, and the cards left over. Each way comes once; two cards of the same
        face, or two wilds that change places, make no difference. Ways that meld the
        lowest card come first.
    """
    if terms.has_lives:
        return _with_lives(terms, bits, most, looks)
    return divisions(undivided(terms, bits, most), looks)


def _with_lives(
    terms: Terms, bits: int, most: int, looks: list[int] | None
) -> Iterator[tuple[Melds, int]]:
    """
    `partitions` where it matters if a hand has its lives: without them last.
    """
    lives = terms.lives
    yield from divisions(undivided(terms, bits, most), looks)
    if terms.without == GRADED:
        for cards, used in pure_runs(terms, bits):
            if any(lives.beside(size(used), pure=True)):
                if worth_of(terms, bits - used) <= most:
                    yield (cards,), bits - used
    if terms.without != REFUSED and worth_of(terms, bits) <= most:
        yield (), bits


@remembered(100)
def first_partition(
    terms: Terms, bits: int, most: int | None = None
) -> tuple[Melds, int]:
    """
    The best way to partition cards; of several, the first listed.

    If that takes too long, it is the one that `division` finds.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.
        most: The points that may be left, if there is a limit. The way keeps to it if
            one is found that does, even where the search for the best is given up.
    """
    least = fewest_points(terms, bits)
    if most is not None and fewest_points(terms, bits, most) <= most < least:
        return division(terms, bits, most).laid()
    if not terms.has_lives and effort(terms, bits) > _LOOKS_FOR_ONE:
        return division(terms, bits).laid()
    found = next(partitions(terms, bits, least, [_LOOKS_FOR_ONE]), None)
    return division(terms, bits).laid() if found is None else found


LOOKS: Final = 850
"""How much is looked at in search of partitions if not all are needed."""
_LOOKS_FOR_ONE: Final = 400
"""The same in search of a single one, which `division` has anyway."""


class Undivided(NamedTuple):
    """
    Cards that are still to be divided into melds and a rest.

    Attributes:
        terms: The terms, with the lives that are still needed.
        bits: The cards as a multiset.
        most: The points that may be left over of them.
        before: The code of the card that was decided before; -1 for none.
        least: The first use that is still to be tried for another card of that face.
        every: All melds of these cards, perhaps with others; None where wilds make too
            many of them.
    """

    terms: Terms
    bits: int
    most: int
    before: int = -1
    least: tuple[str, ...] = ()
    every: Sequence[Filled] | None = None


_undivided: Final[Any] = functools.partial(tuple.__new__, Undivided)
"""Makes undivided cards more quickly than `Undivided`."""


def undivided(terms: Terms, bits: int, most: int) -> Undivided:
    """
    All cards of a hand, of which at most so many points may be left over.
    """
    every = None if bits & terms.wild_mask else [*melds_in(terms, bits)]
    if terms.has_lives:
        terms = needing(terms, terms.lives)
    return Undivided(terms, bits, most, every=every)


CardUse = tuple[tuple[Played, ...], int, Undivided]
"""The meld that takes a card, empty if none does; the cards that are left over for good
then; and those that are still to be divided."""


def uses(cards: Undivided, looks: list[int] | None = None) -> Iterator[CardUse]:
    """
    The uses of the lowest of some cards: the melds that may take it, or none.

    The use of the first of two equal cards comes before that of the second, so that no
    partition comes twice.

    Args:
        cards: The cards; not empty.
        looks: How much may be looked at; None for all.
    """
    terms, bits, most, before, least, every = cards
    code = lowest(bits)
    twin = code == before
    several = twin or count(bits, code) > 1
    needy = terms.has_lives
    if every is None:
        melds = melds_in(terms, bits, code)
    else:
        every = [one for one in every if holds(bits, one.used)]
        melds = iter([one for one in every if one.used & FIELD[code]])
    for meld, used, _ in melds:
        others = beside(terms, meld) if needy else terms
        if looks is not None:
            looks[0] -= 1 + effort(others, bits - used, most)
            if looks[0] < 0:
                return
        if not can_leave(others, bits - used, most):
            continue
        if terms.extra is not None and not is_allowed(terms, meld):
            continue
        key = tuple(map(str, meld)) if several else ()
        if not twin or key >= least:
            yield meld, 0, _undivided((others, bits - used, most, code, key, every))
    if terms.worth[code] > most and not (needy or _takes_off(terms)):
        return
    # A face left over once is left over with all its copies that follow.
    rest = bits & FIELD[code]
    allowed = most - terms.worth[code] * count(bits, code)
    if needy or (allowed < 0 and _takes_off(terms)):
        if not can_leave(terms, bits - rest, allowed):
            return
    if needy or allowed >= 0 or _takes_off(terms):
        yield (), rest, _undivided((terms, bits - rest, allowed, code, (), every))


def divisions(
    cards: Undivided, looks: list[int] | None = None
) -> Iterator[tuple[Melds, int]]:
    """
    The ways to divide some cards, the lowest of which is decided first.

    Args:
        cards: The cards.
        looks: How much may be looked at; None for all.

    Yields:
        The melds, and the cards left over.
    """
    # One level a card; a stack of generators is far less work than nested ones.
    levels: list[tuple[Iterator[CardUse], Melds, int]] = []
    melds: Melds = ()
    left = 0
    while True:
        if cards.bits:
            levels.append((uses(cards, looks), melds, left))
        elif not cards.terms.has_lives:
            yield melds, left
        for every, melds, left in reversed(levels):  # noqa: B007
            use = next(every, None)
            if use is not None:
                break
            levels.pop()
        else:
            return
        meld, rest, cards = use
        melds, left = (*melds, meld) if meld else melds, left + rest


@remembered(1)
def _takes_off(terms: Terms) -> bool:
    """
    Whether some card is worth less than nothing.
    """
    return min(terms.worth) < 0


def beside(terms: Terms, cards: tuple[Played, ...]) -> Terms:
    """
    The terms for what is left of a hand beside a meld, with the lives still needed.
    """
    if not terms.has_lives:
        return terms
    if kind_of(terms, cards) not in LIVES:
        return terms
    lives = terms.lives.beside(len(cards), pure=is_pure(cards))
    return needing(terms, lives) if any(lives) else plain(terms)


def can_leave(terms: Terms, bits: int, most: int) -> bool:
    """
    Whether cards can be divided so that at most so many points are left over.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.
        most: The points.
    """
    # Whatever runs they need, they leave no less than without.
    if terms.has_lives and fewest_points(plain(terms), bits, most) > most:
        return False
    return fewest_points(terms, bits, most) <= most
