"""
Named cards put on shapes: what a player may have meant.

A draft is a meld that is being read: nobody has checked its limits or what fits it.

A wild that is not declared stands for itself if that leaves a place for it, otherwise
for the only card that it can. Two wilds that change places make one reading.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator, Sequence

import attrs

from rummyvariants.cards import CARDS, RANKS, ROW_OF, Card
from rummyvariants.melds._meld import (
    IDENTICAL,
    OWN_PLACE,
    Beside,
    Meld,
    Place,
    Played,
    Slot,
    counted_wilds,
    laid_along,
    moved_in,
    moving_in,
    place,
    uncovered,
    window_of,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._track import RUN_CODES, codes_along


def words(cards: Sequence[Played]) -> str:
    """
    Cards as they were written.
    """
    return " ".join(map(str, cards))


def declared(terms: Terms, one: Played) -> Place | None:
    """
    The declaration of a card; None for a natural card and for a bare wild.
    """
    return one.stands_for if terms.wild[one.card.code] else None


def said_of(terms: Terms, one: Played) -> Card | Place | None:
    """
    What a card is said to be: itself, or what it stands for; None for a bare wild.
    """
    return one.stands_for if terms.wild[one.card.code] else one.card


def placed(
    terms: Terms, cards: Sequence[Played], places: Sequence[int], seat: int
) -> tuple[Slot, ...] | None:
    """
    Cards put on as many places, one on each; None if they do not fit.

    They stay in the order written.
    """
    free, loose = [*places], []
    codes = [0] * len(cards)
    for index, one in enumerate(cards):
        said = said_of(terms, one)
        fits = [at for at in free if _is_said(said, at)]
        if not fits:
            return None
        if len(fits) == 1:
            codes[index] = fits[0]
            free.remove(fits[0])
        else:
            loose.append(index)
    loose.sort(key=lambda index: cards[index].card.code)
    # Wilds stand for themselves first, if what they are said to stand for allows it.
    for index in [*loose]:
        code = cards[index].card.code
        if code in free and _is_said(cards[index].stands_for, code):
            codes[index] = code
            free.remove(code)
            loose.remove(index)
    for index, code in zip(loose, free, strict=True):
        codes[index] = code
    return tuple(
        [
            Slot(one.card, OWN_PLACE[code] if terms.wild[one.card.code] else None, seat)
            for one, code in zip(cards, codes, strict=True)
        ]
    )


def _is_said(said: Card | Place | None, code: int) -> bool:
    """
    Whether what a card is said to be can be the card of a code.
    """
    if said is None:
        return True
    return said.code == code if said.suit else said.rank == CARDS[code].rank


def _named(terms: Terms, cards: Sequence[Played], part: str) -> set[str]:
    """
    The ranks or suits that cards are said to have; if all are wild, their own ones.
    """
    said = [said_of(terms, one) for one in cards]
    found = {getattr(one, part) for one in said if one is not None} - {""}
    return found or {getattr(one.card, part) for one in cards if not one.card.is_joker}


# ---------------------------------------------------------------------------- new melds


def drafts_of(terms: Terms, cards: Sequence[Played], seat: int) -> Iterator[Meld]:
    """
    All readings of cards as a new set or run.
    """
    yield from set_drafts(terms, cards, seat)
    yield from _run_drafts(terms, cards, seat)


def set_drafts(terms: Terms, cards: Sequence[Played], seat: int) -> Iterator[Meld]:
    """
    All readings of cards as a new set.
    """
    if terms.sets and len(cards) >= terms.least_set:
        ranks = _named(terms, cards, "rank")
        if len(ranks) == 1 or all(terms.wild[one.card.code] for one in cards):
            for rank in sorted(ranks):
                for slots in _in_set(terms, cards, seat, rank, ()):
                    yield Meld("set", slots, seat)


def _in_set(
    terms: Terms, cards: Sequence[Played], seat: int, rank: str, old: tuple[Slot, ...]
) -> Iterator[tuple[Slot, ...]]:
    """
    The ways in which cards join the cards of a set, perhaps none.
    """
    if rank == "*":
        # A wild stands for a card with a rank, not for a joker.
        if all(
            one.card.rank == rank and not terms.wild[one.card.code] for one in cards
        ):
            yield (*old, *[Slot(one.card, None, seat) for one in cards])
    elif terms.distinct:
        taken = {slot.code for slot in old}
        free = [code for code in terms.set_codes[rank] if code not in taken]
        for places in itertools.combinations(free, len(cards)):
            slots = placed(terms, cards, places, seat)
            if slots is not None:
                yield (*old, *slots)
    elif all(
        said is None or said.rank == rank
        for said in [said_of(terms, one) for one in cards]
    ):
        slots = tuple(
            [Slot(one.card, free_place(terms, one, rank), seat) for one in cards]
        )
        if terms.twins or not has_twins(old + slots):
            yield old + slots


def has_twins(slots: Sequence[Slot]) -> bool:
    """
    Whether two natural cards among these are of one face.
    """
    natural = [slot.card.code for slot in slots if slot.stands_for is None]
    return len({*natural}) < len(natural)


def free_place(terms: Terms, one: Played, rank: str) -> Place | None:
    """
    What a card stands for in a set whose suits do not matter.
    """
    if not terms.wild[one.card.code]:
        return None
    return OWN_PLACE[one.card.code] if one.card.rank == rank else place(rank)


def _run_drafts(terms: Terms, cards: Sequence[Played], seat: int) -> Iterator[Meld]:
    if not terms.runs or any(
        one.card.is_joker and not terms.wild[one.card.code] for one in cards
    ):
        return
    suits = _named(terms, cards, "suit")
    if len(suits) > 1 and not all(terms.wild[one.card.code] for one in cards):
        return
    fixed = 0
    for one in cards:
        said = said_of(terms, one)
        if said is not None:
            fixed |= 1 << RANKS.index(said.rank)
    for suit in sorted(suits):
        row = ROW_OF[suit]
        for window in terms.any_runs.by_length.get(len(cards), ()):
            if not fixed & ~window.ranks:
                along = codes_along(row, window)
                slots = placed(terms, cards, along, seat)
                if slots is not None:
                    lying, _ = laid_along(slots, (), along)
                    yield Meld("run", lying, seat, window.low)


def alike_draft(terms: Terms, cards: Sequence[Played], seat: int) -> Meld | None:
    """
    The reading of cards as three identical ones that stand for themselves.
    """
    if not terms.alike or len(cards) != IDENTICAL:
        return None
    card = cards[0].card
    own = {None, OWN_PLACE[card.code], place(card.rank) if card.suit else None}
    if card.is_joker or any(
        one.card != card or one.stands_for not in own for one in cards
    ):
        return None
    stands_for = OWN_PLACE[card.code] if terms.wild[card.code] else None
    return Meld("alike", (Slot(card, stands_for, seat),) * IDENTICAL, seat)


# ----------------------------------------------------------------------------- lay-offs


def layoff_drafts(
    terms: Terms,
    meld: Meld,
    cards: Sequence[Played],
    seat: int,
    end: str | None,
    *,
    grow: bool,
) -> Iterator[Meld]:
    """
    All readings of cards as laid off on a set or run (see `read_layoff`).
    """
    open_to = {} if grow else uncovered(terms, meld)
    lying, growing = [*meld.beside], []
    for one in cards:
        code = one.card.code
        said = None if one.stands_for == OWN_PLACE[code] else one.stands_for
        if code in open_to and said is None:
            lying.append(Beside(open_to.pop(code), one.card, seat))
        else:
            growing.append(one)
    if not growing:
        draft = attrs.evolve(meld, beside=tuple(lying))
        if end is None or _lies_at(end, meld, draft):
            yield draft
    elif meld.kind == "run":
        yield from _longer_runs(terms, meld, growing, seat, end, lying)
    else:
        for slots in _in_set(terms, growing, seat, meld.rank, meld.slots):
            yield Meld("set", slots, meld.maker, -1, tuple(lying))


def _longer_runs(
    terms: Terms,
    meld: Meld,
    cards: Sequence[Played],
    seat: int,
    end: str | None,
    lying: Sequence[Beside],
) -> Iterator[Meld]:
    row, track = meld.row, terms.any_runs
    old = [slot.code for slot in meld.slots]
    ranks = window_of(meld).ranks
    before, moving = track.window(meld.low, ranks), moving_in(terms, meld)
    ways = track.shifted(before, *moving) if moving else ()
    homes = {one.ranks for one in ways if moving and one.wild == moving[1]}
    for window, _, _ in track.longer(before):
        if window.length != len(meld) + len(cards) or window.ranks & ~ranks in homes:
            continue
        along = codes_along(row, window)
        slots = placed(terms, cards, [one for one in along if one not in old], seat)
        if slots is not None:
            whole, beside = laid_along((*meld.slots, *slots), lying, along)
            draft = Meld("run", whole, meld.maker, window.low, beside)
            # Whichever end the cards go to, they may close a circle.
            circle = window.length == track.circle
            if end is None or circle or _lies_at(end, meld, draft):
                yield draft
    for way in ways:
        if way.ranks.bit_count() != len(cards):
            continue
        along = codes_along(row, way.window)
        new = [code for at, code in enumerate(RUN_CODES[row]) if way.ranks >> at & 1]
        slots = placed(terms, cards, new, seat)
        if slots is not None and not counted_wilds(terms, slots):
            moved = moved_in(meld.slots, along, way.held)
            whole, beside = laid_along((*moved, *slots), lying, along)
            draft = Meld("run", whole, meld.maker, way.window.low, beside)
            if end is None or _lies_at(end, meld, draft):
                yield draft


def _lies_at(end: str, meld: Meld, draft: Meld) -> bool:
    """
    Whether cards laid on a run lie at the end that is named (RV-31).

    The end named is that of the ace among them; without an ace, that of the cards by
    which the run grows, or else of those beside its wilds.
    """
    codes = [slot.code for slot in draft.slots]
    old = [at for at, slot in enumerate(draft.slots) if slot in meld.slots]
    grown = [at for at in range(len(codes)) if at not in old]
    lying = [one.index for one in draft.beside[len(meld.beside) :]]
    aces = [at for at in grown + lying if CARDS[codes[at]].rank == "A"]
    if end == "low":
        return all(at < max(old[0], 1) for at in aces or grown or lying)
    top = min(old[-1] + 1, len(codes) - 1)
    return all(at >= top for at in aces or grown or lying)
