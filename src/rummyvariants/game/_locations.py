"""
Where cards lie, how they move, and who has seen which of them where.

Cards lie in the stock, on the discard pile, in hands, in the melds on the table, and in
zones that a rule names. Only `move` takes them from one location to another, and only
`move` and `reveal` show them, so events and what the seats know follow from these
calls. Knowledge travels with the cards as long as they can be followed; a shuffle ends
it.
"""

from __future__ import annotations

import functools
import operator

from typing import Final

import attrs

from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    codes,
    common,
    pack,
    replaced,
    size,
)
from rummyvariants.game import _events as events
from rummyvariants.game._events import Log
from rummyvariants.game._round import EVERYBODY, STOCK, Zone
from rummyvariants.game._state import Draft, State, seats_of, seats_shown
from rummyvariants.house.facts import Location
from rummyvariants.policies.base import MOST_PLAYERS


DISCARDS: Final = Location("discards")
TABLE: Final = Location("table")
HANDS: Final = tuple([Location("hand", seat) for seat in range(MOST_PLAYERS)])
"""The hand of each seat."""


def move(
    draft: Draft,
    cards: int,
    source: Location,
    target: Location,
    shown_to: int = EVERYBODY,
    log: Log = None,
) -> None:
    """
    Move cards from one location to another.

    From the stock they must be the top cards. From the discard pile they may be any; of
    equal cards, the upper one goes. They keep their order. The melds on the table are
    not changed, since a meld is more than its cards.

    Args:
        draft: The state in the making.
        cards: The cards, as a multiset.
        source: Where they lie.
        target: Where they go: on top of a pile, or to the end of a zone.
        shown_to: Mask of the seats that see them. The seat whose hand they come from or
            go to always sees them.
        log: Where what happened is noted, if anywhere.
    """
    order = b""
    name = source.name
    if name == "hand":
        seat = source.seat
        hands = draft._hands
        draft._hands = replaced(hands, seat, hands[seat] - cards)
        if draft._seen[seat] or draft._seen_by_some:
            _forget(draft, seat, cards, shown_to)
        shown_to |= 1 << seat
    elif name == "stock":
        move_top(draft, size(cards), target, shown_to, log)
        return
    elif name == "discards":
        pile = draft._discards
        order, draft._discards = _out_of(pile, cards)
        shown_to = EVERYBODY
    elif name == "table":
        shown_to = EVERYBODY
    else:
        order, shown_to = _out_of_zone(draft, cards, source, shown_to)
    put(draft, cards, order, target, shown_to)
    if log is not None:
        order = order or in_order(cards)
        before = pile if name == "discards" else b""
        log.moved(draft, order, source, target, shown_to, before)


def move_top(
    draft: Draft,
    number: int,
    target: Location,
    shown_to: int = EVERYBODY,
    log: Log = None,
) -> None:
    """
    Move so many cards from the top of the stock, as `move` does.
    """
    stock = draft._stock
    order, draft._stock = stock[:number], stock[number:]
    known = draft._stock_seen
    if known:
        draft._stock_seen = known[number:]
        if 0 < number <= len(known):
            shown_to |= functools.reduce(int.__and__, known[:number])
    cards = UNIT[order[0]] if number == 1 else pack(order)
    put(draft, cards, order, target, shown_to)
    if log is not None:
        log.moved(draft, order, STOCK, target, shown_to)


def _out_of_zone(
    draft: Draft, cards: int, source: Location, shown_to: int
) -> tuple[bytes, int]:
    """
    Take cards out of a zone: their codes, and the mask of the seats that know them.
    """
    zone = zone_of(draft, source)
    order, left = _out_of(zone._cards, cards)
    # Which of several went is not followed: they are known where they lay together.
    _set_zone(draft, attrs.evolve(zone, cards=left, seen=zone._seen if left else 0))
    return order, shown_to | zone._seen


