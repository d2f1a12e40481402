"""
A rule sheet as plain text, as Markdown, or as a page to print.
"""

from __future__ import annotations

import functools
import re
import textwrap

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

import attrs

from rummyvariants._support.packaged import packaged_text
from rummyvariants._support.words import listed, number
from rummyvariants.house.rules import rule_text
from rummyvariants.rules._origins import Difference, Rules, show_value
from rummyvariants.rules._variants import every_option
from rummyvariants.rules.sheet.facts import Facts
from rummyvariants.rules.sheet.model import Paragraph, Row, Section
from rummyvariants.rules.sheet.table import idle
from rummyvariants.rulings import Rule, catalogue


WIDTH: Final = 79
"""The width of plain text."""
_FEW: Final = 3
"""The most options to name below the title."""
_MARGIN: Final = 12
"""The width of the ids to the right of the sentences."""
_GAP: Final = 3
"""The width between them."""


# --------------------------------------------------------------------------- notes


@attrs.frozen
class Notes:
    """
    The notes below the sentences.

    Attributes:
        changes: What the rules change in the preset on which they build.
        sources: The documents, each with the ids of its rules.
        readings: The ids of rules that leave something open, each with its reading.
    """

    changes: tuple[str, ...]
    sources: tuple[tuple[str, tuple[str, ...]], ...]
    readings: tuple[tuple[str, str], ...]

    def entries(self, cite: Callable[[str], str]) -> Iterator[tuple[str, list[str]]]:
        """
        The notes as headings with a few lines each, empty ones left out.

        Args:
            cite: How an id is written.
        """
        sources = [
            f"{_source(name)}: {', '.join(map(cite, ids))}."
            for name, ids in self.sources
        ]
        readings = [f"{cite(name)}: {reading}" for name, reading in self.readings]
        for headline, lines in (
            ("Changed here", list(self.changes)),
            ("Sources", sources),
            ("How we read open questions", readings),
        ):
            if lines:
                yield headline, lines


def notes(rules: Rules, sections: Sequence[Section]) -> Notes:
    """
    The notes of a sheet.

    Args:
        rules: The rules.
        sections: The sheet.
    """
    cited = cited_rules(sections)
    known = [catalogue()[one] for one in cited if one in catalogue()]
    by_source: dict[str, list[str]] = {}
    for one in known:
        by_source.setdefault(one.source, []).append(one.id)
    set_by = {
        one for section in sections for p in section.paragraphs for one in p.set_by
    }
    for rule_id in cited:
        if rule_id not in catalogue():
            file, mark = _place(rule_id)
            if file or rule_id not in set_by:
                by_source.setdefault(file or rules.name, []).append(mark)
    return Notes(
        tuple(_changes(rules)),
        tuple((source, tuple(ids)) for source, ids in by_source.items()),
        tuple(_readings(rules, sections, known)),
    )


def _place(rule_id: str) -> tuple[str, str]:
    """
    A file and a line that set a value, or an empty text and the id of a rule.
    """
    file, line, number = rule_id.rpartition(", line ")
    return (file, f"line {number}") if line else ("", rule_id)


def _readings(
    rules: Rules, sections: Iterable[Section], known: Iterable[Rule]
) -> Iterator[tuple[str, str]]:
    """
    The readings of open questions in the rules of a sheet, if they are in force.
    """
    facts = Facts(rules)
    stated = {
        path
        for section in sections
        for one in section.paragraphs
        for path in one.values
    }
    for rule in known:
        texts = [
            note.text
            for note in rule.notes
            if facts.hold((*note.about, *note.when))
            and any(
                path in stated and rules.rule_of(path) == rule.id
                for path, _ in note.about
            )
        ]
        if texts:
            yield rule.id, " ".join(texts)


def cited_rules(sections: Iterable[Section]) -> tuple[str, ...]:
    """
    The ids of all rules that a sheet cites, in the order of the catalogue.
    """
    found: dict[str, None] = {}
    for section in sections:
        for one in section.paragraphs:
            found.update(dict.fromkeys(one.rules))
            for row in one.rows:
                found.update(dict.fromkeys(row.rules))
    order = {name: at for at, name in enumerate(catalogue())}

    def place(rule_id: str) -> tuple[int, int]:
        number = _place(rule_id)[1].removeprefix("line ")
        line = int(number) if number.isdecimal() else 0
        return order.get(rule_id, len(order)), line

    return tuple(sorted(found, key=place))


