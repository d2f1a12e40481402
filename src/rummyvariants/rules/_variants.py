"""
Options and presets as data: the contents of the files, and how options are picked.
"""

from __future__ import annotations

import functools
import re

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, Self

import attrs

from rummyvariants import policies
from rummyvariants._support.arguments import explained
from rummyvariants._support.names import Named, Names
from rummyvariants._support.packaged import packaged_names, packaged_table
from rummyvariants._support.values import Fixed, Value
from rummyvariants._support.words import from_to, listed
from rummyvariants.errors import RulesError, nearest
from rummyvariants.policies import Policy
from rummyvariants.rulings import catalogue, entries, rule_names


Problem = tuple[str, tuple[str, ...]]
"""A sentence, and the ids of the rules that it is about."""


PATCHED: Final = frozenset(
    {"points", "upcard_counts", "special", "in_hand", "knock_counts"}
)
"""Policy values of which a patch changes single entries, not the whole."""
SECTIONS: Final[Mapping[str, type[Policy]]] = MappingProxyType(
    {
        cls.section: cls
        for cls in (
            policies.DeckPolicy,
            policies.DealPolicy,
            policies.WildPolicy,
            policies.MeldPolicy,
            policies.DrawPolicy,
            policies.LayoffPolicy,
            policies.CallPolicy,
            policies.DiscardPolicy,
            policies.OutPolicy,
            policies.StockPolicy,
            policies.ScorePolicy,
            policies.MatchPolicy,
        )
    }
)
"""The sections of a rules file, in the order of play, and the policies behind them."""


@attrs.frozen(eq=False, repr=False)
class Option(Value):
    """
    A named patch of policy values.

    Attributes:
        id: The id of the rule that it turns on.
        set: The policy values that it sets.
        leaves: Values that already ask for more, which the option leaves as they are.
        argument: The policy value that is given with the option, as in ``PGV-E5=2500``.
        more: The policy values of further parts of the argument, as in ``COV-05=3:2``
            or ``INV-02=10/40``.
        brings: Policy values that come with some arguments, by the argument.
        takes: What the argument must be.
        default: The argument if none is given; None if one is required.
        modules: The modules with the house rules that it puts into force.

    >>> option = rv.options()["PGV-E5"]
    >>> option.set, option.argument, option.example
    ({}, 'match.target', 'PGV-E5=2500')
    """

    id: str
    set: Mapping[str, Any] = attrs.field(factory=dict)
    leaves: Mapping[str, Any] = attrs.field(factory=dict)
    argument: str = ""
    more: tuple[str, ...] = ()
    brings: Mapping[str, Mapping[str, Any]] = attrs.field(factory=dict)
    takes: str = ""
    default: str | None = None
    modules: tuple[str, ...] = attrs.field(default=(), converter=tuple)

    @property
    def title(self) -> str:
        """
        Its rule's title, by which it can be called as well as by its id.
        """
        return catalogue()[self.id].title

    @property
    def name(self) -> str:
        """
        The title in small letters, joined by hyphens: ``deuces-wild``.
        """
        return catalogue()[self.id].name

    @property
    def titled(self) -> str:
        """
        The title with the id in brackets.
        """
        return f"{self.title} [{self.id}]"

    def __repr__(self) -> str:
        return f"<Option {self}>"

    def __str__(self) -> str:
        return f"{self.titled}, which takes {self.takes}" if self.takes else self.titled

    @property
    def arguments(self) -> tuple[str, ...]:
        """
        The policy values that are given with the option.
        """
        return (self.argument, *self.more) if self.argument else ()

    @property
    def example(self) -> str:
        """
        The option as it is written, with an argument if it takes one.
        """
        if not self.argument:
            return self.id
        return f"{self.id}={self.default or self.takes.rpartition(' ')[2]}"


def values_called(name: str) -> list[str]:
    """
    The policy values of a name without its section: ``deck.jokers`` for ``jokers``.
    """
    return [f"{one}.{name}" for one, has in SECTIONS.items() if name in has.values()]


