"""
Checks of a document's seats, numbers, score and phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from rummyvariants._support.words import figure
from rummyvariants.cards import CARDS
from rummyvariants.errors import RulesError, nearest, shown
from rummyvariants.files._documents import (
    BesideCard,
    DrawnCards,
    DroppedSeat,
    KnownCards,
    OpenFrame,
    SeenCards,
    TableCard,
    TableDocument,
    TableMeld,
    ZoneCards,
)
from rummyvariants.files._problems import Problems, joined
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.beginning import (
    new_match,
    player_names,
    refuse_number_of_players,
)
from rummyvariants.game._engine.phases import PHASES
from rummyvariants.game._round import ANSWERS, Column, RoundResult, ScoreItem
from rummyvariants.game.actions import Deal
from rummyvariants.policies.answers import KNOWN_PLACES, AskOthers, Points, can_be_kept
from rummyvariants.policies.facts import AWARDED
from rummyvariants.rules._ruleset import Ruleset


_SEATS: Final = (
    *("seat", "maker", "owner", "turn", "dealer", "next_dealer", "out", "winners"),
    *("floating", "waiting", "seen_by", "had_last_turn"),
)
"""The keys that hold a seat, or several."""
_BY_SEAT: Final = (
    *("scores", "points", "boxes", "upcards", "shown", "has_meld", "had_laid"),
    *("turns_taken", "hands", "known", "hand_sizes", "paid"),
)
"""The keys that hold a value for each seat."""
_LEAST: Final = {
    **dict.fromkeys(("thrown_in", "redeals", "idle_turns", "turned", "turns_taken"), 0),
    **dict.fromkeys(("boxes", "melds", "secrets", "shuffle", "stock_size", "size"), 0),
    "round_number": 1,
}
"""The least whole numbers that keys may hold."""
_OBJECTS: Final = (
    *(TableMeld, TableCard, BesideCard, DrawnCards, OpenFrame, ZoneCards),
    *(KnownCards, SeenCards, Column, ScoreItem, RoundResult, DroppedSeat),
)
"""The objects that hold seats and numbers besides the document itself."""


def check_players(rules: Ruleset, names: Sequence[str], problems: Problems) -> None:
    """
    Note players with whom no game is possible.

    Raises:
        RummyError: The error of the problems, if nothing can be read with such players.
    """
    wrong = refuse_number_of_players(rules, len(names))
    if wrong is not None:
        problems.add("players", wrong.reason, rules.rule_of(wrong.path))
        if rules.match.has_sides or not 0 < len(names) <= _READ:
            problems.done()
    try:
        player_names(names)
    except RulesError as error:
        problems.add("players", str(error), *error.rules)
        problems.done()


_READ: Final = 99
"""The most seats to read, if there are too many anyway."""


@attrs.define
class Checks:
    """
    Checks a document key by key, and notes every problem.

    Attributes:
        given: The document.
        problems: What is wrong with it.
    """

    given: TableDocument
    problems: Problems

    @property
    def rules(self) -> Ruleset:
        """
        The rules of the game.
        """
        return self.given.rules

    @property
    def number(self) -> int:
        """
        How many players there are.
        """
        return len(self.given.players)

    # ---------------------------------------------------------------------- notes

    def wrong(self, path: str, message: str, *values: str) -> None:
        """
        Note a problem, with the rules behind some policy values.
        """
        self.problems.add(path, message, *map(self.rules.rule_of, values))

    def seat(self, path: str, seat: int | None) -> None:
        """
        Note a seat that does not exist; None stands for no seat.
        """
        if seat is not None and not 0 <= seat < self.number:
            message = f"there is no seat {seat}; seats go from 0 to {self.number - 1}"
            self.wrong(path, message)

    def least(self, path: str, value: int, least: int = 0) -> None:
        """
        Note a number that is too small.
        """
        if value < least:
            self.wrong(path, f"give a whole number from {least}, not {value}")

    def seats_and_numbers(self, shape: Any, above: str = "") -> None:
        """
        Check every seat and number of a document, by the names of their keys.

        Args:
            shape: The document, or an object in it.
            above: Its path.
        """
        for field in attrs.fields(type(shape)):
            name, value = field.name, getattr(shape, field.name)
            path = joined(above, name)
            each = [(path, value)]
            if isinstance(value, tuple):
                each = [(f"{path}[{at}]", one) for at, one in enumerate(value)]
                if name in _SEATS and len(set(value)) != len(value):
                    self.wrong(path, "a seat appears twice")
                optional = name in {"boxes", "paid"} and not above
                optional = optional or name == "turns_taken"
                wanted = name in _BY_SEAT and not (optional and not value)
                if wanted and len(value) != self.number:
                    message = f"give one entry for each player, {self.number} in all"
                    self.wrong(path, f"{message}, not {len(value)}")
            for at, one in each:
                if name in _SEATS:
                    self.seat(at, one)
                elif name in _LEAST and isinstance(one, int):
                    self.least(at, one, _LEAST[name])
                elif isinstance(one, _OBJECTS):
                    self.seats_and_numbers(one, at)

    def same(self, path: str, said: object, true: object) -> None:
        """
        Note a value that does not follow from the others.
        """
        if said != true:
            message = f"{said!r} does not agree with the rest, which gives {true!r}"
            self.wrong(path, message)

    def new_columns(self) -> tuple[Column, ...]:
        """
        The empty columns of a new score.
        """
        return new_match(self.rules, self.given.players, None, -1).columns

    def score(self) -> None:
        """
        Note a score that the rules do not keep in this way.
        """
        given = self.given
        if given.boxes and not self.rules.match.counts_boxes:
            message = "rounds won do not count in this game"
            self.wrong("boxes", message, "match.box_bonus")
        if any(given.paid) and "pays" not in self.rules.asked:
            self.wrong("paid", "nothing is paid after a round here", "score.above")
        elif sum(given.paid):
            self.wrong("paid", "all payments together must add up to 0", "score.above")
        if given.bonuses and given.phase != "over":
            self.wrong("bonuses", "the match is not over")
        there = len(self.new_columns())
        if given.columns and len(given.columns) != there:
            message = "there is only one"
            if there:
                message = f"the score is kept in {figure(there, 'column')}"
                message += f", not {len(given.columns)}"
            self.wrong("columns", message, "match.columns")
        for at, column in enumerate(given.columns):
            if column.bonuses and not column.winners:
                self.wrong(f"columns[{at}].bonuses", "nobody has won the column")
        closed = [bool(column.winners) for column in given.columns]
        if closed and (given.phase == "over") != all(closed):
            message = "all columns are won if and only if the match is over"
            self.wrong("columns", message)
        if given.result is not None and not given.is_round_over:
            self.wrong("result", "the round is still in play")

    def actions(self) -> None:
        """
        Note actions without a seat, and wrong sights.
        """
        for at, action in enumerate(self.given.actions):
            if action.seat is not None:
                self.seat(f"actions[{at}].seat", action.seat)
            elif not isinstance(action, Deal):
                self.wrong(f"actions[{at}].seat", "say whose action it is")
        sights = self.given.sights
        if sights and len(sights) != len(self.given.actions) + 1:
            message = "give what was seen of the deal and of each action"
            self.wrong(
                "sights", f"{message}: {len(self.given.actions) + 1} lists in all"
            )
        for at, step in enumerate(sights):
            for number, one in enumerate(step):
                self.seats_and_numbers(one, f"sights[{at}][{number}]")

    def phase(self) -> None:
        """
        Note what does not go with the phase.
        """
        given = self.given
        phase = given.phase
        self.frames()
        needed = any(frame.phase == "play" for frame in given.frames)
        if (given.drawn is not None) != needed:
            word = "is needed" if needed else "does not belong"
            self.wrong("drawn", f"it {word} in the phase {phase!r}")
        if phase != "deal" and given.dealer is None:
            self.wrong("dealer", f"somebody dealt in the phase {phase!r}")
        if phase == "over" and given.result is None:
            self.wrong("result", "a match that is over has a last round")
        if (phase == "over") != bool(given.winners):
            message = "there are winners if and only if the match is over"
            self.wrong("winners", message)
        if given.discards or given.melds:
            if given.no_cards:
                self.wrong("phase", "cards are out, so a round was dealt")
            elif given.dealer is None:
                self.wrong("dealer", "cards lie on the table, so somebody dealt")

    def frames(self) -> None:
        """
        Note frames that the phases do not allow.

        Raises:
            RummyError: If there is no frame, so that nothing more can be read.
        """
        given = self.given
        if not given.frames:
            self.wrong("frames", "give at least one")
            self.problems.done()
        self.same("turn", given.turn, given.frames[0].seat)
        names = [frame.phase for frame in given.frames]
        for at, frame in enumerate(given.frames):
            path = f"frames[{at}]"
            if frame.phase not in PHASES:
                hint = nearest(frame.phase, PHASES)
                message = f"there is no phase {frame.phase!r}{hint}"
                self.wrong(f"{path}.phase", message)
            elif frame.phase == "asked":
                self._asked(path, frame)
            else:
                self._frame(path, frame, names[:at])
        if given.phase not in PHASES:
            message = f"there is no phase {given.phase!r}{nearest(given.phase, PHASES)}"
            self.wrong("phase", message)
        elif names[-1] in PHASES:
            self.same("phase", given.phase, names[-1])

    def _frame(self, path: str, frame: OpenFrame, below: list[str]) -> None:
        """
        A frame of any other phase.
        """
        beneath, *others = _BENEATH[frame.phase]
        by_rule = beneath and "asked" in below
        if below not in (beneath, *others) and not by_rule:
            message = f"it interrupts no other phase, so not {below}"
            if beneath:
                message = f"{frame.phase!r} interrupts {beneath[0]!r}, not {below}"
            self.wrong(path, message)
        if frame.phase == "buy":
            self._sale(path, frame)
        elif frame.phase == "call":
            if not frame.waiting:
                self.wrong(f"{path}.waiting", "name the seats that are asked")
        elif frame.phase in {"deal", "over"}:
            self.same(f"{path}.waiting", frame.waiting, ())
        else:
            self.same(f"{path}.waiting", frame.waiting, (frame.seat,))
        if frame.phase == "rejoin":
            if not {*frame.notes} <= {*range(self.number)} - {frame.seat}:
                self.wrong(f"{path}.notes", "give the seats that are asked next")
        elif frame.phase == "play":
            self._turn(f"{path}.notes", frame.notes)
        elif frame.phase == "choose":
            (code, *more) = frame.notes or (-1,)
            if more or not 0 <= code < len(CARDS) or not CARDS[code].rank:
                self.wrong(f"{path}.notes", "give the code of the upcard")
        if frame.secrets and frame.phase != "choose":
            self.wrong(f"{path}.secrets", "there are none in this phase")

    def _asked(self, path: str, frame: OpenFrame) -> None:
        """
        Note what cannot be where a rule lets players be asked for an action.
        """
        if AskOthers not in self.rules.effects:
            self.wrong(f"{path}.phase", "no rule here lets players be asked")
        if len(frame.waiting) != 1:
            self.wrong(f"{path}.waiting", "name one seat: they are asked one by one")
        notes = (*frame.notes, -1, -1, -1)[: max(len(frame.notes), 3)]
        rule, every, may_pass, *order = notes
        if not (0 <= rule < len(self.rules.house) and {every, may_pass} <= {0, 1}):
            message = "give the number of the rule that asks, 0 or 1 for whether all "
            message += "are asked and for whether one may pass, and the seats to come"
            self.wrong(f"{path}.notes", message)
        for at, seat in enumerate(order, 3):
            self.seat(f"{path}.notes[{at}]", seat)

    def _turn(self, path: str, notes: Sequence[int]) -> None:
        """
        Note what a turn after the draw cannot remember.
        """
        made, answer, *more = (*notes, 0, 0)[: max(len(notes), 2)]
        if more or made < 0 or not 0 <= answer < len(ANSWERS):
            message = "give how many discards were made, and an answer as 0, 1 or 2"
            self.wrong(path, message)
        elif answer and "asks" not in self.rules.asked:
            message = "nobody asks whether to go out in this game"
            self.wrong(path, message, "out.ask")

    def _sale(self, path: str, frame: OpenFrame) -> None:
        """
        Note wrong seats in a sale: one is asked whether it buys, then the others.
        """
        if self.rules.call.asks_buyers_together:
            if not frame.waiting:
                self.wrong(f"{path}.waiting", "name the seats that are asked")
        elif len(frame.waiting) != 1:
            self.wrong(f"{path}.waiting", "name one seat: they are asked one by one")
        asked = (*frame.waiting, *frame.notes)
        if len({*asked}) != len(asked) or frame.seat in asked:
            message = "each seat is asked once, and the one that discarded is not"
            self.wrong(f"{path}.notes", message)
        for at, seat in enumerate(frame.notes):
            self.seat(f"{path}.notes[{at}]", seat)

    # ---------------------------------------------------------- house rules

    def memory(self) -> None:
        """
        Note memory that no rule in force keeps.
        """
        known = self.rules.memories
        for name, value in self.given.memory.items():
            path = joined("memory", name)
            if name == AWARDED and Points in self.rules.effects:
                self._awarded(path, value)
            elif name not in known:
                hint = nearest(name, known, len(self.problems.found))
                self.wrong(path, f"no rule in force remembers {name!r}{hint}")
            for at, one in _not_kept(path, value):
                message = "give true or false, a whole number, a text, nothing, or a "
                self.wrong(at, f"{message}list of these, not {shown(one)}")
        for _, rule in self.rules.house:
            name = f"{rule.section}.{rule.name}"
            value = self.given.memory.get(name, rule.memory and rule.memory.start)
            kept = tuple(value) if isinstance(value, list) else value
            if not rule.could_remember(kept, len(self.given.players)):
                message = f"{name!r} never remembers {shown(value)}"
                self.wrong(joined("memory", name), message)

    def _awarded(self, path: str, value: object) -> None:
        """
        Note points of the round that no rule can have awarded.
        """
        cited = [where for where, _ in self.rules.house]
        for at, one in enumerate(value if isinstance(value, list | tuple) else [value]):
            match one:
                case [int(seat), int(), str(), str(card), str(by)] if by in cited:
                    self.seat(f"{path}[{at}][0]", seat)
                    if card not in {"", *map(str, CARDS)}:
                        self.wrong(f"{path}[{at}][3]", f"{card!r} is not a card")
                case _:
                    message = "give a list of seat, points, reason, card or '', and the"
                    message += f" value by which a rule awards them, not {shown(one)}"
                    self.wrong(f"{path}[{at}]", message)

    def zones(self) -> None:
        """
        Note zones that are named twice, or named like another place.
        """
        there: set[tuple[str, int | None]] = set()
        for at, zone in enumerate(self.given.zones):
            if zone.cards is not None:
                self.same(f"zones[{at}].size", zone.size, len(zone.cards))
            if (zone.name, zone.owner) in there or not zone.size:
                self.wrong(f"zones[{at}]", "give each zone once, with its cards")
            if zone.name in KNOWN_PLACES:
                self.wrong(f"zones[{at}].name", f"{zone.name!r} is not a zone")
            else:
                self._zone_name(f"zones[{at}].name", zone.name)
            there.add((zone.name, zone.owner))

    def _zone_name(self, path: str, name: str) -> None:
        """
        Note the name of a zone in which no rule keeps cards.
        """
        known = asking.zone_names(self.rules)
        if not known:
            message = f"there is no zone {name!r}: no rule here keeps cards apart"
            self.wrong(path, message)
        elif name not in known:
            hint = nearest(name, known, len(self.problems.found))
            self.wrong(path, f"there is no zone {name!r}{hint}")


def _not_kept(path: str, value: object) -> Iterator[tuple[str, object]]:
    """
    The values within a value that cannot be kept, with their places.
    """
    if isinstance(value, list | tuple):
        for at, one in enumerate(value):
            yield from _not_kept(f"{path}[{at}]", one)
    elif not can_be_kept(value):
        yield path, value


_BENEATH: Final[Mapping[str, tuple[list[str], ...]]] = {
    **{
        name: ([],)
        for name in (
            *("deal", "offer", "draw", "stock", "play", "layoff", "rejoin", "over"),
        )
    },
    "choose": (["deal"],),
    "buy": (["draw"], ["stock"]),
    "call": (["draw"], ["draw", "buy"]),
    "discard": (["draw"],),
    "answer": (["play"],),
}
"""What each phase may interrupt, in every way allowed."""
