"""
The rules in force in a few words: an answer to each question on which games differ.

Like the rule sheet, the answers depend only on the policy values. They are short enough
for a table of many games, and leave out what the sheet says besides.
"""

from __future__ import annotations

from typing import Final

from rummyvariants.rules._origins import Rules
from rummyvariants.rules._rows import rows_of
from rummyvariants.rules._variants import SECTIONS
from rummyvariants.rules.sheet.facts import Facts
from rummyvariants.rules.sheet.table import house


NONE: Final = "none"
"""The answer where there is nothing of the kind, or the question does not come up."""


def questions() -> list[str]:
    """
    The questions, in the order of play.
    """
    return [*[row["question"] for row in rows_of("brief")[1]], "House rules"]


def brief(rules: Rules) -> dict[str, str]:
    """
    The answers for a game, by question, in the order of play.

    Args:
        rules: The rules.
    """
    facts = Facts(rules)
    rows = facts.section("brief")
    found = {row["question"]: text for row, _, text, _ in rows.said if text}
    of_house = [one.text for name in SECTIONS for one in house(facts, name)]
    found["House rules"] = " ".join(of_house)
    return {one: found.get(one) or NONE for one in questions()}
