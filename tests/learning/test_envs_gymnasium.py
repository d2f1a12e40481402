"""Gymnasium's own checks pass for every game, and bots play as they do elsewhere."""

from __future__ import annotations

import random
import subprocess
import sys

from typing import Any

import gymnasium
import numpy as np
import pytest

from gymnasium.utils.env_checker import check_env

import rummyvariants as rv

from amounts import every_third
from rummyvariants.bots import BotError, GreedyBot, RandomBot, bot, play_on
from rummyvariants.envs import EnvError, gym_env


QUICK = {"gin-rummy", "rummy-500"}
NAMES = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.long)
    for name in rv.presets()
]


def made_by_id(name: str, **options: Any) -> Any:
    return gymnasium.make(
        f"rummyvariants.envs.gymnasium:rummyvariants/{name}-v1", **options
    )


def choose(told: Any, source: random.Random) -> int:
    """
    An index that may be chosen.
    """
    return int(source.choice(np.flatnonzero(told["action_mask"])))


def play(made: Any, seed: int, most: int = 100_000) -> tuple[float, list[Any]]:
    """
    A game at random: the sum of the rewards, and what each step gave.
    """
    source = random.Random(seed)
    told, _ = made.reset(seed=seed)
    total, steps = 0.0, [told]
    for _ in range(most):
        told, reward, terminated, truncated, info = made.step(choose(told, source))
        total += reward
        steps.append((told, reward, terminated, truncated, info))
        if terminated or truncated:
            break
    return total, steps


@pytest.mark.parametrize("name", NAMES)
def test_the_checks_of_gymnasium_pass(name: str, capsys: Any) -> None:
    check_env(made_by_id(name, illegal=-1.0).unwrapped)
    # Of the mode `human`; the actions of the checks are chance, and may end a round.
    assert "Round " in capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_games_are_played_under_the_checks_of_gymnasium(name: str) -> None:
    made = made_by_id(name, opponents="random", max_steps=200)
    one = play(made, 3)
    assert made.unwrapped.game.history
    other = play(made_by_id(name, opponents="random", max_steps=200), 3)
    assert gymnasium.utils.env_checker.data_equivalence(one, other, exact=True)


@pytest.mark.parametrize(
    "options",
    [
        {"form": "flat"},
        {"observation": "perfect recall"},
        {"until": "round", "seat": 1},
        {"rewards": "match"},
    ],
    ids=str,
)
def test_the_checks_of_gymnasium_pass_in_every_form(options: dict[str, Any]) -> None:
    made = made_by_id("gin-rummy", illegal=0, **options)
    check_env(made.unwrapped, skip_render_check=True)
    play(made, 1, 150)


@pytest.mark.parametrize(
    ("name", "seed"), [("rummy-5000", 157), ("george", 46), ("rummy-500", 289)]
)
def test_a_round_over_before_the_learner_acts_is_skipped_and_told(
    name: str, seed: int
) -> None:
    made = gym_env(name, until="round")
    told, info = made.reset(seed=seed)
    (skipped,) = info["skipped"]
    assert {*info} == {"skipped"}
    assert skipped["seed"] == seed
    own, *others = skipped["result"].points
    assert skipped["reward"] == own - sum(others) / len(others) < 0
    assert not any(made.game.scores)
    again, step = made.reset(seed=seed), made.step(choose(told, random.Random(1)))
    assert gymnasium.utils.env_checker.data_equivalence((told, info), again)
    assert step[1] == 0
    assert not step[2]
    # The next reset deals the game that would come next.
    made.reset(seed=seed + 1)
    assert made.reset()[1] == {}


@pytest.mark.parametrize(
    ("name", "seed"), [("rummy-5000", 157), ("george", 46), ("rummy-500", 289)]
)
def test_no_reward_of_a_match_is_lost_before_the_learner_acts(
    name: str, seed: int
) -> None:
    made = gym_env(name)
    _, info = made.reset(seed=seed)
    own, *others = made.game.scores
    assert info == {"rounds": 1, "reward": own - sum(others) / len(others)}
    total, _ = play(made, seed)
    own, *others = made.game.final_scores
    assert total == own - sum(others) / len(others)


@pytest.mark.long
@pytest.mark.parametrize("name", every_third(rv.presets(), pytest.mark.slow))
@pytest.mark.parametrize("until", ["round", "match"])
def test_the_learner_has_to_choose_after_each_of_400_resets(
    name: str, until: Any
) -> None:
    made = gym_env(name, until=until, illegal=-1.0)
    check_env(made, skip_render_check=True)
    source = random.Random(5)
    for seed in range(400):
        told, info = made.reset(seed=seed)
        assert told in made.observation_space
        assert told["action_mask"].any()
        lost = [one["reward"] for one in info.get("skipped", ())]
        assert all(lost)
        before = made.game.round_number
        _, reward, over, *_ = made.step(choose(told, source))
        if not over and made.game.round_number == before:
            assert reward == info.get("reward", 0)


@pytest.mark.parametrize("seat", [0, 2])
def test_the_rewards_are_those_of_the_seat(seat: int) -> None:
    made = gym_env("rummy-500", 3, opponents=["greedy", "random"], seat=seat)
    total, _ = play(made, 2)
    scores = [*made.game.final_scores]
    own = scores.pop(seat)
    assert total == own - sum(scores) / 2 != 0


def test_a_match_that_is_lost_is_rewarded_with_less_than_nothing() -> None:
    made = gym_env("gin-rummy", rewards="match")
    total, steps = play(made, 2)
    assert made.game.winners == (1,)
    assert total == -1
    assert not any(reward for _, reward, *_ in steps[1:-1])


