"""
The converter between values and plain data, built on cattrs.

Nothing is guessed: a number is a number and a list a list, and unknown keys are
refused. Errors of cattrs become problems with the paths of their keys.
"""

from __future__ import annotations

import functools
import re

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

import attrs

from cattrs import Converter
from cattrs.errors import (
    ClassValidationError,
    ForbiddenExtraKeysError,
    IterableValidationError,
)
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from rummyvariants._support.words import a, listed
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import (
    CopiesError,
    ParseError,
    RequestError,
    RulesError,
    nearest,
)
from rummyvariants.files import _documents as documents
from rummyvariants.files._documents import (
    ActionDocument,
    DrawnCards,
    PositionDocument,
    RecordDocument,
    Remembered,
    Seed,
    StateDocument,
    ViewDocument,
)
from rummyvariants.files._problems import Problems, joined
from rummyvariants.files._records import Record, rules_table
from rummyvariants.files.json import _shapes as shapes
from rummyvariants.files.json._answers import (
    arrangement_document,
    chooser_document,
    page_document,
    page_of,
    ruling_document,
    ruling_of,
    sheet_document,
    sheet_of,
)
from rummyvariants.files.json._formats import of_this_format
from rummyvariants.files.json._games import (
    record_document,
    record_of,
    state_document,
    state_of,
)
from rummyvariants.files.json._problems import JsonError, wrong
from rummyvariants.files.json._rulesets import NOT_EXACT, plain
from rummyvariants.files.json._shapes import (
    ArrangementDocument,
    ChooserDocument,
    PageDocument,
    RulingDocument,
    SheetDocument,
)
from rummyvariants.files.json._views import view_document, view_of
from rummyvariants.game import events
from rummyvariants.game._card_moves import CardMove, SeenEvent, Spot
from rummyvariants.game._chooser import Chooser
from rummyvariants.game._listing import ActionPage
from rummyvariants.game._round import Column, Location, RoundResult, ScoreItem
from rummyvariants.game._sheets import ScoreSheet
from rummyvariants.game._state import State
from rummyvariants.game._views import View
from rummyvariants.game.actions import Action, Deal
from rummyvariants.game.events import Event
from rummyvariants.game.verbs._known import parse_action
from rummyvariants.melds._meld import Place, Played
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Ruling
from rummyvariants.solver import Arrangement


T = TypeVar("T")


def event_name(kind: type[Event]) -> str:
    """
    The name of a kind of event: ``hand-dealt`` for `HandDealt`.
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


EVENTS: Final[Mapping[str, type[Event]]] = {
    event_name(kind): kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}
"""The library's own kinds of events by their names."""


def event_kinds() -> dict[str, type[Event]]:
    """
    All kinds of events by their names, those of third parties too.
    """
    found = dict(EVENTS)
    kinds = Event.__subclasses__()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        found.setdefault(event_name(kind), kind)
    return found


_LEFT_OUT: Final = override(omit=True)


def make_converter(legal: int) -> Converter:
    """
    A converter that knows the library's types.

    Args:
        legal: The most legal actions of a view to list.
    """
    made = Converter(unstruct_collection_overrides={tuple: list})
    _add_plain(made)
    _add_texts(made)
    inner = (RoundResult, ScoreItem, Column, Location, CardMove, Spot)
    for shape in (*_shapes(), *inner):
        made.register_structure_hook(shape, _strict(shape, made))
    # The state holds the names.
    made.register_unstructure_hook(
        RoundResult,
        make_dict_unstructure_fn(
            RoundResult,
            made,
            players=_LEFT_OUT,
            payments=override(omit_if_default=True),
        ),
    )
    _add_kinds(made, legal)
    made.register_unstructure_hook(
        DrawnCards,
        make_dict_unstructure_fn(
            DrawnCards, made, number=override(omit_if_default=True)
        ),
    )
    for table in (ViewDocument, PositionDocument):
        made.register_unstructure_hook(table, _with_memory(table, made))
    return made


def _shapes() -> Iterator[type[Any]]:
    for module in (documents, shapes):
        for shape in vars(module).values():
            if isinstance(shape, type) and shape.__module__ == module.__name__:
                yield shape


def _with_memory(shape: Any, made: Converter) -> Callable[[Any], dict[str, Any]]:
    """
    A writer of an object that leaves out memory if it is empty.
    """
    written = make_dict_unstructure_fn(
        shape, made, memory=override(unstruct_hook=_memory_data)
    )

    def write(value: Any) -> dict[str, Any]:
        data = written(value)
        for name in ("memory", "paid"):
            if not data[name]:
                del data[name]
        return data

    return write


# ---------------------------------------------------------------------- plain values


