"""
A score sheet: where every point of a match came from, and by which rule.
"""

from __future__ import annotations

import random

from collections import Counter
from collections.abc import Iterator

import rummyvariants as rv


PLAYERS = ("Ann", "Ben", "Cleo")


def rounds(state: rv.State, seed: int) -> Iterator[rv.State]:
    """
    The states at the end of each round of a match played at random.
    """
    randrange = random.Random(seed).randrange
    while True:
        while not state.is_round_over:
            state = rv.apply(state, rv.legal_actions(state).sample(randrange))
        yield state
        if state.is_over:
            return
        state = rv.game.deal(state)


def sheet(result: rv.game.RoundResult) -> Iterator[str]:
    """
    A round as lines: for each player the points by reason and rule.
    """
    for seat, name in enumerate(PLAYERS):
        mine = [item for item in result.items if item.seat == seat]
        points: Counter[tuple[str, str]] = Counter()
        cards: dict[tuple[str, str], list[str]] = {}
        for item in mine:
            key = item.reason, item.rule
            points[key] += item.points
            cards.setdefault(key, []).append(str(item.card or ""))
        yield f"{name}: {result.points[seat]}"
        for (reason, rule), total in points.items():
            yield f"  {total:+5} {reason} [{rule}]: {' '.join(cards[reason, rule])}"

        # The lines add up to the total.
        assert sum(item.points for item in mine) == result.points[seat]
        assert all(item.rule in rv.rules.catalogue() for item in mine)


def main() -> None:
    """
    Play a match, and print its last round and its totals.
    """
    ends = list(rounds(rv.new_game("rummy-500", PLAYERS, seed=3), seed=3))
    last = ends[-1]
    assert last.is_over
    assert last.result is not None
    print(f"Round {last.round_number}, over by {last.result.rule}")
    print(*sheet(last.result), sep="\n")

    totals = [0] * len(PLAYERS)
    print()
    for end in ends:
        assert end.result is not None
        totals = [
            total + points
            for total, points in zip(totals, end.result.points, strict=True)
        ]
        assert tuple(totals) == end.scores
    print(f"After {len(ends)} rounds: {dict(zip(PLAYERS, last.scores, strict=True))}")
    best = max(last.scores)
    assert last.winners == tuple(
        seat for seat, points in enumerate(last.scores) if points == best
    )


if __name__ == "__main__":
    main()
