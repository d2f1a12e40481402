"""Who may play, who starts, and who wins the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import attrs

from rummyvariants.policies.base import Policy, between, choice, number, number_or


@attrs.frozen
class MatchPolicy(Policy):
    """
    Who may play, who starts, and who wins the match.
    """

    room: ClassVar[str] = "match"

    players: tuple[int, int] = between((2, 8), "The least and the most players.")
    start: str = choice(
        "left of the dealer",
        doc="The player on the dealer's left starts, and play goes clockwise.",
    )
    rotation: str = choice(
        "left",
        "to who is out",
        doc="Who deals the next round: the player on the dealer's left, or whoever "
        "went out.",
    )
    target: int = number(500, "The points that end the match.", least=1)
    ends: str = choice(
        "at the target",
        "after the kings",
        doc="When the match ends: when a player has the target, or after the round in "
        "which kings are wild.",
    )
    winner: str = choice(
        "highest",
        "who is out",
        "lowest",
        "only who is out",
        doc="Who wins: the highest score, or who went out in the last round if that "
        "player has the target, or the lowest score; or nobody but who goes out with "
        "the target.",
    )
    rounds: str | int = number_or(
        "any number",
        "any number",
        doc="After how many rounds the match ends, if it has not ended before.",
    )
    tie: str = choice(
        "joint",
        "play on",
        doc="What equal highest scores are: joint wins, or a reason to play on.",
    )

    def next_dealer(self, dealer: int, players: int, out: int | None = None) -> int:
        """
        Who deals after a seat.

        Args:
            dealer: The seat.
            players: How many play.
            out: Who went out first in the round, if anybody did.
        """
        if self.rotation == "to who is out" and out is not None:
            return out
        return (dealer + 1) % players

    def winners(
        self, scores: Sequence[int], out: int | None, *, last_round: bool
    ) -> tuple[int, ...]:
        """
        Who has won the match by these totals; nobody while it goes on.

        Args:
            scores: The totals by seat after a round.
            out: Who went out first in that round, if anybody did.
            last_round: Whether the last round of a series was played.
        """
        seats = range(len(scores))
        reached = [seat for seat in seats if scores[seat] >= self.target]
        by_target = self.ends == "at the target" and bool(reached)
        if not by_target:
            reached = list(seats) if last_round else []
        if not reached:
            return ()
        if by_target and self.winner == "who is out" and out in reached:
            return (out,)
        if by_target and self.winner == "only who is out":
            return (out,) if out in reached else ()
        if self.winner == "lowest":
            # Whoever has reached the target ends the match and does not win it.
            reached = list(seats)
        extreme = min if self.winner == "lowest" else max
        best = extreme(scores[seat] for seat in reached)
        first = tuple(seat for seat in reached if scores[seat] == best)
        if len(first) > 1 and self.tie == "play on":
            return ()
        return first
