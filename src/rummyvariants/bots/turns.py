"""
Whole turns: all that a hand can lay at once, where the careful bot lays less.

The careful bot puts at most one wild in a meld and looks no further than the next play.
The solver finds the plays that bring the most points to the table.
"""

from __future__ import annotations

from typing import Final

from rummyvariants import State
from rummyvariants.actions import Action, Discard, Take
from rummyvariants.bots.heuristic import careful
from rummyvariants.game._engine.game import do_known
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._round import BETWEEN_ROUNDS
from rummyvariants.game._state import freeze, thaw
from rummyvariants.solver import Arrangement, arrange
from rummyvariants.solver._playing import Playing


_WORK: Final = 2_000
"""How many nodes the solver looks at; few hands need more."""


def whole_turn(state: AnyState, seat: int, base: Action) -> Action:
    """
    The first play of a turn that lays more points than the careful bot would lay.

    Args:
        state: A state in which the seat may act; only what it may see is used.
        seat: Who acts.
        base: The careful bot's choice, which is kept where the turn gains nothing.
    """
    if state.phase != "play" or not _counts(state):
        return base
    frozen = freeze(thaw(state))
    best = most_points(frozen, seat)
    if best.actions and best.points > _laid(frozen, seat, best.points):
        return best.actions[0]
    return base


def _counts(state: AnyState) -> bool:
    """
    Whether points on the table are what a turn is for.

    Where melds are one set of each rank, wilds are kept for what they will bring.
    """
    rules = state.match.rules
    return (
        rules.score.counts_table and not rules.meld.concealed and not rules.meld.by_rank
    )


def points_after(state: AnyState, seat: int, taken: int) -> int:
    """
    The points that a seat can lay in the turn in which it takes so many discards.

    Args:
        state: A state in which the seat may draw.
        seat: Who draws.
        taken: How many discards it takes; none to count without a card drawn.
    """
    draft = thaw(state)
    if taken:
        do_known(draft, Take(taken, seat))
    return most_points(freeze(draft), seat).points


def most_points(state: State, seat: int) -> Arrangement:
    """
    The turn of a seat that brings the most points to the table.
    """
    return arrange(state, seat, limit=_WORK)


def _laid(state: State, seat: int, out: int) -> int:
    """
    The points that the careful bot would lay in what is left of a turn.

    Args:
        state: The state.
        seat: Whose turn it is.
        out: What counts as laid if the bot goes out and ends the round.
    """
    playing = Playing(state, seat, "most points", layoffs=True)
    draft = thaw(state)
    while draft.phase == "play":
        action = careful(draft, seat)
        if isinstance(action, Discard):
            break
        do_known(draft, action)
    return out if draft.phase in BETWEEN_ROUNDS else playing.points(draft)
