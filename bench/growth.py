"""
Measure how cost grows with players, packs, hand size, wilds, options and the pile.

``python bench/growth.py`` prints a table for each; ``--write`` also keeps them in
``docs/performance.json``, as `compare` does. Along each axis all else stays
fixed. Counts of Python calls are the same on every machine; calls of compiled functions
are not counted.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import itertools
import random
import statistics
import sys
import time

from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

import rummyvariants as rv

from compare import as_text, circumstances, keep
from figures import Effort, Table, moments, rounded
from players import matches


BESIDE = 1
"""Added to the number of actions listed, since even the shortest list has a cost."""

LISTED = 2_000
"""The most actions of a list whose cost is measured."""

Moment = tuple[rv.State, rv.Action]

Find = Callable[[int, int], list[Moment]]
"""Given a point of an axis and a number, that many states, each with an action."""


# -------------------------------------------------------------------- random play


def _played(
    players: int, number: int, values: Mapping[str, int] | None = None
) -> list[Moment]:
    rules = rv.preset("rummy-500").with_values(values or {})
    return moments(matches(rules, players, seed=6), number)


def _with_options(options: int, number: int) -> list[Moment]:
    """
    Play with the first options of ten random orders, those that go together.
    """
    found = []
    for order in range(10):
        rules = rv.preset("rummy-500")
        names = [name for name, one in rv.options().items() if not one.argument]
        random.Random(order).shuffle(names)
        for name in names:
            if len(rules.options) < options:
                with contextlib.suppress(rv.RulesError):
                    rules = rules.with_options(name)
        players = 4 if rules.match.sides != "none" else 3
        found += moments(matches(rules, players, seed=6), -(-number // 10))
    return found


# -------------------------------------------------------------- positions by hand


_WILD = {
    "deck.packs": 3,
    "deck.jokers": 2,
    "deck.jokers_in_all": "by pack",
    "wild.jokers": True,
    "wild.twos": True,
}
_TABLE = ["S: 4c 5c 6c", "N: 9d 9h 9s"]


def _position(seed: int, hand: int, wilds: int, pile: int = 0) -> Moment:
    """
    A hand of some size, with some wilds, before the draw if there is a pile.

    With the same seed, smaller hands and piles are parts of bigger ones.
    """
    deck = [rank + suit for rank in "A3456789TJQK" for suit in "cdhs"] * 3
    for card in " ".join(_TABLE).split():
        if card in deck:
            deck.remove(card)
    wild = ["*", "*", "2c", "2d", "2h", "2s"] * 3
    chance = random.Random(seed)
    chance.shuffle(deck)
    chance.shuffle(wild)
    held = wild[:wilds] + deck[: hand - wilds]
    rest = deck[hand - wilds :]
    drawn = {} if pile else {"drawn": f"stock {held[-1]}"}
    state = rv.position(
        rv.preset("rummy-500").with_values(_WILD),
        hands={"N": " ".join(held), "S": rest.pop()},
        table=_TABLE,
        dealer="S",
        turn="N",
        phase="draw" if pile else "play",
        stock=" ".join(rest[-3:]),
        discards=" ".join(rest[:pile]),
        **drawn,
    )
    return state, rv.legal_actions(state).sample(chance.randrange)


def _positions(number: int, *cards: int) -> list[Moment]:
    return [_position(seed, *cards) for seed in range(-(-number // 3))]


AXES: dict[str, tuple[Sequence[int], Find]] = {
    "Players, rummy-500, random play": ((2, 4, 6, 8), _played),
    "Packs, rummy-500, 4 players, random play": (
        (1, 2, 3),
        lambda packs, number: _played(4, number, {"deck.packs": packs}),
    ),
    "Options on rummy-500, random play": ((0, 5, 10, 20, 40), _with_options),
    "Cards in a hand, two of them wild": (
        (3, 7, 14, 27, 40),
        lambda hand, number: _positions(number, hand, 2),
    ),
    "Wilds in a hand of 14 cards": (
        (0, 1, 2, 4, 8, 12),
        lambda wilds, number: _positions(number, 14, wilds),
    ),
    "Cards on the pile, 10 cards in the hand": (
        (1, 5, 15, 30, 60),
        lambda pile, number: _positions(number, 10, 1, pile),
    ),
}
"""The axes, their points, and the states at each point."""

# ---------------------------------------------------------------------- measuring


def _list(state: rv.State, _: rv.Action) -> int:
    return sum(1 for _ in itertools.islice(rv.legal_actions(state), LISTED))


def _sample(state: rv.State, _: rv.Action) -> object:
    return rv.legal_actions(state).sample(random.Random(1).randrange)


Operation = Callable[[rv.State, rv.Action], Any]
OPERATIONS: dict[str, Operation] = {"list": _list, "apply": rv.apply, "sample": _sample}


def calls(operation: Operation, asked: Sequence[Moment]) -> float:
    """
    The average number of calls of Python functions in an operation.
    """
    number = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal number
        del frame, arg
        number += event == "call"

    for state, action in asked:
        sys.setprofile(count)
        operation(state, action)
        sys.setprofile(None)
    return number / len(asked)


def microseconds(operation: Operation, asked: Sequence[Moment]) -> float:
    """
    The average time of an operation.
    """
    start = time.perf_counter()
    for state, action in asked:
        operation(state, action)
    return (time.perf_counter() - start) / len(asked) * 1e6


def measure(title: str, points: Sequence[int], find: Find, effort: Effort) -> Table:
    """
    The cost of each operation along an axis; rounds go through its points in turn.
    """
    found = [find(point, effort.states) for point in points]
    cells = list(itertools.product(range(len(points)), OPERATIONS.values()))

    def ask(how: Callable[..., float], at: int, operation: Operation) -> float:
        return how(
            operation, [(copy.copy(state), action) for state, action in found[at]]
        )

    for at, operation in cells:
        ask(calls, at, operation)  # fills the caches of a deal
    counts = [ask(calls, *cell) for cell in cells]
    times = [[ask(microseconds, *cell) for cell in cells] for _ in range(effort.rounds)]
    medians = map(statistics.median, zip(*times, strict=True))
    costs = zip(medians, counts, strict=True)
    rows, each = [], []
    for point, asked, count in zip(
        points, found, counts[:: len(OPERATIONS)], strict=True
    ):
        listed = statistics.mean(itertools.starmap(_list, asked))
        each.append(count / (BESIDE + listed))
        some = itertools.islice(costs, len(OPERATIONS))
        cost = map(rounded, itertools.chain.from_iterable(some))
        rows.append((str(point), rounded(listed), *cost, f"{each[-1]:.1f}"))
    names = [f"`{name}`, {unit}" for name in OPERATIONS for unit in ("µs", "calls")]
    factor = f"{each[-1] / each[0]:.2f}"
    return Table(
        title,
        ("", "listed", *names, f"calls ÷ ({BESIDE} + listed)"),
        rows,
        [f"From first row to last, the last column changes by a factor of {factor}."],
    )


def main() -> None:
    """
    Measure, print, and write with ``--write``.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--states", type=int, default=150)
    parser.add_argument("--write", action="store_true", help="also keep the tables")
    given = parser.parse_args()
    if given.write and rv.IS_COMPILED:
        parser.error("calls of compiled functions are not counted: use the pure form")
    effort = Effort(given.rounds, states=given.states)
    intro = circumstances(effort)
    print(intro)
    tables = []
    for title, (points, find) in AXES.items():
        tables.append(measure(title, points, find, effort))
        print(f"\n{as_text(tables[-1])}", flush=True)
    if given.write:
        keep("growth", intro, tables)


if __name__ == "__main__":
    main()
