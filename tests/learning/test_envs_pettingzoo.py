"""PettingZoo's own tests pass for every game, and an environment plays by its rules."""

from __future__ import annotations

import functools
import random
import runpy
import subprocess
import sys

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pettingzoo.test import (
    api_test,
    parallel_api_test,
    render_test,
    seed_test,
)

import rummyvariants as rv

from amounts import every_third
from places import EXAMPLES
from rummyvariants import svg
from rummyvariants.envs import EnvError, _table, aec_env
from rummyvariants.envs.pettingzoo import RawEnv, env, parallel_env, raw_env
from rummyvariants.house import rules as house


QUICK = {"gin-rummy", "rummy-500"}


GAMES = [
    pytest.param(
        name,
        players,
        id=f"{name} {players}",
        marks=() if name in QUICK and players == 2 else pytest.mark.long,
    )
    for name in rv.presets()
    for players in dict.fromkeys(rv.preset(name).match.players)
]

# What PettingZoo says of every environment with a mask in its observations.
of_masks = [
    pytest.mark.filterwarnings(f"ignore:{text}")
    for text in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        r"Action mask numpy array is all zeros \(no legal actions\)",
    )
]


def suite(make: Any) -> None:
    """
    The tests of PettingZoo.
    """
    api_test(make(), num_cycles=1_000)
    seed_test(make)
    render_test(make)


def with_marks(test: Any) -> Any:
    for mark in of_masks:
        test = mark(test)
    return test


@with_marks
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_tests_of_pettingzoo_pass(name: str, players: int) -> None:
    suite(functools.partial(env, name, players))


@with_marks
@pytest.mark.parametrize(
    "options",
    [
        {"form": "flat"},
        {"observation": "perfect recall"},
        {"until": "round"},
        {"rewards": "match", "max_steps": 150},
    ],
    ids=str,
)
def test_the_tests_of_pettingzoo_pass_in_every_form(options: dict[str, Any]) -> None:
    suite(functools.partial(env, "straight-gin", **options))
    api_test(raw_env("straight-gin", **options), num_cycles=100)


@with_marks
@pytest.mark.parametrize("name", ["gleaners", "three_to_king"])
def test_the_tests_of_pettingzoo_pass_for_games_of_others(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "_RULES", {})
    runpy.run_path(str(EXAMPLES / "games" / f"{name}.py"))
    suite(functools.partial(env, EXAMPLES / "games" / f"{name}.toml"))


@with_marks
@pytest.mark.long
@pytest.mark.parametrize(
    "path",
    every_third(sorted(EXAMPLES.glob("rules/*.py")), pytest.mark.slow),
    ids=lambda one: one.stem,
)
def test_the_tests_of_pettingzoo_pass_for_house_rules_of_others(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "_RULES", {})
    rules = rv.files.parse_scenario(runpy.run_path(str(path))["SCENARIO"]).rules
    suite(functools.partial(env, rules))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("gin-rummy", 2, {"form": "flat", "until": "round", "scale": 100}),
        ("rummy-500", 3, {"max_steps": 40}),
        ("canasta", 4, {}),
    ],
)
def test_the_tests_of_pettingzoo_pass_for_agents_that_step_together(
    name: str, players: int, options: dict[str, Any]
) -> None:
    parallel_api_test(parallel_env(name, players, **options), num_cycles=200)


def choose(made: Any, source: random.Random) -> int | None:
    """
    A legal index for the agent that is selected; None if its game is over.
    """
    found, _, terminated, truncated, _ = made.last()
    if terminated or truncated:
        return None
    return source.choice([*np.flatnonzero(found["action_mask"])])


def played(made: Any, seed: int) -> tuple[list[rv.State], Counter[str]]:
    """
    A game at random: its states, and the rewards of each agent.
    """
    source = random.Random(seed)
    made.reset(seed=seed)
    states, gained = [made.game], Counter[str]()
    for agent in made.agent_iter():
        _, reward, terminated, truncated, _ = made.last()
        gained[agent] += reward
        index = None if terminated or truncated else choose(made, source)
        made.step(index)
        states.append(made.game)
    return states, gained


