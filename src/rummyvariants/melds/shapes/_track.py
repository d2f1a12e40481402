"""
The runs that a track of ranks allows, and how each of them grows.

This is the only place that walks the track.
"""

from __future__ import annotations

import functools
import operator

from collections.abc import Iterable
from typing import Any, Final, Literal, NamedTuple

import attrs

from rummyvariants._support.memos import kept
from rummyvariants.cards import RANKS, ROW_OF, ROWS, UNIT, codes


GAP: Final = "."
"""In a track: a rank that the deck lacks, so that its neighbours do not meet."""

Side = Literal["low", "high"]
"""An end of a run."""


class Window(NamedTuple):
    """
    A run along the track, whatever its suit.

    Attributes:
        low: Where it begins on the track.
        length: How many cards it has.
        ranks: Its ranks as bits, the ace lowest.
        along: The numbers of its ranks from low to high, the ace 0.
        up: Its number among all windows, those that begin low first.
        down: Its number among all windows, those that begin high first.
    """

    low: int
    length: int
    ranks: int
    along: tuple[int, ...]
    up: int
    down: int

    def __repr__(self) -> str:
        return f"<Window of {self.length} from place {self.low}>"


class Longer(NamedTuple):
    """
    A way in which a run grows.

    Attributes:
        window: The longer run.
        held: The places of it that are filled already, as bits, the first the highest.
        side: The end to name, if the same ranks would also fit another way.
    """

    window: Window
    held: int
    side: Side | None


class Shifted(NamedTuple):
    """
    A way in which a run grows while its wild moves.

    Attributes:
        window: The longer run.
        held: The places of it that take none of the cards laid off, as bits, the first
            the highest: those of the other cards and the new one of the wild.
        wild: The rank for which the wild then stands.
        ranks: The ranks of the cards laid off, as bits.
    """

    window: Window
    held: int
    wild: int
    ranks: int


_Nested = tuple[tuple[tuple[int, Any], ...], ...]
"""Runs in their order with their ranks, in groups; in a group each has all ranks of the
one before it."""
_IN_EACH_SUIT: Final = sum(1 << 64 * row for row in ROW_OF.values())
_Form = tuple[int, int, int, tuple[int, ...]]
"""Runs that differ only in where they begin: the lowest cards of each, in all suits,
and how far the others lie above; 0 where there are no others."""


