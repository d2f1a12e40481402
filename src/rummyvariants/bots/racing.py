"""
Which of some choices does best in rounds played out, as soon as the answer is settled.

Of each rival of a first choice, the gain to be expected is known, and by how much gains
differ from that. Rounds played out in the same worlds add to it, as observations add to
a normal prior. A rival is tried for as long as further rounds promise to change the
choice for enough points, which is the value of information of Frazier, Powell and
Dayanik, "A Knowledge-Gradient Policy for Sequential Information Collection" (2008).
"""

from __future__ import annotations

import math
import random
import statistics

from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from rummyvariants import View, determinize
from rummyvariants.actions import Action
from rummyvariants.bots.base import Bot
from rummyvariants.bots.search import Player, lead_after
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._state import thaw


_FEWEST: Final = 2
"""In how many worlds choices are compared whatever is asked for."""
_WORLDS: Final = 8
"""In how many worlds rivals are compared before one is dropped."""
_STAKE: Final = 0.25
"""How many points further rounds have to promise."""
_STOCKS: Final = 3
"""In how many orders of the stock believed hands are played with.

Hands are dear, and a tenth of the variance is theirs: counted at Rummy 5000.
"""
_NORMAL: Final = statistics.NormalDist()


@attrs.frozen
class Candidate:
    """
    A choice, and what is known of it before it is tried out.

    Attributes:
        action: The choice.
        gain: By how many points it is expected to do better than the first choice.
        spread: The standard deviation of what it really gains about that.
    """

    action: Action
    gain: float
    spread: float


def raced(
    view: View,
    first: Action,
    others: Iterable[Candidate],
    playouts: int,
    rng: random.Random,
    believe: Bot | None,
    player: Player,
) -> Action:
    """
    The choice that does best, the first one where no other is expected to do better.

    Args:
        view: What the seat knows.
        first: The first choice.
        others: The others.
        playouts: How many rounds may be played out, though two worlds are always tried.
        rng: The source of chance.
        believe: As whom the other seats are taken to have played; see `determinize`.
        player: Who plays the rounds out.
    """
    seat = view.seat or 0
    rivals = [Tried(one) for one in others]
    tried, left, number = rivals, playouts, 0
    worlds = _worlds(view, rng, believe)
    while tried and (left > len(tried) or number < _FEWEST):
        world = next(worlds)
        number += 1
        # All choices are tried in the same worlds, so that luck cancels.
        usual = lead_after(world, first, seat, player)
        for rival in tried:
            rival.note(lead_after(world, rival.action, seat, player) - usual)
        left -= len(tried) + 1
        if number >= _WORLDS:
            more = left // (len(tried) + 1)
            tried = [one for one in tried if one.promises(rivals, more) > _STAKE]
    best = max(rivals, key=lambda rival: rival.mean, default=None)
    return first if best is None or best.mean <= 0 else best.action


def _worlds(view: View, rng: random.Random, believe: Bot | None) -> Iterator[AnyState]:
    """
    Worlds that agree with a view, without an end.
    """
    while True:
        world = determinize(view, rng, believe)
        yield world
        if believe is not None and not any(world._stock_seen):
            for _ in range(_STOCKS - 1):
                again = thaw(world)
                again._stock = bytes(rng.sample(world._stock, len(world._stock)))
                yield again


class Tried:
    """
    A choice, and by how much it did better than the first choice in some worlds.

    Attributes:
        action: The choice.
        mean: The gain to be expected of it.
    """

    def __init__(self, known: Candidate) -> None:
        self.action = known.action
        self.mean = known.gain
        self._known = known
        self._number = 0
        self._sum = self._squares = 0.0

    def note(self, lead: float) -> None:
        """
        Note by how much it did better in one more world.
        """
        self._number += 1
        self._sum += lead
        self._squares += lead * lead
        if self._number >= _FEWEST:
            gain = self._known.gain
            self.mean = gain + self._trust() * (self._sum / self._number - gain)

    def promises(self, rivals: Iterable[Tried], more: int) -> float:
        """
        By how many points so many further worlds improve the choice, to be expected.

        Args:
            rivals: All rivals of the first choice, this one among them.
            more: How many worlds.
        """
        others = [one.mean for one in rivals if one is not self]
        apart = abs(self.mean - max([0.0, *others]))
        shift = self._known.spread * math.sqrt(self._trust(more) - self._trust())
        if not shift:
            return 0.0
        steps = apart / shift
        return shift * _NORMAL.pdf(steps) - apart * _NORMAL.cdf(-steps)

    def _trust(self, more: int = 0) -> float:
        """
        What the worlds weigh, and so many further ones, of all that is known.
        """
        number, known = self._number, self._known.spread**2
        variance = (self._squares - self._sum**2 / number) / (number - 1)
        return known / (known + max(0.0, variance) / (number + more))
