"""
The search for the best use of a hand: sets by branch and bound, runs by table.

What goes into sets is decided rank by rank. What is left of each suit is worth what its
table of runs says, so a bound for everything that is still open costs four look-ups.
"""

from __future__ import annotations

import functools

from collections.abc import Sequence
from operator import add
from typing import Final

import attrs

from rummyvariants.arranging.runs import NEVER, RunRules, SuitTable, roominess
from rummyvariants.arranging.sets import PATTERN, Parts, SetRules, Standing, set_parts
from rummyvariants.cards import (
    FIELD,
    JOKER,
    ONES,
    RANKS,
    SUITS,
    UNIT,
    codes,
    count,
    faces,
    holds,
    present,
)
from rummyvariants.combos import ranks_held, ranks_with
from rummyvariants.terms import Terms


LANE: Final = (1 << 64) - 1
LANES: Final = (0, 64, 128, 192)
FIRST: Final = 1 << 24
"""What a goal counts is worth this much of what decides between equals."""
SETS_REMEMBERED: Final = 40_000
"""How many ranks, with what may go into their sets, a searcher keeps."""
TAILS_REMEMBERED: Final = 4_000
"""How many choices of wilds, with what they are worth, a searcher keeps."""
_PLAIN: Final = (0, True)
_MANY: Final = ONES << 1 | ONES << 2
"""The bits of a multiset that are set where it holds two cards of a face or more."""
_LONG: Final = 64
"""How many nodes make a search a long one."""
NATURAL_JOKERS: Final = 13
"""The number of the rank of jokers that are not wild, after all other ranks."""


@attrs.frozen
class Prices:
    """
    What the use of a card is worth for a goal.

    Attributes:
        cards: By code, the value of a card.
        low_aces: By suit, the value of an ace that is low in a run.
    """

    cards: tuple[int, ...]
    low_aces: tuple[int, ...]


@attrs.frozen(eq=False)
class Growth:
    """
    One way to add cards to a run on the table.

    Attributes:
        number: The number of the meld.
        used: The cards of its suit, as a lane.
        wilds: How many wilds.
        below: How many places it grows by below.
        places: The codes of the cards that its new places stand for, low to high.
        given: Ranks, as bits, of the cards that take a place of their own.
        beside: Ranks, as bits, of the cards that lie beside a wild.
        low_ace: Whether one of them is a low ace.
    """

    number: int
    used: int
    wilds: int
    below: int
    places: tuple[int, ...]
    given: int
    beside: int
    low_ace: bool


Growths = tuple[Growth, ...]


@attrs.frozen(eq=False)
class Table:
    """
    What lies on the table, as far as cards may be added to it.

    Attributes:
        sets: By rank number, the ace 0, its sets.
        runs: By suit, every way to add cards to its runs, none of them among these.
        takes_wilds: Whether it takes any number of wilds.
        joker_set: The number of a set of jokers that are not wild; -1 for none.
    """

    sets: dict[int, tuple[Standing, ...]] = attrs.field(factory=dict)
    runs: dict[int, tuple[Growths, ...]] = attrs.field(factory=dict)
    takes_wilds: bool = False
    joker_set: int = -1


EMPTY: Final = Table()


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


Option = tuple[int, int, int, Parts]
"""The value, the cards and the number of wilds of a rank's sets, and what they are."""


