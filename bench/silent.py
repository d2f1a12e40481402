"""
What a house rule costs that is asked and has nothing to say.

For each question there is a rule that answers only that one, with None. Each preset is
played with it and without it.
"""

from __future__ import annotations

import itertools
import statistics

from time import process_time
from typing import Any

import attrs

import rummyvariants as rv

from figures import Effort, Table, ratio
from players import matches
from rummyvariants.policies.house import QUESTIONS


def _nothing(*given: object) -> None:
    del given


_VERBS = ("draw", "take", "meld", "lay", "discard", "knock", "pass")
"""Words with which most actions begin."""


def silent(question: str) -> rv.HouseRule:
    """
    A rule that answers a question with None, whatever it is asked.
    """
    cls: Any = type(
        f"Silent_{question}",
        (rv.HouseRule,),
        {
            "__module__": __name__,
            "__doc__": "Nothing is said.",
            "reads": frozenset(),
            "memory": rv.Memory(0) if question == "remembers_deal" else None,
            "actions": ("do nothing",) if question == "offers" else (),
            "vetoes": _VERBS if question == "forbids" else (),
            question: _nothing,
        },
    )
    rule: rv.HouseRule = rv.register_rule("match", f"silent: {question}")(
        attrs.frozen(eq=False, repr=False)(cls)
    )()
    return rule


def with_silence(game: str, question: str) -> rv.Ruleset | None:
    """
    A preset with a rule that has nothing to say to a question.

    Returns:
        None if the two contradict each other.
    """
    try:
        return rv.preset(game).with_values({"match.rules": [silent(question)]})
    except rv.RulesError:
        return None


def players_of(game: str) -> int:
    """
    How many play a game here: four, or as near to that as it admits.
    """
    least, most = rv.preset(game).match.players
    return min(max(least, 4), most)


def pace(rules: rv.Ruleset, players: int) -> float:
    """
    Actions a second of processor time in random play, the same games each time.
    """
    run = matches(rules, players, seed=1)
    start = process_time()
    next(itertools.islice(run, _SLICE - 1, None))
    return _SLICE / (process_time() - start)


def measure(effort: Effort) -> Table:
    """
    The pace of random play with a silent rule, divided by the pace without it.
    """
    found: dict[str, dict[str, float]] = {one: {} for one in QUESTIONS}
    for game in rv.presets():
        players = players_of(game)
        for question, ratios in found.items():
            rules = with_silence(game, question)
            if rules is None:
                continue
            both = (rules, rv.preset(game))
            # The first time the tables of the melds are filled.
            rates = [
                [pace(one, players) for one in both] for _ in range(effort.rounds + 1)
            ]
            ratios[game] = ratio(*zip(*rates[1:], strict=True))
    rows = []
    for question, ratios in found.items():
        worst = min(ratios, key=lambda game: ratios[game])
        middle = statistics.median(ratios.values())
        rows.append((f"`{question}`", f"{middle:.2f}", f"{ratios[worst]:.2f}", worst))
    note = (
        "Player actions a second by `sample` with a rule that answers the question "
        "with None, divided by those without the rule: the median of all presets, the "
        f"least, and the preset of the least. {_SLICE} actions by turns, "
        f"{effort.rounds} times, with four players or as near to that as the preset "
        "admits; processor time, medians."
    )
    head = ("question", "median", "least", "in")
    return Table("Rules with nothing to say", head, rows, [note])


_SLICE = 300
"""How many actions are played with the rule before as many are played without it."""
