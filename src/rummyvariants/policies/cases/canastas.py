"""
Canastas: what they count, and what they allow.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rummyvariants._support.words import number
from rummyvariants.house.answers import Points
from rummyvariants.house.facts import RoundFacts, Turn
from rummyvariants.house.rules import HouseRule
from rummyvariants.melds.shapes._filling import ANY_NUMBER
from rummyvariants.policies.base import from_table


@attrs.frozen(eq=False, repr=False)
class NeedsCanastas(HouseRule):
    """
    A side goes out only with so many canastas.

    Attributes:
        needed: How many, by the number of players.
    """

    section = "out"
    name = "canastas"
    reads = frozenset({"canasta_size", "players", "side", "table"})

    needed: tuple[tuple[int, int], ...]

    def may_go_out(self, turn: Turn) -> bool:
        """
        Whether the side has the canastas.
        """
        sizes = [len(meld) for meld in turn.table if meld.maker in turn.side]
        made = sum([size >= turn.canasta_size for size in sizes])
        return made >= from_table(self.needed, turn.players)

    def because(self, text: str) -> str:
        """
        The rule itself.
        """
        del text
        least = min([number for _, number in self.needed])
        if least < max([number for _, number in self.needed]):
            return "the side has too few canastas to go out"
        canastas = "a canasta" if least == 1 else f"{number(least)} canastas"
        return f"a side goes out only with {canastas}"


@attrs.frozen(eq=False, repr=False)
class AsksPartner(HouseRule):
    """
    A player may ask the partner whether to go out.
    """

    section = "out"
    name = "asking"
    reads = frozenset({"answer", "players", "seat", "side"})

    def asks(self, turn: Turn) -> int | None:
        """
        The next seat of the side.
        """
        after = [(turn.seat + step) % turn.players for step in range(1, turn.players)]
        return next((seat for seat in after if seat in turn.side), None)

    def may_go_out(self, turn: Turn) -> bool:
        """
        Not if the partner has said no.
        """
        return turn.answer != "no"

    def must_go_out(self, turn: Turn) -> bool:
        """
        Only if the partner has said yes.
        """
        return turn.answer == "yes"

    def because(self, text: str) -> str:
        """
        What is refused, and that the answer is the reason.
        """
        return f"{text}: the partner's answer binds"


@attrs.frozen(eq=False, repr=False)
class Canastas(HouseRule):
    """
    A canasta counts extra, by the wild cards in it.

    Attributes:
        points: What it counts.
        kind: ``natural`` for one without a wild card, ``mixed`` for one with, ``wild``
            for one of wild cards alone.
        alone: Whether one of wild cards alone counts as mixed.
    """

    section = "score"
    name = "canastas"

    points: int
    kind: str
    alone: bool = False

    def score(self, end: RoundFacts) -> Iterator[Points]:
        """
        The points of each, for the seat that began it.
        """
        least = end.canasta_size or ANY_NUMBER
        for meld in end.table:
            kind = "mixed"
            if meld.kind == "wilds" and not self.alone:
                kind = "wild"
            elif not any(end.is_wild(slot.card) for slot in meld.slots):
                kind = "natural"
            if len(meld) >= least and kind == self.kind:
                yield Points(meld.maker, self.points, f"{kind} canasta")


@attrs.frozen(eq=False, repr=False)
class Concealed(HouseRule):
    """
    Going out concealed counts extra: all cards are laid in one turn.

    It takes a canasta of the player's own, and no card laid on melds of the partner.

    Attributes:
        points: What it counts.
        from_stock: Whether the player must have drawn from the stock.
        alone: Whether the partner may have no cards on the table.
    """

    section = "score"
    name = "concealed"

    points: int
    from_stock: bool
    alone: bool

    def score(self, end: RoundFacts) -> Iterator[Points]:
        """
        The points for the seat that went out, if it was concealed.
        """
        if end.how != "out" or not end.out:
            return
        seat = end.out[0]
        if self.from_stock and end.source != "stock":
            return
        if seat in end.laid_before:
            return
        mine = [
            meld for meld in end.table if any(one.seat == seat for one in meld.slots)
        ]
        if any(meld.maker != seat for meld in mine):
            return
        partners = end.side_of(seat) - {seat}
        if self.alone and any(meld.maker in partners for meld in end.table):
            return
        if any(len(meld) >= end.canasta_size for meld in mine):
            yield Points(seat, self.points, "out concealed")
