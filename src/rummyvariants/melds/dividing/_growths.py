"""
The melds on the table to which cards may be added, and what adding them is worth.

A set is described by what fits it. For runs, every way to add cards is listed.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator, Mapping
from typing import Final

import attrs

from rummyvariants.cards import FIELD, LANE, RANKS, SUITS, UNIT, count, faces, holds
from rummyvariants.melds._layoff_reading import uncovered
from rummyvariants.melds._meld import (
    Beside,
    Meld,
    Slot,
    counted_wilds,
    is_low_ace,
    taken_in,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.dividing._prices import Prices
from rummyvariants.melds.dividing._runs import NEVER, SuitTable, may_hold
from rummyvariants.melds.dividing._sets import Standing
from rummyvariants.melds.dividing._wilds import counted_ranks


@attrs.frozen(eq=False)
class Growth:
    """
    One way to add cards to a run on the table.

    Attributes:
        number: The number of the meld.
        used: The cards of its suit that are added, as a lane.
        wilds: How many wilds.
        below: By how many places it grows at the low end.
        places: The codes of the cards that its new places stand for, low to high.
        given: Ranks, as bits, of the cards that take their own places.
        beside: Ranks, as bits, of the cards that lie beside a wild.
        low_aces: By how much the number of the seat's low aces grows; negative where
            places below them make them high.
    """

    number: int
    used: int
    wilds: int
    below: int
    places: tuple[int, ...]
    given: int
    beside: int
    low_aces: int


Growths = tuple[Growth, ...]
"""What is added to the runs of a suit, at most one growth for each run."""


@attrs.frozen(eq=False)
class Added:
    """
    A way to add cards to the runs of a suit.

    Attributes:
        growths: What is added to which run.
        used: The cards of the suit that it takes, as a lane.
        wilds: How many wilds.
        worth: The value of the cards without the wilds.
    """

    growths: Growths = ()
    used: int = 0
    wilds: int = 0
    worth: int = 0


@attrs.frozen(eq=False)
class Table:
    """
    The melds on the table to which cards may be added.

    Attributes:
        sets: The sets by rank number, the ace being 0.
        runs: By suit, every way to add cards to its runs; the first adds none.
        takes_wilds: Whether any number of wilds can be added to a meld of wilds.
        wilds: How many wilds such a meld holds.
        joker_set: The number of a set of jokers that are not wild; -1 for none.
        tries: How many ways to add cards to runs were tried.
        is_whole: Whether all ways were found.
        closed: The ranks of which no new set may be made.
    """

    sets: dict[int, tuple[Standing, ...]] = attrs.field(factory=dict)
    runs: dict[int, tuple[Added, ...]] = attrs.field(factory=dict)
    takes_wilds: bool = False
    wilds: int = 0
    joker_set: int = -1
    tries: int = 0
    is_whole: bool = True
    closed: str = ""


EMPTY: Final = Table()
"""A table without melds to which cards may be added."""


# --------------------------------------------------------------------- read from melds


def table_of(
    terms: Terms,
    prices: Prices,
    melds: Mapping[int, Meld],
    seat: int,
    bits: int,
    wilds: int,
    most: int | None = None,
) -> Table:
    """
    The table in the form that a search needs.

    Args:
        terms: The terms of the deal.
        prices: What cards are worth.
        melds: The melds by number.
        seat: Who adds to them.
        bits: The cards at hand that stand for themselves.
        wilds: How many other wilds are at hand.
        most: How many ways to add cards to runs may be tried; None for all.
    """
    sets: dict[int, tuple[Standing, ...]] = {}
    runs: dict[int, list[tuple[int, Meld]]] = {}
    takes_wilds, lying, joker_set = False, 0, -1
    for number, meld in melds.items():
        if meld.kind == "wilds":
            takes_wilds, lying = True, lying or len(meld)
        elif meld.kind == "set" and meld.rank == "*":
            joker_set = number
        elif meld.kind == "set":
            rank = RANKS.index(meld.rank)
            sets[rank] = (*sets.get(rank, ()), _standing(terms, number, meld))
        elif meld.kind == "run":
            runs.setdefault(SUITS.index(meld.suit), []).append((number, meld))
    adding = _Adding(terms, prices, seat, wilds, most)
    added = {
        suit: adding.together(suit, those, bits >> 64 * suit & LANE)
        for suit, those in runs.items()
    }
    return Table(
        sets,
        {suit: found for suit, found in added.items() if len(found) > 1},
        takes_wilds,
        lying,
        joker_set,
        adding.tries,
        adding.is_whole,
    )


def _standing(terms: Terms, number: int, meld: Meld) -> Standing:
    counted = counted_wilds(terms, meld.slots)
    free = covered = 0
    if terms.distinct:
        taken = {slot.code for slot in meld.slots}
        for code in terms.set_codes[meld.rank]:
            if code not in taken:
                free |= 1 << (code >> 4)
        for code in uncovered(terms, meld):
            covered |= 1 << (code >> 4)
    elif not terms.twins:
        there = taken_in(meld.slots)
        for code in terms.set_codes[meld.rank]:
            if not there & FIELD[code]:
                free |= 1 << (code >> 4)
    return Standing(number, len(meld) - counted, counted, free, covered)


@attrs.define(eq=False)
class _Adding:
    """
    The search for ways to add cards to runs.

    Attributes:
        terms: The terms of the deal.
        prices: What cards are worth.
        seat: Who adds to them.
        wilds: How many wilds are at hand.
        most: How many ways may be tried; None for all.
        tries: How many were tried.
        is_whole: Whether all were tried.
    """

    terms: Terms
    prices: Prices
    seat: int
    wilds: int
    most: int | None
    tries: int = 0
    is_whole: bool = True

    def together(
        self, suit: int, runs: list[tuple[int, Meld]], lane: int
    ) -> tuple[Added, ...]:
        """
        Every way to add cards to the runs of a suit, the best for any given cards.
        """
        found: dict[tuple[int, int], Added] = {(0, 0): Added()}
        for number, meld in runs:
            ways = []
            for one in _growths(
                self.terms, number, meld, self.seat, suit, lane, self.wilds
            ):
                if self._is_enough():
                    break
                ways.append((one, _worth_of(self.prices, suit, one)))
            for old in list(found.values()):
                for one, worth in ways:
                    if self._is_enough():
                        return tuple(found.values())
                    used, away = old.used + one.used, old.wilds + one.wilds
                    if away > self.wilds or not holds(lane, used):
                        continue
                    known = found.get((used, away))
                    if known is None or old.worth + worth > known.worth:
                        found[used, away] = Added(
                            (*old.growths, one), used, away, old.worth + worth
                        )
        return tuple(found.values())

    def _is_enough(self) -> bool:
        """
        Count another try, and say whether it is one too many.
        """
        self.tries += 1
        if self.most is None or self.tries <= self.most:
            return False
        self.is_whole = False
        return True


def _growths(
    terms: Terms, number: int, meld: Meld, seat: int, suit: int, lane: int, wilds: int
) -> Iterator[Growth]:
    along = terms.run_codes[SUITS[suit]]
    counted = counted_wilds(terms, meld.slots)
    lying = [code for code in uncovered(terms, meld) if lane & 15 * UNIT[code & 15]]
    top = meld.low + len(meld)
    low_before = low_aces_of(terms, meld, seat)
    for below in range(meld.low + 1):
        if below and not terms.fits_track(meld.low - below, len(meld) + below):
            break
        for above in range(len(along) - top + 1):
            if not terms.fits_track(meld.low - below, len(meld) + below + above):
                break
            places = (*along[meld.low - below : meld.low], *along[top : top + above])
            missing = [code for code in places if not lane & 15 * UNIT[code & 15]]
            if len(missing) > wilds:
                break
            low = meld.low - below
            ace_low = terms.track[low : low + 2] == "A2"
            for given, beside in _filled(
                terms, suit, places, lane, wilds, len(meld) - counted, counted
            ):
                for more in range(len(lying) + 1):
                    for chosen in itertools.combinations(lying, more):
                        own = [code for code in places if code in given]
                        laid = [*own, *beside, *chosen]
                        if not laid and not places:
                            continue
                        yield Growth(
                            number,
                            sum([UNIT[code & 15] for code in laid]),
                            len(places) - len(own),
                            below,
                            places,
                            _ranks(own),
                            _ranks([*beside, *chosen]),
                            (ace_low and along[low] in laid)
                            - (low_before if below else 0),
                        )


def low_aces_of(terms: Terms, meld: Meld, seat: int) -> int:
    """
    How many low aces of a meld a seat has laid.
    """
    laid: list[tuple[int, Slot | Beside]] = [(0, meld.slots[0])]
    laid += [(one.index, one) for one in meld.beside]
    return sum(
        [
            one.seat == seat and is_low_ace(terms, meld, index, one.card)
            for index, one in laid
        ]
    )


def _ranks(codes: list[int]) -> int:
    return sum([1 << (code & 15) - 1 for code in codes])


def _filled(
    terms: Terms,
    suit: int,
    places: tuple[int, ...],
    lane: int,
    wilds: int,
    naturals: int,
    counted: int,
) -> Iterator[tuple[frozenset[int], tuple[int, ...]]]:
    """
    The ways to fill the new places of a run.

    Yields:
        The cards that take their own places, and those that lie beside wilds in theirs.
    """
    there = [code for code in places if lane & 15 * UNIT[code & 15]]
    least = len(places) - len(there)
    as_wild = counted_ranks(terms, suit)
    limited = bool(places) and not terms.unlimited
    homes = sum([as_wild >> (code & 15) - 1 & 1 for code in there])

    def may_be(number: int, home: int) -> bool:
        natural = naturals + len(there) - number - home
        wild = home + counted + least + number
        return may_hold(terms.most_in_runs, natural, wild)

    for number in range(min(wilds - least, len(there)) + 1):
        if limited and not may_be(number, max(0, homes - number)):
            break  # more wilds are not allowed either
        for away in itertools.combinations(there, number):
            own = frozenset(there) - {*away}
            home = sum([as_wild >> (code & 15) - 1 & 1 for code in own])
            if limited and not may_be(number, home):
                continue
            if not terms.lies_beside:
                yield own, ()
                continue
            for lying in range(number + 1):
                for beside in itertools.combinations(away, lying):
                    yield own, beside


# ------------------------------------------------------------------------------ worth


def _worth_of(prices: Prices, suit: int, one: Growth) -> int:
    """
    The value of the cards added to a run, without the wilds.
    """
    total = 0
    for code in faces(one.used):
        total += prices.cards[16 * suit + code] * count(one.used, code)
    less = prices.low_aces[suit] - prices.cards[16 * suit + 1]
    return total + one.low_aces * less


def growths_of(
    added: tuple[Added, ...], suit_table: SuitTable, lane: int
) -> tuple[tuple[int, ...], list[Growths]]:
    """
    The best use of a suit in new runs and in those on the table.

    Args:
        added: The ways to add cards.
        suit_table: What new runs are worth.
        lane: The cards of the suit.

    Returns:
        By the number of wilds, the value and what is added to runs on the table.
    """
    size = len(suit_table.none)
    best = [NEVER] * size
    behind: list[Growths] = [()] * size
    for one in added:
        away, worth = one.wilds, one.worth
        if away >= size or not holds(lane, one.used):
            continue
        left = lane - one.used
        rest = suit_table.best.get(left) or suit_table.of(left)
        for at in range(size - away):
            if rest[at] + worth > best[at + away]:
                best[at + away] = rest[at] + worth
                behind[at + away] = one.growths
    return tuple(best), behind
