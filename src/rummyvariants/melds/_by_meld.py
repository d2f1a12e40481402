"""
The tree of the partitions of a hand, in which its melds are chosen one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import final

from rummyvariants.melds._choices import Choice, for_part
from rummyvariants.melds._partitions import (
    LOOKS,
    CardUse,
    Undivided,
    divisions,
    uses,
)
from rummyvariants.melds._tree import Fork, Lazily, Node
from rummyvariants.melds.cover._divisions import Melds


@final
class ByMeld(Fork):
    """
    Which meld the lowest card of a hand is in, or that it is left over.

    Args:
        cards: The cards that are still to be divided.
        end: What makes a leaf of melds.
        whole: Whether no card may be left over.
        made: The melds chosen before.
    """

    __slots__ = ("_end", "_made", "_whole")

    _wide = True

    def __init__(
        self,
        cards: Undivided,
        end: Callable[[Melds], Node],
        *,
        whole: bool,
        made: Melds = (),
    ) -> None:
        self._options = Lazily(partial(_useful, cards, whole=whole))
        self._end = end
        self._whole = whole
        self._made = made

    def go(self, use: CardUse) -> Node:
        meld, _, after = use
        made = (*self._made, meld) if meld else self._made
        if not after.bits:
            return self._end(made)
        return ByMeld(after, self._end, whole=self._whole, made=made)

    def name(self, use: CardUse) -> Choice:
        return for_part(use[0])


def _useful(cards: Undivided, *, whole: bool) -> Iterator[CardUse]:
    """
    The uses of a card with which the others can be divided, as far as is looked at.
    """
    for use in uses(cards):
        if whole and use[1]:
            continue
        others = divisions(use[2], [LOOKS])
        if any(not (whole and left) for _, left in others):
            yield use
