"""
What house rules may answer: a row for each question, which reads and checks an answer.

An answer that makes no sense raises an error that names the rule, the question and the
answer, and says what would be right.
"""

from __future__ import annotations

import itertools

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from rummyvariants.cards import RANKS, Card
from rummyvariants.errors import RulesError, nearest
from rummyvariants.policies.answers import (
    KEPT,
    Move,
    Opening,
    Owed,
    Points,
    Price,
    can_be_kept,
)
from rummyvariants.policies.base import MOST, is_whole
from rummyvariants.policies.facts import mask_of
from rummyvariants.policies.house import HouseRule, no_sense


Wrong = Callable[..., RulesError]
"""The error about an answer, given that answer and what would be right."""
Reader = Callable[[Any, Any, Wrong], Any]
"""What reads an answer, given the match and the error if it makes no sense."""
_ITEMS_AT_MOST: Final = 10_000
"""How many things an answer may list, so that even one without an end is refused."""
Groups = tuple[tuple[str, int], ...]
"""The melds of an opening: for each its kind and size, which is 0 for any size."""


def read_answer(rule: HouseRule, question: str, answer: object, match: Any) -> Any:
    """
    What a rule says to a question, read; None if it says nothing.

    Raises:
        RulesError: If the answer makes no sense.
    """
    if isinstance(answer, Iterator):
        # What comes one by one is put together to be read more than once.
        answer = tuple(itertools.islice(answer, _ITEMS_AT_MOST + 1))
    if answer is None:
        return None
    return _ROWS[question](answer, match, partial(no_sense, rule, question))


def _yes(answer: object, match: object, wrong: Wrong) -> bool:
    del match
    if isinstance(answer, bool):
        return answer
    raise wrong(answer, "True or False")


def _such(fits: Callable[[Any, Any], bool], wanted: str) -> Reader:
    """
    What reads one value for which a condition holds, given the match as well.
    """

    def read(answer: object, match: Any, wrong: Wrong) -> Any:
        if fits(answer, match):
            return answer
        raise wrong(answer, wanted)

    return read


def _number(least: int = 0) -> Reader:
    wanted = f"a whole number from {least}, or None"
    return _such(lambda one, _: is_whole(one, least), wanted)


def _several(
    fits: Callable[[Any, Any], bool],
    wanted: str,
    then: Callable[[Sequence[Any]], Any] = lambda found: found,
) -> Reader:
    """
    What reads a list of values for which a condition holds, and sums it up.
    """

    def read(answer: object, match: Any, wrong: Wrong) -> Any:
        if isinstance(answer, range):
            # It stays as it is, since it may be longer than memory.
            if all(fits(one, match) for one in (*answer[:1], *answer[-1:])):
                return then(answer)
        elif isinstance(answer, Iterable) and not isinstance(answer, str):
            found = tuple(itertools.islice(answer, _ITEMS_AT_MOST + 1))
            if len(found) > _ITEMS_AT_MOST:
                few = f"{wanted}, {_ITEMS_AT_MOST:,} at most"
                raise wrong(found[:3], few, more=True)
            if all(fits(one, match) for one in found):
                return then(found)
        raise wrong(answer, wanted)

    return read


def _is_count(one: object, _: Any) -> bool:
    return type(one) is int and one > 0


def _is_card(one: object, _: Any = None) -> bool:
    return isinstance(one, Card) and bool(one.rank)


def _is_seat(one: object, match: Any) -> bool:
    return is_whole(one, 0, len(match.players) - 1)


def _is_rank(one: object, _: Any) -> bool:
    return isinstance(one, str) and one in ("", *RANKS)


def _is_owed(one: object, _: Any) -> bool:
    return isinstance(one, Owed)


def _is_price(one: object, _: Any) -> bool:
    if not isinstance(one, Price):
        return False
    return is_whole(one.penalty, 0) and is_whole(one.priority, -MOST)


def _opening(answer: Any, match: object, wrong: Wrong) -> tuple[Opening, Groups]:
    """
    What first melds must be, and its groups as kinds and least numbers of cards.
    """
    del match
    if not isinstance(answer, Opening) or not is_whole(answer.points, 0):
        raise wrong(answer, "an Opening, or None")
    groups = []
    for group in answer.groups:
        kind, _, least = str(group).partition(" ")
        if kind not in {"set", "run"} or (least and not least.isdecimal()):
            raise wrong(group, "groups such as 'set', 'run' or 'run 4'")
        groups.append((kind, int(least or 0)))
    return answer, tuple(groups)


