"""
What a player, or chance, does: small values without secrets.

Every action has a seat; it may be None if only one seat may act.
"""

from __future__ import annotations

import functools

from typing import ClassVar, Final, Literal

import attrs

from rummyvariants._patterns import (
    CARD,
    COUNT,
    DECK,
    END,
    LONG,
    MELDS,
    MORE,
    NUMBER,
    NUMBERS,
    PLAYED,
    SEVERAL,
    SHOWN,
    THROWN,
    TOGETHER,
    Pattern,
)
from rummyvariants._patterns import Action as Action  # noqa: PLC0414 -- exported
from rummyvariants.cards import CARDS, Card, Cards
from rummyvariants.melds._meld import Played


End = Literal["low", "high"]
_A_NUMBER: Final = (
    "'take' or 'take 3', or, where the pile is known, 'take 9h' (down to that card) or "
    "'take all'"
)
_TOGETHER: Final = (
    "'take all with 9c 9h', the top card left out, or 'take 3 with 9c 9h'"
)
_ALONE: Final = PLAYED._replace(shape=r"(?!.*\bon\b)[^/]+?")
_CALL: Final = "'rummy 9h on 2' or 'rummy 5c 5d 5h'"


@attrs.frozen(eq=False, repr=False)
class Draw(Action):
    """
    Draw the top of the stock.

    >>> rv.actions.Draw() == rv.game.parse_action("draw")
    True
    """

    patterns: ClassVar = (Pattern("draw"),)

    seat: int | None = None


@functools.cache
def draw(seat: int) -> Draw:
    """
    The draw of a seat; always the same object for the same seat.
    """
    return Draw(seat)


@attrs.frozen(eq=False, repr=False)
class Take(Action):
    """
    Take cards from the discard pile.

    Attributes:
        count: How many, from the top.

    >>> print(rv.actions.Take(3))
    take 3
    """

    patterns: ClassVar = (
        Pattern("take {count}", _A_NUMBER, count=NUMBER),
        Pattern("take", _A_NUMBER),
    )

    count: int = 1
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class NewMeld(Action):
    """
    Put a new meld down.

    Attributes:
        cards: The cards in the order written.

    >>> cards = [rv.melds.Played(text) for text in ("7h", "*=8h", "9h")]
    >>> print(rv.actions.NewMeld(tuple(cards)))
    meld 7h *=8h 9h
    """

    patterns: ClassVar = (Pattern("meld {cards}", "'meld 7h 8h 9h'", cards=PLAYED),)

    cards: tuple[Played, ...]
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class NewMelds(Action):
    """
    Put down several new melds, which are judged as a whole.

    Attributes:
        melds: Two melds or more, each with its cards in the order written.

    >>> melds = rv.game.parse_action("meld 7h 8h 9h / Kc Kd Ks").melds
    >>> len(melds), melds[1][0]
    (2, Played('Kc'))
    """

    patterns: ClassVar = (
        Pattern("meld {melds}", "'meld 7h 8h 9h / Kc Kd Ks'", melds=SEVERAL),
    )

    melds: tuple[tuple[Played, ...], ...]
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class TakeAndMeld(Action):
    """
    Take cards from the discard pile and meld the top one at once.

    Attributes:
        count: How many, from the top; None for the whole pile.
        melds: The new melds, each with its cards in the order written; the top card
            belongs to the first one and is not named.

    >>> pair = rv.melds.Played("9c"), rv.melds.Played("9h")
    >>> print(rv.actions.TakeAndMeld(count=None, melds=(pair,)))
    take all with 9c 9h
    """

    patterns: ClassVar = (
        Pattern("take {count} with {melds}", _TOGETHER, count=COUNT, melds=MELDS),
    )

    count: int | None
    melds: tuple[tuple[Played, ...], ...]
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class TakeAndLayOff(Action):
    """
    Take cards from the discard pile and lay the top one off at once.

    Attributes:
        count: How many, from the top; None for the whole pile.
        meld: The number of the meld that the top card is laid on.

    >>> print(rv.actions.TakeAndLayOff(None, meld=2))
    take all on 2
    """

    patterns: ClassVar = (
        Pattern(
            "take {count} on {meld}",
            "'take all on 2', or 'take 3 on 2'",
            count=COUNT,
            meld=NUMBER,
        ),
    )

    count: int | None
    meld: int
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class LayOff(Action):
    """
    Lay cards off on a meld of the table, or beside wilds of it.

    Attributes:
        cards: The cards in the order written.
        meld: The number of the meld: from 1, 0 for the dealer's wild.
        end: The end of a run that an ace goes to, if it fits both.

    >>> print(rv.actions.LayOff((rv.melds.Played("Ac"),), meld=2, end="high"))
    lay Ac high on 2
    """

    patterns: ClassVar = (
        Pattern(
            "lay {cards}[ {end}] on {meld}",
            "'lay Th on 2'",
            cards=PLAYED,
            end=END,
            meld=NUMBER,
        ),
    )

    cards: tuple[Played, ...]
    meld: int
    end: End | None = None
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class PutWild(Action):
    """
    Put a single wild card down to be built on.

    >>> print(rv.actions.PutWild(rv.Card("*")))
    put *
    """

    patterns: ClassVar = (Pattern("put {card}", "'put 7c'", card=CARD),)

    card: Card
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Swap(Action):
    """
    Trade a real card, or several together, for the wild of a meld that stands for it.

    Attributes:
        card: The real card.
        meld: The number of the meld: from 1, 0 for the dealer's wild.
        seat: Who trades.
        end: The end of the run that the wild moves to, if it stays there.
        more: The cards that are traded together with it; None for no others.

    >>> print(rv.actions.Swap(rv.Card("8h"), meld=2))
    swap 8h on 2
    """

    patterns: ClassVar = (
        Pattern(
            "swap {card} {more} on {meld}",
            "'swap 8h on 2'",
            card=CARD,
            more=TOGETHER,
            meld=NUMBER,
        ),
        Pattern(
            "swap {card}[ {end}] on {meld}",
            "'swap 8h on 2'",
            card=CARD,
            end=END,
            meld=NUMBER,
        ),
    )

    card: Card
    meld: int
    seat: int | None = None
    end: End | None = None
    more: tuple[Card, ...] | None = None