def _changes(rules: Rules) -> Iterator[str]:
    for option in rules.options:
        yield f"{option_titled(option)}."
    unused = {path: needed for path, _, needed in idle(rules)}
    for one in rules.preset.diff(rules):
        if one.value.endswith(".rules"):
            yield from _rules_changed(one, unused)
        elif one.value in rules.replaced:
            continue
        elif one.there_from.set_by not in every_option():
            set_by = one.there_from.set_by
            by = set_by if set_by == "set here" else f"set by {set_by}"
            yield (
                f"{one.value} is {show_value(one.there)} instead of "
                f"{show_value(one.here)}, {by}."
            )


def _rules_changed(one: Difference, unused: Mapping[str, str]) -> Iterator[str]:
    """
    The house rules added to the values, and those taken out.

    Args:
        one: The difference in the rules of a section.
        unused: What the rules need that are not in force, by their paths.
    """
    section = one.value.partition(".")[0]
    for rule in one.there:
        if rule not in one.here:
            more = f", in place of {listed(rule.replaces)}" if rule.replaces else ""
            if needed := unused.get(f"{one.value}.{rule.name}"):
                more = f", which changes nothing: it needs {needed}"
            yield f"Added to the rules of {section}: {rule_text(rule)}{more}."
    for rule in one.here:
        if rule not in one.there:
            yield f"Taken out of the rules of {section}: {rule_text(rule)}."


def title(rules: Rules) -> str:
    """
    The heading of a sheet: the title of the rules, or else the name of their file.
    """
    if rules.name != rules.base and rules.title == rules.preset.title:
        return rules.name
    return rules.title


def subtitle(rules: Rules) -> str:
    """
    What a ruleset is based on.
    """
    base = rules.preset
    if rules.name == rules.base and not rules.options and not base.diff(rules):
        return f"After {rules.source}"
    based = f"Based on {base.title}"
    if not rules.options:
        return f"{based}, with changes" if base.diff(rules) else based
    if len(rules.options) > _FEW:
        return f"{based}, with {number(len(rules.options))} options"
    return f"{based}, with {listed(map(option_titled, rules.options))}"


def option_titled(option: str) -> str:
    """
    The title of an option with its id and its value in brackets.
    """
    return f"{catalogue()[option.partition('=')[0]].title} [{option}]"


def _source(name: str) -> str:
    return "Readings of this library" if name == "rummyvariants" else name


# ---------------------------------------------------------------------------- text


def text(rules: Rules, sections: Sequence[Section], width: int = WIDTH) -> str:
    """
    A sheet as plain text, the ids in brackets on the right.

    Args:
        rules: The rules.
        sections: The sheet.
        width: The greatest length of a line.
    """
    margin = width - _MARGIN
    body = margin - _GAP
    head = _wrapped(title(rules).upper(), body)
    lines = [*head, "=" * max(map(len, head))]
    lines += _wrapped(f"{subtitle(rules)}.", body)
    for at, section in enumerate(sections, 1):
        headline = f"{at}. {section.title}"
        lines += ["", "", headline, "-" * len(headline)]
        for one in section.paragraphs:
            lines += ["", *_beside(_wrapped(one.text, body), one.rules, margin)]
            if one.rows:
                lines += ["", *_rows(one, margin)]
    lines += ["", "", "Notes", "-----"]
    for headline, items in notes(rules, sections).entries(str):
        lines += ["", f"{headline}:"]
        for note in items:
            lines += _wrapped(
                note, width, initial_indent="  ", subsequent_indent="    "
            )
    return "\n".join(lines) + "\n"


_wrapped: Final = functools.partial(
    textwrap.wrap, break_on_hyphens=False, break_long_words=False
)
"""A text in lines; no word or id is broken."""


def _beside(lines: Sequence[str], ids: Sequence[str], column: int) -> Iterator[str]:
    """
    Lines with ids in their right margin, one a line.
    """
    for at in range(max(len(lines), len(ids))):
        line = lines[at] if at < len(lines) else ""
        margin = f"[{_place(ids[at])[1]}]" if at < len(ids) else ""
        yield f"{line:<{column}}{margin}".rstrip()


def _rows(one: Paragraph, column: int) -> Iterator[str]:
    wide = max(len(row.label) for row in one.rows)
    high = max(len(row.value) for row in one.rows)
    for row in one.rows:
        line = f"  {row.label:<{wide}}   {row.value:>{high}}"
        yield from _beside([line], _further(one, row), column)


