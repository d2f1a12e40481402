"""
The best runs of one suit, for every number of wild cards that may go into them.

A *lane* is one suit of a multiset (see `cards`), shifted to the bottom. Which runs a
set of ranks can make depends on the rules alone, and is kept for all prices.
"""

from __future__ import annotations

import functools
import itertools
import math

from collections.abc import Iterator
from typing import Final, NamedTuple

import attrs

from rummyvariants.cards import LANE, ONES, RANKS, UNIT, ranks_held
from rummyvariants.melds._tables import (
    ANY_NUMBER,
    NATURALS,
    most_of_places,
    run_table,
)


NEVER: Final = -(1 << 80)
"""The value of what is impossible."""
_FACES: Final = ONES & LANE
"""One copy of each face of a lane."""
LANES: Final = (0, 64, 128, 192)
"""The first bit of each suit's lane in a multiset."""


@attrs.frozen(cache_hash=True)
class RunRules:
    """
    What decides which runs of a suit are possible.

    Attributes:
        track: The order of ranks along which runs lie.
        least: The least number of cards of a run.
        most_wilds: The most wilds of a run, as in `Terms`.
        counted: Ranks, as bits, whose cards count as wild in their own places.
        beside: Whether a real card may lie beside the wild that stands for it.
        low_ace: Whether a low ace has points of its own.
        loose: Whether all wilds fit into every run; see `is_loose`.
        whole: Where runs are not loose, whether wilds may take the places of cards at
            hand.
    """

    track: str
    least: int
    most_wilds: tuple[int, ...]
    counted: int
    beside: bool
    low_ace: bool
    loose: bool
    whole: bool = True

    @property
    def splits(self) -> bool:
        """
        Whether a run that is long enough to be two is worth no more than the two.
        """
        circle = run_table(self.track, self.least).circle
        return self.loose and not (self.low_ace and circle)

    @property
    def fills(self) -> bool:
        """
        Whether it matters which of the cards at hand take their places in a run.

        It does not where runs are loose.
        """
        limited = self.most_wilds[0] < ANY_NUMBER
        return self.whole or self.beside or limited

    def is_loose(self, ranks: int, wilds: int) -> bool:
        """
        Whether all wilds fit into every run, and no limit keeps them out.

        Then only wilds that fill a gap or make a run long enough have to be considered.
        Any other wild may as well lie at the end of some run.

        Args:
            ranks: How many ranks of a suit are at hand, at most.
            wilds: How many wilds are at hand.
        """
        return (
            self.most_wilds[0] >= ANY_NUMBER
            and ranks + wilds <= roominess(self.track, self.least)
            and not (self.low_ace and run_table(self.track, self.least).circle)
        )


class Stretch(NamedTuple):
    """
    One way to put cards of a suit and wilds on a stretch of the track.

    Attributes:
        used: The cards of the suit, as a lane.
        wilds: How many wilds fill the other places.
        low_ace: Whether one of the cards is an ace that is low.
        low: Where the stretch begins on the track.
        length: How many places it has.
        beside: Ranks, as bits, whose card lies beside a wild.
    """

    used: int
    wilds: int
    low_ace: bool
    low: int
    length: int
    beside: int = 0


Way = tuple[int, int, bool]
"""
What decides the value of a run: its cards, as a lane, how many wilds it holds, and
whether an ace is low.
"""
Near = tuple[int, tuple[Way, ...]]
"""
The runs that some cards of a suit can make with wilds: a mask, as a lane, of the cards
that are in any of them, and the ways to make those that use the lowest card. Runs long
enough to be two are left out where they are worth no more than the two.
"""


