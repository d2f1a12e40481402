"""
The questions to house rules, a row for each.

A row says what may be answered, how the answers of several rules are combined, and how
a refusal reads.

An answer that makes no sense raises an error that names the rule, the question and the
answer, and says what would be right.
"""

from __future__ import annotations

import enum
import itertools

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import attrs

from rummyvariants._support.words import counted, listed
from rummyvariants.cards import FIELD, RANKS, Card
from rummyvariants.errors import RulesError, RummyError, nearest
from rummyvariants.house.answers import (
    EFFECTS,
    KEPT,
    AskOthers,
    Effect,
    EndMatch,
    EndRound,
    GoOn,
    Leave,
    Move,
    Offer,
    Opening,
    Owed,
    Points,
    Price,
    Remember,
    Show,
    can_be_kept,
    group_read,
)
from rummyvariants.house.facts import mask_of
from rummyvariants.house.rules import HouseRule, failure, no_sense, taken
from rummyvariants.melds._meld import Place
from rummyvariants.policies.base import MOST, is_whole
from rummyvariants.rulings import Objection


Wrong = Callable[..., RulesError]
"""The error about an answer, given that answer and what would be right."""
AnswerReader = Callable[[Any, Any, Wrong], Any]
"""What reads an answer, given the match and the error if it makes no sense."""
_ITEMS_AT_MOST: Final = 10_000
"""How many things an answer may list, so that even one without an end is refused."""
Answer = tuple[str, HouseRule, Any]
"""What a refusal cites, the rule, and what it says."""
Groups = tuple[tuple[str, int], ...]
"""The melds of an opening: for each its kind and size, which is 0 for any size."""


def ask(rule: HouseRule, question: str, match: Any, *given: object) -> Any:
    """
    What a rule says to a question, read; None if it says nothing.

    Args:
        rule: The rule.
        question: The name of the question.
        match: The match; None where the question is about the rules alone.
        given: What the question is given.

    Raises:
        RulesError: If the answer makes no sense, or the rule fails.
    """
    return _asked(rule, question, ROWS[question].read, match, *given)


def possible_values(rule: HouseRule) -> Sequence[Mapping[str, Any]] | None:
    """
    All that a rule may answer to `values`; None if it does not say.

    Raises:
        RulesError: If what it lists makes no sense, or the rule fails.
    """
    found: Sequence[Mapping[str, Any]] | None
    found = _asked(rule, "possible_values", _each_values, None)
    return found


def _asked(
    rule: HouseRule, method: str, read: AnswerReader, match: Any, *given: object
) -> Any:
    """
    What a method of a rule returns, read; None if it is that.
    """
    try:
        answer = getattr(rule, method)(*given)
        if answer is None:
            return None
        if isinstance(answer, Iterator):
            # What comes one by one is put together to be read more than once.
            answer = tuple(itertools.islice(answer, _ITEMS_AT_MOST + 1))
    except RummyError:
        raise
    except Exception as error:
        raise failure(rule, method, error) from error
    return read(answer, match, partial(no_sense, rule, method))


def answers_of(
    rules: Any, question: str, match: Any, *about: object
) -> Iterator[Answer]:
    """
    What the rules in force say to a question that is not about a turn.

    Args:
        rules: The ruleset.
        question: The name of the question.
        match: The match; None where the question is about the rules alone.
        about: What the question is given.
    """
    for path, rule in rules.asked.get(question, ()):
        given = taken(getattr(rule, question), about)
        answer = ask(rule, question, match, *given)
        if answer is not None:
            yield path, rule, answer


def _yes(answer: object, match: object, wrong: Wrong) -> bool:
    del match
    if isinstance(answer, bool):
        return answer
    raise wrong(answer, "True or False")


def _such(fits: Callable[[Any, Any], bool], wanted: str) -> AnswerReader:
    """
    What reads one value for which a condition holds, given the match as well.
    """

    def read(answer: object, match: Any, wrong: Wrong) -> Any:
        if fits(answer, match):
            return answer
        raise wrong(answer, wanted)

    return read


def _number(least: int = 0) -> AnswerReader:
    wanted = f"a whole number from {least}, or None"
    return _such(lambda one, _: is_whole(one, least), wanted)


