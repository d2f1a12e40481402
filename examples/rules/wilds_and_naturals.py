"""
A house rule: a meld holds no more wilds than natural cards.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


WILDS = (
    *("wild.jokers", "wild.twos", "wild.tens", "wild.one_eyed_jacks"),
    "wild.indicator",
)


@rv.house.register_rule("wild", "no more wilds than naturals")
@attrs.frozen
class NoMoreWildsThanNaturals(rv.house.HouseRule):
    """
    A meld holds no more wilds than natural cards.
    """

    reads = frozenset()
    replaces = ("wild.limit", "wild.by_naturals")
    needs = {WILDS: ...}

    def most_wilds(self, naturals: int) -> int:
        """
        One for each natural card.
        """
        return naturals


SCENARIO = """
title = "Each wild has a natural card of its own"

[rules]
extends = "rummy-500"

[rules.wild]
twos  = true
rules = ["no more wilds than naturals"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
stock    = "6s 9s"
discards = "Qd"
hands    = { Ann = "7h 8h Th 2s 2d * Kc", Ben = "3c 5d" }

[[step]]
do      = "meld 7h 2s=8h 2d=9h"
refused = "*"

[[step]]
do = "meld 7h 8h 2s=9h"

[[step]]
do = "lay 2d=6h on 1"

[[step]]
do      = "lay *=5h on 1"
refused = "*"

[[step]]
do = "lay Th on 1"

[[step]]
do = "lay *=5h on 1"

[expect]
table = ["Ann: *=5h 2d=6h 7h 8h 2s=9h Th"]
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(NoMoreWildsThanNaturals().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
