"""
How a turn begins: cards drawn, taken, or declined.
"""

from __future__ import annotations

import functools

from typing import Any, final

from rummyvariants.actions import (
    Draw,
    Pass,
    Take,
    TakeAndLayOff,
    TakeAndMeld,
    draw,
)
from rummyvariants.cards import CARDS
from rummyvariants.game import _events as events
from rummyvariants.game._engine.draws import (
    TakePlan,
    Takes,
    plan_take_on,
    plan_take_with,
    refuse_draw,
    take,
    turn_over,
)
from rummyvariants.game._engine.naming import cards_added
from rummyvariants.game._engine.offers import (
    Branch,
    of_takes,
    of_takes_on,
    of_takes_with,
    of_top,
)
from rummyvariants.game._engine.phases import PHASES, draw_card, no_objection
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._engine.reasons import (
    fit_in_words,
    melds_in_words,
    take_in_words,
)
from rummyvariants.game._events import Log
from rummyvariants.game._state import Draft, Leaf, State
from rummyvariants.game.verbs._laying import after_play
from rummyvariants.game.verbs._verb import Plan, Verb
from rummyvariants.melds._tree import Node
from rummyvariants.policies.draw import NOT_WITH_A_MELD
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


class DrawVerb(Verb):
    """
    The draw from the stock.
    """

    kind = Draw
    phases = ("draw", "stock")
    also = "draw.take"

    def offer(self, state: AnyState, seat: int) -> Node:
        return _drawn(seat) if refuse_draw(state) is None else None

    def plan(self, state: AnyState, action: Draw) -> Objection | None:
        del action
        return refuse_draw(state)

    def perform(self, draft: Draft, action: Draw, plan: None, log: Log) -> None:
        del plan
        seat = action.seat or 0
        if not draft._stock:
            number = turn_over(draft, log)
            if log is not None:
                shuffled = draft.match.rules.stock.shuffles
                log.append(events.TurnedOver(seat, number, shuffled))
        draw_card(draft, seat, log)

    def permit(self, state: State, action: Draw, plan: None) -> tuple[str, str]:
        del state, action, plan
        return (
            "draw.take",
            "a turn starts with a draw from the stock or the discard pile",
        )


@functools.cache
def _drawn(seat: int) -> Leaf:
    """
    The draw of a seat as a leaf; always the same object for the same seat.
    """
    return draw(seat), None


class _Taking(Verb):
    """
    Base of the ways to take discards.
    """

    phases: tuple[str, ...] = ("draw",)
    also = "draw.take"

    def perform(self, draft: Draft, action: Any, plan: Any, log: Log) -> None:
        seat = action.seat or 0
        take(draft, seat, plan.count, log, plan.play)
        after_play(draft, seat, action, plan.play, log)

    def meaning(self, state: State, action: Any, plan: Any) -> tuple[object, ...]:
        if not isinstance(plan, TakePlan):
            return super().meaning(state, action, plan)
        play = plan.play
        each = [cards_added(state, one, one.used) for one in (play, *play.then)]
        onto = 0 if play.is_meld else play.number
        return ("TakeAndMeld", plan.count, onto, *sorted(each, key=str))

    def takes(self, state: AnyState, action: Any) -> bytes:
        pile = state._discards
        return pile if action.count is None else pile[len(pile) - action.count :]


