"""
A house rule: cards are discarded face down until somebody has melded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("discard", "face down")
@attrs.frozen
class FaceDown(rv.house.HouseRule):
    """
    Until somebody has melded, cards are put down face down and stay out of play.
    """

    piles = (rv.house.Pile("face down", of="seat"),)
    actions = ("put down",)
    secrets = ("put down",)
    vetoes = ("discard",)
    effects = frozenset({rv.house.Move, rv.house.GoOn})

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        Each card that might be discarded, put down so that only its player knows it.
        """
        if turn.phase == "play" and not turn.table:
            for card in dict.fromkeys(turn.hand):
                if turn.may(f"discard {card}"):
                    seats = {"source_seat": turn.seat, "target_seat": turn.seat}
                    goes = rv.house.Move("hand", "face down", cards=[card], **seats)
                    yield rv.house.Offer(
                        "put down", [goes, rv.house.GoOn("next turn")], [card]
                    )

    def forbids(
        self, turn: rv.house.Turn, action: Any, after: Callable[[], rv.house.Turn]
    ) -> bool:
        """
        No discard that others see.
        """
        del action, after
        return not turn.table


SCENARIO = """
title = "Ann puts a card down, and Ben has to draw"

[rules]
extends = "rummy-500"

[rules.discard]
rules = ["face down"]

[rules.call]
calls = "none"

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
drawn    = "stock 2d"
stock    = "2c 9s 4h"
discards = "Qd"
hands    = { Ann = "7h 8h 2d", Ben = "3c 5d" }

[[step]]
do      = "discard 2d"
refused = "*"

[[step]]
do = "put down 2d"

[expect]
turn  = "Ben"
phase = "draw"
"""


def main() -> None:
    """
    Play the scenario, show what Ben sees of it, and let the kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(FaceDown().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert outcome.state is not None
    seen = str(rv.view(outcome.state, seat="Ben").actions[-1])
    print("Ben sees:", seen)
    assert seen == "put down"
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
