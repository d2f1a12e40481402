"""
What lies on the table, as far as cards may be added to it, and what adding them brings.

Sets are told by what fits them; for runs every way to add cards is written out.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator, Mapping
from typing import Final

import attrs

from rummyvariants.arranging.prices import Prices
from rummyvariants.arranging.runs import NEVER, SuitTable, may_hold
from rummyvariants.arranging.sets import Standing
from rummyvariants.arranging.wilds import counted_ranks
from rummyvariants.cards import LANE, RANKS, SUITS, UNIT, count, faces, holds
from rummyvariants.layoff_reading import uncovered
from rummyvariants.melds import Beside, Meld, Slot, counted_wilds, is_low_ace
from rummyvariants.terms import Terms


@attrs.frozen(eq=False)
class Growth:
    """
    One way to add cards to a run on the table.

    Attributes:
        number: The number of the meld.
        used: The cards of its suit, as a lane.
        wilds: How many wilds.
        below: How many places it grows by below.
        places: The codes of the cards that its new places stand for, low to high.
        given: Ranks, as bits, of the cards that take a place of their own.
        beside: Ranks, as bits, of the cards that lie beside a wild.
        low_aces: How many low aces of the seat's there are more than before; less than
            none where a place below them makes them high.
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
"""What is added to the runs of a suit, one growth a run at most."""


@attrs.frozen(eq=False)
class Table:
    """
    What lies on the table, as far as cards may be added to it.

    Attributes:
        sets: By rank number, the ace 0, its sets.
        runs: By suit, every way to add cards to its runs, none of them among these.
        takes_wilds: Whether it takes any number of wilds.
        joker_set: The number of a set of jokers that are not wild; -1 for none.
    """

    sets: dict[int, tuple[Standing, ...]] = attrs.field(factory=dict)
    runs: dict[int, tuple[Growths, ...]] = attrs.field(factory=dict)
    takes_wilds: bool = False
    joker_set: int = -1


EMPTY: Final = Table()
"""A table on which nothing lies, or nothing that may be added to."""


# --------------------------------------------------------------------- read from melds


def table_of(
    terms: Terms,
    prices: Prices,
    melds: Mapping[int, Meld],
    seat: int,
    bits: int,
    wilds: int,
) -> Table:
    """
    The table as a search needs it.

    Args:
        terms: The terms of the deal.
        prices: What cards are worth.
        melds: The melds by number.
        seat: Who adds to them.
        bits: The cards at hand that stand for themselves.
        wilds: How many other wilds are at hand.
    """
    sets: dict[int, tuple[Standing, ...]] = {}
    runs: dict[int, list[tuple[int, Meld]]] = {}
    takes_wilds, joker_set = False, -1
    for number, meld in melds.items():
        if meld.kind == "wilds":
            takes_wilds = True
        elif meld.kind == "set" and meld.rank == "*":
            joker_set = number
        elif meld.kind == "set":
            rank = RANKS.index(meld.rank)
            sets[rank] = (*sets.get(rank, ()), _standing(terms, number, meld))
        elif meld.kind == "run":
            runs.setdefault(SUITS.index(meld.suit), []).append((number, meld))
    growths = {
        suit: _together(
            terms, prices, suit, those, seat, bits >> 64 * suit & LANE, wilds
        )
        for suit, those in runs.items()
    }
    return Table(
        sets,
        {suit: found for suit, found in growths.items() if len(found) > 1},
        takes_wilds,
        joker_set,
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
    return Standing(number, len(meld) - counted, counted, free, covered)


def _together(
    terms: Terms,
    prices: Prices,
    suit: int,
    runs: list[tuple[int, Meld]],
    seat: int,
    lane: int,
    wilds: int,
) -> tuple[Growths, ...]:
    """
    Every way to add cards to the runs of a suit, of equal ones the best.
    """
    found: dict[tuple[int, int], Growths] = {(0, 0): ()}
    for number, meld in runs:
        ways = list(_growths(terms, number, meld, seat, suit, lane, wilds))
        for (used, away), choice in list(found.items()):
            for one in ways:
                total = used + one.used
                key = (total, away + one.wilds)
                if key[1] > wilds or not holds(lane, total):
                    continue
                new = (*choice, one)
                known = found.get(key)
                if known is None or growths_worth(prices, suit, new) > growths_worth(
                    prices, suit, known
                ):
                    found[key] = new
    return tuple(found.values())


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
    Ways to fill new places of a run.

    Yields:
        The cards that take their own places, and those that lie beside wilds in them.
    """
    there = [code for code in places if lane & 15 * UNIT[code & 15]]
    least = len(places) - len(there)
    as_wild = counted_ranks(terms, suit)
    for number in range(min(wilds - least, len(there)) + 1):
        for away in itertools.combinations(there, number):
            own = frozenset(there) - {*away}
            home = sum([as_wild >> (code & 15) - 1 & 1 for code in own])
            if (
                places
                and terms.limit != "none"
                and not may_hold(
                    terms.limit,
                    naturals + len(own) - home,
                    home,
                    counted + least + number,
                )
            ):
                continue
            if terms.real_card != "beside":
                yield own, ()
                continue
            for lying in range(number + 1):
                for beside in itertools.combinations(away, lying):
                    yield own, beside


# ------------------------------------------------------------------------------ worth


def growths_worth(prices: Prices, suit: int, choice: Growths) -> int:
    """
    The value of the cards added to runs, wilds left out.
    """
    total = 0
    for one in choice:
        for code in faces(one.used):
            total += prices.cards[16 * suit + code] * count(one.used, code)
        if one.low_aces:
            less = prices.low_aces[suit] - prices.cards[16 * suit + 1]
            total += one.low_aces * less
    return total


def growths_of(
    prices: Prices, table: Table, suit_table: SuitTable, suit: int, lane: int
) -> tuple[tuple[int, ...], list[Growths]]:
    """
    The best of runs of a suit, cards added to runs on the table among them.

    Returns:
        The value by the number of wilds, and behind each what is added.
    """
    size = len(suit_table.none)
    best = [NEVER] * size
    behind: list[Growths] = [()] * size
    for choice in table.runs[suit]:
        used = sum([one.used for one in choice])
        away = sum([one.wilds for one in choice])
        if away >= size or not holds(lane, used):
            continue
        worth = growths_worth(prices, suit, choice)
        rest = suit_table.of(lane - used)
        for at in range(size - away):
            if rest[at] + worth > best[at + away]:
                best[at + away] = rest[at] + worth
                behind[at + away] = choice
    return tuple(best), behind
