"""
House rules and policy values: which of them give way to others, and which do nothing.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from rummyvariants._support.words import listed
from rummyvariants.house._claims import (
    ASKED_WITH,
    IN_PLACE,
    default_of,
    one_or_more,
    wanted_of,
)
from rummyvariants.house.rules import HouseRule, answered_by
from rummyvariants.policies._questions import ROWS, Combined
from rummyvariants.rules._origins import Rules, show_value
from rummyvariants.rules._variants import SECTIONS, Problem


_OVERRULED: Final = frozenset(IN_PLACE["winners"])
"""Values that an answer overrules, so that they may stay what they are."""


def of_the_table(
    rules: Iterable[tuple[str, HouseRule]],
) -> list[tuple[str, HouseRule]]:
    """
    The house rules among rules by their paths; the others play policy values.
    """
    return [(path, rule) for path, rule in rules if ".rules." in path]


def what_lacks(rule: HouseRule, value: Callable[[str], Any]) -> str:
    """
    What a house rule needs that is not so, in words; empty if it does something.

    Args:
        rule: The rule.
        value: What tells a policy value by its name.
    """
    first, *others = answered_by(rule) or [""]
    asked = {} if others else ASKED_WITH.get(first, {})
    for given, wanted in itertools.chain(asked.items(), rule.needs.items()):
        paths = one_or_more(given)
        if not any(_fits(path, wanted, value(path)) for path in paths):
            return listed([_needed(path, wanted) for path in paths], "or")
    return ""


def _fits(path: str, wanted: object, value: object) -> bool:
    some = wanted_of(path, wanted)
    return value != default_of(path) if some is None else value in some


def _needed(path: str, wanted: object) -> str:
    some = wanted_of(path, wanted)
    if some is None:
        return f"{path} other than {show_value(default_of(path))}"
    return f"{path} = {listed(map(show_value, some), 'or')}"


def given_up(rules: Mapping[str, HouseRule], value: Callable[[str], Any]) -> list[Any]:
    """
    The policy values that have to be as by default, since house rules take them over.

    Args:
        rules: The house rules by their paths.
        value: What tells a policy value by its name, as the rules state it.

    Returns:
        Pairs of a value and the path of the rule.
    """
    return [
        (replaced, path)
        for path, rule in rules.items()
        if not what_lacks(rule, value)
        for replaced in _taken_over(rule)
        if replaced not in _OVERRULED
    ]


def replaced(rules: Iterable[tuple[str, HouseRule]]) -> dict[str, HouseRule]:
    """
    The policy values that house rules in force take over, each with the rule.
    """
    return {path: rule for _, rule in of_the_table(rules) for path in _taken_over(rule)}


def _taken_over(rule: HouseRule) -> Iterator[str]:
    """
    The policy values that a rule takes over.

    Of values in whose place one answer comes, all are taken over with the first.
    """
    together = [IN_PLACE.get(one, ()) for one in answered_by(rule)]
    for path in rule.replaces:
        yield path
        yield from itertools.chain(*[some for some in together if path in some])


# ------------------------------------------------------------------------ conflicts


def claimed_twice(rules: Rules) -> Iterator[Problem]:
    """
    Where two house rules, or one and a policy value, say what only one of them can.
    """
    table = of_the_table(rules.house)
    for (path, one), (other_path, other) in itertools.combinations(table, 2):
        cited = (rules.rule_of(path), rules.rule_of(other_path))
        both = f"the rules {one.name!r} and {other.name!r} both"
        for value in one.replaces:
            if value in other.replaces:
                yield f"{both} replace {value}: take one of them out", cited
        for question in _single(one):
            if question in answered_by(other):
                reason = f"{both} answer {question!r}, and one answer decides"
                yield f"{reason}: take one out, or make one rule of them", cited
    for path, rule in table:
        for question in _single(rule):
            for value in _answering(rules, question):
                states = f"{value} = {show_value(rules.value(value))}"
                reason = (
                    f"the rule {rule.name!r} answers {question!r}, and so does {states}"
                    f" ({rules.origin(value)})"
                )
                declare = f"replaces = ({value!r},) in {type(rule).__qualname__}"
                cited = (rules.rule_of(path), rules.rule_of(value))
                yield f"{reason}: declare {declare}, or change the value", cited
    yield from _needed_of_another(rules, table)


def _single(rule: HouseRule) -> list[str]:
    """
    The questions to which a rule answers, and of whose answers one decides.
    """
    asked = answered_by(rule)
    return [one for one in asked if ROWS[one].combined == Combined.FIRST]


def _answering(rules: Rules, question: str) -> Iterator[str]:
    """
    The policy values that answer a question of whose answers one decides.
    """
    for path, rule in rules.house:
        if ".rules." not in path and question in answered_by(rule):
            yield path
    if question == "wild_rank" and rules.wild.indicator != "none":
        yield "wild.indicator"


def _needed_of_another(
    rules: Rules, table: Iterable[tuple[str, HouseRule]]
) -> Iterator[Problem]:
    """
    Where a house rule needs a policy value that another one takes over.
    """
    stated = [
        (f"{section}.rules.{one.name}", one)
        for section in SECTIONS
        for one in getattr(rules, section).rules
    ]
    for path, rule in table:
        for other_path, other in stated:
            for value in itertools.chain(*map(one_or_more, other.needs)):
                if value in rule.replaces:
                    reason = f"the rule {other.name!r} needs {value}"
                    cited = (rules.rule_of(path), rules.rule_of(other_path))
                    by = f"which {rule.name!r} replaces: take one of them out"
                    yield f"{reason}, {by}", cited
