"""
Plays by pattern: what runs and sets a suit's or a rank's cards and some wilds make.

The tables are the same for every suit, rank, deal and game with the same limits. An
entry is a tuple of lots: a key, which says how many wilds are needed and which of those
at hand stay in their own places; the plays with it, without shape and wilds; and the
most cards of these.
"""

from __future__ import annotations

import functools
import itertools

from collections.abc import Iterable
from typing import Final

from rummyvariants._support.memos import kept
from rummyvariants.cards import LANE, RANKS, ROW_OF, SUIT_BIT
from rummyvariants.melds.shapes._filling import (
    Counted,
    Limit,
    digits_of,
    fillings,
)
from rummyvariants.melds.shapes._numbers import HELD, SUBSETS, WHICH
from rummyvariants.melds.shapes._track import (
    Track,
    Window,
    places_of,
    ranks_at,
)


STAY: Final = 4
"""Where the wilds that stay begin in the key of a lot; below is how many are needed."""
LEAVE: Final = 17
"""Where those begin that leave their own places to others."""
AT_HOME: Final = len(RANKS)
"""Where the wilds in their own places begin in a key of runs."""
RUNS_NUMBER: Final = 2 * AT_HOME
"""Where the number of wilds begins in it."""
SETS_NUMBER: Final = 200
"""Where it begins in a key of sets."""

Entry = tuple[tuple[int, tuple[int, ...], int], ...]
Lots = dict[int, list[int]]
"""Plays by the key of their lot, after the most cards of these."""


class _Table:
    """
    Entries by key, made when they are asked for.

    Attributes:
        known: Those that were.
        shift: How far plays are shifted to leave room for wilds.
    """

    __slots__ = ("known", "shift")

    def __init__(self, faces: int) -> None:
        self.known: dict[object, Entry] = {}
        self.shift = 4 * faces

    def _kept(self, key: object, lots: Lots) -> Entry:
        """
        An entry of some plays by the keys of their lots; remembered.
        """
        entry = tuple(
            [(lot, tuple(sorted(plays)), most) for lot, (most, *plays) in lots.items()]
        )
        return kept(self.known, key, entry, _REMEMBERED)


_REMEMBERED: Final = 1 << 16


