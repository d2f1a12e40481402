"""
The search for the best use of cards: sets by branch and bound, runs from memory.
"""

from __future__ import annotations

import functools
import itertools

from collections.abc import Iterator, Mapping, Sequence
from operator import add
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rummyvariants._support.memos import kept
from rummyvariants.cards import (
    JOKER,
    LANE,
    RANKS,
    UNIT,
    count,
    faces,
    holds,
    present,
    ranks_held,
    ranks_with,
    size,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._prices import Prices
from rummyvariants.melds.cover._runs import (
    IMPOSSIBLE,
    LOOSE,
    NARROW,
    NEVER,
    WIDE,
    Piece,
    SuitRuns,
    Way,
    Ways,
    roominess,
    run_effort,
    ways_of,
)
from rummyvariants.melds.cover._sets import (
    PATTERN,
    Options,
    Standing,
    options_of,
    set_pieces,
    with_tops,
)
from rummyvariants.melds.cover._table import EMPTY, Added, Table
from rummyvariants.melds.cover._wilds import Tail, splits, tails_of
from rummyvariants.melds.shapes._filling import ANY_NUMBER


NATURAL_JOKERS: Final = 13
"""The number of the rank of jokers that are not wild, after all other ranks."""
NO_NEED: Final[Mapping[int, int]] = MappingProxyType({})
ALONE: Final = -1
"""In place of the number of a rank, melds of wilds alone."""
_LONG: Final = 64
"""How many nodes make a search long."""
_A_SPLIT: Final = 8
"""How many nodes are as much work as to begin with other wilds in their own places."""
_LIKE_A_NODE: Final = 32
"""How many options, or ways to add to runs, are as much work as a node."""
_EFFORTS: Final = 30
"""How many units of `run_effort` are as much work as a node."""
_SETS_REMEMBERED: Final = 40_000
"""How many answers about the sets of a rank are remembered."""
_TAILS_REMEMBERED: Final = 4_000
"""How many choices of wilds are remembered."""


Chosen = tuple[Any, ...]
"""What goes into sets, the last rank first: it with its pieces, and those before."""


class Use(NamedTuple):
    """
    The best use of some cards that was found.

    Attributes:
        value: What it is worth.
        pieces: What goes into melds, each with the number of its suit or rank.
        pool: The codes of the wilds that do not stand for themselves.
        inside: How many of them are in these melds: those that the pieces need, and
            `spare` ones.
        spare: By row, how many more lie at the ends of its runs.
        tail: What is done with the others.
        left: The other cards that are left.
    """

    value: int
    pieces: Sequence[tuple[int, Piece]]
    pool: tuple[int, ...]
    inside: int
    spare: Sequence[int]
    tail: Tail
    left: int


class Work:
    """
    How much may still be looked at.

    Args:
        limit: How many nodes; None for any number.

    Attributes:
        nodes: How many were looked at.
        exact: Whether the limit was never reached.
    """

    __slots__ = ("_limit", "_once", "_tries", "exact", "nodes")

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit
        self._once: set[object] = set()
        self._tries = 0
        self.nodes = 0
        self.exact = True

    def spend(self, nodes: int = 1) -> bool:
        """
        Count nodes, and say whether they could be looked at.
        """
        if self._limit is not None and self.nodes + nodes > self._limit:
            self.exact = False
            return False
        self.nodes += nodes
        return True

    @property
    def left(self) -> int | None:
        """
        How many nodes may still be looked at; None for any number.
        """
        return None if self._limit is None else max(0, self._limit - self.nodes)

    def spend_once(self, on: object, nodes: int) -> bool:
        """
        The same for what serves from then on.
        """
        if on not in self._once and not self.spend(nodes):
            return False
        self._once.add(on)
        return True

    def try_one(self) -> bool:
        """
        Count what is far less work than a node.
        """
        self._tries += 1
        return self._tries % _LIKE_A_NODE > 0 or self.spend()


class Cover:
    """
    The search under the terms and prices of a deal, with what its hands share.

    Args:
        terms: The terms of the deal.
        prices: What the use of cards is worth.
    """

    def __init__(self, terms: Terms, prices: Prices) -> None:
        self.terms, self.prices = terms, prices
        low = prices.low_aces
        differs = any(low[row] != prices.cards[16 * row + 1] for row in terms.every_row)
        # How many ranks and wilds fit into any run.
        self._room = -1
        if terms.unlimited and not (differs and terms.runs_along.circle):
            self._room = roominess(terms)
        self._runs: dict[tuple[int, str], tuple[SuitRuns, ...]] = {}
        self._pieces = [set_pieces(terms, rank) for rank in range(len(RANKS))]
        self._sets: dict[object, Options] = {}
        self._tails: dict[object, tuple[Tail, ...]] = {}

    def best(
        self,
        bits: int,
        table: Table = EMPTY,
        *,
        above: int = NEVER,
        work: Work | None = None,
        long: Mapping[int, int] = NO_NEED,
        taken: int = 0,
    ) -> Use | None:
        """
        The best use of some cards; None if none is worth more than a number.

        Args:
            bits: The cards as a multiset.
            table: The melds to which cards may be added.
            above: Only what is worth more than this is sought.
            work: How much may be looked at.
            long: By rank number, how many cards the longest set of the rank must have;
                with `ALONE`, how many wilds must be in melds of their own.
            taken: How many of the wilds are in other melds already.
        """
        work = work or Work()
        if not bits & self.terms.wild_mask:
            return Search(self, bits, (), table, work, long).run(above, 0)
        exact, found = work.exact, None
        bounded = not (table.melds or self.prices.canasta[0])
        everything = self.prices.of(bits) if bounded else -NEVER
        for number, (own, pool) in enumerate(splits(self.terms, bits)):
            if number and not work.spend(_A_SPLIT):
                break
            use = Search(self, own, pool, table, work, long).run(above, taken)
            if use is not None:
                above, found = use.value, use
                if above >= everything:
                    work.exact = exact  # nothing is better
                    break
        return found

    def tails(
        self, pool: tuple[int, ...], table: Table, least: int
    ) -> tuple[Tail, ...]:
        """
        What wilds bring, by how many are in melds with other cards; remembered.
        """
        alone = table.wilds
        lying, most = 0, ANY_NUMBER
        if alone >= 0:
            lying = len(table.melds[alone])
            if not table.any_wilds:
                most = self.terms.most_wild_meld - lying
        any_number = table.any_wilds or alone >= 0
        key = pool, any_number, lying, least, most
        found = self._tails.get(key)
        if found is None:
            found = tails_of(
                self.terms,
                self.prices,
                pool,
                any_number=any_number,
                lying=lying,
                least=least,
                most=most,
            )
            kept(self._tails, key, found, _TAILS_REMEMBERED)
        return found

    def runs(self, own: int, wilds: int, work: Work) -> tuple[SuitRuns, ...]:
        """
        By row, the new runs of cards with so many wilds.
        """
        mode = self._mode(own, wilds)
        if mode == WIDE and wilds:
            limit = self.terms.limit("run")
            lanes = [own >> 64 * row & LANE for row in self.terms.every_row]
            effort = sum([run_effort(lane, wilds, limit) for lane in lanes])
            if not work.spend_once((self, wilds), effort // _EFFORTS):
                mode = NARROW
        found = self._runs.get((wilds, mode))
        if found is None:
            found = self._runs[wilds, mode] = self._made(wilds, mode)
        return found

    def _mode(self, own: int, wilds: int) -> str:
        if not (self.terms.runs and (wilds or own & self.terms.wild_mask)):
            return LOOSE
        lanes = [own >> 64 * row for row in self.terms.every_row]
        ranks = max([ranks_held(lane).bit_count() for lane in lanes])
        return LOOSE if self._room >= ranks + wilds else WIDE

    def _made(self, wilds: int, mode: str) -> tuple[SuitRuns, ...]:
        """
        What is remembered of each row; suits whose cards are alike share it.
        """
        cards, low = self.prices.cards, self.prices.low_aces
        made: dict[object, SuitRuns] = {}
        found = []
        for row in self.terms.every_row:
            worth = cards[16 * row : 16 * row + 16]
            wild = self.terms.wild[16 * row : 16 * row + 16]
            kind = row in self.terms.rows, worth, low[row], wild
            if kind not in made:
                made[kind] = SuitRuns(self.terms, self.prices, row, wilds, mode)
            found.append(made[kind])
        return tuple(found)

    def sets(
        self,
        rank: int,
        pattern: int,
        wilds: int,
        lying: tuple[Standing, ...] = (),
        near: int = PATTERN,
        most: int = 99,
    ) -> Options:
        """
        What may go into the sets of a rank; remembered. See `options_of`.
        """
        key = rank, pattern, wilds, lying, near, most
        found = self._sets.get(key)
        if found is None:
            ways = self._pieces[rank].ways(pattern, wilds, lying, most, self.prices)
            worth = self.prices.cards[rank + 1 :: 16]
            found = options_of(ways, worth, rank, wilds, near)
            kept(self._sets, key, found, _SETS_REMEMBERED)
        return found


class Search:
    """
    One search, with certain wilds in their own places.
    """

    def __init__(
        self,
        cover: Cover,
        own: int,
        pool: tuple[int, ...],
        table: Table,
        work: Work,
        long: Mapping[int, int],
    ) -> None:
        self._own, self._pool, self._work = own, pool, work
        wilds = len(pool)
        self._runs = cover.runs(own, wilds, work)
        self._tails = cover.tails(pool, table, long.get(ALONE, 0))
        self._added: dict[int, tuple[Added, ...]] = {}
        lying: dict[int, tuple[Standing, ...]] = {}
        if table.melds:
            self._added = table.runs(
                cover.terms, cover.prices, own, wilds, work.try_one
            )
            lying = table.sets(cover.terms)
        self._options = self._all_options(cover, lying, table, long)
        self._possible = long.keys() <= {ALONE, *[one[0] for one in self._options]}
        self._options.sort(key=lambda one: -one[1][0][0][0])
        after = [tuple([one.value for one in self._tails])]
        for _, (_, tops) in reversed(self._options):
            after.append(_reach(tops, after[-1]))
        self._after = after[::-1]
        self._cover, self._nodes, self._ceiling = cover, 0, -NEVER

    def _all_options(
        self,
        cover: Cover,
        lying: Mapping[int, tuple[Standing, ...]],
        table: Table,
        long: Mapping[int, int],
    ) -> list[tuple[int, Options]]:
        """
        By rank, what may go into sets.
        """
        terms, own, wilds = cover.terms, self._own, len(self._pool)
        numbers = {*lying}
        if terms.sets:
            least = max(1, terms.least_set - wilds)
            held = ranks_with(own if terms.twins else present(own), least)
            numbers.update(map(RANKS.index, held))
        if terms.alike:
            numbers.update([(code & 15) - 1 for code in faces(terms.alike_in(own))])
        near = self._near() if numbers else 0
        found = []
        for rank in sorted(numbers):
            shift = 4 * rank + 4
            most = 99
            if terms.one_of_a_rank:
                most = int(RANKS[rank] not in table.closed)
            options = cover.sets(
                rank,
                own >> shift & PATTERN,
                wilds,
                lying.get(rank, ()),
                near >> shift & PATTERN,
                most,
            )
            if rank in long:
                options = _of_size(options, long[rank], lying.get(rank, ()), wilds)
            if len(options[0]) > 1 or (options[0] and options[0][0][3]):
                found.append((rank, options))
        lain = len(table.melds[table.jokers]) if table.jokers >= 0 else 0
        jokers = min(count(own, JOKER), terms.most_set - lain)
        worth = cover.prices.cards[JOKER]
        if jokers > 0 and worth > 0 and not terms.wild[JOKER]:
            if table.jokers >= 0 or (terms.sets and jokers >= terms.least_set):
                used = jokers * UNIT[JOKER]
                piece = Piece("set", jokers, onto=table.jokers)
                option = jokers * worth, used, 0, (piece,)
                found.append((NATURAL_JOKERS, with_tops([option], wilds)))
        return found

    def _near(self) -> int:
        """
        Mask of the cards that runs may want.
        """
        found = 0
        for row, runs in enumerate(self._runs):
            lane = 64 * row
            found |= 15 * present(runs.near(self._own >> lane & LANE)) << lane
        for row, ways in self._added.items():
            for way in ways:
                found |= 15 * present(way.used) << 64 * row
        return found

    def run(self, above: int, taken: int) -> Use | None:
        """
        The best use that is worth more than a number; None if there is none.
        """
        # Compiled, the type of an empty tuple would hold for what is found later.
        nothing: Any = ()
        self._best: tuple[int, int, int, int, Chosen] = above, 0, 0, 0, nothing
        if self._possible and taken < len(self._tails):
            self._look(0, self._own, taken, 0, ())
        return self._use() if self._best[0] > above else None

    def _look(self, at: int, bits: int, wilds: int, value: int, chosen: Chosen) -> None:
        """
        Search the ranks from a given place on.
        """
        last = at == len(self._options)
        work = 1 if last else 1 + len(self._options[at][1][0]) // _LIKE_A_NODE
        self._nodes += 1
        if self._nodes == _LONG:
            self._ceiling = self._everything()
        if self._best[0] >= self._ceiling or not self._work.spend(work):
            return
        # What the other ranks and the runs can add bounds each option of this rank.
        beyond = self._after[at] if last else self._after[at + 1]
        for row, runs in enumerate(self._runs):
            part = bits >> 64 * row & LANE
            if row in self._added:
                beyond = _reach(self._suit(row, part)[0], beyond)
            elif part:
                ways = runs.known.get(part) or runs.of(part)
                if ways is not runs.none:
                    beyond = _reach(ways[0], beyond)
        if last:
            if value + beyond[wilds] > self._best[0]:
                self._best = value + beyond[wilds], value, wilds, bits, chosen
            return
        rank, (options, _) = self._options[at]
        hopes = [
            (worth + beyond[wilds + away], -number)
            for number, (worth, _, away, _) in enumerate(options)
            if wilds + away < len(beyond)
        ]
        hopes.sort(reverse=True)
        for hope, number in hopes:
            if value + hope <= self._best[0]:
                break  # the others promise less
            worth, used, away, pieces = options[-number]
            more = (rank, pieces), chosen
            self._look(at + 1, bits - used, wilds + away, value + worth, more)
            if not self._work.exact:
                return  # the limit is reached

    def _everything(self) -> int:
        """
        The most that using all cards could be worth.
        """
        prices, canasta = self._cover.prices, self._cover.prices.canasta
        found = max([one.value for one in self._tails]) + prices.of(self._own)
        found += max(0, *canasta[1:]) * len(self._options)
        for row, ways in self._added.items():
            # An ace that was low may become high, and so add more than the cards.
            found += max([one.worth - prices.of(one.used << 64 * row) for one in ways])
        return found

    def _suit(self, row: int, lane: int) -> Ways:
        """
        The best use of cards of a suit in new runs and in those on the table.
        """
        runs = self._runs[row]
        if row not in self._added:
            return runs.of(lane)
        best = [IMPOSSIBLE] * len(self._tails)
        for worth, used, away, pieces in self._added[row]:
            if used & ~lane and not holds(lane, used):
                continue
            for at, way in enumerate(runs.of(lane - used)[1][: len(best) - away], away):
                if way.value + worth > best[at].value:
                    chain = way.pieces
                    for piece in pieces:
                        chain = piece, chain
                    best[at] = Way(way.value + worth, used + way.used, chain)
        return ways_of(best)

    def _use(self) -> Use:
        """
        The best that was found, with the wilds shared among the suits.
        """
        total, value, wilds, bits, chosen = self._best
        pieces: list[tuple[int, Piece]] = []
        while chosen:
            (rank, those), chosen = chosen
            pieces += [(rank, one) for one in those]
        rows = range(len(self._runs))
        suits = [self._suit(row, bits >> 64 * row & LANE) for row in rows]
        share: tuple[int, ...] = (0,) * len(suits)
        tail = self._tails[0]
        if self._pool:
            value = total - value
            share = next(self._shares(suits, wilds, value))
            wilds += sum(share)
            tail = self._tails[wilds]
        spare = [*share]
        for row, number in enumerate(share):
            _, used, chain = suits[row][1][number]
            bits -= used << 64 * row
            while chain:
                piece, chain = chain
                pieces.append((row, piece))
                spare[row] -= piece.wilds
        return Use(total, pieces, self._pool, wilds, spare, tail, bits)

    def _shares(
        self, suits: Sequence[Ways], wilds: int, value: int
    ) -> Iterator[tuple[int, ...]]:
        """
        The ways to share wilds among suits that are worth so much with all wilds.
        """
        most = len(self._pool) - wilds
        able = [
            [at for at, one in enumerate(values[: most + 1]) if one > NEVER // 2]
            for values, _ in suits
        ]
        for share in itertools.product(*able):
            number = sum(share)
            if number <= most:
                worth = self._tails[wilds + number].value
                for (values, _), at in zip(suits, share, strict=True):
                    worth += values[at]
                if worth == value:
                    yield share


def _of_size(
    options: Options, least: int, lying: tuple[Standing, ...], wilds: int
) -> Options:
    """
    The options with a set of so many cards.
    """
    short = {
        one.onto: least - one.naturals - one.wilds
        for one in lying
        if one.naturals + one.wilds < least
    }
    short[-1] = least
    those = [
        option
        for option in options[0]
        if any(
            size(one.used) + one.wilds >= short.get(one.onto, ANY_NUMBER)
            for one in option[3]
        )
    ]
    return with_tops(those, wilds)


@functools.lru_cache(maxsize=50_000)
def _reach(values: tuple[int, ...], beyond: tuple[int, ...]) -> tuple[int, ...]:
    """
    The most that can be reached with some of the wilds used here.

    Args:
        values: The value here, by the number of wilds used here.
        beyond: The value of the rest, by the number of wilds used before it.
    """
    return tuple([max(map(add, values, beyond[at:])) for at in range(len(beyond))])
