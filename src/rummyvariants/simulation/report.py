"""
A comparison as a page that needs no other file.
"""

from __future__ import annotations

import base64

from collections.abc import Iterator
from html import escape
from typing import Final

from rummyvariants.rules._origins import Origin, show_value
from rummyvariants.rulings import catalogue
from rummyvariants.simulation.comparison import Comparison, called
from rummyvariants.simulation.contrasts import Contrast
from rummyvariants.simulation.plots import Plot, plots


_CAPTIONS: Final = {
    "Differences, with 95 % intervals": (
        "Each measure has its own scale, so lengths show how certain a difference is, "
        "not how great. A full dot and a thick line: hardly chance."
    ),
}


def report(comparison: Comparison) -> str:
    """
    A comparison as an HTML page with plots.

    Args:
        comparison: What to report.

    Returns:
        The page. The same comparison gives the same text, with the same version of
        matplotlib.

    Raises:
        SimulationError: If matplotlib is not installed; ``str(comparison)`` does not
            need it.
    """
    names = f"{called(comparison.a)} and {called(comparison.b)}"
    pictures = "\n".join(_figure(one) for one in plots(comparison))
    return _PAGE.format(
        title=escape(names),
        style=_STYLE,
        first=escape(called(comparison.a)),
        second=escape(called(comparison.b)),
        setting=escape(comparison.setting),
        rules="\n".join(_rules(comparison)),
        rows="\n".join(_row(one) for one in comparison.contrasts),
        notes="\n".join(f"<li>{escape(one)}</li>" for one in comparison.notes),
        pictures=pictures,
    )


def _rules(comparison: Comparison) -> Iterator[str]:
    """
    The rules in which the games differ.
    """
    if not comparison.differences:
        yield "<p>The rules are equal.</p>"
        return
    yield "<table>"
    yield (
        '<thead><tr><th scope="col">policy value</th><th scope="col">A</th>'
        '<th scope="col">B</th></tr></thead>\n<tbody>'
    )
    for one in comparison.differences:
        yield (
            f'<tr><th scope="row"><code>{escape(one.value)}</code></th>'
            f"<td>{escape(show_value(one.here))} {_origin(one.here_from)}</td>"
            f"<td>{escape(show_value(one.there))} {_origin(one.there_from)}</td></tr>"
        )
    yield "</tbody>\n</table>"


def _origin(one: Origin) -> str:
    """
    The rule behind a value, with its title if it has one.
    """
    entry = catalogue().get(one.rule)
    title = f" {entry.title}" if entry else ""
    return f'<span class="rule"><b>{escape(one.rule)}</b>{escape(title)}</span>'


def _row(one: Contrast) -> str:
    a, b, difference, interval, p = one.cells
    sure = bool(one.side)
    return (
        f'<tr{" class=sure" if sure else ""}><th scope="row">'
        f"{escape(one.measure.name)} <small>{escape(one.measure.sentence)}</small></th>"
        f"<td>{escape(one.measure.unit)}</td><td>{a}</td><td>{b}</td>"
        f"<td>{difference}</td><td>{interval}</td><td>{escape(p)}</td>"
        f"<td>{'*' if sure else ''}</td></tr>"
    )


def _figure(plot: Plot) -> str:
    # Separate pictures, so that ids in one cannot clash with ids in another.
    data = base64.b64encode(plot.svg.encode()).decode()
    caption = escape(_CAPTIONS.get(plot.title, ""))
    return (
        f"<figure>\n<h3>{escape(plot.title)}</h3>\n"
        f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(plot.text)}">\n'
        f"<figcaption>{caption}</figcaption>\n</figure>"
    )


_STYLE: Final = """\
:root { --ink: #1d1d1b; --quiet: #666; --line: #ccc; }
body {
  max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink);
  background: #fff; font: 1rem/1.45 Georgia, "Liberation Serif", serif;
}
h1 { font-size: 1.7rem; font-weight: normal; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-top: 1px solid; padding-top: .6rem; }
h3 { font-size: 1rem; margin: 0 0 .3rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .2rem .8rem; margin: 0; }
dt { font-weight: bold; }
dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top;
  text-align: left; font-weight: normal; overflow-wrap: anywhere; }
thead th { border-bottom: 1px solid var(--ink); font-style: italic; }
.measures td { white-space: nowrap; }
.measures td:nth-child(n+3), .measures thead th:nth-child(n+3) {
  text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums lining-nums;
}
.sure th, .sure td { font-weight: bold; }
small, .rule { display: block; color: var(--quiet); font-weight: normal; }
small { font-size: .78rem; }
.rule { font-size: .8rem; }
th code { white-space: nowrap; }
ul { padding-left: 1.2rem; font-size: .9rem; }
figure { margin: 1.4rem 0; break-inside: avoid; }
figure img { width: 100%; height: auto; }
figcaption { font-size: .85rem; color: var(--quiet); }
@media (max-width: 40rem) { .measures { display: block; overflow-x: auto; } }
"""  # noqa: E501 -- a rule a line
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}, compared</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>Two games of Rummy, compared</h1>
<dl>
<dt>A</dt><dd>{first}</dd>
<dt>B</dt><dd>{second}</dd>
<dt>Played</dt><dd>{setting}</dd>
</dl>
</header>
<main>
<h2>How the rules differ</h2>
{rules}
<h2>How the games differ</h2>
<table class="measures">
<thead><tr><th scope="col">measure</th><th scope="col">unit</th><th scope="col">A</th>\
<th scope="col">B</th><th scope="col">B &#8722; A</th>\
<th scope="col">95 % interval</th><th scope="col">p</th>\
<th scope="col"></th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
<ul>
{notes}
</ul>
<h2>Plots</h2>
<p>Grey bars are A, black outlines are B.</p>
{pictures}
</main>
</body>
</html>
"""