@attrs.frozen(eq=False, repr=False)
class Split(Action):
    """
    Split a meld in two.

    Attributes:
        meld: The number of the meld.
        after: How many of its cards stay in the first part.

    >>> print(rv.actions.Split(meld=2, after=3))
    split 2 after 3
    """

    patterns: ClassVar = (
        Pattern(
            "split {meld} after {after}", "'split 2 after 3'", meld=NUMBER, after=NUMBER
        ),
    )

    meld: int
    after: int
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Arrange(Action):
    """
    Regroup melds on the table together with cards of the hand.

    Attributes:
        melds: The melds as they then lie, each with all its cards.

    >>> action = rv.game.parse_action("arrange 4c 4d 4h / 3s 4s 5s 6s 7s")
    >>> len(action.melds), action.kind
    (2, 'arrange')
    """

    patterns: ClassVar = (
        Pattern("arrange {melds}", "'arrange 4c 4d 4h / 3s 4s 5s'", melds=MELDS),
    )

    melds: tuple[tuple[Played, ...], ...]
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Discard(Action):
    """
    Discard a card.

    >>> print(rv.actions.Discard(rv.Card("Kc")))
    discard Kc
    """

    patterns: ClassVar = (Pattern("discard {card}", "'discard Kc'", card=CARD),)

    card: Card
    seat: int | None = None


@functools.cache
def discard(code: int, seat: int) -> Discard:
    """
    The discard of a card by a seat; always the same object for the same two.
    """
    return Discard(CARDS[code], seat)


