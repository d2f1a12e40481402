"""
Leaving a round by a drop or a wrong declaration, and coming back into the match.
"""

from __future__ import annotations

from typing import Final, final

import attrs

from rummyvariants._support.words import figure
from rummyvariants.actions import Declare, Rejoin
from rummyvariants.cards import UNIT, replaced
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine.leaving import leave_round
from rummyvariants.game._engine.phases import Phase, permitted_by
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._engine.rounds import ask_back
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, HANDS, move
from rummyvariants.game._round import EVERYBODY
from rummyvariants.game._state import Draft, State
from rummyvariants.game.verbs._verb import Cited, Verb
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


def leave_for_wrong(draft: Draft, seat: int, action: Declare, log: Log) -> None:
    """
    Let a player leave the round whose declaration is wrong; everybody sees the hand.
    """
    if action.card is not None:
        move(draft, UNIT[action.card.code], HANDS[seat], DISCARDS, log=log)
    points = draft.match.rules.out.wrong_points or 0
    path = "out.wrong_declaration"
    leave_round(draft, seat, points, path, log, shown_to=EVERYBODY, wrong=True)


@final
class RejoinVerb(Verb):
    """
    The way back into the match of a player who was eliminated.
    """

    kind = Rejoin
    phases = ("rejoin",)
    also = "match.rejoin"

    def exists(self, rules: Ruleset) -> bool:
        return "rejoins" in rules.asked

    def plan(self, state: AnyState, action: Rejoin) -> Cited | Objection:
        found = asking.coming_back(state, action.seat or 0)
        reason = "the others have too many points for that"
        return Objection("match.rejoin", reason) if found is None else found

    def perform(self, draft: Draft, action: Rejoin, plan: Cited, log: Log) -> None:
        seat, (_, total) = action.seat or 0, plan
        scores = replaced(draft.match.scores, seat, total)
        draft.match = attrs.evolve(draft.match, scores=scores)
        if log is not None:
            log.append(events.Rejoined(seat, total))
        ask_back(draft, draft.frames[-1].notes, log)

    def permit(self, state: State, action: Rejoin, plan: Cited) -> tuple[str, str]:
        del state, action
        return plan[0], f"a player may come back with {figure(plan[1], 'point')}"


def _stay_out(draft: Draft, seat: int, log: Log) -> None:
    del seat
    ask_back(draft, draft.frames[-1].notes, log)


REJOIN: Final[Phase] = Phase(
    "rejoin",
    "a player who was eliminated may come back",
    "'rejoin' or 'pass'",
    permit_pass=permitted_by("match.rejoin", "nobody has to come back"),
    passed=_stay_out,
    passes=lambda rules: "rejoins" in rules.asked,
)
