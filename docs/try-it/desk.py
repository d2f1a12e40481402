"""
The rules desk: a game with options, its rule sheet, its file and its link.

The page keeps a *table*, which is what a rules file holds: ``extends`` a game, ``with``
options, and single values by section. It may be impossible; its problems are then said.
"""

from __future__ import annotations

import re
import urllib.parse

from collections.abc import Iterator, Mapping
from typing import Any, Final

import rummyvariants as rv

from rummyvariants._support import toml
from rummyvariants._support.limits import as_line
from rummyvariants.errors import RulesError, nearest
from rummyvariants.files._facts import rules_table
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._origins import show_value
from rummyvariants.rules._variants import Option, every_option, preset_file, presets
from rummyvariants.rules.sheet import rule_sheet, sheet
from rummyvariants.rulings import catalogue


Answer = dict[str, Any]
Table = dict[str, Any]

FIRST: Final = "rummy-500"
"""The game that is open at first."""
LONGEST: Final = 80
"""How many characters of a name a link may hold; the page's field has as many."""
GROUPS: Final[Mapping[str, str]] = {
    "deck": "The deck",
    "deal": "The deal",
    "wild": "Wild cards",
    "meld": "Melds",
    "draw": "Drawing",
    "layoff": "Laying off",
    "call": "Calling and buying",
    "discard": "Discarding",
    "out": "Going out",
    "stock": "When nobody goes out",
    "score": "Scoring",
    "match": "The match",
}
"""The headings of the options, by the policy of each."""
_SENTENCE: Final = re.compile(r"(?<=[.!?:]) +(?=[A-Z])")


# ------------------------------------------------------------------------ what there is


def games() -> Answer:
    """
    All games and all options.
    """
    return {
        "games": [
            {"name": name, "title": preset_file(name)["title"]} for name in presets()
        ],
        "groups": [
            {"title": title, "options": [*_options(policy)]}
            for policy, title in GROUPS.items()
        ],
        "first": FIRST,
    }


def _options(policy: str) -> Iterator[Answer]:
    for option in every_option().values():
        entry = catalogue()[option.id]
        if entry.policy == policy:
            yield {
                "id": option.id,
                "title": entry.title,
                "text": entry.text,
                "reading": entry.reading,
                "source": entry.source,
                "needs": [*entry.needs],
                "excludes": [*entry.excludes],
                "takes": option.takes if option.argument else "",
                "default": _argument(option),
            }


def _argument(option: Option) -> str:
    return option.example.partition("=")[2]


# ----------------------------------------------------------------------- what is asked


def rules(table: Table) -> Answer:
    """
    What a table of rules comes to.

    Returns:
        ``problems``, sentences that say what does not go together, each with the
        ``options`` that it names. If there is none, also the ``title``, the ``sheet``,
        a page of HTML, what ``differs`` from the game, in sentences and as ``values``,
        ``notices`` of options that change nothing, the text of the ``file``, and the
        ``players`` that the rules allow. ``link`` is there in any case.
    """
    try:
        found = read_rules(table)
    except RulesError as error:
        problems = [_named(one, table) for one in error.problems]
        return {"problems": problems, "link": link(table)}
    return {
        "problems": [],
        "title": found.title,
        "players": [*found.match.players],
        "sheet": rule_sheet(found, "html"),
        "differs": [*_differing(found)],
        "values": [
            {
                "name": one.value,
                "here": show_value(one.there),
                "there": show_value(one.here),
                "from": str(one.there_from),
            }
            for one in found.preset.diff(found)
        ],
        "notices": [*found.notices],
        "file": file_text(found),
        "link": link(table),
    }


def _differing(found: rv.Ruleset) -> Iterator[Answer]:
    """
    By section of the sheet, what it says that the game's does not, and the reverse.
    """
    mine, plain = _said(found), _said(found.preset)
    for title in dict.fromkeys([*mine, *plain]):
        now, before = mine.get(title, []), plain.get(title, [])
        if now != before:
            yield {
                "section": title,
                "now": [one for one in now if one not in before],
                "before": [one for one in before if one not in now],
            }


def _said(rules: rv.Ruleset) -> dict[str, list[str]]:
    """
    The sentences and the lines of tables of a rule sheet, by section.
    """
    return {
        section.title: [
            said
            for one in section.paragraphs
            for said in (
                *_SENTENCE.split(one.text),
                *(f"{row.label}: {row.value}" for row in one.rows),
            )
        ]
        for section in sheet(rules)
    }


def _named(problem: str, table: Table) -> Answer:
    chosen = table.get("with", [])
    ids = [one.partition("=")[0] for one in chosen if isinstance(one, str)]
    return {"text": problem, "options": [one for one in ids if one in problem]}


def fits(table: Table) -> Answer:
    """
    What each further option would do to a table of rules.

    Options of the table that cannot be in force beside those before them are left out.

    Returns:
        By id, the ``status`` of each, the options of which it ``needs`` one, and
        ``why`` it changes nothing or is refused.
    """
    return {
        fit.option.id: {
            "status": fit.status,
            "needs": [*fit.needs],
            "why": fit.why,
        }
        for fit in rv.rules.options_for(_possible(table))
    }


