"""
Measure this version against another one, built as a wheel, in interleaved rounds.

Each version runs in its own process, which measures a row whenever it reads a line with
its number: ``python bench/versions.py`` is that process, and `against` runs two. Only
the public names are used, which both versions have.
"""

from __future__ import annotations

import contextlib
import functools
import os
import random
import statistics
import subprocess
import sys
import tempfile

from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import rummyvariants as rv

from figures import OPERATIONS, Effort, Table, moments, rate, ratio, rounded
from players import CONTESTANTS, OURS, from_all, matches


Row = tuple[str, Callable[[float], float]]
"""A row's name, and a function that measures its rate in the seconds given."""


def rows() -> list[Row]:
    """
    All measurements: random play, single steps, and hands arranged.
    """
    found: list[Row] = []
    for one in CONTESTANTS:
        if one.needs == "rummyvariants":
            play = functools.partial(rate, one.plays(1), clock=process_time)
            found.append((f"{one.name}, actions {one.way}", play))
    for rules, players in OURS:
        # Chosen from the list, whose distribution every version shares.
        run = matches(rules, players, seed=2, choose=from_all)
        for name, operation in OPERATIONS:
            step = functools.partial(_step, run, operation)
            found.append((f"{rules}, {players} players, `{name}`", step))
    for cards in (10, 20):
        found.append((f"hands of {cards} arranged", _arranging(cards)))
    return found


def _step(
    run: Iterator[rv.State],
    operation: Callable[[rv.State, rv.Action], object],
    seconds: float,
) -> float:
    taken, asked = 0.0, 0
    while taken < seconds / 4:  # finding moments takes the rest
        found = moments(run, 20, from_all)
        start = process_time()
        for state, action in found:
            operation(state, action)
        taken += process_time() - start
        asked += len(found)
    return asked / taken


def _arranging(cards: int) -> Callable[[float], float]:
    rng = random.Random(cards)
    deck = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs"] * 2
    deck += ["*"] * 4

    def arrange(seconds: float) -> float:
        taken, asked = 0.0, 0
        while taken < seconds:
            hands = [rng.sample(deck, cards) for _ in range(20)]
            start = process_time()
            for hand in hands:
                rv.solver.arrange_hand("rummy-500", " ".join(hand), players=5)
            taken += process_time() - start
            asked += len(hands)
        return asked / taken

    return arrange


@contextlib.contextmanager
def _process(package: Path | None) -> Iterator[Callable[[int, float], float]]:
    """
    A process of one version: the installed one, or one in a folder.
    """
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    if package is not None:
        environment["PYTHONPATH"] = str(package)
    command = [sys.executable, __file__]
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        asked, answered = process.stdin, process.stdout
        if asked is None or answered is None:
            raise AssertionError

        def measure(row: int, seconds: float) -> float:
            print(row, seconds, file=asked, flush=True)
            return float(answered.readline())

        yield measure
        asked.close()


def against(wheel: Path, effort: Effort) -> Table:
    """
    The speed of every row, and its ratio to that of a wheel.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        install = ["-m", "pip", "install", "-q", "--no-deps", "--target"]
        subprocess.run([sys.executable, *install, str(folder), str(wheel)], check=True)
        ours = stack.enter_context(_process(None))
        theirs = stack.enter_context(_process(folder))
        table = []
        for at, (name, _) in enumerate(rows()):
            rates: tuple[list[float], list[float]] = ([], [])
            for turn in range(effort.rounds + 1):
                pair = (ours, theirs) if turn % 2 else (theirs, ours)
                found = {ask: ask(at, effort.seconds) for ask in pair}
                if turn:  # the first one fills the caches
                    rates[0].append(found[ours])
                    rates[1].append(found[theirs])
            times = f"{ratio(*rates):.2f}"
            medians = [rounded(statistics.median(one)) for one in rates]
            table.append((name, *medians, times))
            print(*table[-1], sep="  ", file=sys.stderr, flush=True)
    return Table(
        f"Compared with {wheel.name}",
        ("a second, by CPU time", "ours", "theirs", "ours ÷ theirs"),
        table,
    )


if __name__ == "__main__":
    measured = [measure for _, measure in rows()]
    for line in sys.stdin:
        number, seconds = line.split()
        print(measured[int(number)](float(seconds)), flush=True)