def _further(one: Paragraph, row: Row) -> tuple[str, ...]:
    """
    The ids of a row that are not in the sentence above the table.
    """
    return () if {*row.rules} <= {*one.rules} else row.rules


# ------------------------------------------------------------------------ Markdown


def markdown(
    rules: Rules,
    sections: Sequence[Section],
    *,
    cite: Callable[[str], str] = "`{}`".format,
    level: int = 1,
    closing: bool = True,
) -> str:
    """
    A sheet as Markdown, with the ids after the sentences.

    Args:
        rules: The rules.
        sections: The sheet.
        cite: How an id is written.
        level: The level of the title.
        closing: Whether to write the notes.
    """
    mark = "#" * level
    lines = [f"{mark} {title(rules)}", "", f"{subtitle(rules)}.", ""]
    for at, section in enumerate(sections, 1):
        lines += [f"{mark}# {at}. {section.title}", ""]
        for one in section.paragraphs:
            lines += [_cited(one, cite), ""]
            if one.rows:
                lines.append(f"| {' | '.join(one.columns)} | rule |")
                lines.append("| :--- | ---: | :--- |")
                for row in one.rows:
                    ids = ", ".join(map(cite, _further(one, row)))
                    lines.append(f"| {row.label} | {row.value} | {ids} |")
                lines.append("")
    if closing:
        for headline, items in notes(rules, sections).entries(cite):
            lines += [f"{mark}# {headline}", "", *(f"* {note}" for note in items), ""]
    return "\n".join(lines).rstrip() + "\n"


def _cited(one: Paragraph, cite: Callable[[str], str]) -> str:
    if not one.rules:
        return one.text
    return f"{one.text} {' '.join(map(cite, one.rules))}"


# ---------------------------------------------------------------------------- HTML


def html(rules: Rules, sections: Sequence[Section]) -> str:
    """
    A sheet as a page to print on A4.
    """
    body = "\n".join(_section(at, one) for at, one in enumerate(sections, 1))
    return packaged_text("data", "sheet.html").format(
        title=_typeset(title(rules)),
        style=packaged_text("data", "sheet.css"),
        under=_typeset(subtitle(rules)),
        body=body,
        notes=_notes(notes(rules, sections)),
    )


def _section(at: int, section: Section) -> str:
    parts = [
        f'<section>\n<h2><span class="at">{at}</span> {_typeset(section.title)}</h2>'
    ]
    for one in section.paragraphs:
        parts.append(_line(one))
        if one.rows:
            parts.append('<table class="points">')
            parts += [
                f'<tr><th scope="row">{_typeset(row.label)}</th>'
                f"<td>{escape(row.value)}</td>{_ids('td', _further(one, row))}</tr>"
                for row in one.rows
            ]
            parts.append("</table>")
    return "\n".join([*parts, "</section>"])


def _line(one: Paragraph) -> str:
    return (
        f'<div class="line"><p>{_typeset(one.text)}</p>{_ids("div", one.rules)}</div>'
    )


def _ids(tag: str, ids: Sequence[str]) -> str:
    return f'<{tag} class="ids">{" ".join(map(_id, ids))}</{tag}>'


def _id(rule_id: str) -> str:
    entry = catalogue().get(rule_id)
    hint = entry.title if entry else "a rule of this table"
    return f'<span title="{escape(hint)}">{escape(rule_id)}</span>'


def _typeset(said: str) -> str:
    """
    A text with typographic apostrophes, and words in back quotes as code.
    """
    text = escape(said.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"))
    return re.sub("`(.+?)`", r"<code>\1</code>", text)


def _notes(found: Notes) -> str:
    parts = ["<footer>"]
    if found.changes:
        parts.append("<h2>Changed here</h2>\n<ul>")
        parts += [f"<li>{_typeset(one)}</li>" for one in found.changes]
        parts.append("</ul>")
    parts.append("<h2>Sources</h2>\n<dl>")
    parts += [
        f"<div><dt>{_typeset(_source(name))}:</dt>"
        f"<dd>{', '.join(map(_id, ids))}</dd></div>"
        for name, ids in found.sources
    ]
    parts.append("</dl>")
    if found.readings:
        parts.append('<h2>How we read open questions</h2>\n<dl class="readings">')
        parts += [
            f"<div><dt>{_id(name)}</dt><dd>{_typeset(reading)}</dd></div>"
            for name, reading in found.readings
        ]
        parts.append("</dl>")
    return "\n".join([*parts, "</footer>"])
