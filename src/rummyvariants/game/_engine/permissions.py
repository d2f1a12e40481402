"""
By which rule a legal action is allowed.
"""

from __future__ import annotations

from rummyvariants.game._engine.draws import refuse_draw
from rummyvariants.game._engine.knocks import KnockPlan
from rummyvariants.game._engine.plans import Plan
from rummyvariants.game._engine.plays import Play
from rummyvariants.game._state import State
from rummyvariants.game.actions import (
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
)
from rummyvariants.rulings import Ruling, allow


def permission(state: State, action: Action, found: Plan) -> Ruling:
    """
    The ruling that allows a legal action, with the rule that it goes by.
    """
    rules = state.match.rules
    match action:
        case Draw() | Take():
            question, reason = "draw.take", "a turn starts with a draw"
            if state.phase == "offer":
                question, reason = "draw.first_upcard", "the first upcard is offered"
        case LayDown():
            assert isinstance(found, Play)  # noqa: S101 -- for the type checker
            kind = found.after.kind
            question = "wild.wild_melds" if kind == "wilds" else f"meld.{kind}s"
            reason = f"the cards make a {'meld' if kind == 'wilds' else kind}"
        case LayOff():
            assert isinstance(found, Play)  # noqa: S101 -- for the type checker
            question, reason = "layoff.onto", "the cards fit the meld"
            if state.phase == "layoff":
                question = "layoff.knocked"
            if len(found.after.beside) and not found.is_meld:
                old = _meld_before(state, found.number)
                if len(found.after) == old:
                    question, reason = (
                        "wild.real_card",
                        "the real card goes beside the wild that stands for it",
                    )
        case PutDown():
            question, reason = "layoff.single_wilds", "a single wild may be put down"
        case Swap():
            question, reason = "wild.real_card", "the real card takes the wild's place"
        case Split():
            question, reason = "wild.split", "both parts are melds"
        case Discard():
            question, reason = "discard.ends_turn", "a discard ends the turn"
            if state.phase == "discard":
                question, reason = "call.then_discard", "a caller discards a card"
        case CallRummy():
            question, reason = "call.calls", "the cards can be called"
        case Pass():
            question, reason = "call.calls", "a call may be declined"
            if state.phase == "draw":
                empty = refuse_draw(state)
                assert empty is not None  # noqa: S101 -- for the type checker
                question, reason = "stock.when_empty", empty.reason
            elif state.phase == "offer":
                question, reason = (
                    "draw.first_upcard",
                    "the first upcard may be declined",
                )
            elif state.phase == "layoff":
                question, reason = "layoff.knocked", "nobody has to lay off"
        case Knock():
            assert isinstance(found, KnockPlan)  # noqa: S101 -- for the type checker
            question, reason = {
                "knock": ("out.knock", "few enough points are left"),
                "gin": ("out.knock", "all cards but the discard are in melds"),
                "big gin": ("out.big_gin", "all cards are in melds"),
            }[found.how]
        case Choose():
            question, reason = "deal.two_upcard", "the size is one of the choices"
        case Deal():
            question, reason = "deal.method", "the deck is whole"
    return allow(rules.rule_of(question), reason)


def _meld_before(state: State, number: int) -> int:
    meld = state.dealer_wild if number == 0 else state._table[number - 1]
    return 0 if meld is None else len(meld)
