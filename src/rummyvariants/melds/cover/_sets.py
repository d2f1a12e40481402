"""
The sets of one rank: which of its cards, and how many wilds, go into sets.

The cards of a rank form a *pattern*: three bits for each suit, 64 bits apart, as in a
multiset shifted so that the rank lies at the bottom.
"""

from __future__ import annotations

import functools

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from rummyvariants._support.memos import kept
from rummyvariants.cards import RANKS, ROW_OF, SUIT_BIT, UNIT, size
from rummyvariants.melds._meld import IDENTICAL, Meld, uncovered
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._prices import Prices
from rummyvariants.melds.cover._runs import NEVER, Piece
from rummyvariants.melds.shapes._filling import counts_of
from rummyvariants.melds.shapes._numbers import SUBSETS, WHICH
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.melds.shapes._tables import SETS_NUMBER, Sets, suit_rows


_LANES: Final = tuple([64 * row for row in ROW_OF.values()])
"""The first bit of each suit in a pattern."""
PATTERN: Final = sum(7 << lane for lane in _LANES)
"""All cards of a rank, as a pattern."""
_GUARDS: Final = sum(8 << lane for lane in _LANES)

SetOption = tuple[int, int, int, tuple[Piece, ...]]
"""The value, the cards and the number of wilds of a rank's sets, and these."""
Options = tuple[list[SetOption], tuple[int, ...]]
"""What may go into the sets of a rank, the highest value first; and the highest value
by the number of wilds."""
SetWays = dict[tuple[int, int], tuple[int, tuple[Piece, ...]]]
"""By cards and number of wilds, what sets are worth besides these, and the sets."""


class Standing(NamedTuple):
    """
    A set to which cards may be added, or a new one.

    Attributes:
        onto: The number of the meld; -1 for a new one.
        naturals: How many of its cards count as natural for the limit.
        wilds: How many count as wild.
        taken: The suits that it holds, as bits (see `SUIT_BIT`); of natural cards
            where suits do not matter.
        covered: Those of its wilds beside which a real card may be laid.
    """

    onto: int
    naturals: int
    wilds: int
    taken: int
    covered: int


_NEW: Final = Standing(-1, 0, 0, 0, 0)
"""A set that is still to be made."""


def standing_set(terms: Terms, number: int, meld: Meld) -> Standing:
    """
    A set on the table.
    """
    covered = sum([SUIT_BIT[code >> 4] for code in uncovered(terms, meld)])
    return Standing(number, *meld.counted, meld.taken, covered)


class SetPieces:
    """
    What cards of a rank and wilds can be in sets, whatever they are worth; remembered.

    It is the same for all ranks, deals and games with the same limits.

    Args:
        table: The sets that there are.
        new: Whether new ones may be made.
        wild: The suits whose cards are wild, as bits.
        takes_wilds: Whether its sets may hold wilds.
        beside: Whether a real card may lie beside a wild that stands for it.
        alike: The cards of which three are a meld of their own, as a pattern.
    """

    def __init__(
        self,
        table: Sets,
        *,
        new: bool,
        wild: int,
        takes_wilds: bool,
        beside: bool,
        alike: int,
    ) -> None:
        self._table, self._new = table, new
        self._wild, self._takes_wilds = wild, takes_wilds
        self._beside, self._alike = beside, alike
        self._known: dict[object, SetWays] = {}

    def ways(
        self,
        pattern: int,
        wilds: int,
        lying: tuple[Standing, ...],
        most: int,
        prices: Prices,
    ) -> SetWays:
        """
        Every way to use cards in sets.

        Args:
            pattern: The cards.
            wilds: How many wilds there are.
            lying: The sets of the rank on the table.
            most: How many new sets there may be.
            prices: What a set is worth besides its cards.
        """
        key = pattern, wilds, lying, most, prices.canasta
        found = self._known.get(key)
        if found is None:
            found = self._ways(pattern, wilds, lying, most, prices)
            kept(self._known, key, found, _REMEMBERED)
        return found

    def _ways(
        self,
        pattern: int,
        wilds: int,
        lying: tuple[Standing, ...],
        most: int,
        prices: Prices,
    ) -> SetWays:
        guarded = pattern | _GUARDS

        def joined(first: SetWays, second: SetWays) -> SetWays:
            both = dict(first)
            for (used, away), (extra, before) in first.items():
                for (more, wild), (worth, piece) in second.items():
                    key = used + more, away + wild
                    if key[1] <= wilds and guarded - key[0] & _GUARDS == _GUARDS:
                        if key not in both or extra + worth > both[key][0]:
                            both[key] = extra + worth, before + piece
            return both

        ways: SetWays = {(0, 0): (0, ())}
        for one in lying:
            ways = joined(ways, self._of_one(pattern, wilds, one, prices))
        fresh = self._of_one(pattern, wilds, _NEW, prices) if most else {}
        more = ways
        while fresh and more and most:
            most -= 1
            more = {
                key: way
                for key, way in joined(more, fresh).items()
                if key not in ways or way[0] > ways[key][0]
            }
            ways = {**ways, **more}
        return ways

    def _of_one(
        self, pattern: int, wilds: int, one: Standing, prices: Prices
    ) -> SetWays:
        """
        The ways to make one set, or to add to it.
        """
        found: SetWays = {}
        before = prices.of_set(one.naturals, one.wilds)
        for piece, naturals, counted in self._pieces(pattern, wilds, one):
            worth = prices.of_set(one.naturals + naturals, one.wilds + counted)
            found.setdefault((piece.used, piece.wilds), (worth - before, (piece,)))
        if one.onto < 0:
            for lane in _LANES:
                if pattern >> lane & 7 >= IDENTICAL and self._alike >> lane & 1:
                    piece = Piece("alike", IDENTICAL << lane)
                    found.setdefault((piece.used, 0), (0, (piece,)))
        return found

    def _pieces(
        self, pattern: int, wilds: int, one: Standing
    ) -> list[tuple[Piece, int, int]]:
        """
        What may go into one set, each with how many naturals and wilds it counts.

        Of those that differ only in this, the one with fewest cards beside wilds comes
        first.
        """
        found = []
        grown = [(0, 0, 0, 0, 0)] if one.onto >= 0 else []
        if grown or self._new:
            grown += self._grown(pattern, wilds, one)
        covered = _suits(pattern) & one.covered
        for used, away, lost, naturals, counted in grown:
            for some in _parts(lost if self._beside else 0):
                for lying in _parts(covered):
                    beside = _AS_PATTERN[some | lying]
                    if used or away or beside:
                        piece = Piece("set", used + beside, away, beside, one.onto)
                        found.append((piece, naturals, counted))
        return sorted(found, key=lambda way: way[0].beside.bit_count())

    def _grown(
        self, pattern: int, wilds: int, one: Standing
    ) -> Iterator[tuple[int, int, int, int, int]]:
        """
        The ways to make or to enlarge a set, as the table of all sets knows them.

        Yields:
            The cards, the number of wilds, the suits of cards at hand whose places
            wilds take, and how many naturals and wilds it counts.
        """
        table, wild = self._table, self._wild
        home_mask = 7 * _AS_PATTERN[wild]
        homes = pattern & home_mask
        if self._takes_wilds:
            number = wilds + size(homes) * table.distinct
            key = pattern | wild << 4 | number << SETS_NUMBER
        else:
            key = pattern - homes
        if one.onto < 0:
            entry = table.new(key)
        else:
            counts = one.naturals, one.wilds
            entry = table.larger(one.taken, sum(counts), counts, key)
        held = _suits(key & PATTERN)
        for lot, parts, _ in entry:
            away = lot & 15
            for part in parts if away <= wilds else ():
                if table.distinct:
                    holes = part >> table.shift & 31
                    own = SUBSETS[part >> table.shift + WHICH] & ~holes
                    used, lost = _AS_PATTERN[own], held & holes
                else:
                    digits = counts_of(part >> table.shift, len(table.rows))
                    every = zip(digits, _LANES, strict=False)
                    used, lost = sum([number << lane for number, lane in every]), 0
                home = 0 if table.limit.own else size(used & home_mask)
                yield used, away, lost, size(used) - home, away + home


