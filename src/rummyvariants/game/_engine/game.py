"""
The public steps of a game: begin, deal, ask, act.

Every action takes the same path: it is planned, which may end in an objection, and then
performed on a draft. `check` stops after planning.
"""

from __future__ import annotations

import attrs

from rummyvariants._support.words import listed
from rummyvariants.actions import Action, Deal
from rummyvariants.errors import AmbiguousError, Seat, need, seat_number
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine.effects import Effects
from rummyvariants.game._engine.plays import LATER, AnyState
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
from rummyvariants.game.verbs._house import Offered
from rummyvariants.game.verbs._known import VERBS, plan_kept, planned, wrong_value
from rummyvariants.game.verbs._short import read_action
from rummyvariants.game.verbs._verb import Plan
from rummyvariants.house.facts import Engine
from rummyvariants.rulings import IllegalAction, Objection, Ruling, allow


# --------------------------------------------------------------------------- asking


def as_action(state: AnyState, action: Action | str, seat: Seat | None) -> Action:
    """
    An action as an object, with its seat filled in if only one seat may act.

    Raises:
        IllegalAction: If one of its values has a wrong type, or a short form names what
            is not there.
        ParseError: If a text cannot be read as an action.
        RequestError: If there is no such seat.
    """
    if seat is not None:
        seat = seat_number(seat, state.match.players)
    if isinstance(action, str):
        action = read_action(state, action, seat)
    elif wrong := wrong_value(action):
        raise IllegalAction(state.match.rules.refusal(Objection("RV-07", wrong)))
    elif seat is not None and action.seat != seat:
        action = action.by(seat)
    if action.seat is None and not isinstance(action, Deal):
        acting = to_act(state)
        if len(acting) == 1:
            action = action.by(acting[0])
    meant: Action = VERBS[type(action)].meant(state, action)
    return meant


def check(state: State, action: Action | str, seat: Seat | None = None) -> Ruling:
    """
    The ruling on an action in a state; `referee.check` says the rest.
    """
    if type(state) is not State:
        need("state", state, State, others=(action, seat))
    try:
        done = as_action(state, action, seat)
    except IllegalAction as error:
        return error.ruling.about(state, action, seat)
    except AmbiguousError as error:
        ruling = check(state, error.forms[0], seat)
        forms = listed([f"'{one}'" for one in error.forms], "or")
        return attrs.evolve(ruling, reason=f"write {forms}: {ruling.reason}")
    found = plan_kept(state, done)
    if isinstance(found, Objection):
        return state.match.rules.refusal(found).about(state, done, None)
    path, reason, *also = VERBS[type(done)].permit(state, done, found)
    rule_of = state.match.rules.rule_of
    ruling = allow(rule_of(path), reason, *map(rule_of, also))
    return ruling.about(state, done, None)


def is_legal(state: AnyState, action: Action) -> bool:
    """
    Whether an action that names its seat is legal; its plan is remembered.
    """
    return not isinstance(plan_kept(state, action), Objection)


def allows(state: State, action: Action | str, seat: Seat | None = None) -> bool:
    """
    Whether an action is legal: `check` without the reason, which takes longer to find.
    """
    try:
        return is_legal(state, as_action(state, action, seat))
    except IllegalAction:
        return False


# --------------------------------------------------------------------------- acting


def apply(state: State, action: Action | str, seat: Seat | None = None) -> State:
    """
    Do an action and return the new state. The given state does not change.

    Args:
        state: The state in which the action is done.
        action: An action, or its text in the notation.
        seat: The seat that acts, as for `check`; a server should always give it.

    Raises:
        IllegalAction: If the rules refuse it; the error carries the ruling.
        ParseError: If a text cannot be read as an action.
        RequestError: If there is no such seat.
        TypeError: If the first argument is not a state.

    >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "take 1")
    >>> after = rv.apply(state, "discard 6c")
    >>> after.discards, after.turn, state.turn
    ((Card('6c'),), 1, 0)
    """
    if type(state) is not State:
        need("state", state, State, others=(action, seat))
    leaf = known_leaf(state, action) if seat is None else None
    if leaf is not None:
        return _done(state, leaf, None)
    try:
        return act(state, as_action(state, action, seat), None)
    except IllegalAction as error:
        raise error.about(state, action, seat) from None


def act(state: State, action: Action, log: Log) -> State:
    """
    The state after an action that names its seat.

    Args:
        state: The state in which it is done.
        action: The action.
        log: Where what happens is noted.

    Raises:
        IllegalAction: If the rules refuse it.
    """
    return _done(state, known_leaf(state, action) or (action, LATER), log)


def _done(state: State, leaf: Leaf, log: Log) -> State:
    draft = thaw(state)
    do_leaf(draft, leaf, log)
    # A state that is kept need not keep the plans of everything that might be done.
    remember(state, None)
    return freeze(draft)


def do_known(draft: Draft, action: Action) -> None:
    """
    Do an action that was sampled from the legal actions of a draft.

    Raises:
        IllegalAction: If it is not the one found last, and is refused.
    """
    do_leaf(draft, known_leaf(draft, action) or (action, LATER))


def do_leaf(draft: Draft, leaf: Leaf, log: Log = None) -> None:
    """
    Do an action by its plan on the draft for which it was found, and note it there.

    Args:
        draft: The state in the making.
        leaf: The action and its plan, or `LATER`.
        log: Where what happens is noted, if anywhere.

    Raises:
        IllegalAction: If it has to be planned yet, and is refused.
    """
    action, found = leaf
    if found is LATER:
        found = planned(draft, action)
        if isinstance(found, Objection):
            raise IllegalAction(draft.match.rules.refusal(found))
    draft._known = None
    kind = type(action)
    first = kind is Deal and not draft.match.thrown_in
    draft._history = History(draft._history, action, first)
    verb = VERBS[kind]
    if not (isinstance(found, Offered) or draft.match.rules.has_effects):
        verb.perform(draft, action, found, log)
        return
    if log is None and "follows" in draft.match.rules.asked:
        log = events.EventLog()  # the rules hear of events
    effects = Effects(draft, action, log)
    if isinstance(found, Offered):
        # Before those of rules that hear of the action.
        effects.add(found.path, found.rule, found.effects)
    verb.perform(draft, action, found, log)
    if effects.due or draft.turns is not effects.turns:
        effects.follow()
    if log is not None:
        log.hears = None  # or else each would keep the other alive


def _after(state: AnyState, action: Action, plan: Plan) -> Draft:
    """
    The state after a legal action, for the rules that want to know before it is done.
    """
    draft = thaw(state)
    do_leaf(draft, (action, plan))
    return draft


def _may(state: AnyState, seat: int, text: str) -> bool:
    """
    Whether a seat may do something, whatever house rules forbid.
    """
    action = as_action(state, text, seat)
    with asking.silencing("forbids"):
        return not isinstance(planned(state, action), Objection)


Engine.after, Engine.may = _after, _may
