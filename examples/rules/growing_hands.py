"""
A house rule: the hands grow by a card each round.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("deal", "growing hands")
@attrs.frozen
class GrowingHands(rv.house.HouseRule):
    """
    The hands of the first round have {first} cards, and each round adds one.
    """

    replaces = ("deal.hand_size",)
    needs = {"deal.method": "fixed"}

    first: int = 3

    def values(self, deal: rv.house.DealFacts) -> dict[str, int]:
        """
        The size of the hands of a round.
        """
        return {"deal.hand_size": self.first + deal.round_number - 1}


SCENARIO = """
title = "In the third round there are five cards in each hand"

[rules]
extends = "rummy-500"

[rules.deal]
rules = ["growing hands"]

[rules.match]
ends   = "after the rounds"
rounds = 4

[deal]
seats  = ["Ann", "Ben"]
dealer = "Ben"
round  = 3
deck   = "2h 5c Jd 4d 6c 8c Kc Qd 3s 7h 9h"

[expect]
hands    = { Ann = "2h Jd 6c Kc 3s", Ben = "5c 4d 8c Qd 7h" }
discards = "9h"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(GrowingHands().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert outcome.state is not None
    for name, hand in zip(outcome.state.players, outcome.state.hands, strict=True):
        print(f"{name}: {hand}")

    # Before hands outgrow the deck, the match has to end.
    try:
        rv.files.parse_scenario(SCENARIO.replace("round  = 3", "round  = 30"))
    except rv.errors.RulesError as error:
        print(error)
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
