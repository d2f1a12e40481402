"""
How the careful bot plays where the first melds have to be certain groups.

It weighs a plan by the chance that unseen cards complete it before the round is over.
"""

from __future__ import annotations

import math

from collections.abc import Iterator
from typing import Final

from rummyvariants.bots.contracts import fewer_missing, in_turn
from rummyvariants.bots.outlook import Outlook, unseen
from rummyvariants.bots.planning import Lack, plan_of
from rummyvariants.cards import FIELD, faces, size
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._state import fits_of
from rummyvariants.game.actions import Action


# Found by trial over some hundreds of deals of the library's presets.
_LOOKS: Final = 2.0
"""About how many cards a seat may choose from in a turn, upcards among them."""
_CLOSE: Final = 2
"""A player with so few cards is about to go out."""
_HOPELESS: Final = 3
"""A plan that lacks so many cards is given up then."""
_PLANNED: Final = 100.0
"""What it costs in points to discard a card of the plan, or one that fits the table."""
_OTHER: Final = 6.0
"""The same for a card that is sure to make another part of a plan."""
_GIFT: Final = 12.0
"""The same for a card that the next player is sure to want."""


def weighed(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The careful bot's candidates, best first; some may be illegal.
    """
    return in_turn(state, seat, wants=fewer_missing, spare=_spare)


def _lack(state: AnyState, seat: int, turns: float) -> Lack:
    """
    What it costs to lack cards: the logarithm of the chance that they do not come.
    """
    hidden = unseen(state, seat)
    wilds = size(hidden & state.dealt.terms.wild_mask) / 4
    coming = _LOOKS * turns / max(1, size(hidden))

    def lack(mask: int, number: int) -> float:
        expected = coming * (size(hidden & mask) + wilds)
        chance, term = 1.0, math.exp(-expected)
        for fewer in range(number):
            chance -= term
            term *= expected / (fewer + 1)
        return -math.log(max(chance, 1e-4))

    return lack


def _closest(state: AnyState, seat: int) -> int:
    """
    The fewest cards in the hand of another player who has a meld.
    """
    return min(
        [
            size(hand)
            for other, hand in enumerate(state._hands)
            if other != seat and state._has_meld >> other & 1
        ],
        default=99,
    )


def _spare(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, the most expendable first.
    """
    terms, hand = state.dealt.terms, state._hands[seat]
    outlook = Outlook(state, seat)
    keep = dict.fromkeys(faces(hand), 0.0)
    if state._has_meld >> seat & 1:
        fits = fits_of(state, seat)
        for code in keep:
            if terms.wild[code] or (fits.grows | fits.real) & FIELD[code]:
                keep[code] = _PLANNED
    else:
        plan = plan_of(state, seat, hand, lack=_lack(state, seat, outlook.turns))
        if plan is not None:
            for part in plan.chances:
                value = _OTHER * math.exp(-part.cost)
                for code in faces(part.used):
                    keep[code] = max(keep[code], value)
            # A plan that lacks much is given up when somebody is about to go out.
            if plan.missing < _HOPELESS or _closest(state, seat) > _CLOSE:
                free = hand - plan.used
                for code in keep:
                    if not free & FIELD[code]:
                        keep[code] += _PLANNED
    risk = 1 / (1 + min(_closest(state, seat), outlook.turns) / 4)

    def cost(code: int) -> tuple[float, int]:
        gift = _GIFT * outlook.serves_next(code)
        return keep[code] + gift - risk * terms.worth[code], code

    return sorted(keep, key=cost)
