"""
What does not hold, as an error.
"""

from __future__ import annotations

from typing import NoReturn

from rummyvariants.game._state import State
from rummyvariants.game.actions import Action


class BrokenInvariantError(AssertionError):
    """
    Something that must hold of every game did not.

    Attributes:
        state: The last state in which all was well; None if there was none.
        action: What was done in it; None if nothing was.
    """

    def __init__(
        self, message: str, state: State | None = None, action: Action | None = None
    ) -> None:
        super().__init__(message)
        self.state = state
        self.action = action


def hold(condition: object, *words: object) -> None:
    """
    Raise an error that says what does not hold, unless the condition does.
    """
    if not condition:
        fail(" ".join(map(str, words)))


def fail(message: str) -> NoReturn:
    """
    Raise an error that says what does not hold.
    """
    raise BrokenInvariantError(message)
