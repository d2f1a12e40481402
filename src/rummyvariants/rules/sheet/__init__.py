"""
The rule sheet: the rules in force as sentences to play by, each with its rule ids.

The sentences depend only on the policy values. The same values give the same sentences,
whichever preset, option or file set them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from rummyvariants._support.arguments import explained
from rummyvariants.errors import RulesError, nearest, need
from rummyvariants.rules._origins import Rules
from rummyvariants.rules._variants import SECTIONS
from rummyvariants.rules.sheet import forms, table
from rummyvariants.rules.sheet.facts import Facts
from rummyvariants.rules.sheet.model import Paragraph, Row, Section, paragraphs


__all__ = ["Paragraph", "Row", "Section", "rule_sheet", "sheet", "statements"]

ORDER: Final = ("players", *SECTIONS)
"""The sections in the order of play."""

_FORMS: Final[dict[str, Callable[[Rules, tuple[Section, ...]], str]]] = {
    "text": forms.text,
    "markdown": forms.markdown,
    "html": forms.html,
}

_NARROW: Final = 40
"""The least width of plain text."""
_LONG: Final = 420
"""The most characters of a paragraph of several sentences."""


@explained
def sheet(rules: Rules) -> tuple[Section, ...]:
    """
    The rules in force, section by section in the order of play.

    Empty sections are left out.

    Args:
        rules: The rules.
    """
    facts = Facts(rules)
    beside = table.said_beside(facts)
    sections = []
    for name in ORDER:
        told = facts.section(name)
        stated = table.in_force(facts, beside, paragraphs(told))
        joined = tuple(_joined([*stated, *table.house(facts, name)]))
        if joined:
            sections.append(Section(told.named("title")[0], joined))
    return tuple(sections)


@explained
def statements(rules: Rules) -> tuple[object, ...]:
    """
    What the sheet says, whatever rules it cites.

    Args:
        rules: The rules.
    """
    return tuple(
        (
            section.title,
            " ".join(one.text for one in section.paragraphs),
            tuple(
                (row.label, row.value) for one in section.paragraphs for row in one.rows
            ),
        )
        for section in sheet(rules)
    )


def _joined(paragraphs: Iterable[Paragraph]) -> Iterable[Paragraph]:
    """
    Neighbouring paragraphs that cite the same rules, joined.
    """
    last: Paragraph | None = None
    for one in paragraphs:
        if last is None:
            last = one
        elif (
            one.rules == last.rules
            and not last.rows
            and not one.rows
            and len(last.text) + len(one.text) < _LONG
        ):
            last = Paragraph(
                f"{last.text} {one.text}",
                last.rules,
                tuple(dict.fromkeys(last.sources + one.sources)),
                tuple(dict.fromkeys(last.set_by + one.set_by)),
                tuple(dict.fromkeys(last.values + one.values)),
                one.rows,
            )
        else:
            yield last
            last = one
    if last is not None:
        yield last


@explained
def rule_sheet(rules: Rules, form: str = "text", *, width: int = forms.WIDTH) -> str:
    """
    The rules in force in plain sentences, each with its rule ids.

    Args:
        rules: The rules.
        form: ``text``, ``markdown``, or ``html`` for a whole page to print.
        width: The greatest length of a line of plain text; at least 40.

    Raises:
        RulesError: If there is no such form; the message suggests the nearest.
    """
    need("width", width, int)
    if form == "text":
        return forms.text(rules, sheet(rules), max(width, _NARROW))
    write = _FORMS.get(form)
    if write is None:
        msg = f"there is no form {form!r}{nearest(str(form), _FORMS)}"
        raise RulesError(msg)
    return write(rules, sheet(rules))
