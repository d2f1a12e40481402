"""
Games: states, actions, events, the engine, views.
"""

from rummyvariants.game._round import (
    Column,
    Dealing,
    Dealt,
    Drawn,
    Match,
    RoundResult,
    ScoreItem,
    Window,
)


__all__ = [
    "Column",
    "Dealing",
    "Dealt",
    "Drawn",
    "Match",
    "RoundResult",
    "ScoreItem",
    "Window",
]
