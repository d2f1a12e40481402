"""
The phases of a game, and how turns follow one another.

A frame of a state says, as data, what is in progress. The phase of its name says what
that means: what is due, and what follows when somebody passes, discards or has no card
left. An interruption, such as a window for calls, is a frame on top of the turn; when
it is done, the frame below continues.

The functions change a draft and note what happened in a log, where there is one.
"""

from __future__ import annotations

import functools

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import attrs

from rummyvariants._support.memos import remembered
from rummyvariants.cards import CARDS, replaced
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._chance import SECRET_PLACES
from rummyvariants.game._engine.draws import add_duties, refuse_draw
from rummyvariants.game._engine.endings import discards_due, may_discard
from rummyvariants.game._engine.offers import (
    asks_takers_alone,
    can_take,
    forced_take,
)
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._engine.rounds import end_round
from rummyvariants.game._engine.transfers import refill
from rummyvariants.game._events import Log
from rummyvariants.game._locations import HANDS, move_top
from rummyvariants.game._round import (
    DEALT_HAND,
    EVERYBODY,
    NOTHING_DRAWN,
    Drawn,
    Frame,
    turn_frames,
)
from rummyvariants.game._state import (
    LAST_TURN,
    Draft,
    absent,
    note,
    noted,
    seats_of,
    side_of,
    stock_left,
)
from rummyvariants.house.facts import LAID_BEFORE
from rummyvariants.policies import Duty
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rulings import Objection


if TYPE_CHECKING:
    import random


def begin_play(draft: Draft, seat: int, log: Log) -> None:
    """
    Let the first player begin, or be asked first about the upcard.
    """
    if draft.match.rules.draw.offers_upcard:
        give_turn(draft, "offer", seat, log)
    else:
        start_turn(draft, seat, log)


def give_turn(draft: Draft, phase: str, seat: int, log: Log) -> None:
    """
    Let a seat act, with nothing else in progress.
    """
    draft.frames = turn_frames(phase, seat)
    if log is not None:
        log.append(events.TurnStarted(seat))


def close_frame(draft: Draft, log: Log) -> None:
    """
    End the frame on top, and continue with the one below.
    """
    draft.frames = draft.frames[:-1]
    PHASES[draft.frames[-1].phase].resume(draft, log)


def start_turn(draft: Draft, seat: int, log: Log) -> None:
    """
    Begin a seat's turn, or end the round if it cannot begin.
    """
    draft.frames = turn_frames("draw", seat)
    draft.drawn = NOTHING_DRAWN
    draft.laid = False
    _begin_turn(draft, seat, log)


def _begin_turn(draft: Draft, seat: int, log: Log) -> None:
    """
    As `start_turn`, when nothing is drawn or laid any more and the turn is the seat's.
    """
    rules = draft.match.rules
    if draft.out:
        # A player whom a call passed over may still have a turn when others have none.
        for _ in draft.turns:
            if seat not in absent(draft) and has_turn_left(draft, seat):
                break
            seat = next_seat(draft, seat)
        else:
            end_round(draft, "out", log)
            return
        draft.frames = turn_frames("draw", seat)
    if draft.idle >= rules.stock.idle_rounds * len(draft.turns):
        end_round(draft, "idle", log)
        return
    if stock_left(draft) < 1 and _has_no_draw(draft, seat):
        go_without_draw(draft, seat, log)
        return
    if log is not None:
        log.append(events.TurnStarted(seat))


def _has_no_draw(draft: Draft, seat: int) -> bool:
    """
    Whether a seat can neither draw from an empty stock nor take a discard.
    """
    if refuse_draw(draft) is None:
        return False
    rules = draft.match.rules
    if rules.stock.ends_at_once or not draft._discards:
        return True
    if draft._floating >> seat & 1 and rules.out.floats_on_stock:
        return True
    return asks_takers_alone(draft) and not can_take(draft, seat)


