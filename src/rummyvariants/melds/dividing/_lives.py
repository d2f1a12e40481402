"""
A hand divided where it needs certain runs, its lives.

The lives are chosen first, and what they leave is divided as any other hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    JOKER,
    UNIT,
    codes,
    faces,
    ranks_held,
    size,
    total,
)
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._meld import ALIKE, Played, is_pure
from rummyvariants.melds._parts import sub_multisets
from rummyvariants.melds._reading import is_allowed
from rummyvariants.melds._tables import (
    GRADED,
    NATURALS,
    REFUSED,
    Lives,
    Terms,
    as_lane,
    plain,
)
from rummyvariants.melds.dividing._divisions import Division, divided


NO_WAY: Final = 1 << 40
"""More points than a hand has: what it leaves if it lacks the lives and needs them."""
_NODES: Final = 20_000
"""The most work for a hand, in nodes; a hand of thirteen cards needs less."""
_START: Final = 8
"""The work of dividing what some lives leave, in nodes."""
_REMEMBERED: Final = 1 << 12


@remembered(_REMEMBERED)
def with_lives(terms: Terms, bits: int) -> Division:
    """
    The division of a hand that needs runs, with the fewest points, then fewest cards.

    Args:
        terms: The terms of the deal. Without the runs all cards that count are left
            over.
        bits: The hand as a multiset.
    """
    search = _Search(terms)
    search.divide(bits, terms.lives, ())
    exact, work = search.exact, search.work
    ways = []
    if search.rest is not None:
        melds, left = search.rest.laid()
        runs = [_run_of(terms, used, pure) for used, pure in search.runs]
        ways.append((search.best, ((*filter(None, runs), *melds), left)))
    if terms.without == GRADED:
        for run, used in pure_runs(terms, bits):
            ways.append((_count(terms, bits - used), ((run,), bits - used)))
    points, cards = _count(terms, bits)
    if terms.without == REFUSED:
        points += NO_WAY
    ways.append(((points, cards), ((), bits)))
    (points, cards), named = min(ways, key=lambda way: way[0])
    return Division(points, cards, exact, work, None, named)


def _count(terms: Terms, left: int) -> tuple[int, int]:
    """
    The points of some cards, and how many they are.
    """
    return total(terms.worth, left), size(left)


class _Search:
    """
    A search for the lives of a hand that leave the best of it.

    Attributes:
        best: The fewest points found, and the fewest cards with them.
        runs: The cards of the lives, and whether they were sought as pure ones.
        rest: What else is made of the hand; None if it lacks the lives.
        work: How many nodes were visited.
        exact: Whether it is certain that nothing is better.
    """

    __slots__ = ("_plain", "_seen", "_terms", "best", "exact", "rest", "runs", "work")

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._plain = plain(terms)
        self._seen: set[tuple[int, Lives]] = set()
        self.best = (NO_WAY, 0)
        self.runs: tuple[tuple[int, bool], ...] = ()
        self.rest: Division | None = None
        self.work = 0
        self.exact = True

    def divide(
        self, bits: int, lives: Lives, runs: tuple[tuple[int, bool], ...]
    ) -> None:
        """
        Look at all ways to choose the lives that are still needed.

        Pure runs are chosen first, then a long one, then any.

        Args:
            bits: The cards that are left.
            lives: What is needed of them.
            runs: The lives chosen before.
        """
        if (bits, lives) in self._seen:
            return
        self._seen.add((bits, lives))
        if self.work > _NODES:
            self.exact = False
            return
        needy, pure = any(lives), lives.pure > 0
        least = 0 if pure else lives.longest
        ways = _runs_of(self._terms, bits, least, pure=pure) if needy else []
        if needy and not ways:
            return
        # No lives leave less than a hand that needs none.
        rest = divided(self._plain, bits)
        self.work += _START + rest.work
        found = rest.points, rest.cards
        if not needy:
            self.exact = self.exact and rest.exact
            if found < self.best:
                self.best, self.runs, self.rest = found, runs, rest
        for used in ways:
            if self.best <= found:
                self.exact = self.exact and rest.exact
                return
            left = lives.beside(size(used), pure=pure)
            self.divide(bits - used, left, (*runs, (used, pure)))


# ------------------------------------------------------------------------ single runs


def pure_runs(terms: Terms, bits: int) -> Iterator[tuple[tuple[Played, ...], int]]:
    """
    The pure runs that a hand can make, as actions name them and as multisets.
    """
    for used in _runs_of(terms, bits, 0, pure=True):
        run = _run_of(terms, used, True)
        if run is not None:
            yield run, used


def _runs_of(terms: Terms, bits: int, least: int, *, pure: bool) -> list[int]:
    """
    The cards of the runs that a hand can make, those of the most points first.

    Three identical cards that count as a run are among them. Of runs that differ only
    in wilds that are worth the same, few are given.

    Args:
        terms: The terms of the deal.
        bits: The hand.
        least: The fewest cards of a run.
        pure: Whether only pure runs are sought.
    """
    wild = bits & terms.wild_mask
    wilds = size(wild) if wild else 0
    alike = faces(terms.alike_in(bits)) if least <= ALIKE else ()
    found = {ALIKE * UNIT[code] for code in alike}
    for row in terms.rows if terms.runs else ():
        lane = 64 * row
        own, homes = ranks_held(bits >> lane), ranks_held(wild >> lane)
        for ranks, away in _shapes(terms, own, homes, wilds, pure):
            if ranks.bit_count() + away >= least:
                pool = wild - (as_lane(ranks & homes) << lane)
                used = as_lane(ranks) << lane
                found.update([used + part for part in _taken(terms, pool, away)])
    if terms.extra is not None:
        found = {used for used in found if _run_of(terms, used, pure) is not None}
    return sorted(found, key=lambda used: (-total(terms.worth, used), used))


@remembered(_REMEMBERED)
def _shapes(
    terms: Terms,
    own: int,
    homes: int,
    wilds: int,
    pure: bool,  # noqa: FBT001 -- remembered by what it is given
) -> tuple[tuple[int, int], ...]:
    """
    The runs of a suit: the ranks of the cards in their own places, and how many wilds.

    Where wilds are all alike, one is in its own place only in a run of wilds.

    Args:
        terms: The terms of the deal.
        own: The ranks of the suit that the hand holds, as bits.
        homes: Those of them that are wild.
        wilds: How many wilds the hand holds.
        pure: Whether only runs with no wild that stands for another card are sought.
    """
    found: dict[tuple[int, int], None] = {}
    for _, length, ranks in terms.runs_along.near(own, 0 if pure else wilds):
        held = part = ranks & own
        while part:
            away, at_home = length - part.bit_count(), (part & homes).bit_count()
            fits = not away if pure else away + at_home <= wilds
            alike = at_home and not (pure or _choosy(terms))
            if fits and not (alike and part.bit_count() > 1):
                if _is_within_limit(terms, length, away, at_home):
                    found[part, away] = None
            part = part - 1 & held
    return tuple(found)


def _is_within_limit(terms: Terms, length: int, away: int, at_home: int) -> bool:
    """
    Whether a run may hold so many wilds that stand for others, or for themselves.
    """
    wilds = away if terms.own_place_is_natural else away + at_home
    return wilds <= terms.most_in_runs[min(length - wilds, NATURALS)]


def _choosy(terms: Terms) -> bool:
    """
    Whether it matters which of several wilds a run takes, apart from their points.
    """
    return terms.extra is not None or not terms.unlimited


@remembered(_REMEMBERED)
def _taken(terms: Terms, pool: int, number: int) -> tuple[int, ...]:
    """
    Which wilds a run takes: those of the most points, unless others may be better.

    Args:
        terms: The terms of the deal.
        pool: The wilds.
        number: How many of them it takes.
    """
    if not number:
        return (0,)
    if _choosy(terms):
        return tuple(sub_multisets(pool, number, number))
    worth = terms.worth
    held = sorted(codes(pool), key=lambda code: (-worth[code], code != JOKER))
    if len(held) - number < min(terms.least_set, terms.least_run):
        return (sum([UNIT[code] for code in held[:number]]),)
    # Of the others some may make a meld, in which one that is no joker is needed.
    jokers = [code for code in held if code == JOKER]
    others = [code for code in held if code != JOKER]
    return tuple(
        [
            sum([UNIT[code] for code in jokers[:one] + others[: number - one]])
            for one in range(min(len(jokers), number) + 1)
            if number - one <= len(others)
        ]
    )


@remembered(_REMEMBERED)
def _run_of(terms: Terms, bits: int, pure: bool) -> tuple[Played, ...] | None:  # noqa: FBT001
    """
    All of some cards as a run, as an action names them; None if they make none.
    """
    for cards, used in melds_in(_runs_alone(terms), bits):
        if (
            used == bits
            and not (pure and not is_pure(cards))
            and is_allowed(terms, cards)
        ):
            return cards
    return None


@remembered(1)
def _runs_alone(terms: Terms) -> Terms:
    """
    The terms of a deal in which nothing but runs is melded.
    """
    return plain(terms).changed(sets=False, wild_melds=False)
