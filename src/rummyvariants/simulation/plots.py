"""
The differences of a comparison as a plot, with matplotlib: the extra ``plot``.
"""

from __future__ import annotations

import os

from pathlib import Path
from typing import Final

from rummyvariants.simulation.comparison import Comparison, called
from rummyvariants.simulation.plans import SimulationError


_SURE: Final = "#111111"
_UNSURE: Final = "#8a8a8a"


def need_matplotlib(path: str | os.PathLike[str]) -> None:
    """
    Check that matplotlib is installed and can write such a file.

    Args:
        path: The file.

    Raises:
        SimulationError: If it is not installed, or the ending is unknown to it.
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        msg = "a plot needs matplotlib: pip install 'rummyvariants[plot]'"
        raise SimulationError(msg) from None
    del mpl
    from matplotlib.figure import Figure

    kinds = Figure().canvas.get_supported_filetypes()
    ending = Path(path).suffix
    if ending.lower().removeprefix(".") not in kinds:
        msg = f"a plot is written as .svg or .png, not as {ending!r}"
        raise SimulationError(msg, where=os.fspath(path))


def plot(comparison: Comparison, path: str | os.PathLike[str]) -> None:
    """
    Draw the differences with their intervals, each measure on a scale of its own.

    A full dot in black is hardly chance.

    Args:
        comparison: What to draw.
        path: The file; its ending, such as ``.svg`` or ``.png``, says what is written.

    Raises:
        SimulationError: If matplotlib is not installed, nothing differs, or the file
            cannot be written.
    """
    need_matplotlib(path)
    import matplotlib as mpl

    from matplotlib.figure import Figure

    shown = [
        (one, one.evidence.interval)
        for one in comparison.contrasts
        if one.evidence.interval is not None
    ]
    if not shown:
        msg = "there is no difference with an interval to draw"
        raise SimulationError(msg)
    figure = Figure(figsize=(8, 1.2 + 0.3 * len(shown)), layout="constrained")
    axes = figure.subplots()
    for at, (one, (low, high)) in enumerate(shown):
        scale = max(abs(low), abs(high))
        mean, ink = one.difference.mean, _SURE if one.side else _UNSURE
        axes.errorbar(
            mean / scale,
            at,
            xerr=[[(mean - low) / scale], [(high - mean) / scale]],
            marker="o",
            color=ink,
            markerfacecolor=ink if one.side else "white",
        )
        axes.text(1.08, at, f"{one.cells[2]} ({one.cells[3]})", va="center", color=ink)
    axes.axvline(0, color=_SURE, linewidth=0.9)
    axes.set_yticks(range(len(shown)), [one.measure.title for one, _ in shown])
    axes.invert_yaxis()
    axes.set_xlim(-1.05, 1.05)
    axes.set_xticks([0], ["no difference"])
    axes.set_title(f"{called(comparison.b)}, less or more than {called(comparison.a)}")
    axes.set_xlabel(comparison.setting, fontsize="small")
    try:
        with mpl.rc_context({"svg.hashsalt": "rummyvariants"}):
            figure.savefig(path, metadata={"Date": None} if _is_svg(path) else None)
    except (OSError, ValueError) as error:
        msg = f"cannot be written: {getattr(error, 'strerror', None) or error}"
        raise SimulationError(msg, where=str(path)) from None


def _is_svg(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).endswith(".svg")
