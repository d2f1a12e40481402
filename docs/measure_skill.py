"""
Measure which house rules make Rummy more skilful.

``python docs/measure_skill.py`` plays what ``skill_questions.toml`` declares and
``skill-measured.json`` lacks, and adds each result to that file, from which the tables
and plots of the page ``skilful-rules.md`` are made. Interrupted, it goes on where it
stopped, with the games that it keeps in ``build/skill``. Needs the extra
``statistics``.
"""

from __future__ import annotations

import argparse
import datetime as dt
import itertools
import json
import re
import statistics
import sys
import tomllib

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import attrs

from forest import Mark, Panel, forest
from measure_rules import DOCS, Result, line, rounded

import rummyvariants as rv

from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.plans import Simulation, planned
from rummyvariants.simulation.rows import GameRow
from rummyvariants.simulation.runs import play
from rummyvariants.simulation.significance import holm, need_scipy
from rummyvariants.simulation.skill import compared, rounds_for
from rummyvariants.simulation.verdicts import word_of


DECLARED: Final = DOCS / "skill_questions.toml"
DATA: Final = DOCS / "skill-measured.json"
KEPT: Final = DOCS.parent / "build" / "skill"
MORE: Final = "more skilful"
LESS: Final = "less skilful"
VERDICTS: Final = {
    "more": MORE,
    "less": LESS,
    "disagree": "the results disagree",
    "not decided": "not decided",
}
SHOWN: Final = 50
"""After how many games the progress is shown."""


# ---------------------------------------------------------------------- what is asked


@attrs.frozen
class Row:
    """
    A question put to two bots in one block of deals.

    Attributes:
        game: The preset.
        question: The rule that is tried, in words.
        rules: The preset with that rule.
        players: How many play.
        better: The bot that should lead.
        weaker: The other.
        block: The number of the block, from 1.
        seed: Its seed.
        deals: The number of deals.
        unit: What a game is.
        declared: The day on which the question was declared.
    """

    game: str
    question: str
    rules: rv.Ruleset
    players: int
    better: str
    weaker: str
    block: int
    seed: str
    deals: int
    unit: Unit
    declared: str

    @property
    def settings(self) -> dict[str, Any]:
        """
        The row as plain data, apart from its rules.
        """
        return attrs.asdict(self, filter=lambda field, _: field.name != "rules")

    def plan(self, rules: rv.Ruleset) -> Simulation:
        """
        The games under some rules.
        """
        return planned(
            rules,
            (self.better, self.weaker),
            players=self.players,
            seed=self.seed,
            unit=self.unit,
        )


