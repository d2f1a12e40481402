"""
A house rule: red threes are laid out at once and replaced, and bring points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("deal", "red threes")
@attrs.frozen
class RedThrees(rv.house.HouseRule):
    """
    Red threes are laid out at once and replaced; each brings {points} points.
    """

    replaces = ("deal.laid_aside", "score.laid_aside")

    points: int = 100

    def lays_aside(self, deal: rv.house.DealFacts) -> Iterable[rv.Card]:
        """
        The two that no hand keeps.
        """
        return rv.cards.parse_cards("3h 3d")

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The points of those that were laid out.
        """
        for name, seat, cards in end.zones:
            if name == self.name:
                for card in cards:
                    yield rv.house.Points(
                        seat, self.points, "a red three laid out", card
                    )


SCENARIO = """
cites = ["RV-45"]
title = "A red three is replaced, whether it was dealt or drawn"

[rules]
extends = "rummy-500"

[rules.deal]
hand_size = 3
rules     = ["red threes"]

[rules.match]
target = 300

# Ann is dealt 3h, for which 9h comes, and draws 3d, for which 5d comes.
[deal]
seats  = ["Ann", "Ben"]
dealer = "Ben"
deck   = '''
3h 2c
7h 4s
8h Kd
9h Qc 3d 5d
'''

[[step]]
do = "draw"

[[step]]
do = "meld 7h 8h 9h"

[[step]]
do = "discard 5d"

[expect]
out          = "Ann"
round_scores = { Ann = 224, Ben = -16 }
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(RedThrees().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert outcome.state is not None
    for zone in outcome.state.zones:
        print(zone)
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
