"""
May I go out? The question to a partner, and the answer.
"""

from __future__ import annotations

import attrs

from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine.finish import can_finish
from rummyvariants.game._engine.outs import goes_out
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._events import Log
from rummyvariants.game._round import ANSWERS, Frame, turn_frames
from rummyvariants.game._state import Draft, State, absent, thaw
from rummyvariants.game.actions import Ask, No, Yes
from rummyvariants.melds._tree import Node
from rummyvariants.rulings import Objection


Permission = tuple[str, int]
"""The policy value by which a player asks, and the seat that is asked."""


def plan_ask(state: AnyState, action: Ask) -> Permission | Objection:
    """
    Whom a player may ask whether to go out, or why nobody.
    """
    seat = action.seat or 0
    rules = state.match.rules.asked.get("asks", ())
    if not rules:
        reason = "nobody asks whether to go out in this game"
        return Objection("out.ask", reason, ("RV-07",))
    path = rules[0][0]
    turn = state.frames[-1]
    found = asking.asked_partner(state, seat)
    if found is None or found[1] in absent(state):
        return Objection(path, "there is no partner to ask")
    if turn.answer:
        return Objection(path, f"the answer was {turn.answer!r}, and it binds")
    if state.laid or turn.discards_made:
        reason = "the partner is asked before any card is laid or discarded"
        return Objection(path, reason)
    if not can_finish(allowed(state), seat):
        return Objection(path, "the hand does not go out in this turn", ("RV-03",))
    return found


def allowed(state: AnyState) -> Draft:
    """
    The state after the answer yes, whether or not the question is asked already.
    """
    after = thaw(state)
    after.frames = (_answered(after.frames[0], "yes"),)
    return after


def _answered(turn: Frame, answer: str) -> Frame:
    """
    The frame of a turn after an answer.
    """
    notes = (turn.discards_made, ANSWERS.index(answer))
    return attrs.evolve(turn, notes=notes)


def to_ask(state: AnyState, seat: int) -> Node:
    """
    The question of the player in turn, if it may be asked.
    """
    if state.laid or goes_out(state, seat) is False:
        return None
    ask = Ask(seat)
    found = plan_ask(state, ask)
    return None if isinstance(found, Objection) else (ask, found)


def permit_ask(state: State, action: Ask, found: Permission) -> tuple[str, str]:
    """
    The rule by which a player asks.
    """
    del action
    return found[0], f"{state.players[found[1]]} may be asked whether to go out"


def perform_ask(draft: Draft, action: Ask, found: Permission, log: Log) -> None:
    """
    Put the question to the partner.
    """
    _, partner = found
    draft.frames += turn_frames("answer", partner)
    if log is not None:
        log.append(events.Asked(action.seat or 0, partner))


def plan_answer(state: AnyState, action: Yes | No) -> None:
    """
    Either answer may be given.
    """
    del state, action


def to_say_yes(state: AnyState, seat: int) -> Node:
    """
    The answer yes.
    """
    del state
    return Yes(seat), None


def to_say_no(state: AnyState, seat: int) -> Node:
    """
    The answer no.
    """
    del state
    return No(seat), None


def permit_answer(state: State, action: Yes | No, found: None) -> tuple[str, str]:
    """
    The rule by which a partner answers.
    """
    del action, found
    return state.rules.asked["asks"][0][0], "the partner may answer yes or no"


def perform_answer(draft: Draft, action: Yes | No, found: None, log: Log) -> None:
    """
    Go on with the turn; what follows from the answer is up to the rules.
    """
    del found
    if log is not None:
        log.append(events.Answered(action.seat or 0, isinstance(action, Yes)))
    draft.frames = (_answered(draft.frames[0], str(action)),)
