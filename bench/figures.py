"""
The measurements of `compare`: a function for each table.

Rounds are interleaved, so that a machine that slows down slows all libraries alike, and
ratios are taken within each round before their median.
"""

from __future__ import annotations

import concurrent.futures
import copy
import gc
import importlib.util
import itertools
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
import types

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

import rummyvariants as rv

from players import CONTESTANTS, OURS, REFERENCE, Choose, by_sample, matches
from rummyvariants.cards import CARDS


@attrs.frozen
class Table:
    """
    A measurement as a table.

    Attributes:
        title: Its title.
        head: The names of the columns.
        rows: The rows, as text.
        notes: How to read it, and what was left out.
        ratios: Ours to another library: the measure, the library, and the ratio.
    """

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    notes: Sequence[str] = ()
    ratios: Sequence[tuple[str, str, float]] = ()


@attrs.frozen
class Effort:
    """
    How long to measure.

    Attributes:
        rounds: The number of rounds.
        seconds: How long a contestant plays in a round.
        states: How many states of a game are measured in a round.
    """

    rounds: int = 9
    seconds: float = 0.4
    states: int = 150


def rounded(number: float) -> str:
    """
    A number with three significant digits.
    """
    if number >= 100:
        digits = len(str(int(number))) - 3
        return f"{round(number, -digits):,.0f}"
    return f"{number:.3g}"


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """
    The median of the ratios, round by round.
    """
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def _absent(module: str, what: str) -> str:
    return f"{what} is left out: the module `{module}` is not installed."


# --------------------------------------------------------------------- random play


_BATCH = 100
"""How many actions are played between two readings of the clock."""


