"""
Games as records that are kept: files that have to stay what they are.

``pytest --snapshot-update tests/states/test_golden.py`` adds the records that are
missing, and replaces those that cannot be replayed any more.
"""

from __future__ import annotations

import functools
import random
import re

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import rummyvariants as rv


FOLDER = Path(__file__).parent / "data" / "golden"
SEEDS = range(60)
MANY = range(900)
SHORT_GAMES = {"conquian"}
"""Tables whose games are over after few actions."""
SHORT, LONG = 24, 400
"""How many actions are kept if nothing new comes up, and are looked at for that."""
TABLES: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in rv.presets()},
    "hand-sizes-to-choose": ("rummy-5000", "PGV-C2a", "PGV-D3e"),
    "wilds-swapped-and-split": ("rummy-5000", "PGV-P4", "PGV-P2b"),
    "piles-turned-over": ("basic-rummy", "BAS-08c"),
    "partners": ("rummy-500-pagat", "R5V-47"),
    "declared-wrongly": ("indian-rummy-pool", "INV-05"),
    "asked-whether-to-go-out": ("canasta",),
}
"""By its name in the folder, a preset and the options that are added to it."""
PLAYERS = {"asked-whether-to-go-out": 4}
"""By its name, how many play, where that is not three or the fewest possible."""


def kept(name: str) -> list[str]:
    """
    The records of a table.
    """
    return [path.read_text("utf-8") for path in sorted((FOLDER / name).glob("*.toml"))]


def written(state: rv.State) -> str:
    """
    The record of a game, without the version of the rules.

    With it a record could be replayed only as long as no value of the rules changes.
    """
    return re.sub(r"(?m)^version = .*\n", "", str(rv.record(state)))


def steps_with_kinds(record: str) -> Iterator[tuple[rv.Step, set[str]]]:
    """
    The steps of a record, each with its kind of action and the phase that follows.
    """
    for step in rv.files.replay_steps(record):
        yield step, {type(step.action).__name__, step.after.phase}


@functools.cache
def moments() -> Mapping[str, Sequence[rv.Step]]:
    """
    By table, the steps with a kind of action or a phase that no step before had.
    """
    seen: set[str] = set()
    found: dict[str, list[rv.Step]] = {name: [] for name in TABLES}
    for name in TABLES:
        for record in kept(name):
            for step, kinds in steps_with_kinds(record):
                if not kinds <= seen:
                    found[name].append(step)
                    seen |= kinds
    return found


# ------------------------------------------------------------------------- new records


def renew() -> None:
    """
    Write records for the tables that have none, or none that can be replayed.
    """
    seen: set[str] = set()
    for name in TABLES:
        try:
            for record in kept(name):
                for _, kinds in steps_with_kinds(record):
                    seen |= kinds
            missing = not kept(name)
        except rv.RummyError:
            missing = True
        if missing:
            _write(name, seen)


def _write(name: str, seen: set[str]) -> None:
    """
    Play games of a table, and keep each up to where it last brings something new.
    """
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.toml"):
        path.unlink()
    for seed in MANY if name in SHORT_GAMES else SEEDS:
        keep = None if seed else SHORT
        states = [*_played(name, seed)]
        for number, state in enumerate(states):
            kinds = {state.phase, *(type(one).__name__ for one in state.history[-1:])}
            if not kinds <= seen:
                keep = max(number, keep or 0)
                seen |= kinds
        if keep is not None:
            record = written(states[min(keep, len(states) - 1)])
            (folder / f"{seed}.toml").write_text(record, "utf-8", newline="\n")


def _played(name: str, seed: int) -> Iterator[rv.State]:
    """
    The states of a game of a table at random.
    """
    preset, *options = TABLES[name]
    rules = rv.preset(preset).with_options(*options)
    fewest, most = rules.match.players
    players = PLAYERS.get(name, min(max(fewest, 3), most or 3))
    state = rv.new_game(rules, players=players, seed=seed)
    rng = random.Random(seed)
    yield state
    for _ in range(LONG):
        if state.is_over:
            return
        if state.to_act:
            action = rv.legal_actions(state).sample(rng.randrange)
            state = rv.apply(state, action)
        else:
            state = rv.game.deal(state)
        yield state
