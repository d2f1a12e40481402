"""
What all policies share: values that are documented, checked and read from files.

A policy is a frozen class. Each of its fields is a *policy value*: it has a name for
rules files, a default, a sentence that says what it decides, and a description of what
it accepts.
"""

from __future__ import annotations

import re

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeGuard

import attrs

from rummyvariants._support.values import Value
from rummyvariants._support.words import listed
from rummyvariants.cards import RANKS, Card
from rummyvariants.errors import nearest
from rummyvariants.house._claims import POLICIES
from rummyvariants.house.rules import HouseRule, rule_given


@attrs.frozen(eq=False, repr=False)
class Policy(Value):
    """
    Base of all policies.

    Its methods and properties say what the values mean.

    Attributes:
        section: The name of the policy in rules files.
        rules: House rules that are in force in addition to the values.
    """

    section: ClassVar[str] = ""

    rules: tuple[HouseRule, ...] = attrs.field(
        default=(),
        kw_only=True,
        metadata={
            "doc": "House rules that are in force in addition to the values, by name.",
            "takes": "a list of rules, by name or as {name = ..., points = 40}",
        },
    )

    def __init_subclass__(cls) -> None:
        POLICIES[cls.section] = cls

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        House rules by which values of this policy are played, each with the value.
        """
        return iter(())

    @classmethod
    def values(cls) -> Mapping[str, attrs.Attribute[Any]]:
        """
        The policy values by name, the house rules last.
        """
        found = _VALUES.get(cls)
        if found is None:
            rules, *values = attrs.fields(cls)
            found = MappingProxyType({field.name: field for field in (*values, rules)})
            _VALUES[cls] = found
        return found

    @classmethod
    def read(cls, name: str, given: object) -> Any:
        """
        A value from a rules file, checked and made immutable.

        Raises:
            ValueError: If this policy value does not accept it.
        """
        if name == "rules":
            return _read_rules(cls.section, given)
        return cls.values()[name].metadata["read"](given)


_VALUES: Final[dict[type[Policy], Mapping[str, attrs.Attribute[Any]]]] = {}
"""What `Policy.values` has answered."""


def _read_rules(section: str, given: object) -> tuple[HouseRule, ...]:
    if isinstance(given, str | Mapping | HouseRule):
        given = [given]
    if not isinstance(given, (list, tuple)):
        raise _wrong(given, "a list of rules, by name or as {name = ..., points = 40}")
    found = {rule.name: rule for rule in [rule_given(section, one) for one in given]}
    if len(found) < len(given):
        raise _wrong(given, "each rule once")
    return tuple(found.values())


def _value(default: Any, doc: str, takes: str, read: Callable[[object], Any]) -> Any:
    return attrs.field(
        default=default,
        kw_only=True,
        metadata={"doc": doc, "takes": takes, "read": read},
    )


def _wrong(given: object, takes: str) -> ValueError:
    return ValueError(f"{given!r} is not allowed: give {takes}")


MOST: Final = 1_000_000
"""The greatest number that a policy value may be."""


def is_whole(given: object, least: int, most: int = MOST) -> TypeGuard[int]:
    """
    Whether something is a whole number within bounds.
    """
    return (
        isinstance(given, int)
        and not isinstance(given, bool)
        and least <= given <= most
    )


MOST_PLAYERS: Final = 99
"""The most players that a game may be for."""


def _table(given: object) -> object:
    """
    A table given as pairs, the form in which policies hold it, as a mapping.

    An empty table may be written as an empty list, as it is shown.
    """
    if given == []:
        return {}
    if isinstance(given, tuple) and all(
        isinstance(pair, tuple) and len(pair) == 2 for pair in given
    ):
        return dict(given)
    return given


def choice(default: str, *options: str, doc: str) -> Any:
    """
    A policy value that is one of a few words.
    """
    takes = listed([f"{option!r}" for option in (default, *options)], "or")

    def read(given: object) -> str:
        if given in (default, *options):
            return str(given)
        hint = nearest(given, (default, *options)) if isinstance(given, str) else ""
        msg = f"{given!r} is not allowed: give {takes}{hint if 'mean' in hint else ''}"
        raise ValueError(msg)

    return _value(default, doc, takes, read)


def when(value: str, word: str) -> cached_property[bool]:
    """
    A name for a word: whether a policy value is that word.
    """
    return cached_property(lambda policy: getattr(policy, value) == word)


def unless(value: str, word: str) -> cached_property[bool]:
    """
    A name for all words but one: whether a policy value is another.
    """
    return cached_property(lambda policy: getattr(policy, value) != word)


def number_in(value: str) -> cached_property[int | None]:
    """
    A name for a number: that of a policy value, or None where it is a word.
    """

    def read(policy: Policy) -> int | None:
        found = getattr(policy, value)
        return found if isinstance(found, int) else None

    return cached_property(read)


def flag(default: bool, doc: str) -> Any:  # noqa: FBT001 -- the default comes first
    """
    A policy value that is true or false.
    """

    def read(given: object) -> bool:
        if isinstance(given, bool):
            return given
        raise _wrong(given, "true or false")

    return _value(default, doc, "true or false", read)


def number(default: int, doc: str, *, least: int = 0, most: int = MOST) -> Any:
    """
    A policy value that is a whole number.
    """
    takes = f"a whole number from {least}" + (f" to {most}" if most < MOST else "")

    def read(given: object) -> int:
        if is_whole(given, least, most):
            return given
        raise _wrong(given, takes)

    return _value(default, doc, takes, read)


def number_or(default: str | int, *words: str, doc: str, least: int = 1) -> Any:
    """
    A policy value that is a whole number or one of a few words.

    A default that is a word is the first of them.
    """
    words = (default, *words) if isinstance(default, str) else words
    takes = listed(
        [f"a whole number from {least}", *[f"{word!r}" for word in words]], "or"
    )

    def read(given: object) -> str | int:
        if isinstance(given, str) and given in words:
            return given
        if is_whole(given, least):
            return given
        raise _wrong(given, takes)

    return _value(default, doc, takes, read)


def ranks(default: str, doc: str) -> Any:
    """
    A policy value that is a set of ranks, written as one word: ``A3456789TJQK``.
    """

    def read(given: object) -> str:
        if isinstance(given, str):
            word = given.upper().replace("10", "T").replace(" ", "")
            if set(word) <= set(RANKS) and len(set(word)) == len(word):
                return "".join(rank for rank in RANKS if rank in word)
        raise _wrong(given, "ranks as one word, each once, such as '3456789TJQKA'")

    return _value(default, doc, "ranks as one word", read)


def letters(default: str, allowed: str, doc: str) -> Any:
    """
    A policy value that is some of the given letters.
    """

    def read(given: object) -> str:
        if isinstance(given, str) and given and set(given) <= set(allowed):
            return "".join(letter for letter in allowed if letter in given)
        raise _wrong(given, f"letters out of {allowed!r}")

    return _value(default, doc, f"letters out of {allowed!r}", read)


def between(default: tuple[int, int], doc: str) -> Any:
    """
    A policy value that is a lowest and a highest number.
    """

    def read(given: object) -> tuple[int, int]:
        if isinstance(given, (list, tuple)) and len(given) == 2:
            low, high = given
            if is_whole(low, 1, MOST_PLAYERS) and is_whole(high, low, MOST_PLAYERS):
                return (low, high)
        raise _wrong(given, f"two numbers from 1 to {MOST_PLAYERS}, such as [2, 8]")

    return _value(default, doc, "a lowest and a highest number", read)


def by_players(
    default: Mapping[int, int], doc: str, by: str = "the number of players"
) -> Any:
    """
    A policy value by the number of players, or by another number.

    An entry applies from that number on. The table may be empty if the default is.
    """

    def read(given: object) -> tuple[tuple[int, int], ...]:
        if is_whole(given, 1):
            return ((1, given),)
        found = _by_number(given, r"\d{1,2}", 1)
        if found is None or (default and not found):
            raise _wrong(given, f"a number, or numbers by {by}: {{2 = 10, 3 = 7}}")
        return found

    return _value(tuple(sorted(default.items())), doc, f"numbers by {by}", read)


def by_total(doc: str) -> Any:
    """
    A policy value by the total score of a side; an entry applies from that total on.
    """
    takes = "numbers by the total of a side"

    def read(given: object) -> tuple[tuple[int, int], ...]:
        found = _by_number(given, r"-?\d{1,6}", 0)
        if found is None:
            raise _wrong(given, f"{takes}: {{0 = 50, 1500 = 90}}")
        return found

    return _value((), doc, takes, read)


def _by_number(
    given: object, numbers: str, least: int
) -> tuple[tuple[int, int], ...] | None:
    """
    A table by numbers that match a pattern, in order; None if it is no such table.
    """
    given = _table(given)
    if not isinstance(given, Mapping):
        return None
    found = {}
    for key, value in given.items():
        # JSON and TOML have no keys that are numbers.
        if not re.fullmatch(numbers, str(key)) or not is_whole(value, least):
            return None
        found[int(str(key))] = value
    return tuple(sorted(found.items())) if len(found) == len(given) else None


def from_table(table: tuple[tuple[int, int], ...], number: int) -> int:
    """
    The entry that holds for so many players, or for a round, in a table of such.
    """
    found = table[0][1]
    for least, value in table:
        if number >= least:
            found = value
    return found


def by_rank(default: Mapping[str, int], doc: str, *, least: int = -MOST) -> Any:
    """
    A policy value by rank, such as points: ``{K = 10, A = 15}``.
    """
    allowed = RANKS + "*"

    def rank_of(key: str) -> str:
        rank = key.upper().replace("10", "T")
        if len(rank) != 1 or rank not in allowed:
            msg = f"{key!r} is not a rank: ranks are {' '.join(allowed)}"
            raise ValueError(msg)
        return rank

    def in_order(found: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
        return tuple((rank, found[rank]) for rank in allowed if rank in found)

    def read(given: object) -> tuple[tuple[str, int], ...]:
        takes = "numbers by rank, such as {K = 10, A = 15}"
        return in_order(_by_name(given, takes, rank_of, least))

    return _value(in_order(default), doc, "numbers by rank", read)


def by_card(doc: str) -> Any:
    """
    A policy value by card, such as ``{Qs = 45}``; empty by default.
    """

    def read(given: object) -> tuple[tuple[str, int], ...]:
        takes = "numbers by card, such as {Qs = 45}"
        return tuple(sorted(_by_name(given, takes, _card).items()))

    return _value((), doc, "numbers by card", read)


def _card(name: str) -> str:
    return str(Card(name))


def _by_name(
    given: object, takes: str, read_name: Callable[[str], str], least: int = -MOST
) -> dict[str, int]:
    """
    A table of whole numbers by names, each as it is read.
    """
    given = _table(given)
    if not isinstance(given, Mapping):
        raise _wrong(given, takes)
    found = {}
    for key, value in given.items():
        name = read_name(str(key))
        if not is_whole(value, least):
            raise _wrong(value, f"a whole number from {least} to {MOST} for {key!r}")
        found[name] = value
    return found


def cards(doc: str) -> Any:
    """
    A policy value that is a list of cards; empty by default.
    """

    def read(given: object) -> tuple[str, ...]:
        if isinstance(given, str):
            given = given.split()
        if not isinstance(given, (list, tuple)):
            raise _wrong(given, "a list of cards")
        return tuple(sorted({_card(str(one)) for one in given}))

    return _value((), doc, "a list of cards", read)


def contracts(doc: str) -> Any:
    """
    A policy value that is a list of contracts, such as ``set 3, run 4``, by round.
    """
    takes = "a list of contracts by round, such as set 3, run 4"

    def read(given: object) -> tuple[str, ...]:
        if not isinstance(given, (list, tuple)):
            raise _wrong(given, takes)
        found = []
        for one in given:
            groups = [part.split() for part in str(one).split(",")]
            for group in groups:
                kind, *size = group or [""]
                whole = len(size) == 1 and size[0].isdecimal() and 0 < int(size[0]) < 99
                if kind not in {"set", "run"} or not whole:
                    raise _wrong(one, "sets and runs with their sizes: 'set 3, run 4'")
            found.append(", ".join(map(" ".join, groups)))
        return tuple(found)

    return _value((), doc, takes, read)
