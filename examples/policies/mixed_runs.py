"""
House rules: other melds than sets and runs.

Runs of one colour, runs of any suits, and a royal: a king, a queen and a jack.
"""

from __future__ import annotations

import attrs

import rummyvariants as rv

from rummyvariants import testing


RANKS = "A23456789TJQK"


def follow(cards: rv.Cards) -> bool:
    """
    Whether cards follow one another, aces low.
    """
    places = sorted(RANKS.find(card.rank) for card in cards)
    return places == [*range(places[0], places[0] + len(places))]


@rv.register_rule("meld", "runs of a colour")
@attrs.frozen
class ColourRuns(rv.HouseRule):
    """
    Three to six cards of one colour in sequence, aces low, are a meld.
    """

    def _fits(self, cards: rv.Cards) -> bool:
        """
        Whether cards are a run but for their suits, all red or all black.
        """
        suits = {card.suit for card in cards}
        return follow(cards) and (suits <= {*"dh"} or suits <= {*"cs"})

    kinds = (rv.Kind("coloured run", _fits, most=6),)


@rv.register_rule("meld", "mixed runs")
@attrs.frozen
class MixedRuns(rv.HouseRule):
    """
    Cards in sequence, {shortest} at least, of any suits and aces low, are a meld.
    """

    shortest: int = 3

    def _fits(self, cards: rv.Cards) -> bool:
        """
        Whether cards are a run but for their suits.
        """
        return follow(cards)

    kinds = (rv.Kind("mixed run", _fits, least="shortest"),)


@rv.register_rule("meld", "royals")
@attrs.frozen
class Royals(rv.HouseRule):
    """
    A king, a queen and a jack of any suits are a royal, which is worth {points} points.
    """

    points: int = 25

    def _fits(self, cards: rv.Cards) -> bool:
        """
        Whether cards are one of each.
        """
        return {card.rank for card in cards} == {*"JQK"}

    kinds = (rv.Kind("royal", _fits, least=3, most=3),)

    def score(self, end: rv.RoundFacts) -> list[rv.Points]:
        """
        What the royals on the table are worth to those who laid them.
        """
        return [
            rv.Points(meld.maker, self.points, "a royal")
            for meld in end.table
            if meld.kind == "royal"
        ]


SCENARIO = """
title = "Melds that the table has added"

[rules]
extends = "rummy-500"

[rules.meld]
rules = ["royals", "mixed runs"]

[rules.match]
target = 100

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
stock    = "9d 2s"
discards = "4c"
table    = ["Ben: 6c 6d 6s"]
hands    = { Ann = "Jd Qs Kc 4h 5c 6h 7d 8c Ah", Ben = "9s" }

[[step]]
do      = "meld 4h 5c 7d"
refused = "*"

[[step]]
do = "meld Kc Jd Qs"

[[step]]
do = "meld 4h 5c 6h"

[[step]]
do = "lay 8c 7d on 3"

[[step]]
do = "discard Ah"

[expect]
out   = "Ann"
table = ["Ben: 6c 6d 6s", "Ann: Jd Qs Kc", "Ann: 4h 5c 6h 7d 8c"]
# Ann: 30 + 30, 25 for the royal.
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.parse_scenario(SCENARIO)
    outcome = rv.run(scenario)
    for rule in (ColourRuns(), MixedRuns(), Royals()):
        print(rule.describe())
    for step, ruling in outcome.rulings:
        print(f"{step.text} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
