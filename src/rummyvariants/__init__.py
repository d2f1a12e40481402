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

See also: `step` (with events), `round_result`, `record`, `replay`, `run` (scenarios),
`arrange`, `chooser`, `simulate`, `compare`, `to_json`. Cards and actions are written as
``7h``, ``*=8h``, ``meld 7h *=8h 9h``; ``docs/`` has the tutorial and the notation.
"""

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final


if TYPE_CHECKING:
    from rummyvariants.cards import Card, Cards, parse_cards
    from rummyvariants.errors import (
        ParseError,
        PositionError,
        RecordError,
        RequestError,
        RulesError,
        RummyError,
    )
    from rummyvariants.files._positions import position
    from rummyvariants.files._records import (
        Record,
        RecordFile,
        ReplayError,
        load_record,
        record,
        replay,
        replay_steps,
    )
    from rummyvariants.files._scenarios import (
        Outcome,
        Scenario,
        load_scenario,
        parse_scenario,
        run,
        scenario_text,
    )
    from rummyvariants.files.json import from_json, to_json
    from rummyvariants.game._card_moves import CardMove, SeenEvent, Spot
    from rummyvariants.game._chooser import MOST_CHOICES, ChoiceError, Chooser, chooser
    from rummyvariants.game._engine.beginning import begin, deal, new_game, next_deal
    from rummyvariants.game._engine.game import apply, check
    from rummyvariants.game._engine.steps import Step, step
    from rummyvariants.game._listing import ActionPage, LegalAction
    from rummyvariants.game._moves import LegalActions, legal_actions
    from rummyvariants.game._playouts import playout
    from rummyvariants.game._round import Column, RoundResult, ScoreItem
    from rummyvariants.game._scoring import round_result
    from rummyvariants.game._sheets import ScoreSheet, SheetRound, score_sheet
    from rummyvariants.game._state import State
    from rummyvariants.game._views import Sight, View, determinize, view
    from rummyvariants.game.actions import (
        Action,
        Ask,
        Buy,
        CallRummy,
        Choose,
        Deal,
        Declare,
        Discard,
        Draw,
        GoDown,
        HouseAction,
        Knock,
        LayDown,
        LayOff,
        No,
        Pass,
        PutDown,
        Rejoin,
        Split,
        Swap,
        Take,
        TakeOn,
        TakeWith,
        Yes,
    )
    from rummyvariants.game.verbs._known import parse_action
    from rummyvariants.learning._fields import ObservationError
    from rummyvariants.learning.encoding import (
        Encoding,
        EncodingError,
        Selection,
        encoding,
    )
    from rummyvariants.learning.observation import (
        ObservationSpec,
        observation,
        observation_spec,
    )
    from rummyvariants.melds._choices import Choice
    from rummyvariants.melds._meld import Meld, Place, Played, Slot
    from rummyvariants.policies import (
        AskOthers,
        DealFacts,
        Effect,
        EndMatch,
        EndRound,
        GoOn,
        HouseRule,
        Kind,
        Leave,
        MatchFacts,
        Memory,
        Move,
        Offer,
        Opening,
        Owed,
        Pile,
        Points,
        Price,
        Remember,
        RoundFacts,
        Show,
        Turn,
        register_rule,
    )
    from rummyvariants.rules._files import load_rules, read_rules
    from rummyvariants.rules._ruleset import Ruleset, preset
    from rummyvariants.rules._variants import options, presets
    from rummyvariants.rules.sheet.fitting import Fit, options_for
    from rummyvariants.rulings import IllegalAction, Rule, Ruling, catalogue, rule
    from rummyvariants.simulation.comparison import Comparison, compare
    from rummyvariants.simulation.rows import GameRow
    from rummyvariants.simulation.runs import simulate
    from rummyvariants.solver import (
        ArrangeError,
        Arrangement,
        arrange,
        arrange_hand,
    )


__all__ = [
    "IS_COMPILED",
    "MOST_CHOICES",
    "Action",
    "ActionPage",
    "ArrangeError",
    "Arrangement",
    "Ask",
    "AskOthers",
    "Buy",
    "CallRummy",
    "Card",
    "CardMove",
    "Cards",
    "Choice",
    "ChoiceError",
    "Choose",
    "Chooser",
    "Column",
    "Comparison",
    "Deal",
    "DealFacts",
    "Declare",
    "Discard",
    "Draw",
    "Effect",
    "Encoding",
    "EncodingError",
    "EndMatch",
    "EndRound",
    "Fit",
    "GameRow",
    "GoDown",
    "GoOn",
    "HouseAction",
    "HouseRule",
    "IllegalAction",
    "Kind",
    "Knock",
    "LayDown",
    "LayOff",
    "Leave",
    "LegalAction",
    "LegalActions",
    "MatchFacts",
    "Meld",
    "Memory",
    "Move",
    "No",
    "ObservationError",
    "ObservationSpec",
    "Offer",
    "Opening",
    "Outcome",
    "Owed",
    "ParseError",
    "Pass",
    "Pile",
    "Place",
    "Played",
    "Points",
    "PositionError",
    "Price",
    "PutDown",
    "Record",
    "RecordError",
    "RecordFile",
    "Rejoin",
    "Remember",
    "ReplayError",
    "RequestError",
    "RoundFacts",
    "RoundResult",
    "Rule",
    "RulesError",
    "Ruleset",
    "Ruling",
    "RummyError",
    "Scenario",
    "ScoreItem",
    "ScoreSheet",
    "SeenEvent",
    "Selection",
    "SheetRound",
    "Show",
    "Sight",
    "Slot",
    "Split",
    "Spot",
    "State",
    "Step",
    "Swap",
    "Take",
    "TakeOn",
    "TakeWith",
    "Turn",
    "View",
    "Yes",
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
    "encoding",
    "from_json",
    "legal_actions",
    "load_record",
    "load_rules",
    "load_scenario",
    "new_game",
    "next_deal",
    "observation",
    "observation_spec",
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
    "register_rule",
    "replay",
    "replay_steps",
    "round_result",
    "rule",
    "run",
    "scenario_text",
    "score_sheet",
    "simulate",
    "step",
    "to_json",
    "view",
]


__version__: str
IS_COMPILED: bool
"""Whether this is a wheel in which the modules behind each action are compiled."""

_LATER: Final = {
    "game.actions": (
        "Action Ask Buy CallRummy Choose Deal Declare Discard Draw GoDown "
        "HouseAction Knock LayDown LayOff No Pass PutDown Rejoin Split Swap Take "
        "TakeOn TakeWith Yes"
    ),
    "solver": "ArrangeError Arrangement arrange arrange_hand",
    "cards": "Card Cards parse_cards",
    "game._engine.beginning": "begin deal new_game next_deal",
    "game._engine.game": "apply check",
    "game._engine.steps": "Step step",
    "game.verbs._known": "parse_action",
    "errors": (
        "ParseError PositionError RecordError RequestError RulesError RummyError"
    ),
    "files.json": "from_json to_json",
    "learning.encoding": "Encoding EncodingError Selection encoding",
    "learning._fields": "ObservationError",
    "learning.observation": "ObservationSpec observation observation_spec",
    "melds._meld": "Meld Place Played Slot",
    "game._card_moves": "CardMove SeenEvent Spot",
    "game._listing": "ActionPage LegalAction",
    "game._moves": "LegalActions legal_actions",
    "game._round": "Column RoundResult ScoreItem",
    "files._positions": "position",
    "game._playouts": "playout",
    "policies": (
        "AskOthers DealFacts Effect EndMatch EndRound GoOn HouseRule Kind Leave "
        "MatchFacts Memory Move Offer Opening Owed Pile Points Price Remember "
        "RoundFacts Show Turn register_rule"
    ),
    "files._records": (
        "Record RecordFile ReplayError load_record record replay replay_steps"
    ),
    "rules._ruleset": "Ruleset preset",
    "rules._files": "load_rules read_rules",
    "rulings": "IllegalAction Rule Ruling catalogue rule",
    "files._scenarios": (
        "Outcome Scenario load_scenario parse_scenario run scenario_text"
    ),
    "game._scoring": "round_result",
    "game._sheets": "ScoreSheet SheetRound score_sheet",
    "rules.sheet.fitting": "Fit options_for",
    "simulation.comparison": "Comparison compare",
    "simulation.rows": "GameRow",
    "simulation.runs": "simulate",
    "game._state": "State",
    "game._chooser": "ChoiceError Chooser MOST_CHOICES chooser",
    "melds._choices": "Choice",
    "rules._variants": "options presets",
    "game._views": "Sight View determinize view",
}
"""
The names whose modules are imported when they are first used.

That is all of them: the command line must be able to answer an interrupt before the
rest of the package is imported.
"""


def __getattr__(name: str) -> Any:
    if name == "IS_COMPILED":
        return not (import_module("rummyvariants.cards").__file__ or "").endswith(".py")
    if name == "__version__":
        # It takes longer to import than this module does.
        metadata = import_module("importlib.metadata")
        with suppress(metadata.PackageNotFoundError):
            return metadata.version(__name__)
    for module, names in _LATER.items():
        if name in names.split():
            found = getattr(import_module(f"rummyvariants.{module}"), name)
            globals()[name] = found
            return found
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return __all__
