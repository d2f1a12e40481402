"""
Time several ways to represent a hand.

``python bench/representation.py`` prints nanoseconds an operation, the median of
interleaved rounds.
"""

from __future__ import annotations

import bisect
import random
import statistics
import timeit

from collections import Counter

from rummyvariants.cards import ALL_CODES, FIELD, UNIT, holds, pack


ROUNDS = 7
LOOPS = 20_000


def main() -> None:
    """
    Print the table.
    """
    source = random.Random(5)
    deck = [code for code in ALL_CODES for _ in range(2)]
    hand = sorted(source.sample(deck, 20))
    card, three = hand[7], hand[3:6]
    bits, part = pack(hand), pack(three)
    as_tuple, counts, wanted = tuple(hand), Counter(hand), Counter(three)

    def tuple_remove() -> tuple[int, ...]:
        at = as_tuple.index(card)
        return as_tuple[:at] + as_tuple[at + 1 :]

    def tuple_add() -> tuple[int, ...]:
        at = bisect.bisect(as_tuple, card)
        return (*as_tuple[:at], card, *as_tuple[at:])

    def tuple_three() -> bool:
        return all(as_tuple.count(one) >= three.count(one) for one in three)

    def counter_remove() -> Counter[int]:
        copy = counts.copy()
        copy[card] -= 1
        return copy

    def counter_add() -> Counter[int]:
        copy = counts.copy()
        copy[card] += 1
        return copy

    ways = {
        "one integer": (
            lambda: bits - UNIT[card],
            lambda: bits + UNIT[card],
            lambda: bits & FIELD[card],
            lambda: holds(bits, part),
        ),
        "sorted tuple": (
            tuple_remove,
            tuple_add,
            lambda: card in as_tuple,
            tuple_three,
        ),
        "Counter": (
            counter_remove,
            counter_add,
            lambda: counts[card] > 0,
            lambda: wanted <= counts,
        ),
    }
    times: dict[tuple[str, int], list[float]] = {}
    for _ in range(ROUNDS):
        for name, operations in ways.items():
            for number, operation in enumerate(operations):
                seconds = timeit.timeit(operation, number=LOOPS)
                times.setdefault((name, number), []).append(seconds / LOOPS * 1e9)
    print(f"{'':14}{'remove':>8}{'add':>8}{'has':>8}{'has 3':>8}")
    for name in ways:
        row = [statistics.median(times[name, number]) for number in range(4)]
        print(f"{name:14}" + "".join(f"{one:8.0f}" for one in row))


if __name__ == "__main__":
    main()
