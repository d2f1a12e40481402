"""
Cards that no hand keeps.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rummyvariants.cards import Card
from rummyvariants.house.answers import Points
from rummyvariants.house.facts import ASIDE, DealFacts, RoundFacts
from rummyvariants.house.rules import HouseRule


@attrs.frozen(eq=False, repr=False)
class LaidAside(HouseRule):
    """
    Some cards are laid out face up and replaced.

    Attributes:
        cards: The cards.
    """

    section = "deal"
    name = ASIDE

    cards: tuple[str, ...]

    def lays_aside(self, deal: DealFacts) -> list[Card]:
        """
        These cards.
        """
        del deal
        return [Card(one) for one in self.cards]


@attrs.frozen(eq=False, repr=False)
class CardsAside(HouseRule):
    """
    Cards laid aside count for a side that has melded, and against one that has not.

    Attributes:
        points: What each counts.
        together: What all of the deck count together; 0 for the same as one by one.
    """

    section = "score"
    name = "cards laid aside"

    points: int
    together: int

    def score(self, end: RoundFacts) -> Iterator[Points]:
        """
        The points of the cards that each seat has laid out.
        """
        lying = {seat: cards for name, seat, cards in end.zones if name == ASIDE}
        whole = sum([end.copies(card) for card in end.laid_aside])
        for seat, cards in lying.items():
            side = end.side_of(seat)
            points = len(cards) * self.points
            laid = sum([len(lying.get(one, ())) for one in side])
            if self.together and laid == whole:
                # The shares of partners make up the whole, whatever it divides into.
                before = sum([len(lying.get(one, ())) for one in side if one < seat])
                points = self.together * (before + len(cards)) // whole
                points -= self.together * before // whole
            melded = any(meld.maker in side for meld in end.table)
            named = " ".join(map(str, cards))
            yield Points(seat, points if melded else -points, f"{named} laid out")
