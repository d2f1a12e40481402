"""
Whether two actions do the same, however their cards and melds are ordered.
"""

from __future__ import annotations

from typing import Any

from rummyvariants.game._engine.acts import Plan
from rummyvariants.game._engine.calls import Call
from rummyvariants.game._engine.draws import TakePlan
from rummyvariants.game._engine.knocks import KnockPlan
from rummyvariants.game._engine.plays import AnyState, Play
from rummyvariants.game._engine.verbs import planned
from rummyvariants.game._state import Leaf
from rummyvariants.game.actions import Action
from rummyvariants.melds._meld import Meld
from rummyvariants.rulings import Objection


def does_same(state: AnyState, one: Leaf, other: tuple[Action, Plan]) -> bool:
    """
    Whether two legal actions do the same.

    Args:
        state: The state.
        one: A leaf of the tree of choices.
        other: An action with its plan.
    """
    action, known = one
    wanted, plan = other
    if action == wanted:
        return True
    if type(action) is not type(wanted):
        return False
    if isinstance(plan, Play) and isinstance(known, int) and known != plan.used:
        return False
    effect = _effect_of(plan)
    found = planned(state, action)
    if effect is None or isinstance(found, Objection):
        return False
    return effect == _effect_of(found)


def _effect_of(plan: Plan) -> tuple[Any, ...] | None:
    """
    What an action does to the table, by its plan; None if its plan does not say.

    Two wilds that change places within a meld make no difference.
    """
    if isinstance(plan, Play):
        return _of_play(plan)
    if isinstance(plan, TakePlan):
        return plan.count, _of_play(plan.play)
    if isinstance(plan, Call):
        return plan.from_pile, plan.from_hand, plan.taken, _of_play(plan.play)
    if isinstance(plan, KnockPlan):
        return plan.how, plan.left, sorted(map(_of_meld, plan.melds))
    return None


def _of_play(play: Play) -> tuple[Any, ...]:
    second = [] if play.second is None else [_of_meld(play.second)]
    where = -1 if play.is_meld else play.number
    melds = sorted([_of_meld(one.after) for one in (play, *play.then)])
    return where, play.used, play.gained, melds, second


def _of_meld(meld: Meld) -> tuple[Any, ...]:
    """
    The cards of a meld: those in their own places, the others, and their places.
    """
    away = [one for one in meld.slots if one.stands_for and not one.own_place]
    home = [one for one in meld.slots if one not in away]
    return (
        meld.kind,
        sorted([str(one.card) for one in home]),
        sorted([str(one.card) for one in away]),
        sorted([str(one.stands_for) for one in away]),
        sorted([(one.index, str(one.card)) for one in meld.beside]),
    )
