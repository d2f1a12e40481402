"""A game written out: its story, the points after each round, the sheet at the end."""

from __future__ import annotations

from rummyvariants.cli.screen import Screen
from rummyvariants.cli.show import columns, score_sheet, totals, winners_line
from rummyvariants.cli.story import Story
from rummyvariants.engine.game import Step
from rummyvariants.events import DealStarted, RoundEnded
from rummyvariants.pieces import RoundResult
from rummyvariants.state import State


class Telling:
    """
    Writes a game out as it goes, to somebody who may see everything.

    Attributes:
        rounds: The number of each round that is over, with its points.
    """

    def __init__(self, screen: Screen, state: State) -> None:
        self.rounds: list[tuple[int, tuple[int, ...]]] = []
        self._screen = screen
        self._story = Story(state.players)
        self._result: RoundResult | None = None

    def step(self, step: Step) -> None:
        """
        Write a step out; at the end of a round its points too.
        """
        if any(isinstance(event, DealStarted) for event in step.events):
            self._screen.line()
        for line in self._story.tell(step):
            self._screen.line(line, self._story.hang)
        for event in step.events:
            if isinstance(event, RoundEnded):
                self.rounds.append((step.after.round_number, event.points))
                self._result = step.after.result
                self._screen.line()
                state = step.after
                totals(self._screen, state.players, self.rounds[-1:], state.scores)

    def pause(self) -> None:
        """
        Write out what is held back.
        """
        for line in self._story.rest():
            self._screen.line(line, self._story.hang)

    def end(self, state: State) -> None:
        """
        Write out the score sheet of the last round, the totals and the winners.
        """
        self.pause()
        if self._result is not None:
            self._screen.heading(f"Score sheet of round {self.rounds[-1][0]}")
            score_sheet(self._screen, self._result, state.players)
        if self.rounds:
            self._screen.heading("Points by round")
            totals(self._screen, state.players, self.rounds, state.scores)
            self._screen.line()
        columns(self._screen, state)
        self._screen.line(winners_line(state))
