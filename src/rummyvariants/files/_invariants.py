"""
What the rules keep true in play, and so of positions and views as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.beginning import usual_hand
from rummyvariants.game._state import State, absent


def odd_hands(
    state: State, sizes: Sequence[int], *, has_drawn: bool
) -> Iterator[tuple[int, int]]:
    """
    The hands of a size that no play leads to, where melds stay in the hand.

    A hand without cards counts as one that nothing was said of.

    Args:
        state: The state; its hands and what was drawn are not looked at.
        sizes: How many cards each hand has.
        has_drawn: Whether the player in turn has drawn.

    Yields:
        The seat, and how many cards it must hold.
    """
    usual = usual_hand(state.rules, len(state.players), state.round_number)
    if usual is None:
        return
    passed = {*state.out, *absent(state)} if state.rules.out.declares else set()
    shown = state.table if state.out else ()
    laid = [one.seat for meld in shown for one in meld.laid]
    for seat, cards in enumerate(sizes):
        wanted = usual + (has_drawn and seat == state.turn) - laid.count(seat)
        if cards and seat not in passed and cards != wanted:
            yield seat, wanted


def odd_contracts(state: State) -> Iterator[tuple[int, int, str]]:
    """
    The melds of players that are not those of the round's contract.

    Args:
        state: The state; only its table and its rules are looked at.

    Yields:
        The place of the last of them on the table, the seat, and the contract.
    """
    rules = state.rules
    if not rules.meld.contracts or rules.call.is_made or rules.wild.split:
        return
    for side in state.sides:
        melds = [
            (at, meld)
            for at, meld in enumerate(state.table)
            if meld.maker in side and meld.kind != "wild"
        ]
        if melds:
            at, last = melds[-1]
            groups, _ = asking.first_groups(state, last.maker)
            laid = [(meld.kind, len(meld)) for _, meld in melds]
            left, others = asking.lacking(tuple(groups), laid, exact=False)
            if left or (others and not rules.meld.further):
                yield (
                    at,
                    last.maker,
                    ", ".join([f"{one} {size}" for one, size in groups]),
                )


def is_partial(state: State, sizes: Sequence[int], *, has_drawn: bool) -> bool:
    """
    Whether a state shows only a part of what play would lead to.

    The arguments are those of `odd_hands`.
    """
    if state.is_round_over or state.phase == "deal":
        return False
    odd = any(True for _ in odd_hands(state, sizes, has_drawn=has_drawn))
    return odd or any(True for _ in odd_contracts(state))
