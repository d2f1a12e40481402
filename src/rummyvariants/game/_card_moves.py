"""
The events of a step, and the cards that move in it: what an interface animates.

Each move says where the card was and where it goes. Done one after another, the moves
lead from the table before the step to the table after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import attrs

from rummyvariants import events
from rummyvariants.cards import CARDS, Card
from rummyvariants.game._round import STOCK, UPCARD
from rummyvariants.game._state import Draft, seats_shown
from rummyvariants.house.facts import Location
from rummyvariants.melds._meld import Meld


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

    >>> rv.step(rv.new_game("rummy-500", 2, seed=3), "draw").moves[0][0].source
    Spot(place='stock', seat=None, meld=None, index=0, beside=False)
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

    The index of the source holds before the move, that of the target after it. Melds
    that have lost all cards are gone after the event; those behind them move up.

    Attributes:
        card: The card; None if it is hidden.
        source: Where it was.
        target: Where it goes.

    >>> step = rv.step(rv.new_game("rummy-500", 2, seed=3), "take 1")
    >>> move = step.seen_by(1)[0].moves[0]
    >>> move.card, move.source.place, move.target.place
    (Card('8c'), 'discards', 'hand')
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

    >>> step = rv.step(rv.new_game("rummy-500", ["Ann", "Ben"], seed=3), "draw")
    >>> step.seen_by(1)[0].text
    'Ann draws a card.'
    """

    event: events.Event
    text: str
    moves: tuple[CardMove, ...]

    def __str__(self) -> str:
        return self.text


class EventLog:
    """
    What happens in a step, told to rules as it happens: its events alone.

    Attributes:
        hears: A function that is told of each event.
    """

    def __init__(self) -> None:
        self.hears: Callable[[events.Event], None] | None = None
        self._instead: events.Event | None = None

    def append(self, event: events.Event) -> None:
        """
        Note an event that tells of what has moved.
        """
        if self.hears is not None:
            self.hears(event)

    def tell_by(self, event: events.Event) -> None:
        """
        Let an event tell of the next cards that move, in place of the usual one.
        """
        self._instead = event

    def carry(
        self,
        cards: Iterable[int | None],
        source: Location,
        target: Location,
        places: Sequence[int] = (),
        first: int | None = None,
    ) -> None:
        """
        Note cards that move one after another, for the event that follows.

        Args:
            cards: The codes; None for a card that nobody knows.
            source: Where they lay.
            target: Where they go.
            places: Where each lies in the source when its turn comes, if that is known;
                in the stock it is the top card.
            first: Where the first one lies in the target, followed by the others.
        """

    def moved(
        self,
        draft: Draft,
        order: bytes,
        source: Location,
        target: Location,
        shown_to: int,
        pile: bytes = b"",
    ) -> None:
        """
        Note cards that have moved, with the event that tells of it.

        Args:
            draft: The state after the move.
            order: The codes of the cards in their order.
            source: Where they lay.
            target: Where they lie now.
            shown_to: Mask of the seats that saw them.
            pile: The discard pile before, if they come from there.
        """
        del draft, pile  # only who follows the cards needs them
        if "table" not in {source.name, target.name}:  # the event of a meld is to come
            for part in _parts(order, source, target) if len(order) != 1 else (order,):
                self._tell(part, source, target, shown_to)

    def _tell(
        self, order: bytes, source: Location, target: Location, shown_to: int
    ) -> None:
        told = self._instead or _told(order, source, target, shown_to)
        self._instead = None
        self.append(told)

    def dealt(self, order: bytes, target: Location, shown_to: int) -> None:
        """
        Note cards that a deal lays apart.
        """
        self.carry(order, STOCK, target, first=0)
        self._tell(order, STOCK, target, shown_to)

    def lay(self, seat: int, number: int, before: Meld | None, after: Meld) -> None:
        """
        Note a meld that a seat makes or changes.

        Args:
            seat: Who lays cards.
            number: The number of the meld.
            before: The meld as it lay; None for a new one.
            after: The meld as it lies now.
        """

    def split(self, number: int, before: Meld, after: int, second: int) -> None:
        """
        Note that a meld is split: cards from one of them on become another meld.
        """

    def arrange(
        self,
        seat: int,
        table: tuple[Meld, ...],
        regrouped: tuple[int, ...],
        layout: tuple[Meld, ...],
    ) -> None:
        """
        Note that melds are regrouped together with cards of a hand.

        Args:
            seat: Who regroups them.
            table: The melds as they lay.
            regrouped: The numbers of those that are regrouped.
            layout: The melds as they lie now.
        """


