"""
Games as earlier versions wrote them: records, JSON, and what each seat saw.

A change of the library may not change what a file means that somebody has kept.
``python tests/golden.py --write`` writes ``data/golden/`` anew, or the files of the
games that are named. That is right only for new games and where games are meant to
change; look at the difference before you commit it.
"""

from __future__ import annotations

import argparse
import json
import random

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rummyvariants as rv

from rummyvariants.game.events import Event


FOLDER = Path(__file__).parent / "data" / "golden"
SEEDS = range(60)
SHORT, LONG = 400, 8_000
"""So many actions are played of each seed, and of one that is played to its end."""
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


def moments(
    rules: rv.Ruleset, players: int, seed: int, most: int
) -> Iterator[tuple[rv.State, rv.Action | None]]:
    """
    The states of a game at random, each with the action that is played next.
    """
    state = rv.new_game(rules, players=players, seed=seed)
    rng = random.Random(seed)
    for _ in range(most):
        if state.is_over:
            break
        action = None
        if state.to_act:
            action = rv.legal_actions(state).sample(rng.randrange)
        yield state, action
        state = rv.deal(state) if action is None else rv.apply(state, action)
    yield state, None


def games(rules: rv.Ruleset, players: int) -> Iterator[dict[str, Any]]:
    """
    Games of some rules until every phase and every kind of action has come up.

    Yields:
        A record, its JSON, and by the number of steps, where something came up for the
        first time, what had just happened and the view of each seat, as JSON.
    """
    seen: set[str] = set()
    for seed, most in [*((seed, SHORT) for seed in SEEDS), (0, LONG)]:
        if most == LONG and "over" in seen:
            return
        new: dict[int, rv.State] = {}
        for number, (state, action) in enumerate(moments(rules, players, seed, most)):
            kinds = {state.phase, type(action).__name__} - {"NoneType"}
            if most == LONG:
                kinds &= {"over"}
            if kinds - seen:
                new[number] = state
                seen |= kinds
        if new:
            last = [*new.values()][-1]
            record = str(rv.record(last))
            steps = [*rv.replay_steps(record)]
            yield {
                "record": record,
                "json": as_data(last),
                "moments": {
                    str(number): {
                        "events": [as_data(event) for event in steps[number].events],
                        "views": [
                            as_data(rv.view(state, seat))
                            for seat in range(len(state.players))
                        ],
                    }
                    for number, state in new.items()
                },
            }


def as_data(value: rv.State | rv.View | Event) -> Any:
    """
    What the JSON of a value holds.
    """
    return json.loads(rv.to_json(value))


def written(name: str) -> list[dict[str, Any]]:
    """
    What the file of a table holds, one game a line.
    """
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _text(name: str) -> str:
    preset, *options = TABLES[name]
    rules = rv.preset(preset).with_options(*options)
    fewest, most = rules.match.players
    players = PLAYERS.get(name, min(max(fewest, 3), most or 3))
    return "".join(json.dumps(game) + "\n" for game in games(rules, players))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", required=True, help="do it")
    parser.add_argument("names", nargs="*", help="those alone", choices=[[], *TABLES])
    chosen = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for name in chosen.names or TABLES:
        (FOLDER / f"{name}.jsonl").write_text(_text(name), encoding="utf-8")
