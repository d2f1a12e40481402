"""
The error for what does not hold, and the chance by which checks look for it.
"""

from __future__ import annotations

from random import Random
from typing import NoReturn

from rummyvariants import State
from rummyvariants.actions import Action
from rummyvariants.errors import unfit
from rummyvariants.game._chance import Chance
from rummyvariants.game._moves import randrange_of
from rummyvariants.melds._tree import RandRange


class BrokenInvariantError(AssertionError):
    """
    Something that must hold of every game did not.

    Attributes:
        state: The last good state; None if there was none.
        action: The action done in it; None if there was none.
    """

    def __init__(
        self, message: str, state: State | None = None, action: Action | None = None
    ) -> None:
        super().__init__(message)
        self.state = state
        self.action = action


def hold(condition: object, *words: object) -> None:
    """
    Raise an error with these words unless a condition holds.
    """
    if not condition:
        fail(" ".join(map(str, words)))


def fail(message: str) -> NoReturn:
    """
    Raise an error that says what does not hold.
    """
    raise BrokenInvariantError(message)


def source_of(
    check: str, state: State, limit: int, randrange: Random | RandRange | None
) -> RandRange:
    """
    The source of chance of a check that looks at so many actions of a state.
    """
    if limit < 0:
        raise ValueError(str(unfit(limit, "limit", "a whole number from 0")))
    return randrange_of(randrange or Chance(check, state.match.round_number).below)