def _several(
    fits: Callable[[Any, Any], bool],
    wanted: str,
    then: Callable[[Sequence[Any]], Any] = lambda found: found,
) -> AnswerReader:
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


def _opening(answer: Any, match: Any, wrong: Wrong) -> tuple[Opening, Groups]:
    """
    What first melds must be, and its groups as kinds and least numbers of cards.
    """
    known = ["set", "run"]
    known += [kind.name for _, rule in match.rules.house for kind in rule.kinds]
    if not isinstance(answer, Opening) or not is_whole(answer.points, 0):
        raise wrong(answer, "an Opening, or None")
    groups = []
    for group in answer.groups:
        kind, least = group_read(str(group))
        if kind not in known:
            hint = nearest(kind, known)
            raise wrong(group, f"groups such as 'set', 'run' or 'run 4'{hint}")
        groups.append((kind, least))
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


def _effects(answer: Any, match: Any, wrong: Wrong) -> Sequence[Effect]:
    """
    Effects on the game, each of one of the kinds that there are.
    """
    found: Sequence[Effect] = _LISTED_EFFECTS(answer, match, wrong)
    for one in found:
        match one:
            case Move():
                _move(one, match, wrong)
            case Points():
                _points((one,), match, wrong)
            case Show(to=to):
                _show(one, match, wrong)
                _need_seats(one, to or (), match, wrong)
            case Leave(points=points) if not is_whole(points, 0):
                raise wrong(one, "whole points from 0")
            case Remember(value=value) if not can_be_kept(value):
                raise wrong(one, f"something to remember: {KEPT}")
            case EndMatch(winners=()):
                raise wrong(one, "one winner at least")
            case AskOthers(seats=seats) | EndRound(out=seats):
                _need_seats(one, seats, match, wrong)
            case EndMatch(winners=winners, out=out):
                _need_seats(one, (*winners, *out), match, wrong)
            case GoOn(to=to, seat=seat):
                if to not in _GOES_ON_TO:
                    raise wrong(one, f"one of {listed(_GOES_ON_TO, 'or')}")
                if seat is not None and not _is_seat(seat, match):
                    raise wrong(one, "a seat, or None")
    return found


_LISTED_EFFECTS: Final = _several(
    lambda one, _: type(one) in EFFECTS,
    f"effects: {listed(sorted([one.__name__ for one in EFFECTS]), 'or')}",
)
_GOES_ON_TO: Final = ("play", "next turn")


def _need_seats(one: Effect, seats: Iterable[Any], match: Any, wrong: Wrong) -> None:
    if not all(_is_seat(seat, match) for seat in seats):
        raise wrong(one, "seats")


def _moves(answer: Any, match: Any, wrong: Wrong) -> Sequence[Move]:
    """
    Moves of cards between places.
    """
    moves: Sequence[Move] = _LISTED_MOVES(answer, match, wrong)
    for one in moves:
        _move(one, match, wrong)
    return moves


_LISTED_MOVES: Final = _several(lambda one, _: isinstance(one, Move), "a list of moves")


def _move(one: Move, match: Any, wrong: Wrong) -> None:
    """
    Refuse a move from or to something that is no place.
    """
    if not _is_move(one, match):
        wanted = (
            "a move from one place to another: stock, discards, hands of seats, zones"
        )
        raise wrong(one, wanted)
    if one.source == "hand" and one.cards is None and one.number is not None:
        raise wrong(one, "the cards that leave the hand, or number=None for all of it")
    for name in (one.source, one.target):
        _place(name, one, match, wrong)


def _show(one: Show, match: Any, wrong: Wrong) -> None:
    """
    Refuse to show what cannot be shown.
    """
    _place(one.source, one, match, wrong)
    least = 0 if one.source == "hand" else -1
    if one.source == "discards" or not is_whole(one.source_seat, least):
        raise wrong(one, "the stock, the hand of a seat or a zone")
    if one.cards is not None and one.source != "hand":
        raise wrong(one, "cards of a hand, or no cards")
    if one.source_seat >= len(match.players) or not is_whole(one.number, 1):
        raise wrong(one, "a seat, and a number of cards from 1")


def _place(name: str, one: Effect, match: Any, wrong: Wrong) -> None:
    """
    Refuse a name of no place.
    """
    known = {*_PILES, "hand", *zones_of(match.rules)}
    if name not in known:
        hint = nearest(name, known)
        raise wrong(one, f"a place, or declare a Pile of that name{hint}")


