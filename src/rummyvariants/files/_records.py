"""
A game as data: its rules, players and every action from the first deal, as text.
"""

from __future__ import annotations

import os
import re

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs

from rummyvariants._support import toml
from rummyvariants._support.arguments import explained
from rummyvariants._support.words import figure
from rummyvariants.errors import ParseError, RecordError, RulesError, RummyError, shown
from rummyvariants.files import _documents as documents
from rummyvariants.files._documents import RecordDocument, RoundDocument
from rummyvariants.files._problems import Place, Problems, joined
from rummyvariants.game._engine.beginning import begin, check_seed
from rummyvariants.game._engine.steps import Step, step
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action, Deal
from rummyvariants.game.verbs._known import parse_action, verbs_of
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._origins import PATCHED
from rummyvariants.rules._ruleset import Ruleset, preset
from rummyvariants.rules._variants import presets
from rummyvariants.rulings import IllegalAction, Ruling


FORMAT = 1
"""The version of the format of a record's text."""

T = TypeVar("T")


class ReplayError(RummyError):
    """
    A record with an illegal action.

    Attributes:
        state: The last good state.
        ruling: Why the next action is refused.
        number: The number of that action, from 1, deals included.
        action: That action.
    """

    def __init__(
        self, state: State, ruling: Ruling, number: int, action: Action
    ) -> None:
        who = f" of {who_acts(state, action)}".removesuffix(" of ")
        super().__init__(f"action {number}{who}, '{_short(action)}' is {ruling}")
        self.state = state
        self.ruling = ruling
        self.number = number
        self.action = action


def who_acts(state: State, action: Action) -> str:
    """
    The name of the player whose action it is; empty for a deal.
    """
    seat = action.seat
    known = seat is not None and 0 <= seat < len(state.players)
    return state.players[seat] if known and seat is not None else ""


def _short(action: Action) -> str:
    words = str(action)
    return words if len(words) < 60 else words[:56] + " ..."


@attrs.frozen
class RecordedRound:
    """
    A round of a record.

    Attributes:
        actions: Its actions, the deal first.
        comment: A comment on it.
    """

    actions: tuple[Action, ...]
    comment: str = ""


@attrs.frozen(repr=False)
class Record:
    """
    A game as data. Its text is a TOML file, and reads back to an equal record.

    The text says by which version of its rules the game was played. It is refused where
    the library has another, unless that line is deleted.

    Attributes:
        rules: The rules of the game.
        players: The players' names, by seat.
        seed: The seed of further deals; None if decks are given by hand.
        rounds: The rounds, in order.
        notes: Notes on the game.
    """

    rules: Ruleset
    players: tuple[str, ...]
    seed: int | str | None
    rounds: tuple[RecordedRound, ...]
    notes: str = ""

    @property
    def actions(self) -> tuple[Action, ...]:
        """
        Every action of the game, deals included.
        """
        return tuple(action for one in self.rounds for action in one.actions)

    @classmethod
    @explained
    def parse(cls, text: str, where: str = "") -> Record:
        """
        Read a record from its text.

        Args:
            text: The text of a record file.
            where: The file's name for error messages.

        Raises:
            RecordError: If it is not a record; with every problem.
        """
        try:
            given = toml.read(text)
        except ValueError as error:
            raise RecordError(str(error), where=where) from None

        def refusal(found: Iterable[Place], rules: Iterable[str]) -> RecordError:
            return RecordError([_in_words(*one) for one in found], rules, where=where)

        problems = Problems(refusal)
        return read_record(_document(given, problems), problems)

    def __repr__(self) -> str:
        return (
            f"<Record of {self.rules.name}: {', '.join(self.players)}, "
            f"{figure(len(self.rounds), 'round')}, "
            f"{figure(len(self.actions), 'action')}>"
        )

    def __str__(self) -> str:
        head: dict[str, Any] = {"format": FORMAT}
        if self.notes:
            head["notes"] = self.notes
        rules = rules_table(self.rules)
        head["rules"] = rules
        head["version"] = self.rules.fingerprint
        head["players"] = self.players
        if self.seed is not None:
            head["seed"] = self.seed
        parts = [toml.table(head)]
        for one in self.rounds:
            entries: dict[str, Any] = {"comment": one.comment} if one.comment else {}
            parts.append(toml.table(entries, "[[round]]") + _actions_text(one.actions))
        return "\n".join(parts)


