"""
House rules of Burraco: the pots, how a side closes, and burracos in three grades.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

import rummyvariants as rv


SIZE: Final = 7
"""The fewest cards of a burraco, and those in a row that make it semi-clean."""


def _own(turn: rv.house.Turn) -> list[rv.melds.Meld]:
    """
    The melds of the side.
    """
    return [meld for meld in turn.table if meld.maker in turn.side]


@rv.house.register_rule("out", "pot")
@attrs.frozen
class Pot(rv.house.HouseRule):
    """
    Each side has a pot of {cards} cards, face down, for its first hand that is empty.

    If the last card of the hand was laid, the turn goes on with the pot at once. If it
    was thrown, the turn is over, and the pot is played from the next one on.
    """

    id = "BUR-15"
    reads = frozenset({"seat", "side", "table"})
    effects = frozenset({rv.house.Move})
    piles = (rv.house.Pile("pot", "cards", of="side"),)

    cards: int = 11
    needs_burraco: bool = False

    def describe(self) -> str:
        """
        The pot, and who does not take it.
        """
        others = " A side without a burraco does not take it, nor close."
        return super().describe() + others * self.needs_burraco

    def refills(self, turn: rv.house.Turn) -> Iterator[rv.house.Move]:
        """
        The pot of the side, if it is still there and may be taken.
        """
        if not self.needs_burraco or any(len(one) >= SIZE for one in _own(turn)):
            yield rv.house.Move(
                "pot", "hand", None, source_seat=min(turn.side), target_seat=turn.seat
            )


@rv.house.register_rule("meld", "longest set")
@attrs.frozen
class LongestSet(rv.house.HouseRule):
    """
    A set has at most {cards} cards.
    """

    id = "BUV-12"

    cards: int = 8

    def allows_meld(self, meld: rv.melds.Meld) -> bool | None:
        """
        Not a longer set.
        """
        return len(meld) <= self.cards if meld.kind == "set" else None


@rv.house.register_rule("out", "burraco to close")
@attrs.frozen
class BurracoToClose(rv.house.HouseRule):
    """
    A side closes only with a {kind}, which is a meld of seven cards or more.
    """

    id = "BUR-17"
    reads = frozenset({"side", "table"})

    kind: str = attrs.field(
        default="burraco", validator=attrs.validators.in_(["burraco", "clean burraco"])
    )

    def may_go_out(self, turn: rv.house.Turn) -> bool:
        """
        Whether the side has one.
        """
        own = _own(turn)
        if self.kind == "clean burraco":
            own = [
                meld for meld in own if not any(slot.substitutes for slot in meld.slots)
            ]
        return any(len(meld) >= SIZE for meld in own)


@rv.house.register_rule("out", "no wild to close with")
@attrs.frozen
class NoWildToCloseWith(rv.house.HouseRule):
    """
    The discard that closes is no wild card.
    """

    id = "BUR-16"
    reads = frozenset({"hand", "wild_rank"})
    replaces = ("out.last_discard",)

    def may_go_out(self, turn: rv.house.Turn) -> bool:
        """
        Not with a hand of one wild.
        """
        return len(turn.hand) != 1 or not all(map(turn.is_wild, turn.hand))


@rv.house.register_rule("score", "burracos")
@attrs.frozen
class Burracos(rv.house.HouseRule):
    """
    A burraco counts extra: {clean} if it is clean, without a wild card.
    """

    id = "BUR-14"

    clean: int = 200
    semi_clean: int = 150
    dirty: int = 100
    whole: int = 0
    whole_dirty: int = 0

    def describe(self) -> str:
        """
        The grades, and what a run of all ranks counts if that is more.
        """
        said = super().describe()
        if self.semi_clean != self.dirty:
            said += f" It counts {self.semi_clean} if it is semi-clean, with seven "
            said += "cards or more in a row on one side of the wild, or beside it in a "
            said += "set."
        said += f" Any other is dirty and counts {self.dirty}."
        if self.whole:
            wild = f", or {self.whole_dirty} with a wild card" * bool(self.whole_dirty)
            kind = "" if wild else " clean"
            said += f" A{kind} run of thirteen cards counts {self.whole} instead{wild}."
        return said

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The points of each, for the seat that began it.
        """
        for meld in end.table:
            if len(meld) >= SIZE:
                points, grade = self._graded(meld)
                yield rv.house.Points(meld.maker, points, f"{grade} burraco")

    def _graded(self, meld: rv.melds.Meld) -> tuple[int, str]:
        away = [slot.substitutes for slot in meld.slots]
        whole = self.whole_dirty if any(away) else self.whole
        if whole and meld.kind == "run" and len(meld) == len(rv.cards.RANKS):
            return whole, "whole"
        if not any(away):
            return self.clean, "clean"
        # The wild of a set lies at no particular place.
        at = away.index(True) if meld.kind == "run" else 0
        if max(at, len(meld) - 1 - at) >= SIZE:
            return self.semi_clean, "semi-clean"
        return self.dirty, "dirty"


@rv.house.register_rule("score", "pot not taken")
@attrs.frozen
class PotNotTaken(rv.house.HouseRule):
    """
    A side that has not taken its pot loses {points} points.
    """

    id = "BUR-19"

    points: int = 100

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The points lost, by the first seat of each such side.
        """
        for seat in range(end.players):
            if end.zone_size("pot", seat):
                yield rv.house.Points(seat, -self.points, "pot not taken")
