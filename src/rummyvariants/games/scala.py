"""
House rules of Scala 40: what is not thrown, and when nobody closes yet.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

import rummyvariants as rv


@rv.house.register_rule("discard", "no card that fits")
@attrs.frozen
class NoCardThatFits(rv.house.HouseRule):
    """
    A card that fits a meld on the table is not discarded, except to close. With fewer
    than {players} players this binds only those who have not opened.
    """

    id = "SCA-09"
    reads = frozenset({"has_melded", "hand", "players", "table"})

    players: int = 3

    def discards(self, turn: rv.house.Turn) -> Iterable[rv.Card] | None:
        """
        The cards that fit no meld, unless one card is left.
        """
        free = turn.has_melded and turn.players < self.players
        if free or not turn.table or len(turn.hand) < 2:
            return None
        return [card for card in set(turn.hand) if not turn.fits(card)]


@rv.house.register_rule("out", "no closing in the first turn")
@attrs.frozen
class NotInTheFirstTurn(rv.house.HouseRule):
    """
    Nobody closes in their first turn.
    """

    id = "SCA-10"
    reads = frozenset({"turns_taken", "seat"})

    def may_go_out(self, turn: rv.house.Turn) -> bool:
        """
        Only after a finished turn.
        """
        return turn.turns_taken[turn.seat] > 0
