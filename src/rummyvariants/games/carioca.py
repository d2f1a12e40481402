"""
House rules of Carioca: few jokers in a contract, and a ninth deal that is one run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

import rummyvariants as rv


_REAL: Final = 9
"""The deal of the escala real."""
_ALL: Final = 13
"""How many cards it has."""


@rv.house.register_rule("meld", "jokers of a contract")
@attrs.frozen
class JokersOfAContract(rv.house.HouseRule):
    """
    A contract has two jokers at most, and before the ninth deal one in each meld.
    """

    id = "CAR-07"
    reads = frozenset({"round_number"})

    def opening(self, turn: rv.house.Turn) -> rv.house.Opening:
        """
        Two jokers; one a meld, unless the contract is one long run.
        """
        each = None if turn.round_number == _REAL else 1
        return rv.house.Opening(wilds=2, wilds_each=each)


@rv.house.register_rule("meld", "escala real")
@attrs.frozen
class EscalaReal(rv.house.HouseRule):
    """
    The run of the ninth deal, escala real, goes from the ace to the king.

    In it one card between two jokers is enough, but they do not stand for the ace and
    the king.
    """

    id = "CAR-05"

    jokers: bool = True

    def describe(self) -> str:
        """
        The run, and whether there are jokers in it.
        """
        if self.jokers:
            return super().describe()
        first = super().describe().partition(". ")[0]
        return f"{first}. Jokers are not wild in that deal, and may be discarded."

    def values(self, deal: rv.house.DealFacts) -> Mapping[str, object] | None:
        """
        Aces that are low, and another distance of jokers.
        """
        return self.possible_values()[0] if deal.round_number == _REAL else None

    def possible_values(self) -> tuple[Mapping[str, object]]:
        """
        The values of that deal, which no other deal has.
        """
        without = {} if self.jokers else {"wild.jokers": False, "discard.keep": ()}
        return ({"meld.ace": "low", "wild.between": 1, **without},)

    def allows_meld(self, meld: rv.melds.Meld) -> bool | None:
        """
        Not with jokers at both ends of all thirteen cards, which are neighbours.
        """
        first, last = meld.slots[0], meld.slots[-1]
        return len(meld) < _ALL or not (first.stands_for and last.stands_for)
