"""
How much a document may hold, so that everything read can be used and written again.

Input is checked against these limits before anything else is done with it, so other
code need not care about numbers of a million digits, or lists a hundred thousand deep.
"""

from __future__ import annotations

import re

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rummyvariants.errors import visible


DIGITS: Final = 100
"""The most digits of a whole number."""
DEPTH: Final = 40
"""The most lists and tables nested inside one another."""
LINE: Final = 200
"""The most characters of a name or a title."""
SEED: Final = 1_000
"""The most characters of a seed that is a text."""
ACTION: Final = 10_000
"""The most characters of an action: ten times as many as the longest deal has."""

LONG_NUMBER: Final = f"a whole number has at most {DIGITS} digits"
TOO_DEEP: Final = f"it is nested too deep: lists and tables go {DEPTH} deep at most"
NO_TEXT: Final = "a text holds whole characters, not halves of them (surrogates)"

ONE_LINE: Final = f"give a line of at most {LINE} characters, no control characters"

_BEYOND: Final = 10**DIGITS
_HALF: Final = "[\ud800-\udfff]"


def excesses(data: object) -> Iterator[tuple[str, str]]:
    """
    What is too much in a document: long numbers, deep lists, invalid texts.

    Args:
        data: Lists, tables, texts and numbers.

    Yields:
        The path of each such value, such as ``players[1]``, and a problem.
    """
    level: list[tuple[str | None, Any]] = [(None, [data])]
    for _ in range(DEPTH + 1):
        below: list[tuple[str | None, Any]] = []
        for path, one in level:
            pairs = one.items() if isinstance(one, Mapping) else enumerate(one)
            for key, inner in pairs:
                if isinstance(key, str) and not key.isascii() and re.search(_HALF, key):
                    yield path or "", NO_TEXT
                if isinstance(inner, str):
                    if not inner.isascii() and re.search(_HALF, inner):
                        yield _below(path, key), NO_TEXT
                elif isinstance(inner, int):
                    if not -_BEYOND < inner < _BEYOND:
                        yield _below(path, key), LONG_NUMBER
                elif isinstance(inner, (Mapping, list, tuple)):
                    below.append((_below(path, key), inner))
        level = below
    yield from ((path or "", TOO_DEEP) for path, _ in level)


def _below(path: str | None, key: object) -> str:
    """
    The path of a value within the table or list at a path; None is the document.
    """
    if path is None:
        return ""
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)


def wrong_name(name: object) -> str:
    """
    Why something cannot be the name of a player.

    A name is shown on terminals, and written in positions as in ``N: 7h 8h | E: 9h``.

    Returns:
        What a name must be; empty if this is one.
    """
    if not isinstance(name, str) or not name.strip():
        return "a name is a text that is not blank"
    if not is_line(name):
        return ONE_LINE
    if name != name.strip() or set(name) & {":", "|"}:
        return "a name has no ':' and no '|', and no blank at its ends"
    return ""


def as_line(text: str) -> str:
    """
    A text shortened and made safe to show on a line.
    """
    return visible(" ".join(text.split()))[:LINE]


def is_line(text: str) -> bool:
    """
    Whether a text is short, on one line, and safe to show on a terminal.
    """
    return len(text) <= LINE and visible(text) == text and not set(text) & {"\n", "\t"}
