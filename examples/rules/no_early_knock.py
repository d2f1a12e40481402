"""
A house rule for gin: nobody knocks before the third turn.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("out", "no early knock")
@attrs.frozen
class NoEarlyKnock(rv.house.HouseRule):
    """
    Nobody knocks before turn {first} of their own.
    """

    reads = frozenset({"seat", "turns_taken"})

    first: int = 3

    def may_knock(self, turn: rv.house.Turn) -> bool:
        """
        Whether the player has finished the turns before that.
        """
        return turn.turns_taken[turn.seat] >= self.first - 1


SCENARIO = """
title = "A knock is refused in the second turn and legal in the third"

[rules]
extends = "gin-rummy"

[rules.out]
rules = ["no early knock"]

[rules.match]
target = 20

[position]
seats       = ["Ann", "Ben"]
turn        = "Ann"
phase       = "play"
turns_taken = { Ann = 1, Ben = 1 }
drawn       = "stock Kd"
stock       = "Kh Qh 9s 9d 7c 7d 8s 3s"
discards    = "Ks"

[position.hands]
Ann = "7h 8h 9h 5c 5d 5s As 2c 3d 4c Kd"
Ben = "6h Th 2s 2d 3c 9c Qc Kc 8d 6s"

[[step]]
do      = "knock Kd: 7h 8h 9h / 5c 5d 5s"
refused = "*"

[[step]]
do = "discard Kd"

[[step]]
do = "draw"

[[step]]
do = "discard Kc"

[[step]]
do = "draw"

[[step]]
do = "knock Qh: 7h 8h 9h / 5c 5d 5s"

[expect]
phase = "layoff"
table = ["Ann: 7h 8h 9h", "Ann: 5c 5d 5s"]
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(NoEarlyKnock().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
