"""
Names that people guess: the error says what to write, and what it says is there.
"""

from __future__ import annotations

import contextlib
import copy
import pickle
import re

from pathlib import Path
from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants._support import guesses
from rummyvariants._support.lazy import NoNameError
from rummyvariants.game.verbs._synonyms import ELSEWHERE


STATE = rv.new_game("gin-rummy", ["Ann", "Ben"])
VIEW = rv.view(STATE, "Ann")
BEST = rv.arrange("gin-rummy", "7h 8h 9h Kd")
STEP = rv.step(STATE, "take 1")
RULING = rv.check(STATE, "draw")


def _said(owner: Any, name: str) -> str:
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    return str(caught.value)


@pytest.mark.parametrize(
    ("owner", "name", "said"),
    [
        (rv, "list_games", "'list_games'; write rv.presets()"),
        (rv, "can_knock", "write rv.check(state, 'knock Kc"),
        (rv, "is_meld", "write rv.check(state, 'meld 7h 8h 9h')"),
        (rv, "lay_off", "write rv.apply(state, 'lay Th on 2')"),
        (rv, "knock_limit", "rv.search('knock limit') searches the rules"),
        (rv, "to_json", "it is rv.files.to_json"),
        (rv, "winner", "write state.winners"),
        (rv, "undo", "states never change"),
        (rv, "new_gam", "did you mean 'new_game'?"),
        (rv.game, "new_game", "it is rv.new_game"),
        (STATE, "current_player", "write state.players[state.turn]"),
        (STATE, "is_finished", "write state.is_over"),
        (STATE, "legal_actions", "write rv.legal_actions(state)"),
        (STATE, "apply", "write rv.apply(state, 'draw')"),
        (STATE, "knock", "write rv.apply(state, 'knock Kc"),
        (STATE, "save", "str(rv.record(state)) is a text to keep"),
        (rv, "save_game", "write str(rv.record(state))"),
        (STATE, "scors", "did you mean 'scores'?"),
        (VIEW, "melds", "write view.table"),
        (rv.Card("7h"), "value", "worth('Ks')"),
        (STEP, "state", "write step.after"),
        (RULING, "is_legal", "write ruling.legal"),
        (BEST, "deadwood", "write arrangement.points_left"),
    ],
)
def test_a_guessed_name_gets_what_to_write(owner: Any, name: str, said: str) -> None:
    assert said in _said(owner, name)


@pytest.mark.parametrize("call", sorted({*guesses._CALLS.values()}))
def test_what_is_to_be_written_instead_is_there(call: str) -> None:
    for name in re.findall(r"rv\.([a-z_.]+)", call):
        found: Any = rv
        for part in name.split("."):
            found = getattr(found, part)
        assert callable(found)


def _codes() -> set[str]:
    balanced = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
    code = rf"(?:\[\*|str\()?rv\.[\w.]+\({balanced}\)(?:\]\[-1\]|\))?(?:\.\w+)*"
    texts = [*guesses._CALLS.values(), *ELSEWHERE.values()]
    return {one for text in texts for one in re.findall(code, text)}


@pytest.mark.parametrize("code", sorted(_codes()))
def test_what_is_to_be_written_instead_runs(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = str(rv.record(rv.new_game("rummy-500", ["Ann", "Ben"], seed=1)))
    Path("game.toml").write_text(text, encoding="utf-8")
    state = rv.replay(text)
    if "meld" in code:
        state = rv.position("rummy-500", hand="7h 8h 9h Kd", phase="play")
    names = {"rv": rv, "state": state, "text": text}
    with contextlib.suppress(rv.IllegalAction):
        eval(code.replace("games=100", "games=1"), names)  # noqa: S307 -- our own


@pytest.mark.parametrize(
    ("one", "name"),
    [
        (one, name)
        for one in (STATE, VIEW, BEST, STEP, RULING)
        for name in guesses._OF_CLASSES[type(one).__name__]
        if not hasattr(one, name)
    ],
)
def test_attributes_to_write_instead_are_there(one: Any, name: str) -> None:
    meant = guesses._OF_CLASSES[type(one).__name__][name]
    assert hasattr(one, re.split(r"\W", meant)[0])


def test_what_has_no_such_name_is_still_copied_and_sent() -> None:
    for one in (STATE, VIEW, BEST, STEP, RULING, rv.Card("7h")):
        assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one  # noqa: S301
        assert not hasattr(one, "nonsense")
        assert _said(one, "__wrong__").endswith("has no attribute '__wrong__'")
    error = pickle.loads(pickle.dumps(NoNameError("rummyvariants", "games")))  # noqa: S301
    assert "rv.presets()" in str(error)
