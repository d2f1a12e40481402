"""
Games, and what a server and its clients exchange, as JSON, with a published schema.

Reading and writing need the extra ``json``; the schema does not.
"""

from __future__ import annotations

import functools
import json

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from rummyvariants._support.arguments import explained
from rummyvariants._support.limits import LONG_NUMBER, TOO_DEEP, excesses
from rummyvariants._support.packaged import packaged_text
from rummyvariants._support.words import a
from rummyvariants.errors import nearest, shown
from rummyvariants.files._documents import FORMAT
from rummyvariants.files._records import Record
from rummyvariants.files.json._answers import (
    arrangement_of,
    chooser_of,
    result_document,
    result_of,
)
from rummyvariants.files.json._formats import of_this_format
from rummyvariants.files.json._problems import JsonError
from rummyvariants.files.json._rulesets import ruleset_document, ruleset_of
from rummyvariants.files.json._shapes import (
    ArrangementDocument,
    ChooserDocument,
    ResultDocument,
    RulesetDocument,
)
from rummyvariants.files.json._views import check_view
from rummyvariants.game._card_moves import SeenEvent
from rummyvariants.game._chooser import Chooser
from rummyvariants.game._listing import ActionPage
from rummyvariants.game._round import RoundResult
from rummyvariants.game._sheets import ScoreSheet
from rummyvariants.game._state import State
from rummyvariants.game._views import View
from rummyvariants.game.actions import Action
from rummyvariants.game.events import Event
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Ruling
from rummyvariants.solver import Arrangement


if TYPE_CHECKING:
    from cattrs import Converter


__all__ = [
    "FORMAT",
    "JsonError",
    "converter",
    "from_data",
    "from_json",
    "loads",
    "schema",
    "to_data",
    "to_json",
]

LEGAL: Final = 200
"""How many legal actions of a view are listed, unless another number is given."""

T = TypeVar("T")

_KINDS: Final[Mapping[str, type[Any]]] = {
    "view": View,
    "state": State,
    "action": Action,
    "event": Event,
    "seen_event": SeenEvent,
    "record": Record,
    "ruleset": Ruleset,
    "ruling": Ruling,
    "legal_actions": ActionPage,
    "chooser": Chooser,
    "arrangement": Arrangement,
    "round_result": RoundResult,
    "score_sheet": ScoreSheet,
}
_OF_A_VIEW: Final = frozenset({Chooser, Arrangement})
"""What is read back only together with the view that it is about."""
_SPECIAL: Final[Mapping[Any, tuple[Any, Callable[..., Any]]]] = {
    Ruleset: (RulesetDocument, ruleset_of),
    RoundResult: (ResultDocument, result_of),
    Chooser: (ChooserDocument, chooser_of),
    Arrangement: (ArrangementDocument, arrangement_of),
}
"""Kinds that are read in another way than inside of other documents."""


@explained
def converter(*, legal: int = LEGAL) -> Converter:
    """
    A cattrs converter that knows the library's types, for structures of your own.

    Args:
        legal: How many legal actions of a view to list.

    Raises:
        JsonError: If that is no whole number from 0.
        ModuleNotFoundError: If cattrs is not installed.
    """
    if type(legal) is not int or legal < 0:
        msg = f"give a whole number from 0, not {shown(legal)}"
        raise JsonError([("legal", msg)])
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


@explained
def to_data(value: object, *, legal: int = LEGAL) -> dict[str, Any]:
    """
    A value of one of the kinds as plain dictionaries, lists and texts.

    Args:
        value: The value. A state, a record and a deal hold every secret of the game; an
            event holds what its `seen_by` leaves.
        legal: How many legal actions of a view to list.

    Raises:
        JsonError: If it is not such a value, or cannot be written exactly.
        ModuleNotFoundError: If cattrs is not installed.
    """
    if not isinstance(value, tuple(_KINDS.values())):
        msg = f"give one of {', '.join(_KINDS)}, not {a(type(value).__name__)}"
        raise JsonError(msg)
    # Inside of others, rules are named shortly, and a result needs no names.
    if isinstance(value, Ruleset):
        value = ruleset_document(value)
    elif isinstance(value, RoundResult):
        value = result_document(value)
    data: dict[str, Any] = _converter(legal=legal).unstructure(value)
    return data if "format" in data else {"format": FORMAT, **data}


