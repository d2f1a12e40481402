"""Where the commands write: a terminal with colour and tables, or plain text."""

from __future__ import annotations

import sys
import textwrap

from collections.abc import Iterable, Sequence

import click

from rich import box
from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from rummyvariants.errors import visible


_THEME = Theme(
    {
        "says.red": "red",
        "says.joker": "magenta",
        "says.rule": "cyan",
        "says.plus": "green",
        "says.minus": "yellow",
    }
)


class Highlighter(RegexHighlighter):
    """
    Colours red cards, jokers, rule ids and points wherever they stand in a text.
    """

    base_style = "says."
    highlights = (
        r"(?<![\w'])(?P<red>[2-9TJQKA][dh])(?![\w'])",
        r"(?<!\S)(?P<joker>\*)(?=[=\s,;)]|$)",
        r"\b(?P<rule>(?:HR|BNV?|PGV?|RVV?)-\w+)",
        r"(?<!\S)(?P<plus>\+\d+)(?!\S)",
        r"(?<!\S)(?P<minus>-\d+)(?!\S)",
    )


class Screen:
    """
    Writes lines, headings and tables in the one of two ways.

    What a terminal would obey, such as an escape code in the title of a file, is
    written escaped.

    Args:
        plain: Whether to write without colour, boxes and wrapped lines, as for a pipe;
            by default whether the output is no terminal.
        console: The terminal to write to, for tests.
    """

    def __init__(self, *, plain: bool = False, console: Console | None = None) -> None:
        self.plain = console is None and (plain or not sys.stdout.isatty())
        self._console = console or Console(highlight=False, theme=_THEME)
        self._highlight = Highlighter()

    def line(self, text: str = "", hang: int = 0) -> None:
        """
        A line; on a terminal it is wrapped, the lines below indented by ``hang``.
        """
        text = visible(text)
        if self.plain:
            click.echo(text)
            return
        width = max(self._console.width, 2 * hang + 20)
        lines = textwrap.wrap(
            text,
            width,
            subsequent_indent=" " * hang,
            break_on_hyphens=False,
            break_long_words=False,
        )
        for one in lines or [""]:
            self._print(self._coloured(one))

    def lines(self, text: str) -> None:
        """
        A text of several lines that are wrapped already.
        """
        text = visible(text)
        if self.plain:
            click.echo(text.rstrip("\n"))
            return
        for one in text.rstrip("\n").split("\n"):
            self._print(self._coloured(one))

    def heading(self, text: str) -> None:
        """
        A heading with an empty line above.
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
        A table.

        Args:
            columns: The headings.
            rows: The cells.
            right: The numbers of columns that are aligned to the right.
            last_apart: Whether the last row is a sum of those above.
        """
        cells = [list(map(visible, row)) for row in rows]
        aligned = set(right)
        if self.plain:
            for line in _padded([list(columns), *cells], aligned):
                click.echo(line)
            return
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for at, name in enumerate(columns):
            table.add_column(
                name,
                justify="right" if at in aligned else "left",
                no_wrap=at in aligned or at == 0,
            )
        for number, row in enumerate(cells, 1):
            bold = last_apart and number == len(cells)
            style = "bold" if bold else None
            table.add_row(*[self._coloured(cell) for cell in row], style=style)
        self._console.print(table)

    @property
    def width(self) -> int | None:
        """
        How many columns the terminal has; None if this is none.
        """
        return None if self.plain else self._console.width

    def clear(self) -> None:
        """
        An empty screen, if this is a terminal; what was on it cannot be scrolled to.
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
