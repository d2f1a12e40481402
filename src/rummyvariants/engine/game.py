"""
The public steps of a game: begin, deal, ask, act.

Every action goes one way: it is planned, which may end in an objection, and then it is
performed on a draft. `check` stops after the first half.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import attrs

from rummyvariants.actions import (
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
    parse_action,
)
from rummyvariants.cards import CARDS, FIELD, UNIT, codes, pack
from rummyvariants.engine.calls import (
    Call,
    may_discard,
    open_window,
    perform_call,
    plan_call,
)
from rummyvariants.engine.dealing import choose_size, refuse_deal, start_deal
from rummyvariants.engine.draws import (
    change_hand,
    refuse_draw,
    refuse_take,
    take,
    turn_over,
)
from rummyvariants.engine.endings import can_finish, refuse_dead_end, refuse_discard
from rummyvariants.engine.flow import (
    Log,
    after_knock,
    decline_upcard,
    end_round,
    finish_turn,
    float_on,
    give_drawn,
    go_out,
    next_seat,
    start_turn,
)
from rummyvariants.engine.knocks import (
    KnockPlan,
    named,
    perform_knock,
    plan_knock,
)
from rummyvariants.engine.plays import AnyState, Play, PlayAction, perform, plan
from rummyvariants.events import (
    Called,
    Discarded,
    Drew,
    Event,
    Laid,
    Passed,
    Took,
    TurnedOver,
)
from rummyvariants.rulings import IllegalAction, Objection, Ruling, allow
from rummyvariants.state import (
    Draft,
    History,
    State,
    Window,
    freeze,
    remember,
    show_in_hand,
    spend_from_hand,
    stock_left,
    thaw,
    to_act,
)


Plan = Play | Call | KnockPlan | None


@attrs.frozen
class Step:
    """
    An action done.

    Attributes:
        before: The state that it was done in.
        action: The action, its seat filled in.
        after: The state that it led to.
        events: What happened, in order.
    """

    before: State
    action: Action
    after: State
    events: tuple[Event, ...]


# --------------------------------------------------------------------------- asking


def _as_action(state: AnyState, action: Action | str, seat: int | None) -> Action:
    """
    An action as an object, its seat filled in where one seat alone may act.
    """
    if isinstance(action, str):
        action = parse_action(action, seat)
    elif seat is None and action.seat is not None:
        return named(state, action) if isinstance(action, Knock) else action
    elif seat is not None and not isinstance(action, Deal) and action.seat != seat:
        action = attrs.evolve(action, seat=seat)
    if action.seat is None and not isinstance(action, Deal):
        acting = to_act(state)
        if len(acting) == 1:
            action = attrs.evolve(action, seat=acting[0])
    return named(state, action) if isinstance(action, Knock) else action


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
        if phase != "deal":
            return Objection("RV-07", "the round is not over")
        return None
    if phase == "deal":
        return Objection(
            "RV-07", "the round is over, and the next one is not dealt yet"
        )
    also = _instead(state, action)
    if seat is None:
        told = " and ".join(names[one] for one in to_act(state))
        return Objection("RV-07", f"{told} may act: say which seat does", also)
    if not 0 <= seat < len(names):
        return Objection(
            "RV-07", f"there is no seat {seat}; seats go from 0 to {len(names) - 1}"
        )
    acting = to_act(state)
    if seat not in acting:
        told = " and ".join(names[one] for one in acting)
        return Objection(
            "RV-07", f"it is {told}'s turn to act, not {names[seat]}'s", also
        )
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
    "play": "a card was drawn already",
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
    return planner(state, action)


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
        "a turn starts with a draw; only with an empty stock can it be declined",
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
        return Objection("RV-07", f"{card} is not in the hand")
    wrong = refuse_discard(state, seat, code)
    if wrong is None:
        return None
    drawn = state.drawn
    if drawn is not None and drawn.source == "stock" and not can_finish(state, seat):
        return None
    return wrong


_IN_PLAY: Final = dict.fromkeys((LayDown, LayOff, PutDown, Swap, Split), _plan_play)
_PLANNERS: Final[dict[str, dict[type[Any], Callable[..., Plan | Objection]]]] = {
    "deal": {Deal: refuse_deal},
    "choose": {Choose: _plan_choose},
    "draw": {Draw: _plan_draw, Take: _plan_take, Pass: _plan_pass},
    "play": {**_IN_PLAY, Discard: _plan_discard, Knock: _plan_knock},
    "offer": {Take: _plan_take, Pass: _plan_pass},
    "layoff": {LayOff: _plan_layoff, Pass: _plan_pass},
    "call": {CallRummy: _plan_call, Pass: _plan_pass},
    "discard": {Discard: _plan_discard},
    "over": {},
}
"""By phase, what may be done in it and how that is planned."""


def check(state: State, action: Action | str, seat: int | None = None) -> Ruling:
    """
    Whether an action is legal, and by which rule.

    Args:
        state: The state that it would be done in.
        action: An action, or its text in the notation.
        seat: Who would do it; may be left out where one seat alone may act.

    Returns:
        A ruling, true if the action is legal. No action raises.

    Raises:
        ParseError: If a text cannot be read as an action.
    """
    done = _as_action(state, action, seat)
    found = planned(state, done)
    if isinstance(found, Objection):
        return state.match.rules.refusal(found)
    remember(state, done, found)
    return _permission(state, done, found)


def is_legal(state: AnyState, action: Action) -> bool:
    """
    Whether an action that names its seat is legal; what it would do is remembered.
    """
    found = planned(state, action)
    if isinstance(found, Objection):
        return False
    remember(state, action, found)
    return True


def _permission(state: State, action: Action, found: Plan) -> Ruling:
    rules = state.match.rules
    match action:
        case Draw() | Take():
            question, reason = "draw.take", "a turn starts with a draw"
            if state.phase == "offer":
                question, reason = "draw.first_upcard", "the first upcard is offered"
        case LayDown():
            assert isinstance(found, Play)  # noqa: S101 -- for the type checker
            kind = found.after.kind
            question = "wild.wild_melds" if kind == "wilds" else f"meld.{kind}s"
            reason = f"the cards make a {'meld' if kind == 'wilds' else kind}"
        case LayOff():
            assert isinstance(found, Play)  # noqa: S101 -- for the type checker
            question, reason = "layoff.onto", "the cards fit the meld"
            if state.phase == "layoff":
                question = "layoff.knocked"
            if len(found.after.beside) and not found.is_meld:
                old = _meld_before(state, found.number)
                if len(found.after) == old:
                    question, reason = (
                        "wild.real_card",
                        "the real card goes beside the wild that stands for it",
                    )
        case PutDown():
            question, reason = "layoff.single_wilds", "a single wild may be put down"
        case Swap():
            question, reason = "wild.real_card", "the real card takes the wild's place"
        case Split():
            question, reason = "wild.split", "both parts are melds"
        case Discard():
            question, reason = "discard.ends_turn", "a discard ends the turn"
            if state.phase == "discard":
                question, reason = "call.then_discard", "a caller discards a card"
        case CallRummy():
            question, reason = "call.calls", "the cards can be called"
        case Pass():
            question, reason = "call.calls", "a call may be declined"
            if state.phase == "draw":
                question, reason = "stock.when_empty", "the stock is empty"
            elif state.phase == "offer":
                question, reason = (
                    "draw.first_upcard",
                    "the first upcard may be declined",
                )
            elif state.phase == "layoff":
                question, reason = "layoff.knocked", "nobody has to lay off"
        case Knock():
            assert isinstance(found, KnockPlan)  # noqa: S101 -- for the type checker
            question, reason = {
                "knock": ("out.knock", "few enough points are left"),
                "gin": ("out.knock", "all cards but the discard are in melds"),
                "big gin": ("out.big_gin", "all cards are in melds"),
            }[found.how]
        case Choose():
            question, reason = "deal.two_upcard", "the size is one of the choices"
        case Deal():
            question, reason = "deal.method", "the deck is whole"
    return allow(rules.rule_of(question), reason)


def _meld_before(state: State, number: int) -> int:
    meld = state.dealer_wild if number == 0 else state._table[number - 1]
    return 0 if meld is None else len(meld)


# --------------------------------------------------------------------------- acting


def apply(state: State, action: Action | str, seat: int | None = None) -> State:
    """
    The state after an action. The given state stays as it is.

    Args:
        state: The state that the action is done in.
        action: An action, or its text in the notation.
        seat: Who does it; may be left out where one seat alone may act.

    Raises:
        IllegalAction: If the rules refuse it; the error carries the ruling.
        ParseError: If a text cannot be read as an action.
    """
    if (
        seat is not None
        or isinstance(action, str)
        or action.seat is None
        or (isinstance(action, Knock) and action.melds is None)
    ):
        action = _as_action(state, action, seat)
    return _act(state, action, None)


def step(state: State, action: Action | str, seat: int | None = None) -> Step:
    """
    An action done, with the events that it brought.

    Arguments and errors are those of `apply`.
    """
    done = _as_action(state, action, seat)
    log: list[Event] = []
    after = _act(state, done, log)
    return Step(state, done, after, tuple(log))


def _act(state: State, action: Action, log: Log) -> State:
    found = _found(state, action)
    if isinstance(found, Objection):
        raise IllegalAction(state.match.rules.refusal(found))
    draft = thaw(state)
    perform_action(draft, action, found, log)
    return freeze(draft)


def _found(state: AnyState, action: Action) -> Plan | Objection:
    """
    What an action would do, if it was not found before.
    """
    known = state._known
    if known is None or known[0] is not action:
        return planned(state, action)
    found: Plan = known[1]
    if found is None and type(action) in _IN_PLAY:
        # Found to be legal by a short cut, without a plan.
        return plan(state, action.seat or 0, cast("PlayAction", action))
    return found


def perform_action(draft: Draft, action: Action, found: Plan, log: Log) -> None:
    """
    Do an action by its plan on a draft, and put it into the history.
    """
    kind = type(action)
    draft._history = History(
        draft._history, action, kind is Deal and not draft.match.thrown_in
    )
    _PERFORMERS[kind](draft, action, found, log)


def do_known(draft: Draft, action: Action) -> None:
    """
    Do an action on a draft that a sample of its legal actions has given.

    Raises:
        IllegalAction: If it is not the one that was found last, and is refused.
    """
    found = _found(draft, action)
    if isinstance(found, Objection):
        raise IllegalAction(draft.match.rules.refusal(found))
    draft._known = None
    perform_action(draft, action, found, None)


def _deal(draft: Draft, action: Deal, found: None, log: Log) -> None:
    del found
    start_deal(draft, action, log)


def _choose(draft: Draft, action: Choose, found: None, log: Log) -> None:
    del found
    choose_size(draft, action.cards, log)


def _take(draft: Draft, action: Take, found: None, log: Log) -> None:
    del found
    seat = action.seat or 0
    cards = take(draft, seat, action.count)
    if log is not None:
        log.append(Took(seat, tuple(CARDS[code] for code in cards)))


def _play(draft: Draft, action: PlayAction, play: Play, log: Log) -> None:
    seat = action.seat or 0
    perform(draft, seat, play)
    if log is not None:
        log.append(_laid(seat, action, play))
    if draft._hands[seat]:
        return
    if draft.phase == "layoff":
        end_round(draft, "knock", log)
    else:
        finish_turn(draft, seat, discarded=False, log=log)


def _knock(draft: Draft, action: Knock, plan: KnockPlan, log: Log) -> None:
    seat = action.seat or 0
    perform_knock(draft, seat, action, plan, log)
    after_knock(draft, seat, plan.how, log)


def _laid(seat: int, action: Action, play: Play) -> Laid:
    cards: tuple[str, ...] = ()
    if isinstance(action, (LayDown, LayOff)):
        cards = tuple(map(str, action.cards))
    elif isinstance(action, (PutDown, Swap)):
        cards = (str(action.card),)
    gained = CARDS[play.gained] if play.gained >= 0 else None
    return Laid(seat, cards, play.number, play.how, gained)


def _draw(draft: Draft, action: Draw, found: None, log: Log) -> None:
    del found
    seat = action.seat or 0
    if not draft._stock:
        number = turn_over(draft)
        if log is not None:
            shuffled = draft.match.rules.stock.turned == "shuffled"
            log.append(TurnedOver(seat, number, shuffled))
    code = draft._stock[0]
    draft._stock = draft._stock[1:]
    give_drawn(draft, code, log)


def _pass(draft: Draft, action: Pass, found: None, log: Log) -> None:
    del found
    seat = action.seat or 0
    if log is not None:
        log.append(Passed(seat))
    if draft.phase == "draw":
        end_round(draft, "stock", log)
        return
    if draft.phase == "offer":
        decline_upcard(draft, seat, log)
        return
    if draft.phase == "layoff":
        end_round(draft, "knock", log)
        return
    window = draft.window
    assert window is not None  # noqa: S101 -- for the type checker
    waiting = window.waiting & ~(1 << seat)
    if waiting:
        draft.window = Window(window.finisher, waiting, window.caller)
    else:
        start_turn(draft, draft.turn, log)


def _discard(draft: Draft, action: Discard, found: None, log: Log) -> None:
    del found
    seat, card = action.seat or 0, action.card
    change_hand(draft, seat, -UNIT[card.code])
    spend_from_hand(draft, seat, UNIT[card.code])
    draft._discards += bytes([card.code])
    if log is not None:
        log.append(Discarded(seat, card))
    if draft.phase == "play":
        finish_turn(draft, seat, discarded=True, log=log)
        return
    # A caller's discard: the turn is still that of the seat that was to play next.
    draft.window = None
    if not draft._hands[seat] and go_out(draft, seat, log):
        return
    if not open_window(draft, seat, log):
        start_turn(draft, draft.turn, log)


def _call(draft: Draft, action: CallRummy, call: Call, log: Log) -> None:
    seat = action.seat or 0
    rules = draft.match.rules
    window = draft.window
    assert window is not None  # noqa: S101 -- for the type checker
    perform_call(draft, seat, call)
    if log is not None:
        taken = codes(call.from_pile + call.taken)
        log.append(Called(seat, tuple(CARDS[code] for code in taken)))
        log.append(Laid(seat, tuple(map(str, action.cards)), call.play.number, "call"))
    if rules.call.penalty != "none":
        _penalty(draft, window.finisher, log)
    if rules.call.next == "left of the caller" and not rules.out.play_goes_on:
        # Where all are to have a turn before the round ends, nobody is passed over.
        draft.turn = next_seat(draft, seat)
    if draft._hands[seat]:
        draft._floating &= ~(1 << seat)
        if rules.call.then_discard and next(may_discard(draft, seat), None) is not None:
            draft.phase = "discard"
            draft.window = Window(window.finisher, 0, seat)
            return
    elif not draft._floating >> seat & 1:
        if rules.out.empty_hand == "out":
            if go_out(draft, seat, log):
                return
        else:
            float_on(draft, seat, log)
    if rules.call.then_discard or not open_window(draft, window.finisher, log):
        start_turn(draft, draft.turn, log)


def _penalty(draft: Draft, seat: int, log: Log) -> None:
    """
    Two cards for the player who left what was called, or the pile (BAS-15).
    """
    if seat in draft.out:
        return
    if stock_left(draft) > 1:
        cards = draft._stock[:2]
        draft._stock = draft._stock[2:]
        change_hand(draft, seat, pack(cards))
        if log is not None:
            log += [Drew(seat, CARDS[code]) for code in cards]
    elif draft._discards:
        cards = draft._discards
        draft._discards = b""
        change_hand(draft, seat, pack(cards))
        show_in_hand(draft, seat, pack(cards))
        if log is not None:
            log.append(Took(seat, tuple(CARDS[code] for code in cards)))
    if draft._hands[seat]:
        draft._floating &= ~(1 << seat)


_PERFORMERS: Final[dict[type[Any], Callable[..., None]]] = {
    Deal: _deal,
    Choose: _choose,
    Draw: _draw,
    Take: _take,
    Pass: _pass,
    Discard: _discard,
    CallRummy: _call,
    Knock: _knock,
    **dict.fromkeys((LayDown, LayOff, PutDown, Swap, Split), _play),
}
"""How each action is done once it is planned: draft, action, plan, log."""