def zones_of(rules: Any) -> frozenset[str]:
    """
    The names of the zones that house rules declare, or in which they lay cards aside.
    """
    aside = [rule.name for _, rule in rules.asked.get("lays_aside", ())]
    piles = [pile.name for _, rule in rules.house for pile in rule.piles]
    return frozenset(aside + piles)


def _is_move(one: Move, match: Any) -> bool:
    if one.number is not None and not is_whole(one.number, 0):
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


_PILES: Final = frozenset({"stock", "discards"})
"""The places of cards that belong to no seat."""


def _worth(answer: Any, match: object, wrong: Wrong) -> int | Card:
    """
    Points, or a card that counts as much; of a place of any suit, the card of clubs.
    """
    del match
    if isinstance(answer, Place):
        return Card(f"{answer.rank}{answer.suit or 'c'}")
    if is_whole(answer, -MOST) or _is_card(answer):
        found: int | Card = answer
        return found
    raise wrong(answer, "whole points, or a card or place that counts as much")


def _offers(answer: Any, match: Any, wrong: Wrong) -> Sequence[Offer]:
    """
    Actions offered, each with effects.
    """
    offers: Sequence[Offer] = _LISTED_OFFERS(answer, match, wrong)
    for one in offers:
        _effects(one.effects, match, wrong)
    return offers


_LISTED_OFFERS: Final = _several(lambda one, _: isinstance(one, Offer), "offers")


def _mask_of_seats(seats: Iterable[int]) -> int:
    return sum([1 << seat for seat in {*seats}])


_KEPT: Final = _such(lambda one, _: can_be_kept(one), KEPT)


# --------------------------------------------------------------------------- the rows


class Combined(enum.StrEnum):
    """
    How the answers of several rules are combined, in the words of the documentation.

    Attributes:
        ALL: Every answer must allow it.
        ANY: One answer is enough.
        FIRST: The first rule that answers decides.
        LEAST: The smallest number applies.
        MOST: The largest number applies.
        ADDED: All answers apply.
        OWN: Every answer is for the rule that gives it.
    """

    ALL = "all"
    ANY = "any"
    FIRST = "first"
    LEAST = "least"
    MOST = "most"
    ADDED = "added"
    OWN = "each rule has its own"


@attrs.frozen(eq=False)
class Question:
    """
    What may be answered to a question, and what comes of several answers.

    Attributes:
        read: What reads an answer, and refuses one that makes no sense.
        combined: How the answers of several rules are combined.
        refuses: Whether an answer refuses what it is asked about, given both; None if
            no answer refuses anything.
        says: The beginning of a refusal, given the rules and what it is about.
    """

    read: AnswerReader
    combined: Combined
    refuses: Callable[[Any, Any], bool] | None = None
    says: Callable[[Any, Any], str] = lambda *_: ""

    def refusal(
        self, rules: Any, about: object, answers: Iterable[Answer]
    ) -> Objection | None:
        """
        The objection of the first answer that refuses something; None if none does.
        """
        for path, rule, answer in answers:
            if self.refuses is not None and self.refuses(answer, about):
                return Objection(path, rule.because(self.says(rules, about)))
        return None

    def together(self, answers: Iterable[Answer]) -> tuple[str, Any] | None:
        """
        The answer that counts, with what it cites; None if there is none.
        """
        if self.combined is Combined.LEAST or self.combined is Combined.MOST:
            best = min if self.combined is Combined.LEAST else max
            found = [(path, answer) for path, _, answer in answers]
            return best(found, key=lambda one: one[1], default=None)
        for path, _, answer in answers:
            return path, answer
        return None


def _out_of(answer: Any, about: object) -> bool:
    return about not in answer


def _not_of(answer: Any, about: Any) -> bool:
    return not answer >> about & 1


def _ends(rules: Any) -> str:
    """
    What players do who show their melds.
    """
    return "declare" if rules.out.declares else "knock"


def _says(text: str) -> Callable[[Any, Any], str]:
    return lambda rules, about: text.format(about, knock=_ends(rules))


def _allowed(text: str) -> Question:
    """
    A question with yes or no for an answer, and a refusal unless all say yes.
    """
    return Question(_yes, Combined.ALL, lambda yes, _: not yes, _says(text))


