"""
What the library's own rules share.
"""

from __future__ import annotations

from typing import ClassVar

from rummyvariants.house.rules import HouseRule


class Opens(HouseRule):
    """
    Base of rules about first melds, whose refusals say all that is needed.
    """

    section = "meld"

    def because(self, text: str) -> str:
        """
        The text alone.
        """
        return text


class Stated(HouseRule):
    """
    Base of rules whose refusals state the rule itself.

    Attributes:
        statement: The rule, as a refusal states it.
    """

    statement: ClassVar[str]

    def because(self, text: str) -> str:
        """
        The rule alone.
        """
        del text
        return self.statement
