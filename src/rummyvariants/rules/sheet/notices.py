"""
Notices of options that change nothing in their game.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants.errors import RulesError
from rummyvariants.rules._origins import Rules
from rummyvariants.rules.sheet import statements


def notices(rules: Rules) -> Iterator[str]:
    """
    A sentence for each option that changes nothing in its ruleset.
    """
    files = dict(rules.files)
    for one in rules.options:
        try:
            without = rules.without(one)
        except RulesError:
            continue  # another option needs it
        if statements(without) == statements(rules):
            so_already = without.values() == rules.values()
            why = "these rules already say so" if so_already else "it does not come up"
            where = f"{files[one]}, with: " if one in files else ""
            yield f"{where}{one} changes nothing: {why}"
