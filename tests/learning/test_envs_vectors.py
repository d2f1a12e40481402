"""Many games of Gymnasium are the same as each alone, here or in other processes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import rummyvariants as rv

from rummyvariants.bots import BotError, sources_of
from rummyvariants.envs import EnvError, gym_env, vector_env
from rummyvariants.envs.gymnasium import RummyEnv


def chosen(seen: Any, rng: Any) -> Any:
    """
    An index for each game that may be chosen.
    """
    masks = seen["action_mask"]
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def played(made: Any, steps: int, seed: int = 1) -> list[Any]:
    """
    Games at random: what the reset and each step gave.
    """
    rng = np.random.default_rng(seed)
    seen, info = made.reset(seed=seed)
    told: list[Any] = [(seen, info)]
    for _ in range(steps):
        assert made.observation_space.contains(seen)
        assert seen["action_mask"].any(axis=1).all()
        assert np.array_equal(made.action_masks(), seen["action_mask"] == 1)
        done = made.step(chosen(seen, rng))
        seen = done[0]
        told.append(done)
    return told


class Alone:
    """
    One place, played by the environment for one game.
    """

    def __init__(self, made: RummyEnv, seed: int, place: int) -> None:
        self.made, self.seed, self.place = made, seed, place
        self.number = -1
        self.begin()

    def begin(self) -> None:
        made = self.made
        while True:
            self.number += 1
            seed = f"{self.seed}/{self.place}/{self.number}"
            made._table.begin(seed)
            made._sources = sources_of(seed, made.encoding.players)
            made._before = made._let_bots_play()
            made._steps = 0
            if not made._table.is_over:
                break

    def seen(self) -> Any:
        return self.made._observed(self.made._seat)


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("gin-rummy", 2, {"form": "flat", "until": "round", "max_steps": 25}),
        ("rummy-500", 3, {"opponents": ["greedy", "random"], "seat": 1}),
        ("indian-rummy-deals", 2, {"rewards": "match", "opponents": "random"}),
        (
            "gin-rummy",
            2,
            {"normalized": True, "fields": ("hands", "top"), "max_steps": 20},
        ),
        ("george", 3, {"until": "round", "scale": 100, "max_steps": 9}),
        (
            "three-thirteen",
            2,
            {"observation": "perfect recall", "length": 4_000, "max_steps": 60},
        ),
    ],
)
def test_games_are_those_that_are_played_alone(
    name: str, players: int, options: dict[str, Any]
) -> None:
    made = vector_env(name, players, 3, **options)
    alone = [Alone(gym_env(name, players, **options), 5, place) for place in range(3)]
    rng = np.random.default_rng(2)
    seen, _ = made.reset(seed=5)
    ended = 0
    for _ in range(150):
        indices = chosen(seen, rng)
        seen, rewards, over, cut, infos = made.step(indices)
        for place, (one, index) in enumerate(zip(alone, indices, strict=True)):
            last, reward, *ends, _ = one.made.step(index)
            assert rewards[place] == pytest.approx(reward)
            assert [over[place], cut[place]] == ends
            if any(ends):
                ended += 1
                assert infos["_final_obs"][place]
                assert data_equivalence(infos["final_obs"][place], last)
                assert one.made.observation_space.contains(last)
                one.begin()
            now = {key: array[place] for key, array in seen.items()}
            assert data_equivalence(now, one.seen())
    assert ended or "max_steps" not in options


def test_the_same_seed_gives_the_same_games() -> None:
    made = vector_env("gin-rummy", num_envs=3, until="round")
    first, again, other = (played(made, 60, seed) for seed in (4, 4, 5))
    assert data_equivalence(first, again)
    assert not data_equivalence(first, other)
    one, two = made.reset(seed=4)[0], made.reset()[0]
    assert not data_equivalence(one, two)
    made.reset(seed=4)
    assert data_equivalence(made.reset()[0], two)


@pytest.mark.parametrize(
    "options",
    [
        {"until": "round", "form": "flat", "max_steps": 30, "normalized": True},
        {"opponents": None, "scale": 50, "illegal": -1},
    ],
    ids=str,
)
def test_games_are_the_same_in_other_processes(options: dict[str, Any]) -> None:
    here = played(vector_env("gin-rummy", num_envs=5, **options), 150)
    other = vector_env("gin-rummy", num_envs=5, processes=2, **options)
    try:
        assert data_equivalence(here, played(other, 150))
    finally:
        other.close()
    with pytest.raises(EnvError, match="the environment is closed"):
        other.reset()
    other.close()


def test_all_seats_learn_without_opponents() -> None:
    made = vector_env("rummy-500", 3, 4, opponents=None, until="round")
    seen, info = made.reset(seed=2)
    rng = np.random.default_rng(1)
    ended, seats = 0, set()
    while not ended:
        actors = info["seat"]
        assert info["_seat"].all()
        seats |= {*actors.tolist()}
        seen, rewards, over, _, info = made.step(chosen(seen, rng))
        assert info["rewards"].shape == (4, 3)
        assert np.array_equal(rewards, info["rewards"][np.arange(4), actors])
        assert info["rewards"].sum(axis=1) == pytest.approx(np.zeros(4))
        assert not info["rewards"][~over].any()
        for place in np.flatnonzero(over):
            vector = info["final_obs"][place]["observation"]
            named = made.observation_spec.named(vector)
            assert made.single_observation_space["observation"].contains(vector)
            assert named["phase"].any()
        ended += over.sum()
    assert seats == {0, 1, 2}


def test_what_is_skipped_or_over_before_the_first_step_is_told() -> None:
    made = vector_env("rummy-5000", 3, 8, until="round")
    for seed in range(200):
        _, info = made.reset(seed=seed)
        if "skipped" in info:
            break
    (place, *_) = np.flatnonzero(info["_skipped"])
    (skipped, *_) = info["skipped"][place]
    assert skipped["seed"] == f"{seed}/{place}/0"
    own, *others = skipped["result"].points
    assert skipped["reward"] == own - sum(others) / 2 < 0
    match = vector_env("rummy-5000", 3, 8)
    seen, info = match.reset(seed=seed)
    assert info["rounds"][place] == 1
    assert info["reward"][place] == skipped["reward"]
    _, rewards, *_ = match.step(chosen(seen, np.random.default_rng(1)))
    assert rewards[place] == pytest.approx(skipped["reward"])


def test_an_index_that_is_masked_out_is_an_error_and_changes_nothing() -> None:
    made = vector_env("rummy-500", num_envs=3)
    seen, _ = made.reset(seed=1)
    indices = chosen(seen, np.random.default_rng(1))
    indices[1] = np.flatnonzero(seen["action_mask"][1] == 0)[0]
    said = r"game 1: \d+ \('.*'\) cannot be chosen here: the mask allows"
    with pytest.raises(rv.learning.EncodingError, match=said) as refused:
        made.step(indices)
    assert "illegal=REWARD" in refused.value.__notes__[0]
    assert data_equivalence(
        made.step(seen["action_mask"].argmax(axis=1)),
        (
            again := vector_env("rummy-500", num_envs=3),
            again.reset(seed=1),
            again.step(seen["action_mask"].argmax(axis=1)),
        )[2],
    )


def test_an_index_that_is_masked_out_may_cost_something_instead() -> None:
    made = vector_env("rummy-500", num_envs=3, illegal=-0.5, max_steps=2)
    seen, _ = made.reset(seed=1)
    for last in (False, True):
        indices = seen["action_mask"].argmax(axis=1)
        indices[1] = made.encoding.size if last else seen["action_mask"][1].argmin()
        after, rewards, over, cut, infos = made.step(indices)
        assert rewards.tolist() == [0, -0.5, 0]
        assert not over.any()
        assert cut.tolist() == [last] * 3
        assert infos["_illegal"].tolist() == [False, True, False]
        assert "an index" if last else "cannot be chosen here" in infos["illegal"][1]
        held = {key: array[1] for key, array in seen.items()}
        now = {key: array[1] for key, array in after.items()}
        assert data_equivalence(infos["final_obs"][1] if last else now, held)
        seen = after


@pytest.mark.parametrize(
    "indices", [[0], 7, [0.0, 1.0, 0.0], None, [[0, 0, 0]], [True, True, True], "draw"]
)
def test_indices_that_are_none(indices: Any) -> None:
    made = vector_env("gin-rummy", num_envs=3)
    made.reset(seed=1)
    with pytest.raises(EnvError, match="give one index for each of 3 games"):
        made.step(indices)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"rules": "gin-rumy"}, rv.errors.RulesError, "did you mean 'gin-rummy'"),
        ({"num_envs": 0}, EnvError, "num_envs cannot be 0: give a whole number from 1"),
        ({"num_envs": 2.0}, EnvError, "num_envs cannot be 2.0"),
        (
            {"processes": 3},
            EnvError,
            "processes cannot be 3: give a whole number from 1 to 2, the number of",
        ),
        ({"processes": 0}, EnvError, "processes cannot be 0"),
        ({"opponents": "gredy"}, BotError, "did you mean 'greedy'"),
        ({"seat": 2}, EnvError, "there is no seat 2"),
        ({"scale": 0}, EnvError, "scale cannot be 0"),
        ({"max_steps": 0}, EnvError, "max_steps cannot be 0"),
        ({"until": "mach"}, EnvError, "did you mean 'match'"),
    ],
)
def test_wrong_arguments(arguments: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        vector_env(**{"rules": "gin-rummy", "num_envs": 2, **arguments})


def test_calls_before_the_games() -> None:
    made = vector_env("gin-rummy", num_envs=2)
    with pytest.raises(EnvError, match="no game has begun: call reset first"):
        made.step([0, 0])


def test_gymnasium_makes_it_and_wraps_it() -> None:
    import rummyvariants.envs.gymnasium  # noqa: F401, PLC0415 -- it registers the ids

    made: Any = gymnasium.make_vec(
        "rummyvariants/gin-rummy-v1", 4, until="round", form="flat"
    )
    assert made.num_envs == 4
    assert made.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    wrapped = DictInfoToList(RecordEpisodeStatistics(made))
    rng = np.random.default_rng(1)
    seen, infos = wrapped.reset(seed=1)
    total, returns = np.zeros(4), []
    while len(returns) < 5:
        seen, rewards, over, _, infos = wrapped.step(chosen(seen, rng))
        total += rewards
        for place in np.flatnonzero(over):
            returns.append(total[place])
            assert infos[place]["episode"]["r"] == pytest.approx(total[place])
            total[place] = 0
    with pytest.raises(EnvError, match="leave out render_mode"):
        gymnasium.make_vec("rummyvariants/gin-rummy-v1", 4, render_mode="ansi")


class Fails:
    """
    A bot that plays for a while.
    """

    def __init__(self, turns: int) -> None:
        self.turns = turns

    def choose(self, view: rv.View, rng: random.Random) -> rv.actions.Action:
        self.turns -= 1
        if not self.turns:
            msg = "a bot of ours has lost its way"
            raise ArithmeticError(msg)
        return rv.bots.bot("random").choose(view, rng)


def test_an_error_in_another_process_comes_back_with_its_text() -> None:
    made = vector_env("gin-rummy", num_envs=2, opponents=Fails(9), processes=1)
    try:
        with pytest.raises(EnvError, match="ArithmeticError: a bot of ours has lost"):
            played(made, 60)
        with pytest.raises(EnvError, match="no game has begun"):
            made.step([0, 0])
        made.reset(seed=2)
        made._parts[0][1]._process.kill()
        with pytest.raises(EnvError, match="a process with games has ended"):
            played(made, 5)
    finally:
        made.close()


def test_after_an_error_of_a_bot_games_begin_anew() -> None:
    made = vector_env("gin-rummy", num_envs=2, opponents=Fails(9))
    with pytest.raises(ArithmeticError, match="a bot of ours has lost"):
        played(made, 60)
    with pytest.raises(EnvError, match="no game has begun"):
        made.step([0, 0])
    played(made, 20)


def test_an_answer_that_nobody_waited_for_is_left_out() -> None:
    made = vector_env("gin-rummy", num_envs=2, processes=1)
    try:
        made._parts[0][1].send("reset", 9)  # as if it had been interrupted
        here = vector_env("gin-rummy", num_envs=2)
        assert data_equivalence(made.reset(seed=1), here.reset(seed=1))
        assert made._seats == here._seats
    finally:
        made.close()


def test_what_cannot_be_sent_to_other_processes_is_refused() -> None:
    with pytest.raises(EnvError, match=r"can be imported there: .*lambda"):
        vector_env("gin-rummy", num_envs=2, processes=2, rewards=lambda *_: [0, 0])


SCRIPT = """
import os, signal
from rummyvariants.envs import vector_env
if __name__ == "__main__":
    made = vector_env("gin-rummy", num_envs=2, processes=2)
    made.reset()
    print(*[part._process.pid for _, part in made._parts], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="it is killed by a signal")
def test_processes_end_with_their_parent(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, path], stdout=subprocess.PIPE, text=True, check=False
    )
    numbers = [int(number) for number in done.stdout.split()]
    assert len(numbers) == 2
    until = time.monotonic() + 20
    while any(map(is_running, numbers)):
        assert time.monotonic() < until
        time.sleep(0.05)


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True