def known_policy(
    section: str, name: str | None = None, before: int = 0
) -> type[Policy]:
    """
    The policy of a section, which must have a given value.

    Args:
        section: Its name, such as ``draw``.
        name: A policy value that it must have, if any.
        before: How many problems are listed before this one.

    Raises:
        RulesError: If there is no such section or value.
    """
    cls = SECTIONS.get(section)
    if cls is not None and (name is None or name in cls.values()):
        return cls
    last = name or section
    same = values_called(last)
    if cls is None:
        path = f"{section}.{name}"
        hint = nearest(section, SECTIONS, before)
        if same:
            hint = f"; did you mean {listed(map(repr, same), 'or')}?"
        msg = f"there is no policy {section!r}{hint}"
        raise RulesError(msg)
    path = f"{section}.{name}"
    lists = f"`rummyvariants explain {section}.` finds them"
    hint = nearest(name, cls.values(), before, head=f"{section}.", listed=lists)
    if same and "did you mean" not in hint:
        hint = nearest(path, same, before)
    msg = f"there is no policy value {path!r}{hint}"
    raise RulesError(msg)


def documented(path: str) -> Mapping[str, Any]:
    """
    What a policy value is about (``doc``) and can be (``takes``).

    Raises:
        RulesError: If there is no such value.
    """
    section, _, name = path.partition(".")
    return known_policy(section, name).values()[name].metadata


@functools.cache
def every_option() -> Named[Option]:
    own = attrs.fields_dict(Option).keys() - {"more"}
    found = {
        entry["id"]: Option(
            more=tuple(entry.get("more", ())),
            **{key: one for key, one in entry.items() if key in own},
        )
        for entry in entries()
        if entry["kind"] == "option"
    }
    return Named(found, option_names())


@functools.cache
def option_names() -> Names:
    """
    The ids and titles of all options.
    """
    where = "`rummyvariants options` lists them"
    every = [one for one in entries() if one["kind"] == "option"]
    return Names("option", {one["id"]: one["title"] for one in every}, where)


class Games(tuple[str, ...]):  # noqa: SLOT001 -- a tuple can have none
    """
    The names of games. They print one a line, with title and number of players.

    Args:
        names: The names.
        others: Why some other games are not among them, by name; printed at the end.
    """

    others: Mapping[str, str]

    def __new__(cls, names: Iterable[str], others: Mapping[str, str] = Fixed()) -> Self:
        self = super().__new__(cls, names)
        self.others = others
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Games, (tuple(self), self.others)

    def __repr__(self) -> str:
        wide = max(map(len, self), default=0)
        lines = []
        for name in self:
            heading, values = preset_values(name)
            low, high = values["match.players"][0]
            players = from_to(low, high, "player")
            lines.append(f"{name:<{wide}}  {heading['title']}, {players}")
        for why in dict.fromkeys(self.others.values()):
            games = [name for name, its in self.others.items() if its == why]
            lines.append(f"not asked in {listed(games)} ({why})")
        return "\n".join(lines) or "nothing"


@explained
def presets() -> tuple[str, ...]:
    """
    The names of the games that come with the library.

    They print one a line, with the title of each and its number of players.

    >>> rv.presets()
    2500-house          2500, house rules, 2 to 8 players
    ...
    >>> rv.presets()[0], "canasta" in rv.presets()
    ('2500-house', True)
    """
    return _presets()


@functools.cache
def _presets() -> tuple[str, ...]:
    return Games(packaged_names("games"))


@functools.cache
def preset_file(name: str) -> Mapping[str, Any]:
    """
    A preset as in its file.
    """
    return packaged_table("games", f"{name}.toml")


def register_rules_of(modules: Iterable[str]) -> None:
    """
    Import modules of games of the library, which register house rules.
    """
    for one in modules:
        import_module(f"rummyvariants.games.{one}")


def no_preset(name: object) -> str:
    """
    The error about a name that no preset has.
    """
    hint = nearest(name, presets(), listed="`rummyvariants presets` lists them")
    if isinstance(name, str) and name.endswith(".toml"):
        hint = "; rv.load_rules() reads a file"
    return f"there is no preset {name!r}{hint}"


