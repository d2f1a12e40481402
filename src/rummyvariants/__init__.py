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
>>> rv.search("is K A 2 a run", "rummy-500")[0].rules # ask as you would a player
('BN-07',)
>>> state = rv.position("rummy-500", hands={"Ann": "9s 2c", "Ben": "Qh"}, fill=True)
>>> rv.view(state, seat=1).hand                       # what one seat knows
Cards('Qh')

See also: `step` (with events), `round_result`, `record`, `replay`, `arrange`,
`chooser`, `simulate`, `compare`; the modules `actions`, `events`, `files` (records,
scenarios, JSON), `house` (rules of your own) and the others that ``dir(rv)`` names.
Cards and actions are written as ``7h``, ``*=8h``, ``meld 7h *=8h 9h``; ``docs/`` has
the tutorial and the notation.
"""

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from rummyvariants._support.lazy import offered


if TYPE_CHECKING:
    from rummyvariants import actions as actions
    from rummyvariants import bots as bots
    from rummyvariants import errors as errors
    from rummyvariants import events as events
    from rummyvariants import files as files
    from rummyvariants import game as game
    from rummyvariants import house as house
    from rummyvariants import learning as learning
    from rummyvariants import melds as melds
    from rummyvariants import rules as rules
    from rummyvariants import simulation as simulation
    from rummyvariants import testing as testing
    from rummyvariants.actions import Action as Action
    from rummyvariants.cards import Card as Card
    from rummyvariants.cards import Cards as Cards
    from rummyvariants.errors import RummyError as RummyError
    from rummyvariants.files._positions import position as position
    from rummyvariants.files._records import record as record
    from rummyvariants.files._records import replay as replay
    from rummyvariants.game._chooser import chooser as chooser
    from rummyvariants.game._engine.beginning import new_game as new_game
    from rummyvariants.game._engine.game import apply as apply
    from rummyvariants.game._engine.steps import Step as Step
    from rummyvariants.game._engine.steps import step as step
    from rummyvariants.game._playouts import playout as playout
    from rummyvariants.game._state import State as State
    from rummyvariants.game._views import View as View
    from rummyvariants.game._views import determinize as determinize
    from rummyvariants.game._views import view as view
    from rummyvariants.referee import arrange as arrange
    from rummyvariants.referee import check as check
    from rummyvariants.referee import legal_actions as legal_actions
    from rummyvariants.referee import round_result as round_result
    from rummyvariants.rules._files import load_rules as load_rules
    from rummyvariants.rules._ruleset import Ruleset as Ruleset
    from rummyvariants.rules._ruleset import preset as preset
    from rummyvariants.rules._search import options as options
    from rummyvariants.rules._search import search as search
    from rummyvariants.rules._variants import presets as presets
    from rummyvariants.rulings import IllegalAction as IllegalAction
    from rummyvariants.rulings import Ruling as Ruling
    from rummyvariants.rulings import rule as rule
    from rummyvariants.simulation.comparison import compare as compare
    from rummyvariants.simulation.runs import simulate as simulate


__version__: str
IS_COMPILED: bool
"""Whether this is a wheel in which the modules behind each action are compiled."""

_OFFERED: Final = {
    "": (
        "actions bots errors events files game house learning melds rules simulation "
        "testing"
    ),
    "actions": "Action",
    "cards": "Card Cards",
    "errors": "RummyError",
    "files._positions": "position",
    "files._records": "record replay",
    "game._chooser": "chooser",
    "game._engine.beginning": "new_game",
    "game._engine.game": "apply",
    "game._engine.steps": "Step step",
    "game._playouts": "playout",
    "game._state": "State",
    "game._views": "View determinize view",
    "referee": "arrange check legal_actions round_result",
    "rules._files": "load_rules",
    "rules._ruleset": "Ruleset preset",
    "rules._search": "options search",
    "rules._variants": "presets",
    "rulings": "IllegalAction Ruling rule",
    "simulation.comparison": "compare",
    "simulation.runs": "simulate",
}
"""
The names whose modules are imported when they are first used.

That is all of them: the command line must be able to answer an interrupt before the
rest of the package is imported.
"""

_attribute, __dir__, _names = offered(__name__, _OFFERED)
if not TYPE_CHECKING:  # type checkers read it only if it is written out
    __all__ = list(_names)


def __getattr__(name: str) -> Any:
    if name == "IS_COMPILED":
        return not (import_module("rummyvariants.cards").__file__ or "").endswith(".py")
    if name == "__version__":
        # It takes longer to import than this module does.
        metadata = import_module("importlib.metadata")
        with suppress(metadata.PackageNotFoundError):
            return metadata.version(__name__)
    return _attribute(name)
