"""
Where a game ends, and what its players receive for their actions.
"""

from __future__ import annotations

from typing import Literal, get_args

from rummyvariants.errors import nearest, shown
from rummyvariants.game import Match
from rummyvariants.game import _asking as asking
from rummyvariants.game._round import final_scores


Until = Literal["match", "round"]
Rewards = Literal["round", "match"]
Sides = tuple[tuple[int, ...], ...]


def refused(until: object, rewards: object) -> str:
    """
    Why a game cannot end or be rewarded in some way; empty if it can.
    """
    for name, given, kind in (("until", until, Until), ("rewards", rewards, Rewards)):
        known = get_args(kind)
        if given not in known:
            return f"{name} cannot be {shown(given)}{nearest(given, known)}"
    if until == "round" and rewards == "match":
        return (
            "no match is won in a round: give until='match' with rewards='match', or "
            "rewards='round'"
        )
    return ""


def earned(before: Match, after: Match, by: Rewards) -> tuple[float, ...]:
    """
    By seat, the rewards for steps that changed the match.

    Args:
        before: The match before them.
        after: The match after them.
        by: ``round`` for the points that were scored, ``match`` for a match that was
            won.

    Returns:
        The rewards; those of a side are the same for all of its seats. The rewards of
        the sides add up to zero.
    """
    sides = after.rules.match.sides_of(len(after.players))
    shares = _points(before, after, sides) if by == "round" else _won(after, sides)
    found = [0.0] * len(after.players)
    for side, share in zip(sides, shares, strict=True):
        for seat in side:
            found[seat] = share
    return tuple(found)


def _points(before: Match, after: Match, sides: Sides) -> list[float]:
    """
    By side, the points that it scored less the mean of the other sides.

    Sides that were out of the match receive nothing, and are no others.
    """
    match = after.rules.match
    sign = -1 if match.lowest_wins else 1
    old, new = [match.by_side(final_scores(one)) for one in (before, after)]
    out = asking.eliminated(before)
    there = [not out.issuperset(side) for side in sides]
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


def _won(after: Match, sides: Sides) -> list[float]:
    """
    By side, 1 for the match if it was won and -1 if it was lost, shared if by several.
    """
    winners = {*after.winners}
    won = [not winners.isdisjoint(side) for side in sides]
    number = sum(won)
    if number in {0, len(won)}:
        return [0.0] * len(won)
    return [1 / number if one else -1 / (len(won) - number) for one in won]
