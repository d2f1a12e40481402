"""
The end of a round: its points, the new totals, and whether the match is over.
"""

from __future__ import annotations

import operator

import attrs

from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._events import Log
from rummyvariants.game._round import (
    NOTHING_DRAWN,
    SOURCES,
    Column,
    Frame,
    Match,
    RoundResult,
    ScoreItem,
    standing,
    with_bonuses,
)
from rummyvariants.game._scoring import counts_twice, round_result
from rummyvariants.game._state import Draft, State, absent
from rummyvariants.rules._ruleset import Ruleset


def end_round(
    draft: Draft, how: str, log: Log, by: str = "", won: tuple[int, ...] = ()
) -> None:
    """
    Score the round, add it to the match, and see what follows.

    Args:
        draft: The state in the making.
        how: How the round ends.
        log: Where what happens is noted, if anywhere.
        by: The policy value by which it ends, if a house rule ends it.
        won: Who has won the match by it; empty if the scores decide.
    """
    match = draft.match
    result = round_result(draft, how)
    if by:
        result = attrs.evolve(result, rule=match.rules.rule_of(by))
    source = SOURCES.index(draft.drawn.source)
    scores = tuple(map(operator.add, match.scores, result.points))
    gone = asking.eliminated(match)
    passed = absent(draft)
    draft.result = result
    draft.drawn = NOTHING_DRAWN
    draft.match = attrs.evolve(
        match,
        scores=scores,
        round_number=match.round_number + 1,
        next_dealer=-1,
        thrown_in=0,
        boxes=_boxes(draft, result.points),
        paid=_paid(match, result),
    )
    if log is not None:
        log.append(
            events.RoundEnded(
                how,
                result.points,
                scores,
                result.out,
                result.rule,
                len(draft._stock),
                tuple([seat for seat in range(len(scores)) if seat not in passed]),
            )
        )
    if won:
        _go_on(draft, log, won)
    else:
        ask_back(draft, tuple(sorted(asking.eliminated(draft.match) - gone)), log)
    (frame,) = draft.frames
    if source and "score" in match.rules.asked and frame.phase != "rejoin":
        draft.frames = (attrs.evolve(frame, notes=(source,)),)


def _paid(match: Match, result: RoundResult) -> tuple[int, ...]:
    """
    By seat, what was paid beside the points, this round included.
    """
    if not result.payments:
        return match.paid
    paid = list(match.paid or (0,) * len(match.players))
    for item in result.payments:
        paid[item.seat] += item.points
    return tuple(paid) if any(paid) else ()


def ask_back(draft: Draft, seats: tuple[int, ...], log: Log) -> None:
    """
    Ask the next of some eliminated seats that may come back, or go on with the match.
    """
    for at, seat in enumerate(seats, 1):
        if asking.coming_back(draft, seat) is not None:
            draft.frames = (Frame("rejoin", seat, 1 << seat, seats[at:]),)
            return
    _go_on(draft, log)


def _go_on(draft: Draft, log: Log, won: tuple[int, ...] = ()) -> None:
    """
    See whether the match is over; if it is not, another deal is due.

    Args:
        draft: The state in the making.
        log: Where what happens is noted, if anywhere.
        won: Who has won the match in any case.
    """
    match, result = draft.match, draft.result
    assert result is not None  # noqa: S101 -- a round has ended
    rules, scores = match.rules, match.scores
    columns: tuple[Column, ...] = ()
    if match.columns:
        columns = _columns(draft, result, last_round=is_last(draft))
        winners: tuple[int, ...] = ()
        if all(column.winners for column in columns):
            winners = rules.match.best(standing(attrs.evolve(match, columns=columns)))
        game = Column(scores, match.boxes, won or winners)
    else:
        game = column_of(draft, won)
    winners = won or game.winners
    dealer = asking.dealer_named(draft)
    if dealer is None:
        dealer = rules.match.dealer_after(draft.dealt.dealer, result.points, result.out)
    gone = asking.eliminated(match)
    if len(gone) < len(scores):
        while dealer in gone:
            dealer = rules.match.next_dealer(dealer, len(scores))
    draft.match = attrs.evolve(
        match,
        rules=rules.of_table,
        next_dealer=dealer,
        winners=winners,
        bonuses=game.bonuses,
        columns=columns,
    )
    draft.frames = (Frame("over" if winners else "deal", draft.turn),)
    if log is not None and winners:
        log.append(events.MatchEnded(winners))


def column_of(state: State | Draft, won: tuple[int, ...] = ()) -> Column:
    """
    A match by its totals, which are not in columns: who has won, and what that adds.

    Args:
        state: The state after some rounds.
        won: Who has won it in any case.
    """
    match, rules = state.match, state.match.rules.match
    out = state.result.out if state.result else None
    ahead = won or asking.winners(state)
    if ahead is None:
        ahead = rules.winners(
            match.scores, out, last_round=is_last(state), boxes=match.boxes
        )
    return _settled(match.rules, match.scores, match.boxes, ahead)


def match_bonuses(rules: Ruleset, game: Column) -> tuple[ScoreItem, ...]:
    """
    What the end of a game adds to its points; nothing while nobody has won it.

    Args:
        rules: The rules.
        game: The points and boxes of a match, or of one of its columns, and who has
            won by the points.
    """
    if not game.winners:
        return ()
    return tuple(
        ScoreItem(seat, None, points, reason, rules.rule_of(path))
        for seat, points, reason, path in rules.match.bonuses(
            game.scores, game.boxes, game.winners
        )
    )


def _columns(
    draft: Draft, result: RoundResult, *, last_round: bool
) -> tuple[Column, ...]:
    """
    The columns of the score with a finished round; columns won have their bonuses.
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
        totals = tuple(scores[at])
        in_it = tuple(boxes[at])
        ahead = rules.match.winners(
            totals, result.out, last_round=last_round, boxes=in_it
        )
        after[at] = _settled(rules, totals, in_it, ahead)
    return tuple(after)


def _settled(
    rules: Ruleset,
    scores: tuple[int, ...],
    boxes: tuple[int, ...],
    ahead: tuple[int, ...],
) -> Column:
    """
    A match, or a column of one, after a round: who has won, and what that adds.
    """
    bonuses = match_bonuses(rules, Column(scores, boxes, ahead))
    winners = rules.match.decided(ahead, with_bonuses(scores, bonuses))
    return Column(scores, boxes, winners, bonuses if winners else ())


def _boxes(draft: Draft, points: tuple[int, ...]) -> tuple[int, ...]:
    """
    The rounds won by each seat, including this one.
    """
    match = draft.match
    if not match.rules.match.counts_boxes:
        return match.boxes
    boxes = list(match.boxes)
    winner = match.rules.match.round_winner(points)
    if winner is not None:
        boxes[winner] += 2 if counts_twice(draft) else 1
    return tuple(boxes)


def is_last(state: State | Draft) -> bool:
    """
    Whether the last round is over: of a series of wild ranks, or of so many rounds.

    Where it has to bring points, it is not known to be over without its result.
    """
    match, result = state.match, state.result
    rules, played = match.rules, match.round_number - 1
    if rules.match.last_scores and not (result and any(result.points)):
        return False
    most = rules.match.most_rounds
    if most is not None and played >= most:
        return True
    if not (rules.match.by_wild_rounds and rules.wild.by_round):
        return False
    return played >= len(rules.wild.in_rounds(rules.deck.ranks))
