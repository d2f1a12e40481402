"""What happens when the stock is empty, or nothing moves."""

from __future__ import annotations

from typing import ClassVar

import attrs

from rummyvariants.policies.base import Policy, choice, number


@attrs.frozen
class StockPolicy(Policy):
    """
    What happens when the stock is empty, or nothing moves.
    """

    room: ClassVar[str] = "stock"

    when_empty: str = choice(
        "until nobody takes",
        "after the turn",
        "a knock with the last discard",
        doc="When an empty stock ends the round: when the player to draw cannot or "
        "will not take a discard, after the turn in which the last card was drawn, or "
        "after that unless the next player takes the last discard to knock with it.",
    )
    idle_rounds: int = number(
        3,
        "After how many rounds of turns in a row without a card from the stock or on "
        "the table the round ends.",
        least=1,
    )
    dead: int = number(
        0,
        "How many cards of the stock are never drawn: with so many left it counts as "
        "empty.",
    )
