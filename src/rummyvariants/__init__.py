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
from rummyvariants.engine.beginning import begin, deal, new_game, next_deal
from rummyvariants.engine.game import Step, apply, check, step
from rummyvariants.errors import (
    ParseError,
    PositionError,
    RecordError,
    RulesError,
    RummyError,
)
from rummyvariants.melds import Meld, Place, Played, Slot
from rummyvariants.moves import LegalActions, legal_actions
from rummyvariants.policies import register_policy
from rummyvariants.records import (
    Record,
    ReplayError,
    load_record,
    record,
    replay,
    replay_steps,
)
from rummyvariants.ruleset import Ruleset, preset
from rummyvariants.rulesfile import load_rules, read_rules
from rummyvariants.rulings import IllegalAction, Rule, Ruling, catalogue, rule
from rummyvariants.scenarios import (
    Outcome,
    Scenario,
    load_scenario,
    parse_scenario,
    run,
    scenario_text,
)
from rummyvariants.scoring import round_result
from rummyvariants.state import RoundResult, ScoreItem, State
from rummyvariants.variants import options, presets


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
    "Outcome",
    "ParseError",
    "Pass",
    "Place",
    "Played",
    "PositionError",
    "PutDown",
    "Record",
    "RecordError",
    "ReplayError",
    "RoundResult",
    "Rule",
    "RulesError",
    "Ruleset",
    "Ruling",
    "RummyError",
    "Scenario",
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
    "load_record",
    "load_rules",
    "load_scenario",
    "new_game",
    "next_deal",
    "options",
    "parse_action",
    "parse_cards",
    "parse_scenario",
    "preset",
    "presets",
    "read_rules",
    "record",
    "register_policy",
    "replay",
    "replay_steps",
    "round_result",
    "rule",
    "run",
    "scenario_text",
    "step",
]
