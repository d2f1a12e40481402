"""What may be discarded."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import attrs

from rummyvariants.cards import CARDS, FIELD, Card
from rummyvariants.policies.base import Policy, cards, choice, unless, when
from rummyvariants.rulings import Objection


@attrs.frozen(eq=False, repr=False)
class DiscardPolicy(Policy):
    """
    What may be discarded.
    """

    section: ClassVar[str] = "discard"

    ends_turn: str = choice(
        "one card", doc="What ends a turn: one discard, if the player has a card left."
    )
    throw_back: str = choice(
        "allowed",
        "refused",
        "only a twin",
        doc="Whether a player who took only the top discard may discard the same card "
        "again: always, never, or if the hand holds a second one.",
    )
    keeps_taken = unless("throw_back", "allowed")
    throws_twin = when("throw_back", "only a twin")
    keep: tuple[str, ...] = cards(
        "Cards that may be discarded only as a player's last card."
    )

    face_up_wild: str = choice(
        "stays",
        doc="Where the dealer's wild stays: on the table. It is not part of the hand "
        "and cannot be discarded.",
    )

    @cached_property
    def keep_mask(self) -> int:
        """
        Mask of the cards that may be discarded only as a last card.
        """
        return sum([FIELD[code] for code in {Card(name).code for name in self.keep}])

    @property
    def sure_mask(self) -> int:
        """
        Mask of the cards that the values surely let be discarded.
        """
        return ~self.keep_mask

    def refuse(
        self, code: int, *, taken: bytes, left: int, copies: int = 1
    ) -> Objection | None:
        """
        Why a card may not be discarded.

        A player who drew from the stock and can neither discard nor go on may discard
        any card. After discards were taken or cards laid down this cannot happen, since
        a play that would lead there is refused.

        Args:
            code: The card.
            taken: The codes of the cards taken from the discard pile this turn.
            left: How many cards are in the hand.
            copies: How many of them are such cards.
        """
        if self.throws_twin and copies > 1:
            taken = b""
        if not kept(self, taken=taken, left=left) & FIELD[code]:
            return None
        if self.keeps_taken and taken == bytes([code]):
            return Objection(
                "discard.throw_back",
                f"{CARDS[code]} was just taken and may not be thrown back",
            )
        return Objection(
            "discard.keep", f"{CARDS[code]} may be discarded only as a last card"
        )


def kept(policy: DiscardPolicy, *, taken: bytes, left: int) -> int:
    """
    Mask of the cards that the values of a policy do not allow to be discarded.

    Args:
        policy: The policy.
        taken: The codes of the cards taken from the discard pile this turn.
        left: How many cards are in the hand.
    """
    mask = 0
    if policy.keeps_taken and len(taken) == 1:
        mask = FIELD[taken[0]]
    if left > 1:
        mask |= policy.keep_mask
    return mask
