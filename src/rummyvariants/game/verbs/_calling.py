"""
Calling rummy: when a window opens, who is asked, what a call does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, final

import attrs

from rummyvariants._support.values import Value
from rummyvariants._support.words import listed
from rummyvariants.actions import CallRummy
from rummyvariants.cards import (
    CARDS,
    FIELD,
    UNIT,
    codes,
    holds,
    pack,
    present,
    size,
)
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._engine.endings import may_discard, refuse_empty_hand
from rummyvariants.game._engine.finish import can_finish
from rummyvariants.game._engine.naming import cards_added
from rummyvariants.game._engine.phases import (
    PHASES,
    Phase,
    close_frame,
    float_on,
    give_turn,
    go_out,
    has_laid_enough,
    has_turn_left,
    interrupt,
    next_seat,
    permitted_by,
)
from rummyvariants.game._engine.plays import (
    LATER,
    AnyState,
    Play,
    meld_at,
    melds_open_to,
    not_in_deck,
    not_there,
    place_meld,
    plan_meld,
    refuse_first,
    refuse_onto,
    refuse_sets,
)
from rummyvariants.game._engine.reasons import fit_in_words, meld_in_words
from rummyvariants.game._engine.transfers import refill
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, HANDS, TABLE, move, move_top
from rummyvariants.game._round import NOTHING_DRAWN, Drawn, Frame, turn_frames
from rummyvariants.game._state import (
    Draft,
    State,
    absent,
    fits_of,
    note,
    seats_of,
    side_of,
    stock_left,
)
from rummyvariants.game.verbs._verb import Verb
from rummyvariants.house.facts import LAID_BEFORE
from rummyvariants.house.rules import OF_NEW_MELDS
from rummyvariants.melds._choices import Choice, for_meld
from rummyvariants.melds._looks import any_meld
from rummyvariants.melds._matching import words
from rummyvariants.melds._meld import Meld, bits_of
from rummyvariants.melds._reading import read_layoff, read_meld
from rummyvariants.melds._tree import Fork, Node, leaves
from rummyvariants.melds.shapes._shapes import shapes_of
from rummyvariants.melds.shapes._walk import by_shape, grown
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


@attrs.frozen(eq=False, repr=False)
class Call(Value):
    """
    What a call would do.

    Attributes:
        play: The meld that is made or grows.
        from_pile: The cards that leave the discard pile for the table.
        from_hand: The cards used from the hand.
        taken: The cards above them that go to the hand.
        gone: The codes of all cards that leave the pile, the deepest first.
    """

    play: Play
    from_pile: int
    from_hand: int
    taken: int
    gone: bytes


def open_window(draft: Draft, finisher: int, log: Log) -> bool:
    """
    Open a window for calls after a discard, before the next turn, if any seat may call.

    Returns:
        Whether somebody is asked.
    """
    if not draft._discards:
        return False
    waiting = callers(draft, finisher)
    if not waiting:
        return False
    draft.frames += (Frame("call", finisher, waiting),)
    if log is not None:
        log.append(events.CallsOpened(seats_of(waiting)))
    return True


def callers(state: AnyState, finisher: int) -> int:
    """
    Mask of the seats that are asked for calls.

    Where cards from the hand may be used, a possible call is a secret: all seats are
    asked that may call by what everybody can see (RV-04).
    """
    rules = state.match.rules
    call = rules.call
    if call.top_alone and not fits_of(state).grows & FIELD[state._discards[-1]]:
        return 0
    mask = (1 << len(state._hands)) - 1
    if call.needs_own_meld:
        mask = state._has_meld
    mask &= ~(1 << finisher)
    for seat in absent(state):
        mask &= ~(1 << seat)
    if not mask or (call.is_secret and not call.top_alone):
        return mask
    terms = state.dealt.terms
    if not rules.opens_all_melds:
        return _with_a_call(state, mask)
    if call.top_alone:
        sure = terms.extra is None and "may_lay" not in rules.asked
        return mask if sure else _with_a_call(state, mask)
    if terms.extra is None and not _asks_of_first(state, mask):
        pile = pack(state._discards)
        fits = fits_of(state)
        free = terms.unlimited or not pile & terms.wild_mask
        if free and not fits.single:
            # The first card of any lay-off fits alone, unless a limit stops a wild.
            if fits.grows & pile or (call.makes_melds and any_meld(terms, pile)):
                return mask
            return 0
        first = next(iter(seats_of(mask)))
        return mask if next(calls_of(state, first), None) is not None else 0
    return _with_a_call(state, mask)


def _asks_of_first(state: AnyState, mask: int) -> bool:
    """
    Whether there may be a rule about new melds of some seats, or says something now.
    """
    rules = state.match.rules
    if rules.meld.first_natural or rules.meld.limits_sets or "may_lay" in rules.asked:
        return True
    return any(
        asking.says(state, seat, question)
        for question in _OF_TURNS
        if question in rules.asked
        for seat in seats_of(mask)
    )


_OF_TURNS: Final = ("most_melds", "opening")
"""The questions about a turn that decide whether a call may be a new meld."""


def _with_a_call(state: AnyState, mask: int) -> int:
    for seat in seats_of(mask):
        if next(calls_of(state, seat), None) is None:
            mask &= ~(1 << seat)
    return mask


def calls_of(state: AnyState, seat: int) -> Iterator[CallRummy]:
    """
    Every legal call of a seat that is asked.
    """
    for action, _ in leaves(to_call(state, seat)):
        yield action


def to_call(state: AnyState, seat: int) -> Node:
    """
    The calls of a seat that is asked: the meld on which the cards go, then the cards.
    """
    rules, terms = state.match.rules, state.dealt.terms
    call = rules.call
    exact = (
        terms.extra is not None
        or not OF_NEW_MELDS.isdisjoint(rules.asked)
        or rules.meld.limits_sets
        or (rules.meld.first_natural and not state._has_meld >> seat & 1)
    )
    may_not_go_out = rules.out.keeps_a_card or "may_go_out" in rules.asked
    held = size(state._hands[seat])
    pile = UNIT[state._discards[-1]] if call.top_alone else pack(state._discards)
    whole = bits = pile
    if call.uses_hand:
        whole += state._hands[seat]
        if call.takes_above:
            bits = whole
    need = present(pile) * FIELD[0]
    # Unless a limit stops a wild, one card of a lay-off fits alone.
    sure = terms.unlimited
    wild = bool(bits & terms.wild_mask)
    options: list[tuple[int, Meld | None]] = []
    for number, meld in melds_open_to(state, seat):
        if meld.kind not in {"alike", "wild", "wilds"}:
            if sure and not meld.grows & bits and not (wild and meld.takes_wild):
                continue
        elif meld.kind == "wild" and meld.maker != seat:
            continue
        options.append((number, meld))
    # One call makes one meld.
    if call.makes_melds and all(
        len(first.groups) < 2 for first in asking.openings(state, seat)
    ):
        options.append((0, None))

    # A player who keeps a card of the hand does not go out.
    sure_below = 0 if exact else held if may_not_go_out else _ANY
    return _Calls(options, state, seat, whole, bits, need, sure_below)


_ANY: Final = 1 << 30
"""More cards than any call has."""


@final
class _Calls(Fork):
    """
    The meld on which called cards go, or a new one.
    """

    __slots__ = ("_bits", "_need", "_seat", "_state", "_sure_below", "_whole")

    _wide = True

    def __init__(
        self,
        options: list[tuple[int, Meld | None]],
        state: AnyState,
        seat: int,
        whole: int,
        bits: int,
        need: int,
        sure_below: int,
    ) -> None:
        self._options = options
        self._state = state
        self._seat = seat
        self._whole = whole
        self._bits = bits
        self._need = need
        self._sure_below = sure_below

    def go(self, option: tuple[int, Meld | None]) -> Node:
        number, meld = option
        shapes = shapes_of(self._state.dealt.terms)
        if meld is None:
            called = partial(_called, self._state, self._seat, None, self._sure_below)
            return by_shape(shapes, shapes.new(self._whole, self._need), called, 0)
        called = partial(_called, self._state, self._seat, number, self._sure_below)
        lots = shapes.longer(meld, self._bits, self._need, beside=False)
        return grown(shapes, lots, called, 0)

    def name(self, option: tuple[int, Meld | None]) -> Choice:
        return for_meld(option)


def _called(
    state: AnyState, seat: int, onto: int | None, sure_below: int, number: int
) -> tuple[CallRummy, object] | None:
    """
    The leaf of a call; one of few cards may be known to be legal.
    """
    play = shapes_of(state.dealt.terms).play(number)
    action = CallRummy(play.cards, onto, play.side, seat)
    if len(play.cards) < sure_below:
        return action, LATER
    found = plan_call(state, seat, action)
    return (action, found) if isinstance(found, Call) else None


def plan_call(state: AnyState, seat: int, action: CallRummy) -> Call | Objection:
    """
    What a call would do, or why it is refused; the seat is one that is asked.
    """
    call, asked = state.match.rules.call, state.match.rules.asked
    pile = state._discards
    used = bits_of(action.cards)
    if call.top_alone and used != UNIT[pile[-1]]:
        return not_in_deck(state, used) or Objection(
            "call.calls", f"only {CARDS[pile[-1]]} can be called", ("RV-07",)
        )
    if action.meld is None and not call.makes_melds:
        reason = "a call extends a meld on the table"
        return _say_where(state, seat, action) or Objection("call.melds", reason)
    sources = _sources(state, seat, used, new=action.meld is None)
    if isinstance(sources, Objection):
        return sources
    from_pile, from_hand, taken, gone = sources
    play: Play | Objection
    if action.meld is None:
        play = plan_meld(state, seat, action.cards, used)
        if isinstance(read_meld(state.dealt.terms, action.cards, seat), Objection):
            play = _say_where(state, seat, action) or play
    else:
        play = _grown(state, seat, action, action.meld, used)
    if isinstance(play, Play) and play.is_meld:
        left = size(state._hands[seat] + taken - from_hand)
        play = refuse_sets(state, seat, (play.after,), left) or play
    if isinstance(play, Play) and play.is_meld and "most_melds" in asked:
        play = asking.refusal(state, seat, "most_melds", 0) or play
    if isinstance(play, Objection):
        return attrs.evolve(play, also=(*play.also, "call.calls"))
    if from_hand and not state._hands[seat] + taken - from_hand:
        wrong = refuse_empty_hand(state, seat)
        if wrong is not None:
            return wrong
    return Call(play, from_pile, from_hand, taken, gone)


def _sources(
    state: AnyState, seat: int, used: int, *, new: bool
) -> tuple[int, int, int, bytes] | Objection:
    """
    Where the cards of a call come from: the pile if it has them, otherwise the hand.
    """
    call = state.match.rules.call
    pile = state._discards
    left = bytearray(pile)
    from_hand = 0
    deepest = len(pile)
    for code in codes(used):
        # Of equal cards the upper one goes.
        at = left.rfind(code)
        if at < 0:
            from_hand += UNIT[code]
        else:
            left[at] = 0  # no card
            deepest = min(deepest, at)
    helps = call.with_hand and (new or call.takes_above)
    if from_hand and not helps:
        lacking = not_there(state, pack(pile), used, "the discard pile")
        return attrs.evolve(lacking, also=("call.with_hand",))
    if from_hand and not holds(state._hands[seat], from_hand):
        there = used - from_hand + state._hands[seat]
        return not_there(state, there, used, "the discard pile or the hand")
    if deepest == len(pile):
        return Objection("call.with_hand", "a call must use a card of the discard pile")
    if call.takes_above:
        taken = pack(left[deepest:].replace(b"\0", b""))
        gone = pile[deepest:]
    else:
        taken = 0
        gone = bytes([code for code, kept in zip(pile, left, strict=True) if not kept])
    return used - from_hand, from_hand, taken, gone


def _say_where(state: AnyState, seat: int, action: CallRummy) -> Objection | None:
    """
    The refusal of a call that names no meld, if its cards fit some on the table.
    """
    calls = [
        (attrs.evolve(action, meld=number), meld)
        for number, meld in melds_open_to(state, seat)
    ]
    ways = [
        f"'{call}' ({meld})"
        for call, meld in calls
        if isinstance(plan_call(state, seat, call), Call)
    ]
    if not ways:
        return None
    reason = f"name the meld for {words(action.cards)}: {listed(ways, 'or')}"
    return Objection("call.calls", reason, ("RV-07",))


def called_away(state: AnyState, action: CallRummy) -> bytes:
    """
    The codes of all cards that a legal call takes from the pile, the deepest first.
    """
    new = action.meld is None
    found = _sources(state, action.seat or 0, bits_of(action.cards), new=new)
    return b"" if isinstance(found, Objection) else found[3]


def _grown(
    state: AnyState, seat: int, action: CallRummy, number: int, used: int
) -> Play | Objection:
    meld = meld_at(state, number)
    if isinstance(meld, Objection):
        return meld
    after = read_layoff(
        state.dealt.terms, meld, action.cards, seat, action.end, grow=True
    )
    wrong = refuse_onto(state, seat, meld)
    if wrong is not None:
        also = (after.path,) if isinstance(after, Objection) else ()
        return attrs.evolve(wrong, also=also)
    if isinstance(after, Objection):
        return after
    begun = meld.kind == "wild"
    wrong = refuse_first(state, seat, natural=False) if begun else None
    if begun:
        wrong = wrong or asking.refuse_opening(state, seat, (after,), used)
    wrong = wrong or asking.refuse_lay(state, seat, after)
    return wrong or Play(used, number, after, is_meld=begun)


def _perform_call(draft: Draft, seat: int, call: Call, log: Log = None) -> None:
    """
    Do a planned call: the pile, the hand and the table.
    """
    if call.from_hand:
        move(draft, call.from_hand, HANDS[seat], TABLE)
    # The event of the call tells of the cards that it takes, the next one of its meld.
    if call.taken:
        move(draft, call.taken, DISCARDS, HANDS[seat], log=log)
    move(draft, call.from_pile, DISCARDS, TABLE, log=log)
    place_meld(draft, seat, call.play, log)
    if call.play.is_meld:
        draft._has_meld |= side_of(draft, seat)
    draft.idle = 0
    draft.fresh = True
    if draft.match.rules.score.asks_who_laid:
        note(draft, LAID_BEFORE, seat)


@final
class RummyVerb(Verb):
    """
    A call out of turn.
    """

    kind = CallRummy
    phases = ("call",)
    also = "call.calls"

    def exists(self, rules: Ruleset) -> bool:
        return rules.call.is_made

    def offer(self, state: AnyState, seat: int) -> Node:
        return to_call(state, seat)

    def plan(self, state: AnyState, action: CallRummy) -> Call | Objection:
        return plan_call(state, action.seat or 0, action)

    def permit(self, state: State, action: CallRummy, plan: Call) -> tuple[str, str]:
        if action.meld is None:
            reason = f"the cards make {meld_in_words(plan.play.after)}"
        else:
            reason = fit_in_words(state, action.cards, plan.play)
        return "call.calls", reason

    def perform(self, draft: Draft, action: CallRummy, plan: Call, log: Log) -> None:
        """
        Do a call; then the caller plays on, owes a discard, or is out.
        """
        seat = action.seat or 0
        rules = draft.match.rules
        finisher = draft.frames[-1].seat
        # A call ends what else may follow the discard.
        draft.frames = draft.frames[:1]
        held = draft._hands[seat]
        if log is not None:
            gone = tuple(CARDS[code] for code in codes(plan.from_pile + plan.taken))
            named, end = tuple(map(str, action.cards)), action.end
            called = events.Called(seat, gone, named, action.meld, end)
            if plan.taken:
                log.tell_by(called)
        _perform_call(draft, seat, plan, log)
        if log is not None:
            if not plan.taken:
                log.append(called)
            begun = action.meld is None
            laid = events.Laid(
                seat, named, plan.play.number, "call", end=end, begun=begun
            )
            log.append(laid)
        if rules.call.penalises:
            _penalty(draft, finisher, log)
        plays_on = rules.call.caller_plays
        if rules.call.moves_turn:
            draft.frames = turn_frames("draw", next_seat(draft, seat))
        if draft._hands[seat] or refill(draft, seat, log):
            draft._floating &= ~(1 << seat)
            if plays_on and _begin_after_call(draft, seat, plan, held, log):
                return
            if (
                rules.call.owes_discard
                and next(may_discard(draft, seat), None) is not None
            ):
                draft.frames += turn_frames("discard", seat)
                return
        elif not draft._floating >> seat & 1:
            if rules.out.by_empty_hand and has_laid_enough(draft, seat):
                if go_out(draft, seat, log):
                    return
            else:
                float_on(draft, seat, log)
        closed = plays_on or rules.call.then_discard
        if closed or not open_window(draft, finisher, log):
            PHASES[draft.phase].resume(draft, log)

    def meaning(self, state: State, action: Any, plan: Call) -> tuple[object, ...]:
        new, play = action.meld is None, plan.play
        return ("CallRummy", new, play.number, *cards_added(state, play, 0))

    def takes(self, state: AnyState, action: CallRummy) -> bytes:
        return called_away(state, action)


def _begin_after_call(
    draft: Draft, seat: int, called: Call, held: int, log: Log
) -> bool:
    """
    Let a caller go on as in a turn of their own, for which the call was the draw.

    Args:
        draft: The round, the call done.
        seat: Who called, and holds cards.
        called: What the call did.
        held: The hand before it, as a multiset.
        log: Where what happened is noted.

    Returns:
        Whether the turn has begun: not if it could not be finished, or if everybody
        gets a last turn and the caller has had it.
    """
    if draft.out and not has_turn_left(draft, seat):
        return False
    melds = int(draft.match.rules.counts_melds and called.play.is_meld)
    draft.drawn = Drawn("call", called.gone, held, melds=melds)
    if not can_finish(draft, seat):
        draft.drawn = NOTHING_DRAWN
        return False
    draft.laid = True
    give_turn(draft, "play", seat, log)
    return True


def _penalty(draft: Draft, seat: int, log: Log) -> None:
    """
    The penalty of the player who left a rummy (BAS-15): two cards, or the pile.
    """
    if seat in draft.out:
        return
    if draft.match.rules.call.penalty_from_stock:
        number = min(2, max(0, stock_left(draft)))
        move_top(draft, number, HANDS[seat], 1 << seat, log)
    elif draft._discards:
        move(draft, pack(draft._discards), DISCARDS, HANDS[seat], log=log)
    if draft._hands[seat]:
        draft._floating &= ~(1 << seat)


def _decline_call(draft: Draft, seat: int, log: Log) -> None:
    window = draft.frames[-1]
    waiting = window.waiting & ~(1 << seat)
    if waiting:
        draft.frames = (*draft.frames[:-1], attrs.evolve(window, waiting=waiting))
    else:
        close_frame(draft, log)


def _caller_discarded(draft: Draft, seat: int, log: Log) -> None:
    draft.frames = draft.frames[:-1]
    if not (draft._hands[seat] or refill(draft, seat, log)):
        if go_out(draft, seat, log):
            return
    if not interrupt(draft, seat, log):
        PHASES[draft.phase].resume(draft, log)


def _caller_emptied(draft: Draft, seat: int, log: Log) -> None:
    draft.frames = draft.frames[:-1]
    if not refill(draft, seat, log) and draft.match.rules.out.by_empty_hand:
        if go_out(draft, seat, log):
            return
    PHASES[draft.phase].resume(draft, log)


CALL: Final[Phase] = Phase(
    "call",
    "a call may be made or passed",
    "'rummy 9h' or 'pass'",
    permit_pass=permitted_by("call.calls", "a call may be declined"),
    passed=_decline_call,
    passes=lambda rules: rules.call.is_made,
    opens=open_window,
)
DISCARD: Final[Phase] = Phase(
    "discard",
    "the caller has to discard",
    discarded=_caller_discarded,
    emptied=_caller_emptied,
)