class Searcher:
    """
    The search under given terms and prices, with its tables.
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
            )
            for suit in range(4)
        )
        self._tails: dict[tuple[tuple[int, ...], bool], tuple[int, ...]] = {}
        rules = self._run_rules(0)
        # How many ranks and wilds runs surely have room for.
        self._room = -1
        if rules.is_loose(0, 0):
            self._room = roominess(rules.track, rules.least)
        self._suit_tables: dict[tuple[int, bool], tuple[SuitTable, ...]] = {}
        self._sets: dict[
            tuple[int, int, int, tuple[Standing, ...]], tuple[Option, ...]
        ] = {}

    def forget(self) -> None:
        """
        Empty the tables.
        """
        self._suit_tables.clear()
        self._sets.clear()
        self._tails.clear()

    def tails(self, pool: tuple[int, ...], *, any_number: bool) -> tuple[int, ...]:
        """
        What `tails_of` says of wilds, remembered.
        """
        if not pool:
            return (0,)
        found = self._tails.get((pool, any_number))
        if found is None:
            if len(self._tails) >= TAILS_REMEMBERED:
                self._tails.clear()
            found = tails_of(self.terms, self.prices, pool, any_number=any_number)
            self._tails[pool, any_number] = found
        return found

    def suit_tables(self, bits: int, wilds: int) -> tuple[SuitTable, ...]:
        """
        The tables of runs by suit, for a hand with so many wilds.
        """
        key = _PLAIN
        if wilds or (self.terms.limit != "none" and bits & self.terms.wild_mask):
            # How much room runs need is looked at only where it might be scarce.
            loose = self._room >= wilds and (
                self._room >= 13 + wilds
                or max([ranks_held(bits >> lane).bit_count() for lane in LANES]) + wilds
                <= self._room
            )
            key = (wilds, loose)
        found = self._suit_tables.get(key)
        if found is None:
            made: dict[object, SuitTable] = {}
            found = tuple(
                made.setdefault(
                    row,
                    SuitTable(
                        attrs.evolve(self._run_rules(suit), loose=key[1]),
                        *row[:2],
                        wilds,
                    ),
                )
                for suit, row in enumerate(self._rows)
            )
            self._suit_tables[key] = found
        return found

    def _run_rules(self, suit: int) -> RunRules:
        terms = self.terms
        cards = self.prices.cards
        return RunRules(
            terms.track if terms.runs and SUITS[suit] in terms.suits else "",
            terms.least_run,
            terms.limit,
            self._rows[suit][2],
            terms.real_card == "beside",
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
            if terms.distinct and terms.least_set == 3:
                # Where three suits have a card of a rank, copies left out of account.
                one, two, three, four = clubs, diamonds, hearts, spades
                if bits & _MANY:
                    one, two, three, four = map(present, (one, two, three, four))
                sets = one & two & (three | four) | three & four & (one | two)
                if sets and sets & sets - 1 == 0:
                    return self._with_one_rank(bits, (sets.bit_length() >> 2) - 1)
                many = bool(sets)
            else:
                counted = present(bits) if terms.distinct else bits
                many = bool(ranks_with(counted, terms.least_set))
            if many:
                found = self.search(bits, (0,))
                assert found is not None  # noqa: S101 -- for the type checker
                return found.value
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
        The same where one rank alone may be in sets.
        """
        tables = self._suit_tables.get(_PLAIN) or self.suit_tables(0, 0)
        pattern = bits >> 4 * number + 4 & PATTERN
        best = NEVER
        for value, used, _, _ in self._options(number, pattern, 0, ()):
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
    ) -> Found | None:
        """
        The best use of cards.

        Args:
            bits: The cards that stand for themselves alone.
            tails: By the number of wilds in melds with these, the value of all wilds
                that can be used; its length tells how many there are.
            table: What cards may be added to.
            above: Only what is worth more than this is looked for.
            limit: How many nodes may be looked at.

        Returns:
            The best, or None if nothing is worth more.
        """
        return _Search(self, bits, tails, table, above, limit).run()

    def set_options(
        self, bits: int, wilds: int, table: Table, tables: tuple[SuitTable, ...]
    ) -> list[tuple[int, list[Option]]]:
        """
        What may go into sets, by rank: those of most value first, none left out.

        Of what differs in cards alone that are in no run, the best alone is given.
        """
        terms = self.terms
        if not terms.sets and not table.sets and table.joker_set < 0:
            return []
        cards = self.prices.cards
        covers = 0
        for lane, suit_table in zip(LANES, tables, strict=True):
            part = bits >> lane & LANE
            if part:
                covers |= suit_table.near(part).cover << lane
        for suit, growths in table.runs.items():
            for choice in growths:
                for one in choice:
                    covers |= 15 * one.used << 64 * suit
        found = []
        numbers = {*table.sets}
        if terms.sets:
            least = max(1, terms.least_set - wilds)
            numbers.update(
                map(
                    RANKS.index,
                    ranks_with(present(bits) if terms.distinct else bits, least),
                )
            )
        for number in sorted(numbers):
            pattern = bits >> 4 * number + 4 & PATTERN
            best: dict[tuple[int, int], Option] = {}
            for option in self._options(
                number, pattern, wilds, table.sets.get(number, ())
            ):
                key = (option[1] & covers, option[2])
                known = best.get(key)
                if known is None or option[0] > known[0]:
                    best[key] = option
            if len(best) > 1 or best[0, 0][1]:
                found.append((number, sorted(best.values(), key=_by_value)))
        jokers = count(bits, JOKER)
        if jokers and cards[JOKER] > 0 and not terms.wild[JOKER]:
            if jokers >= terms.least_set or table.joker_set >= 0:
                value = jokers * cards[JOKER]
                found.append((NATURAL_JOKERS, [(value, jokers * UNIT[JOKER], 0, ())]))
        return found

    def _options(
        self, number: int, pattern: int, wilds: int, standing: tuple[Standing, ...]
    ) -> tuple[Option, ...]:
        """
        Everything that may go into sets of a rank.
        """
        key = (number, pattern, wilds, standing)
        found = self._sets.get(key)
        if found is None:
            cards = self.prices.cards
            shift = 4 * number + 4
            options = []
            parts = set_parts(set_rules(self.terms, number), pattern, wilds, standing)
            for (taken, away), these in parts.items():
                value = sum(
                    [
                        (taken >> lane & 7) * cards[(lane >> 2) + number + 1]
                        for lane in LANES
                    ]
                )
                options.append((value, taken << shift, away, these))
            if len(self._sets) >= SETS_REMEMBERED:
                self._sets.clear()
            found = self._sets[key] = tuple(options)
        return found


