"""
House rules of Loba: a set keeps the three suits that it began with, and holds no wild.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv


@rv.house.register_rule("meld", "three suits")
@attrs.frozen
class ThreeSuits(rv.house.HouseRule):
    """
    A set has cards of exactly three suits; later cards are of these suits too.
    """

    id = "LOB-03"

    def allows_meld(self, meld: rv.melds.Meld) -> bool | None:
        """
        Not a set with a suit twice before there are three, nor with a fourth suit.
        """
        if meld.kind != "set":
            return None
        return len({slot.card.suit for slot in meld.slots if not slot.stands_for}) == 3


@rv.house.register_rule("meld", "no wild in a set")
@attrs.frozen
class NoWildInASet(rv.house.HouseRule):
    """
    A set holds no wild card.
    """

    id = "LOB-05"

    def most_wilds(self, naturals: int, kind: str = "") -> int | None:
        """
        None in a set.
        """
        del naturals
        return 0 if kind == "set" else None
