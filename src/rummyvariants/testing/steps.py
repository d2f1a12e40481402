"""
What must hold of every step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from rummyvariants import State, apply, step
from rummyvariants._support.arguments import explained
from rummyvariants.actions import (
    Action,
    CallRummy,
    Choose,
    Deal,
    HouseAction,
    Rejoin,
    Swap,
)
from rummyvariants.cards import size
from rummyvariants.house.answers import Move
from rummyvariants.testing.answers import check_answers
from rummyvariants.testing.holding import hold
from rummyvariants.testing.states import cards_of, fingerprint, melds_of


@explained
def do(before: State, action: Action | str) -> State:
    """
    Like `apply`, but assert what must hold of the step.

    Raises:
        AssertionError: If a check fails.

    >>> rv.testing.do(rv.new_game("rummy-500", 2), "draw").phase
    'play'
    """
    number, kept = hash(before), fingerprint(before)
    done = step(before, action)
    check_answers(before, done.action)
    again = apply(before, action)
    hold(done.before is before, "a step begins in a different state")
    hold(done.after == again, f"{action} done twice leads to different states")
    hold(hash(done.after) == hash(again), "equal states have different hashes")
    hold(
        hash(before) == number and fingerprint(before) == kept,
        f"{action} changed the state in which it was done",
    )
    for event in done.events:
        for seat in (None, *range(len(before.players))):
            event.seen_by(seat)
    check_step(before, done.action, done.after)
    return done.after


@explained
def check_step(before: State, action: Action, after: State) -> None:
    """
    Assert what must hold between a state and the one that a legal action led to.

    Cards go only where the action says, each card keeps the player who laid it, draws
    come from the top of the stock, and totals change only at the end of a round.

    Raises:
        AssertionError: If a check fails.

    >>> step = rv.step(rv.new_game("rummy-500", 2), "draw")
    >>> rv.testing.check_step(step.before, step.action, step.after)
    """
    hold(after._history.action == action, f"{action} is not in the history")
    agreed = before.rules.of_table
    hold(after.rules.of_table == agreed, f"{action} changed the rules")
    hold(after.players == before.players, f"{action} changed the players")
    _check_totals(before, action, after)
    if isinstance(action, Deal | Choose):
        hold(
            not agreed.by_deal or after.rules in agreed.by_deal,
            f"{action} gave the round values that `possible_values` does not list",
        )
        return
    hold(cards_of(before) == cards_of(after), f"{action} lost or added cards")
    moves = Move in before.rules.effects
    if isinstance(action, HouseAction) and action.seat in after.dropped:
        top = after._stock[: len(before._stock)]
        hold(moves or top == before._stock, f"{action} changed the order of the stock")
        return
    if after.turned == before.turned or after.is_round_over:
        hold(
            moves or before._stock.endswith(after._stock),
            f"{action} changed the order of the stock",
        )
    else:
        hold(
            not before._stock and after.turned == before.turned + 1,
            f"{action} turned the discard pile over while the stock had cards",
        )
    paying = -1
    if isinstance(action, CallRummy) and before.rules.call.penalises:
        paying = before.frames[-1].seat
    for seat in range(len(before.players)):
        hold(
            after.has_meld(seat) or not before.has_meld(seat),
            f"{action} cleared the record that seat {seat} has melded",
        )
        old, new = before._hands[seat], after._hands[seat]
        drew = seat in before.floating and size(new) == 1
        hold(
            old == new or drew or moves or seat in {action.seat, paying},
            f"{action} changed the hand of seat {seat}",
        )
    # Untouched melds are the same objects.
    same = set(map(id, melds_of(before))) & set(map(id, melds_of(after)))
    _check_first(before, action, after, same)
    gone = _laid(before, same) - _laid(after, same)
    hold(
        gone.total() == (isinstance(action, Swap) and action.end is None),
        f"{action} took {[*gone] or 'nothing'} from the table",
    )


def _check_first(
    before: State, action: Action, after: State, known: Collection[int]
) -> None:
    """
    Assert that a first meld holds no wild where it has to be natural.
    """
    seat = action.seat
    if seat is None or not before.rules.meld.first_natural:
        return
    if before.has_meld(seat) or not after.has_meld(seat):
        return
    wild = after.dealt.terms.wild
    for meld in melds_of(after):
        hold(
            id(meld) in known or not any(wild[card.code] for card in meld.cards),
            f"the first meld {action} of seat {seat} holds a wild card",
        )


def _laid(state: State, known: Collection[int]) -> Counter[tuple[str, int]]:
    """
    The cards on the table and who laid them, except in melds that are known.
    """
    return Counter(
        (str(one.card), one.seat)
        for meld in melds_of(state)
        if id(meld) not in known
        for one in meld.laid
    )


def _check_columns(before: State, action: Action, after: State) -> None:
    """
    Assert that columns already won stay, and others take the points of the round.
    """
    points = after.result.points if after.result is not None else ()
    for old, new in zip(before.columns, after.columns, strict=True):
        if old.winners:
            hold(old == new, f"{action} changed a column that was already won")
        for seat, more in enumerate(points):
            gained = new.scores[seat] - old.scores[seat]
            hold(
                gained in {0, more},
                f"{action} added {gained} to a column, but {more} to the round",
            )
            hold(new.boxes[seat] >= old.boxes[seat], f"{action} took a box away")
        hold(bool(new.bonuses) <= bool(new.winners), "bonuses in an open column")
    if after.columns:
        over = all(column.winners for column in after.columns)
        hold(over == after.is_over, "the match and its columns do not end together")


def _check_totals(before: State, action: Action, after: State) -> None:
    ended = after.match.round_number - before.match.round_number
    gained = tuple(
        new - old for old, new in zip(before.scores, after.scores, strict=True)
    )
    if isinstance(action, Rejoin):
        others = [more for seat, more in enumerate(gained) if seat != action.seat]
        hold(not any(others), f"{action} changed the totals of others")
        return
    if not ended:
        hold(not any(gained), f"{action} gave points before the round was over")
        hold(
            before.columns == after.columns,
            f"{action} changed a column before the round was over",
        )
        return
    _check_columns(before, action, after)
    hold(ended == 1, f"{action} ended {ended} rounds")
    hold(after.is_round_over, f"{action} ended the round, but it goes on")
    hold(
        after.result is not None and after.result.points == gained,
        f"the totals changed by {gained}, not by the points of the round",
    )
