"""
Notices of options and house rules that change nothing in their game.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants.errors import RulesError
from rummyvariants.rules._origins import Rules
from rummyvariants.rules._variants import every_option
from rummyvariants.rules.sheet import statements
from rummyvariants.rules.sheet.table import idle, overruled, why_unchanged


def notices(rules: Rules) -> Iterator[str]:
    """
    A sentence for each option and each house rule that changes nothing in its ruleset.
    """
    files = dict(rules.files)
    for one in rules.options:
        try:
            without = rules.without(one)
        except RulesError:
            continue  # another option needs it
        if statements(without) == statements(rules):
            why = overruled(rules, every_option()[one.partition("=")[0]])
            if not why and without.values() == rules.values():
                why = why_unchanged(rules, one)
            why = why or "it does not come up"
            where = f"{files[one]}, with: " if one in files else ""
            yield f"{where}{one} changes nothing: {why}"
    for path, rule, needed in idle(rules):
        by = rules.origin(path).set_by
        where = f"{by}: " if ", line " in by else ""
        yield f"{where}the rule {rule.name!r} changes nothing: it needs {needed}"
