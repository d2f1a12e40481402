"""
A rules engine for the Rummy family: rules as data, states that never change.

>>> import rummyvariants as rv
>>> rules = rv.preset("rummy-5000")                   # rv.presets() names them all
>>> state = rv.new_game(rules, ["Ann", "Ben", "Cleo"], seed=27)
>>> rv.legal_actions(state)                           # what may be done now
<LegalActions: draw, take 1>
>>> state = rv.apply(state, "take 1")                 # another state; the old one stays
>>> rv.check(state, "discard Ac").rule                # may I, and by which rule?
'PG-14'
>>> rv.rule("PG-14").title                            # the rule in full: print it
'No throwing back the top card'
>>> state = rv.position("rummy-500", hands={"Ann": "9s 2c", "Ben": "Qh"}, fill=True)
>>> rv.view(state, seat=1).hand                       # what one seat knows
Cards('Qh')

Further: `step` (with events), `round_result`, `record`, `replay`, `run` (scenarios),
`arrange`, `chooser`, `simulate`, `compare`, `to_json`. Cards and actions are written as
``7h``, ``*=8h``, ``meld 7h *=8h 9h``; ``docs/`` has the tutorial and the notation.
"""

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final


if TYPE_CHECKING:
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
    from rummyvariants.arranging import (
        ArrangeError,
        Arrangement,
        arrange,
        arrange_hand,
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
    from rummyvariants.jsontext import from_json, to_json
    from rummyvariants.melds import Meld, Place, Played, Slot
    from rummyvariants.moves import LegalActions, legal_actions
    from rummyvariants.pieces import Column, RoundResult, ScoreItem
    from rummyvariants.placing import position
    from rummyvariants.playouts import playout
    from rummyvariants.policies import register_policy
    from rummyvariants.records import (
        Record,
        ReplayError,
        load_record,
        record,
        replay,
        replay_steps,
    )
    from rummyvariants.ruleset import Ruleset
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
    from rummyvariants.sheet.fitting import Fit, options_for
    from rummyvariants.simulation.comparison import Comparison, compare
    from rummyvariants.simulation.rows import GameRow
    from rummyvariants.simulation.runs import simulate
    from rummyvariants.state import State
    from rummyvariants.stepwise import Choice, ChoiceError, Chooser, chooser
    from rummyvariants.variants import options, presets
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
    "Fit",
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
    "options_for",
    "parse_action",
    "parse_cards",
    "parse_scenario",
    "playout",
    "position",
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


__version__: str
IS_COMPILED: bool
"""Whether this is the wheel in which the modules behind each action are compiled."""

_LATER: Final = {
    "actions": (
        "Action CallRummy Choose Deal Discard Draw Knock LayDown LayOff Pass PutDown "
        "Split Swap Take parse_action"
    ),
    "arranging": "ArrangeError Arrangement arrange arrange_hand",
    "building": "preset",
    "cards": "Card Cards parse_cards",
    "engine.beginning": "begin deal new_game next_deal",
    "engine.game": "Step apply check step",
    "errors": "ParseError PositionError RecordError RulesError RummyError",
    "jsontext": "from_json to_json",
    "melds": "Meld Place Played Slot",
    "moves": "LegalActions legal_actions",
    "pieces": "Column RoundResult ScoreItem",
    "placing": "position",
    "playouts": "playout",
    "policies": "register_policy",
    "records": "Record ReplayError load_record record replay replay_steps",
    "ruleset": "Ruleset",
    "rulesfile": "load_rules read_rules",
    "rulings": "IllegalAction Rule Ruling catalogue rule",
    "scenarios": "Outcome Scenario load_scenario parse_scenario run scenario_text",
    "scoring": "round_result",
    "sheet.fitting": "Fit options_for",
    "simulation.comparison": "Comparison compare",
    "simulation.rows": "GameRow",
    "simulation.runs": "simulate",
    "state": "State",
    "stepwise": "Choice ChoiceError Chooser chooser",
    "variants": "options presets",
    "views": "View determinize view",
}
"""
The names that bring their module with them when they are first asked for.

That is all of them: the command line has to be able to answer an interrupt before the
rest of the package is there.
"""


def __getattr__(name: str) -> Any:
    if name == "IS_COMPILED":
        return not (import_module("rummyvariants.cards").__file__ or "").endswith(".py")
    if name == "__version__":
        # It takes longer to come than this module does.
        metadata = import_module("importlib.metadata")
        with suppress(metadata.PackageNotFoundError):
            return metadata.version(__name__)
    for room, names in _LATER.items():
        if name in names.split():
            found = getattr(import_module(f"rummyvariants.{room}"), name)
            globals()[name] = found
            return found
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return __all__
