"""
The best that a seat of a game can do with its hand and the table.
"""

from __future__ import annotations

from rummyvariants._support.arguments import explained
from rummyvariants.actions import Declare, Knock, LayOff
from rummyvariants.cards import as_cards
from rummyvariants.errors import Seat, seat_number
from rummyvariants.game._state import State
from rummyvariants.melds._deadwood import worth_of
from rummyvariants.solver._arrangements import Arrangement, arranged, melds_made
from rummyvariants.solver._concealed import ConcealedHand
from rummyvariants.solver._goals import LIMIT, ArrangeError, check_goal, check_limit
from rummyvariants.solver._playing import Playing


@explained
def arrange(
    state: State,
    seat: Seat | None = None,
    goal: str = "most points",
    *,
    layoffs: bool = True,
    limit: int | None = LIMIT,
) -> Arrangement:
    """
    The best that a seat can do with its hand in this turn.

    It considers new melds, lay-offs, real cards beside wilds, trades for wilds and
    single wilds, with what has to come first (a contract, or melds of enough points,
    are one action), what it takes to go out, and the duties for cards taken. `apply`
    accepts the plays, and the turn can be finished after them; where the player has to
    go out, it is. Melds on the table are not split.

    Where melds stay in the hand until somebody knocks, `melds` are those in the hand
    and `left` is the rest. After a draw the action is the best knock or else the best
    discard; before the first draw it is the declaration of a hand as it was dealt, if
    that is possible; after a knock the actions are lay-offs; otherwise there are none.

    Args:
        state: The game. If the seat cannot play now, the result is for a turn that it
            had now, without duties.
        seat: The seat, from 0 or by the player's name; it may be left out if only one
            seat may act.
        goal: ``most points`` (laid down), ``least points left``, ``least cards left``,
            or ``out`` (go out, or else leave as few cards as possible).
        layoffs: Whether cards may be laid off on the melds on the table.
        limit: How many nodes the search may look at; None for no limit. The default is
            far more than an ordinary hand needs.

    Raises:
        ArrangeError: If the goal or the seat does not exist, or no cards are dealt.

    >>> from rummyvariants.solver import arrange
    >>> state = rv.position("rummy-500", hand="7h 8h 9h 2c")
    >>> best = arrange(state)
    >>> [str(one) for one in best.actions], best.points, best.left
    (['meld 7h 8h 9h'], 24, Cards('2c'))
    """
    check_goal(goal)
    check_limit(limit)
    if seat is None:
        if len(state.to_act) != 1:
            msg = "give a seat: there is not just one seat that may act"
            raise ArrangeError(msg)
        (seat,) = state.to_act
    seat = seat_number(seat, state.players, ArrangeError)
    if state.phase in {"deal", "choose", "over"}:
        msg = "no cards are dealt: there is no hand to arrange"
        raise ArrangeError(msg)
    playing = Playing(state, seat, goal, layoffs=layoffs)
    if state.rules.meld.concealed:
        return _concealed(state, playing, limit)
    return arranged(playing, limit)


def _concealed(state: State, playing: Playing, limit: int | None) -> Arrangement:
    """
    `arrange` where melds stay in the hand until somebody knocks.
    """
    seat, goal = playing.seat, playing.goal
    found = ConcealedHand(
        state, seat, goal, layoffs=playing.layoffs, limit=limit
    ).found()
    laid = [one for one in found.actions if isinstance(one, LayOff)]
    after = playing.after(laid, playing.start) or state
    return Arrangement(
        goal,
        found.actions,
        as_cards(found.left),
        found.points,
        worth_of(state.dealt.terms, found.left),
        any(isinstance(action, Knock | Declare) for action in found.actions),
        found.exact,
        melds_made(state, after, found.melds, seat),
    )
