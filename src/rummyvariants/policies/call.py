"""Who may call rummy, on what, and what a caller does."""

from __future__ import annotations

from typing import ClassVar

import attrs

from rummyvariants.policies.base import Policy, choice, flag


@attrs.frozen
class CallPolicy(Policy):
    """
    Who may call rummy, on what, and what a caller does.
    """

    section: ClassVar[str] = "call"

    calls: str = choice(
        "none",
        "discard",
        "pile",
        doc="Which cards can be called: none, the discard just made, or any of the "
        "discard pile.",
    )
    melds: bool = flag(
        False, "Whether a call may make a new meld, or only extend one on the table."
    )
    takes: str = choice(
        "those cards",
        "down to the deepest",
        doc="What a caller takes: the cards called, or all cards above the deepest of "
        "them as well.",
    )
    with_hand: bool = flag(
        False, "Whether cards of the caller's hand may help to make the meld."
    )
    needs_own_meld: bool = flag(
        False, "Whether a caller needs a meld of her own before."
    )
    then_discard: bool = flag(
        False, "Whether a caller discards a card, if possible, after the call."
    )

    next: str = choice(
        "as it was",
        "left of the caller",
        "the caller",
        doc="Who plays after a call: the player who was to be next; or the one on the "
        "caller's left; or the caller, for whom the call stands in the place of a "
        "draw, and who melds, lays off and discards before the one on the left plays.",
    )

    penalty: str = choice(
        "none",
        "two cards",
        "the whole pile",
        doc="What the player whose discard came before the call has to take: nothing; "
        "two cards from the stock, or as many as it has left; or the discard pile as "
        "the call leaves it.",
    )

    @property
    def owes_discard(self) -> bool:
        """
        Whether a caller discards and does nothing else after the call.
        """
        return self.then_discard and self.next != "the caller"

    @property
    def is_secret(self) -> bool:
        """
        Whether having a call depends on cards that the others do not see.
        """
        return self.with_hand and (self.melds or self.takes != "those cards")
