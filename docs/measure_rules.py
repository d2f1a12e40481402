"""
Measure what house rules are said to do, and write the page that reports it.

Bots play by the rules with and without each of them. With ``--write`` the figures go to
``house-rules-measured.json`` and the page ``what-the-house-rules-do.md`` is made from
them; otherwise the page is printed. ``--page`` makes the page from the figures that are
there, ``--check`` only looks whether it is what they give.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from house_rule_claims import CLAIMS, HOUSE, Case, Claim

from rummyvariants.simulation.comparison import called, compare
from rummyvariants.simulation.estimates import Estimate, estimate, slope
from rummyvariants.simulation.measures import dealer_advantage, measure
from rummyvariants.simulation.processes import processes
from rummyvariants.simulation.rows import RoundRow
from rummyvariants.simulation.runs import simulate


DOCS: Final = Path(__file__).resolve().parent
FIGURES: Final = DOCS / "house-rules-measured.json"
PAGE: Final = DOCS / "explanation" / "what-the-house-rules-do.md"
GAMES: Final = 1000
"""How many rounds are played by each ruleset, unless another number is given."""
ROUNDS_OF_A_MATCH: Final = 8
"""For so many rounds one match is played where whole matches are needed."""
SEED: Final = 0
BOT: Final = "careful"
SMALL: Final = (3, 5)
"""From how many cards to how many a hand is small."""
LEAST: Final = (3, 4)
"""The hands that a dealer should rather not deal to oneself."""


# --------------------------------------------------------------------------- measuring


def measured(games: int, number: int) -> dict[str, Any]:
    """
    All figures.

    Args:
        games: How many rounds are played by each ruleset.
        number: In how many processes.
    """
    found: dict[str, Any] = {
        "library": metadata.version("rummyvariants"),
        "seed": SEED,
        "bots": BOT,
        "games": games,
        "claims": {},
    }
    with processes(number) as pool:
        for claim in CLAIMS:
            begun = time.monotonic()
            figures: Any = [
                compare(
                    case.a,
                    case.b,
                    games=games_of(case, games),
                    players=case.players,
                    bots=BOT,
                    seed=SEED,
                    unit=case.unit,
                    executor=pool,
                ).to_data()
                for case in claim.cases
            ]
            if not claim.cases:
                rows = simulate(
                    HOUSE,
                    BOT,
                    games=2 * games,
                    players=4,
                    seed=SEED,
                    unit="round",
                    executor=pool,
                )
                figures = hands([one for row in rows for one in row.rounds])
            found["claims"][claim.key] = figures
            took = time.monotonic() - begun
            print(f"{claim.key}: {took:.0f} s", file=sys.stderr)
    rounded: dict[str, Any] = _rounded(found)
    return rounded


def games_of(case: Case, games: int) -> int:
    """
    How many games of a case are played: one match in place of several rounds.
    """
    return games if case.unit == "round" else max(games // ROUNDS_OF_A_MATCH, 2)


def hands(rounds: Sequence[RoundRow]) -> dict[str, Any]:
    """
    What the size of a hand does to its points, in rounds of one game.
    """
    dealt = [tuple(zip(one.hand_sizes, one.points, strict=True)) for one in rounds]
    by_size: dict[int, list[float]] = {}
    for one in dealt:
        middle = statistics.fmean([points for _, points in one])
        for size, points in one:
            by_size.setdefault(size, []).append(points - middle)
    low, high = SMALL
    dealers = [(one.hand_sizes[one.dealer], dealer_advantage(one)) for one in rounds]
    return {
        "rules": called(HOUSE),
        "players": len(rounds[0].points),
        "rounds": len(rounds),
        "sizes": [
            {"cards": size, "hands": len(values), **_as_data(estimate(values))}
            for size, values in sorted(by_size.items())
        ],
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
    return json.dumps(found).replace('}, {"library"', '},\n{"library"') + "\n"


def _as_data(found: Estimate | None) -> dict[str, Any]:
    if found is None:
        return {"mean": None, "interval": None, "count": 0}
    return {"mean": found.mean, "interval": found.interval, "count": found.count}


def _rounded(found: Any) -> Any:
    """
    The same figures without digits that mean nothing.
    """
    if isinstance(found, float):
        return round(found, 6)
    if isinstance(found, dict):
        return {key: _rounded(value) for key, value in found.items()}
    if isinstance(found, list | tuple):
        return [_rounded(value) for value in found]
    return found


# --------------------------------------------------------------------------- the page


HEAD: Final = """\
% Written by docs/measure_rules.py from house-rules-measured.json: change those, not this.

