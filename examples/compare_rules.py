"""
How a rule changes a game: bots play with it and without it.

The question here is how jokers change rummy-500. Each round is played twice from the
same seed; the result is the difference, with its interval.
"""

from __future__ import annotations

import rummyvariants as rv


ROUNDS = 120

with_jokers = rv.preset("rummy-500")
without = with_jokers.with_values({"deck.jokers": 0, "wild.jokers": False})

found = rv.compare(
    without, with_jokers, games=ROUNDS, players=4, bots="greedy", seed=1, unit="round"
)
print(found)
print()

wilds = found["wilds"]
assert wilds.a == 0, "there are no wild cards without jokers"
assert wilds.side == 1, "with jokers, some are melded"

length = found["actions"]
assert length.evidence.interval is not None
low, high = length.evidence.interval
print(
    f"A round takes {length.difference.mean:+.1f} actions, "
    f"between {low:+.1f} and {high:+.1f}."
)
print(
    "Fewer, more, or who knows?",
    {-1: "Fewer.", 0: "Who knows.", 1: "More."}[length.side],
)

# With equal rules nothing differs: chance is the same on both sides.
same = rv.compare(without, without, games=5, bots="greedy", unit="round")
assert all(one.difference.mean == 0 for one in same.contrasts)