def _actions_text(actions: tuple[Action, ...]) -> str:
    lines = "".join(f"  {toml.text(action_line(action))},\n" for action in actions)
    return f"actions = [\n{lines}]\n"


def action_line(action: Action) -> str:
    """
    An action as a record writes it, with its seat.
    """
    return str(action) if action.seat is None else f"{action.seat}: {action}"


def rules_table(rules: Ruleset) -> str | dict[str, Any]:
    """
    The value of ``rules`` in a file: a preset's name, or a table.
    """
    rules = rules.of_table
    if not rules.options and not rules.changes:
        return rules.base
    table: dict[str, Any] = {"extends": rules.base}
    if rules.name != rules.base:
        table["name"] = rules.name
    if rules.options:
        table["with"] = list(rules.options)
    changed: dict[str, list[dict[str, Any]]] = {}
    for path, (value, rule, set_by) in rules.changes:
        if path.endswith(".rules") and value:
            cited = rule  # each house rule is cited by its own id or name
        elif path.partition(".")[2] in PATCHED:
            cited = rule or set_by
        else:
            cited = rules.rule_of(path)
        entry = {"value": value}
        if cited and cited != table.get("name"):
            entry["rule"] = cited  # a table with a name cites that by itself
        changed.setdefault(path, []).append(entry)
    for path, entries in changed.items():
        section, _, name = path.partition(".")
        first = entries[0] if "rule" in entries[0] else entries[0]["value"]
        # Entries of a table and house rules may have been added one after another.
        table.setdefault(section, {})[name] = entries if entries[1:] else first
    return table


@explained
def record(state: State, notes: str = "") -> Record:
    """
    The game that led to a state, as data.

    Args:
        state: A state of a game that `new_game` or a replay began.
        notes: Notes to keep with it.

    Raises:
        RecordError: If the game began from a position; a scenario file can hold that.
    """
    if state.from_position:
        msg = (
            "the game began from a position, not from a deal: write a scenario instead"
        )
        raise RecordError(msg)
    rounds: list[list[Action]] = []
    for node in state.history_nodes:
        if node.starts_round or not rounds:
            rounds.append([])
        if node.action is not None:
            rounds[-1].append(node.action)
    return Record(
        state.rules.of_table,
        state.players,
        state.match.seed,
        tuple(RecordedRound(tuple(actions)) for actions in rounds),
        notes,
    )


@explained
def replay_steps(record: Record | str) -> Iterator[Step]:
    """
    Replay a record, step by step.

    Raises:
        RecordError: If it is neither a record nor the text of one.
        ReplayError: If an action is not legal; with the last good state.
    """
    return _steps(_as_record(record))


def _steps(record: Record) -> Iterator[Step]:
    state = begin(record.rules, record.players, seed=record.seed)
    for number, action in enumerate(record.actions, 1):
        try:
            done = step(state, action)
        except IllegalAction as error:
            raise ReplayError(state, error.ruling, number, action) from None
        yield done
        state = done.after


@explained
def replay(record: Record | str) -> State:
    """
    The state that a record leads to.

    Raises:
        RecordError: If it is neither a record nor the text of one.
        ReplayError: If an action is not legal; with the last good state.
    """
    record = _as_record(record)
    state = begin(record.rules, record.players, seed=record.seed)
    for done in _steps(record):
        state = done.after
    return state


def _as_record(given: object) -> Record:
    if isinstance(given, Record):
        return given
    if isinstance(given, str):
        return Record.parse(given)
    msg = f"give a record or its text, not {shown(given)}"
    raise RecordError(msg)


@explained
def load_record(path: str | os.PathLike[str]) -> Record:
    """
    Read a record file.

    Raises:
        RecordError: If it cannot be read or is not a record; with every problem.
    """
    return Record.parse(read_text(path), str(path))


