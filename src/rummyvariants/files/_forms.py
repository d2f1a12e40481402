"""
Forms: how values of a kind are written, read and described.

A form serves both notations. In a file a seat is a player's name, cards are one text,
and what each seat has is a table by name; in JSON a seat is a number, cards are a list
of texts, and what each seat has is a list. Everything else is the same.
"""

from __future__ import annotations

import functools
import inspect
import re
import types

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import attrs

from rummyvariants._support.arguments import members_of
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import CopiesError, ParseError, nearest
from rummyvariants.files._problems import FORMAT, Problems, joined, key_meant, said
from rummyvariants.melds._meld import Place, Played


T = TypeVar("T")
Names = Sequence[str] | None
"""The players, where seats are written by name; None in JSON."""
Schema = dict[str, Any]

_EXACT: Final = 1 << 53
"""A float holds every whole number up to this one."""


@attrs.define
class Reading:
    """
    What is known while a document is read.

    Attributes:
        problems: Where problems are noted.
        names: The players, if seats are given by name: in a file.
        seats: How many seats there are, if that is known.
        rules: The rules, once they are known.
    """

    problems: Problems
    names: tuple[str, ...] | None = None
    seats: int | None = None
    rules: Any = None

    def wrong(self, path: str, message: str) -> None:
        """
        Note a problem.
        """
        self.problems.add(path, message)

    def unfit(self, path: str, wanted: str, given: object) -> None:
        """
        Note a value of the wrong kind.
        """
        self.problems.add(path, f"give {wanted}, not {said(given)}")

    def nearest(self, name: object, known: Iterable[str]) -> str:
        """
        The name that was probably meant, unless many problems were found.
        """
        return nearest(name, known, len(self.problems.found))


def is_exact(given: float) -> bool:
    """
    Whether a float is a whole number that it holds exactly.
    """
    return given.is_integer() and abs(given) <= _EXACT


def _is_empty(given: object) -> bool:
    """
    Whether a file says nothing.
    """
    return isinstance(given, str) and not given


class Form(Generic[T]):
    """
    How values of a kind are written, read and described.

    Attributes:
        name: Its name in the schema, if it is described there once.
        nothing: What stands for a value that cannot be read, once that was noted.
    """

    name = ""
    nothing: Any = None

    def write(self, value: T, names: Names = None) -> Any:
        """
        A value as plain data.
        """
        return value

    def read(self, given: object, path: str, at: Reading) -> T:
        """
        The value that plain data describes; `nothing`, with a note, if it is none.
        """
        raise NotImplementedError

    def schema(self, defs: dict[str, Schema]) -> Schema:
        """
        The JSON Schema of its values. Named forms within are described in `defs`.
        """
        raise NotImplementedError

    def described(self, defs: dict[str, Schema]) -> Schema:
        """
        Its schema, or where that stands in `defs`.
        """
        if not self.name:
            return self.schema(defs)
        if self.name not in defs:
            defs[self.name] = {}  # it may refer to itself
            defs[self.name] = self.schema(defs)
        return {"$ref": f"#/$defs/{self.name}"}

    def in_order(self, value: T) -> T:
        """
        A value with whatever has no order put in one, so that it can be compared.
        """
        return value

    def differences(
        self, there: T, given: object, path: str, at: Reading
    ) -> Iterator[str]:
        """
        What differs between a value and what was expected of it.
        """
        wanted = self.write(self.in_order(self.read(given, path, at)), at.names)
        is_there = self.write(self.in_order(there), at.names)
        if wanted != is_there:
            yield f"expected {wanted!r}, but it is {is_there!r}"


# ---------------------------------------------------------------------- plain values


class Whole(Form[int]):
    """
    Whole numbers, at least `least` if that is not None.
    """

    def __init__(self, least: int | None = 0) -> None:
        self.least = least
        self.nothing = least or 0
        self.wanted = "a whole number" + ("" if least is None else f" from {least}")

    def read(self, given: object, path: str, at: Reading) -> int:
        value = given
        if isinstance(given, float) and is_exact(given):
            value = int(given)  # some languages write whole numbers like this
        if type(value) is int and (self.least is None or value >= self.least):
            return value
        at.unfit(path, self.wanted, given)
        return self.nothing  # type: ignore[no-any-return]

    def schema(self, defs: dict[str, Schema]) -> Schema:
        least = {} if self.least is None else {"minimum": self.least}
        return {"type": "integer", **least}


