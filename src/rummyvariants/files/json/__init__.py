"""
Games, and what a server and its clients exchange, as JSON, with a published schema.
"""

from __future__ import annotations

import copy
import functools
import json

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, overload

from rummyvariants._support.arguments import explained
from rummyvariants._support.limits import LONG_NUMBER, TOO_DEEP, excesses
from rummyvariants._support.words import a
from rummyvariants.actions import Action
from rummyvariants.errors import RulesError, nearest, shown
from rummyvariants.events import Event
from rummyvariants.files import _forms as forms
from rummyvariants.files._facts import ACTION
from rummyvariants.files._forms import Form, Reading, Schema
from rummyvariants.files._problems import FORMAT, Problems
from rummyvariants.files._records import RECORD, Record
from rummyvariants.files.json import _answers as answers
from rummyvariants.files.json._problems import JsonError
from rummyvariants.files.json._states import STATE, VIEW
from rummyvariants.game._card_moves import SeenEvent
from rummyvariants.game._chooser import Chooser
from rummyvariants.game._listing import ActionPage
from rummyvariants.game._round import RoundResult
from rummyvariants.game._sheets import ScoreSheet
from rummyvariants.game._state import State
from rummyvariants.game._views import View
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Ruling
from rummyvariants.solver import Arrangement


