"""
The search for the best use of a hand: sets by branch and bound, runs by table.

What goes into sets is decided rank by rank. What is left of each suit is worth what its
table of runs says, so a bound for everything that is still open costs four look-ups.
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
"""How many nodes make a search a long one."""
_WAYS: Final = 32
"""So many things to choose from are as much work as a node."""
Option = tuple[int, int, int, Parts]
"""The value, the cards and the number of wilds of a rank's sets, and what they are."""
Options = tuple[list[Option], tuple[int, ...]]
"""What may go into the sets of a rank, and by the number of wilds the most of that."""


@attrs.define(eq=False)
class Found:
    """
    The best that a search has found.

    Attributes:
        value: Its value.
        sets: By rank number, what goes into sets.
        sets_value: The value of that, wilds left out.
        wilds: How many wilds are in sets.
        bits: The cards that are left for runs.
        tables: The tables of runs by suit.
        work: How many nodes were looked at.
        exact: Whether the search came to its end.
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
        prices: What the use of a card is worth.
        bits: The cards that stand for themselves alone.
        tails: By the number of wilds in melds with these, the value of all wilds.
        table: What cards may be added to.
        tables: The tables of runs by suit.
        options: What may go into sets, by rank, that of most value first.
        above: Only what is worth more than this is looked for.
        limit: How many nodes may be looked at; None for all.
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
        # Nothing is worth more than the use of everything; looked at in long searches.
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
        for one in options:
            number, (those, _) = one
            # Where there is one thing to do, nothing speaks against it.
            if len(those) == 1:
                worth, used, _, parts = those[0]
                self._sure_value += worth
                self._rest -= used
                self._sure.append((number, parts))
            else:
                self._options.append(one)
        self._options.sort(key=_most_first)
        # By rank, what those still open may bring by the number of wilds used before.
        self._after = [self._tails]
        for _, (_, most) in reversed(self._options):
            self._after.append(_through(most, self._after[-1]))
        self._after.reverse()
        # What there is to choose from is a part of the work.
        self._costs = [1 + len(those) // _WAYS for _, (those, _) in self._options] + [1]
        self._pause = _LONG if limit is None else min(_LONG, limit + 1)

    def run(self) -> Found:
        """
        Search.

        Returns:
            The best; if nothing is worth more than was asked for, just that value.
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
        Look at what the ranks from a place on can bring.
        """
        self._work += self._costs[at]
        if self._work >= self._pause:
            self._look_up()
        is_last = at == len(self._options)
        # The same without this rank bounds what each of its options may come to.
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
        What a suit with runs on the table is worth by the number of wilds.
        """
        added = self._table.runs[suit]
        vector = growths_of(added, self._tables[suit], part)[0]
        self._grown[suit, part] = vector
        self._work += len(added) // _WAYS
        return vector

    def _look_plainly(self, at: int, bits: int, value: int) -> None:
        """
        The same where there are no wilds, and no run lies on the table.
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
        What a long search does: find out once what everything is worth, and stop.
        """
        if self._limit is not None and self._work > self._limit:
            raise _OutOfWorkError
        self._pause = sys.maxsize if self._limit is None else self._limit + 1
        self._ceiling = self._everything()
        if self._best.value >= self._ceiling:
            raise _NothingBetterError

    def _everything(self) -> int:
        """
        What the use of all cards would be worth at most.
        """
        total = max(self._tails) + self._prices.of(self._bits)
        for suit, added in self._table.runs.items():
            # An ace that was low may become high, and so bring more than the cards.
            total += max(
                [one.worth - self._prices.of(one.used << 64 * suit) for one in added]
            )
        return total

    def _is_whole(self) -> bool:
        """
        Whether all runs were looked at, and all that can be added to those that lie.
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
    As many nodes were looked at as may be.
    """


class _NothingBetterError(Exception):
    """
    All that there is was used.
    """


def _through_one(vector: tuple[int, ...], reach: tuple[int, ...]) -> tuple[int, ...]:
    """
    What `_through` says where there is one wild: to look it up would take as long.
    """
    none, one = vector
    first, second = none + reach[0], one + reach[1]
    if first < second:  # `max` would take a call
        return second, none + reach[1]
    return first, none + reach[1]


@functools.lru_cache(maxsize=20_000)
def _through(vector: tuple[int, ...], reach: tuple[int, ...]) -> tuple[int, ...]:
    """
    What can be reached if some of the wilds go where a vector gives their worth.

    Args:
        vector: By the number of wilds, what they bring here.
        reach: By the number of wilds used before, what can be reached after.
    """
    found = []
    for used in range(len(reach)):
        found.append(max(map(add, vector, reach[used:])))
    return tuple(found)


def _most_first(one: tuple[int, Options]) -> int:
    return -one[1][0][0][0]
