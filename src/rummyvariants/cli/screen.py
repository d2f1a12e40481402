"""The output of the commands: a terminal with colour and tables, or plain text."""

from __future__ import annotations

import re
import sys
import textwrap

from collections.abc import Collection, Iterable, Sequence
from typing import IO, Any

import click

from rich import box
from rich.console import Console, JustifyMethod
from rich.highlighter import RegexHighlighter
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

import rummyvariants as rv

from rummyvariants._support.tables import Block, Grid, Heading
from rummyvariants.errors import visible


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


class Highlighter(RegexHighlighter):
    """
    Colours red cards, jokers, rule ids and points anywhere in a text.
    """

    base_style = "says."

    def __init__(self) -> None:
        prefixes = "|".join(
            sorted({one.partition("-")[0] for one in rv.rules.catalogue()})
        )
        self.highlights = [  # type: ignore[misc]
            r"(?<![\w'])(?P<red>[2-9TJQKA][dh])(?![\w'])",
            r"(?<!\S)(?P<joker>\*)(?=[=\s,;)]|$)",
            rf"\b(?P<rule>(?:{prefixes})-\w+)",
            r"(?<![^\s(])(?P<plus>\+\d+)(?![^\s)])",
            r"(?<![^\s(])(?P<minus>-\d+)(?![^\s)])",
        ]


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
            self._console.print(self._highlight(Text(one)), soft_wrap=True)

    def lines(self, text: str) -> None:
        """
        Write a text of several lines; long ones are wrapped below their last column.
        """
        for one in text.rstrip("\n").split("\n"):
            columns = re.match(r" *(?:\S+ )*\S+ {2,}| *", one)
            self.line(one, columns.end() if columns else 0)

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
        self.line()
        if self.plain:
            self.line(text)
        else:
            self._console.print(Text(visible(text), style="bold"), soft_wrap=True)

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        right: Collection[int] = (),
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
        every = [list(columns), *cells]
        if self.plain:
            self.lines("\n".join(Grid(every, right).lines()))
            return
        widths = _widths(every, right, self._console.width)
        if not widths:
            for first, *rest in cells:
                named = zip(columns[1:], rest, strict=True)
                said = ", ".join(f"{name} {one}".strip() for name, one in named if one)
                self.line(f"{first}: {said}" if first else f"  {said}", 4)
            return
        table = Table(
            box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True
        )
        for at, (name, width) in enumerate(zip(columns, widths, strict=True)):
            justify: JustifyMethod = "right" if at in right else "left"
            table.add_column(name, justify=justify, width=width)
        for row in cells:
            bold = last_apart and row is cells[-1]
            style = "bold" if bold else None
            table.add_row(*[self._highlight(Text(one)) for one in row], style=style)
        self._console.print(table)

    def blocks(self, blocks: Iterable[Block]) -> None:
        """
        Write lines, headings and tables.
        """
        for block in blocks:
            if isinstance(block, Heading):
                self.heading(block)
            elif isinstance(block, str):
                self.line(block, 5 if block.startswith(" ") else 0)
            else:
                head, *rows = block.rows
                right = block.right_columns
                self.table(head, rows, right=right, last_apart=block.last_apart)

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


_GAP = 2
"""The number of spaces between the columns of a table."""


def _widths(
    rows: Sequence[Sequence[str]], right: Collection[int], most: int
) -> list[int]:
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
