"""
Bots where a rule lets a player end the round before the draw, and compare the hands.
"""

from __future__ import annotations

import random

from collections.abc import Iterator
from typing import ClassVar

import attrs
import pytest

import rummyvariants as rv


@rv.house.register_rule("out", "compare the hands")
@attrs.frozen
class Compare(rv.house.HouseRule):
    """
    Instead of the draw, a player may end the round.
    """

    actions: ClassVar = {"compare": ("draw",)}

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        del turn
        yield rv.house.Offer("compare", [rv.house.EndRound()])


RULES = rv.preset("basic-rummy").with_values({"out.rules": ["compare the hands"]})


@pytest.mark.parametrize("name", ["greedy", "careful"])
@pytest.mark.parametrize(("hand", "ends"), [("Ac 2d", True), ("Kh Qd Jc Ts 9s", False)])
def test_a_low_hand_ends_the_round(name: str, hand: str, ends: bool) -> None:  # noqa: FBT001
    hands = {"Ann": hand, "Ben": "4h 5s 7d Qh Ks", "Cleo": "3c 8c 9h Jh Kc"}
    state = rv.position(
        RULES, hands=hands, stock="2c 9c 4s", discards="Td", partial=True
    )
    action = rv.bots.bot(name).choose(rv.view(state, 0), random.Random(1))
    assert (str(action) == "compare") == ends
