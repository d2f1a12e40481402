"""
Games: states, actions, events, the engine, views.
"""

from rummyvariants.game._round import (
    Column,
    Dealt,
    Drawn,
    Frame,
    Match,
    RoundResult,
    ScoreItem,
)


__all__ = [
    "Column",
    "Dealt",
    "Drawn",
    "Frame",
    "Match",
    "RoundResult",
    "ScoreItem",
]
