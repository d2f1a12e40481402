"""What is played for: points, matches, functions, and rewards with bounds."""

from __future__ import annotations

import random
import re

from typing import Any

import numpy as np
import pytest

import rummyvariants as rv

from rummyvariants.envs import aec_env, gym_env
from rummyvariants.learning.rewards import MAX_STEPS, RewardError, Stakes
from rummyvariants.vector import Games


def played(made: Any, seed: int) -> tuple[list[float], list[rv.State]]:
    """
    A game of PettingZoo at random: the rewards by seat, and the states.
    """
    source = random.Random(seed)
    made.reset(seed=seed)
    totals, states = [0.0] * len(made.possible_agents), [made.game]
    inner = made.unwrapped
    while not any((*inner.terminations.values(), *inner.truncations.values())):
        mask = made.observe(made.agent_selection)["action_mask"]
        made.step(source.choice([*np.flatnonzero(mask)]))
        for seat, agent in enumerate(made.possible_agents):
            totals[seat] += inner.rewards[agent]
            assert abs(totals[seat]) <= 1.000001 or inner.utilities is None
        if made.game is not states[-1]:
            states.append(made.game)
    return totals, states


@pytest.mark.parametrize("scale", [20, 1e6])
@pytest.mark.parametrize("name", ["indian-rummy-pool", "gin-rummy"])
def test_scaled_rewards_add_up_to_the_bounded_points(name: str, scale: float) -> None:
    points, states = played(aec_env(name), 3)
    scaled, same = played(aec_env(name, scale=scale), 3)
    assert states[-1] == same[-1]
    assert states[-1].is_over
    shares = [one / scale for one in points]
    most = max(1, *map(abs, shares))
    assert scaled == pytest.approx([one / most for one in shares])
    assert sum(scaled) == pytest.approx(0)
    assert (max(scaled) == pytest.approx(1)) == (scale == 20)


def gin_is_best(result: rv.game.RoundResult, match: rv.game.Match) -> list[float]:
    """
    1 for gin, a fifth for a knock, nothing else.
    """
    worth = {"gin": 1.0, "big gin": 1.0, "knock": 0.2}.get(result.how, 0.0)
    return [worth * (seat == result.out) for seat in range(len(match.players))]


def test_a_function_is_called_once_for_each_round() -> None:
    calls: list[tuple[rv.game.RoundResult, rv.game.Match]] = []

    def rewards(result: rv.game.RoundResult, match: rv.game.Match) -> list[float]:
        calls.append((result, match))
        return gin_is_best(result, match)

    totals, states = played(aec_env("gin-rummy", rewards=rewards), 3)
    assert [match.round_number for _, match in calls] == [*range(2, len(calls) + 2)]
    assert calls[-1] == (states[-1].result, states[-1].match)
    assert calls[-1][1].winners
    wanted = np.sum([gin_is_best(*call) for call in calls], axis=0)
    assert totals == pytest.approx(wanted)


def test_a_function_knows_the_winners_even_where_players_may_come_back() -> None:
    rules = rv.preset("indian-rummy-pool")
    found = []

    def rewards(result: rv.game.RoundResult, match: rv.game.Match) -> list[float]:
        found.append((result, match.winners))
        return [float(seat in match.winners) for seat in range(len(match.players))]

    made = aec_env(rules, 3, rewards=rewards, scale=1)
    asked = 0
    for seed in range(8):
        found.clear()
        totals, states = played(made, seed)
        asked += any(state.phase == "rejoin" for state in states)
        assert len({id(result) for result, _ in found}) == len(found)
        assert sum(totals) == len(states[-1].winners) == 1
        assert found[-1][1] == states[-1].winners
    assert asked


