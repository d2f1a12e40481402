"""
Soak the library in requests, as a server does, and watch the memory.

``python bench/memory.py`` keeps games of every preset, with and without an option, as
pickles, JSON or records, and with each request reads one of them, has a bot decide and
writes it again. It prints how much memory the process has after each tenth of the
requests, and how many rulesets and tables of terms are alive, and fails if the second
half of the requests made the process grow by more than a tenth.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import itertools
import multiprocessing
import pickle
import random
import sys
import time

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import rummyvariants as rv

from rummyvariants.bots import Bot, bot, play_on


LONGEST: Final = 60
"""After how many actions a game is left; records are replayed from the start."""
OPTIONS: Final = 2
"""With how many options, one at a time, each preset is also played."""


class Kind(NamedTuple):
    """
    A way to keep a game between two requests.
    """

    write: Callable[[rv.State], Any]
    read: Callable[[Any], rv.State]


KINDS: Final = {
    "pickle": Kind(pickle.dumps, pickle.loads),
    "json": Kind(rv.files.to_json, lambda text: rv.files.from_json(text, rv.State)),
    "record": Kind(lambda state: str(rv.record(state)), rv.replay),
}


def games(number: int = OPTIONS) -> Iterator[rv.Ruleset]:
    """
    Every preset, alone and with each of some options that it may have.
    """
    names = [name for name, one in rv.options().items() if not one.argument]
    for at, preset in enumerate(rv.presets()):
        yield rv.preset(preset)
        random.Random(at).shuffle(names)
        found = 0
        for name in names:
            with contextlib.suppress(rv.errors.RulesError):
                yield rv.preset(preset).with_options(name)
                found += 1
            if found == number:
                break


def requests(kind: Kind, rules: Sequence[rv.Ruleset], bot: Bot) -> Iterator[int]:
    """
    Serve requests without end, the games in turn, and count them.
    """
    chance = random.Random(7)
    kept: dict[int, Any] = {}
    for number in itertools.count():
        at = number % len(rules)
        if at in kept:
            state = kind.read(kept.pop(at))
        else:
            least, _ = rules[at].match.players
            seed = chance.randrange(1 << 30)
            state = rv.new_game(rules[at], players=least, seed=seed)
        step = next(play_on(state, [bot] * len(state.players), seed=number))
        if len(step.after.history) < LONGEST and not step.after.is_over:
            kept[at] = kind.write(step.after)
        yield number + 1


def megabytes() -> float:
    """
    How much memory the process has.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def soak(kind: str, number: int, bot: Bot) -> list[float]:
    """
    Serve so many requests, and print and return the memory after each tenth of them.
    """
    found = []
    rules = list(games())
    start = time.perf_counter()
    for served in requests(KINDS[kind], rules, bot):
        if served % (number // 10) == 0:
            found.append(megabytes())
            alive = Counter(type(one).__name__ for one in gc.get_objects())
            seconds = time.perf_counter() - start
            print(
                f"{kind:8} {served:8,} requests {seconds:7.0f} s {found[-1]:8.0f} MB "
                f"{alive['Ruleset']:6,} rulesets {alive['Terms']:6,} terms",
                flush=True,
            )
        if served == number:
            return found
    return found


def main() -> int:
    """
    Soak each kind in a process of its own, and say whether memory stayed flat.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--bot", default="careful")
    given = parser.parse_args()
    growing = []
    for kind in given.kinds:
        with multiprocessing.Pool(1) as pool:
            found = pool.apply(soak, (kind, given.requests, bot(given.bot)))
        if found[-1] > 1.1 * max(found[:5]):
            growing.append(kind)
    print(f"growing: {', '.join(growing)}" if growing else "flat")
    return bool(growing)


if __name__ == "__main__":
    sys.exit(main())
