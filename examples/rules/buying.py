"""
A house rule: the players out of turn may buy the discard just made.

They are asked one after another, the next on the left of the player in turn first.
Whoever buys it draws a penalty card with it, and the turn goes on as it would have.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("call", "buying")
@attrs.frozen
class Buying(rv.house.HouseRule):
    """
    Players out of turn may buy the discard just made.

    The penalty is {penalty} from the stock.
    """

    reads = frozenset()
    replaces = ("call.buying",)

    penalty: int = 1

    def buys(self, turn: rv.house.Turn) -> rv.house.Price:
        """
        The same price for all.
        """
        return rv.house.Price(self.penalty)


SCENARIO = """
cites = ["RV-44"]
title = "Who comes first after the player in turn is asked first"

[rules]
extends = "rummy-500"

[rules.call]
calls = "none"
rules = ["buying"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben", "Cleo", "Dan"]
turn     = "Ann"
phase    = "play"
stock    = "2c 9s 4h"
discards = "Qd"
hands    = { Ann = "8h Kd", Ben = "3c 5d", Cleo = "6s 7s", Dan = "Kh Ks" }

[[step]]
seat = "Ann"
do   = "discard Kd"

[[step]]
seat    = "Dan"
do      = "buy"
refused = "*"

[[step]]
seat = "Cleo"
do   = "pass"

[[step]]
seat = "Dan"
do   = "buy"

[expect]
turn      = "Ben"
phase     = "draw"
hands     = { Cleo = "6s 7s", Dan = "Kh Ks Kd 2c" }
discards  = "Qd"
stock_top = "9s"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(Buying().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=3, matches=2)


if __name__ == "__main__":
    main()