def test_games_reward_as_environments_do() -> None:
    for options in (
        {"scale": 30},
        {"rewards": gin_is_best},
        {"rewards": gin_is_best, "scale": 2.0},
    ):
        games = Games("gin-rummy", 2, 1, form="flat", seed=1, **options)
        made = aec_env("gin-rummy", 2, form="flat", **options).unwrapped
        made._table.begin("1/0/0")
        source = random.Random(1)
        gained, ended, total = np.zeros((1, 2)), np.zeros(1, bool), np.zeros(2)
        while not ended[0]:
            masks = np.zeros((1, games.encoding.size), bool)
            games.observe(None, masks)
            index = source.choice([*np.flatnonzero(masks[0])])
            games.step([index], gained, ended)
            assert gained[0].tolist() == [*(made._table.choose(index) or (0.0, 0.0))]
            total += gained[0]
        assert made._table.is_over
        assert total.any()
        bounds = games.utilities or (-np.inf, np.inf)
        assert games.utilities == made.utilities
        assert bounds[0] <= min(total)
        assert max(total) <= bounds[1]


def test_utilities_are_bounded_by_a_scale_or_a_match() -> None:
    assert Stakes().utilities is None
    assert Stakes(rewards=gin_is_best).utilities is None
    assert Stakes(rewards="match").utilities == (-1, 1)
    assert Stakes(rewards=gin_is_best, scale=2).utilities == (-1, 1)
    assert gym_env("gin-rummy", scale=100).unwrapped.utilities == (-1, 1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"scale": 0}, "scale cannot be 0: give a number above 0, or None"),
        ({"scale": float("nan")}, "scale cannot be nan"),
        ({"scale": True}, "scale cannot be True"),
        ({"scale": "100"}, "scale cannot be '100'"),
        ({"scale": 5, "rewards": "match"}, "a scale is for points: leave it out"),
        ({"rewards": ["round"]}, "rewards cannot be ['round']"),
        ({"max_steps": 0}, "max_steps cannot be 0: give a whole number from 1"),
        ({"max_steps": 2.0}, "max_steps cannot be 2.0"),
    ],
)
def test_what_cannot_be_played_for(options: dict[str, Any], said: str) -> None:
    for make in (
        lambda: aec_env("gin-rummy", **options),
        lambda: gym_env("gin-rummy", **options),
        lambda: Games("gin-rummy", 2, 1, **options),
    ):
        with pytest.raises(rv.RummyError, match=re.escape(said)):
            make()


@pytest.mark.parametrize(
    "found", [None, [1.0], [1, 2, 3], [0, float("inf")], ["1", "2"], "no", [True, 0]]
)
def test_a_function_that_gives_no_rewards_is_one_clear_error(found: Any) -> None:
    made = aec_env("gin-rummy", until="round", rewards=lambda *_: found)
    said = "the function for rewards gave .*: it has to give a finite number for each"
    with pytest.raises(RewardError, match=said):
        played(made, 1)


def test_numbers_of_numpy_are_rewards() -> None:
    made = aec_env("gin-rummy", until="round", rewards=lambda *_: np.float32([1, -1]))
    assert played(made, 1)[0] == [1, -1]


def test_games_are_truncated_unless_that_is_not_wanted() -> None:
    for make in (aec_env, gym_env):
        assert make("gin-rummy").unwrapped._most == MAX_STEPS
        assert make("gin-rummy", max_steps=None).unwrapped._most is None
    assert Games("gin-rummy", 2, 1)._most == MAX_STEPS


def test_games_that_are_truncated_are_flagged() -> None:
    games = Games("rummy-500", 2, 2, max_steps=3)
    ended, cut = np.ones(2, bool), np.ones(2, np.int8)
    masks = np.zeros((2, games.encoding.size), bool)
    first = games.state(0)
    for number in range(1, 7):
        games.observe(None, masks)
        games.step(masks.argmax(axis=1), None, ended, cut)
        assert [*ended] == [*cut] == [number % 3 == 0] * 2
    assert games.state(0) != first
    games = Games("gin-rummy", 2, 2, form="flat", until="round", max_steps=1_000)
    over = 0
    while not over:
        masks = np.zeros((2, games.encoding.size), bool)
        games.observe(None, masks)
        games.step(masks.argmax(axis=1), None, ended, cut)
        over += ended.sum()
        assert not cut.any()
