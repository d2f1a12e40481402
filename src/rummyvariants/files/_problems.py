"""
The problems of a document, found one by one and listed together.
"""

from __future__ import annotations

import contextlib
import json
import re
import reprlib

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import attrs

from rummyvariants._support.guesses import OF_STATES
from rummyvariants._support.words import listed
from rummyvariants.errors import PositionError, RummyError, is_near, nearest
from rummyvariants.rules._variants import values_called


FORMAT: Final = 1
"""The version of the format of documents; it grows when a key changes."""
Place = tuple[str, str]
"""The path of a key, such as ``hand_sizes[2]``, and its problem."""


_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 40
_SHORT.maxlist = _SHORT.maxdict = 3


def said(given: object) -> str:
    """
    A value of the wrong kind, for an error message.
    """
    is_word = given is None or isinstance(given, bool)
    return json.dumps(given) if is_word else _SHORT.repr(given)


def in_file(by_name: Mapping[str, Any]) -> str:
    """
    A table as a file writes it, for an error message: ``{ Ann = 20, Ben = 35 }``.
    """
    return f"{{ {', '.join(f'{name} = {one}' for name, one in by_name.items())} }}"


@contextlib.contextmanager
def spelled(way: Literal["Python", "words"]) -> Iterator[None]:
    """
    Errors about positions that spell keys as the asker does.

    Messages are written as for a file: ``fill = true``, ``scores = { Ann = 20 }``. In
    Python that is ``fill=True``, in the words of a question ``fill``.
    """
    try:
        yield
    except PositionError as error:
        lines = [_SETTING.sub(_SPELLED[way], one) for one in error.problems]
        raise PositionError(lines, error.rules, where=error.where) from None


_SETTING: Final = re.compile(r"\b([a-z_]+) = (?:(true|false)|'([^']*)'|\{ (.*?) \})")
_ENTRY: Final = re.compile(r"(\w+) = ")


def _in_python(found: re.Match[str]) -> str:
    key, flag, text, table = found.groups()
    if table:
        entries = _ENTRY.sub(r"'\1': ", table)
        return f"{key}={{{entries}}}"
    return f"{key}={flag.capitalize() if flag else repr(text)}"


def _in_words(found: re.Match[str]) -> str:
    key, flag, text, table = found.groups()
    if table:
        entries = _ENTRY.sub(r"\1: ", table)
        return f"{key} {entries.replace(', ', ' / ')}"
    return key if flag == "true" else f"{key} {flag or text}"


_SPELLED: Final = {"Python": _in_python, "words": _in_words}


@attrs.define
class Problems:
    """
    Problems as they are found.

    Attributes:
        error: Makes the error that lists them, from the problems and the rules.
        found: The problems; an empty path means the whole document.
        rules: The ids of the rules that they break, if any.
    """

    error: Callable[[Iterable[Place], Sequence[str]], RummyError]
    found: list[Place] = attrs.field(factory=list)
    rules: list[str] = attrs.field(factory=list)

    def add(self, path: str, message: str, *rules: str) -> None:
        """
        Note a problem.
        """
        self.found.append((path, message))
        self.rules.extend(rules)

    def check_format(self, given: object, path: str = "") -> None:
        """
        Note the format of a document that is not known.
        """
        if given != FORMAT or isinstance(given, bool):
            message = f"{said(given)} is unknown; the known format is {FORMAT}"
            self.add(joined(path, "format"), message)

    def done(self) -> None:
        """
        Raise all problems, if there are any.

        Raises:
            RummyError: The error, with every problem.
        """
        if self.found:
            raise self.error(
                dict.fromkeys(self.found), tuple(dict.fromkeys(self.rules))
            )


_MEANT: Final = {
    "action": "do",
    "draw_pile": "stock",
    "drew": "drawn",
    "move": "do",
    "player": "seat",
    "players": "seats",
    "rounds": "round",
    "steps": "step",
    "taken": "drawn",
    "whose_turn": "turn",
}
"""Keys that people write, and the key of that meaning, beside what states are asked."""
_LISTS: Final = ("round", "step")
"""Keys of tables that stand one after another."""


def key_meant(key: str, known: Iterable[str], number: int = 0) -> str:
    """
    The end of an error about an unknown key: the one that was probably meant.

    Args:
        key: The key.
        known: The known keys.
        number: How many problems were found before.
    """
    meant = _MEANT.get(key) or OF_STATES.get(key, "")
    if meant in known:
        return f"; did you mean {f'[[{meant}]]' if meant in _LISTS else repr(meant)}?"
    if key == "fill":
        return "; it stands in [position]"
    values = values_called(key)
    if values and not is_near(key, known):
        return f"; the rules have such a value, {listed(values, 'or')}"
    return nearest(key, known, number)


def joined(path: str, inner: str) -> str:
    """
    The path of a key below another.
    """
    if not path or not inner or inner.startswith("["):
        return path + inner
    return f"{path}.{inner}"
