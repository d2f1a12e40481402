"""
How turns and rounds end, and how the next one begins.
"""

from __future__ import annotations

from functools import partial
from typing import final

from rummyvariants.actions import (
    Choose,
    Deal,
    Discard,
)
from rummyvariants.cards import FIELD, UNIT
from rummyvariants.game._engine.dealing import choose_size, refuse_deal, start_deal
from rummyvariants.game._engine.endings import refuse_discard
from rummyvariants.game._engine.finish import is_released
from rummyvariants.game._engine.offers import of_discards
from rummyvariants.game._engine.phases import PHASES
from rummyvariants.game._engine.plays import AnyState, not_there
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, HANDS, move
from rummyvariants.game._state import Draft, State
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.melds._choices import for_number
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
    asks_vetoes = True
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
        move(draft, UNIT[card.code], HANDS[seat], DISCARDS, log=log)
        PHASES[draft.frames[-1].phase].discarded(draft, seat, log)

    def permit(self, state: State, action: Discard, plan: None) -> tuple[str, ...]:
        del plan
        gave_way = refuse_discard(state, action.seat or 0, action.card.code)
        if gave_way is not None:
            rules = state.rules
            rule = "RV-43" if rules.house else "RV-03"
            reason = f"{gave_way.reason}, but the turn cannot be finished otherwise"
            return rule, reason, gave_way.path
        if state.phase == "discard":
            return "call.then_discard", "a caller discards a card"
        return "discard.ends_turn", "a discard ends the turn"


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
