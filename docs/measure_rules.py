"""
Measure what house rules are said to do.

Two bots play by the rules with and without each of them, in two blocks of deals. With
``--write`` the figures go to ``house-rules-measured.json``, from which the page
``what-the-house-rules-do.md`` is made; otherwise that page is printed. Needs the extra
``statistics``.
"""

from __future__ import annotations

import argparse
import functools
import json
import statistics
import sys
import time

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import attrs

from house_rule_claims import CLAIMS, HOUSE, Case, Claim

import rummyvariants as rv

from rummyvariants.files._records import rules_table
from rummyvariants.simulation.comparison import called
from rummyvariants.simulation.contrasts import contrasts
from rummyvariants.simulation.estimates import Estimate, estimate, slope
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.measures import dealer_advantage, measure
from rummyvariants.simulation.processes import processes
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.runs import simulate
from rummyvariants.simulation.significance import (
    holm,
    interval_of,
    most_likely,
    need_scipy,
    t_test,
)
from rummyvariants.simulation.verdicts import word_of


DOCS: Final = Path(__file__).resolve().parent
FIGURES: Final = DOCS / "house-rules-measured.json"
PAGE: Final = DOCS / "explanation" / "what-the-house-rules-do.md"
GAMES: Final = 400
"""
How many rounds are played by each ruleset, by each bot in each block.

Decided before the first of them was played; another number can be given.
"""
ROUNDS_OF_A_MATCH: Final = 8
"""For so many rounds one match is played where whole matches are needed."""
BOTS: Final = ("careful", "greedy")
SEEDS: Final = (101, 102)
"""The seed of each block."""
SMALL: Final = (3, 5)
"""From how many cards to how many a hand is small."""
LEAST: Final = (3, 4)
"""The hands that a dealer should rather not deal to oneself."""
CHANCE: Final = 0.05
"""How often any verdict of the page may be due to chance alone."""


# --------------------------------------------------------------------------- measuring


def measured(games: int, number: int) -> dict[str, Any]:
    """
    All figures.

    Args:
        games: How many rounds are played by each ruleset, bot and block.
        number: In how many processes.
    """
    found: dict[str, Any] = {
        "library": metadata.version("rummyvariants"),
        "bots": BOTS,
        "seeds": SEEDS,
        "games": games,
        "claims": {},
    }
    with processes(number) as pool:

        @functools.lru_cache(maxsize=8)
        def rows(
            rules: rv.Ruleset, bot: str, seed: int, players: int, unit: Unit, many: int
        ) -> list[GameRow]:
            return list(
                simulate(
                    rules,
                    bot,
                    games=many,
                    players=players,
                    seed=seed,
                    unit=unit,
                    executor=pool,
                )
            )

        for claim in CLAIMS:
            begun = time.monotonic()
            if claim.cases:
                figures: Any = [_case(case, games, rows) for case in claim.cases]
            else:
                figures = _hands_of_all(games, rows)
            found["claims"][claim.key] = figures
            took = time.monotonic() - begun
            print(f"{claim.key}: {took:.0f} s", file=sys.stderr)
    result: dict[str, Any] = rounded(found)
    return result