# What the house rules do

People say that a house rule makes scores higher, games longer or small hands rarer.
This page tests such claims: bots play with the rule and without it, from the same seeds, and the games are compared.

The games were played with rummyvariants {library}, bots `{bots}` in all seats, seed {seed}: {games} rounds by each ruleset, or {matches} matches where whole matches are needed.
`python docs/measure_rules.py --games {games} --write` repeats the measurement; `docs/house-rules-measured.json` has the figures of all measures.

A claim *holds* if the 95 % interval of the difference lies on the side that the claim predicts, and *does not hold* if it lies on the other side.
If the interval includes zero, the games do not decide.
*Never came up* means that the event occurred in no game of either ruleset.

With intervals of 95 %, about one in twenty comparisons will show a difference by chance where there is none.
The bots do not adapt their play to a rule as people would.

"""  # noqa: E501 -- one sentence a line
COLUMNS: Final = (
    "| B rather than A | players | measure | A | B | B / A | B - A | 95 % interval "
    "| verdict |"
)
SIZES: Final = (
    "| cards in the hand | hands | points above the mean of the round | 95 % interval |"
)


def page(found: Mapping[str, Any]) -> str:
    """
    The page that the figures give.
    """
    matches = max(found["games"] // ROUNDS_OF_A_MATCH, 2)
    head = HEAD.format(**{**found, "matches": matches})
    return head + "\n".join(line for claim in CLAIMS for line in _claim(claim, found))


def _claim(claim: Claim, found: Mapping[str, Any]) -> Iterator[str]:
    figures = found["claims"][claim.key]
    ids = ", ".join(f"[{one}](#rule-{one.lower()})" for one in claim.rules)
    lines, verdicts = _hands(figures) if not claim.cases else _cases(claim, figures)
    yield f"## {claim.words.rstrip('.')}"
    yield ""
    yield f"**{_summary(verdicts)}**"
    yield f"Rules: {ids}."
    if claim.remark:
        yield claim.remark
    yield ""
    yield from lines
    yield ""


def _cases(
    claim: Claim, figures: Sequence[Mapping[str, Any]]
) -> tuple[list[str], list[str]]:
    """
    The table of a claim about two rulesets, and a verdict for each of its lines.
    """
    lines = [COLUMNS, "| :-- | --: | :-- | --: | --: | --: | --: | --: | :-- |"]
    verdicts = []
    for case, figure in zip(claim.cases, figures, strict=True):
        measured = {one["measure"]: one for one in figure["measures"]}
        name = case.name or f"{figure['b']['name']}, rather than {figure['a']['name']}"
        noun = "rounds" if figure["unit"] == "round" else "matches"
        for key, wanted in case.expected.items():
            one, about = measured[key], measure(key)
            verdict = _verdict(one, wanted, f"{one['deals']} {noun}")
            verdicts.append(verdict)
            places = about.decimals
            times = f"{one['b'] / one['a']:.2f}" if one["a"] > 0 else ""
            unit = f" ({about.unit})" if about.unit in {"%", "points"} else ""
            cells = (
                name,
                str(figure["players"]),
                about.name + unit,
                f"{one['a']:.{places}f}",
                f"{one['b']:.{places}f}",
                times,
                f"{one['difference']:+.{places}f}",
                _interval(one["interval"], places),
                verdict,
            )
            lines.append(f"| {' | '.join(cells)} |")
        if any(set(games) - {"finished"} for games in figure["games_by_status"]):
            lines.append(f"| {name}: some games were not finished | | | | | | | | |")
    return lines, verdicts


def _hands(figure: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """
    The tables of the claim about hands within one game, and its verdicts.
    """
    much = f"{figure['rounds']} rounds"
    low, high = SMALL
    questions = (
        ("each card more", "points for each card more", 1),
        (
            "small hands",
            f"points of a hand of {low} to {high} cards, less the rest",
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
    lines = [
        f"In `{figure['rules']}`, {figure['players']} players, {much}:",
        "",
        "| measure | rounds | mean | 95 % interval | verdict |",
        "| :-- | --: | --: | --: | :-- |",
    ]
    verdicts = []
    for key, name, wanted in questions:
        one = figure[key]
        verdict = _verdict(one, wanted, f"{one['count']} rounds") if wanted else ""
        verdicts += [verdict] if verdict else []
        lines.append(
            f"| {name} | {one['count']} | {_signed(one['mean'])} | "
            f"{_interval(one['interval'], 1)} | {verdict} |"
        )
    lines += [
        "",
        SIZES,
        "| --: | --: | --: | --: |",
    ]
    for one in figure["sizes"]:
        lines.append(
            f"| {one['cards']} | {one['hands']} | {_signed(one['mean'])} | "
            f"{_interval(one['interval'], 1)} |"
        )
    return lines, verdicts


HOLDS: Final = "holds"
FAILS: Final = "does not hold"


def _verdict(one: Mapping[str, Any], wanted: int, games: str) -> str:
    """
    What the interval says to an expectation.
    """
    if one.get("a") == one.get("b") == 0:
        return f"never came up in {games}"
    low, high = one["interval"] or (0, 0)
    if low <= 0 <= high:
        return f"not decided by {games}"
    return HOLDS if (low > 0) == (wanted > 0) else FAILS


def _summary(verdicts: Sequence[str]) -> str:
    """
    The verdicts of a claim in a sentence.
    """
    total = len(verdicts)
    holds, fails = verdicts.count(HOLDS), verdicts.count(FAILS)
    if total in {holds, fails}:
        return "Holds." if holds else "Does not hold."
    if not holds and not fails:
        return "Not decided by so many games."
    parts = [
        f"{HOLDS} in {holds} of {total} comparisons" if holds else "",
        f"{FAILS} in {fails}{'' if holds else f' of {total} comparisons'}"
        if fails
        else "",
        f"is not decided in {total - holds - fails}" if total > holds + fails else "",
    ]
    said = ", ".join(part for part in parts if part)
    return f"{said[0].upper()}{said[1:]}."


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.1f}"


def _interval(ends: Iterable[float] | None, places: int) -> str:
    return " to ".join(f"{end:+.{places}f}" for end in ends) if ends else ""


# ---------------------------------------------------------------------------- command


def main() -> int:
    """
    Measure and write, or look at what was written.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="rounds by each rules")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write figures and page")
    parser.add_argument("--page", action="store_true", help="make the page anew")
    parser.add_argument("--check", action="store_true", help="look at the page only")
    asked = parser.parse_args()
    if asked.check or asked.page:
        text = page(json.loads(FIGURES.read_text(encoding="utf-8")))
        same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        if asked.page:
            PAGE.write_text(text, encoding="utf-8")
        elif not same:
            print(f"{PAGE.name} is stale: run python docs/measure_rules.py --page")
            return 1
        return 0
    if asked.games < ROUNDS_OF_A_MATCH:
        parser.error(f"--games has to be {ROUNDS_OF_A_MATCH} at least")
    found = measured(asked.games, asked.processes)
    if asked.write:
        FIGURES.write_text(in_lines(found), encoding="utf-8")
        PAGE.write_text(page(found), encoding="utf-8")
        print(f"wrote docs/{FIGURES.name} and {PAGE.relative_to(DOCS.parent)}")
    else:
        print(page(found), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
