"""
Where wilds lie in a meld.
"""

from __future__ import annotations

import itertools

import attrs

from rummyvariants._support.words import counted
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds._meld import Meld


@attrs.frozen(eq=False, repr=False)
class Between(HouseRule):
    """
    Other cards lie between two wilds of a run.

    Attributes:
        cards: The fewest.
    """

    section = "wild"
    name = "between"

    cards: int

    def allows_meld(self, meld: Meld) -> bool | None:
        """
        Whether so many lie between any two; a wild in its own place is none.
        """
        if meld.kind != "run":
            return None
        slots = enumerate(meld.slots)
        wilds = [at for at, one in slots if one.substitutes]
        return all(two - one > self.cards for one, two in itertools.pairwise(wilds))

    def because(self, text: str) -> str:
        """
        The text, and how many cards lie between.
        """
        between = counted(self.cards, "card")
        verb = "lies" if self.cards == 1 else "lie"
        return f"{text}: at least {between} {verb} between two wild cards of a run"