@functools.lru_cache(maxsize=4_000)
def effort(lane: int, wilds: int, most_wilds: tuple[int, ...]) -> int:
    """
    About how much work it takes to find the best runs where they are not loose.

    Args:
        lane: The cards of the suit.
        wilds: How many wilds are at hand.
        most_wilds: The most wilds of a run, as in `Terms`.

    Returns:
        The number of parts of the lane, times the ways in which wilds can take the
        places of cards of an average part, times the possible numbers of wilds.
    """
    lanes, number = 1, ranks_held(lane).bit_count()
    while lane:
        lanes *= (lane & 15) + 1
        lane >>= 4
    most = most_of_places(most_wilds, number)
    ways = sum(
        [
            math.comb(number, given) << number - given
            for given in range(min(wilds, number, most) + 1)
        ]
    )
    return (lanes * ways >> number) * (wilds + 1)


@functools.lru_cache(maxsize=64)
def roominess(track: str, least: int) -> int:
    """
    The length of the shortest run to which nothing can be added at either end.
    """
    table = run_table(track, least)
    full = [
        length
        for low, length, _ in table.windows
        if (low - 1, length + 1) not in table.stretches
        and (low, length + 1) not in table.stretches
    ]
    return min(full, default=0)


@functools.lru_cache(maxsize=40_000)
def near(rules: RunRules, faces: int, wilds: int) -> Near:
    """
    The runs that some cards and wilds can make.

    Args:
        rules: Which runs there are.
        faces: The cards that are there, as a lane, one of each face.
        wilds: How many wilds are at hand.
    """
    most = 2 * rules.least - 1 if rules.splits else len(rules.track)
    ways: dict[Way, None] = {}
    for used, away, low_ace, _, length, _ in _stretches(rules, faces, wilds):
        if length <= most:
            ways[used, away, low_ace] = None
    holes = min(wilds, rules.most_wilds[-1])
    cover = 0
    # Each card of a longer run is also in a shortest one, which needs no more wilds.
    for wanted in _shortest(rules.track, rules.least):
        there = wanted & faces
        if there and rules.least - there.bit_count() <= holes:
            cover |= there
    return 15 * cover, tuple(ways)


def _stretches(
    rules: RunRules, faces: int, wilds: int
) -> list[tuple[int, int, bool, int, int, int]]:
    """
    The runs that use the lowest of some cards, each as the values of a `Stretch`.

    Args:
        rules: Which runs there are.
        faces: The cards that are there, as a lane, one of each face.
        wilds: How many wilds are at hand.
    """
    found = []
    lowest = faces & -faces
    plain = rules.loose or not rules.fills
    holes = min(wilds, rules.most_wilds[-1])
    for low, length, wanted, ends, ace_low in _windows_of(
        rules.track, rules.least, lowest, holes, rules.loose
    ):
        there = wanted & faces
        away = length - there.bit_count()
        if away > holes or ends & there != ends:
            continue
        if plain:
            if there & lowest:
                found.append((there, away, bool(there & ace_low), low, length, 0))
            continue
        for ranks, beside in _fillings(rules, wanted, there, wilds):
            used = _lane_of(ranks)
            if used & lowest:
                away = length - (ranks & ~beside).bit_count()
                found.append((used, away, bool(used & ace_low), low, length, beside))
    return found


@functools.lru_cache(maxsize=8_000)
def _windows_of(
    track: str,
    least: int,
    lowest: int,
    wilds: int,
    loose: bool,  # noqa: FBT001
) -> tuple[tuple[int, int, int, int, int], ...]:
    """
    The runs that hold a card, with wilds in the places of lower ones.

    Returns:
        For each run, where it begins and its length; then, as lanes, its cards, those
        that wilds may not stand for, and the ace if it is low. In a loose run a wild
        never needs the place of a card at hand, and needs an end only to make the run
        long enough.
    """
    found = []
    for low, length, ranks in run_table(track, least).windows:
        wanted = _lane_of(ranks)
        ends = 0
        if loose and length > least:
            ends = _card(track[low]) | _card(track[low + length - 1])
        below = lowest - 1
        if wanted & lowest and not ends & below:
            if (wanted & below).bit_count() <= wilds:
                ace_low = _card("A") if track[low : low + 2] == "A2" else 0
                found.append((low, length, wanted, ends, ace_low))
    return tuple(found)


