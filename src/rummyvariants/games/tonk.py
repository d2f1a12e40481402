"""
House rules of Tonk: hands that win as dealt, the drop, hits, and the stakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

import attrs

import rummyvariants as rv


_SINGLE, _DOUBLE = 1, 2
_FEW = 5


class _Stakes(rv.house.HouseRule):
    """
    What players pay each other after a deal.
    """

    reason = ""

    def _paid(self, end: rv.house.RoundFacts) -> Mapping[int, int]:
        """
        The stakes that seats are paid; negative where they pay.
        """
        raise NotImplementedError

    def pays(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The payments for a deal that ended as the rule says.
        """
        for seat, stakes in self._paid(end).items():
            if stakes:
                yield rv.house.Points(seat, stakes, self.reason)

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The same, as the points of the deal.
        """
        return self.pays(end)


def _from_each(end: rv.house.RoundFacts, winner: int, stakes: int) -> Mapping[int, int]:
    """
    So many stakes for a seat from each other one.
    """
    paid = dict.fromkeys(range(end.players), -stakes)
    return {**paid, winner: stakes * (end.players - 1)}


def _shared(owed: Mapping[int, int], winners: Sequence[int]) -> Mapping[int, int]:
    """
    What seats owe, and what each winner is paid of it; the first take what is odd.
    """
    paid = {seat: -stakes for seat, stakes in owed.items()}
    for place, seat in enumerate(winners):
        paid[seat] = (sum(owed.values()) + len(winners) - 1 - place) // len(winners)
    return paid


def _hands(end: rv.house.RoundFacts) -> list[int]:
    """
    By seat, the points of the hand, spreads in it included.
    """
    return [end.points(hand) for hand in end.hands]


@rv.house.register_rule("deal", "tonk as dealt")
@attrs.frozen
class TonkAsDealt(_Stakes):
    """
    A hand of five cards that counts {least} points or more as dealt ends the deal.

    Its holder gets twice the stake from each other player. If there are two such hands,
    nobody pays.
    """

    id = "TON-03"
    reason = "for the hand as dealt"
    memory = rv.house.Memory(start=False)
    effects = frozenset({rv.house.Remember, rv.house.EndRound})

    least: int = 49
    most: int = 0

    def describe(self) -> str:
        """
        The docstring, with all points that suffice.
        """
        low = f", or {self.most} or fewer," if self.most else ""
        return super().describe().replace(" as dealt", f"{low} as dealt", 1)

    def _wins(self, points: int) -> bool:
        return points >= self.least or points <= self.most

    def follows(
        self, turn: rv.house.Turn, event: rv.events.Event
    ) -> Iterator[rv.house.Effect] | None:
        """
        The end, if such a hand is dealt.
        """
        if isinstance(event, rv.events.HandDealt):
            cards = event.cards or ()
            # Of more cards every hand counts so much, and none would ever be played.
            if len(cards) <= _FEW and self._wins(turn.points(cards)):
                return iter([rv.house.Remember(True), rv.house.EndRound()])
        return None

    def _paid(self, end: rv.house.RoundFacts) -> Mapping[int, int]:
        if not end.memory:
            return {}
        won = [seat for seat, hand in enumerate(_hands(end)) if self._wins(hand)]
        return _from_each(end, won[0], _DOUBLE) if len(won) == 1 else {}


@rv.house.register_rule("out", "drop")
@attrs.frozen
class Drop(_Stakes):
    """
    Instead of the draw, a player may drop: that ends the deal, and hands are compared.

    A dropper whose hand alone is lowest gets the stake from each other player.
    """

    id = "TON-08"
    reason = "for the drop"
    actions: ClassVar = {"drop": ("draw",)}
    cardless = ("drop",)
    reads = frozenset({"seat", "memory"})
    memory = rv.house.Memory(start=-1)
    effects = frozenset({rv.house.Remember, rv.house.EndRound})

    double_at: int = 0
    to_the_lowest: bool = False
    after_a_hit: bool = True

    def describe(self) -> str:
        """
        The docstring, and what else a drop costs or brings.
        """
        said = [super().describe()]
        if self.double_at:
            said.append(f"With {self.double_at} points or fewer it is twice the stake.")
        said.append(
            "Any other dropper pays the stakes of all to the lowest of the others."
            if self.to_the_lowest
            else "Any other dropper pays twice the stake to each player who has as "
            "little or less, and the lowest of the others gets the stake from each "
            "player but the dropper."
        )
        if not self.after_a_hit:
            said.append(
                "Players do not drop in their next turn after another has laid cards "
                "on a meld of theirs."
            )
        return " ".join(said)

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        The drop.
        """
        ends = [rv.house.Remember(turn.seat), rv.house.EndRound()]
        hit = "another player has hit a spread of theirs since their last turn"
        refused = hit if turn.seat in _waiting(turn) else ""
        yield rv.house.Offer("drop", ends, refused=refused)

    def follows(
        self, turn: rv.house.Turn, event: rv.events.Event
    ) -> Iterator[rv.house.Effect] | None:
        """
        Who has been hit since their last turn.
        """
        found = _waiting(turn)
        if isinstance(event, rv.events.Laid) and event.how == "lay-off":
            found |= {turn.table[event.meld - 1].maker} - {event.seat}
        elif isinstance(event, rv.events.Discarded):
            found -= {event.seat}
        if self.after_a_hit or found == _waiting(turn):
            return None
        return iter([rv.house.Remember(tuple(sorted(found)) or -1)])

    def _paid(self, end: rv.house.RoundFacts) -> Mapping[int, int]:
        dropper, hands = end.memory, _hands(end)
        if isinstance(dropper, tuple) or dropper < 0:
            return {}
        others = [seat for seat in range(end.players) if seat != dropper]
        level = [seat for seat in others if hands[seat] <= hands[dropper]]
        if not level:
            low = hands[dropper] <= self.double_at
            return _from_each(end, dropper, _DOUBLE if low else _SINGLE)
        low = min([hands[seat] for seat in others])
        winners = [seat for seat in others if hands[seat] == low]
        if self.to_the_lowest:
            return _shared({dropper: _SINGLE * len(others)}, winners)
        paid = dict.fromkeys(level, _DOUBLE)
        paid[dropper] = -_DOUBLE * len(level)
        for winner in winners:
            for seat in others:
                more = _SINGLE * (len(others) - 1) if seat == winner else -_SINGLE
                paid[seat] = paid.get(seat, 0) + more
        return paid


