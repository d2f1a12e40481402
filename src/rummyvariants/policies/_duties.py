"""
What must be done with a card that was drawn.
"""

from __future__ import annotations

import functools

from collections.abc import Mapping
from typing import Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants.cards import CARDS, FIELD, UNIT, common, size
from rummyvariants.melds._tables import Terms


@attrs.frozen(eq=False, repr=False)
class Duty(Value):
    """
    What must be done with a card that was drawn.

    Attributes:
        code: The code of the card.
        how: ``natural set at once``, ``two naturals from hand``, ``new meld``, ``play``
            or ``play or discard``; the last four may also end in ``at once``.
        path: The policy value that requires it.
        at_once: Whether nothing else may be done first.
        use: What has to be done with the card: `how` without ``at once``.
        is_binding: Whether the card has to be played, because no discard meets the
            duty.
        any_play: Whether any play of the card meets it, and at any time in the turn.
        needs_meld: Whether only a new meld meets it.
        is_natural_set: Whether only a natural set meets it.
        joins_naturals: Whether any new meld with two natural cards from the hand meets
            it.
    """

    code: int
    how: str
    path: str
    at_once: bool = attrs.field(init=False, repr=False, eq=False)
    use: str = attrs.field(init=False, repr=False, eq=False)
    is_binding: bool = attrs.field(init=False, repr=False, eq=False)
    any_play: bool = attrs.field(init=False, repr=False, eq=False)
    needs_meld: bool = attrs.field(init=False, repr=False, eq=False)
    is_natural_set: bool = attrs.field(init=False, repr=False, eq=False)
    joins_naturals: bool = attrs.field(init=False, repr=False, eq=False)

    @at_once.default
    def _at_once(self) -> bool:
        return self.how.endswith(" at once")

    @use.default
    def _use(self) -> str:
        return self.how.removesuffix(" at once")

    @is_binding.default
    def _is_binding(self) -> bool:
        return self.use != "play or discard"

    @any_play.default
    def _any_play(self) -> bool:
        return self.how == "play"

    @needs_meld.default
    def _needs_meld(self) -> bool:
        return self.use not in {"play", "play or discard"}

    @is_natural_set.default
    def _is_natural_set(self) -> bool:
        return self.use == "natural set"

    @joins_naturals.default
    def _joins_naturals(self) -> bool:
        return self.use == "two naturals from hand"

    def __repr__(self) -> str:
        return f"<Duty of {CARDS[self.code]}: {self.how}>"

    def met_by(
        self, terms: Terms, used: int, held: int, *, meld: bool, natural: bool
    ) -> bool:
        """
        Whether a play meets this duty.

        Args:
            terms: The terms of the deal.
            used: The cards that leave the hand, as a multiset.
            held: The hand before the draw, as a multiset.
            meld: Whether the play is a new meld.
            natural: Whether the meld is a set without wilds.
        """
        if not used & FIELD[self.code]:
            return False
        if not self.needs_meld:
            return True
        if self.use == "new meld":
            return meld
        if self.is_natural_set:
            used &= terms.rank_masks[CARDS[self.code].rank]
            return meld and natural and self.joins(terms, used, held)
        return meld and self.joins(terms, used, held)

    def joins(self, terms: Terms, used: int, held: int) -> bool:
        """
        Whether two naturals held before are among some cards, besides the one owed.

        Args:
            terms: The terms of the deal.
            used: The cards, as a multiset.
            held: The hand before the draw, as a multiset.
        """
        if used & FIELD[self.code]:
            used -= UNIT[self.code]
        return size(common(used & terms.natural_mask, held)) >= 2

    def __str__(self) -> str:
        return HOWS[self.how]


HOWS: Final[Mapping[str, str]] = {
    "natural set at once": "has to go down at once in a natural set with two "
    "cards of its rank from the hand",
    "two naturals from hand": "has to be melded this turn with two natural "
    "cards from the hand",
    "new meld": "has to go into a new meld this turn",
    "play": "has to be melded or laid off this turn",
    "two naturals from hand at once": "has to go down at once in a new meld "
    "with two natural cards from the hand",
    "new meld at once": "has to go down at once in a new meld",
    "play at once": "has to be melded or laid off at once",
    "play or discard": "has to be melded, laid off or discarded this turn",
    "play or discard at once": "has to be melded or laid off at once, or discarded",
}
"""What may have to be done with a card, by `Duty.how`, as a sentence says it."""


@functools.cache
def duty(code: int, how: str, path: str) -> Duty:
    """
    The duty of a card; always the same object for the same arguments.
    """
    return Duty(code, how, path)


def swapped(code: int) -> Duty:
    """
    The duty of a wild that was traded for and has to be used.
    """
    return duty(code, "play", "wild.swapped")
