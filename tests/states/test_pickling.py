"""What users hold can be copied and pickled, by every protocol."""

from __future__ import annotations

import copy
import functools
import json
import pickle
import random

from collections.abc import Callable, Mapping
from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants._support.values import Fixed


@functools.cache
def games() -> tuple[rv.State, rv.State, rv.State]:
    """
    A game that begins, one whose first round is over, and one at the end of a turn.
    """
    state = begun = rv.new_game("rummy-5000", ["Ann", "Ben", "Cleo"], seed=27)
    rng = random.Random(1)
    while not state.is_round_over:
        state = rv.apply(state, rv.legal_actions(state).sample(rng))
    hands = {"Ann": "9s 9c 9d 8d 7d 2c", "Ben": "Qh"}
    play = rv.position("rummy-500", hands=hands, stock="3c", phase="play")
    return begun, state, play


VALUES: dict[str, Callable[[], Any]] = {
    "options": rv.options,
    "catalogue": rv.rules.catalogue,
    "presets": rv.presets,
    "rule": lambda: rv.rule("PG-14"),
    "option": lambda: rv.options()["PGV-C5"],
    "rules": lambda: rv.preset("rummy-500").with_options("PGV-P4"),
    "rules with house rules": lambda: rv.preset("canasta"),
    "origins": lambda: rv.preset("rummy-500").origins,
    "values": lambda: rv.preset("rummy-500").values(),
    "differences": lambda: rv.preset("rummy-500").diff("gin-rummy"),
    "fits": lambda: rv.rules.options_for(rv.preset("rummy-500")),
    "state": lambda: games()[0],
    "state after a round": lambda: games()[1],
    "view": lambda: rv.view(games()[0], "Ann"),
    "view of a spectator": lambda: rv.view(games()[1]),
    "history": lambda: rv.view(games()[1], 0).history,
    "legal actions": lambda: rv.legal_actions(games()[0]),
    "legal actions of nobody": lambda: rv.view(games()[0]).legal_actions,
    "legal actions of a deal": lambda: rv.legal_actions(games()[1]),
    "legal action": lambda: next(rv.legal_actions(games()[0]).details()),
    "page": lambda: rv.legal_actions(games()[0]).page(),
    "chooser": lambda: rv.chooser(games()[0]),
    "chooser on its way": lambda: rv.chooser(games()[0]).choose("take"),
    "ruling": lambda: rv.check(games()[0], "discard 2c"),
    "step": lambda: rv.step(games()[0], "take 1"),
    "events": lambda: rv.step(games()[0], "take 1").events,
    "seen events": lambda: rv.step(games()[0], "draw").seen_by(1),
    "action": lambda: rv.game.parse_action("meld 7h *=8h 9h"),
    "cards": lambda: games()[0].hands[0],
    "meld": lambda: games()[1].table[0],
    "result": lambda: games()[1].result,
    "score sheet": lambda: rv.game.score_sheet(games()[1]),
    "arrangement": lambda: rv.arrange(games()[2], seat=0),
    "record": lambda: rv.record(games()[0]),
}
WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle {number}": functools.partial(
            lambda protocol, one: pickle.loads(pickle.dumps(one, protocol)),  # noqa: S301 -- of our own making
            number,
        )
        for number in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", VALUES)
def test_what_is_copied_is_equal_and_prints_alike(name: str, way: str) -> None:
    value = VALUES[name]()
    again = WAYS[way](value)
    assert type(again) is type(value)
    assert again == value
    assert (repr(again), str(again)) == (repr(value), str(value))
    if name == "differences":
        assert again.names == value.names


def test_copied_legal_actions_are_those_of_the_seat() -> None:
    legal = rv.legal_actions(games()[0], "Ben")
    assert not legal
    assert not copy.copy(legal)
    assert "draw" not in pickle.loads(pickle.dumps(legal))  # noqa: S301 -- our own
    deal = rv.legal_actions(games()[1])
    chance = rv.game.next_deal(games()[1])
    assert chance in copy.copy(deal)


@pytest.mark.parametrize(
    "table", [rv.options(), rv.rules.catalogue(), games()[0].rules.origins]
)
def test_tables_of_the_library_cannot_be_changed(table: Any) -> None:
    first = next(iter(table))
    before = dict(table)
    for change in (
        lambda: table.__setitem__(first, None),
        lambda: table.__delitem__(first),
        table.clear,
        table.popitem,
        lambda: table.pop(first),
        lambda: table.setdefault("new", 1),
        lambda: table.update(new=1),
        lambda: table.__ior__({"new": 1}),
    ):
        with pytest.raises(TypeError, match="dict"):
            change()
    assert table == before
    assert isinstance(table, Mapping)


def test_a_fixed_table_is_a_dictionary_to_read() -> None:
    table = Fixed({"a": 1})
    mine = table | {"b": 2}
    mine["c"] = 3
    assert (table, mine) == ({"a": 1}, {"a": 1, "b": 2, "c": 3})
    assert json.dumps(table) == '{"a": 1}'
