"""
A house rule: two cards are drawn from the stock each turn.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("draw", "two from the stock")
@attrs.frozen
class TwoFromTheStock(rv.house.HouseRule):
    """
    Whoever draws from the stock draws {number} cards, as far as it has them.
    """

    reads = frozenset()
    replaces = ("draw.from_stock",)

    number: int = 2

    def cards_drawn(self, turn: rv.house.Turn) -> int:
        """
        The same in every turn.
        """
        return self.number


SCENARIO = """
title = "Two cards come from the stock, and the last one comes alone"

[rules]
extends = "rummy-500"

[rules.draw]
rules = ["two from the stock"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
stock    = "2c 9s 4h"
discards = "Qd"
hands    = { Ann = "8h Kd", Ben = "3c 5d" }

[[step]]
do = "draw"

[[step]]
do = "discard Kd"

[[step]]
do = "draw"

[expect]
turn  = "Ben"
phase = "play"
hands = { Ann = "8h 2c 9s", Ben = "3c 5d 4h" }
stock = ""
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(TwoFromTheStock().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
