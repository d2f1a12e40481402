"""
A house rule: a player above a hundred points is out of the match.

Points are bad here: the cards left in a hand count against it. The last player left
wins; if the last ones go together, the lowest total does.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("match", "out of the match")
@attrs.frozen
class OutOfTheMatch(rv.house.HouseRule):
    """
    A player above {points} points is out of the match; the last one left wins.

    If the last ones go together, the lowest total wins.
    """

    replaces = ("match.target",)

    points: int = 100

    def eliminated(self, match: rv.house.MatchFacts) -> list[int]:
        """
        The seats above the limit.
        """
        return [seat for seat, had in enumerate(match.scores) if had > self.points]

    def winners(self, match: rv.house.MatchFacts) -> list[int]:
        """
        Nobody while two are left.
        """
        left = [seat for seat in range(match.players) if seat not in match.eliminated]
        if len(left) > 1:
            return []
        lowest = min(match.scores)
        return left or [seat for seat, had in enumerate(match.scores) if had == lowest]


SCENARIO = """
title = "A player who is above the limit is dealt no more cards"

[rules]
extends = "rummy-500"

[rules.call]
calls = "none"

[rules.score]
hands = "add"
down  = "nothing"

[rules.match]
winner = "lowest"
rules  = ["out of the match"]

[position]
seats    = ["Ann", "Ben", "Cleo"]
turn     = "Ann"
phase    = "play"
stock    = "2c 9s"
discards = "Qd"
table    = ["Ann: 7h 8h 9h"]
hands    = { Ann = "4d", Ben = "Kc", Cleo = "3s" }
scores   = { Ann = 60, Ben = 95, Cleo = 97 }

[[step]]
do = "discard 4d"

[expect]
over    = "round"
scores  = { Ann = 60, Ben = 105, Cleo = 100 }
winners = []
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(OutOfTheMatch().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    # Ben is dealt no cards, and has no turn.
    assert outcome.state is not None
    state = rv.game.deal(outcome.state)
    for name, hand in zip(state.players, state.hands, strict=True):
        print(f"{name}: {hand}")
    assert [len(hand) for hand in state.hands] == [7, 0, 7]
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=3, matches=2)


if __name__ == "__main__":
    main()
