"""
Whether a player who has to go out can, where all melds are sets, one of each rank.

There only matters what the whole hand makes, which the cover knows. Elsewhere the
search for the end of a turn answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from rummyvariants._support.memos import remembered
from rummyvariants.cards import CODES, ROWS, UNIT, faces, ranks_with, size, total
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import (
    WILD_RANK,
    AnyState,
    set_of_rank,
    sets_of,
)
from rummyvariants.game._engine.transfers import refills
from rummyvariants.game._state import side_of
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._prices import Prices
from rummyvariants.melds.cover._search import Cover
from rummyvariants.melds.cover._table import Table
from rummyvariants.policies.out import canastas_to_go_out


def goes_out(state: AnyState, seat: int) -> bool | None:
    """
    Whether a hand can go down, but for a last discard, with the canastas that it takes.

    Args:
        state: A state in which the seat may play, and may go out with the canastas.
        seat: Who has to go out.

    Returns:
        None if that does not decide it.
    """
    rules, terms = state.match.rules, state.dealt.terms
    settled, hand = rules.settled, state._hands[seat]
    if "refills" in rules.asked and refills(state, seat):
        return False  # nobody knows yet whether the hand that comes could go out
    if not settled.only_sets or state.drawn.duties:
        return None
    if not asking.is_silent(state, seat, "discards_owed", "drawn", "source"):
        return None
    # Where cards go onto other melds too, any set of their rank may take them.
    alone = settled.sets_alone
    laid = {*sets_of(state, seat)} if alone else {one.rank for one in state._table}
    if _keeps_two(terms, hand, laid):
        return False
    if not alone or _may_begin_again(state, seat, hand):
        return None
    if any(set_of_rank(state, seat, rank) for rank in rules.meld.last_ranks):
        return False  # nothing is laid after them
    sets = rules.out.canasta, canastas_to_go_out(rules.out, len(state._hands))
    if not _makes(state, seat, hand, sets, leaves=1):
        return False
    for rest in (hand - one for one in _ends(state, seat)):
        if _makes(state, seat, rest, sets) and _opens(state, seat, rest):
            # The cover knows no set that takes no more cards.
            return None if settled.forbids_plays or rules.meld.closes else True
    return False


def _may_begin_again(state: AnyState, seat: int, hand: int) -> bool:
    """
    Whether a hand might close a set of a rank and begin another.
    """
    terms, closes = state.dealt.terms, state.match.rules.meld.closes_with
    if closes is None:
        return False
    # The fewest natural cards of a new set, and the most wilds that close one.
    least, most = terms.least_set, terms.most_in_one()
    few = next(
        (one for one in range(least) if one + terms.most_in_sets[one] >= least), least
    )
    laid, masks = sets_of(state, seat), {WILD_RANK: (terms.wild_mask, least, 0)}
    for rank in terms.set_ranks:
        masks[rank] = terms.rank_masks[rank] & terms.natural_mask, few, most
    for rank, (mask, needed, wilds) in masks.items():
        lying = len(state._table[laid[rank] - 1]) if rank in laid else 0
        held = size(hand & mask)
        if held >= needed and lying + held - needed + wilds >= closes:
            return True
    return False


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


def _opens(state: AnyState, seat: int, cards: int) -> bool:
    """
    Whether sets of some cards, laid as one action, may be the first of a side.
    """
    points = total(state.dealt.terms.worth, cards)
    for _, _, answer, _ in asking.asked_openings(state, seat):
        if points < answer.points:
            waived = answer.waived_at if state.drawn.source == "stock" else 0
            if not waived or not _makes(state, seat, cards, (waived, 1)):
                return False
    return True


_EACH: Final = 1 << 10
"""The price of a card, against that of a set of so many cards."""


@remembered(4)
def _cover(terms: Terms, number: int) -> Cover:
    """
    The use of cards that leaves fewest, with most sets of so many cards or more.
    """
    cards, low_aces = (_EACH,) * CODES, (_EACH,) * ROWS
    return Cover(terms, Prices(cards, low_aces, (number, 1, 1, 1)))


def _makes(
    state: AnyState, seat: int, cards: int, sets: tuple[int, int], *, leaves: int = 0
) -> bool:
    """
    Whether cards can be laid with what they have to make.

    Args:
        state: The state.
        seat: Who lays them.
        cards: The cards, as a multiset.
        sets: How many cards a set must have, and how many such sets there must be.
        leaves: How many of the cards may be left.
    """
    number, needed = sets
    side = side_of(state, seat)
    melds = {at: one for at, one in enumerate(state._table) if side >> one.maker & 1}
    needed -= sum([len(one) >= number for one in melds.values()])
    least = (size(cards) - leaves) * _EACH + max(needed, 0)
    table = Table(melds, seat, "".join(sets_of(state, seat)))
    search = _cover(state.dealt.terms, number)
    return search.best(cards, table, above=least - 1) is not None
