"""
What earlier versions wrote is read as the same games, and written the same way.
"""

import json

from typing import Any

import pytest

import golden
import rummyvariants as rv

from rummyvariants.files.json._formats import of_this_format
from rummyvariants.game.events import Acted
from rummyvariants.game.verbs import _known as verbs


@pytest.mark.parametrize("name", golden.TABLES)
def test_games_that_were_kept_are_the_same_games(name: str) -> None:
    for game in golden.written(name):
        text = game["record"]
        now = str(rv.record(rv.replay(text)))
        # At first no version of the rules was written down.
        line = f'version = "{rv.Record.parse(text).rules.fingerprint}"\n'
        assert line in now
        assert now.replace(line, "") == text.replace(line, "")
        state = rv.from_json(json.dumps(game["json"]), rv.State)
        assert state == rv.replay(text)
        data = golden.as_data(state)
        if "version" not in game["json"].get("record", ()):
            data.get("record", {}).pop("version", None)
        assert data == _as_written_now(game["json"])


@pytest.mark.parametrize("name", golden.TABLES)
def test_seats_see_what_they_saw(name: str) -> None:
    for game in golden.written(name):
        steps = [*rv.replay_steps(game["record"])]
        for number, kept in game["moments"].items():
            step = steps[int(number)]
            # That a player chose to drop was not told at first.
            told = [one for one in step.events if not isinstance(one, Acted)]
            events = [golden.as_data(event) for event in told]
            assert len(events) == len(kept["events"])
            for event, before in zip(events, kept["events"], strict=True):
                # Events may tell more than they did.
                same = {key: value for key, value in event.items() if key in before}
                assert same == _as_written_now(before)
            for seat, seen in enumerate(kept["views"]):
                view = rv.view(step.after, seat)
                assert rv.from_json(json.dumps(seen), rv.View) == view
                now = golden.as_data(view)
                # What a seat remembers was not written down at first.
                for key in (
                    "sights",
                    "zones",
                    "known_by_some",
                    "known_stock",
                    "dropped",
                    "partial",
                ):
                    if key not in seen:
                        del now[key]
                assert _in_order(now) == _in_order(_as_written_now(seen))


def _in_order(seen: dict[str, Any]) -> dict[str, Any]:
    """
    A view with its legal actions in an order that no version changes.
    """
    legal = seen["legal_actions"]
    return {**seen, "legal_actions": legal and sorted(legal)}


def _as_written_now(given: Any) -> Any:
    """
    A document of the version that wrote it, as this one writes it.
    """
    given = of_this_format(given)
    if isinstance(given, dict):
        given = {key: _as_written_now(value) for key, value in given.items()}
        for frame in given.get("frames", ()):
            frame.update(notes=frame.get("notes", []), secrets=[])
    if isinstance(given, list):
        return [_as_written_now(one) for one in given]
    return given


def test_every_phase_and_every_kind_of_action_is_kept() -> None:
    games = [game for name in golden.TABLES for game in golden.written(name)]
    moments = [one for game in games for one in game["moments"].values()]
    phases = {"choose", "offer", "draw", "play", "call", "discard", "layoff", "over"}
    phases |= {"buy", "stock", "rejoin", "answer"}
    assert {one["views"][0]["phase"] for one in moments} == phases | {"deal"}
    kinds = {
        type(rv.parse_action(action))
        for game in games
        for line in game["json"]["record"]["round"]
        for action in line["actions"]
    }
    # No preset lets anybody do what is there by rules of a table alone.
    assert kinds == {*verbs.VERBS}
