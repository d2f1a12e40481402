"""
Records that were kept are the same games, and are told in the same way.
"""

from __future__ import annotations

import json

import pytest

from syrupy.assertion import SnapshotAssertion

import golden
import rummyvariants as rv

from rummyvariants.game.verbs import _known as verbs


@pytest.fixture(autouse=True, scope="module")
def _renewed(pytestconfig: pytest.Config) -> None:
    if pytestconfig.option.update_snapshots:
        golden.renew()


def in_lines(value: object) -> str:
    """
    The JSON of a value, a line for each of its keys.
    """
    text = rv.files.to_json(value)
    assert rv.files.to_json(rv.files.from_json(text, type(value))) == text
    return "\n".join(
        f"{key}: {json.dumps(one)}" for key, one in json.loads(text).items()
    )


@pytest.mark.parametrize("name", golden.TABLES)
def test_records_that_were_kept_are_the_same_games(name: str) -> None:
    for record in golden.kept(name):
        state = rv.replay(record)
        assert golden.written(state) == record
        assert rv.files.from_json(rv.files.to_json(state), rv.State) == state


@pytest.mark.parametrize("name", golden.TABLES)
def test_they_are_told_as_they_were(name: str, snapshot: SnapshotAssertion) -> None:
    told = []
    for step in golden.moments()[name]:
        told += [f"# {step.action}", *map(in_lines, step.events)]
        told.append(in_lines(rv.view(step.after, max(step.action.seat or 0, 0))))
    assert "\n\n".join(told) == snapshot


def test_every_phase_and_every_kind_of_action_is_kept() -> None:
    found: set[str] = set()
    for name in golden.TABLES:
        assert golden.kept(name), name
        for record in golden.kept(name):
            for _, kinds in golden.steps_with_kinds(record):
                found |= kinds
    phases = {"choose", "offer", "draw", "play", "call", "discard", "layoff", "over"}
    phases |= {"deal", "buy", "stock", "rejoin", "answer", "asked"}
    assert found == phases | {kind.__name__ for kind in verbs.VERBS} | {"Deal"}


def test_a_state_is_written_as_it_was(snapshot: SnapshotAssertion) -> None:
    assert in_lines(rv.replay(golden.kept("gin-rummy")[0])) == snapshot
