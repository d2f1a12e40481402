"""The policies: one module each, data and the question that it answers."""

from rummyvariants.policies._duties import Duty
from rummyvariants.policies.answers import (
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
from rummyvariants.policies.base import Policy
from rummyvariants.policies.call import CallPolicy
from rummyvariants.policies.deal import DealPolicy
from rummyvariants.policies.deck import DeckPolicy
from rummyvariants.policies.discard import DiscardPolicy
from rummyvariants.policies.draw import DrawPolicy
from rummyvariants.policies.facts import DealFacts, MatchFacts, RoundFacts, Turn
from rummyvariants.policies.house import HouseRule, register_rule
from rummyvariants.policies.layoff import LayoffPolicy
from rummyvariants.policies.match import MatchPolicy
from rummyvariants.policies.meld import MeldPolicy
from rummyvariants.policies.out import OutPolicy
from rummyvariants.policies.score import ScorePolicy
from rummyvariants.policies.stock import StockPolicy
from rummyvariants.policies.wild import WildPolicy


__all__ = [
    "AskOthers",
    "CallPolicy",
    "DealFacts",
    "DealPolicy",
    "DeckPolicy",
    "DiscardPolicy",
    "DrawPolicy",
    "Duty",
    "Effect",
    "EndMatch",
    "EndRound",
    "GoOn",
    "HouseRule",
    "Kind",
    "LayoffPolicy",
    "Leave",
    "MatchFacts",
    "MatchPolicy",
    "MeldPolicy",
    "Memory",
    "Move",
    "Offer",
    "Opening",
    "OutPolicy",
    "Owed",
    "Pile",
    "Points",
    "Policy",
    "Price",
    "Remember",
    "RoundFacts",
    "ScorePolicy",
    "Show",
    "StockPolicy",
    "Turn",
    "WildPolicy",
    "register_rule",
]
