"""
A house rule: the round says what a player lays first, all in one go.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


CONTRACTS = (("set", "set"), ("set", "run"), ("run", "run"))


@rv.house.register_rule("meld", "contracts")
@attrs.frozen
class Contracts(rv.house.HouseRule):
    """
    The round says what players lay first, with nothing beside it.

    It is two sets, then a set and a run, then two runs, and so on.
    """

    reads = frozenset({"round_number"})
    replaces = ("meld.contracts",)
    needs = {"meld.shown": "in turn"}

    def opening(self, turn: rv.house.Turn) -> rv.house.Opening:
        """
        The contract of the round.
        """
        contract = CONTRACTS[(turn.round_number - 1) % len(CONTRACTS)]
        return rv.house.Opening(contract, only=True)


SCENARIO = """
title = "In the second round a set and a run are laid, as one action"

[rules]
extends = "rummy-500"

[rules.meld]
rules = ["contracts"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
round    = 2
turn     = "Ann"
phase    = "play"
stock    = "2c 9s"
discards = "Qd"
hands    = { Ann = "7h 7d 7c 9c Tc Jc 3s 3d 3h Ks", Ben = "5d" }

[[step]]
do      = "meld 7h 7d 7c"
refused = "*"

[[step]]
do      = "meld 7h 7d 7c / 3s 3d 3h"
refused = "*"

[[step]]
do      = "meld 7h 7d 7c / 9c Tc Jc / 3s 3d 3h"
refused = "*"

[[step]]
do = "meld 7h 7d 7c / 9c Tc Jc"

[[step]]
do = "meld 3s 3d 3h"

[expect]
table = ["Ann: 7h 7d 7c", "Ann: 9c Tc Jc", "Ann: 3s 3d 3h"]
legal = ["discard Ks"]
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(Contracts().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
