"""
A house rule: a wild card freezes the discard pile.

A frozen pile is taken whole or not at all, and only by whoever holds two natural cards
of the rank of its top card and lays the three of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

import rummyvariants as rv

from rummyvariants import testing


WILDS = (
    *("wild.jokers", "wild.twos", "wild.tens", "wild.one_eyed_jacks"),
    "wild.indicator",
)


@rv.house.register_rule("draw", "frozen pile")
@attrs.frozen
class FrozenPile(rv.house.HouseRule):
    """
    A discard pile that holds a wild is frozen.

    It is taken whole, with a natural pair that makes a set with its top card.
    """

    reads = frozenset({"discards", "wild_rank"})
    needs = {
        WILDS: ...,
        "draw.take": {"any number", "the whole pile"},
        "meld.shown": "in turn",
    }

    def takes(self, turn: rv.house.Turn) -> Iterable[int] | None:
        """
        Nothing of a frozen pile without such a pair.
        """
        return () if _is_frozen(turn) else None

    def takes_with(
        self, turn: rv.house.Turn, count: int, meld: rv.melds.Meld
    ) -> bool | None:
        """
        The whole of a frozen pile with a natural pair.
        """
        if not _is_frozen(turn):
            return None
        naturals = [slot for slot in meld.slots if not turn.is_wild(slot.card)]
        is_pair_and_top = meld.kind == "set" and len(meld) == len(naturals) == 3
        return is_pair_and_top and count == len(turn.discards)


def _is_frozen(turn: rv.house.Turn) -> bool:
    return any(turn.is_wild(card) for card in turn.discards)


SCENARIO = """
title = "A frozen pile is taken whole, with a natural pair"

[rules]
extends = "rummy-500"

[rules.wild]
twos = true

[rules.draw]
duty  = "none"
rules = ["frozen pile"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
stock    = "Jc 4s"
discards = "5d 2h 9d"
hands    = { Ann = "9c 9h Kd 2s", Ben = "5c 7s" }

[[step]]
do      = "take 1"
refused = "*"

[[step]]
do      = "take all with 9c 2s=9h"
refused = "*"

[[step]]
do      = "take 2 with 9c 9h"
refused = "*"

[[step]]
do = "take all with 9c 9h"

[expect]
phase    = "play"
table    = ["Ann: 9c 9h 9d"]
hands    = { Ann = "Kd 2s 5d 2h" }
discards = ""
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(FrozenPile().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