@attrs.frozen(eq=False, repr=False)
class Track:
    """
    The runs that a track allows, and which of them a suit's cards come near to.

    Attributes:
        windows: Every run, those too short for a new meld among them, by `Window.up`.
        downs: The same by `Window.down`.
        new: Those that are long enough for a new meld.
        by_length: These by length.
        by_ranks: All by their ranks.
        circle: On a round track, the length of the run of all ranks, which has neither
            beginning nor end; 0 on other tracks.
        least: The least number of cards of a new run.
    """

    windows: tuple[Window, ...]
    downs: tuple[Window, ...]
    new: tuple[Window, ...]
    by_length: dict[int, tuple[Window, ...]]
    by_ranks: dict[int, tuple[Window, ...]]
    circle: int
    least: int
    _by_start: _Nested = attrs.field(init=False)
    _short: tuple[int, ...] = attrs.field(init=False)
    _forms: tuple[_Form, ...] = attrs.field(init=False)
    _near: dict[int, tuple[Window, ...]] = attrs.field(init=False, factory=dict)
    _covered: dict[int, int] = attrs.field(init=False, factory=dict)
    _longer: dict[int, tuple[Longer, ...]] = attrs.field(init=False, factory=dict)
    _longer_by_start: dict[int, _Nested] = attrs.field(init=False, factory=dict)
    _around: dict[Any, tuple[int, ...]] = attrs.field(init=False, factory=dict)
    _shifted: dict[Any, tuple[Shifted, ...]] = attrs.field(init=False, factory=dict)

    def near(self, ranks: int, holes: int) -> tuple[Window, ...]:
        """
        The new runs of which at most so many cards are missing.

        Args:
            ranks: The ranks that are there, as bits, the ace lowest.
            holes: How many may be missing; at least one must be there.
        """
        if ranks.bit_count() + holes < self.least:
            return ()
        key = ranks << 8 | holes
        found = self._near.get(key)
        if found is None:
            found = tuple(_with(self._by_start, ranks, holes))
            if holes >= self.least:
                found = tuple([one for one in found if one.ranks & ranks])
            kept(self._near, key, found, _KEPT)
        return found

    @_by_start.default
    def _new_by_start(self) -> _Nested:
        return _nested([(one.ranks, one) for one in self.new])

    @_short.default
    def _indivisible(self) -> tuple[int, ...]:
        """
        The ranks of the new runs that shorter ones do not make up together.
        """
        found: list[int] = []
        for ranks in sorted({one.ranks for one in self.new}, key=int.bit_count):
            parts = [one for one in found if not one & ~ranks]
            if functools.reduce(operator.or_, parts, 0) != ranks:
                found.append(ranks)
        return tuple(found)

    @_forms.default
    def _found_forms(self) -> tuple[_Form, ...]:
        """
        The same, those together that differ only in where they begin.
        """
        found: dict[tuple[int, ...], int] = {}
        for ranks in self._short:
            low, *others = codes(as_lane(ranks))
            shifts = tuple([4 * (one - low) for one in others])
            found[shifts] = found.get(shifts, 0) | UNIT[low] * _IN_EACH_SUIT
        forms = []
        for shifts, lows in found.items():
            one, two = (*shifts, 0, 0)[:2]
            forms.append((lows, one, two, shifts[2:]))
        return tuple(forms)

    def in_own_places(self, faces: int) -> int:
        """
        The cards of a hand that are in some run of natural cards, whatever its suit.

        Args:
            faces: One copy of each face of the hand.
        """
        found = 0
        for lows, one, two, more in self._forms:
            low = faces & lows & faces >> one & faces >> two
            for shift in more:
                low &= faces >> shift
            if low:
                found |= low | low << one | low << two
                for shift in more:
                    found |= low << shift
        return found

    def around(
        self, window: Window | None, rank: int, *, minimal: bool
    ) -> tuple[int, ...]:
        """
        The ranks that new runs with a rank fill, or those by which a run reaches it.

        Args:
            window: The run that grows; None for new ones.
            rank: The number of the rank; -1 for any.
            minimal: Whether those are left out of which a part would do.

        Returns:
            For each run these ranks as bits, few first.
        """
        key = window and window.down, rank, minimal
        found = self._around.get(key)
        if found is None:
            nested, old = self._by_start, 0
            if window is not None:
                nested, old = self._grown(window), window.ranks
            runs: set[int] = set()
            for group in nested:
                for ranks, _ in group:
                    more = ranks & ~old
                    if rank < 0 or more >> rank & 1:
                        runs.add(more)
                        if minimal:
                            break  # it is a part of those after it
            some: list[int] = []
            for ranks in sorted(runs, key=int.bit_count):
                if not (minimal and [one for one in some if not one & ~ranks]):
                    some.append(ranks)
            found = self._around[key] = tuple(some)
        return found

    def covered(self, ranks: int, holes: int) -> int:
        """
        Those of some ranks that are in a run of which at most so many are missing.
        """
        if ranks.bit_count() + holes < self.least:
            return 0
        key = ranks << 8 | holes
        found = self._covered.get(key)
        if found is None:
            found, lacking = 0, ~ranks
            for one in self._short:
                if (one & lacking).bit_count() <= holes:
                    found |= one
            found &= ranks
            kept(self._covered, key, found, _KEPT)
        return found

    def window(self, low: int, ranks: int) -> Window:
        """
        The run of some ranks that begins at a place of the track.
        """
        those = self.by_ranks[ranks]
        for one in those:
            if one.low == low:
                return one
        return those[0]

    def longer(self, window: Window) -> tuple[Longer, ...]:
        """
        The ways in which a run grows, those at its high end first.
        """
        found = self._longer.get(window.down)
        if found is None:
            found = self._longer[window.down] = tuple(self._found_longer(window))
        return found

    def shifted(self, window: Window, at: int, own: int) -> tuple[Shifted, ...]:
        """
        The ways in which a run grows while its wild moves, one for some cards.

        A wild at an end is free, and another moves only if its real card is laid off.
        It moves home where it can; if not, it moves only for cards that would not fit
        otherwise, and to the high end if both are free.

        Args:
            window: The run.
            at: The place of its one wild in it.
            own: The rank as which this would be natural; -1 if there is none.
        """
        key = window.down, at, own
        found = self._shifted.get(key)
        if found is None:
            by_cards: dict[int, list[Shifted]] = {}
            for one in self._found_shifted(window, at):
                by_cards.setdefault(one.ranks, []).append(one)
            plain = {one.window.ranks & ~window.ranks for one in self.longer(window)}
            kept: list[Shifted] = []
            for ranks, ways in by_cards.items():
                home = [one for one in ways if one.wild == own]
                if home or ranks not in plain:
                    first, *others = home or ways
                    kept.append(first)
                    # An ace that is laid off may fit both ends.
                    same = (first.window.ranks, first.wild)
                    kept += [
                        one
                        for one in others
                        if ranks & 1 and (one.window.ranks, one.wild) == same
                    ]
            found = self._shifted[key] = tuple(kept)
        return found

    def _found_shifted(self, window: Window, at: int) -> Iterable[Shifted]:
        wild = window.low + at
        others = {*range(window.low, window.low + window.length)} - {wild}
        old = window.ranks & ~(1 << window.along[at])
        for one in self.downs:
            places = range(one.low, one.low + one.length)
            if one.length <= window.length or not others.issubset(places):
                continue
            if wild not in places and 0 < at < window.length - 1:
                continue
            for place, rank in zip(places, one.along, strict=True):
                if place != wild and place not in others:
                    if wild in places or at in {0, window.length - 1}:
                        held = old | 1 << rank
                        yield Shifted(
                            one, places_of(held, one.along), rank, one.ranks & ~held
                        )

    def longer_with(self, window: Window, ranks: int, holes: int) -> list[Longer]:
        """
        The ways in which a run grows by some ranks and at most so many others.
        """
        return _with(self._grown(window), window.ranks | ranks, holes)

    def _grown(self, window: Window) -> _Nested:
        """
        The ways in which a run grows, those together that begin at one place.
        """
        found = self._longer_by_start.get(window.down)
        if found is None:
            longer = [(one.window.ranks, one) for one in self.longer(window)]
            found = self._longer_by_start[window.down] = _nested(longer)
        return found

    def ends(self, window: Window) -> dict[Side, int]:
        """
        The ranks by which a run becomes longer by one, by the end at which they lie.
        """
        found: dict[Side, int] = {}
        for one in self.longer(window):
            if one.window.length == window.length + 1:
                rank = (one.window.ranks & ~window.ranks).bit_length() - 1
                # What closes a circle lies at both ends.
                if one.window.along[0] == rank or one.window.length == self.circle:
                    found["low"] = rank
                if one.window.along[0] != rank or one.window.length == self.circle:
                    found["high"] = rank
        return found

    def side(self, window: Window, ranks: int) -> Side | None:
        """
        The end to name where a run of some ranks has become longer (see `Longer`).
        """
        for old in self.by_ranks.get(ranks, ()):
            for one in self.longer(old):
                if one.window is window:
                    return one.side
        if ranks & 1 or len(self.by_ranks[window.ranks]) < 2:
            return None
        # Its wild has moved, and the ace that is laid off fits both ends.
        return "high" if window.along[0] else "low"

    def _found_longer(self, window: Window) -> Iterable[Longer]:
        ranks = window.ranks
        for one in self.downs:
            if ranks & ~one.ranks or one.ranks == ranks:
                continue
            below = _below(window, one)
            if below >= 0 or one.length == self.circle:
                side: Side | None = None
                alike = self.by_ranks[one.ranks]
                if len(alike) > 1:
                    others = {_below(window, two) for two in alike} - {below, -1}
                    if others:
                        side = "low" if below > min(others) else "high"
                yield Longer(one, places_of(ranks, one.along), side)


