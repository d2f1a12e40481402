"""
What comes in from outside: texts of JSON, looked at before anything is done with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rummyvariants.errors import RummyError
from rummyvariants.files.json import loads


LONGEST: Final = 10_000
"""The most bytes of a message."""
DEEPEST: Final = 5_000
"""How many legal actions may come before a page."""

Message = dict[str, Any]


class BadMessageError(RummyError):
    """
    A message that cannot be followed; its text may be shown to whoever sent it.
    """


def _text(longest: int) -> Callable[[object], str]:
    """
    What checks a text of at most so many characters.
    """

    def wrong(value: object) -> str:
        fits = isinstance(value, str) and len(value) <= longest
        return "" if fits else f"a text of at most {longest} characters"

    return wrong


def _number(value: object) -> str:
    """
    What checks a whole number.
    """
    fits = type(value) is int and 0 <= value <= 1_000_000
    return "" if fits else "a whole number, at least 0"


def _start(value: object) -> str:
    """
    What checks where a page begins.
    """
    fits = type(value) is int and 0 <= value <= DEEPEST
    return "" if fits else f"a whole number from 0 to {DEEPEST}"


def _texts(most: int, longest: int) -> Callable[[object], str]:
    """
    What checks a list of texts.
    """
    wrong = _text(longest)

    def wrong_list(value: object) -> str:
        fits = (
            isinstance(value, list)
            and len(value) <= most
            and not any(map(wrong, value))
        )
        return "" if fits else f"a list of at most {most} short texts"

    return wrong_list


def _flag(value: object) -> str:
    """
    What checks a yes or no.
    """
    return "" if isinstance(value, bool) else "true or false"


Keys = Mapping[str, Callable[[object], str]]
"""The keys of a message; each says what its value should be, or nothing."""

HELLO: Final[Keys] = {"table": _text(50), "secret": _text(100), "number": _number}
PLAY: Final[Mapping[str, Keys]] = {
    "do": {"number": _number, "action": _text(1000)},
    "actions": {"cards": _texts(40, 3), "start": _start},
    "deal": {"number": _number},
    "start": {},
    "hint": {},
    "sheet": {},
    "save": {},
}
"""The messages of somebody at a table, by type."""
NEW: Final[Keys] = {
    "game": _text(50),
    "options": _texts(50, 60),
    "players": _number,
    "name": _text(40),
    "bot": _text(20),
    "watch": _flag,
}
JOIN: Final[Keys] = {"table": _text(50), "invitation": _text(100), "name": _text(40)}


def read(text: str | bytes, keys: Keys) -> Message:
    """
    An object with just these keys.

    Raises:
        BadMessageError: If the text is no such object.
    """
    given = _object(text)
    _check(given, keys)
    return given


def read_typed(text: str | bytes, types: Mapping[str, Keys]) -> Message:
    """
    An object with a ``type``, and with the keys that belong to it.

    Raises:
        BadMessageError: If the text is no such object.
    """
    given = _object(text)
    name = given.get("type")
    if not isinstance(name, str) or name not in types:
        msg = f"the 'type' of a message is one of {', '.join(types)}"
        raise BadMessageError(msg)
    _check({key: given[key] for key in given if key != "type"}, types[name])
    return given


def _object(text: str | bytes) -> Message:
    """
    An object read from a text of JSON.
    """
    if len(text) > LONGEST:
        msg = f"a message has at most {LONGEST} bytes"
        raise BadMessageError(msg)
    try:
        given = loads(text)
    except RummyError as error:
        msg = f"a message is an object of JSON: {error}"
        raise BadMessageError(msg) from None
    if not isinstance(given, dict):
        msg = "a message is an object of JSON"
        raise BadMessageError(msg)
    return given


def _check(given: Message, keys: Keys) -> None:
    """
    Refuse an object that lacks a key, has another, or a value that is no such value.
    """
    if given.keys() != keys.keys():
        known = ", ".join(keys) or "no others"
        msg = f"the keys of this message are {known}"
        raise BadMessageError(msg)
    for key, wrong in keys.items():
        if reason := wrong(given[key]):
            msg = f"'{key}' is {reason}"
            raise BadMessageError(msg)
