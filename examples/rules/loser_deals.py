"""
A house rule: who has lost a round deals the next.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("match", "loser deals")
@attrs.frozen
class LoserDeals(rv.house.HouseRule):
    """
    The player who did worst in a round deals the next.

    Of several, it is the nearest on the dealer's left.
    """

    def deals_next(self, match: rv.house.MatchFacts) -> int | None:
        """
        The seat with the worst points of the round.
        """
        if not match.points:
            return None
        worst = max(match.points) if match.lowest_wins else min(match.points)
        left = range(match.dealer + 1, match.dealer + 1 + match.players)
        after = [seat % match.players for seat in left]
        return next(seat for seat in after if match.points[seat] == worst)


SCENARIO = """
title = "Cleo has the most cards left and deals next"

[rules]
extends = "rummy-500"

[rules.call]
calls = "none"

[rules.match]
rules = ["loser deals"]

[position]
seats    = ["Ann", "Ben", "Cleo"]
dealer   = "Cleo"
turn     = "Ann"
phase    = "play"
drawn    = "stock 9c"
stock    = "2c 9s 4h"
discards = "Qd"
hands    = { Ann = "9c", Ben = "3c 5d", Cleo = "Kc Kd" }

[[step]]
do = "discard 9c"

[expect]
phase  = "deal"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(LoserDeals().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert outcome.state is not None
    assert outcome.state.result is not None
    for item in outcome.state.result.items:
        print(f"{outcome.state.players[item.seat]}: {item.points} {item.reason}")
    dealt = rv.game.deal(outcome.state)
    assert dealt.dealer == 2
    print("dealer:", dealt.players[dealt.dealer])
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=3, matches=2)


if __name__ == "__main__":
    main()
