"""
Every meld and lay-off that a multiset of cards allows, lazily and in a stable order.

Complete up to cards of one face and to equal placements of wilds: wilds that do not
stand for themselves fill their places from low to high in the order c d h s, jokers
last. Everything yielded is fully declared, so that reading it back gives one meaning.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final

from rummyvariants.cards import (
    CARDS,
    FIELD,
    JOKER,
    LANE,
    RANKS,
    SUITS,
    UNIT,
    codes,
    count,
    face_bits,
    faces,
    present,
    ranks_in,
    size,
)
from rummyvariants.melds._meld import (
    OWN_PLACE,
    Played,
    place,
    played,
)
from rummyvariants.melds._tables import Terms


Choice = tuple[tuple[Played, ...], int]
"""Cards as an action names them, and the same as a multiset."""

_EVEN: Final = sum(15 << 64 * row + 8 * at for row in range(4) for at in range(8))
_BYTES: Final = sum(1 << 8 * at for at in range(8))
_TOPS: Final = _BYTES << 7


def sub_multisets(bits: int, least: int = 0, most: int = 99) -> Iterator[int]:
    """
    The parts of a multiset with so many cards, fewer copies of low faces first.
    """
    kinds = [(code, count(bits, code)) for code in faces(bits)]
    room = [0] * (len(kinds) + 1)
    for at in range(len(kinds) - 1, -1, -1):
        room[at] = room[at + 1] + kinds[at][1]

    def parts(at: int, low: int, high: int) -> Iterator[int]:
        if at == len(kinds):
            yield 0
            return
        code, copies = kinds[at]
        for taken in range(max(0, low - room[at + 1]), min(copies, high) + 1):
            head = taken << 4 * code
            for rest in parts(at + 1, low - taken, high - taken):
                yield head | rest

    if room[0] >= least:
        yield from parts(0, least, most)


# --------------------------------------------------------------------- filling places


def wild_room(terms: Terms, naturals: int, wilds: int) -> int:
    """
    How many more wilds a meld with so many naturals and counted wilds takes.
    """
    if terms.limit == "none":
        return 99
    if terms.limit == "one":
        return 1 - wilds
    return naturals - 1 - wilds


def fill(
    terms: Terms,
    places: Sequence[int],
    bits: int,
    *,
    naturals: int = -1,
    wilds: int = 0,
    must: int = -1,
) -> Iterator[Choice]:
    """
    Every way to fill all places, each by its own card or by a wild.

    Args:
        terms: The terms of the deal.
        places: The codes of the cards that the places stand for.
        bits: The cards at hand.
        naturals: Natural cards that the meld holds already; -1 for a new meld, which
            needs one.
        wilds: Wilds that it holds already and that count for the limit.
        must: The code of a card that has to be used, as itself or as a wild.
    """
    pool = bits & terms.wild_mask
    if not pool:
        used = 0
        for code in places:
            if not bits & FIELD[code]:
                return
            used |= UNIT[code]
        if must < 0 or used & FIELD[must]:
            yield tuple([played(code) for code in places]), used
        return
    missing = [at for at, code in enumerate(places) if not bits & FIELD[code]]
    most = size(pool) - len(missing)
    if most < 0:
        return
    there = [at for at, code in enumerate(places) if bits & FIELD[code]]
    new = naturals < 0
    for number in range(min(most, len(there)) + 1):
        if new and number == len(there):
            return
        for given in itertools.combinations(there, number):
            holes = sorted((*missing, *given)) if given else missing
            own = 0
            for at in there:
                if at not in given:
                    own |= UNIT[places[at]]
            if must >= 0 and not own & FIELD[must]:
                if not terms.wild[must] or not holes:
                    continue
            if terms.limit != "none" and not within_limit(
                terms, len(places), len(holes), own, max(naturals, 0), wilds
            ):
                continue
            for cards in _placements(places, holes, pool - (own & terms.wild_mask)):
                if must >= 0 and not own & FIELD[must] and must not in cards:
                    continue
                named = [
                    played(code, OWN_PLACE[code] if terms.wild[code] else None)
                    for code in places
                ]
                used = own
                for at, wild in zip(holes, cards, strict=True):
                    named[at] = played(wild, OWN_PLACE[places[at]])
                    used += UNIT[wild]
                yield tuple(named), used


def within_limit(
    terms: Terms, length: int, holes: int, own: int, naturals: int, wilds: int
) -> bool:
    """
    Whether a meld keeps the limit on wilds after places of it were filled.
    """
    as_wild = holes
    if not terms.own_place_is_natural:
        as_wild += size(own & terms.wild_mask)
    return not as_wild or as_wild <= wild_room(
        terms, naturals + length - as_wild, wilds
    )


def filled(
    terms: Terms, places: tuple[int, ...], bits: int, must: int
) -> Iterable[Choice]:
    """
    What `fill` gives for a new meld, remembered where few wilds are at hand.
    """
    pool = bits & terms.wild_mask
    if size(pool) > WILDS_REMEMBERED:
        return fill(terms, places, bits, must=must)
    mask = 0
    for code in places:
        mask |= FIELD[code]
    return _remembered(
        terms,
        (places, present(bits) & mask, pool),
        lambda: fill(terms, places, bits),
        must,
    )


def _remembered(
    terms: Terms,
    key: Hashable,
    choices: Callable[[], Iterable[Choice]],
    must: int,
) -> Iterable[Choice]:
    """
    Choices worked out once, those kept that use a card.
    """
    found: tuple[Choice, ...] | None = terms.memo.get(key)
    if found is None:
        found = tuple(choices())
        if len(terms.memo) >= _FILLS_REMEMBERED:
            terms.memo.clear()
        terms.memo[key] = found
    if must < 0:
        return found
    field = FIELD[must]
    return [choice for choice in found if choice[1] & field]


WILDS_REMEMBERED: Final = 2
_FILLS_REMEMBERED: Final = 4_000


def _placements(
    places: Sequence[int], holes: Sequence[int], pool: int
) -> Iterator[tuple[int, ...]]:
    """
    Which wilds fill the holes, none of them in its own place.
    """
    if not holes:
        yield ()
        return
    targets = tuple([places[at] for at in holes])
    if len(targets) == 1:
        for code in faces(pool):
            if code != targets[0]:
                yield (code,)
        return
    for part in sub_multisets(pool, len(holes), len(holes)):
        cards = arranged(tuple(codes(part)), targets)
        if cards is not None:
            yield cards


def arranged(
    wilds: tuple[int, ...], targets: tuple[int, ...]
) -> tuple[int, ...] | None:
    """
    Wilds put to different places in order, none of them to its own.

    Args:
        wilds: The wilds, lowest first.
        targets: The codes that the places stand for, as many.

    Returns:
        None if one of them had to go to its own place.
    """
    left = list(wilds)
    found: list[int] = []
    for at in range(len(targets)):
        after = targets[at + 1 :]
        for code in left:
            if code == targets[at]:
                continue
            rest = list(left)
            rest.remove(code)
            if not any(rest.count(one) == len(rest) for one in after if one in rest):
                found.append(code)
                left = rest
                break
        else:
            return None
    return tuple(found)


# ------------------------------------------------------------------------- new melds


def melds_in(terms: Terms, bits: int, must: int = -1) -> Iterator[Choice]:
    """
    Every meld that can be made of some of the cards: sets by rank, then runs by suit.

    Args:
        terms: The terms of the deal.
        bits: The cards at hand.
        must: The code of a card that every meld has to use; -1 for none.
    """
    wilds = size(bits & terms.wild_mask)
    if terms.sets:
        yield from _sets_in(terms, bits, wilds, must)
    if terms.runs:
        yield from _runs_in(terms, bits, wilds, must)
    if terms.wild_melds and (must < 0 or terms.wild[must]):
        for choice in wilds_alone(terms, bits):
            if must < 0 or choice[1] & FIELD[must]:
                yield choice


def wilds_alone(terms: Terms, bits: int) -> Iterator[Choice]:
    """
    Every meld of wilds alone that the wilds at hand make.
    """
    for part in sub_multisets(bits & terms.wild_mask, terms.least_set):
        yield tuple(map(played, codes(part))), part


def ranks_with(bits: int, least: int) -> str:
    """
    The ranks of which so many cards are held, ace first; jokers are left out.
    """
    even = bits & _EVEN
    odd = bits >> 4 & _EVEN
    even += (even >> 64) + (even >> 128) + (even >> 192)
    odd += (odd >> 64) + (odd >> 128) + (odd >> 192)
    # A byte a rank: its top bit tells whether the count is high enough.
    short = _BYTES * (128 - least)
    even = (even & LANE) + short & _TOPS
    odd = (odd & LANE) + short & _TOPS
    if not even | odd:
        return ""
    key = even | odd >> 1
    found = _RANKS_WITH.get(key)
    if found is None:
        found = _RANKS_WITH[key] = "".join(
            [
                rank
                for number, rank in enumerate(RANKS, 1)
                if (odd if number & 1 else even) >> 8 * (number >> 1) & 128
            ]
        )
    return found


_RANKS_WITH: Final[dict[int, str]] = {}
"""One entry for each set of ranks, 8,191 at most."""


def _sets_in(terms: Terms, bits: int, wilds: int, must: int) -> Iterator[Choice]:
    usable = wild_room(terms, 99, 0)
    natural = bits & terms.natural_mask
    least = max(terms.least_set - min(wilds, usable), 1)
    ranks = ranks_with(
        (present(natural) if terms.distinct else natural)
        | (bits & terms.wild_mask if wilds else 0),
        least,
    )
    if must >= 0 and not terms.wild[must]:
        rank = CARDS[must].rank
        ranks = rank if rank in ranks else ""
    for rank in ranks:
        if rank not in terms.ranks:
            continue
        if terms.distinct:
            yield from distinct_sets_in(terms, rank, bits, must)
        else:
            yield from free_sets(terms, rank, bits, -1, 0, must)
    if not terms.wild[JOKER] and must in {-1, JOKER}:
        for part in sub_multisets(bits & FIELD[JOKER], terms.least_set):
            yield tuple(map(played, codes(part))), part


def distinct_sets_in(terms: Terms, rank: str, bits: int, must: int) -> Iterator[Choice]:
    """
    Every set of a rank, one card a suit, that the cards at hand make.
    """
    places = terms.set_codes[rank]
    for length in range(terms.least_set, len(places) + 1):
        for chosen in itertools.combinations(places, length):
            if must < 0 or terms.wild[must] or must in chosen:
                yield from filled(terms, chosen, bits, must)


def free_sets(
    terms: Terms, rank: str, bits: int, naturals: int, wilds: int, must: int
) -> Iterable[Choice]:
    """
    What `_free_sets_in` gives, remembered where few wilds are at hand.
    """
    pool = bits & terms.wild_mask
    if size(pool) > WILDS_REMEMBERED:
        return _free_sets_in(terms, rank, bits, naturals, wilds, must)
    return _remembered(
        terms,
        (rank, bits & (terms.rank_masks[rank] | terms.wild_mask), naturals, wilds),
        lambda: _free_sets_in(terms, rank, bits, naturals, wilds),
        must,
    )


def _free_sets_in(
    terms: Terms,
    rank: str,
    bits: int,
    naturals: int,
    wilds: int,
    must: int = -1,
) -> Iterator[Choice]:
    """
    Parts of the cards that make, or add to, a set whose suits do not matter.

    The arguments are those of `fill`.
    """
    new = naturals < 0
    naturals = max(naturals, 0)
    least = terms.least_set if new else 1
    mask = terms.rank_masks[rank]
    own_is_natural = terms.own_place_is_natural
    pool = bits & terms.wild_mask
    natural = bits & mask & terms.natural_mask
    # With all naturals of the rank there is room for so many wilds, and no more.
    home = size(pool & mask) if own_is_natural else 0
    most = max(0, wild_room(terms, naturals + size(natural) + home, wilds)) + home
    for wild_part in sub_multisets(pool, most=most):
        own = size(wild_part & mask)
        others = size(wild_part) - own
        as_natural = own if own_is_natural else 0
        as_wild = others + own - as_natural
        for part in sub_multisets(natural):
            held = size(part)
            if held + others + own < least or (new and held + own == 0):
                continue
            room = wild_room(terms, naturals + held + as_natural, wilds)
            if as_wild and as_wild > room:
                continue
            used = part | wild_part
            if must >= 0 and not used & FIELD[must]:
                continue
            yield (
                tuple(map(played, codes(part)))
                + tuple(
                    played(code, OWN_PLACE[code] if FIELD[code] & mask else place(rank))
                    for code in codes(wild_part)
                ),
                used,
            )


def _runs_in(terms: Terms, bits: int, wilds: int, must: int) -> Iterator[Choice]:
    usable = min(wilds, wild_room(terms, 99, 0))
    for suit in terms.suits:
        if must >= 0 and not terms.wild[must] and CARDS[must].suit != suit:
            continue
        along = terms.run_codes[suit]
        held = ranks_held(bits >> 64 * SUITS.index(suit))
        for low, length, _ in terms.runs_along.near(held, usable):
            places = along[low : low + length]
            if must < 0 or terms.wild[must] or must in places:
                yield from filled(terms, places, bits, must)


def ranks_held(lane: int) -> int:
    """
    The ranks of a suit that are there, as bits, the ace lowest.

    Args:
        lane: A multiset from which the lower suits are shifted out.
    """
    return face_bits(lane & LANE) >> 1


def _sets_fit(terms: Terms) -> bool:
    """
    Whether there are suits enough for a set.
    """
    return terms.sets and not (terms.distinct and len(terms.suits) < terms.least_set)


def in_some_meld(terms: Terms, bits: int, code: int) -> bool:
    """
    A quick look: whether some of the cards make a meld with a natural one of them.

    The limits on wild cards are taken as none.
    """
    if code == JOKER:
        # No wild stands for a joker, and no run holds one that is not wild.
        return terms.sets and count(bits, JOKER) >= terms.least_set
    wilds = size(bits & terms.wild_mask)
    if _sets_fit(terms):
        mates = bits & terms.rank_masks[CARDS[code].rank] & terms.natural_mask
        if terms.distinct:
            mates = present(mates)
        if size(mates) + wilds >= terms.least_set:
            return True
    if not terms.runs:
        return False
    held = ranks_held((bits & terms.natural_mask) >> 64 * (code >> 4))
    return terms.runs_along.covers(held, wilds, (code & 15) - 1)


def joining_two(
    terms: Terms, bits: int, mates: int, code: int, more_wilds: int = 0
) -> list[tuple[int, int]]:
    """
    The sets and runs that a card may make with two naturals out of some.

    If there is none, the card makes no such meld; what is found may still break the
    limit by which naturals outnumber wilds.

    Args:
        terms: The terms of the deal.
        bits: The cards at hand.
        mates: Natural cards of them, without the card itself.
        code: The card.
        more_wilds: How many wilds might come to the hand.

    Returns:
        For each a mask of its natural cards, and how many wilds it needs, itself if it
        is one; sets first, then runs, the shortest first.
    """
    wilds = min(size(bits & terms.wild_mask) + more_wilds, wild_room(terms, 99, 0))
    wild = terms.wild[code]
    found: list[tuple[int, int]] = []
    if _sets_fit(terms):
        fit = mates & ~FIELD[code] if terms.distinct and not wild else mates
        if not wild:
            fit &= terms.rank_masks[CARDS[code].rank]
        for rank in ranks_with(present(fit) if terms.distinct else fit, 2):
            number = max(int(wild), terms.least_set - 2 - (not wild))
            found.append((terms.rank_masks[rank], number))
    if not terms.runs or (code == JOKER and not wild):
        return found
    held = face_bits(bits & terms.natural_mask)
    two = face_bits(mates)
    runs = []
    for row in terms.rows if wild else (code >> 4,):
        there = ranks_in(held, row)
        others = ranks_in(two, row)
        own = 0 if wild else 1 << (code & 15) - 1
        for low, length, wanted in terms.runs_along.windows:
            missing = (wanted & ~there).bit_count()
            if wanted & own != own or missing > wilds:
                continue
            if length > 2 and (wanted & others & ~own).bit_count() > 1:
                places = terms.runs_along.codes[row][low : low + length]
                mask = sum([FIELD[one] for one in places])
                runs.append((length, mask, max(missing, int(wild))))
    found += [(mask, number) for _, mask, number in sorted(runs)]
    return found


def wild_in_some_meld(terms: Terms, bits: int) -> bool:
    """
    A quick look: whether some natural cards make a meld with the wilds at hand.

    Any one of the wilds can be part of it. The limits on wild cards are taken as none,
    and wilds in their own places are not looked at.
    """
    wilds = size(bits & terms.wild_mask)
    natural = bits & terms.natural_mask
    if _sets_fit(terms) and ranks_with(
        present(natural) if terms.distinct else natural, max(1, terms.least_set - wilds)
    ):
        return True
    return terms.runs and _near_a_run(terms, natural, wilds)


def _near_a_run(terms: Terms, bits: int, holes: int) -> bool:
    """
    Whether cards of some suit are a run but for so many cards at most.
    """
    held = face_bits(bits)
    for row in terms.rows:
        ranks = ranks_in(held, row)
        if ranks and terms.runs_along.near(ranks, holes):
            return True
    return False


def any_meld(terms: Terms, bits: int) -> bool:
    """
    Whether some of the cards make a meld.
    """
    if not bits & terms.wild_mask:
        if terms.sets and ranks_with(
            present(bits) if terms.distinct else bits, terms.least_set
        ):
            return True
        if terms.runs and _near_a_run(terms, bits, 0):
            return True
        if terms.wild[JOKER]:
            return False
    return next(melds_in(terms, bits), None) is not None
