"""What happens when the stock is empty, or when play makes no progress."""

from __future__ import annotations

from typing import ClassVar

import attrs

from rummyvariants.policies.base import Policy, choice, flag, number, number_or, when
from rummyvariants.rulings import Objection


@attrs.frozen(eq=False, repr=False)
class StockPolicy(Policy):
    """
    What happens when the stock is empty, or when play makes no progress.
    """

    section: ClassVar[str] = "stock"

    when_empty: str = choice(
        "until nobody takes",
        "after the turn",
        "turn over",
        "a knock with the last discard",
        doc="What happens when the stock is empty: the round ends when the player to "
        "draw cannot or will not take a discard; or it ends after the turn in "
        "which the last card was drawn; or the player to draw turns the discard "
        "pile over as the new stock; or the round ends after that turn unless the "
        "next player takes the last discard to knock with it.",
    )
    ends_at_once = when("when_empty", "after the turn")
    turns_over = when("when_empty", "turn over")
    last_is_to_knock = when("when_empty", "a knock with the last discard")
    turned: str = choice(
        "as it lies",
        "shuffled",
        doc="The order of the new stock when the discard pile is turned over: the "
        "oldest discard on top, or shuffled.",
    )
    shuffles = when("turned", "shuffled")
    turned_top: str = choice(
        "goes along",
        "stays",
        doc="Whether the top discard is turned over with the others or stays as the "
        "discard pile.",
    )
    times: str | int = number_or(
        "any number", doc="How often in a round the discard pile may be turned over."
    )
    without_progress: bool = flag(
        False,
        "Whether the discard pile may be turned over again although no card has "
        "reached the table since; then it must be said how often in a round.",
    )
    idle_rounds: int = number(
        3,
        "The round ends after this many rounds of turns in a row in which no card is "
        "drawn from the stock or laid on the table.",
        least=1,
    )
    idle_counts: bool = flag(
        True,
        "Whether a round that ends so counts, as it does with an empty stock; or else "
        "nobody scores or pays.",
    )
    dead: int = number(
        0,
        "How many cards of the stock are never drawn: when only these are left, it "
        "counts as empty.",
    )

    last_laid_aside: bool = flag(
        False,
        "Whether the round ends at once when the last card of the stock is drawn and "
        "laid aside.",
    )
    forced_take: bool = flag(
        False,
        "Whether, with the stock empty, the player to draw must take the discard pile "
        "if its top card may be laid on a meld.",
    )

    def to_turn(self, pile: int) -> int:
        """
        How many cards of a discard pile would be turned over.
        """
        return max(0, pile - (self.turned_top == "stays"))

    def refuse_turning(self, pile: int, times: int, *, fresh: bool) -> Objection | None:
        """
        Why the discard pile may not be turned over as the new stock.

        It is not asked if `when_empty` ends the round after the turn.

        Args:
            pile: How many cards it holds.
            times: How often it has been turned over in the round.
            fresh: Whether a card has reached the table since it was last turned over.
        """
        if not self.turns_over:
            return Objection("stock.when_empty", "the stock is empty", ("RV-07",))
        if not self.to_turn(pile):
            return Objection(
                "stock.turned_top",
                "there is no discard to turn over",
                ("stock.when_empty", "RV-07"),
            )
        if isinstance(self.times, int) and times >= self.times:
            number = "once" if self.times == 1 else f"{self.times} times"
            return Objection(
                "stock.times",
                f"the discard pile is turned over {number} at most",
                ("stock.when_empty",),
            )
        if not (fresh or self.without_progress):
            return Objection(
                "RV-08",
                "no card has reached the table since the discard pile was last turned "
                "over",
                ("stock.when_empty",),
            )
        return None
