"""
A quick look at a player who has to go out, where all melds are sets of free suits.

There only matters how many wilds each rank gets. `endings` searches where the look does
not decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from rummyvariants.cards import FIELD, JOKER, UNIT, codes, faces, ranks_with, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import (
    WILD_RANK,
    AnyState,
    set_of_rank,
    sets_of,
    terms_of,
)
from rummyvariants.game._state import side_of
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._filling import ANY_NUMBER
from rummyvariants.policies.out import canastas_to_go_out


class _Place(NamedTuple):
    """
    A set on the table, or one to be made of the hand, with its natural cards in it.

    Attributes:
        size: How many cards it has without wilds of the hand.
        least: How many of these it needs.
        most: How many of them it may have.
    """

    size: int
    least: int
    most: int


def goes_out(state: AnyState, seat: int) -> bool | None:
    """
    Whether a hand can go down, but for a last discard, with the canastas that it takes.

    Args:
        state: A state in which the seat may play, and may go out with the canastas.
        seat: Who has to go out.

    Returns:
        None if that does not decide it.
    """
    rules, terms = state.match.rules, terms_of(state)
    settled, hand = rules.settled, state._hands[seat]
    if not settled.only_sets or state.drawn.duties:
        return None
    # Where cards go onto other melds too, any set of their rank may take them.
    alone = settled.sets_alone
    laid = {*sets_of(state, seat)} if alone else {one.rank for one in state._table}
    if _keeps_two(terms, hand, laid):
        return False
    if not alone:
        return None
    if not terms.twins or terms.most_in_sets[0] or terms.in_sets & terms.wild_mask:
        return None
    if any(set_of_rank(state, seat, rank) for rank in rules.meld.last_ranks):
        return False  # nothing is laid after them
    if not any(_goes_down(state, seat, hand - gone) for gone in _ends(state, seat)):
        return False
    return None if settled.forbids_plays else True


def _keeps_two(terms: Terms, hand: int, laid: AbstractSet[str | None]) -> bool:
    """
    Whether two cards or more of a hand are in no set, however many wilds there are.

    Args:
        terms: The terms of the deal.
        hand: The hand as a multiset.
        laid: The ranks of the sets on the table that may take cards.
    """
    natural = hand & terms.natural_mask
    kept = 0
    for rank in ranks_with(natural, 1):
        if rank not in laid:
            number = size(natural & terms.rank_masks[rank])
            room = 0
            if rank in terms.set_ranks and rank not in terms.natural_ranks:
                room = terms.wild_room("set", number, 0)
            if number + room < terms.least_set or rank not in terms.set_ranks:
                kept += number
    return kept > 1


def _ends(state: AnyState, seat: int) -> Iterator[int]:
    """
    What may be left of a hand for the discard, as multisets.
    """
    rules, drawn = state.match.rules, state.drawn
    if rules.out.by_empty_hand:
        yield 0
    taken = drawn._cards if drawn.source == "discards" else b""
    for code in faces(state._hands[seat]):
        if rules.discard.refuse(code, taken=taken, left=1) is None:
            yield UNIT[code]


def _goes_down(state: AnyState, seat: int, cards: int) -> bool:
    """
    Whether all of some cards of a hand can be laid, with the canastas that it takes.
    """
    terms, out = terms_of(state), state.match.rules.out
    if cards & terms.natural_mask & FIELD[JOKER]:
        return False  # no meld has a joker that is not wild
    wilds = size(cards & terms.wild_mask)
    places = [*_places(state, seat, cards)]
    ways = [places]
    if terms.wild_melds and not set_of_rank(state, seat, WILD_RANK):
        ways.append([*places, _Place(0, terms.least_set, ANY_NUMBER)])
    needed = canastas_to_go_out(out, len(state._hands))
    return any(
        _most_of_size(way, wilds, out.canasta) >= needed
        and _opens(state, seat, cards, way, wilds)
        for way in ways
    )


def _places(state: AnyState, seat: int, cards: int) -> Iterator[_Place]:
    """
    Where the cards of a hand go.
    """
    terms, side = terms_of(state), side_of(state, seat)
    rest = cards & terms.natural_mask
    for meld in state._table:
        if not side >> meld.maker & 1:
            continue
        if meld.kind != "set":
            yield _Place(len(meld), 0, ANY_NUMBER)
            continue
        mine = rest & terms.rank_masks[meld.rank]
        rest -= mine
        wilds = sum([terms.wild[slot.card.code] for slot in meld.slots])
        room = terms.wild_room("set", len(meld) - wilds + size(mine), wilds)
        if meld.rank in terms.natural_ranks:
            room = 0
        yield _Place(len(meld) + size(mine), 0, max(room, 0))
    for rank in terms.ranks:
        number = size(rest & terms.rank_masks[rank])
        if not number:
            continue
        room = terms.wild_room("set", number, 0) if rank in terms.set_ranks else -1
        if rank in terms.natural_ranks:
            room = min(room, 0)
        yield _Place(number, max(terms.least_set - number, 0), room)


def _most_of_size(places: list[_Place], wilds: int, wanted: int) -> int:
    """
    The most sets of so many cards or more if all wilds of a hand go somewhere.

    Returns:
        -1 if they cannot.
    """
    if any(one.most < one.least for one in places):
        return -1
    spare = wilds - sum([one.least for one in places])
    if spare < 0 or sum([one.most for one in places]) < wilds:
        return -1
    more = [
        max(wanted - one.size - one.least, 0)
        for one in places
        if one.size + one.most >= wanted
    ]
    found = 0
    for number in sorted(more):
        spare -= number
        found += spare >= 0
    return found


def _opens(
    state: AnyState, seat: int, cards: int, places: list[_Place], wilds: int
) -> bool:
    """
    Whether sets of some cards, laid as one action, may be the first of a side.
    """
    worth = terms_of(state).worth
    points = sum([worth[code] for code in codes(cards)])
    for _, _, answer, _ in asking.asked_openings(state, seat):
        waived = answer.waived_at and state.drawn.source == "stock"
        if points < answer.points and not (
            waived and _most_of_size(places, wilds, answer.waived_at) > 0
        ):
            return False
    return True
