"""
The search for the best use of a hand: sets by branch and bound, runs by table.

It decides rank by rank what goes into sets. The tables of runs then value what is left
of each suit, so a bound for all that is undecided costs four look-ups.
"""

from __future__ import annotations

import functools
import sys

from collections.abc import Sequence
from operator import add
from typing import Final

import attrs

from rummyvariants.cards import LANE
from rummyvariants.melds.dividing._growths import Table, growths_of
from rummyvariants.melds.dividing._prices import Prices
from rummyvariants.melds.dividing._runs import NEVER, SuitTable
from rummyvariants.melds.dividing._sets import Parts


_LONG: Final = 64
"""How many nodes make a search long."""
_WAYS: Final = 32
"""How many options are as much work as a node."""
Option = tuple[int, int, int, Parts]
"""The value, the cards and the number of wilds of a rank's sets, and their parts."""
Options = tuple[list[Option], tuple[int, ...]]
"""What may go into the sets of a rank, and the highest value by the number of wilds."""


@attrs.define(eq=False)
class Found:
    """
    The best that a search has found.

    Attributes:
        value: Its value.
        sets: By rank number, what goes into sets.
        sets_value: The value of the sets, without the wilds.
        wilds: How many wilds are in sets.
        bits: The cards that are left for runs.
        tables: The tables of runs by suit.
        work: How many nodes were visited, and other work counted as nodes.
        exact: Whether it is certain that nothing is better.
    """

    value: int
    sets: tuple[tuple[int, Parts], ...]
    sets_value: int
    wilds: int
    bits: int
    tables: tuple[SuitTable, ...]
    work: int = 0
    exact: bool = True