@functools.lru_cache(maxsize=64)
def _shortest(track: str, least: int) -> tuple[int, ...]:
    """
    The cards of the shortest runs, as lanes.
    """
    runs = run_table(track, least).by_length.get(least, ())
    return tuple([_lane_of(ranks) for _, ranks in runs])


@functools.cache
def _card(rank: str) -> int:
    return UNIT[RANKS.index(rank) + 1]


@functools.lru_cache(maxsize=1 << 13)
def _lane_of(ranks: int) -> int:
    lane = 0
    while ranks:
        low = ranks & -ranks
        lane |= UNIT[low.bit_length()]
        ranks ^= low
    return lane


def _fillings(
    rules: RunRules, wanted: int, there: int, wilds: int
) -> Iterator[tuple[int, int]]:
    """
    Every way to fill a stretch: the ranks used, and those beside a wild, as bits.

    One way is enough for the same ranks and the same number of wilds.
    """
    held = ranks_held(there)
    places = [1 << at for at in range(13) if held >> at & 1]
    length = wanted.bit_count()
    holes = length - len(places)
    most = min(wilds - holes, len(places)) if rules.whole else 0
    limited = rules.most_wilds[0] < ANY_NUMBER
    for number in range(most + 1):
        for given in itertools.combinations(places, number):
            used = held - sum(given)
            besides = _besides(rules, used, most - number) if rules.beside else (0,)
            for beside in besides:
                inside = used & ~beside
                naturals = (inside & ~rules.counted).bit_count()
                wild = length - naturals
                if not limited or may_hold(rules.most_wilds, naturals, wild):
                    yield used, beside


def _besides(rules: RunRules, used: int, most: int) -> Iterator[int]:
    """
    The ranks that lie beside wilds, as bits, for each number of them.

    Where there is a limit, cards that count as wild in their own places come first,
    since a wild in such a place changes nothing.
    """
    beside = 0
    yield beside
    first = used & rules.counted if rules.most_wilds[0] < ANY_NUMBER else 0
    for _ in range(min(most, used.bit_count() - 1)):
        left = first & ~beside or used & ~beside
        beside |= left & -left
        yield beside


def may_hold(most_wilds: tuple[int, ...], naturals: int, wilds: int) -> bool:
    """
    Whether a meld may hold that many naturals and wilds, as the limit counts them.
    """
    return wilds <= most_wilds[min(naturals, NATURALS)]


