"""
Whether a view claims cards that its seat cannot have seen.

A view tells what its seat has seen in the round, in order. Where that begins with the
deal, every card that the view places in a hand or in the stock must have been seen to
go there. A view of a position made by hand begins later, and can be checked only for
what is not the seat's to know at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import attrs

from rummyvariants.cards import Card
from rummyvariants.files._checks import Checks
from rummyvariants.files._documents import ViewDocument
from rummyvariants.game._engine.naming import cards_named
from rummyvariants.game.actions import (
    Action,
    Buy,
    CallRummy,
    Declare,
    Discard,
    Draw,
    Knock,
    Swap,
    Take,
    TakeOn,
    TakeWith,
)
from rummyvariants.policies.answers import Move


def check_claims(checks: Checks, given: ViewDocument) -> None:
    """
    Note what the seat of a view cannot know.

    Args:
        checks: Collects the problems.
        given: The view's document, of which each key by itself is right.
    """
    _not_its_own(checks, given)
    if given.shows_hands or not (_tells_the_deal(given) and _tells_all(given)):
        return
    seen = _Seen(given)
    for seat, cards in enumerate(given.known):
        claimed = Counter(cards) - seen.hands[seat]
        if claimed.total() > seen.unnamed[seat]:
            path = "hand" if seat == given.seat else f"known[{seat}]"
            where = "in its hand" if seat == given.seat else "there"
            checks.wrong(path, _not_seen(claimed.elements(), where))
    left = Counter(seen.stock)
    for at, card in enumerate(given.known_stock):
        if card is not None and not left[card]:
            checks.wrong(f"known_stock[{at}]", _not_seen([card], "there"))
        elif card is not None:
            left[card] -= 1
    if given.left_out:
        message = "the round was dealt, so no card of the deck is missing"
        checks.wrong("left_out", message)


def _not_seen(cards: Iterable[Card], where: str) -> str:
    return f"the seat has not seen {' '.join(map(str, cards))} {where}"


def _not_its_own(checks: Checks, given: ViewDocument) -> None:
    """
    Note what a view holds of others' secrets, whatever has happened.
    """
    for at, step in enumerate(given.sights):
        for number, one in enumerate(step):
            if not _knows(one.seen_by, given.seat):
                message = "this was shown to others only"
                checks.wrong(f"sights[{at}][{number}]", message)
    for at, known in enumerate(given.known_by_some):
        if not _knows(known.seen_by, given.seat):
            checks.wrong(f"known_by_some[{at}]", "this was shown to others only")
    for at, zone in enumerate(given.zones):
        if (zone.cards is not None) != _knows(zone.seen_by, given.seat):
            message = "name the cards: the seat has seen them"
            if zone.cards is not None:
                message = "the seat has not seen them"
            checks.wrong(f"zones[{at}].cards", message)
    for at, frame in enumerate(given.frames):
        if frame.secrets:
            checks.wrong(f"frames[{at}].secrets", "nobody knows them")
    drawn = given.drawn
    if drawn is not None and given.seat != given.turn:
        if drawn.source == "stock" and drawn.duties:
            message = "only its player knows what a card of the stock is for"
            checks.wrong("drawn.duties", message)


def _knows(seats: tuple[int, ...] | None, seat: int | None) -> bool:
    return seats is None or seat in seats


def _tells_the_deal(given: ViewDocument) -> bool:
    """
    Whether what the seat has seen begins with its own hand being dealt.
    """
    if given.seat is None or not given.sights:
        return False
    return any(one.to == "hand" and one.owner == given.seat for one in given.sights[0])


def _tells_all(given: ViewDocument) -> bool:
    """
    Whether the actions of a view explain how cards came where they are.

    Rules that move cards may show them in any way.
    """
    last = given.actions[-1] if given.actions else None
    drawn = given.drawn is not None or not isinstance(last, _DRAWS)
    return drawn and Move not in given.rules.effects


_DRAWS: Final = (Draw, Take, TakeWith, TakeOn)
_MANY: Final = 10_000


@attrs.define
class _Seen:
    """
    At most what a seat has seen to go into hands and into the stock in a round.

    Attributes:
        given: The view's document.
        hands: By seat, the cards that went there and have not been played since.
        unnamed: By seat, how many more went there that the document does not name.
        stock: The cards that were seen in the stock.
        pile: The cards that were discarded, the top last.
        below: How many cards of the deal may lie below them; they are not named.
        loose: Whether it is open in which order the pile lies, because of a call.
    """

    given: ViewDocument
    hands: list[Counter[Card]] = attrs.field(init=False)
    unnamed: list[int] = attrs.field(init=False)
    stock: Counter[Card] = attrs.field(init=False, factory=Counter)
    pile: list[Card] = attrs.field(init=False, factory=list)
    below: int = attrs.field(init=False)
    loose: bool = attrs.field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        given = self.given
        self.hands = [Counter(cards) for cards in given.upcards]
        self.unnamed = [0] * len(given.players)
        deal = given.rules.deal
        again = deal.first_upcard_again or deal.turned_again
        self.below = _MANY if again else int(deal.turns_up)
        for at, step in enumerate(given.sights):
            for one in step:
                if one.to == "hand" and one.owner is not None:
                    self.hands[one.owner].update(one.cards)
                elif one.to == "stock":
                    self.stock.update(one.cards)
            if at:
                self._done(given.actions[at - 1])

    def _done(self, action: Action) -> None:
        seat = action.seat
        if seat is None:
            return
        match action:
            case CallRummy():
                # It may bring cards of the pile to the caller, and to who left them.
                self.loose = True
                for other in range(len(self.hands)):
                    self._take(other, None)
                return
            case Take(count=count) | TakeOn(count=count):
                self._take(seat, count)
            case TakeWith(count=count):
                # The cards named come from the hand, and not from the pile.
                self._played(seat, action)
                self._take(seat, count)
                return
            case Buy():
                self._take(seat, 1)
            case Swap(end=None):
                self.unnamed[seat] += 1
        self._played(seat, action)
        if isinstance(action, Discard | Knock | Declare) and action.card is not None:
            self.pile.append(action.card)

    def _played(self, seat: int, action: Action) -> None:
        """
        Take the cards that an action names from the hand of a seat.
        """
        for one in cards_named(action):
            if self.hands[seat][one.card]:
                self.hands[seat][one.card] -= 1

    def _take(self, seat: int, count: int | None) -> None:
        """
        Give a seat so many cards of the pile; None for all of them.
        """
        if self.loose:
            self.hands[seat].update(self.pile)
            self.unnamed[seat] += self.below
            return
        deeper = (
            self.below if count is None else min(count - len(self.pile), self.below)
        )
        if deeper > 0:
            self.unnamed[seat] += deeper
            self.below -= deeper
        number = len(self.pile) if count is None else min(count, len(self.pile))
        if number:
            self.hands[seat].update(self.pile[-number:])
            del self.pile[-number:]