class Search:
    """
    One search for the best use of cards.

    Args:
        prices: What using a card is worth.
        bits: The cards that stand for themselves.
        tails: By the number of wilds in melds with these, the value of all wilds.
        table: The melds to which cards may be added.
        tables: The tables of runs by suit.
        options: By rank, what may go into sets, the highest value first.
        above: Only what is worth more than this is sought.
        limit: How many nodes may be visited; None for no limit.
    """

    __slots__ = (
        "_after",
        "_best",
        "_bits",
        "_ceiling",
        "_costs",
        "_grown",
        "_limit",
        "_options",
        "_path",
        "_pause",
        "_prices",
        "_ranks",
        "_rest",
        "_sure",
        "_sure_value",
        "_table",
        "_tables",
        "_tails",
        "_wilds",
        "_work",
    )

    def __init__(
        self,
        prices: Prices,
        bits: int,
        tails: Sequence[int],
        table: Table,
        tables: tuple[SuitTable, ...],
        options: list[tuple[int, Options]],
        above: int,
        limit: int | None,
    ) -> None:
        self._prices = prices
        self._bits = bits
        self._tails = tuple(tails)
        self._wilds = len(tails) - 1
        # The most that using all cards can be worth; computed in long searches only.
        self._ceiling = -NEVER
        self._table = table
        self._grown: dict[tuple[int, int], tuple[int, ...]] = {}
        self._tables = tables
        self._limit = limit
        self._work = 0
        self._best = Found(above, (), 0, 0, bits, tables)
        self._path: list[tuple[int, Parts]] = []
        self._sure: list[tuple[int, Parts]] = []
        self._sure_value = 0
        self._rest = bits
        self._options: list[tuple[int, Options]] = []
        self._ranks = len(options)
        for one in options:
            number, (those, _) = one
            # A rank with a single option without wilds needs no search.
            if len(those) == 1 and not those[0][2]:
                worth, used, _, parts = those[0]
                self._sure_value += worth
                self._rest -= used
                self._sure.append((number, parts))
            else:
                self._options.append(one)
        self._options.sort(key=_most_first)
        # By rank, the most that the undecided ranks add, by the number of wilds used
        # before.
        self._after = [self._tails]
        for _, (_, most) in reversed(self._options):
            self._after.append(_through(most, self._after[-1]))
        self._after.reverse()
        # Many options are more work.
        self._costs = [1 + len(those) // _WAYS for _, (those, _) in self._options] + [1]
        self._pause = _LONG if limit is None else min(_LONG, limit + 1)

    def run(self) -> Found:
        """
        Search.

        Returns:
            The best; if nothing is worth more than `above`, only that value.
        """
        best = self._best
        try:
            if self._wilds or self._table.runs:
                self._look(0, self._rest, 0, self._sure_value)
            else:
                self._look_plainly(0, self._rest, self._sure_value)
        except _OutOfWorkError:
            best.exact = False
        except _NothingBetterError:
            pass
        if best.exact and not self._is_whole():
            best.exact = best.value >= self._everything()
        best.work = self._work
        best.sets = (*self._sure, *best.sets)
        return best

    def _look(self, at: int, bits: int, wilds: int, value: int) -> None:
        """
        Search the ranks from a given place on.
        """
        self._work += self._costs[at]
        if self._work >= self._pause:
            self._look_up()
        is_last = at == len(self._options)
        # What the other ranks and the runs can add bounds each option of this rank.
        beyond = self._tails if is_last else self._after[at + 1]
        runs = self._table.runs
        lanes = bits
        for suit, table in enumerate(self._tables):
            part = lanes & LANE
            lanes >>= 64
            if suit in runs:
                vector = self._grown.get((suit, part)) or self._growth(suit, part)
                beyond = _through(vector, beyond)
            elif part:
                vector = table.best.get(part) or table.of(part)
                if vector is table.none:
                    continue
                if self._wilds == 1:
                    beyond = _through_one(vector, beyond)
                else:
                    beyond = _through(vector, beyond)
        if is_last:
            if value + beyond[wilds] > self._best.value:
                self._found(value, value + beyond[wilds], wilds, bits)
            return
        number, (options, _) = self._options[at]
        least = self._best.value - value
        hopes = []
        for place, (worth, _, away, _) in enumerate(options):
            if wilds + away <= self._wilds:
                hope = worth + beyond[wilds + away]
                if hope > least:
                    hopes.append((hope, -place))
        hopes.sort(reverse=True)
        for hope, place in hopes:
            if value + hope <= self._best.value:
                # The others promise less.
                break
            worth, used, away, parts = options[-place]
            self._path.append((number, parts))
            self._look(at + 1, bits - used, wilds + away, value + worth)
            self._path.pop()

    def _growth(self, suit: int, part: int) -> tuple[int, ...]:
        """
        The value of a suit with runs on the table, by the number of wilds.
        """
        added = self._table.runs[suit]
        vector = growths_of(added, self._tables[suit], part)[0]
        self._grown[suit, part] = vector
        self._work += len(added) // _WAYS
        return vector

    def _look_plainly(self, at: int, bits: int, value: int) -> None:
        """
        The same without wilds and without runs on the table.
        """
        self._work += self._costs[at]
        if self._work >= self._pause:
            self._look_up()
        runs = 0
        lanes = bits
        for table in self._tables:
            part = lanes & LANE
            lanes >>= 64
            if part:
                runs += (table.best.get(part) or table.of(part))[0]
        bound = value + runs + self._after[at][0]
        least = self._best.value
        if bound <= least:
            return
        if at == len(self._options):
            self._found(value, bound, 0, bits)
            return
        beyond = value + runs + self._after[at + 1][0]
        number, (options, _) = self._options[at]
        for worth, used, _, parts in options:
            if beyond + worth <= self._best.value:
                # The others are worth less.
                break
            self._path.append((number, parts))
            self._look_plainly(at + 1, bits - used, value + worth)
            self._path.pop()

    def _look_up(self) -> None:
        """
        Compute the ceiling of a long search, and stop there or at the limit.
        """
        if self._limit is not None and self._work > self._limit:
            raise _OutOfWorkError
        self._pause = sys.maxsize if self._limit is None else self._limit + 1
        self._ceiling = self._everything()
        if self._best.value >= self._ceiling:
            raise _NothingBetterError

    def _everything(self) -> int:
        """
        The most that using all cards could be worth.
        """
        total = max(self._tails) + self._prices.of(self._bits)
        total += max(0, *self._prices.canasta[1:]) * self._ranks
        for suit, added in self._table.runs.items():
            # An ace that was low may become high, and so add more than the cards.
            total += max(
                [one.worth - self._prices.of(one.used << 64 * suit) for one in added]
            )
        return total

    def _is_whole(self) -> bool:
        """
        Whether all new runs and all ways to add to runs were considered.
        """
        return self._table.is_whole and all(one.rules.whole for one in self._tables)

    def _found(self, value: int, total: int, wilds: int, bits: int) -> None:
        best = self._best
        best.value = total
        best.sets = tuple(self._path)
        best.sets_value = value
        best.wilds = wilds
        best.bits = bits
        if total >= self._ceiling:
            raise _NothingBetterError


class _OutOfWorkError(Exception):
    """
    The limit of nodes is reached.
    """


class _NothingBetterError(Exception):
    """
    Nothing better than what was found is possible.
    """


def _through_one(vector: tuple[int, ...], reach: tuple[int, ...]) -> tuple[int, ...]:
    """
    `_through` for a single wild, for which a look-up would take as long.
    """
    none, one = vector
    first, second = none + reach[0], one + reach[1]
    if first < second:  # `max` would take a call
        return second, none + reach[1]
    return first, none + reach[1]


@functools.lru_cache(maxsize=20_000)
def _through(vector: tuple[int, ...], reach: tuple[int, ...]) -> tuple[int, ...]:
    """
    The most that can be reached with some of the wilds used here.

    Args:
        vector: The value here, by the number of wilds used here.
        reach: The value of the rest, by the number of wilds used before it.
    """
    found = []
    for used in range(len(reach)):
        found.append(max(map(add, vector, reach[used:])))
    return tuple(found)


def _most_first(one: tuple[int, Options]) -> int:
    return -one[1][0][0][0]
