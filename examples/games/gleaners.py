"""
A game of our own invention: values in a file, and two rules that no value could say.

The values are in `gleaners.toml`, which names this module, so that commands know its
rules: `rummyvariants play gleaners.toml`. A scenario is in `gleaning.toml`. Whoever
discards a court card turns up a card for the field, and whoever lays the contract
gleans the field.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import attrs

import rummyvariants as rv

from rummyvariants import events, testing


FILE = Path(__file__).with_suffix(".toml")
SCENARIO = Path(__file__).with_name("gleaning.toml")


@rv.house.register_rule("discard", "the field")
@attrs.frozen
class TheField(rv.house.HouseRule):
    """
    A discarded court card puts a card of the stock face up on the field.

    A player who lays the first melds takes the whole field.
    """

    id = "GLEAN-1"

    memory = rv.house.Memory(start=())
    effects = frozenset({rv.house.Remember, rv.house.Move})
    piles = (rv.house.Pile("the field"),)

    def follows(
        self, turn: rv.house.Turn, event: events.Event
    ) -> Iterable[rv.house.Effect]:
        """
        A card for the field, or the field for a player.
        """
        match event:
            case events.Discarded(card=card) if card.rank in "JQK":
                yield rv.house.Move("stock", "the field", shown=True)
            case events.Laid(how="meld") if turn.seat not in turn.memory:
                yield rv.house.Remember((*turn.memory, turn.seat))
                yield rv.house.Move(
                    "the field",
                    "hand",
                    number=None,
                    target_seat=turn.seat,
                    shown=True,
                )


@rv.house.register_rule("score", "sheaves")
@attrs.frozen
class Sheaves(rv.house.HouseRule):
    """
    Each run of {cards} or more takes {points} points off its maker's score.
    """

    id = "GLEAN-2"

    cards: int = 6
    points: int = 5

    def score(self, end: rv.house.RoundFacts) -> Iterable[rv.house.Points]:
        """
        Points for the makers of long runs.
        """
        for meld in end.table:
            if meld.kind == "run" and len(meld) >= self.cards:
                yield rv.house.Points(meld.maker, -self.points, "for a sheaf")


def main() -> None:
    """
    Play the scenario and a match, and let the test kit look at another.
    """
    rules = rv.load_rules(FILE)
    outcome = rv.files.run(rv.files.load_scenario(SCENARIO))
    for step, ruling in outcome.rulings:
        print(f"{step.do} is {ruling}")
    assert not outcome.differences, outcome.differences

    bots = ["greedy", "greedy", "random"]
    for game in rv.simulate(rules, bots, games=1, seed=1):
        print(f"A match of {len(game.rounds)} rounds ends {game.scores}.")
        assert len(game.rounds) == 5
    testing.check_ruleset(rules, players=3, matches=1)


if __name__ == "__main__":
    main()