def draw_card(draft: Draft, seat: int, log: Log, *, dealt: bool = False) -> None:
    """
    Begin a seat's turn with the top card of the stock.

    Args:
        draft: The state in the making.
        seat: Who draws.
        log: Where what happened is noted, if anywhere.
        dealt: Whether the card is the extra one that the first player is dealt.
    """
    rules = draft.match.rules
    number = 1
    if "cards_drawn" in rules.asked and not dealt:
        _, wanted = asking.answer_to(draft, seat, "cards_drawn") or ("", 1)
        number = max(1, min(wanted, stock_left(draft)))
    cards = draft._stock[:number]
    duties: tuple[Duty, ...] = ()
    if rules.settled.stock_owes:
        for code in cards:
            duties += rules.draw.stock_duties(code)
    draft.drawn = Drawn("stock", cards, draft._hands[seat], duties)
    shown_to = EVERYBODY if rules.draw.shown else 1 << seat
    move_top(draft, number, HANDS[seat], shown_to, log)
    if rules.draw.shown and log is not None:
        seen = tuple([CARDS[code] for code in cards])
        log.append(events.Shown(HANDS[seat], number, seen, None))
    draft.frames = turn_frames("play", seat)
    add_duties(draft, seat)


def finish_turn(
    draft: Draft,
    seat: int,
    *,
    discarded: bool,
    log: Log,
    left: bool = False,
    named: int | None = None,
) -> None:
    """
    End a seat's turn: out, floating, calls, or the next turn.

    Args:
        draft: The state in the making.
        seat: Whose turn it is.
        discarded: Whether the turn ends with a discard.
        log: Where what happened is noted, if anywhere.
        left: Whether the seat has left the round.
        named: The seat whose turn is next, if a rule has said it.
    """
    rules = draft.match.rules
    if named is None and "next_seat" in rules.asked:
        _, named = asking.answer_to(draft, seat, "next_seat") or ("", None)
    if not (left or draft._hands[seat]) and "refills" in rules.asked:
        refill(draft, seat, log)
    _count_turn(draft, seat)
    moved = draft.laid or draft.drawn.source == "stock"
    draft.idle = 0 if moved else draft.idle + 1
    has_laid = draft.laid
    draft.laid = False
    if left:
        if end_if_alone(draft, log):
            return
    elif not draft._hands[seat] and not (draft.out and rules.out.declares):
        # A player who lays all cards off after a declaration is not out as well.
        ends = discarded or rules.out.by_empty_hand or rules.out.declares
        if ends and has_laid_enough(draft, seat):
            if go_out(draft, seat, log):
                return
        elif not draft._floating >> seat & 1:
            float_on(draft, seat, log)
    elif draft._floating:
        # A player who floated and took discards may hold cards again.
        draft._floating &= ~(1 << seat)
    draft.drawn = NOTHING_DRAWN
    if has_laid and seat not in draft.out and rules.score.asks_who_laid:
        # Kept only where it matters, so that states that play alike are equal.
        note(draft, LAID_BEFORE, seat)
    if rules.stock.ends_at_once and stock_left(draft) < 1:
        end_round(draft, "stock", log)
        return
    # Players who are out are passed over.
    before = seat if named is None else (named - 1) % len(draft.turns)
    following = next_seat(draft, before)
    draft.frames = turn_frames("draw", following)
    if not (discarded and interrupt(draft, seat, log)):
        _begin_turn(draft, following, log)


def _count_turn(draft: Draft, seat: int) -> None:
    draft.turns = _one_more(draft.turns, seat)
    if draft.out and draft.match.rules.out.last_turn:
        note(draft, LAST_TURN, seat)