_AS_PATTERN: Final = tuple(
    [sum([1 << 64 * row for row in suit_rows(bits)]) for bits in range(32)]
)
"""By suits as bits, one card of each as a pattern."""


def _suits(pattern: int) -> int:
    """
    The suits of a pattern as bits.
    """
    return sum([SUIT_BIT[lane >> 6] for lane in _LANES if pattern >> lane & 7])


@functools.cache
def _parts(suits: int) -> tuple[int, ...]:
    """
    Every choice of some suits.
    """
    return tuple([some for some in range(32) if not some & ~suits])


_REMEMBERED: Final = 20_000
"""How many answers about the cards of a rank are remembered."""


@functools.cache
def _pieces_of(*limits: Any, **others: Any) -> SetPieces:
    return SetPieces(*limits, **others)


def set_pieces(terms: Terms, rank: int) -> SetPieces:
    """
    What can be in the sets of a rank.
    """
    codes = {row: 16 * row + rank + 1 for row in terms.every_row}
    alike = [row for row, one in codes.items() if terms.alike_in(IDENTICAL * UNIT[one])]
    return _pieces_of(
        shapes_of(terms).sets,
        new=terms.sets and RANKS[rank] in terms.set_ranks,
        wild=sum([SUIT_BIT[row] for row, code in codes.items() if terms.wild[code]]),
        takes_wilds=RANKS[rank] not in terms.natural_ranks,
        beside=terms.lies_beside and terms.distinct,
        alike=sum([1 << 64 * row for row in alike]),
    )


def options_of(
    ways: SetWays, worth: Sequence[int], rank: int, wilds: int, near: int
) -> Options:
    """
    What may go into the sets of a rank: highest value first, then fewest wilds.

    Args:
        ways: The ways to use its cards.
        worth: By row, what a card of the rank is worth.
        rank: The number of the rank, the ace 0.
        wilds: How many wilds there are.
        near: The cards that runs may want, as a pattern; of options that differ only in
            others, the best is given.
    """
    clubs, diamonds, hearts, spades, _, stars = worth
    best: dict[tuple[int, int], SetOption] = {}
    for (used, away), (extra, pieces) in ways.items():
        value = (
            extra
            + clubs * (used & 7)
            + diamonds * (used >> 64 & 7)
            + hearts * (used >> 128 & 7)
            + spades * (used >> 192 & 7)
            + stars * (used >> 320)
        )
        key = used & near, away
        if key not in best or value > best[key][0]:
            best[key] = value, used << 4 * rank + 4, away, pieces
    return with_tops([*best.values()], wilds)


def with_tops(those: list[SetOption], wilds: int) -> Options:
    """
    Options in order, with the highest value by the number of wilds.
    """
    those.sort(key=lambda one: (-one[0], one[2]))
    tops = [NEVER] * (wilds + 1)
    for value, _, away, _ in reversed(those):
        tops[away] = value
    return those, tuple(tops)
