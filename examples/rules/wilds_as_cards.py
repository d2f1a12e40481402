"""
A house rule: first melds of 51 points, and a wild counts as its card.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("meld", "wilds as cards")
@attrs.frozen
class WildsAsCards(rv.house.HouseRule):
    """
    The first melds of a player come to {points} points or more.

    A wild in a meld counts as the card that it stands for.
    """

    reads = frozenset()

    points: int = 51

    def opening(self, turn: rv.house.Turn) -> rv.house.Opening:
        """
        The points needed.
        """
        return rv.house.Opening(points=self.points)

    def worth(self, slot: rv.melds.Slot, meld: rv.melds.Meld) -> int | None:
        """
        Face cards 10, aces 11 or as the first of a run 1, and others their number.
        """
        if slot.stands_for is None or slot.own_place:
            return None
        rank = slot.stands_for.rank
        if rank == "A":
            return 1 if meld.kind == "run" and slot is meld.slots[0] else 11
        return int(rank) if rank.isdecimal() else 10


SCENARIO = """
title = "A joker counts as the king that it stands for"

[rules]
extends = "rummy-500"

[rules.meld]
rules = ["wilds as cards"]

[rules.call]
calls = "none"

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
drawn    = "stock 9c"
stock    = "2c 9s 4h"
discards = "Qd"
hands    = { Ann = "Kh Kd * Qh Qs Qc 9c", Ben = "3c 5d" }

[[step]]
do      = "meld Kh Kd *=Kc"
refused = "*"

[[step]]
do = "meld Kh Kd *=Kc / Qh Qs Qc"

[[step]]
do = "discard 9c"

[expect]
phase = "deal"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(WildsAsCards().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
