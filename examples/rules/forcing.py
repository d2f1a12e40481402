"""
A house rule: who discards may force the next player to take the card.

Whom it forces is remembered. `forbids` then refuses the draw, and `owes` says that the
card taken has to be played. Whether it can be is worked out from the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

import rummyvariants as rv

from rummyvariants import events, testing


@rv.house.register_rule("draw", "forcing")
@attrs.frozen
class Forcing(rv.house.HouseRule):
    """
    A player may force the next one to play a discard that fits a meld of theirs.
    """

    actions = ("force",)
    vetoes = ("draw",)
    memory = rv.house.Memory(start=-1)

    def follows(self, turn: rv.house.Turn, event: object) -> Iterator[rv.house.Effect]:
        """
        The question to who has discarded; the end of the force with the forced draw.
        """
        if isinstance(event, events.Discarded) and turn.phase == "play":
            yield rv.house.AskOthers([event.seat])
        elif isinstance(event, events.Took | events.Drew) and event.seat == turn.memory:
            yield rv.house.Remember(-2 - event.seat)

    def offers(self, turn: rv.house.Turn) -> Iterator[rv.house.Offer]:
        """
        The force, if the card fits a meld of the player whose turn comes next.
        """
        if turn.phase == "asked" and turn.discards:
            forced = turn.whose_turn
            own = [meld for meld in turn.table if meld.maker == forced]
            if forced != turn.seat and any(_fits(turn.discards[-1], m) for m in own):
                yield rv.house.Offer("force", [rv.house.Remember(forced)])

    def forbids(
        self, turn: rv.house.Turn, action: rv.Action, after: Callable[[], rv.house.Turn]
    ) -> bool:
        """
        The draw from the stock, of a player who is forced.
        """
        return bool(turn.seat == turn.memory)

    def owes(self, turn: rv.house.Turn) -> Iterator[rv.house.Owed]:
        """
        The card that was forced on the player.
        """
        if turn.memory in (turn.seat, -2 - turn.seat) and turn.source == "discards":
            yield rv.house.Owed(turn.drawn[-1])


def _fits(card: rv.Card, meld: rv.melds.Meld) -> bool:
    """
    Whether a card goes on a natural meld, aces low.
    """
    if meld.kind == "set":
        return card.rank == meld.rank and len(meld) < 4
    ranks = "A23456789TJQK"
    places = [ranks.index((one.stands_for or one.card).rank) for one in meld.slots]
    ends = (min(places) - 1, max(places) + 1)
    return card.suit == meld.suit and ranks.index(card.rank) in ends


SCENARIO = """
title = "Ben has to take the ten that goes on his run"

[rules]
extends = "basic-rummy"

[rules.draw]
rules = ["forcing"]

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
drawn    = "stock 9c"
stock    = "2c 9s 4h"
discards = "Qd"
table    = ["Ben: 7h 8h 9h"]
hands    = { Ann = "9c Th 4d", Ben = "3c 5d Kc" }

[[step]]
do = "discard Th"

[[step]]
seat = "Ann"
do   = "force"

[[step]]
do      = "draw"
refused = "*"

[[step]]
do = "take 1"

[[step]]
do      = "discard 3c"
refused = "*"

[[step]]
do = "lay Th on 1"

[[step]]
do = "discard 3c"

[expect]
turn = "Ann"
"""


def main() -> None:
    """
    Play the scenario, and let the test kit look at two matches.
    """
    scenario = rv.files.parse_scenario(SCENARIO)
    outcome = rv.files.run(scenario)
    print(Forcing().describe())
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences
    assert scenario.rules is not None
    testing.check_ruleset(scenario.rules, players=2, matches=2)


if __name__ == "__main__":
    main()
