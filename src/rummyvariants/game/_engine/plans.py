"""
What an action would do, phase by phase, or why it is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rummyvariants._support.words import listed
from rummyvariants.cards import FIELD, UNIT
from rummyvariants.errors import CopiesError, shown
from rummyvariants.game._engine.calls import Call, plan_call
from rummyvariants.game._engine.dealing import refuse_deal
from rummyvariants.game._engine.draws import refuse_draw, refuse_take
from rummyvariants.game._engine.endings import (
    can_finish,
    refuse_dead_end,
    refuse_discard,
)
from rummyvariants.game._engine.knocks import KnockPlan, plan_knock
from rummyvariants.game._engine.plays import AnyState, Play, PlayAction, missing, plan
from rummyvariants.game._state import to_act
from rummyvariants.game.actions import (
    Action,
    CallRummy,
    Choose,
    Deal,
    Discard,
    Draw,
    Knock,
    LayDown,
    LayOff,
    Pass,
    PutDown,
    Split,
    Swap,
    Take,
)
from rummyvariants.rulings import Objection


Plan = Play | Call | KnockPlan | None
"""What is worked out of an action before it is done; None for those that are plain."""


def _refuse_turn(state: AnyState, action: Action) -> Objection | None:
    """
    Whether the seat may act, and the phase allows such an action (RV-07).
    """
    names = state.match.players
    seat = action.seat
    phase = state.phase
    if phase == "over":
        return Objection("RV-07", "the match is over")
    if isinstance(action, Deal):
        if seat is not None:
            return Objection("RV-07", "a deal is an action of chance, and of no seat")
        if phase != "deal":
            return Objection("RV-07", "the round is not over")
        return None
    if phase == "deal":
        return Objection(
            "RV-07", "the round is over, and the next one is not dealt yet"
        )
    also = _instead(state, action)
    if seat is None:
        told = listed([names[one] for one in to_act(state)])
        return Objection("RV-07", f"{told} may act: say which seat does", also)
    if not 0 <= seat < len(names):
        return Objection(
            "RV-07",
            f"there is no seat {shown(seat)}; seats go from 0 to {len(names) - 1}",
        )
    acting = to_act(state)
    if seat not in acting:
        told = f"it is {names[acting[0]]}'s turn to act, not {names[seat]}'s"
        if len(acting) > 1:
            several = listed([names[one] for one in acting])
            told = f"{several} are to act now, not {names[seat]}"
        return Objection("RV-07", told, also)
    if type(action) not in _PLANNERS[phase]:
        return Objection(
            "RV-07", f"{_PHASE_TELLS[phase]}, so '{action}' has to wait", also
        )
    return None


def _instead(state: AnyState, action: Action) -> tuple[str, ...]:
    """
    The rules that say no as well where the turn or the phase does.
    """
    match action:
        case CallRummy():
            return ("call.calls",)
        case Pass():
            if state.phase == "call":
                return ("call.calls",)
            return ("stock.when_empty",)
        case Draw() | Take():
            return ("draw.take",)
        case Discard():
            return ("discard.ends_turn",)
        case Knock():
            return ("out.knock",)
        case _:
            return ()


_PHASE_TELLS: Final = {
    "choose": "a hand size has to be chosen",
    "draw": "a turn starts with a draw",
    "play": "a card has been drawn already",
    "call": "a call may be made or passed",
    "discard": "the caller has to discard",
    "offer": "the first upcard is taken or declined",
    "layoff": "after a knock cards are laid off",
}


def planned(state: AnyState, action: Action) -> Plan | Objection:
    """
    What an action would do, worked out but not done; an objection if it is refused.

    The action names its seat.
    """
    phase = state.phase
    planner = _PLANNERS[phase].get(type(action))
    in_turn = phase in {"draw", "play"} and action.seat == state.turn
    if planner is None or not in_turn:
        wrong = _refuse_turn(state, action)
        if wrong is not None:
            return wrong
        assert planner is not None  # noqa: S101 -- for the type checker
    try:
        return planner(state, action)
    except CopiesError as error:
        # Whatever the verb, no hand and no pile holds that many.
        return Objection("RV-07", str(error))


def _plan_play(state: AnyState, action: PlayAction) -> Play | Objection:
    seat = action.seat or 0
    if state.match.rules.meld.concealed:
        return Objection(
            "meld.shown", "melds stay in the hand until somebody knocks", ("RV-07",)
        )
    play = plan(state, seat, action)
    if isinstance(play, Objection):
        return play
    return refuse_dead_end(state, seat, play) or play


def _plan_knock(state: AnyState, action: Knock) -> KnockPlan | Objection:
    return plan_knock(state, action.seat or 0, action)


def _plan_layoff(state: AnyState, action: LayOff) -> Play | Objection:
    return plan(state, action.seat or 0, action)


def _plan_draw(state: AnyState, action: Draw) -> Objection | None:
    del action
    return refuse_draw(state)


def _plan_take(state: AnyState, action: Take) -> Objection | None:
    return refuse_take(state, action.seat or 0, action.count)


def _plan_call(state: AnyState, action: CallRummy) -> Call | Objection:
    return plan_call(state, action.seat or 0, action)


def _plan_pass(state: AnyState, action: Pass) -> Objection | None:
    del action
    if state.phase != "draw" or refuse_draw(state) is not None:
        return None
    return Objection(
        "RV-07",
        "a turn starts with a draw: nobody passes while the stock has cards to draw",
        ("stock.when_empty", "draw.take"),
    )


def _plan_choose(state: AnyState, action: Choose) -> Objection | None:
    sizes = state.match.rules.deal.choices()
    if action.cards in sizes:
        return None
    told = " or ".join(map(str, sizes))
    return Objection(
        "deal.two_upcard", f"the hand holds {told} cards, not {action.cards}"
    )


def _plan_discard(state: AnyState, action: Discard) -> Objection | None:
    """
    Why a card may not be discarded, dead ends looked at (RV-03).
    """
    card = action.card
    seat = action.seat or 0
    code = card.code
    if not state._hands[seat] & FIELD[code]:
        wild = state.dealer_wild
        assert state.dealt is not None  # noqa: S101 -- for the type checker
        if wild is not None and seat == state.dealt.dealer:
            if wild.slots[0].card == card:
                return Objection(
                    "discard.face_up_wild",
                    f"{card} lies face up on the table and is no hand card",
                    ("RV-07",),
                )
        return missing(state, state._hands[seat], UNIT[code])
    wrong = refuse_discard(state, seat, code)
    if wrong is None:
        return None
    drawn = state.drawn
    if drawn is not None and drawn.source == "stock" and not can_finish(state, seat):
        return None
    return wrong


IN_PLAY: Final = dict.fromkeys((LayDown, LayOff, PutDown, Swap, Split), _plan_play)
_PLANNERS: Final[dict[str, dict[type[Any], Callable[..., Plan | Objection]]]] = {
    "deal": {Deal: refuse_deal},
    "choose": {Choose: _plan_choose},
    "draw": {Draw: _plan_draw, Take: _plan_take, Pass: _plan_pass},
    "play": {**IN_PLAY, Discard: _plan_discard, Knock: _plan_knock},
    "offer": {Take: _plan_take, Pass: _plan_pass},
    "layoff": {LayOff: _plan_layoff, Pass: _plan_pass},
    "call": {CallRummy: _plan_call, Pass: _plan_pass},
    "discard": {Discard: _plan_discard},
    "over": {},
}
"""By phase, what may be done in it and how that is planned."""
