"""
House rules of Hand and Foot: a second hand for each player, and what going out takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import attrs

import rummyvariants as rv

from rummyvariants import events


_FOOT = "foot"
"""The name of the zones of the second hands."""
_CLEAN, _DIRTY, _WILD = range(3)
"""The kinds of books."""


def _kind(turn: rv.house.Turn, meld: rv.melds.Meld) -> int:
    """
    The kind of the book that a meld is, or would be as it is.
    """
    if meld.kind == "wilds":
        return _WILD
    wild = any(turn.is_wild(slot.card) for slot in meld.slots)
    return _DIRTY if wild else _CLEAN


@rv.house.register_rule("meld", "minimum by the deal")
@attrs.frozen
class MinimumByTheDeal(rv.house.HouseRule):
    """
    The first melds of a side are laid as one action and reach a minimum by the deal.

    It is {first} points in the first deal, {second} in the second, {third} in the third
    and {later} from then on. Of a pile that is taken only the top card counts.
    """

    id = "HAF-12"
    reads = frozenset({"round_number"})

    first: int = 50
    second: int = 90
    third: int = 120
    later: int = 150

    def opening(self, turn: rv.house.Turn) -> rv.house.Opening:
        """
        Melds of so many points together.
        """
        by_deal = self.first, self.second, self.third, self.later
        return rv.house.Opening(points=by_deal[min(turn.round_number, 4) - 1])

    def because(self, text: str) -> str:
        """
        What is refused, which says how many points there are.
        """
        return text


@rv.house.register_rule("draw", "two cards for the pile")
@attrs.frozen
class TwoCardsForThePile(rv.house.HouseRule):
    """
    The top card of the pile is melded with two cards of the hand and not laid off.
    """

    id = "HFV-04"
    reads = frozenset()
    vetoes = ("take",)
    replaces = ("draw.onto_canasta",)
    needs: ClassVar = {"draw.top_card": "melded at once"}

    def forbids(
        self,
        turn: rv.house.Turn,
        action: rv.Action,
        after: Callable[[], rv.house.Turn],
    ) -> bool:
        """
        Whether the top card would be laid on a meld without cards of the hand.
        """
        del turn, after
        return isinstance(action, rv.actions.TakeAndLayOff)


@rv.house.register_rule("out", "foot")
@attrs.frozen
class Foot(rv.house.HouseRule):
    """
    Each player has a foot of {cards} cards, which nobody sees before it is taken up.

    A player whose hand is empty takes it up. After a meld or a lay-off the turn goes on
    with it, and after a discard it waits for the next turn.
    """

    id = "HAF-14"
    piles = (rv.house.Pile(_FOOT, "cards", of="seat"),)

    cards: int = 11

    def refills(self, turn: rv.house.Turn) -> Iterator[rv.house.Move]:
        """
        The foot of the player, if it is still there.
        """
        seat = turn.seat
        yield rv.house.Move(_FOOT, "hand", None, source_seat=seat, target_seat=seat)


@rv.house.register_rule("out", "kinds of books")
@attrs.frozen
class KindsOfBooks(rv.house.HouseRule):
    """
    Canastas are called books here: clean, dirty and wild ones.

    Clean ones are natural, dirty ones mixed, and wild ones of wild cards alone.
    """

    id = "HAF-15"
    reads = frozenset(
        {"canasta_size", "hand", "side", "seat", "table", "wild_rank", "zone_sizes"}
    )

    clean: int = 2
    dirty: int = 2
    wild: int = 1

    def describe(self) -> str:
        """
        The names of the kinds, and how many of each are needed.
        """
        return f"{super().describe()} A side goes out only with {self._quota()}."

    def may_go_out(self, turn: rv.house.Turn) -> bool:
        """
        Whether the side has closed so many of each kind.
        """
        return not any(self._lacking(turn))

    def asks(self, turn: rv.house.Turn) -> int | None:
        """
        The partner, if the foot is taken up and the hand might close what lacks.
        """
        if turn.zone_size(_FOOT, turn.seat):
            return None
        for lacking, able in zip(self._lacking(turn), self._able(turn), strict=True):
            if lacking > able:
                return None
        return next(iter(turn.side - {turn.seat}), None)

    def _lacking(self, turn: rv.house.Turn) -> list[int]:
        """
        How many clean, dirty and wild books the side lacks.
        """
        lacking = [self.clean, self.dirty, self.wild]
        for meld in turn.table:
            if meld.maker in turn.side and len(meld) >= turn.canasta_size:
                lacking[_kind(turn, meld)] -= 1
        return [max(0, one) for one in lacking]

    def _able(self, turn: rv.house.Turn) -> list[int]:
        """
        How many of each the hand might close at most.
        """
        able = [0, 0, 0]
        wilds = sum(turn.is_wild(card) for card in turn.hand)
        held = Counter(card.rank for card in turn.hand if not turn.is_wild(card))
        for meld in turn.table:
            if meld.maker in turn.side and len(meld) < turn.canasta_size:
                lacking = turn.canasta_size - len(meld)
                kind = _kind(turn, meld)
                natural = 0 if kind == _WILD else held.pop(meld.rank, 0)
                able[kind] += lacking <= natural + wilds * (kind != _CLEAN)
                able[_DIRTY] += kind == _CLEAN and lacking <= natural + wilds
        for number in held.values():
            able[_CLEAN] += number >= turn.canasta_size
            able[_DIRTY] += number + wilds >= turn.canasta_size
        able[_WILD] += wilds // turn.canasta_size
        return able

    def because(self, text: str) -> str:
        """
        The quota itself.
        """
        del text
        return f"a side goes out only with {self._quota()}"

    def _quota(self) -> str:
        """
        How many of each kind, without those of which none is needed.
        """
        kinds = {"clean books": self.clean, "dirty": self.dirty, "wild": self.wild}
        needed = [f"{number} {kind}" for kind, number in kinds.items() if number]
        parts = [", ".join(needed[:-1]), *needed[-1:]]
        return " and ".join(filter(None, parts)) or "any books"


@rv.house.register_rule("out", "partner in the foot")
@attrs.frozen
class PartnerInTheFoot(rv.house.HouseRule):
    """
    A player goes out only if the partner has played from the foot.

    Part of a turn is enough.
    """

    id = "HAF-15"
    reads = frozenset({"memory", "seat", "side", "zone_sizes"})
    memory = rv.house.Memory(start=(), scope="round")
    effects = frozenset({rv.house.Remember})

    def follows(
        self, turn: rv.house.Turn, event: events.Event
    ) -> list[rv.house.Remember] | None:
        """
        A card that is laid or discarded after the foot was taken up is one of it.
        """
        if isinstance(event, events.Laid | events.Discarded):
            seat = event.seat
            if seat not in turn.memory and not turn.zone_size(_FOOT, seat):
                return [rv.house.Remember((*turn.memory, seat))]
        return None

    def may_go_out(self, turn: rv.house.Turn) -> bool:
        """
        Whether all partners have played from their feet.
        """
        return turn.side - {turn.seat} <= {*turn.memory}

    def could_remember(self, value: Any, players: int) -> bool:
        """
        Only seats, each once.
        """
        seats = value if isinstance(value, tuple) else (value,)
        return len({*seats}) == len(seats) and {*seats} <= {*range(players)}


@rv.house.register_rule("out", "asks first")
@attrs.frozen
class AsksFirst(rv.house.HouseRule):
    """
    A player goes out only if the partner was asked and has said yes.

    The question comes after the draw and before a card is laid. After a yes the player
    has to go out in that turn, and after a no they may not.
    """

    id = "HAF-16"
    reads = frozenset({"answer", "side"})

    def may_go_out(self, turn: rv.house.Turn) -> bool:
        """
        After a yes; or without a partner.
        """
        return turn.answer == "yes" or len(turn.side) == 1

    def must_go_out(self, turn: rv.house.Turn) -> bool:
        """
        After a yes.
        """
        return turn.answer == "yes"

    def because(self, text: str) -> str:
        """
        What is refused, and that the answer is the reason.
        """
        return f"{text}: the partner is asked first, and the answer binds"


@rv.house.register_rule("score", "red threes for and against")
@attrs.frozen
class RedThrees(rv.house.HouseRule):
    """
    Each red three that is laid out scores {points} points for its side.

    One that lies in a foot which was never taken up costs {points} points.
    """

    id = "HAF-05"

    points: int = 100

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The points of each card.
        """
        for name, seat, cards in end.zones:
            if name == "laid aside":
                for card in cards:
                    yield rv.house.Points(seat, self.points, "laid out", card)
        for seat in range(end.players):
            for card in end.lying(_FOOT, seat):
                if card in end.laid_aside:
                    yield rv.house.Points(seat, -self.points, "in the foot", card)


@rv.house.register_rule("score", "natural sevens")
@attrs.frozen
class NaturalSevens(rv.house.HouseRule):
    """
    A canasta of sevens without a wild card scores {points} points more than others.
    """

    id = "HFV-09"
    needs: ClassVar = {"out.canasta": ...}

    points: int = 1000

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The points of each, for the seat that began it.
        """
        for meld in end.table:
            sevens = {slot.card.rank for slot in meld.slots} == {"7"}
            if sevens and len(meld) >= end.canasta_size:
                yield rv.house.Points(meld.maker, self.points, "natural sevens")


@rv.house.register_rule("score", "feet against")
@attrs.frozen
class FeetAgainst(rv.house.HouseRule):
    """
    Cards of a foot that was never taken up count like those left in a hand.
    """

    id = "HAF-19"

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The points of each foot, but for red threes.
        """
        for seat in range(end.players):
            for card in end.lying(_FOOT, seat):
                if card not in end.laid_aside:
                    points = -end.points_left([card])
                    yield rv.house.Points(seat, points, "in the foot", card)
