"""
House rules of tables that play Kaluki with other sets, or with fewer jokers in melds.
"""

from __future__ import annotations

from typing import ClassVar

import attrs

import rummyvariants as rv


_WILDS = (
    *("wild.jokers", "wild.twos", "wild.tens", "wild.one_eyed_jacks"),
    *("wild.cards", "wild.indicator"),
)
_SUITS = 4


@rv.house.register_rule("wild", "one in a set, two in a run")
@attrs.frozen
class FewInAMeld(rv.house.HouseRule):
    """
    A set holds one wild card at most, and a run two.
    """

    id = "KAV-06"
    needs: ClassVar = {_WILDS: ...}

    def most_wilds(self, naturals: int, kind: str = "") -> int:
        """
        One or two.
        """
        del naturals
        return 1 if kind == "set" else 2


@rv.house.register_rule("meld", "no wild beside twins")
@attrs.frozen
class NoWildBesideTwins(rv.house.HouseRule):
    """
    A set with a wild card has no suit twice, and at most four cards.
    """

    id = "KAV-09"
    needs: ClassVar = {_WILDS: ...}

    def allows_meld(self, meld: rv.melds.Meld) -> bool:
        """
        Whether there is no wild card, or no suit twice.
        """
        natural = [one.card.suit for one in meld.slots if one.stands_for is None]
        apart = len(natural) == len({*natural}) and len(meld.slots) <= _SUITS
        return meld.kind != "set" or len(natural) == len(meld.slots) or apart
