"""
What the use of a card is worth, whatever the goal is.
"""

from __future__ import annotations

from typing import Final

import attrs


FIRST: Final = 1 << 24
"""What a goal counts is worth this much of what decides between equals."""


@attrs.frozen
class Prices:
    """
    What the use of a card is worth for a goal.

    Attributes:
        cards: By code, the value of a card.
        low_aces: By suit, the value of an ace that is low in a run.
    """

    cards: tuple[int, ...]
    low_aces: tuple[int, ...]
