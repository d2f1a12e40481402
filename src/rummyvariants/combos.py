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
    RANKS,
    SUITS,
    UNIT,
    codes,
    count,
    faces,
    pack,
    present,
    size,
)
from rummyvariants.melds import (
    OWN_PLACE,
    Meld,
    Place,
    Played,
    counted_wilds,
    place,
    played,
    run_code,
)
from rummyvariants.reading import uncovered
from rummyvariants.terms import Terms


Choice = tuple[tuple[Played, ...], int]
"""Cards as an action names them, and the same as a multiset."""

_LANE = (1 << 64) - 1
_EVEN = sum(15 << 8 * at for at in range(8))
_BYTES = sum(1 << 8 * at for at in range(8))
_TOPS = _BYTES << 7


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


def _wild_room(terms: Terms, naturals: int, wilds: int) -> int:
    """
    How many more wilds a meld with so many naturals and counted wilds takes.
    """
    if terms.limit == "none":
        return 99
    if terms.limit == "one":
        return 1 - wilds
    return naturals - 1 - wilds


def _fill(
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
            if terms.limit != "none" and not _within_limit(
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


def _within_limit(
    terms: Terms, length: int, holes: int, own: int, naturals: int, wilds: int
) -> bool:
    """
    Whether a meld keeps the limit on wilds after places of it were filled.
    """
    as_wild = holes
    if not terms.own_place_is_natural:
        as_wild += size(own & terms.wild_mask)
    return not as_wild or as_wild <= _wild_room(
        terms, naturals + length - as_wild, wilds
    )


def _filled(
    terms: Terms, places: tuple[int, ...], bits: int, must: int
) -> Iterable[Choice]:
    """
    What `_fill` gives for a new meld, remembered where few wilds are at hand.
    """
    pool = bits & terms.wild_mask
    if size(pool) > _WILDS_REMEMBERED:
        return _fill(terms, places, bits, must=must)
    mask = 0
    for code in places:
        mask |= FIELD[code]
    return _remembered(
        terms,
        (places, present(bits) & mask, pool),
        lambda: _fill(terms, places, bits),
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


_WILDS_REMEMBERED: Final = 2
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
    targets = [places[at] for at in holes]
    if len(targets) == 1:
        for code in faces(pool):
            if code != targets[0]:
                yield (code,)
        return
    for part in sub_multisets(pool, len(holes), len(holes)):
        wanted = tuple(codes(part))
        for cards in itertools.permutations(wanted):
            if all(card != target for card, target in zip(cards, targets, strict=True)):
                yield cards
                break


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
        for choice in _wilds_alone(terms, bits):
            if must < 0 or choice[1] & FIELD[must]:
                yield choice


def _wilds_alone(terms: Terms, bits: int) -> Iterator[Choice]:
    for part in sub_multisets(bits & terms.wild_mask, terms.least_set):
        yield tuple(map(played, codes(part))), part


def ranks_with(bits: int, least: int) -> str:
    """
    The ranks of which so many cards are held, ace first; jokers are left out.
    """
    even = odd = 0
    for lane in (
        bits & _LANE,
        bits >> 64 & _LANE,
        bits >> 128 & _LANE,
        bits >> 192 & _LANE,
    ):
        even += lane & _EVEN
        odd += lane >> 4 & _EVEN
    # A byte a rank: its top bit tells whether the count is high enough.
    even = even + _BYTES * (128 - least) & _TOPS
    odd = odd + _BYTES * (128 - least) & _TOPS
    if not even | odd:
        return ""
    return "".join(
        [
            rank
            for number, rank in enumerate(RANKS, 1)
            if (odd if number & 1 else even) >> 8 * (number >> 1) & 128
        ]
    )


def _sets_in(terms: Terms, bits: int, wilds: int, must: int) -> Iterator[Choice]:
    usable = _wild_room(terms, 99, 0)
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
            yield from _distinct_sets_in(terms, rank, bits, must)
        else:
            yield from _free_sets(terms, rank, bits, -1, 0, must)
    if not terms.wild[JOKER] and must in {-1, JOKER}:
        for part in sub_multisets(bits & FIELD[JOKER], terms.least_set):
            yield tuple(map(played, codes(part))), part


def _distinct_sets_in(
    terms: Terms, rank: str, bits: int, must: int
) -> Iterator[Choice]:
    places = terms.set_codes[rank]
    for length in range(terms.least_set, len(places) + 1):
        for chosen in itertools.combinations(places, length):
            if must < 0 or terms.wild[must] or must in chosen:
                yield from _filled(terms, chosen, bits, must)


def _free_sets(
    terms: Terms, rank: str, bits: int, naturals: int, wilds: int, must: int
) -> Iterable[Choice]:
    """
    What `_free_sets_in` gives, remembered where few wilds are at hand.
    """
    pool = bits & terms.wild_mask
    if size(pool) > _WILDS_REMEMBERED:
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

    The arguments are those of `_fill`.
    """
    new = naturals < 0
    naturals = max(naturals, 0)
    least = terms.least_set if new else 1
    mask = terms.rank_masks[rank]
    own_is_natural = terms.own_place_is_natural
    pool = bits & terms.wild_mask
    for wild_part in sub_multisets(pool):
        own = size(wild_part & mask)
        others = size(wild_part) - own
        as_natural = own if own_is_natural else 0
        as_wild = others + own - as_natural
        for part in sub_multisets(bits & mask & terms.natural_mask):
            held = size(part)
            if held + others + own < least or (new and held + own == 0):
                continue
            room = _wild_room(terms, naturals + held + as_natural, wilds)
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
    usable = min(wilds, _wild_room(terms, 99, 0))
    for suit in terms.suits:
        if must >= 0 and not terms.wild[must] and CARDS[must].suit != suit:
            continue
        along = terms.run_codes[suit]
        held = ranks_held(bits >> 64 * SUITS.index(suit))
        for low, length in terms.runs_along.near(held, usable):
            places = along[low : low + length]
            if must < 0 or terms.wild[must] or must in places:
                yield from _filled(terms, places, bits, must)


def ranks_held(lane: int) -> int:
    """
    The ranks of a suit that are there, as bits, the ace lowest.

    Args:
        lane: A multiset from which the lower suits are shifted out.
    """
    lane &= _LANE
    found = _HELD.get(lane)
    if found is None:
        found = 0
        for number in range(13):
            found |= (lane >> 4 * number + 4 & 7 > 0) << number
        if len(_HELD) >= _HELD_AT_MOST:
            _HELD.clear()
        _HELD[lane] = found
    return found


_HELD: Final[dict[int, int]] = {}
_HELD_AT_MOST: Final = 50_000


def in_some_meld(terms: Terms, bits: int, code: int) -> bool:
    """
    A quick look: whether some of the cards make a meld with a natural one of them.

    The limits on wild cards are taken as none.
    """
    wilds = size(bits & terms.wild_mask)
    if terms.sets:
        mates = bits & terms.rank_masks[CARDS[code].rank] & terms.natural_mask
        if terms.distinct and code != JOKER:
            mates = present(mates)
        if size(mates) + wilds >= terms.least_set:
            return True
    if not terms.runs or code == JOKER:
        return False
    held = ranks_held((bits & terms.natural_mask) >> 64 * (code >> 4))
    return terms.runs_along.covers(held, wilds, (code & 15) - 1)


def wild_in_some_meld(terms: Terms, bits: int) -> bool:
    """
    A quick look: whether some natural cards make a meld with the wilds at hand.

    Any one of the wilds can be part of it. The limits on wild cards are taken as none,
    and wilds in their own places are not looked at.
    """
    wilds = size(bits & terms.wild_mask)
    natural = bits & terms.natural_mask
    if terms.sets and ranks_with(
        present(natural) if terms.distinct else natural, max(1, terms.least_set - wilds)
    ):
        return True
    return terms.runs and any(
        terms.runs_along.near(ranks_held(natural >> 64 * SUITS.index(suit)), wilds)
        for suit in terms.suits
    )


def any_meld(terms: Terms, bits: int) -> bool:
    """
    Whether some of the cards make a meld.
    """
    if not bits & terms.wild_mask:
        if terms.sets and ranks_with(
            present(bits) if terms.distinct else bits, terms.least_set
        ):
            return True
        if terms.runs and any(
            terms.runs_along.near(ranks_held(bits >> 64 * SUITS.index(suit)), 0)
            for suit in terms.suits
        ):
            return True
        if terms.wild[JOKER]:
            return False
    return next(melds_in(terms, bits), None) is not None


# ---------------------------------------------------------------- one meld at random


Shape = tuple[str, tuple[int, ...]]
"""A rank whose suits do not matter, or an empty text and the places to be filled."""

RandRange = Callable[[int], int]
"""A source of chance: a number from 0 to below another."""


def shapes_in(terms: Terms, bits: int) -> list[Shape]:
    """
    The sets and runs that some of the cards may make, how they are filled left open.

    A set whose suits matter comes with all its suits, of which some may stay empty.
    """
    wilds = size(bits & terms.wild_mask)
    usable = min(wilds, _wild_room(terms, 99, 0))
    found: list[Shape] = []
    if terms.sets:
        natural = bits & terms.natural_mask
        counted = (present(natural) if terms.distinct else natural) | (
            bits & terms.wild_mask
        )
        for rank in ranks_with(counted, max(terms.least_set - usable, 1)):
            if rank in terms.ranks:
                found.append((rank, terms.set_codes[rank] if terms.distinct else ()))
        if not terms.wild[JOKER] and count(bits, JOKER) >= terms.least_set:
            found.append(("*", ()))
    if terms.runs:
        for suit in terms.suits:
            held = ranks_held(bits >> 64 * SUITS.index(suit))
            if held:
                along = terms.run_codes[suit]
                found += [
                    ("", along[low : low + length])
                    for low, length in terms.runs_along.near(held, usable)
                ]
    if terms.wild_melds and wilds >= terms.least_set:
        found.append(("wilds", ()))
    return found


def one_of_shape(
    terms: Terms, shape: Shape, bits: int, randrange: RandRange
) -> Choice | None:
    """
    A meld of a shape at random; each can come. None if the shape cannot be filled.
    """
    rank, places = shape
    pool = bits & terms.wild_mask
    if rank == "wilds":
        return _picked(tuple(_wilds_alone(terms, bits)), randrange)
    if rank == "*":
        found = sub_multisets(bits & FIELD[JOKER], terms.least_set)
        return _picked(
            [(tuple(map(played, codes(one))), one) for one in found], randrange
        )
    if size(pool) > _WILDS_REMEMBERED:
        # With many wilds a part of them is enough for one meld.
        drawn = list(codes(pool))
        kept = 1 + randrange(min(len(drawn), 4))
        while len(drawn) > kept:
            drawn.pop(randrange(len(drawn)))
        bits = bits - pool + pack(drawn)
    if not rank:
        return _picked(tuple(_filled(terms, places, bits, -1)), randrange)
    if not places:
        return _picked(tuple(_free_sets(terms, rank, bits, -1, 0, -1)), randrange)
    return _picked(tuple(_distinct_sets_in(terms, rank, bits, -1)), randrange)


def _picked(choices: Sequence[Choice], randrange: RandRange) -> Choice | None:
    return choices[randrange(len(choices))] if choices else None


# -------------------------------------------------------------------------- lay-offs


def layoffs_on(
    terms: Terms, meld: Meld, bits: int, must: int = -1
) -> Iterator[tuple[tuple[Played, ...], int, str | None]]:
    """
    Every way to lay some of the cards off on a meld, or beside wilds of it.

    Yields:
        The cards, the same as a multiset, and the end of the run where that has to be
        said.
    """
    if meld.kind == "wild":
        for rank in ranks_with(bits & terms.natural_mask, terms.least_set - 1):
            for part in _naturals_for_wild(terms, rank, bits):
                if must < 0 or part & FIELD[must]:
                    yield tuple(map(played, codes(part))), part, None
        return
    if meld.kind == "wilds":
        for part in sub_multisets(bits & terms.wild_mask, 1):
            if must < 0 or part & FIELD[must]:
                yield tuple(map(played, codes(part))), part, None
        return
    fits = _everything_that_fits(terms, meld, bits)
    places = [code for code in uncovered(terms, meld) if bits & FIELD[code]]
    for number in range(len(places) + 1):
        for chosen in itertools.combinations(places, number):
            lying = tuple(played(code, _as_itself(terms, code)) for code in chosen)
            used = sum([UNIT[code] for code in chosen])
            if chosen and (must < 0 or used & FIELD[must]):
                yield lying, used, None
            if not fits:
                continue
            need = -1 if must < 0 or used & FIELD[must] else must
            for cards, grown, end in growths_on(terms, meld, bits - used, need):
                yield lying + cards, used + grown, end


def _as_itself(terms: Terms, code: int) -> Place | None:
    return OWN_PLACE[code] if terms.wild[code] else None


def _everything_that_fits(terms: Terms, meld: Meld, bits: int) -> bool:
    """
    A quick look: whether any card at all could make the meld grow.
    """
    return bool(meld.grows & bits) or bool(bits & terms.wild_mask)


def _naturals_for_wild(terms: Terms, rank: str, bits: int) -> Iterator[int]:
    held = bits & terms.rank_masks[rank] & terms.natural_mask
    if terms.distinct:
        held = present(held)
    most = len(terms.suits) - 1 if terms.distinct else 99
    yield from sub_multisets(held, terms.least_set - 1, most)


def growths_on(
    terms: Terms, meld: Meld, bits: int, must: int
) -> Iterator[tuple[tuple[Played, ...], int, str | None]]:
    """
    Every way to lay some of the cards off so that a set or run grows by all of them.

    Args:
        terms: The terms of the deal.
        meld: The meld, of kind set or run.
        bits: The cards at hand.
        must: The code of a card that has to be used; -1 for none.
    """
    counted = counted_wilds(terms, meld.slots)
    natural = len(meld) - counted
    if meld.kind == "set":
        if not terms.distinct or meld.rank == "*":
            found = (
                _jokers_on(bits, must)
                if meld.rank == "*"
                else _free_sets(terms, meld.rank, bits, natural, counted, must)
            )
            for cards, used in found:
                yield cards, used, None
            return
        taken = {slot.code for slot in meld.slots}
        free = [code for code in terms.set_codes[meld.rank] if code not in taken]
        for number in range(1, len(free) + 1):
            for chosen in itertools.combinations(free, number):
                for cards, used in _fill(
                    terms, chosen, bits, naturals=natural, wilds=counted, must=must
                ):
                    yield cards, used, None
        return
    suit = meld.suit
    top = meld.low + len(meld)
    if not bits & terms.wild_mask:
        yield from _natural_ends(terms, meld, bits, must)
        return
    cards_at_most = size(bits)
    for below in range(len(terms.track)):
        if below and not _reaches(terms, bits, suit, range(meld.low - below, meld.low)):
            break
        for above in range(len(terms.track)):
            low, total = meld.low - below, len(meld) + below + above
            if below + above == 0:
                continue
            if below + above > cards_at_most or not terms.fits_track(low, total):
                break
            if above and not _reaches(terms, bits, suit, range(top, top + above)):
                break
            places = [
                run_code(terms, suit, at)
                for at in (*range(low, meld.low), *range(top, top + above))
            ]
            end = _end_to_say(terms, meld, below, above)
            for cards, used in _fill(
                terms, places, bits, naturals=natural, wilds=counted, must=must
            ):
                yield cards, used, end


def _natural_ends(
    terms: Terms, meld: Meld, bits: int, must: int
) -> Iterator[tuple[tuple[Played, ...], int, str | None]]:
    """
    What `growths_on` gives for a run where no wild is at hand.
    """
    along = terms.run_codes[meld.suit]
    low, top = meld.low, meld.low + len(meld)
    while low > 0 and along[low - 1] and bits & FIELD[along[low - 1]]:
        low -= 1
    while top < len(along) and along[top] and bits & FIELD[along[top]]:
        top += 1
    for below in range(meld.low - low + 1):
        for above in range(top - meld.low - len(meld) + 1):
            start, total = meld.low - below, len(meld) + below + above
            if below + above == 0:
                continue
            if not terms.fits_track(start, total):
                break
            places = (
                *along[start : meld.low],
                *along[meld.low + len(meld) : start + total],
            )
            if must < 0 or must in places:
                end = _end_to_say(terms, meld, below, above)
                yield tuple(map(played, places)), sum([UNIT[c] for c in places]), end


def _jokers_on(bits: int, must: int) -> Iterator[Choice]:
    for part in sub_multisets(bits & FIELD[JOKER], 1):
        if must < 0 or part & FIELD[must]:
            yield tuple(map(played, codes(part))), part


def _reaches(terms: Terms, bits: int, suit: str, stretch: range) -> bool:
    """
    Whether the cards could fill a stretch, wilds in every hole.
    """
    holes = 0
    for at in stretch:
        if at < 0 or at >= len(terms.track) or terms.track[at] not in RANKS:
            return False
        holes += not bits & FIELD[run_code(terms, suit, at)]
    return holes <= size(bits & terms.wild_mask)


def _end_to_say(terms: Terms, meld: Meld, below: int, above: int) -> str | None:
    """
    The end to name where the same ranks would fit at the other end as well.
    """
    if below and above:
        return None
    low, total = meld.low - below, len(meld) + below + above
    other = meld.low - above
    if not terms.fits_track(other, total):
        return None
    top = meld.low + len(meld)
    mine = terms.track[low : meld.low] + terms.track[top : top + above]
    there = terms.track[other : meld.low] + terms.track[top : top + below]
    if mine != there:
        return None
    return "low" if below else "high"
