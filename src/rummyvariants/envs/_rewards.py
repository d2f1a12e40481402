"""
What the players of a game receive for their actions.
"""

from __future__ import annotations

from typing import Literal

from rummyvariants.game._state import State


Rewards = Literal["round", "match"]


def earned(before: State, after: State, by: Rewards) -> tuple[float, ...]:
    """
    By seat, the rewards for a step that changed the match.

    Args:
        before: The state before it.
        after: The state after it.
        by: ``round`` for the points that were scored, ``match`` for a match that was
            won.

    Returns:
        The rewards; those of a side are the same for all of its seats. The rewards of
        the sides add up to zero.
    """
    sides = after.sides
    shares = _points(before, after) if by == "round" else _won(after)
    found = [0.0] * len(after.players)
    for side, share in zip(sides, shares, strict=True):
        for seat in side:
            found[seat] = share
    return tuple(found)


def _points(before: State, after: State) -> list[float]:
    """
    By side, the points that it scored less the mean of the other sides.

    Sides that were out of the match receive nothing, and are no others.
    """
    sign = -1 if after.rules.match.lowest_wins else 1
    old, new = before.side_scores, after.side_scores
    out = {*before.eliminated}
    there = [not out.issuperset(side) for side in after.sides]
    gains = [
        sign * (now - then) if here else 0
        for then, now, here in zip(old, new, there, strict=True)
    ]
    others = sum(there) - 1
    if others < 1:
        return [0.0] * len(gains)
    total = sum(gains)
    return [
        gain - (total - gain) / others if here else 0.0
        for gain, here in zip(gains, there, strict=True)
    ]


def _won(after: State) -> list[float]:
    """
    By side, 1 for the match if it was won and -1 if it was lost, shared if by several.
    """
    winners = {*after.winners}
    won = [not winners.isdisjoint(side) for side in after.sides]
    number = sum(won)
    if number in {0, len(won)}:
        return [0.0] * len(won)
    return [1 / number if one else -1 / (len(won) - number) for one in won]
