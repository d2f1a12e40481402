"""
What is kept of a game that bots have played: a row of plain values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs


@attrs.frozen
class RoundRow:
    """
    A round of a game. Lists go by seat.

    Attributes:
        dealer: Who dealt.
        hand_sizes: How many cards each seat was dealt, those on the table counted too.
        points: The points of the round.
        how: How it ended: ``out``, ``knock``, ``gin``, ``big gin``, ``stock`` (it was
            empty) or ``idle``.
        out: The seat that went out first; None if nobody did.
        turns: How many turns were finished.
        actions: How many actions the players did.
        thrown_in: How many deals were thrown in before this one.
        wilds: How many wild cards lay in melds at the end.
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
    A game, or of a game as much as was played. Lists go by seat.

    Attributes:
        number: Which game of the simulation it is, from 0.
        deal: Which deals it was played with; games with the same number here differ
            only in who sat where.
        seed: The seed of the deals.
        bots: The names of the bots.
        status: ``finished``; ``stopped`` at the limit of actions; ``refused`` if a bot
            asked for what is not legal; ``failed`` if one raised an error.
        problem: What happened, where the status is another than ``finished``.
        culprit: The seat of the bot that it happened to; None if there is none.
        scores: The points that decide the match, as in `State.standing`, the rounds
            that are over counted.
        winners: The seats that won; none in a game that is not over.
        rounds: The rounds that are over, in order.
        actions: How many actions the players did.
        sides: The number of the side that each seat plays for, from 0; empty where
            everyone plays alone.
        lowest: Whether the lowest score is the best one, and not the highest.
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
        By seat, the total of its side; its own where it plays alone.
        """
        if not self.sides:
            return self.scores
        totals = [0] * len(self.scores)
        for side, score in zip(self.sides, self.scores, strict=True):
            totals[side] += score
        return tuple(totals[side] for side in self.sides)

    @property
    def merits(self) -> tuple[int, ...]:
        """
        By seat, its score with that of its side so that more is better.
        """
        sign = -1 if self.lowest else 1
        return tuple(sign * score for score in self.side_scores)


def row_of(given: object) -> GameRow:
    """
    A row from its attributes by name, lists for those that go by seat.

    Raises:
        ValueError: If they are none of a row, or do not go together.
    """
    row: GameRow = typed("GameRow", given, "the row")
    check_row(row)
    return row


def typed(kind: str, given: Any, name: str) -> Any:
    """
    A plain value of a type, which is named as the classes here name it.

    Args:
        kind: The type.
        given: The value; a list where a tuple is meant, a dictionary for a class.
        name: What it is called in the error.

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
    msg = f"{name} is {given!r}, and has to be {_MEANS.get(kind, 'a list')}"
    raise ValueError(msg)


_CLASSES: Final[Mapping[str, type[Any]]] = {"GameRow": GameRow, "RoundRow": RoundRow}
_MEANS: Final = {
    "int": "a whole number",
    "str": "a text",
    "int | None": "a whole number or nothing",
    "GameRow": "an object",
    "RoundRow": "an object",
}


def check_row(row: GameRow) -> None:
    """
    Refuse a row whose lists do not have an entry a seat, or that names no seat.

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
