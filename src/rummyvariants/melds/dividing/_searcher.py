"""
The search under the terms and prices of a deal, with the tables that hands share.

The tables of runs by suit, the options for the sets of a rank and the values of wilds
are computed once, and serve every later hand of the deal.
"""

from __future__ import annotations

import functools
import operator

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import attrs

from rummyvariants.cards import (
    JOKER,
    LANE,
    ONES,
    RANKS,
    SUITS,
    UNIT,
    count,
    present,
    ranks_held,
    ranks_with,
    size,
)
from rummyvariants.melds._tables import ANY_NUMBER, Terms
from rummyvariants.melds.dividing._growths import EMPTY, Table
from rummyvariants.melds.dividing._prices import Prices
from rummyvariants.melds.dividing._runs import (
    LANES,
    NEVER,
    RunRules,
    SuitTable,
    effort,
    roominess,
)
from rummyvariants.melds.dividing._search import Found, Option, Options, Search
from rummyvariants.melds.dividing._sets import (
    NATURAL_JOKERS,
    PATTERN,
    Part,
    Standing,
    set_parts,
    set_rules,
)
from rummyvariants.melds.dividing._wilds import counted_ranks, tails_of


SETS_REMEMBERED: Final = 40_000
"""How many entries for the sets of a rank a searcher keeps; then it drops them all."""
TAILS_REMEMBERED: Final = 4_000
"""How many choices of wilds a searcher keeps; then it drops them all."""
NONE: Final[Mapping[int, int]] = MappingProxyType({})
_PLAIN: Final = (0, True, True)
_VALUE: Final = operator.itemgetter(0)
_WILDS: Final = operator.itemgetter(2)
_EFFORTS: Final = 15
"""How many units of `effort` take as long as a node."""
_MANY: Final = ONES << 1 | ONES << 2
"""The bits of a multiset of which one is set if it holds a face twice or more."""


