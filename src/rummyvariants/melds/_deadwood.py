"""
Hands whose melds stay in them: what is left over in the best division.

Hands without wilds in which no card comes twice are looked up. An entry of a table is
one number for the cards of a suit, worked out from the best runs of these, so that the
entries of four suits add up to all that is needed about a hand:

* from bit 48 on, the points of the cards that no run takes;
* bits 42 to 47, how many these are;
* bits 39 to 41, how many suits have cards in runs;
* below, three bits a rank, a number that reaches four where the rank makes a set.

What goes into sets is decided first, and the runs are made of the rest.
"""

from __future__ import annotations

import itertools

from typing import Final

from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    CODES,
    JOKER,
    LANE,
    ONES,
    RANKS,
    SUITS,
    UNIT,
    code_of,
    codes,
    faces,
    ranks_held,
    size,
    total,
)
from rummyvariants.melds._tables import REFUSED, UNKNOWN, Terms, plain
from rummyvariants.melds.cover._divisions import (
    Division,
    cover_of,
    divided,
    divided_within,
)
from rummyvariants.melds.cover._lives import with_lives
from rummyvariants.melds.cover._runs import SuitRuns
from rummyvariants.melds.cover._search import Work
from rummyvariants.melds.cover._sets import PATTERN
from rummyvariants.melds.shapes._shapes import shapes_of


def worth_of(terms: Terms, bits: int) -> int:
    """
    The points of cards outside of melds.
    """
    return total(terms.worth, bits)


@remembered(1)
def by_number(terms: Terms) -> Terms:
    """
    The terms of a deal for a declaration, with one point for every card.

    So points are a number, and a hand without the runs that it needs is not divided.
    """
    return terms.changed(worth=(1,) * len(terms.worth), without=REFUSED)


# ----------------------------------------------------------------------------- tables

PLACES: Final = (1 << 13) + 1
"""
The places of a table: cards of a suit, none of them twice, are looked up at the
remainder of their division by this number.

A card counts sixteen times the one below it, and so leaves a power of two, or that much
less than this number: another one for each rank.
"""
CLUBS: Final = LANE
DIAMONDS: Final = LANE << 64
HEARTS: Final = LANE << 128
ABOVE: Final = 192
"""How far spades are shifted down, which shows what is not a card of a suit."""
POINTS: Final = 48
"""From which bit on an entry counts points."""
CARDS: Final = 42
"""From which bit on it counts cards."""
IN_RUNS: Final = 7 << 39
"""The bits of which none is set where no run takes a card."""
UNDECIDED: Final = -1
"""No entry and no sum of entries: it would count 63 cards."""
KNOWN: Final = UNKNOWN // 2
"""Less than any sum of known entries, more than one with others."""
MAKES_SET: Final = sum(4 << 3 * at for at in range(len(RANKS)))
"""The bits that are set where a rank makes a set."""
NOT_ALL: Final = MAKES_SET | -UNKNOWN << 3
"""One of these bits is set if a rank makes a set, or if a sum is negative."""
RANKS_AT_MOST: Final = 3
"""The most ranks whose sets are all tried: eleven cards have no more."""
OF_RANKS: Final = {
    sum([4 << 3 * at for at in ranks]): sum(
        [UNIT[code_of(RANKS[at], suit)] for at in ranks for suit in SUITS]
    )
    for number in range(RANKS_AT_MOST + 1)
    for ranks in itertools.combinations(range(len(RANKS)), number)
}
"""All cards of some ranks, by the bits of `MAKES_SET` that are set for them."""

_FROM: Final = (0, 64, 128, 0)
"""From which bit on the cards of each suit lie where they are looked up."""
_PLAIN: Final = ONES & (1 << 256) - 1
_NONE: Final = -(1 << 40)
"""What a suit without cards has to spare."""


def fill(terms: Terms, bits: int) -> bool:
    """
    Make sure that the tables hold what is left of the cards of each suit.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.

    Returns:
        Whether they can: not with wilds, cards that come twice, rules of third parties
        about melds, or runs that a hand needs.
    """
    tables = terms.suit_tables
    if bits & (~_PLAIN | terms.wild_mask) or not terms.by_values:
        return False
    if not tables.usable:
        return False
    if len(tables.cards[0]) == 1:
        tables.unfit = tables.unfit & ~_PLAIN | terms.wild_mask
        for four in (tables.left, tables.cards, tables.spared):
            for table in four:
                table += [UNKNOWN] * (PLACES - 1)  # noqa: PLW2901 -- it is changed
        for table in tables.spared:
            table[0] = _NONE
        # The numbers of the first suit are ahead by what four suits fall short.
        if terms.sets and terms.least_set <= len(SUITS):
            tables.left[0][0] = MAKES_SET // 4 * (4 - terms.least_set)
    for row in range(len(SUITS)):
        _fill(terms, row, bits >> 64 * row & LANE)
    return True