def read_text(path: str | os.PathLike[str]) -> str:
    """
    The text of a file.

    Raises:
        RecordError: If it cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        msg = f"cannot be read: {error.strerror or error}"
        raise RecordError(msg, where=str(path)) from None
    except UnicodeDecodeError:
        msg = "is not a text file in UTF-8"
        raise RecordError(msg, where=str(path)) from None
    except (TypeError, ValueError) as error:
        msg = f"cannot be read: {error}"
        raise RecordError(msg, where=str(path)) from None


def read_record(given: RecordDocument, problems: Problems) -> Record:
    """
    The record that a document describes; whether its actions are legal is not checked.

    Args:
        given: The document.
        problems: Collects its problems, and may hold some already.

    Raises:
        RummyError: The error of the problems, with all of them, if there are any.
    """
    if not problems.found:
        if given.version not in {"", given.rules.fingerprint}:
            message = (
                f"the game was played by version {given.version} of its rules, and "
                f"this library has {given.rules.fingerprint}, which may play "
                "differently; delete the version to replay it all the same"
            )
            problems.add("version", message)
        try:
            begin(given.rules, given.players)
        except RulesError as error:
            problems.add("players", str(error), *error.rules)
    try:
        check_seed(given.seed)
    except RulesError as error:
        problems.add("seed", str(error), *error.rules)
    rounds = []
    for number, entry in enumerate(given.round):
        actions = []
        for at, line in enumerate(entry.actions):
            try:
                actions.append(_action(line, given.rules, len(given.players)))
            except ParseError as error:
                problems.add(f"round[{number}].actions[{at}]", str(error))
        rounds.append(RecordedRound(tuple(actions), entry.comment))
    problems.done()
    return Record(given.rules, given.players, given.seed, tuple(rounds), given.notes)


def _action(line: object, rules: Ruleset, players: int) -> Action:
    """
    The action of a line in a record.

    If the players are missing, a problem of its own, any seat is accepted.

    Raises:
        ParseError: If it is not an action of a seat in the game.
    """
    verbs = {*verbs_of(rules), "deal"}
    action = parse_action(line, verbs=verbs) if isinstance(line, str) else None
    if action is None:
        msg = f"give an action as a text, not {line!r}"
        raise ParseError(msg)
    if isinstance(action, Deal):
        return action
    if action.seat is None:
        msg = f"{line!r} names no seat: write {f'0: {line}'!r}"
        raise ParseError(msg)
    if players and action.seat >= players:
        problem = f"there is no seat {action.seat}; seats go from 0 to {players - 1}"
        msg = f"{line!r}: {problem}"
        raise ParseError(msg)
    return action


_KEYS: Final = ("format", "notes", "rules", "version", "players", "seed", "round")


def _document(given: Mapping[str, Any], problems: Problems) -> RecordDocument:
    """
    The document of a record file, with empty values for those of the wrong kind.
    """
    problems.unknown("", given, _KEYS)
    version = given.get("format", FORMAT)
    if type(version) is not int or version != FORMAT:
        message = f"{version!r} is unknown; the known format is {FORMAT}"
        problems.add("format", message)
    try:
        rules = read_rules(given.get("rules", {}))
    except RulesError as error:
        for message in error.problems:
            problems.add("rules", message)
        rules = preset(presets()[0])  # to check the rest all the same
    rounds = given.get("round", [])
    if not isinstance(rounds, list) or not all(isinstance(one, dict) for one in rounds):
        problems.add("round", "write [[round]] before each round")
        rounds = []
    return RecordDocument(
        format=documents.FORMAT,
        notes=_value(given, "", "notes", "", problems),
        rules=rules,
        version=_value(given, "", "version", "", problems),
        players=tuple(_value(given, "", "players", [], problems)),
        seed=given.get("seed"),
        round=tuple(
            _round(one, f"round[{at}]", problems) for at, one in enumerate(rounds)
        ),
    )


def _round(given: Mapping[str, Any], at: str, problems: Problems) -> RoundDocument:
    problems.unknown(at, given, ("actions", "comment"))
    return RoundDocument(
        actions=tuple(_value(given, at, "actions", [], problems)),
        comment=_value(given, at, "comment", "", problems),
    )


def _value(
    given: Mapping[str, Any], at: str, name: str, nothing: T, problems: Problems
) -> T:
    """
    A value of the same kind as `nothing`; `nothing` if it is missing or of another.
    """
    found = given.get(name, nothing)
    if isinstance(found, type(nothing)):
        return found
    kind = "a text" if isinstance(nothing, str) else "a list"
    problems.add(joined(at, name), f"give {kind}, not {found!r}")
    return nothing


def _in_words(path: str, message: str) -> str:
    """
    A problem and its place: ``round 1, action 2: ...`` for ``round[0].actions[1]``.
    """
    place = re.sub(r"\[(\d+)\]", lambda at: f" {int(at[1]) + 1}", path)
    place = place.replace(".actions ", ", action ").replace(".", ": ")
    return f"{place}: {message}" if place else message
