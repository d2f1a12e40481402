"""
A house rule: a meld of seven cards is closed, and worth a bonus.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("meld", "closed melds")
@attrs.frozen
class ClosedMelds(rv.house.HouseRule):
    """
    A meld of {size} cards is closed, and brings its maker {bonus} points.
    """

    reads = frozenset()

    size: int = 7
    bonus: int = 50

    def allows_meld(self, meld: rv.melds.Meld) -> bool:
        """
        Whether a meld, as it would lie, has not outgrown the limit.
        """
        return len(meld) <= self.size

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The bonus of each closed meld.
        """
        for meld in end.table:
            if len(meld) == self.size:
                yield rv.house.Points(meld.maker, self.bonus, "for a closed meld")


SCENARIO = """
title = "The seventh card closes a run"

[rules]
extends = "rummy-500"

[rules.meld]
rules = ["closed melds"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
stock    = "2c 9s"
discards = "Qd"
table    = ["Ben: 4h 5h 6h 7h 8h 9h"]
hands    = { Ann = "3h Th Jh", Ben = "Kc" }

[[step]]
do      = "lay 3h Th on 1"
refused = "*"

[[step]]
do = "lay Th on 1"

[[step]]
do      = "lay Jh on 1"
refused = "*"

[[step]]
do = "discard 3h"

[[step]]
seat = "Ben"
do   = "draw"

[[step]]
seat = "Ben"
do   = "discard Kc"

[[step]]
seat = "Ann"
do   = "draw"

[[step]]
seat = "Ann"
do   = "discard Jh"

[expect]
over         = "round"
round_scores = { Ann = 1, Ben = 87 }  # Ann: 10 - 9; Ben: 39 + 50 - 2
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(ClosedMelds().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
