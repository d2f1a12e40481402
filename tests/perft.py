"""
How many sequences of actions there are from a fixed deal, counted depth by depth.

`docs/conformance.md` describes the file, and `test_perft` counts again.
"""

from __future__ import annotations

import json

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

import rummyvariants as rv


FILE = Path(__file__).parent / "data" / "perft.json"

Divided = dict[str, list[int]]
"""By first action, as a record writes it, how many sequences go on from it."""


@attrs.frozen
class Entry:
    """
    A deal, what was done after it, and how many sequences of actions follow.

    Attributes:
        name: What it shows.
        rules: The rules, as they are named in a record.
        players: How many play.
        deal: The deal, as in a record.
        actions: What was done since, as in a record.
        quick: Up to which depth counting takes no longer than quick tests may.
        counts: How many sequences there are of one action, of two, and so on.
        divided: The same up to the quick depth, by first action, which is not counted
            as part of the sequence.
    """

    name: str
    rules: str | Mapping[str, Any]
    players: int
    deal: str
    actions: tuple[str, ...] = attrs.field(converter=tuple)
    quick: int
    counts: tuple[int, ...] = attrs.field(converter=tuple)
    divided: Divided = attrs.field(factory=dict)

    def start(self) -> rv.State:
        """
        The state that the sequences start from.
        """
        rules = rv.rules.read_rules(self.rules)
        state = rv.apply(rv.game.begin(rules, self.players, seed=None), self.deal)
        for action in self.actions:
            state = rv.apply(state, action)
        return state


def read(text: str) -> tuple[Entry, ...]:
    """
    What is in the text of a file.
    """
    return tuple(Entry(**one) for one in json.loads(text)["entries"])


def entries() -> tuple[Entry, ...]:
    """
    What is in the file.
    """
    return read(FILE.read_text(encoding="utf-8"))


def perft(state: rv.State, depth: int) -> int:
    """
    How many sequences of so many actions of players there are in this round.
    """
    actions = rv.legal_actions(state)
    if depth == 1:
        return len(actions)
    return sum(perft(rv.apply(state, one), depth - 1) for one in actions)


def divide(state: rv.State, depth: int) -> Divided:
    """
    The sequences of two actions, of three, up to so many, by first action.
    """
    return {
        f"{action.seat}: {action}": [
            perft(rv.apply(state, action), number) for number in range(1, depth)
        ]
        for action in rv.legal_actions(state)
    }


def counts_of(divided: Divided) -> tuple[int, ...]:
    """
    What the parts come to.
    """
    return (len(divided), *map(sum, zip(*divided.values(), strict=True)))


def counted(entry: Entry) -> Entry:
    """
    An entry with its counts made anew up to the quick depth.
    """
    divided = divide(entry.start(), entry.quick)
    counts = counts_of(divided) + entry.counts[entry.quick :]
    return attrs.evolve(entry, counts=counts, divided=divided)


def counted_deeper(entry: Entry) -> Entry:
    """
    An entry with its counts made anew beyond the quick depth.
    """
    start = entry.start()
    deeper = range(entry.quick + 1, len(entry.counts) + 1)
    counts = tuple(perft(start, depth) for depth in deeper)
    return attrs.evolve(entry, counts=entry.counts[: entry.quick] + counts)


def with_entry(text: str, now: Callable[[Entry], Entry], name: str) -> str:
    """
    The text of a file with another entry of a name.

    Args:
        text: The text.
        now: The entry in place of that in the text.
        name: The name.
    """
    return as_text(tuple(now(one) if one.name == name else one for one in read(text)))


def as_text(found: tuple[Entry, ...]) -> str:
    """
    Entries as a file, which has a line for each first action.
    """
    text = json.dumps(
        {"format": 1, "entries": list(map(attrs.asdict, found))}, indent=1
    )
    return _joined_numbers(text) + "\n"


def _joined_numbers(text: str) -> str:
    """
    JSON with lists of numbers put on one line each.
    """
    lines: list[str] = []
    for line in text.splitlines():
        words = line.strip()
        inside = bool(lines) and lines[-1].endswith(("[", ","))
        if inside and words.rstrip(",").isdecimal() and "[" in lines[-1]:
            lines[-1] += words if lines[-1].endswith("[") else f" {words}"
        elif words in {"]", "],"} and lines[-1][-1].isdecimal():
            lines[-1] += words
        else:
            lines.append(line)
    return "\n".join(lines)
