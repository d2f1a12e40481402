"""
A house rule: a meld of thirteen cards ends the match.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants import events, testing


@rv.house.register_rule("match", "thirteen wins")
@attrs.frozen
class ThirteenWins(rv.house.HouseRule):
    """
    Whoever lays the last card of a meld of {cards} cards has won the match.
    """

    cards: int = 13

    def follows(
        self, turn: rv.house.Turn, event: object
    ) -> Iterator[rv.house.EndMatch]:
        """
        The end of the match, when such a meld lies on the table.
        """
        if isinstance(event, events.Laid | events.Called):
            if any(len(meld) >= self.cards for meld in turn.table):
                yield rv.house.EndMatch(sorted(turn.side))


SCENARIO = """
title = "The king completes a suit, and the match is over"

[rules]
extends = "rummy-500"

[rules.call]
calls = "none"

[rules.match]
rules = ["thirteen wins"]

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
drawn    = "stock 9c"
stock    = "2c 9s 4d"
discards = "Qd"
table    = ["Ben: Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh"]
hands    = { Ann = "Kh Kd 9c", Ben = "3c 5d" }

[[step]]
do = "lay Kh on 1"

[expect]
phase   = "over"
winners = ["Ann"]
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(ThirteenWins().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    # Ben has more points; the rule decides all the same.
    assert outcome.state is not None
    for name, points in zip(outcome.state.players, outcome.state.scores, strict=True):
        print(f"{name}: {points}")
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
