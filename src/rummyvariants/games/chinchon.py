"""
House rules of chinchón: the run of seven that wins the match.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

import rummyvariants as rv


@rv.house.register_rule("match", "seven in a run")
@attrs.frozen
class Chinchon(rv.house.HouseRule):
    """
    Whoever knocks with all cards in one natural run, a chinchón, wins the match.
    """

    id = "CHI-11"
    memory = rv.house.Memory(start=False)
    effects = frozenset({rv.house.Remember})

    def follows(
        self, turn: rv.house.Turn, event: Any
    ) -> Iterable[rv.house.Effect] | None:
        """
        Note whether the melds of a hand without a loose card are one run.
        """
        if not isinstance(event, rv.events.Knocked) or event.left:
            return None
        slots = [slot for meld in turn.table for slot in meld.slots]
        held = {one.card for one in slots if not one.substitutes}
        for suit in rv.cards.SUITS:
            row = [rv.Card(rank + suit) for rank in rv.cards.RANKS]
            row = [card for card in row if turn.copies(card)]
            for low in range(len(row) - len(slots) + 1):
                if held == {*row[low : low + len(slots)]}:
                    return [rv.house.Remember(True)]
        return None

    def winners(self, match: rv.house.MatchFacts) -> Iterable[int] | None:
        """
        Whoever closed with it.
        """
        return [match.out] if match.memory and match.out is not None else None
