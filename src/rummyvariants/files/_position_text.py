"""
Positions written out: melds with their layers, and a complete state in mid-round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import attrs

from rummyvariants.cards import RANKS, Card
from rummyvariants.errors import PositionError
from rummyvariants.files._documents import TableMeld, ZoneCards
from rummyvariants.files._reader import PHASES
from rummyvariants.files._slots import position_of
from rummyvariants.game._round import Column
from rummyvariants.game._state import State, seats_of
from rummyvariants.game.verbs._calling import callers
from rummyvariants.melds._meld import Meld
from rummyvariants.policies.facts import ASIDE
from rummyvariants.rules._ruleset import Ruleset


DRAWN: Final[Mapping[Literal["stock", "discards", "call", "rule"], str]] = {
    "stock": "stock",
    "discards": "take",
    "call": "rummy",
    "rule": "rule",
}
"""The words for the source of the cards that began a turn."""
FOR_ALL: Final = "everybody"
"""The word for those who see a card that all see, spectators too."""


def layers(meld: Meld) -> list[tuple[int, list[str]]]:
    """
    Who laid which cards of a meld, the maker first; cards beside wilds last.

    Four cards that count twice come first: that is how a position marks them.
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
        # A part split off from a meld whose other part has the maker's cards.
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


def laid_on(
    rules: Ruleset, table: Iterable[TableMeld], dealer_wild: TableMeld | None
) -> set[int]:
    """
    The seats that have a card on the table, where that matters later.
    """
    if not rules.score.asks_who_laid:
        return set()
    melds = [*table] if dealer_wild is None else [*table, dealer_wild]
    seats = {one.seat for meld in melds for one in meld.cards[not meld.number :]}
    return seats | {one.seat for meld in melds for one in meld.beside}


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
    given = position_of(state)
    drawn, frame = given.drawn, state.frames[-1]

    def text(cards: Iterable[Card]) -> str:
        return " ".join(map(str, cards))

    def named(seats: Iterable[int]) -> list[str]:
        return [names[seat] for seat in seats]

    def by_name(values: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(names, values, strict=True))

    had_laid = [seat for seat, one in enumerate(given.had_laid) if one]
    said = {*had_laid} != laid_on(given.rules, given.table, given.dealer_wild)
    table: dict[str, Any] = {
        "seats": list(names),
        "dealer": names[state.dealt.dealer],
        "turn": names[given.turn],
        "phase": given.phase,
        "wild": given.wild_rank or None,
        "stock": text(given.stock),
        "stock_seen_by": [
            FOR_ALL if seats is None else named(seats) for seats in given.stock_seen_by
        ]
        or None,
        "discards": text(given.discards),
        "table": [meld_text(meld, names) for meld in state.table],
        "hands": by_name([text(hand) for hand in given.hands]),
        "scores": by_name(given.scores),
        "round": given.round_number,
        "turns_taken": by_name(given.turns_taken),
        "idle_turns": given.idle_turns,
        "dealer_wild": state.dealer_wild
        and dealers_wild_text(state.dealer_wild, names),
        "indicator": given.indicator and str(given.indicator),
        "upcard": given.upcard and str(given.upcard),
        "boxes": by_name(given.boxes) if given.boxes else None,
        "paid": by_name(given.paid) if any(given.paid) else None,
        "columns": [_column(one, names) for one in given.columns] or None,
        "floating": named(given.floating) or None,
        "out": named(given.out) or None,
    }
    if frame.phase == "discard":
        table["caller"] = names[frame.seat]
    elif frame.phase == "buy":
        asked = named((*seats_of(frame.waiting), *frame.notes))
        declined = state.frames[0].phase == "stock"
        discarder = None if declined else names[frame.seat]
        table |= {"discarder": discarder, "asked": asked}
    elif frame.phase == "answer":
        table["asked"] = [names[frame.seat]]
    elif frame.phase == "call":
        passed = named(seats_of(callers(state, frame.seat) & ~frame.waiting))
        table |= {"discarder": names[frame.seat], "passed": passed or None}
    if drawn is not None and (drawn.cards or drawn.source == "rule"):
        table["drawn"] = f"{DRAWN[drawn.source]} {text(drawn.cards)}".strip()
        table["owed"] = text(one.card for one in drawn.duties)
        table["laid"] = given.laid
        table["melds_made"] = drawn.melds or None
    zones = _zones(given.zones, names)
    table |= {
        "laid_before": named(had_laid) if said else None,
        "had_last_turn": named(given.had_last_turn) or None,
        "dropped": {names[one.seat]: one.points for one in given.dropped} or None,
        "doubled": [one.number for one in given.table if one.doubled] or None,
        "turned": given.turned or None,
        "fresh": None if given.fresh else False,
        "shuffle": given.shuffle or None,
        "partial": given.partial or None,
        "red_threes": zones.pop(ASIDE, None),
        "zones": zones or None,
        "memory": _told(given.memory) or None,
    }
    if frame.phase == "play":
        table["discards_made"] = frame.discards_made or None
        table["answered"] = frame.answer or None
    return {key: value for key, value in table.items() if value is not None}


def _zones(zones: Iterable[ZoneCards], names: Sequence[str]) -> dict[str, Any]:
    """
    The zones by name: their cards, or their cards by seat.

    Raises:
        PositionError: If a zone belongs both to a seat and to nobody.
    """
    found: dict[str, Any] = {}
    for zone in zones:
        cards = " ".join(map(str, zone.cards or ()))
        if zone.owner is None:
            found[zone.name] = cards
        elif isinstance(found.setdefault(zone.name, {}), dict):
            found[zone.name][names[zone.owner]] = cards
        else:
            msg = f"the zone {zone.name!r} belongs both to nobody and to a seat"
            raise PositionError(msg)
    return found


def _told(value: Any) -> Any:
    """
    A remembered value as a file has it, with ``{}`` for nothing.
    """
    if isinstance(value, Mapping):
        return {name: _told(one) for name, one in value.items()}
    if isinstance(value, tuple):
        return [*map(_told, value)]
    return {} if value is None else value


def _column(column: Column, names: Sequence[str]) -> dict[str, Any]:
    """
    A column of the score as an entry of ``columns``.
    """
    table: dict[str, Any] = {
        "scores": dict(zip(names, column.scores, strict=True)),
        "boxes": dict(zip(names, column.boxes, strict=True)),
    }
    if column.winners:
        table["winners"] = [names[seat] for seat in column.winners]
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
