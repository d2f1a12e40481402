"""What is no document, or holds values of the wrong kind, for every reader."""

from __future__ import annotations

import array
import contextlib
import copy
import math
import pickle
import random

from collections.abc import Callable
from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants.files._documents import file_slots
from rummyvariants.files.json import JsonError, from_data, from_json, to_data


class Thing:
    """
    A value of no kind that anything reads.
    """

    def __repr__(self) -> str:
        return "Thing()"


NOTHINGS = (None, 5, 2.5, True, b"", [], {}, (), Thing(), {"a": None})


@pytest.mark.parametrize("given", NOTHINGS, ids=repr)
def test_what_is_no_document_is_refused_by_the_librarys_own_errors(given: Any) -> None:
    """
    By every reader, in a sentence.
    """
    readers: tuple[Callable[[Any], object], ...] = (
        rv.files.Record.parse,
        rv.replay,
        lambda one: list(rv.files.replay_steps(one)),
        rv.files.parse_scenario,
        lambda one: from_json(one, "state"),
        lambda one: from_data(one, "state"),
        lambda one: from_data({}, one),
        to_data,
        lambda one: rv.learning.encoding(one, 2),
        lambda one: rv.learning.observation_spec(one, 2),
    )
    for read in readers:
        with pytest.raises(rv.RummyError) as found:
            read(given)
        assert str(found.value)


@pytest.mark.parametrize("given", [*NOTHINGS, array.array("i", [1, 2]), math.nan])
def test_keys_of_positions_may_hold_anything_and_are_refused(given: Any) -> None:
    """
    Every key, given a value of the wrong kind, is read or refused as it should be.
    """
    values = [given]
    with contextlib.suppress(ModuleNotFoundError):
        import numpy as np  # noqa: PLC0415 -- an extra

        values += [np.array(["draw", "play"]), np.array([])]
    for value in values:
        for key in file_slots():
            keys = {"hands": {"Ann": "7h", "Ben": "2c"}, "stock": "3c", key: value}
            with contextlib.suppress(rv.RummyError):
                rv.position("canasta" if key == "red_threes" else "rummy-500", **keys)


def test_true_is_no_format() -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    for value in (state, rv.view(state, 0), rv.record(state)):
        data = {**to_data(value), "format": True}
        kind = type(value).__name__.lower()
        with pytest.raises(JsonError, match="format: true is unknown"):
            from_data(data, kind)
    text = str(rv.record(state))
    for wrong in ("true", "2"):
        with pytest.raises(rv.errors.RecordError, match=r"format: .* is unknown"):
            rv.files.Record.parse(text.replace("format = 1", f"format = {wrong}"))


def test_articles_fit_their_nouns() -> None:
    with pytest.raises(JsonError, match="an arrangement is read together"):
        from_data({}, "arrangement")
    with pytest.raises(JsonError, match="not an int with an action"):
        from_data({}, "action", 5)
    with pytest.raises(JsonError, match="not an int"):
        to_data(5)


@pytest.mark.parametrize("name", rv.presets())
def test_choosers_can_be_pickled_and_copied(name: str) -> None:
    """
    At every choice of every action.
    """
    randrange = random.Random(name)
    state = rv.new_game(name, rv.preset(name).match.players[0], seed=3)
    for _ in range(4):
        if state.phase in {"deal", "over"}:
            break
        chooser = rv.chooser(state)
        while True:
            for again in (
                pickle.loads(pickle.dumps(chooser)),  # noqa: S301 -- our own
                copy.deepcopy(chooser),
            ):
                assert again == chooser
                assert again.choices == chooser.choices
                assert again.action == chooser.action
            if chooser.is_complete or not chooser.choices:
                break
            chooser = chooser.choose(randrange.choice(chooser.choices))
        if chooser.action is None:
            break
        state = rv.apply(state, chooser.action)
