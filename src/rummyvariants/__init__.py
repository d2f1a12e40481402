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
    from rummyvariants.cards import Card as Card
    from rummyvariants.cards import Cards as Cards
    from rummyvariants.cards import parse_cards as parse_cards
    from rummyvariants.errors import ParseError as ParseError
    from rummyvariants.errors import PositionError as PositionError
    from rummyvariants.errors import RecordError as RecordError
    from rummyvariants.errors import RequestError as RequestError
    from rummyvariants.errors import RulesError as RulesError
    from rummyvariants.errors import RummyError as RummyError
    from rummyvariants.files._positions import position as position
    from rummyvariants.files._records import Record as Record
    from rummyvariants.files._records import RecordFile as RecordFile
    from rummyvariants.files._records import ReplayError as ReplayError
    from rummyvariants.files._records import load_record as load_record
    from rummyvariants.files._records import record as record
    from rummyvariants.files._records import replay as replay
    from rummyvariants.files._records import replay_steps as replay_steps
    from rummyvariants.files._scenarios import Outcome as Outcome
    from rummyvariants.files._scenarios import Scenario as Scenario
    from rummyvariants.files._scenarios import load_scenario as load_scenario
    from rummyvariants.files._scenarios import parse_scenario as parse_scenario
    from rummyvariants.files._scenarios import run as run
    from rummyvariants.files._scenarios import scenario_text as scenario_text
    from rummyvariants.files.json import from_json as from_json
    from rummyvariants.files.json import to_json as to_json
    from rummyvariants.game._card_moves import CardMove as CardMove
    from rummyvariants.game._card_moves import SeenEvent as SeenEvent
    from rummyvariants.game._card_moves import Spot as Spot
    from rummyvariants.game._chooser import MOST_CHOICES as MOST_CHOICES
    from rummyvariants.game._chooser import ChoiceError as ChoiceError
    from rummyvariants.game._chooser import Chooser as Chooser
    from rummyvariants.game._chooser import chooser as chooser
    from rummyvariants.game._engine.beginning import begin as begin
    from rummyvariants.game._engine.beginning import deal as deal
    from rummyvariants.game._engine.beginning import new_game as new_game
    from rummyvariants.game._engine.beginning import next_deal as next_deal
    from rummyvariants.game._engine.game import apply as apply
    from rummyvariants.game._engine.game import check as check
    from rummyvariants.game._engine.steps import Step as Step
    from rummyvariants.game._engine.steps import step as step
    from rummyvariants.game._listing import ActionPage as ActionPage
    from rummyvariants.game._listing import LegalAction as LegalAction
    from rummyvariants.game._moves import LegalActions as LegalActions
    from rummyvariants.game._moves import legal_actions as legal_actions
    from rummyvariants.game._playouts import playout as playout
    from rummyvariants.game._round import Column as Column
    from rummyvariants.game._round import RoundResult as RoundResult
    from rummyvariants.game._round import ScoreItem as ScoreItem
    from rummyvariants.game._scoring import round_result as round_result
    from rummyvariants.game._sheets import ScoreSheet as ScoreSheet
    from rummyvariants.game._sheets import SheetRound as SheetRound
    from rummyvariants.game._sheets import score_sheet as score_sheet
    from rummyvariants.game._state import State as State
    from rummyvariants.game._views import Sight as Sight
    from rummyvariants.game._views import View as View
    from rummyvariants.game._views import determinize as determinize
    from rummyvariants.game._views import view as view
    from rummyvariants.game.actions import Action as Action
    from rummyvariants.game.actions import Ask as Ask
    from rummyvariants.game.actions import Buy as Buy
    from rummyvariants.game.actions import CallRummy as CallRummy
    from rummyvariants.game.actions import Choose as Choose
    from rummyvariants.game.actions import Deal as Deal
    from rummyvariants.game.actions import Declare as Declare
    from rummyvariants.game.actions import Discard as Discard
    from rummyvariants.game.actions import Draw as Draw
    from rummyvariants.game.actions import GoDown as GoDown
    from rummyvariants.game.actions import HouseAction as HouseAction
    from rummyvariants.game.actions import Knock as Knock
    from rummyvariants.game.actions import LayDown as LayDown
    from rummyvariants.game.actions import LayOff as LayOff
    from rummyvariants.game.actions import No as No
    from rummyvariants.game.actions import Pass as Pass
    from rummyvariants.game.actions import PutDown as PutDown
    from rummyvariants.game.actions import Rejoin as Rejoin
    from rummyvariants.game.actions import Split as Split
    from rummyvariants.game.actions import Swap as Swap
    from rummyvariants.game.actions import Take as Take
    from rummyvariants.game.actions import TakeOn as TakeOn
    from rummyvariants.game.actions import TakeWith as TakeWith
    from rummyvariants.game.actions import Yes as Yes
    from rummyvariants.game.verbs._known import parse_action as parse_action
    from rummyvariants.learning._fields import ObservationError as ObservationError
    from rummyvariants.learning.encoding import Encoding as Encoding
    from rummyvariants.learning.encoding import EncodingError as EncodingError
    from rummyvariants.learning.encoding import Selection as Selection
    from rummyvariants.learning.encoding import encoding as encoding
    from rummyvariants.learning.observation import ObservationSpec as ObservationSpec
    from rummyvariants.learning.observation import observation as observation
    from rummyvariants.learning.observation import observation_spec as observation_spec
    from rummyvariants.melds._choices import Choice as Choice
    from rummyvariants.melds._meld import Meld as Meld
    from rummyvariants.melds._meld import Place as Place
    from rummyvariants.melds._meld import Played as Played
    from rummyvariants.melds._meld import Slot as Slot
    from rummyvariants.policies import AskOthers as AskOthers
    from rummyvariants.policies import DealFacts as DealFacts
    from rummyvariants.policies import Effect as Effect
    from rummyvariants.policies import EndMatch as EndMatch
    from rummyvariants.policies import EndRound as EndRound
    from rummyvariants.policies import GoOn as GoOn
    from rummyvariants.policies import HouseRule as HouseRule
    from rummyvariants.policies import Kind as Kind
    from rummyvariants.policies import Leave as Leave
    from rummyvariants.policies import MatchFacts as MatchFacts
    from rummyvariants.policies import Memory as Memory
    from rummyvariants.policies import Move as Move
    from rummyvariants.policies import Offer as Offer
    from rummyvariants.policies import Opening as Opening
    from rummyvariants.policies import Owed as Owed
    from rummyvariants.policies import Pile as Pile
    from rummyvariants.policies import Points as Points
    from rummyvariants.policies import Price as Price
    from rummyvariants.policies import Remember as Remember
    from rummyvariants.policies import RoundFacts as RoundFacts
    from rummyvariants.policies import Show as Show
    from rummyvariants.policies import Turn as Turn
    from rummyvariants.policies import register_rule as register_rule
    from rummyvariants.rules._files import load_rules as load_rules
    from rummyvariants.rules._files import read_rules as read_rules
    from rummyvariants.rules._ruleset import Ruleset as Ruleset
    from rummyvariants.rules._ruleset import preset as preset
    from rummyvariants.rules._variants import options as options
    from rummyvariants.rules._variants import presets as presets
    from rummyvariants.rules.sheet.fitting import Fit as Fit
    from rummyvariants.rules.sheet.fitting import options_for as options_for
    from rummyvariants.rulings import IllegalAction as IllegalAction
    from rummyvariants.rulings import Rule as Rule
    from rummyvariants.rulings import Ruling as Ruling
    from rummyvariants.rulings import catalogue as catalogue
    from rummyvariants.rulings import rule as rule
    from rummyvariants.simulation.comparison import Comparison as Comparison
    from rummyvariants.simulation.comparison import compare as compare
    from rummyvariants.simulation.rows import GameRow as GameRow
    from rummyvariants.simulation.runs import simulate as simulate
    from rummyvariants.solver import ArrangeError as ArrangeError
    from rummyvariants.solver import Arrangement as Arrangement
    from rummyvariants.solver import arrange as arrange
    from rummyvariants.solver import arrange_hand as arrange_hand


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

_NAMES: Final = ["IS_COMPILED", *" ".join(_LATER.values()).split()]
if not TYPE_CHECKING:  # type checkers read it only if it is written out
    __all__ = list(_NAMES)


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
    return _NAMES
