"""
A house rule: the others may buy the upcard once a player has drawn from the stock.

The window follows the draw, not the discard: so it is asked for by an event.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants import events, testing


@rv.house.register_rule("call", "second window")
@attrs.frozen
class ASecondWindow(rv.house.HouseRule):
    """
    When a player has drawn from the stock, the others may buy the upcard.

    They are asked from the left. The penalty is {penalty} from the stock.
    """

    actions = ("may i",)

    penalty: int = 1

    def follows(
        self, turn: rv.house.Turn, event: object
    ) -> Iterator[rv.house.AskOthers]:
        """
        The others, asked after the draw.
        """
        if isinstance(event, events.Drew) and event.seat == turn.whose_turn:
            seats = range(event.seat + 1, event.seat + turn.players)
            yield rv.house.AskOthers([seat % turn.players for seat in seats])

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        The upcard, with what it costs.
        """
        if turn.phase == "asked" and turn.discards:
            upcard = rv.house.Move("discards", "hand", target_seat=turn.seat)
            cost = rv.house.Move("stock", "hand", self.penalty, target_seat=turn.seat)
            yield rv.house.Offer("may i", [upcard, cost])


SCENARIO = """
title = "Cleo buys the upcard after the draw, and Ann's turn goes on"

[rules]
extends = "rummy-500"

[rules.call]
calls = "none"
rules = ["second window"]

[position]
seats    = ["Ann", "Ben", "Cleo"]
turn     = "Ann"
stock    = "2c 9s 4h"
discards = "Kd Qd"
hands    = { Ann = "8h", Ben = "3c 5d", Cleo = "Qs Qh" }

[[step]]
do = "draw"

[[step]]
seat = "Ben"
do   = "pass"

[[step]]
seat = "Cleo"
do   = "may i"

[expect]
turn     = "Ann"
phase    = "play"
hands    = { Ann = "8h 2c", Ben = "3c 5d", Cleo = "Qs Qh Qd 9s" }
discards = "Kd"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(ASecondWindow().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=3, matches=2)


if __name__ == "__main__":
    main()
