"""
A house rule: an eight costs the next player a turn, and a queen turns play round.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants import events, testing


@rv.house.register_rule("discard", "skip and reverse")
@attrs.frozen
class SkipAndReverse(rv.house.HouseRule):
    """
    An eight discarded costs the next player a turn, and a queen turns play round.
    """

    memory = rv.house.Memory(start=1)

    def follows(
        self, turn: rv.house.Turn, event: object
    ) -> Iterator[rv.house.Remember]:
        """
        The other direction.
        """
        if isinstance(event, events.Discarded) and event.card.rank == "Q":
            yield rv.house.Remember(-turn.memory)

    def next_seat(self, turn: rv.house.Turn) -> int:
        """
        The next seat of those that play on, or the one after it.
        """
        seat = _next(turn, turn.seat)
        skips = turn.source and turn.discards and turn.discards[-1].rank == "8"
        return _next(turn, seat) if skips else seat


def _next(turn: rv.house.Turn, seat: int) -> int:
    """
    The next seat that plays on, in the direction of play.
    """
    gone = {*turn.out, *turn.dropped}
    for _ in range(turn.players):
        seat = (seat + turn.memory) % turn.players
        if seat not in gone:
            break
    return seat


SCENARIO = """
title = "An eight passes over Ben, and a queen goes back to Ann"

[rules]
extends = "rummy-500"

[rules.call]
calls = "none"

[rules.discard]
rules = ["skip and reverse"]

[position]
seats    = ["Ann", "Ben", "Cleo", "Dan"]
turn     = "Ann"
phase    = "play"
drawn    = "stock 9c"
stock    = "2c 9s 4h"
discards = "Jd"
hands    = { Ann = "9c 8h", Ben = "3c 5d", Cleo = "Qc 2d", Dan = "4c" }

[[step]]
do = "discard 8h"

[[step]]
seat = "Cleo"
do   = "draw"

[[step]]
do = "discard Qc"

[expect]
turn = "Ben"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(SkipAndReverse().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=4, matches=2)


if __name__ == "__main__":
    main()
