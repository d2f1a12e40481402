"""
The public steps of a game: begin, deal, ask, act.

Every action goes one way: it is planned, which may end in an objection, and then it is
performed on a draft. `check` stops after the first half.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import attrs

from rummyvariants.cards import CARDS, UNIT, codes, pack
from rummyvariants.game._engine.calls import (
    Call,
    may_discard,
    open_window,
    perform_call,
)
from rummyvariants.game._engine.dealing import choose_size, start_deal
from rummyvariants.game._engine.draws import change_hand, take, turn_over
from rummyvariants.game._engine.flow import (
    Log,
    after_knock,
    begin_after_call,
    decline_upcard,
    end_round,
    finish_turn,
    float_on,
    give_drawn,
    go_out,
    next_seat,
    start_turn,
)
from rummyvariants.game._engine.knocks import KnockPlan, named, perform_knock
from rummyvariants.game._engine.permissions import permission
from rummyvariants.game._engine.plans import IN_PLAY, Plan, planned
from rummyvariants.game._engine.plays import AnyState, Play, PlayAction, perform, plan
from rummyvariants.game._round import History, Window
from rummyvariants.game._state import (
    Draft,
    State,
    freeze,
    remember,
    show_in_hand,
    spend_from_hand,
    stock_left,
    thaw,
    to_act,
)
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
    parse_action,
    wrong_value,
)
from rummyvariants.game.events import (
    Called,
    Discarded,
    Drew,
    Event,
    Laid,
    Passed,
    Took,
    TurnedOver,
)
from rummyvariants.rulings import IllegalAction, Objection, Ruling


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

    Raises:
        IllegalAction: If a value of it is of a wrong type.
        ParseError: If a text cannot be read as an action.
    """
    if isinstance(action, str):
        action = parse_action(action, seat, state.match.rules.verbs)
    elif wrong := wrong_value(action):
        raise IllegalAction(state.match.rules.refusal(Objection("RV-07", wrong)))
    elif seat is None and action.seat is not None:
        return named(state, action) if isinstance(action, Knock) else action
    elif seat is not None and action.seat != seat:
        action = attrs.evolve(action, seat=seat)
    if action.seat is None and not isinstance(action, Deal):
        acting = to_act(state)
        if len(acting) == 1:
            action = attrs.evolve(action, seat=acting[0])
    return named(state, action) if isinstance(action, Knock) else action


def check(state: State, action: Action | str, seat: int | None = None) -> Ruling:
    """
    Whether an action is legal, and by which rule.

    Args:
        state: The state that it would be done in.
        action: An action, or its text in the notation.
        seat: Who would do it, whatever seat the action names; may be left out where
            the action names one, or one alone may act. A server gives it with whatever
            a player sends. No seat deals, so with a seat a deal is refused.

    Returns:
        A ruling, true if the action is legal. No action raises; one made with values of
        wrong types is refused.

    Raises:
        ParseError: If a text cannot be read as an action.
    """
    try:
        done = _as_action(state, action, seat)
    except IllegalAction as error:
        return error.ruling
    found = planned(state, done)
    if isinstance(found, Objection):
        return state.match.rules.refusal(found)
    remember(state, done, found)
    return permission(state, done, found)


def is_legal(state: AnyState, action: Action) -> bool:
    """
    Whether an action that names its seat is legal; what it would do is remembered.
    """
    found = planned(state, action)
    if isinstance(found, Objection):
        return False
    remember(state, action, found)
    return True


# --------------------------------------------------------------------------- acting


def apply(state: State, action: Action | str, seat: int | None = None) -> State:
    """
    The state after an action. The given state stays as it is.

    Args:
        state: The state that the action is done in.
        action: An action, or its text in the notation.
        seat: Who does it, as for `check`: a server gives it with whatever a player
            sends.

    Raises:
        IllegalAction: If the rules refuse it; the error carries the ruling.
        ParseError: If a text cannot be read as an action.
    """
    known = state._known
    if seat is not None or known is None or known[0] is not action:
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
    if found is None and type(action) in IN_PLAY:
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
    held = draft._hands[seat]
    perform_call(draft, seat, call)
    if log is not None:
        taken = codes(call.from_pile + call.taken)
        log.append(Called(seat, tuple(CARDS[code] for code in taken)))
        log.append(Laid(seat, tuple(map(str, action.cards)), call.play.number, "call"))
    if rules.call.penalty != "none":
        _penalty(draft, window.finisher, log)
    plays_on = rules.call.next == "the caller"
    if rules.call.next != "as it was":
        draft.turn = next_seat(draft, seat)
    if draft._hands[seat]:
        draft._floating &= ~(1 << seat)
        if plays_on and begin_after_call(draft, seat, call, held, log):
            return
        if rules.call.owes_discard and next(may_discard(draft, seat), None) is not None:
            draft.phase = "discard"
            draft.window = Window(window.finisher, 0, seat)
            return
    elif not draft._floating >> seat & 1:
        if rules.out.empty_hand == "out":
            if go_out(draft, seat, log):
                return
        else:
            float_on(draft, seat, log)
    closed = plays_on or rules.call.then_discard
    if closed or not open_window(draft, window.finisher, log):
        start_turn(draft, draft.turn, log)


def _penalty(draft: Draft, seat: int, log: Log) -> None:
    """
    What the player who left a rummy takes for it (BAS-15): two cards, or the pile.
    """
    if seat in draft.out:
        return
    if draft.match.rules.call.penalty == "two cards":
        number = min(2, max(0, stock_left(draft)))
        cards, draft._stock = draft._stock[:number], draft._stock[number:]
        if log is not None:
            log += [Drew(seat, CARDS[code]) for code in cards]
    elif cards := draft._discards:
        draft._discards = b""
        show_in_hand(draft, seat, pack(cards))
        if log is not None:
            log.append(Took(seat, tuple(CARDS[code] for code in cards)))
    change_hand(draft, seat, pack(cards))
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
