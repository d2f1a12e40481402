"""
What a player, or chance, does: small values without secrets.

Every action has a seat; it may be None if only one seat may act.
"""

from __future__ import annotations

import functools

from collections.abc import Sequence
from typing import Literal

import attrs

from rummyvariants._support.values import Value
from rummyvariants.cards import CARDS, Card
from rummyvariants.melds._meld import Played


End = Literal["low", "high"]


@attrs.frozen(eq=False, repr=False)
class Draw(Value):
    """
    Draw the top of the stock.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "draw"


@functools.cache
def draw(seat: int) -> Draw:
    """
    The draw of a seat; always the same object for the same seat.
    """
    return Draw(seat)


@attrs.frozen(eq=False, repr=False)
class Take(Value):
    """
    Take cards from the discard pile.

    Attributes:
        count: How many, from the top.
    """

    count: int = 1
    seat: int | None = None

    def __str__(self) -> str:
        return f"take {self.count}"


@attrs.frozen(eq=False, repr=False)
class LayDown(Value):
    """
    Put a new meld down.

    Attributes:
        cards: The cards in the order written.
    """

    cards: tuple[Played, ...]
    seat: int | None = None

    def __str__(self) -> str:
        return f"meld {_words(self.cards)}"


@attrs.frozen(eq=False, repr=False)
class GoDown(Value):
    """
    Put down several new melds, which are judged as a whole.

    Attributes:
        melds: Two melds or more, each with its cards in the order written.
    """

    melds: tuple[tuple[Played, ...], ...]
    seat: int | None = None

    def __str__(self) -> str:
        return f"meld {_several(self.melds)}"


@attrs.frozen(eq=False, repr=False)
class TakeWith(Value):
    """
    Take cards from the discard pile and meld the top one at once.

    Attributes:
        count: How many, from the top; None for the whole pile.
        melds: The new melds, each with its cards in the order written; the top card
            belongs to the first one and is not named.
    """

    count: int | None
    melds: tuple[tuple[Played, ...], ...]
    seat: int | None = None

    def __str__(self) -> str:
        count = "all" if self.count is None else self.count
        return f"take {count} with {_several(self.melds)}"


@attrs.frozen(eq=False, repr=False)
class TakeOn(Value):
    """
    Take cards from the discard pile and lay the top one off at once.

    Attributes:
        count: How many, from the top; None for the whole pile.
        meld: The number of the meld that the top card is laid on.
    """

    count: int | None
    meld: int
    seat: int | None = None

    def __str__(self) -> str:
        count = "all" if self.count is None else self.count
        return f"take {count} on {self.meld}"


@attrs.frozen(eq=False, repr=False)
class LayOff(Value):
    """
    Lay cards off on a meld of the table, or beside wilds of it.

    Attributes:
        cards: The cards in the order written.
        meld: The number of the meld: from 1, 0 for the dealer's wild.
        end: The end of a run that an ace goes to, if it fits both.
    """

    cards: tuple[Played, ...]
    meld: int
    end: End | None = None
    seat: int | None = None

    def __str__(self) -> str:
        return f"lay {_onto(self.cards, self.end, self.meld)}"


@attrs.frozen(eq=False, repr=False)
class PutDown(Value):
    """
    Put a single wild card down to be built on.
    """

    card: Card
    seat: int | None = None

    def __str__(self) -> str:
        return f"put {self.card}"


@attrs.frozen(eq=False, repr=False)
class Swap(Value):
    """
    Trade a real card for the wild of a meld that stands for it.

    Attributes:
        card: The real card.
        meld: The number of the meld: from 1, 0 for the dealer's wild.
        seat: Who trades.
        end: The end of the run that the wild moves to, if it stays there.
    """

    card: Card
    meld: int
    seat: int | None = None
    end: End | None = None

    def __str__(self) -> str:
        end = f" {self.end}" if self.end else ""
        return f"swap {self.card}{end} on {self.meld}"


@attrs.frozen(eq=False, repr=False)
class Split(Value):
    """
    Split a meld in two.

    Attributes:
        meld: The number of the meld.
        after: How many of its cards stay in the first part.
    """

    meld: int
    after: int
    seat: int | None = None

    def __str__(self) -> str:
        return f"split {self.meld} after {self.after}"


@attrs.frozen(eq=False, repr=False)
class Discard(Value):
    """
    Discard a card.
    """

    card: Card
    seat: int | None = None

    def __str__(self) -> str:
        return f"discard {self.card}"


@functools.cache
def discard(code: int, seat: int) -> Discard:
    """
    The discard of a card by a seat; always the same object for the same two.
    """
    return Discard(CARDS[code], seat)


@attrs.frozen(eq=False, repr=False)
class CallRummy(Value):
    """
    Call rummy: lay cards of the discard pile off, or meld them.

    Attributes:
        cards: The cards in the order written.
        meld: The number of the meld that they go on; None for a new meld.
        end: The end of a run that an ace goes to, if it fits both.
    """

    cards: tuple[Played, ...]
    meld: int | None = None
    end: End | None = None
    seat: int | None = None

    def __str__(self) -> str:
        if self.meld is None:
            return f"rummy {_words(self.cards)}"
        return f"rummy {_onto(self.cards, self.end, self.meld)}"


@attrs.frozen(eq=False, repr=False)
class Pass(Value):
    """
    Decline a call or an offered card, or take no discard when the stock is empty.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "pass"


