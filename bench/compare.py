"""
Measure this library and others in one run.

``python bench/compare.py`` prints the tables; ``--write`` also keeps them in
``docs/performance.json``, for the form that is installed, pure or compiled, and the
page on figures of speed shows them. Libraries that are not installed are left out: the
dependency group ``bench`` has them all. ``--against WHEEL`` measures another version of
ours instead, ``--presets`` every preset against one of them, and ``--learners`` the
steps of programs that learn.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.metadata
import importlib.util
import json
import os
import platform
import sys
import time

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs

import figures
import learners
import rummyvariants
import versions

from figures import Effort, Table


DATA = Path(__file__).parent.parent / "docs" / "performance.json"
FORM = "compiled" if rummyvariants.IS_COMPILED else "pure"
"""Each form of the library has tables of its own."""
LIBRARIES = ("attrs", "chess", "open_spiel", "pettingzoo", "rlcard")
"""The distributions to name with their versions."""


FIGURES: dict[str, Callable[[Effort], Table]] = {
    "play": figures.play,
    "steps": figures.steps,
    "memory": figures.memory,
    "import": figures.imports,
}
"""The measurements, by the names that ``--only`` takes."""

# ----------------------------------------------------------------------- the machine


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2] for line in lines if line.startswith("model name")]
    return " ".join(named[0].split()) if named else platform.machine()


def _versions() -> str:
    versions = []
    for name in LIBRARIES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(versions)


def circumstances(effort: Effort) -> str:
    """
    When and on what machine the figures were measured.
    """
    today = dt.datetime.now().astimezone().date()
    return (
        f"Measured on {today:%d %B %Y} in {effort.rounds} rounds: "
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; "
        f"{platform.python_implementation()} {platform.python_version()}, "
        f"rummyvariants {importlib.metadata.version('rummyvariants')} ({FORM}), "
        f"{_versions()}."
    )


# ------------------------------------------------------------------------- writing


def in_short(tables: Sequence[Table]) -> Table | None:
    """
    The ratios of all tables in one table; None if nothing was compared.
    """
    rows = [
        (what, whom, _times(ratio))
        for table in tables
        for what, whom, ratio in table.ratios
    ]
    return (
        Table("In short", ("ours", "against", "ours ÷ theirs"), rows) if rows else None
    )


def _times(ratio: float) -> str:
    return f"1/{1 / ratio:,.0f}" if ratio < 0.1 else f"{ratio:.2f}"


def as_text(table: Table) -> str:
    """
    A table for a terminal.
    """
    lines = [table.head, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    words = _text_columns(table)
    rows = [
        "  ".join(
            f"{cell:<{width}}" if at < words else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join(
        [table.title, "", *rows, *(["", *table.notes] if table.notes else [])]
    )


def as_markdown(table: Table) -> str:
    """
    A table for a page.
    """
    words = _text_columns(table)
    rule = ["---" if at < words else "---:" for at in range(len(table.head))]
    lines = [f"| {' | '.join(line)} |" for line in (table.head, rule, *table.rows)]
    notes = [line for note in table.notes for line in ("", note)]
    return "\n".join([f"#### {table.title}", "", *lines, *notes])


_OF_NUMBERS = frozenset("0123456789.,/")


def _text_columns(table: Table) -> int:
    """
    The number of columns, from the left, that hold words.
    """
    return next(
        (
            at
            for at in range(len(table.head))
            if all(set(row[at]) <= _OF_NUMBERS for row in table.rows)
        ),
        len(table.head),
    )


def section(block: dict[str, Any]) -> str:
    """
    What a page shows of measurements that were kept.

    Args:
        block: The circumstances and the tables, as `keep` writes them.
    """
    tables = [Table(**table) for table in block["tables"]]
    return "\n\n".join([block["measured"], *map(as_markdown, tables)])


def _kept(table: Table) -> dict[str, Any]:
    """
    A table as data, without the ratios, which the table *In short* has.
    """
    return attrs.asdict(table, filter=lambda field, _: field.name != "ratios")


def keep(name: str, intro: str, tables: Sequence[Table]) -> None:
    """
    Put tables into the file of measurements that a page shows.
    """
    kept = json.loads(DATA.read_text("utf-8"))
    kept[name] = {"measured": intro, "tables": [_kept(one) for one in tables]}
    DATA.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    """
    Measure, print, and write with ``--write``.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--rounds", type=int, help="how many rounds (9)")
    parser.add_argument("--quick", action="store_true", help="a first impression")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=FIGURES,
        default=list(FIGURES),
        metavar="NAME",
        help=f"measure only some of: {', '.join(FIGURES)}",
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="WHEEL",
        help="compare only with another version, built as a wheel",
    )
    parser.add_argument(
        "--write", action="store_true", help=f"also keep the tables in {DATA.name}"
    )
    parser.add_argument(
        "--presets",
        action="store_true",
        help="measure only random play of every preset",
    )
    parser.add_argument(
        "--learners",
        action="store_true",
        help="measure only steps with observations and masks",
    )
    given = parser.parse_args()
    if given.presets or given.learners:
        given.only = []
    elif given.write and set(given.only) != set(FIGURES):
        parser.error("--write replaces all tables, so it needs all of them")
    effort = Effort(3, 0.1, 50) if given.quick else Effort()
    if given.rounds:
        effort = Effort(given.rounds, effort.seconds, effort.states)
    intro = circumstances(effort)
    print(intro)
    if given.against:
        print(f"\n{as_text(versions.against(given.against, effort))}")
        return
    for asked, measure, name in (
        (given.presets, figures.presets, "presets"),
        (given.learners, learners.measure, f"learners_{FORM}"),
    ):
        if asked:
            table = measure(effort)
            print(f"\n{as_text(table)}")
            if given.write:
                keep(name, intro, [table])
    if not given.only:
        return
    tables = []
    for name in given.only:
        start = time.perf_counter()
        tables.append(FIGURES[name](effort))
        print(f"\n{as_text(tables[-1])}", flush=True)
        print(f"({time.perf_counter() - start:.0f} s)", file=sys.stderr)
    short = in_short(tables)
    if short is not None:
        tables.insert(0, short)
        print(f"\n{as_text(short)}")
    if given.write:
        keep(FORM, intro, tables)


if __name__ == "__main__":
    main()
