"""
A house rule: instead of a draw, a player may end the round and compare the hands.

An offer sees one hand. What depends on all hands is left to `score`.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("out", "drop and compare")
@attrs.frozen
class DropAndCompare(rv.house.HouseRule):
    """
    A player may end the round in place of a draw, and all hands are compared.

    The lowest is paid {stake} by each other player, and double by the one who ended the
    round. No other points count.
    """

    actions = ("compare",)
    memory = rv.house.Memory(start=-1)

    stake: int = 10

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        The end of the round, for a player before the draw.
        """
        if turn.phase == "draw":
            yield rv.house.Offer(
                "compare", [rv.house.Remember(turn.seat), rv.house.EndRound()]
            )

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        What the lowest hand is paid, in place of all other points.
        """
        if end.how != "rule" or end.memory < 0:
            return
        sizes = [end.points(hand) for hand in end.hands]
        # With equal hands, who has ended the round loses; then the first seat wins.
        low = min(range(end.players), key=lambda at: (sizes[at], at == end.memory))
        for seat, points in enumerate(end.so_far):
            if points:
                yield rv.house.Points(seat, -points, "not counted")
        sign = -1 if end.lowest_wins else 1
        for seat in range(end.players):
            if seat != low:
                stake = sign * self.stake * (1 + (seat == end.memory))
                yield rv.house.Points(seat, -stake, "for a higher hand")
                yield rv.house.Points(low, stake, "for the lowest hand")


SCENARIO = """
title = "Cleo has less than Ann, who pays double"

[rules]
extends = "basic-rummy"

[rules.out]
rules = ["drop and compare"]

[position]
seats    = ["Ann", "Ben", "Cleo"]
turn     = "Ann"
stock    = "2c 9s 4h"
discards = "Qd"
hands    = { Ann = "3h 3d", Ben = "3c 5d Kc", Cleo = "Ac 2d" }

[[step]]
do = "compare"

[expect]
phase  = "deal"
scores = { Ann = -20, Ben = -10, Cleo = 30 }
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(DropAndCompare().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert outcome.state is not None
    assert outcome.state.result is not None
    for item in outcome.state.result.items:
        print(f"{outcome.state.players[item.seat]}: {item.points} {item.reason}")
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=3, matches=2)


if __name__ == "__main__":
    main()
