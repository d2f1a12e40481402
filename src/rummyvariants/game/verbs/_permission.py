"""
May I go out? The question to a partner, and the answer.
"""

from __future__ import annotations

from typing import Final, final

import attrs

from rummyvariants.actions import Ask, No, Yes
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine.finish import can_finish
from rummyvariants.game._engine.outs import goes_out
from rummyvariants.game._engine.phases import Phase
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._events import Log
from rummyvariants.game._round import ANSWERS, Frame, turn_frames
from rummyvariants.game._state import Draft, State, absent, side_of, thaw
from rummyvariants.game.verbs._verb import Cited, Verb
from rummyvariants.melds._tree import Node
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


def permitted(state: AnyState) -> Draft:
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


class _Asking(Verb):
    """
    Base of the question and its answers.
    """

    also = "out.ask"

    def exists(self, rules: Ruleset) -> bool:
        """
        Whether a rule lets a player ask.
        """
        return "asks" in rules.asked


@final
class AskVerb(_Asking):
    """
    The question of the player in turn; its plan is the seat that is asked.
    """

    kind = Ask
    phases = ("play",)

    def offer(self, state: AnyState, seat: int) -> Node:
        if state.laid or goes_out(state, seat) is False:
            return None
        return super().offer(state, seat)

    def plan(self, state: AnyState, action: Ask) -> Cited | Objection:
        seat = action.seat or 0
        rules = state.match.rules.asked.get("asks", ())
        if not rules:
            reason = "nobody asks whether to go out in this game"
            return Objection("out.ask", reason, ("RV-07",))
        path = rules[0][0]
        turn = state.frames[-1]
        found = asking.asked_partner(state, seat)
        if found is None or found[1] in absent(state):
            alone = side_of(state, seat).bit_count() == 1
            none = "there is no partner to ask"
            return Objection(path, none if alone else "the partner is not asked now")
        if turn.answer:
            return Objection(path, f"the answer was {turn.answer!r}, and it binds")
        if state.laid or turn.discards_made:
            reason = "the partner is asked before any card is laid or discarded"
            return Objection(path, reason)
        if not can_finish(permitted(state), seat):
            return Objection(path, "the hand does not go out in this turn", ("RV-03",))
        return found

    def perform(self, draft: Draft, action: Ask, plan: Cited, log: Log) -> None:
        _, partner = plan
        draft.frames += turn_frames("answer", partner)
        if log is not None:
            log.append(events.Asked(action.seat or 0, partner))

    def permit(self, state: State, action: Ask, plan: Cited) -> tuple[str, str]:
        del action
        return plan[0], f"{state.players[plan[1]]} may be asked whether to go out"


class _Answering(_Asking):
    """
    Base of the answers; what follows from one is up to the rules.
    """

    phases = ("answer",)

    def perform(self, draft: Draft, action: Yes | No, plan: None, log: Log) -> None:
        del plan
        if log is not None:
            log.append(events.Answered(action.seat or 0, isinstance(action, Yes)))
        draft.frames = (_answered(draft.frames[0], str(action)),)

    def permit(self, state: State, action: Yes | No, plan: None) -> tuple[str, str]:
        del action, plan
        return state.rules.asked["asks"][0][0], "the partner may answer yes or no"


@final
class YesVerb(_Answering):
    """
    The answer that the partner has to go out.
    """

    kind = Yes


@final
class NoVerb(_Answering):
    """
    The answer that the partner must not go out.
    """

    kind = No


ANSWER: Final = Phase("answer", "the partner has to answer 'yes' or 'no'")