def put(
    draft: Draft, cards: int, order: bytes, target: Location, shown_to: int = EVERYBODY
) -> None:
    """
    Put cards somewhere that come from no location: dealt, or removed from another.

    Args:
        draft: The state in the making.
        cards: The cards, as a multiset.
        order: Their codes if they have an order, the lowest first; otherwise empty.
        target: Where they go.
        shown_to: Mask of the seats that see them.
    """
    if target.name == "hand":
        seat = target.seat
        hands = draft._hands
        draft._hands = replaced(hands, seat, hands[seat] + cards)
        shown_to |= 1 << seat
        if shown_to != 1 << seat:
            _learn(draft, seat, cards, shown_to)
    elif target.name == "discards":
        draft._discards += order or in_order(cards)
    elif target.name == "stock":
        order = order or in_order(cards)
        draft._stock_seen = (*(shown_to,) * len(order), *draft._stock_seen)
        draft._stock = order + draft._stock
    elif target.name != "table":
        zone = zone_of(draft, target)
        order = order or in_order(cards)
        seen = zone._seen & shown_to if zone._cards else shown_to
        _set_zone(draft, Zone(zone.name, zone.seat, zone._cards + order, seen))
    if shown_to > 0:
        see(draft, shown_to, order or in_order(cards), target)


def reveal(
    draft: Draft,
    location: Location,
    to: int,
    number: int = 0,
    log: Log = None,
    some: int | None = None,
) -> None:
    """
    Show cards where they lie.

    Args:
        draft: The state in the making.
        location: A hand, a zone, or the stock.
        to: Mask of the seats that see them.
        number: How many cards of the stock, from the top.
        log: Where what happened is noted, if anywhere.
        some: Which cards of a hand, as a multiset; None for all of them.
    """
    if location.name == "hand" and some is not None:
        some = common(some, draft._hands[location.seat])
        cards = in_order(some)
        _learn_some(draft, location.seat, some, to)
    elif location.name == "hand":
        cards = in_order(draft._hands[location.seat])
        _learn_all(draft, location.seat, to)
    elif location.name == "stock":
        cards = draft._stock[:number]
        known = draft._stock_seen
        known += (0,) * (len(cards) - len(known))
        upper = [mask | to for mask in known[: len(cards)]]
        draft._stock_seen = (*upper, *known[len(cards) :])
    else:
        zone = zone_of(draft, location)
        cards = zone._cards
        _set_zone(draft, attrs.evolve(zone, seen=zone._seen | to))
    see(draft, to, cards, location)
    if log is not None:
        shown = tuple([CARDS[code] for code in cards])
        log.append(events.Shown(location, len(cards), shown, seats_shown(to)))


def bury(draft: Draft, seat: int, order: bytes, log: Log = None) -> None:
    """
    Put a hand under the stock, face down.

    Args:
        draft: The state in the making.
        seat: Whose hand it is.
        order: The codes of all its cards in their new order, the lowest in the stock
            last.
        log: Where what happened is noted, if anywhere.
    """
    hand = draft._hands[seat]
    draft._hands = replaced(draft._hands, seat, 0)
    _forget(draft, seat, hand, 0)
    draft._stock += order
    if log is not None:
        cards = in_order(hand)
        log.carry(cards, HANDS[seat], STOCK)
        shown = tuple([CARDS[code] for code in cards])
        log.append(events.Moved(HANDS[seat], STOCK, len(cards), shown, (seat,)))


def recycle(draft: Draft, cards: bytes, log: Log = None) -> None:
    """
    Make discards the new stock, shuffled or in an order that nobody knows.

    Args:
        draft: The state in the making, its stock empty.
        cards: Their codes in the new order, the next card first; they are the lower
            cards of the discard pile.
        log: Where the cards that move are noted, if anywhere.
    """
    draft._stock, draft._stock_seen = cards, ()
    draft._discards = draft._discards[len(cards) :]
    if log is not None:
        log.carry([None] * len(cards), DISCARDS, STOCK, [0] * len(cards))


def see(draft: Draft, viewers: int, cards: bytes, where: Location) -> None:
    """
    Note with the last action what some seats saw, and where the cards went.
    """
    if len(cards) == 1:
        draft._history._seen += _sight(viewers, cards, where.name, where.seat)
    else:
        draft._history._seen += ((viewers, cards, where),)


@functools.lru_cache(maxsize=1024)
def _sight(
    viewers: int, cards: bytes, name: str, seat: int
) -> tuple[tuple[int, bytes, Location], ...]:
    """
    Something seen; the same object for equal sights, since most draws look alike.
    """
    return ((viewers, cards, Location(name, seat)),)