def games_of(case: Case, games: int) -> int:
    """
    How many games of a case are played: one match in place of several rounds.
    """
    return games if case.unit == "round" else max(games // ROUNDS_OF_A_MATCH, 2)


def _case(case: Case, games: int, rows: Any) -> dict[str, Any]:
    """
    The figures of two rulesets, by bot and block.
    """
    results = []
    for bot in BOTS:
        for seed in SEEDS:
            first, second = (
                rows(rules, bot, seed, case.players, case.unit, games_of(case, games))
                for rules in (case.a, case.b)
            )
            pairs = list(zip(first, second, strict=True))
            found = contrasts(pairs, case.unit, knocks=False)
            results.append(
                {
                    "bot": bot,
                    "seed": seed,
                    "games_by_status": [
                        dict(sorted(Counter(row.status for row in one).items()))
                        for one in (first, second)
                    ],
                    "measures": [
                        one.to_data()
                        for one in found
                        if one.measure.key in case.expected
                    ],
                }
            )
    return {
        "a": {"name": called(case.a), "rules": rules_table(case.a)},
        "b": {"name": called(case.b), "rules": rules_table(case.b)},
        "players": case.players,
        "unit": case.unit,
        "results": results,
    }


def _hands_of_all(games: int, rows: Any) -> dict[str, Any]:
    """
    The figures of hands within one game, by bot and block.
    """
    results, sizes = [], {}
    for bot in BOTS:
        blocks = [
            [
                one
                for row in rows(HOUSE, bot, seed, 4, "round", 2 * games)
                for one in row.rounds
            ]
            for seed in SEEDS
        ]
        results += [
            {"bot": bot, "seed": seed, **hands(block)}
            for seed, block in zip(SEEDS, blocks, strict=True)
        ]
        sizes[bot] = sizes_of([one for block in blocks for one in block])
    return {"rules": called(HOUSE), "players": 4, "results": results, "sizes": sizes}


def sizes_of(rounds: Sequence[RoundRow]) -> list[dict[str, Any]]:
    """
    The points of hands of each size, less the mean of their round.
    """
    by_size: dict[int, list[float]] = {}
    for one in rounds:
        middle = statistics.fmean(one.points)
        for size, points in zip(one.hand_sizes, one.points, strict=True):
            by_size.setdefault(size, []).append(points - middle)
    return [
        {"cards": size, **_as_data(estimate(values))}
        for size, values in sorted(by_size.items())
    ]


def hands(rounds: Sequence[RoundRow]) -> dict[str, Any]:
    """
    What the size of a hand does to its points, in rounds of one game.
    """
    dealt = [tuple(zip(one.hand_sizes, one.points, strict=True)) for one in rounds]
    low, high = SMALL
    dealers = [(one.hand_sizes[one.dealer], dealer_advantage(one)) for one in rounds]
    return {
        "rounds": len(rounds),
        "each card more": _as_data(slope(dealt)),
        "small hands": _as_data(
            slope(
                [
                    [(low <= size <= high, points) for size, points in one]
                    for one in dealt
                ]
            )
        ),
        "dealer with three or four": _as_data(
            estimate([more for size, more in dealers if size in LEAST])
        ),
        "dealer with another hand": _as_data(
            estimate([more for size, more in dealers if size not in LEAST])
        ),
    }


def in_lines(found: Mapping[str, Any]) -> str:
    """
    The figures as JSON, what belongs to one comparison on a line.
    """
    text = json.dumps(found)
    for key in ('{"a": {', '{"bot": '):
        text = text.replace(f"}}, {key}", f"}},\n{key}")
    return text + "\n"


def _as_data(found: Estimate | None) -> dict[str, Any]:
    if found is None:
        return {"mean": None, "interval": None, "count": 0, "p": None}
    return {
        "mean": found.mean,
        "interval": interval_of(found),
        "count": found.count,
        "p": t_test(found),
    }


def rounded(found: Any) -> Any:
    """
    The same figures without digits that mean nothing.
    """
    if isinstance(found, float):
        return float(f"{found:.6g}")
    if isinstance(found, dict):
        return {key: rounded(value) for key, value in found.items()}
    if isinstance(found, list | tuple):
        return [rounded(value) for value in found]
    return found


# --------------------------------------------------------------------------- the page


HEAD: Final = """\
# What the house rules do

People say that a house rule makes scores higher, games longer or small hands rarer.
This page tests such claims: bots play with the rule and without it, from the same seeds, and the games are compared.

The games were played with rummyvariants {library}, by {bots} in all seats, with the seeds {seeds}.
That makes {results} results for each comparison, each from {games} rounds by each ruleset, or {matches} matches where whole matches are needed.
These numbers were fixed before the games were played.
`python docs/measure_rules.py --games {games} --write` repeats the measurement; `docs/house-rules-measured.json` has the figures.

Each result is tested: shares of rounds with the exact test of McNemar, other numbers with Student's t, or by their signs, and without an interval, where few rounds differ.
A claim that follows from the rules whoever plays is not tested: its figures only say by how much.
What the deals alone decide is tested once in each block, because both bots have the same deals.
The {tests} p-values that are left are adjusted by Holm's method.
So the chance that any result in bold would be there without a difference is at most 5 %, for the page as a whole.

A claim *holds* in a comparison if every result that is tested is in bold and on the side that the claim predicts, and *does not hold* if every one is in bold on the other side.
Where bold results are on both sides, the results *disagree*, and the claim depends on who plays.
Everything else is *not decided*.
If an event *never came up*, the bound is what its share may still be, for each bot and ruleset, with 95 % confidence.

A and B are means over all results; the intervals are 95 % intervals of the difference, each for itself.
The bots do not adapt their play to a rule as people would.

"""  # noqa: E501 -- one sentence a line


@attrs.frozen
class Result:
    """
    One bot in one block.

    Attributes:
        name: The bot and the number of the block.
        mean: The mean, or the mean difference.
        interval: Its interval, if there is one.
        p: The p-value, adjusted for the page; None if nothing is tested.
    """

    name: str
    mean: float | None
    interval: Sequence[float] | None
    p: float | None

    @property
    def side(self) -> int:
        """
        The direction of the mean if it is hardly chance, otherwise 0.
        """
        if self.p is None or self.p >= CHANCE or not self.mean:
            return 0
        return 1 if self.mean > 0 else -1

    def shown(self, places: int) -> str:
        """
        The result as the cell of a table.
        """
        if self.mean is None:
            return ""
        text = _signed(self.mean, places)
        text = f"**{text}**" if self.side else text
        return text + _interval(self.interval, places)


class Adjusted:
    """
    The p-values of the page, taken in the order in which they are shown.
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        values = [value for claim in CLAIMS for value in _p_values(claim, found)]
        self.count = len(values)
        self._left = iter(holm(values))

    def next(self) -> float:
        """
        The next of them.
        """
        return next(self._left)


def page(found: Mapping[str, Any]) -> str:
    """
    The page that the figures give.
    """
    adjusted = Adjusted(found)
    head = HEAD.format(
        library=found["library"],
        bots=" and by ".join(f"`{bot}`" for bot in found["bots"]),
        seeds=" and ".join(map(str, found["seeds"])),
        results=len(found["bots"]) * len(found["seeds"]),
        games=found["games"],
        matches=max(found["games"] // ROUNDS_OF_A_MATCH, 2),
        tests=adjusted.count,
    )
    lines = [line for claim in CLAIMS for line in _claim(claim, found, adjusted)]
    return head + "\n".join(lines)


def _p_values(claim: Claim, found: Mapping[str, Any]) -> Iterator[float]:
    """
    The p-values that a claim is judged by.
    """
    figures = found["claims"][claim.key]
    if claim.certain:
        return
    if not claim.cases:
        for key, _, wanted in QUESTIONS:
            if wanted:
                yield from (one[key]["p"] for one in figures["results"])
        return
    for case, figure in zip(claim.cases, figures, strict=True):
        for key in case.expected:
            for one in _tested(figure, key):
                yield _measure(one, key)["p"]


def _tested(figure: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """
    The results of a measure: of the first bot alone where the deals decide it.
    """
    results: Sequence[Mapping[str, Any]] = figure["results"]
    return results[: len(SEEDS)] if measure(key).dealt else results


def _measure(result: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(
        one for one in result["measures"] if one["measure"] == key
    )
    return found


def _claim(claim: Claim, found: Mapping[str, Any], adjusted: Adjusted) -> Iterator[str]:
    figures = found["claims"][claim.key]
    names = [
        f"`{bot}` {block}"
        for bot in found["bots"]
        for block in range(1, len(found["seeds"]) + 1)
    ]
    ids = ", ".join(f"[{one}](#rule-{one.lower()})" for one in claim.rules)
    if claim.cases:
        lines, verdicts = _cases(claim, figures, names, adjusted)
    else:
        lines, verdicts = _hands(figures, names, adjusted)
    yield f"## {claim.words.rstrip('.')}"
    yield ""
    yield f"**{_summary(verdicts)}**"
    yield f"Rules: {ids}."
    if claim.remark:
        yield claim.remark
    yield ""
    yield from lines
    yield ""


def _head(first: Sequence[str], names: Sequence[str], *last: str) -> Iterator[str]:
    """
    The head of a table, its numbers aligned right.
    """
    columns = (*first, *names, *last)
    words = {first[0], "measure", *last}
    yield line(*columns)
    yield line(*(":--" if one in words else "--:" for one in columns))


def line(*cells: object) -> str:
    """
    A line of a table in Markdown.
    """
    return f"| {' | '.join(map(str, cells))} |"


def _cases(
    claim: Claim,
    figures: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    adjusted: Adjusted,
) -> tuple[list[str], list[str]]:
    """
    The table of a claim about two rulesets, and a verdict for each of its lines.
    """
    first = ("B rather than A", "players", "measure", "A", "B")
    lines = [*_head(first, names, "verdict")]
    verdicts = []
    for case, figure in zip(claim.cases, figures, strict=True):
        name = case.name or f"{figure['b']['name']}, rather than {figure['a']['name']}"
        noun = "rounds" if figure["unit"] == "round" else "matches"
        for key, wanted in case.expected.items():
            about = measure(key)
            found = [_measure(one, key) for one in _tested(figure, key)]
            results = [
                Result(
                    name,
                    one["difference"],
                    one["interval"],
                    None if claim.certain else adjusted.next(),
                )
                for name, one in zip(names, found, strict=False)
            ]
            means = [statistics.fmean([one[side] for one in found]) for side in "ab"]
            if not any(means):
                # Its share may depend on the bot: only the blocks are put together.
                many = sum(one["deals"] for one in found[: len(SEEDS)])
                said = f"{NEVER}: at most {100 * most_likely(many):.2g} % of {noun}"
            else:
                said = CERTAIN if claim.certain else verdict(results, wanted)
            verdicts.append(said)
            lines.append(
                line(
                    name,
                    figure["players"],
                    about.title,
                    *(f"{mean:.{about.decimals}f}" for mean in means),
                    *(one.shown(about.decimals) for one in results),
                    *["same deals"] * (len(names) - len(results)),
                    said,
                )
            )
        if any(
            set(games) - {"finished"}
            for one in figure["results"]
            for games in one["games_by_status"]
        ):
            empty = [""] * (len(first) + len(names))
            lines.append(line(f"{name}: some games were not finished", *empty))
    return lines, verdicts


QUESTIONS: Final = (
    ("each card more", "points for each card more", 1),
    (
        "small hands",
        f"points of a hand of {SMALL[0]} to {SMALL[1]} cards, less the rest",
        -1,
    ),
    (
        "dealer with three or four",
        "points of a dealer with a three or four, less the mean of the others",
        -1,
    ),
    (
        "dealer with another hand",
        "the same of a dealer with another card, for comparison",
        0,
    ),
)
"""What is asked of the hands of a game: its key, in words, and what is expected."""


def _hands(
    figure: Mapping[str, Any], names: Sequence[str], adjusted: Adjusted
) -> tuple[list[str], list[str]]:
    """
    The tables of the claim about hands within one game, and its verdicts.
    """
    rounds = figure["results"][0]["rounds"]
    where = f"In `{figure['rules']}`, {figure['players']} players"
    lines = [
        f"{where}, {rounds} rounds for each result:",
        "",
        *_head(("measure",), names, "verdict"),
    ]
    verdicts = []
    for key, words, wanted in QUESTIONS:
        found = [one[key] for one in figure["results"]]
        results = [
            Result(
                name, one["mean"], one["interval"], adjusted.next() if wanted else None
            )
            for name, one in zip(names, found, strict=True)
        ]
        said = verdict(results, wanted) if wanted else ""
        verdicts += [said] if wanted else []
        lines.append(line(words, *(one.shown(1) for one in results), said))
    bots = figure["sizes"]
    lines += [
        "",
        "Points of a hand above the mean of its round, with the number of hands:",
        "",
        *_head(("cards in the hand",), [f"`{bot}`" for bot in bots]),
    ]
    for sizes in zip(*bots.values(), strict=True):
        cells = [
            f"{_signed(one['mean'], 1)}{_interval(one['interval'], 1)}, {one['count']}"
            for one in sizes
        ]
        lines.append(line(sizes[0]["cards"], *cells))
    return lines, verdicts


HOLDS: Final = "holds"
FAILS: Final = "does not hold"
SPLIT: Final = "the results disagree"
OPEN: Final = "not decided"
NEVER: Final = "never came up"
CERTAIN: Final = "follows from the rules"


def verdict(results: Sequence[Result], wanted: int) -> str:
    """
    What the results say to an expectation.
    """
    named = {
        word: ", ".join(one.name for one in results if one.side == side)
        for word, side in ((HOLDS, wanted), (FAILS, -wanted))
    }
    word = word_of([wanted * one.side for one in results])
    if word == "disagree":
        return f"{SPLIT}: {HOLDS} for {named[HOLDS]}"
    if word != "not decided":
        return HOLDS if word == "more" else FAILS
    for word, names in named.items():
        if names:
            return f"{OPEN}: {word} for {names} alone"
    return OPEN


def _summary(verdicts: Sequence[str]) -> str:
    """
    The verdicts of a claim in a sentence.
    """
    total = len(verdicts)
    counts = {
        word: sum(one.startswith(word) for one in verdicts)
        for word in (HOLDS, FAILS, SPLIT, OPEN, NEVER, CERTAIN)
    }
    for word, sentence in (
        (HOLDS, "Holds."),
        (FAILS, "Does not hold."),
        (SPLIT, "The results disagree."),
        (CERTAIN, "Follows from the rules."),
    ):
        if counts[word] == total:
            return sentence
    if total == counts[OPEN] + counts[NEVER]:
        return "Not decided by so many games."
    parts = [
        f"{words} in {counts[word]}"
        for word, words in (
            (HOLDS, HOLDS),
            (FAILS, FAILS),
            (SPLIT, "depends on who plays"),
            (OPEN, "is not decided"),
            (NEVER, "the event never came up"),
        )
        if counts[word]
    ]
    parts[0] += f" of {total} comparisons"
    said = ", ".join(parts)
    return f"{said[0].upper()}{said[1:]}."


def _signed(value: float, places: int) -> str:
    text = f"{value:+.{places}f}"
    return text if float(text) else text[1:]


def _interval(ends: Iterable[float] | None, places: int) -> str:
    if not ends:
        return ""
    return f" ({' to '.join(_signed(end, places) for end in ends)})"


# ---------------------------------------------------------------------------- command


def main() -> int:
    """
    Measure and write, or look at what was written.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, default=GAMES, help="rounds by each rules, bot and block"
    )
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="keep the figures")
    asked = parser.parse_args()
    if asked.games < ROUNDS_OF_A_MATCH:
        parser.error(f"--games has to be {ROUNDS_OF_A_MATCH} at least")
    need_scipy()
    found = measured(asked.games, asked.processes)
    if asked.write:
        FIGURES.write_text(in_lines(found), encoding="utf-8")
        print(f"wrote docs/{FIGURES.name}")
    else:
        print(page(found), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
