"""A house rule that has nothing to say changes nothing, and costs next to nothing."""

from __future__ import annotations

import functools
import itertools
import random

from collections.abc import Iterator

import pytest

import players
import rummyvariants as rv
import silent

from amounts import rest_is_slow
from effort import counted
from rummyvariants.house.rules import QUESTIONS, answered_by


QUICK = ("rummy-500", "gin-rummy")
WINDOWS = {"asks", "takes_with"}
"""Questions that open a way to play, so that chance makes another game of it."""
ASKED = {
    "allows_meld": 0.55,
    "buys": 0.7,
    "forbids": 0.25,
    "offers": 0.7,
    "discards": 0.45,
    "follows": 0.75,
    "lays_aside": 0.8,
    "lays_off_on": 0.55,
    "may_lay": 0.55,
    "may_lay_off": 0.85,
    "most_melds": 0.8,
    "opening": 0.75,
    "owes": 0.8,
}
"""
The questions that are asked about each action, and how much is left of the pace.

All others leave 0.9 of it. Where they look ahead, what they might say forbids a
shortcut.
"""


def lockstep(game: str, rules: rv.Ruleset, seed: int) -> Iterator[rv.State]:
    """
    The states of a random game by some rules, which a preset's game goes along with.
    """
    chance = random.Random(seed)
    number = silent.players_of(game)
    ours, plain = (rv.game.begin(one, number, seed=seed) for one in (rules, game))
    for _ in range(60):
        if ours.is_over:
            return
        if ours.phase == "deal":
            ours, plain = rv.game.deal(ours), rv.game.deal(plain)
            continue
        here, there = ({*map(str, rv.legal_actions(one))} for one in (ours, plain))
        assert here == there
        yield ours
        text = chance.choice(sorted(here))
        ours, plain = (rv.apply(one, text, one.to_act[0]) for one in (ours, plain))


def check_nothing_changes(game: str, question: str) -> None:
    """
    Play a game with a silent rule beside one without it.
    """
    rules = silent.with_silence(game, question)
    if rules is not None:
        assert sum(1 for _ in lockstep(game, rules, 3))


@pytest.mark.parametrize("question", QUESTIONS)
def test_none_is_nothing_to_say(question: str) -> None:
    for game in QUICK:
        check_nothing_changes(game, question)


@pytest.mark.long
@pytest.mark.parametrize("game", rest_is_slow(rv.presets(), 8))
def test_none_is_nothing_to_say_in_any_game(game: str) -> None:
    for question in QUESTIONS:
        check_nothing_changes(game, question)


def work(
    rules: rv.Ruleset,
    number: int,
    actions: int = 100,
    choose: players.Choose = players.by_sample,
) -> int:
    """
    The calls of random play whose tables are filled.
    """
    for _ in range(2):
        run = players.matches(rules, number, seed=1, choose=choose)
        calls, _ = counted(10**9, lambda: next(itertools.islice(run, actions, None)))  # noqa: B023 -- called at once
    return calls


def check_cost(game: str, questions: tuple[str, ...]) -> None:
    """
    Compare the work of random play with a silent rule and without it.
    """
    number = silent.players_of(game)
    plain = work(rv.preset(game), number)
    for question in questions:
        rules = silent.with_silence(game, question)
        if rules is not None:
            left = plain / work(rules, number)
            least = ASKED.get(question, 0.8 if question in WINDOWS else 0.9)
            assert left >= least, f"{question} leaves {left:.2f} of the pace in {game}"


def test_a_silent_rule_leaves_the_shortcuts_on() -> None:
    """A rule for points cost Canasta seven eighths of its pace."""
    check_cost("canasta", ("score", "remembers_deal", "may_lay_off", "cards_drawn"))
    check_cost("rummy-500", ("score", "may_knock", "winners", "takes", "discards"))


@pytest.mark.long
@pytest.mark.parametrize("game", rest_is_slow(rv.presets(), 8))
def test_a_silent_rule_costs_next_to_nothing(game: str) -> None:
    check_cost(game, QUESTIONS)


@pytest.mark.long
@pytest.mark.parametrize("game", rest_is_slow(rv.presets(), 4))
def test_a_method_that_does_nothing_costs_nothing(game: str) -> None:
    number = silent.players_of(game)
    plain = work(rv.preset(game), number)
    for question in QUESTIONS:
        rules = silent.with_silence(game, question, silent.idle)
        assert rules is not None
        assert rules.asked.keys() == rv.preset(game).asked.keys()
        assert plain / work(rules, number) > 0.98, question


def told(*_: object) -> None:
    """An answer that is only described."""


def listed(*_: object) -> Iterator[object]:
    yield from ()


def failing(*_: object) -> None:
    raise AssertionError


DO_NOTHING = (told, silent.idle, lambda *_: None)
MAY_SPEAK = (
    *(listed, failing, functools.partial(told), lambda *_: False, lambda *_: ()),
    *(lambda _, turn: turn and None, lambda rule, *_: rule.name or None),
)


def test_what_does_nothing_is_told_from_what_may_say_something() -> None:
    for method in (*DO_NOTHING, *MAY_SPEAK):
        rule = type("Rule", (rv.house.HouseRule,), {"discards": method})()
        assert answered_by(rule) == ["discards"] * (method in MAY_SPEAK)


@pytest.mark.long
@pytest.mark.parametrize(("number", "least"), [(1, 0.65), (2, 0.35), (3, 0.3)])
def test_a_veto_costs_little_where_the_engine_can_tell(
    number: int, least: float
) -> None:
    """Aces kept left a sixth of the pace by whole lists, a veto of melds a quarter."""
    name, *veto = silent.VETOES[number]
    given = 4, 1_000, players.from_all
    left = work(rv.preset("rummy-5000"), *given) / work(silent.with_veto(*veto), *given)
    assert left >= least, f"{name} leaves {left:.2f} of the pace"
