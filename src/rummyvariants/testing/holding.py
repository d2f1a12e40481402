"""
The error for what does not hold.
"""

from __future__ import annotations

from typing import NoReturn

from rummyvariants.game._state import State
from rummyvariants.game.actions import Action


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
