"""
What is kept of a game that bots have played: a row of plain values.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class RoundRow:
    """
    A round of a game. Lists go by seat.

    Attributes:
        dealer: Who dealt.
        hand_sizes: How many cards each seat was dealt, those on the table counted too.
        points: The points of the round.
        how: How it ended: ``out``, ``knock``, ``gin``, ``big gin``, ``stock`` (it was
            empty) or ``idle``.
        out: The seat that went out first; None if nobody did.
        turns: How many turns were finished.
        actions: How many actions the players did.
        thrown_in: How many deals were thrown in before this one.
        wilds: How many wild cards lay in melds at the end.
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
    A game, or of a game as much as was played. Lists go by seat.

    Attributes:
        number: Which game of the simulation it is, from 0.
        deal: Which deals it was played with; games with the same number here differ
            only in who sat where.
        seed: The seed of the deals.
        bots: The names of the bots.
        status: ``finished``; ``stopped`` at the limit of actions; ``refused`` if a bot
            asked for what is not legal; ``failed`` if one raised an error.
        problem: What happened, where the status is another than ``finished``.
        culprit: The seat of the bot that it happened to; None if there is none.
        scores: The points that decide the match, as in `State.standing`, the rounds
            that are over counted.
        winners: The seats that won; none in a game that is not over.
        rounds: The rounds that are over, in order.
        actions: How many actions the players did.
        sides: The number of the side that each seat plays for, from 0; empty where
            everyone plays alone.
        lowest: Whether the lowest score is the best one, and not the highest.
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
        By seat, the total of its side; its own where it plays alone.
        """
        if not self.sides:
            return self.scores
        totals = [0] * len(self.scores)
        for side, score in zip(self.sides, self.scores, strict=True):
            totals[side] += score
        return tuple(totals[side] for side in self.sides)

    @property
    def merits(self) -> tuple[int, ...]:
        """
        By seat, its score with that of its side so that more is better.
        """
        sign = -1 if self.lowest else 1
        return tuple(sign * score for score in self.side_scores)
