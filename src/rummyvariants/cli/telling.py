"""A game written out: its story, the points after each round, the sheet at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import rummyvariants as rv

from rummyvariants import events
from rummyvariants._support.words import capital
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.show import rows_of, standing, winners_line
from rummyvariants.files._score_text import (
    Row,
    match_blocks,
    points_grid,
    side_names,
)


_SILENT: Final = (
    events.TurnStarted,
    events.HandSizeAsked,
    events.CallsOpened,
    events.MatchEnded,
)
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

    def _tell(self, event: events.Event) -> Iterator[str]:
        seat = getattr(event, "seat", None)
        doing = event.doing(you=seat == self._viewer)
        if not doing or seat is None:
            yield from self.rest()
            yield event.line(self._names, self._viewer)
            return
        if seat != self._seat:
            yield from self.rest()
        going_on = self._declares and self._doings
        match event:
            case events.Laid(declared=True, cards=cards) if going_on:
                # The melds of a declaration are one thing that the player does.
                self._doings[-1] += f" / {' '.join(cards)}"
            case _:
                self._doings.append(doing)
        self._seat, self._declares = seat, getattr(event, "declared", False)


def _goes_without_saying(event: events.Event, step: rv.Step) -> bool:
    """
    Whether an event needs no words in a story.
    """
    match event:
        case events.Passed():
            return step.before.phase == "call"  # only calls that were made are told
        case events.Laid(how="call"):
            return True  # said with the call
    return isinstance(event, _SILENT)


class Telling:
    """
    Writes a game out as it goes, for a reader who may see everything.

    Args:
        screen: Where to write.
        state: The state in which the game begins.
        full: Whether to write every turn, or only those of the last round, and how
            each round before it ended.
        last: The number of rounds to watch; None for the whole match.

    Attributes:
        finished: How many rounds have ended.
    """

    def __init__(
        self,
        screen: Screen,
        state: rv.State,
        *,
        full: bool = True,
        last: int | None = None,
    ) -> None:
        self.finished = 0
        self._rows: list[Row] = []
        self._screen = screen
        self._full = full
        self._last = last
        self._story = Story(state.players)
        self._ended: tuple[int, rv.game.RoundResult] | None = None
        self._held: list[rv.Step] = []

    def step(self, step: rv.Step) -> bool:
        """
        Write a step out, or hold it back until its round ends.

        Returns:
            Whether anything was written.
        """
        state, result = step.after, step.after.result
        ended = step.before.result is None
        if result is not None and ended:
            self.finished += 1
            self._ended = (state.round_number, result)
        self._rows += rows_of(step)
        self._held.append(step)
        is_last = state.is_over or self.finished == self._last
        # A result stays where players are asked whether they come back.
        if self._full or (result is not None and (is_last or not ended)):
            wrote = self._tell()
            return (not ended and result is not None and self.pause()) or wrote
        if result is not None:
            self._held.clear()
            if self.finished == 1:
                self._screen.line()
            head = f"Round {state.round_number}. "
            for event in step.events:
                if isinstance(event, events.RoundEnded):
                    why = capital(event.why(state.players))
                    self._screen.line(f"{head}{why}.", len(head))
            sums = [*map(state.by_side, (state.scores, result.points))]
            sides = zip(side_names(state), *sums, strict=True)
            said = [f"{name} {total} ({more:+d})" for name, total, more in sides]
            self._screen.line(f"{'':{len(head)}}{', '.join(said)}", len(head))
        return result is not None

    def _tell(self) -> bool:
        """
        Write out the story so far; at the end of a round its points too.
        """
        wrote = False
        for step in self._held:
            if any(isinstance(event, events.DealStarted) for event in step.events):
                wrote = self.pause() or wrote
                self._screen.line()
            for line in self._story.tell(step):
                self._screen.line(line, self._story.hang)
                wrote = True
            if any(isinstance(event, events.RoundEnded) for event in step.events):
                state = step.after
                self._screen.line()
                rows = self._rows[-1:]
                self._screen.blocks([points_grid(state.players, rows, state.scores)])
        self._held.clear()
        return wrote

    def pause(self) -> bool:
        """
        Write out the line of a turn that may go on.

        Returns:
            Whether there was one.
        """
        lines = [*self._story.rest()]
        for line in lines:
            self._screen.line(line, self._story.hang)
        return bool(lines)

    def end(self, state: rv.State) -> None:
        """
        Write out the score sheet of the last round, the totals and the winners.
        """
        self.pause()
        standing(self._screen, state, self._rows or None, self._ended)
        self._screen.blocks(match_blocks(state))
        self._screen.line()
        self._screen.line(winners_line(state))
