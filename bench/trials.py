"""
What playouts add to what the strong bot has learned, decision by decision.

``python bench/trials.py --game rummy-500 --players 2`` lets ``strong`` without playouts
play itself, and looks at some of the decisions that what it learned leaves open. There
it tries the choices out in worlds of the seat's view, as the bot would, and finds out
what they are worth in the true state, where only the stock gets new orders. The table
says by how much the choice after so many worlds is better than the learned one, in
points a round and seat, in worlds with believed hands and with hands at random.

All choices are tried in all worlds: sequential halving, which saves the bot time, is
left out.
"""

from __future__ import annotations

import argparse
import functools
import math
import random
import statistics
import sys
import time

from collections.abc import Iterator, Sequence

import attrs

import rummyvariants as rv

from rummyvariants.bots import CarefulBot
from rummyvariants.bots.advantages import Learned, packaged
from rummyvariants.bots.search import Candidate, Player, Tried, lead_after
from rummyvariants.bots.strong import (
    FAMILIES,
    best_known,
    careful_turn,
    open_to_trial,
    playout_player,
)
from rummyvariants.game._engine.game import do_known
from rummyvariants.game._round import BETWEEN_ROUNDS
from rummyvariants.game._state import State, freeze, thaw, to_act
from rummyvariants.simulation.processes import processes


WAYS = {"believed": CarefulBot(), "at random": None}
"""The hands of the worlds, and whom `determinize` believes."""
BATCH = 5
"""How many deals a process plays at a time."""
LEAST = {"deals": 1, "turns": 0, "worlds": 2, "orders": 1, "processes": 1}
"""The least value of each number that may be given."""


@attrs.frozen
class Trial:
    """
    A decision that was looked at.

    Attributes:
        deal: The number of the deal.
        kind: The kind of its rivals.
        others: The choices beside the learned one.
        leads: By way, a row for each world with the leads of the others.
        worth: By how much each of the others is better in the true state.
    """

    deal: int
    kind: str
    others: tuple[Candidate, ...]
    leads: dict[str, list[list[float]]]
    worth: list[float]

    def gain(self, way: str, worlds: int) -> float:
        """
        The worth of the choice after so many worlds.
        """
        tried = [Tried(one) for one in self.others]
        for row in self.leads[way][:worlds]:
            for one, lead in zip(tried, row, strict=True):
                one.note(lead)
        best = max(range(len(tried)), key=lambda at: tried[at].mean)
        return self.worth[best] if tried[best].mean > tried[best].error else 0.0


@attrs.frozen
class Looking:
    """
    Which decisions are looked at, and how.

    Attributes:
        game: The game.
        players: How many play.
        turns: How many turns a seat has had before its decisions are looked at.
        share: The share of these decisions that are looked at.
        worlds: In how many worlds of each way their choices are tried.
        orders: In how many orders of the true state's stock.
        seed: The seed of the deals and of everything else.
    """

    game: str
    players: int
    turns: int
    share: float
    worlds: int
    orders: int
    seed: str

    def trials(self, numbers: range) -> list[Trial]:
        """
        The decisions of some deals.
        """
        return [one for number in numbers for one in self._of(number)]

    def _of(self, number: int) -> Iterator[Trial]:
        rng = random.Random(f"{self.seed}/trials/{number}")
        start = rv.new_game(self.game, self.players, seed=f"{self.seed}/{number}")
        known = known_of(self.game, self.players)
        draft = thaw(start)
        while draft.phase not in BETWEEN_ROUNDS:
            seat = to_act(draft)[0]
            base = careful_turn(draft, seat)
            rated = known.rated(draft, seat, base)
            first = best_known(draft, seat, rated, base)
            others = open_to_trial(draft, rated, base, first)
            late = draft.turns[seat] >= self.turns
            if others and late and rng.random() < self.share:
                (kind,) = {
                    name for name, one in known.kinds.items() if one == rated[0].kind
                }
                state = freeze(thaw(draft))
                player = playout_player(known, seat)
                seen = rv.view(state, seat)
                leads_in = functools.partial(
                    leads_of, seat=seat, first=first, others=others, player=player
                )
                leads = {
                    way: [
                        leads_in(rv.determinize(seen, rng, bot))
                        for _ in range(self.worlds)
                    ]
                    for way, bot in WAYS.items()
                }
                true = [leads_in(in_new_order(state, rng)) for _ in range(self.orders)]
                worth = [statistics.fmean(one) for one in zip(*true, strict=True)]
                yield Trial(number, kind, tuple(others), leads, worth)
            do_known(draft, first)


