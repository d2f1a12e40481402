"""
Sets whose wilds stand for no suit: the tree of cards for them.
"""

from __future__ import annotations

from functools import partial

from rummyvariants.cards import FIELD, codes, present, size
from rummyvariants.melds._filling import Filling
from rummyvariants.melds._meld import ALIKE, HOME, PLAIN, Slot, place, played, taken_in
from rummyvariants.melds._parts import parts
from rummyvariants.melds._tree import Node


def free_set(filling: Filling, rank: str, slots: tuple[Slot, ...] = ()) -> Node:
    """
    Cards of a set of a rank: those of the rank, then other wilds.

    Args:
        filling: How the cards fill it.
        rank: The rank.
        slots: The cards that the set holds already.
    """
    terms = filling.terms
    new = filling.naturals < 0
    least = terms.least_set if new else 1
    mask = terms.rank_masks[rank]
    others = filling.pool & ~mask
    fewest = max(least - size(others), int(new))
    mates = filling.bits & mask
    if not terms.twins:
        natural = mates & terms.natural_mask
        mates += (present(natural) & ~taken_in(slots)) - natural
    if size(mates) < fewest:
        return None
    need = 0 if filling.need & others else filling.need
    return parts(
        mates, fewest, filling.most, need, partial(_with_others, filling, rank, others)
    )


def _with_others(filling: Filling, rank: str, others: int, mates: int) -> Node:
    """
    The wilds beside cards of the rank.
    """
    if filling.enough is not None and not filling.enough(mates):
        return None
    terms = filling.terms
    least = terms.least_set if filling.naturals < 0 else 1
    number = size(mates)
    counted = 0 if terms.own_place_is_natural else size(mates & terms.wild_mask)
    naturals = max(filling.naturals, 0) + number - counted
    room = min(
        terms.wild_room("set", naturals, filling.wilds) - counted,
        filling.most - number,
    )
    if counted and room < 0:
        return None
    need = 0 if mates & filling.need else filling.need
    if not others or room <= 0:
        enough = number >= least and not need
        return _as_set(filling, rank, mates, 0) if enough else None
    if number + room < least:
        return None
    return parts(
        others, least - number, room, need, partial(_as_set, filling, rank, mates)
    )


def _as_set(filling: Filling, rank: str, mates: int, others: int) -> Node:
    """
    The leaf of cards of the rank and wilds beside them.
    """
    terms = filling.terms
    used = mates + others
    if terms.alike and filling.naturals < 0 and used == ALIKE * (used & -used):
        return None  # they are no set, but a meld of their own
    cards = [PLAIN[code] for code in codes(mates & terms.natural_mask)]
    if used & terms.wild_mask:
        mask = terms.rank_masks[rank]
        cards += [
            HOME[code] if FIELD[code] & mask else played(code, place(rank))
            for code in codes(used & terms.wild_mask)
        ]
    return filling.end.leaf(tuple(cards), used)