def margins(points: tuple[int, ...], sign: int = 1) -> list[float]:
    """
    By side, what it has more than the mean of the others.
    """
    others = len(points) - 1
    return [sign * (one - (sum(points) - one) / others) for one in points]


@pytest.mark.parametrize(
    ("name", "players"),
    [("gin-rummy", 2), ("rummy-500", 3), ("three-thirteen", 3), ("hollywood-gin", 2)],
)
def test_rewards_by_round_add_up_to_the_margin(name: str, players: int) -> None:
    made = aec_env(name, players)
    states, gained = played(made, 3)
    end = states[-1]
    assert end.is_over
    sign = -1 if end.rules.match.lowest_wins else 1
    expected = margins(end.final_scores, sign)
    assert any(expected)
    assert [gained[agent] for agent in made.possible_agents] == pytest.approx(expected)


def test_partners_are_rewarded_alike() -> None:
    made = aec_env("canasta", 4)
    states, gained = played(made, 1)
    ours, theirs = states[-1].side_scores
    assert gained["player_0"] == gained["player_2"] == ours - theirs != 0
    assert gained["player_1"] == gained["player_3"] == theirs - ours


def test_who_is_out_of_the_match_is_rewarded_no_more() -> None:
    made = aec_env("indian-rummy-pool", 4).unwrapped
    source = random.Random(2)
    made.reset(seed=2)
    late = 0
    while not made.game.is_over:
        out = made.game.eliminated
        made.step(choose(made, source))
        rewards = [made.rewards[agent] for agent in made.possible_agents]
        assert sum(rewards) == pytest.approx(0)
        assert not any(rewards[seat] for seat in out)
        late += bool(out) and any(rewards)
    assert late, "somebody scored when another one was out"


def test_rewards_by_match_go_to_the_winners() -> None:
    made = aec_env("rummy-500", 3, rewards="match").unwrapped
    source = random.Random(1)
    made.reset(seed=1)
    while not made.game.is_over:
        assert not any(made.rewards.values())
        made.step(choose(made, source))
    (winner,) = made.game.winners
    losers = {*range(3)} - {winner}
    assert made.rewards[f"player_{winner}"] == 1
    assert {made.rewards[f"player_{seat}"] for seat in losers} == {-0.5}


def test_a_game_of_a_round_ends_with_the_round() -> None:
    states, gained = played(aec_env("rummy-500", 2, until="round"), 5)
    assert states[-1].is_round_over
    assert not any(state.is_round_over for state in states[:-3])
    assert {state.round_number for state in states} == {1}
    one, other = states[-1].result.points
    assert gained["player_0"] == one - other


def test_a_game_is_truncated_after_so_many_steps() -> None:
    made = aec_env("rummy-500", 3, max_steps=4)
    made.reset(seed=1)
    source = random.Random(1)
    for _ in range(4):
        assert not any(made.truncations.values())
        made.step(choose(made, source))
    assert all(made.truncations.values())
    assert not any(made.terminations.values())
    before = made.game
    while made.agents:
        made.step(None)
    assert made.game is before
    made.reset()
    assert made.agents == made.possible_agents
    assert not any(made.truncations.values())


def test_the_game_is_that_of_the_seed() -> None:
    made = raw_env("rummy-500", 3)
    made.reset(seed=7)
    assert made.game == rv.new_game("rummy-500", made.possible_agents, seed=7)
    made.reset()
    second = made.game
    made.reset(seed=np.int64(7))
    made.reset()
    assert made.game == second != rv.new_game("rummy-500", made.possible_agents, seed=7)


def test_an_agent_observes_its_view_and_chooses_if_it_is_asked() -> None:
    made = aec_env("rummy-500", 3, observation="perfect recall")
    source = random.Random(4)
    made.reset(seed=4)
    for _ in range(60):
        for seat, agent in enumerate(made.possible_agents):
            found = made.observe(agent)
            view = rv.view(made.game, seat)
            seen = made.observation_spec.named(found["observation"])
            expected = rv.learning.observation(view, form="perfect recall")
            chosen = seen.pop("chosen")
            assert not expected.pop("chosen").any()
            for name, numbers in expected.items():
                assert np.array_equal(seen[name], numbers), name
            if agent != made.agent_selection:
                assert not found["action_mask"].any()
                assert not chosen.any()
            elif not chosen.any():
                assert found["action_mask"].tobytes() == made.encoding.mask(view)
        made.step(choose(made, source))


