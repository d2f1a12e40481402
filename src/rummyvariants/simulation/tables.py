"""
Results as lines and tables, ready to be written out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence


Block = str | Sequence[Sequence[str]]
"""A line; or a table, its headings first."""


def as_text(blocks: Iterable[Block]) -> str:
    """
    Lines and tables as a text, with a line for each row of a table.
    """
    lines: list[str] = []
    for block in blocks:
        lines += [block] if isinstance(block, str) else aligned(block)
    return "\n".join(lines)


def aligned(
    rows: Sequence[Sequence[str]], right: Collection[int] | None = None
) -> Iterator[str]:
    """
    Rows of cells as lines.

    Args:
        rows: The rows, which have the same number of cells.
        right: The numbers of the columns aligned to the right; by default all but the
            first.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if right is None:
        right = range(1, len(widths))
    for row in rows:
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
