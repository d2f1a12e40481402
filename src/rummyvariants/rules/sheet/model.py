"""
The parts of a rule sheet.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Row:
    """
    A line of a table.

    Attributes:
        label: Its label.
        value: Its value.
        rules: Ids of the rules behind it.
        values: The policy values that it states.
    """

    label: str
    value: str
    rules: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


@attrs.frozen
class Paragraph:
    """
    One or a few sentences that cite the same rules.

    Attributes:
        text: The sentences.
        rules: Ids of the rules behind them, the most specific first.
        sources: The documents that these rules come from.
        set_by: The presets, options and files that set what the sentences state.
        values: The policy values that they state.
        rows: A table below the sentences.
        columns: The headings of that table.
    """

    text: str
    rules: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    set_by: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    columns: tuple[str, ...] = ("card", "points")


@attrs.frozen
class Section:
    """
    A part of the sheet.

    Attributes:
        title: Its heading.
        paragraphs: Its paragraphs.
    """

    title: str
    paragraphs: tuple[Paragraph, ...]