def _add_plain(made: Converter) -> None:
    made.register_structure_hook(int, lambda given, _: _whole(given))
    made.register_structure_hook(str, lambda given, _: _text(given))
    made.register_structure_hook(bool, lambda given, _: _truth(given))
    made.register_structure_hook(Seed, lambda given, _: _seed(given))
    made.register_structure_hook_func(
        lambda kind: kind == Remembered, lambda given, _: _remembered(given)
    )
    made.register_structure_hook_func(_is_word, _one_of_words)
    made.register_structure_hook_factory(_is_table, lambda kind: _table(kind, made))
    made.register_structure_hook_factory(_is_row, lambda kind: _row(kind, made))


_EXACT: Final = 1 << 53
"""A float holds every whole number up to this one."""


def _whole(given: object) -> int:
    if isinstance(given, float) and given.is_integer() and abs(given) <= _EXACT:
        return int(given)  # some languages write whole numbers like this
    if isinstance(given, bool) or not isinstance(given, int):
        raise wrong(given, "a whole number")
    return given


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise wrong(given, "a text")
    return given


def _truth(given: object) -> bool:
    if not isinstance(given, bool):
        raise wrong(given, "true or false")
    return given


def _seed(given: object) -> int | str | None:
    return given if given is None or isinstance(given, str) else _whole(given)


def _remembered(given: object) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise wrong(given, "an object")
    return {str(name): _kept(value) for name, value in given.items()}


def _memory_data(given: Any) -> Any:
    if isinstance(given, Mapping):
        return {name: _memory_data(one) for name, one in given.items()}
    return [*map(_memory_data, given)] if isinstance(given, tuple) else given


def _kept(given: Any) -> Any:
    """
    A value that a rule remembers; the reader checks whether it can be kept.
    """
    if isinstance(given, list | tuple):
        return tuple(map(_kept, given))
    if isinstance(given, float) and given.is_integer():
        return _whole(given)
    return given


def _one_of_words(given: object, kind: Any) -> Any:
    words = get_args(kind)
    for word in words:
        if given == word and not isinstance(given, bool):
            return word
    if isinstance(given, str) and all(isinstance(one, str) for one in words):
        message = f"{given!r} is unknown{nearest(given, words)}"
        raise JsonError(message)
    raise wrong(given, listed(map(repr, words), "or"))