class Plain(Form[T]):
    """
    Values of a Python type, as they are.
    """

    def __init__(self, kind: type[T], wanted: str, word: str) -> None:
        self.kind, self.wanted, self.word = kind, wanted, word
        self.nothing = kind()

    def read(self, given: object, path: str, at: Reading) -> T:
        if isinstance(given, self.kind):
            return given
        at.unfit(path, self.wanted, given)
        return self.nothing  # type: ignore[no-any-return]

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {"type": self.word}


TEXT: Final = Plain(str, "a text", "string")
FLAG: Final = Plain(bool, "true or false", "boolean")
COUNT: Final = Whole()
POINTS: Final = Whole(None)


class Anything(Form[Any]):
    """
    Whatever data can hold.
    """

    def read(self, given: object, path: str, at: Reading) -> Any:
        return given

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {}


ANYTHING: Final = Anything()


class Word(Form[Any]):
    """
    One of a few words.
    """

    def __init__(self, *words: Any) -> None:
        self.words = words
        self.nothing = words[0]

    def read(self, given: object, path: str, at: Reading) -> Any:
        for word in self.words:
            if type(given) is type(word) and given == word:
                return word
        texts = [one for one in self.words if isinstance(one, str)]
        if isinstance(given, str) and texts:
            at.wrong(path, f"{said(given)} is unknown{at.nearest(given, texts)}")
        else:
            at.unfit(path, " or ".join(map(repr, self.words)), given)
        return self.nothing

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {"enum": list(self.words)}


class Maybe(Form[T | None]):
    """
    A value or nothing, which is null in JSON; in a file it is left out, or empty.
    """

    def __init__(self, form: Form[T]) -> None:
        self.form = form

    def write(self, value: T | None, names: Names = None) -> Any:
        if value is None:
            return None if names is None else ""
        return self.form.write(value, names)

    def read(self, given: object, path: str, at: Reading) -> T | None:
        if given is None or (at.names is not None and _is_empty(given)):
            return None
        noted = len(at.problems.found)
        found = self.form.read(given, path, at)
        return found if len(at.problems.found) == noted else None

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {"anyOf": [self.form.described(defs), {"type": "null"}]}


class Many(Form[tuple[T, ...]]):
    """
    Lists of values of one form.
    """

    nothing = ()

    def __init__(self, form: Form[T], wanted: str = "a list") -> None:
        self.form, self.wanted = form, wanted

    def write(self, value: tuple[T, ...], names: Names = None) -> Any:
        return [self.form.write(one, names) for one in value]

    def read(self, given: object, path: str, at: Reading) -> tuple[T, ...]:
        if not isinstance(given, list | tuple):
            at.unfit(path, self.wanted, given)
            return ()
        read = self.form.read
        return tuple(
            [read(one, f"{path}[{place}]", at) for place, one in enumerate(given)]
        )

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {"type": "array", "items": self.form.described(defs)}


# ----------------------------------------------------------------------------- cards


class _Spelled(Form[T]):
    """
    Values that have one text each, such as cards.
    """

    def __init__(self, name: str, kind: Callable[[str], T], wanted: str) -> None:
        self.name, self.kind, self.wanted = name, kind, wanted

    def write(self, value: T, names: Names = None) -> Any:
        return str(value)

    def read(self, given: object, path: str, at: Reading) -> T:
        in_file = at.names is not None
        if in_file and isinstance(given, Card):
            return given  # type: ignore[return-value]
        if not isinstance(given, str):
            at.unfit(path, self.wanted, given)
            return self.nothing  # type: ignore[no-any-return]
        try:
            found = self.kind(given)
        except ParseError as error:
            if in_file:
                at.wrong(path, str(error))
            else:
                at.unfit(path, self.wanted, given)
            return self.nothing  # type: ignore[no-any-return]
        if not in_file and str(found) != given:
            at.unfit(path, repr(str(found)), given)
        return found

    def schema(self, defs: dict[str, Schema]) -> Schema:
        shape, what = _SPELLINGS[self.name]
        return {"description": what, "type": "string", "pattern": f"^({shape})$"}


