"""
First melds: contracts, minimums, and what follows them.
"""

from __future__ import annotations

import attrs

from rummyvariants.house.answers import Opening
from rummyvariants.house.facts import Turn
from rummyvariants.policies.base import from_table
from rummyvariants.policies.cases._bases import Opens, Stated


@attrs.frozen(eq=False, repr=False)
class Contract(Opens):
    """
    The round says which melds a player lays first.

    Attributes:
        contracts: By round, the groups of the contract; the last one holds for further
            rounds.
        exact: Whether a meld may have no more cards than its group.
        whole: Whether the last contract takes the whole hand, so that its melds may be
            longer.
    """

    name = "contracts"
    reads = frozenset({"round_number"})

    contracts: tuple[tuple[str, ...], ...]
    exact: bool
    whole: bool

    def opening(self, turn: Turn) -> Opening:
        """
        The contract of the round, with no further meld.
        """
        last = turn.round_number >= len(self.contracts)
        groups = self.contracts[-1 if last else turn.round_number - 1]
        return Opening(
            groups, only=True, exact=self.exact and not (last and self.whole)
        )


@attrs.frozen(eq=False, repr=False)
class Minimum(Opens):
    """
    The first melds of a side are worth so many points, by its total.

    Attributes:
        points: The points, from a total on.
        waived: Whether a whole hand needs no points, with a canasta if there are such.
    """

    name = "minimum"
    reads = frozenset({"canasta_size", "scores", "side"})

    points: tuple[tuple[int, int], ...]
    waived: bool

    def opening(self, turn: Turn) -> Opening:
        """
        Melds of so many points together.
        """
        total = sum([turn.scores[seat] for seat in turn.side])
        points = from_table(self.points, total)
        waived_at = self.waived and max(1, turn.canasta_size)
        return Opening(points=points, waived_at=waived_at)


@attrs.frozen(eq=False, repr=False)
class WholeHand(Opens):
    """
    From a round on, the first melds take the whole hand.

    Attributes:
        since: The round.
        left: How many cards may be left.
    """

    name = "last contract"
    reads = frozenset({"round_number"})

    since: int
    left: int

    def opening(self, turn: Turn) -> Opening | None:
        """
        No card, or one for the discard, may be left.
        """
        late = turn.round_number >= self.since
        return Opening(leaves=self.left) if late else None


@attrs.frozen(eq=False, repr=False)
class RunsApart(Opens):
    """
    Runs of one suit among the first melds are not contiguous.
    """

    name = "runs apart"
    reads = frozenset[str]()

    def opening(self, turn: Turn) -> Opening:
        """
        Any melds whose runs could not be one run.
        """
        del turn
        return Opening(apart=True)


@attrs.frozen(eq=False, repr=False)
class OnlyFirst(Stated):
    """
    A player who has melded makes no further melds.
    """

    section = "meld"
    name = "only the first"
    reads = frozenset({"has_melded"})
    statement = "a player who has melded makes no further melds"

    def most_melds(self, turn: Turn) -> int | None:
        """
        None once the player has a meld.
        """
        return 0 if turn.has_melded else None
