"""
Which limits a meld keeps: on its size, wild cards and rank, and those of others.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rummyvariants._support.words import counted
from rummyvariants._support.words import ranks as ranks_named
from rummyvariants.melds._meld import (
    Meld,
    Slot,
    counted_wilds,
    is_natural,
    rank_of_set,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.rulings import Objection


def all_wild(terms: Terms) -> Objection:
    """
    The refusal of a set or run in which every card is a wild in another place.
    """
    reason = "a meld needs at least one natural card"
    if terms.wild_melds:
        reason = "wilds alone are a meld only if they are said to stand for nothing"
    return Objection("wild.wild_melds", reason)


def too_long(terms: Terms, kind: str, cards: Sequence[object]) -> Objection:
    """
    Why a meld of a kind has too many cards.
    """
    most, path = terms.largest[kind]
    number, text = counted(most, "card"), " ".join(map(str, cards))
    named = "meld of wild cards" if kind == "wilds" else kind
    return Objection(path, f"{text} is too long: a {named} has at most {number}")


def limit_of_draft(terms: Terms, draft: Meld) -> Objection | None:
    """
    Whether a draft breaks a limit on wild cards, or a house rule refuses it.
    """
    slots = draft.slots
    if len(slots) > terms.most_cards(draft.kind):
        return too_long(terms, draft.kind, slots)
    if draft.kind in {"wilds", "wild"}:
        return None
    if terms.limits_ranks and draft.kind == "set":
        wrong = refuse_rank(terms, slots)
        if wrong is not None:
            return wrong
    if terms.extra is None and is_natural(slots):
        return None
    if all(slot.substitutes for slot in slots):
        wrong = all_wild(terms)
        return (
            attrs.evolve(wrong, path="wild.limit")
            if terms.most_in_one() <= 1
            else wrong
        )
    if not terms.unlimited:
        wilds = counted_wilds(terms, slots)
        naturals = len(slots) - wilds
        room = terms.wild_room(draft.kind, naturals, wilds)
        if room < 0:
            return terms.too_many(draft.kind, naturals, wilds + room)
    if terms.extra is not None:
        found: Objection | None = terms.extra(draft)
        return found
    return None


def refuse_rank(terms: Terms, slots: tuple[Slot, ...]) -> Objection | None:
    """
    Why no set is made of a rank, or none with a wild.
    """
    rank = rank_of_set(slots)
    if rank != "*" and rank not in terms.set_ranks:
        return Objection("meld.set_ranks", f"{ranks_named(rank)} are not melded")
    if rank in terms.natural_ranks and not is_natural(slots):
        reason = f"a set of {ranks_named(rank)} holds no wild card"
        return Objection("meld.natural_ranks", reason)
    return None
