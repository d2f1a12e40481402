"""
A house rule: a player makes one new meld a turn, and lays off at will.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("meld", "new melds a turn")
@attrs.frozen
class NewMeldsATurn(rv.house.HouseRule):
    """
    The most new melds that a player may make in a turn: {number}.
    """

    reads = frozenset()
    replaces = ("meld.a_turn",)

    number: int = 1

    def most_melds(self, turn: rv.house.Turn) -> int:
        """
        The same in every turn.
        """
        return self.number


SCENARIO = """
title = "After a new meld there are lay-offs alone"

[rules]
extends = "rummy-500"

[rules.meld]
rules = ["new melds a turn"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
stock    = "2c 9s"
discards = "Qd"
hands    = { Ann = "7h 8h 9h Th Kc Kd Ks", Ben = "3c 5d" }

[[step]]
do = "meld 7h 8h 9h"

[[step]]
do      = "meld Kc Kd Ks"
refused = "*"

[[step]]
do = "lay Th on 1"

[expect]
legal = ["discard Kc", "discard Kd", "discard Ks"]
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(NewMeldsATurn().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
