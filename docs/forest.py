"""
Forest plots as SVG: differences with their intervals, one line for each comparison.

They take the colour of the text around them, so they suit light and dark pages. Nothing
is shown by colour alone.
"""

from __future__ import annotations

import html
import math
import textwrap

from collections.abc import Iterator, Sequence
from typing import Final

import attrs


LABELS: Final = 220
"""How wide the names of the lines are; this and what follows in units of the SVG."""
PANEL: Final = 250
INSET: Final = 18
"""How far the ends of an axis are from the edges of its panel."""
GAP: Final = 4
HEAD: Final = 52
LINE: Final = 42
FOOT: Final = 72
APART: Final = 6
"""How far the first mark of a line is above its middle, and the second below."""
RADIUS: Final = 4.5
LETTERS: Final = 32
"""How many letters of a name fit in a line."""
STEPS: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
MOST_TICKS: Final = 6


@attrs.frozen
class Mark:
    """
    One difference.

    Attributes:
        mean: The difference.
        low: The lower end of its interval.
        high: The upper end.
        sure: Whether it is hardly chance: the mark is filled.
    """

    mean: float
    low: float
    high: float
    sure: bool


@attrs.frozen
class Panel:
    """
    The differences that share an axis.

    Attributes:
        title: What they have in common.
        lines: For each line of the plot its marks, at most two.
    """

    title: str
    lines: Sequence[Sequence[Mark]]


def forest(
    key: str,
    title: str,
    names: Sequence[str],
    panels: Sequence[Panel],
    axis: str,
    sides: tuple[str, str],
    series: tuple[str, str],
) -> str:
    """
    A forest plot.

    Args:
        key: A word that no other plot of the page has.
        title: What it shows, for those who cannot see it.
        names: The names of the lines.
        panels: Side by side.
        axis: What the differences are of.
        sides: What a difference below zero means, and one above.
        series: What the first mark of a line is, a circle, and the second, a square.
    """
    width = LABELS + len(panels) * (GAP + PANEL)
    bottom = HEAD + LINE * len(names)
    parts = [
        (
            '<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {width} {bottom + FOOT}" width="{width}" role="img" '
            f'aria-labelledby="{key}-title {key}-desc" fill="currentColor" '
            'stroke="none" font-family="sans-serif" font-size="13">'
        ),
        f'<title id="{key}-title">{html.escape(title)}</title>',
        f'<desc id="{key}-desc">{html.escape(_in_words(names, panels, series))}</desc>',
    ]
    for at, name in enumerate(names):
        middle = HEAD + LINE * at + LINE / 2
        if at % 2 == 0:
            parts.append(
                f'<rect x="0" y="{HEAD + LINE * at}" width="{width}" '
                f'height="{LINE}" opacity="0.06"/>'
            )
        written = textwrap.wrap(name, LETTERS)
        first = middle + 4.5 - 8 * (len(written) - 1)
        parts += [
            _text(6, first + 16 * number, one) for number, one in enumerate(written)
        ]
    for at, panel in enumerate(panels):
        left = LABELS + GAP + at * (PANEL + GAP)
        parts += _panel(panel, left, bottom, axis, sides)
    parts += _legend(bottom + 64, series)
    return "\n".join([*parts, "</svg>\n"])


def _in_words(
    names: Sequence[str], panels: Sequence[Panel], series: Sequence[str]
) -> str:
    """
    All marks as a text.
    """
    said = []
    for at, name in enumerate(names):
        marks = "; ".join(
            f"{panel.title}, "
            + ", ".join(
                f"{which} {one.mean:+.2f} ({one.low:+.2f} to {one.high:+.2f})"
                + (", hardly chance" if one.sure else "")
                for which, one in zip(series, panel.lines[at], strict=False)
            )
            for panel in panels
        )
        said.append(f"{name}: {marks}.")
    return " ".join(said)