@functools.lru_cache(maxsize=4096)
def _one_more(turns: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """
    The turns finished when a seat has finished another; states share the same counts.
    """
    return replaced(turns, seat, turns[seat] + 1)


def interrupt(draft: Draft, seat: int, log: Log) -> bool:
    """
    Begin whatever follows a discard before the next turn.

    Returns:
        Whether anything follows.
    """
    opened = False
    for opens in _openers(draft.match.rules, len(PHASES)):
        opened |= opens(draft, seat, log)
    return opened


@remembered(1)
def _openers(rules: Ruleset, number: int) -> list[Callable[[Draft, int, Log], bool]]:
    """
    What may follow a discard under some rules, in so many phases.
    """
    del number
    return [one.opens for one in PHASES.values() if one.opens and one.passes(rules)]


def has_turn_left(draft: Draft, seat: int) -> bool:
    """
    Whether a seat still has a turn after somebody went out (HR-08, PGV-E3, R5V-37).
    """
    rules = draft.match.rules
    if rules.out.last_turn:
        return not noted(draft, LAST_TURN) >> seat & 1
    return bool(rules.out.grace) and draft.turns[seat] == 0


def go_without_draw(draft: Draft, seat: int, log: Log) -> None:
    """
    End the round if a seat does not draw because the stock is empty.

    Once somebody is out only the seat's last turn is over: others may want the pile.
    """
    if not draft.out or draft.match.rules.stock.ends_at_once:
        end_round(draft, "stock", log)
        return
    _count_turn(draft, seat)
    start_turn(draft, next_seat(draft, seat), log)


def next_seat(draft: Draft, seat: int) -> int:
    """
    The seat that plays after another; seats without further turns are passed over.
    """
    seats = len(draft.turns)
    passed = absent(draft)
    found = (seat + 1) % seats
    while found in passed and found != seat:
        found = (found + 1) % seats
    return found


def has_laid_enough(state: AnyState, seat: int) -> bool:
    """
    Whether a seat has so many cards on the table that it may be out.
    """
    least: int = state.match.rules.out.cards_melded
    if not least:
        return True
    laid = [one for meld in state._table for one in meld.laid if one.seat == seat]
    return len(laid) >= least


def float_on(draft: Draft, seat: int, log: Log) -> None:
    """
    Let a seat play on without a card.
    """
    draft._floating |= 1 << seat
    if log is not None:
        log.append(events.Floated(seat))


def go_out(draft: Draft, seat: int, log: Log) -> bool:
    """
    Let a seat go out.

    Returns:
        Whether this ends the round; otherwise others have a turn left (HR-08, PGV-E3).
    """
    rules = draft.match.rules
    draft._floating &= ~(1 << seat)
    draft.out = (*draft.out, seat)
    if log is not None:
        log.append(events.WentOut(seat))
    if rules.out.floaters_draw:
        _floaters_draw(draft, seat, log)
    gone = absent(draft)
    if any(
        other not in gone and has_turn_left(draft, other)
        for other in range(len(draft.turns))
    ):
        if draft.turn == seat:
            # Out by a call before their own first turn.
            draft.frames = turn_frames("draw", next_seat(draft, seat))
        return False
    dealt = rules.out.dealt_hand and not draft.drawn.source
    end_round(draft, DEALT_HAND if dealt else "out", log)
    return True


def end_if_alone(draft: Draft, log: Log) -> bool:
    """
    End the round if only one player, or partners, are left in it.
    """
    gone = absent(draft)
    left = [seat for seat in range(len(draft.turns)) if seat not in gone]
    if not draft.out and left and not {*left} <= {*seats_of(side_of(draft, left[0]))}:
        return False
    if draft.out and any(has_turn_left(draft, seat) for seat in left):
        return False
    end_round(draft, "out" if draft.out else "drop", log)
    return True


def _floaters_draw(draft: Draft, seat: int, log: Log) -> None:
    """
    A card from the stock for each floating player (PGV-E2).
    """
    for step in range(1, len(draft._hands)):
        other = (seat + step) % len(draft._hands)
        if draft._floating >> other & 1 and stock_left(draft) > 0:
            draft._floating &= ~(1 << other)
            move_top(draft, 1, HANDS[other], 1 << other, log)


# ------------------------------------------------------------------------- phases


def nothing(*given: object) -> None:
    del given


def no_objection(state: AnyState) -> Objection | None:
    """
    Nothing against a pass, whatever the state.
    """
    del state
    return None


def _always(state: AnyState) -> tuple[str, str]:
    del state
    return "RV-07", "nobody has to act"


def _never(rules: Ruleset) -> bool:
    del rules
    return False


def _as_it_is(frame: Frame, rng: random.Random) -> Frame:
    del rng
    return frame


@attrs.frozen(eq=False, repr=False)
class Phase:
    """
    A phase of a game, with all that the engine needs to know about it.

    Attributes:
        name: The name that frames have.
        due: What is due, in words; an action that has to wait is refused with them.
        write: What to write then, where that is not plain from it.
        resume: What follows when a frame on top of it is done, given draft and log.
        refuse_pass: Why nobody may pass, given a state; None if somebody may.
        permit_pass: The policy value that allows a pass, and the reason.
        passed: What follows a pass, given draft, seat and log.
        discarded: What follows a discard, given draft, seat and log.
        emptied: What follows when the last card of a hand was laid on the table, given
            draft, seat and log.
        redeal: The frame with its secrets drawn anew.
        passes: Whether anybody can ever pass in it under some rules.
        opens: A function that, after a discard, puts a frame of this phase on top of
            the next turn if needed, given draft, seat and log, and returns whether it
            did; None if the phase never follows a discard. It is asked only where
            somebody may pass.
    """

    name: str
    due: str
    write: str = ""
    resume: Callable[..., None] = nothing
    refuse_pass: Callable[[AnyState], Objection | None] = no_objection
    permit_pass: Callable[[AnyState], tuple[str, str]] = _always
    passed: Callable[..., None] = nothing
    discarded: Callable[..., None] = nothing
    emptied: Callable[..., None] = nothing
    redeal: Callable[[Frame, random.Random], Frame] = _as_it_is
    passes: Callable[[Ruleset], bool] = _never
    opens: Callable[[Draft, int, Log], bool] | None = None


def _redeal_places(frame: Frame, rng: random.Random) -> Frame:
    """
    A choice in the middle of a deal, with new places for cards put back.
    """
    places = tuple(rng.randrange(1 << 30) for _ in range(SECRET_PLACES))
    return attrs.evolve(frame, secrets=places)


def permitted_by(path: str, reason: str) -> Callable[[AnyState], tuple[str, str]]:
    """
    What says that a policy value allows a pass, always for the same reason.
    """

    def permitted(state: AnyState) -> tuple[str, str]:
        del state
        return path, reason

    return permitted


def _go_on(draft: Draft, log: Log) -> None:
    start_turn(draft, draft.turn, log)


def _refuse_no_draw(state: AnyState) -> Objection | None:
    if refuse_draw(state) is not None:
        return forced_take(state, state.frames[-1].seat)
    return _NO_PASS


_NO_PASS: Final = Objection(
    "RV-07",
    "a turn starts with a draw: nobody may pass while the stock has cards to draw",
    ("stock.when_empty", "draw.take"),
)


def _permit_no_draw(state: AnyState) -> tuple[str, str]:
    empty = refuse_draw(state)
    return "stock.when_empty", empty.reason if empty else ""


def _decline_upcard(draft: Draft, seat: int, log: Log) -> None:
    """
    Ask the next player about the first upcard; the dealer is asked last.
    """
    following = next_seat(draft, seat)
    if seat == draft.dealt.dealer:
        start_turn(draft, following, log)
    else:
        give_turn(draft, "offer", following, log)


def _turn_discarded(draft: Draft, seat: int, log: Log) -> None:
    asked = "discards_owed" in draft.match.rules.asked
    if asked and _owes_more(draft, seat):
        return
    finish_turn(draft, seat, discarded=True, log=log)


def _owes_more(draft: Draft, seat: int) -> bool:
    """
    Keep a turn that ends with several discards going, as long as one is possible.
    """
    drawn, frame = draft.drawn, draft.frames[-1]
    if discards_due(draft, seat) < 2:
        return False
    made = frame.discards_made + 1
    # The first discard was legal, so that nothing else is owed.
    draft.drawn = attrs.evolve(drawn, duties=())
    if next(may_discard(draft, seat), None) is None:
        draft.drawn = drawn
        return False
    notes = (made, *frame.notes[1:])
    draft.frames = (*draft.frames[:-1], attrs.evolve(frame, notes=notes))
    return True


def _turn_emptied(draft: Draft, seat: int, log: Log) -> None:
    if "refills" in draft.match.rules.asked and refill(draft, seat, log):
        return
    finish_turn(draft, seat, discarded=False, log=log)


DEAL: Final = Phase(
    "deal", "the round is over, and the next one is not dealt yet", "'deal'"
)
CHOOSE: Final = Phase(
    "choose", "a hand size has to be chosen", "'choose 7'", redeal=_redeal_places
)
OFFER: Final = Phase(
    "offer",
    "the first upcard is taken or declined",
    "'take 1' or 'pass'",
    permit_pass=permitted_by("draw.first_upcard", "the first upcard may be declined"),
    passed=_decline_upcard,
    passes=lambda rules: rules.draw.offers_upcard,
)
DRAW: Final = Phase(
    "draw",
    "a turn starts with a draw",
    resume=_go_on,
    refuse_pass=_refuse_no_draw,
    permit_pass=_permit_no_draw,
    passed=go_without_draw,
    passes=lambda rules: not rules.stock.ends_at_once,
)
PLAY: Final = Phase(
    "play",
    "a card has been drawn already",
    discarded=_turn_discarded,
    emptied=_turn_emptied,
)
OVER: Final = Phase("over", "the match is over")
PHASES: Final[dict[str, Phase]] = {}
"""The phases, by name: those of a turn, and those that interrupt it."""
