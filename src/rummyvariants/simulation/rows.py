"""
Rows of plain values: what a game between bots was.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs


@attrs.frozen
class RoundRow:
    """
    A round of a game; lists are by seat.

    Attributes:
        dealer: The dealer's seat.
        hand_sizes: How many cards each seat was dealt, including those on the table.
        points: The points of the round.
        how: How it ended: ``out``, ``dealt hand``, ``knock``, ``gin``, ``big gin``,
            ``stock`` (it was empty), ``idle`` or ``drop``.
        out: The seat that went out first; None if nobody did.
        turns: How many turns were finished.
        actions: How many actions the players took.
        thrown_in: How many deals were thrown in before this one.
        wilds: How many wild cards were in melds at the end.
    """

    dealer: int
    hand_sizes: tuple[int, ...]
    points: tuple[int, ...]
    how: str
    out: int | None
    turns: int
    actions: int
    thrown_in: int
    wilds: int


@attrs.frozen
class GameRow:
    """
    A game, or as much of it as was played; lists are by seat.

    Attributes:
        number: Its number in the simulation, from 0.
        deal: The number of its deals; games with the same number here differ only in
            the seats of the bots.
        seed: The seed of the deals.
        bots: The names of the bots.
        status: ``finished``; ``stopped`` at the limit of actions; ``refused`` if a bot
            chose an illegal action; ``failed`` if one raised an error.
        problem: What happened, unless the status is ``finished``.
        culprit: The seat of the bot that caused it; None if there is none.
        scores: The points that decide the match after the finished rounds, as in
            `State.standing`.
        winners: The seats that won; none in a game that is not over.
        rounds: The finished rounds, in order.
        actions: How many actions the players took.
        sides: The number of the side of each seat, from 0; empty where everyone plays
            alone.
        lowest: Whether the lowest score is the best, not the highest.

    >>> row = next(rv.simulate("rummy-500", "random", games=1, players=2))
    >>> row.status, row.scores, row.winners
    ('finished', (431, 545), (1,))
    """

    number: int
    deal: int
    seed: str
    bots: tuple[str, ...]
    status: str
    problem: str
    culprit: int | None
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: tuple[RoundRow, ...]
    actions: int
    sides: tuple[int, ...] = ()
    lowest: bool = False

    @property
    def side_scores(self) -> tuple[int, ...]:
        """
        The total of each seat's side, or its own where it plays alone.
        """
        return self._by_side(self.scores)

    @property
    def merits(self) -> tuple[int, ...]:
        """
        The score of each seat's side, turned so that more is better.
        """
        sign = -1 if self.lowest else 1
        return tuple(sign * score for score in self.side_scores)

    @property
    def course(self) -> tuple[tuple[int, ...], ...]:
        """
        The points of each seat's side after each round, turned so that more is better.

        What the end of the match adds, such as a bonus, is left out.
        """
        sign = -1 if self.lowest else 1
        totals = [0] * len(self.scores)
        found = []
        for one in self.rounds:
            totals = [
                total + sign * points
                for total, points in zip(totals, one.points, strict=True)
            ]
            found.append(self._by_side(totals))
        return tuple(found)

    def _by_side(self, scores: Sequence[int]) -> tuple[int, ...]:
        """
        The sum of each seat's side, or its own score where it plays alone.
        """
        if not self.sides:
            return tuple(scores)
        totals = [0] * len(scores)
        for side, score in zip(self.sides, scores, strict=True):
            totals[side] += score
        return tuple(totals[side] for side in self.sides)
