"""
What happened, and who may see it.

An event that holds a secret names the seats that may see it. `Event.seen_by` gives the
event as a seat, or a spectator, may see it.
"""

from __future__ import annotations

from typing import Self

import attrs

from rummyvariants.cards import Card
from rummyvariants.game._round import Location


@attrs.frozen
class Event:
    """
    Base of all events.
    """

    def seen_by(self, seat: int | None) -> Self:
        """
        The event as a seat may see it; None for a spectator.
        """
        del seat
        return self


@attrs.frozen
class DealStarted(Event):
    """
    A round begins.
    """

    round_number: int
    dealer: int


@attrs.frozen
class UpcardShown(Event):
    """
    A card dealt face up to a seat; the seat keeps it unless the next event buries it.
    """

    seat: int
    card: Card


@attrs.frozen
class CardBuried(Event):
    """
    A card that everybody has seen went back into the deck.
    """

    card: Card


@attrs.frozen
class HandDealt(Event):
    """
    The face-down cards of a seat; ``cards`` is None for all others.
    """

    seat: int
    size: int
    cards: tuple[Card, ...] | None

    def seen_by(self, seat: int | None) -> Self:
        """
        The cards are the seat's own secret.
        """
        return self if seat == self.seat else attrs.evolve(self, cards=None)


@attrs.frozen
class HandSizeAsked(Event):
    """
    A seat has to choose the size of its hand.
    """

    seat: int


@attrs.frozen
class HandSizeChosen(Event):
    """
    A seat chose the size of its hand.
    """

    seat: int
    size: int


@attrs.frozen
class WildNamed(Event):
    """
    The wild rank of the deal, and the card that names it, if there is one.
    """

    rank: str
    card: Card | None


@attrs.frozen
class FirstDiscard(Event):
    """
    The card turned up to start the discard pile.
    """

    card: Card


@attrs.frozen
class DealThrownIn(Event):
    """
    The deck had too few cards; they are dealt again.
    """


@attrs.frozen
class TurnStarted(Event):
    """
    A seat's turn begins.
    """

    seat: int


@attrs.frozen
class Drew(Event):
    """
    A card drawn from the stock; ``card`` is None for all others.
    """

    seat: int
    card: Card | None

    def seen_by(self, seat: int | None) -> Self:
        """
        The card is the seat's own secret.
        """
        return self if seat == self.seat else attrs.evolve(self, card=None)


@attrs.frozen
class TurnedOver(Event):
    """
    The discard pile turned over as the new stock.

    Attributes:
        seat: The seat that turned it over, to draw.
        size: How many cards were turned over; they are hidden now.
        shuffled: Whether they were shuffled.
    """

    seat: int
    size: int
    shuffled: bool


@attrs.frozen
class Took(Event):
    """
    Cards taken from the discard pile, the deepest first.
    """

    seat: int
    cards: tuple[Card, ...]


@attrs.frozen
class Laid(Event):
    """
    Cards laid on the table: a new meld, a lay-off, a card beside or for a wild.

    Attributes:
        seat: Who laid them.
        cards: The cards as they were named; the meld shows what a wild stands for.
        meld: The number of the meld.
        how: ``meld``, ``lay-off``, ``put``, ``swap``, ``split`` or ``call``.
        gained: The wild that the player got by a swap.
    """

    seat: int
    cards: tuple[str, ...]
    meld: int
    how: str
    gained: Card | None = None


@attrs.frozen
class Moved(Event):
    """
    Cards that went from one location to another in a way that has no other event.

    Attributes:
        source: Where they lay.
        target: Where they lie now.
        size: How many they are.
        cards: The cards; None for a seat that did not see them.
        shown_to: The seats that saw them; None for everybody.
    """

    source: Location
    target: Location
    size: int
    cards: tuple[Card, ...] | None
    shown_to: tuple[int, ...] | None

    def seen_by(self, seat: int | None) -> Self:
        """
        The cards are known to those who saw them.
        """
        saw = self.shown_to is None or seat in self.shown_to
        return self if saw else attrs.evolve(self, cards=None)


@attrs.frozen
class Shown(Event):
    """
    Cards shown where they lie.

    Attributes:
        location: Where they lie.
        size: How many they are.
        cards: The cards; None for a seat that did not see them.
        shown_to: The seats that saw them; None for everybody.
    """

    location: Location
    size: int
    cards: tuple[Card, ...] | None
    shown_to: tuple[int, ...] | None

    def seen_by(self, seat: int | None) -> Self:
        """
        The cards are known to those who saw them.
        """
        saw = self.shown_to is None or seat in self.shown_to
        return self if saw else attrs.evolve(self, cards=None)


@attrs.frozen
class Discarded(Event):
    """
    A card discarded.
    """

    seat: int
    card: Card


@attrs.frozen
class CallsOpened(Event):
    """
    The seats that may call rummy.
    """

    seats: tuple[int, ...]


@attrs.frozen
class Called(Event):
    """
    Rummy was called, with the cards that left the discard pile.
    """

    seat: int
    cards: tuple[Card, ...]


@attrs.frozen
class Passed(Event):
    """
    A seat passed.
    """

    seat: int


@attrs.frozen
class Asked(Event):
    """
    A seat asked another whether to go out.

    Attributes:
        seat: Who asked.
        asked: Who has to answer.
    """

    seat: int
    asked: int


@attrs.frozen
class Answered(Event):
    """
    A seat answered such a question.

    Attributes:
        seat: Who answered.
        agrees: Whether the answer is yes, so that the player who asked has to go out.
    """

    seat: int
    agrees: bool


@attrs.frozen
class Floated(Event):
    """
    A seat floats: it plays on without cards.
    """

    seat: int


@attrs.frozen
class Dropped(Event):
    """
    A seat left the round.

    Attributes:
        seat: Who left it.
        points: What that costs.
    """

    seat: int
    points: int


@attrs.frozen
class Rejoined(Event):
    """
    A seat came back into the match.

    Attributes:
        seat: Who came back.
        total: The total with which they go on.
    """

    seat: int
    total: int


@attrs.frozen
class WentOut(Event):
    """
    A seat went out.
    """

    seat: int


@attrs.frozen
class Knocked(Event):
    """
    A seat knocked; its discard and its melds are in the events before.

    Attributes:
        seat: Who knocked.
        how: ``knock``, ``gin`` or ``big gin``.
        left: The unmatched cards, which everybody sees now.
    """

    seat: int
    how: str
    left: tuple[Card, ...]


@attrs.frozen
class RoundEnded(Event):
    """
    The round is over.

    Attributes:
        how: ``out``, ``dealt hand``, ``stock``, ``idle``, ``drop``, ``knock``, ``gin``
            or ``big gin``.
        points: The points of the round by seat.
        scores: The totals of the match by seat.
    """

    how: str
    points: tuple[int, ...]
    scores: tuple[int, ...]


@attrs.frozen
class MatchEnded(Event):
    """
    The match is over.
    """

    winners: tuple[int, ...]