def key_of(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """
    What tells a row from others.
    """
    return tuple(row[one] for one in ("game", "question", "better", "weaker", "block"))


def declared(path: Path = DECLARED) -> list[Row]:
    """
    The declared rows, those with games in common one after another.
    """
    given = tomllib.loads(path.read_text("utf-8"))
    found = []
    for game in given["games"]:
        base = rv.preset(game["key"])
        pairs = given["pairs"]
        deals = game.get("deals", [pair["deals"] for pair in pairs])
        for pair, many in zip(pairs, deals, strict=True):
            for block, seed in enumerate(given["seeds"], 1):
                for words, change in game["questions"].items():
                    rules = base.with_options(*change.get("with", ()))
                    found.append(
                        Row(
                            game["key"],
                            words,
                            rules.with_values(change.get("values", {})),
                            game["players"],
                            pair["better"],
                            pair["weaker"],
                            block,
                            seed,
                            many,
                            given["unit"],
                            str(change.get("declared", given["declared"])),
                        )
                    )
    return found


# -------------------------------------------------------------------------- measuring


def measure(row: Row, kept: Path) -> dict[str, Any]:
    """
    Play what is missing of a row, and compute its figures.

    Args:
        row: The row.
        kept: The folder of the games that have been played.
    """
    plans = [row.plan(rules) for rules in (rv.preset(row.game), row.rules)]
    rows = [
        played(
            plan,
            kept / row.game / f"{row.better}-{row.weaker}-{row.block}",
            words,
            row.deals * plan.rotations,
        )
        for plan, words in zip(plans, ("", row.question), strict=True)
    ]
    found: dict[str, Any] = rounded(
        {
            **row.settings,
            "measured": str(dt.datetime.now(tz=dt.UTC).date()),
            "version": metadata.version("rummyvariants"),
            "python": ".".join(map(str, sys.version_info[:3])),
            **compared(plans, rows).to_data(),
        }
    )
    return found


def played(plan: Simulation, folder: Path, words: str, games: int) -> list[GameRow]:
    """
    Play what a file of games lacks.

    Args:
        plan: The simulation.
        folder: Where the file is.
        words: The rule that is tried; empty for the game as it is.
        games: How many games there should be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "-", words) or "as-it-is"
    said = f"\r{folder.parent.name}, {folder.name}, {name}: "
    rows: list[GameRow] = []
    file = folder / f"{name}.jsonl"
    with closing(play(plan, games, output=file, resume=True)) as stream:
        for row in stream:
            rows.append(row)
            if not len(rows) % SHOWN:
                now = f"{said}{len(rows)} of {games}\x1b[K"
                print(now, end="", file=sys.stderr, flush=True)
    return rows


def known(path: Path = DATA) -> list[dict[str, Any]]:
    """
    The rows that have been measured.
    """
    found: list[dict[str, Any]] = (
        json.loads(path.read_text("utf-8")) if path.exists() else []
    )
    return found


def measure_missing(kept: Path, path: Path = DATA) -> list[dict[str, Any]]:
    """
    Measure the declared rows that a file lacks, and add each to it at once.

    Returns:
        All rows, in the order in which they are declared.
    """
    found = {key_of(one): one for one in known(path)}
    rows = declared()
    for number, row in enumerate(rows, 1):
        key = key_of(row.settings)
        if key in found:
            continue
        found[key] = measure(row, kept)
        lines = [
            json.dumps(found[key])
            for key in (key_of(row.settings) for row in rows)
            if key in found
        ]
        path.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
        print(f"\r{number} of {len(rows)} rows\x1b[K", file=sys.stderr, flush=True)
    return known(path)


# --------------------------------------------------------------------------- the page


@attrs.frozen
class Answer:
    """
    What all rows of a question say.

    Attributes:
        game: The preset.
        question: The rule that is tried.
        rows: The rows, by pair of bots and then by block.
        results: How much the skill share differs, for each row.
    """

    game: str
    question: str
    rows: tuple[Mapping[str, Any], ...]
    results: tuple[Result, ...]

    @property
    def verdict(self) -> str:
        """
        The verdict in words.
        """
        return VERDICTS[word_of([one.side for one in self.results])]

    def pairs(self) -> Iterator[list[tuple[Mapping[str, Any], Result]]]:
        """
        Rows and results of each pair of bots.
        """
        both = zip(self.rows, self.results, strict=True)
        for _, of in itertools.groupby(both, key=lambda one: one[0]["better"]):
            yield list(of)


def answers(found: Sequence[Mapping[str, Any]]) -> list[Answer]:
    """
    The answers that the rows give, their p-values adjusted together.
    """
    # Rules that change nothing give no p-value.
    adjusted = holm([1.0 if one["p"] is None else one["p"] for one in found])
    rows: dict[tuple[str, str], list[tuple[Mapping[str, Any], Result]]] = {}
    for one, p in zip(found, adjusted, strict=True):
        result = Result(
            f"`{one['better']}` {one['block']}", one["difference"], one["interval"], p
        )
        rows.setdefault((one["game"], one["question"]), []).append((one, result))
    return [
        Answer(*key, tuple(row for row, _ in of), tuple(result for _, result in of))
        for key, of in rows.items()
    ]


def made(found: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """
    The parts of the page by their names.
    """
    given = answers(found)
    parts = {
        "skill-measured": "\n".join(_measured(found)),
        "skill-verdicts": "\n".join(_verdicts(given)),
    }
    for game, of in itertools.groupby(given, key=lambda one: one.game):
        those = list(of)
        plot = (
            "::::{container} forest\n"
            f"```{{raw}} html\n{_plot(game, those).strip()}\n```\n::::"
        )
        parts[f"skill-{game}"] = "\n".join([plot, "", *_table(those)])
    return parts


def _measured(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """
    How the figures came about.
    """
    deals: dict[str, dict[str, int]] = {}
    for one in found:
        pair = f"`{one['better']}` against `{one['weaker']}`"
        deals.setdefault(one["game"], {})[pair] = one["deals"]
    usual = next(iter(deals.values()))
    said = " and ".join(f"{many} deals of {pair}" for pair, many in usual.items())
    for game, those in deals.items():
        if those != usual:
            said += f", in `{game}` {' and '.join(map(str, those.values()))}"
    seeds = " and ".join(f'"{seed}"' for seed in sorted({one["seed"] for one in found}))
    yield f"Each block has {said}; the seeds of the blocks are {seeds}."
    days = sorted({one["measured"] for one in found})
    yield (
        "They were played with rummyvariants "
        + ", ".join(sorted({one["version"] for one in found}))
        + f" on {' and '.join(dict.fromkeys((days[0], days[-1])))}."
    )
    left_out = sum(one["left_out"] for one in found)
    unfinished = (
        "Every deal was finished."
        if not left_out
        else (f"{left_out} deals were not finished under both rules, and are left out.")
    )
    yield f"{unfinished} The page has {len(found)} p-values."


def _verdicts(given: Sequence[Answer]) -> Iterator[str]:
    """
    What each pair of bots says, and the verdicts.
    """
    counts = Counter(one.verdict for one in given)
    more, less, split, open_ = (counts[word] for word in VERDICTS.values())
    yield (
        f"Of {len(given)} rules, {more} make their game more skilful by all results "
        f"and {less} less; for {split} the results disagree, and {open_} are not "
        "decided."
    )
    yield ""
    yield line("game", "rule", *(_bots(pair) for pair in given[0].pairs()), "verdict")
    yield line(*[":--"] * 5)
    game = ""
    for one in given:
        name = "" if one.game == game else f"`{one.game}`"
        game = one.game
        yield line(name, one.question, *map(_pair_word, one.pairs()), one.verdict)


def _pair_word(pair: Sequence[tuple[Mapping[str, Any], Result]]) -> str:
    """
    What one pair of bots says.
    """
    word = word_of([result.side for _, result in pair])
    sure = [(row["block"], result.side) for row, result in pair if result.side]
    if word == "not decided" and sure:
        ((block, side),) = sure
        return f"{'more' if side > 0 else 'less'} in block {block} alone"
    return word


def _table(given: Sequence[Answer]) -> Iterator[str]:
    """
    The table of a game.
    """
    yield line(
        "rule",
        "bots",
        "skill share",
        "rounds until the better leads",
        "difference, block 1",
        "difference, block 2",
        "verdict",
    )
    yield line(":--", ":--", "--:", "--:", "--:", "--:", ":--")
    name = "*the game as it is*"
    for pair in given[0].pairs():
        yield line(name, _bots(pair), *_shares(pair, 0), "", "", "")
        name = ""
    for answer in given:
        name, said = answer.question, answer.verdict
        for pair in answer.pairs():
            differences = [result.shown(2) for _, result in pair]
            yield line(name, _bots(pair), *_shares(pair, 1), *differences, said)
            name = said = ""


def _bots(pair: Sequence[tuple[Mapping[str, Any], Result]]) -> str:
    row, _ = pair[0]
    return f"`{row['better']}` over `{row['weaker']}`"


def _shares(
    pair: Sequence[tuple[Mapping[str, Any], Result]], which: int
) -> tuple[str, str]:
    """
    The skill share over both blocks, and the number of rounds that follows from it.
    """
    share = statistics.fmean(row["skill"][which]["share"] for row, _ in pair)
    rounds = rounds_for(share)
    return f"{share:.2f}", "never" if rounds is None else f"{rounds:,}"


def _plot(game: str, given: Sequence[Answer]) -> str:
    """
    The forest plot of a game.
    """
    lines = [list(answer.pairs()) for answer in given]
    panels = [
        Panel(
            f"{of[0][0][0]['better']} over {of[0][0][0]['weaker']}",
            [[_mark(result) for _, result in pair] for pair in of],
        )
        for of in zip(*lines, strict=True)
    ]
    return forest(
        f"skill-{game}",
        f"How much the skill share of {game} differs under other rules",
        [answer.question for answer in given],
        panels,
        "difference in skill share",
        (LESS, MORE),
        ("block 1", "block 2"),
    )


def _mark(result: Result) -> Mark:
    assert result.mean is not None  # noqa: S101 -- skill is measured, or an error
    low, high = result.interval or (result.mean, result.mean)
    return Mark(result.mean, low, high, bool(result.side))


# ---------------------------------------------------------------------------- command


def main() -> int:
    """
    Measure what has not been measured.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kept", type=Path, default=KEPT, help="the games played")
    need_scipy()
    measure_missing(parser.parse_args().kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
