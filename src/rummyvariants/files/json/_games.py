"""
States and records as documents; those of states hold every secret of the game.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rummyvariants.errors import PositionError, RulesError, RummyError
from rummyvariants.files._documents import (
    FORMAT,
    PositionDocument,
    RecordDocument,
    RoundDocument,
    StateDocument,
)
from rummyvariants.files._problems import Place, Problems, joined
from rummyvariants.files._reader import read_document
from rummyvariants.files._records import (
    Record,
    ReplayError,
    action_line,
    read_record,
    record,
    replay,
)
from rummyvariants.files._slots import position_of
from rummyvariants.files.json._problems import JsonError
from rummyvariants.game._engine.beginning import begin
from rummyvariants.game._state import State


# --------------------------------------------------------------------------- records


def record_document(given: Record) -> RecordDocument:
    """
    The document of a record.
    """
    return RecordDocument(
        format=FORMAT,
        notes=given.notes,
        rules=given.rules,
        version=given.rules.fingerprint,
        players=given.players,
        seed=given.seed,
        round=tuple(
            RoundDocument(
                actions=tuple(map(action_line, entry.actions)),
                comment=entry.comment,
            )
            for entry in given.rounds
        ),
    )


def record_of(given: RecordDocument) -> Record:
    """
    The record that a document describes; whether its actions are legal is not checked.

    Raises:
        JsonError: With every problem, if it is not a record.
    """
    return read_record(given, Problems(JsonError))


# ---------------------------------------------------------------------------- states


def state_document(state: State) -> StateDocument:
    """
    The document of a state: its record if that leads to it, else its position.

    Raises:
        JsonError: If neither describes the state exactly.
    """
    if not state.from_position:
        first = None
        if state.dealer is None and state.match.next_dealer >= 0:
            first = state.match.next_dealer
        document = StateDocument(
            format=FORMAT, record=record_document(record(state)), first_dealer=first
        )
        if _is_exact(document, state):
            return document
    try:
        document = StateDocument(format=FORMAT, position=position_of(state))
    except PositionError as error:
        raise JsonError([("drawn", str(error))]) from None
    try:
        again = state_of(document)
    except JsonError as error:
        message = "the state cannot be written, because it could not be read back"
        found = [(path, f"{message}: {problem}") for path, problem in error.places]
        raise JsonError(found) from None
    if again != state:
        raise JsonError(
            [
                (field.name, "it cannot be written exactly")
                for field in attrs.fields(State)
                if field.eq and getattr(again, field.name) != getattr(state, field.name)
            ]
        )
    return document


def _is_exact(document: StateDocument, state: State) -> bool:
    """
    Whether a document leads to a state.

    It does not if the state was built by hand but claims to come from a deal.
    """
    try:
        return state_of(document) == state
    except RummyError:
        return False


def state_of(given: StateDocument) -> State:
    """
    The state that a document describes.

    Raises:
        JsonError: With every problem, if there is no such state.
    """
    record, position, first = given.record, given.position, given.first_dealer
    if position is not None and record is None:
        if first is not None:
            message = "it goes with a record that holds no deal yet"
            raise JsonError([("first_dealer", message)])
        return _of_position(position)
    if record is not None and position is None:
        return _of_record(record, first)
    message = "a state is either a record or a position: write one of the two"
    raise JsonError([("record", message)])


def _of_record(given: RecordDocument, first_dealer: int | None) -> State:
    """
    The state that a record leads to.
    """
    found = read_record(given, _problems_below("record"))
    try:
        if first_dealer is None:
            return replay(found)
        if found.actions:
            message = "it goes with a record that holds no deal yet"
            raise JsonError([("first_dealer", message)])
        return begin(found.rules, found.players, seed=found.seed, dealer=first_dealer)
    except RulesError as error:
        raise JsonError([("first_dealer", one) for one in error.problems]) from None
    except ReplayError as error:
        raise JsonError([("record", str(error))]) from None


def _of_position(given: PositionDocument) -> State:
    """
    The state of a position.
    """
    return read_document(given, _problems_below("position"))


def _problems_below(head: str) -> Problems:
    """
    Collects the problems of a key's value, with the path of the key.
    """

    def error(found: Iterable[Place], rules: Iterable[str]) -> JsonError:
        return JsonError(
            [(joined(head, path), message) for path, message in found], rules
        )

    return Problems(error)
