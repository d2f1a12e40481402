"""
What using a card is worth, whatever the goal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import attrs

from rummyvariants.cards import JOKER, total


FIRST: Final = 1 << 24
"""The weight of what a goal counts, against what decides between equals."""


@attrs.frozen
class Prices:
    """
    What using a card is worth for a goal.

    Attributes:
        cards: By code, the value of a card.
        low_aces: By row, the value of an ace that is low in a run.
        canasta: How many cards make a set a canasta, and what that is worth besides
            them if it is natural, if it is not, and if it is of wilds alone.
    """

    cards: tuple[int, ...]
    low_aces: tuple[int, ...]
    canasta: tuple[int, int, int, int] = (0, 0, 0, 0)
    _most: tuple[int, ...] = attrs.field(init=False, repr=False, eq=False)

    def of_set(self, naturals: int, wilds: int) -> int:
        """
        What a set of so many cards is worth besides them.
        """
        size, natural, mixed, alone = self.canasta
        if not size or naturals + wilds < size:
            return 0
        if not naturals:
            return alone
        return mixed if wilds else natural

    def of(self, bits: int) -> int:
        """
        The most that using some cards can be worth.
        """
        return total(self._most, bits)

    def raised(self, codes: Iterable[int], by: int) -> Prices:
        """
        The same prices where the use of some cards is worth more.

        Args:
            codes: The codes of the cards.
            by: By how much.
        """
        cards, low = [*self.cards], [*self.low_aces]
        for code in codes:
            cards[code] += by
            if code & 15 == 1 and code != JOKER:
                low[code >> 4] += by
        return attrs.evolve(self, cards=tuple(cards), low_aces=tuple(low))

    @_most.default
    def _at_most(self) -> tuple[int, ...]:
        most = [max(price, 0) for price in self.cards]
        for suit, low in enumerate(self.low_aces):
            most[16 * suit + 1] = max(most[16 * suit + 1], low)
        return tuple(most)


def of_points(worth: tuple[int, ...]) -> Prices:
    """
    Prices that count the points not left in the hand, and then the cards.

    Args:
        worth: By code, the points of a card.
    """
    cards = tuple([points * FIRST + 1 for points in worth])
    return Prices(cards, cards[1::16])
