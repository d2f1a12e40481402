"""
Random players that choose by a mask and look at an observation before each step.

That is what a program that learns does, without the learning.
"""

from __future__ import annotations

import itertools
import random
import statistics
import time

from collections.abc import Callable
from typing import Any

from figures import Effort, Table, rate, ratio, rounded
from players import Contestant, open_spiel


GAMES = 100
"""How many games are stepped together."""

FIELDS = ("hands", "unseen", "discards", "top")
"""What RLCard's environment tells a player of gin."""

REFERENCE = "RLCard gin rummy"

STARTED = 20
"""How many batches are played before the clock starts."""


def _together(
    rules: str, players: int, form: Any, fields: Any = None
) -> Callable[[int], Callable[[int], None]]:
    def plays(seed: int) -> Callable[[int], None]:
        import numpy as np

        from rummyvariants.vector import Games

        games = Games(rules, players, GAMES, form=form, fields=fields, seed=seed)
        seen = np.zeros((GAMES, games.spec.size), np.int32)
        masks = np.zeros((GAMES, games.encoding.size), np.int8)
        rewards = np.zeros((GAMES, players))
        ended = np.zeros(GAMES, np.int8)
        rng = np.random.default_rng(seed)

        def batch(actions: int) -> None:
            for _ in range(actions // GAMES):
                games.observe(seen, masks)
                drawn = rng.random(masks.shape, dtype=np.float32)
                games.step((drawn * masks).argmax(axis=1), rewards, ended)

        return batch

    return plays


def _one_by_one(rules: str, players: int, form: Any) -> Callable[[int], Any]:
    def plays(seed: int) -> Callable[[int], None]:
        from rummyvariants.envs import aec_env

        # Without the wrapper that checks the order of calls.
        env = aec_env(rules, players, form=form).unwrapped
        randrange = random.Random(seed).randrange
        env.reset(seed=seed)

        def batch(actions: int) -> None:
            for _ in range(actions):
                found, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.reset()
                    continue
                (legal,) = found["action_mask"].nonzero()
                env.step(legal[randrange(len(legal))])

        return batch

    return plays


def _rlcard(seed: int) -> Callable[[int], None]:
    import rlcard

    env = rlcard.make("gin-rummy", {"seed": seed})
    randrange = random.Random(seed).randrange
    state, _ = env.reset()

    def batch(actions: int) -> None:
        nonlocal state
        for _ in range(actions):
            legal = [*state["legal_actions"]]
            state, _ = env.step(legal[randrange(len(legal))])
            if env.is_over():
                state, _ = env.reset()

    return batch


def _seen_and_masked(state: Any) -> list[int]:
    """
    The legal actions of a state of OpenSpiel by its mask, after a look at it.
    """
    state.observation_tensor()
    mask = state.legal_actions_mask()
    return [*itertools.compress(range(len(mask)), mask)]


TOGETHER = f"{GAMES} games together"

CONTESTANTS = (
    Contestant(
        "gin-rummy, flat, RLCard's fields",
        TOGETHER,
        "numpy",
        _together("gin-rummy", 2, "flat", FIELDS),
    ),
    Contestant("gin-rummy, flat", TOGETHER, "numpy", _together("gin-rummy", 2, "flat")),
    Contestant(
        "gin-rummy, stepwise", TOGETHER, "numpy", _together("gin-rummy", 2, "stepwise")
    ),
    Contestant(
        "rummy-500, 2 players, stepwise",
        TOGETHER,
        "numpy",
        _together("rummy-500", 2, "stepwise"),
    ),
    Contestant(
        "rummy-5000, 3 players, stepwise",
        TOGETHER,
        "numpy",
        _together("rummy-5000", 3, "stepwise"),
    ),
    Contestant(
        "gin-rummy, flat",
        "`aec_env`",
        "pettingzoo",
        _one_by_one("gin-rummy", 2, "flat"),
    ),
    Contestant(
        "OpenSpiel gin_rummy",
        "its state, in C++",
        "pyspiel",
        open_spiel("gin_rummy", _seen_and_masked),
    ),
    Contestant(REFERENCE, "its environment", "rlcard", _rlcard),
)


def measure(effort: Effort) -> Table:
    """
    Steps a second, with an observation and a mask before each.
    """
    there = [one for one in CONTESTANTS if one.is_there]
    runs = [one.plays(1) for one in there]
    for run in runs:
        run(STARTED * GAMES)
    rates: list[list[float]] = [[] for _ in there]
    for _ in range(effort.rounds):
        for found, run in zip(rates, runs, strict=True):
            found.append(rate(run, effort.seconds, time.process_time))
    reference = next(
        (
            found
            for one, found in zip(there, rates, strict=True)
            if one.name == REFERENCE
        ),
        None,
    )
    rows = [
        (
            one.name,
            one.way,
            rounded(statistics.median(found)),
            f"{ratio(found, reference):.2f}" if reference else "",
        )
        for one, found in zip(there, rates, strict=True)
    ]
    left_out = [
        f"{one.name}, {one.way}, is left out: `{one.needs}` is not installed."
        for one in CONTESTANTS
        if not one.is_there
    ]
    note = (
        "Steps a second of random players, each step with an observation and a mask, "
        "deals included; processor time, medians. *RLCard's fields* are "
        f"{', '.join(FIELDS)}: what its environment tells a player. The other rows of "
        "ours tell all that a player knows of the position."
    )
    head = ("game", "how", "steps a second", f"÷ {REFERENCE}")
    return Table("Steps of learners", head, rows, [note, *left_out])
