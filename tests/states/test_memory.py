"""Equal rules share their tables, and what was worked out goes when they go."""

from __future__ import annotations

import gc
import pickle
import tracemalloc

from collections import Counter
from typing import TypeVar

import pytest

import rummyvariants as rv

from rummyvariants.bots import bot, play_on


T = TypeVar("T")


def out_of_pickle(given: T) -> T:
    found: T = pickle.loads(pickle.dumps(given))  # noqa: S301 -- of our own making
    return found


KINDS = {
    "pickle": out_of_pickle,
    "json": lambda state: rv.files.from_json(rv.files.to_json(state), rv.State),
    "record": lambda state: rv.replay(str(rv.record(state))),
}
AT_MOST = {"Ruleset": 64 + 1, "Terms": 4 * 64}
"""How many may stay that no game uses: a preset, those used last, terms of them."""
PLAYED = {
    "three-thirteen": "PGV-C1a",
    "gin-rummy": "PGV-C1a",
    "rummy-500": "PGV-D4a",
    "indian-rummy": None,
}


def decided(state: rv.State, seed: int = 0) -> rv.State:
    players = [bot("careful")] * len(state.players)
    return next(play_on(state, players, seed)).after


def alive() -> Counter[str]:
    gc.collect()
    return Counter(type(one).__name__ for one in gc.get_objects())


def begun(name: str, option: str | None, seed: int = 1) -> rv.State:
    rules = rv.preset(name).with_options(*[option] * bool(option))
    return rv.new_game(rules, max(2, rules.match.players[0]), seed=seed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PLAYED)
def test_rules_that_are_read_are_those_in_use(kind: str, name: str) -> None:
    state = begun(name, PLAYED[name])
    assert begun(name, PLAYED[name]).rules is state.rules
    again = KINDS[kind](state)
    assert again == state
    assert again.rules is state.rules
    assert again.dealt.terms is state.dealt.terms


def test_a_preset_that_was_forgotten_is_one_object_again() -> None:
    rv.preset("indian-rummy")
    for number in range(1, 71):
        rv.preset("gin-rummy").with_values({"match.target": number})
    state = begun("indian-rummy", None)
    for kind in KINDS.values():
        assert kind(state).rules is state.rules is rv.preset("indian-rummy")


def test_rules_of_a_table_are_those_in_use() -> None:
    given = {"extends": "gin-rummy", "name": "ours", "match": {"target": 321}}
    assert rv.rules.read_rules(given) is rv.rules.read_rules(given)


def test_equal_rules_with_other_names_stay_apart() -> None:
    given = {
        "extends": "gin-rummy",
        "match": {"target": {"value": 321, "rule": "GR-13"}},
    }
    one, other = (
        rv.rules.read_rules({**given, "name": name}) for name in ("one", "other")
    )
    assert one == other
    assert (one.name, other.name) == ("one", "other")
    for rules in (one, other):
        assert out_of_pickle(rules).name == rules.name
        assert (
            rv.files.from_json(rv.files.to_json(rules), rv.Ruleset).name == rules.name
        )
    for where in ("a.toml", "b.toml"):
        read = rv.rules.read_rules(given, where=where, lines={"match.target": 3})
        assert read.changes[0][1][2] == f"{where}, line 3"


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_requests_about_one_game_leave_nothing_behind(kind: str) -> None:
    state = begun("gin-rummy", "PGV-C1a")

    def request() -> None:
        decided(KINDS[kind](state))

    for _ in range(3):
        request()
    gc.collect()
    tracemalloc.start()
    request()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(10):
        request()
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Python itself keeps the names of attributes that were looked up.
    assert after - before < 50_000, f"{after - before:,} bytes in ten requests"


@pytest.mark.long
def test_rules_that_differ_are_forgotten_again() -> None:
    before = alive()
    for number in range(1, 151):
        rules = rv.preset("three-thirteen").with_values({"score.rounded_to": number})
        decided(rv.new_game(rules, 2, seed=number))
    after = alive()
    for name, most in AT_MOST.items():
        assert after[name] - before[name] <= most


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_requests_about_every_game_stay_flat(kind: str) -> None:
    games = [begun(name, None) for name in rv.presets()]
    games += [begun(name, option) for name, option in PLAYED.items()]
    counts = []
    for number in range(8 * len(games)):
        at = number % len(games)
        after = decided(KINDS[kind](games[at]), number)
        games[at] = after if not after.is_over else games[at]
        if at == 0:
            counts.append(alive())
    for name in AT_MOST:
        assert max(one[name] for one in counts[4:]) <= 1.2 * max(
            one[name] for one in counts[2:4]
        )
