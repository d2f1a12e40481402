"""Bots that take too long are stopped, wherever bots play."""

from __future__ import annotations

import contextvars
import random
import sys
import threading
import time

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from click.testing import CliRunner

import rummyvariants as rv

from rummyvariants._support.stopping import OutOfTimeError, within
from rummyvariants.bots import (
    BotError,
    BotTimeoutError,
    TimedBot,
    bot_name,
    play_on,
)
from rummyvariants.cli.commands import commands
from rummyvariants.simulation.comparison import compare
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.runs import simulate


SHORT = 0.1
LONG = 60.0


class Looping:
    def choose(self, *_):
        while True:
            pass


class Hardened:
    """
    Catches every usual error, and goes on.
    """

    def choose(self, *_):
        while True:
            try:
                while True:
                    pass
            except (Exception, SystemExit):  # noqa: BLE001, S112
                continue


class Stubborn:
    """
    Cannot be ended, until the test says so.
    """

    until = threading.Event()

    def choose(self, *_):
        while not self.until.is_set():
            try:
                while not self.until.is_set():
                    pass
            except BaseException:  # noqa: BLE001, S112
                continue
        return "draw"


class Sleeping:
    def choose(self, *_):
        time.sleep(1.5)
        return "draw"


class Falling:
    def choose(self, *_):
        msg = "oh no"
        raise ValueError(msg)


class Leaving:
    def choose(self, *_):
        sys.exit(3)


def choose(bot: object, seconds: float = SHORT) -> object:
    state = rv.new_game("rummy-500", players=2, seed=1)
    seat = state.to_act[0]
    return TimedBot(bot, seconds).choose(rv.view(state, seat), random.Random(0))


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    Stubborn.until.set()
    for _ in range(400):
        if threading.active_count() <= before:
            break
        time.sleep(0.01)
    Stubborn.until.clear()
    assert threading.active_count() <= before


# --------------------------------------------------------------------------- the choice


@pytest.mark.parametrize("kind", [Looping, Hardened, Stubborn, Sleeping])
def test_a_bot_that_takes_too_long_is_an_error(kind: type) -> None:
    begun = time.monotonic()
    with pytest.raises(
        BotTimeoutError, match=rf"{kind.__name__} made no choice within"
    ):
        choose(kind())
    assert time.monotonic() - begun < 1.4  # long before the sleeper wakes up


@pytest.mark.parametrize("kind", [Looping, Hardened])
def test_a_loop_in_python_is_ended_and_not_only_left_alone(kind: type) -> None:
    before = threading.active_count()
    with pytest.raises(BotTimeoutError):
        choose(kind())
    assert threading.active_count() == before


def test_the_limit_works_outside_of_the_main_thread() -> None:
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(choose, Looping())
        with pytest.raises(BotTimeoutError):
            found.result(timeout=30)


def test_errors_and_exits_of_a_bot_are_its_own() -> None:
    with pytest.raises(ValueError, match="oh no"):
        choose(Falling(), LONG)
    with pytest.raises(SystemExit):
        choose(Leaving(), LONG)


def test_a_bot_in_time_plays_as_it_does_without_a_limit() -> None:
    timed = list(simulate("rummy-500", [TimedBot("greedy", LONG)], games=1, seed=3))
    assert timed == list(simulate("rummy-500", "greedy", games=1, seed=3))


def test_work_has_the_context_of_who_asks() -> None:
    setting = contextvars.ContextVar("setting", default=0)
    setting.set(7)
    assert within(LONG, setting.get) == 7


def counted() -> int:
    total = 0
    for number in range(1_000_000):
        total += number
    return total


def test_work_that_ends_as_it_is_stopped_gives_its_result_or_the_error() -> None:
    source = random.Random(1)
    for _ in range(60):
        try:
            assert within(0.04 * source.random(), counted) == sum(range(1_000_000))
        except OutOfTimeError:
            continue


def test_a_limit_must_be_a_time() -> None:
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(BotError, match="more than none"):
            TimedBot("greedy", wrong)
    with pytest.raises(BotError, match="did you mean 'greedy'"):
        TimedBot("gredy", 1)


# -------------------------------------------------------------------- where they play


def test_a_simulation_reports_it_and_goes_on() -> None:
    rows = list(
        simulate("rummy-500", ["greedy", TimedBot(Looping(), SHORT)], games=2, seed=1)
    )
    assert [row.status for row in rows] == ["failed"] * 2
    for row in rows:
        assert row.culprit is not None
        assert row.bots[row.culprit].endswith(":Looping")
        assert "made no choice within 0.1 seconds" in row.problem


def test_worker_processes_are_not_held_up() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        rows = list(
            simulate(
                "rummy-500",
                ["greedy", TimedBot(Looping(), SHORT)],
                games=2,
                seed=1,
                executor=pool,
            )
        )
    assert [row.status for row in rows] == ["failed"] * 2


def test_a_comparison_reports_it() -> None:
    found = compare("rummy-500", "george", games=1, bots=TimedBot(Looping(), SHORT))
    assert found.unfinished == (1, 1)
    assert "made no choice within" in str(found)


def test_seats_with_the_same_bot_are_alike_and_others_are_not() -> None:
    found = simulate(
        "rummy-500", [TimedBot("greedy", 9), TimedBot("greedy", 9)], games=0
    )
    assert list(found) == []
    with pytest.raises(SimulationError, match="two different bots are called 'greedy'"):
        simulate("rummy-500", [TimedBot("greedy", 9), TimedBot("greedy", 8)], games=1)
    assert bot_name(TimedBot("search:playouts=9", 1)) == "search:playouts=9"


def test_a_match_between_bots_ends_with_the_error() -> None:
    state = rv.new_game("rummy-500", players=2, seed=1)
    with pytest.raises(BotTimeoutError):
        list(play_on(state, [TimedBot(Looping(), SHORT)] * 2))


def drive(env) -> None:
    env.reset(seed=1)
    while True:
        env.step(int(env.action_masks().argmax()))


def test_environments_end_with_the_error() -> None:
    pytest.importorskip("gymnasium")
    from rummyvariants.envs.gymnasium import RummyEnv  # noqa: PLC0415 -- an extra

    env = RummyEnv("rummy-500", opponents=TimedBot(Looping(), SHORT), seat=0)
    with pytest.raises(BotTimeoutError):
        drive(env)


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "rummy-500", "--games", "1"],
        ["compare", "rummy-500", "george", "--games", "1"],
        ["watch", "rummy-500"],
        ["play", "rummy-500", "--players", "2", "--seed", "1"],
    ],
    ids=lambda words: words[0],
)
def test_the_commands_take_a_limit(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    given = ["--bot", f"{Path(__file__).stem}:Looping", "--time-limit", str(SHORT)]
    done = CliRunner().invoke(commands, [*words, *given], input="draw\ndiscard 1\n" * 9)
    assert "made no choice within 0.1 seconds" in done.output
    assert done.exit_code in {1, 2}


@pytest.mark.parametrize("wrong", ["0", "-3", "soon", "nan"])
def test_the_commands_refuse_what_is_no_limit(wrong: str) -> None:
    done = CliRunner().invoke(commands, ["watch", "rummy-500", "--time-limit", wrong])
    assert done.exit_code != 0
    assert wrong in done.output
