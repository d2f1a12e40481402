"""
An action done before witnesses: the events that it brings.
"""

from __future__ import annotations

import attrs

from rummyvariants._support.values import Value
from rummyvariants.game._engine.game import act, as_action
from rummyvariants.game._state import State
from rummyvariants.game.actions import Action
from rummyvariants.game.events import Event


@attrs.frozen(eq=False, repr=False)
class Step(Value):
    """
    An action done.

    Attributes:
        before: The state that it was done in.
        action: The action, its seat filled in.
        after: The state that it led to.
        events: What happened, in order.
    """

    before: State
    action: Action
    after: State
    events: tuple[Event, ...]


def step(state: State, action: Action | str, seat: int | None = None) -> Step:
    """
    An action done, with the events that it brought.

    Arguments and errors are those of `apply`.
    """
    done = as_action(state, action, seat)
    log: list[Event] = []
    after = act(state, done, log)
    return Step(state, done, after, tuple(log))