class Runs(_Table):
    """
    The runs of a suit, new and longer.

    A key is the ranks of the suit as bits, the ace lowest; those of wilds begin at
    `AT_HOME`, and the number of all wilds at `RUNS_NUMBER`.

    Args:
        track: The runs that there are.
        limit: How many wilds they may hold.
        faces: How many wild faces there are.
    """

    __slots__ = ("_limit", "track")

    def __init__(self, track: Track, limit: Limit, faces: int) -> None:
        super().__init__(faces)
        self.track, self._limit = track, limit

    def new(self, key: int) -> Entry:
        """
        The new runs of some cards.
        """
        found = self.known.get(key)
        if found is None:
            there, home, wilds = _parted(key)
            most = min(wilds, self._limit.most[-1])
            near = self.track.covered(there | home, most)
            pattern = there & near | (home & near) << AT_HOME | wilds << RUNS_NUMBER
            if pattern != key:
                found = self.known[key] = self.new(pattern)
            else:
                runs = self.track.near(there | home, most)
                some = [(one, one.up << WHICH, 0) for one in runs]
                found = self._kept(key, self._filled(some, there, home, wilds, None))
        return found

    def fewest(self, window: Window | None, old: Counted, key: int, rank: int) -> int:
        """
        The fewest cards of a new run, or by which one grows, with one in its place.

        Args:
            window: The run that grows; None for a new one.
            old: What counts of its cards for its limit.
            key: The cards.
            rank: The rank of the card that must be used, a natural one of these.

        Returns:
            How many; 0 if there is no such run.
        """
        there, home, wilds = _parted(key)
        naturals, counted = old
        limit = self._limit
        minimal = limit.most[0] == limit.most[-1]
        lacking = ~there
        for ranks in self.track.around(window, rank, minimal=minimal):
            missing = ranks & lacking
            if not missing:
                return ranks.bit_count()
            if missing.bit_count() <= wilds:
                homes = (ranks & home).bit_count()
                own = naturals + (ranks & there).bit_count()
                away = missing.bit_count() - homes
                if limit.room(own, homes, away + counted) >= 0:
                    return ranks.bit_count()
        return 0

    def joining(self, two: int, key: int, rank: int) -> int:
        """
        The fewest cards of a new run with two others in their places.

        Args:
            two: The ranks of these, natural cards.
            key: The cards.
            rank: The rank of the card that joins them, natural as well; -1 for a wild.

        Returns:
            How many; 0 if there is no such run.
        """
        there, home, wilds = _parted(key)
        if rank >= 0:
            two &= ~(1 << rank)
        for ranks in self.track.around(None, rank, minimal=False):
            number = ranks.bit_count()
            if number > 2 and (ranks & two).bit_count() > 1:
                own, homes = (ranks & there).bit_count(), (ranks & home).bit_count()
                away = number - own - homes
                if rank < 0 and not away:
                    # The wild takes the place of one more.
                    own, homes, away = own - (not homes), max(homes - 1, 0), 1
                if away + homes <= wilds and self._limit.allows(own, homes, away):
                    return number
        return 0

    def longer(
        self,
        window: Window,
        old: Counted,
        key: int,
        moving: tuple[int, int] | None = None,
    ) -> Entry:
        """
        The runs that one becomes with some cards.

        Args:
            window: The run.
            old: What counts of its cards for its limit.
            key: The cards.
            moving: Which wild moves, if one does (see `Track.shifted`).
        """
        asked = window.down, old, key, moving
        found = self.known.get(asked)
        if found is None:
            there, home, wilds = _parted(key)
            most = min(wilds, self._limit.most[-1])
            longer = self.track.longer_with(window, there | home, most)
            ways = self.track.shifted(window, *moving) if moving else ()
            homes = {one.ranks for one in ways if moving and one.wild == moving[1]}
            some = [
                (one, one.down << WHICH | before << HELD, before)
                for one, before, _ in longer
                if one.ranks & ~window.ranks not in homes
            ]
            lots = self._filled(some, there, home, wilds, old)
            for one in ways:
                if not one.ranks & ~(there | home * self._limit.own):
                    number = one.ranks.bit_count()
                    those = lots.setdefault((one.ranks & home) << STAY, [number])
                    those[0] = max(those[0], number)
                    part = one.window.down << WHICH | one.held << HELD
                    those.append(part << self.shift)
            found = self._kept(asked, lots)
        return found

    def _filled(
        self,
        runs: Iterable[tuple[Window, int, int]],
        there: int,
        home: int,
        wilds: int,
        old: Counted | None,
    ) -> Lots:
        """
        The ways to fill the places of runs that were not filled before.

        Args:
            runs: Each run, with the part of a number that it is without wilds, and the
                places that were filled before.
            there: The ranks of naturals.
            home: The ranks of wilds.
            wilds: How many wilds there are.
            old: What counts of the run before for its limit; None for new runs.
        """
        lots: Lots = {}
        for window, part, before in runs:
            places = (1 << window.length) - 1 & ~before
            number = places.bit_count()
            if not wilds:
                lots.setdefault(0, [0]).append(part << self.shift)
                lots[0][0] = max(lots[0][0], number)
                continue
            ranks, along = window.ranks, window.along
            at_home = places_of(home & ranks, along) & places if home & ranks else 0
            own = places_of(there & ranks, along) & places
            for holes, away, stay, leave in fillings(
                self._limit, places, own, at_home, wilds, old
            ):
                lot = away
                if at_home:
                    lot |= ranks_at(stay, along) << STAY
                    lot |= ranks_at(leave, along) << LEAVE
                some = lots.setdefault(lot, [number])
                some[0] = max(some[0], number)
                some.append((part | holes) << self.shift)
        return lots


def _parted(key: int) -> tuple[int, int, int]:
    """
    The ranks of naturals and of wilds in a key, and the number of wilds.
    """
    ranks = (1 << AT_HOME) - 1
    return key & ranks, key >> AT_HOME & ranks, key >> RUNS_NUMBER


