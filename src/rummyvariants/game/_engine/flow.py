"""
How turns follow one another: starting and ending a turn, a round and the match.

The functions change a draft and tell what happened to a log, where there is one.
"""

from __future__ import annotations

import attrs

from rummyvariants.cards import CARDS, UNIT, codes, pack, replaced
from rummyvariants.game._engine.calls import (
    Call,
    may_discard,
    open_window,
    perform_call,
)
from rummyvariants.game._engine.draws import change_hand, refuse_draw
from rummyvariants.game._engine.endings import can_finish
from rummyvariants.game._round import (
    Column,
    Drawn,
    RoundResult,
    ScoreItem,
    Window,
    standing,
    with_bonuses,
)
from rummyvariants.game._scoring import counts_twice, round_result
from rummyvariants.game._state import Draft, show_in_hand, stock_left
from rummyvariants.game.actions import CallRummy
from rummyvariants.game.events import (
    Called,
    Drew,
    Event,
    Floated,
    Laid,
    MatchEnded,
    RoundEnded,
    Took,
    TurnStarted,
    WentOut,
)
from rummyvariants.rules._ruleset import Ruleset


Log = list[Event] | None


def begin_play(draft: Draft, seat: int, log: Log) -> None:
    """
    Let the first player begin, or be asked first about the upcard.
    """
    if draft.match.rules.draw.offers_upcard:
        draft.turn = seat
        draft.phase = "offer"
        if log is not None:
            log.append(TurnStarted(seat))
        return
    start_turn(draft, seat, log)


def decline_upcard(draft: Draft, seat: int, log: Log) -> None:
    """
    Ask the next player about the first upcard; after the dealer nobody is left to ask.
    """
    assert draft.dealt is not None  # noqa: S101 -- for the type checker
    following = next_seat(draft, seat)
    if seat == draft.dealt.dealer:
        start_turn(draft, following, log)
        return
    draft.turn = following
    if log is not None:
        log.append(TurnStarted(following))


def after_knock(draft: Draft, seat: int, how: str, log: Log) -> None:
    """
    Let the other player lay off; after gin the round is over.
    """
    if how != "knock":
        end_round(draft, how, log)
        return
    draft.turn = next_seat(draft, seat)
    draft.phase = "layoff"
    if log is not None:
        log.append(TurnStarted(draft.turn))


def start_turn(draft: Draft, seat: int, log: Log) -> None:
    """
    Begin a seat's turn, or end the round if it cannot begin.
    """
    rules = draft.match.rules
    draft.turn = seat
    draft.window = None
    draft.drawn = None
    draft.laid = False
    if draft.out:
        # Who was passed over by a call may still have a turn when others have none.
        for _ in draft.turns:
            if seat not in draft.out and has_turn_left(draft, seat):
                break
            seat = next_seat(draft, seat)
        else:
            end_round(draft, "out", log)
            return
        draft.turn = seat
    if draft.idle >= rules.stock.idle_rounds * len(draft.turns):
        end_round(draft, "idle", log)
        return
    if (
        stock_left(draft) < 1
        and (
            rules.stock.when_empty == "after the turn"
            or not draft._discards
            or (draft._floating >> seat & 1 and rules.out.floats_on_stock)
        )
        and refuse_draw(draft) is not None
    ):
        end_round(draft, "stock", log)
        return
    draft.phase = "draw"
    if log is not None:
        log.append(TurnStarted(seat))


def give_drawn(draft: Draft, code: int, log: Log) -> None:
    """
    Begin the turn of the player in turn with a card from the stock.
    """
    seat = draft.turn
    duties = draft.match.rules.draw.stock_duties(code)
    draft.drawn = Drawn("stock", bytes([code]), draft._hands[seat], duties)
    change_hand(draft, seat, UNIT[code])
    draft.phase = "play"
    if log is not None:
        log.append(Drew(seat, CARDS[code]))


def begin_after_call(
    draft: Draft, seat: int, called: Call, held: int, log: Log
) -> bool:
    """
    Let a caller go on as in a turn of their own, for which the call was the draw.

    Args:
        draft: The round, the call done.
        seat: Who called, and holds cards.
        called: What the call did.
        held: The hand before it, as a multiset.
        log: Where it is told what happened.

    Returns:
        Whether it has begun; not if nothing would allow it to be finished, or if all
        are to have a last turn and the caller has had it.
    """
    if draft.out and not has_turn_left(draft, seat):
        return False
    limited = draft.match.rules.meld.a_turn != "any number"
    melds = int(limited and called.play.is_meld)
    draft.drawn = Drawn("call", called.gone, held, melds=melds)
    if not can_finish(draft, seat):
        draft.drawn = None
        return False
    draft.turn = seat
    draft.phase = "play"
    draft.window = None
    draft.laid = True
    if log is not None:
        log.append(TurnStarted(seat))
    return True