@functools.cache
def preset_values(name: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """
    The heading and the values of a preset: (value, rule, set_by) by name.
    """
    file = preset_file(name)
    register_rules_of(file.get("modules", ()))
    values: dict[str, Any] = {}
    if "extends" in file:
        values.update(preset_values(file["extends"])[1])
    for section, stated in file.items():
        if isinstance(stated, Mapping):
            for key, entry in stated.items():
                path, value = f"{section}.{key}", entry["value"]
                if key in PATCHED and path in values:
                    value = {**values[path][0], **value}
                values[path] = (value, entry["rule"], name)
    heading = {key: file.get(key) for key in ("title", "version", "source")}
    return MappingProxyType(heading), MappingProxyType(values)


@functools.cache
def _base_rules(name: str) -> tuple[str, ...]:
    """
    The rules of games that a preset states, without the options that it uses.
    """
    stated = dict.fromkeys(rule for _, rule, _ in preset_values(name)[1].values())
    return tuple(rule for rule in stated if catalogue()[rule].kind == "base")


def pick(
    chosen: Iterable[str], problems: list[Problem]
) -> list[tuple[str, str | None]]:
    """
    Options read from their texts and put into the order of the catalogue.
    """
    picked: dict[tuple[int, str, str | None], None] = {}
    for text in chosen:
        places = [*every_option()]  # not read for a game without options
        one, equals, argument = (part.strip() for part in str(text).partition("="))
        found = option_names().matches(one)
        if len(found) != 1:
            problems.append(_no_option(one, len(problems)))
        elif equals and not every_option()[found[0]].argument:
            problem = f"{found[0]} takes no value, but {text!r} has one"
            problems.append((problem, found))
        else:
            place = places.index(found[0])
            picked[place, found[0], argument if equals else None] = None
    seen: dict[str, str | None] = {}
    result: list[tuple[str, str | None]] = []
    for _, option_id, value in sorted(picked, key=lambda one: one[0]):
        several = every_option()[option_id].argument == "score.special"
        if option_id in seen and not several:
            twice = f"{option_id} is given twice: as {seen[option_id]} and as {value}"
            problems.append((twice, (option_id,)))
        seen[option_id] = value
        result.append((option_id, value))
    return result


def _no_option(name: str, before: int) -> Problem:
    """
    What is wrong with a name that no option has, after so many other problems.
    """
    found = rule_names().matches(name)
    entry = catalogue()[found[0]] if len(found) == 1 else None
    if entry is None or entry.kind == "option":
        return option_names().problem(name, before), ()
    called = entry.id if name == entry.id else f"{name!r} [{entry.id}]"
    if entry.kind == "base":
        return f"{called} is a rule of {entry.game}, not an option", found
    why = f"`rummyvariants explain {entry.id}` says why"
    return f"{called} is not played here; {why}", found


def argument_of(
    option: Option, argument: str | None, problems: list[Problem]
) -> dict[str, Any]:
    """
    The policy values that the argument of an option sets.
    """
    text = option.default if argument is None else argument
    if text is None:
        needed = f"{option.id} needs a value: {option.takes}; write {option.example}"
        problems.append((needed, (option.id,)))
        return {}
    try:
        if option.argument == "score.special":
            card, _, points = text.partition(":")
            return {option.argument: {card.strip(): int(points)}}
        parts = [part.strip() for part in re.split("[:/]", text)]
        paths = option.arguments[: len(parts)]
        both = zip(paths, parts, strict=True)
        return {path: _read_part(path, part) for path, part in both}
    except ValueError:
        refused = f"{option.id}={text} is not allowed: give {option.takes}"
        problems.append((refused, (option.id,)))
        return {}


def _read_part(path: str, text: str) -> Any:
    """
    A part of an argument: a number, or a word that the policy value knows.

    Raises:
        ValueError: If it is a word that the policy value does not know.
    """
    section, _, name = path.partition(".")
    if text.removeprefix("-").isdecimal():
        return int(text)
    return SECTIONS[section].read(name, text)


def conflicts(chosen: Sequence[str], game: str) -> list[Problem]:
    """
    All pairs of options that exclude each other, and options that a rule excludes.

    Args:
        chosen: The ids of the options.
        game: The name of the preset that they go on.
    """
    problems: list[Problem] = []
    for at, first in enumerate(chosen):
        excluded = catalogue()[first].excludes
        if not excluded:
            continue
        base = _base_rules(game)
        for second in (*chosen[at + 1 :], *base):
            if second in excluded:
                out = f"take {first} out" if second in base else "take one out"
                problems.append(
                    (f"{first} and {second} exclude each other: {out}", (first, second))
                )
    return problems
