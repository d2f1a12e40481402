"""
States and records as documents. Those of states hold every secret of the game.
"""

from __future__ import annotations

from collections import Counter

import attrs

from rummyvariants.errors import ParseError, RulesError, RummyError
from rummyvariants.files._records import (
    Record,
    RecordedRound,
    ReplayError,
    record,
    recorded_action,
    replay,
)
from rummyvariants.files.json._documents import (
    FORMAT,
    PositionDocument,
    RecordDocument,
    RoundDocument,
    StateDocument,
)
from rummyvariants.files.json._problems import JsonError, Problems
from rummyvariants.files.json._tables import TableReader, cards_bits
from rummyvariants.files.json._telling import told_table
from rummyvariants.game._engine.beginning import begin
from rummyvariants.game._round import NOTHING_DRAWN, History
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action, Deal


# --------------------------------------------------------------------------- records


def told_record(given: Record) -> RecordDocument:
    """
    The document of a record.
    """
    return RecordDocument(
        format=FORMAT,
        notes=given.notes,
        rules=given.rules,
        players=given.players,
        seed=given.seed,
        round=tuple(
            RoundDocument(
                actions=tuple(
                    str(one) if one.seat is None else f"{one.seat}: {one}"
                    for one in entry.actions
                ),
                comment=entry.comment,
            )
            for entry in given.rounds
        ),
    )


def record_of(given: RecordDocument) -> Record:
    """
    The record that a document tells; whether its actions are legal is not asked.

    Raises:
        JsonError: With every problem, if it is none.
    """
    problems = Problems()
    try:
        begin(given.rules, given.players, seed=given.seed)
    except RulesError as error:
        problems.found += [("players", one) for one in error.problems]
    rounds = []
    for number, entry in enumerate(given.round):
        actions = []
        for at, line in enumerate(entry.actions):
            path = f"round[{number}].actions[{at}]"
            try:
                actions.append(recorded_action(line, len(given.players)))
            except ParseError as error:
                problems.add(path, str(error))
        rounds.append(RecordedRound(tuple(actions), entry.comment))
    problems.done()
    return Record(given.rules, given.players, given.seed, tuple(rounds), given.notes)


# ---------------------------------------------------------------------------- states


def told_state(state: State) -> StateDocument:
    """
    The document of a state: its record where that leads to it, else its position.

    Raises:
        JsonError: If neither tells the state exactly.
    """
    if not state.from_position:
        first = None
        if state.dealer is None and state.match.next_dealer >= 0:
            first = state.match.next_dealer
        document = StateDocument(
            format=FORMAT, record=told_record(record(state)), first_dealer=first
        )
        if _is_exact(document, state):
            return document
    hand = state._hands[state.turn]
    position = PositionDocument(
        **told_table(state, state.history, hand),
        seed=state.match.seed,
        hands=tuple(tuple(cards) for cards in state.hands),
        stock=state.stock,
        put_back=state.frames[-1].secrets,
        shuffle=state._shuffle,
    )
    document = StateDocument(format=FORMAT, position=position)
    try:
        again = state_of(document)
    except JsonError as error:
        told = "the state cannot be told, since it could not be read back"
        found = [(path, f"{told}: {problem}") for path, problem in error.places]
        raise JsonError(found) from None
    if again != state:
        raise JsonError(
            [
                (field.name, "it cannot be told exactly")
                for field in attrs.fields(State)
                if field.eq and getattr(again, field.name) != getattr(state, field.name)
            ]
        )
    return document


def _is_exact(document: StateDocument, state: State) -> bool:
    """
    Whether a document leads to a state.

    It does not for one that was put together by hand and says that it comes from a
    deal.
    """
    try:
        return state_of(document) == state
    except RummyError:
        return False


def state_of(given: StateDocument) -> State:
    """
    The state that a document tells.

    Raises:
        JsonError: With every problem, if there is no such state.
    """
    if (given.record is None) == (given.position is None):
        told = "a state is either a record or a position: write one of the two"
        raise JsonError([("record", told)])
    if given.position is not None:
        if given.first_dealer is not None:
            told = "it goes with a record that holds no deal yet"
            raise JsonError([("first_dealer", told)])
        return _of_position(given.position)
    assert given.record is not None  # noqa: S101 -- for the type checker
    try:
        found = record_of(given.record)
    except JsonError as error:
        raise JsonError(
            [(f"record.{path}", told) for path, told in error.places]
        ) from None
    try:
        if given.first_dealer is None:
            return replay(found)
        if found.actions:
            told = "it goes with a record that holds no deal yet"
            raise JsonError([("first_dealer", told)])
        return begin(
            found.rules, found.players, seed=found.seed, dealer=given.first_dealer
        )
    except RulesError as error:
        raise JsonError([("first_dealer", one) for one in error.problems]) from None
    except ReplayError as error:
        raise JsonError([("record", str(error))]) from None


def _of_position(given: PositionDocument) -> State:
    reader = TableReader(given)
    problems = reader.problems
    try:
        table = reader.state(given.seed)
    except JsonError as error:
        raise JsonError(
            [(f"position.{path}", told) for path, told in error.places]
        ) from None
    reader.by_seat("hands", given.hands)
    if not problems.found:
        reader.left(
            *((f"hands[{at}]", cards) for at, cards in enumerate(given.hands)),
            ("stock", given.stock),
        )
        reader.hands("hands", list(map(len, given.hands)))
        for at, (cards, shown) in enumerate(zip(given.hands, given.shown, strict=True)):
            if not Counter(shown) <= Counter(cards):
                problems.add(f"shown[{at}]", "a card is not in the hand")
    if given.put_back and given.choosing is None:
        problems.add("put_back", "it belongs to a deal that waits for a choice")
    for at, place in enumerate(given.put_back):
        reader.least(f"put_back[{at}]", place, 0)
    reader.least("shuffle", given.shuffle, 0)
    drawn = NOTHING_DRAWN
    if not problems.found:
        hands = tuple(map(cards_bits, given.hands))
        drawn = reader.drawn(hands[given.turn], own=True)
    if problems.found:
        raise JsonError([(f"position.{path}", told) for path, told in problems.found])
    top = attrs.evolve(table.frames[-1], secrets=given.put_back)
    return attrs.evolve(
        table,
        hands=hands,
        stock=bytes(card.code for card in given.stock),
        drawn=drawn,
        frames=(*table.frames[:-1], top),
        shuffle=given.shuffle,
        history=_history(given.actions),
        seen=table._seen,
    )


def _history(actions: tuple[Action, ...]) -> History:
    """
    What was done since the position, from which no record is ever written.
    """
    past = History()
    for action in actions:
        past = History(past, action, isinstance(action, Deal))
    return past