def _below(window: Window, longer: Window) -> int:
    """
    How many cards a longer run has below another one; -1 if it does not hold that one.
    """
    along = bytes(window.along)
    inside = bytes(longer.along).translate(None, _EVERY.translate(None, along))
    return longer.along.index(along[0]) if inside == along else -1


_EVERY: Final = bytes(range(len(RANKS)))


def _nested(runs: Iterable[tuple[int, Any]]) -> _Nested:
    found: list[list[tuple[int, Any]]] = []
    for one in runs:
        if not found or found[-1][-1][0] & ~one[0]:
            found.append([])
        found[-1].append(one)
    return tuple(map(tuple, found))


def _with(nested: _Nested, ranks: int, holes: int) -> list[Any]:
    """
    Those of some runs that lack at most so many of some ranks.
    """
    found, lacking = [], ~ranks
    for group in nested:
        for one, run in group:
            if (one & lacking).bit_count() > holes:
                break  # so do those after it
            found.append(run)
    return found


@functools.lru_cache(maxsize=1 << 15)
def places_of(ranks: int, along: tuple[int, ...]) -> int:
    """
    Some ranks as places of a run.
    """
    # By rank, a digit that says whether it is one of them.
    digits = f"{ranks:0{len(RANKS)}b}"[::-1].encode()
    return int(bytes(along).translate(digits.ljust(256)), 2)


