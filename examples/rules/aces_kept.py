"""
A house rule: aces are not discarded while other cards are left.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("discard", "aces are kept")
@attrs.frozen
class AcesAreKept(rv.house.HouseRule):
    """
    No ace is discarded while other cards are left in the hand.
    """

    reads = frozenset({"hand"})
    bars = rv.Cards("Ac Ad Ah As")

    def discards(self, turn: rv.house.Turn) -> Iterable[rv.Card]:
        """
        The cards that are no aces; of a hand of aces, all.
        """
        others = [card for card in turn.hand if card.rank != "A"]
        return others or turn.hand


SCENARIO = """
title = "An ace is discarded when nothing else is left"

[rules]
extends = "rummy-500"

[rules.discard]
rules = ["aces are kept"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
stock    = "2c 9s"
discards = "Qd"
hands    = { Ann = "Ac Ad 7h 8h 9h", Ben = "3c 5d" }

[[step]]
do      = "discard Ac"
refused = "*"

[[step]]
do = "meld 7h 8h 9h"

[[step]]
do = "discard Ac"

[expect]
turn     = "Ben"
hands    = { Ann = "Ad" }
discards = "Qd Ac"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(AcesAreKept().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
