"""
House rules of Knock Rummy: a knock is judged against the hands of all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

import rummyvariants as rv


class _Settlement(rv.house.HouseRule):
    """
    What players pay each other after a knock.
    """

    reason = ""

    def _paid(
        self, left: Sequence[int], knocker: int, winners: Sequence[int]
    ) -> Mapping[int, int]:
        """
        What seats are paid; negative where they pay.

        Args:
            left: By seat, the points of the unmatched cards.
            knocker: Who knocked.
            winners: Who has the lowest hand, the first on the knocker's left first.
        """
        raise NotImplementedError

    def pays(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The payments for a hand that somebody has knocked.
        """
        if end.how not in {"knock", "gin"}:
            return
        knocker, seats = end.out[0], range(end.players)
        left = [end.points(end.unmatched(hand)) for hand in end.hands]
        # The melds that the knocker has named are on the table, and hold.
        left[knocker] = end.points(end.hands[knocker])
        around = [*seats[knocker + 1 :], *seats[: knocker + 1]]
        winners = [seat for seat in around if left[seat] == min(left)]
        if knocker in winners:
            others = winners[:-1]
            winners = others if others and left[knocker] else [knocker]
        for seat, points in self._paid(left, knocker, winners).items():
            if points:
                yield rv.house.Points(seat, points, self.reason)

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The same, as the points of the hand.
        """
        return self.pays(end)


def _shared(owed: Mapping[int, int], winners: Sequence[int]) -> Mapping[int, int]:
    """
    What seats owe, and what each winner is paid of it; the first take what is odd.
    """
    paid = {seat: -points for seat, points in owed.items()}
    number = len(winners)
    for place, seat in enumerate(winners):
        paid[seat] = (sum(owed.values()) + number - 1 - place) // number
    return paid


@rv.house.register_rule("score", "lowest hand")
@attrs.frozen
class LowestHand(_Settlement):
    """
    After a knock the lowest hand of all wins from each other the difference.

    If others are as low as the knocker, they win. Several winners share what is paid.
    """

    id = "KNK-04"
    reason = "for the difference"

    def _paid(
        self, left: Sequence[int], knocker: int, winners: Sequence[int]
    ) -> Mapping[int, int]:
        del knocker
        low = left[winners[0]]
        others = [seat for seat in range(len(left)) if seat not in winners]
        return _shared({seat: left[seat] - low for seat in others}, winners)


@rv.house.register_rule("score", "higher knock")
@attrs.frozen
class HigherKnock(_Settlement):
    """
    A knocker who does not have the lowest hand pays {penalty} points more to {whom}.

    A knocker who is as low as the lowest does not pay them.
    """

    id = "KNK-05"
    reason = "for a knock with a higher hand"

    penalty: int = 10
    whom: str = "the lowest"

    def _paid(
        self, left: Sequence[int], knocker: int, winners: Sequence[int]
    ) -> Mapping[int, int]:
        lower = [seat for seat, points in enumerate(left) if points < left[knocker]]
        if self.whom == "the lowest":
            return _shared({knocker: self.penalty}, winners) if lower else {}
        return {
            knocker: -self.penalty * len(lower),
            **dict.fromkeys(lower, self.penalty),
        }


@rv.house.register_rule("score", "nothing left")
@attrs.frozen
class NothingLeft(_Settlement):
    """
    A knock with no unmatched card wins {points} points more from each other player.

    The knocker then wins even if another hand has nothing left either.
    """

    id = "KNK-06"
    reason = "for a knock with nothing left"

    points: int = 25

    def _paid(
        self, left: Sequence[int], knocker: int, winners: Sequence[int]
    ) -> Mapping[int, int]:
        if left[knocker]:
            return {}
        others = [seat for seat in range(len(left)) if seat != knocker]
        return _shared(dict.fromkeys(others, self.points), winners)