class Searcher:
    """
    The search under given terms and prices, with its tables.

    Args:
        terms: The terms of the deal.
        prices: What using a card is worth.
    """

    __slots__ = (
        "_room",
        "_rows",
        "_sets",
        "_suit_tables",
        "_tails",
        "prices",
        "terms",
    )

    def __init__(self, terms: Terms, prices: Prices) -> None:
        self.terms = terms
        self.prices = prices
        self._rows = tuple(
            (
                prices.cards[16 * suit : 16 * suit + 16],
                prices.low_aces[suit],
                counted_ranks(terms, suit),
                SUITS[suit] in terms.suits,
            )
            for suit in range(4)
        )
        self._tails: dict[object, tuple[int, ...]] = {}
        rules = self._run_rules(SUITS.index(terms.suits[0]))
        # How many ranks and wilds always fit into a run.
        self._room = -1
        if rules.is_loose(0, 0):
            self._room = roominess(rules.track, rules.least)
        self._suit_tables: dict[tuple[int, bool, bool], tuple[SuitTable, ...]] = {}
        self._sets: dict[
            tuple[int, int, int, tuple[Standing, ...], int, int], Options
        ] = {}

    def forget(self) -> None:
        """
        Empty the tables.
        """
        self._suit_tables.clear()
        self._sets.clear()
        self._tails.clear()

    def tails(
        self,
        pool: tuple[int, ...],
        *,
        any_number: bool,
        lying: int = 0,
        least: int = 0,
    ) -> tuple[int, ...]:
        """
        What `tails_of` returns for some wilds, remembered.
        """
        if not (pool or least):
            return (0,)
        key = pool, any_number, lying, least
        found = self._tails.get(key)
        if found is None:
            if len(self._tails) >= TAILS_REMEMBERED:
                self._tails.clear()
            found = self._tails[key] = tails_of(
                self.terms,
                self.prices,
                pool,
                any_number=any_number,
                lying=lying,
                least=least,
            )
        return found

    def suit_tables(
        self, bits: int, wilds: int, *, whole: bool = True
    ) -> tuple[SuitTable, ...]:
        """
        The tables of runs by suit, for a hand with so many wilds.

        Args:
            bits: The cards that stand for themselves.
            wilds: How many other wilds there are.
            whole: Whether wilds may take the places of cards at hand in runs; tables
                without that take little work.
        """
        key = _PLAIN
        if wilds or (not self.terms.unlimited and bits & self.terms.wild_mask):
            loose = self._is_loose(bits, wilds)
            key = (wilds, loose, whole or loose)
        found = self._suit_tables.get(key)
        if found is None:
            made: dict[object, SuitTable] = {}
            found = tuple(
                made.setdefault(
                    row,
                    SuitTable(
                        _same(
                            attrs.evolve(
                                self._run_rules(suit), loose=key[1], whole=key[2]
                            )
                        ),
                        *row[:2],
                        wilds,
                    ),
                )
                for suit, row in enumerate(self._rows)
            )
            self._suit_tables[key] = found
        return found

    def _is_loose(self, bits: int, wilds: int) -> bool:
        # The ranks are counted only where they may be too many.
        return self._room >= wilds and (
            self._room >= 13 + wilds
            or max([ranks_held(bits >> lane).bit_count() for lane in LANES]) + wilds
            <= self._room
        )

    def effort(self, bits: int, wilds: int) -> int:
        """
        About how much work it takes to make the tables of runs for a hand, in nodes.
        """
        if not wilds or not self.terms.runs or self._is_loose(bits, wilds):
            return 0
        most = self.terms.most_in_runs
        work = [effort(bits >> lane & LANE, wilds, most) for lane in LANES]
        return sum(work) // _EFFORTS

    def _run_rules(self, suit: int) -> RunRules:
        terms = self.terms
        cards = self.prices.cards
        return RunRules(
            terms.track if terms.runs and self._rows[suit][3] else "",
            terms.least_run,
            terms.most_in_runs,
            self._rows[suit][2],
            terms.lies_beside,
            any(self.prices.low_aces[at] != cards[16 * at + 1] for at in range(4)),
            loose=False,
        )

    # ---------------------------------------------------------------- plain hands

    def plain(self, bits: int) -> int:
        """
        The best value of a hand without wilds, on an empty table.
        """
        clubs, diamonds = bits & LANE, bits >> 64 & LANE
        hearts, spades = bits >> 128 & LANE, bits >> 192 & LANE
        terms = self.terms
        if terms.sets:
            if not terms.twins and terms.least_set == 3:
                # The ranks of which at least three suits have a card, copies ignored.
                one, two, three, four = clubs, diamonds, hearts, spades
                if bits & _MANY:
                    one, two, three, four = map(present, (one, two, three, four))
                sets = one & two & (three | four) | three & four & (one | two)
                if sets and sets & sets - 1 == 0:
                    return self._with_one_rank(bits, (sets.bit_length() >> 2) - 1)
                many = bool(sets)
            else:
                counted = bits if terms.twins else present(bits)
                many = bool(ranks_with(counted, terms.least_set))
            if many:
                return self.search(bits, (0,)).value
        tables = self._suit_tables.get(_PLAIN) or self.suit_tables(0, 0)
        first, second, third, fourth = tables
        value = (
            (first.best.get(clubs) or first.of(clubs))[0]
            + (second.best.get(diamonds) or second.of(diamonds))[0]
            + (third.best.get(hearts) or third.of(hearts))[0]
            + (fourth.best.get(spades) or fourth.of(spades))[0]
        )
        jokers = bits >> 256
        return value + self._jokers(jokers) if jokers else value

    def _with_one_rank(self, bits: int, number: int) -> int:
        """
        The same where only one rank can be in sets.
        """
        tables = self._suit_tables.get(_PLAIN) or self.suit_tables(0, 0)
        pattern = bits >> 4 * number + 4 & PATTERN
        best = NEVER
        most = 1 if self.terms.one_of_a_rank else ANY_NUMBER
        options, _ = self._options(number, pattern, 0, (), PATTERN, most)
        for value, used, _, _ in options:
            lanes = bits - used
            for table in tables:
                lane = lanes & LANE
                lanes >>= 64
                if lane:
                    value += (table.best.get(lane) or table.of(lane))[0]  # noqa: PLW2901
            best = max(best, value)
        jokers = bits >> 256
        return best + self._jokers(jokers) if jokers else best

    def _jokers(self, number: int) -> int:
        worth = self.prices.cards[JOKER]
        if not self.terms.sets or number < self.terms.least_set or worth < 0:
            return 0
        return number * worth

    # --------------------------------------------------------------------- search

    def search(
        self,
        bits: int,
        tails: Sequence[int],
        table: Table = EMPTY,
        *,
        above: int = NEVER,
        limit: int | None = None,
        whole: bool = True,
        long: Mapping[int, int] = NONE,
    ) -> Found:
        """
        The best use of cards.

        Args:
            bits: The cards that stand for themselves.
            tails: By the number of wilds in melds with these, the value of all wilds
                that can be used. It has one entry more than there are wilds.
            table: The melds to which cards may be added.
            above: Only what is worth more than this is sought.
            limit: How many nodes may be visited; None for no limit.
            whole: Whether all runs are considered; see `suit_tables`.
            long: By rank number, how many cards the longest set of the rank must have.

        Returns:
            The best; if nothing is worth more than `above`, only that value.
        """
        wilds = len(tails) - 1
        tables = self.suit_tables(bits, wilds, whole=whole)
        options = self.set_options(bits, wilds, table, tables)
        if long:
            with_long = _with_long(options, long, table, wilds)
            if with_long is None:
                return Found(above, (), 0, 0, bits, tables)
            options = with_long
        return Search(
            self.prices, bits, tails, table, tables, options, above, limit
        ).run()

    def set_options(
        self, bits: int, wilds: int, table: Table, tables: tuple[SuitTable, ...]
    ) -> list[tuple[int, Options]]:
        """
        By rank, what may go into sets, the highest value first.

        Of options that differ only in cards that no run can use, only the best is
        given.
        """
        terms = self.terms
        if not terms.sets and not table.sets and table.joker_set < 0:
            return []
        cards = self.prices.cards
        covers = 0
        for lane, suit_table in zip(LANES, tables, strict=True):
            part = bits >> lane & LANE
            if part:
                covers |= suit_table.near(part)[0] << lane
        for suit, added in table.runs.items():
            for way in added:
                for one in way.growths:
                    covers |= 15 * one.used << 64 * suit
        found: list[tuple[int, Options]] = []
        numbers = {*table.sets}
        if terms.sets:
            least = max(1, terms.least_set - wilds)
            numbers.update(
                map(
                    RANKS.index,
                    ranks_with(bits if terms.twins else present(bits), least),
                )
            )
        for number in sorted(numbers):
            shift = 4 * number + 4
            most = ANY_NUMBER
            if terms.one_of_a_rank:
                most = RANKS[number] not in table.closed
            those = self._options(
                number,
                bits >> shift & PATTERN,
                wilds,
                table.sets.get(number, ()),
                covers >> shift & PATTERN,
                most,
            )
            if len(those[0]) > 1 or those[0][0][1]:
                found.append((number, those))
        jokers = count(bits, JOKER)
        if jokers and cards[JOKER] > 0 and not terms.wild[JOKER]:
            if jokers >= terms.least_set or table.joker_set >= 0:
                value = jokers * cards[JOKER]
                all_of_them: Option = (value, jokers * UNIT[JOKER], 0, ())
                found.append((NATURAL_JOKERS, _with_tops([all_of_them], wilds)))
        return found

    def _options(
        self,
        number: int,
        pattern: int,
        wilds: int,
        standing: tuple[Standing, ...],
        near: int,
        most: int,
    ) -> Options:
        """
        What may go into the sets of a rank: highest value first, then fewest wilds.

        Args:
            number: The number of the rank.
            pattern: The cards of the rank.
            wilds: How many wilds there are.
            standing: The sets of the rank on the table.
            near: Mask of the cards that may be in runs; of options that differ only in
                others, the best is given.
            most: How many new sets there may be.
        """
        key = (number, pattern, wilds, standing, near, most)
        found = self._sets.get(key)
        if found is None:
            cards = self.prices.cards
            shift = 4 * number + 4
            best: dict[tuple[int, int], Option] = {}
            rules = set_rules(self.terms, number)
            parts = set_parts(rules, pattern, wilds, standing, most)
            one, two, three, four = [cards[(lane >> 2) + number + 1] for lane in LANES]
            for (taken, away), these in parts.items():
                value = (
                    (taken & 7) * one
                    + (taken >> 64 & 7) * two
                    + (taken >> 128 & 7) * three
                    + (taken >> 192) * four
                )
                if self.prices.canasta[0]:
                    value += sum([self._more(one, standing) for one in these])
                known = best.get((taken & near, away))
                if known is None or value > known[0]:
                    option = (value, taken << shift, away, these)
                    best[taken & near, away] = option
            those = sorted(best.values(), key=_WILDS)
            those.sort(key=_VALUE, reverse=True)
            found = _with_tops(those, wilds)
            if len(self._sets) >= SETS_REMEMBERED:
                self._sets.clear()
            self._sets[key] = found
        return found

    def _more(self, part: Part, standing: tuple[Standing, ...]) -> int:
        """
        What a set is worth besides its cards, less what it was worth before.
        """
        cards = size(part.used)
        for one in standing:
            if one.number == part.onto:
                after = one.naturals + cards, one.wilds + part.wilds
                before = self.prices.of_set(one.naturals, one.wilds)
                return self.prices.of_set(*after) - before
        return self.prices.of_set(cards, part.wilds)


def _with_long(
    options: list[tuple[int, Options]],
    long: Mapping[int, int],
    table: Table,
    wilds: int,
) -> list[tuple[int, Options]] | None:
    """
    The options with long sets of some ranks; None if there are none for one of them.
    """
    found = []
    for number, those in options:
        kept = those
        if number in long:
            lying = {one.number: len(one) for one in table.sets.get(number, ())}
            of_size = [
                option
                for option in those[0]
                if any(
                    lying.get(part.onto, 0) + size(part.used) + part.wilds
                    >= long[number]
                    for part in option[3]
                )
            ]
            if not of_size:
                return None
            kept = _with_tops(of_size, wilds)
        found.append((number, kept))
    return found if long.keys() <= {number for number, _ in found} else None


def _with_tops(those: list[Option], wilds: int) -> Options:
    """
    What may go into sets, with the highest value by the number of wilds.
    """
    tops = [NEVER] * (wilds + 1)
    for value, _, away, _ in reversed(those):
        tops[away] = value
    return those, tuple(tops)


@functools.lru_cache(maxsize=1_000)
def _same(rules: RunRules) -> RunRules:
    """
    One object for all equal rules, so that look-ups by them are quick.
    """
    return rules