def _by_value(option: Option) -> tuple[int, int]:
    return -option[0], option[2]


@functools.lru_cache(maxsize=256)
def _set_rules(
    places: int,
    least: int,
    limit: str,
    counted: int,
    beside: bool,  # noqa: FBT001
) -> SetRules:
    return SetRules(places, least, limit, counted, beside)


def set_rules(terms: Terms, number: int) -> SetRules:
    """
    What decides which sets of a rank there are.
    """
    if not terms.sets:
        return _set_rules(0, 99, "none", 0, beside=False)
    places = counted = 0
    for suit in range(4):
        if terms.distinct and SUITS[suit] in terms.suits:
            places |= 1 << suit
        if terms.wild[16 * suit + number + 1] and not terms.own_place_is_natural:
            counted |= 1 << suit
    return _set_rules(
        places, terms.least_set, terms.limit, counted, terms.real_card == "beside"
    )


def counted_ranks(terms: Terms, suit: int) -> int:
    """
    The ranks of a suit, as bits, whose cards count as wild in their own places.
    """
    if terms.own_place_is_natural:
        return 0
    return sum(
        [terms.wild[16 * suit + number + 1] << number for number in range(len(RANKS))]
    )


class _Search:
    """
    One search.
    """

    __slots__ = (
        "_after",
        "_best",
        "_bits",
        "_ceiling",
        "_limit",
        "_options",
        "_path",
        "_searcher",
        "_shared",
        "_sure",
        "_table",
        "_tables",
        "_tails",
        "_wilds",
        "_work",
    )

    def __init__(
        self,
        searcher: Searcher,
        bits: int,
        tails: Sequence[int],
        table: Table,
        above: int,
        limit: int | None,
    ) -> None:
        self._searcher = searcher
        self._bits = bits
        self._tails = tuple(tails)
        self._wilds = len(tails) - 1
        # Nothing is worth more than the use of everything; looked at in long searches.
        self._ceiling = -NEVER
        self._table = table
        self._tables = searcher.suit_tables(bits, self._wilds)
        self._limit = limit
        self._work = 0
        self._best = Found(above, (), 0, 0, bits, self._tables)
        self._path: list[tuple[int, Parts]] = []
        self._options: list[tuple[int, list[Option]]] = []
        self._sure: list[tuple[int, Parts]] = []
        self._after: list[tuple[int, ...]] = []

    def run(self) -> Found | None:
        options = self._searcher.set_options(
            self._bits, self._wilds, self._table, self._tables
        )
        value = 0
        bits = self._bits
        for number, those in options:
            # Where there is one thing to do, or nothing speaks against the best.
            if len(those) == 1:
                value += those[0][0]
                bits -= those[0][1]
                self._sure.append((number, those[0][3]))
            else:
                self._options.append((number, those))
        self._options.sort(key=lambda one: -one[1][0][0])
        # What the ranks still open may bring, by the number of wilds used before.
        after = [self._tails]
        for _, those in reversed(self._options):
            best = [NEVER] * (self._wilds + 1)
            for worth, _, away, _ in those:
                best[away] = max(best[away], worth)
            after.append(_through(tuple(best), after[-1]))
        after.reverse()
        self._after = after
        floor = self._best.value
        try:
            if self._wilds or self._table.runs:
                self._look(0, bits, 0, value)
            else:
                self._look_plainly(0, bits, value)
        except _OutOfWorkError:
            self._best.exact = False
        except _NothingBetterError:
            pass
        if self._best.value == floor and floor > NEVER:
            if self._best.exact:
                return None
        self._best.work = self._work
        self._best.sets = (*self._sure, *self._best.sets)
        return self._best

    def _look(self, at: int, bits: int, wilds: int, value: int) -> None:
        """
        Look at what the ranks from a place on can bring.
        """
        self._work += 1
        if self._limit is not None and self._work > self._limit:
            raise _OutOfWorkError
        if self._work == _LONG:
            self._look_up()
        is_last = at == len(self._options)
        # The same without this rank bounds what each of its options may come to.
        beyond = self._tails if is_last else self._after[at + 1]
        for vector in self._vectors(bits):
            beyond = _through(vector, beyond)
        if is_last:
            if value + beyond[wilds] > self._best.value:
                self._found(value, value + beyond[wilds], wilds, bits)
            return
        number, options = self._options[at]
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

    def _vectors(self, bits: int) -> list[tuple[int, ...]]:
        """
        What runs are worth by the number of wilds, those suits left out that have none.
        """
        found = []
        runs = self._table.runs
        for suit, table in enumerate(self._tables):
            part = bits & LANE
            bits >>= 64
            if suit in runs:
                found.append(
                    growths_of(self._searcher, self._table, self._tables, suit, part)[0]
                )
            elif part:
                vector = table.best.get(part) or table.of(part)
                if vector is not table.none:
                    found.append(vector)
        return found

    def _look_plainly(self, at: int, bits: int, value: int) -> None:
        """
        The same where there are no wilds, and no run lies on the table.
        """
        self._work += 1
        if self._limit is not None and self._work > self._limit:
            raise _OutOfWorkError
        if self._work == _LONG:
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
        number, options = self._options[at]
        for worth, used, _, parts in options:
            if beyond + worth <= self._best.value:
                # The others are worth less.
                break
            self._path.append((number, parts))
            self._look_plainly(at + 1, bits - used, value + worth)
            self._path.pop()

    def _look_up(self) -> None:
        """
        What a long search does once: find out what everything is worth.
        """
        cards = self._searcher.prices.cards
        self._ceiling = max(self._tails) + sum(
            [max(cards[code], 0) for code in codes(self._bits)]
        )
        if self._best.value >= self._ceiling:
            raise _NothingBetterError

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