def _panel(
    panel: Panel, left: float, bottom: float, axis: str, sides: tuple[str, str]
) -> Iterator[str]:
    marks = [one for line in panel.lines for one in line]
    low = min(0.0, *(one.low for one in marks))
    high = max(0.0, *(one.high for one in marks))
    step = next(
        (one for one in STEPS if (high - low) / one <= MOST_TICKS), high - low or 1.0
    )
    least = math.floor(low / step) * step
    most = math.ceil(high / step) * step
    scale = (PANEL - 2 * INSET) / (most - least or step)

    def across(value: float) -> float:
        return round(left + INSET + (value - least) * scale, 1)

    zero = across(0)
    middle = left + PANEL / 2
    yield _text(middle, 16, panel.title, 'text-anchor="middle"', bold=True)
    if zero - left > 60:
        yield _text(zero - 6, 40, f"\u2190 {sides[0]}", _SMALL, 'text-anchor="end"')
    if left + PANEL - zero > 60:
        yield _text(zero + 6, 40, f"{sides[1]} \u2192", _SMALL)
    yield _text(middle, bottom + 34, axis, _SMALL, 'text-anchor="middle"')
    for number in range(round((most - least) / step) + 1):
        value = least + number * step
        x = across(value)
        strong = abs(value) < step / 2
        yield (
            f'<path d="M{x} {HEAD}V{bottom}" stroke="currentColor" '
            f'stroke-width="{1.2 if strong else 0.8}" '
            f'opacity="{0.9 if strong else 0.2}"/>'
        )
        shown = f"{value:+.2f}" if step < 0.1 else f"{value:+.1f}"
        yield _text(
            x, bottom + 16, "0" if strong else shown, _SMALL, 'text-anchor="middle"'
        )
    for at, line in enumerate(panel.lines):
        y = HEAD + LINE * at + LINE / 2
        for one, shift, round_ in zip(
            line, (-APART, APART), (True, False), strict=False
        ):
            low, mean, high = map(across, (one.low, one.mean, one.high))
            yield from _mark(low, mean, high, y + shift, sure=one.sure, round_=round_)


_SMALL: Final = 'font-size="11.5" opacity="0.8"'


def _text(x: float, y: float, text: str, *more: str, bold: bool = False) -> str:
    given = " ".join(["", *more, *(['font-weight="bold"'] if bold else [])])
    return f'<text x="{x:g}" y="{y:g}"{given}>{html.escape(text)}</text>'


def _mark(
    low: float, mean: float, high: float, y: float, *, sure: bool, round_: bool
) -> Iterator[str]:
    """
    An interval and its mean. The line stops at the mark, which may be hollow.
    """
    pen = f'stroke="currentColor" stroke-width="{2 if sure else 1.2}"'
    ends = f"M{low} {y}H{min(mean - RADIUS, low + mean)}" if mean - RADIUS > low else ""
    ends += f"M{mean + RADIUS} {y}H{high}" if high > mean + RADIUS else ""
    if ends:
        yield f'<path d="{ends}" {pen}/>'
    fill = "currentColor" if sure else "none"
    if round_:
        yield (f'<circle cx="{mean}" cy="{y}" r="{RADIUS - 0.5}" fill="{fill}" {pen}/>')
    else:
        side = 2 * RADIUS - 1.6
        yield (
            f'<rect x="{mean - side / 2:g}" y="{y - side / 2:g}" width="{side:g}" '
            f'height="{side:g}" fill="{fill}" {pen}/>'
        )


def _legend(y: float, series: tuple[str, str]) -> Iterator[str]:
    x = 10.0
    for name, round_ in zip(series, (True, False), strict=True):
        yield from _mark(x - 4, x, x + 4, y - 4, sure=True, round_=round_)
        yield _text(x + 10, y, name, _SMALL)
        x += 24 + 6.3 * len(name)
    x += 16
    for name, sure in (("hardly chance", True), ("may be chance", False)):
        for round_ in (True, False):
            yield from _mark(x - 4, x, x + 4, y - 4, sure=sure, round_=round_)
            x += 14
        yield _text(x - 4, y, name, _SMALL)
        x += 14 + 6.3 * len(name)