@remembered(1)
def _runs_of(terms: Terms) -> tuple[SuitRuns, ...]:
    """
    By suit, the best runs of cards in their own places.
    """
    return cover_of(terms).runs(0, 0, Work())


def _fill(terms: Terms, row: int, lane: int) -> int:
    """
    The entry of some cards of a suit, put into the tables of all suits like it.

    Args:
        terms: The terms of the deal.
        row: The number of the suit.
        lane: The cards as they would lie in a multiset if they were clubs.
    """
    tables = terms.suit_tables
    first = tables.left[row]
    at = (lane << _FROM[row]) % PLACES
    if first[at] > KNOWN:
        return first[at] - first[0]
    runs = _runs_of(terms)
    used = runs[row].of(lane)[1][0].used
    left = lane - used
    in_runs, outside = _entries(terms)
    entry = total(outside, left << 64 * row)
    if used:
        entry += total(in_runs, used << 64 * row) + IN_RUNS // 7
    for other in range(len(SUITS)):
        if runs[other] is runs[row]:
            at = (lane << _FROM[other]) % PLACES
            tables.left[other][at] = entry + tables.left[other][0]
            tables.cards[other][at] = left << 64 * other
    return entry


@remembered(1)
def _entries(terms: Terms) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """
    By code, what a card adds to an entry: one in a run, and one outside of runs.
    """
    in_runs = [0] * CODES
    for code in faces(terms.in_sets & (1 << 4 * JOKER) - 1):
        in_runs[code] = 1 << 3 * (code & 15) - 3
    outside = [
        one + (worth << POINTS) + (1 << CARDS)
        for one, worth in zip(in_runs, terms.worth, strict=True)
    ]
    return tuple(in_runs), tuple(outside)


def _fill_spared(terms: Terms, bits: int) -> None:
    """
    Make sure that the tables hold what a discard of each suit saves.

    Args:
        terms: The terms of the deal.
        bits: Cards of which they hold what is left.
    """
    runs = _runs_of(terms)
    for row in range(len(SUITS)):
        lane = bits >> 64 * row & LANE
        if terms.suit_tables.spared[row][(lane << _FROM[row]) % PLACES] == UNKNOWN:
            fewest = min([_fill(terms, row, lane - UNIT[code]) for code in faces(lane)])
            spared = (_fill(terms, row, lane) >> POINTS) - (fewest >> POINTS)
            for other in range(len(SUITS)):
                if runs[other] is runs[row]:
                    at = (lane << _FROM[other]) % PLACES
                    terms.suit_tables.spared[other][at] = spared


# ------------------------------------------------------------------ the best partition


def division(terms: Terms, bits: int, most: int | None = None) -> Division:
    """
    The best partition of any hand, found by the search that arranges hands.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
        most: If a partition that leaves so many points is good enough, these points.
    """
    if terms.has_lives:
        return with_lives(terms, bits)
    return divided(terms, bits) if most is None else divided_within(terms, bits, most)


def fewest_points(terms: Terms, bits: int, most: int | None = None) -> int:
    """
    The fewest points that cards outside of melds can have.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
        most: The most points of interest: if there are more, the answer may be any
            number above it. None if all are of interest.
    """
    tables = terms.suit_tables
    if not bits & tables.unfit:
        # `_outside_runs` is written out here, since nothing is called more often.
        clubs, diamonds, hearts, spades = tables.left
        total = (
            clubs[(bits & CLUBS) % PLACES]
            + diamonds[(bits & DIAMONDS) % PLACES]
            + hearts[(bits & HEARTS) % PLACES]
            + spades[(bits >> ABOVE) % PLACES]
        )
        made = total & NOT_ALL
        if not made:
            return total >> POINTS
        try:
            held = bits & OF_RANKS[made]
            if not total & IN_RUNS:
                return (total - tables.gained[held]) >> POINTS
            parts = tables.sets[held]
        except KeyError:
            # Something of it is still to be worked out, or too many ranks make sets.
            return _fewest_points(terms, bits, most)
        for part in parts:
            rest = bits - part
            other = (
                clubs[(rest & CLUBS) % PLACES]
                + diamonds[(rest & DIAMONDS) % PLACES]
                + hearts[(rest & HEARTS) % PLACES]
                + spades[(rest >> ABOVE) % PLACES]
            )
            if other < total:  # noqa: PLR1730 -- quicker than `min`
                total = other
        if total > KNOWN:
            return total >> POINTS
    return _fewest_points(terms, bits, most)