def growths_worth(prices: Prices, suit: int, choice: Growths) -> int:
    """
    The value of the cards added to runs, wilds left out.
    """
    total = 0
    for one in choice:
        for code in faces(one.used):
            total += prices.cards[16 * suit + code] * count(one.used, code)
        if one.low_ace:
            total += prices.low_aces[suit] - prices.cards[16 * suit + 1]
    return total


def growths_of(
    searcher: Searcher,
    table: Table,
    tables: tuple[SuitTable, ...],
    suit: int,
    lane: int,
) -> tuple[tuple[int, ...], list[Growths]]:
    """
    The best of runs of a suit, cards added to runs on the table among them.

    Returns:
        The value by the number of wilds, and behind each what is added.
    """
    suit_table = tables[suit]
    size = len(suit_table.none)
    best = [NEVER] * size
    behind: list[Growths] = [()] * size
    for choice in table.runs[suit]:
        used = sum([one.used for one in choice])
        away = sum([one.wilds for one in choice])
        if away >= size or not holds(lane, used):
            continue
        worth = growths_worth(searcher.prices, suit, choice)
        rest = suit_table.of(lane - used)
        for at in range(size - away):
            if rest[at] + worth > best[at + away]:
                best[at + away] = rest[at] + worth
                behind[at + away] = choice
    return tuple(best), behind


def _through(vector: tuple[int, ...], reach: tuple[int, ...]) -> tuple[int, ...]:
    """
    What can be reached if some of the wilds go where a vector tells their worth.

    Args:
        vector: By the number of wilds, what they bring here.
        reach: By the number of wilds used before, what can be reached after.
    """
    size = len(reach)
    if size == 2:
        none, one = vector
        first, second = none + reach[0], one + reach[1]
        if first < second:  # `max` would take a call
            return second, none + reach[1]
        return first, none + reach[1]
    return tuple([max(map(add, vector, reach[used:])) for used in range(size)])


