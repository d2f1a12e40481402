"""
Documents and states, slot by slot: the only place that converts between them.

Nothing is checked here; `_reader` does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import attrs

from rummyvariants.cards import CARDS, COPIES, Card, as_cards, differences, pack, size
from rummyvariants.errors import PositionError
from rummyvariants.files._documents import (
    BesideCard,
    DrawnCards,
    DroppedSeat,
    KnownCards,
    OpenFrame,
    OwedCard,
    PositionDocument,
    SeenCards,
    TableCard,
    TableDocument,
    TableMeld,
    ZoneCards,
)
from rummyvariants.files._invariants import is_partial
from rummyvariants.game import _asking as asking
from rummyvariants.game._round import (
    Column,
    Dealt,
    Drawn,
    Frame,
    History,
    Location,
    Match,
    Zone,
    knows,
)
from rummyvariants.game._state import (
    LAST_TURN,
    State,
    seats_of,
)
from rummyvariants.game.actions import Action, Deal
from rummyvariants.melds._meld import Meld
from rummyvariants.policies import Duty
from rummyvariants.policies.facts import DROPPED, LAID_BEFORE, left_round


_SAME: Final = (
    *("rules", "players", "scores", "boxes", "paid", "bonuses", "columns"),
    "round_number",
    *("winners", "phase", "turn", "dealer", "wild_rank", "discards", "floating", "out"),
    *("laid", "turned", "fresh", "had_last_turn", "result"),
)
"""The slots with the same name and value in states and documents."""


WHOLE: Final = -1
"""The seat that sees everything."""


# ------------------------------------------------------------------------ to documents


def position_of(state: State) -> PositionDocument:
    """
    A complete state as a document.

    Raises:
        PositionError: If the cards drawn do not go with the hand.
    """
    return PositionDocument(
        **open_slots(state, state.history, state._hands[state.turn]),
        seed=state.match.seed,
        hands=tuple(tuple(cards) for cards in state.hands),
        stock=state.stock,
        stock_seen_by=tuple(map(_mask_slots, state._stock_seen)),
        shuffle=state._shuffle,
    )


def open_slots(
    state: State, actions: tuple[Action, ...], hand: int, seat: int | None = WHOLE
) -> dict[str, Any]:
    """
    The slots of a document that views and positions share.

    Args:
        state: A state, or the world of a view.
        actions: The players' actions.
        hand: The hand of the player in turn as a multiset, if it is not secret; else 0.
        seat: The seat of the view; None for a spectator's.

    Raises:
        PositionError: If the cards drawn do not go with the hand.
    """
    match, dealt = state.match, state.dealt
    seats = range(len(match.players))
    return {
        **{name: getattr(state, name) for name in _SAME},
        "sides": state.sides if len(state.sides) < len(match.players) else (),
        "next_dealer": None if match.next_dealer < 0 else match.next_dealer,
        "thrown_in": match.thrown_in,
        "redeals": dealt.redeals,
        "indicator": dealt.indicator,
        "upcard": dealt.upcard,
        "upcards": dealt.upcards,
        "shown": tuple(tuple(cards) for cards in state.seen_in_hands),
        "table": tuple(meld_slots(meld, at) for at, meld in enumerate(state.table, 1)),
        "dealer_wild": meld_slots(state.dealer_wild, 0) if state.dealer_wild else None,
        "has_meld": tuple(map(state.has_meld, seats)),
        "had_laid": tuple(map(state.had_laid, seats)),
        "drawn": _drawn_slots(state.drawn, hand),
        "idle_turns": state.idle,
        "turns_taken": state.turns,
        "frames": tuple(
            OpenFrame(
                phase=frame.phase,
                seat=frame.seat,
                waiting=seats_of(frame.waiting),
                notes=frame.notes,
                secrets=frame.secrets,
            )
            for frame in state.frames
        ),
        "partial": is_partial(
            state, [*map(size, state._hands)], has_drawn=bool(state.drawn.source)
        ),
        "zones": tuple(_zone_slots(zone, seat) for zone in state.zones),
        "memory": state.memory,
        "dropped": tuple(
            DroppedSeat(seat=seat, points=points, by=by)
            for seat, points, by in left_round(state)
        ),
        "known_by_some": tuple(
            KnownCards(
                seat=holder, cards=tuple(as_cards(cards)), seen_by=seats_of(mask)
            )
            for holder, mask, cards in state._seen_by_some
        ),
        "actions": actions,
        "sights": _sights(state._history),
    }


def meld_slots(meld: Meld, number: int) -> TableMeld:
    """
    A meld as a document holds it.
    """
    return TableMeld(
        number=number,
        kind=meld.kind,
        maker=meld.maker,
        cards=tuple(
            TableCard(card=one.card, stands_for=one.stands_for, seat=one.seat)
            for one in meld.slots
        ),
        beside=tuple(
            BesideCard(index=one.index, card=one.card, seat=one.seat)
            for one in meld.beside
        ),
        doubled=tuple(at for at, one in enumerate(meld.slots) if one.twice),
    )


def _zone_slots(zone: Zone, seat: int | None) -> ZoneCards:
    known = seat == WHOLE or knows(zone._seen, seat)
    return ZoneCards(
        name=zone.name,
        owner=_owner(zone.seat),
        size=len(zone.cards),
        cards=zone.cards if known else None,
        seen_by=_mask_slots(zone._seen),
    )


def _owner(seat: int) -> int | None:
    return None if seat < 0 else seat


def _seat(owner: int | None) -> int:
    return -1 if owner is None else owner


def _mask_slots(mask: int) -> tuple[int, ...] | None:
    return None if mask < 0 else seats_of(mask)


def _sights(past: History) -> tuple[tuple[SeenCards, ...], ...]:
    """
    What seats saw at each step, the deal first; empty if there was nothing to see.
    """
    found = [
        tuple(
            SeenCards(
                cards=tuple(CARDS[code] for code in cards),
                to=there.name,
                owner=_owner(there.seat),
                seen_by=_mask_slots(mask),
            )
            for mask, cards, there in node._seen
        )
        for node in (past.start, *past.nodes())
    ]
    return tuple(found) if any(found) else ()


def _drawn_slots(drawn: Drawn, hand: int) -> DrawnCards | None:
    if not drawn.source:
        return None
    spent, gained = over_and_lacking(drawn.held + pack(drawn._cards) - hand)
    return DrawnCards(
        source=drawn.source,
        cards=drawn.cards,
        spent=spent,
        gained=gained,
        duties=tuple(
            OwedCard(card=CARDS[one.code], how=one.how, value=one.path)
            for one in drawn.duties
        ),
        melds=drawn.melds,
        number=drawn.number,
    )


def over_and_lacking(difference: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """
    The difference of two multisets: the cards left over, and the cards missing.

    Raises:
        PositionError: If it is not such a difference.
    """
    over: list[Card] = []
    lack: list[Card] = []
    for code, number in differences(difference):
        if not CARDS[code].rank or abs(number) > COPIES[code]:
            msg = "the hand before the draw does not follow from the hand now"
            raise PositionError(msg)
        (over if number > 0 else lack).extend([CARDS[code]] * abs(number))
    return tuple(over), tuple(lack)


# --------------------------------------------------------------------------- to states


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
    seats = len(given.players)
    boxes = given.boxes
    if not boxes and given.rules.match.counts_boxes:
        boxes = (0,) * seats
    result = given.result
    memory = _kept(given.memory)
    laid_before = [seat for seat, one in enumerate(given.had_laid) if one]
    for name, noted in (
        (LAID_BEFORE, laid_before),
        (LAST_TURN, given.had_last_turn),
    ):
        if noted:
            memory[name] = _mask(noted)
    if given.dropped:
        memory[DROPPED] = tuple((one.seat, one.points, one.by) for one in given.dropped)
    return State(
        Match(
            given.rules,
            given.players,
            None,
            given.scores,
            given.round_number + given.is_round_over,
            -1 if given.next_dealer is None else given.next_dealer,
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
        _mask(at for at, one in enumerate(given.has_meld) if one),
        laid=given.laid,
        idle=given.idle_turns,
        turns=given.turns_taken,
        floating=_mask(given.floating),
        out=given.out,
        result=None if result is None else attrs.evolve(result, players=given.players),
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
    return Zone(given.name, _seat(given.owner), cards, seen_mask(given.seen_by))


def _by_name(zone: Zone) -> tuple[str, int]:
    return zone.name, zone.seat


def _kept(value: Any) -> Any:
    """
    A remembered value as a state holds it: lists are tuples.
    """
    if isinstance(value, Mapping):
        return {name: _kept(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return tuple(map(_kept, value))
    return value


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
            Location(one.to, _seat(one.owner)),
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


def drawn_of(given: DrawnCards, hand: int) -> Drawn:
    """
    What the player in turn drew.

    Args:
        given: Its document.
        hand: The hand of the player in turn as a multiset; 0 if it is not known.
    """
    cards = codes_of(given.cards)
    held = cards_bits(given.spent) - cards_bits(given.gained) - pack(cards) + hand
    duties = tuple(Duty(one.card.code, one.how, one.value) for one in given.duties)
    return Drawn(given.source, cards, held, duties, given.melds, given.number)


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
