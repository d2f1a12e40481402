"""
Leaving a round by a drop or a wrong declaration, and coming back into the match.
"""

from __future__ import annotations

from rummyvariants._support.words import figure
from rummyvariants.cards import UNIT, codes
from rummyvariants.game import _asking as asking
from rummyvariants.game import _events as events
from rummyvariants.game._chance import Chance
from rummyvariants.game._engine.phases import finish_turn
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._engine.rounds import rejoin
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, EVERYBODY, bury, hand_of, move
from rummyvariants.game._round import Location
from rummyvariants.game._state import Draft, State, left_round
from rummyvariants.game.actions import Declare, Drop, Rejoin
from rummyvariants.melds._tree import Node
from rummyvariants.policies.facts import DROPPED
from rummyvariants.rulings import Objection


Leaving = tuple[str, int]
"""The policy value by which a player leaves or comes back, and the points."""


def plan_drop(state: AnyState, action: Drop) -> Leaving | Objection:
    """
    The points for which a player may leave the round, or why they may not.
    """
    found = asking.drop_price(state, action.seat or 0)
    if found is None:
        if "drops" not in state.match.rules.asked:
            return Objection("RV-07", f"'{action}' is no action of this game")
        paths = ("out.first_drop", "out.later_drop")
        path = paths[state.turns[action.seat or 0] > 0]
        return Objection(path, "nobody leaves the round on such a turn", ("RV-07",))
    return found


def to_drop(state: AnyState, seat: int) -> Node:
    """
    The drop of the player in turn, if they may leave the round.
    """
    found = asking.drop_price(state, seat)
    return None if found is None else (Drop(seat), found)


def plan_rejoin(state: AnyState, action: Rejoin) -> Leaving | Objection:
    """
    The total with which a player may come back, or why they may not.
    """
    found = asking.coming_back(state.match, action.seat or 0)
    if found is None:
        return Objection("match.rejoin", "the others have too many points for that")
    return found


def to_rejoin(state: AnyState, seat: int) -> Node:
    """
    The way back of a player who was eliminated.
    """
    found = asking.coming_back(state.match, seat)
    return None if found is None else (Rejoin(seat), found)


def permit_drop(state: State, action: Drop, found: Leaving) -> tuple[str, str]:
    """
    The rule by which a player leaves the round.
    """
    del state, action
    return found[0], f"a player may leave the round for {figure(found[1], 'point')}"


def permit_rejoin(state: State, action: Rejoin, found: Leaving) -> tuple[str, str]:
    """
    The rule by which a player comes back.
    """
    del state, action
    return found[0], f"a player may come back with {figure(found[1], 'point')}"


def drop(draft: Draft, action: Drop, found: Leaving, log: Log) -> None:
    """
    Let a player leave the round before the draw.
    """
    seat, (path, points) = action.seat or 0, found
    first = not draft.turns[seat]
    leave_round(draft, seat, points, path, log, first=first)


def come_back(draft: Draft, action: Rejoin, found: Leaving, log: Log) -> None:
    """
    Let an eliminated player come back.
    """
    rejoin(draft, action.seat or 0, found[1], log)


def leave_for_wrong(draft: Draft, seat: int, action: Declare, log: Log) -> None:
    """
    Let a player leave the round whose declaration is wrong; everybody sees the hand.
    """
    if action.card is not None:
        move(draft, UNIT[action.card.code], hand_of(seat), DISCARDS, log=log)
    points = draft.match.rules.out.wrong_points or 0
    path = "out.wrong_declaration"
    leave_round(draft, seat, points, path, log, shown_to=EVERYBODY, wrong=True)


def leave_round(
    draft: Draft,
    seat: int,
    points: int,
    path: str,
    log: Log,
    *,
    first: bool = False,
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
        first: Whether it is a drop on a first turn, after which the cards may go under
            the stock.
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
    if first and draft.match.rules.out.under_stock:
        # In an order that depends only on the deal, so that nobody knows it.
        chance = Chance("under the stock", draft._shuffle, seat)
        bury(draft, seat, bytes(chance.shuffled([*codes(hand)])), log)
    elif hand:
        move(draft, hand, hand_of(seat), Location(DROPPED, seat), shown_to, log)
    finish_turn(draft, seat, discarded=False, log=log)
