"""
How the learner of `examples/learn_gin.py` came on: the picture, and the table.

The measurements are kept in ``learned.json``, by game. A point of a curve is how many
decisions the learner had made, the seconds of a core that this took, and for each bot
the points a round over it with half the 95 % interval. Of the tiny game, `lost` is what
a perfect opponent wins a round against the learner in the end.
"""

from __future__ import annotations

import json

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final


DATA: Final = json.loads(Path(__file__).with_name("learned.json").read_text("utf-8"))
BOTS: Final = ("greedy", "careful")
TITLES: Final = {"tiny": "tiny gin", "gin-rummy": "gin rummy"}
COLOURS: Final = ("#0b5fa5", "#d1651a")
WIDTH: Final = 290
HEIGHT: Final = 190
"""The size of the part of the picture for a game, without what stands around it."""


def table() -> str:
    """
    What the learner came to in each game.
    """
    lines = [
        "| game | decisions | minutes of a core | over `greedy` | over `careful` |",
        "| :-- | --: | --: | --: | --: |",
    ]
    for game, title in TITLES.items():
        decisions, seconds, *leads = DATA[game]["curve"][-1]
        cells = [f"{lead:+.2f} ± {half:.2f}" for lead, half in leads]
        row = [title, f"{decisions:,}", f"{seconds / 60:.0f}", *cells]
        lines.append(f"| {' | '.join(row)} |")
    (versions,) = {tuple(DATA[game]["versions"].items()) for game in TITLES}
    said = ", ".join(f"{name} {version}" for name, version in versions)
    lost = f"{DATA['tiny']['lost']:.2f} points a round"
    perfect = f"Against the learner of tiny gin a perfect opponent wins {lost}."
    return "\n".join([*lines, "", perfect, f"Measured with {said}."])


def picture() -> str:
    """
    The points a round over each bot, by the decisions made until then.
    """
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 284">',
        '<g font-family="sans-serif" font-size="12.5" fill="#222">',
        '<rect width="740" height="284" fill="#fff"/>',
    ]
    for left, (game, title) in zip((52, 422), TITLES.items(), strict=True):
        lines.append(f'<g transform="translate({left} 54)">')
        lines.append(f'<text y="-14" font-weight="bold">{title}</text>')
        lines += _panel(DATA[game]["curve"])
        lines.append("</g>")
    for left, bot, colour in zip((370, 520), BOTS, COLOURS, strict=True):
        lines.append(f'<circle cx="{left}" cy="14" r="4" fill="{colour}"/>')
        lines.append(f'<text x="{left + 10}" y="18">against {bot}</text>')
    lines.append('<text x="12" y="18">points a round, with 95 % intervals</text>')
    return "\n".join([*lines, "</g></svg>"])


def _panel(curve: list[Any]) -> Iterator[str]:
    """
    The axes of a game, and its two curves.
    """
    most = curve[-1][0]
    leads = [lead for point in curve for lead in point[2:]]
    low = min(lead - half for lead, half in leads)
    high = max(5, *(lead + half for lead, half in leads))
    scale = HEIGHT / (high - low)
    step = 5 if high - low < 40 else 10
    for mark in range(int(low // step + 1) * step, int(high) + 1, step):
        y = (high - mark) * scale
        colour, said = ("#ddd", f"{mark:+}") if mark else ("#888", "0")
        yield f'<path d="M0 {y:.1f}H{WIDTH}" stroke="{colour}"/>'
        yield f'<text x="-6" y="{y + 4:.1f}" text-anchor="end">{said}</text>'
    end = f'x="{WIDTH}" y="{HEIGHT + 22}" text-anchor="end"'
    yield f'<text y="{HEIGHT + 22}">0</text><text {end}>{most:,} decisions</text>'
    for number, colour in enumerate(COLOURS):
        dots = []
        for decisions, _, *found in curve:
            lead, half = found[number]
            x, y = WIDTH * decisions / most, (high - lead) * scale
            dots.append(f"{x:.1f} {y:.1f}")
            yield (
                f'<path d="M{x:.1f} {y - half * scale:.1f}v{2 * half * scale:.1f}" '
                f'stroke="{colour}" opacity=".6"/>'
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
            )
        yield f'<path d="M{"L".join(dots)}" stroke="{colour}" fill="none"/>'