class StepLog(EventLog):
    """
    What happens in a step, noted as it happens: its events, and the cards that move.

    An event has the moves noted since the one before. Those of a meld wait for the
    event that tells of it, since several melds may be laid before it is told.

    Attributes:
        events: The events.
        moves: By event, the cards that moved, with nothing hidden.
    """

    def __init__(self) -> None:
        super().__init__()
        self.events: list[events.Event] = []
        self.moves: list[tuple[CardMove, ...]] = []
        self._moving: list[CardMove] = []
        self._laid: dict[int, list[CardMove]] = {}
        # The discards that a call lays, the upper first, and how many others lie below.
        self._called: list[tuple[int, int]] = []

    def append(self, event: events.Event) -> None:
        moving = self._moving
        if isinstance(event, events.Laid):
            moving = self._laid.pop(event.meld, [])
        self.events.append(event)
        self.moves.append(tuple(moving))
        moving.clear()
        super().append(event)

    def carry(
        self,
        cards: Iterable[int | None],
        source: Location,
        target: Location,
        places: Sequence[int] = (),
        first: int | None = None,
    ) -> None:
        for at, code in enumerate(cards):
            top = 0 if source.name == "stock" else None
            here = _spot(source, places[at] if places else top)
            there = _spot(target, None if first is None else first + at)
            card = None if code is None else CARDS[code]
            self._moving.append(CardMove(card, here, there))

    def moved(
        self,
        draft: Draft,
        order: bytes,
        source: Location,
        target: Location,
        shown_to: int,
        pile: bytes = b"",
    ) -> None:
        ways = source.name, target.name
        places = _below(pile, draft._discards) if pile else []
        if ways == ("discards", "table"):
            self._called = [*zip(order, places, strict=True)][::-1]
        if "table" in ways:
            return  # what is laid is noted with its meld
        first = 0
        if target.name == "discards":
            first = len(draft._discards) - len(order)
        for zone in draft._zones:
            if (zone.name, zone.seat) == (target.name, target.seat):
                first = len(zone._cards) - len(order)
        for part in _parts(order, source, target):
            self.carry(part, source, target, places, first)
            self._tell(part, source, target, shown_to)
            first += len(part)

    def lay(self, seat: int, number: int, before: Meld | None, after: Meld) -> None:
        # A wild leaves the meld or moves in it first, then cards join from its low end
        # on. A run that has closed a circle is turned, so any card may move.
        hand = Spot("hand", seat)
        spots = [Spot("table", None, number, at) for at in range(len(after) + 1)]
        moves = self._laid[number] = []
        goal = [(slot.card, slot.seat, slot.stands_for) for slot in after.slots]
        old = () if before is None else before.slots
        row = [(slot.card, slot.seat, slot.stands_for) for slot in old]
        new = Counter(goal) - Counter(row)
        for key in Counter(row) - Counter(goal):
            at = row.index(key)
            del row[at]
            moved = next((one for one in new if one[:2] == key[:2]), None)
            if moved is None:
                moves.append(CardMove(key[0], spots[at], hand))
                continue
            to = sum(one in row for one in goal[: goal.index(moved)])
            row.insert(to, moved)
            if to != at:  # otherwise it only stands for something else
                moves.append(CardMove(key[0], spots[at], spots[to]))
        for at, key in enumerate(goal):
            if key not in row[at:]:
                row.insert(at, key)
                moves.append(CardMove(key[0], self._origin(key[0], hand), spots[at]))
            elif row[at] != key:
                was = row.index(key, at)
                row.insert(at, row.pop(was))
                moves.append(CardMove(key[0], spots[was], spots[at]))
        for one in after.beside[len(before.beside) if before else 0 :]:
            there = attrs.evolve(spots[one.index], beside=True)
            moves.append(CardMove(one.card, self._origin(one.card, hand), there))

    def _origin(self, card: Card, hand: Spot) -> Spot:
        """
        Where a card of a meld comes from: the discard pile, if it is called.
        """
        for at, (code, below) in enumerate(self._called):
            if code == card.code:
                del self._called[at]
                return Spot("discards", index=below + len(self._called) - at)
        return hand

    def split(self, number: int, before: Meld, after: int, second: int) -> None:
        moves = self._laid[number] = []
        for at, slot in enumerate(before.slots[after:]):
            source = Spot("table", None, number, after)
            moves.append(CardMove(slot.card, source, Spot("table", None, second, at)))
        for one in before.beside:
            if one.index >= after:
                source = Spot("table", None, number, one.index, beside=True)
                target = Spot("table", None, second, one.index - after, beside=True)
                moves.append(CardMove(one.card, source, target))

    def arrange(
        self,
        seat: int,
        table: tuple[Meld, ...],
        regrouped: tuple[int, ...],
        layout: tuple[Meld, ...],
    ) -> None:
        numbers = [*regrouped, *range(len(table) + 1, len(table) + 1 + len(layout))]
        rows = {one: [*table[one - 1].slots] for one in regrouped}
        settled: Counter[int] = Counter()  # how many cards of each row stay
        for to, meld in zip(numbers, layout, strict=False):
            for at, slot in enumerate(meld.slots):
                source = Spot("hand", seat)
                for number in (to, *rows):
                    left = rows.setdefault(number, [])[settled[number] :]
                    own = [(one.card, one.seat) for one in left]
                    if (slot.card, slot.seat) in own:
                        place = settled[number] + own.index((slot.card, slot.seat))
                        source = Spot("table", None, number, place)
                        del rows[number][place]
                        break
                target = Spot("table", None, to, at)
                rows[to].insert(at, slot)
                settled[to] += 1
                if source != target:
                    self._moving.append(CardMove(slot.card, source, target))


