"""
An action done, with the events that it causes.
"""

from __future__ import annotations

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants._support.lazy import guessing
from rummyvariants._support.values import Value
from rummyvariants.actions import Action
from rummyvariants.errors import Seat, seat_number
from rummyvariants.events import Event, RoundEnded
from rummyvariants.game._card_moves import CardMove, SeenEvent, StepLog, seen_event
from rummyvariants.game._engine.game import act, as_action
from rummyvariants.game._round import RoundResult
from rummyvariants.game._state import State
from rummyvariants.rulings import IllegalAction


@attrs.frozen(eq=False, repr=False)
class Step(Value):
    """
    An action that was done. It prints its events, with all that they hold.

    >>> state = rv.new_game("rummy-500", ["Ann", "Ben"], seed=3)
    >>> print(rv.step(rv.apply(state, "draw"), "discard 6c"))
    Ann discards 6c.
    Ben is next to play.

    Attributes:
        before: The state in which it was done.
        action: The action, with its seat filled in.
        after: The new state.
        events: What happened, in order.
        moves: By event, the cards that moved, with nothing hidden.

    >>> step = rv.step(rv.new_game("rummy-500", 2, seed=3), "draw")
    >>> step.events
    (Drew(seat=0, card=Card('9d')),)
    >>> step.before.phase, step.after.phase
    ('draw', 'play')
    """

    before: State
    action: Action
    after: State
    events: tuple[Event, ...]
    moves: tuple[tuple[CardMove, ...], ...] = attrs.field(repr=False)

    @property
    def result(self) -> RoundResult | None:
        """
        The result of the round that it ended; None if it ended no round.
        """
        if any(isinstance(event, RoundEnded) for event in self.events):
            return self.after.result
        return None

    def __str__(self) -> str:
        names = self.before.players
        return "\n".join(event.line(names) for event in self.events)

    @explained
    def seen_by(self, seat: Seat | None) -> tuple[SeenEvent, ...]:
        """
        The events as a seat may see them, each with a sentence and the cards that move.

        Args:
            seat: The seat, or the name of its player; None for a spectator.

        Raises:
            RequestError: If there is no such seat.

        >>> step = rv.step(rv.new_game("rummy-500", ["Ann", "Ben"], seed=3), "draw")
        >>> [step.seen_by(seat)[0].text for seat in (0, 1)]
        ['You draw 9d.', 'Ann draws a card.']
        """
        names = self.before.players
        if seat is not None:
            seat = seat_number(seat, names)
        told = zip(self.events, self.moves, strict=True)
        return tuple([seen_event(one, moves, names, seat) for one, moves in told])


guessing(Step)


@explained
def step(state: State, action: Action | str, seat: Seat | None = None) -> Step:
    """
    Do an action and return the new state with the events.

    Arguments and errors are those of `apply`.

    >>> step = rv.step(rv.new_game("rummy-500", 2, seed=3), "take 1")
    >>> [event.describe(["Ann", "Ben"]) for event in step.events]
    ['Ann takes 8c.']
    """
    log = StepLog()
    try:
        done = as_action(state, action, seat)
        after = act(state, done, log)
    except IllegalAction as error:
        raise error.about(state, action, seat) from None
    return Step(state, done, after, tuple(log.events), tuple(log.moves))
