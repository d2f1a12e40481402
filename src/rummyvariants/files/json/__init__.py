"""
Views, states, actions, events and records as JSON, with a published schema.

Reading and writing need the extra ``json``; the schema does not.
"""

from __future__ import annotations

import functools
import json

from collections import Counter
from collections.abc import Mapping
from types import UnionType
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args, overload

from rummyvariants._support.limits import LONG_NUMBER, TOO_DEEP, excesses
from rummyvariants._support.packaged import packaged_text
from rummyvariants.errors import nearest, shown
from rummyvariants.files._documents import FORMAT
from rummyvariants.files._records import Record
from rummyvariants.files.json._problems import JsonError
from rummyvariants.game._state import State
from rummyvariants.game._views import View
from rummyvariants.game.actions import Action
from rummyvariants.game.events import Event


if TYPE_CHECKING:
    from cattrs import Converter


__all__ = [
    "FORMAT",
    "JsonError",
    "converter",
    "from_data",
    "from_json",
    "schema",
    "to_data",
    "to_json",
]

LEGAL: Final = 200
"""The most legal actions of a view to list, unless another number is given."""

T = TypeVar("T")

_KINDS: Final[Mapping[str, Any]] = {
    "view": View,
    "state": State,
    "action": Action,
    "event": Event,
    "record": Record,
}


def converter(*, legal: int = LEGAL) -> Converter:
    """
    A cattrs converter that knows the library's types, for structures of your own.

    Args:
        legal: The most legal actions of a view to list; if there are more, none are.

    Raises:
        ModuleNotFoundError: If cattrs is not installed.
    """
    try:
        from rummyvariants.files.json._converting import (  # noqa: PLC0415 -- the extra
            make_converter,
        )
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "cattrs":
            raise
        msg = "JSON needs cattrs: pip install 'rummyvariants[json]'"
        raise ModuleNotFoundError(msg, name="cattrs") from None
    return make_converter(legal)


_converter = functools.lru_cache(maxsize=8)(converter)


def to_data(value: object, *, legal: int = LEGAL) -> dict[str, Any]:
    """
    A view, state, action, event or record as plain dictionaries, lists and texts.

    Args:
        value: The value. A state, a record and a deal hold every secret of the game; an
            event holds what its `seen_by` leaves.
        legal: The most legal actions of a view to list; if there are more, none are.

    Raises:
        JsonError: If it is not such a value, or cannot be written exactly.
        ModuleNotFoundError: If cattrs is not installed.
    """
    if not isinstance(value, View | State | Action | Event | Record):
        msg = f"give one of {', '.join(_KINDS)}, not a {type(value).__name__}"
        raise JsonError(msg)
    data: dict[str, Any] = _converter(legal=legal).unstructure(value)
    return data if "format" in data else {"format": FORMAT, **data}


def to_json(value: object, *, indent: int | None = None, legal: int = LEGAL) -> str:
    """
    A view, state, action, event or record as JSON text.

    Equal values give equal texts.

    Args:
        value: The value. A state, a record and a deal hold every secret of the game; an
            event holds what its `seen_by` leaves.
        indent: The indentation of inner lines; None for a single line.
        legal: The most legal actions of a view to list; if there are more, none are.

    Raises:
        JsonError: If it is not such a value, or cannot be written exactly.
        ModuleNotFoundError: If cattrs is not installed.
    """
    return json.dumps(to_data(value, legal=legal), indent=indent, ensure_ascii=False)


@overload
def from_data(data: object, kind: type[T]) -> T: ...
@overload
def from_data(data: object, kind: UnionType) -> Action: ...
@overload
def from_data(data: object, kind: str) -> Any: ...
def from_data(data: object, kind: Any) -> Any:
    """
    The value that plain data describes.

    Args:
        data: What `to_data` gave.
        kind: `View`, `State`, `Action`, `Event` or `Record`, or its name in lower case.

    Returns:
        A value equal to the one that was written.

    Raises:
        JsonError: If it does not describe one, or the kind is unknown; with every
            problem.
        ModuleNotFoundError: If cattrs is not installed.
    """
    known = _KINDS[_kind_name(kind)]
    found = list(excesses(data))
    if found:
        raise JsonError(found)
    return _converter(legal=LEGAL).structure(
        data, kind if isinstance(kind, type) else known
    )


@overload
def from_json(text: str | bytes, kind: type[T]) -> T: ...
@overload
def from_json(text: str | bytes, kind: UnionType) -> Action: ...
@overload
def from_json(text: str | bytes, kind: str) -> Any: ...
def from_json(text: str | bytes, kind: Any) -> Any:
    """
    The value that JSON text describes.

    Args:
        text: What `to_json` gave.
        kind: `View`, `State`, `Action`, `Event` or `Record`, or its name in lower case.

    Returns:
        A value equal to the one that was written.

    Raises:
        JsonError: If it does not describe one, or the kind is unknown; with every
            problem.
        ModuleNotFoundError: If cattrs is not installed.
    """
    return from_data(_loaded(text), kind)


def schema(kind: object = None) -> dict[str, Any]:
    """
    The JSON Schema (2020-12) of the documents.

    Args:
        kind: The kind of document, as for `from_json`; by default any of them.

    Raises:
        JsonError: If there is no such kind; the message suggests the nearest.
    """
    found: dict[str, Any] = json.loads(packaged_text("schema.json"))
    if kind is not None:
        del found["anyOf"]
        found["$ref"] = f"#/$defs/{_kind_name(kind)}"
    return found


def _kind_name(kind: object) -> str:
    """
    The name of a kind of document.
    """
    if isinstance(kind, str):
        if kind in _KINDS:
            return kind
        msg = f"there is no kind {kind!r}{nearest(kind, _KINDS)}"
        raise JsonError(msg)
    for name, known in _KINDS.items():
        if kind == known:
            return name
    if isinstance(kind, type):
        if issubclass(kind, Event):
            return "event"
        if kind in get_args(Action):
            return "action"
    msg = f"there is no kind {shown(kind)}; known are {', '.join(sorted(_KINDS))}"
    raise JsonError(msg)


def _loaded(text: str | bytes) -> Any:
    """
    The data of a JSON text, in which no key appears twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        msg = f"line {error.lineno}, column {error.colno}: it is not JSON: {error.msg}"
        raise JsonError(msg) from None
    except UnicodeDecodeError:
        msg = "it is not JSON: not a text in UTF-8"
        raise JsonError(msg) from None
    except JsonError:
        raise
    except ValueError:
        # Python does not read numbers with thousands of digits.
        raise JsonError(LONG_NUMBER) from None
    except RecursionError:
        raise JsonError(TOO_DEEP) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(name for name, _ in pairs)
        twice = sorted(name for name, number in times.items() if number > 1)
        raise JsonError([(name, "the key appears twice") for name in twice])
    return found


def _no_number(word: str) -> Any:
    msg = f"{word} is not a number in JSON"
    raise JsonError(msg)
