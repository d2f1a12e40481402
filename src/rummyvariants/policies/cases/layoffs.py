"""
Lay-offs that have to wait.
"""

from __future__ import annotations

import attrs

from rummyvariants.house.facts import Turn
from rummyvariants.policies.cases._bases import Stated


@attrs.frozen(eq=False, repr=False)
class NextTurn(Stated):
    """
    A player lays cards off only in a turn after that of their first melds.
    """

    section = "layoff"
    name = "later"
    reads = frozenset({"melds_made"})
    statement = "a player lays cards off only in a turn after that of their first melds"

    def may_lay_off(self, turn: Turn) -> bool:
        """
        Not in a turn in which melds were made.
        """
        return not turn.melds_made
