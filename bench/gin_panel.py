"""
Measure our bots at gin against a panel that others can check.

``python bench/gin_panel.py`` plays the rows that ``bench/gin_panel.toml`` declares:
games by the rules of the EAAI gin challenge (``bench/eaai.toml``) against two
strategies of it, each deal twice, with the seats exchanged. It writes
``docs/gin-panel.json`` and the table of ``docs/reference/bots.md``.

A row is played once: one that ``docs/gin-panel.json`` has is left out. Interrupted, the
command goes on where it stopped, with the games that it keeps in ``build/gin-panel``.
It needs the extra ``statistics``.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import random
import sys
import time
import tomllib

from collections import Counter
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import attrs

import rummyvariants as rv

from rummyvariants.bots import bot, play_on
from rummyvariants.bots.base import Bot
from rummyvariants.simulation.plans import planned
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.significance import sign_test
from rummyvariants.simulation.summary import shares, summarize
from strength import DOCS


HERE = Path(__file__).parent
DECLARED = HERE / "gin_panel.toml"
DATA = DOCS / "gin-panel.json"
KEPT = HERE.parent / "build" / "gin-panel"
BLOCK = "gin-panel"
TIMED = 10
"""How many games to play for the number of decisions a second."""


def declared(path: Path = DECLARED) -> list[dict[str, Any]]:
    """
    The declared rows, each with all that determines its games.
    """
    given = tomllib.loads(path.read_text("utf-8"))
    opponents = given["opponents"]
    common = {"rules": given["rules"], "seed": given["seed"]}
    return [
        {
            **common,
            **row,
            "declared": str(row["declared"]),
            "plays": [opponents.get(row[one], row[one]) for one in ("bot", "against")],
        }
        for row in given["rows"]
    ]


def measure(row: dict[str, Any], kept: Path) -> dict[str, Any]:
    """
    Play what is missing of a declared row, and compute its figures.

    Args:
        row: The row.
        kept: The folder of the games that have been played.
    """
    kept.mkdir(parents=True, exist_ok=True)
    path = kept / f"{row['bot']}-{row['against']}.jsonl"
    rules = rv.load_rules(HERE / row["rules"])
    simulation = planned(rules, row["plays"], seed=row["seed"])
    games = 2 * row["pairs"]
    begun = time.monotonic()
    rows = []
    for done in play(simulation, games, output=path, resume=True):
        rows.append(done)
        said = f"\r{row['bot']} : {row['against']}  {len(rows)} of {games}"
        if not len(rows) % 20:
            print(said, end="", file=sys.stderr, flush=True)
    print(f"  {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return {
        **row,
        "measured": str(dt.datetime.now(tz=dt.UTC).date()),
        "version": metadata.version("rummyvariants"),
        "python": ".".join(map(str, sys.version_info[:3])),
        **figures(rows, row["plays"][0]),
        "decisions_a_second": speed(rules, row["plays"]),
    }


def figures(rows: Iterable[GameRow], name: str) -> dict[str, Any]:
    """
    The figures of a bot in games that were played in pairs.

    Args:
        rows: The games; two for each deal, with the seats exchanged.
        name: The bot's name in them.

    Returns:
        The share of the games won, with half of its 95 % interval over the pairs; the
        pairs of which the bot won both games, one, or none, with the exact sign test of
        the first against the last; the points of both in a game, and the lead.
    """
    rows = list(rows)
    summary = summarize(rows)
    mine = next(one for one in summary.bots if one.name == name)
    other = next(one for one in summary.bots if one.name != name)
    (difference,) = summary.differences
    lead = difference.figures.match_points
    won: Counter[int] = Counter()
    for row in rows:
        won[row.deal] += shares(row)[row.bots.index(name)] == 1
    pairs = Counter(won.values())
    return {
        "games": summary.games,
        "wins": mine.wins,
        "share": mine.figures.won.mean,
        "share_half": mine.figures.won.half,
        "pairs_won": [pairs[2], pairs[1], pairs[0]],
        "sign_test": sign_test(pairs[2], pairs[2] + pairs[0]),
        "points": [one.figures.match_points.mean for one in (mine, other)],
        "lead": lead.mean if difference.one == name else -lead.mean,
        "lead_half": lead.half,
        "unfinished": summary.games - summary.statuses.get("finished", 0),
        "hands": dict(sorted(summary.endings.items())),
    }


# ---------------------------------------------------------------------------- speed


@attrs.define
class Timed:
    """
    A bot, and the processor time that its decisions take.

    Attributes:
        bot: The bot.
        decisions: How many it made.
        seconds: How long they took.
    """

    bot: Bot
    decisions: int = 0
    seconds: float = 0.0

    def choose(self, view: rv.View, rng: random.Random) -> rv.Action | str:
        """
        Choose what the bot chooses.
        """
        begun = time.process_time()
        action = self.bot.choose(view, rng)
        self.seconds += time.process_time() - begun
        self.decisions += 1
        return action


def speed(rules: rv.Ruleset, plays: list[str]) -> int:
    """
    How many decisions a second of processor time the first of two bots makes.
    """
    timed, other = Timed(bot(plays[0])), bot(plays[1])
    for seed in range(TIMED):
        state = rv.new_game(rules, 2, seed=seed)
        for _ in play_on(state, [timed, other], seed):
            pass
    return round(timed.decisions / timed.seconds)


# ---------------------------------------------------------------------------- table


def table(lines: list[dict[str, Any]]) -> str:
    """
    The lines as a table in Markdown.
    """
    rows = [
        (
            "| bot | against | games | games won | pairs won, shared, lost "
            "| sign test | points a game | playouts | decisions a second | measured |"
        ),
        "| :-- | :-- | --: | :-- | :-- | :-- | :-- | --: | --: | :-- |",
    ]
    rows += [
        "| `{bot}` | `{against}` | {games} | **{share:.1f} %** ± {half:.1f} "
        "| {pairs} | {p} | {0:.1f} : {1:.1f} | {playouts} | {speed} "
        "| {measured} |".format(
            *line["points"],
            **{key: line[key] for key in ("bot", "against", "games", "playouts")},
            share=100 * line["share"],
            half=100 * line["share_half"],
            pairs=", ".join(map(str, line["pairs_won"])),
            p=f"{line['sign_test']:.2g}",
            # Two digits: the rest depends on what else the machine does.
            speed=f"{float(format(line['decisions_a_second'], '.2g')):,.0f}",
            measured=line["measured"],
        )
        for line in lines
    ]
    return "\n".join(rows)


def known(path: Path = DATA) -> list[dict[str, Any]]:
    """
    The rows that have been measured.
    """
    found: list[dict[str, Any]] = (
        json.loads(path.read_text("utf-8")) if path.exists() else []
    )
    return found


def main() -> int:
    """
    Measure the declared rows that have not been measured.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--kept", type=Path, default=KEPT, help="the games played")
    parser.add_argument("--against", help="only the rows against this opponent")
    asked = parser.parse_args()
    rows = declared()
    order = [(row["bot"], row["against"]) for row in rows]
    done = {(line["bot"], line["against"]) for line in known()}
    for row in rows:
        if (row["bot"], row["against"]) in done:
            continue
        if asked.against not in {None, row["against"]}:
            continue
        measured = measure(row, asked.kept)
        # Another process may have measured rows meanwhile.
        lines = [*known(), measured]
        lines.sort(key=lambda line: order.index((line["bot"], line["against"])))
        DATA.write_text(json.dumps(lines, indent=1) + "\n", "utf-8")
        print(table([measured]).splitlines()[-1], flush=True)
    return 1 if any(line["unfinished"] for line in known()) else 0


if __name__ == "__main__":
    sys.exit(main())