@attrs.frozen(eq=False, repr=False)
class Choose(Value):
    """
    Choose the size of one's hand during the deal.
    """

    cards: int
    seat: int | None = None

    def __str__(self) -> str:
        return f"choose {self.cards}"


@attrs.frozen(eq=False, repr=False)
class Knock(Value):
    """
    Knock: show melds and end the round with few points in unmatched cards.

    Attributes:
        card: The discard; None for big gin, which has none.
        melds: The melds that are shown, each with its cards in the order written. None
            stands for the best melds.
    """

    card: Card | None
    melds: tuple[tuple[Played, ...], ...] | None = None
    seat: int | None = None

    def __str__(self) -> str:
        verb = "big gin" if self.card is None else f"knock {self.card}"
        if self.melds is None:
            return verb
        return f"{verb}: {_several(self.melds) or 'none'}"


@attrs.frozen(eq=False, repr=False)
class Declare(Value):
    """
    Declare: go out by showing the whole hand in melds.

    Attributes:
        card: The discard; None for a declaration without one.
        melds: The melds, as for a knock.
    """

    card: Card | None
    melds: tuple[tuple[Played, ...], ...] | None = None
    seat: int | None = None

    def __str__(self) -> str:
        verb = "declare" if self.card is None else f"declare {self.card}"
        if self.melds is None:
            return verb
        return f"{verb}: {_several(self.melds) or 'none'}"


@attrs.frozen(eq=False, repr=False)
class Deal(Value):
    """
    The one action of chance: the order of the whole deck, and who deals.

    Attributes:
        cards: The whole deck; the card that is dealt first comes first.
        dealer: The dealer's seat.
        put_back: For each card that is buried or put back, in order, how many of the
            remaining cards lie above it, modulo one more than their number; where the
            list ends, cards go to the bottom.
        shuffle: A number that decides the order of a discard pile that is shuffled and
            turned over in the round.
        cut: How many cards the player before the dealer cut off; 0 if nobody cut. It
            says nothing about the order, which is that of the deal.
        seat: None, because no seat deals; a deal that has one is refused.
    """

    cards: tuple[Card, ...]
    dealer: int
    put_back: tuple[int, ...] = ()
    shuffle: int = 0
    seat: int | None = None
    cut: int = 0

    def __str__(self) -> str:
        back = f" back {' '.join(map(str, self.put_back))}" if self.put_back else ""
        mixed = f" shuffle {self.shuffle}" if self.shuffle else ""
        cut = f" cut {self.cut}" if self.cut else ""
        cards = " ".join(map(str, self.cards))
        return f"deal {self.dealer}{back}{mixed}{cut} : {cards}"


@attrs.frozen(eq=False, repr=False)
class Peek(Value):
    """
    Look at the top of the stock before drawing.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "peek"


@attrs.frozen(eq=False, repr=False)
class Ask(Value):
    """
    Ask the partner whether to go out in this turn.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "ask"


@attrs.frozen(eq=False, repr=False)
class Yes(Value):
    """
    Answer that the partner has to go out.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "yes"


@attrs.frozen(eq=False, repr=False)
class No(Value):
    """
    Answer that the partner must not go out.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "no"


@attrs.frozen(eq=False, repr=False)
class Drop(Value):
    """
    Leave the round before the draw, at its price.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "drop"


@attrs.frozen(eq=False, repr=False)
class Rejoin(Value):
    """
    Come back into the match after the round in which one was eliminated.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "rejoin"


@attrs.frozen(eq=False, repr=False)
class Buy(Value):
    """
    Take the discard just made out of turn, at its price.
    """

    seat: int | None = None

    def __str__(self) -> str:
        return "buy"


Action = (
    Draw
    | Peek
    | Buy
    | Drop
    | Rejoin
    | Take
    | LayDown
    | GoDown
    | TakeWith
    | TakeOn
    | LayOff
    | PutDown
    | Swap
    | Split
    | Discard
    | Ask
    | Yes
    | No
    | CallRummy
    | Pass
    | Choose
    | Knock
    | Declare
    | Deal
)


def _words(cards: Sequence[Played]) -> str:
    return " ".join(map(str, cards))


def _several(melds: Sequence[Sequence[Played]]) -> str:
    return " / ".join(map(_words, melds))


def _onto(cards: Sequence[Played], end: str | None, meld: int) -> str:
    return " ".join([_words(cards), *([end] if end else []), "on", str(meld)])
