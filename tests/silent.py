"""
House rules that are asked and have nothing to say, and some that have a veto.

For each question there is a rule that answers only that one, with None, once it has
looked at what it is given. Vetoes of cards and of melds may declare which they bar.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

import rummyvariants as rv


def _nothing(_: rv.house.HouseRule, *given: object) -> object:
    # A method that only returns None is not asked.
    return None if given else given


def idle(*given: object) -> None:
    """
    An answer that does nothing.
    """
    del given


_VERBS = ("draw", "take", "meld", "lay", "discard", "knock", "pass")
"""Words with which most actions begin."""


def silent(
    question: str, answer: Callable[..., object] = _nothing
) -> rv.house.HouseRule:
    """
    A rule that answers a question with None, whatever it is asked.
    """
    cls: Any = type(
        f"Silent_{question}",
        (rv.house.HouseRule,),
        {
            "__module__": __name__,
            "__doc__": "Nothing is said.",
            "reads": frozenset(),
            "memory": rv.house.Memory(0) if question == "remembers_deal" else None,
            "actions": ("do nothing",) if question == "offers" else (),
            "vetoes": _VERBS if question == "forbids" else (),
            question: answer,
        },
    )
    rule: rv.house.HouseRule = rv.house.register_rule("match", f"silent: {question}")(
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
    except rv.errors.RulesError:
        return None


def players_of(game: str) -> int:
    """
    How many play a game here: four, or as near to that as it admits.
    """
    least, most = rv.preset(game).match.players
    return min(max(least, 4), most)


def _keeps(_: rv.house.HouseRule, turn: rv.house.Turn) -> object:
    return [card for card in turn.hand if card.rank != "A"] or turn.hand


def _short(_: rv.house.HouseRule, *given: Any) -> bool:
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
    Rummy 5000 with a rule that has a veto, and declares which cards it may bar.
    """
    rule = silent(question, answer)
    cls: Any = type(rule)
    cls.reads, cls.bars = frozenset({"hand"}), bars
    return rv.preset("rummy-5000").with_values({"match.rules": [rule]})
