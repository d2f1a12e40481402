"""
Where the values of a ruleset come from, and what the modules beside it use of it.
"""

from __future__ import annotations

import itertools
import re

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, Self

import attrs

from rummyvariants import policies
from rummyvariants._support import toml
from rummyvariants._support.values import Value
from rummyvariants.errors import need
from rummyvariants.house.answers import Effect
from rummyvariants.house.rules import HouseRule, rule_spelled
from rummyvariants.melds._tables import MeldKind
from rummyvariants.rules._variants import documented


FALLBACK_RULE: Final = "RV-58"
"""The rule of a value that neither the game nor an option nor a file sets."""


@attrs.frozen(eq=False, repr=False)
class Origin(Value):
    """
    Where a policy value came from.

    Attributes:
        rule: What is cited for the value: the id of the rule that it states, or, if no
            rule of the game or of an option in force states it, ``set_by``.
        set_by: The preset, the option, or the file and the line that set the value.

    >>> origin = rv.preset("rummy-5000").origin("match.target")
    >>> origin.rule, origin.set_by
    ('PG-22', 'rummy-5000')
    """

    rule: str
    set_by: str

    def __str__(self) -> str:
        if self.set_by == self.rule:
            return self.rule
        return f"{self.rule}, from {self.set_by}"


def telling(ids: Iterable[str]) -> tuple[str, ...]:
    """
    Rules without repetitions, and without the one for defaults if another says more.
    """
    found = dict.fromkeys(one for one in ids if one)
    return tuple(one for one in found if one != FALLBACK_RULE) or tuple(found)


@attrs.frozen(eq=False, repr=False)
class Difference(Value):
    """
    A policy value in which two rulesets differ.

    Attributes:
        value: Its name, such as ``match.target`` or, where single entries of a table
            differ, ``score.points.K``.
        here: The value in the first ruleset, and where it came from in ``here_from``.
        there: The value in the second, and where it came from in ``there_from``.

    >>> one = rv.preset("gin-rummy").diff("gin-rummy-classic")[0]
    >>> one.value, one.here, one.there
    ('out.big_gin', True, False)
    """

    value: str
    here: Any
    here_from: Origin
    there: Any
    there_from: Origin

    def __repr__(self) -> str:
        return f"<Difference in {self}>"

    def __str__(self) -> str:
        return (
            f"{self.value}: {show_value(self.here)} ({self.here_from}) | "
            f"{show_value(self.there)} ({self.there_from})"
        )


class Differences(tuple[Difference, ...]):  # noqa: SLOT001 -- a tuple can have none
    """
    All policy values in which two rulesets differ.

    They print one below the other, each with what it is about and its two sides.

    Args:
        found: The differences.
        names: The names of the two rulesets.

    Attributes:
        names: The names of the two rulesets.

    >>> found = rv.preset("rummy-500").diff("rummy-500-pagat")
    >>> found.names, found[0].value
    (('rummy-500', 'rummy-500-pagat'), 'deal.hand_size')
    """

    names: tuple[str, str]

    def __new__(cls, found: Iterable[Difference], names: tuple[str, str]) -> Self:
        need("found", found, Iterable)
        need("names", names, tuple)
        self = super().__new__(cls, found)
        self.names = names
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Differences, (tuple(self), self.names)

    def __repr__(self) -> str:
        if not self:
            return f"{self.names[0]} and {self.names[1]} do not differ."
        wide = max(map(len, self.names)) + 2
        lines = []
        for path, group in itertools.groupby(self, _whole):
            # What a value can be instead is left to `explain`.
            about = re.split("[:.] |[.]$", documented(path)["doc"])[0]
            lines.append(f"{path}: {about}")
            every = [*group]
            here = [(one.value, one.here, one.here_from) for one in every]
            there = [(one.value, one.there, one.there_from) for one in every]
            for name, side in zip(self.names, (here, there), strict=True):
                lines.append(f"  {name + ':':<{wide}}{_side(path, side)}")
        return "\n".join(lines)


def _whole(one: Difference) -> str:
    """
    The name of a policy value, of which a single entry may differ.
    """
    return ".".join(one.value.split(".")[:2])


def _side(path: str, values: Sequence[tuple[str, Any, Origin]]) -> str:
    """
    A policy value in one of two rulesets, or its entries, with the rules behind it.
    """
    shown = []
    for name, value, _ in values:
        entry = name.removeprefix(path)[1:]
        shown.append(f"{entry} = {show_value(value)}" if entry else show_value(value))
    by = dict.fromkeys(one for *_, its in values for one in (its.rule, its.set_by))
    return f"{', '.join(shown)} ({', '.join(by)})"


def show_value(value: Any) -> str:
    """
    A policy value as a rules file spells it; None is a value that a ruleset lacks.
    """
    if value is None:
        return "none"
    if isinstance(value, tuple) and value:
        if isinstance(value[0], HouseRule):
            value = [*map(rule_spelled, value)]
        elif isinstance(value[0], tuple):
            value = dict(value)
    return " ".join(toml.value(value).split())


class Rules(Protocol):
    """
    What the rule sheet and the check for contradictions use of a `Ruleset`.
    """

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def base(self) -> str: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def files(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def deck(self) -> policies.DeckPolicy: ...
    @property
    def deal(self) -> policies.DealPolicy: ...
    @property
    def wild(self) -> policies.WildPolicy: ...
    @property
    def meld(self) -> policies.MeldPolicy: ...
    @property
    def draw(self) -> policies.DrawPolicy: ...
    @property
    def layoff(self) -> policies.LayoffPolicy: ...
    @property
    def call(self) -> policies.CallPolicy: ...
    @property
    def discard(self) -> policies.DiscardPolicy: ...
    @property
    def out(self) -> policies.OutPolicy: ...
    @property
    def stock(self) -> policies.StockPolicy: ...
    @property
    def score(self) -> policies.ScorePolicy: ...
    @property
    def match(self) -> policies.MatchPolicy: ...
    @property
    def kept_back(self) -> int: ...
    @property
    def asks_for_upcard(self) -> bool: ...
    @property
    def house(self) -> tuple[tuple[str, HouseRule], ...]: ...
    @property
    def replaced(self) -> Mapping[str, HouseRule]: ...
    @property
    def asked(self) -> Mapping[str, tuple[tuple[str, HouseRule], ...]]: ...
    @property
    def kinds(self) -> tuple[MeldKind, ...]: ...
    @property
    def effects(self) -> frozenset[type[Effect]]: ...
    @property
    def vetoed(self) -> frozenset[str]: ...
    @property
    def actions(self) -> Mapping[str, frozenset[str]]: ...
    @property
    def preset(self) -> Rules: ...

    def origin(self, value: str) -> Origin: ...
    def rule_of(self, path: str) -> str: ...
    def value(self, path: str) -> Any: ...
    def values(self) -> dict[str, Any]: ...
    def diff(self, other: Any) -> Differences: ...
    def without(self, option: str) -> Rules: ...
