"""
States and views as documents, slot by slot.
"""

from __future__ import annotations

import itertools

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

import attrs

from rummyvariants._support.words import figure
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import PositionError, RulesError
from rummyvariants.files import _forms as forms
from rummyvariants.files._checks import PHASES, Checks, read_document, sorted_cards
from rummyvariants.files._documents import (
    PositionDocument,
    Shown,
    TableDocument,
    ViewDocument,
    slots_of,
)
from rummyvariants.files._forms import Fields, Form, Names, Reading, Schema
from rummyvariants.files._problems import Problems, joined
from rummyvariants.files._records import RECORD, Record, ReplayError, record, replay
from rummyvariants.files._states import history_of
from rummyvariants.files.json._problems import JsonError
from rummyvariants.game._engine.beginning import begin
from rummyvariants.game._state import State
from rummyvariants.game._views import View
from rummyvariants.game._worlds import world_with


T = TypeVar("T", bound=TableDocument)


class Slots(Fields[T]):
    """
    A document by its slots.
    """

    def told(self, shown: Shown, *, every: bool) -> dict[str, Any]:
        """
        A state as somebody sees it, as data.

        Args:
            shown: The state.
            every: Whether slots are written that hold their default.

        Raises:
            JsonError: If the cards drawn do not go with the hand.
        """
        found = {}
        try:
            for key, (slot, default) in slots_of(self.shape).items():
                value = slot.of(shown)
                if every or value != default:
                    found[key] = slot.form.write(value)
        except PositionError as error:
            raise JsonError([("drawn", str(error))]) from None
        return found


# ---------------------------------------------------------------------------- states


class _StateForm(Form[State]):
    """
    A state: its position, or the record that leads to it.
    """

    name = "state"
    _slots: Final = Slots(PositionDocument, counted="seats")

    def write(self, value: State, names: Names = None) -> Any:
        return self._slots.told(Shown(value), every=False)

    def with_record(self, state: State) -> dict[str, Any]:
        """
        A state as the record that leads to it.

        Raises:
            RecordError: If the game began from a position.
        """
        found: dict[str, Any] = {"record": RECORD.write(record(state))}
        if state.dealer is None and state.match.next_dealer >= 0:
            found["first_dealer"] = state.match.next_dealer
        return found

    def read(self, given: object, path: str, at: Reading) -> State:
        if isinstance(given, Mapping) and "record" in given:
            return self._replayed(given, path, at)
        found: PositionDocument | None = self._slots.read(given, path, at)
        if found is None:
            return self.nothing  # type: ignore[no-any-return]
        return read_document(found, at.problems)

    def _replayed(self, given: Mapping[str, Any], path: str, at: Reading) -> State:
        nothing: State = self.nothing
        noted = len(at.problems.found)
        forms.unknown_keys(given, ("record", "first_dealer"), path, at)
        found: Record = RECORD.read(given["record"], joined(path, "record"), at)
        dealer = forms.SEAT_OR_NONE.read(
            given.get("first_dealer"), joined(path, "first_dealer"), at
        )
        if len(at.problems.found) > noted:
            return nothing
        try:
            if dealer is None:
                return replay(found)
            if not found.actions:
                return begin(found.rules, found.players, seed=found.seed, dealer=dealer)
            message = "it goes with a record that holds no deal yet"
            at.wrong(joined(path, "first_dealer"), message)
        except RulesError as error:
            for message in error.problems:
                at.wrong(joined(path, "first_dealer"), message)
        except ReplayError as error:
            at.wrong(joined(path, "record"), str(error))
        return nothing

    def schema(self, defs: dict[str, Schema]) -> Schema:
        what = "A state: its position, or the record that leads to it."
        position = self._slots.schema(defs)
        replayed = forms.closed(
            "A game by its record.",
            {
                "record": RECORD.described(defs),
                "first_dealer": forms.SEAT_OR_NONE.described(defs),
            },
            ["record"],
        )
        return {"description": what, "oneOf": [position, replayed]}


STATE: Final = _StateForm()


# ----------------------------------------------------------------------------- views


class _ViewForm(Slots[Any]):
    """
    A view.
    """

    def write(self, value: View, names: Names = None) -> Any:
        return self.with_legal(value, 0)

    def with_legal(self, view: View, legal: int) -> dict[str, Any]:
        """
        A view with the first of its legal actions.

        Args:
            view: The view.
            legal: The most legal actions to list.

        Raises:
            JsonError: If it holds cards that are not in the deck of its game.
        """
        shown = Shown(view.world, view.seat, view)
        found = self.told(shown, every=True)
        found["left_out"] = [*map(str, _left_out(view))]
        if not legal:
            more = view.seat is not None and view.seat in view.to_act
            return found | {"legal_next": 0 if more else None}
        page = view.legal_actions.page(size=legal)
        texts = [one.text for one in page.actions]
        return found | {"legal_actions": texts, "legal_next": page.next}

    def read(self, given: object, path: str, at: Reading) -> View:
        found: ViewDocument | None = super().read(given, path, at)
        if found is None:
            return self.nothing  # type: ignore[no-any-return]
        return view_of(found, at.problems)


