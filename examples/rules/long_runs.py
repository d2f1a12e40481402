"""
A house rule: the cards of a run of five or more count double.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("score", "long runs")
@attrs.frozen
class LongRuns(rv.house.HouseRule):
    """
    The cards of a run of {least} or more count double for those who laid them.
    """

    needs = {"meld.runs": True}

    least: int = 5

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        What each player has laid in a long run, once more.
        """
        for meld in end.table:
            if meld.kind == "run" and len(meld) >= self.least:
                for seat in range(end.players):
                    if points := end.points(meld, seat):
                        yield rv.house.Points(seat, points, "once more, in a long run")


SCENARIO = """
title = "A fifth card makes all cards of a run count double"

[rules]
extends = "rummy-500"

[rules.score]
rules = ["long runs"]

[rules.match]
target = 100

# The run: 1 + 2 + 3 + 5 = 11 of Ann's, 4 of Ben's. The sixes: 18, no run.
[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
stock    = "9d Qs"
discards = "Kc"
table    = ["Ann: Ah 2h 3h | Ben: 4h", "Ben: 6c 6d 6s"]
hands    = { Ann = "5h Jd", Ben = "8s" }

[[step]]
do = "lay 5h on 1"

[[step]]
do = "discard Jd"

[expect]
out          = "Ann"
round_scores = { Ann = 22, Ben = 18 }  # Ben: 4 + 4 + 18 - 8
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(LongRuns().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert outcome.state is not None
    assert outcome.state.result is not None
    for item in outcome.state.result.items:
        print(item)
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
