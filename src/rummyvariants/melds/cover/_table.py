"""
The melds on the table to which cards may be added.

A set is described by what fits it. For runs, every way to add cards is listed.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

import attrs

from rummyvariants.cards import (
    LANE,
    RANKS,
    UNIT,
    holds,
    ranks_held,
    total,
)
from rummyvariants.melds._meld import (
    Meld,
    is_low_ace,
    uncovered,
    window_of,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._prices import Prices
from rummyvariants.melds.cover._runs import Piece, parts_of
from rummyvariants.melds.cover._sets import Standing, standing_set
from rummyvariants.melds.shapes._filling import fillings
from rummyvariants.melds.shapes._track import as_lane


class Added(NamedTuple):
    """
    A way to add cards to the runs of a suit on the table.

    Attributes:
        worth: The value of the cards without the wilds.
        used: The cards of the suit that it takes, as a lane.
        wilds: How many wilds.
        pieces: What is added, at most one piece for each run.
    """

    worth: int = 0
    used: int = 0
    wilds: int = 0
    pieces: tuple[Piece, ...] = ()


@attrs.frozen(eq=False)
class Table:
    """
    What lies on the table, and who adds to it.

    Attributes:
        melds: The melds to which cards may be added, by number.
        seat: Who adds to them.
        closed: The ranks of which no new set may be made.
        any_wilds: Whether any number of wilds may be put down one by one.
    """

    melds: Mapping[int, Meld] = attrs.field(factory=dict)
    seat: int = 0
    closed: str = ""
    any_wilds: bool = False

    @property
    def wilds(self) -> int:
        """
        The number of a meld of wilds alone; -1 if there is none.
        """
        return self._first(lambda one: one.kind == "wilds")

    @property
    def jokers(self) -> int:
        """
        The number of a set of jokers that are not wild; -1 if there is none.
        """
        return self._first(lambda one: one.rank == "*")

    def _first(self, fits: Callable[[Meld], bool]) -> int:
        return next((at for at, one in self.melds.items() if fits(one)), -1)

    def sets(self, terms: Terms) -> dict[int, tuple[Standing, ...]]:
        """
        The sets by the number of their rank.
        """
        found: dict[int, tuple[Standing, ...]] = {}
        for number, meld in self.melds.items():
            if meld.kind == "set" and meld.rank != "*":
                rank = RANKS.index(meld.rank)
                found[rank] = *found.get(rank, ()), standing_set(terms, number, meld)
        return found

    def runs(
        self,
        terms: Terms,
        prices: Prices,
        bits: int,
        wilds: int,
        spend: Callable[[], bool],
    ) -> dict[int, tuple[Added, ...]]:
        """
        By suit, the ways to add cards to its runs, none among them.

        Args:
            terms: The terms of the deal.
            prices: What cards are worth.
            bits: The cards that stand for themselves.
            wilds: How many other wilds there are.
            spend: Counts a try, and says whether there may be more.
        """
        found: dict[int, dict[tuple[int, int], Added]] = {}
        for number, meld in self.melds.items():
            if meld.kind != "run":
                continue
            row = meld.row
            lane = bits >> 64 * row & LANE
            ways = found.setdefault(row, {(0, 0): Added()})
            longer = [
                (one, _worth(terms, prices, row, meld, one, self.seat))
                for one in _longer(terms, number, meld, row, lane, wilds)
                if spend()
            ]
            for old, (piece, worth) in itertools.product([*ways.values()], longer):
                used, away = old.used + piece.used, old.wilds + piece.wilds
                if away <= wilds and holds(lane, used):
                    if not spend():
                        break
                    known = ways.get((used, away))
                    if known is None or old.worth + worth > known.worth:
                        pieces = *old.pieces, piece
                        ways[used, away] = Added(old.worth + worth, used, away, pieces)
        return {
            row: tuple(ways.values()) for row, ways in found.items() if len(ways) > 1
        }


EMPTY: Final = Table()
"""A table without melds to which cards may be added."""


def _longer(
    terms: Terms, number: int, meld: Meld, row: int, lane: int, wilds: int
) -> Iterator[Piece]:
    """
    The ways to add cards of a suit and wilds to one run, or beside its wilds.
    """
    window = window_of(meld)
    open_to = sum([1 << (one & 15) - 1 for one in uncovered(terms, meld)])
    open_to &= ranks_held(lane)
    wild = ranks_held(terms.wild_mask >> 64 * row)
    for longer in (window, *[one.window for one in terms.runs_along.longer(window)]):
        places = longer.ranks & ~window.ranks
        held = ranks_held(lane) & places
        home = held & wild
        for holes, away, _, _ in fillings(
            terms.limit("run"),
            places,
            held & ~wild,
            home,
            wilds + home.bit_count(),
            meld.counted,
        ):
            if away > wilds:
                continue
            own = as_lane(held & ~holes)
            lying = open_to | held & holes * terms.lies_beside
            for some in parts_of(lying):
                if places or some:
                    yield Piece("run", own + some, away, some, number, longer)


def _worth(
    terms: Terms, prices: Prices, row: int, meld: Meld, piece: Piece, seat: int
) -> int:
    """
    The value of the cards added to a run, without the wilds.
    """
    cards = prices.cards[16 * row : 16 * row + 16]
    less = prices.low_aces[row] - cards[1]
    aces = more_low_aces(terms, meld, piece, seat) if less else 0
    return total(cards, piece.used) + aces * less


def more_low_aces(terms: Terms, meld: Meld | None, piece: Piece, seat: int) -> int:
    """
    By how much the number of a seat's low aces grows with a run, or with more of it.

    A low ace becomes high where other cards are laid below it.
    """
    assert piece.window is not None  # noqa: S101
    lowest = piece.window.along[0]
    found = int(not lowest and piece.used & UNIT[1] > 0)
    if meld is not None and lowest != (meld.slots[0].code & 15) - 1:
        found -= low_aces_of(terms, meld, seat)
    return found


def low_aces_of(terms: Terms, meld: Meld, seat: int) -> int:
    """
    How many low aces of a meld a seat has laid.
    """
    places = [*range(len(meld)), *[one.index for one in meld.beside]]
    return sum(
        [
            one.seat == seat and is_low_ace(terms, meld, index, one.card)
            for index, one in zip(places, meld.laid, strict=True)
        ]
    )