def _spot(location: Location, index: int | None) -> Spot:
    """
    A place in a location; on the table, that of the dealer's wild.
    """
    meld = 0 if location.name == "table" else None
    seat = None if location.seat < 0 else location.seat
    return Spot(location.name, seat, meld, None if location.name == "hand" else index)


def _parts(order: bytes, source: Location, target: Location) -> Sequence[bytes]:
    """
    The cards that move, in parts of which one event each tells.
    """
    if (source.name, target.name) in _ONE_BY_ONE:
        return [bytes([code]) for code in order]
    return (order,)


_ONE_BY_ONE: Final = frozenset({("stock", "hand"), ("hand", "discards")})
"""Where cards come from and go to that are told of one by one."""


def _told(
    order: bytes, source: Location, target: Location, shown_to: int
) -> events.Event:
    """
    The event that tells of a move of cards.
    """
    cards = tuple([CARDS[code] for code in order])
    match source.name, target.name:
        case "stock", "hand":
            return events.Drew(target.seat, cards[0])
        case "hand", "discards":
            return events.Discarded(source.seat, cards[0])
        case "discards", "hand":
            return events.Took(target.seat, cards)
        case _:
            seats = seats_shown(shown_to)
            return events.Moved(source, target, len(cards), cards, seats)


def _below(pile: bytes, left: bytes) -> list[int]:
    """
    For each card that has left a pile, how many of the cards that stay lie below it.
    """
    found, kept = [], 0
    for code in pile:
        if left[kept : kept + 1] == bytes([code]):
            kept += 1
        else:
            found.append(kept)
    return found


def seen_event(
    event: events.Event,
    moves: tuple[CardMove, ...],
    players: Sequence[str],
    seat: int | None,
) -> SeenEvent:
    """
    An event with its moves as a seat, or a spectator, may see it.
    """
    seen = event.seen_by(seat)
    if seen != event:
        moves = tuple(map(_hidden, moves))
    return SeenEvent(seen, event.describe(players, seat), moves)


def _hidden(move: CardMove) -> CardMove:
    """
    A move of an event with secrets; a card that lay face up is none.
    """
    return move if move.source.place == UPCARD else attrs.evolve(move, card=None)
