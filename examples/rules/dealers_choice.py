"""
A house rule: the dealer's game is played.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("deal", "dealers choice")
@attrs.frozen
class DealersChoice(rv.house.HouseRule):
    """
    The game is the dealer's: runs of four, wild twos, or small hands, seat by seat.
    """

    def values(self, deal: rv.house.DealFacts) -> Mapping[str, object]:
        """
        The values of the deal, by who deals.
        """
        games: tuple[Mapping[str, object], ...] = (
            {"meld.least_run": 4},
            {"wild.twos": True},
            {"deal.hand_size": 5},
        )
        return games[deal.dealer % len(games)]


SCENARIO = """
title = "Ben deals, and twos are wild"

[rules]
extends = "rummy-500"

[rules.deal]
hand_size = 3
rules     = ["dealers choice"]

[rules.call]
calls = "none"

[deal]
seats  = ["Ann", "Ben"]
dealer = "Ben"
deck   = "2h 5c Kd 4d Kc 8c 9c 9d 3s 7h 9h"

[[step]]
do = "draw"

[[step]]
do = "meld Kc Kd 2h=Kh"

[[step]]
do = "discard 9d"

[expect]
phase = "deal"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(DealersChoice().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