class Sets(_Table):
    """
    The sets of a rank, new and larger, whose cards differ in suit, or need not.

    A key is the cards of the rank as they lie in a multiset that is shifted down to
    it. Which suits are wild begins at the fourth bit, how many wilds there are at
    `SETS_NUMBER`.

    Args:
        limit: How many wilds they may hold.
        sizes: The fewest and the most cards.
        suits: The suits of the deck as bits (see `SUIT_BIT`).
        distinct: Whether the cards differ in suit, wilds by what they stand for.
        twins: Whether two naturals may be of one suit.
        alike: Whether three identical cards are a meld of their own.
        faces: How many wild faces there are.

    Attributes:
        limit: The same.
        distinct: The same.
        rows: The rows of the suits, the ordinary ones that the deck lacks among them.
    """

    __slots__ = ("_alike", "_sizes", "_suits", "_twins", "distinct", "limit", "rows")

    def __init__(
        self,
        limit: Limit,
        sizes: tuple[int, int],
        suits: int,
        *,
        distinct: bool,
        twins: bool,
        alike: bool,
        faces: int,
    ) -> None:
        super().__init__(faces)
        self.limit, self._sizes, self._suits = limit, sizes, suits
        self.distinct, self._twins, self._alike = distinct, twins, alike
        self.rows = suit_rows(suits | 15)

    def new(self, key: int) -> Entry:
        """
        The new sets of some cards.
        """
        found = self.known.get(key)
        if found is None:
            found = self._kept(key, self._made(key, 0, 0, None))
        return found

    def larger(self, taken: int, size: int, old: Counted, key: int) -> Entry:
        """
        The sets that one becomes with some cards.

        Args:
            taken: The suits that it holds, as bits; of natural cards where suits do not
                matter.
            size: How many cards it has.
            old: What counts of its cards for its limit.
            key: The cards.
        """
        asked = taken, size, old, key
        found = self.known.get(asked)
        if found is None:
            found = self._kept(asked, self._made(key, taken, size, old))
        return found

    def _made(self, key: int, taken: int, size: int, old: Counted | None) -> Lots:
        lots: Lots = {}
        make = self._add_suited if self.distinct else self._add_free
        held = [key >> 64 * row & 7 for row in self.rows]
        make(lots, held, key >> 4 & 31, key >> SETS_NUMBER & LANE, taken, size, old)
        return lots

    def _add_suited(
        self,
        lots: Lots,
        held: list[int],
        wild: int,
        wilds: int,
        taken: int,
        size: int,
        old: Counted | None,
    ) -> None:
        least, most = self._sizes
        rows = self.rows
        there = sum([SUIT_BIT[row] for row, n in zip(rows, held, strict=True) if n])
        for number, places in enumerate(SUBSETS):
            cards = places.bit_count()
            if not cards or places & (taken | ~self._suits):
                continue
            if least <= cards + size <= most:
                own, home = there & places & ~wild, there & places & wild
                for holes, away, stay, leave in fillings(
                    self.limit, places, own, home, wilds, old
                ):
                    lot = away | stay << STAY | leave << LEAVE
                    some = lots.setdefault(lot, [cards])
                    some[0] = max(some[0], cards)
                    some.append((number << WHICH | holes) << self.shift)

    def _add_free(
        self,
        lots: Lots,
        held: list[int],
        wild: int,
        wilds: int,
        taken: int,
        size: int,
        old: Counted | None,
    ) -> None:
        naturals, counted = old or (0, 0)
        least, most = self._sizes
        bits = [SUIT_BIT[row] for row in self.rows]
        if not self._twins:
            held = [
                one if wild & bit else min(one, 1) * (not taken & bit)
                for bit, one in zip(bits, held, strict=True)
            ]
        for counts in itertools.product(*[range(one + 1) for one in held]):
            mates = sum(counts)
            if old is None and not mates:
                continue
            own = [one for bit, one in zip(bits, counts, strict=True) if wild & bit]
            homes = sum(own)
            room = self.limit.room(naturals + mates - homes, homes, counted)
            room = min(wilds, room, most - size - mates)
            first = max(least - size - mates, int(not mates))
            # Three identical cards are a meld of their own.
            lonely = self._alike and old is None and 3 == mates == max(counts)
            digits = digits_of(counts) << self.shift
            for away in range(first + (lonely and not first), room + 1):
                some = lots.setdefault(away, [mates + away])
                some[0] = max(some[0], mates + away)
                some.append(digits)


@functools.cache
def suit_rows(suits: int) -> tuple[int, ...]:
    """
    The rows of suits given as bits.
    """
    return tuple([row for row in ROW_OF.values() if suits & SUIT_BIT[row]])


run_table = functools.lru_cache(maxsize=256)(Runs)
set_table = functools.lru_cache(maxsize=256)(Sets)
