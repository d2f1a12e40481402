"""
How the careful bot plays where the first melds have to be certain groups.

It weighs a plan by the chance that unseen cards complete it before the round is over.
"""

from __future__ import annotations

import math

from collections.abc import Iterator
from typing import Final

from rummyvariants.bots.contracts import in_turn
from rummyvariants.bots.outlook import Outlook, unseen
from rummyvariants.bots.planning import Lack, plan_of
from rummyvariants.cards import FIELD, UNIT, faces, size
from rummyvariants.game._engine.plays import AnyState, terms_of
from rummyvariants.game._state import fits_of
from rummyvariants.game.actions import Action


_LOOKS: Final = 2.0
"""How many cards a turn a seat may get: draws, upcards and purchases."""
_TAKE: Final = 0.3
_BUY: Final = 0.02
_CLOSE: Final = 2
_PLAN: Final = 100.0
_KEEP: Final = 20.0
_GIFT: Final = 12.0
_RISK: Final = 1.0
_DEAR: Final = 0.0


def weighed(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The careful bot's candidates, best first; some may be illegal.
    """
    return in_turn(state, seat, wants=_wants, spare=_spare)


def _lack(state: AnyState, seat: int, turns: float) -> Lack:
    """
    What it costs to lack cards: the logarithm of the chance that they do not come.
    """
    hidden = unseen(state, seat)
    wilds = size(hidden & terms_of(state).wild_mask) / 4
    coming = _LOOKS * turns / max(1, size(hidden))

    def lack(mask: int, number: int) -> float:
        expected = coming * (size(hidden & mask) + wilds)
        chance, term = 1.0, math.exp(-expected)
        for fewer in range(number):
            chance -= term
            term *= expected / (fewer + 1)
        return -math.log(max(chance, 1e-4))

    return lack


def _wants(state: AnyState, seat: int, price: int) -> bool:
    """
    Whether the upcard makes the plan likelier by enough.
    """
    hand = state._hands[seat]
    outlook = Outlook(state, seat)
    lack = _lack(state, seat, outlook.turns)
    before = plan_of(state, seat, hand, more=1, lack=lack, dear=_DEAR)
    more = hand + UNIT[state._discards[-1]]
    after = plan_of(state, seat, more, more=price + 1, lack=lack, dear=_DEAR)
    if before is None or after is None:
        return False
    gain = before.cost - after.cost
    if price < 0:
        return gain > _TAKE
    return gain > _BUY * price and _closest(state, seat) > _CLOSE


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
    terms, hand = terms_of(state), state._hands[seat]
    outlook = Outlook(state, seat)
    keep = dict.fromkeys(faces(hand), 0.0)
    if state._has_meld >> seat & 1:
        fits = fits_of(state, seat)
        for code in keep:
            if terms.wild[code] or (fits.grows | fits.real) & FIELD[code]:
                keep[code] = _KEEP
    else:
        plan = plan_of(
            state, seat, hand, lack=_lack(state, seat, outlook.turns), dear=_DEAR
        )
        if plan is not None:
            for part in plan.chances:
                value = _KEEP * math.exp(-part.cost)
                for code in faces(part.used):
                    keep[code] = max(keep[code], value)
            # A plan that lacks much is given up when somebody is about to go out.
            if plan.missing < 3 or _closest(state, seat) > _CLOSE:
                free = hand - plan.used
                for code in keep:
                    if not free & FIELD[code]:
                        keep[code] += _PLAN
    risk = _RISK / (1 + min(_closest(state, seat), outlook.turns) / 4)

    def cost(code: int) -> tuple[float, int]:
        gift = _GIFT * outlook.serves_next(code)
        return keep[code] + gift - risk * terms.worth[code], code

    return sorted(keep, key=cost)