_FACE: Final = r"[2-9TJQKA][cdhsx]"
_PLACE: Final = r"[2-9TJQKA][cdhsx]?"
_SPELLINGS: Final = {
    "card": (rf"{_FACE}|\*", "A card: its rank and suit such as 'Th', '*' a joker."),
    "place": (_PLACE, "What a wild stands for: a card, or a rank alone."),
    "played": (
        rf"({_FACE}|\*)(={_PLACE})?",
        "A card with what it stands for, if it is declared: '*=8h'.",
    ),
}
CARD: Final = _Spelled("card", Card, "a card such as 'Kc', or '*' for a joker")
PLACE: Final = _Spelled("place", Place, "a card such as '8h', or a rank alone")
PLAYED: Final = _Spelled("played", Played, "a card such as 'Kc', or '*=8h' for a wild")


class _Cards(Many[Card]):
    """
    Cards: a list of texts in JSON, one text in a file.
    """

    name = "cards"

    def write(self, value: Iterable[Card], names: Names = None) -> Any:
        return [*map(str, value)] if names is None else " ".join(map(str, value))

    def read(self, given: object, path: str, at: Reading) -> tuple[Card, ...]:
        if at.names is not None:
            return self._from_file(given, path, at)
        noted = len(at.problems.found)
        found = super().read(given, path, at)
        if len(at.problems.found) > noted:
            return ()
        try:
            Cards(found)
        except CopiesError as error:
            at.wrong(path, str(error))
            return ()
        return found

    def _from_file(self, given: object, path: str, at: Reading) -> tuple[Card, ...]:
        words = given
        if isinstance(given, Card):
            words = (given,)
        elif isinstance(given, str):
            words = given.replace(",", " ").split()
        elif not isinstance(given, Cards | tuple | list) or not all(
            isinstance(one, Card) for one in given
        ):
            at.wrong(path, "give cards as a text, such as '7h 8h'")
            return ()
        assert isinstance(words, Iterable)  # noqa: S101
        found = [CARD.read(one, path, at) for one in words]
        return tuple(filter(None, found))

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return {"description": "Cards in order.", **super().schema(defs)}


CARDS: Final = _Cards(CARD)


