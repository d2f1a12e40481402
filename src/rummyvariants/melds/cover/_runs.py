"""
The best new runs of a suit, by the number of wilds in them.

A *lane* is one suit of a multiset (see `cards`), shifted to the bottom.
"""

from __future__ import annotations

import functools
import itertools
import math

from typing import Any, Final, NamedTuple

from rummyvariants._support.memos import kept
from rummyvariants.cards import UNIT, faces, present, ranks_held, total
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._prices import Prices
from rummyvariants.melds.shapes._filling import Limit, fillings
from rummyvariants.melds.shapes._track import Track, Window, as_lane, track_of


NEVER: Final = -(1 << 80)
"""The value of what is impossible."""
LANES_REMEMBERED: Final = 60_000
"""How many lanes are remembered; when there are more, it starts anew."""

LOOSE: Final = "loose"
"""All wilds fit into any run: only those that fill a gap or make a run long enough are
placed, and any other may lie at the end of some run."""
WIDE: Final = "wide"
"""Wilds may also take the places of cards at hand."""
NARROW: Final = "narrow"
"""Wilds fill gaps alone, which may miss the best."""


class Piece(NamedTuple):
    """
    What goes into one meld; its wilds are only counted.

    Attributes:
        kind: ``set``, ``run`` or ``alike``.
        used: Its cards: of a run as a lane, of a set as a pattern (see `_sets`). Wilds
            are among them where they stand for themselves.
        wilds: How many wilds stand for other cards.
        beside: Those of the cards that lie beside wilds.
        onto: The number of the meld on the table; -1 for a new one.
        window: Where a run lies then; None for other melds.
    """

    kind: str
    used: int
    wilds: int = 0
    beside: int = 0
    onto: int = -1
    window: Window | None = None


_piece: Final[Any] = functools.partial(tuple.__new__, Piece)
"""Makes a piece more quickly than `Piece`."""
Chain = tuple[Any, ...]
"""Pieces, the last one first: a piece and those before it."""


class Way(NamedTuple):
    """
    The best use of some cards of a suit with a number of wilds.

    Attributes:
        value: What the cards are worth, without the wilds; `NEVER` if it cannot be.
        used: The cards, as a lane.
        pieces: What goes into melds.
    """

    value: int
    used: int
    pieces: Chain


_way: Final[Any] = functools.partial(tuple.__new__, Way)
"""Makes a way more quickly than `Way`."""
Ways = tuple[tuple[int, ...], tuple[Way, ...]]
"""By the number of wilds, what the best ways are worth, and these."""
NOTHING: Final = Way(0, 0, ())
IMPOSSIBLE: Final = Way(NEVER, 0, ())


def ways_of(ways: list[Way]) -> Ways:
    """
    Ways by the number of wilds, with their values apart.
    """
    return tuple([one.value for one in ways]), tuple(ways)


class RunPieces:
    """
    The new runs that cards of a suit and wilds can make, whatever they are worth.

    They are the same for all suits, deals and games with the same track and limit.

    Args:
        track: The runs that there are.
        limit: How many wilds they may hold.
        wilds: How many wilds there are.
        counted: The ranks of cards that count as wild in their own places.
        mode: `LOOSE`, `WIDE` or `NARROW`.
        beside: Whether a real card may lie beside a wild that stands for it.
        splits: Whether a run that is long enough to be two is worth no more than these.
    """

    def __init__(
        self,
        track: Track,
        limit: Limit,
        wilds: int,
        counted: int,
        mode: str,
        *,
        beside: bool,
        splits: bool,
    ) -> None:
        self._track, self._limit = track, limit
        self._most = min(wilds, limit.most[-1])
        self._is_wide = mode == WIDE
        self._beside = beside and self._is_wide
        self._homes = counted
        self._windows: list[list[tuple[Window, int]]] = [[] for _ in range(14)]
        for window in track.new:
            ends = 0
            if mode == LOOSE and window.length > track.least:
                ends = 1 << window.along[0] | 1 << window.along[-1]
            if not (splits and window.length >= 2 * track.least):
                for one in faces(as_lane(window.ranks)):
                    self._windows[one].append((window, ends))
        # One entry at most for each set of ranks.
        self._near: dict[int, int] = {}
        self._starts: dict[int, tuple[Start, ...]] = {}

    def near(self, held: int) -> int:
        """
        Mask of the cards that are in any run.

        Args:
            held: The cards that are there, one copy of each face, as a lane.
        """
        if not self._most:
            return self._track.in_own_places(held) * 15
        found = self._near.get(held)
        if found is None:
            ranks = self._track.covered(ranks_held(held), self._most)
            found = self._near[held] = as_lane(ranks) * 15
        return found

    def starts(self, held: int) -> tuple[Start, ...]:
        """
        The runs whose lowest card of its own is the lowest held.

        Of runs of the same cards with as many wilds, one is enough.
        """
        found = self._starts.get(held)
        if found is None:
            best: dict[tuple[int, int, bool], Piece] = {}
            lowest, ranks, most = held & -held, ranks_held(held), self._most
            for window, ends in self._windows[lowest.bit_length() >> 2]:
                there = window.ranks & ranks
                home = there & self._homes
                missing = window.length - there.bit_count()
                if missing > most or ends & there != ends:
                    continue
                ace = UNIT[1] * (window.along[0] == 0)
                wilds = (most if self._is_wide else missing) + home.bit_count()
                for holes, away, _, _ in fillings(
                    self._limit, window.ranks, there - home, home, wilds
                ):
                    own, lost = as_lane(there & ~holes), there & holes
                    for beside in parts_of(lost) if self._beside else (0,):
                        used = own + beside
                        key = used, away, used & ace > 0
                        if away <= most and used & lowest and key not in best:
                            best[key] = _piece(("run", used, away, beside, -1, window))
            found = tuple([(piece, key[2]) for key, piece in best.items()])
            self._starts[held] = found
        return found


