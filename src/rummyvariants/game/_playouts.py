"""
Games played on at random, where only their end is needed.

A playout takes the same steps as `apply`, but works on one draft from the first action
to the last and makes no states in between.
"""

from __future__ import annotations

from typing import Literal

from rummyvariants.game._engine.beginning import deal_known
from rummyvariants.game._engine.game import do_known
from rummyvariants.game._moves import sample
from rummyvariants.game._state import State, freeze, thaw, to_act
from rummyvariants.melds._tree import RandRange


def playout(
    state: State,
    randrange: RandRange,
    *,
    until: Literal["round", "match"] = "round",
    actions: int | None = None,
) -> State:
    """
    Play a game on with random actions, chosen as by `LegalActions.sample`.

    Args:
        state: The state to begin with. It stays as it is.
        randrange: A source of chance, such as the ``randrange`` of a `random.Random`.
        until: ``round`` to stop at the end of a round, or ``match``.
        actions: The most actions that players take; None for any number.

    Returns:
        The last state, with the whole history.

    Raises:
        ValueError: If ``until`` is neither of the two, or ``actions`` is negative.
    """
    if until not in {"round", "match"}:
        msg = f"until is {until!r}, but has to be 'round' or 'match'"
        raise ValueError(msg)
    if actions is not None and actions < 0:
        msg = f"actions is {actions}, but cannot be negative"
        raise ValueError(msg)
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
        do_known(draft, sample(draft, seats, randrange))
        left -= 1
    return freeze(draft)
