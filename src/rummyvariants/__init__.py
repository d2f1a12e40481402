"""The rules engine for the Rummy family: rules as data, states that never change."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from rummyvariants import cards
from rummyvariants.actions import (
    Action,
    CallRummy,
    Choose,
    Deal,
    Discard,
    Draw,
    Knock,
    LayDown,
    LayOff,
    Pass,
    PutDown,
    Split,
    Swap,
    Take,
    parse_action,
)
from rummyvariants.building import preset
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
from rummyvariants.pieces import Column, RoundResult, ScoreItem
from rummyvariants.policies import register_policy
from rummyvariants.ruleset import Ruleset
from rummyvariants.rulings import IllegalAction, Rule, Ruling, catalogue, rule
from rummyvariants.scoring import round_result
from rummyvariants.state import State
from rummyvariants.variants import options, presets


if TYPE_CHECKING:
    from rummyvariants.arranging import (
        ArrangeError,
        Arrangement,
        arrange,
        arrange_hand,
    )
    from rummyvariants.jsontext import from_json, to_json
    from rummyvariants.playouts import playout
    from rummyvariants.records import (
        Record,
        ReplayError,
        load_record,
        record,
        replay,
        replay_steps,
    )
    from rummyvariants.rulesfile import load_rules, read_rules
    from rummyvariants.scenarios import (
        Outcome,
        Scenario,
        load_scenario,
        parse_scenario,
        run,
        scenario_text,
    )
    from rummyvariants.simulation.comparison import Comparison, compare
    from rummyvariants.simulation.rows import GameRow
    from rummyvariants.simulation.runs import simulate
    from rummyvariants.stepwise import Choice, ChoiceError, Chooser, chooser
    from rummyvariants.views import View, determinize, view


__all__ = [
    "IS_COMPILED",
    "Action",
    "ArrangeError",
    "Arrangement",
    "CallRummy",
    "Card",
    "Cards",
    "Choice",
    "ChoiceError",
    "Choose",
    "Chooser",
    "Column",
    "Comparison",
    "Deal",
    "Discard",
    "Draw",
    "GameRow",
    "IllegalAction",
    "Knock",
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
    "View",
    "apply",
    "arrange",
    "arrange_hand",
    "begin",
    "catalogue",
    "check",
    "chooser",
    "compare",
    "deal",
    "determinize",
    "from_json",
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
    "playout",
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
    "simulate",
    "step",
    "to_json",
    "view",
]


IS_COMPILED: Final = not (cards.__file__ or "").endswith(".py")
"""Whether this is the wheel in which the modules behind each action are compiled."""

_LATER: Final = {
    "arranging": "ArrangeError Arrangement arrange arrange_hand",
    "jsontext": "from_json to_json",
    "playouts": "playout",
    "records": "Record ReplayError load_record record replay replay_steps",
    "rulesfile": "load_rules read_rules",
    "scenarios": "Outcome Scenario load_scenario parse_scenario run scenario_text",
    "simulation.rows": "GameRow",
    "simulation.runs": "simulate",
    "simulation.comparison": "Comparison compare",
    "views": "View determinize view",
    "stepwise": "Choice ChoiceError Chooser chooser",
}
"""The names that bring their module with them when they are first asked for."""


def __getattr__(name: str) -> Any:
    for room, names in _LATER.items():
        if name in names.split():
            found = getattr(import_module(f"rummyvariants.{room}"), name)
            globals()[name] = found
            return found
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
