"""
A house rule: players of three or more may knock.

The engine's own knock compares two hands and names its melds. This one is an action of
the rule: it ends the round, and the rule scores it.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

import rummyvariants as rv

from rummyvariants import testing


@rv.house.register_rule("out", "knock for three")
@attrs.frozen
class KnockForThree(rv.house.HouseRule):
    """
    With {limit} points of unmatched cards or less a player may discard and rap.

    That ends the round. The player gets the difference from each who has more, and
    each who has no more gets the difference and {undercut} points. Nothing is laid off.
    """

    actions = ("rap",)
    memory = rv.house.Memory(start=-1)

    limit: int = 10
    undercut: int = 25

    def may_knock(self, turn: rv.house.Turn) -> bool:
        """
        Never by the values: the rule has an action in place of a declaration.
        """
        return False

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        The end of the round, with each discard that leaves few enough points.
        """
        if turn.phase != "play" or not turn.source:
            return
        for card in dict.fromkeys(turn.hand):
            rest = turn.hand - rv.Cards([card])
            left = turn.points(turn.unmatched(rest))
            if left <= self.limit and card not in _taken(turn):
                thrown = rv.house.Move(
                    "hand", "discards", cards=[card], source_seat=turn.seat
                )
                ends = [thrown, rv.house.Remember(turn.seat), rv.house.EndRound()]
                yield rv.house.Offer("rap", ends, [card])

    def score(self, end: rv.house.RoundFacts) -> Iterator[rv.house.Points]:
        """
        The differences, in place of the points of the hands.
        """
        for seat, points in enumerate(end.so_far):
            if points:
                yield rv.house.Points(seat, -points, "not counted")
        knocker = end.memory
        if end.how != "rule" or knocker < 0:
            return
        left = [end.points(end.unmatched(hand)) for hand in end.hands]
        for seat in range(end.players):
            if seat == knocker:
                continue
            more = left[seat] - left[knocker]
            if more > 0 or not left[knocker]:
                yield rv.house.Points(knocker, more, "for the difference")
            else:
                yield rv.house.Points(seat, self.undercut - more, "for an undercut")


def _taken(turn: rv.house.Turn) -> tuple[rv.Card, ...]:
    return turn.drawn if turn.source == "discards" else ()


SCENARIO = """
title = "Ben has less than Ann, who knocked; Cleo has more and pays"

[rules]
extends = "gin-rummy"

[rules.meld]
shown = "at the declaration"

[rules.draw]
first_upcard = "part of the pile"

[rules.out]
knock    = "never"
declare  = "with a discard"
big_gin  = false
rules    = ["knock for three"]

[rules.score]
hands          = "add"
counted        = "unmatched cards"
gin_bonus      = 0
big_gin_bonus  = 0
undercut_bonus = 0

[rules.match]
players  = [3, 4]
rotation = "left"

[position]
seats    = ["Ann", "Ben", "Cleo"]
turn     = "Ann"
phase    = "play"
drawn    = "stock Ks"
stock    = "2c 9s 4h 6d 7d"
discards = "Qd"
partial  = true
hands    = { Ann = "7h 8h 9h 4s Ks", Ben = "Tc Jc Qc 3d", Cleo = "6c 6s 6h 9d" }

[[step]]
do      = "rap 7h"
refused = "*"

[[step]]
do = "rap Ks"

[expect]
phase  = "deal"
scores = { Ann = 5, Ben = 26, Cleo = 0 }
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(KnockForThree().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert outcome.state is not None
    assert outcome.state.result is not None
    for item in outcome.state.result.items:
        print(f"{outcome.state.players[item.seat]}: {item.points} {item.reason}")
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=3, matches=2)


if __name__ == "__main__":
    main()
