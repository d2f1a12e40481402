"""The policies: one module each, data and the question that it answers."""

from rummyvariants.policies._duties import Duty
from rummyvariants.policies.base import Policy
from rummyvariants.policies.call import CallPolicy
from rummyvariants.policies.deal import DealPolicy
from rummyvariants.policies.deck import DeckPolicy
from rummyvariants.policies.discard import DiscardPolicy
from rummyvariants.policies.draw import DrawPolicy
from rummyvariants.policies.layoff import LayoffPolicy
from rummyvariants.policies.match import MatchPolicy
from rummyvariants.policies.meld import MeldPolicy
from rummyvariants.policies.out import OutPolicy
from rummyvariants.policies.score import ScorePolicy
from rummyvariants.policies.stock import StockPolicy
from rummyvariants.policies.wild import WildPolicy


__all__ = [
    "CallPolicy",
    "DealPolicy",
    "DeckPolicy",
    "DiscardPolicy",
    "DrawPolicy",
    "Duty",
    "LayoffPolicy",
    "MatchPolicy",
    "MeldPolicy",
    "OutPolicy",
    "Policy",
    "ScorePolicy",
    "StockPolicy",
    "WildPolicy",
]
