"""
Tables of a position or a deal, read value by value; everything wrong is noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from rummyvariants.cards import Card
from rummyvariants.engine.beginning import player_names
from rummyvariants.errors import ParseError, PositionError, RulesError, nearest
from rummyvariants.limits import excesses
from rummyvariants.ruleset import Ruleset


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
        low, high = self.rules.match.players
        if not low <= len(names) <= high:
            self.problems.add(
                f"seats: {self.rules.name} is for {low} to {high} players, "
                f"not {len(names)}",
                self.rules.rule_of("match.players"),
            )
            return ()
        if not self.rules.match.makes_sides(len(names)):
            self.problems.add(
                f"seats: no sides can be made of {len(names)} players: "
                "give an even number from 4",
                self.rules.rule_of("match.sides"),
            )
            return ()
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
                found.append(Card.parse(word))
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
