"""
Where a game ends, and what its players receive for their actions.
"""

from __future__ import annotations

import math

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, get_args

import attrs

from rummyvariants.errors import RummyError, nearest, shown
from rummyvariants.game import Match, RoundResult
from rummyvariants.game import _asking as asking
from rummyvariants.game._round import final_scores
from rummyvariants.game._state import Draft, State, between_rounds
from rummyvariants.policies.base import is_whole


Until = Literal["match", "round"]
Kind = Literal["round", "match"]
Rewards = Kind | Callable[[RoundResult, Match], Sequence[float]]
"""What rewards are given for; a function gives them by seat, when a round is over."""
Sides = tuple[tuple[int, ...], ...]
BySeat = tuple[float, ...]

MAX_STEPS: Final = 10_000
"""After how many steps a game is truncated, if nothing else is said."""


class RewardError(RummyError, ValueError):
    """
    Rewards of a function that are none.
    """


@attrs.frozen
class Stakes:
    """
    What is played for.

    Attributes:
        until: Where a game ends: after a ``match``, or after its first ``round``.
        rewards: ``round`` for the points that were scored, ``match`` for a match that
            was won, or a function of the result of a round and of the match after it.
        scale: How many points are worth 1; rewards are bounded then. None for points.
    """

    until: Until = "match"
    rewards: Rewards = "round"
    scale: float | None = None

    @property
    def wrong(self) -> str:
        """
        Why nothing can be played for that; empty if it can.
        """
        until, rewards, scale = self.until, self.rewards, self.scale
        asked = (("until", until, Until), ("rewards", rewards, Kind))
        for name, given, kind in asked:
            known = get_args(kind)
            if given not in known and not (name == "rewards" and callable(given)):
                return f"{name} cannot be {shown(given)}{nearest(given, known)}"
        if until == "round" and rewards == "match":
            return (
                "no match is won in a round: give until='match' with rewards='match', "
                "or rewards='round'"
            )
        if scale is None:
            return ""
        if not (is_finite(scale) and scale > 0):
            return f"scale cannot be {shown(scale)}: give a number above 0, or None"
        if rewards == "match":
            return "a scale is for points: leave it out with rewards='match'"
        return ""

    @property
    def utilities(self) -> tuple[float, float] | None:
        """
        The least and the most that a seat may receive in a game; None for no bounds.
        """
        bounded = self.scale is not None or self.rewards == "match"
        return (-1.0, 1.0) if bounded else None

    def is_over(self, state: State | Draft) -> bool:
        """
        Whether the game ends here.
        """
        over = state.frames[-1].phase == "over"
        return over or (self.until == "round" and between_rounds(state))

    def pay(
        self, before: State | Draft, after: State | Draft, total: BySeat
    ) -> tuple[BySeat, BySeat]:
        """
        By seat, the rewards for a step.

        Args:
            before: The state before it.
            after: The state after it.
            total: What was earned in the game before it, as this function gave it.

        Returns:
            The rewards, which are empty if there are none; and what was earned so far,
            without bounds.

        Raises:
            RewardError: If a function gives no rewards.
        """
        gained = self._earned(before, after)
        if not gained:
            return (), total
        new = added(total, gained)
        if self.scale is None:
            return gained, new
        old = self._bounded(total)
        return added(self._bounded(new), [-one for one in old]), new

    def _bounded(self, total: BySeat) -> BySeat:
        """
        What was earned, scaled so that nobody has more than 1 or less than -1.

        All seats are scaled alike, so that what adds up to zero still does.
        """
        scale = max(self.scale or 1, *map(abs, total))
        return tuple([one / scale for one in total])

    def _earned(self, before: State | Draft, after: State | Draft) -> BySeat:
        """
        By seat, what is earned with a step, without bounds; empty for nothing.

        The seats of a side earn the same.
        """
        old, new, rewards = before.match, after.match, self.rewards
        if new is old:
            return ()
        if not isinstance(rewards, str):
            result = self._settled(after)
            if result is None or result is self._settled(before):
                return ()
            return _checked(rewards(result, new), len(new.players))
        sides = new.rules.match.sides_of(len(new.players))
        shares = _points(old, new, sides) if rewards == "round" else _won(new, sides)
        found = [0.0] * len(new.players)
        for side, share in zip(sides, shares, strict=True):
            for seat in side:
                found[seat] = share
        return tuple(found)

    def _settled(self, state: State | Draft) -> RoundResult | None:
        """
        The result of a round after which nobody is asked to come back any more.
        """
        asked = state.frames[-1].phase == "rejoin" and not self.is_over(state)
        return state.result if between_rounds(state) and not asked else None


def is_finite(given: object) -> bool:
    """
    Whether something is a number, and not infinite.
    """
    try:
        return not isinstance(given, bool | str) and math.isfinite(given)  # type: ignore[arg-type]
    except TypeError:
        return False


def no_limit(given: object) -> str:
    """
    Why a number of steps is none after which games are truncated; empty if it is.
    """
    if given is None or is_whole(given, 1):
        return ""
    return f"max_steps cannot be {shown(given)}: give a whole number from 1, or None"


def added(one: Sequence[float], other: Sequence[float]) -> BySeat:
    """
    Rewards by seat, added up; those that are empty are none.
    """
    if not (one and other):
        return tuple(one or other)
    return tuple([first + second for first, second in zip(one, other, strict=True)])


def _checked(given: Any, players: int) -> BySeat:
    """
    The rewards of a function, as numbers.
    """
    try:
        found = [*given]
    except TypeError:
        found = []
    if len(found) != players or not all(map(is_finite, found)):
        msg = (
            f"the function for rewards gave {shown(given)}: it has to give a finite "
            f"number for each of {players} seats"
        )
        raise RewardError(msg)
    return tuple(map(float, found))


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
