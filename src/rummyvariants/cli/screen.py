"""The output of the commands: a terminal with colour and tables, or plain text."""

from __future__ import annotations

import re
import sys
import textwrap

from collections.abc import Iterable, Sequence
from typing import IO, Any

import click

from rich import box, highlighter
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

import rummyvariants as rv

from rummyvariants.errors import visible
from rummyvariants.simulation.tables import Block


# Of the eight colours of every terminal, these two are readable on white and on black.
THEME = Theme(
    {
        "says.red": "red",
        "says.joker": "magenta",
        "says.rule": "magenta",
        "says.plus": "bold",
        "says.minus": "red",
    }
)


class Highlighter(highlighter.Highlighter):
    """
    Colours red cards, jokers, rule ids and points anywhere in a text.
    """

    def __init__(self) -> None:
        prefixes = "|".join(sorted({one.partition("-")[0] for one in rv.catalogue()}))
        self._patterns = (
            r"(?<![\w'])(?P<red>[2-9TJQKA][dh])(?![\w'])",
            r"(?<!\S)(?P<joker>\*)(?=[=\s,;)]|$)",
            rf"\b(?P<rule>(?:{prefixes})-\w+)",
            r"(?<![^\s(])(?P<plus>\+\d+)(?![^\s)])",
            r"(?<![^\s(])(?P<minus>-\d+)(?![^\s)])",
        )

    def highlight(self, text: Text) -> None:
        """
        Colour a text.
        """
        for pattern in self._patterns:
            text.highlight_regex(pattern, style_prefix="says.")


def wrapped(text: str, width: int, hang: int = 0) -> list[str]:
    """
    A line wrapped to a width, all but the first indented; no word is broken.
    """
    return textwrap.wrap(
        text,
        width,
        subsequent_indent=" " * max(0, min(hang, (width - 20) // 2)),
        break_on_hyphens=False,
        break_long_words=False,
    )


def complain(text: str, hang: int = 0, file: IO[Any] | None = None) -> None:
    """
    Write a line to standard error, or to a file; on a terminal it is wrapped.
    """
    if file is None and sys.stderr is not None and sys.stderr.isatty():
        text = "\n".join(wrapped(text, Console(stderr=True).width, hang))
    click.echo(text, file=file, err=True)


class Screen:
    """
    Writes lines, headings and tables in one of these two ways.

    Control characters, such as an escape code in the title of a file, are written
    escaped.

    Args:
        plain: Whether to write without colour, boxes and wrapped lines, as to a pipe;
            by default true unless the output is a terminal.
        console: The terminal to write to, for tests.
    """

    def __init__(self, *, plain: bool = False, console: Console | None = None) -> None:
        self.plain = console is None and (plain or not sys.stdout.isatty())
        self._console = console or Console(highlight=False, theme=THEME)
        self._highlight = Highlighter()

    def line(self, text: str = "", hang: int = 0) -> None:
        """
        Write a line; on a terminal it is wrapped, and indented by ``hang``.
        """
        text = visible(text)
        if self.plain:
            click.echo(text)
            return
        for one in wrapped(text, self._console.width, hang) or [""]:
            self._print(self._coloured(one))

    def lines(self, text: str) -> None:
        """
        Write a text of several lines; long ones are wrapped below their last column.
        """
        text = visible(text)
        if self.plain:
            click.echo(text.rstrip("\n"))
            return
        for one in text.rstrip("\n").split("\n"):
            columns = re.match(r" *(?:\S+ )*\S+ {2,}| *", one)
            hang = columns.end() if columns else 0
            for part in wrapped(one, self._console.width, hang) or [""]:
                self._print(self._coloured(part))

    def each(self, texts: Iterable[str], hang: int = 4) -> None:
        """
        Write texts one below the other, each indented.
        """
        for text in texts:
            self.line(f"  {text}", hang)

    def heading(self, text: str) -> None:
        """
        Write a heading with an empty line above.
        """
        text = visible(text)
        if self.plain:
            click.echo(f"\n{text}")
            return
        self.line()
        self._print(Text(text, style="bold"))

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        right: Iterable[int] = (),
        last_apart: bool = False,
    ) -> None:
        """
        Write a table; on a terminal too narrow for it, a sentence for each row.

        Args:
            columns: The headings.
            rows: The cells.
            right: The numbers of the columns aligned to the right.
            last_apart: Whether the last row is a sum of those above.
        """
        cells = [list(map(visible, row)) for row in rows]
        aligned = set(right)
        if self.plain:
            for line in _padded([list(columns), *cells], aligned):
                click.echo(line)
            return
        widths = _widths([list(columns), *cells], aligned, self._console.width)
        if not widths:
            for row in cells:
                self._stacked(columns, row)
            return
        table = Table(
            box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True
        )
        for at, (name, width) in enumerate(zip(columns, widths, strict=True)):
            justify: JustifyMethod = "right" if at in aligned else "left"
            table.add_column(name, justify=justify, width=width)
        for number, row in enumerate(cells, 1):
            bold = last_apart and number == len(cells)
            style = "bold" if bold else None
            table.add_row(*[self._coloured(cell) for cell in row], style=style)
        self._console.print(table)

    def _stacked(self, columns: Sequence[str], row: Sequence[str]) -> None:
        """
        Write a row of a table as a sentence, each cell after its heading.
        """
        first, *rest = row
        named = zip(columns[1:], rest, strict=True)
        cells = ", ".join(f"{name} {cell}".strip() for name, cell in named if cell)
        self.line(f"{first}: {cells}" if first else f"  {cells}", 4)

    def blocks(self, blocks: Iterable[Block]) -> None:
        """
        Write lines and tables; in tables, all columns but the first align right.
        """
        for block in blocks:
            if isinstance(block, str):
                self.line(block, 4 if block.startswith(" ") else 0)
            else:
                head, *rows = block
                self.table(head, rows, right=range(1, len(head)))

    @property
    def width(self) -> int | None:
        """
        The number of columns of the terminal; None if this is not a terminal.
        """
        return None if self.plain else self._console.width

    def clear(self) -> None:
        """
        Clear the screen and what can be scrolled to, if this is a terminal.
        """
        if not self.plain:
            self._console.clear()
            if not (self._console.is_dumb_terminal or self._console.legacy_windows):
                self._console.file.write("\x1b[3J")

    def _coloured(self, text: str) -> Text:
        return self._highlight(Text(text))

    def _print(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True)


def _padded(rows: Sequence[Sequence[str]], right: set[int]) -> Iterable[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


_GAP = 2
"""The number of spaces between the columns of a table."""


def _widths(rows: Sequence[Sequence[str]], right: set[int], most: int) -> list[int]:
    """
    The width of each column of a table; empty if the table cannot fit.

    Args:
        rows: The headings, then the cells.
        right: The columns aligned to the right; their cells are not wrapped.
        most: The greatest width of the table.
    """
    least, full = [], []
    for at, (head, *cells) in enumerate(zip(*rows, strict=True)):
        whole = [head] if at in right else [head, *cells]
        words = [word for cell in whole for word in cell.split()]
        words += cells if at in right else []
        least.append(max(map(len, words), default=0))
        full.append(max(map(len, (head, *cells))))
    spare = most - _GAP * (len(full) - 1) - sum(least)
    if spare < 0:
        return []
    for at, (low, high) in enumerate(zip(least, full, strict=True)):
        more = min(spare, high - low)
        least[at] += more
        spare -= more
    return least
