"""Who may play, who starts, and who wins the match."""

from __future__ import annotations

import itertools

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar

import attrs

from rummyvariants.house.rules import HouseRule
from rummyvariants.policies import cases
from rummyvariants.policies.base import (
    Policy,
    between,
    choice,
    flag,
    number,
    number_in,
    number_or,
    unless,
    when,
)


@attrs.frozen(eq=False, repr=False)
class MatchPolicy(Policy):
    """
    Who may play, who starts, and who wins the match.
    """

    section: ClassVar[str] = "match"

    players: tuple[int, int] = between((2, 8), "The fewest and the most players.")
    start: str = choice(
        "left of the dealer",
        doc="Who starts: the player on the dealer's left. Play goes clockwise.",
    )
    rotation: str = choice(
        "left",
        "left after a score",
        "to who is out",
        "the loser",
        "the winner",
        doc="Who deals the next round: the player on the dealer's left, or the same "
        "dealer after a round without points; the player who went out; or the loser "
        "or the winner of the last round, or the same dealer if there was none.",
    )
    direction: str = choice(
        "clockwise",
        "anticlockwise",
        doc="Which way the deal and the turns go round. Seats are numbered in order of "
        "play.",
    )
    sides: str = choice(
        "none",
        "partners opposite",
        "partners opposite if four",
        doc="Who plays together: nobody; players who sit opposite each other, whose "
        "points count as one score; or such players where four play, and otherwise "
        "nobody.",
    )
    has_sides = unless("sides", "none")
    target: int = number(500, "The points that end the match.", least=1)
    ends: str = choice(
        "at the target",
        "after the kings",
        "after the rounds",
        "when one is left",
        doc="When the match ends: when a player has reached the target; after the "
        "round in which kings are wild; after a set number of rounds, whatever the "
        "scores; or when all others are eliminated.",
    )
    by_wild_rounds = when("ends", "after the kings")
    by_rounds = when("ends", "after the rounds")
    until_one = when("ends", "when one is left")
    eliminated_at: str | int = number_or(
        "never", doc="The total at which a player is out of the match.", least=1
    )
    limit = number_in("eliminated_at")
    rejoin: str | int = number_or(
        "never",
        doc="The highest total of the others with which a player may come back after "
        "the round in which they were eliminated, one point above the highest.",
        least=0,
    )
    winner: str = choice(
        "highest",
        "who is out",
        "lowest",
        "only who is out",
        doc="Who wins: the player with the highest score; the player who went out in "
        "the last round, if they have reached the target; the player with the "
        "lowest score; or only a player who goes out and has reached the target.",
    )
    lowest_wins = when("winner", "lowest")
    rounds: str | int = number_or(
        "any number",
        doc="The number of rounds after which the match ends, if it has not ended "
        "before.",
    )
    most_rounds = number_in("rounds")
    last_scores: bool = flag(
        False,
        "Whether somebody has to score in the last round: after a round without points "
        "another is played.",
    )
    tie: str = choice(
        "joint",
        "play on",
        "to who is out",
        "to who won more rounds",
        doc="What happens when the best scores are equal: those players win jointly; "
        "or the match goes on; or, if one of them went out in the last round, that "
        "player wins; or the one who has won more rounds does.",
    )
    tie_by_rounds = when("tie", "to who won more rounds")
    box_bonus: int = number(
        0, "Points at the end of the match for each round that a player has won."
    )
    box_counts: str = choice(
        "at the end",
        "at once",
        doc="When the points for rounds won count: at the end of the match, apart "
        "from the totals, or at once with the points of the round.",
    )
    game_bonus: int = number(0, "Points at the end of the match for winning it.")
    shared_bonus: str = choice(
        "to each",
        "to nobody",
        doc="Who gets the points for winning the match when several win together: "
        "each of them, or nobody.",
    )
    shutout: str | int = number_or(
        0,
        "double",
        doc="What the winner gets in addition if nobody else has won a round: this "
        "many points, or all points of the match once more, bonuses included.",
        least=0,
    )
    decided_by: str = choice(
        "the totals",
        "the final totals",
        doc="Which totals decide who has won when points are added at the end of the "
        "match: those before, which are compared with the target, or those after. "
        "Points for winning the match itself go by the totals before.",
    )
    compares_final = when("decided_by", "the final totals")
    settlement: str = choice(
        "none",
        "the differences",
        doc="What is paid after the match: nothing, or each loser pays each winner "
        "the difference between their scores, bonuses included.",
    )
    columns: int = number(
        1,
        "How many columns the score is kept in, each a game of its own with a target, "
        "winners and bonuses. A round counts for a player in each open column in "
        "which they have won a round, and for the player who wins the round also in "
        "the next column. The match ends with the last column.",
        least=1,
        most=9,
    )

    def by_rules(self) -> Iterator[tuple[str, HouseRule]]:
        """
        Who is eliminated, and who may come back.
        """
        if self.limit is not None:
            yield "match.eliminated_at", cases.leaving.Elimination(self.limit)
            if isinstance(self.rejoin, int):
                yield "match.rejoin", cases.leaving.ComingBack(self.rejoin)

    @cached_property
    def box_at_once(self) -> bool:
        """
        Whether there are points for rounds won that count with those of the round.
        """
        return self.box_bonus > 0 and self.box_counts == "at once"

    @property
    def only_two(self) -> bool:
        """
        Whether the game is only for two players.
        """
        return self.players == (2, 2)

    def sides_of(self, players: int) -> tuple[tuple[int, ...], ...]:
        """
        The seats of each side, for a number of players that can form sides.
        """
        alone = self.sides == "partners opposite if four" and players != 4
        if alone or not self.has_sides:
            return tuple([(seat,) for seat in range(players)])
        half = players // 2
        return tuple((seat, seat + half) for seat in range(half))

    def makes_sides(self, players: int) -> bool:
        """
        Whether sides can be made of so many players.
        """
        if self.sides != "partners opposite":
            return True
        return players % 2 == 0 and players >= 4

    def by_side(self, points: Sequence[int]) -> tuple[int, ...]:
        """
        Points by seat, added up for each side.
        """
        sides = self.sides_of(len(points))
        return tuple([sum([points[seat] for seat in side]) for side in sides])

    def round_winner(self, points: Sequence[int]) -> int | None:
        """
        Who wins a round of these points, by seat: the side with better than any other.

        Returns:
            The first seat of that side; None if several are best, or, where the highest
            score wins, none has more than 0.
        """
        totals = self.by_side(points)
        best = self._best_of(totals)
        if totals.count(best) > 1 or (best <= 0 and not self.lowest_wins):
            return None
        return self.sides_of(len(points))[totals.index(best)][0]

    def payments(
        self, totals: Sequence[int], winners: Sequence[int]
    ) -> tuple[int, ...]:
        """
        What each side receives after the match; negative if it pays.

        Args:
            totals: By seat, the final scores.
            winners: The seats that have won.
        """
        scores = self.by_side(totals)
        paid = [0] * len(scores)
        if self.settlement == "none":
            return tuple(paid)
        won = [side[0] in winners for side in self.sides_of(len(totals))]
        sign = -1 if self.lowest_wins else 1
        for winner, loser in itertools.permutations(range(len(scores)), 2):
            if won[winner] and not won[loser]:
                ahead = max(0, sign * (scores[winner] - scores[loser]))
                paid[winner] += ahead
                paid[loser] -= ahead
        return tuple(paid)

    def next_dealer(self, dealer: int, players: int) -> int:
        """
        Who sits on a dealer's left.
        """
        return (dealer + 1) % players

    def dealer_after(
        self, dealer: int, points: Sequence[int], out: int | None = None
    ) -> int:
        """
        Who deals after a round.

        Args:
            dealer: Who dealt it.
            points: What it brought, by seat.
            out: Who went out first, if anybody did.
        """
        if self.rotation == "to who is out" and out is not None:
            return out
        if self.rotation == "left after a score" and not any(points):
            return dealer
        if self.rotation in {"left", "left after a score", "to who is out"}:
            return self.next_dealer(dealer, len(points))
        best, worst = max(points), min(points)
        wanted = best if self.rotation == "the winner" else worst
        if best == worst or list(points).count(wanted) > 1:
            return dealer
        return list(points).index(wanted)

    @cached_property
    def counts_boxes(self) -> bool:
        """
        Whether it matters how many rounds each player has won.
        """
        return bool(self.box_bonus or self.shutout or self.tie_by_rounds)

    def columns_for(
        self, boxes: Sequence[int], open_columns: Sequence[int], *, won: bool
    ) -> tuple[int, ...]:
        """
        The columns in which a round counts for a player.

        Args:
            boxes: By column, the rounds that the player has won in it so far.
            open_columns: The columns that nobody has won yet, one at least.
            won: Whether the player has won the round.

        Returns:
            The open columns entered by a win before; if the player has won the round,
            or none of them is open, the first one not entered as well.
        """
        entered = tuple(one for one in open_columns if boxes[one])
        ahead = [one for one in open_columns if not boxes[one]]
        if ahead and (won or not entered):
            return (*entered, ahead[0])
        return entered

    def best(self, totals: Sequence[int]) -> tuple[int, ...]:
        """
        The seats with the best totals, which may be the highest or the lowest.

        Partners share them, by the totals of their sides.
        """
        scores = self.by_side(totals)
        first = self._best_of(scores)
        sides = zip(self.sides_of(len(totals)), scores, strict=True)
        return tuple(
            sorted(seat for side, one in sides if one == first for seat in side)
        )

    def _best_of(self, scores: Sequence[int]) -> int:
        return min(scores) if self.lowest_wins else max(scores)

    def decided(
        self, winners: tuple[int, ...], totals: Sequence[int]
    ) -> tuple[int, ...]:
        """
        Who has won after the points at the end of the match are added.

        Args:
            winners: Who has won by the totals without them.
            totals: By seat, the totals with them.

        Returns:
            The seats; none if the match goes on because of equal totals.
        """
        if not winners or not self.compares_final:
            return winners
        best = self.best(totals)
        if self.tie == "play on" and len(best) > len(self.sides_of(len(totals))[0]):
            return ()
        return best

    def bonuses(
        self, scores: Sequence[int], boxes: Sequence[int], winners: Sequence[int]
    ) -> Iterator[tuple[int, int, str, str]]:
        """
        What is added at the end of the match.

        Args:
            scores: The totals by seat.
            boxes: By seat, the rounds won, as far as they count.
            winners: Who has won.

        Yields:
            A seat, points, the reason, and the policy value that gives them; the points
            of a side are with the first of its seats.
        """
        gained = [0] * len(scores)
        sides = self.sides_of(len(scores))
        winners = [side[0] for side in sides if side[0] in winners]
        if self.counts_boxes:
            boxes = self._with_first(boxes)
        if self.game_bonus and (len(winners) == 1 or self.shared_bonus == "to each"):
            for seat in winners:
                gained[seat] += self.game_bonus
                yield seat, self.game_bonus, "for the game", "match.game_bonus"
        if self.box_bonus and self.box_counts == "at the end":
            for seat, won in enumerate(boxes):
                if won:
                    points = won * self.box_bonus
                    gained[seat] += points
                    reason = f"for {won} box{'' if won == 1 else 'es'}"
                    yield seat, points, reason, "match.box_bonus"
        if not self.shutout or len(winners) != 1:
            return
        (seat,) = winners
        if boxes[seat] and not any(boxes[:seat]) and not any(boxes[seat + 1 :]):
            more = self.shutout
            total = self._with_first(scores)[seat] + gained[seat]
            points = more if isinstance(more, int) else total
            yield seat, points, "for a shutout", "match.shutout"

    def _with_first(self, points: Sequence[int]) -> tuple[int, ...]:
        """
        Points by seat, those of each side put with the first of its seats.
        """
        put = [0] * len(points)
        sides = self.sides_of(len(points))
        for side, total in zip(sides, self.by_side(points), strict=True):
            put[side[0]] = total
        return tuple(put)

    def winners(
        self,
        scores: Sequence[int],
        out: int | None,
        *,
        last_round: bool,
        boxes: Sequence[int] = (),
    ) -> tuple[int, ...]:
        """
        Who has won the match by these totals; empty while it goes on.

        Partners win together, by the totals of their sides.

        Args:
            scores: The totals by seat after a round.
            out: Who went out first in that round, if anybody did.
            last_round: Whether the last round of a series has been played.
            boxes: By seat, the rounds won, where they break ties.
        """
        sides = self.sides_of(len(scores))
        side_out = next((at for at, side in enumerate(sides) if out in side), None)
        ahead = self._ahead(self.by_side(scores), side_out, last_round=last_round)
        if self.tie_by_rounds and boxes:
            won = self.by_side(boxes)
            most = max([won[at] for at in ahead], default=0)
            ahead = tuple([at for at in ahead if won[at] == most])
        return tuple(sorted(seat for at in ahead for seat in sides[at]))

    def _ahead(
        self, scores: Sequence[int], out: int | None, *, last_round: bool
    ) -> tuple[int, ...]:
        """
        Which of some totals win the match; arguments are those of `winners`.
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
        if self.lowest_wins:
            # A player who reaches the target ends the match and does not win it.
            reached = list(seats)
        best = self._best_of([scores[seat] for seat in reached])
        first = tuple(seat for seat in reached if scores[seat] == best)
        if len(first) > 1 and self.tie == "play on":
            return ()
        if self.tie == "to who is out" and out in first:
            return (out,)
        return first
