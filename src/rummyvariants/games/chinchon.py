"""
House rules of chinchón: the run of seven, who may close, and coming back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import attrs

import rummyvariants as rv


@attrs.frozen
class _Noted(rv.house.HouseRule):
    """
    A rule about a chinchón, which notes whether the player who knocks has one.
    """

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


@rv.house.register_rule("match", "seven in a run")
@attrs.frozen
class Chinchon(_Noted):
    """
    Whoever knocks with all cards in one natural run, a chinchón, wins the match.
    """

    id = "CHI-11"

    def winners(self, match: rv.house.MatchFacts) -> Iterable[int] | None:
        """
        Whoever closed with it.
        """
        return [match.out] if match.memory and match.out is not None else None


@rv.house.register_rule("score", "chinchón")
@attrs.frozen
class ChinchonBonus(_Noted):
    """
    A knock with all cards in one natural run, a chinchón, brings {points} points more.

    Where the lowest score wins, they are taken off.
    """

    id = "CHV-04"
    needs: ClassVar = {"out.knock": ...}

    points: int = 40

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The points, for the player who has knocked.
        """
        if end.memory and end.out:
            points = -self.points if end.lowest_wins else self.points
            yield rv.house.Points(end.out[0], points, "chinchón")


@rv.house.register_rule("out", "no knock on a first turn")
@attrs.frozen
class NoKnockOnAFirstTurn(rv.house.HouseRule):
    """
    Nobody ends the round on their first turn by laying the hand down.
    """

    id = "CHV-06"
    reads = frozenset({"seat", "turns_taken"})
    needs: ClassVar = {("out.knock", "out.declare"): ...}

    def may_knock(self, turn: rv.house.Turn) -> bool:
        """
        After a turn.
        """
        return turn.turns_taken[turn.seat] > 0


@rv.house.register_rule("out", "no knock with both wilds")
@attrs.frozen
class NoKnockWithBothWilds(rv.house.HouseRule):
    """
    Nobody who holds two wild cards ends the round by laying the hand down.
    """

    id = "CHV-11"
    reads = frozenset({"hand", "wild_rank"})
    needs: ClassVar = {("out.knock", "out.declare"): ...}

    def may_knock(self, turn: rv.house.Turn) -> bool:
        """
        With one at most.
        """
        return sum(map(turn.is_wild, turn.hand)) < 2


@rv.house.register_rule("match", "coming back")
@attrs.frozen
class SecondChance(rv.house.HouseRule):
    """
    A player who is out of the match may come back with the highest total in it.
    """

    id = "CHV-07"
    memory = rv.house.Memory(scope="match")
    effects = frozenset({rv.house.Remember})
    needs: ClassVar = {"match.eliminated_at": ...}
    replaces = ("match.rejoin",)

    times: int = 1

    def describe(self) -> str:
        """
        How often that is possible.
        """
        often = {1: "once", 2: "twice"}.get(self.times, f"{self.times} times")
        return f"{super().describe()} Each may do so {often}."

    def follows(
        self, turn: rv.house.Turn, event: rv.events.Event
    ) -> Iterable[rv.house.Effect] | None:
        """
        Note who has come back.
        """
        if isinstance(event, rv.events.Rejoined):
            return [rv.house.Remember((*turn.memory, event.seat))]
        return None

    def rejoins(self, match: rv.house.MatchFacts, seat: int) -> int | None:
        """
        The highest total, for who has not come back so often.
        """
        totals = enumerate(match.scores)
        others = [total for at, total in totals if at not in match.eliminated]
        return max(others) if others and match.memory.count(seat) < self.times else None

    def could_remember(self, value: Any, players: int) -> bool:
        """
        Only seats, each as often as it may come back.
        """
        seats = value if isinstance(value, tuple) else (value,)
        return {*seats} <= {*range(players)} and all(
            seats.count(one) <= self.times for one in seats
        )
