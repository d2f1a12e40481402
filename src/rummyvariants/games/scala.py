"""
House rules of Scala 40: what is not thrown, openings, and hands that count otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

import attrs

import rummyvariants as rv


@rv.house.register_rule("discard", "no card that fits")
@attrs.frozen
class NoCardThatFits(rv.house.HouseRule):
    """
    A card that fits a meld on the table is not discarded, except to close.

    With fewer than {players} players this binds only those who have not opened.
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


@rv.house.register_rule("discard", "no card that fits before the opening")
@attrs.frozen
class NotBeforeTheOpening(NoCardThatFits):
    """
    Players who have not opened discard no card that fits a meld on the table.

    The last card of the hand may fit.
    """

    id = "SCV-07"

    players: int = 99


@rv.house.register_rule("meld", "clean melds open")
@attrs.frozen
class CleanMeldsOpen(rv.house.HouseRule):
    """
    Only melds without a wild card count for the points that the first melds need.
    """

    id = "SCV-03"
    replaces = ("score.melded_wild",)
    needs: ClassVar = {"meld.minimum": ..., "score.down": "nothing"}

    def worth(self, slot: rv.melds.Slot, meld: rv.melds.Meld) -> int | None:
        """
        Nothing in a meld with a wild card.
        """
        del slot
        return 0 if any(one.stands_for for one in meld.slots) else None


@rv.house.register_rule("score", "all cards in the hand")
@attrs.frozen
class AllInTheHand(rv.house.HouseRule):
    """
    A player who has laid no card when another goes out gets {points} for the hand.
    """

    id = "SCV-02b"
    needs: ClassVar = {"score.hands": "add"}

    points: int = 100

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        What lacks to so many points, whatever the hand counts.
        """
        laid = {one.seat for meld in end.table for one in meld.laid}
        for seat, hand in enumerate(end.hands if end.how == "out" else ()):
            if hand and seat not in laid:
                more = self.points - end.so_far[seat]
                yield rv.house.Points(seat, more, "for all cards in the hand")


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
