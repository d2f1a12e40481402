"""
How turns and rounds end, and how the next one begins.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, final

from rummyvariants._support.words import figure
from rummyvariants.cards import FIELD, UNIT
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.dealing import choose_size, refuse_deal, start_deal
from rummyvariants.game._engine.endings import refuse_discard
from rummyvariants.game._engine.finish import is_released
from rummyvariants.game._engine.knocks import (
    KnockPlan,
    perform_knock,
    plan_dealt,
    plan_knock,
    show_melds,
)
from rummyvariants.game._engine.leaving import leave_for_wrong, leave_round
from rummyvariants.game._engine.naming import discard_named
from rummyvariants.game._engine.offers import of_dealt, of_discards, of_knocks
from rummyvariants.game._engine.phases import PHASES, after_knock, finish_turn
from rummyvariants.game._engine.plays import AnyState, not_there
from rummyvariants.game._engine.rounds import rejoin
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, hand_of, move
from rummyvariants.game._state import Draft, State
from rummyvariants.game.actions import (
    Choose,
    Deal,
    Declare,
    Discard,
    Drop,
    Knock,
    Rejoin,
)
from rummyvariants.game.verbs._verb import Cited, Verb
from rummyvariants.melds._choices import for_number
from rummyvariants.melds._meld import Played
from rummyvariants.melds._tree import Branches, Node
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


@final
class DiscardVerb(Verb):
    """
    The discard that ends a turn.
    """

    kind = Discard
    follows = "discarded"
    also = "discard.ends_turn"

    def offer(self, state: AnyState, seat: int) -> Node:
        return of_discards(state, seat)

    def plan(self, state: AnyState, action: Discard) -> Objection | None:
        card = action.card
        seat = action.seat or 0
        code = card.code
        if not state._hands[seat] & FIELD[code]:
            wild = state.dealer_wild
            if wild is not None and seat == state.dealt.dealer:
                if wild.slots[0].card == card:
                    return Objection(
                        "discard.face_up_wild",
                        f"{card} lies face up on the table and is not in the hand",
                        ("RV-07",),
                    )
            return not_there(state, state._hands[seat], UNIT[code], "the hand")
        wrong = refuse_discard(state, seat, code)
        # Dead ends included (RV-03).
        return wrong if wrong and not is_released(state, seat) else None

    def perform(self, draft: Draft, action: Discard, plan: None, log: Log) -> None:
        del plan
        seat, card = action.seat or 0, action.card
        move(draft, UNIT[card.code], hand_of(seat), DISCARDS, log=log)
        PHASES[draft.phase].discarded(draft, seat, log)

    def permit(self, state: State, action: Discard, plan: None) -> tuple[str, ...]:
        del plan
        gave_way = refuse_discard(state, action.seat or 0, action.card.code)
        if gave_way is not None:
            rules = state.rules
            rule = "RV-43" if rules.house or rules.overridden else "RV-03"
            reason = f"{gave_way.reason}, but the turn cannot be finished otherwise"
            return rule, reason, gave_way.path
        if state.phase == "discard":
            return "call.then_discard", "a caller discards a card"
        return "discard.ends_turn", "a discard ends the turn"


class _Showing(Verb):
    """
    Base of the ways to show the melds of a hand.
    """

    phases: tuple[str, ...] = ("play",)

    def offer(self, state: AnyState, seat: int) -> Node:
        """
        The discards, and the melds for each.
        """
        return of_knocks(state, seat)

    def plan(self, state: AnyState, action: Any) -> KnockPlan | Objection:
        """
        What is left of the hand, and whether that is little enough.
        """
        return plan_knock(state, action.seat or 0, action)

    def named(self, action: Any) -> Iterable[Played]:
        """
        The discard alone: the melds stay where they are.
        """
        return discard_named(action)


@final
class KnockVerb(_Showing):
    """
    The knock of gin, which ends the round.
    """

    kind = Knock
    hints: ClassVar = {
        "gin": "a knock that leaves no card unmatched is gin: write 'knock Kc: 7h 8h "
        "9h ...', or 'big gin: ...' where there is no discard"
    }
    also = "out.knock"

    def exists(self, rules: Ruleset) -> bool:
        return rules.out.knocks or "out.limit" in rules.overridden

    def perform(self, draft: Draft, action: Knock, plan: KnockPlan, log: Log) -> None:
        seat = action.seat or 0
        perform_knock(draft, seat, action, plan, log)
        after_knock(draft, seat, plan.how, log)

    def permit(self, state: State, action: Knock, plan: KnockPlan) -> tuple[str, str]:
        del state, action
        return {
            "knock": ("out.knock", "few enough points are left"),
            "gin": ("out.knock", "all cards but the discard are in melds"),
            "big gin": ("out.big_gin", "all cards are in melds"),
        }[plan.how]


@final
class DeclareVerb(_Showing):
    """
    The declaration of a whole hand in melds.
    """

    kind = Declare
    phases = ("draw", "play")
    also = "out.declare"

    def exists(self, rules: Ruleset) -> bool:
        return rules.out.declares

    def offer(self, state: AnyState, seat: int) -> Node:
        dealt = state.phase == "draw"
        return of_dealt(state, seat) if dealt else of_knocks(state, seat)

    def plan(self, state: AnyState, action: Declare) -> KnockPlan | Objection:
        if state.phase == "draw":
            return plan_dealt(state, action)
        return plan_knock(state, action.seat or 0, action)

    def perform(self, draft: Draft, action: Declare, plan: KnockPlan, log: Log) -> None:
        seat = action.seat or 0
        if plan.how == "wrong":
            leave_for_wrong(draft, seat, action, log)
            return
        show_melds(draft, seat, action, plan, log)
        draft.laid = draft.fresh = True
        finish_turn(draft, seat, discarded=action.card is not None, log=log)

    def permit(self, state: State, action: Declare, plan: KnockPlan) -> tuple[str, str]:
        if plan.how == "wrong":
            points = figure(state.rules.out.wrong_points or 0, "point")
            reason = f"a wrong declaration, which costs {points}: {plan.wrong}"
            return "out.wrong_declaration", reason
        if state.phase == "draw":
            return "out.dealt_hand", "all cards are in melds as they were dealt"
        but = "" if action.card is None else " but the discard"
        return "out.declare", f"all cards{but} are in melds"


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
        found = asking.coming_back(state.match, action.seat or 0)
        reason = "the others have too many points for that"
        return Objection("match.rejoin", reason) if found is None else found

    def perform(self, draft: Draft, action: Rejoin, plan: Cited, log: Log) -> None:
        rejoin(draft, action.seat or 0, plan[1], log)

    def permit(self, state: State, action: Rejoin, plan: Cited) -> tuple[str, str]:
        del state, action
        return plan[0], f"a player may come back with {figure(plan[1], 'point')}"


@final
class ChooseVerb(Verb):
    """
    The size of a hand, chosen in the middle of a deal.
    """

    kind = Choose
    phases = ("choose",)
    permitted_by = ("deal.two_upcard", "the size is one of the choices")

    def exists(self, rules: Ruleset) -> bool:
        return any(map(rules.deal.lets_choose, rules.deck.ranks))

    def offer(self, state: AnyState, seat: int) -> Node:
        sizes = state.match.rules.deal.choices()
        return Branches(sizes, partial(_chosen, seat), for_number, wide=True)

    def plan(self, state: AnyState, action: Choose) -> Objection | None:
        sizes = state.match.rules.deal.choices()
        if action.cards in sizes:
            return None
        allowed = " or ".join(map(str, sizes))
        reason = f"the hand holds {allowed} cards, not {action.cards}"
        return Objection("deal.two_upcard", reason)

    def perform(self, draft: Draft, action: Choose, plan: None, log: Log) -> None:
        del plan
        choose_size(draft, action.cards, log)


def _chosen(seat: int, size: int) -> Node:
    return Choose(size, seat), None


@final
class DealVerb(Verb):
    """
    The deal, an action of chance.
    """

    kind = Deal
    phases = ("deal",)
    permitted_by = ("deal.method", "the deck is whole")

    def exists(self, rules: Ruleset) -> bool:
        del rules
        return False

    def offer(self, state: AnyState, seat: int) -> Node:
        del state, seat

    def plan(self, state: AnyState, action: Deal) -> Objection | None:
        return refuse_deal(state, action)

    def perform(self, draft: Draft, action: Deal, plan: None, log: Log) -> None:
        del plan
        start_deal(draft, action, log)
