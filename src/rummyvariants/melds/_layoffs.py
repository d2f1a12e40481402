"""
Every way to lay cards off on a meld, lazily and in a stable order; see `combos`.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator

from rummyvariants.cards import FIELD, JOKER, RANKS, UNIT, codes, present, size
from rummyvariants.melds._combos import (
    Choice,
    fill,
    free_sets,
    ranks_with,
    sub_multisets,
)
from rummyvariants.melds._layoff_reading import uncovered
from rummyvariants.melds._meld import (
    OWN_PLACE,
    Meld,
    Place,
    Played,
    counted_wilds,
    played,
    run_code,
)
from rummyvariants.melds._tables import Terms


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
        natural = bits & terms.natural_mask if terms.sets else 0
        for rank in ranks_with(natural, terms.least_set - 1):
            for part in _naturals_for_wild(terms, rank, bits):
                if must < 0 or part & FIELD[must]:
                    if size(part) > 1 or _one_will_do(terms, meld, rank):
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


def _one_will_do(terms: Terms, meld: Meld, rank: str) -> bool:
    """
    Whether a single wild is a set with one natural card already.
    """
    own = terms.own_place_is_natural and meld.slots[0].card.rank == rank
    return terms.limit != "more naturals" or own


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
                else free_sets(terms, meld.rank, bits, natural, counted, must)
            )
            for cards, used in found:
                yield cards, used, None
            return
        taken = {slot.code for slot in meld.slots}
        free = [code for code in terms.set_codes[meld.rank] if code not in taken]
        for number in range(1, len(free) + 1):
            for chosen in itertools.combinations(free, number):
                for cards, used in fill(
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
            if closed_above(terms, meld, below, total):
                continue
            if above and not _reaches(terms, bits, suit, range(top, top + above)):
                break
            places = [
                run_code(terms, suit, at)
                for at in (*range(low, meld.low), *range(top, top + above))
            ]
            end = end_to_say(terms, meld, below, above)
            for cards, used in fill(
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
            if closed_above(terms, meld, below, total):
                continue
            places = (
                *along[start : meld.low],
                *along[meld.low + len(meld) : start + total],
            )
            if must < 0 or must in places:
                end = end_to_say(terms, meld, below, above)
                yield tuple(map(played, places)), sum([UNIT[c] for c in places]), end


def closed_above(terms: Terms, meld: Meld, below: int, total: int) -> bool:
    """
    Whether cards below a run close a full circle that cards above it close as well.
    """
    return (
        bool(below)
        and total == terms.runs_along.circle
        and terms.fits_track(meld.low, total)
    )


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


def end_to_say(terms: Terms, meld: Meld, below: int, above: int) -> str | None:
    """
    The end to name where the same ranks would fit another way as well.
    """
    total = len(meld) + below + above
    mine = _ranks_laid(terms, meld, below, above)
    for other in range(below + above + 1):
        if other == below or not terms.fits_track(meld.low - other, total):
            continue
        if _ranks_laid(terms, meld, other, below + above - other) == mine:
            return "low" if below > other else "high"
    return None


def _ranks_laid(terms: Terms, meld: Meld, below: int, above: int) -> list[str]:
    top = meld.low + len(meld)
    return sorted(
        terms.track[meld.low - below : meld.low] + terms.track[top : top + above]
    )
