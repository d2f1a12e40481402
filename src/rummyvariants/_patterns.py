"""
The notation of actions: a pattern says once how a kind is read, written and checked.

A pattern is text with the names of fields in braces, such as ``split {meld} after
{after}``. A part in brackets may be left out: ``lay {cards}[ {end}] on {meld}``.
"""

from __future__ import annotations

import re

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, Final, NamedTuple, Self

import attrs

from rummyvariants._support.limits import DIGITS
from rummyvariants._support.values import Value
from rummyvariants.cards import Card, parse_cards
from rummyvariants.errors import ParseError
from rummyvariants.melds._meld import Played, read_played


_BEYOND: Final = 10**DIGITS


class Form(NamedTuple):
    """
    A form of the values of a field.

    Attributes:
        shape: A regular expression for words that may be read as one. Between two that
            accept blanks, a fixed word or sign must stand.
        read: A function that reads such words, given also what to write instead.
        write: A function that writes a value; an empty text leaves an optional part
            out.
        fits: Whether an object is such a value.
    """

    shape: str
    read: Callable[[str, str], Any]
    write: Callable[[Any], str]
    fits: Callable[[Any], bool]


class Pattern:
    """
    A way to write a kind of action.

    Args:
        text: The pattern.
        hint: What an error says is to be written; by default the pattern itself.
        forms: The form of each field that the pattern names.

    Attributes:
        name: The words that it begins with.
        word: The first of them.
        needed: The fields that an action must have to be written by it.
    """

    __slots__ = ("_parts", "_regex", "_text", "forms", "hint", "name", "needed", "word")

    def __init__(self, text: str, hint: str = "", /, **forms: Form) -> None:
        self._text = text
        self.name = re.split(r"[\[{]", text)[0].strip()
        self.word = self.name.partition(" ")[0]
        self.hint = hint or f"'{text}'"
        self.forms: Mapping[str, Form] = forms
        # What stands before a field, its name, and whether they may be left out.
        self._parts: list[tuple[str, str, bool]] = []
        self._regex = ""
        for part in filter(None, re.split(r"(\[.*?\]|\{\w+\})", text)):
            optional = part.startswith("[")
            before, _, name = part.strip("[]").partition("{")
            self._parts.append((before, name.strip("}"), optional))
        named = [name for _, name, optional in self._parts if name and not optional]
        self.needed = [name for name in named if not forms[name].fits(None)]

    def read(self, words: str) -> dict[str, Any] | None:
        """
        The values of the fields that some words name; None if they do not fit.

        Args:
            words: The words of an action, with single blanks between them.

        Raises:
            ParseError: If they fit, and one of them is no value of its field.
        """
        self._regex = self._regex or "".join(map(self._regex_of, self._parts))
        found = re.fullmatch(self._regex, words, re.IGNORECASE)
        if found is None:
            return None
        values = {
            name: self.forms[name].read(text, self.hint)
            for name, text in found.groupdict().items()
            if text is not None
        }
        for name, value in values.items():
            _need(self.forms[name].fits(value), self.hint)
        return values

    def _regex_of(self, part: tuple[str, str, bool]) -> str:
        before, name, optional = part
        # The melds that are shown may also follow "with", and blanks a colon.
        found = {" : ": " ?: ?", ": ": "(?: ?: ?| with )"}.get(before)
        if found is None:
            found = re.escape(before)
        if name:
            found += f"(?P<{name}>{self.forms[name].shape})"
        return f"(?:{found})?" if optional else found

    def write(self, action: object) -> str:
        """
        The text of an action.
        """
        text = ""
        for before, name, optional in self._parts:
            if not name:
                text += before
                continue
            value = getattr(action, name)
            if not optional or value is not None:
                written = self.forms[name].write(value)
                if written or not optional:
                    text += before + written
        return text

    def __repr__(self) -> str:
        return f"<Pattern {self._text!r}>"


class Action(Value):
    """
    What a player, or chance, does; each kind is an attrs class derived from this one.

    Attributes:
        patterns: The ways to write it. An action is written by the first whose fields
            it has.

    >>> action = rv.actions.Draw()
    >>> str(action), isinstance(action, rv.Action)
    ('draw', True)
    """

    __slots__ = ()

    patterns: ClassVar[Sequence[Pattern]] = ()

    @property
    def seat(self) -> int | None:
        """
        Who acts; None to leave it open. Each kind has it as a field.
        """
        raise NotImplementedError

    @property
    def word(self) -> str:
        """
        The word that it begins with.
        """
        return self.patterns[0].word

    @property
    def kind(self) -> str:
        """
        What kind of action it is, as the verb of `LegalAction` and `count_by_kind` say.

        >>> rv.game.parse_action("meld 7h 8h 9h / Kc Kd Ks").kind
        'go down'
        """
        verbs = import_module("rummyvariants.game.verbs._known").VERBS
        return str(verbs[type(self)].name_of(self))

    def by(self, seat: int) -> Self:
        """
        The same action, done by a seat.

        >>> rv.actions.Take(2).by(1)
        Take(count=2, seat=1)
        """
        action: Any = self
        done: Self = attrs.evolve(action, seat=seat)
        return done

    def as_dict(self) -> dict[str, Any]:
        """
        The action as plain values, ready for `json.dumps`; `from_json` reads it back.

        >>> rv.game.parse_action("take 1").as_dict()
        {'format': 1, 'seat': None, 'action': 'take 1'}
        """
        found: dict[str, Any] = import_module("rummyvariants.files.json").to_data(self)
        return found

    def __str__(self) -> str:
        kind: Any = type(self)
        for pattern in kind.patterns:
            if None not in [getattr(self, name) for name in pattern.needed]:
                break
        text: str = pattern.write(self)
        return text


