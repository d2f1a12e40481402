"""
Games: states, actions, events, the engine, views.
"""

from rummyvariants.game._round import (
    Column,
    Dealt,
    Drawn,
    Frame,
    Location,
    Match,
    RoundResult,
    ScoreItem,
    Zone,
)


__all__ = [
    "Column",
    "Dealt",
    "Drawn",
    "Frame",
    "Location",
    "Match",
    "RoundResult",
    "ScoreItem",
    "Zone",
]