def _possible(table: Table) -> rv.Ruleset:
    """
    The rules of a table without what cannot be.
    """
    chosen: list[str] = []
    plain = {**table, "with": chosen}
    try:
        found = read_rules(plain)
    except RulesError:
        plain = {"extends": table["extends"], "with": chosen}
        found = read_rules(plain)
    for one in table.get("with", []):
        try:
            found = read_rules({**plain, "with": [*chosen, one]})
        except RulesError:
            continue
        chosen.append(one)
    return found


def of(table: Table) -> rv.Ruleset:
    """
    The rules of a table.

    Raises:
        RulesError: If they are impossible.
    """
    return read_rules(table)


def cited(ruling: rv.Ruling) -> list[Answer]:
    """
    The rules that a ruling cites, in full; a rule of a table has its name alone.
    """
    found = []
    for one in ruling.cites:
        entry = catalogue().get(one)
        found.append(
            {
                "id": one,
                "title": entry.title if entry else "",
                "text": entry.text if entry else "",
                "reading": entry.reading if entry else "",
                "source": entry.source if entry else "",
            }
        )
    return found


# -------------------------------------------------------------------------------- files


def file_text(found: rv.Ruleset) -> str:
    """
    Rules as a rules file.
    """
    given = rules_table(found)
    head: Table = {"extends": given} if isinstance(given, str) else {**given}
    if found.title != found.preset.title:
        head["title"] = found.title
    sections = {key: head.pop(key) for key in [*head] if isinstance(head[key], Mapping)}
    parts = [toml.table(head)]
    parts += [toml.table(values, f"[{key}]") for key, values in sections.items()]
    return "\n".join(parts)


def not_toml(error: ValueError) -> str:
    """
    What is wrong with a text that has no name of a file.
    """
    return str(error).replace("is not a TOML file", "this is not TOML")


def run_nothing(rules: object) -> None:
    """
    Refuse rules that name modules of Python code.

    Raises:
        RulesError: If they do.
    """
    if isinstance(rules, Mapping) and "modules" in rules:
        msg = (
            "modules: this page runs no code of a file, so it does not know the rules "
            "of its modules: install rummyvariants[cli] and give the file to its "
            "commands"
        )
        raise RulesError(msg)


def read_file(text: str) -> Answer:
    """
    The table of a rules file.

    Raises:
        RulesError: If it is no rules file, by line if it is not TOML, else by key.
    """
    try:
        given = toml.read(text)
    except ValueError as error:
        raise RulesError(not_toml(error)) from None
    given = given.get("rules", given) if set(given) == {"rules"} else given
    if isinstance(given, str):
        given = {"extends": given}
    run_nothing(given)
    read_rules(given)
    if isinstance(given.get("with"), str):
        given["with"] = [given["with"]]
    return {"table": given}


# -------------------------------------------------------------------------------- links


def link(table: Table) -> str:
    """
    A table of rules as the end of an address, after the ``#``.
    """
    parts = [("game", str(table.get("extends", FIRST)))]
    if table.get("title"):
        parts.append(("title", str(table["title"])))
    parts += [("with", str(one)) for one in table.get("with", [])]
    parts += [
        (f"{section}.{name}", toml.value(value))
        for section, values in table.items()
        if isinstance(values, Mapping)
        for name, value in values.items()
    ]
    return "rules?" + urllib.parse.urlencode(parts, safe=":/,=")


def read_link(text: str) -> Answer:
    """
    The table that a link holds, without what is unknown.

    Args:
        text: The end of an address, as by `link`.

    Returns:
        The ``table``, and the ``problems`` with what was left out.
    """
    problems: list[str] = []
    table: Table = {"extends": FIRST, "with": []}
    parts = urllib.parse.parse_qsl(text.partition("?")[2], keep_blank_values=True)
    for key, value in dict.fromkeys(parts):
        section, dot, name = key.partition(".")
        if key == "game":
            if value in rv.presets():
                table["extends"] = value
            else:
                hint = nearest(value, rv.presets(), listed="choose one above")
                problems.append(f"there is no game {value!r}{hint}")
        elif key == "with":
            option = value.partition("=")[0]
            if option in every_option():
                table["with"].append(value)
            else:
                hint = nearest(option, every_option(), len(problems))
                problems.append(f"there is no option {option!r}{hint}")
        elif key == "title":
            table["title"] = as_line(value)[:LONGEST]
            if len(value) > LONGEST:
                problems.append(f"a name has {LONGEST} characters at most")
        elif dot and section in GROUPS:
            _put(table, section, name, value, problems)
        else:
            problems.append(f"a link has no part {key!r}")
    return {"table": table, "problems": problems}


def _put(table: Table, section: str, name: str, text: str, problems: list[str]) -> None:
    """
    Set a single value of a table, if it can be read and is allowed in the game.
    """
    path = f"{section}.{name}"
    try:
        value = toml.read(f"value = {text}")["value"]
    except ValueError:
        problems.append(f"{path}: {text!r} is not a value")
        return
    try:
        read_rules({"extends": table["extends"], section: {name: value}})
    except RulesError as error:
        problems += error.problems
        return
    table.setdefault(section, {})[name] = value
