"""
What a house rule costs that is asked: one that has nothing to say, and one with a veto.

For each question there is a rule that answers only that one, with None, once it has
looked at what it is given. Each preset is played with it and without it. Vetoes of
cards and of melds are played in one game, with and without what they may declare.
"""

from __future__ import annotations

import itertools
import statistics

from collections.abc import Callable
from time import process_time
from typing import Any

import attrs

import rummyvariants as rv

from figures import YARDSTICK, Effort, Table, ratio
from players import Choose, by_sample, from_all, matches
from rummyvariants.policies.house import QUESTIONS


def _nothing(_: rv.HouseRule, *given: object) -> object:
    # A method that only returns None is not asked.
    return None if given else given


def idle(*given: object) -> None:
    """
    An answer that does nothing.
    """
    del given


_VERBS = ("draw", "take", "meld", "lay", "discard", "knock", "pass")
"""Words with which most actions begin."""


def silent(question: str, answer: Callable[..., object] = _nothing) -> rv.HouseRule:
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
            question: answer,
        },
    )
    rule: rv.HouseRule = rv.register_rule("match", f"silent: {question}")(
        attrs.frozen(eq=False, repr=False)(cls)
    )()
    return rule


def with_silence(
    game: str, question: str, answer: Callable[..., object] = _nothing
) -> rv.Ruleset | None:
    """
    A preset with a rule that has nothing to say to a question.

    Returns:
        None if the two contradict each other.
    """
    try:
        values = {"match.rules": [silent(question, answer)]}
        return rv.preset(game).with_values(values)
    except rv.RulesError:
        return None


def players_of(game: str) -> int:
    """
    How many play a game here: four, or as near to that as it admits.
    """
    least, most = rv.preset(game).match.players
    return min(max(least, 4), most)


def pace(
    rules: rv.Ruleset, players: int, choose: Choose = by_sample, actions: int = 300
) -> float:
    """
    Actions a second of processor time in random play, the same games each time.
    """
    run = matches(rules, players, seed=1, choose=choose)
    start = process_time()
    next(itertools.islice(run, actions - 1, None))
    return actions / (process_time() - start)


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
        "least, and the preset of the least. 300 actions by turns, "
        f"{effort.rounds} times, with four players or as near to that as the preset "
        "admits; processor time, medians."
    )
    head = ("question", "median", "least", "in")
    return Table("Rules with nothing to say", head, rows, [note])


def _keeps(_: rv.HouseRule, turn: rv.Turn) -> object:
    return [card for card in turn.hand if card.rank != "A"] or turn.hand


def _short(_: rv.HouseRule, *given: Any) -> bool:
    return len(given[-1]) <= _LONGEST


_LONGEST = 6
VETOES: tuple[tuple[str, str, Callable[..., object], rv.Cards | None], ...] = (
    ("aces are kept", "discards", _keeps, None),
    ("the same, `bars` declared", "discards", _keeps, rv.Cards("Ac Ad Ah As")),
    ("no meld of seven cards", "may_lay", _short, None),
    ("the same, at any time", "allows_meld", _short, None),
)
"""Each with its name, its question, its answer, and the cards it may bar."""


def with_veto(
    question: str, answer: Callable[..., object], bars: rv.Cards | None
) -> rv.Ruleset:
    """
    The yardstick with a rule that has a veto, and declares which cards it may bar.
    """
    rule = silent(question, answer)
    cls: Any = type(rule)
    cls.reads, cls.bars = frozenset({"hand"}), bars
    return rv.preset(YARDSTICK).with_values({"match.rules": [rule]})


def vetoes(effort: Effort) -> Table:
    """
    The pace of random play with a veto, divided by the pace without it.
    """
    rows = []
    for name, question, answer, bars in VETOES:
        both = with_veto(question, answer, bars), rv.preset(YARDSTICK)
        cells = []
        for choose in (from_all, by_sample):
            rates = [
                [pace(one, 4, choose, 3_000) for one in both]
                for _ in range(effort.rounds + 1)
            ]
            cells.append(f"{ratio(*zip(*rates[1:], strict=True)):.2f}")
        rows.append((name, f"`{question}`", *cells))
    note = (
        f"Player actions a second in `{YARDSTICK}` with four players, divided by those "
        "without the rule: the action is chosen from the whole list, or by `sample`. "
        f"3,000 actions by turns, {effort.rounds} times; processor time, medians."
    )
    return Table("Vetoes", ("veto", "question", "list", "sample"), rows, [note])