class _Hand(_Cards):
    """
    Cards in no order.
    """

    name = "cards"

    def in_order(self, value: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(sorted(value))


HAND: Final = _Hand(CARD)


# ----------------------------------------------------------------------------- seats


class _Seat(Form[int]):
    """
    Seats: a number from 0 in JSON, a name in a file.
    """

    name = "seat"
    nothing = 0

    def write(self, value: int, names: Names = None) -> Any:
        return value if names is None else names[value]

    def read(self, given: object, path: str, at: Reading) -> int:
        if at.names is not None:
            if isinstance(given, str) and given in at.names:
                return at.names.index(given)
            hint = at.nearest(given, at.names)
            at.wrong(path, f"there is no seat {said(given)}{hint}")
            return 0
        found = COUNT.read(given, path, at)
        if at.seats is not None and found >= at.seats:
            message = f"there is no seat {found}; seats go from 0 to {at.seats - 1}"
            at.wrong(path, message)
            return 0
        return found

    def schema(self, defs: dict[str, Schema]) -> Schema:
        what = "A seat, counted clockwise from 0."
        return {"description": what, "type": "integer", "minimum": 0}


SEAT: Final = _Seat()
SEAT_OR_NONE: Final = Maybe(SEAT)


class _Seats(Many[int]):
    """
    Several seats.
    """

    def read(self, given: object, path: str, at: Reading) -> tuple[int, ...]:
        in_file = at.names is not None
        named = [given] if in_file and isinstance(given, str) and given else given
        noted = len(at.problems.found)
        found = super().read([] if in_file and _is_empty(given) else named, path, at)
        if len({*found}) != len(found) and len(at.problems.found) == noted:
            at.wrong(path, "a seat appears twice")
        return found

    def in_order(self, value: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(value))


SEATS: Final = _Seats(SEAT, "a list of seats")


class SeatsOrAll(Form[tuple[int, ...] | None]):
    """
    The seats that know something; None for everybody, spectators too.
    """

    name = "seats_or_all"
    word = "everybody"

    def write(self, value: tuple[int, ...] | None, names: Names = None) -> Any:
        if value is None:
            return None if names is None else self.word
        return SEATS.write(value, names)

    def read(self, given: object, path: str, at: Reading) -> tuple[int, ...] | None:
        if given is None if at.names is None else isinstance(given, str):
            if given not in {None, self.word}:
                at.unfit(path, SEATS.wanted, given)
            return None
        return SEATS.read(given, path, at)

    def schema(self, defs: dict[str, Schema]) -> Schema:
        what = "The seats that know it; null for everybody."
        return {
            "description": what,
            "anyOf": [SEATS.described(defs), {"type": "null"}],
        }


class BySeat(Form[tuple[T, ...]]):
    """
    A value for each seat: a list in JSON, a table by name in a file.

    Args:
        form: The form of each value.
        default: What a seat has that is not in the table.
        may_be_empty: Whether there may be no values at all.
    """

    nothing = ()

    def __init__(
        self, form: Form[T], default: T, *, may_be_empty: bool = False
    ) -> None:
        self.form, self.default, self.may_be_empty = form, default, may_be_empty

    def write(self, value: tuple[T, ...], names: Names = None) -> Any:
        found = [self.form.write(one, names) for one in value]
        return found if names is None else dict(zip(names, found, strict=True))

    def read(self, given: object, path: str, at: Reading) -> tuple[T, ...]:
        if at.names is None:
            return self._listed(given, path, at)
        found = dict(self.entries(given, path, at))
        return tuple([found.get(seat, self.default) for seat in range(len(at.names))])

    def _listed(self, given: object, path: str, at: Reading) -> tuple[T, ...]:
        found = Many(self.form).read(given, path, at)
        wrong = at.seats is not None and len(found) != at.seats
        if wrong and (found or not self.may_be_empty) and isinstance(given, list):
            message = f"give one entry for each player, {at.seats} in all"
            at.wrong(path, f"{message}, not {len(found)}")
        return found

    def entries(self, given: object, path: str, at: Reading) -> Iterator[tuple[int, T]]:
        """
        The entries of a table in a file, by seat.
        """
        names = at.names or ()
        if isinstance(given, list | tuple):
            if len(given) > len(names):
                at.wrong(path, f"there are {len(names)} players, not {len(given)}")
                return
            given = dict(zip(names, given, strict=False))
        if not isinstance(given, Mapping):
            example = f"{path} = {{ {names[0]} = ... }}"
            at.wrong(path, f"say what each seat has, as in {example}")
            return
        for name, value in given.items():
            noted = len(at.problems.found)
            numbered = type(name) is int and 0 <= name < len(names)
            seat = name if numbered else SEAT.read(name, path, at)
            if len(at.problems.found) == noted:
                yield seat, self.form.read(value, f"{path}.{name}", at)

    def differences(
        self, there: tuple[T, ...], given: object, path: str, at: Reading
    ) -> Iterator[str]:
        if not isinstance(given, Mapping):
            self.read(given, path, at)
            return
        for name, wanted in given.items():
            seat = SEAT.read(name, path, at)
            place = joined(path, str(name))
            lines = self.form.differences(there[seat], wanted, place, at)
            yield from (f"{name}: {line}" for line in lines)

    def schema(self, defs: dict[str, Schema]) -> Schema:
        return Many(self.form).schema(defs)


# --------------------------------------------------------------------------- objects


class Table(Form[Mapping[str, T]]):
    """
    Values by keys of any name.
    """

    nothing: Mapping[str, Any] = types.MappingProxyType({})

    def __init__(self, form: Form[T], wanted: str = "") -> None:
        self.form, self.wanted = form, wanted

    def write(self, value: Mapping[str, T], names: Names = None) -> Any:
        return {str(key): self.form.write(one, names) for key, one in value.items()}

    def read(self, given: object, path: str, at: Reading) -> Mapping[str, T]:
        if not isinstance(given, Mapping):
            wanted = "an object" if at.names is None else "a table"
            at.unfit(path, self.wanted or wanted, given)
            return {}
        return {
            str(key): self.form.read(one, joined(path, str(key)), at)
            for key, one in given.items()
        }

    def schema(self, defs: dict[str, Schema]) -> Schema:
        inner = self.form.described(defs)
        return {"type": "object", **({"additionalProperties": inner} if inner else {})}


class Fields(Form[T]):
    """
    Objects of an attrs class, a key for each field.

    A field with a default may be left out.

    Args:
        shape: The class.
        name: Its name in the schema.
        derived: Keys that are written for readers, and follow from the others.
        without: Fields that are not written.
        rare: Fields that are left out if they hold their default.
        wanted: What to give, in words.
        counted: The key that lists the players, if there is one.
        forms: The forms of fields whose type does not say it.
    """

    def __init__(
        self,
        shape: type[T],
        name: str = "",
        *,
        derived: Mapping[str, Form[Any]] | None = None,
        without: Sequence[str] = (),
        rare: Sequence[str] = (),
        wanted: str = "",
        counted: str = "",
        **forms: Form[Any],
    ) -> None:
        self.shape: Any = shape
        self.name = name
        self.derived = dict(derived or {})
        self.without, self.rare, self.wanted = without, rare, wanted
        self.counted = counted
        self.given = forms

    @functools.cached_property
    def forms(self) -> dict[str, tuple[Form[Any], Any]]:
        """
        The forms of its fields, each with its default.
        """
        hints = get_type_hints(self.shape)
        return {
            one.name: (
                self.given.get(one.name)
                or one.metadata.get("form")
                or form_of(hints[one.name], one.name),
                default_of(one),
            )
            for one in attrs.fields(self.shape)
            if one.init and one.name not in self.without
        }

    def write(self, value: T, names: Names = None) -> Any:
        found = self.fields(value, names)
        for name, form in self.derived.items():
            found[name] = form.write(getattr(value, name), names)
        return found

    def fields(self, value: T, names: Names = None) -> dict[str, Any]:
        """
        What is written of its fields.
        """
        found = {}
        for name, (form, default) in self.forms.items():
            one = getattr(value, name)
            if name not in self.rare or one != default:
                found[name] = form.write(one, names)
        return found

    def read(self, given: object, path: str, at: Reading) -> T:
        found = self.values(given, path, at)
        return self.nothing if found is None else self.shape(**found)  # type: ignore[no-any-return]

    def values(
        self, given: object, path: str, at: Reading, more: Sequence[str] = ()
    ) -> dict[str, Any] | None:
        """
        The values of its fields; None, with notes, if something is wrong.

        Args:
            given: The data.
            path: Its place.
            at: What is known.
            more: Further keys that it may have.
        """
        noted = len(at.problems.found)
        found = self.parts(given, path, at, more)
        return found if len(at.problems.found) == noted else None

    def parts(
        self, given: object, path: str, at: Reading, more: Sequence[str] = ()
    ) -> dict[str, Any]:
        """
        The same, as far as they can be read.
        """
        if not isinstance(given, Mapping):
            wanted = "an object" if at.names is None else "a table"
            at.unfit(path, self.wanted or wanted, given)
            return {}
        known = [*self.forms, *self.derived, *more]
        unknown_keys(given, known, path, at)
        players = given.get(self.counted)
        if isinstance(players, list) and players:
            at = attrs.evolve(at, seats=len(players))
        found = {}
        for name, (form, default) in self.forms.items():
            if name in given:
                found[name] = form.read(given[name], joined(path, name), at)
            elif default is attrs.NOTHING:
                at.wrong(joined(path, name), "is missing")
        for name, form in self.derived.items():
            if name in given:
                form.read(given[name], joined(path, name), at)
        return found

    def schema(self, defs: dict[str, Schema]) -> Schema:
        what, told = described(self.shape)
        properties = {}
        every = {name: form for name, (form, _) in self.forms.items()} | self.derived
        for name, form in every.items():
            text = {"description": told[name]} if name in told else {}
            properties[name] = {**text, **form.described(defs)}
        needed = [
            name
            for name, (_, default) in self.forms.items()
            if default is attrs.NOTHING
        ]
        return closed(what, properties, needed)


FORMAT_SCHEMA: Final[Schema] = {
    "description": "The version of the format; this one if it is left out.",
    "const": FORMAT,
}


def unknown_keys(
    given: Mapping[Any, Any], known: Sequence[str], path: str, at: Reading
) -> None:
    """
    Note keys that nothing reads.
    """
    for name in sorted(map(str, {*given} - {*known})):
        hint = key_meant(name, known, len(at.problems.found))
        at.wrong(joined(path, name), f"there is no such key{hint}")


def closed(what: str, properties: Schema, needed: Sequence[str]) -> Schema:
    """
    The schema of an object with these keys and no others.
    """
    return {
        "description": what,
        "type": "object",
        "properties": properties,
        "required": [*needed],
        "additionalProperties": False,
    }


def default_of(field: Any) -> Any:
    """
    The default of a field of an attrs class.
    """
    default = field.default
    return default.factory() if isinstance(default, attrs.Factory) else default  # type: ignore[arg-type]


@functools.cache
def described(shape: Any) -> tuple[str, dict[str, str]]:
    """
    What the docstring of a class says of it and of its attributes.
    """
    what = ""
    told: dict[str, str] = {}
    for kind in reversed(shape.__mro__):
        what, more = attributes_of(kind.__doc__ or "")
        told |= more
    return what, {
        name: words.replace("``", "'").replace("`", "") for name, words in told.items()
    }


def attributes_of(text: str) -> tuple[str, dict[str, str]]:
    """
    What a docstring says first, and what it says of each attribute.
    """
    head, _, below = inspect.cleandoc(text).partition("\nAttributes:\n")
    found = {}
    for entry in re.split(r"\n(?=    \w+: )", "\n" + below.partition("\n\n")[0]):
        name, colon, words = entry.strip().partition(": ")
        if colon:
            found[name] = " ".join(words.split())
    return " ".join(head.partition("\n\n")[0].split()), found


# ------------------------------------------------------------------- forms of types


_SEAT_NAMES: Final = frozenset(
    {"seat", "maker", "owner", "dealer", "asked", "out", "turn"}
)
_OF_SEATS: Final = frozenset({"winners", "seats", "left", "shown_to", "waiting"})
_ANY_NUMBER: Final = frozenset(
    {"points", "scores", "total", "points_left", "side_scores", "final_scores"}
    | {"payments", "paid"}
)
"""Names of fields that hold any whole numbers, below 0 too."""
_OWN: Final[dict[Any, Form[Any]]] = {
    str: TEXT,
    bool: FLAG,
    Card: CARD,
    Place: PLACE,
    Played: PLAYED,
    Cards: CARDS,
    Any: ANYTHING,
}


def register(kind: Any, form: Form[Any]) -> None:
    """
    Let a form write and read fields of a type.
    """
    _OWN[kind] = form


def form_of(kind: Any, name: str = "") -> Form[Any]:
    """
    The form of a field, by its type and its name.
    """
    if kind in _OWN:
        return _OWN[kind]
    if kind is int:
        if name in _SEAT_NAMES or name in _OF_SEATS:
            return SEAT
        return POINTS if name in _ANY_NUMBER else COUNT
    origin, inner, members = get_origin(kind), get_args(kind), members_of(kind)
    if len(members) > 1:
        return Maybe(
            form_of(next(one for one in members if one is not type(None)), name)
        )
    if origin is Literal:
        return Word(*inner)
    if origin is tuple:
        if inner[0] is Card:
            return CARDS
        return SEATS if name in _OF_SEATS else Many(form_of(inner[0], name))
    if attrs.has(kind):
        _OWN[kind] = Fields(
            kind, re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
        )
        return _OWN[kind]
    msg = f"no form is known for {kind}"
    raise TypeError(msg)