# --------------------------------------------------------------------------- reading


def _need(condition: object, hint: str) -> None:
    if not condition:
        msg = f"write {hint}"
        raise ParseError(msg)


def number_of(text: str, hint: str = f"numbers of at most {DIGITS} digits") -> int:
    """
    A number of decimal digits that need not be small.
    """
    _need(len(text) <= DIGITS, hint)
    return int(text)


def _read_number(text: str, hint: str) -> int:
    _need(text.isdecimal() and len(text) < 6, hint)
    return int(text)


def _read_count(text: str, hint: str) -> int | None:
    return None if text.casefold() == "all" else _read_number(text, hint)


def _read_card(text: str, hint: str) -> Card:
    cards = parse_cards(text)
    _need(len(cards) == 1, hint)
    return cards[0]


def _read_thrown(text: str, hint: str) -> Card:
    if len(text.split()) > 1:
        msg = f"one card is discarded, and the melds follow a colon: write {hint}"
        raise ParseError(msg)
    return _read_card(text, hint)


def _read_cards(text: str, hint: str) -> tuple[Played, ...]:
    _need(text, hint)
    return tuple(read_played(word) for word in text.replace(",", " ").split())


def _read_melds(text: str, hint: str) -> tuple[tuple[Played, ...], ...]:
    if not {*text}.isdisjoint(";|+&"):
        msg = f"melds are separated by '/': write {hint}"
        raise ParseError(msg)
    return tuple(_read_cards(part.strip(), hint) for part in text.split("/"))


def _read_shown(text: str, hint: str) -> tuple[tuple[Played, ...], ...]:
    return () if text.casefold() == "none" else _read_melds(text, hint)


# --------------------------------------------------------------------------- writing


def _words(values: Sequence[object]) -> str:
    return " ".join(map(str, values))


def _melds(melds: Sequence[Sequence[Played]]) -> str:
    return " / ".join(map(_words, melds))


# -------------------------------------------------------------------------- checking


def _is_number(given: object) -> bool:
    return type(given) is int and -_BEYOND < given < _BEYOND


def _are(kind: type, given: object) -> bool:
    return type(given) is tuple and all(type(one) is kind for one in given)


def _are_played(given: Any) -> bool:
    return _are(Played, given) and given != ()


def _are_melds(given: Any) -> bool:
    return type(given) is tuple and all(map(_are_played, given))


# ----------------------------------------------------------------------------- forms


NUMBER: Final = Form(r"\S+", _read_number, str, _is_number)
COUNT: Final = Form(
    ".+?",
    _read_count,
    lambda count: "all" if count is None else str(count),
    lambda given: given is None or _is_number(given),
)
"""A number of discards, or all."""
LONG: Final = Form(r"\d+", lambda text, _: number_of(text), str, _is_number)
"""A number that need not be small."""
MORE: Final = LONG._replace(write=lambda number: str(number or ""))
"""Such a number, 0 unless it is said."""
NUMBERS: Final = Form(
    r"\d+(?: \d+)*",
    lambda text, _: tuple(map(number_of, text.split())),
    _words,
    lambda given: type(given) is tuple and all(map(_is_number, given)),
)
END: Final = Form(
    "low|high",
    lambda text, _: text.lower(),
    str,
    lambda given: isinstance(given, str) and given in {"low", "high"},
)
CARD: Final = Form(r"[^ :]+", _read_card, str, lambda given: type(given) is Card)
THROWN: Final = CARD._replace(shape="(?!with )[^:]+?", read=_read_thrown)
"""The discard of an action that also shows melds."""
DECK: Final = Form(
    ".+",
    lambda text, _: parse_cards(text),
    _words,
    lambda given: _are(Card, given) and given != (),
)
TOGETHER: Final = DECK._replace(shape=r"(?!(?:low|high)\b)[^/]+?")
"""Cards that are traded together with another."""
PLAYED: Final = Form("[^/]+?", _read_cards, _words, _are_played)
"""The cards of a play, each with what it stands for."""
SHOWN: Final = Form(
    ".+", _read_shown, lambda melds: _melds(melds) or "none", _are_melds
)
"""Melds that are shown, if there are any."""
MELDS: Final = Form(
    ".+", _read_melds, _melds, lambda given: _are_melds(given) and given != ()
)
SEVERAL: Final = Form(
    ".*/.*", _read_melds, _melds, lambda given: _are_melds(given) and len(given) > 1
)
"""Two melds or more."""
