"""
Games that go on when an index is chosen.

They are kept in the form in which the engine works on them, so that no states are made.
"""

from __future__ import annotations

from typing import Final, final

import attrs

from rummyvariants.game._engine.beginning import deal_known
from rummyvariants.game._engine.game import do_leaf
from rummyvariants.game._round import BETWEEN_ROUNDS, History
from rummyvariants.game._state import Draft, State, next_to_decide, thaw
from rummyvariants.learning._flat import Flat, Offered
from rummyvariants.learning._stepwise import Stepwise
from rummyvariants.learning.encodings import Question
from rummyvariants.learning.rewards import BySeat, Stakes, added


_NOBODY: Final = Offered({})
"""The question in a game that is over."""


@attrs.define(eq=False, repr=False)  # frozen, it takes longer to make
class Game:
    """
    A game as it waits for an index; nothing changes it afterwards.

    Attributes:
        draft: The game.
        number: How many games began in its place before it.
        seat: The seat that has to choose.
        question: What the seat is asked.
        chosen: The indices of its action so far.
        steps: How many indices have been chosen in it.
        total: By seat, what was earned in it, without bounds.
        gained: By seat, the rewards for the last step; empty if there were none.
        is_over: Whether it is over: then nobody has to choose.
    """

    draft: Draft
    number: int
    seat: int
    question: Question
    chosen: tuple[int, ...] = ()
    steps: int = 0
    total: BySeat = ()
    gained: BySeat = ()
    is_over: bool = False


@final
class Stepper:
    """
    How games of some rules go on.

    Args:
        actions: The actions as numbers.
        stakes: When a game is over, and what is earned in it.
    """

    def __init__(self, actions: Flat | Stepwise, stakes: Stakes) -> None:
        self._actions = actions
        self._stakes = stakes

    def begun(
        self,
        state: State,
        number: int,
        total: BySeat,
        steps: int = 0,
        chosen: tuple[int, ...] = (),
    ) -> Game:
        """
        A game that begins with a state, or goes on from one.

        Args:
            state: The state.
            number: How many games began in its place before it.
            total: By seat, what was earned in it, without bounds.
            steps: How many indices have been chosen in it.
            chosen: The last of them, those of the action that is being chosen.
        """
        draft = thaw(state)
        before = Game(draft, number, -1, _NOBODY, total=total)
        found = self.asked(draft, before, steps - len(chosen))
        # What is won in a deal before anybody acts is nobody's merit.
        found.total, found.gained = total, ()
        for index in chosen:
            found = self.after(found, index)
        return found

    def after(self, game: Game, index: int) -> Game:
        """
        A game in which an index has been chosen that may be chosen.
        """
        found = game.question.after(index)
        steps = game.steps + 1
        if isinstance(found, tuple):
            draft = thaw(game.draft)
            do_leaf(draft, found)
            return self.asked(draft, game, steps)
        chosen = (*game.chosen, index)
        draft, number, seat = game.draft, game.number, game.seat
        return Game(draft, number, seat, found, chosen, steps, game.total)

    def asked(self, draft: Draft, game: Game, steps: int = 0) -> Game:
        """
        A game at what has to be chosen next, or at its end.

        Args:
            draft: What it has become; it is dealt there.
            game: The game before.
            steps: How many indices have been chosen in it.
        """
        before, total, number = game.draft, game.total, game.number
        gained: BySeat = ()
        while True:
            if draft.match is not before.match:
                new, total = self._stakes.pay(before, draft, total)
                gained = added(gained, new)
            phase = draft.frames[-1].phase
            if phase in BETWEEN_ROUNDS and self._stakes.is_over(draft):
                seat = game.seat
                return Game(
                    draft, number, seat, _NOBODY, (), steps, total, gained, True
                )
            if phase != "deal":
                seat = next_to_decide(draft)
                asked = self._actions.ask(draft, seat)
                return Game(draft, number, seat, asked, (), steps, total, gained)
            if draft.result is not None:
                # Nobody may look further back, and long matches would fill the memory.
                draft._history = History()
                draft.from_position = True
            before = thaw(draft)
            deal_known(draft)