__all__ = [
    "FORMAT",
    "JsonError",
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

_KINDS: Final[Mapping[str, tuple[type[Any], Form[Any]]]] = {
    "view": (View, VIEW),
    "state": (State, STATE),
    "action": (Action, ACTION),
    "event": (Event, answers.EVENT),
    "seen_event": (SeenEvent, answers.SEEN_EVENT),
    "record": (Record, RECORD),
    "ruleset": (Ruleset, answers.RULESET),
    "ruling": (Ruling, answers.RULING),
    "legal_actions": (ActionPage, answers.PAGE),
    "chooser": (Chooser, answers.CHOOSER),
    "arrangement": (Arrangement, answers.ARRANGEMENT),
    "round_result": (RoundResult, answers.ROUND_RESULT),
    "score_sheet": (ScoreSheet, answers.SCORE_SHEET),
}
"""The kinds of documents, each with the class of its values and their form."""
_OF_A_VIEW: Final[Mapping[str, Callable[..., Any]]] = {
    "chooser": answers.chooser_of,
    "arrangement": answers.arrangement_of,
}
"""What is read back only together with the view that it is about."""


@explained
def to_data(
    value: object, *, legal: int = LEGAL, record: bool = False
) -> dict[str, Any]:
    """
    A value of one of the kinds as plain dictionaries, lists and texts.

    Args:
        value: The value. A state, a record and a deal hold every secret of the game; an
            event holds what its `seen_by` leaves.
        legal: How many legal actions of a view to list.
        record: Whether a state is written as the record of its game. By default it is
            written as a position, with what was done in the round.

    Raises:
        JsonError: If it is not such a value, or its rules cannot be written.
        RecordError: If the record is wanted of a game that began from a position.
    """
    if type(legal) is not int or legal < 0:
        msg = f"give a whole number from 0, not {shown(legal)}"
        raise JsonError([("legal", msg)])
    form = next((one for kind, one in _KINDS.values() if isinstance(value, kind)), None)
    if form is None:
        msg = f"give one of {', '.join(_KINDS)}, not {a(type(value).__name__)}"
        raise JsonError(msg)
    try:
        if isinstance(value, View):
            data = VIEW.with_legal(value, legal)
        elif isinstance(value, State) and record:
            data = STATE.with_record(value)
        else:
            data = form.write(value)
    except RulesError as error:
        raise JsonError([("rules", one) for one in error.problems]) from None
    return {"format": FORMAT, **data}


@explained
def to_json(
    value: object,
    *,
    indent: int | None = None,
    legal: int = LEGAL,
    record: bool = False,
) -> str:
    """
    A value of one of the kinds as JSON text.

    Equal values give equal texts, except that a state tells what was done in its round.

    Args:
        value: The value. A state, a record and a deal hold every secret of the game; an
            event holds what its `seen_by` leaves.
        indent: The indentation of inner lines; None for a single line.
        legal: How many legal actions of a view to list.
        record: Whether a state is written as the record of its game. By default it is
            written as a position, with what was done in the round.

    Raises:
        JsonError: If it is not such a value, or its rules cannot be written.
        RecordError: If the record is wanted of a game that began from a position.

    >>> state = rv.new_game("rummy-500", 2)
    >>> print(rv.files.to_json(rv.check(state, "draw"), indent=1))
    {
     "format": 1,
     "legal": true,
    ...
    """
    data = to_data(value, legal=legal, record=record)
    return json.dumps(data, indent=indent, ensure_ascii=False)


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
def from_data(data: object, kind: str | None = None, at: object = None) -> Any: ...
@explained
def from_data(data: object, kind: Any = None, at: object = None) -> Any:
    """
    The value that plain data describes.

    Args:
        data: What `to_data` gave.
        kind: The class of the value, such as `View`, or the name of its kind. By
            default it is found by the keys; who reads what strangers send names it.
        at: For a chooser and an arrangement, the `View` of its seat.

    Returns:
        A value equal to the one that was written.

    Raises:
        JsonError: If it does not describe one, or the kind is unknown; with every
            problem.
    """
    name = _kind_of(data) if kind is None else _kind_name(kind)
    wanted = kind if isinstance(kind, type) else _KINDS[name][0]
    if name in _OF_A_VIEW and not isinstance(at, View):
        msg = f"{a(name)} is read together with the view of its seat: give `at`"
        raise JsonError(msg)
    if name not in _OF_A_VIEW and at is not None:
        what = a(type(at).__name__)
        msg = (
            f"`at` is a view with choosers and arrangements, not {what} with {a(name)}"
        )
        raise JsonError(msg)
    _check_size(data)
    problems = Problems(JsonError)
    if isinstance(data, Mapping):
        data = dict(data)
        problems.check_format(data.pop("format", FORMAT))
    value = _KINDS[name][1].read(data, "", Reading(problems))
    problems.done()
    if name in _OF_A_VIEW:
        return _OF_A_VIEW[name](value, at)
    if not isinstance(value, wanted):
        msg = f"it is not {a(wanted.__name__)}"
        raise JsonError(msg)
    return value


@overload
def from_json(text: str | bytes, kind: type[T], at: object = None) -> T: ...
@overload
def from_json(text: str | bytes, kind: str | None = None, at: object = None) -> Any: ...
@explained
def from_json(text: str | bytes, kind: Any = None, at: object = None) -> Any:
    """
    The value that JSON text describes.

    Args:
        text: What `to_json` gave.
        kind: The class of the value, such as `View`, or the name of its kind; if left
            out, as for `from_data`.
        at: What the value is about, as for `from_data`.

    Returns:
        A value equal to the one that was written.

    Raises:
        JsonError: If it does not describe one, or the kind is unknown; with every
            problem.

    >>> state = rv.new_game("rummy-500", 2)
    >>> rv.files.from_json(rv.files.to_json(state), "state") == state
    True
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
    found = copy.deepcopy(_schema())
    if kind is not None:
        del found["anyOf"]
        found["$ref"] = f"#/$defs/{_kind_name(kind)}"
    return found


@functools.cache
def _schema() -> Schema:
    """
    The whole schema, as the forms describe themselves.
    """
    defs: dict[str, Schema] = {}
    every = [form.described(defs) for _, form in _KINDS.values()]
    for kind in _KINDS:
        shapes = defs[kind].get("oneOf", [defs[kind]])
        for shape in shapes:
            if "properties" in shape:
                keys = {"format": forms.FORMAT_SCHEMA, **shape["properties"]}
                shape["properties"] = keys
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rummyvariants",
        "description": "Games of the Rummy family, and what their players exchange.",
        "anyOf": every,
        "$defs": defs,
    }


@functools.cache
def _shapes() -> list[tuple[str, set[str], set[str]]]:
    """
    The kinds of documents, with the keys that they may have and those that they need.
    """
    found = []
    defs = _schema()["$defs"]
    for kind in _KINDS:
        for one in defs[kind].get("oneOf", [defs[kind]]):
            shape = defs[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
            if "properties" in shape:
                found.append((kind, {*shape["properties"]}, {*shape["required"]}))
    return found


def _kind_of(data: object) -> str:
    """
    The kind of a document, by its keys.
    """
    keys = {*data} if isinstance(data, Mapping) else set()
    fitting = [
        (len(keys - known), -len(needed), kind)
        for kind, known, needed in _shapes()
        if needed <= keys
    ]
    if not fitting:
        kinds = ", ".join(_KINDS)
        msg = f"its keys do not say what it is: give the kind, one of {kinds}"
        raise JsonError(msg)
    _, _, kind = min(fitting)
    # What a seat was told is an event with more keys.
    return "seen_event" if kind == "event" and "moves" in keys else kind


def _kind_name(kind: object) -> str:
    """
    The name of a kind of document.
    """
    if isinstance(kind, str):
        if kind in _KINDS:
            return kind
        msg = f"there is no kind {kind!r}{nearest(kind, _KINDS)}"
        raise JsonError(msg)
    for name, (known, _) in _KINDS.items():
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
