"""
What house rules do, as measured: the picture, and the page of figures.

The measurements are kept in ``house-rules.json``. A result under a rule is a
difference in skill share, the ends of its interval, and whether it is significant.
"""

from __future__ import annotations

import json

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final


DATA: Final = json.loads(
    Path(__file__).with_name("house-rules.json").read_text("utf-8")
)
PAIRS: Final = ("`careful` over `greedy`", "`greedy` over `random`")
HEAD: Final = """\
---
no-search: true
---

# Figures of house rules

These are the results behind {doc}`/explanation/what-the-house-rules-do`, which explains how they were found and how to read them.

"""  # noqa: E501 -- one sentence a line


def signed(number: float) -> str:
    """
    A difference with its sign.
    """
    return f"{number:+.2f}" if number else "0.00"


def said(pair: Sequence[Any]) -> str:
    """
    What the blocks of a pair of bots say.
    """
    told = [(one[0] > 0, number) for number, one in enumerate(pair[2:], 1) if one[3]]
    if not told:
        return "not decided"
    way = "more" if told[0][0] else "less"
    if len(told) == 2:
        return way if told[0][0] == told[1][0] else "not decided"
    return f"{way} in block {told[0][1]} alone"


def verdict(rule: Sequence[Any]) -> str:
    """
    Whether a rule makes its game more skilful.
    """
    results = [one for pair in rule[2:] for one in pair[2:]]
    ways = {one[0] > 0 for one in results if one[3]}
    if len(ways) == 2:
        return "the results disagree"
    if ways and all(one[3] for one in results):
        return "more skilful" if ways == {True} else "less skilful"
    return "not decided"


def page() -> str:
    """
    The page of figures.
    """
    return HEAD + "\n".join([*_skill(), *_claims()])


def _skill() -> Iterator[str]:
    yield from ("## Which rules make a game more skilful", "")
    for game in DATA["skill"]:
        yield from (f"### {game['title']}", "", game["about"], "")
        yield "| rule | bots | skill share | rounds | block 1 | block 2 | verdict |"
        yield "| :-- | :-- | --: | --: | --: | --: | :-- |"
        plain = ["*the game as it is*", "", *game["as it is"]]
        for rule in [plain, *game["rules"]]:
            name = f"{rule[0]} ({rule[1]})" if rule[1] else rule[0]
            told = verdict(rule) if rule[1] else ""
            for bots, (share, rounds, *blocks) in zip(PAIRS, rule[2:], strict=True):
                cells = [_result(one) for one in blocks] or ["", ""]
                row = [name, bots, f"{share:.2f}", str(rounds), *cells, told]
                yield f"| {' | '.join(row)} |"
                name = told = ""
        yield ""


def _result(one: Sequence[Any]) -> str:
    number, low, high, significant = one
    bold = "**" if significant else ""
    return f"{bold}{signed(number)}{bold} ({signed(low)} to {signed(high)})"


def _claims() -> Iterator[str]:
    yield from ("## What is said of house rules", "")
    for claim in DATA["claims"]:
        yield from (f"### {claim['claim']}", "")
        for table in claim["tables"]:
            yield from (*table["about"], "")
            yield f"| {' | '.join(table['head'])} |"
            yield f"| {' | '.join(':--' for _ in table['head'])} |"
            yield from (f"| {' | '.join(row)} |" for row in table["rows"])
            yield ""


# ------------------------------------------------------------------------ picture

WIDTH: Final = 700
LEFT: Final = 330
STEP: Final = 19
SCALE: Final = 280
"""How many points a skill share of one is wide."""
ZERO: Final = LEFT + 120
COLOURS: Final = ("#0b5fa5", "#d1651a")


def picture() -> str:
    """
    How far each rule moves the skill share, for both pairs of bots.
    """
    lines: list[str] = []
    _key(lines)
    y = 58
    for game in DATA["skill"]:
        y += 12
        lines.append(_text(12, y, game["title"], 'font-weight="bold"'))
        for rule in game["rules"]:
            y += STEP
            lines.append(_text(24, y, rule[0]))
            for pair, colour in zip(rule[2:], COLOURS, strict=True):
                lines += _dot(y - 4, pair, colour)
        y += STEP
    height = y + 12
    axis = []
    for at, colour in ((-0.25, "#ddd"), (0, "#888"), (0.25, "#ddd"), (0.5, "#ddd")):
        x = ZERO + SCALE * at
        axis.append(f'<path d="M{x:.0f} 46V{y - 8}" stroke="{colour}"/>')
        axis.append(_text(x, y + 6, signed(at), 'text-anchor="middle"'))
    axis.append(_text(24, y + 6, "change of the skill share"))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">',
            '<g font-family="sans-serif" font-size="12.5" fill="#222">',
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
            *axis,
            *lines,
            "</g></svg>",
        ]
    )


def _key(lines: list[str]) -> None:
    for at, bots, colour in zip((330, 500), PAIRS, COLOURS, strict=True):
        lines.append(f'<circle cx="{at + 6}" cy="14" r="5" fill="{colour}"/>')
        lines.append(_text(at + 16, 18, bots.replace("`", "")))
    lines.append(_text(12, 18, "filled: significant in both blocks"))
    lines.append(_text(ZERO - 10, 40, "less skilful", 'text-anchor="end"'))
    lines.append(_text(ZERO + 10, 40, "more skilful"))


def _dot(y: int, pair: Sequence[Any], colour: str) -> Iterator[str]:
    blocks = pair[2:]
    at = ZERO + SCALE * sum(one[0] for one in blocks) / len(blocks)
    low = ZERO + SCALE * min(one[1] for one in blocks)
    high = ZERO + SCALE * max(one[2] for one in blocks)
    filled = colour if said(pair) in {"more", "less"} else "#fff"
    yield f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="{colour}" opacity=".6"/>'
    yield (
        f'<circle cx="{at:.1f}" cy="{y}" r="4.5" fill="{filled}" stroke="{colour}"/>'
    )


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" {more}>{escape(text)}</text>'