VIEW: Final = _ViewForm(ViewDocument, "view", counted="seats")


def _left_out(view: View) -> tuple[Card, ...]:
    """
    The cards of the deck that lie nowhere in the game of a view.
    """
    slots = slots_of(ViewDocument)
    shown = Shown(view.world, view.seat, view)
    document = ViewDocument(**{key: slot.of(shown) for key, (slot, _) in slots.items()})
    checks = Checks(document, Problems(JsonError))
    left = checks.left(*_known(document))
    left.subtract(card.code for card in view.unseen)
    if checks.problems.found or any(number < 0 for number in left.values()):
        message = "it holds cards that are not in the deck of its game"
        raise JsonError(message)
    return sorted_cards(left)


def view_of(given: ViewDocument, problems: Problems) -> View:
    """
    The view that a document describes.

    Raises:
        RummyError: The error of the problems, with all of them, if there is no such
            view.
    """
    checks = Checks(given, problems)
    checks.check()
    problems.done()
    table = checks.state()
    checks.hand_sizes("hand_sizes", given.hand_sizes)
    _knowledge(checks, given)
    unseen = checks.left(*_known(given), ("left_out", given.left_out))
    hidden = given.stock_size - sum(card is not None for card in given.known_stock)
    hidden += sum(zone.size for zone in given.zones if zone.cards is None)
    hidden += sum(given.hand_sizes) - sum(map(len, given.known))
    if hidden != unseen.total():
        message = (
            f"the hands and the stock hold {figure(hidden, 'unseen card')} by their "
            f"sizes, but the deck leaves {unseen.total()}"
        )
        checks.wrong("stock_size", message)
    problems.done()
    own = given.seat == given.turn
    known = [Cards(cards) for cards in given.known]
    drawn = checks.drawn(known[given.turn].bits if own else 0, own=own)
    spent = 0 if given.drawn is None else len(given.drawn.spent)
    if (drawn.number or 0) > given.hand_sizes[given.turn] + spent:
        checks.wrong("drawn.number", "so many were not in the hand after the draw")
    if given.phase in PHASES:
        bits = [cards.bits for cards in known]
        checks.invariants(table, bits, given.hand_sizes)
    problems.done()
    stock = [0 if card is None else card.code for card in given.known_stock]
    mask = -1 if given.seat is None else 1 << given.seat
    table = attrs.evolve(
        table,
        stock=bytes(stock).ljust(given.stock_size, bytes(1)),
        stock_seen=tuple(0 if card is None else mask for card in given.known_stock),
    )
    world = world_with(
        table,
        given.seat,
        known,
        given.hand_sizes,
        sorted(unseen.elements()),
        drawn,
        history_of(given),
    )
    return View(given.seat, tuple(known), given.known_stock, world)


def _known(given: ViewDocument) -> tuple[tuple[str, Iterable[Card]], ...]:
    """
    The cards known to be in places where others are hidden.
    """
    stock = [card for card in given.known_stock if card is not None]
    return (
        ("known", itertools.chain.from_iterable(given.known)),
        ("known_stock", stock),
    )


def _knowledge(checks: Checks, given: ViewDocument) -> None:
    """
    Note sizes that do not go with what is known, and knowledge that nothing explains.
    """
    for at, zone in enumerate(given.zones):
        seen = zone.seen_by is None or given.seat in zone.seen_by
        if seen != (zone.cards is not None):
            message = "name the cards if, and only if, the seat has seen them"
            checks.wrong(f"zones[{at}].cards", message)
    if len(given.known_stock) > given.stock_size:
        number = figure(given.stock_size, "card")
        message = f"the stock holds {number}, not {len(given.known_stock)}"
        checks.wrong("known_stock", message)
    for at, (known, shown) in enumerate(zip(given.known, given.shown, strict=True)):
        mine = given.shows_hands or at == given.seat
        some = [one.cards for one in given.known_by_some if one.seat == at]
        explained = Counter((*shown, *itertools.chain.from_iterable(some)))
        if mine and not Cards(shown) <= Cards(known):
            message = "cards were shown that are not known to be in the hand"
            checks.wrong(f"shown[{at}]", message)
        elif not mine and Counter(known) != explained:
            message = "exactly the cards shown of another hand are known"
            checks.wrong(f"known[{at}]", message)
        if mine and len(known) != given.hand_sizes[at]:
            checks.wrong(f"hand_sizes[{at}]", "a seat knows its whole hand")
        elif len(known) > given.hand_sizes[at]:
            number = figure(len(known), "card")
            message = f"{number} known to be there, so it is not {given.hand_sizes[at]}"
            checks.wrong(f"hand_sizes[{at}]", message)
