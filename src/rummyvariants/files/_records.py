"""
A game as data: its rules, players and every action from the first deal, as text.
"""

from __future__ import annotations

import os
import re

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from rummyvariants._support import toml
from rummyvariants._support.arguments import explained
from rummyvariants._support.words import figure
from rummyvariants.actions import Action
from rummyvariants.errors import (
    ParseError,
    RecordError,
    RulesError,
    RummyError,
    shown,
    unfit,
)
from rummyvariants.files._facts import (
    ACTION_LINE,
    RULES,
    SEED,
    InShort,
    rules_table,
)
from rummyvariants.files._forms import Fields, Many, Names, Reading
from rummyvariants.files._problems import FORMAT, Place, Problems, joined
from rummyvariants.game._engine.beginning import begin
from rummyvariants.game._engine.steps import Step, step
from rummyvariants.game._round import History
from rummyvariants.game._state import State
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import IllegalAction, Ruling


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

    >>> state = rv.apply(rv.new_game("rummy-500", ["Ann", "Ben"]), "draw")
    >>> record = rv.record(state)
    >>> record
    <Record of rummy-500: Ann, Ben, 1 round, 2 actions>
    >>> rv.files.Record.parse(str(record)) == record
    True
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

        >>> record = rv.record(rv.apply(rv.new_game("rummy-500", 2), "draw"))
        >>> record.actions[1:]
        (Draw(seat=0),)
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
            return RecordError([in_words(*one) for one in found], rules, where=where)

        problems = Problems(refusal)
        found = RECORD.read(given, "", Reading(problems))
        problems.done()
        return found

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


_OPENING: Final = "actions = [\n"
_CLOSING: Final = "]\n"


def _actions_text(actions: tuple[Action, ...]) -> str:
    return _OPENING + "".join(map(_line, actions)) + _CLOSING


def _line(action: Action) -> str:
    return f"  {toml.text(ACTION_LINE.write(action))},\n"


@explained
def record(state: State, notes: str = "") -> Record:
    """
    The game that led to a state, as data.

    Args:
        state: A state of a game that `new_game` or a replay began.
        notes: Notes to keep with it.

    Raises:
        RecordError: If the game began from a position; a scenario file can hold that.

    >>> state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=3)
    >>> print(rv.record(rv.apply(state, "draw"), notes="the first evening"))
    format = 1
    notes = "the first evening"
    rules = "rummy-500"
    ...
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

    >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw")
    >>> [step.after.phase for step in rv.files.replay_steps(rv.record(state))]
    ['draw', 'play']
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

    >>> state = rv.apply(rv.new_game("rummy-500", 2), "draw")
    >>> rv.replay(str(rv.record(state))) == state
    True
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

    >>> import pathlib, tempfile
    >>> state = rv.new_game("rummy-500", ["Ann", "Ben"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "game.toml")
    ...     _ = path.write_text(str(rv.record(state)))
    ...     rv.files.load_record(path)
    <Record of rummy-500: Ann, Ben, 1 round, 1 action>
    """
    return Record.parse(read_text(path), str(path))


