"""
Leaving a round by a drop or a wrong declaration, and coming back into the match.
"""

from __future__ import annotations

from typing import Final, final

import attrs

from rummyvariants._support.words import figure
from rummyvariants.cards import UNIT, codes, replaced
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._chance import Chance
from rummyvariants.game._engine.phases import Phase, finish_turn, permitted_by
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._engine.rounds import ask_back
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, EVERYBODY, HANDS, bury, move
from rummyvariants.game._round import Location
from rummyvariants.game._state import Draft, State
from rummyvariants.game.actions import Declare, Drop, Rejoin
from rummyvariants.game.verbs._verb import Cited, Verb
from rummyvariants.policies.facts import DROPPED, left_round
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


def leave_round(
    draft: Draft,
    seat: int,
    points: int,
    path: str,
    log: Log,
    *,
    first: bool = False,
    shown_to: int = 0,
    wrong: bool = False,
) -> None:
    """
    Let the player in turn leave the round; their cards are out of play.

    Args:
        draft: The state in the making.
        seat: Who leaves.
        points: What it costs.
        path: The policy value that says so.
        log: Where what happened is noted.
        first: Whether it is a drop on a first turn, after which the cards may go under
            the stock.
        shown_to: Mask of the other seats that see the cards.
        wrong: Whether it is because of a wrong declaration.
    """
    left = tuple(sorted([*left_round(draft), (seat, points, path)]))
    others = [one for one in draft._memory if one[0] != DROPPED]
    draft._memory = tuple(sorted([*others, (DROPPED, left)], key=lambda one: one[0]))
    draft._floating &= ~(1 << seat)
    if log is not None:
        log.append(events.Dropped(seat, points, wrong))
    hand = draft._hands[seat]
    if first and draft.match.rules.out.under_stock:
        # In an order that depends only on the deal, so that nobody knows it.
        chance = Chance("under the stock", draft._shuffle, seat)
        bury(draft, seat, bytes(chance.shuffled([*codes(hand)])), log)
    elif hand:
        move(draft, hand, HANDS[seat], Location(DROPPED, seat), shown_to, log)
    finish_turn(draft, seat, discarded=False, log=log, left=True)


@final
class DropVerb(Verb):
    """
    The round left before the draw, at its price.
    """

    kind = Drop
    phases = ("draw",)
    also = "out.later_drop"

    def exists(self, rules: Ruleset) -> bool:
        return "drops" in rules.asked

    def plan(self, state: AnyState, action: Drop) -> Cited | Objection:
        seat = action.seat or 0
        found = asking.answer_to(state, seat, "drops")
        if found is not None:
            return found
        if not self.exists(state.match.rules):
            return Objection("RV-07", f"'{action}' is no action of this game")
        path = "out.later_drop" if state.turns[seat] else "out.first_drop"
        return Objection(path, "nobody leaves the round on such a turn", ("RV-07",))

    def perform(self, draft: Draft, action: Drop, plan: Cited, log: Log) -> None:
        seat, (path, points) = action.seat or 0, plan
        leave_round(draft, seat, points, path, log, first=not draft.turns[seat])

    def permit(self, state: State, action: Drop, plan: Cited) -> tuple[str, str]:
        del state, action
        return plan[0], f"a player may leave the round for {figure(plan[1], 'point')}"


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


REJOIN: Final = Phase(
    "rejoin",
    "a player who was eliminated may come back",
    permit_pass=permitted_by("match.rejoin", "nobody has to come back"),
    passed=_stay_out,
    passes=lambda rules: "rejoins" in rules.asked,
)
