"""
Documents: positions, views, records and actions as plain values, key by key.

Each class is an object of the schema in ``data/schema.json``; a test checks that they
have the same keys. A key without a default is required. A position is the same
`PositionDocument` in JSON, in a scenario file and in Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import attrs

from rummyvariants.cards import CARDS, Card
from rummyvariants.game._round import BETWEEN_ROUNDS, Column, RoundResult, ScoreItem
from rummyvariants.game.actions import Action
from rummyvariants.melds._meld import Place
from rummyvariants.rules._ruleset import Ruleset


FORMAT: Final = 3
"""The version of the documents' format; `_formats` reads the previous ones."""

Format = Literal[1, 2, 3]
Seed = int | str | None
Remembered = Mapping[str, Any]
"""What house rules remember, by section and name."""


@attrs.frozen(kw_only=True)
class TableCard:
    """
    A card of a meld, the card it represents, and the seat that laid it.
    """

    card: Card
    stands_for: Place | None
    seat: int


@attrs.frozen(kw_only=True)
class BesideCard:
    """
    A real card beside the wild that represents it.
    """

    index: int
    card: Card
    seat: int


@attrs.frozen(kw_only=True)
class TableMeld:
    """
    A meld on the table.
    """

    number: int
    kind: str
    maker: int
    cards: tuple[TableCard, ...]
    beside: tuple[BesideCard, ...]
    doubled: tuple[int, ...] = ()


@attrs.frozen(kw_only=True)
class OwedCard:
    """
    A card that was drawn on condition.
    """

    card: Card
    how: str
    value: str


@attrs.frozen(kw_only=True)
class DrawnCards:
    """
    What the player in turn drew, and the changes of that hand since.
    """

    source: Literal["stock", "discards", "call", "rule"]
    cards: tuple[Card, ...]
    spent: tuple[Card, ...]
    gained: tuple[Card, ...]
    duties: tuple[OwedCard, ...]
    melds: int
    number: int | None = None


@attrs.frozen(kw_only=True)
class OpenFrame:
    """
    A phase in progress, as every player knows it.
    """

    phase: str
    seat: int
    waiting: tuple[int, ...]
    notes: tuple[int, ...] = ()
    secrets: tuple[int, ...] = ()


@attrs.frozen(kw_only=True)
class ZoneCards:
    """
    Cards in a zone of their own; null if they are not known.
    """

    name: str
    owner: int | None
    size: int
    cards: tuple[Card, ...] | None
    seen_by: tuple[int, ...] | None


@attrs.frozen(kw_only=True)
class DroppedSeat:
    """
    A seat that has left the round, what that costs, and the value that says so.
    """

    seat: int
    points: int
    by: str


@attrs.frozen(kw_only=True)
class SeenCards:
    """
    Cards that some seats saw as they moved; null for every seat.
    """

    cards: tuple[Card, ...]
    to: str
    owner: int | None
    seen_by: tuple[int, ...] | None


@attrs.frozen(kw_only=True)
class KnownCards:
    """
    Cards that some other seats know to be in a hand.
    """

    seat: int
    cards: tuple[Card, ...]
    seen_by: tuple[int, ...]


@attrs.frozen(kw_only=True)
class TableDocument:
    """
    What is open to all, in views and positions alike.
    """

    rules: Ruleset
    players: tuple[str, ...]
    scores: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...] = ()
    boxes: tuple[int, ...] = ()
    paid: tuple[int, ...] = ()
    bonuses: tuple[ScoreItem, ...] = ()
    columns: tuple[Column, ...] = ()
    round_number: int
    winners: tuple[int, ...]
    phase: str
    turn: int
    frames: tuple[OpenFrame, ...]
    dealer: int | None
    next_dealer: int | None
    thrown_in: int
    redeals: int
    wild_rank: str
    indicator: Card | None
    upcard: Card | None = None
    upcards: tuple[tuple[Card, ...], ...]
    shown: tuple[tuple[Card, ...], ...]
    discards: tuple[Card, ...]
    table: tuple[TableMeld, ...]
    dealer_wild: TableMeld | None
    has_meld: tuple[bool, ...]
    floating: tuple[int, ...]
    out: tuple[int, ...]
    drawn: DrawnCards | None
    laid: bool
    idle_turns: int
    turns_taken: tuple[int, ...]
    turned: int
    fresh: bool
    had_laid: tuple[bool, ...]
    had_last_turn: tuple[int, ...] = ()
    dropped: tuple[DroppedSeat, ...] = ()
    partial: bool = False
    zones: tuple[ZoneCards, ...] = ()
    memory: Remembered = attrs.field(factory=dict)
    known_by_some: tuple[KnownCards, ...] = ()
    actions: tuple[Action, ...]
    sights: tuple[tuple[SeenCards, ...], ...] = ()
    result: RoundResult | None

    @property
    def is_round_over(self) -> bool:
        """
        Whether a round is over and the next one is not dealt yet.
        """
        return self.phase in BETWEEN_ROUNDS and self.result is not None

    @property
    def shows_hands(self) -> bool:
        """
        Whether a round is over and the hands were counted in front of everybody.
        """
        result = self.result
        return result is not None and self.is_round_over and result.shows_hands

    @property
    def no_cards(self) -> bool:
        """
        Whether no cards are dealt: before the first deal, or after one thrown in.
        """
        return self.phase == "deal" and self.result is None

    @property
    def upcard_asked(self) -> Card | None:
        """
        The card whose holder chooses the hand size; it lies nowhere else.
        """
        for frame in self.frames:
            if frame.phase == "choose" and frame.notes:
                return CARDS[frame.notes[0] % len(CARDS)]
        return None

    @property
    def melds(self) -> tuple[TableMeld, ...]:
        """
        The melds of the table, the dealer's wild among them.
        """
        return self.table + (() if self.dealer_wild is None else (self.dealer_wild,))


@attrs.frozen(kw_only=True)
class ViewDocument(TableDocument):
    """
    A view: what is open to all, and what the seat knows besides.
    """

    format: Format
    seat: int | None
    to_act: tuple[int, ...]
    hand: tuple[Card, ...]
    known: tuple[tuple[Card, ...], ...]
    hand_sizes: tuple[int, ...]
    stock_size: int
    known_stock: tuple[Card | None, ...] = ()
    left_out: tuple[Card, ...]
    legal_actions: tuple[str, ...]
    legal_next: int | None


@attrs.frozen(kw_only=True)
class PositionDocument(TableDocument):
    """
    A complete state, slot by slot.
    """

    seed: Seed
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    stock_seen_by: tuple[tuple[int, ...] | None, ...] = ()
    shuffle: int


@attrs.frozen(kw_only=True)
class RoundDocument:
    """
    A round of a record.
    """

    actions: tuple[str, ...]
    comment: str = ""


@attrs.frozen(kw_only=True)
class RecordDocument:
    """
    A record, key by key as in its TOML file.
    """

    format: Format
    notes: str = ""
    rules: Ruleset
    version: str = ""
    players: tuple[str, ...]
    seed: Seed = None
    round: tuple[RoundDocument, ...]


@attrs.frozen(kw_only=True)
class StateDocument:
    """
    A state: the record that leads to it, or its position.
    """

    format: Format
    record: RecordDocument | None = None
    first_dealer: int | None = None
    position: PositionDocument | None = None


@attrs.frozen(kw_only=True)
class ActionDocument:
    """
    An action in the notation, and its seat.
    """

    format: Format = FORMAT
    seat: int | None
    action: str
