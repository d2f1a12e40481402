"""
A house rule: once a round a player may look at the top of the stock.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("draw", "a peek")
@attrs.frozen
class APeek(rv.house.HouseRule):
    """
    Once a round a player may look at the top card of the stock before drawing.
    """

    memory = rv.house.Memory(start=())
    effects = frozenset({rv.house.Remember, rv.house.Show})
    actions = ("peek",)

    def offers(self, turn: rv.house.Turn) -> Iterable[rv.house.Offer]:
        """
        A look for whoever has not looked yet.
        """
        looked = turn.seat in turn.memory
        if turn.phase == "draw" and turn.stock_size and not looked:
            look = rv.house.Show("stock", to=(turn.seat,))
            yield rv.house.Offer(
                "peek", [look, rv.house.Remember((*turn.memory, turn.seat))]
            )


SCENARIO = """
title = "A second peek is refused, in the same turn and in the next"

[rules]
extends = "rummy-500"

[rules.draw]
rules = ["a peek"]

[rules.call]
calls = "none"

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
stock    = "2c 9s 4h 6d"
discards = "Qd"
hands    = { Ann = "8h Kd", Ben = "3c 5d" }

[[step]]
do = "peek"

[[step]]
do      = "peek"
refused = "*"

[[step]]
do = "take 1"

[[step]]
do = "discard Kd"

[[step]]
do = "draw"

[[step]]
do = "discard 5d"

[[step]]
do      = "peek"
refused = "*"

[expect]
turn  = "Ann"
phase = "draw"
hands = { Ann = "8h Qd", Ben = "3c 2c" }
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(APeek().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    # That Ann has looked is known to all, and what she has seen to her alone.
    assert scenario.start is not None
    state = rv.apply(scenario.start, "peek")
    for seat, name in enumerate(state.players):
        print(f"{name} knows of the stock:", *rv.view(state, seat).known_stock)
    assert rv.view(state, 0).known_stock == (rv.Card("2c"),)
    assert rv.view(state, 1).known_stock == ()
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
