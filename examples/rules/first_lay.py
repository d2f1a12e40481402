"""
A house rule: the first melds of a player come to forty points together.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("meld", "first lay")
@attrs.frozen
class FirstLay(rv.house.HouseRule):
    """
    The first melds of a player, laid as one, come to {points} points or more.
    """

    reads = frozenset()
    replaces = ("meld.minimum",)
    needs = {"meld.shown": "in turn"}

    points: int = 40

    def opening(self, turn: rv.house.Turn) -> rv.house.Opening:
        """
        Any melds that come to so many points.
        """
        return rv.house.Opening(points=self.points)


SCENARIO = """
title = "Two melds together come to the points that neither has alone"

[rules]
extends = "rummy-500"

[rules.meld]
rules = ["first lay"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
stock    = "2c 9s"
discards = "Qd"
hands    = { Ann = "7h 8h 9h Kc Kd Ks 3c 3d 3s 4c", Ben = "5d" }

[[step]]
do      = "meld Kc Kd Ks"
refused = "*"

[[step]]
do      = "meld 7h 8h 9h / 3c 3d 3s"
refused = "*"

[[step]]
do = "meld 7h 8h 9h / Kc Kd Ks"

[[step]]
do = "meld 3c 3d 3s"

[expect]
table = ["Ann: 7h 8h 9h", "Ann: Kc Kd Ks", "Ann: 3c 3d 3s"]
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(FirstLay().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
