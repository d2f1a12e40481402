"""
A house rule: melds beside sets and runs.

There are runs of any suits, runs of one colour, and royals.
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


@rv.house.register_rule("meld", "mixed runs")
@attrs.frozen
class MixedRuns(rv.house.HouseRule):
    """
    Cards in sequence are a meld, {shortest} at least, whatever their suits, aces low.

    If all are red, or all black, it is worth {points} points to the player who began
    it. So is a royal: a king, a queen and a jack of three suits.
    """

    shortest: int = 3
    points: int = 25

    def _is_royal(self, cards: rv.Cards) -> bool:
        """
        Whether cards are a king, a queen and a jack of three suits.
        """
        ranks, suits = {card.rank for card in cards}, {card.suit for card in cards}
        return ranks == {*"JQK"} and len(suits) == 3

    def _has_one_colour(self, cards: rv.Cards) -> bool:
        """
        Whether cards are a run but for their suits, which are all red or all black.
        """
        suits = {card.suit for card in cards}
        return follow(cards) and (suits <= {*"dh"} or suits <= {*"cs"})

    def _is_mixed(self, cards: rv.Cards) -> bool:
        """
        Whether cards are a run but for their suits.
        """
        return follow(cards)

    kinds = (
        rv.house.Kind("royal", _is_royal, most=3),
        rv.house.Kind("coloured run", _has_one_colour, least="shortest"),
        rv.house.Kind("mixed run", _is_mixed, least="shortest"),
    )

    def score(self, end: rv.house.RoundFacts) -> list[rv.house.Points]:
        """
        What royals and runs of one colour are worth.
        """
        return [
            rv.house.Points(meld.maker, self.points, f"a {meld.kind}")
            for meld in end.table
            if meld.kind in {"royal", "coloured run"}
        ]


SCENARIO = """
title = "A royal, and a run of any suits that grows"

[rules]
extends = "rummy-500"

[rules.meld]
rules = ["mixed runs"]

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
out          = "Ann"
table        = ["Ben: 6c 6d 6s", "Ann: Jd Qs Kc", "Ann: 4h 5c 6h 7d 8c"]
round_scores = { Ann = 85, Ben = 9 }  # 30 + 30 and 25 for the royal; 18 - 9
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(MixedRuns().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
