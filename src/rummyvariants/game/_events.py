"""
The events for the engine, which makes them only if they are wanted.

A game without events does not import them; they are imported for the first one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias


if TYPE_CHECKING:
    from rummyvariants.events import *  # noqa: F403
    from rummyvariants.game._card_moves import EventLog as EventLog  # noqa: PLC0414

    Log: TypeAlias = EventLog | None
    """Where what happens is noted; None if nobody wants to know."""
else:
    Log = Any


def __getattr__(name: str) -> Any:
    if name == "__path__":  # what an import asks every module for
        raise AttributeError(name)
    from rummyvariants import events
    from rummyvariants.game import _card_moves

    where = _card_moves if name == "EventLog" else events
    found = globals()[name] = getattr(where, name)  # found at once from now on
    return found
