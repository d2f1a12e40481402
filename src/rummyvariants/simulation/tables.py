"""
Results as lines and tables, ready to be written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


Block = str | Sequence[Sequence[str]]
"""A line; or a table, its headings first."""


def as_text(blocks: Iterable[Block]) -> str:
    """
    Lines and tables as a text, with a line for each row of a table.
    """
    lines: list[str] = []
    for block in blocks:
        lines += [block] if isinstance(block, str) else _aligned(block)
    return "\n".join(lines)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """
    Rows of cells as lines, the first column aligned left, the others right.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [first.ljust(widths[0])]
        cells += [
            cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)
        ]
        yield "  ".join(cells).rstrip()