def finish_turn(draft: Draft, seat: int, *, discarded: bool, log: Log) -> None:
    """
    End a seat's turn: out, floating, calls, or the next turn.
    """
    rules = draft.match.rules
    turns = draft.turns
    draft.turns = replaced(turns, seat, turns[seat] + 1)
    moved = draft.laid or (draft.drawn is not None and draft.drawn.source == "stock")
    draft.idle = 0 if moved else draft.idle + 1
    has_laid = draft.laid
    if draft.out and rules.out.last_turn:
        draft._had_last |= 1 << seat
    draft.drawn = None
    draft.laid = False
    if not draft._hands[seat]:
        if discarded or rules.out.empty_hand == "out":
            if go_out(draft, seat, log):
                return
        elif not draft._floating >> seat & 1:
            float_on(draft, seat, log)
    else:
        # Who floated and took discards may hold cards again.
        draft._floating &= ~(1 << seat)
    if has_laid and seat not in draft.out and rules.score.rummy != "nothing":
        # Kept only where it matters, so that equal states are those that play alike.
        draft._down |= 1 << seat
    if stock_left(draft) < 1 and rules.stock.when_empty == "after the turn":
        end_round(draft, "stock", log)
        return
    draft.turn = next_seat(draft, seat)
    if not (discarded and open_window(draft, seat, log)):
        start_turn(draft, draft.turn, log)


def has_turn_left(draft: Draft, seat: int) -> bool:
    """
    Whether a seat still has a turn after somebody went out (HR-08, PGV-E3, R5V-37).
    """
    rules = draft.match.rules
    if rules.out.last_turn:
        return not draft._had_last >> seat & 1
    return bool(rules.out.grace) and draft.turns[seat] == 0


def next_seat(draft: Draft, seat: int) -> int:
    """
    The seat that plays after another, those who are out passed over.
    """
    seats = len(draft.turns)
    found = (seat + 1) % seats
    while found in draft.out and found != seat:
        found = (found + 1) % seats
    return found


def float_on(draft: Draft, seat: int, log: Log) -> None:
    """
    Let a seat play on without a card.
    """
    draft._floating |= 1 << seat
    if log is not None:
        log.append(Floated(seat))


def go_out(draft: Draft, seat: int, log: Log) -> bool:
    """
    Let a seat go out.

    Returns:
        Whether the round is over with that; else others have a turn left (HR-08,
        PGV-E3).
    """
    rules = draft.match.rules
    draft._floating &= ~(1 << seat)
    draft.out = (*draft.out, seat)
    if log is not None:
        log.append(WentOut(seat))
    if rules.out.floaters_draw:
        _floaters_draw(draft, seat, log)
    if any(
        other not in draft.out and has_turn_left(draft, other)
        for other in range(len(draft.turns))
    ):
        if draft.turn == seat:
            # Out by a call before the own first turn.
            draft.turn = next_seat(draft, seat)
        return False
    end_round(draft, "out", log)
    return True


def _floaters_draw(draft: Draft, seat: int, log: Log) -> None:
    """
    A card from the stock for each floating player (PGV-E2).
    """
    hands = list(draft._hands)
    for step in range(1, len(hands)):
        other = (seat + step) % len(hands)
        if draft._floating >> other & 1 and stock_left(draft) > 0:
            code = draft._stock[0]
            draft._stock = draft._stock[1:]
            draft._floating &= ~(1 << other)
            hands[other] += UNIT[code]
            if log is not None:
                log.append(Drew(other, CARDS[code]))
    draft._hands = tuple(hands)