def rate(
    batch: Callable[[int], None],
    seconds: float,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """
    How many actions are played in a second.
    """
    start = clock()
    played = 0
    while (taken := clock() - start) < seconds:
        batch(_BATCH)
        played += _BATCH
    return played / taken


def play(effort: Effort) -> Table:
    """
    Player actions a second in random play.
    """
    there = [one for one in CONTESTANTS if one.is_there]
    runs = [one.plays(1) for one in there]
    for run in runs:
        run(5 * _BATCH)
    rates: dict[int, list[float]] = {at: [] for at in range(len(there))}
    for _ in range(effort.rounds):
        for at, run in enumerate(runs):
            rates[at].append(rate(run, effort.seconds))
    reference = next(
        (rates[at] for at, one in enumerate(there) if one.name == REFERENCE), None
    )
    rows, ratios = [], []
    for at, one in enumerate(there):
        times = ""
        if reference:
            ours = ratio(rates[at], reference)
            times = f"{ours:.2f}"
            if one.needs == "rummyvariants":
                ratios.append(
                    (f"actions a second, {one.name}, {one.way}", REFERENCE, ours)
                )
        rows.append((one.name, one.way, rounded(statistics.median(rates[at])), times))
    return Table(
        "Random play",
        ("game", "choice", "player actions a second", f"÷ {REFERENCE}"),
        rows,
        [_absent(one.needs, f"{one.name}") for one in CONTESTANTS if not one.is_there],
        ratios,
    )


YARDSTICK = "rummy-5000"
"""The game whose rate the presets are compared with."""
_TABLES = (2, 3, 4)
"""The numbers of players with which the presets are measured."""
_SLICE = 500
"""How many actions a preset plays before the next one does."""


def presets(effort: Effort) -> Table:
    """
    Player actions a second of processor time in random play by `sample`, all presets.
    """
    runs = {}
    for game in rv.presets():
        for players in _TABLES:
            least, most = rv.preset(game).match.players
            if least <= players <= most:
                runs[game, players] = matches(game, players, seed=1)
    for run in runs.values():
        next(itertools.islice(run, _SLICE, None))
    rates: dict[tuple[str, int], list[float]] = {one: [] for one in runs}
    turns = 5 * effort.rounds
    for _ in range(turns):
        for one, run in runs.items():
            start = time.process_time()
            next(itertools.islice(run, _SLICE, None))
            rates[one].append(_SLICE / (time.process_time() - start))
    least, _ = rv.preset(YARDSTICK).match.players
    rows = []
    for game in rv.presets():
        cells = []
        for players in _TABLES:
            found = rates.get((game, players))
            if found is None:
                cells += ["", ""]
                continue
            times = ratio(found, rates[YARDSTICK, max(players, least)])
            cells += [rounded(statistics.median(found)), f"{times:.2f}"]
        rows.append((game, *cells))
    head = [part for players in _TABLES for part in (f"{players} players", "÷")]
    note = (
        "Player actions a second by `sample`, deals included, and that figure divided "
        f"by the one of `{YARDSTICK}` with as many players; with two, by the one with "
        f"{least}, the fewest that it takes. The presets play {_SLICE} actions each in "
        f"turn, {turns} times; processor time, medians."
    )
    return Table("Random play of every preset", ("preset", *head), rows, [note])


# -------------------------------------------------------------------- single steps


def _first(state: rv.State, _: rv.Action) -> object:
    return next(iter(rv.legal_actions(state)))


def _list(state: rv.State, _: rv.Action) -> object:
    return list(rv.legal_actions(state))


def _contains(state: rv.State, action: rv.Action) -> object:
    return action in rv.legal_actions(state)


def _sample(state: rv.State, _: rv.Action) -> object:
    return rv.legal_actions(state).sample(_BELOW)


_BELOW = random.Random(3).randrange

OPERATIONS: tuple[tuple[str, Callable[[rv.State, rv.Action], object]], ...] = (
    ("apply", rv.apply),
    ("check", rv.check),
    ("in", _contains),
    ("first", _first),
    ("sample", _sample),
    ("list", _list),
)
"""The operations timed one by one, each with a state and a legal action."""

_EVERY = 7
"""One state is measured out of this many successive ones."""


def moments(
    run: Iterator[rv.State], number: int, choose: Choose = by_sample
) -> list[tuple[rv.State, rv.Action]]:
    """
    States of random play in which a player may act, each with an action.

    The states are fresh copies, which have answered no question yet.
    """
    found: list[tuple[rv.State, rv.Action]] = []
    for state in itertools.islice(run, 0, None, _EVERY):
        if state.to_act:
            action = choose(state, _BELOW)
            found.append((copy.copy(state), action))
        if len(found) == number:
            break
    return found


def steps(effort: Effort) -> Table:
    """
    The cost of a single question or step.
    """
    runs = {game: matches(*game, seed=2) for game in OURS}
    costs: dict[tuple[Any, str], list[float]] = {}
    for _ in range(effort.rounds):
        for game, run in runs.items():
            for name, operation in OPERATIONS:
                asked = moments(run, effort.states)
                start = time.perf_counter()
                for state, action in asked:
                    operation(state, action)
                taken = (time.perf_counter() - start) / len(asked)
                costs.setdefault((game, name), []).append(taken * 1e6)
    note = (
        "`in`, `first`, `sample` and `list` are questions to `legal_actions`: whether "
        "it holds an action, the first one, one at random, all of them."
    )
    return Table(
        "One step at a time",
        ("µs each", *(f"`{name}`" for name, _ in OPERATIONS)),
        [
            (
                f"{game[0]}, {game[1]} players",
                *(
                    rounded(statistics.median(costs[game, name]))
                    for name, _ in OPERATIONS
                ),
            )
            for game in runs
        ],
        [note],
    )


# ------------------------------------------------------------------------- a state


_KEPT = 1_500
"""How many successive states of ours are kept, to measure the memory of each."""

_CLONES = 400
"""How many clones of a state of OpenSpiel are kept."""


def _run_of_states(rules: str, players: int) -> list[rv.State]:
    return list(itertools.islice(matches(rules, players, seed=4), _KEPT))


def successive_state(rules: str, players: int) -> float:
    """
    The bytes of each state of a run of play if all of them are kept.
    """
    _run_of_states(rules, players)  # fills the caches shared by all games
    gc.collect()
    tracemalloc.start()
    kept = _run_of_states(rules, players)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    kept.clear()
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (before - after) / _KEPT


def _reachable(roots: Sequence[object], known: set[int]) -> list[object]:
    """
    Everything that can be reached, except code and what is known already.
    """
    found: list[object] = []
    waiting = list(roots)
    while waiting:
        one = waiting.pop()
        if id(one) in known or isinstance(one, _CODE):
            continue
        known.add(id(one))
        found.append(one)
        waiting += gc.get_referents(one)
    return found


_CODE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)