def _values(answer: Any, match: object, wrong: Wrong) -> Mapping[str, Any]:
    """
    Policy values by name, of sections that may change from deal to deal.
    """
    del match
    if not isinstance(answer, Mapping) or not all(
        isinstance(one, str) for one in answer
    ):
        raise wrong(answer, "policy values by name, such as {'meld.least_run': 4}")
    for path in answer:
        if path.startswith(("deck.", "match.")) or path.endswith(".rules"):
            raise wrong(answer, f"values that may change from deal to deal, not {path}")
    return answer


def _each_values(
    answer: Any, match: object, wrong: Wrong
) -> Sequence[Mapping[str, Any]]:
    """
    What `_values` reads, several times.
    """
    wanted = "a list of policy values by name, such as [{'meld.least_run': 4}]"
    if isinstance(answer, Mapping):
        raise wrong(answer, wanted)
    read = _several(lambda one, _: isinstance(one, Mapping), wanted)
    return [_values(one, match, wrong) for one in read(answer, match, wrong)]


ROWS: Final[Mapping[str, Question]] = {
    # of a deal
    "values": Question(_values, Combined.ADDED),
    "wild_rank": Question(
        _such(_is_rank, f"one of {RANKS}, or none as ''"), Combined.FIRST
    ),
    "lays_aside": Question(_several(_is_card, "cards", mask_of), Combined.ADDED),
    "remembers_deal": Question(_KEPT, Combined.OWN),
    # of a draw
    "cards_drawn": Question(_number(1), Combined.FIRST),
    "takes": Question(
        _several(_is_count, "numbers of cards from 1"),
        Combined.ALL,
        _out_of,
        lambda _, count: f"{counted(count, 'discard')} may not be taken",
    ),
    "takes_with": _allowed("the pile is not taken with {}"),
    "owes": Question(_several(_is_owed, "a list of Owed"), Combined.ADDED),
    "buys": Question(_such(_is_price, "a Price, or None"), Combined.FIRST),
    # of plays
    "most_wilds": Question(_number(), Combined.LEAST),
    "allows_meld": _allowed("{} may not lie on the table"),
    "opening": Question(_opening, Combined.ALL),
    "most_melds": Question(
        _number(),
        Combined.LEAST,
        lambda most, made: made >= most,
        _says("no more melds may be made this turn"),
    ),
    "may_lay": _allowed("{} may not be laid now"),
    "may_lay_off": _allowed("no card may be laid off"),
    "lays_off_on": Question(
        _several(_is_seat, "seats", _mask_of_seats),
        Combined.ALL,
        _not_of,
        _says("no card may be laid on that meld"),
    ),
    # of discards and the end
    "discards": Question(
        _several(_is_card, "cards", mask_of),
        Combined.ALL,
        lambda allowed, card: not allowed & FIELD[card.code],
        _says("{} may not be discarded"),
    ),
    "discards_owed": Question(_number(), Combined.MOST),
    "may_knock": _allowed("nobody may {knock} now"),
    "may_go_out": _allowed("the last card may not be played"),
    "must_go_out": Question(
        _yes, Combined.ANY, lambda must, _: must, _says("the player has to go out now")
    ),
    "asks": Question(_such(_is_seat, "another seat, or None"), Combined.FIRST),
    "next_seat": Question(_such(_is_seat, "a seat"), Combined.FIRST),
    # of points and the match
    "worth": Question(_worth, Combined.FIRST),
    "deals_next": Question(_such(_is_seat, "a seat"), Combined.FIRST),
    "score": Question(_points, Combined.ADDED),
    "pays": Question(_payments, Combined.ADDED),
    "eliminated": Question(_several(_is_seat, "seats", frozenset), Combined.ADDED),
    "rejoins": Question(_number(-MOST), Combined.FIRST),
    "winners": Question(_several(_is_seat, "seats"), Combined.FIRST),
    # of any action
    "follows": Question(_effects, Combined.ADDED),
    "refills": Question(_moves, Combined.FIRST),
    "offers": Question(_offers, Combined.ADDED),
    "forbids": Question(
        _yes, Combined.ANY, lambda no, _: no, lambda _, what: f"no {what!r} here"
    ),
}
"""The row of every question, by its name."""
