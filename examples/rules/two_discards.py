"""
A house rule: whoever takes from the discard pile discards two cards for it.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("discard", "two discards")
@attrs.frozen
class TwoDiscards(rv.house.HouseRule):
    """
    Whoever took from the discard pile ends the turn with {number} discards.
    """

    reads = frozenset({"source"})

    number: int = 2

    def discards_owed(self, turn: rv.house.Turn) -> int | None:
        """
        The discards for a take; no answer after any other draw.
        """
        return self.number if turn.source == "discards" else None


SCENARIO = """
title = "A card from the pile costs a second discard"

[rules]
extends = "rummy-500"

[rules.discard]
rules = ["two discards"]

[rules.call]
calls = "none"

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
stock    = "9s 4c 6d"
discards = "2s Qd"
hands    = { Ann = "3c 8h Kd", Ben = "5c 7s Jh" }

[[step]]
seat = "Ann"
do   = "take 1"

[[step]]
seat = "Ann"
do   = "discard Kd"

[[step]]
seat    = "Ben"
do      = "draw"
refused = "*"

[[step]]
seat = "Ann"
do   = "discard 8h"

[[step]]
seat = "Ben"
do   = "draw"

[[step]]
seat = "Ben"
do   = "discard 9s"

[expect]
turn     = "Ann"
phase    = "draw"
hands    = { Ann = "3c Qd", Ben = "5c 7s Jh" }
discards = "2s Kd 8h 9s"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(TwoDiscards().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