def _fewest_points(terms: Terms, bits: int, most: int | None) -> int:
    """
    `fewest_points` of any hand.
    """
    rests = _rests(terms, bits)
    if not rests:
        return division(terms, bits, most).points
    return min([_outside_runs(terms, rest) for rest in rests]) >> POINTS


def fewest_after_discard(terms: Terms, bits: int) -> int:
    """
    The fewest points outside of melds after the best discard.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset; not empty.
    """
    rests = _rests(terms, bits)
    if not rests:
        return _fewest_by_discards(terms, bits)
    found: list[int] = []
    for rest in rests:
        # A player with all cards in sets cannot discard without breaking one.
        if rest:
            points = _outside_runs(terms, rest) >> POINTS
            found.append(points - _most_spared(terms, rest))
    return min(found)


def _fewest_by_discards(terms: Terms, bits: int) -> int:
    """
    `fewest_after_discard` of any hand.
    """
    worth = terms.worth
    best = division(terms, bits)
    # Discarding the leftover card of most points saves those points.
    spared = [worth[code] for code in faces(best.laid()[1])]
    found = best.points - max(spared) if spared else None
    floor = sum([min(worth[code], 0) for code in codes(bits)])
    for code in sorted(faces(bits), key=lambda code: -worth[code]):
        # A discard reduces what is left by no more than its own points.
        if found is not None and found <= max(floor, best.points - worth[code]):
            break
        after = fewest_points(terms, bits - UNIT[code])
        found = after if found is None else min(found, after)
    assert found is not None  # noqa: S101 -- there is a card
    return found


def _most_spared(terms: Terms, bits: int) -> int:
    """
    How many points the best discard saves among the cards that are in no set.
    """
    clubs, diamonds, hearts, spades = terms.suit_tables.spared
    one = clubs[(bits & CLUBS) % PLACES]
    two = diamonds[(bits & DIAMONDS) % PLACES]
    three = hearts[(bits & HEARTS) % PLACES]
    four = spades[(bits >> ABOVE) % PLACES]
    if UNKNOWN in (one, two, three, four):
        _fill_spared(terms, bits)
        return _most_spared(terms, bits)
    return max(one, two, three, four)


def least_unmatched(terms: Terms, bits: int) -> int:
    """
    The cards outside of melds in a partition that leaves the fewest points.

    Among several, one with the fewest cards left over is taken, always the same one.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
    """
    made, left = _outside(terms, bits)
    if made < 0:
        return _least_unmatched(terms, bits)
    made &= MAKES_SET
    if made:
        part = terms.suit_tables.best.get(bits & OF_RANKS.get(made, 0))
        if part is None or part & left != part:
            # Not asked before, or a run and a set want the same card.
            return _least_unmatched(terms, bits)
        left -= part
    return left


def matched(terms: Terms, bits: int) -> int:
    """
    A quick look: the cards that the best runs take, or that make sets.

    If the tables do not have the hand, or where it needs runs, all wilds, and the cards
    of any run or set without them.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
    """
    made, left = (-1, 0) if terms.has_lives else _outside(terms, bits)
    if made < 0:
        return bits & shapes_of(terms).reach(bits & terms.natural_mask)
    return bits & (~left | _of_ranks(made & MAKES_SET))


def _of_ranks(made: int) -> int:
    """
    All cards of the ranks that make sets, by their bits of `MAKES_SET`.
    """
    if made in OF_RANKS:
        return OF_RANKS[made]
    lowest = made & -made
    return OF_RANKS[lowest] | _of_ranks(made ^ lowest)


def _least_unmatched(terms: Terms, bits: int) -> int:
    """
    `least_unmatched` of any hand.
    """
    rests = _rests(terms, bits)
    if not rests:
        return division(terms, bits).laid()[1]
    # Of equal partitions the one that leaves the lowest cards.
    ways = [_outside(terms, rest) for rest in rests]
    return min([(entry >> CARDS, left) for entry, left in ways])[1]


def _outside(terms: Terms, bits: int) -> tuple[int, int]:
    """
    The points of the cards that no run takes, as in `_outside_runs`, and the cards.
    """
    tables = terms.suit_tables
    if not bits & tables.unfit:
        clubs, diamonds = (bits & CLUBS) % PLACES, (bits & DIAMONDS) % PLACES
        hearts, spades = (bits & HEARTS) % PLACES, (bits >> ABOVE) % PLACES
        one, two, three, four = tables.left
        total = one[clubs] + two[diamonds] + three[hearts] + four[spades]
        if total > KNOWN:
            one, two, three, four = tables.cards
            return total, one[clubs] | two[diamonds] | three[hearts] | four[spades]
    return _outside(terms, bits) if fill(terms, bits) else (UNDECIDED, 0)