@explained
def to_json(value: object, *, indent: int | None = None, legal: int = LEGAL) -> str:
    """
    A value of one of the kinds as JSON text.

    Equal values give equal texts.

    Args:
        value: The value. A state, a record and a deal hold every secret of the game; an
            event holds what its `seen_by` leaves.
        indent: The indentation of inner lines; None for a single line.
        legal: How many legal actions of a view to list.

    Raises:
        JsonError: If it is not such a value, or cannot be written exactly.
        ModuleNotFoundError: If cattrs is not installed.
    """
    return json.dumps(to_data(value, legal=legal), indent=indent, ensure_ascii=False)


@explained
def loads(text: str | bytes) -> Any:
    """
    The data of any JSON text: what is around a document, such as a message.

    It is stricter than `json.loads`, and says in one line what is wrong.

    Args:
        text: The text.

    Raises:
        JsonError: If it is not JSON, a key appears twice, or it has numbers that JSON
            does not have, such as NaN; if it is nested too deep, or a number too long.
    """
    found = _parsed(text)
    _check_size(found)
    return found


def _parsed(text: str | bytes) -> Any:
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
    except TypeError:
        msg = f"give a text of JSON, not {a(type(text).__name__)}"
        raise JsonError(msg) from None
    except JsonError:
        raise
    except ValueError:
        # Python does not read numbers with thousands of digits.
        raise JsonError(LONG_NUMBER) from None
    except RecursionError:
        raise JsonError(TOO_DEEP) from None


def _check_size(data: object) -> None:
    """
    Refuse data beyond the limits of documents.
    """
    found = list(excesses(data))
    if found:
        raise JsonError(found)


@overload
def from_data(data: object, kind: type[T], at: object = None) -> T: ...
@overload
def from_data(data: object, kind: str, at: object = None) -> Any: ...
@explained
def from_data(data: object, kind: Any, at: object = None) -> Any:
    """
    The value that plain data describes.

    Args:
        data: What `to_data` gave.
        kind: The class of the value, such as `View`, or the name of its kind.
        at: What the value is about: for a chooser and an arrangement, the `View` of its
            seat; for a view, the `State` that it must be a view of, if that is known.

    Returns:
        A value equal to the one that was written.

    Raises:
        JsonError: If it does not describe one, or the kind is unknown; with every
            problem.
        ModuleNotFoundError: If cattrs is not installed.
    """
    name = _kind_name(kind)
    known = _KINDS[name]
    _check_at(name, at)
    _check_size(data)
    made = _converter(legal=LEGAL)
    if known in _SPECIAL:
        shape, read = _SPECIAL[known]
        document = made.structure(of_this_format(data), shape)
        return read(document, at) if known in _OF_A_VIEW else read(document)
    value: Any = made.structure(data, kind if isinstance(kind, type) else known)
    if isinstance(at, State):
        check_view(value, at)
    return value


def _check_at(name: str, at: object) -> None:
    """
    Refuse to read something together with what it is not about.

    Raises:
        JsonError: If `at` is missing, or is not what the kind needs.
    """
    kind = _KINDS[name]
    if kind in _OF_A_VIEW:
        if not isinstance(at, View):
            msg = f"{a(name)} is read together with the view of its seat: give `at`"
            raise JsonError(msg)
    elif at is not None and not (kind is View and isinstance(at, State)):
        needed = "a view with choosers and arrangements, and a state with views"
        msg = f"`at` is {needed}, not {a(type(at).__name__)} with {a(name)}"
        raise JsonError(msg)


@overload
def from_json(text: str | bytes, kind: type[T], at: object = None) -> T: ...
@overload
def from_json(text: str | bytes, kind: str, at: object = None) -> Any: ...
@explained
def from_json(text: str | bytes, kind: Any, at: object = None) -> Any:
    """
    The value that JSON text describes.

    Args:
        text: What `to_json` gave.
        kind: The class of the value, such as `View`, or the name of its kind.
        at: What the value is about, as for `from_data`.

    Returns:
        A value equal to the one that was written.

    Raises:
        JsonError: If it does not describe one, or the kind is unknown; with every
            problem.
        ModuleNotFoundError: If cattrs is not installed.
    """
    return from_data(_parsed(text), kind, at)


@explained
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
        if isinstance(kind, type) and issubclass(kind, known):
            return name
    msg = f"there is no kind {shown(kind)}; known are {', '.join(sorted(_KINDS))}"
    raise JsonError(msg)


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
