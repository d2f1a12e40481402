"""
House rules: what a rule is, what it sees of a game, and what it may answer.
"""

from rummyvariants.house.answers import (
    AskOthers,
    Effect,
    EndMatch,
    EndRound,
    GoOn,
    Kind,
    Leave,
    Memory,
    Move,
    Offer,
    Opening,
    Owed,
    Pile,
    Points,
    Price,
    Remember,
    Show,
)
from rummyvariants.house.facts import (
    DealFacts,
    MatchFacts,
    RoundFacts,
    Turn,
)
from rummyvariants.house.rules import (
    HouseRule,
    register_rule,
)


__all__ = [
    "AskOthers",
    "DealFacts",
    "Effect",
    "EndMatch",
    "EndRound",
    "GoOn",
    "HouseRule",
    "Kind",
    "Leave",
    "MatchFacts",
    "Memory",
    "Move",
    "Offer",
    "Opening",
    "Owed",
    "Pile",
    "Points",
    "Price",
    "Remember",
    "RoundFacts",
    "Show",
    "Turn",
    "register_rule",
]
