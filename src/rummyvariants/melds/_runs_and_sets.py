"""
New runs, and sets whose cards differ in suit: the tree of which places are filled.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterable, Iterator
from typing import Any, final

from rummyvariants.cards import FIELD, ranks_held
from rummyvariants.melds._choices import Choice, for_high, for_low, for_suits
from rummyvariants.melds._filling import MOST_CARDS, Filling, units_of
from rummyvariants.melds._places import Places, Row, numbers_of, which_places
from rummyvariants.melds._tables import Window
from rummyvariants.melds._tree import Known, Node


def new_runs(filling: Filling, suit: int) -> Node:
    """
    A new run of a suit: first its lowest card, then its highest.
    """
    need = filling.need
    along = filling.terms.runs_along
    usable = min(filling.pool_size, filling.terms.most_in_runs[-1])
    runs = along.by_low(ranks_held(filling.bits >> 64 * suit), usable)
    if need and not need & filling.pool:
        useful = ranks_held(need >> 64 * suit)
        some = [tuple([run for run in one if run[2] & useful]) for one in runs]
        runs = tuple(filter(None, some))
    if filling.most < MOST_CARDS:
        some = [tuple([run for run in one if run[1] <= filling.most]) for one in runs]
        runs = tuple(filter(None, some))
    if not runs:
        return None
    track = along.codes[suit]
    return (
        _from(runs[0], filling, track)
        if len(runs) == 1
        else _From(runs, filling, track)
    )


def _from(runs: tuple[Window, ...], filling: Filling, track: Places) -> Node:
    """
    Runs along a track with one lowest card.
    """
    if len(runs) > 1:
        return _To(runs, filling, track)
    low, length, _ = runs[0]
    return filling.all_of(track[low : low + length])


class _Runs(Known):
    """
    New runs along a track.
    """

    __slots__ = ("_filling", "_track")

    wide = True

    def __init__(
        self, options: tuple[Any, ...], filling: Filling, track: Places
    ) -> None:
        self.options = options
        self._filling = filling
        self._track = track


@final
class _From(_Runs):
    """
    The lowest card of a new run.
    """

    __slots__ = ()

    def go(self, runs: tuple[Window, ...]) -> Node:
        return _from(runs, self._filling, self._track)

    def name(self, runs: tuple[Window, ...]) -> Choice:
        return for_low(self._track[runs[0][0]])

    def every(self) -> Iterator[Any]:
        runs = itertools.chain.from_iterable(self.options)
        return _along(self._filling, self._track, runs)


@final
class _To(_Runs):
    """
    The highest card of a new run.
    """

    __slots__ = ()

    def go(self, run: Window) -> Node:
        return self._filling.all_of(self._track[run[0] : run[0] + run[1]])

    def name(self, run: Window) -> Choice:
        return for_high(self._track[run[0] + run[1] - 1])

    def every(self) -> Iterator[Any]:
        return _along(self._filling, self._track, self.options)


def _along(filling: Filling, track: Places, runs: Iterable[Window]) -> Iterator[Any]:
    """
    The leaves of some runs along a track.
    """
    if filling.pool:
        row = Row(filling.terms, filling.bits, track)
        return filling.ways(filling.in_run(row, runs))
    return filling.each([track[low : low + long] for low, long, _ in runs])


def some_of(filling: Filling, places: Places, least: int) -> Node:
    """
    Some of the places of a set filled, so many at least: first which.
    """
    bits, need, pool = filling.bits, filling.need, filling.pool
    if not pool:
        places = tuple([code for code in places if bits & FIELD[code]])
        if len(places) <= least:
            return filling.all_of(places) if len(places) == least else None
    row = Row(filling.terms, bits, places)
    there = row.there
    which: Iterable[int] = which_places(
        there, len(places), least, filling.pool_size, int(filling.naturals < 0)
    )
    if need and not need & pool:
        which = [one for one in which if need & units_of(places, one & there)]
    return _Suits(tuple(which), filling, row, least).node()


@final
class _Suits(Known):
    """
    Which places of a set are filled.
    """

    __slots__ = ("_filling", "_least", "_row")

    def __init__(
        self, which: tuple[int, ...], filling: Filling, row: Row, least: int
    ) -> None:
        self.options = which
        self._filling = filling
        self._row = row
        self._least = least

    def go(self, mask: int) -> Node:
        return self._filling.all_of(self._places(mask))

    def name(self, mask: int) -> Choice:
        return for_suits(self._places(mask))

    def every(self) -> Iterator[Any]:
        filling = self._filling
        if filling.pool:
            return filling.ways(filling.in_set(self._row, self._least))
        return filling.each(map(self._places, self.options))

    def _places(self, mask: int) -> Places:
        places = self._row.places
        return tuple([places[at] for at in numbers_of(mask)])