def state_alone(rules: str, players: int) -> float:
    """
    The bytes of a state that shares only what all games with its rules share.

    Its history counts. This is the median of the states of a first round.
    """
    run = _run_of_states(rules, players)
    states = [one for one in run if one.match.round_number == 1][::10]
    shared: list[object] = [CARDS, None, True, False]
    for state in states:
        shared += [state.rules, state.dealt.terms if state.dealt else None]
    known: set[int] = set()
    kept = _reachable(shared, known)  # kept, so that no id is used twice
    sizes = [
        sum(map(sys.getsizeof, _reachable([state], set(known)))) for state in states
    ]
    del kept
    return statistics.median(sizes)


def _resident() -> int:
    """
    The memory of this process, in bytes.
    """
    import resource

    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return pages * resource.getpagesize()


def open_spiel_clone(game: str) -> float:
    """
    The bytes of a clone of an OpenSpiel state, one after each action of random games.
    """
    import pyspiel

    source = random.Random(5)
    loaded = pyspiel.load_game(game)
    kept = [loaded.new_initial_state()]
    state = loaded.new_initial_state()
    gc.collect()
    before = _resident()
    while len(kept) <= _CLONES:
        if state.is_terminal():
            state = loaded.new_initial_state()
        by_chance = state.is_chance_node()
        state.apply_action(source.choice(state.legal_actions()))
        if not by_chance:
            kept.append(state.clone())
    return (_resident() - before) / _CLONES


def _in_a_fresh_process(function: Callable[..., float], *args: object) -> float:
    """
    The result of a function in a process that has measured nothing before.
    """
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
        return pool.submit(function, *args).result()


def memory(effort: Effort) -> Table:
    """
    The memory of a kept state.
    """
    del effort  # memory does not vary with time
    rows: list[tuple[str, str, float]] = []
    for rules, players in OURS:
        game = f"{rules}, {players} players"
        each = _in_a_fresh_process(successive_state, rules, players)
        alone = _in_a_fresh_process(state_alone, rules, players)
        rows += [(game, "successive states, each", each), (game, "alone", alone)]
    note = (
        "*Successive*: all states of a run of play are kept, and share what has not "
        "changed. *Alone*: one state of a first round with its history. What all games "
        "with the same rules share is not counted."
    )
    notes = [note]
    ratios: list[tuple[str, str, float]] = []
    if importlib.util.find_spec("pyspiel"):
        clone = _in_a_fresh_process(open_spiel_clone, "gin_rummy")
        ratios = [
            (
                f"bytes of a state, {game}, {what}",
                "a clone of OpenSpiel gin_rummy",
                n / clone,
            )
            for game, what, n in rows
        ]
        rows.append(("OpenSpiel gin_rummy", "a clone after each action", clone))
    else:
        notes.append(_absent("pyspiel", "OpenSpiel"))
    return Table(
        "A kept state",
        ("game", "states", "bytes"),
        [(game, what, f"{number:,.0f}") for game, what, number in rows],
        notes,
        ratios,
    )


# -------------------------------------------------------------------------- import


def _seconds(code: str, environment: Mapping[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    return time.perf_counter() - start


def imports(effort: Effort) -> Table:
    """
    The time of an import in a fresh interpreter, and of a first game, less its start.

    Bytecode is written anew, into a separate folder: an environment may forbid writing
    it, and packages installed with bytecode would have an advantage.
    """
    # Importing the names imports their modules.
    names = "from rummyvariants import legal_actions, new_game"
    game = f"{names}; list(legal_actions(new_game('rummy-5000', 3)))"
    chess = "import chess"
    modules = {names: "rummyvariants", game: "rummyvariants", "import attrs": "attrs"}
    modules[chess] = "chess"
    there = [one for one, name in modules.items() if importlib.util.find_spec(name)]
    took: dict[str, list[float]] = {one: [] for one in there}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for one in there:
            _seconds(one, environment)
        for _ in range(2 * effort.rounds):
            bare = _seconds("pass", environment)
            for one in there:
                taken = _seconds(one, environment) - bare
                took[one].append(max(taken, 1e-6))
    ratios = []
    if chess in there:
        ratios = [
            (f"time of `{one}`", f"`{chess}`", ratio(took[one], took[chess]))
            for one in (names, game)
        ]
    return Table(
        "Importing",
        ("statement", "ms"),
        [(f"`{one}`", rounded(statistics.median(took[one]) * 1e3)) for one in there],
        [
            _absent(name, f"`{one}`")
            for one, name in modules.items()
            if one not in there
        ],
        ratios,
    )