def _is_word(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin is Literal


def _is_row(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[1:] == (...,)


def _row(kind: Any, made: Converter) -> Callable[[Any, Any], tuple[Any, ...]]:
    """
    A reader of a list, with the problems of all its entries.
    """
    inner = get_args(kind)[0]
    read = made.get_structure_hook(inner)

    def row(given: Any, _: Any) -> tuple[Any, ...]:
        if not isinstance(given, (list, tuple)):
            raise wrong(given, "a list")
        problems = Problems(JsonError)
        found = []
        for at, one in enumerate(given):
            try:
                found.append(read(one, inner))
            except Exception as error:  # noqa: BLE001 -- whatever a hook of users raises
                problems.found += problems_of(error, f"[{at}]")
        problems.done()
        if inner is Card:
            try:
                Cards(found)
            except CopiesError as error:
                raise JsonError([("", str(error))]) from None
        return tuple(found)

    return row


def _is_table(kind: Any) -> bool:
    return get_origin(kind) is Mapping and get_args(kind)[1] is not Any


def _table(kind: Any, made: Converter) -> Callable[[Any, Any], dict[str, Any]]:
    """
    A reader of an object with any keys, with the problems of all its values.
    """
    inner = get_args(kind)[1]
    read = made.get_structure_hook(inner)

    def table(given: Any, _: Any) -> dict[str, Any]:
        if not isinstance(given, Mapping):
            raise wrong(given, "an object")
        problems = Problems(JsonError)
        found = {}
        for key, one in given.items():
            try:
                found[str(key)] = read(one, inner)
            except Exception as error:  # noqa: BLE001 -- whatever a hook of users raises
                problems.found += problems_of(error, str(key))
        problems.done()
        return found

    return table


# ----------------------------------------------------------------------------- texts


def _add_texts(made: Converter) -> None:
    for kind, form in (
        (Card, "a card such as 'Kc', or '*' for a joker"),
        (Place, "a card such as '8h', or a rank alone"),
        (Played, "a card such as 'Kc', or '*=8h' for a wild"),
    ):
        made.register_unstructure_hook(kind, str)
        made.register_structure_hook(kind, _reader(kind, form))
    made.register_unstructure_hook(Cards, lambda cards: [str(one) for one in cards])
    made.register_structure_hook(
        Cards, lambda given, _: Cards(made.structure(given, tuple[Card, ...]))
    )
    made.register_unstructure_hook(Ruleset, rules_data)
    made.register_structure_hook(Ruleset, lambda given, _: _rules(given))


def _reader(kind: Any, form: str) -> Callable[[Any, Any], Any]:
    """
    A reader of a text in its canonical form.
    """

    def read(given: Any, _: Any) -> Any:
        if not isinstance(given, str):
            raise wrong(given, form)
        try:
            found = kind(given)
        except ParseError:
            raise wrong(given, form) from None
        if str(found) != given:
            raise wrong(given, repr(str(found)))
        return found

    return read


def rules_data(rules: Ruleset) -> str | dict[str, Any]:
    """
    Rules as data: the name of a preset, or an object as in a rules file.

    Raises:
        JsonError: If rules read from it would be different.
    """
    rules = rules.of_table
    key = "as data"
    if key not in rules._memo:
        table = rules_table(rules)
        data = table if isinstance(table, str) else plain(table)
        try:
            same = read_rules(data) == rules
        except RulesError:
            same = False
        if not same:
            raise JsonError([("rules", NOT_EXACT)])
        rules._memo[key] = data
    found: str | dict[str, Any] = rules._memo[key]
    return found if isinstance(found, str) else plain(found)


def _rules(given: Any) -> Ruleset:
    try:
        return read_rules(given)
    except RulesError as error:
        raise JsonError([("", one) for one in error.problems]) from None


# ----------------------------------------------------------------------------- kinds


def _add_kinds(made: Converter, legal: int) -> None:
    """
    Views, states, records, actions and events.
    """

    def pair(
        kind: Any, shape: Any, tell: Callable[[Any], Any], read: Callable[[Any], Any]
    ) -> None:
        shaped = _strict(shape, made)
        made.register_unstructure_hook(kind, _teller(made, shape, tell))
        made.register_structure_hook(
            kind, lambda given, _: read(shaped(of_this_format(given), shape))
        )

    pair(View, ViewDocument, lambda view: view_document(view, legal), view_of)
    pair(Ruling, RulingDocument, ruling_document, ruling_of)
    pair(ActionPage, PageDocument, page_document, page_of)
    pair(ScoreSheet, SheetDocument, sheet_document, sheet_of)
    pair(Record, RecordDocument, record_document, record_of)
    pair(State, StateDocument, state_document, state_of)
    made.register_unstructure_hook(
        StateDocument,
        lambda state: {
            name: made.unstructure(one)
            for name, one in attrs.asdict(state, recurse=False).items()
            if one is not None
        },
    )
    for kind, shape, tell in (
        (Chooser, ChooserDocument, chooser_document),
        (Arrangement, ArrangementDocument, arrangement_document),
    ):
        made.register_unstructure_hook(kind, _teller(made, shape, tell))
    action = _strict(ActionDocument, made)
    made.register_unstructure_hook(Action, action_data)
    made.register_structure_hook(
        Action, lambda given, wanted: _of_kind(_action(action, given), wanted)
    )
    made.register_unstructure_hook(Event, lambda event: _event_data(event, made))
    reader = functools.cache(lambda kind: _strict(kind, made, "event"))
    made.register_structure_hook(
        Event, lambda given, wanted: _of_kind(_event(reader, given), wanted)
    )
    made.register_unstructure_hook(
        SeenEvent,
        lambda seen: {
            **_event_data(seen.event, made),
            "text": seen.text,
            "moves": [made.unstructure(one) for one in seen.moves],
        },
    )
    made.register_structure_hook(
        SeenEvent, lambda given, _: _seen_event(reader, made, given)
    )


def _teller(
    made: Converter, shape: Any, tell: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """
    A writer of a value by its document.
    """
    return lambda value: made.unstructure(tell(value), shape)


def _of_kind(value: Any, wanted: Any) -> Any:
    if not isinstance(value, wanted):
        message = f"it is not {a(wanted.__name__)}"
        raise JsonError(message)
    return value


def action_data(action: Action) -> dict[str, Any]:
    """
    An action as data.
    """
    return {"seat": action.seat, "action": str(action)}


def _action(read: Callable[[Any, Any], ActionDocument], given: Any) -> Action:
    found = read(given, ActionDocument)
    if re.match(r"\s*\d", found.action):
        message = f"name the seat in the key 'seat', not in {found.action!r}"
        raise JsonError([("action", message)])
    try:
        action = parse_action(found.action, found.seat)
    except RequestError as error:
        raise JsonError([("seat", str(error))]) from None
    except ParseError as error:
        raise JsonError([("action", str(error))]) from None
    if isinstance(action, Deal) and found.seat is not None:
        raise JsonError([("seat", "a deal is an action of chance: give null")])
    return action


def _event_data(event: Event, made: Converter) -> dict[str, Any]:
    data: dict[str, Any] = {"event": event_name(type(event))}
    for field in attrs.fields(type(event)):
        data[field.name] = made.unstructure(getattr(event, field.name))
    return data


def _event(reader: Callable[[Any], Callable[[Any, Any], Any]], given: Any) -> Event:
    if not isinstance(given, Mapping):
        raise wrong(given, "an object")
    name = given.get("event")
    kinds = event_kinds()
    if not isinstance(name, str) or name not in kinds:
        message = "is missing" if "event" not in given else f"{name!r} is unknown"
        hint = nearest(name, kinds) if isinstance(name, str) else ""
        raise JsonError([("event", message + hint)])
    beside = {"event", "format", *_TOLD}
    fields = {key: one for key, one in given.items() if key not in beside}
    if "format" in given:
        _version(given["format"])
    kind = kinds[name]
    found = reader(kind)(fields, kind)
    problems = Problems(JsonError)
    for field in attrs.fields(kind):
        if field.name not in fields and field.default is attrs.NOTHING:
            problems.add(field.name, "is missing")
    for field in attrs.fields(kind):
        value = getattr(found, field.name)
        if field.name in {"points", "scores"}:
            continue
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, int) and one < 0:
                problems.add(field.name, f"give a whole number from 0, not {one}")
    problems.done()
    event: Event = found
    return event


_TOLD: Final[Mapping[str, Any]] = {"text": str, "moves": tuple[CardMove, ...]}
"""The keys that an event has besides its own once it was told to a seat."""


def _seen_event(
    reader: Callable[[Any], Callable[[Any, Any], Any]], made: Converter, given: Any
) -> SeenEvent:
    event = _event(reader, given)
    problems = Problems(JsonError)
    found = {}
    for key, kind in _TOLD.items():
        if key not in given:
            problems.add(key, "is missing")
            continue
        try:
            found[key] = made.structure(given[key], kind)
        except JsonError as error:
            problems.found += problems_of(error, key)
    for at, move in enumerate(found.get("moves", ())):
        for side in ("source", "target"):
            for field in ("seat", "meld", "index"):
                value = getattr(getattr(move, side), field)
                if value is not None and value < 0:
                    message = f"give a whole number from 0, not {value}"
                    problems.add(f"moves[{at}].{side}.{field}", message)
    problems.done()
    return SeenEvent(event, **found)


def _version(given: object) -> None:
    try:
        _one_of_words(given, documents.Format)
    except JsonError as error:
        raise JsonError([("format", message) for _, message in error.places]) from None


# ---------------------------------------------------------------------------- errors


def _strict(shape: type[T], made: Converter, *more: str) -> Callable[[Any, Any], T]:
    """
    A reader of an object that reports every problem of it.

    Args:
        shape: The class of the object.
        made: The converter.
        more: Its other keys.
    """

    @functools.cache
    def inner() -> Callable[..., Any]:
        # Made when first needed: the classes refer to one another.
        named: Any = {"players": _LEFT_OUT} if shape is RoundResult else {}
        return make_dict_structure_fn(
            shape,
            made,
            _cattrs_forbid_extra_keys=True,
            _cattrs_detailed_validation=True,
            **named,
        )

    def read(given: Any, _: Any) -> T:
        if not isinstance(given, Mapping):
            raise wrong(given, "an object")
        try:
            found: T = inner()(given, shape)
        except Exception as error:  # noqa: BLE001 -- whatever a hook of users raises
            raise JsonError(problems_of(error, "", more)) from None
        return found

    return read


def problems_of(
    error: BaseException, path: str, more: tuple[str, ...] = ()
) -> Iterator[tuple[str, str]]:
    """
    The paths and problems of an error of a hook.

    Args:
        error: The error.
        path: The path of its value.
        more: Keys that an object has besides those of its class.
    """
    match error:
        case JsonError():
            for inner, message in error.places:
                yield joined(path, inner), message
        case ClassValidationError():
            noted, others = error.group_exceptions()
            for one, note in noted:
                yield from problems_of(one, joined(path, str(note.name)))
            for other in others:
                yield from problems_of(other, path, more)
        case IterableValidationError():
            listed, others = error.group_exceptions()
            for one, at in listed:
                yield from problems_of(one, f"{path}[{at.index!r}]")
            for other in others:
                yield from problems_of(other, path)
        case ForbiddenExtraKeysError():
            known = [*(one.name for one in attrs.fields(error.cl)), *more]
            for number, name in enumerate(sorted(map(str, error.extra_fields))):
                hint = nearest(name, known, number)
                yield joined(path, name), f"there is no such key{hint}"
        case KeyError():
            yield path, "is missing"
        case _:
            yield path, str(error) or type(error).__name__
