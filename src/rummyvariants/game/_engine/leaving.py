"""
A player leaves the round.
"""

from __future__ import annotations

from rummyvariants.cards import codes
from rummyvariants.game import _events as events
from rummyvariants.game._chance import Chance
from rummyvariants.game._engine.phases import finish_turn
from rummyvariants.game._events import Log
from rummyvariants.game._locations import HANDS, bury, move
from rummyvariants.game._state import Draft
from rummyvariants.house.facts import DROPPED, Location, left_round


def leave_round(
    draft: Draft,
    seat: int,
    points: int,
    path: str,
    log: Log,
    *,
    under_stock: bool = False,
    shown_to: int = 0,
    wrong: bool = False,
) -> None:
    """
    Let the player in turn leave the round; their cards are out of play.

    Args:
        draft: The state in the making.
        seat: Who leaves.
        points: What it costs.
        path: The policy value that says so.
        log: Where what happened is noted.
        under_stock: Whether the cards go under the stock.
        shown_to: Mask of the other seats that see the cards.
        wrong: Whether it is because of a wrong declaration.
    """
    left = tuple(sorted([*left_round(draft), (seat, points, path)]))
    others = [one for one in draft._memory if one[0] != DROPPED]
    draft._memory = tuple(sorted([*others, (DROPPED, left)], key=lambda one: one[0]))
    draft._floating &= ~(1 << seat)
    if log is not None:
        log.append(events.Dropped(seat, points, wrong))
    hand = draft._hands[seat]
    if under_stock:
        # In an order that depends only on the deal, so that nobody knows it.
        chance = Chance("under the stock", draft._shuffle, seat)
        bury(draft, seat, bytes(chance.shuffled([*codes(hand)])), log)
    elif hand:
        move(draft, hand, HANDS[seat], Location(DROPPED, seat), shown_to, log)
    finish_turn(draft, seat, discarded=False, log=log, left=True)
