"""
Lines and tables, ready to be written out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import attrs


@attrs.frozen
class Grid:
    """
    A table of texts.

    Attributes:
        rows: The rows, the headings first; all have the same number of cells.
        right: The numbers of the columns aligned to the right; None for all but the
            first.
        last_apart: Whether the last row is a sum of those above.
    """

    rows: Sequence[Sequence[str]]
    right: Collection[int] | None = None
    last_apart: bool = False

    @property
    def right_columns(self) -> Collection[int]:
        """
        The numbers of the columns aligned to the right.
        """
        return range(1, len(self.rows[0])) if self.right is None else self.right

    def lines(self) -> Iterator[str]:
        """
        The rows with their columns one below the other.
        """
        columns = zip(*self.rows, strict=True)
        widths = [max(map(len, column)) for column in columns]
        right = self.right_columns
        for row in self.rows:
            cells = [
                cell.rjust(width) if at in right else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            yield "  ".join(cells).rstrip()


class Heading(str):
    """
    A line above others, with an empty line before it.
    """

    __slots__ = ()


Block = str | Grid
"""A line, a heading or a table."""


def as_text(blocks: Iterable[Block]) -> str:
    """
    Lines and tables as a text, with a line for each row of a table.
    """
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Heading) and lines:
            lines.append("")
        lines += [block] if isinstance(block, str) else block.lines()
    return "\n".join(lines)
