"""
What the house rules of a table make of a rule sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import attrs

from rummyvariants._support.words import listed
from rummyvariants.policies._claims import IN_PLACE
from rummyvariants.policies._questions import ROWS, Combined
from rummyvariants.policies.house import HouseRule
from rummyvariants.rules._claims import of_the_table, what_lacks
from rummyvariants.rules._origins import Rules
from rummyvariants.rules._variants import SECTIONS, Option
from rummyvariants.rules.sheet.facts import Facts
from rummyvariants.rules.sheet.model import Paragraph, say


ABOUT: Final[Mapping[str, str]] = {
    "allows_meld": "which melds may lie on the table",
    "discards": "which cards may be discarded",
    "discards_owed": "how many discards end a turn",
    "eliminated": "who is out of the match",
    "follows": "what follows from what happens",
    "forbids": "what nobody may do",
    "lays_aside": "which cards no hand keeps",
    "lays_off_on": "whose melds cards may be laid off on",
    "may_go_out": "who may go out",
    "may_knock": "who may end the round",
    "may_lay": "which melds may be laid",
    "may_lay_off": "who may lay off",
    "most_melds": "how many new melds a turn may have",
    "most_wilds": "how many wild cards a meld may hold",
    "must_go_out": "when a player has to go out",
    "offers": "what else players may do",
    "opening": "what first melds must be",
    "owes": "what a card drawn must be used for",
    "pays": "what players pay each other",
    "score": "what a round scores",
    "takes": "which discards may be taken",
    "takes_with": "what a discard may be taken with",
    "values": "what holds for one deal",
}
"""What the questions are about whose answers are combined, for players."""
_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    **{one: paths for one, paths in IN_PLACE.items() if one != "values"},
    "cards_drawn": ("draw.take",),
    "deals_next": ("match.rotation",),
    "discards_owed": ("discard.ends_turn",),
    "lays_off_on": ("layoff.onto",),
    "may_go_out": ("out.empty_hand",),
    "may_lay_off": ("layoff.needs_own_meld",),
    "most_melds": ("meld.a_turn",),
    "most_wilds": ("wild.limit", "wild.by_naturals", "wild.in_runs"),
    "next_seat": ("match.start", "match.direction"),
    "owes": ("draw.duty",),
    "takes": ("draw.take",),
    "takes_with": ("draw.take",),
}
"""Questions whose answers may say something else than policy values do."""
_HOW: Final = {
    Combined.ALL: "{} must allow it",
    Combined.ANY: "one is enough",
    Combined.LEAST: "the lowest number applies",
    Combined.MOST: "the highest number applies",
    Combined.ADDED: "{} count",
}
"""How answers are combined, for players; the place is for ``both`` or ``all``."""


def in_force(facts: Facts, paragraphs: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """
    Paragraphs without those whose policy values house rules take over.

    Where house rules may say something else than others of a section, the first one
    says that they take precedence.
    """
    replaced = facts.rules.replaced
    other = {
        path: rule
        for question, paths in _BESIDE.items()
        for _, rule in facts.answering(question)
        for path in paths
    }
    other.update(replaced)
    said: set[str] = set()
    for one in paragraphs:
        if one.values and all(_of(path, replaced) for path in one.values):
            continue
        found = [_of(path, other) for path in one.values]
        names = {f"{rule.name!r}": None for rule in found if rule}
        new = [name for name in names if name not in said]
        if new:
            said.update(new)
            take = "takes" if len(new) == 1 else "take"
            text = f"{one.text} At this table {listed(new)} {take} precedence."
            yield attrs.evolve(one, text=text)
        else:
            yield one


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
            yield say(facts.rules, f"At this table: {rule.describe()}", path)
    for question, what in ABOUT.items():
        found = facts.answering(question)
        if len(found) > 1 and found[-1][1].section == section:
            both = "both" if len(found) == 2 else "all"
            names = listed([f"{rule.name!r}" for _, rule in found])
            how = _HOW[ROWS[question].combined].format(both)
            text = f"The rules {names} {both} say {what}: {how}."
            yield say(facts.rules, text, *[path for path, _ in found])


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


def idle(rules: Rules) -> Iterator[tuple[str, HouseRule, str]]:
    """
    The house rules that are not in force: the path, the rule, and what it needs.
    """
    for section in SECTIONS:
        for rule in getattr(rules, section).rules:
            if needed := what_lacks(rule, rules.value):
                yield f"{section}.rules.{rule.name}", rule, needed