def _points(answer: Any, match: Any, wrong: Wrong) -> Sequence[Points]:
    """
    Points for seats, each with a reason and perhaps a card.
    """
    given: Sequence[Points] = _LISTED_POINTS(answer, match, wrong)
    for one in given:
        if not _is_seat(one.seat, match) or not is_whole(one.points, -MOST):
            raise wrong(one, "a seat and whole points")
        if not isinstance(one.reason, str):
            raise wrong(one, "a reason in words")
        if one.card is not None and not _is_card(one.card):
            raise wrong(one, "a card, or None for it")
    return given


_LISTED_POINTS: Final = _several(
    lambda one, _: isinstance(one, Points), "a list of Points"
)


def _payments(answer: Any, match: Any, wrong: Wrong) -> Sequence[Points]:
    """
    Points that some seats pay to others.
    """
    given = _points(answer, match, wrong)
    if sum([one.points for one in given]):
        raise wrong(given, "Points that come to 0 together")
    return given


def _moves(answer: Any, match: Any, wrong: Wrong) -> Sequence[Move]:
    """
    Moves of cards between places.
    """
    moves: Sequence[Move] = _LISTED_MOVES(answer, match, wrong)
    known = {*_PILES, "hand", *(rule.name for _, rule in match.rules.house)}
    for one in moves:
        for name in (one.source, one.target):
            # A name that is close to that of a place is a slip, not a zone.
            hint = "" if name in known else nearest(name, known)
            if "did you mean" in hint:
                wanted = f"the name of a place{hint} Otherwise, a zone's name that"
                wanted += f" is less like it than {name!r}"
                raise wrong(one, wanted)
    return moves


def _is_move(one: object, match: Any) -> bool:
    if not isinstance(one, Move) or not is_whole(one.number, 0):
        return False
    players = len(match.players)
    for name, seat in ((one.source, one.source_seat), (one.target, one.target_seat)):
        if type(name) is not str or name in {"", "table"}:
            return False
        if not is_whole(seat, 0 if name == "hand" else -1) or seat >= players:
            return False
    if one.source != one.target:
        return True
    return one.source not in _PILES and one.source_seat != one.target_seat


_LISTED_MOVES: Final = _several(
    _is_move, "a list of moves, from and to stock, discards, hands of seats or zones"
)
_PILES: Final = frozenset({"stock", "discards"})
"""The places of cards that belong to no seat."""


def _mask_of_seats(seats: Iterable[int]) -> int:
    return sum([1 << seat for seat in {*seats}])


_KEPT: Final = _such(lambda one, _: can_be_kept(one), KEPT)
_ROWS: Final[Mapping[str, Reader]] = {
    # of a deal
    "hand_size": _number(1),
    "wild_rank": _such(_is_rank, f"one of {RANKS}, or none as ''"),
    "lays_aside": _several(_is_card, "cards", mask_of),
    "remembers_deal": _KEPT,
    # of a draw
    "cards_drawn": _number(1),
    "peeks": _number(),
    "takes": _several(_is_count, "numbers of cards from 1"),
    "takes_with": _yes,
    "owes": _several(_is_owed, "a list of Owed"),
    "buys": _such(_is_price, "a Price, or None"),
    "drops": _number(),
    # of plays
    "opening": _opening,
    "most_melds": _number(),
    "may_lay": _yes,
    "may_lay_off": _yes,
    "lays_off_on": _several(_is_seat, "seats", _mask_of_seats),
    # of discards and the end
    "discards": _several(_is_card, "cards", mask_of),
    "discards_owed": _number(),
    "may_knock": _yes,
    "may_go_out": _yes,
    "must_go_out": _yes,
    "asks": _such(_is_seat, "another seat, or None"),
    "next_seat": _such(_is_seat, "a seat"),
    # of points and the match
    "score": _points,
    "pays": _payments,
    "eliminated": _several(_is_seat, "seats", frozenset),
    "rejoins": _number(-MOST),
    "winners": _several(_is_seat, "seats"),
    # of any action
    "remembers": _KEPT,
    "follows": _moves,
}
"""By question, what reads its answers."""