@functools.lru_cache(maxsize=4096)
def in_order(cards: int) -> bytes:
    """
    The codes of cards that lay in no order, the lowest first.
    """
    return bytes(codes(cards))


# -------------------------------------------------------------------------- knowledge


def _learn(draft: Draft, seat: int, cards: int, viewers: int) -> None:
    """
    Note who, besides its holder, knows cards to be in a hand.
    """
    if viewers == EVERYBODY:
        seen = draft._seen
        draft._seen = replaced(seen, seat, seen[seat] + cards)
    else:
        draft._seen_by_some += ((seat, viewers, cards),)


def _learn_all(draft: Draft, seat: int, viewers: int) -> None:
    """
    Note who knows a whole hand.
    """
    held = draft._hands[seat]
    others = [
        (holder, mask & ~viewers if holder == seat else mask, cards)
        for holder, mask, cards in draft._seen_by_some
    ]
    draft._seen_by_some = tuple([one for one in others if one[1]])
    _learn(draft, seat, held - draft._seen[seat], viewers)


def _learn_some(draft: Draft, seat: int, cards: int, viewers: int) -> None:
    """
    Note who knows some cards of a hand, which may be those that they know already.
    """
    seen = draft._seen[seat]
    new = cards - common(cards, seen)
    if viewers == EVERYBODY:
        draft._seen_by_some = tuple(
            [
                (holder, mask, left)
                for holder, mask, known in draft._seen_by_some
                if (left := known - common(known, new) if holder == seat else known)
            ]
        )
        _learn(draft, seat, new, viewers)
        return
    for viewer in seats_of(viewers & ~(1 << seat)):
        known = [
            some
            for holder, mask, some in draft._seen_by_some
            if holder == seat and mask >> viewer & 1
        ]
        unknown = cards - common(cards, seen + sum(known))
        if unknown:
            _learn(draft, seat, unknown, 1 << viewer)


def _forget(draft: Draft, seat: int, cards: int, shown_to: int) -> None:
    """
    Note that cards left a hand: of those known to be there, those of the same face.

    Seats that do not see which ones go cannot know what is left.
    """
    seen = draft._seen
    if seen[seat]:
        gone = common(seen[seat], cards) if shown_to == EVERYBODY else seen[seat]
        if gone:
            draft._seen = replaced(seen, seat, seen[seat] - gone)
    if draft._seen_by_some:
        others = [one for one in draft._seen_by_some if one[0] != seat]
        here = [
            (seat, viewers & shown_to, known - common(known, cards))
            for holder, viewers, known in draft._seen_by_some
            if holder == seat
        ]
        left = [one for one in here if one[1] & ~(1 << seat) and one[2]]
        draft._seen_by_some = (*others, *left)


# --------------------------------------------------------------------------- zones


def zone_of(draft: State | Draft, location: Location) -> Zone:
    """
    A zone as it is; an empty one if nothing has lain there yet.
    """
    for zone in draft._zones:
        if (zone.name, zone.seat) == (location.name, location.seat):
            return zone
    return Zone(location.name, location.seat)


_BY_NAME: Final = operator.attrgetter("name", "seat")


def _set_zone(draft: Draft, zone: Zone) -> None:
    others = [
        one for one in draft._zones if (one.name, one.seat) != (zone.name, zone.seat)
    ]
    if zone._cards:
        others.append(zone)
    draft._zones = tuple(sorted(others, key=_BY_NAME))


def _out_of(pile: bytes, cards: int) -> tuple[bytes, bytes]:
    """
    Some cards of a pile, of equal ones the upper, and the others, both in their order.
    """
    top = pile[-1:]
    if top and UNIT[top[0]] == cards:
        return top, pile[:-1]
    number = size(cards)
    if pack(pile[-number:]) == cards:
        return pile[-number:], pile[:-number]
    taken, left = bytearray(), bytearray()
    for code in reversed(pile):
        if cards & FIELD[code]:
            cards -= UNIT[code]
            taken.append(code)
        else:
            left.append(code)
    return bytes(reversed(taken)), bytes(reversed(left))
