"""
Games: states, the engine, lists of actions, views, results.
"""

from typing import TYPE_CHECKING, Final

from rummyvariants._support.lazy import offered


if TYPE_CHECKING:
    from rummyvariants.game._card_moves import CardMove as CardMove
    from rummyvariants.game._card_moves import SeenEvent as SeenEvent
    from rummyvariants.game._card_moves import Spot as Spot
    from rummyvariants.game._chooser import MOST_CHOICES as MOST_CHOICES
    from rummyvariants.game._chooser import ChoiceError as ChoiceError
    from rummyvariants.game._chooser import Chooser as Chooser
    from rummyvariants.game._engine.beginning import begin as begin
    from rummyvariants.game._engine.beginning import deal as deal
    from rummyvariants.game._engine.deals import next_deal as next_deal
    from rummyvariants.game._listing import ActionPage as ActionPage
    from rummyvariants.game._listing import LegalAction as LegalAction
    from rummyvariants.game._moves import LegalActions as LegalActions
    from rummyvariants.game._round import Column as Column
    from rummyvariants.game._round import Dealt as Dealt
    from rummyvariants.game._round import Drawn as Drawn
    from rummyvariants.game._round import Frame as Frame
    from rummyvariants.game._round import Match as Match
    from rummyvariants.game._round import RoundResult as RoundResult
    from rummyvariants.game._round import ScoreItem as ScoreItem
    from rummyvariants.game._round import Zone as Zone
    from rummyvariants.game._sheets import ScoreSheet as ScoreSheet
    from rummyvariants.game._sheets import SheetRound as SheetRound
    from rummyvariants.game._sheets import score_sheet as score_sheet
    from rummyvariants.game._views import Sight as Sight
    from rummyvariants.game.verbs._known import parse_action as parse_action
    from rummyvariants.melds._choices import Choice as Choice


_OFFERED: Final = {
    "game._card_moves": "CardMove SeenEvent Spot",
    "game._chooser": "ChoiceError Chooser MOST_CHOICES",
    "game._engine.beginning": "begin deal",
    "game._engine.deals": "next_deal",
    "game._listing": "ActionPage LegalAction",
    "game._moves": "LegalActions",
    "game._round": ("Column Dealt Drawn Frame Match RoundResult ScoreItem Zone"),
    "game._sheets": "ScoreSheet SheetRound score_sheet",
    "game._views": "Sight",
    "game.verbs._known": "parse_action",
    "melds._choices": "Choice",
}
__getattr__, __dir__, _names = offered(__name__, _OFFERED)
if not TYPE_CHECKING:
    __all__ = list(_names)