def end_round(draft: Draft, how: str, log: Log) -> None:
    """
    Score the round, add it to the match, and see whether the match is over.
    """
    match = draft.match
    rules = match.rules
    result = round_result(draft, how)
    scores = tuple(
        total + points
        for total, points in zip(match.scores, result.points, strict=True)
    )
    assert draft.dealt is not None  # noqa: S101 -- for the type checker
    last_round = is_last_round(draft)
    boxes = _boxes(draft, result.points)
    columns: tuple[Column, ...] = ()
    if match.columns:
        columns = _columns(draft, result, last_round=last_round)
        winners: tuple[int, ...] = ()
        if all(column.winners for column in columns):
            winners = rules.match.best(standing(attrs.evolve(match, columns=columns)))
        game = Column(scores, boxes, winners)
    else:
        game = _settled(rules, scores, boxes, result.out, last_round=last_round)
        winners = game.winners
    draft.match = attrs.evolve(
        match,
        scores=scores,
        winners=winners,
        round_number=match.round_number + 1,
        next_dealer=rules.match.dealer_after(
            draft.dealt.dealer, result.points, result.out
        ),
        thrown_in=0,
        boxes=boxes,
        bonuses=game.bonuses,
        columns=columns,
    )
    draft.result = result
    draft.window = None
    draft.drawn = None
    draft.phase = "over" if winners else "deal"
    if log is not None:
        log.append(RoundEnded(how, result.points, scores))
        if winners:
            log.append(MatchEnded(winners))


def match_bonuses(rules: Ruleset, game: Column) -> tuple[ScoreItem, ...]:
    """
    What the end of a game adds beside its points; nothing while nobody has won it.

    Args:
        rules: The rules.
        game: The points and boxes of a match, or of one of its columns, and who has
            won by the points.
    """
    if not game.winners:
        return ()
    return tuple(
        ScoreItem(seat, None, points, reason, rules.rule_of(question))
        for seat, points, reason, question in rules.match.bonuses(
            game.scores, game.boxes, game.winners
        )
    )


def _columns(
    draft: Draft, result: RoundResult, *, last_round: bool
) -> tuple[Column, ...]:
    """
    The columns of the score with a round that is over, those won with their bonuses.
    """
    rules = draft.match.rules
    before = draft.match.columns
    open_columns = [at for at, column in enumerate(before) if not column.winners]
    scores = [list(column.scores) for column in before]
    boxes = [list(column.boxes) for column in before]
    winner = rules.match.round_winner(result.points)
    for seat, points in enumerate(result.points):
        won = seat == winner
        mine = [column.boxes[seat] for column in before]
        for at in rules.match.columns_for(mine, open_columns, won=won):
            scores[at][seat] += points
            if won:
                boxes[at][seat] += 2 if counts_twice(draft) else 1
    after = list(before)
    for at in open_columns:
        after[at] = _settled(
            rules,
            tuple(scores[at]),
            tuple(boxes[at]),
            result.out,
            last_round=last_round,
        )
    return tuple(after)


def _settled(
    rules: Ruleset,
    scores: tuple[int, ...],
    boxes: tuple[int, ...],
    out: int | None,
    *,
    last_round: bool,
) -> Column:
    """
    A match, or a column of one, after a round: who has won, and what that adds.
    """
    ahead = rules.match.winners(scores, out, last_round=last_round)
    bonuses = match_bonuses(rules, Column(scores, boxes, ahead))
    winners = rules.match.decided(ahead, with_bonuses(scores, bonuses))
    return Column(scores, boxes, winners, bonuses if winners else ())


def _boxes(draft: Draft, points: tuple[int, ...]) -> tuple[int, ...]:
    """
    The rounds won by each seat, this one with them.
    """
    match = draft.match
    if not match.rules.match.counts_boxes:
        return match.boxes
    boxes = list(match.boxes)
    winner = match.rules.match.round_winner(points)
    if winner is not None:
        boxes[winner] += 2 if counts_twice(draft) else 1
    return tuple(boxes)


def is_last_round(draft: Draft) -> bool:
    """
    Whether the round is the last one: of a series of wild ranks, or of so many rounds.
    """
    rules = draft.match.rules
    most = rules.match.rounds
    if isinstance(most, int) and draft.match.round_number >= most:
        return True
    if rules.match.ends != "after the kings" or rules.wild.indicator != "by round":
        return False
    ranks = rules.wild.in_rounds(rules.deck.ranks)
    return draft.match.round_number >= len(ranks)


# ------------------------------------------------------------------------- calls


def do_call(draft: Draft, action: CallRummy, call: Call, log: Log) -> None:
    """
    Do a call by its plan; then the caller plays on, owes a discard, or is out.
    """
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
