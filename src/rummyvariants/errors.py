"""The errors that users meet, each with the data behind its sentence."""

from __future__ import annotations

import difflib

from collections.abc import Iterable


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


def nearest(name: str, known: Iterable[str], head: str = "") -> str:
    """
    The tail of an error about an unknown name: what was probably meant.

    Args:
        name: What was written.
        known: The names that exist.
        head: What stands in front of all of them, and says nothing of what was meant.

    Returns:
        ``"; did you mean 'x'?"``, or the list of known names if none is near.
    """
    names = sorted(known)
    folded = {candidate.casefold(): candidate for candidate in names}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {head + folded[close[0]]!r}?"
    return f"; known are {', '.join(head + one for one in names)}"
