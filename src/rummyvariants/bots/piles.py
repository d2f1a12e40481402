"""
The discard pile where its top card is melded at once: who may take it, and how.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rummyvariants.bots.first_sets import first_sets, points_needed
from rummyvariants.bots.ranks import cards_of, holding_of
from rummyvariants.cards import CARDS, UNIT, codes, faces, pack, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState, sets_of, terms_of
from rummyvariants.game.actions import TakeOn, TakeWith
from rummyvariants.melds._meld import place, played
from rummyvariants.policies.draw import blocks, freezes


@attrs.frozen(eq=False)
class Taking:
    """
    A way to take the discard pile.

    Attributes:
        action: The take.
        used: The cards of the hand that are laid with the top card, as a multiset.
    """

    action: TakeOn | TakeWith
    used: int


def takings(state: AnyState, seat: int) -> Iterator[Taking]:
    """
    The ways to take the pile, those that use least of the hand first.
    """
    pile, terms = state._discards, terms_of(state)
    if not pile or terms.wild[pile[-1]]:
        return
    top, hand = pile[-1], state._hands[seat]
    rank = CARDS[top].rank
    number = sets_of(state, seat).get(rank, 0)
    if number:
        yield Taking(TakeOn(None, number, seat), 0)
    mates = codes(hand & terms.mates[top] & terms.natural_mask)
    if state._has_meld >> seat & 1 or not points_needed(state, seat):
        if len(mates) > 1:
            cards = tuple(map(played, mates[:2]))
            yield Taking(TakeWith(None, (cards,), seat), pack(mates[:2]))
        wilds = hand & terms.wild_mask
        for wild in sorted(faces(wilds), key=lambda code: -terms.worth[code]):
            if mates:
                cards = played(mates[0]), played(wild, place(rank))
                yield Taking(
                    TakeWith(None, (cards,), seat), UNIT[mates[0]] + UNIT[wild]
                )
        return
    holding = holding_of(state, seat, hand + UNIT[top])
    for melds in first_sets(state, holding, points_needed(state, seat), rank):
        first, *others = melds
        without = first[0], first[1] - UNIT[top], first[2]
        used = sum([one[1] + pack(one[2]) for one in (without, *others)])
        cards = cards_of(without)
        action = TakeWith(None, (cards, *map(cards_of, others)), seat)
        yield Taking(action, used)


def opens(state: AnyState, seat: int, code: int, mates: int) -> bool:
    """
    Whether the rules let a seat take the pile with a card discarded on it.

    Args:
        state: The state before the discard.
        seat: Who would take it.
        code: The card.
        mates: With how many natural cards of the hand the card would be melded.
    """
    draw, terms = state.match.rules.draw, terms_of(state)
    pile, aside = state._discards + bytes((code,)), asking.never_held(state)
    held = size(state._hands[seat])
    if blocks(draw, terms, pile, held, aside) is not None:
        return False
    melded = bool(state._has_meld >> seat & 1)
    return freezes(draw, terms, pile, mates, aside, melded=melded) is None


def fits_table(state: AnyState, seat: int, code: int) -> bool:
    """
    Whether a seat may take the pile with a card discarded on it by a set on the table.
    """
    return CARDS[code].rank in sets_of(state, seat) and opens(state, seat, code, 0)
