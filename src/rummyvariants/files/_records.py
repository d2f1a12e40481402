"""
A game as data: rules, players, and every action from the first deal on, in text.
"""

from __future__ import annotations

import os

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from rummyvariants._support import toml
from rummyvariants.errors import (
    ParseError,
    RecordError,
    RulesError,
    RummyError,
    nearest,
)
from rummyvariants.game._engine.beginning import begin
from rummyvariants.game._engine.game import Step, step
from rummyvariants.game._engine.verbs import parse_action
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action, Deal
from rummyvariants.rules._files import read_rules
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import IllegalAction, Ruling


FORMAT = 1
"""The version of the record's form."""


class ReplayError(RummyError):
    """
    A record that stops being legal.

    Attributes:
        state: The last good state.
        ruling: Why the next action is refused.
        number: Which action that is, from 1, deals counted.
        action: The action.
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
    The name of the player whose action it is; empty where there is none.
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
        actions: What was done, the deal first.
        comment: Words about it.
    """

    actions: tuple[Action, ...]
    comment: str = ""


@attrs.frozen(repr=False)
class Record:
    """
    A game as data. Its text is a TOML file, and reads back to an equal record.

    Attributes:
        rules: The rules of the game.
        players: The players' names, by seat.
        seed: What further deals come from; None if decks are given by hand.
        rounds: The rounds, in order.
        notes: Words about the game.
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
    def parse(cls, text: str, where: str = "") -> Record:
        """
        Read a record from its text.

        Args:
            text: The text of a record file.
            where: The file's name for error messages.

        Raises:
            RecordError: If it is no record; with every problem.
        """
        try:
            given = toml.read(text)
        except ValueError as error:
            raise RecordError(str(error), where=where) from None
        return _read(given, where)

    def __repr__(self) -> str:
        return (
            f"<Record of {self.rules.name}: {', '.join(self.players)}, "
            f"{len(self.rounds)} rounds, {len(self.actions)} actions>"
        )

    def __str__(self) -> str:
        head: dict[str, Any] = {"format": FORMAT}
        if self.notes:
            head["notes"] = self.notes
        rules = rules_table(self.rules)
        head["rules"] = rules
        head["players"] = self.players
        if self.seed is not None:
            head["seed"] = self.seed
        parts = [toml.table(head)]
        for one in self.rounds:
            entries: dict[str, Any] = {"comment": one.comment} if one.comment else {}
            parts.append(toml.table(entries, "[[round]]") + _actions_text(one.actions))
        return "\n".join(parts)


def _actions_text(actions: tuple[Action, ...]) -> str:
    lines = "".join(f"  {toml.text(_line(action))},\n" for action in actions)
    return f"actions = [\n{lines}]\n"


def _line(action: Action) -> str:
    return str(action) if action.seat is None else f"{action.seat}: {action}"


def rules_table(rules: Ruleset) -> str | dict[str, Any]:
    """
    What stands behind ``rules`` in a file: a preset's name, or a table.
    """
    if not rules.options and not rules.changes:
        return rules.base
    table: dict[str, Any] = {"extends": rules.base}
    if rules.name != rules.base:
        table["name"] = rules.name
    if rules.options:
        table["with"] = list(rules.options)
    changed: dict[str, tuple[Any, str | None]] = {}
    for path, (value, rule, _) in rules.changes:
        before = changed[path][0] if path in changed else None
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            value = {**before, **value}  # noqa: PLW2901 -- a table is added to
        changed[path] = value, rule
    for path, (value, rule) in changed.items():
        section, _, name = path.partition(".")
        entry = value if rule is None else {"value": value, "rule": rule}
        table.setdefault(section, {})[name] = entry
    return table


def record(state: State, notes: str = "") -> Record:
    """
    The game that led to a state, as data.

    Args:
        state: A state of a game that was begun with `new_game` or replayed.
        notes: Words to keep with it.

    Raises:
        RecordError: If the game began from a position made by hand; a scenario file
            can hold that.
    """
    if state.from_position:
        msg = (
            "the game began from a position made by hand, not from a deal: "
            "write it out as a scenario instead"
        )
        raise RecordError(msg)
    rounds: list[list[Action]] = []
    for node in state.history_nodes:
        if node.starts_round or not rounds:
            rounds.append([])
        if node.action is not None:
            rounds[-1].append(node.action)
    return Record(
        state.rules,
        state.players,
        state.match.seed,
        tuple(RecordedRound(tuple(actions)) for actions in rounds),
        notes,
    )


def replay_steps(record: Record | str) -> Iterator[Step]:
    """
    A record played again, step by step.

    Raises:
        RecordError: If a text is no record.
        ReplayError: Where an action is not legal; with the last good state.
    """
    if isinstance(record, str):
        record = Record.parse(record)
    state = begin(record.rules, record.players, seed=record.seed)
    for number, action in enumerate(record.actions, 1):
        try:
            done = step(state, action)
        except IllegalAction as error:
            raise ReplayError(state, error.ruling, number, action) from None
        yield done
        state = done.after


def replay(record: Record | str) -> State:
    """
    The state that a record leads to.

    Raises:
        RecordError: If a text is no record.
        ReplayError: Where an action is not legal; with the last good state.
    """
    if isinstance(record, str):
        record = Record.parse(record)
    state = begin(record.rules, record.players, seed=record.seed)
    for done in replay_steps(record):
        state = done.after
    return state


def load_record(path: str | os.PathLike[str]) -> Record:
    """
    Read a record file.

    Raises:
        RecordError: If it cannot be read or is no record; with every problem.
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
    except ValueError as error:
        msg = f"cannot be read: {error}"
        raise RecordError(msg, where=str(path)) from None


