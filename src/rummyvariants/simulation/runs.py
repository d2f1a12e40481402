"""
The rows of many games, from this process or others or kept in a file: always the same.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import pickle
import sys
import time

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
)
from typing import Final

from rummyvariants._support.arguments import explained
from rummyvariants.bots.base import Bot
from rummyvariants.rules import Ruleset
from rummyvariants.simulation.files import RowFile
from rummyvariants.simulation.games import Unit
from rummyvariants.simulation.plans import Simulation, SimulationError, planned
from rummyvariants.simulation.rows import GameRow


_SECONDS: Final = 0.1
"""How long an executor should work at a time, so that asking it costs little."""
_MOST_GAMES: Final = 1_000
"""The most games to give an executor at a time."""
_TRIALS: Final = 8
"""How many games to give an executor before the first of them is finished."""
_GROWTH: Final = 4
"""The factor by which the number of games at a time may grow."""
_MANY_WORKERS: Final = 64
"""The assumed number of workers of an executor that does not report it."""


@explained
def simulate(
    rules: Ruleset | str,
    bots: Sequence[Bot | str] | str,
    *,
    games: int,
    players: int | None = None,
    seed: int | str = 0,
    unit: Unit = "match",
    limit: int = 20_000,
    executor: Executor | None = None,
    first: int = 0,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Generator[GameRow, None, None]:
    """
    Let bots play many games, and report each as a row.

    The bots move round the table: each deal is played once for every different order of
    seats that this gives, so that no bot has better cards or a better seat. Each game
    depends only on the arguments and its number: the rows are the same, in the same
    order, whatever executor plays them.

    Args:
        rules: The rules, or the name of a preset.
        bots: Bots or their names (see `bot`), in order of seats; repeated round the
            table if there are fewer than players.
        games: The number of games in all.
        players: The number of players; by default the number of bots, or the fewest
            that the rules allow if that is more.
        seed: The seed of the deals and of the bots' random decisions: the same seed
            gives the same rows.
        unit: Whether a game is a whole match or the first round of one.
        limit: The most actions of players in a game; a longer one is stopped.
        executor: Plays the games: any `concurrent.futures.Executor`, such as a
            `ProcessPoolExecutor`, or that of a Dask client; by default this process
            does. It is not shut down.
        first: The number of the first game to report; earlier ones are left out.
        output: A file, ``.jsonl``, to which each row is written when it is ready.
        resume: Whether to continue that file, if it exists: rows that it has are read
            from it, and the other games are played.

    Returns:
        The rows in the order of their numbers, each as soon as it is ready. Closing the
        iterator cancels games not yet in play, and closes the file.

    Raises:
        RulesError: If there is no such preset, or it does not allow so many players.
        BotError: If there is no such bot.
        SimulationError: If the bots do not fit at the table, or cannot be sent to
            another process; or, with the first row, if the file cannot be continued
            or written, as in `RowFile`.

    >>> rows = rv.simulate("rummy-500", ["greedy", "random"], games=2, unit="round")
    >>> [(row.bots, row.scores) for row in rows]
    [(('greedy', 'random'), (71, 101)), (('random', 'greedy'), (158, 116))]
    """
    simulation = planned(
        rules, bots, players=players, seed=seed, unit=unit, limit=limit
    )
    return play(
        simulation,
        games,
        first=first,
        executor=executor,
        output=output,
        resume=resume,
    )


def play(
    plan: Simulation,
    games: int,
    *,
    first: int = 0,
    executor: Executor | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Generator[GameRow, None, None]:
    """
    The rows of a simulation; see `simulate`.
    """
    if games < 0 or first < 0:
        msg = f"games are counted from 0: there is no game {min(games, first)}"
        raise SimulationError(msg)
    if resume and output is None:
        msg = "there is nothing to resume: name what to continue as output"
        raise SimulationError(msg)
    rows: Callable[[int, int], Generator[GameRow, None, None]]
    if executor is None:
        rows = functools.partial(_play_here, plan)
    else:
        rows = functools.partial(_play_there, executor, _packed(plan, executor))
    if output is None:
        return rows(first, games)
    kept = _keep(plan, rows, games, output, resume=resume)
    return _from(first, kept) if first else kept


def _keep(
    plan: Simulation,
    rows: Callable[[int, int], Generator[GameRow, None, None]],
    games: int,
    output: str | os.PathLike[str],
    *,
    resume: bool,
) -> Generator[GameRow, None, None]:
    """
    The rows that a file has, then those that it lacks, which are written to it.
    """
    with RowFile(output, plan, resume=resume) as file:
        yield from itertools.islice(file.rows(), games)
        with contextlib.closing(rows(file.kept, games)) as found:
            for row in found:
                file.write(row)
                yield row


def _from(
    first: int, rows: Generator[GameRow, None, None]
) -> Generator[GameRow, None, None]:
    with contextlib.closing(rows):
        yield from itertools.islice(rows, first, None)


def _play_here(
    plan: Simulation, first: int, games: int
) -> Generator[GameRow, None, None]:
    for number in range(first, games):
        yield plan.row(number)


def _play_there(
    executor: Executor, packed: Simulation | bytes, first: int, games: int
) -> Generator[GameRow, None, None]:
    """
    Keep an executor busy, with at most a few times what it does at once.
    """
    workers = getattr(executor, "_max_workers", None)
    most = 2 * (workers or _MANY_WORKERS) + 2
    pending: deque[Future[tuple[list[GameRow], float]]] = deque()
    # Few single games at first, to find out how long a game takes.
    size, ahead = 1, min(most, _TRIALS)
    try:
        while pending or first < games:
            while first < games and len(pending) < ahead:
                # Fewer at a time towards the end, so that all workers end together.
                share = (games - first) // (2 * workers) if workers else size
                stop = min(first + max(min(size, share), 1), games)
                pending.append(executor.submit(_played, packed, first, stop))
                first = stop
            rows, seconds = _done(pending[0])
            pending.popleft()
            wanted = round(len(rows) * _SECONDS / max(seconds, 1e-6))
            # One quick game among long ones must not make others wait for many.
            size = max(min(wanted, _GROWTH * len(rows), _MOST_GAMES), 1)
            ahead = most
            yield from rows
    finally:
        for future in pending:
            future.cancel()


def _done(future: Future[tuple[list[GameRow], float]]) -> tuple[list[GameRow], float]:
    try:
        return future.result()
    except BrokenExecutor as error:
        msg = f"a process that played games has died: {error}"
        raise SimulationError(msg) from error
    except CancelledError as error:
        msg = "the executor was shut down before all games were played"
        raise SimulationError(msg) from error


def _packed(plan: Simulation, executor: Executor) -> Simulation | bytes:
    """
    The plan in the form given to an executor.

    Bytes show at once whether bots can be sent, and let the other process keep the
    plan, with all that its rules have computed, from call to call.

    Raises:
        SimulationError: If a bot cannot be sent.
    """
    if isinstance(executor, ThreadPoolExecutor):
        return plan
    dumps = pickle.dumps
    if type(executor).__module__.partition(".")[0] != "concurrent":
        # If installed (Dask has it), it sends what a notebook defines by value.
        dumps = getattr(sys.modules.get("cloudpickle"), "dumps", dumps)
    for seat, (name, bot) in enumerate(zip(plan.names, plan.bots, strict=True)):
        try:
            dumps(bot)
        except Exception as error:
            msg = (
                f"the bot {name!r} of seat {seat} cannot be sent to another process: "
                f"{error}"
            )
            raise SimulationError(msg) from error
    try:
        return dumps(plan)
    except Exception as error:
        msg = f"the rules cannot be sent to another process: {error}"
        raise SimulationError(msg) from error


def _played(
    packed: Simulation | bytes, first: int, stop: int
) -> tuple[list[GameRow], float]:
    """
    Play some games where the executor calls this, and return the seconds they took.
    """
    plan = _unpacked(packed) if isinstance(packed, bytes) else packed
    begun = time.perf_counter()
    rows = [plan.row(number) for number in range(first, stop)]
    return rows, time.perf_counter() - begun


@functools.lru_cache(maxsize=4)
def _unpacked(packed: bytes) -> Simulation:
    try:
        found: Simulation = pickle.loads(packed)  # noqa: S301 -- what `_packed` made
    except Exception as error:
        msg = f"a bot was sent to another process, which cannot load it: {error}"
        raise SimulationError(msg) from error
    return found
