"""
Rows of plain values: what a game between bots was, and what a decision cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import attrs


@attrs.frozen
class RoundRow:
    """
    A round of a game; lists are by seat.

    Attributes:
        dealer: The dealer's seat.
        hand_sizes: How many cards each seat was dealt, including those on the table.
        points: The points of the round.
        how: How it ended: ``out``, ``dealt hand``, ``knock``, ``gin``, ``big gin``,
            ``stock`` (it was empty), ``idle`` or ``drop``.
        out: The seat that went out first; None if nobody did.
        turns: How many turns were finished.
        actions: How many actions the players took.
        thrown_in: How many deals were thrown in before this one.
        wilds: How many wild cards were in melds at the end.
    """

    dealer: int
    hand_sizes: tuple[int, ...]
    points: tuple[int, ...]
    how: str
    out: int | None
    turns: int
    actions: int
    thrown_in: int
    wilds: int


@attrs.frozen
class GameRow:
    """
    A game, or as much of it as was played; lists are by seat.

    Attributes:
        number: Its number in the simulation, from 0.
        deal: The number of its deals; games with the same number here differ only in
            the seats of the bots.
        seed: The seed of the deals.
        bots: The names of the bots.
        status: ``finished``; ``stopped`` at the limit of actions; ``refused`` if a bot
            chose an illegal action; ``failed`` if one raised an error.
        problem: What happened, unless the status is ``finished``.
        culprit: The seat of the bot that caused it; None if there is none.
        scores: The points that decide the match after the finished rounds, as in
            `State.standing`.
        winners: The seats that won; none in a game that is not over.
        rounds: The finished rounds, in order.
        actions: How many actions the players took.
        sides: The number of the side of each seat, from 0; empty where everyone plays
            alone.
        lowest: Whether the lowest score is the best, not the highest.
    """

    number: int
    deal: int
    seed: str
    bots: tuple[str, ...]
    status: str
    problem: str
    culprit: int | None
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: tuple[RoundRow, ...]
    actions: int
    sides: tuple[int, ...] = ()
    lowest: bool = False

    @property
    def side_scores(self) -> tuple[int, ...]:
        """
        The total of each seat's side, or its own where it plays alone.
        """
        return self._by_side(self.scores)

    @property
    def merits(self) -> tuple[int, ...]:
        """
        The score of each seat's side, turned so that more is better.
        """
        sign = -1 if self.lowest else 1
        return tuple(sign * score for score in self.side_scores)

    @property
    def course(self) -> tuple[tuple[int, ...], ...]:
        """
        The points of each seat's side after each round, turned so that more is better.

        What the end of the match adds, such as a bonus, is left out.
        """
        sign = -1 if self.lowest else 1
        totals = [0] * len(self.scores)
        found = []
        for one in self.rounds:
            totals = [
                total + sign * points
                for total, points in zip(totals, one.points, strict=True)
            ]
            found.append(self._by_side(totals))
        return tuple(found)

    def _by_side(self, scores: Sequence[int]) -> tuple[int, ...]:
        """
        The sum of each seat's side, or its own score where it plays alone.
        """
        if not self.sides:
            return tuple(scores)
        totals = [0] * len(scores)
        for side, score in zip(self.sides, scores, strict=True):
            totals[side] += score
        return tuple(totals[side] for side in self.sides)


@attrs.frozen
class DecisionRow:
    """
    A decision of a game, and what another action would have cost.

    Attributes:
        number: The number of the game, from 0.
        decisions: How many decisions the game had.
        choices: In how many of them there was a choice.
        cost: By how many points of the round the bot's own action is better, in one
            decision with a choice; None if there was none.
    """

    number: int
    decisions: int
    choices: int
    cost: int | None


Row = TypeVar("Row", bound=GameRow | DecisionRow)


def row_of(given: object, kind: type[Row]) -> Row:
    """
    A row from its attributes by name, with lists for those by seat.

    Args:
        given: The attributes.
        kind: The class of the row.

    Raises:
        ValueError: If they are not those of such a row, or do not go together.
    """
    row: Row = typed(kind.__name__, given, "the row")
    if isinstance(row, GameRow):
        check_row(row)
    else:
        _check_decision(row)
    return row


def typed(kind: str, given: Any, name: str) -> Any:
    """
    A plain value of a type.

    Args:
        kind: The type, as the classes here write it.
        given: The value; a list for a tuple, a dictionary for a class.
        name: Its name in the error.

    Raises:
        ValueError: If it is of another type.
    """
    if kind.startswith("tuple[") and isinstance(given, list):
        inner = kind.removeprefix("tuple[").removesuffix(", ...]")
        return tuple(typed(inner, one, name) for one in given)
    if kind in _CLASSES and isinstance(given, Mapping):
        fields = {field.name: field for field in attrs.fields(_CLASSES[kind])}
        for key in given.keys() - fields.keys():
            msg = f"{name} has no {key!r}"
            raise ValueError(msg)
        for key, field in fields.items():
            if key not in given and field.default is attrs.NOTHING:
                msg = f"{name} lacks {key!r}"
                raise ValueError(msg)
        return _CLASSES[kind](
            **{
                key: typed(str(fields[key].type), one, key)
                for key, one in given.items()
            }
        )
    if type(given).__name__.replace("NoneType", "None") in kind.split(" | "):
        return given
    msg = f"{name} is {given!r}, but has to be {_MEANS.get(kind, 'a list')}"
    raise ValueError(msg)


_CLASSES: Final[Mapping[str, type[Any]]] = {
    one.__name__: one for one in (GameRow, RoundRow, DecisionRow)
}
_MEANS: Final = {
    "int": "a whole number",
    "str": "a text",
    "int | None": "a whole number or nothing",
    "GameRow": "an object",
    "RoundRow": "an object",
    "DecisionRow": "an object",
}


def check_row(row: GameRow) -> None:
    """
    Refuse a row whose lists lack an entry for each seat, or with a wrong seat.

    Raises:
        ValueError: If it is such a row.
    """
    players = len(row.bots)
    by_seat = {"bots": row.bots, "scores": row.scores, "sides": row.sides or row.bots}
    named = {"winners": row.winners, "sides": row.sides, "culprit": (row.culprit,)}
    for number, one in enumerate(row.rounds):
        at = f"of round {number + 1}"
        by_seat |= {f"points {at}": one.points, f"hand_sizes {at}": one.hand_sizes}
        named |= {f"dealer {at}": (one.dealer,), f"out {at}": (one.out,)}
    for name, values in by_seat.items():
        if len(values) != players or not players:
            msg = f"{name} has {len(values)} entries for {players} players"
            raise ValueError(msg)
    for name, seats in named.items():
        for seat in seats:
            if seat is not None and not 0 <= seat < players:
                msg = f"{name}: there is no seat {seat}; there are {players}"
                raise ValueError(msg)


def _check_decision(row: DecisionRow) -> None:
    if not 0 <= row.choices <= row.decisions or not row.decisions:
        msg = f"there are {row.choices} choices in {row.decisions} decisions"
        raise ValueError(msg)
    if (row.cost is None) != (row.choices == 0):
        msg = f"the cost is {row.cost}, with {row.choices} choices"
        raise ValueError(msg)