@attrs.frozen(eq=False, repr=False)
class CallRummy(Action):
    """
    Call rummy: lay cards of the discard pile off, or meld them.

    Attributes:
        cards: The cards in the order written.
        meld: The number of the meld that they go on; None for a new meld.
        end: The end of a run that an ace goes to, if it fits both.

    >>> print(rv.actions.CallRummy((rv.melds.Played("9h"),), meld=2))
    rummy 9h on 2
    """

    patterns: ClassVar = (
        Pattern(
            "rummy {cards}[ {end}] on {meld}", _CALL, cards=PLAYED, end=END, meld=NUMBER
        ),
        Pattern("rummy {cards}", _CALL, cards=_ALONE),
    )

    cards: tuple[Played, ...]
    meld: int | None = None
    end: End | None = None
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Pass(Action):
    """
    Decline a call or an offered card, or take no discard when the stock is empty.

    >>> print(rv.actions.Pass())
    pass
    """

    patterns: ClassVar = (Pattern("pass"),)

    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Choose(Action):
    """
    Choose the size of one's hand during the deal.

    >>> print(rv.actions.Choose(12))
    choose 12
    """

    patterns: ClassVar = (Pattern("choose {cards}", "'choose 12'", cards=NUMBER),)

    cards: int
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Knock(Action):
    """
    Knock: show melds and end the round with few points in unmatched cards.

    Attributes:
        card: The discard; None for big gin, which has none.
        melds: The melds that are shown, each with its cards in the order written. None
            stands for the best melds.

    >>> print(rv.actions.Knock(rv.Card("Kc")))
    knock Kc
    >>> print(rv.actions.Knock())
    big gin
    """

    patterns: ClassVar = (
        Pattern(
            "knock {card}[: {melds}]",
            "'knock Kc: 7h 8h 9h / 5c 5d 5h'",
            card=THROWN,
            melds=SHOWN,
        ),
        Pattern(
            "big gin[: {melds}]",
            "'big gin: 7h 8h 9h Th / 5c 5d 5h / Ks Kd Kh Kc'",
            melds=SHOWN,
        ),
    )

    card: Card | None = None
    melds: tuple[tuple[Played, ...], ...] | None = None
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Declare(Action):
    """
    Declare: go out by showing the whole hand in melds.

    Attributes:
        card: The discard; None for a declaration without one.
        melds: The melds, as for a knock.

    >>> print(rv.actions.Declare(rv.Card("Kc")))
    declare Kc
    """

    patterns: ClassVar = (
        Pattern(
            "declare[ {card}][: {melds}]",
            "'declare Kc: 7h 8h 9h / 5c 5d 5h'",
            card=THROWN,
            melds=SHOWN,
        ),
    )

    card: Card | None = None
    melds: tuple[tuple[Played, ...], ...] | None = None
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Deal(Action):
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

    >>> deal = rv.game.next_deal(rv.game.begin("rummy-500", 2, seed=3))
    >>> deal.dealer, deal.cards[:3]
    (1, (Card('Ah'), Card('9c'), Card('4s')))
    """

    patterns: ClassVar = (
        Pattern(
            "deal {dealer}[ back {put_back}][ shuffle {shuffle}][ cut {cut}] : {cards}",
            "'deal DEALER : CARDS'",
            dealer=LONG,
            put_back=NUMBERS,
            shuffle=MORE,
            cut=MORE,
            cards=DECK,
        ),
    )

    cards: tuple[Card, ...]
    dealer: int
    put_back: tuple[int, ...] = ()
    shuffle: int = 0
    seat: int | None = None
    cut: int = 0


@attrs.frozen(eq=False, repr=False)
class Ask(Action):
    """
    Ask the partner whether to go out in this turn.

    >>> print(rv.actions.Ask())
    ask
    """

    patterns: ClassVar = (Pattern("ask"),)

    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Yes(Action):
    """
    Answer that the partner has to go out.

    >>> print(rv.actions.Yes())
    yes
    """

    patterns: ClassVar = (Pattern("yes"),)

    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class No(Action):
    """
    Answer that the partner must not go out.

    >>> print(rv.actions.No())
    no
    """

    patterns: ClassVar = (Pattern("no"),)

    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Rejoin(Action):
    """
    Come back into the match after the round in which one was eliminated.

    >>> print(rv.actions.Rejoin())
    rejoin
    """

    patterns: ClassVar = (Pattern("rejoin"),)

    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class Buy(Action):
    """
    Take the discard just made out of turn, at its price.

    >>> print(rv.actions.Buy())
    buy
    """

    patterns: ClassVar = (Pattern("buy"),)

    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class HouseAction(Action):
    """
    Do what a house rule offers.

    Attributes:
        name: The name of the action.
        cards: The cards that it names.

    >>> print(rv.actions.HouseAction("exchange", rv.Cards("7h 2c")))
    exchange 2c 7h
    """

    name: str
    cards: Cards = attrs.field(factory=Cards)
    seat: int | None = None

    @property
    def word(self) -> str:
        """
        The name.
        """
        return self.name

    def __str__(self) -> str:
        return f"{self.name} {self.cards}" if self.cards else self.name
