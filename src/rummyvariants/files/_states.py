"""
States made of documents. Nothing is checked here; `_checks` does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rummyvariants.actions import Deal
from rummyvariants.cards import Card, pack
from rummyvariants.files._documents import PositionDocument, TableDocument
from rummyvariants.files._facts import SeenCards, ZoneCards
from rummyvariants.game import _asking as asking
from rummyvariants.game._round import (
    NOTHING_DRAWN,
    Column,
    Dealt,
    Drawn,
    Frame,
    History,
    Match,
    Zone,
)
from rummyvariants.game._state import LAST_TURN, State
from rummyvariants.house.facts import DROPPED, LAID_BEFORE, Location
from rummyvariants.melds._meld import Meld
from rummyvariants.policies import Duty


def open_state(
    given: TableDocument,
    columns: tuple[Column, ...],
    dealt: Dealt,
    table: Sequence[Meld],
    dealer_wild: Meld | None,
) -> State:
    """
    The state of a document without its hands, its stock and the cards drawn.

    Args:
        given: The document.
        columns: The columns of its score.
        dealt: What its deal settled.
        table: Its melds.
        dealer_wild: Its meld 0.
    """
    seats = len(given.seats)
    boxes = given.boxes
    if not boxes and given.rules.match.counts_boxes:
        boxes = (0,) * seats
    result = given.result
    makers = {one.maker for one in given.melds if one.kind != "wild"}
    sides = given.rules.match.sides_of(seats)
    memory = dict(given.memory)
    for name, noted in (
        (LAID_BEFORE, given.laid_before),
        (LAST_TURN, given.had_last_turn),
    ):
        if noted:
            memory[name] = _mask(noted)
    if given.dropped:
        memory[DROPPED] = tuple((one.seat, one.points, one.by) for one in given.dropped)
    return State(
        Match(
            given.rules,
            given.seats,
            None,
            given.scores,
            given.round + given.is_round_over,
            given.next_dealer,
            given.thrown_in,
            given.winners,
            boxes,
            given.bonuses,
            columns,
            given.paid if any(given.paid) else (),
        ),
        dealt,
        tuple(
            Frame(one.phase, one.seat, _mask(one.waiting), one.notes, one.secrets)
            for one in given.frames
        ),
        (0,) * seats,
        b"",
        codes_of(given.discards),
        tuple(table),
        dealer_wild,
        _mask(one for side in sides if makers & {*side} for one in side),
        laid=given.laid,
        idle=given.idle_turns,
        turns=given.turns_taken,
        floating=_mask(given.floating),
        out=given.out,
        result=None if result is None else attrs.evolve(result, players=given.seats),
        turned=given.turned,
        fresh=given.fresh,
        from_position=True,
        seen=tuple(map(cards_bits, given.shown)),
        seen_by_some=tuple(
            (one.seat, _mask(one.seen_by), cards_bits(one.cards))
            for one in given.known_by_some
        ),
        zones=tuple(sorted(map(_zone, given.zones), key=_by_name)),
        memory=asking.only_news(given.rules, memory),
    )


def _zone(given: ZoneCards) -> Zone:
    # Unknown cards are filled in from the world of a view.
    cards = bytes(given.size) if given.cards is None else codes_of(given.cards)
    return Zone(given.name, given.owner, cards, seen_mask(given.seen_by))


def _by_name(zone: Zone) -> tuple[str, int]:
    return zone.name, zone.seat


def history_of(given: TableDocument) -> History:
    """
    The actions and sights since the beginning of a document.
    """
    sights = given.sights or ((),) * (len(given.actions) + 1)
    past = History()
    past._seen = _seen(sights[0])
    for action, seen in zip(given.actions, sights[1:], strict=True):
        # No record is ever written from it, so it need not separate the rounds.
        past = History(past, action, isinstance(action, Deal))
        past._seen = _seen(seen)
    return past


def _seen(sights: tuple[SeenCards, ...]) -> tuple[tuple[int, bytes, Location], ...]:
    return tuple(
        (
            seen_mask(one.seen_by),
            codes_of(one.cards),
            Location(one.to, one.owner),
        )
        for one in sights
    )


def seen_mask(seats: tuple[int, ...] | None) -> int:
    """
    The mask of seats that saw something; None is every seat.
    """
    return -1 if seats is None else _mask(seats)


def whole_state(table: State, given: PositionDocument, drawn: Drawn) -> State:
    """
    A complete state.

    Args:
        table: The state that `open_state` made from the document.
        given: The document.
        drawn: What was drawn.
    """
    return attrs.evolve(
        table,
        match=attrs.evolve(table.match, seed=given.seed),
        hands=tuple(map(cards_bits, given.hands)),
        stock=codes_of(given.stock),
        drawn=drawn,
        shuffle=given.shuffle,
        history=history_of(given),
        seen=table._seen,
        seen_by_some=table._seen_by_some,
        stock_seen=tuple(map(seen_mask, given.stock_seen_by)),
    )


def drawn_of(given: TableDocument, hand: int) -> Drawn:
    """
    What the player in turn drew.

    Args:
        given: The document.
        hand: The hand of the player in turn as a multiset; 0 if it is not known.
    """
    drawn = given.drawn
    if drawn is None:
        return NOTHING_DRAWN
    cards = codes_of(drawn.cards)
    held = cards_bits(drawn.spent) - cards_bits(drawn.gained) - pack(cards) + hand
    duties = tuple(Duty(one.card.code, one.how, one.value) for one in given.owed)
    return Drawn(drawn.source, cards, held, duties, given.melds_made, drawn.number)


def codes_of(cards: Iterable[Card]) -> bytes:
    """
    Cards as the state holds them in a pile.
    """
    return bytes(card.code for card in cards)


def cards_bits(cards: Iterable[Card]) -> int:
    """
    Cards as the state holds them in a hand.
    """
    return pack(card.code for card in cards)


def _mask(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)
