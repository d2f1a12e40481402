"""
A house rule: each side has a second hand.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("out", "second hand")
@attrs.frozen
class SecondHand(rv.house.HouseRule):
    """
    Each side has a pot of eleven cards, and the first to play out a hand takes it up.

    The turn goes on after a play, and ends as usual after a discard.
    """

    piles = (rv.house.Pile("pot", 11, of="side"),)

    def refills(self, turn: rv.house.Turn) -> Iterator[rv.house.Move]:
        """
        The pot of the side, if it is still there.
        """
        yield rv.house.Move(
            "pot", "hand", None, source_seat=min(turn.side), target_seat=turn.seat
        )


SCENARIO = """
title = "Ann takes up the pot, and the turn goes on"

[rules]
extends = "rummy-500"

[rules.out]
rules = ["second hand"]

[rules.call]
calls = "none"

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
drawn    = "stock 9h"
stock    = "2c 9s 4h"
discards = "Qd"
hands    = { Ann = "7h 8h 9h", Ben = "3c 5d" }
zones    = { pot = { Ann = "2d Kd" } }

[[step]]
do = "meld 7h 8h 9h"

[[step]]
do = "discard 2d"

[expect]
turn  = "Ben"
phase = "draw"
hands = { Ann = "Kd", Ben = "3c 5d" }
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(SecondHand().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert outcome.state is not None
    print("Ann has left:", *outcome.state.hands[0])
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
