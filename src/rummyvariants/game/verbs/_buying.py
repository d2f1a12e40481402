"""
Buying: when a discard is for sale, who is asked, and what a purchase does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

import attrs

from rummyvariants._support.words import counted
from rummyvariants.actions import Buy, Draw, Pass
from rummyvariants.cards import CARDS, UNIT
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine import phases
from rummyvariants.game._engine.draws import Takes, refuse_draw
from rummyvariants.game._engine.offers import Branch
from rummyvariants.game._engine.phases import Phase
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, HANDS, move, move_top
from rummyvariants.game._round import Frame, turn_frames
from rummyvariants.game._state import Draft, State, absent, seats_of, stock_left
from rummyvariants.game.verbs._drawing import DrawVerb, PassVerb
from rummyvariants.game.verbs._verb import Plan, Verb
from rummyvariants.house.answers import Price
from rummyvariants.melds._tree import Node
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


def buyers(state: AnyState, finisher: int, *, declined: bool) -> tuple[int, ...]:
    """
    The seats that may buy the top discard, in the order in which they are asked.

    Args:
        state: The state.
        finisher: The seat that made the discard; -1 for none.
        declined: Whether those are meant that are asked only when the player in turn
            has declined it.
    """
    if "buys" not in state.match.rules.asked or not state._discards:
        return ()
    seats = len(state._hands)
    gone = {state.turn, *absent(state)}
    if not state.match.rules.call.own_discard:
        gone.add(finisher)
    prices = [
        (-found[1].priority, step, seat)
        for step in range(1, seats)
        if (seat := (state.turn + step) % seats) not in gone
        and (found := asking.answer_to(state, seat, "buys")) is not None
        and found[1].if_declined == declined
    ]
    return tuple([seat for *_, seat in sorted(prices)])


def open_sale(draft: Draft, finisher: int, log: Log) -> bool:
    """
    Ask the seats that may buy a discard before the next turn, if there are any.
    """
    del log
    order = buyers(draft, finisher, declined=False)
    if order:
        draft.frames += (sale(draft, finisher, order),)
    return bool(order)


def sale(state: AnyState, finisher: int, order: Sequence[int]) -> Frame:
    """
    The frame of a sale.

    Args:
        state: The state.
        finisher: The seat that made the discard, or that declined it.
        order: The seats to ask, in order, at least one. Where several are asked
            together, these are all of the first one's priority.
    """
    first = order[:1]
    if state.match.rules.call.asks_buyers_together:
        found = [asking.answer_to(state, seat, "buys") for seat in order]
        ranks = [one and one[1].priority for one in found]
        first = [
            seat for seat, rank in zip(order, ranks, strict=True) if rank == ranks[0]
        ]
    waiting = sum([1 << seat for seat in first])
    others = tuple([seat for seat in order if seat not in first])
    return Frame("buy", finisher, waiting, others)


def may_decline(state: AnyState) -> tuple[int, ...]:
    """
    The seats that are asked next if the player in turn declines the upcard.
    """
    if "buys" not in state.match.rules.asked:
        return ()
    return buyers(state, _discarder(state), declined=True)


def refuse_sale(state: AnyState) -> Objection | None:
    """
    Why the rules by which discards are bought let nobody buy the upcard.

    Returns:
        None if somebody may buy it, or if no rule says why not.
    """
    if not state._discards or may_decline(state):
        return None
    gone = {state.turn, *absent(state)}
    if not state.match.rules.call.own_discard:
        gone.add(_discarder(state))
    seats = [seat for seat in range(len(state._hands)) if seat not in gone]
    found = [wrong for seat in seats if (wrong := asking.refuse_buy(state, seat))]
    if not found:
        return None
    reason = f"nobody may buy the upcard, so nobody declines it: {found[0].reason}"
    also = dict.fromkeys([*[wrong.path for wrong in found[1:]], "RV-07"])
    return Objection(found[0].path, reason, tuple(also))


def _discarder(state: AnyState) -> int:
    """
    The seat that made the top discard before the turn; -1 if it was turned up.
    """
    if not any(state.turns):
        return -1
    seats, gone = len(state._hands), asking.eliminated(state.match)
    found = (state.turn - 1) % seats
    while found in gone:
        found = (found - 1) % seats
    return found


def decline_upcard(draft: Draft, seat: int) -> bool:
    """
    Ask the others about the upcard that the player in turn declines, if any may buy it.
    """
    order = may_decline(draft)
    if order:
        draft.frames = (*turn_frames("stock", seat), sale(draft, seat, order))
    return bool(order)


def refuse_early_buy(state: AnyState, seat: int) -> Objection | None:
    """
    Why a seat that is not asked now may not buy; None if it has something else to do.
    """
    names = state.match.players
    if seat in seats_of(state.frames[-1].waiting):
        if state.phase != "draw" or not state._discards:
            return None
        reason = "the player in turn does not buy the upcard: write 'take'"
        return Objection("draw.take", reason, ("RV-44", "RV-07"))
    asked = may_decline(state) if state.phase == "draw" else state.frames[-1].notes
    if state.phase == "draw" and seat in asked:
        reason = f"{names[state.turn]} takes or declines the upcard first"
        return Objection("call.buying", reason, ("draw.take", "RV-07"))
    if state.phase == "buy" and seat in asked:
        first = next(iter(seats_of(state.frames[-1].waiting)))
        reason = f"{names[first]} is asked first whether to buy"
        return Objection("call.buy_order", reason, ("RV-07",))
    if state.phase in {"draw", "buy"} and seat != state.turn:
        if seat == _discarder(state) and not state.match.rules.call.own_discard:
            return Objection("RV-44", "nobody buys their own discard", ("RV-07",))
        wrong = asking.refuse_buy(state, seat)
        if wrong is not None:
            return wrong
    return Objection("RV-07", f"{names[seat]} is not asked whether to buy", ("RV-44",))


def sold_by(state: AnyState, seat: int) -> str:
    """
    What is cited for a sale to a seat that may buy.
    """
    found = asking.answer_to(state, seat, "buys")
    return found[0] if found else "RV-44"


@final
class BuyVerb(Verb):
    """
    The discard bought out of turn.
    """

    kind = Buy
    phases = ("buy",)

    def exists(self, rules: Ruleset) -> bool:
        return "buys" in rules.asked

    def plan(self, state: AnyState, action: Buy) -> Price | Objection:
        found = asking.answer_to(state, action.seat or 0, "buys")
        if found is None:
            return Objection("RV-07", "the discard can no longer be bought")
        price: Price = found[1]
        return price

    def perform(self, draft: Draft, action: Buy, plan: Price, log: Log) -> None:
        # Nobody else can claim the discard then.
        seat, code = action.seat or 0, draft._discards[-1]
        if log is not None:
            log.tell_by(events.Took(seat, (CARDS[code],), "buy"))
        move(draft, UNIT[code], DISCARDS, HANDS[seat], log=log)
        number = min(plan.penalty, stock_left(draft))
        if number > 0:
            move_top(draft, number, HANDS[seat], 1 << seat, log)
        draft._floating &= ~(1 << seat)
        phases.close_frame(draft, log)

    def permit(self, state: State, action: Buy, plan: Price) -> tuple[str, str]:
        reason = "the discard may be bought"
        if plan.penalty:
            reason += f", with {counted(plan.penalty, 'card')} of the stock"
        return sold_by(state, action.seat or 0), reason

    def early(self, state: AnyState, seat: int) -> Objection | None:
        return refuse_early_buy(state, seat)

    def takes(self, state: AnyState, action: Buy) -> bytes:
        del action
        return state._discards[-1:]


@final
class DrawOrDeclineVerb(DrawVerb):
    """
    The draw where others may buy the upcard: only once it is declined.
    """

    def offered(self, rules: Ruleset, phase: str) -> Branch:
        asks = phase == "draw" and "buys" in rules.asked
        return self.offer if asks else super().offer

    def offer(self, state: AnyState, seat: int) -> Node:
        return None if may_decline(state) else super().offer(state, seat)

    def plan(self, state: AnyState, action: Draw) -> Objection | None:
        asked = may_decline(state) if state.phase == "draw" else ()
        if not asked:
            return super().plan(state, action)
        taken = Takes(state, action.seat or 0).refuse(1) is None
        ways = "take it, or decline it" if taken else "decline it"
        reason = f"others may buy the upcard: {ways} with 'pass'"
        return Objection(sold_by(state, asked[0]), reason, ("draw.take", "RV-07"))


@final
class PassOrDeclineVerb(PassVerb):
    """
    The pass, which may decline an upcard; a refusal says why nobody could buy that.
    """

    def plan(self, state: AnyState, action: Pass) -> Plan | Objection:
        wrong = super().plan(state, action)
        if wrong is None or state.phase != "draw" or refuse_draw(state) is not None:
            return wrong
        return refuse_sale(state) or wrong


def _refuse_pass(state: AnyState) -> Objection | None:
    """
    Why the player in turn may neither decline the upcard nor go without a draw.
    """
    return None if may_decline(state) else phases.DRAW.refuse_pass(state)


def _permit_pass(state: AnyState) -> tuple[str, str]:
    asked = may_decline(state)
    if asked:
        return sold_by(state, asked[0]), "the upcard may be declined"
    return phases.DRAW.permit_pass(state)


def _passed(draft: Draft, seat: int, log: Log) -> None:
    """
    Ask the others about an upcard that is declined, or go on without a draw.
    """
    if not decline_upcard(draft, seat):
        phases.DRAW.passed(draft, seat, log)


def _draw_next(draft: Draft, log: Log) -> None:
    """
    Let the player in turn draw after others were asked about the upcard.
    """
    if refuse_draw(draft) is not None:
        phases.go_without_draw(draft, draft.turn, log)


def _decline(draft: Draft, seat: int, log: Log) -> None:
    """
    Let a seat buy nothing, and ask the next one if nobody else is being asked.
    """
    frame = draft.frames[-1]
    asked = attrs.evolve(frame, waiting=frame.waiting & ~(1 << seat))
    if not asked.waiting:
        if not frame.notes:
            phases.close_frame(draft, log)
            return
        asked = sale(draft, frame.seat, frame.notes)
    draft.frames = (*draft.frames[:-1], asked)


DRAW_OR_DECLINE: Final[Phase] = attrs.evolve(
    phases.DRAW,
    refuse_pass=_refuse_pass,
    permit_pass=_permit_pass,
    passed=_passed,
    passes=lambda rules: phases.DRAW.passes(rules) or "buys" in rules.asked,
)
"""The draw, for which a player may have to decline the upcard."""
DECLINED: Final[Phase] = Phase(
    "stock",
    "the upcard was declined and a card has to be drawn from the stock",
    resume=_draw_next,
)
BUY: Final[Phase] = Phase(
    "buy",
    "the discard is bought or declined",
    "'buy' or 'pass'",
    permit_pass=phases.permitted_by("RV-44", "nobody has to buy"),
    passed=_decline,
    passes=lambda rules: "buys" in rules.asked,
    opens=open_sale,
)