@functools.lru_cache(maxsize=1 << 13)
def parts_of(ranks: int) -> tuple[int, ...]:
    """
    Every choice of some ranks as a lane, few first.
    """
    lane = [UNIT[code] for code in faces(as_lane(ranks))]
    numbers = range(len(lane) + 1)
    return tuple(
        [sum(some) for n in numbers for some in itertools.combinations(lane, n)]
    )


Start = tuple[Piece, bool]
"""A run, and whether an ace of its own is low in it."""


@functools.lru_cache(maxsize=256)
def _pieces_of(*limits: Any, **others: Any) -> RunPieces:
    return RunPieces(*limits, **others)


def run_pieces(
    terms: Terms, row: int, wilds: int, mode: str, *, splits: bool
) -> RunPieces:
    """
    The new runs that cards of a suit and wilds can make.
    """
    able = terms.runs and row in terms.rows
    return _pieces_of(
        terms.runs_along if able else track_of("", (), terms.least_run),
        terms.limit("run"),
        wilds,
        0 if terms.own_place_is_natural else ranks_held(terms.wild_mask >> 64 * row),
        mode,
        beside=terms.lies_beside,
        splits=splits,
    )


class SuitRuns:
    """
    The best new runs of a suit, remembered by its cards.

    Args:
        terms: The terms of the deal.
        prices: What cards are worth.
        row: The number of the suit.
        wilds: How many wilds there are.
        mode: `LOOSE`, `WIDE` or `NARROW`.

    Attributes:
        known: What was found, by the cards.
        none: What no cards are worth.
    """

    def __init__(
        self, terms: Terms, prices: Prices, row: int, wilds: int, mode: str
    ) -> None:
        self._worth = prices.cards[16 * row : 16 * row + 16]
        self._less, self._mode = prices.low_aces[row] - self._worth[1], mode
        splits = mode == LOOSE and not (self._less and terms.runs_along.circle)
        self._pieces = run_pieces(terms, row, wilds, mode, splits=splits)
        self._starts: dict[int, list[tuple[Piece, int]]] = {}
        self._near: dict[int, int] = {}
        self._worths: dict[int, int] = {}
        self.none = ways_of([NOTHING] + [IMPOSSIBLE] * wilds)
        self.known: dict[int, Ways] = {0: self.none}

    def near(self, lane: int) -> int:
        """
        The cards of a lane that are in any run with so many wilds.
        """
        found = self._near.get(lane)
        if found is None:
            found = lane & self._pieces.near(present(lane))
            kept(self._near, lane, found, LANES_REMEMBERED)
        return found

    def of(self, lane: int) -> Ways:
        """
        The best runs of some cards.
        """
        found = self.known.get(lane)
        if found is None:
            kept = self.near(lane)
            found = self.of(kept) if kept != lane else self._found(lane)
            if len(self.known) >= LANES_REMEMBERED:
                self.known.clear()
                self.known[0] = self.none
            self.known[lane] = found
        return found

    def _found(self, lane: int) -> Ways:
        """
        The same for cards each of which is in some run.
        """
        held, wilds = present(lane), len(self.none[0]) - 1
        starts = self._starts.get(held)
        if starts is None:
            starts = self._starts[held] = [
                (piece, self._worths.get(piece.used) or self._worth_of(piece.used))
                if not is_low
                else (piece, self._worth_of(piece.used) + self._less)
                for piece, is_low in self._pieces.starts(held)
            ]
        best, known = [*self.of(lane - (lane & -lane))[1]], self.known
        for piece, worth in starts:
            rest = (known.get(lane - piece.used) or self.of(lane - piece.used))[1]
            for at in range(piece.wilds, wilds + 1):
                value, used, before = rest[at - piece.wilds]
                if value + worth > best[at][0]:
                    chain = piece, before
                    best[at] = _way((value + worth, used + piece.used, chain))
        if self._mode == LOOSE:
            for at in range(1, wilds + 1):
                if best[at - 1].pieces and best[at - 1].value > best[at].value:
                    best[at] = best[at - 1]
        return ways_of(best)

    def _worth_of(self, used: int) -> int:
        """
        What some cards are worth; remembered.
        """
        worth = total(self._worth, used)
        return kept(self._worths, used, worth, LANES_REMEMBERED)


def run_effort(lane: int, wilds: int, limit: Limit) -> int:
    """
    About how much work it takes to find the best runs where wilds may go anywhere.

    Args:
        lane: The cards of the suit.
        wilds: How many wilds there are.
        limit: How many of them a run may hold.

    Returns:
        The number of parts of the lane, times the ways in which wilds can take the
        places of cards of an average part, times the possible numbers of wilds.
    """
    lanes, number = 1, present(lane).bit_count()
    while lane:
        lanes *= (lane & 15) + 1
        lane >>= 4
    most = limit.most[-1]
    ways = sum(
        [
            math.comb(number, given) << number - given
            for given in range(min(wilds, number, most) + 1)
        ]
    )
    return (lanes * ways >> number) * (wilds + 1)


def roominess(terms: Terms) -> int:
    """
    The length of the shortest run to which nothing can be added at either end.
    """
    track = terms.runs_along
    return min([one.length for one in track.new if not track.longer(one)], default=0)
