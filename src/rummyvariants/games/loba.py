"""
House rules of Loba: a set keeps the three suits that it began with, and holds no wild.

An option lets the top discard be taken only for a new meld.
"""

from __future__ import annotations

from collections.abc import Iterator

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


@rv.house.register_rule("draw", "the discard for a new meld")
@attrs.frozen
class DiscardForANewMeld(rv.house.HouseRule):
    """
    The deepest discard that a player takes goes at once into a new meld.
    """

    id = "LOV-03"
    reads = frozenset({"drawn", "source"})

    def owes(self, turn: rv.house.Turn) -> Iterator[rv.house.Owed]:
        """
        The card, before any other play.
        """
        if turn.source == "discards":
            yield rv.house.Owed(turn.drawn[0], new_meld=True, at_once=True)
