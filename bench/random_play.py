"""
Time random play of whole matches: legal actions, a choice, `apply`.

Run with ``python bench/random_play.py``; prints player actions a second, the median of
interleaved rounds, and the size of a kept state.
"""

from __future__ import annotations

import pickle
import random
import statistics
import time

from rummyvariants import State, apply, deal, legal_actions, new_game


GAMES = (("2500-house", 4), ("rummy-500", 2), ("rummy-5000", 4))
ROUNDS = 5
MATCHES = 3


def play(name: str, players: int, seed: int) -> tuple[int, State]:
    """
    A match of random players.

    Returns:
        The number of their actions, and the last state.
    """
    randrange = random.Random(seed).randrange
    state = new_game(name, players, seed=seed)
    actions = 0
    while not state.is_over:
        if state.phase == "deal":
            state = deal(state)
            continue
        state = apply(state, legal_actions(state).sample(randrange))
        actions += 1
    return actions, state


def main() -> None:
    """
    Print the table.
    """
    rates: dict[tuple[str, int], list[float]] = {}
    for turn in range(ROUNDS + 1):
        for name, players in GAMES:
            start = time.perf_counter()
            total = sum(
                play(name, players, turn * MATCHES + number)[0]
                for number in range(MATCHES)
            )
            if turn:
                rate = total / (time.perf_counter() - start)
                rates.setdefault((name, players), []).append(rate)
    for (name, players), found in rates.items():
        print(f"{name:12} {players} players {statistics.median(found):9,.0f} actions/s")
    _, state = play("rummy-5000", 4, 1)
    print(f"a match of rummy-5000 as a pickle: {len(pickle.dumps(state)):,} bytes")


if __name__ == "__main__":
    main()