@functools.lru_cache(maxsize=1 << 15)
def ranks_at(places: int, along: tuple[int, ...]) -> int:
    """
    Some places of a run as ranks.
    """
    found = 0
    for rank in reversed(along):
        found |= (places & 1) << rank
        places >>= 1
    return found


_KEPT: Final = 40_000


@functools.cache
def as_lane(ranks: int) -> int:
    """
    Ranks given as bits, the ace lowest, as the cards of a suit in a multiset of clubs.
    """
    return sum([UNIT[at + 1] for at in range(len(RANKS)) if ranks >> at & 1])


RUN_CODES: Final = tuple(
    [tuple(range(16 * row + 1, 16 * row + 1 + len(RANKS))) for row in range(ROWS)]
)
"""By row, the codes of its ranks from the ace."""


def codes_along(row: int, window: Window) -> tuple[int, ...]:
    """
    The codes of the cards of a run.

    Args:
        row: The number of its suit.
        window: Where it lies.
    """
    codes = RUN_CODES[row]
    return tuple([codes[rank] for rank in window.along])


@functools.lru_cache(maxsize=32)
def stretches(track: str) -> tuple[tuple[int, ...], ...]:
    """
    The places of all runs along a track: neighbours, no rank twice, no gap.
    """
    found = []
    for low in range(len(track)):
        for high in range(low, len(track)):
            if track[high] == GAP or track[high] in track[low:high]:
                break
            found.append(tuple(range(low, high + 1)))
    return tuple(found)


@functools.lru_cache(maxsize=32)
def track_of(track: str, runs: tuple[tuple[int, ...], ...], least: int) -> Track:
    """
    The runs at some places of a track, of which those of so many cards are new melds.
    """
    # A round track repeats: of equal runs, the one nearest its middle is used.
    best: dict[str, tuple[int, ...]] = {}
    for places in sorted(runs, key=lambda one: _off_middle(track, one)):
        best.setdefault("".join([track[at] for at in places]), places)
    by_ranks: dict[frozenset[str], list[str]] = {}
    for text in best:
        by_ranks.setdefault(frozenset(text), []).append(text)
    circle = 0
    for texts in by_ranks.values():
        if len(texts) > 2:
            # For a full circle, one beginning stands for all.
            circle = len(texts[0])
            for text in texts[1:]:
                del best[text]
    made = [(text, places[0]) for text, places in best.items()]
    ups = sorted(made, key=lambda one: (track.index(one[0][0]), len(one[0]), one))
    downs = sorted(made, key=lambda one: (-track.index(one[0][0]), len(one[0]), one))
    windows = []
    for up, (text, low) in enumerate(ups):
        along = tuple([RANKS.index(rank) for rank in text])
        ranks = sum([1 << rank for rank in along])
        down = downs.index((text, low))
        windows.append(Window(low, len(text), ranks, along, up, down))
    new = [one for one in windows if one.length >= least]
    return Track(
        tuple(windows),
        tuple(sorted(windows, key=lambda one: one.down)),
        tuple(new),
        _grouped(new, lambda one: one.length),
        _grouped(windows, lambda one: one.ranks),
        circle,
        least,
    )


def _off_middle(track: str, places: tuple[int, ...]) -> tuple[int, int, int]:
    low, high = places[0], places[-1]
    return len(places), abs(low + high + 1 - len(track)), low


def _grouped(windows: Iterable[Window], by: Any) -> dict[int, tuple[Window, ...]]:
    found: dict[int, list[Window]] = {}
    for one in windows:
        found.setdefault(by(one), []).append(one)
    return {key: tuple(those) for key, those in found.items()}
