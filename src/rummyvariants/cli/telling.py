"""A game written out: its story, the points after each round, the sheet at the end."""

from __future__ import annotations

import rummyvariants as rv

from rummyvariants._support.words import capital
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.show import (
    Row,
    match_sheet,
    rows_of,
    side_names,
    standing,
    totals,
    winners_line,
)
from rummyvariants.cli.story import Story
from rummyvariants.game.events import DealStarted, RoundEnded


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
        self._ended: tuple[int, rv.RoundResult] | None = None
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
                if isinstance(event, RoundEnded):
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
            if any(isinstance(event, DealStarted) for event in step.events):
                wrote = self.pause() or wrote
                self._screen.line()
            for line in self._story.tell(step):
                self._screen.line(line, self._story.hang)
                wrote = True
            if any(isinstance(event, RoundEnded) for event in step.events):
                state = step.after
                self._screen.line()
                totals(self._screen, state, self._rows[-1:])
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
        standing(self._screen, state, self._rows, self._ended)
        match_sheet(self._screen, state)
        self._screen.line()
        self._screen.line(winners_line(state))
