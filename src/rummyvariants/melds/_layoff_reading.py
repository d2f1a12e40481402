"""
What a player may have meant: the cards named, read as a lay-off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

from rummyvariants.cards import CARDS, FIELD
from rummyvariants.melds._meld import (
    OWN_PLACE,
    Beside,
    Meld,
    Played,
    Slot,
    built,
    is_traded,
    own_slots,
    played,
)
from rummyvariants.melds._reading import (
    MeldDraft,
    along,
    ambiguous,
    best_of,
    corner,
    declared,
    distinct_sets,
    free_place,
    has_twins,
    limit_of_draft,
    misdeclared,
    round_the_corner,
    set_drafts,
    words,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.rulings import Objection


Side = Literal["low", "high"]


def read_layoff(
    terms: Terms,
    meld: Meld,
    cards: Sequence[Played],
    seat: int,
    end: str | None = None,
    *,
    grow: bool = False,
) -> Meld | Objection:
    """
    A meld with cards laid off on it, or why they do not fit.

    Args:
        terms: The terms of the deal.
        meld: The meld as it lies.
        cards: The cards in the order written.
        seat: Who lays them.
        end: ``low`` or ``high`` if the player named an end of the run.
        grow: Whether the meld must grow, so that no card may go beside a wild.
    """
    if len(cards) == 1 and terms.extra is None:
        plain = _plain_card(terms, meld, cards[0], seat, end, grow=grow)
        if plain is not None:
            return plain
    wrong = misdeclared(terms, cards)
    if wrong is not None:
        return wrong
    if end is not None and meld.kind != "run":
        return Objection("RV-31", f"only a run has a {end} end", ("layoff.onto",))
    if meld.kind == "wild":
        return _build_on_wild(terms, meld, cards, seat)
    if meld.kind == "wilds":
        if all(terms.wild[one.card.code] and one.stands_for is None for one in cards):
            slots = tuple(Slot(one.card, None, seat) for one in cards)
            return attrs.evolve(meld, slots=meld.slots + slots)
        return Objection(
            "wild.wild_melds", "only wild cards go on a meld of wild cards"
        )
    drafts = list(_layoff_drafts(terms, meld, cards, seat, end, grow=grow))
    limits = [limit_of_draft(terms, draft, meld.maker) for draft in drafts]
    best = best_of(drafts, limits)
    if len(best) == 1:
        (draft,) = best
        return built(
            terms, draft.kind, draft.slots, meld.maker, draft.low, draft.beside
        )
    if best:
        misfit = ambiguous(cards, best)
        if not any(terms.wild[one.card.code] and not one.stands_for for one in cards):
            # Only an ace that fits both ends comes here.
            return Objection(
                "meld.ace", f"{words(cards)} fits both ends: say low or high"
            )
        return misfit
    for wrong in limits:
        if wrong is not None:
            return wrong
    if end is not None:
        elsewhere = read_layoff(terms, meld, cards, seat, grow=grow)
        if isinstance(elsewhere, Meld):
            return Objection(
                "RV-31",
                f"{words(cards)} would not lie at the {end} end of the run {elsewhere}",
                ("layoff.onto", "meld.ace"),
            )
    return _no_layoff(terms, meld, cards, grow=grow)


def _plain_card(
    terms: Terms, meld: Meld, one: Played, seat: int, end: str | None, *, grow: bool
) -> Meld | None:
    """
    A shortcut for one card that goes beside a wild, or fits in just one way.

    The card is natural, or a wild with a declaration.
    """
    card = one.card
    code = card.code
    where = one.stands_for
    if meld.real & FIELD[code]:
        index = -1
        if not grow and not terms.wild[code] and where is None and end is None:
            index = uncovered(terms, meld).get(code, -1)
        if index < 0:
            return None
        beside = (*meld.beside, Beside(index, card, seat))
        return built(terms, meld.kind, meld.slots, meld.maker, meld.low, beside)
    if terms.wild[code]:
        if where is None or not (meld.takes_wild or where is OWN_PLACE[code]):
            return None
        code = where.code
    elif where is not None:
        return None
    slots = meld.slots
    new = own_slots(seat)[card.code]
    if meld.kind == "set" and end is None:
        if terms.wild[card.code] and not terms.distinct:
            if where is None or where.rank != meld.rank:
                return None
            where = free_place(terms, one, where.rank)
        elif code < 0 or not meld.grows & FIELD[code]:
            return None
        if where is not None:
            new = Slot(card, where, seat)
        return built(terms, "set", (*slots, new), meld.maker, -1, meld.beside)
    if meld.kind != "run" or code < 0 or not meld.grows & FIELD[code]:
        return None
    along = terms.runs_along.codes[slots[0].code >> 4]
    low = meld.low
    length = len(slots)
    below = terms.fits_track(low - 1, length + 1) and along[low - 1] == code
    above = terms.fits_track(low, length + 1) and along[low + length] == code
    if below == above or end not in {None, "low" if below else "high"}:
        return None
    if where is not None:
        new = Slot(card, where, seat)
    if above:
        return built(terms, "run", (*slots, new), meld.maker, low, meld.beside)
    beside = tuple([Beside(on.index + 1, on.card, on.seat) for on in meld.beside])
    return built(terms, "run", (new, *slots), meld.maker, low - 1, beside)


def _build_on_wild(
    terms: Terms, meld: Meld, cards: Sequence[Played], seat: int
) -> Meld | Objection:
    """
    A single wild made into a set by its owner (HR-12).
    """
    ranks = {one.card.rank for one in cards}
    if seat != meld.maker:
        return Objection(
            "layoff.single_wilds", "only its owner may build on a single wild card"
        )
    if any(terms.wild[one.card.code] for one in cards):
        one = terms.most_in_sets[-1] <= 1
        path = "wild.limit" if one else "layoff.single_wilds"
        return Objection(
            path,
            "only natural cards may be built on a single wild card",
            ("layoff.single_wilds",),
        )
    if len(ranks) != 1 or len(cards) + 1 < terms.least_set:
        return Objection(
            "layoff.single_wilds",
            "a single wild card takes at least two natural cards of one rank",
        )
    wild = played(meld.slots[0].card.code)
    drafts = list(set_drafts(terms, [wild, *cards], seat))
    if not drafts:
        return Objection("meld.sets", f"{words(cards)} makes no set with {wild}")
    # Where suits matter the wild takes the first one that is free (RV-13).
    wrong = limit_of_draft(terms, drafts[0])
    return wrong or built(terms, "set", drafts[0].slots, seat)


def uncovered(terms: Terms, meld: Meld) -> dict[int, int]:
    """
    The real cards that may go beside wilds of a meld: the slots, by code.
    """
    if not terms.lies_beside or not meld.real:
        return {}
    covered = {one.index for one in meld.beside}
    found = {}
    for index, slot in enumerate(meld.slots):
        where = slot.stands_for
        if where is None or where.code < 0 or where.code == slot.card.code:
            continue
        if index not in covered:
            found[where.code] = index
    return found


def trade(
    terms: Terms,
    meld: Meld,
    code: int,
    seat: int,
    end: Side | None = None,
    *,
    locked: bool,
) -> tuple[Meld, int] | Objection:
    """
    A meld with a real card traded for one of its wilds, or why that is refused.

    If several wilds in a set would do, because suits do not matter, the first one laid
    is taken.

    Args:
        terms: The terms of the deal.
        meld: The meld as it lies.
        code: The real card.
        seat: Who trades.
        end: ``low`` or ``high``: the end of the run that the wild moves to, where it
            does not come to the hand.
        locked: Whether the first card is the dealer's wild, which may not be traded.

    Returns:
        The meld, and the number of the slot that held the wild.
    """
    if meld.kind == "set" and not terms.swaps_sets:
        return Objection("wild.swap_in", "a wild card in a set is not traded")
    index = _wild_for(terms, meld, code, locked=locked)
    if index < 0:
        return _refuse_trade(terms, meld, code)
    if terms.moves_swapped != (end is not None):
        message = "the wild card comes to the hand: no end of a run is named"
        if end is None:
            message = "say whether the wild card moves to the low or the high end"
        return Objection("wild.swapped", message)
    slots = list(meld.slots)
    wild = slots[index]
    stands_for = OWN_PLACE[code] if terms.wild[code] else None
    slots[index] = Slot(CARDS[code], stands_for, seat, wild.twice and end is None)
    low, beside = meld.low, meld.beside
    if end is not None:
        at = ends_of(terms, meld).get(end)
        if at is None:
            message = f"the run {meld} does not grow at its {end} end"
            return Objection("wild.swapped", message, ("meld.runs",))
        moved = Slot(wild.card, OWN_PLACE[at], wild.seat, wild.twice)
        slots.insert(0 if end == "low" else len(slots), moved)
        if end == "low":
            low -= 1
            beside = tuple(
                [Beside(one.index + 1, one.card, one.seat) for one in beside]
            )
    draft = MeldDraft(meld.kind, tuple(slots), low, beside)
    wrong = limit_of_draft(terms, draft, meld.maker)
    if wrong is not None:
        return wrong
    return built(terms, meld.kind, draft.slots, meld.maker, low, beside), index


def ends_of(terms: Terms, meld: Meld) -> dict[Side, int]:
    """
    The cards by which a run becomes longer, by the end at which they would lie.
    """
    along = terms.runs_along.codes[meld.slots[0].code >> 4]
    low, length = meld.low, len(meld)
    found: dict[Side, int] = {}
    if terms.fits_track(low - 1, length + 1):
        found["low"] = along[low - 1]
    if terms.fits_track(low, length + 1):
        found["high"] = along[low + length]
    return found


def trade_ends(terms: Terms, meld: Meld) -> tuple[Side | None, ...]:
    """
    What may be named as the end in a trade: ends of the run, or None for no end.
    """
    return tuple(ends_of(terms, meld)) if terms.moves_swapped else (None,)


def _refuse_trade(terms: Terms, meld: Meld, code: int) -> Objection:
    """
    Why no wild of a meld may be traded for a card.
    """
    kept = [slot for slot in meld.slots if _stands_for(slot, code)]
    if kept and not any(is_traded(terms, slot) for slot in kept):
        message = f"{kept[0].card} is a wild card that is not traded"
        return Objection("wild.swap_for", message)
    if kept and terms.moves_swapped:
        message = f"the {meld.kind} {meld} has no end for the wild card to move to"
        return Objection("wild.swapped", message)
    message = f"no wild card of the meld {meld} stands for {CARDS[code]}"
    return Objection("wild.real_card", message)


def _wild_for(terms: Terms, meld: Meld, code: int, *, locked: bool) -> int:
    """
    The slot of the wild that a real card may be traded for; -1 for none.
    """
    if meld.real & FIELD[code]:
        for index, slot in enumerate(meld.slots):
            if is_traded(terms, slot) and not (locked and index == 0):
                if slot.code in {-1, code}:
                    return index
    return -1


def _stands_for(slot: Slot, code: int) -> bool:
    """
    Whether a slot holds a wild that stands for a card.
    """
    where = slot.stands_for
    if where is None or slot.own_place:
        return False
    return where.code == code or (where.code < 0 and where.rank == CARDS[code].rank)


def _layoff_drafts(
    terms: Terms,
    meld: Meld,
    cards: Sequence[Played],
    seat: int,
    end: str | None,
    *,
    grow: bool,
) -> Iterator[MeldDraft]:
    places = {} if grow else uncovered(terms, meld)
    beside = list(meld.beside)
    growing = []
    for one in cards:
        code = one.card.code
        own = OWN_PLACE[code]
        if code in places and (not terms.wild[code] or one.stands_for in {None, own}):
            beside.append(Beside(places.pop(code), one.card, seat))
        else:
            growing.append(one)
    lying = tuple(beside)
    if not growing:
        draft = MeldDraft(meld.kind, meld.slots, meld.low, lying)
        if end is None or _lies_at(end, meld, draft):
            yield draft
        return
    if meld.kind == "run":
        yield from _run_layoffs(terms, meld, growing, seat, end, lying)
        return
    rank = meld.rank
    for one in growing:
        said = declared(terms, one)
        wild = terms.wild[one.card.code]
        named = one.card.rank if said is None else said.rank
        if named != rank and (said is not None or not wild):
            return
        if rank == "*" and wild:
            return
    if terms.distinct and rank != "*":
        for draft in distinct_sets(terms, growing, seat, rank, meld.slots):
            yield attrs.evolve(draft, beside=lying)
    else:
        new = tuple(
            Slot(one.card, free_place(terms, one, rank), seat) for one in growing
        )
        if rank == "*" or terms.twins or not has_twins(meld.slots + new):
            yield MeldDraft("set", meld.slots + new, -1, lying)


def _run_layoffs(
    terms: Terms,
    meld: Meld,
    cards: Sequence[Played],
    seat: int,
    end: str | None,
    beside: tuple[Beside, ...],
) -> Iterator[MeldDraft]:
    suit = meld.suit
    for one in cards:
        said = declared(terms, one)
        named = one.card.suit if said is None else said.suit or suit
        if named != suit and (said is not None or not terms.wild[one.card.code]):
            return
    total = len(meld) + len(cards)
    top = meld.low + len(meld)
    for below in range(len(cards) + 1):
        above = len(cards) - below
        low = meld.low - below
        if not terms.fits_track(low, total):
            continue
        ranks = terms.track[low : meld.low] + terms.track[top : top + above]
        slots = along(terms, cards, seat, suit, ranks)
        if slots is not None:
            moved = tuple(attrs.evolve(one, index=one.index + below) for one in beside)
            draft = MeldDraft(
                "run", slots[:below] + meld.slots + slots[below:], low, moved
            )
            if end is not None and not _lies_at(end, meld, draft):
                continue
            yield draft
            if total == terms.runs_along.circle:
                # Whichever end the cards go to, they close the same circle.
                return


def _lies_at(end: str, meld: Meld, draft: MeldDraft) -> bool:
    """
    Whether cards laid on a run lie at the end that is named (RV-31).

    The end named is that of the ace among them; without an ace, that of the cards by
    which the run grows, or else of those beside its wilds.
    """
    below = meld.low - draft.low
    last = len(draft.slots) - 1
    grown = [at for at in range(last + 1) if not below <= at < below + len(meld)]
    lying = [one.index for one in draft.beside[len(meld.beside) :]]
    aces = [
        at
        for at in grown + lying
        if (draft.slots[at].stands_for or draft.slots[at].card).rank == "A"
    ]
    if end == "low":
        return all(at < max(below, 1) for at in aces or grown or lying)
    top = min(below + len(meld), last)
    return all(at >= top for at in aces or grown or lying)


def _no_layoff(
    terms: Terms, meld: Meld, cards: Sequence[Played], *, grow: bool
) -> Objection:
    """
    Why cards do not fit a meld: the most helpful reason.
    """
    text = words(cards)
    one_a_suit = meld.kind == "set" and not terms.twins and meld.rank != "*"
    taken = meld.slots if one_a_suit or meld.kind == "run" else ()
    standing = {slot.code: slot for slot in taken}
    beside = {} if grow else uncovered(terms, meld)
    for one in cards:
        said = declared(terms, one)
        code = one.card.code if said is None else said.code
        slot = standing.get(code)
        if slot is None or (
            said is None and (terms.wild[one.card.code] or code in beside)
        ):
            continue
        if slot.stands_for is not None and not slot.own_place:
            return Objection(
                "wild.real_card",
                f"{slot} already holds the place of {CARDS[code]} in this meld",
                ("meld.set_suits", "meld.sets")
                if meld.kind == "set"
                else ("layoff.onto",),
            )
        if one_a_suit:
            return Objection(
                "meld.set_suits",
                f"the set already has its {CARDS[code]}",
                ("meld.sets", "layoff.onto"),
            )
    if one_a_suit and terms.distinct and len(meld) == len(terms.suits):
        return Objection(
            "meld.set_suits",
            f"the set {meld} is complete",
            ("meld.sets", "layoff.onto"),
        )
    if meld.kind == "run" and _past_the_ace(terms, meld, cards):
        lying = [played(slot.card.code, slot.stands_for) for slot in meld.slots]
        why = corner(terms, [*lying, *cards])
        return Objection(
            "meld.ace", f"{text} does not fit the run {meld}: {why}", ("layoff.onto",)
        )
    shape = "meld.sets" if meld.kind == "set" else "meld.runs"
    return Objection(
        "layoff.onto", f"{text} does not fit the {meld.kind} {meld}", (shape,)
    )


def _past_the_ace(terms: Terms, meld: Meld, cards: Sequence[Played]) -> bool:
    """
    Whether cards would fit a run if ranks continued from king to ace.
    """
    named = [declared(terms, one) for one in cards]
    if any(
        (said.suit if said is not None else one.card.suit) not in {"", meld.suit}
        for said, one in zip(named, cards, strict=True)
        if said is not None or not terms.wild[one.card.code]
    ):
        return False
    lying = [played(slot.card.code, slot.stands_for) for slot in meld.slots]
    return round_the_corner(terms, [*lying, *cards])
