"""
The public steps of a game: begin, deal, ask, act.

Every action goes one way: it is planned, which may end in an objection, and then it is
performed on a draft. `check` stops after the first half.
"""

from __future__ import annotations

import attrs

from rummyvariants.game._engine.acts import Plan
from rummyvariants.game._engine.effects import Effects
from rummyvariants.game._engine.knocks import named
from rummyvariants.game._engine.plays import LATER, AnyState, plan_legal
from rummyvariants.game._engine.verbs import (
    VERBS,
    parse_action,
    planned,
    verbs_of,
    wrong_value,
)
from rummyvariants.game._events import Log
from rummyvariants.game._round import History
from rummyvariants.game._state import (
    Draft,
    Leaf,
    State,
    freeze,
    known_leaf,
    remember,
    thaw,
    to_act,
)
from rummyvariants.game.actions import Action, Deal, Knock, LayDown, LayOff
from rummyvariants.rulings import IllegalAction, Objection, Ruling, allow


# --------------------------------------------------------------------------- asking


def as_action(state: AnyState, action: Action | str, seat: int | None) -> Action:
    """
    An action as an object, its seat filled in where one seat alone may act.

    Raises:
        IllegalAction: If a value of it is of a wrong type.
        ParseError: If a text cannot be read as an action.
    """
    if isinstance(action, str):
        action = parse_action(action, seat, verbs_of(state.match.rules))
    elif wrong := wrong_value(action):
        raise IllegalAction(state.match.rules.refusal(Objection("RV-07", wrong)))
    elif seat is None and action.seat is not None:
        return named(state, action) if isinstance(action, Knock) else action
    elif seat is not None and action.seat != seat:
        action = attrs.evolve(action, seat=seat)
    if action.seat is None and not isinstance(action, Deal):
        acting = to_act(state)
        if len(acting) == 1:
            action = attrs.evolve(action, seat=acting[0])
    return named(state, action) if isinstance(action, Knock) else action


def check(state: State, action: Action | str, seat: int | None = None) -> Ruling:
    """
    Whether an action is legal, and by which rule.

    Args:
        state: The state that it would be done in.
        action: An action, or its text in the notation.
        seat: Who would do it, whatever seat the action names; may be left out where
            the action names one, or one alone may act. A server gives it with whatever
            a player sends. No seat deals, so with a seat a deal is refused.

    Returns:
        A ruling, true if the action is legal. No action raises; one made with values of
        wrong types is refused.

    Raises:
        ParseError: If a text cannot be read as an action.
    """
    try:
        done = as_action(state, action, seat)
    except IllegalAction as error:
        return error.ruling
    found = planned(state, done)
    if isinstance(found, Objection):
        return state.match.rules.refusal(found)
    remember(state, (done, found))
    path, reason = VERBS[type(done)].permit(state, done, found)
    return allow(state.match.rules.rule_of(path), reason)


def is_legal(state: AnyState, action: Action) -> bool:
    """
    Whether an action that names its seat is legal; what it would do is remembered.
    """
    found = planned(state, action)
    if isinstance(found, Objection):
        return False
    remember(state, (action, found))
    return True


# --------------------------------------------------------------------------- acting


def apply(state: State, action: Action | str, seat: int | None = None) -> State:
    """
    The state after an action. The given state stays as it is.

    Args:
        state: The state that the action is done in.
        action: An action, or its text in the notation.
        seat: Who does it, as for `check`: a server gives it with whatever a player
            sends.

    Raises:
        IllegalAction: If the rules refuse it; the error carries the ruling.
        ParseError: If a text cannot be read as an action.
    """
    leaf = known_leaf(state, action) if seat is None else None
    if leaf is None:
        return act(state, as_action(state, action, seat), None)
    return _done(state, leaf[0], leaf, None)


def act(state: State, action: Action, log: Log) -> State:
    """
    The state after an action that names its seat.

    Args:
        state: The state that it is done in.
        action: The action.
        log: Where what happens is noted.

    Raises:
        IllegalAction: If the rules refuse it.
    """
    return _done(state, action, known_leaf(state, action), log)


def _done(state: State, action: Action, leaf: Leaf | None, log: Log) -> State:
    found = _found(state, action, leaf)
    # States that are kept need not keep the plans of all that might have been done.
    remember(state, None)
    draft = thaw(state)
    perform_action(draft, action, found, log)
    return freeze(draft)


def _found(state: AnyState, action: Action, leaf: Leaf | None) -> Plan:
    """
    What an action would do, as it was found before or is found now.

    Raises:
        IllegalAction: If it is refused.
    """
    found: Plan | Objection
    if leaf is None or leaf[1] is LATER:
        found = planned(state, action)
    elif isinstance(action, (LayDown, LayOff)) and isinstance(leaf[1], int):
        found = plan_legal(state, action.seat or 0, action, leaf[1])
    else:
        found = leaf[1]
    if isinstance(found, Objection):
        raise IllegalAction(state.match.rules.refusal(found))
    return found


def perform_action(draft: Draft, action: Action, found: Plan, log: Log) -> None:
    """
    Do an action by its plan on a draft, and put it into the history.
    """
    kind = type(action)
    draft._history = History(
        draft._history, action, kind is Deal and not draft.match.thrown_in
    )
    if not draft.match.rules.has_effects:
        VERBS[kind].perform(draft, action, found, log)
        return
    effects = Effects(draft, action, log)
    VERBS[kind].perform(draft, action, found, log)
    effects.follow()


def do_known(draft: Draft, action: Action) -> None:
    """
    Do an action on a draft that a sample of its legal actions has given.

    Raises:
        IllegalAction: If it is not the one that was found last, and is refused.
    """
    found = _found(draft, action, known_leaf(draft, action))
    draft._known = None
    perform_action(draft, action, found, None)
