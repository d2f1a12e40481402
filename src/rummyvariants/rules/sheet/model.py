"""
The parts of a rule sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from rummyvariants._support.words import capital
from rummyvariants.rules._origins import Rules, telling
from rummyvariants.rules._rows import Teller
from rummyvariants.rulings import catalogue


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


def say(
    rules: Rules,
    text: str,
    *stated: str,
    rows: Iterable[Row] = (),
    columns: Iterable[str] = ("card", "points"),
) -> Paragraph:
    """
    A paragraph with its provenance.

    Args:
        rules: The rules.
        text: The sentences.
        stated: The policy values that they state, and ids of rules that hold whatever
            the ruleset.
        rows: A table below the sentences.
        columns: The headings of that table.
    """
    rows = tuple(rows)
    ids = _ids(rules, stated)
    values = [*stated, *(path for one in rows for path in one.values)]
    values = [path for path in dict.fromkeys(values) if "." in path]
    every = [*ids, *(one for row in rows for one in row.rules)]
    return Paragraph(
        text,
        ids,
        _unique(catalogue()[one].source for one in every if one in catalogue()),
        _unique(rules.origin(path).set_by for path in values),
        tuple(values),
        rows,
        tuple(columns),
    )


def row(rules: Rules, label: str, value: object, *stated: str) -> Row:
    """
    A line of a table with the policy values that it states.
    """
    return Row(label, str(value), _ids(rules, stated), stated)


def _ids(rules: Rules, stated: Iterable[str]) -> tuple[str, ...]:
    """
    What is cited for policy values.

    The rule for a default value is left out if another one says more.
    """
    return telling(map(rules.rule_of, stated))


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in items if one))


def paragraphs(told: Teller) -> Iterator[Paragraph]:
    """
    The sentences of rows that stand, each a paragraph of its own.
    """
    for one, own, text, cited in told.said:
        yield say(
            told.rules,
            capital(text),
            *own.cited(one["cite"]),
            *cited,
            rows=_lines(own, one["rows"]),
            columns=one.get("columns", ("card", "points")),
        )


def _lines(told: Teller, lines: Iterable[Mapping[str, str]]) -> Iterator[Row]:
    """
    The lines of a table that stand, and those that facts give.
    """
    for line in lines:
        if "each" in line:
            yield from told.named(line["each"])[0]
        elif told.holds(line.get("when", "else")):
            label, value = [told.filled(line[one])[0] for one in ("label", "value")]
            yield row(told.rules, label, value, *told.cited(line["cite"]))
