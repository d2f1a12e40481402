"""
A house rule: the leader of the match draws from the stock alone.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("draw", "leader draws")
@attrs.frozen
class LeaderDraws(rv.house.HouseRule):
    """
    The leader of the match takes no discard.
    """

    reads = frozenset({"scores", "seat", "side", "lowest_wins"})

    def takes(self, turn: rv.house.Turn) -> tuple[int, ...] | None:
        """
        No number of discards for who is alone ahead.
        """
        best = min(turn.scores) if turn.lowest_wins else max(turn.scores)
        ahead = {seat for seat, one in enumerate(turn.scores) if one == best}
        return () if turn.seat in ahead and ahead <= turn.side else None


SCENARIO = """
title = "Ann is ahead and has to draw"

[rules]
extends = "rummy-500"

[rules.draw]
rules = ["leader draws"]

[rules.call]
calls = "none"

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
stock    = "2c 9s 4h"
discards = "Qd"
scores   = { Ann = 40, Ben = 35 }
hands    = { Ann = "8h Kd", Ben = "3c 5d" }

[[step]]
do      = "take 1"
refused = "*"

[[step]]
do = "draw"

[[step]]
do = "discard Kd"

[[step]]
do = "take 1"

[expect]
turn = "Ben"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(LeaderDraws().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
