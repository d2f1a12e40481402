"""
Measure how much better each bot is than the next weaker one.

``python bench/strength.py --processes 2 --write`` plays rounds between two bots in
alternate seats, each deal once for either order, and puts the lead of the better one in
points a seat and round, with a 95 % interval over the deals, into
``docs/strength.json``. ``--game`` and ``--bot`` choose games and pairs.

``--times`` measures instead how long bots take for a decision, into
``docs/decisions.json``.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time

from importlib import metadata
from pathlib import Path

import rummyvariants as rv

from rummyvariants.simulation.estimates import Estimate
from rummyvariants.simulation.figures import Figures
from rummyvariants.simulation.processes import processes
from rummyvariants.simulation.summary import summarize


GAMES = {
    "rummy-500": (2,),
    "rummy-5000": (4,),
    "2500-house": (4,),
    "gin-rummy": (2,),
    "three-thirteen": (4,),
    "liverpool-rummy": (4,),
    "shanghai-rummy": (4,),
    "indian-rummy": (4,),
    "indian-rummy-pool": (4,),
    "indian-rummy-deals": (4,),
    "canasta": (2, 3, 4),
    "basic-rummy": (2, 3, 4),
    "gin-rummy-classic": (2,),
    "oklahoma-gin": (2,),
    "straight-gin": (2,),
    "hollywood-gin": (2,),
    "persian-rummy": (4,),
    "oklahoma-rummy": (2, 3, 4),
    "george": (3, 4),
    "rummy-500-pagat": (2, 3, 4),
    "kaluki-40": (2, 3),
    "scala-40": (2, 4),
    "loba": (2, 4),
    "burraco": (4,),
    "chinchon": (2, 4),
    "knock-rummy": (2, 3, 4),
    "tonk": (2, 3, 4),
    "conquian": (2,),
}
"""The games, each with the numbers of players."""
WON = {"conquian"}
"""Games whose rounds score nothing: of each hundred matches, those won are counted."""
PAIRS = {
    "greedy": "random",
    "careful": "greedy",
    "search": "careful",
    "strong": "careful",
}
"""Each bot with the next weaker one."""
SEARCHED = {"rummy-500", "rummy-5000", "2500-house"}
STRONGER = SEARCHED | {
    "gin-rummy",
    "hollywood-gin",
    "persian-rummy",
    "oklahoma-rummy",
    "george",
    "rummy-500-pagat",
}
UNMEASURED = {
    (game, one)
    for game in GAMES
    for one, known in (("search", SEARCHED), ("strong", STRONGER))
    if game not in known
}
"""Not measured: bots that play like the next weaker one, and long searches."""
DEALS = {"greedy": 1000, "careful": 1000, "search": 300, "strong": 1000}
"""How many deals each bot plays by default."""
SLOW = {
    ("rummy-5000", "strong"): 400,
    ("2500-house", "strong"): 400,
    ("conquian", "careful"): 200,
    ("burraco", "careful"): 100,
    ("scala-40", "careful"): 300,
    ("kaluki-40", "careful"): 300,
    ("loba", "careful"): 500,
    **{
        (game, "greedy"): 100
        for game in ("conquian", "burraco", "scala-40", "kaluki-40", "loba")
    },
    **{(game, "greedy"): 300 for game in ("knock-rummy", "tonk", "chinchon")},
}
"""How many deals are played where rounds are long, or a bot plays many of them out."""
SEED = "strength"
ANEW = {
    ("rummy-500", "strong"): "strength, takes",
    ("2500-house", "strong"): "strength, playouts",
    ("rummy-5000", "strong"): "strength, whole turns",
}
"""Seeds of rows whose bot was changed after a first measurement, on fresh deals."""

DOCS = Path(__file__).parent.parent / "docs"
DATA = DOCS / "strength.json"
TIMES = DOCS / "decisions.json"
TIMED = {"rummy-500": 20, "rummy-5000": 3, "2500-house": 4}
"""How many rounds bots play while their decisions are timed."""


def measure(
    game: str,
    players: int,
    one: str,
    other: str,
    deals: int,
    seed: str,
    number: int,
) -> dict:
    """
    One line of the table, played by a number of processes.
    """
    begun = time.perf_counter()
    match = rv.preset(game).match
    # Rounds that differ by their numbers count only together.
    whole = match.ends == "after the rounds" and match.rounds > 1
    won = game in WON
    with processes(number) as executor:
        summary = summarize(
            rv.simulate(
                game,
                [one, other],
                players=players,
                games=2 * deals,
                seed=seed,
                unit="match" if whole or won else "round",
                executor=executor,
            )
        )
    (difference,) = summary.differences
    each = 100 if won else -1 if match.lowest_wins else 1

    def counted(figures: Figures) -> Estimate:
        return figures.won if won else figures.round_points

    lead = counted(difference.figures)
    means = {bot.name: counted(bot.figures) for bot in summary.bots}
    return {
        "game": game,
        "players": players,
        "bot": one,
        "against": other,
        "deals": deals,
        "seed": seed,
        "version": metadata.version("rummyvariants"),
        "points": [abs(each) * means[name].mean for name in (one, other)],
        "lead": each * lead.mean,
        "half": abs(each) * lead.half,
        "unfinished": sum(summary.statuses.values())
        - summary.statuses.get("finished", 0),
        "seconds": round(time.perf_counter() - begun, 1),
    }


def table(lines: list[dict]) -> str:
    """
    The lines as a table in Markdown.
    """
    rows = [
        "| game | players | bot | against | deals | points a round and seat | lead |",
        "| :-- | --: | :-- | :-- | --: | :-- | :-- |",
    ]
    rows += [
        "| {game} | {players} | `{bot}` | `{against}` | {deals} | {0:.1f} : {1:.1f} "
        "| **{lead:+.1f}** ± {half:.1f} |".format(*line["points"], **line)
        for line in lines
    ]
    return "\n".join(rows)


def timed(game: str, name: str) -> dict:
    """
    How long a bot takes for its decisions, in milliseconds of the processor.

    It has all seats. A decision is any action, even one without an alternative.
    """
    (players,) = GAMES[game]
    player, rng = rv.bots.bot(name), random.Random(SEED)
    taken = []
    for number in range(TIMED[game]):
        state = rv.new_game(game, players, seed=f"{SEED}/{number}")
        while not state.is_round_over:
            seat = state.to_act[0]
            view = rv.view(state, seat)
            begun = time.thread_time()
            action = player.choose(view, rng)
            taken.append(1000 * (time.thread_time() - begun))
            state = rv.apply(state, action, seat)
    return {
        "game": game,
        "players": players,
        "bot": name,
        "version": metadata.version("rummyvariants"),
        "decisions": len(taken),
        "median": statistics.median(taken),
        "mean": statistics.fmean(taken),
        "most": max(taken),
    }


def table_of_times(lines: list[dict]) -> str:
    """
    Times as a table in Markdown.
    """
    rows = [
        "| game | players | bot | decisions | median | mean | longest |",
        "| :-- | --: | :-- | --: | --: | --: | --: |",
    ]
    rows += [
        "| {game} | {players} | `{bot}` | {decisions:,} | {median:.2f} ms "
        "| {mean:.2f} ms | {most:.1f} ms |".format(**line)
        for line in lines
    ]
    return "\n".join(rows)


def write(lines: list[dict]) -> None:
    """
    Update the lines, keeping those of other pairs.
    """
    known = json.loads(DATA.read_text("utf-8")) if DATA.exists() else []
    found = {
        (line["game"], line["players"], line["bot"]): line for line in [*known, *lines]
    }
    order = [
        (game, players, one)
        for one in PAIRS
        for game, numbers in GAMES.items()
        for players in numbers
    ]
    kept = [found[key] for key in order if key in found]
    DATA.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


def main() -> int:
    """
    Measure the games and pairs chosen.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--game", action="append", choices=GAMES)
    parser.add_argument("--bot", action="append", choices=PAIRS)
    parser.add_argument("--deals", type=int, help="the number of deals for every pair")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", help="another seed for every pair")
    parser.add_argument("--write", action="store_true", help="keep what is found")
    parser.add_argument("--times", action="store_true", help="time decisions instead")
    asked = parser.parse_args()
    if asked.times:
        if asked.game or asked.bot or asked.deals or asked.seed:
            parser.error("--times has games, bots and deals of its own")
        times = [timed(game, one) for game in TIMED for one in PAIRS]
        print(table_of_times(times))
        if asked.write:
            TIMES.write_text(json.dumps(times, indent=1) + "\n", "utf-8")
        return 0
    lines = []
    for one in asked.bot or PAIRS:
        other = PAIRS[one]
        for game in asked.game or GAMES:
            deals = asked.deals or SLOW.get((game, one), DEALS[one])
            seed = asked.seed or ANEW.get((game, one), SEED)
            for players in () if (game, one) in UNMEASURED else GAMES[game]:
                line = measure(game, players, one, other, deals, seed, asked.processes)
                row = table([line]).splitlines()[-1]
                print(row, f"{line['seconds']} s", flush=True)
                lines.append(line)
                if asked.write:
                    write([line])
    return 0 if all(line["lead"] > line["half"] for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
