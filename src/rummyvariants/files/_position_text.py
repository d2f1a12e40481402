"""
Positions written out: melds with their layers, and a whole state in mid-round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs

from rummyvariants.cards import CARDS, RANKS, codes
from rummyvariants.errors import PositionError
from rummyvariants.game._engine.calls import callers
from rummyvariants.game._round import Column
from rummyvariants.game._state import Draft, State, seats_of
from rummyvariants.melds._meld import Meld


DRAWN: Final = {"stock": "stock", "discards": "take", "call": "rummy"}
"""The words for where the cards that a turn began with came from."""
PHASES: Final = ("draw", "play", "call", "discard", "offer", "layoff")


def layers(meld: Meld) -> list[tuple[int, list[str]]]:
    """
    Who laid which cards of a meld, the maker first; cards beside wilds last.

    Four cards that count twice stand before all others, since a position tells them so.
    """
    found: list[tuple[int, list[str]]] = [(meld.maker, [])]
    slots = sorted(meld.slots, key=lambda slot: not slot.twice)
    in_turn = meld.kind != "run" or any(slot.twice for slot in slots)
    for slot in slots:
        if found[-1][0] != slot.seat and in_turn:
            found.append((slot.seat, []))
        target = next(
            (cards for seat, cards in reversed(found) if seat == slot.seat), None
        )
        if target is None:
            target = []
            found.append((slot.seat, target))
        target.append(str(slot))
    for one in meld.beside:
        found.append((one.seat, [str(one.card)]))
    return [(seat, cards) for seat, cards in found if cards]


def meld_text(meld: Meld, names: Sequence[str]) -> str:
    """
    A meld as an entry of ``table``.
    """
    laid = layers(meld)
    parts = [
        f"{names[seat]}: {' '.join(cards)}{_ace_end(meld, cards)}"
        for seat, cards in laid
    ]
    if laid[0][0] != meld.maker:
        # A part split off from a meld of which the maker's cards are the other part.
        parts.insert(0, f"{names[meld.maker]}:")
    return " | ".join(parts)


def _ace_end(meld: Meld, cards: Sequence[str]) -> str:
    """
    The word for the end of an ace, where a run holds every rank.
    """
    if meld.kind != "run" or len(meld) != len(RANKS):
        return ""
    ends = {str(meld.slots[0]): " low", str(meld.slots[-1]): " high"}
    for slot, end in ends.items():
        rank = meld.slots[0] if end == " low" else meld.slots[-1]
        if (rank.stands_for or rank.card).rank == "A" and slot in cards:
            return end
    return ""


def seats_down(state: State | Draft) -> int:
    """
    Mask of the seats that have a card on the table, where that matters later.
    """
    mask = 0
    if state.match.rules.score.rummy == "nothing":
        return 0
    for meld in state._table:
        for one in meld.laid:
            mask |= 1 << one.seat
    if state.dealer_wild is not None:
        for slot in state.dealer_wild.slots[1:]:
            mask |= 1 << slot.seat
    return mask


def write_position(state: State) -> dict[str, Any]:
    """
    A state in mid-round as a ``[position]`` table.

    Raises:
        PositionError: If no round is being played.
    """
    if state.phase not in PHASES:
        msg = "a position is written in the middle of a round"
        raise PositionError(msg)
    names = state.players
    dealt = state.dealt
    table: dict[str, Any] = {
        "seats": list(names),
        "dealer": names[dealt.dealer],
        "turn": names[state.turn],
        "phase": state.phase,
    }
    if dealt.wild_rank:
        table["wild"] = dealt.wild_rank
    table["stock"] = " ".join(map(str, state.stock))
    table["discards"] = " ".join(map(str, state.discards))
    table["table"] = [meld_text(meld, names) for meld in state.table]
    table["hands"] = {
        name: " ".join(str(CARDS[code]) for code in codes(hand))
        for name, hand in zip(names, state._hands, strict=True)
    }
    table["scores"] = dict(zip(names, state.scores, strict=True))
    table["round"] = state.match.round_number
    table["turns_taken"] = dict(zip(names, state.turns, strict=True))
    table["idle_turns"] = state.idle
    if state.dealer_wild is not None:
        table["dealer_wild"] = dealers_wild_text(state.dealer_wild, names)
    if dealt.indicator is not None:
        table["indicator"] = str(dealt.indicator)
    if dealt.upcard is not None:
        table["upcard"] = str(dealt.upcard)
    if state.boxes:
        table["boxes"] = dict(zip(names, state.boxes, strict=True))
    if state.columns:
        table["columns"] = [_told_column(one, names) for one in state.columns]
    if state.floating:
        table["floating"] = [names[seat] for seat in state.floating]
    if state.out:
        table["out"] = [names[seat] for seat in state.out]
    frame = state.frames[-1]
    if frame.phase == "call":
        table["discarder"] = names[frame.seat]
        asked = callers(state, frame.seat) & ~frame.waiting
        if asked:
            table["passed"] = [names[seat] for seat in seats_of(asked)]
    elif frame.phase == "discard":
        table["caller"] = names[frame.seat]
    if state.drawn.cards:
        word = DRAWN[state.drawn.source]
        drawn = " ".join(str(CARDS[code]) for code in state.drawn.cards)
        table["drawn"] = f"{word} {drawn}"
        owed = " ".join(str(CARDS[duty.code]) for duty in state.drawn.duties)
        table["owed"] = owed
        table["laid"] = state.laid
        if state.drawn.melds:
            table["melds_made"] = state.drawn.melds
    return table | _seldom(state)


def _told_column(column: Column, names: Sequence[str]) -> dict[str, Any]:
    """
    A column of the score as an entry of ``columns``.
    """
    told: dict[str, Any] = {
        "scores": dict(zip(names, column.scores, strict=True)),
        "boxes": dict(zip(names, column.boxes, strict=True)),
    }
    if column.winners:
        told["winners"] = [names[seat] for seat in column.winners]
    return told


def _seldom(state: State) -> dict[str, Any]:
    """
    What few games ask for: who had laid a card before, and what was turned over.
    """
    table: dict[str, Any] = {}
    if state._down != seats_down(state):
        table["laid_before"] = [state.players[seat] for seat in seats_of(state._down)]
    if state.had_last_turn:
        names = state.players
        table["had_last_turn"] = [names[seat] for seat in state.had_last_turn]
    if state.doubled:
        table["doubled"] = list(state.doubled)
    if state.turned:
        table["turned"] = state.turned
    if not state.fresh:
        table["fresh"] = False
    if state._shuffle:
        table["shuffle"] = state._shuffle
    return table


def dealers_wild_text(meld: Meld, names: Sequence[str]) -> str:
    """
    The dealer's wild on the table as text, with what was built on it.
    """
    first = meld.slots[0]
    suited = first.stands_for is not None and first.stands_for.suit
    head = str(first if suited else first.card)
    rest = attrs.evolve(meld, slots=meld.slots[1:])
    if not rest.slots:
        return head
    parts = [f"{names[seat]}: {' '.join(cards)}" for seat, cards in layers(rest)]
    return " | ".join([head, *parts])
