"""
How a hand goes out, where melds are one set of each rank.
"""

from __future__ import annotations

import attrs

from rummyvariants.bots.ranks import Holding, Laying, Rank, holding_of, points_of
from rummyvariants.cards import UNIT, faces, size
from rummyvariants.game._engine.plays import AnyState, terms_of


@attrs.frozen(eq=False)
class WayOut:
    """
    A way to go out in this turn.

    Attributes:
        layings: What is laid, canastas first.
        gone: The last discard as a multiset; 0 for none.
    """

    layings: tuple[Laying, ...]
    gone: int


def way_out(state: AnyState, seat: int) -> WayOut | None:
    """
    How a seat goes out with most points on the table; None if it cannot.

    Args:
        state: A state in which the seat may play.
        seat: The seat.
    """
    hand, worth = state._hands[seat], terms_of(state).worth
    best, most = None, -1
    for gone in (0, *[UNIT[code] for code in faces(hand)]):
        holding = holding_of(state, seat, hand - gone)
        layings = _all_laid(holding, hand - gone)
        if layings is not None:
            points = points_of(worth, layings)
            if points > most:
                best, most = WayOut(tuple(layings), gone), points
    return best


def _all_laid(holding: Holding, cards: int) -> list[Laying] | None:
    """
    Layings of all cards that make enough canastas; None if there are none.
    """
    if sum([size(one.held) for one in holding.ranks]) + len(holding.wilds) != size(
        cards
    ):
        return None  # some card is in no rank of which sets are made
    given = {}
    for rank in holding.ranks:
        least = 0
        if rank.held and not rank.number:
            least = max(0, holding.least - size(rank.held))
        if least > rank.room:
            return None
        given[rank.name] = least
    spare = len(holding.wilds) - sum(given.values())
    if spare < 0:
        return None
    made = 0
    for rank in sorted(holding.ranks, key=lambda one: -one.size - given[one.name]):
        fixed = rank.laid + rank.wilds
        more = max(0, holding.canasta - rank.size - given[rank.name])
        if fixed >= holding.canasta:
            continue  # it is counted already
        if more <= min(spare, rank.room - given[rank.name]):
            given[rank.name] += more
            spare -= more
            made += 1
            if made >= holding.lacking:
                break
    if made < holding.lacking:
        return None
    for rank in sorted(holding.ranks, key=_spoils):
        more = min(spare, rank.room - given[rank.name])
        given[rank.name] += more
        spare -= more
    if spare:
        return None
    wilds = iter(holding.wilds)
    layings = []
    for rank in sorted(holding.ranks, key=lambda one: (one.last, -one.size)):
        mine = tuple([next(wilds) for _ in range(given[rank.name])])
        if rank.held or mine:
            layings.append((rank, rank.held, mine))
    return layings


def _spoils(rank: Rank) -> tuple[bool, int]:
    """
    The order in which sets get wilds that complete nothing: natural ones last.
    """
    return rank.wilds == 0, -rank.size
