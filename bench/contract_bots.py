"""
Compare the careful bot with the greedy one in Contract Rummy, contract by contract.

``python bench/contract_bots.py --deals 210`` plays the seven rounds in turn, each deal
twice, with the bots in alternate seats and the seats then exchanged. It prints the
points a round and seat, and the difference with a 95 % interval over the deals. Points
count against a player, so a negative difference is in the careful bot's favour.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import statistics

import attrs

import rummyvariants as rv

from rummyvariants.bots import CarefulBot, GreedyBot, next_to_decide


BOTS = (CarefulBot(), GreedyBot())
ROUNDS = 7


def play(asked: tuple[int, int]) -> tuple[float, float]:
    """
    The mean points of each bot over both plays of a deal.

    Args:
        asked: The number of players and of the deal.
    """
    players, number = asked
    start = rv.begin("contract-rummy", players, seed=f"t{number}")
    match = attrs.evolve(start.match, round_number=number % ROUNDS + 1)
    start = attrs.evolve(start, match=match)
    start = rv.apply(start, rv.next_deal(start))
    points: tuple[list[int], list[int]] = ([], [])
    for first in (0, 1):
        state = start
        while not state.is_round_over:
            seat = next_to_decide(state)
            bot = BOTS[(seat + first) % 2]
            action = bot.choose(rv.view(state, seat), random.Random(0))
            state = rv.apply(state, action, seat)
        for seat, scored in enumerate(state.result.points):
            points[(seat + first) % 2].append(scored)
    return statistics.fmean(points[0]), statistics.fmean(points[1])


def main() -> None:
    """
    Play the deals, for three and for four players.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--deals", type=int, default=210)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    for players in (3, 4):
        first = 1000 * (50 + players)
        deals = [(players, first + number) for number in range(asked.deals)]
        with multiprocessing.Pool(asked.processes) as pool:
            rows = pool.map(play, deals, chunksize=3)
        leads = [one - other for one, other in rows]
        half = 1.96 * statistics.stdev(leads) / math.sqrt(len(leads))
        means = [statistics.fmean(one) for one in zip(*rows, strict=True)]
        print(
            f"{players} players, {asked.deals} deals: careful {means[0]:.1f}, "
            f"greedy {means[1]:.1f}, difference {statistics.fmean(leads):+.1f} "
            f"± {half:.1f}"
        )


if __name__ == "__main__":
    main()
