"""
What partners say to each other about going out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rummyvariants.cards import codes, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game.actions import Action, Ask, No, Yes


_FEW: Final = 4
"""How many cards of a partner are few enough to go out without a question."""
_CHEAP: Final = 60
"""How many points of one's own hand are few enough to let a partner go out."""


def question(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The question to a partner who holds many cards.
    """
    asked = asking.asked_partner(state, seat)
    if asked is not None and size(state._hands[asked[1]]) > _FEW:
        yield Ask(seat)


def answer(state: AnyState, seat: int) -> Action:
    """
    The answer to a partner: no if many points are left in one's own hand.
    """
    worth = state.dealt.terms.worth
    points = sum([worth[code] for code in codes(state._hands[seat])])
    return Yes(seat) if points <= _CHEAP else No(seat)
