"""How a player goes out, and what happens then."""

from __future__ import annotations

from typing import ClassVar

import attrs

from rummyvariants.policies.base import Policy, choice, flag


@attrs.frozen
class OutPolicy(Policy):
    """
    How a player goes out, and what happens then.
    """

    room: ClassVar[str] = "out"

    empty_hand: str = choice(
        "out",
        "float",
        "refused",
        doc="What melding the last card does: the player is out, floats without "
        "cards, or may not do it.",
    )
    last_discard: str = choice(
        "any card",
        "unplayable",
        doc="Whether the discard that goes out must fit no meld on the table.",
    )
    floating: str = choice(
        "draws from the stock",
        "draws like any other",
        doc="A floating player draws from the stock; a playable card must be played, "
        "an unplayable one is discarded and the player is out. Or a floating player "
        "draws, plays and discards like any other.",
    )
    grace: bool = flag(
        False,
        "Whether, when a player goes out on the first turn, all who have not yet "
        "played take a turn before the round ends.",
    )
    floaters_draw: bool = flag(
        False, "Whether floating players draw a card each when another goes out."
    )

    @property
    def floats_on_stock(self) -> bool:
        """
        Whether a floating player draws from the stock and nowhere else.
        """
        return self.floating == "draws from the stock"
