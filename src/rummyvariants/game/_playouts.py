"""
Games played on at random, where only their end is needed.

A playout takes the same steps as `apply`, but works on one draft from the first action
to the last and makes no states in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rummyvariants._support.arguments import explained
from rummyvariants.errors import need, unfit
from rummyvariants.game._engine.beginning import deal_known
from rummyvariants.game._engine.game import do_known
from rummyvariants.game._moves import randrange_of, sample
from rummyvariants.game._state import State, freeze, thaw, to_act
from rummyvariants.melds._tree import RandRange
from rummyvariants.policies.base import is_whole


if TYPE_CHECKING:
    from random import Random


@explained
def playout(
    state: State,
    randrange: Random | RandRange,
    *,
    until: Literal["round", "match"] = "round",
    actions: int | None = None,
) -> State:
    """
    Play a game on with random actions, chosen as by `LegalActions.sample`.

    Args:
        state: The state to begin with. It stays as it is.
        randrange: The source of chance, as for `LegalActions.sample`.
        until: ``round`` to stop at the end of a round, or ``match``.
        actions: The most actions that players take; None for any number.

    Returns:
        The last state, with the whole history.

    Raises:
        ValueError: If ``until`` is neither of the two, or ``actions`` is negative.

    >>> import random
    >>> end = rv.playout(rv.new_game("rummy-500", 2), random.Random(1))
    >>> end.is_round_over
    True
    """
    if until not in {"round", "match"}:
        msg = f"until is {until!r}, but has to be 'round' or 'match'"
        raise ValueError(msg)
    if actions is not None and not is_whole(actions, 0):
        raise ValueError(str(unfit(actions, "actions", "a whole number from 0")))
    need("state", state, State)
    source = randrange_of(randrange)
    draft = thaw(state)
    left = -1 if actions is None else actions
    while left and draft.phase != "over":
        phase = draft.phase
        if phase == "deal":
            if until == "round" and draft.result is not None:
                break
            deal_known(draft)
            continue
        seats = (draft.turn,) if phase in {"draw", "play"} else to_act(draft)
        do_known(draft, sample(draft, seats, source))
        left -= 1
    return freeze(draft)
