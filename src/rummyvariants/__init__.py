"""The rules engine for the Rummy family: rules as data, states that never change."""

from rummyvariants.actions import (
    Action,
    CallRummy,
    Choose,
    Deal,
    Discard,
    Draw,
    LayDown,
    LayOff,
    Pass,
    PutDown,
    Split,
    Swap,
    Take,
    parse_action,
)
from rummyvariants.cards import Card, Cards, parse_cards
from rummyvariants.engine.game import Step, apply, begin, check, deal, new_game, step
from rummyvariants.errors import (
    IllegalAction,
    ParseError,
    PositionError,
    RecordError,
    RulesError,
    RummyError,
)
from rummyvariants.melds import Meld, Place, Played, Slot
from rummyvariants.moves import LegalActions, legal_actions
from rummyvariants.policies import register_policy
from rummyvariants.ruleset import Ruleset, load_rules, options, preset, presets
from rummyvariants.rulings import Rule, Ruling, catalogue, rule
from rummyvariants.state import RoundResult, ScoreItem, State


__all__ = [
    "Action",
    "CallRummy",
    "Card",
    "Cards",
    "Choose",
    "Deal",
    "Discard",
    "Draw",
    "IllegalAction",
    "LayDown",
    "LayOff",
    "LegalActions",
    "Meld",
    "ParseError",
    "Pass",
    "Place",
    "Played",
    "PositionError",
    "PutDown",
    "RecordError",
    "RoundResult",
    "Rule",
    "RulesError",
    "Ruleset",
    "Ruling",
    "RummyError",
    "ScoreItem",
    "Slot",
    "Split",
    "State",
    "Step",
    "Swap",
    "Take",
    "apply",
    "begin",
    "catalogue",
    "check",
    "deal",
    "legal_actions",
    "load_rules",
    "new_game",
    "options",
    "parse_action",
    "parse_cards",
    "preset",
    "presets",
    "register_policy",
    "rule",
    "step",
]
