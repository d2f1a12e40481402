"""
Hands partitioned into melds and cards that are left over.

This is needed where melds stay in the hand until somebody knocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    FIELD,
    JOKER,
    LANE,
    UNIT,
    codes,
    count,
    faces,
    lowest,
    present,
    ranks_held,
    ranks_with,
    size,
    total,
)
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._meld import Played, is_pure
from rummyvariants.melds._parts import sub_multisets
from rummyvariants.melds._reading import is_allowed, read_meld
from rummyvariants.melds._suit_tables import (
    ABOVE,
    CARDS,
    CLUBS,
    DIAMONDS,
    HEARTS,
    IN_RUNS,
    KNOWN,
    MAKES_SET,
    NOT_ALL,
    OF_RANKS,
    PLACES,
    POINTS,
    RANKS_AT_MOST,
    UNDECIDED,
    fill,
    fill_spared,
)
from rummyvariants.melds._tables import (
    GRADED,
    REFUSED,
    UNKNOWN,
    Terms,
    as_lane,
    needing,
    plain,
)
from rummyvariants.rulings import Objection


if TYPE_CHECKING:
    from rummyvariants.melds.dividing._divisions import Division


Melds = tuple[tuple[Played, ...], ...]
"""Melds as an action names them."""


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
        from rummyvariants.melds.dividing._lives import (  # noqa: PLC0415 -- slow
            with_lives,
        )

        return with_lives(terms, bits)
    from rummyvariants.melds.dividing._divisions import (  # noqa: PLC0415 -- slow
        divided,
        divided_within,
    )

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
    rests = _rests(terms, bits, _outside_runs(terms, bits) & MAKES_SET)
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
    rests = _rests(terms, bits, _outside_runs(terms, bits) & MAKES_SET)
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
        fill_spared(terms, bits)
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
        return bits & (terms.wild_mask | in_melds(terms, bits & terms.natural_mask))
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
    rests = _rests(terms, bits, _outside_runs(terms, bits) & MAKES_SET)
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


def _rests(terms: Terms, bits: int, made: int) -> list[int]:
    """
    The cards of a hand left for runs, for every way to make sets, or none.

    Args:
        terms: The terms of the deal.
        bits: The hand.
        made: The bits of `MAKES_SET` that are set for it.

    Returns:
        An empty list if there are too many ways, or the tables do not have the hand.
    """
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
    tables = terms.suit_tables
    parts = [0]
    while made:
        lowest = made & -made
        made ^= lowest
        more = sub_multisets(held & OF_RANKS[lowest], terms.least_set)
        parts += [part + one for one in more for part in parts]
    if len(tables.sets) >= _SETS_REMEMBERED:
        tables.sets.clear()
        tables.best.clear()
        tables.gained.clear()
    left = _best_of(terms, [held - part for part in parts])
    tables.best[held] = held - left
    tables.gained[held] = worth_of(terms, held - left) << POINTS
    tables.sets[held] = tuple(parts[1:])
    return tables.sets[held]


def _best_of(terms: Terms, lefts: list[int]) -> int:
    """
    The best cards to have left: fewest points, then fewest cards, then the lowest.
    """
    return min([(worth_of(terms, left), size(left), left) for left in lefts])[2]


_SETS_REMEMBERED: Final = 8_000
"""The number of hands of set-making ranks whose sets are remembered."""


# ---------------------------------------------------------------------- all partitions


def partitions(
    terms: Terms, bits: int, most: int, looks: list[int] | None = None
) -> Iterator[tuple[Melds, int]]:
    """
    Every way to partition cards into melds and a rest of at most so many points.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.
        most: The most points that may be left over.
        looks: How much may be looked at, counted down; when it is used up, no more ways
            are found. Without it, all are.

    Yields:
        The melds, and the cards left over. Each way comes once; two cards of the same
        face, or two wilds that change places, make no difference. Ways that meld the
        lowest card come first.
    """
    if terms.has_lives:
        return _with_lives(terms, bits, most, looks)
    return divisions(undivided(terms, bits, most), looks)


def _with_lives(
    terms: Terms, bits: int, most: int, looks: list[int] | None
) -> Iterator[tuple[Melds, int]]:
    """
    `partitions` where it matters if a hand has its lives: without them last.
    """
    from rummyvariants.melds.dividing._lives import (  # noqa: PLC0415 -- slow
        pure_runs,
    )

    lives = terms.lives
    yield from divisions(undivided(terms, bits, most), looks)
    if terms.without == GRADED:
        for cards, used in pure_runs(terms, bits):
            if any(lives.beside(size(used), pure=True)):
                if worth_of(terms, bits - used) <= most:
                    yield (cards,), bits - used
    if terms.without != REFUSED and worth_of(terms, bits) <= most:
        yield (), bits


def first_partition(
    terms: Terms, bits: int, most: int | None = None
) -> tuple[Melds, int]:
    """
    The best way to partition cards; of several, the first listed.

    If that takes too long, it is the one that `division` finds.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.
        most: The points that may be left, if there is a limit. The way keeps to it if
            one is found that does, even where the search for the best is given up.
    """
    least = fewest_points(terms, bits)
    if most is not None and fewest_points(terms, bits, most) <= most < least:
        return division(terms, bits, most).laid()
    found = next(partitions(terms, bits, least, [_LOOKS_FOR_ONE]), None)
    return division(terms, bits).laid() if found is None else found


LOOKS: Final = 1_000
"""How much is looked at in search of partitions if not all are needed."""
_LOOKS_FOR_ONE: Final = 400
"""The same in search of a single one, which `division` has anyway."""


class Undivided(NamedTuple):
    """
    Cards that are still to be divided into melds and a rest.

    Attributes:
        terms: The terms, with the lives that are still needed.
        bits: The cards as a multiset.
        most: The points that may be left over of them.
        before: The code of the card that was decided before; -1 for none.
        least: The first use that is still to be tried for another card of that face.
    """

    terms: Terms
    bits: int
    most: int
    before: int = -1
    least: tuple[str, ...] = ()


def undivided(terms: Terms, bits: int, most: int) -> Undivided:
    """
    All cards of a hand, of which at most so many points may be left over.
    """
    if terms.has_lives:
        terms = needing(terms, terms.lives)
    return Undivided(terms, bits, most)


Use = tuple[tuple[Played, ...], int, Undivided]
"""The meld that takes a card, empty if none does; the cards that are left over for good
then; and those that are still to be divided."""


def uses(cards: Undivided, looks: list[int] | None = None) -> Iterator[Use]:
    """
    The uses of the lowest of some cards: the melds that may take it, or none.

    The use of the first of two equal cards comes before that of the second, so that no
    partition comes twice.

    Args:
        cards: The cards; not empty.
        looks: How much may be looked at; None for all.
    """
    terms, bits, most, before, least = cards
    code = lowest(bits)
    twin = code == before
    needy = terms.has_lives
    for meld, used in melds_in(terms, bits, code):
        others = beside(terms, meld) if needy else terms
        if looks is not None:
            looks[0] -= 1 + effort(others, bits - used, most)
            if looks[0] < 0:
                return
        if needy and not can_leave(others, bits - used, most):
            continue
        if not needy and fewest_points(terms, bits - used, most) > most:
            continue
        if not is_allowed(terms, meld):
            continue
        key = tuple(map(str, meld)) if count(bits, code) > 1 or twin else ()
        if not twin or key >= least:
            yield meld, 0, Undivided(others, bits - used, most, code, key)
    if terms.worth[code] > most and not (needy or _takes_off(terms)):
        return
    # A face left over once is left over with all its copies that follow.
    rest = bits & FIELD[code]
    allowed = most - terms.worth[code] * count(bits, code)
    if needy or (allowed < 0 and _takes_off(terms)):
        if not can_leave(terms, bits - rest, allowed):
            return
    if needy or allowed >= 0 or _takes_off(terms):
        yield (), rest, Undivided(terms, bits - rest, allowed, code)


def divisions(
    cards: Undivided, looks: list[int] | None = None
) -> Iterator[tuple[Melds, int]]:
    """
    The ways to divide some cards, the lowest of which is decided first.

    Args:
        cards: The cards.
        looks: How much may be looked at; None for all.

    Yields:
        The melds, and the cards left over.
    """
    if not cards.bits:
        if not cards.terms.has_lives:
            yield (), 0
        return
    for meld, rest, after in uses(cards, looks):
        for melds, left in divisions(after, looks):
            yield (meld, *melds) if meld else melds, left + rest


@remembered(1)
def _takes_off(terms: Terms) -> bool:
    """
    Whether some card is worth less than nothing.
    """
    return min(terms.worth) < 0


def beside(terms: Terms, cards: tuple[Played, ...]) -> Terms:
    """
    The terms for what is left of a hand beside a meld, with the lives still needed.
    """
    if not terms.has_lives:
        return terms
    meld = read_meld(terms, cards, 0)
    if isinstance(meld, Objection) or not meld.is_life:
        return terms
    lives = terms.lives.beside(len(cards), pure=is_pure(cards))
    return needing(terms, lives) if any(lives) else plain(terms)


def can_leave(terms: Terms, bits: int, most: int) -> bool:
    """
    Whether cards can be divided so that at most so many points are left over.

    Args:
        terms: The terms of the deal.
        bits: The cards as a multiset.
        most: The points.
    """
    # Whatever runs they need, they leave no less than without.
    if terms.has_lives and fewest_points(plain(terms), bits, most) > most:
        return False
    return fewest_points(terms, bits, most) <= most


def surely_leaves(terms: Terms, bits: int) -> int:
    """
    A quick look: a number of cards that a hand leaves over at least, whatever it melds.

    Args:
        terms: The terms of the deal.
        bits: The hand as a multiset.
    """
    if terms.extra is not None:
        return 0  # a part of a meld may be refused
    if terms.has_lives and terms.lives.pure:
        if not (_covered(terms, bits) or terms.alike_in(bits)):
            return size(bits)
    natural = bits & terms.natural_mask
    loose = natural & ~in_melds(terms, natural)
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
                for _, _, run in terms.runs_along.near(there, number):
                    held = max(held, (run & ranks).bit_count())
        most.append(max([held, *[most[one] + most[-one] for one in range(1, number)]]))
    return size(loose) - most[-1]


_FEW: Final = 4
"""The most wilds with which the quick look is quick."""


def in_melds(terms: Terms, natural: int) -> int:
    """
    Mask of the faces that some meld of natural cards holds; of jokers, always.
    """
    found = FIELD[JOKER] | _covered(terms, natural) | terms.alike_in(natural) * 15
    often = (natural if terms.twins else present(natural)) & terms.in_sets
    for rank in ranks_with(often, terms.least_set):
        found |= terms.rank_masks[rank]
    return found


def _covered(terms: Terms, bits: int) -> int:
    """
    Mask of the faces that some run of cards in their own places holds.
    """
    found = 0
    if terms.runs:
        for row in terms.rows:
            lane = bits >> 64 * row & LANE
            # A face takes one bit at least, so fewer bits make no run.
            if lane.bit_count() >= terms.least_run:
                ranks = terms.runs_along.covered(ranks_held(lane), 0)
                found |= as_lane(ranks) * 15 << 64 * row
    return found


def surely_fewest(terms: Terms, bits: int) -> bool:
    """
    Whether the known fewest points are certain to be the fewest.
    """
    return _is_looked_up(terms, bits) or division(terms, bits).exact


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
    return 0 if _is_looked_up(terms, bits) else division(terms, bits).work


def _is_looked_up(terms: Terms, bits: int) -> bool:
    """
    Whether tables have the fewest points that some cards leave, without a search.
    """
    made = _outside_runs(terms, bits) & MAKES_SET
    return made.bit_count() <= RANKS_AT_MOST