class SuitTable:
    """
    The values of the runs of a suit, remembered by the cards of the suit.

    Args:
        rules: Which runs there are.
        values: By rank number, the ace 1, the value of a card.
        low_ace: The value of an ace that is low.
        wilds: How many wilds are at hand.
    """

    __slots__ = (
        "_less",
        "_near",
        "_values",
        "_wilds",
        "_worths",
        "best",
        "low_ace",
        "none",
        "opened",
        "rules",
    )

    def __init__(
        self, rules: RunRules, values: tuple[int, ...], low_ace: int, wilds: int
    ) -> None:
        self.rules = rules
        self._values = values
        self.low_ace = low_ace
        self._wilds = wilds
        # One entry at most for each set of ranks.
        self._near: dict[int, Near] = {}
        self._worths: dict[int, int] = {}
        self._less = low_ace - values[1]
        self.none = (0,) + (NEVER,) * wilds
        self.best: dict[int, tuple[int, ...]] = {0: self.none}
        self.opened: dict[int, tuple[int, ...]] = {0: (NEVER,) * (wilds + 1)}

    def near(self, lane: int) -> Near:
        """
        The runs that the cards of a lane can make with wilds.
        """
        faces = (lane | lane >> 1 | lane >> 2) & _FACES
        found = self._near.get(faces)
        if found is None:
            found = self._near[faces] = near(self.rules, faces, self._wilds)
        return found

    def worth(self, used: int, *, low_ace: bool) -> int:
        """
        The value of the cards of a run, without the wilds.
        """
        total = self._worths.get(used)
        if total is None:
            total, lane = 0, used
            while lane:
                lowest = lane & -lane
                total += self._values[lowest.bit_length() >> 2]
                lane ^= lowest
            self._worths[used] = total
        return total + self._less if low_ace else total

    def of(self, lane: int) -> tuple[int, ...]:
        """
        The best value of the runs, by the number of wilds that they hold.
        """
        found = self.best.get(lane)
        if found is None:
            found = self._of(lane)
        return found

    def _of(self, lane: int) -> tuple[int, ...]:
        opened = self._open(lane)
        if self._wilds == 0:
            found = opened if opened[0] > 0 else self.none
        else:
            top = NEVER
            closed = []
            for value in opened:
                top = max(top, value) if self.rules.loose else value
                closed.append(top)
            closed[0] = max(closed[0], 0)
            found = self.none if closed == [*self.none] else tuple(closed)
        if len(self.best) >= LANES_REMEMBERED:
            self.best.clear()
            self.best[0] = self.none
        self.best[lane] = found
        return found

    def _open(self, lane: int) -> tuple[int, ...]:
        """
        The same with at least one run, and with wilds only where they are needed.
        """
        found = self.opened.get(lane)
        if found is not None:
            return found
        faces = (lane | lane >> 1 | lane >> 2) & _FACES
        cover, ways = self._near.get(faces) or self.near(faces)
        kept = lane & cover
        opened, nothing = self.opened, self.opened[0]
        if kept != lane:
            found = opened.get(kept) or self._open(kept)
        else:
            left = lane - (lane & -lane)
            best = [*(opened.get(left) or self._open(left))]
            worths = self._worths
            for used, at, low_ace in ways:
                value = worths.get(used)
                if value is None or low_ace:
                    value = self.worth(used, low_ace=low_ace)
                if value > best[at]:  # noqa: PLR1730 -- `max` is a call
                    best[at] = value
                left = lane - used
                rest = opened.get(left) or self._open(left)
                if rest is not nothing:
                    for more in rest[: len(best) - at]:
                        if more + value > best[at]:  # noqa: PLR1730
                            best[at] = more + value
                        at += 1  # noqa: PLW2901
            found = tuple(best)
        if len(self.opened) >= LANES_REMEMBERED:
            self.opened.clear()
            self.opened[0] = nothing
        self.opened[lane] = found
        return found

    def runs(self, lane: int, wilds: int) -> list[Stretch]:
        """
        The runs behind the value that `of` gives for a number of wilds.

        Returns:
            The runs; wilds that they leave over may be added to their ends.
        """
        value = self.of(lane)[wilds]
        if value == 0 and wilds == 0:
            return []
        while self._open(lane)[wilds] != value:
            wilds -= 1
        found = []
        while True:
            lane &= self.near(lane)[0]
            one = self._first(lane, wilds, value)
            if one is None:
                lane -= lane & -lane
                continue
            found.append(one)
            value -= self.worth(one.used, low_ace=one.low_ace)
            wilds -= one.wilds
            lane -= one.used
            if value == 0 and wilds == 0:
                return found

    def _first(self, lane: int, wilds: int, value: int) -> Stretch | None:
        if self._open(lane - (lane & -lane))[wilds] == value:
            return None
        faces = (lane | lane >> 1 | lane >> 2) & _FACES
        runs = [Stretch(*one) for one in _stretches(self.rules, faces, self._wilds)]
        for one in runs:
            left = wilds - one.wilds
            if left < 0:
                continue
            worth = value - self.worth(one.used, low_ace=one.low_ace)
            if (left == 0 and worth == 0) or (
                self._open(lane - one.used)[left] == worth
            ):
                # Of equal ways, one with the fewest cards beside wilds.
                same = [other for other in runs if other[:3] == one[:3]]
                return min(same, key=_beside)
        msg = "a table of runs does not hold what it was built from"
        raise AssertionError(msg)


def _beside(one: Stretch) -> int:
    return one.beside.bit_count()


LANES_REMEMBERED: Final = 60_000
"""How many lanes a table keeps; it is emptied when full."""