@pytest.mark.parametrize(
    "wrong", [None, -1, 10_000, 1.0, True, "draw", np.array([1, 2]), np.array([[3]])]
)
def test_a_wrong_index_changes_nothing(wrong: Any) -> None:
    made = aec_env("gin-rummy")
    made.reset(seed=1)
    before, agent = made.game, made.agent_selection
    told = made.observe(agent)
    with pytest.raises(
        rv.learning.EncodingError, match="not an index: give a whole number"
    ):
        made.step(wrong)
    assert (made.game, made.agent_selection) == (before, agent)
    assert np.array_equal(made.observe(agent)["observation"], told["observation"])


def test_an_index_that_is_masked_out_changes_nothing() -> None:
    made = aec_env("rummy-500")
    made.reset(seed=1)
    before, agent = made.game, made.agent_selection
    rewards = dict(made.rewards)
    masked = int(np.flatnonzero(made.observe(agent)["action_mask"] == 0)[0])
    with pytest.raises(
        rv.learning.EncodingError, match="cannot be chosen here: the mask"
    ):
        made.step(masked)
    assert (made.game, made.agent_selection) == (before, agent)
    assert made.rewards == rewards
    made.step(choose(made, random.Random(1)))
    assert made.game != before or made.observe(agent)["observation"].any()


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"rules": "rumy-500"}, rv.errors.RulesError, "did you mean 'rummy-500'"),
        ({"rules": "none/of.toml"}, rv.errors.RulesError, "cannot be read"),
        (
            {"rules": 7},
            rv.errors.RulesError,
            "7 are no rules: give the name of a preset",
        ),
        ({"rules": None}, rv.errors.RulesError, "None are no rules"),
        (
            {"players": 9},
            rv.errors.RulesError,
            "rummy-500 is for 2 to 8 players, not 9",
        ),
        ({"players": 2.0}, rv.learning.EncodingError, "2.0 is not a number of players"),
        ({"form": "flat"}, rv.learning.EncodingError, "use the form 'stepwise'"),
        ({"form": "tall"}, rv.learning.EncodingError, "'stepwise' or 'flat'"),
        ({"observation": "all"}, rv.learning.ObservationError, "no form 'all'"),
        (
            {"observation": "perfect recall", "length": 0},
            rv.learning.ObservationError,
            "0 is no length",
        ),
        ({"until": "mach"}, EnvError, "until cannot be 'mach'; did you mean 'match'"),
        ({"rewards": 1}, EnvError, "rewards cannot be 1; the known ones are match,"),
        (
            {"until": "round", "rewards": "match"},
            EnvError,
            "no match is won in a round: give until='match'",
        ),
        ({"max_steps": 0}, EnvError, "max_steps cannot be 0: give a whole number"),
        ({"max_steps": "4"}, EnvError, "max_steps cannot be '4'"),
        ({"render_mode": "sgv"}, EnvError, "render_mode cannot be 'sgv'; did you mean"),
    ],
)
def test_wrong_arguments(arguments: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said.replace("(", r"\(")):
        aec_env(**{"rules": "rummy-500", **arguments})


def test_wrong_agents_seeds_and_calls() -> None:
    made = raw_env("rummy-500", 3)
    with pytest.raises(EnvError, match="no game has begun: call reset first"):
        made.step(0)
    with pytest.raises(EnvError, match="no game has begun"):
        made.observe("player_0")
    with pytest.raises(EnvError, match="'twelve' is no seed: give a whole number"):
        made.reset(seed="twelve")
    made.reset(seed=1)
    for wrong in ("player_3", 1, None):
        with pytest.raises(EnvError, match=r"agents are player_0 to player_2"):
            made.observe(wrong)
        with pytest.raises(EnvError, match="there is no agent"):
            made.action_space(wrong)
        with pytest.raises(EnvError, match="there is no agent"):
            made.observation_space(wrong)


