"""
The cards that move in a step, one by one: what an interface animates.

Each move says where the card was and where it goes. Done one after another, the moves
lead from the table before the step to the table after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs

from rummyvariants.cards import Card
from rummyvariants.errors import Seat, seat_number
from rummyvariants.game import events
from rummyvariants.game._engine.plays import melds_by_number
from rummyvariants.game._round import Location
from rummyvariants.game._state import State
from rummyvariants.melds._meld import Meld, Slot


INDICATOR: Final = "indicator"
"""The place of a card that lies under the stock and names the wild rank."""
UPCARD: Final = "upcard"
"""The place of cards that are dealt face up, until the rest of the hand is dealt."""


@attrs.frozen
class Spot:
    """
    A place where a card lies.

    Attributes:
        place: ``stock``, ``discards``, ``hand``, ``table``, ``upcard`` for a card that
            is dealt face up, ``indicator`` for one under the stock that names the wild
            rank, or the name of a zone.
        seat: Whose hand, upcard or zone it is; None if it belongs to no seat.
        meld: The number of a meld on the table; None elsewhere.
        index: Which card it is there, from 0: of the discard pile from the bottom, of
            the stock from the top, of a meld as the meld lists them. None where the
            order is unknown or means nothing, as in a hand.
        beside: Whether it lies beside the wild of that index.
    """

    place: str
    seat: int | None = None
    meld: int | None = None
    index: int | None = None
    beside: bool = False


@attrs.frozen
class CardMove:
    """
    A card that goes from one place to another.

    The index of the source holds before the move, that of the target after it.

    Attributes:
        card: The card; None if it is hidden.
        source: Where it was.
        target: Where it goes.
    """

    card: Card | None
    source: Spot
    target: Spot


@attrs.frozen
class SeenEvent:
    """
    An event as a seat, or a spectator, may see it.

    Attributes:
        event: The event, without what is hidden from the reader.
        text: What happened, in a sentence for the reader.
        moves: The cards that moved, in order; hidden cards are None.
    """

    event: events.Event
    text: str
    moves: tuple[CardMove, ...]


def seen_events(
    before: State, after: State, happened: Iterable[events.Event], seat: Seat | None
) -> tuple[SeenEvent, ...]:
    """
    The events of a step as a seat may see them.

    Args:
        before: The state before the step.
        after: The state after it.
        happened: Its events.
        seat: The seat; None for a spectator.

    Raises:
        RequestError: If there is no such seat.
    """
    names = before.players
    if seat is not None:
        seat = seat_number(seat, names)
    board = _Board(before, after)
    found = []
    for event in happened:
        seen = event.seen_by(seat)
        moves = tuple(board.follow(event))
        if seen != event:
            moves = tuple(map(_hidden, moves))
        found.append(SeenEvent(seen, event.describe(names, seat), moves))
    return tuple(found)


def _hidden(move: CardMove) -> CardMove:
    """
    A move of an event with secrets; a card that lay face up is none.
    """
    return move if move.source.place == UPCARD else attrs.evolve(move, card=None)


_STOCK: Final = Spot("stock", index=0)
_BURIED: Final = Spot("stock")


class _Board:
    """
    What lies on the table while the events of a step are followed.

    Only what everybody can see or count decides a move.
    """

    def __init__(self, before: State, after: State) -> None:
        self._after = after
        self._pile = list(before.discards)
        self._melds = dict(melds_by_number(before))
        self._now = dict(melds_by_number(after))
        self._zones = {(zone.name, zone.seat): len(zone.cards) for zone in before.zones}
        self._called: Counter[Card] = Counter()
        self._dealt: set[int] = set()
        self._shown: Spot = _STOCK
        self._upcards: dict[int, list[Card]] = {}
        for seat, cards in enumerate(before.dealt.upcards):
            if before.phase == "choose" and cards and not before.hands[seat]:
                self._upcards[seat] = list(cards)
        self._gone = -1

    def follow(self, event: events.Event) -> Iterator[CardMove]:
        """
        The cards that an event moves.
        """
        match event:
            case events.DealStarted() | events.DealThrownIn():
                self._pile.clear()
                self._melds.clear()
                self._zones.clear()
                self._dealt.clear()
            case (
                events.UpcardShown()
                | events.CardBuried()
                | events.WildNamed()
                | events.HandDealt()
                | events.FirstDiscard()
            ):
                yield from self._deal(event)
            case events.Drew(seat, card):
                yield CardMove(card, _STOCK, Spot("hand", seat))
            case events.TurnedOver(_, size):
                del self._pile[:size]
                bottom = Spot("discards", index=0)
                yield from [CardMove(None, bottom, _BURIED)] * size
            case events.Took(seat, cards):
                yield from self._off_pile(cards, Spot("hand", seat))
            case events.Called(seat):
                yield from self._call(event)
            case events.Discarded(seat, card):
                yield self._onto_pile(card, Spot("hand", seat))
            case events.Dropped(seat):
                self._gone = seat
            case events.Laid():
                yield from self._lay(event)
            case events.Moved():
                yield from self._move(event)

    # ------------------------------------------------------------------------ the deal

    def _deal(self, event: events.Event) -> Iterator[CardMove]:
        match event:
            case events.UpcardShown(seat, card):
                self._shown = Spot(UPCARD, seat)
                if seat in self._dealt:
                    self._shown = Spot(INDICATOR)
                else:
                    self._upcards.setdefault(seat, []).append(card)
                yield CardMove(card, _STOCK, self._shown)
            case events.CardBuried(card):
                self._turned_down(card)
                yield CardMove(card, self._shown, _BURIED)
            case events.WildNamed(_, card) if card is not None:
                stays = self._after.rules.wild.indicator_stays
                if stays and self._shown.place == UPCARD:
                    self._turned_down(card)
                    target = Spot("table", meld=0, index=0)
                    yield CardMove(card, self._shown, target)
                    self._melds[0] = self._now[0]
            case events.HandDealt(seat, size, cards):
                self._dealt.add(seat)
                hand = Spot("hand", seat)
                for card in self._upcards.pop(seat, ()):
                    yield CardMove(card, Spot(UPCARD, seat), hand)
                for at in range(size):
                    yield CardMove(cards[at] if cards else None, _STOCK, hand)
            case events.FirstDiscard(card):
                yield self._onto_pile(card, _STOCK)

    def _turned_down(self, card: Card) -> None:
        """
        Note that the last upcard does not stay with its seat.
        """
        if self._shown.seat is not None and card in self._upcards[self._shown.seat]:
            self._upcards[self._shown.seat].remove(card)

    # ------------------------------------------------------------------------ the pile

    def _onto_pile(self, card: Card | None, source: Spot) -> CardMove:
        target = Spot("discards", index=len(self._pile))
        if card is not None:
            self._pile.append(card)
        return CardMove(card, source, target)

    def _off_pile(self, cards: Sequence[Card], target: Spot) -> Iterator[CardMove]:
        """
        Cards that leave the pile, of equal ones the upper.
        """
        for card, at in zip(cards, self._found(cards), strict=True):
            yield CardMove(card, Spot("discards", index=at), target)

    def _found(self, cards: Sequence[Card]) -> list[int]:
        """
        Take cards out of the pile, one after another, and say where each was then.
        """
        places = []
        for card in cards:
            places.append(_last(self._pile, card))
            del self._pile[places[-1]]
        return places

    def _call(self, event: events.Called) -> Iterator[CardMove]:
        """
        The cards that a call takes besides its own, which the next event lays.
        """
        own = Counter(event.cards)
        own.subtract(event.taken)
        self._called = +own
        # Of equal cards the upper one is called.
        marked: list[Card | None] = list(self._pile)
        for card in self._called.elements():
            marked[_last(marked, card)] = None
        for card in event.taken:
            at = _last(marked, card)
            del marked[at], self._pile[at]
            yield CardMove(card, Spot("discards", index=at), Spot("hand", event.seat))

    # ----------------------------------------------------------------------- the table

    def _lay(self, event: events.Laid) -> Iterator[CardMove]:
        number = event.meld
        before, after = self._melds.get(number), self._now[number]
        if event.how == "split" and before is not None:
            second = len(self._melds) + (0 not in self._melds)
            yield from _split(before, number, event.after or 0, second)
            self._melds[second] = self._now[second]
        elif event.gained is not None and before is not None:
            (at,) = [
                at
                for at, (old, new) in enumerate(
                    zip(before.slots, after.slots, strict=True)
                )
                if old.card != new.card
            ]
            hand, there = Spot("hand", event.seat), Spot("table", None, number, at)
            yield CardMove(event.gained, there, hand)
            yield CardMove(after.slots[at].card, hand, there)
        else:
            if event.how == "swap" and before is not None:
                move, before = _wild_moved(before, after, event)
                yield move
            for move in _grown(before, after, event):
                card = move.card
                if card is not None and self._called[card]:
                    self._called[card] -= 1
                    (at,) = self._found([card])
                    source = Spot("discards", index=at)
                    yield attrs.evolve(move, source=source)
                else:
                    yield move
        self._melds[number] = after

    # ----------------------------------------------------------------- any other place

    def _move(self, event: events.Moved) -> Iterator[CardMove]:
        cards = event.cards or (None,) * event.size
        sources: Iterable[Spot] = [self._from(event.source)] * event.size
        if event.source.name == "discards":
            known = [card for card in cards if card is not None]
            sources = [Spot("discards", index=at) for at in self._found(known)]
        for at, (card, source) in enumerate(zip(cards, sources, strict=True)):
            yield CardMove(card, source, self._onto(event.target, at, card))

    def _from(self, location: Location) -> Spot:
        if location.name == "stock":
            return _STOCK
        key = location.name, location.seat
        if key in self._zones:
            self._zones[key] -= 1
        return _spot(location)

    def _onto(self, location: Location, at: int, card: Card | None) -> Spot:
        if location.name == "discards":
            return self._onto_pile(card, _STOCK).target
        if location.name == "stock":
            # Whoever has left the round puts the hand under the stock, in any order.
            return _BURIED if self._gone >= 0 else Spot("stock", index=at)
        if location.name in {"hand", "table"}:
            return _spot(location)
        key = location.name, location.seat
        index = self._zones.get(key, 0)
        self._zones[key] = index + 1
        return attrs.evolve(_spot(location), index=index)


def _spot(location: Location) -> Spot:
    return Spot(location.name, None if location.seat < 0 else location.seat)


def _last(cards: Sequence[Card | None], card: Card) -> int:
    """
    Where a card lies in a row, the last of equal ones.
    """
    return len(cards) - 1 - cards[::-1].index(card)


def _split(before: Meld, number: int, after: int, second: int) -> Iterator[CardMove]:
    """
    The cards of a meld from one of them on, which become another meld.
    """
    for at, slot in enumerate(before.slots[after:]):
        source = Spot("table", None, number, after)
        yield CardMove(slot.card, source, Spot("table", None, second, at))
    for one in before.beside:
        if one.index >= after:
            source = Spot("table", None, number, one.index, beside=True)
            at = one.index - after
            target = Spot("table", None, second, at, beside=True)
            yield CardMove(one.card, source, target)


def _wild_moved(before: Meld, after: Meld, event: events.Laid) -> tuple[CardMove, Meld]:
    """
    The move of a wild to an end of its run, and the run without its real card.
    """
    real = Card(event.cards[0])
    (at,) = [index for index, one in enumerate(before.slots) if one.code == real.code]
    new = Counter(after.slots) - Counter(before.slots)
    (wild,) = [one for one in new if one.code != real.code]
    slots = [*before.slots[:at], *before.slots[at + 1 :]]
    to = 0 if event.end == "low" else len(slots)
    slots.insert(to, wild)
    source, target = [Spot("table", None, event.meld, place) for place in (at, to)]
    move = CardMove(wild.card, source, target)
    return move, attrs.evolve(before, slots=tuple(slots))


def _grown(before: Meld | None, after: Meld, event: events.Laid) -> Iterator[CardMove]:
    """
    The cards that make a meld, or make one grow, each from the hand to its place.

    A run that has closed a circle is turned, so cards of the meld may move as well.
    """
    hand = Spot("hand", event.seat)
    old = () if before is None else before.slots
    whole = before is None or before.kind != "wild"
    row: list[tuple[object, int]] = [
        (_key(slot, whole=whole), at) for at, slot in enumerate(old)
    ]
    for at, slot in enumerate(after.slots):
        key = _key(slot, whole=whole)
        target = Spot("table", None, event.meld, at)
        there = [
            place for place, (one, _) in enumerate(row) if place >= at and one == key
        ]
        if there and there[0] == at:
            continue
        if there:
            row.insert(at, row.pop(there[0]))
            source = Spot("table", None, event.meld, there[0])
            yield CardMove(slot.card, source, target)
        else:
            row.insert(at, (key, -1))
            yield CardMove(slot.card, hand, target)
    places = {was: at for at, (_, was) in enumerate(row)}
    known = Counter(
        (places[one.index], one.card) for one in (before.beside if before else ())
    )
    for one in after.beside:
        if known[one.index, one.card]:
            known[one.index, one.card] -= 1
        else:
            target = Spot("table", None, event.meld, one.index, beside=True)
            yield CardMove(one.card, hand, target)


def _key(slot: Slot, *, whole: bool) -> object:
    """
    What tells a card of a meld from others; a single wild stands for nothing yet.
    """
    return slot.card, slot.seat, slot.stands_for if whole else None