def _outside_runs(terms: Terms, bits: int) -> int:
    """
    The points of the cards that no run takes, as `_suit_tables` counts them.

    Returns:
        `UNDECIDED` if the tables do not have the hand.
    """
    tables = terms.suit_tables
    if not bits & tables.unfit:
        clubs, diamonds, hearts, spades = tables.left
        total = (
            clubs[(bits & CLUBS) % PLACES]
            + diamonds[(bits & DIAMONDS) % PLACES]
            + hearts[(bits & HEARTS) % PLACES]
            + spades[(bits >> ABOVE) % PLACES]
        )
        if total > KNOWN:
            return total
    return _outside_runs(terms, bits) if fill(terms, bits) else UNDECIDED


def _rests(terms: Terms, bits: int) -> list[int]:
    """
    The cards of a hand left for runs, for every way to make sets, or none.

    Returns:
        An empty list if there are too many ways, or the tables do not have the hand.
    """
    made = _outside_runs(terms, bits) & MAKES_SET
    if made.bit_count() > RANKS_AT_MOST:
        return []
    if not made:
        return [bits]
    held = bits & OF_RANKS[made]
    parts = terms.suit_tables.sets.get(held) or _sets(terms, held, made)
    return [bits, *[bits - part for part in parts]]


def _sets(terms: Terms, held: int, made: int) -> tuple[int, ...]:
    """
    What may go into sets of some ranks, remembered from then on.

    Args:
        terms: The terms of the deal.
        held: All cards of these ranks.
        made: The bits of `MAKES_SET` that are set for them.
    """
    tables, parts = terms.suit_tables, [0]
    while made:
        lowest = made & -made
        made ^= lowest
        rank = (lowest.bit_length() - 3) // 3
        options, _ = cover_of(terms).sets(rank, held >> 4 * rank + 4 & PATTERN, 0)
        parts += [part + one[1] for one in options if one[1] for part in parts]
    if len(tables.sets) >= _SETS_REMEMBERED:
        tables.sets.clear()
        tables.best.clear()
        tables.gained.clear()
    # The best cards to have left: fewest points, then fewest cards, then the lowest.
    lefts = [held - part for part in parts]
    left = min([(worth_of(terms, one), size(one), one) for one in lefts])[2]
    tables.best[held] = held - left
    tables.gained[held] = worth_of(terms, held - left) << POINTS
    tables.sets[held] = tuple(parts[1:])
    return tables.sets[held]


_SETS_REMEMBERED: Final = 8_000
"""The number of hands of set-making ranks whose sets are remembered."""


# ------------------------------------------------------------------------ quick looks


def surely_leaves(terms: Terms, bits: int) -> int:
    """
    A quick look: a number of cards that a hand leaves over at least, whatever it melds.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
    """
    if not terms.by_values:
        return 0  # a part of a meld may be refused
    if terms.has_lives and terms.lives.pure:
        if not (shapes_of(terms).in_runs(bits, 0) or terms.alike_in(bits)):
            return size(bits)
    natural = bits & terms.natural_mask
    loose = natural & ~shapes_of(terms).reach(natural)
    wilds = size(bits & terms.wild_mask)
    if wilds > _FEW or not loose:
        return 0
    # By the number of wilds, the most of these cards that melds with so many hold.
    most = [0]
    for number in range(1, wilds + 1):
        held = terms.least_set - 1 if terms.sets_fit else 0
        for row in terms.rows if terms.runs else ():
            lane = 64 * row
            ranks = ranks_held(loose >> lane)
            if ranks:
                there = ranks_held(natural >> lane)
                for run in terms.runs_along.near(there, number):
                    held = max(held, (run.ranks & ranks).bit_count())
        most.append(max([held, *[most[one] + most[-one] for one in range(1, number)]]))
    return size(loose) - most[-1]


_FEW: Final = 4
"""The most wilds with which the quick look is quick."""


def surely_fewest(terms: Terms, bits: int) -> bool:
    """
    Whether the known fewest points are certain to be the fewest.
    """
    return not effort(terms, bits) or division(terms, bits).exact


def effort(terms: Terms, bits: int, most: int | None = None) -> int:
    """
    How many nodes it takes to find the fewest points that some cards leave.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.
        most: The most points for which they are found; more are not looked at closely.
    """
    if terms.has_lives and most is not None:
        alone = plain(terms)
        if fewest_points(alone, bits) > most:
            return effort(alone, bits)
    made = _outside_runs(terms, bits) & MAKES_SET
    return 0 if made.bit_count() <= RANKS_AT_MOST else division(terms, bits).work