def leads_of(
    world: State,
    seat: int,
    first: rv.Action,
    others: Sequence[Candidate],
    player: Player,
) -> list[float]:
    """
    By how much each of the others does better than the first choice.
    """
    usual = lead_after(world, first, seat, player)
    return [lead_after(world, one.action, seat, player) - usual for one in others]


def in_new_order(state: State, rng: random.Random) -> State:
    """
    A state with the same hands and another order of the stock.
    """
    draft = thaw(state)
    cards = list(draft._stock)
    rng.shuffle(cards)
    draft._stock = bytes(cards)
    return freeze(draft)


@functools.cache
def known_of(game: str, players: int) -> Learned:
    """
    What has been learned of a game.

    Raises:
        ValueError: If it has no playouts.
    """
    rules = rv.preset(game)
    for one in packaged(FAMILIES):
        if one.holds(rules, players) and one.playouts:
            return one
    msg = f"strong plays nothing out in {game} with {players} players"
    raise ValueError(msg)


def table(trials: Sequence[Trial], asked: argparse.Namespace) -> str:
    """
    The gains by kind of rival and number of worlds, as a table in Markdown.
    """
    numbers = [one for one in (5, 10, 20, 40, 80, 160) if one < asked.worlds]
    numbers.append(asked.worlds)
    rows = [
        "| rivals | decisions looked at | worlds | " + " | ".join(WAYS) + " |",
        "| :-- | --: | --: |" + " :-- |" * len(WAYS),
    ]
    rounds = asked.deals * asked.players * asked.share
    for kind in sorted({one.kind for one in trials}):
        found = [one for one in trials if one.kind == kind]
        for number in numbers:
            cells = []
            for way in WAYS:
                gains = [one.gain(way, number) for one in found]
                half = 1.96 * statistics.pstdev(gains) * math.sqrt(len(gains))
                cells.append(f"{sum(gains) / rounds:+.1f} ± {half / rounds:.1f}")
            label = (kind, str(len(found))) if number == numbers[0] else ("", "")
            rows.append(f"| {' | '.join([*label, str(number), *cells])} |")
    return "\n".join(rows)


def main() -> int:
    """
    Look at the decisions of one game.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--game", default="rummy-500")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--turns", type=int, default=0, help="had before, at least")
    parser.add_argument("--share", type=float, default=0.15)
    parser.add_argument("--worlds", type=int, default=40)
    parser.add_argument("--orders", type=int, default=16)
    parser.add_argument("--seed", default="trials")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    for name, least in LEAST.items():
        if getattr(asked, name) < least:
            parser.error(f"--{name} has to be {least} at least")
    if not 0 < asked.share <= 1:
        parser.error("--share has to be more than 0, and 1 at most")
    try:
        known_of(asked.game, asked.players)
    except ValueError as error:
        parser.error(str(error))
    looking = Looking(
        asked.game,
        asked.players,
        asked.turns,
        asked.share,
        asked.worlds,
        asked.orders,
        asked.seed,
    )
    parts = [
        range(at, min(at + BATCH, asked.deals)) for at in range(0, asked.deals, BATCH)
    ]
    found: list[Trial] = []
    begun = time.monotonic()
    with processes(asked.processes) as executor:
        run = map if executor is None else executor.map
        for done, trials in enumerate(run(looking.trials, parts), 1):
            found += trials
            said = f"\r{min(done * BATCH, asked.deals)} of {asked.deals} deals"
            spent = time.monotonic() - begun
            print(f"{said}, {spent:.0f} s ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(table(found, asked))
    return 0


if __name__ == "__main__":
    sys.exit(main())
