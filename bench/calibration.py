"""
Compare hidden hands with those of worlds that agree with a view.

``python bench/calibration.py`` lets ``careful`` play rounds against itself. Before each
turn it measures the hands of the others, and the same in a uniform world and in one in
which they are believed to play as ``careful`` does. It writes ``docs/calibration.json``
and the table of ``docs/explanation/views.md``. The status is 1 if the mean of believed
hands is more than 15 % off the true one anywhere.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import time

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

import rummyvariants as rv

from rummyvariants.bots import CarefulBot
from rummyvariants.bots.plays import can_lay
from rummyvariants.game._scoring import points_in_hand
from rummyvariants.melds._deadwood import (
    fewest_points,
)


DOCS = Path(__file__).parent.parent / "docs"
DATA = DOCS / "calibration.json"
GAMES = {"gin-rummy": (2, 300), "rummy-500": (2, 300), "rummy-5000": (4, 200)}
"""The games, each with the number of players and of deals."""
SEED = "calibration"
FIRST: Final = (1, 4, 7, 10)
"""The first turn of each band."""
FEWEST: Final = 50
"""A band with fewer positions than this is joined to the one before."""
LIMIT: Final = 0.15
"""How far the mean of believed hands may be off, as a share of the true one."""
KINDS: Final = ("true", "uniform", "believed")


@attrs.frozen
class Seen:
    """
    The other hands at one turn: by kind, their mean points, and how many can lay.

    Attributes:
        deal: The number of the deal.
        turn: The number of the turn, from 1.
        points: By kind, the mean points of the hands, or of their deadwood.
        lays: By kind, the share of the hands that allow a meld or a lay-off.
        seconds: By kind, the processor time for a world.
    """

    deal: int
    turn: int
    points: dict[str, float]
    lays: dict[str, float]
    seconds: dict[str, float]


def measure(rules: rv.Ruleset, players: int, deals: int) -> Iterator[Seen]:
    """
    Play rounds and look at the other hands before each turn.
    """
    bot = CarefulBot()
    for deal in range(deals):
        state = rv.new_game(rules, players, seed=f"{SEED}/{deal}")
        rng = random.Random(f"{SEED}/{deal}/worlds")
        while not state.is_round_over:
            seat = state.to_act[0]
            if state.phase in {"draw", "offer"}:
                yield look(state, seat, deal, bot, rng)
            state = rv.apply(state, bot.decide(state, seat))


def look(
    state: rv.State, seat: int, deal: int, bot: CarefulBot, rng: random.Random
) -> Seen:
    """
    Measure the other hands in a state, and in worlds that agree with a seat's view.
    """
    view = rv.view(state, seat)
    worlds, seconds = {"true": state}, {"true": 0.0}
    for kind, believe in (("uniform", None), ("believed", bot)):
        begun = time.process_time()
        worlds[kind] = rv.determinize(view, rng, believe)
        seconds[kind] = time.process_time() - begun
    others = [one for one in range(len(state.players)) if one != seat]
    points, lays = {}, {}
    for kind, world in worlds.items():
        points[kind] = statistics.fmean([points_of(world, one) for one in others])
        lays[kind] = statistics.fmean(
            [can_lay(world, one, world._hands[one]) > 0 for one in others]
        )
    return Seen(deal, state.turns[seat] + 1, points, lays, seconds)


def points_of(state: rv.State, seat: int) -> float:
    """
    The points of a hand; where melds stay in it, of its deadwood.
    """
    if state.rules.meld.concealed:
        return fewest_points(state.dealt.terms, state._hands[seat])
    return sum(points_in_hand(state, card.code) for card in state.hands[seat])


# -------------------------------------------------------------------------- figures


def figures(seen: Sequence[Seen], *, lays: bool) -> list[dict[str, Any]]:
    """
    The figures by band of turns.

    Args:
        seen: What was measured.
        lays: Whether hands may lay anything.
    """
    found = []
    for first, last, some in bands(seen):
        row: dict[str, Any] = {"turns": [first, last], "positions": len(some)}
        for kind in KINDS:
            row[kind] = statistics.fmean([one.points[kind] for one in some])
            if lays:
                row[f"{kind}_lays"] = statistics.fmean([one.lays[kind] for one in some])
        row["ratio"], row["ratio_half"] = ratio(
            [(one.deal, one.points["believed"], one.points["true"]) for one in some]
        )
        for kind in KINDS[1:]:
            row[f"{kind}_ms"] = 1000 * statistics.fmean(
                [one.seconds[kind] for one in some]
            )
        found.append(row)
    return found


def bands(seen: Sequence[Seen]) -> list[tuple[int, int | None, list[Seen]]]:
    """
    The bands of turns, each with its first and last turn; None for any later one.
    """
    groups = [
        [one for one in seen if sum(one.turn >= start for start in FIRST) == at]
        for at in range(1, len(FIRST) + 1)
    ]
    starts = list(FIRST)
    while len(groups) > 1 and len(groups[-1]) < FEWEST:
        few = groups.pop()
        groups[-1] += few
        starts.pop()
    lasts = [*[start - 1 for start in starts[1:]], None]
    return list(zip(starts, lasts, groups, strict=True))


def ratio(values: Sequence[tuple[int, float, float]]) -> tuple[float, float]:
    """
    The ratio of two means, with half of its 95 % interval over groups.

    Args:
        values: The group of each pair, and the pair.
    """
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for group, one, other in values:
        sums[group][0] += one
        sums[group][1] += other
    whole = math.fsum(other for _, other in sums.values())
    found = math.fsum(one for one, _ in sums.values()) / whole
    rest = math.fsum((one - found * other) ** 2 for one, other in sums.values())
    error = math.sqrt(rest * len(sums) / max(1, len(sums) - 1)) / whole
    return found, statistics.NormalDist().inv_cdf(0.975) * error


# ---------------------------------------------------------------------------- table


def table(data: dict[str, Any]) -> str:
    """
    The figures as a table in Markdown.
    """
    lines = [
        (
            "| game | turns | positions | true | uniform | believed | believed : true "
            "| can lay: true, uniform, believed | ms a world |"
        ),
        "| :-- | :-- | --: | --: | --: | --: | :-- | :-- | --: |",
    ]
    for game, one in data.items():
        for row in one["bands"]:
            first, last = row["turns"]
            turns = f"{first} to {last}" if last else f"{first} and later"
            lays = "melds stay in the hand"
            if "true_lays" in row:
                lays = ", ".join(f"{100 * row[f'{kind}_lays']:.0f} %" for kind in KINDS)
            means = " | ".join(f"{row[kind]:.1f}" for kind in KINDS)
            lines.append(
                f"| `{game}` | {turns} | {row['positions']} | {means} "
                f"| **{row['ratio']:.2f}** ± {row['ratio_half']:.2f} "
                f"| {lays} | {row['believed_ms']:.1f} |"
            )
    return "\n".join(lines)


def main() -> int:
    """
    Measure all games.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.parse_args()
    data: dict[str, Any] = {}
    for game, (players, deals) in GAMES.items():
        rules = rv.preset(game)
        seen = list(measure(rules, players, deals))
        data[game] = {
            "players": players,
            "deals": deals,
            "seed": SEED,
            "bands": figures(seen, lays=not rules.meld.concealed),
        }
        print(table({game: data[game]}), flush=True)
    DATA.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    off = [
        abs(row["ratio"] - 1) > LIMIT for one in data.values() for row in one["bands"]
    ]
    return int(any(off))


if __name__ == "__main__":
    sys.exit(main())
