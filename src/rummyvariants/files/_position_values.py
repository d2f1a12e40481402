"""
The values of a position or a deal as files and Python give them.

Values of the wrong kind are noted here, with the key as the user wrote it; the reader
of documents checks everything else.
"""

from __future__ import annotations

import re

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from rummyvariants._support.limits import excesses
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import ParseError, PositionError, nearest, shown
from rummyvariants.files._checks import check_players
from rummyvariants.files._documents import DroppedSeat, PositionDocument, ZoneCards
from rummyvariants.files._problems import Place, Problems
from rummyvariants.files._slots import position_of
from rummyvariants.game._asking import eliminated
from rummyvariants.game._engine.beginning import new_match, undealt
from rummyvariants.game._engine.rounds import match_bonuses
from rummyvariants.game._round import Column
from rummyvariants.policies.cases.buying import NOBODY, Buying
from rummyvariants.policies.facts import ASIDE
from rummyvariants.rules._ruleset import Ruleset


MATCH_KEYS: Final = ("scores", "round", "boxes", "paid", "columns")
"""The keys of a position or a deal for the match before its round."""

_KEYS: Final = {
    "players": "seats",
    "wild_rank": "wild",
    "round_number": "round",
    "had_laid": "laid_before",
    "drawn.cards": "drawn",
    "drawn.source": "drawn",
    "drawn.duties": "owed",
    "drawn.melds": "melds_made",
}
"""The keys of a document whose names differ in a position, with those names."""
_OF_FRAMES: Final = {
    "play": "answered",
    "buy": "asked",
    "answer": "asked",
}
"""The keys for what the frames of a phase remember."""


