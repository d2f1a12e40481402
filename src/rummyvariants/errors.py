"""The errors that users meet, each with the data behind its sentence."""

from __future__ import annotations

import operator
import re

from collections.abc import Iterable, Sequence
from typing import Any, Final, SupportsIndex


_LONGEST: Final = 600
_SHOWN: Final = 100
_SUGGESTED: Final = 20
_LISTED: Final = 12


def visible(text: str) -> str:
    """
    A text that is safe to show: characters that a terminal would obey are escaped.

    These are control characters, except tabs and line ends, and those that change the
    direction of the text.
    """
    return re.sub(_OBEYED, lambda found: repr(found[0])[1:-1], text)


_OBEYED: Final = (
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def shown(value: object) -> str:
    """
    A value of any kind for an error message: the beginning, in Python's notation.
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"something too long to show, of the type {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 4]} ..."


class UnfitError(TypeError):
    """
    An argument of a wrong type, in a sentence that says what was expected.
    """


def unfit(
    given: object, name: str, wanted: str, *, swapped: bool = False
) -> UnfitError:
    """
    The error about an argument of a wrong type.

    Args:
        given: What was given.
        name: What the argument is called.
        wanted: What it has to be, in words.
        swapped: Whether another argument would do in its place.
    """
    order = f"; arguments are swapped: write the {name} first" if swapped else ""
    return UnfitError(
        f"{name} is {visible(shown(given))}, but has to be {wanted}{order}"
    )


def need(
    name: str, given: object, *kinds: type, others: tuple[object, ...] = ()
) -> None:
    """
    Refuse an argument that is of none of some types.

    Args:
        name: What the argument is called.
        given: What was given.
        kinds: The types.
        others: The arguments after it, one of which may have been meant.

    Raises:
        TypeError: If it is of none of them.
    """
    if not isinstance(given, kinds):
        swapped = any(isinstance(one, kinds) for one in others)
        wanted = " or ".join([type_name(one) for one in kinds])
        raise unfit(given, name, wanted, swapped=swapped)


def type_name(kind: type) -> str:
    """
    One thing of a type, in words.
    """
    name = kind.__name__
    return _IN_WORDS.get(name) or f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


_IN_WORDS: Final = {
    "NoneType": "None",
    "Rules": "a Ruleset",
    "Callable": "a function",
    "PathLike": "a path",
    "bool": "True or False",
    "bytes": "bytes",
    "float": "a number",
    "int": "an int",
    "str": "a text",
}


def _sentence(text: str) -> str:
    """
    A problem as users see it: safe to show, and with the middle left out if very long.
    """
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST - 200]} ... {text[-200:]}"
    return visible(text)


class RummyError(Exception):
    """
    Base of every error that this library raises on purpose.

    Its text can be shown on any terminal: control characters of the input are escaped,
    and the middle of a very long line is left out.

    >>> try:
    ...     rv.preset("rumy")
    ... except rv.RummyError as error:
    ...     print(type(error).__name__)
    RulesError
    """

    def __init__(self, message: str) -> None:
        super().__init__("\n".join(map(_sentence, message.split("\n"))))

    def __reduce__(self) -> tuple[Any, ...]:
        """
        How it is copied, and sent from one process to another: as it is.
        """
        # Calling the class would cut the text again, and some classes take other data.
        return _again, (type(self), *self.args), self.__dict__


def _again(kind: type[RummyError], *args: object) -> RummyError:
    return kind.__new__(kind, *args)


class ParseError(RummyError, ValueError):
    """
    A text that cannot be read as a card, an action or a file.
    """


class AmbiguousError(ParseError):
    """
    A text that may mean several actions.

    Attributes:
        forms: What to write for each of them.
    """

    def __init__(self, text: str, forms: Sequence[str]) -> None:
        self.forms = tuple(forms)
        ways = ", ".join(map(repr, forms[:-1])) + f" or {forms[-1]!r}"
        super().__init__(f"{text!r} may mean several actions: write {ways}")


class CopiesError(ParseError):
    """
    More cards of one face than the library counts: seven, and fifteen jokers.
    """


class RequestError(RummyError, ValueError):
    """
    A seat, or a page of legal actions, that does not exist; a bot asked out of turn.
    """


Seat = SupportsIndex | str
"""A seat as callers give it: its number, or the name of its player."""


def seat_number(
    seat: object,
    players: Sequence[str] | None,
    error: type[RummyError] = RequestError,
) -> int:
    """
    A seat as a plain number. All seats that callers give come through here.

    Args:
        seat: What was given as the seat: a whole number of any type but ``bool``, or
            the name of a player. A text is always a name, and is compared as it is
            written: the names of a game differ.
        players: The names of the players, by seat; None where they are not known, and
            any number will do.
        error: The class of the error.

    Raises:
        RummyError: If there is no such seat; of that class.
    """
    if type(seat) is int and seat >= 0 and (players is None or seat < len(players)):
        return seat
    if isinstance(seat, str) and players is not None:
        if seat in players:
            return players.index(seat)
        msg = f"there is no seat {shown(seat)}{nearest(seat, players)}"
        raise error(msg)
    try:
        number = operator.index(seat)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    here = number + 1 if players is None else len(players)
    if isinstance(seat, bool) or not 0 <= number < here:
        span = "are whole numbers" if players is None else f"go from 0 to {here - 1}"
        msg = f"there is no seat {shown(seat)}; seats {span}"
        raise error(msg)
    return number


class ProblemsError(RummyError, ValueError):
    """
    A list of problems with one thing; the text shows the first hundred.

    Attributes:
        problems: One sentence each, all of them.
        rules: The ids of the rules that the problems break, if any.

    >>> try:
    ...     rv.position("rummy-500", hands={"Ann": "7y", "Ben": "Kd Kd"}, fill=True)
    ... except rv.errors.ProblemsError as error:
    ...     print(len(error.problems))
    2
    """

    def __init__(
        self,
        problems: str | Iterable[str],
        rules: Iterable[str] = (),
        *,
        where: str = "",
    ) -> None:
        several = (problems,) if isinstance(problems, str) else problems
        self.problems = tuple(map(_sentence, several))
        self.rules = tuple(rules)
        self.where = where
        head = f"{where}: " if where else ""
        lines = [head + problem for problem in self.problems[:_SHOWN]]
        if len(self.problems) > _SHOWN:
            lines.append(f"{head}and {len(self.problems) - _SHOWN} more problems")
        super().__init__("\n".join(lines))


class RulesError(ProblemsError):
    """
    An impossible ruleset: unknown names, wrong values, options in conflict.
    """


class PositionError(ProblemsError):
    """
    An impossible position made by hand, or an impossible deck.
    """


class RecordError(ProblemsError):
    """
    A record or scenario file that cannot be read.
    """


def is_near(name: str, known: Iterable[str]) -> bool:
    """
    Whether a name is hardly different from one that exists.
    """
    import difflib  # takes long to import, and only errors need it

    return bool(difflib.get_close_matches(name[:_LONGEST], known, n=1, cutoff=0.8))


def nearest(
    name: object,
    known: Iterable[str],
    before: int = 0,
    *,
    head: str = "",
    listed: str = "",
) -> str:
    """
    The end of an error about an unknown name: what was probably meant.

    Args:
        name: What was written.
        known: The names that exist.
        before: How many problems are listed before this one. After twenty nothing is
            suggested, because that would take long for thousands.
        head: A beginning that all of them share and that the comparison ignores.
        listed: A clause that says where to find the names, in place of the list.

    Returns:
        ``"; did you mean 'x'?"``. If no name is near, that clause, or else the known
        names, or the nearest few of many.
    """
    if before >= _SUGGESTED:
        return ""
    import difflib  # takes long to import, and only errors need it

    names = sorted(known)
    folded = {candidate.casefold(): candidate for candidate in names}
    word = name[:_LONGEST].casefold() if isinstance(name, str) else ""
    close = difflib.get_close_matches(word, folded, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {head + folded[close[0]]!r}?"
    if listed:
        return f"; {listed}"
    if len(names) <= _LISTED:
        return f"; the known ones are {', '.join(head + one for one in names)}"
    few = difflib.get_close_matches(word, folded, n=3, cutoff=0)
    return f"; the nearest are {', '.join(head + folded[one] for one in few)}"