_KEYS = ("format", "notes", "rules", "players", "seed", "round")


def _read(given: Mapping[str, Any], where: str) -> Record:
    problems: list[str] = []
    for name in given:
        if name not in _KEYS:
            hint = nearest(name, _KEYS, len(problems))
            problems.append(f"there is no key {name!r}{hint}")
    if given.get("format", FORMAT) != FORMAT:
        problems.append(f"format: {given['format']!r} is not known, only {FORMAT} is")
    rules = None
    try:
        rules = read_rules(given.get("rules", {}))
    except RulesError as error:
        problems += [f"rules: {problem}" for problem in error.problems]
    players = given.get("players", [])
    if not isinstance(players, list):
        problems.append("players: give a list of names")
        players = []
    seed = given.get("seed")
    if isinstance(seed, bool) or not isinstance(seed, (int, str, type(None))):
        problems.append(f"seed: give a whole number or a text, not {seed!r}")
    notes = given.get("notes", "")
    if not isinstance(notes, str):
        problems.append("notes: give a text")
    rounds = []
    entries = given.get("round", [])
    if not isinstance(entries, list) or not all(
        isinstance(one, dict) for one in entries
    ):
        problems.append("round: write [[round]] before each round")
        entries = []
    for number, entry in enumerate(entries, 1):
        rounds.append(_read_round(entry, len(players), f"round {number}", problems))
    if rules is not None and not problems:
        try:
            begin(rules, players, seed=seed)
        except RulesError as error:
            problems += [f"players: {problem}" for problem in error.problems]
    if problems or rules is None:
        raise RecordError(problems, where=where)
    return Record(rules, tuple(players), seed, tuple(rounds), notes)


def _read_round(
    entry: Mapping[str, Any], players: int, at: str, problems: list[str]
) -> RecordedRound:
    known = ("actions", "comment")
    for name in entry:
        if name not in known:
            hint = nearest(name, known, len(problems))
            problems.append(f"{at}: there is no key {name!r}{hint}")
    comment = entry.get("comment", "")
    if not isinstance(comment, str):
        problems.append(f"{at}: comment: give a text")
        comment = ""
    actions = []
    lines = entry.get("actions", [])
    if not isinstance(lines, list):
        problems.append(f"{at}: actions: give a list of actions")
        lines = []
    for number, line in enumerate(lines, 1):
        try:
            actions.append(recorded_action(line, players))
        except ParseError as error:
            problems.append(f"{at}, action {number}: {error}")
    return RecordedRound(tuple(actions), comment)


def recorded_action(line: object, players: int) -> Action:
    """
    An action as it stands in a record, with its seat.

    Raises:
        ParseError: If it is none, or names no seat that there is.
    """
    action = parse_action(line) if isinstance(line, str) else None
    if action is None:
        msg = f"give an action as a text, not {line!r}"
        raise ParseError(msg)
    if isinstance(action, Deal):
        return action
    if action.seat is None:
        msg = f"{line!r} names no seat: write {f'0: {line}'!r}"
        raise ParseError(msg)
    if action.seat >= players:
        problem = f"there is no seat {action.seat}; seats go from 0 to {players - 1}"
        msg = f"{line!r}: {problem}"
        raise ParseError(msg)
    return action
