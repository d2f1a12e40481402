"""
Tables of a position or a deal, read value by value; everything wrong is noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from rummyvariants._support.limits import excesses
from rummyvariants.cards import Card
from rummyvariants.errors import ParseError, PositionError, RulesError, nearest
from rummyvariants.game._engine.beginning import (
    new_match,
    player_names,
    refuse_number_of_players,
)
from rummyvariants.game._engine.rounds import match_bonuses
from rummyvariants.game._round import Column, Match
from rummyvariants.rules._ruleset import Ruleset


_READ: Final = 99
"""The most seats of which anything is read, where they are too many anyway."""
MATCH_KEYS: Final = ("scores", "round", "boxes", "columns")
"""The keys of a position or a deal that say how the match stands before its round."""


@attrs.define
class _Problems:
    """
    What is wrong with a position, and the rules that it breaks.
    """

    told: list[str] = attrs.field(factory=list)
    rules: list[str] = attrs.field(factory=list)

    def add(self, problem: str, *rules: str) -> None:
        self.told.append(problem)
        self.rules.extend(rules)


class Reader:
    """
    Reads the values of a position; everything wrong is noted, nothing raised.

    Args:
        given: The table of a position or deal.
        rules: The rules of the game.
        known: The keys that it may have.
    """

    def __init__(
        self, given: Mapping[str, Any], rules: Ruleset, known: Sequence[str]
    ) -> None:
        self.given = given
        self.rules = rules
        self.problems = _Problems()
        self.names: tuple[str, ...] = ()
        for path, told in excesses(given):
            self.problems.add(f"{path}: {told}")
        if self.problems.told:
            return
        for name in given:
            if name not in known:
                self.problems.add(
                    f"there is no key {name!r}{self.nearest(name, known)}"
                )
        self.names = self._names()

    def nearest(self, name: object, known: Iterable[str]) -> str:
        """
        What was probably meant by a name, as long as few problems were found.
        """
        return nearest(name, known, len(self.problems.told))

    def _names(self) -> tuple[str, ...]:
        seats = self.given.get("seats")
        if not isinstance(seats, list) or not seats:
            self.problems.add("seats: give the names of the players, clockwise")
            return ()
        try:
            names = player_names(seats)
        except RulesError as error:
            self.problems.add(f"seats: {error}")
            return ()
        wrong = refuse_number_of_players(self.rules, len(names))
        if wrong is not None:
            self.problems.add(
                f"seats: {wrong.reason}", self.rules.rule_of(wrong.question)
            )
            # What else is wrong is said as well, as far as it can be read.
            return names[:_READ] if self.rules.match.sides == "none" else ()
        return names

    def seat(self, name: object, key: str) -> int:
        """
        The seat of a name; 0 if there is none, which is noted.
        """
        if name in self.names:
            return self.names.index(str(name))
        hint = self.nearest(name, self.names)
        self.problems.add(f"{key}: there is no seat {name!r}{hint}")
        return 0

    def by_seat(
        self, key: str, inside: tuple[Mapping[str, Any], str] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """
        The entries of a table by seat.

        Args:
            key: The key of the table.
            inside: The table that has the key, and its name, if not the position.
        """
        given, head = (self.given, "") if inside is None else inside
        table, key = given.get(key, {}), f"{head}, {key}" if head else key
        if not isinstance(table, Mapping):
            self.problems.add(f"{key}: give a table by seat, such as {{ N = ... }}")
            return
        for name, value in table.items():
            if name in self.names:
                yield self.names.index(name), value
            else:
                self.seat(name, key)

    def cards(self, value: object, key: str) -> tuple[Card, ...]:
        """
        A list of cards from a text.
        """
        if not isinstance(value, str):
            self.problems.add(f"{key}: give cards as a text, such as '7h 8h'")
            return ()
        found = []
        for word in value.replace(",", " ").split():
            try:
                found.append(Card(word))
            except ParseError as error:
                self.problems.add(f"{key}: {error}")
        return tuple(found)

    def number(self, key: str, default: int, least: int = 0) -> int:
        """
        A whole number.
        """
        value = self.given.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            self.problems.add(f"{key}: give a whole number from {least}, not {value!r}")
            return default
        return value

    def numbers(
        self,
        key: str,
        default: int,
        least: int | None = None,
        inside: tuple[Mapping[str, Any], str] | None = None,
    ) -> tuple[int, ...]:
        """
        Whole numbers by seat; other arguments are those of `by_seat`.
        """
        found = [default] * len(self.names)
        told = f"{inside[1]}, {key}" if inside else key
        for seat, value in self.by_seat(key, inside):
            if isinstance(value, bool) or not isinstance(value, int):
                self.problems.add(f"{told}: give whole numbers, not {value!r}")
            elif least is not None and value < least:
                self.problems.add(f"{told}: give numbers from {least}, not {value}")
            else:
                found[seat] = value
        return tuple(found)

    def done(self, where: str) -> None:
        """
        Raise all problems, if there are any.
        """
        if self.problems.told:
            raise PositionError(
                dict.fromkeys(self.problems.told),
                dict.fromkeys(self.problems.rules),
                where=where,
            )


def read_match(reader: Reader, dealer: int) -> Match:
    """
    The match in which a round is played or dealt; what is wrong is noted.

    Args:
        reader: Reads the table of the position or deal.
        dealer: The seat that deals the round.
    """
    fresh = new_match(reader.rules, reader.names, 0, dealer)
    return attrs.evolve(
        fresh,
        scores=reader.numbers("scores", 0),
        round_number=reader.number("round", 1, 1),
        boxes=_boxes(reader, fresh),
        columns=_columns(reader, fresh),
    )


def _boxes(reader: Reader, fresh: Match) -> tuple[int, ...]:
    """
    The rounds won by each seat, where they count.
    """
    if fresh.boxes:
        return reader.numbers("boxes", 0, 0)
    if "boxes" in reader.given:
        reader.problems.add(
            "boxes: rounds won do not count in this game",
            reader.rules.rule_of("match.box_bonus"),
        )
    return ()


def _columns(reader: Reader, fresh: Match) -> tuple[Column, ...]:
    """
    The columns of the score, where it is kept in several.
    """
    given = reader.given.get("columns")
    if given is None:
        return fresh.columns
    if not isinstance(given, list) or len(given) != len(fresh.columns):
        number = len(fresh.columns)
        told = f"a list of {number}" if number else "none: there is but one"
        reader.problems.add(
            f"columns: give {told}", reader.rules.rule_of("match.columns")
        )
        return fresh.columns
    return tuple(_column(reader, one, at) for at, one in enumerate(given, 1))


def _column(reader: Reader, given: object, number: int) -> Column:
    """
    A column of the score; what was added when it was won is worked out again.
    """
    at, known = f"columns, {number}", ("scores", "boxes", "winners")
    if not isinstance(given, Mapping):
        reader.problems.add(f"{at}: give a table with {' and '.join(known)}")
        given = {}
    for name in given:
        if name not in known:
            reader.problems.add(
                f"{at}: there is no key {name!r}{nearest(str(name), known)}"
            )
    winners = given.get("winners", [])
    if not isinstance(winners, list):
        reader.problems.add(f"{at}, winners: give a list of seats")
        winners = []
    column = Column(
        reader.numbers("scores", 0, inside=(given, at)),
        reader.numbers("boxes", 0, 0, inside=(given, at)),
        tuple(reader.seat(one, f"{at}, winners") for one in winners),
    )
    match = reader.rules.match
    ahead = column.winners
    if ahead and match.decided_by != "the totals":
        ahead = match.winners(column.scores, None, last_round=False) or ahead
    bonuses = match_bonuses(reader.rules, attrs.evolve(column, winners=ahead))
    return attrs.evolve(column, bonuses=bonuses)
