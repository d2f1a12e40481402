"""The errors that users meet, each with the data behind its sentence."""

from __future__ import annotations

import difflib

from collections.abc import Iterable
from typing import Final


class RummyError(Exception):
    """
    Base of every error that this library raises on purpose.
    """


class ParseError(RummyError, ValueError):
    """
    A text that cannot be read as a card, an action or a file.
    """


class CopiesError(ParseError):
    """
    More cards of one face than a hand can hold, written or put together.
    """


class ProblemsError(RummyError, ValueError):
    """
    Several problems of one thing, all told at once.

    Attributes:
        problems: One sentence each.
        rules: The rule ids that the problems break, as far as one is broken.
    """

    def __init__(
        self,
        problems: str | Iterable[str],
        rules: Iterable[str] = (),
        *,
        where: str = "",
    ) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        self.rules = tuple(rules)
        self.where = where
        head = f"{where}: " if where else ""
        super().__init__("\n".join(head + problem for problem in self.problems))


class RulesError(ProblemsError):
    """
    A ruleset that cannot be: unknown names, wrong values, options in conflict.
    """


class PositionError(ProblemsError):
    """
    A hand-made position, or a deck given by hand, that cannot be.
    """


class RecordError(ProblemsError):
    """
    A record or scenario file that cannot be read.
    """


_FEW: Final = 12
"""How many names an error lists at most."""


def nearest(name: str, known: Iterable[str], *, listed: str = "") -> str:
    """
    The tail of an error about an unknown name: what was probably meant.

    Args:
        name: What was written.
        known: The names that exist.
        listed: What lists those names, as a clause; an error does without the list.

    Returns:
        ``"; did you mean 'x'?"``. If none is near, that clause, or else the known
        names; of many, the nearest few.
    """
    names = sorted(known)
    folded = {candidate.casefold(): candidate for candidate in names}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {folded[close[0]]!r}?"
    if listed:
        return f"; {listed}"
    if len(names) > _FEW:
        few = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0)
        return f"; the nearest are {', '.join(folded[one] for one in few)}"
    return f"; known are {', '.join(names)}"
