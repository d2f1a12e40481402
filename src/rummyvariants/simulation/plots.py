"""
The pictures of a comparison; they need the extra ``plot``.

Nothing is shown only by colour: A is filled grey, B is outlined in black, on a screen
as on any printer.
"""

from __future__ import annotations

import io

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import attrs

from rummyvariants.simulation.comparison import Comparison
from rummyvariants.simulation.contrasts import Contrast
from rummyvariants.simulation.plans import SimulationError


if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_GREY: Final = "#b3b3b3"
_BLACK: Final = "#111111"
_QUIET: Final = "#666666"
_WIDTH: Final = 7.2
"""The width of a picture in inches."""
_MOST_BARS: Final = 40
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)


@attrs.frozen
class Plot:
    """
    A picture.

    Attributes:
        title: What it shows.
        text: The same in words, for readers who cannot see it.
        svg: The picture.
    """

    title: str
    text: str
    svg: str


def plots(comparison: Comparison) -> Iterator[Plot]:
    """
    The pictures of a comparison that have something to show.

    Raises:
        SimulationError: If matplotlib is not installed.
    """
    with _settings():
        for picture in (_points, _rounds, _ends, _forest):
            found = picture(comparison)
            if found is not None:
                yield found


def need_matplotlib() -> None:
    """
    Check that matplotlib is installed.

    Raises:
        SimulationError: If it is not installed.
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        msg = "the plots need matplotlib: pip install 'rummyvariants[plot]'"
        raise SimulationError(msg) from None
    del mpl


@contextmanager
def _settings() -> Iterator[None]:
    """
    Settings that must not depend on the user's own.
    """
    need_matplotlib()
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "axes.spines.right": False,
                "axes.spines.top": False,
                "axes.axisbelow": True,
                "axes.grid": True,
                "font.size": 9,
                "grid.color": "#e4e4e4",
                "hatch.linewidth": 0.6,
                "legend.frameon": False,
                "svg.hashsalt": "rummyvariants",
            }
        )
        yield


def _figure(height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


# ----------------------------------------------------------------------- distributions


def _points(comparison: Comparison) -> Plot | None:
    values = [
        [points for row in rows for one in row.rounds for points in one.points]
        for rows in comparison.finished
    ]
    return _distribution(
        "Points per round and seat", "points of a seat in a round", values, "hands"
    )


def _rounds(comparison: Comparison) -> Plot | None:
    if comparison.unit == "round":
        return None
    values = [[len(row.rounds) for row in rows] for rows in comparison.finished]
    return _distribution("Rounds per match", "rounds of a match", values, "matches")


def _distribution(
    title: str, axis: str, values: Sequence[Sequence[int]], noun: str
) -> Plot | None:
    """
    How often each value occurred, as bars for A and as a line for B.
    """
    from matplotlib.ticker import MaxNLocator

    if not all(values):
        return None
    low, high = min(map(min, values)), max(map(max, values))
    step = next(
        (one for one in _STEPS if (high - low) // one < _MOST_BARS),
        (high - low) // _MOST_BARS + 1,
    )
    first = low // step
    count = high // step - first + 1
    # Single whole numbers are in the middle of their bars.
    edges = [(first + at) * step - 0.5 for at in range(count + 1)]
    figure, axes = _figure(2.6)
    for name, found in zip("AB", values, strict=True):
        bars = Counter(value // step - first for value in found)
        share = [100 * bars[at] / len(found) for at in range(count)]
        filled = name == "A"
        axes.stairs(
            share,
            edges,
            label=name,
            fill=filled,
            color=_GREY if filled else _BLACK,
            linewidth=0 if filled else 1.3,
        )
    axes.set_xlabel(axis)
    axes.set_ylabel(f"% of {noun}")
    axes.margins(x=0.01)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(loc="lower right", bbox_to_anchor=(1, 0.98), ncols=2)
    quartiles = "; ".join(
        f"{name}: {_quartiles(sorted(found))}"
        for name, found in zip("AB", values, strict=True)
    )
    return Plot(title, f"{title}. {quartiles}.", _svg(figure))


def _quartiles(found: Sequence[int]) -> str:
    low, middle, high = (found[(len(found) - 1) * part // 4] for part in (1, 2, 3))
    return (
        f"half of the values are from {low} to {high}, the median is {middle}, "
        f"all are from {found[0]} to {found[-1]}"
    )


# -------------------------------------------------------------------------- how it ends


_ENDS: Final = {
    "out": "somebody out",
    "stock": "stock used up",
    "idle": "no progress",
}
_ELSE: Final = {
    "dealt hand": "a hand as dealt",
    "drop": "all others left",
    "knock": "a knock",
    "gin": "gin",
    "big gin": "big gin",
}


def _ends(comparison: Comparison) -> Plot | None:
    counts = [
        Counter(one.how for row in rows for one in row.rounds)
        for rows in comparison.finished
    ]
    totals = [sum(found.values()) for found in counts]
    if not all(totals):
        return None
    ends = _ENDS | {
        how: word for how, word in _ELSE.items() if any(one[how] for one in counts)
    }
    figure, axes = _figure(1.9 * len(ends) / len(_ENDS))
    parts = []
    for name, found, total, shift in zip(
        "AB", counts, totals, (-0.2, 0.2), strict=True
    ):
        shares = [100 * found[how] / total for how in ends]
        bars = axes.barh(
            [at + shift for at in range(len(ends))],
            shares,
            height=0.36,
            label=name,
            color=_GREY if name == "A" else "white",
            edgecolor=_GREY if name == "A" else _BLACK,
        )
        texts = [f"{name}: {share:.1f} %" for share in shares]
        axes.bar_label(bars, labels=texts, padding=4)
        words = [
            f"{word} {share:.1f} %"
            for word, share in zip(ends.values(), shares, strict=True)
        ]
        parts.append(f"{name}: {', '.join(words)}")
    axes.set_yticks(range(len(ends)), list(ends.values()))
    axes.invert_yaxis()
    axes.set_xlim(0, 112)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel("% of rounds")
    axes.grid(visible=False, axis="y")
    title = "How rounds end"
    return Plot(title, f"{title}. {'; '.join(parts)}.", _svg(figure))


# -------------------------------------------------------------------------- differences


def _forest(comparison: Comparison) -> Plot | None:
    shown = [
        one
        for one in comparison.contrasts
        if one.evidence.interval is not None and one.difference.error
    ]
    if not shown:
        return None
    figure, axes = _figure(0.9 + 0.27 * len(shown))
    for at, one in enumerate(shown):
        _whisker(axes, at, one)
    axes.axvline(0, color=_BLACK, linewidth=0.9)
    axes.set_yticks(range(len(shown)), [one.measure.name for one in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_xlim(-1.12, 1.12)
    axes.set_xticks([0], ["no difference"])
    axes.grid(visible=False, axis="x")
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
    axes.set_title("less with B", loc="left", fontsize=9, color=_QUIET)
    axes.set_title("more with B", loc="right", fontsize=9, color=_QUIET)
    title = "Differences, with 95 % intervals"
    words = "; ".join(
        f"{one.measure.name} {one.cells[2]}, interval {one.cells[3]}" for one in shown
    )
    return Plot(title, f"{title}. {words}.", _svg(figure))


def _whisker(axes: Axes, at: int, one: Contrast) -> None:
    """
    A measure's interval, scaled so that its far end is at the margin.
    """
    assert one.evidence.interval is not None  # noqa: S101 -- checked before
    scale = max(map(abs, one.evidence.interval))
    low, high = (end / scale for end in one.evidence.interval)
    sure = bool(one.side)
    ink = _BLACK if sure else _QUIET
    axes.plot([low, high], [at, at], color=ink, linewidth=2.2 if sure else 1.1)
    axes.plot(
        [one.difference.mean / scale],
        [at],
        marker="o",
        markersize=6,
        color=ink,
        markerfacecolor=ink if sure else "white",
    )
    beside: Callable[..., Any] = axes.annotate
    unit = " %" if one.measure.unit == "%" else ""
    beside(
        f"{one.cells[2]}{unit}  ({one.cells[3]})",
        (1.03, at),
        xycoords=("axes fraction", "data"),
        va="center",
        fontsize=8,
        color=ink,
    )
