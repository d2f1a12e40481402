"""
The events for the engine, which makes them only where somebody wants to know.

A game without such does not import them: they come when the first one is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


if TYPE_CHECKING:
    from rummyvariants.game.events import *  # noqa: F403

    Log = list[Event] | None  # noqa: F405
    """Where it is noted what happened; None where nobody wants to know."""
else:
    Log = Any


def __getattr__(name: str) -> Any:
    if name == "__path__":  # what an import asks every module for
        raise AttributeError(name)
    from rummyvariants.game import events

    return getattr(events, name)