@final
class TakeVerb(_Taking):
    """
    Discards taken into the hand.
    """

    kind = Take
    phases: tuple[str, ...] = ("draw", "offer")

    def offered(self, rules: Ruleset, phase: str) -> Branch:
        settled = rules.settled
        plain = rules.draw.most_alike == 1 and settled.owes_by_values
        owes = settled.asks_number or any(rules.draw.duties_alone)
        return of_top if plain and phase == "draw" and not owes else of_takes

    def early(self, state: AnyState, seat: int) -> Objection | None:
        if state.phase != "stock" or seat != state.turn:
            return None
        reason = "the upcard was declined: draw from the stock"
        return Objection("draw.take", reason, ("RV-07",))

    def plan(self, state: AnyState, action: Take) -> Objection | None:
        return Takes(state, action.seat or 0).refuse(action.count)

    def perform(self, draft: Draft, action: Take, plan: None, log: Log) -> None:
        del plan
        take(draft, action.seat or 0, action.count, log)

    def permit(self, state: State, action: Take, plan: None) -> tuple[str, str]:
        del plan
        owed = take_in_words(state, action.seat or 0, action.count)
        if state.phase == "offer":
            offered = "the first upcard is offered"
            return "draw.first_upcard", f"{offered}; {owed}" if owed else offered
        if owed:
            return "draw.take", f"a turn starts with a draw; {owed}"
        if action.count > 1:
            return "draw.duty", "cards may be taken, and none of them has to be used"
        return (
            "draw.take",
            "a turn starts with a draw, and the top discard may be taken",
        )


@final
class TakeWithVerb(_Taking):
    """
    Discards taken together with a meld of the top one.
    """

    kind = TakeAndMeld
    called = "take with"

    def exists(self, rules: Ruleset) -> bool:
        asks = "takes_with" in rules.asked
        return (asks or rules.draw.melds_top) and not rules.meld.concealed

    def offer(self, state: AnyState, seat: int) -> Node:
        return of_takes_with(state, seat)

    def plan(self, state: AnyState, action: TakeAndMeld) -> TakePlan | Objection:
        if not self.exists(state.match.rules):
            return NOT_WITH_A_MELD
        return plan_take_with(state, action.seat or 0, action)

    def permit(
        self, state: State, action: TakeAndMeld, plan: TakePlan
    ) -> tuple[str, str]:
        del state, action
        made = melds_in_words((plan.play, *plan.play.then))
        return "draw.take", f"with the top card of the pile the cards make {made}"


@final
class TakeOnVerb(_Taking):
    """
    Discards taken whose top one is laid on a meld.
    """

    kind = TakeAndLayOff
    called = "take on"

    def exists(self, rules: Ruleset) -> bool:
        return rules.draw.melds_top and not rules.meld.concealed

    def offer(self, state: AnyState, seat: int) -> Node:
        return of_takes_on(state, seat)

    def plan(self, state: AnyState, action: TakeAndLayOff) -> TakePlan | Objection:
        if not state.match.rules.draw.melds_top:
            return NOT_WITH_A_MELD
        return plan_take_on(state, action.seat or 0, action)

    def permit(
        self, state: State, action: TakeAndLayOff, plan: TakePlan
    ) -> tuple[str, str]:
        del action
        top = CARDS[state._discards[-1]]
        return "draw.take", fit_in_words(state, [top], plan.play)


class PassVerb(Verb):
    """
    Nothing done where something might be.
    """

    kind = Pass
    follows = "passed"

    def exists(self, rules: Ruleset) -> bool:
        return any(phase.passes(rules) for phase in PHASES.values())

    def refused_by(self, state: AnyState, action: Pass) -> str:
        del action
        return "call.calls" if state.phase == "call" else "stock.when_empty"

    def offered(self, rules: Ruleset, phase: str) -> Branch | None:
        if not self.exists(rules):
            return None
        always = PHASES[phase].refuse_pass is no_objection
        return _passed if always else self.offer

    def offer(self, state: AnyState, seat: int) -> Node:
        wrong = PHASES[state.frames[-1].phase].refuse_pass(state)
        return None if wrong else _passed(state, seat)

    def plan(self, state: AnyState, action: Pass) -> Plan | Objection:
        del action
        return PHASES[state.phase].refuse_pass(state)

    def perform(self, draft: Draft, action: Pass, plan: None, log: Log) -> None:
        del plan
        seat = action.seat or 0
        if log is not None:
            log.append(events.Passed(seat))
        PHASES[draft.phase].passed(draft, seat, log)

    def permit(self, state: State, action: Pass, plan: None) -> tuple[str, str]:
        del action, plan
        return PHASES[state.phase].permit_pass(state)


def _passed(state: AnyState, seat: int) -> Leaf:
    """
    A pass that is always legal.
    """
    del state
    return Pass(seat), None