class ValueReader:
    """
    Reads a table of values into a document.

    Args:
        given: The table of a position or deal.
        rules: The rules of the game.
        known: The keys that it may have.
        where: The file's name for error messages.

    Attributes:
        names: The names of the players, clockwise.
        melds: The numbers of the melds that can be read, in order.
        problems: The problems found.

    Raises:
        PositionError: If the players are wrong, so that nothing can be read.
    """

    def __init__(
        self,
        given: Mapping[str, Any],
        rules: Ruleset,
        known: Sequence[str],
        where: str = "",
    ) -> None:
        self.given = given
        self.rules = rules
        self.where = where
        self.problems = Problems(self._error)
        self.melds: list[int] = []
        self._seats: dict[str, int] = {}
        self._zones: list[str] = []
        for path, message in excesses(given):
            self.problems.add(path, message)
        self.problems.done()
        self.problems.unknown("", given, known)
        names = given.get("seats")
        if not isinstance(names, list | tuple) or not names:
            self.problems.add("seats", "give the names of the players, clockwise")
            self.problems.done()
        self.names = tuple(names or ())
        check_players(rules, self.names, self.problems)
        self._seats = {name: seat for seat, name in enumerate(self.names)}

    # ------------------------------------------------------------------- problems

    def nearest(self, name: object, known: Iterable[str]) -> str:
        """
        The name that was probably meant, unless many problems were found.
        """
        return nearest(name, known, len(self.problems.found))

    def _error(self, found: Iterable[Place], rules: Iterable[str]) -> PositionError:
        """
        The error that lists problems, with the keys of a position.
        """
        lines = [
            f"{self._place(path)}: {message}" if path else message
            for path, message in found
        ]
        return PositionError(dict.fromkeys(lines), rules, where=self.where)

    def _place(self, path: str) -> str:
        """
        The place in a position for the path of a document.
        """
        head, bracket, tail = path.partition("[")
        key = _KEYS.get(head, head)
        if path.startswith("memory."):
            return path
        if not bracket or head.startswith("drawn"):
            return key
        at = int(tail.partition("]")[0])
        if head == "table":
            return f"{key}, meld {self.melds[at] if at < len(self.melds) else at + 1}"
        if head == "zones":
            return self._zones[at]
        if head == "frames":
            return _OF_FRAMES.get(self.given.get("phase", "draw"), key)
        if head != "columns":
            return f"{key}.{self.names[at]}" if at < len(self._seats) else path
        inner = re.sub(r"\[\d+\]", "", tail.partition("].")[2])
        return f"{key}, {at + 1}, {inner}"

    # --------------------------------------------------------------------- values

    def seat(self, path: str, name: object) -> int:
        """
        The seat with a name; 0, with a note, if there is none.
        """
        if isinstance(name, str) and name in self._seats:
            return self._seats[name]
        hint = self.nearest(name, self.names)
        self.problems.add(path, f"there is no seat {name!r}{hint}")
        return 0

    def seats(self, key: str, names: object = None) -> tuple[int, ...]:
        """
        A list of seats; by default the value of the key.
        """
        names = self.given.get(key, []) if names is None else names
        if not isinstance(names, list | tuple):
            self.problems.add(key, "give a list of seats")
            return ()
        return tuple(self.seat(key, name) for name in names)

    def by_seat(self, path: str, table: object) -> Iterator[tuple[int, Any]]:
        """
        The entries of a table by seat.
        """
        if not isinstance(table, Mapping):
            self.problems.add(path, "give a table by seat, such as { N = ... }")
            return
        for name, value in table.items():
            if name in self._seats:
                yield self._seats[name], value
            else:
                self.seat(path, name)

    def cards(self, path: str, value: object) -> tuple[Card, ...]:
        """
        Cards from a text, or as values.
        """
        if isinstance(value, Card):
            return (value,)
        if isinstance(value, Cards | tuple | list):
            cards = tuple(one for one in value if isinstance(one, Card))
            if len(cards) == len(value):
                return cards
        if not isinstance(value, str):
            self.problems.add(path, "give cards as a text, such as '7h 8h'")
            return ()
        found = []
        for word in value.replace(",", " ").split():
            try:
                found.append(Card(word))
            except ParseError as error:
                self.problems.add(path, str(error))
        return tuple(found)

    def pile(self, key: str) -> tuple[Card, ...]:
        """
        The cards of a key; none if it is left out.
        """
        return self.cards(key, self.given.get(key, ""))

    def one_card(self, key: str) -> Card | None:
        """
        The card of a key; None if it is left out.
        """
        cards = self.pile(key)
        given = self.given.get(key, "")
        if len(cards) != 1 and not (isinstance(given, str) and not given):
            self.problems.add(key, "name one card")
        return cards[0] if len(cards) == 1 else None

    def number(self, key: str, default: int = 0) -> int:
        """
        The whole number of a key, at least the default.
        """
        value = self.given.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < default:
            message = f"give a whole number from {default}, not {value!r}"
            self.problems.add(key, message)
            return default
        return value

    def flag(self, key: str) -> bool:
        """
        Whether a key that is true or false is true; false if it is left out.
        """
        value = self.given.get(key, False)
        if not isinstance(value, bool):
            self.problems.add(key, f"give true or false, not {shown(value)}")
        return value is True

    def numbers(self, path: str, table: object, default: int = 0) -> tuple[int, ...]:
        """
        Whole numbers by seat, from a table by name.
        """
        found = [default] * len(self.names)
        for seat, value in self.by_seat(path, table):
            if isinstance(value, bool) or not isinstance(value, int):
                self.problems.add(path, f"give whole numbers, not {value!r}")
            else:
                found[seat] = value
        return tuple(found)

    # ----------------------------------------------------------- house rules

    def zones(self) -> tuple[ZoneCards, ...]:
        """
        The zones by name, with cards or with cards by seat.

        Every seat sees them, except those that a house rule lays down otherwise.
        """
        given = self.given.get("zones", {})
        if not isinstance(given, Mapping):
            self.problems.add("zones", "give a table by zone")
            return ()
        found = []
        named = [(f"zones.{name}", name, value) for name, value in given.items()]
        if "red_threes" in self.given:
            named.append(("red_threes", ASIDE, self.given["red_threes"]))
        for path, name, value in named:
            each: Iterable[tuple[int | None, Any]] = [(None, value)]
            if isinstance(value, Mapping):
                each = self.by_seat(path, value)
            for owner, cards in each:
                at = path if owner is None else f"{path}.{self.names[owner]}"
                self._zones.append(at)
                there = self.cards(at, cards)
                found.append(
                    ZoneCards(
                        name=str(name),
                        owner=owner,
                        size=len(there),
                        cards=there,
                        seen_by=self._who_sees(str(name), owner),
                    )
                )
        return tuple(found)

    def _who_sees(self, name: str, owner: int | None) -> tuple[int, ...] | None:
        """
        The seats that see a zone; None for all.
        """
        shown = {
            pile.name: pile.shown for _, rule in self.rules.house for pile in rule.piles
        }
        if shown.get(name) == "owner" and owner is not None:
            return (owner,)
        return () if shown.get(name) == "nobody" else None

    def memory(self) -> dict[str, Any]:
        """
        What house rules remember, by section and name.
        """
        given = self.given.get("memory", {})
        if not isinstance(given, Mapping):
            message = "give a table by rule, such as { 'draw.its name' = 1 }"
            self.problems.add("memory", message)
            return {}
        found = {str(name): _remembered(value) for name, value in given.items()}
        if "last_buyer" in self.given:
            found |= self._last_buyer()
        return found

    def _last_buyer(self) -> dict[str, Any]:
        """
        What the sale of upcards remembers if one seat has bought, once.
        """
        seat = self.seat("last_buyer", self.given["last_buyer"])
        sales = [rule for _, rule in self.rules.house if isinstance(rule, Buying)]
        if not sales:
            rule_id = self.rules.rule_of("call.buying")
            message = "no upcards are bought in this game"
            self.problems.add("last_buyer", message, rule_id)
            return {}
        (rule,) = sales
        bought = rule.after((NOBODY,), seat, len(self.names))
        return {f"{rule.section}.{rule.name}": bought}

    def dropped(self) -> tuple[DroppedSeat, ...]:
        """
        The seats that have left the round; the points say how.
        """
        out = self.rules.out
        found = []
        table = self.given.get("dropped", {})
        there = {seat for seat, _ in self.by_seat("dropped", table)}
        for seat, points in enumerate(self.numbers("dropped", table)):
            if seat not in there:
                continue
            by = out.leaving.get(points, "out.later_drop")
            found.append(DroppedSeat(seat=seat, points=points, by=by))
        return tuple(found)

    def eliminated(self, dealer: int) -> frozenset[int]:
        """
        The seats that are out of the match, as far as this can be read.
        """
        scores = self.numbers("scores", self.given.get("scores", {}))
        number = self.number("round", 1)
        match = new_match(self.rules, self.names, 0, dealer)
        return eliminated(attrs.evolve(match, scores=scores, round_number=number))

    # ---------------------------------------------------------------- the document

    def dealer(self) -> int:
        """
        The dealer of the round; by default the last seat.
        """
        return self.seat("dealer", self.given.get("dealer", self.names[-1]))

    def document(self, **slots: Any) -> PositionDocument:
        """
        A document of a game before its first deal, with the values given.

        Args:
            slots: Further slots.
        """
        given = self.given
        match = new_match(self.rules, self.names, 0, self.dealer())
        nothing = undealt(match)
        if "boxes" in given:
            slots["boxes"] = self.numbers("boxes", given["boxes"])
        if "paid" in given:
            slots["paid"] = self.numbers("paid", given["paid"])
        return attrs.evolve(
            position_of(nothing),
            scores=self.numbers("scores", given.get("scores", {})),
            columns=self._columns(),
            round_number=self.number("round", 1),
            **slots,
        )

    def _columns(self) -> tuple[Column, ...]:
        """
        The columns of the score; none if they are left out.
        """
        given = self.given.get("columns", [])
        if not isinstance(given, list | tuple):
            self.problems.add("columns", "give a list of tables")
            return ()
        return tuple(self._column(one, at) for at, one in enumerate(given, 1))

    def _column(self, given: object, number: int) -> Column:
        """
        A column of the score; its bonuses are computed again.
        """
        at, known = f"columns, {number}", ("scores", "boxes", "winners")
        if not isinstance(given, Mapping):
            self.problems.add(at, f"give a table with {' and '.join(known)}")
            given = {}
        self.problems.unknown(at, given, known)
        column = Column(
            self.numbers(f"{at}, scores", given.get("scores", {})),
            self.numbers(f"{at}, boxes", given.get("boxes", {})),
            self.seats(f"{at}, winners", given.get("winners", [])),
        )
        match = self.rules.match
        ahead = column.winners
        if ahead and match.compares_final:
            ahead = match.winners(column.scores, None, last_round=False) or ahead
        bonuses = match_bonuses(self.rules, attrs.evolve(column, winners=ahead))
        return attrs.evolve(column, bonuses=bonuses)


def _remembered(value: Any) -> Any:
    """
    A value that a rule remembers; TOML has no null, so ``{}`` means nothing.
    """
    if isinstance(value, Mapping) and not value:
        return None
    return [*map(_remembered, value)] if isinstance(value, list | tuple) else value