def _waiting(turn: rv.house.Turn) -> frozenset[int]:
    """
    Who has been hit since their last turn, where that keeps players from a drop.
    """
    return frozenset(turn.memory if isinstance(turn.memory, tuple) else ())


@rv.house.register_rule("layoff", "one hit a turn")
@attrs.frozen
class OneHit(rv.house.HouseRule):
    """
    A player lays off one card a turn at most.
    """

    id = "TOV-02"
    needs: ClassVar = {"meld.shown": "in turn"}
    memory = rv.house.Memory(start=False, scope="turn")
    effects = frozenset({rv.house.Remember})
    vetoes = ("lay",)

    def forbids(
        self, turn: rv.house.Turn, action: rv.Action, after: Callable[[], rv.house.Turn]
    ) -> bool:
        """
        A second card.
        """
        del after
        several = isinstance(action, rv.actions.LayOff) and len(action.cards) > 1
        return bool(turn.memory) or several

    def follows(
        self, turn: rv.house.Turn, event: rv.events.Event
    ) -> Iterator[rv.house.Effect] | None:
        """
        The first card.
        """
        del turn
        if isinstance(event, rv.events.Laid) and event.how == "lay-off":
            return iter([rv.house.Remember(True)])
        return None


@rv.house.register_rule("score", "stakes for going out")
@attrs.frozen
class GoingOut(_Stakes):
    """
    Whoever is out gets the stake from each other player, and twice without a discard.
    """

    id = "TON-07"
    reason = "for going out"
    memory = rv.house.Memory(start=False)
    effects = frozenset({rv.house.Remember})

    def follows(
        self, turn: rv.house.Turn, event: rv.events.Event
    ) -> Iterator[rv.house.Effect] | None:
        """
        Whether the last card of a hand has been discarded.
        """
        if isinstance(event, rv.events.Discarded) and not turn.hand:
            return iter([rv.house.Remember(True)])
        return None

    def _paid(self, end: rv.house.RoundFacts) -> Mapping[int, int]:
        if end.how != "out":
            return {}
        return _from_each(end, end.out[0], _SINGLE if end.memory else _DOUBLE)


@rv.house.register_rule("score", "stakes for an empty stock")
@attrs.frozen
class EmptyStock(_Stakes):
    """
    If nobody is out or drops, the lowest hand gets the stake from each other player.

    Players who are level for the lowest share the stakes.
    """

    id = "TON-09"
    reason = "for the lowest hand"

    def _paid(self, end: rv.house.RoundFacts) -> Mapping[int, int]:
        if end.how not in {"stock", "idle"}:
            return {}
        hands = _hands(end)
        won = [seat for seat, hand in enumerate(hands) if hand == min(hands)]
        others = [seat for seat in range(end.players) if seat not in won]
        return _shared(dict.fromkeys(others, _SINGLE), won)
