"""The story of a game as it goes: one line for each player's turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import rummyvariants as rv

from rummyvariants.game.events import (
    CallsOpened,
    Event,
    HandSizeAsked,
    Laid,
    MatchEnded,
    Passed,
    TurnStarted,
)


_SILENT: Final = (TurnStarted, HandSizeAsked, CallsOpened, MatchEnded)
"""Events that the lines about others, or the prompt, make plain."""


class Story:
    """
    Turns steps into lines, holding a line back until its player is done.

    Args:
        names: The players.
        viewer: The seat that reads it and learns only what it may see; None for
            a reader who sees everything.
    """

    def __init__(self, names: Sequence[str], viewer: int | None = None) -> None:
        self._names = tuple(names)
        self._viewer = viewer
        self._seat = -1
        self._doings: list[str] = []
        self._declares = False
        self.hang: Final = max([3, *map(len, self._names)]) + 2

    def tell(self, step: rv.Step) -> Iterator[str]:
        """
        The lines that a step completes.
        """
        for event in step.events:
            seen = event if self._viewer is None else event.seen_by(self._viewer)
            if not _goes_without_saying(seen, step):
                yield from self._tell(seen)

    def rest(self) -> Iterator[str]:
        """
        The line held back.
        """
        if self._doings:
            name = "You" if self._seat == self._viewer else self._names[self._seat]
            yield f"{name:<{self.hang}}{', '.join(self._doings)}"
            self._doings.clear()

    def _tell(self, event: Event) -> Iterator[str]:
        seat = getattr(event, "seat", None)
        doing = event.doing(you=seat == self._viewer)
        if not doing or seat is None:
            yield from self.rest()
            yield event.line(self._names, self._viewer)
            return
        if seat != self._seat:
            yield from self.rest()
        match event:
            case Laid(declared=True, cards=cards) if self._declares and self._doings:
                # The melds of a declaration are one thing that the player does.
                self._doings[-1] += f" / {' '.join(cards)}"
            case _:
                self._doings.append(doing)
        self._seat, self._declares = seat, getattr(event, "declared", False)


def _goes_without_saying(event: Event, step: rv.Step) -> bool:
    """
    Whether an event needs no words in a story.
    """
    match event:
        case Passed():
            return step.before.phase == "call"  # only calls that were made are told
        case Laid(how="call"):
            return True  # said with the call
    return isinstance(event, _SILENT)
