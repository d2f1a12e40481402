"""
How the careful bot plays where melds are one set of each rank and side.

It weighs what a card is worth in the hand against the pile that its discard may give
away, and keeps wilds for canastas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rummyvariants.bots.outlook import next_opponent, unseen
from rummyvariants.bots.ranked import in_turn
from rummyvariants.bots.ranks import (
    Holding,
    Laying,
    first_sets,
    growing,
    natural_layings,
    points_needed,
)
from rummyvariants.cards import CARDS, FIELD, faces, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState, sets_of
from rummyvariants.game._state import side_of
from rummyvariants.game.actions import Action
from rummyvariants.policies.draw import blocks, freezes


# Found by trial over some thousands of deals of Canasta.
_GIFT: Final = 10.0
"""What each card of the pile costs that the next opponent is sure to take."""
_WILD: Final = 60.0
"""What a wild in the hand is worth."""
_OWN: Final = 30.0
"""The same for a card of a rank that the side has melded."""
_BLOCKING: Final = 30.0
"""The same for a card with which nobody may take the pile."""
_MATES: Final = (0.0, 12.0, 25.0)
"""The same for any other card by its mates in the hand: none, one, or more."""
_SHED: Final = 0.2
"""What a point of the card saves."""
_LARGE: Final = 4
"""How many cards a set has at least that wilds are added to."""
_SINGLE: Final = 0.5
"""How likely a player with one mate and a wild is to take the pile with them."""


def collecting(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The careful bot's candidates, best first; some may be illegal.
    """
    return in_turn(state, seat, lays=_lays, spare=_spare)


def _lays(state: AnyState, seat: int, holding: Holding) -> Iterator[list[Laying]]:
    """
    Natural cards, and wilds on large sets; with a partner, wilds to open as well.
    """
    if not state._has_meld >> seat & 1:
        alone = side_of(state, seat).bit_count() == 1
        for found in first_sets(state, holding, points_needed(state, seat)):
            if not (alone and any(wilds for _, _, wilds in found)):
                yield found
        return
    yield from natural_layings(holding)
    yield from growing(holding, _LARGE)


def _spare(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, the most expendable first.
    """
    terms, hand = state.dealt.terms, state._hands[seat]
    blocked = state.match.rules.draw.blocked_mask
    mine, taken = sets_of(state, seat), _taken(state, seat)
    pile = len(state._discards) + 1

    def cost(code: int) -> tuple[float, int]:
        if terms.wild[code]:
            keep = _WILD
        elif blocked & FIELD[code]:
            keep = _BLOCKING
        elif CARDS[code].rank in mine:
            keep = _OWN
        else:
            mates = size(hand & terms.mates[code] & terms.natural_mask) - 1
            keep = _MATES[min(mates, len(_MATES) - 1)]
        gift = _GIFT * pile * taken(code)
        return keep + gift - _SHED * terms.worth[code], code

    return sorted(faces(hand), key=cost)


def _taken(state: AnyState, seat: int) -> Callable[[int], float]:
    """
    About how likely the next opponent is to take the pile with a card discarded on it.
    """
    terms, hidden = state.dealt.terms, unseen(state, seat)
    other = next_opponent(state, seat)
    known, sets = state._seen[other], sets_of(state, other)
    share = size(state._hands[other] - known) / max(1, size(hidden))
    wild = 1.0
    if not known & terms.wild_mask:
        wild -= (1 - share) ** size(hidden & terms.wild_mask)

    def chance(code: int) -> float:
        needed = _mates_needed(state, other, code)
        if needed is None:
            return 0.0
        if not needed and CARDS[code].rank in sets:
            return 1.0
        mates = terms.mates[code] & terms.natural_mask
        sure, perhaps = size(known & mates), size(hidden & mates)
        none = (1 - share) ** perhaps
        one = perhaps * share * (1 - share) ** max(0, perhaps - 1)
        # The chances of exactly one mate, and of two or more.
        single, pair = ((one, 1 - none - one), (none, 1 - none), (0.0, 1.0))[
            min(sure, 2)
        ]
        return pair + (_SINGLE * single * wild if needed < 2 else 0.0)

    return chance


def _mates_needed(state: AnyState, seat: int, code: int) -> int | None:
    """
    How many natural cards a seat needs to take the pile with a card discarded on it.

    Returns:
        0 if it may be laid off, 1 if a wild will do besides; None if nobody may.
    """
    draw, terms = state.match.rules.draw, state.dealt.terms
    pile, aside = state._discards + bytes((code,)), asking.never_held(state)
    if blocks(draw, terms, pile, size(state._hands[seat]), aside) is not None:
        return None
    melded = bool(state._has_meld >> seat & 1)
    for mates in (0, 1):
        if freezes(draw, terms, pile, mates, aside, melded=melded) is None:
            return mates
    return 2