class RecordFile:
    """
    A record file that grows with its game.

    Each `keep` writes what was done since the last one, so that keeping a game after
    every action takes time in proportion to the game. The file can be read at any time.

    Args:
        path: The file. What it held is replaced by the first `keep`.

    Raises:
        TypeError: If that is no path.

    >>> import tempfile
    >>> state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = rv.files.RecordFile(f"{folder}/game.toml")
    ...     for text in ("take 1", "discard 6c"):
    ...         state = rv.apply(state, text)
    ...         file.keep(state)
    ...     rv.replay(rv.files.load_record(file.path)) == state
    True
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        if not isinstance(path, str | os.PathLike):
            raise unfit(path, "path", "the path of a file")
        self.path = Path(path)
        self._kept: History | None = None
        self._closing = ""

    def keep(self, state: State) -> None:
        """
        Write what a game has come to. A game that went back is written anew.

        Raises:
            RecordError: If the game began from a position, or the file cannot be
                written.
        """
        new: list[History] = []
        node: History | None = state._history
        while node is not None and node is not self._kept:
            new.append(node)
            node = node.before
        try:
            if node is None:
                text = str(record(state))
                self.path.write_text(text, encoding="utf-8", newline="\n")
                self._closing = _CLOSING if "\n[[round]]\n" in text else ""
            elif new:
                self._append(reversed(new))
        except OSError as error:
            msg = f"cannot be written: {error.strerror or error}"
            raise RecordError(msg, where=str(self.path)) from None
        self._kept = state._history

    def _append(self, new: Iterable[History]) -> None:
        """
        Write some steps in place of the line that closes the list of actions, if any.
        """
        with self.path.open("r+b") as file:
            end = file.seek(0, os.SEEK_END) - len(self._closing)
            text = self._closing
            for node in new:
                if node.starts_round:
                    text += f"\n[[round]]\n{_OPENING}{_CLOSING}"
                if node.action is not None:
                    text = text.removesuffix(_CLOSING) + _line(node.action) + _CLOSING
            file.seek(end)
            file.write(text.encode())
        self._closing = _CLOSING


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


# ------------------------------------------------------------------------- documents


@attrs.frozen(kw_only=True)
class RecordDocument:
    """
    A game as data, key by key as in its TOML file.

    Attributes:
        notes: Notes on the game.
        rules: The rules.
        version: The version of the rules by which it was played.
        players: The players' names, by seat.
        seed: The seed of further deals; null if decks are given by hand.
        round: The rounds.
    """

    notes: str = ""
    rules: Ruleset
    version: str = ""
    players: tuple[str, ...]
    seed: int | str | None = None
    round: tuple[RecordedRound, ...] = ()


class _RecordForm(Fields[Any]):
    """
    A record, in files and in JSON alike.
    """

    def write(self, value: Record, names: Names = None) -> Any:
        return super().write(
            RecordDocument(
                notes=value.notes,
                rules=value.rules,
                version=value.rules.fingerprint,
                players=value.players,
                seed=value.seed,
                round=value.rounds,
            )
        )

    def read(self, given: object, path: str, at: Reading) -> Record:
        noted = len(at.problems.found)
        if isinstance(given, Mapping) and "format" in given:
            given = {**given}
            at.problems.check_format(given.pop("format"), path)
        found = self.parts(given, path, at)
        places = [place for place, _ in at.problems.found[noted:]]
        known = not any(one.startswith(joined(path, "players")) for one in places)
        if found.get("rules") is not None and "players" in found and known:
            self._check(RecordDocument(**found), path, at)
        if len(at.problems.found) > noted:
            return self.nothing  # type: ignore[no-any-return]
        document = RecordDocument(**found)
        record = Record(
            document.rules,
            document.players,
            document.seed,
            document.round,
            document.notes,
        )
        if any(isinstance(one, InShort) for one in record.actions):
            return _in_full(record, path, at)
        return record

    def _check(self, given: RecordDocument, path: str, at: Reading) -> None:
        """
        Note players with whom no game begins, and another version of the rules.
        """
        known = given.rules.fingerprint
        if given.version not in {"", known}:
            message = (
                f"the game was played by version {given.version} of its rules, and "
                f"this library has {known}, which may play differently; delete "
                "the version to replay it all the same"
            )
            at.wrong(joined(path, "version"), message)
        try:
            begin(given.rules, given.players)
        except RulesError as error:
            at.problems.add(joined(path, "players"), str(error), *error.rules)


def _in_full(given: Record, path: str, at: Reading) -> Record:
    """
    A record with its short forms completed, for which the game is played.

    What cannot be played before the last of them is noted.
    """
    state = begin(given.rules, given.players, seed=given.seed)
    rounds = []
    for number, one in enumerate(given.rounds):
        done: list[Action] = []
        for at_action, action in enumerate(one.actions):
            short = isinstance(action, InShort)
            try:
                did = step(state, str(action) if short else action, action.seat)
            except (IllegalAction, ParseError) as error:
                place = joined(path, f"round[{number}].actions[{at_action}]")
                at.wrong(place, f"'{action}' cannot be done: {error}")
                return given
            done.append(did.action if short else action)
            state = did.after
        rounds.append(attrs.evolve(one, actions=tuple(done)))
    return attrs.evolve(given, rounds=tuple(rounds))


_BEFORE_EACH: Final = "[[round]] before each round"
_LINES: Final = Many(ACTION_LINE)
_ROUND: Final = Fields(RecordedRound, "round", wanted=_BEFORE_EACH, actions=_LINES)
_ROUNDS: Final = Many(_ROUND, _BEFORE_EACH)
RECORD: Final = _RecordForm(
    RecordDocument,
    "record",
    counted="players",
    rules=RULES,
    seed=SEED,
    round=_ROUNDS,
)


def in_words(path: str, message: str) -> str:
    """
    A problem and its place: ``round 1, action 2: ...`` for ``round[0].actions[1]``.
    """
    place = re.sub(r"\[(\d+)\]", lambda at: f" {int(at[1]) + 1}", path)
    place = place.replace(".actions ", ", action ").replace(".", ": ")
    return f"{place}: {message}" if place else message