@pytest.mark.parametrize(("name", "players"), [("rummy-500", 3), ("canasta", 4)])
def test_bots_play_as_they_do_without_the_environment(name: str, players: int) -> None:
    bots = [GreedyBot(), RandomBot(), GreedyBot(), bot("careful")][:players]
    made = gym_env(name, players, opponents=[bots[0], *bots[2:]], seat=1)
    made.reset(seed=6)
    source = random.Random("6/bot/1")
    while not made.game.is_over:
        view = rv.view(made.game, 1)
        action = bots[1].choose(view, source)
        for index in made.encoding.encode(action, view):
            made.step(index)
    start = rv.new_game(name, [f"player_{seat}" for seat in range(players)], seed=6)
    *_, last = play_on(start, bots, seed=6)
    assert made.game == last.after


def test_one_bot_has_all_other_seats() -> None:
    made = gym_env("rummy-500", 5, opponents="random")
    made.reset()
    assert len(made.game.players) == 5
    assert len(gym_env("rummy-5000").encoding.rules.match.players) == 2
    assert gym_env("rummy-5000").encoding.players == 3
    assert gym_env("rummy-500", opponents=["random"] * 3).encoding.players == 4


def test_an_index_that_is_masked_out_is_an_error_and_changes_nothing() -> None:
    made = gym_env("rummy-500")
    told, _ = made.reset(seed=1)
    before = made.game
    masked = int(np.flatnonzero(told["action_mask"] == 0)[0])
    with pytest.raises(
        rv.learning.EncodingError, match="cannot be chosen here"
    ) as refused:
        made.step(masked)
    (note,) = refused.value.__notes__
    assert note.startswith("choose by the mask, or give illegal=REWARD, such as -1,")
    assert made.game is before
    made.step(choose(told, random.Random(1)))


def test_an_index_that_is_masked_out_may_cost_something_instead() -> None:
    made = gym_env("rummy-500", illegal=-0.5, max_steps=2)
    told, _ = made.reset(seed=1)
    before = made.game
    masked = int(np.flatnonzero(told["action_mask"] == 0)[0])
    after, reward, terminated, truncated, info = made.step(masked)
    assert made.game is before
    assert all(np.array_equal(told[name], after[name]) for name in told)
    assert (reward, terminated, truncated) == (-0.5, False, False)
    assert "cannot be chosen here" in info["illegal"]
    assert made.step(masked)[3]


def test_masks_as_other_libraries_ask_for_them() -> None:
    made = gym_env("rummy-500")
    told, _ = made.reset(seed=1)
    assert made.action_masks().dtype == np.bool_
    assert np.array_equal(made.action_masks(), told["action_mask"] == 1)


def test_a_game_is_truncated_and_begins_anew() -> None:
    made = gym_env("rummy-500", max_steps=3)
    _, steps = play(made, 1)
    assert [step[3] for step in steps[1:]] == [False, False, True]
    _, again = play(made, 1)
    assert gymnasium.utils.env_checker.data_equivalence(steps, again, exact=True)


class Wrong:
    """
    A bot that does what is not allowed.
    """

    def choose(self, view: rv.View, rng: random.Random) -> str:
        del view, rng
        return "meld 2c 9h Ks"


def test_a_bot_that_breaks_the_rules_is_refused() -> None:
    made = gym_env("rummy-500", opponents=Wrong(), seat=1)
    with pytest.raises(rv.IllegalAction):
        play(made, 1)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"rules": "gin-rumy"}, rv.errors.RulesError, "did you mean 'gin-rummy'"),
        ({"opponents": "gredy"}, BotError, "no bot 'gredy'; did you mean 'greedy'"),
        ({"opponents": ["greedy", 7]}, BotError, "7 is not a bot"),
        ({"opponents": []}, EnvError, "0 bots cannot have 1 seats: name one for each"),
        (
            {"opponents": ["greedy", "random"], "players": 4},
            EnvError,
            "2 bots cannot have 3 seats",
        ),
        (
            {"players": 99},
            rv.errors.RulesError,
            "rummy-500 is for 2 to 8 players, not 99",
        ),
        ({"seat": 2}, EnvError, "there is no seat 2; seats go from 0 to 1"),
        ({"seat": True}, EnvError, "there is no seat True"),
        ({"illegal": "much"}, EnvError, "illegal cannot be 'much': give a number"),
        ({"illegal": float("nan")}, EnvError, "illegal cannot be nan"),
        ({"max_steps": -1}, EnvError, "max_steps cannot be -1"),
        ({"render_mode": "rgb_array"}, EnvError, "render_mode cannot be 'rgb_array'"),
    ],
)
def test_wrong_arguments(arguments: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        gym_env(**{"rules": "rummy-500", **arguments})


def test_calls_before_and_after_the_game() -> None:
    made = gym_env("gin-rummy", until="round")
    with pytest.raises(EnvError, match="no game has begun: call reset first"):
        made.step(0)
    with pytest.raises(EnvError, match="no game has begun"):
        made.action_masks()
    play(made, 1)
    with pytest.raises(EnvError, match="the game of gin-rummy is over: call reset"):
        made.step(0)
    assert not made.action_masks().any()


def test_without_a_mode_nothing_is_rendered() -> None:
    made = gym_env("gin-rummy")
    made.reset(seed=1)
    with pytest.warns(UserWarning, match="no render_mode was given"):
        assert made.render() is None


@pytest.mark.parametrize("missing", ["gymnasium", "numpy"])
def test_without_the_extra_a_sentence_says_what_to_install(missing: str) -> None:
    code = f"import sys\nsys.modules[{missing!r}] = None\n"
    code += "from rummyvariants.envs import gym_env\ngym_env('gin-rummy')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stderr.endswith(
        f"ModuleNotFoundError: this environment needs {missing}: "
        "pip install 'rummyvariants[gymnasium]'\n"
    )