def tails_of(
    terms: Terms, prices: Prices, pool: tuple[int, ...], *, any_number: bool
) -> tuple[int, ...]:
    """
    By the number of wilds in melds with other cards, the value of all that are used.

    Wilds may make melds among themselves as well.

    Args:
        terms: The terms of the deal.
        prices: What cards are worth.
        pool: The codes of the wilds.
        any_number: Whether any number of wilds more can be laid down.
    """
    total = len(pool)
    if not total:
        return (0,)
    best = [among(prices, pool, number, 0) for number in range(total + 1)]
    extra = alone(terms, pool)
    tails = []
    for number in range(total + 1):
        values = [sum([prices.cards[code] for code in best[number]])]
        for more in range(1, total - number + 1):
            homes = 0 if any_number else extra.get(more, -1)
            if homes >= 0:
                chosen = among(prices, pool, number + more, homes)
                values.append(sum([prices.cards[code] for code in chosen]))
        tails.append(max(values))
    return tuple(tails)


def among(
    prices: Prices, pool: Sequence[int], number: int, homes: int
) -> tuple[int, ...]:
    """
    So many of some wilds that are worth most, some of them no jokers.
    """
    ordered = sorted(pool, key=lambda code: -prices.cards[code])
    first = [at for at, code in enumerate(ordered) if code != JOKER][:homes]
    rest = [at for at in range(len(ordered)) if at not in first]
    return tuple([ordered[at] for at in (first + rest)[:number]])


@functools.lru_cache(maxsize=4_000)
def alone(terms: Terms, pool: tuple[int, ...]) -> dict[int, int]:
    """
    How many wilds can make melds without other cards.

    Returns:
        By the number of wilds how many of them at least stand for themselves, one a
        meld; a meld of wilds as a kind of its own needs none.
    """
    total = len(pool)
    found = {0: 0}
    if terms.limit == "none":
        lengths = alone_lengths(terms, pool)
        for melds in range(sum([code != JOKER for code in pool])):
            for number in [one for one, used in found.items() if used == melds]:
                for length in lengths:
                    found.setdefault(number + length, melds + 1)
    del found[0]
    if terms.wild_melds:
        found.update(dict.fromkeys(range(terms.least_set, total + 1), 0))
    return {number: melds for number, melds in found.items() if number <= total}


def alone_lengths(terms: Terms, pool: Sequence[int]) -> list[int]:
    """
    The lengths of melds of wilds of which one, any but a joker, stands for itself.
    """
    lengths: set[int] = set()
    if terms.sets:
        most = len(terms.suits) if terms.distinct else len(pool)
        lengths.update(range(terms.least_set, most + 1))
    if terms.runs:
        ranks = {1 << (code & 15) - 1 for code in pool if code != JOKER}
        lengths.update(
            length
            for length, windows in terms.runs_along.by_length.items()
            if all(any(held & rank for _, held in windows) for rank in ranks)
        )
    return sorted(length for length in lengths if length <= len(pool))


def wild_choices(terms: Terms, bits: int) -> list[tuple[int, tuple[int, ...]]]:
    """
    The wilds of a hand parted in those that stand for themselves and all others.

    Returns:
        The cards that stand for themselves, naturals among them, with the codes of the
        other wilds; one choice where standing for itself gives a wild nothing.
    """
    pool = bits & terms.wild_mask
    if not pool:
        return [(bits, ())]
    natural = bits - pool
    every = tuple(code for code in faces(pool) for _ in range(count(pool, code)))
    if not homes_matter(terms, bits, len(every)):
        return [(natural, every)]
    parts: list[tuple[int, tuple[int, ...]]] = [(natural, ())]
    for code in faces(pool):
        copies = count(pool, code)
        most = 0 if code == JOKER else copies
        parts = [
            (own + home * UNIT[code], (*away, *(code,) * (copies - home)))
            for home in range(most + 1)
            for own, away in parts
        ]
    return parts


def homes_matter(terms: Terms, bits: int, wilds: int) -> bool:
    """
    Whether it can matter that a wild stands for itself, melds of wilds aside.
    """
    pool = bits & terms.wild_mask & ~FIELD[JOKER]
    if not pool:
        return False
    if terms.limit != "none":
        return terms.own_place_is_natural or terms.real_card == "beside"
    if terms.real_card != "beside" or wilds < 2:
        return False
    # A wild beside a wild is worth something only where a meld has no room for it.
    natural = bits & terms.natural_mask
    if terms.distinct and terms.sets:
        for code in faces(pool):
            same = natural & terms.rank_masks[RANKS[(code & 15) - 1]]
            if sum([1 for _ in faces(same)]) + wilds > len(terms.suits):
                return True
    return terms.runs and any(
        ranks_held(bits >> lane).bit_count() + wilds
        > roominess(terms.track, terms.least_run)
        for lane in LANES
        if pool >> lane & LANE
    )
