"""
A house rule: a player may pass the draw for points.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("draw", "pass the draw")
@attrs.frozen
class PassTheDraw(rv.house.HouseRule):
    """
    A player may play without a draw, which costs {price} points.
    """

    actions = ("skip the draw",)

    price: int = 10

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        The action in place of a draw: points are lost, and the turn goes on.
        """
        if turn.phase == "draw":
            price = -self.price if not turn.lowest_wins else self.price
            cost = rv.house.Points(turn.seat, price, "for passing the draw")
            yield rv.house.Offer("skip the draw", [cost, rv.house.GoOn("play")])


SCENARIO = """
title = "Ann plays without a draw and goes out"

[rules]
extends = "rummy-500"

[rules.draw]
rules = ["pass the draw"]

[rules.call]
calls = "none"

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
stock    = "2c 9s 4h"
discards = "Qd"
hands    = { Ann = "7h 8h 9h 2d", Ben = "3c 5d" }

[[step]]
do = "skip the draw"

[[step]]
do      = "skip the draw"
refused = "*"

[[step]]
do = "meld 7h 8h 9h"

[[step]]
do = "discard 2d"

[expect]
phase  = "deal"
scores = { Ann = 14, Ben = -8 }
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(PassTheDraw().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert outcome.state is not None
    assert outcome.state.result is not None
    print(*outcome.state.result.items, sep="\n")
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
