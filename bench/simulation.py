"""
Measure how much faster two processes simulate games than one.

``python bench/simulation.py`` plays the same games in this process, in a pool of two
processes and on a Dask cluster of two workers, in interleaved rounds, and prints the
ratios. Pools are started, and play some games, before anything is timed. With
``--check`` the exit status is 1 if a ratio is below its floor. Dask is left out if it
is not installed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import time

from collections.abc import Iterator
from concurrent.futures import Executor

import rummyvariants as rv

from rummyvariants.simulation.processes import processes


FLOORS = {"two processes": 1.8, "Dask, two workers": 1.8}
"""How many times faster than one process each has to be, with two free cores."""


@contextlib.contextmanager
def dask() -> Iterator[Executor]:
    """
    A cluster of two workers with a thread each.
    """
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client.get_executor()


def seconds(executor: Executor | None, asked: argparse.Namespace, seed: str) -> float:
    """
    The time that the games take.
    """
    begun = time.perf_counter()
    rows = rv.simulate(
        asked.rules,
        asked.bot or ["careful", "greedy"],
        players=4,
        games=asked.games,
        seed=seed,
        executor=executor,
    )
    for _ in rows:
        pass
    return time.perf_counter() - begun


def main() -> None:
    """
    Measure, and print.
    """
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rules", default="rummy-500")
    parser.add_argument("--bot", action="append")
    parser.add_argument("--games", type=int, default=160)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()

    with contextlib.ExitStack() as stack:
        players: dict[str, Executor | None] = {
            "one process": None,
            "two processes": stack.enter_context(processes(2)),
        }
        try:
            players["Dask, two workers"] = stack.enter_context(dask())
        except ModuleNotFoundError:
            print("Dask is not installed.")
        for executor in players.values():
            seconds(executor, asked, "warm")
        taken: dict[str, list[float]] = {name: [] for name in players}
        for number in range(asked.rounds):
            for name, executor in players.items():
                taken[name].append(seconds(executor, asked, f"round {number}"))

    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{asked.games} games in {asked.rounds} rounds, {os.cpu_count()} cores{load}")
    below = False
    for name, times in taken.items():
        rate = asked.games / statistics.median(times)
        ratio = statistics.median(
            one / other for one, other in zip(taken["one process"], times, strict=True)
        )
        floor = FLOORS.get(name)
        note = f", floor {floor}" if floor else ""
        print(f"{name:18} {rate:7.1f} games a second, {ratio:.2f} times{note}")
        below |= floor is not None and ratio < floor
    sys.exit(1 if below and asked.check else 0)


if __name__ == "__main__":
    main()
