"""
House rules of Tonk: hands that win as dealt, the drop, and the stakes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import attrs

import rummyvariants as rv


_SINGLE, _DOUBLE = 1, 2


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


def _hands(end: rv.house.RoundFacts) -> list[int]:
    """
    By seat, the points of the hand, spreads in it included.
    """
    return [end.points(hand) for hand in end.hands]


@rv.house.register_rule("deal", "tonk as dealt")
@attrs.frozen
class TonkAsDealt(_Stakes):
    """
    A hand that counts {least} points or more as dealt ends the deal.

    Its holder gets twice the stake from each other player. If there are two such hands,
    nobody pays.
    """

    id = "TON-03"
    reason = "for the hand as dealt"
    memory = rv.house.Memory(start=False)
    effects = frozenset({rv.house.Remember, rv.house.EndRound})

    least: int = 49

    def follows(
        self, turn: rv.house.Turn, event: rv.events.Event
    ) -> Iterator[rv.house.Effect] | None:
        """
        The end, if such a hand is dealt.
        """
        if isinstance(event, rv.events.HandDealt):
            if turn.points(event.cards or ()) >= self.least:
                return iter([rv.house.Remember(True), rv.house.EndRound()])
        return None

    def _paid(self, end: rv.house.RoundFacts) -> Mapping[int, int]:
        if not end.memory:
            return {}
        won = [seat for seat, hand in enumerate(_hands(end)) if hand >= self.least]
        return _from_each(end, won[0], _DOUBLE) if len(won) == 1 else {}


@rv.house.register_rule("out", "drop")
@attrs.frozen
class Drop(_Stakes):
    """
    Instead of the draw, a player may drop: that ends the deal, and hands are compared.

    A dropper whose hand alone is lowest gets the stake from each other player. Any
    other dropper pays twice the stake to each player who has as little or less, and the
    lowest of the others gets the stake from each player but the dropper.
    """

    id = "TON-08"
    reason = "for the drop"
    actions: ClassVar = {"drop": ("draw",)}
    cardless = ("drop",)
    reads = frozenset({"seat"})
    memory = rv.house.Memory(start=-1)
    effects = frozenset({rv.house.Remember, rv.house.EndRound})

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        The drop.
        """
        ends = [rv.house.Remember(turn.seat), rv.house.EndRound()]
        yield rv.house.Offer("drop", ends)

    def _paid(self, end: rv.house.RoundFacts) -> Mapping[int, int]:
        dropper, hands = end.memory, _hands(end)
        if dropper < 0:
            return {}
        others = [seat for seat in range(end.players) if seat != dropper]
        level = [seat for seat in others if hands[seat] <= hands[dropper]]
        if not level:
            return _from_each(end, dropper, _SINGLE)
        paid = dict.fromkeys(level, _DOUBLE)
        paid[dropper] = -_DOUBLE * len(level)
        low = min([hands[seat] for seat in others])
        for winner in [seat for seat in others if hands[seat] == low]:
            for seat in others:
                more = _SINGLE * (len(others) - 1) if seat == winner else -_SINGLE
                paid[seat] = paid.get(seat, 0) + more
        return paid


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
        paid = dict.fromkeys(range(end.players), -_SINGLE)
        pot = _SINGLE * (end.players - len(won))
        for place, seat in enumerate(won):
            paid[seat] = (pot + len(won) - 1 - place) // len(won)
        return paid