def test_when_the_game_is_over_agents_only_leave() -> None:
    made = raw_env("straight-gin", until="round")
    source = random.Random(1)
    made.reset(seed=1)
    while not made.terminations[made.agent_selection]:
        made.step(choose(made, source))
    with pytest.raises(ValueError, match="the only valid action is None"):
        made.step(0)
    made.step(None)
    made.step(None)
    assert made.agents == []
    made.step(None)
    assert made.agents == []


def test_rules_by_name_file_and_value_are_the_same_game() -> None:
    path = EXAMPLES / "our-table.toml"
    rules = rv.load_rules(path)
    for given in (path, str(path), rules):
        made = raw_env(given, 4)
        made.reset(seed=2)
        assert made.game == rv.new_game(rules, made.possible_agents, seed=2)
    assert raw_env(path).possible_agents == ["player_0", "player_1", "player_2"]
    assert isinstance(aec_env(path).unwrapped, RawEnv)


def test_a_round_that_is_over_as_it_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    over = rv.new_game("gin-rummy", 2, seed=1)
    while not over.is_round_over:
        over = rv.playout(over, random.Random(1).randrange, actions=1)
    first = iter([over, over])
    monkeypatch.setattr(
        _table, "deal", lambda state: next(first, None) or rv.game.deal(state)
    )
    made = aec_env("gin-rummy")
    made.reset(seed=1)
    assert made.game.round_number == over.round_number + 1
    assert made.observe(made.agent_selection)["action_mask"].any()


# --------------------------------------------------------------------------- rendering


def test_the_text_shows_the_whole_table() -> None:
    made = aec_env("rummy-500", 2, render_mode="ansi")
    made.reset(seed=5)
    made.step(made.encoding.labels.index("draw"))
    assert made.render() == f"{made.game}\n"
    assert f"player_1 holds {made.game.hands[1]}" in made.render()
    made.step(made.encoding.labels.index("discard"))
    assert made.render().endswith("\nchosen so far: discard\n")


def test_what_is_laid_aside_is_shown() -> None:
    made = aec_env("canasta", 4, render_mode="ansi")
    made.reset(seed=0)
    (zone,) = made.game.zones
    title = f"player_{zone.seat}, laid aside"
    assert f"\n     {title}: {zone.cards[0]}\ndiscards" in made.render()


def test_it_prints_after_each_step(capsys: Any) -> None:
    made = aec_env("gin-rummy", render_mode="human")
    made.reset(seed=5)
    assert capsys.readouterr().out.startswith("Gin Rummy\n")
    made.step(choose(made, random.Random(1)))
    assert capsys.readouterr().out.count("discards") == 1
    assert made.render() is None


def test_a_picture_shows_all_hands() -> None:
    made = aec_env("rummy-500", 3, render_mode="svg")
    made.reset(seed=5)
    picture = made.render()
    assert picture.startswith("<svg")
    for hand in made.game.hands:
        row = svg.hand(hand)
        assert row[row.index("<title>") + 7 : row.index("</title>")] in picture
    made.step(made.encoding.labels.index("draw"))
    assert made.render() != picture


def test_without_a_mode_nothing_is_rendered() -> None:
    made = aec_env("gin-rummy")
    made.reset(seed=1)
    with pytest.warns(UserWarning, match="no render_mode was given"):
        assert made.render() is None


# ------------------------------------------------------------------------------ extras


@pytest.mark.parametrize("missing", ["pettingzoo", "gymnasium", "numpy"])
def test_without_the_extra_a_sentence_says_what_to_install(missing: str) -> None:
    code = f"import sys\nsys.modules[{missing!r}] = None\n"
    code += "from rummyvariants.envs import aec_env\naec_env('gin-rummy')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stderr.endswith(
        f"ModuleNotFoundError: this environment needs {missing}: "
        "pip install 'rummyvariants[pettingzoo]'\n"
    )


def test_without_openspiel_a_sentence_says_what_to_install() -> None:
    code = "import sys\nsys.modules['pyspiel'] = None\n"
    code += "import rummyvariants.envs.openspiel"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stderr.endswith(
        "ModuleNotFoundError: this environment needs pyspiel: "
        "pip install 'rummyvariants[openspiel]'\n"
    )


def test_the_package_alone_imports_none_of_them() -> None:
    code = "import rummyvariants, rummyvariants.envs, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"numpy", "gymnasium", "pettingzoo"} & {*done.stdout.split()}
