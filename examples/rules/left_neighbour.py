"""
A house rule: cards are laid off on the melds of the left neighbour alone.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("layoff", "left neighbour")
@attrs.frozen
class LeftNeighbour(rv.house.HouseRule):
    """
    Cards are laid off on the melds of the left neighbour alone.
    """

    reads = frozenset({"players", "seat"})
    replaces = ("layoff.onto",)
    needs = {"meld.shown": "in turn"}

    def lays_off_on(self, turn: rv.house.Turn) -> list[int]:
        """
        The next seat clockwise.
        """
        return [(turn.seat + 1) % turn.players]


SCENARIO = """
title = "Of three melds one is open to lay-offs"

[rules]
extends = "rummy-500"

[rules.layoff]
rules = ["left neighbour"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben", "Cleo"]
turn     = "Ann"
phase    = "play"
stock    = "2c 9s"
discards = "Qd"
table    = ["Ann: 3c 4c 5c", "Ben: 7h 8h 9h", "Cleo: Ts Js Qs"]
hands    = { Ann = "6c Th Ks Jd", Ben = "3s", Cleo = "4d" }

[[step]]
do      = "lay 6c on 1"
refused = "*"

[[step]]
do      = "lay Ks on 3"
refused = "*"

[[step]]
do = "lay Th on 2"

[expect]
legal = ["discard 6c", "discard Ks", "discard Jd"]
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(LeftNeighbour().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=3, matches=2)


if __name__ == "__main__":
    main()
