"""
What the house rules of a table make of a rule sheet.
"""

from __future__ import annotations

import functools

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs

from rummyvariants._support.packaged import packaged_table
from rummyvariants._support.words import listed
from rummyvariants.house._claims import IN_PLACE
from rummyvariants.house.rules import HouseRule
from rummyvariants.policies._questions import ROWS
from rummyvariants.rules._claims import of_the_table, what_lacks
from rummyvariants.rules._origins import Rules
from rummyvariants.rules._variants import (
    PATCHED,
    SECTIONS,
    Option,
    argument_of,
    every_option,
)
from rummyvariants.rules.sheet.facts import Facts
from rummyvariants.rules.sheet.model import Paragraph, say
from rummyvariants.rulings import catalogue


_OURS: Final = "At this table"
"""What marks a rule that belongs to no game."""


@functools.cache
def house_words() -> Mapping[str, Mapping[str, Any]]:
    """
    What the questions are about, how answers are combined, and beside which values.
    """
    return packaged_table("data", "sheet", "house.toml")


def in_force(
    facts: Facts, other: Mapping[str, HouseRule], paragraphs: Iterable[Paragraph]
) -> Iterator[Paragraph]:
    """
    Paragraphs without those whose policy values house rules take over.

    Where rules of a table may say something else than others of a section, the first
    one says that they take precedence. Those of a game stand beside the others.

    Args:
        facts: The facts.
        other: These policy values, each with the rule.
        paragraphs: Those of the section.
    """
    replaced, said = facts.rules.replaced, set[str]()
    for one in paragraphs:
        if one.values and all(_of(path, replaced) for path in one.values):
            continue
        found = [_of(path, other) for path in one.values]
        ours = [rule for rule in found if rule and not _is_of_a_game(rule)]
        names = {f"{rule.name!r}": None for rule in ours}
        new = [name for name in names if name not in said]
        if new:
            said.update(new)
            take = "takes" if len(new) == 1 else "take"
            text = f"{one.text} {_OURS} {listed(new)} {take} precedence."
            yield attrs.evolve(one, text=text)
        else:
            yield one


def said_beside(facts: Facts) -> dict[str, HouseRule]:
    """
    The policy values beside which house rules may say something else.
    """
    questions = {**IN_PLACE, "values": (), **house_words()["beside"]}
    found = {
        path: rule
        for question, paths in questions.items()
        for _, rule in facts.answering(question)
        for path in paths
    }
    return {**found, **facts.rules.replaced}


def _of(path: str, rules: Mapping[str, HouseRule]) -> HouseRule | None:
    """
    The rule that stands for a policy value, or for the table whose entry it is.
    """
    return rules.get(path) or rules.get(".".join(path.split(".")[:2]))


def house(facts: Facts, section: str) -> Iterator[Paragraph]:
    """
    The house rules of a section that are in force, and how they go together.
    """
    for path, rule in of_the_table(facts.rules.house):
        if rule.section == section:
            ours = "" if _is_of_a_game(rule) else f"{_OURS}: "
            yield say(facts.rules, f"{ours}{rule.describe()}", path)
    for question, what in house_words()["about"].items():
        found = facts.answering(question) if question in facts.rules.asked else []
        if all(_is_of_a_game(rule) for _, rule in found):
            continue
        if len(found) > 1 and found[-1][1].section == section:
            both = "both" if len(found) == 2 else "all"
            names = listed([f"{rule.name!r}" for _, rule in found])
            how = house_words()["combined"][ROWS[question].combined.name].format(both)
            text = f"The rules {names} {both} say {what}: {how}."
            yield say(facts.rules, text, *[path for path, _ in found])


def _is_of_a_game(rule: HouseRule) -> bool:
    """
    Whether a house rule states a numbered rule of a game.
    """
    return rule.id in catalogue()


def overruled(rules: Rules, option: Option) -> str:
    """
    Why an option says nothing whose policy values house rules all replace, if so.
    """
    paths = [*option.set, *option.arguments]
    found = [rules.replaced.get(path) for path in paths]
    names = dict.fromkeys([f"{rule.name!r}" for rule in found if rule])
    if None in found or not names:
        return ""
    return f"{listed(names)} {'takes' if len(names) == 1 else 'take'} its place"


def why_unchanged(rules: Rules, chosen: str) -> str:
    """
    Why an option changes no policy value: it is set so already, or set otherwise.

    Args:
        rules: The rules with the option.
        chosen: The option, with its argument if it has one.
    """
    name, _, argument = chosen.partition("=")
    option = every_option()[name]
    patch = dict(option.set)
    if option.argument:
        patch |= argument_of(option, argument or None, [])
    by: dict[str, None] = {}
    for path, value in patch.items():
        section, _, key = path.partition(".")
        if key == "rules":
            continue  # they join those of the game
        meant = SECTIONS[section].read(key, value)
        wanted = (meant, option.leaves.get(path, meant))
        if key not in PATCHED and rules.value(path) not in wanted:
            by[rules.origin(path).set_by] = None
    if by:
        return f"what it sets is set otherwise ({', '.join(by)})"
    return "these rules already say so"


def idle(rules: Rules) -> Iterator[tuple[str, HouseRule, str]]:
    """
    The house rules that are not in force: the path, the rule, and what it needs.
    """
    for section in SECTIONS:
        for rule in getattr(rules, section).rules:
            if needed := what_lacks(rule, rules.value):
                yield f"{section}.rules.{rule.name}", rule, needed
