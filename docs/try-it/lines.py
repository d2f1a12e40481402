"""
The lines of a text that its problems are about.

The library names keys, steps and actions; somebody who has pasted a text looks for a
line. A problem whose line is not found keeps its words alone.
"""

from __future__ import annotations

import re

from collections.abc import Iterator
from typing import Any, Final

import attrs


_HEADER: Final = re.compile(r"\s*\[\[?\s*([\w.\"'-]+)\s*\]\]?")
_KEY: Final = re.compile(r"\s*([\w.-]+|\"[^\"]*\")\s*=")
_ITEM: Final = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'")
_LINE: Final = re.compile(r"\bline (\d+)")
_ACTION: Final = re.compile(r"round (\d+), action (\d+)\b")
_NTH_ACTION: Final = re.compile(r"action (\d+)\b")
_STEP: Final = re.compile(r"step (\d+)\b")
_MELD: Final = re.compile(r"table, meld (\d+)\b")
_PATH: Final = re.compile(r"([\w-]+(?:\.[^:.\s]+)*)(?:: |,)")
_QUOTED: Final = re.compile(r"'([^']+)'")
_RULE: Final = re.compile(r"\b[A-Z0-9]{2,4}-[A-Z]?\d+[a-z]?\b")


@attrs.frozen
class _Line:
    """
    A line as far as it matters here.

    Attributes:
        number: Its number, from 1.
        header: The section that it begins; empty if it begins none.
        section: The section that it stands in.
        key: The key that it sets, or that the value on it belongs to.
        is_key: Whether it sets the key.
        items: The texts on it, without that of the key.
    """

    number: int
    header: str
    section: str
    key: str
    is_key: bool
    items: tuple[str, ...]


def located(problems: list[str], text: str) -> list[dict[str, Any]]:
    """
    Problems with their lines.

    Args:
        problems: One sentence each.
        text: The text of TOML that they are about.

    Returns:
        For each the ``text`` and the ``line``, from 1, or None.
    """
    lines = [*_read(text)]
    return [{"text": one, "line": _line_of(one, lines, text)} for one in problems]


def _read(text: str) -> Iterator[_Line]:
    section = key = ""
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.fullmatch(line.partition("#")[0].rstrip())
        found = _KEY.match(line)
        if header and not (key and line.startswith((" ", "\t"))):
            section, key = header[1].replace('"', ""), ""
        elif found:
            key = found[1].strip('"')
        rest = line[found.end() :] if found else line
        items = tuple(one[0][1:-1] for one in _ITEM.finditer(rest))
        yield _Line(
            number, header[1] if header else "", section, key, bool(found), items
        )


def _line_of(problem: str, lines: list[_Line], text: str) -> int | None:
    said = _LINE.search(problem)
    if said:
        return int(said[1])
    if found := _ACTION.match(problem):
        return _nth_action(lines, int(found[1]), int(found[2]))
    if found := _NTH_ACTION.match(problem):
        return _nth_action(lines, 0, int(found[1]))
    if found := _STEP.match(problem):
        return _nth([one.number for one in lines if one.header == "step"], found[1])
    if found := _MELD.match(problem):
        return _nth(
            [one.number for one in lines for _ in one.items if one.key == "table"],
            found[1],
        )
    if (found := _PATH.match(problem)) and (at := _of_path(found[1], lines)):
        return at
    return _of_word(problem, text)


def _nth(numbers: list[int], which: str) -> int | None:
    at = int(which) - 1
    return numbers[at] if at < len(numbers) else None


def _nth_action(lines: list[_Line], in_round: int, action: int) -> int | None:
    """
    The line of an action of a record: of one round, or of all.
    """
    rounds, numbers = 0, []
    for one in lines:
        rounds += one.header == "round"
        if one.key == "actions" and in_round in {0, rounds}:
            numbers += [one.number] * len(one.items)
    return _nth(numbers, str(action))


def _of_path(path: str, lines: list[_Line]) -> int | None:
    """
    The line of a key, or of the nearest one above it.
    """
    parts = path.split(".")
    while parts:
        for one in lines:
            whole = f"{one.section}.{one.key}" if one.section else one.key
            ends = whole.split(".")[-len(parts) :]
            if (one.is_key and ends == parts) or one.header == ".".join(parts):
                return one.number
        parts.pop()
    return None


def _of_word(problem: str, text: str) -> int | None:
    """
    The first line with a word that the problem quotes, or with a rule that it names.
    """
    for word in (*_QUOTED.findall(problem), *_RULE.findall(problem)):
        at = text.find(word)
        if at >= 0:
            return text.count("\n", 0, at) + 1
    return None
