"""
The best of a hand whose melds stay in it until somebody knocks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from rummyvariants._support.memos import remembered
from rummyvariants.actions import Declare, Discard, Knock, LayOff
from rummyvariants.cards import CARDS, UNIT, faces, size
from rummyvariants.game._engine.candidates import to_lay, unplanned
from rummyvariants.game._engine.endings import (
    may_knock_with,
    may_show_dealt,
    refuse_discard,
    terms_of_rest,
)
from rummyvariants.game._engine.finish import refuse_dead_end
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    keeps_melds,
    perform,
    plan,
)
from rummyvariants.game._state import Draft, State, thaw
from rummyvariants.game.verbs._knocking import KnockPlan, plan_knock, shown_without
from rummyvariants.melds._deadwood import (
    effort,
    least_unmatched,
    surely_fewest,
    worth_of,
)
from rummyvariants.melds._partitions import (
    first_partition,
)
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.cover._divisions import Melds


Closing = Knock | Declare | Discard | LayOff
"""What can be done with a hand whose melds stay in it."""
Actions = tuple[Closing, ...]
"""What is done in a turn."""


@attrs.frozen
class Found:
    """
    What was found for a hand.

    Attributes:
        actions: What to do, in an order in which it can be done.
        melds: The melds that stay in the hand or are shown with a knock.
        left: The cards that are in no meld.
        points: The points of the cards in melds, including those laid off.
        exact: Whether it is certain that nothing is better.
    """

    actions: Actions
    melds: Melds
    left: int
    points: int
    exact: bool


_A_POSITION: Final = 50
"""The work of finding the lay-offs of a position, in nodes."""
_A_CARD: Final = 1 << 16
"""More than the points of a hand."""


@remembered(1)
def by_cards(terms: Terms) -> Terms:
    """
    The terms of a deal with points by which cards count first, and points after them.
    """
    worth = tuple([_A_CARD + points for points in terms.worth])
    return terms.changed(worth=worth)


def best_partition(terms: Terms, hand: int, goal: str) -> tuple[Melds, int]:
    """
    The best melds of a hand, and what is left of it.

    Args:
        terms: The terms of the deal.
        hand: The cards.
        goal: One of the goals. Points laid down are points not left, and a player who
            wants to go out wants few points left.
    """
    left = least_unmatched(counted(terms, goal), hand)
    melds, more = first_partition(by_cards(terms), hand - left)
    return melds, left + more


def counted(terms: Terms, goal: str) -> Terms:
    """
    The terms of a deal by which the best partition for a goal leaves the least.
    """
    return by_cards(terms) if goal == "least cards left" else terms


@attrs.frozen
class _Way:
    """
    A way to end a turn.

    Attributes:
        order: What has to be small for the way to be good.
        actions: The lay-offs and the end.
        melds: The melds that stay in the hand, or are shown.
        left: The cards that are in no meld.
        kept: The cards of the hand before, without the discard.
    """

    order: tuple[tuple[int, int], int, int]
    actions: Actions
    melds: Melds
    left: int
    kept: int


class ConcealedHand:
    """
    The search for the best that a seat can do.

    Args:
        state: The game.
        seat: The seat.
        goal: What is best; going out is a matter of few points here.
        layoffs: Whether cards may be laid off on the melds that somebody has shown.
        limit: How many nodes may be looked at; None for all.
    """

    def __init__(
        self, state: State, seat: int, goal: str, *, layoffs: bool, limit: int | None
    ) -> None:
        self._state = state
        self._seat = seat
        self._goal = goal
        self._layoffs = layoffs
        self._limit = limit
        self._terms = state.dealt.terms
        self._work = 0
        self._exact = True

    def found(self) -> Found:
        """
        The best partition, and what to do if the seat can act now.
        """
        state, seat = self._state, self._seat
        hand = state._hands[seat]
        if seat in state.out:
            # What a knocker has left is not partitioned again.
            return self._found((), (), hand, hand)
        if state.turn == seat and state.phase == "play":
            return self._of_turn(hand)
        if state.turn == seat and may_show_dealt(state, seat):
            found = self._whole(hand)
            if found is not None:
                return found
        if state.turn == seat and state.phase == "layoff" and self._layoffs:
            return self._of_layoffs()
        return self._found((), *self._best_partition(hand), hand)

    def _found(self, actions: Actions, melds: Melds, left: int, kept: int) -> Found:
        points = worth_of(self._terms, kept) - worth_of(self._terms, left)
        return Found(actions, melds, left, points, self._exact)

    def _whole(self, hand: int) -> Found | None:
        """
        The knock or declaration of the whole hand, if it is possible and best.
        """
        if not may_knock_with(self._state, self._seat, -1):
            return None
        melds, left = self._to_show(hand, *self._best_partition(hand))
        if left:
            return None  # a card of negative points may be better left over
        action = shown_without(self._state, self._seat, -1, melds)
        return self._found((action,), melds, left, hand)

    def _of_turn(self, hand: int) -> Found:
        """
        The best discard, with a knock if that is possible, or after lay-offs.
        """
        found = self._whole(hand)
        if found is not None:
            return found
        way = min(self._ways(hand), key=lambda one: one.order, default=None)
        if way is None:
            return self._found((), *self._best_partition(hand), hand)
        return self._found(way.actions, way.melds, way.left, way.kept)

    def _ways(self, whole: int) -> Iterator[_Way]:
        """
        The ways to end the turn, those with the fewest lay-offs first.

        Args:
            whole: The hand before any lay-offs.
        """
        state, found = self._state, False
        positions: Iterable[tuple[AnyState, Actions]] = [(state, ())]
        if self._layoffs and not keeps_melds(state):
            positions = self._laid_off()
        for position, laid in positions:
            hand = position._hands[self._seat]
            if not hand:
                yield _Way((self._order(whole, 0), 0, 0), laid, (), 0, whole)
            for code in faces(hand):
                if found and self._limit is not None and self._work > self._limit:
                    self._exact = False
                    return
                way = self._way(position, code, laid, whole - UNIT[code])
                if way is not None:
                    found = True
                    yield way

    def _way(self, state: AnyState, code: int, laid: Actions, kept: int) -> _Way | None:
        """
        The best way to end a turn with a discard, if there is one.

        Args:
            state: The position in which the card is discarded.
            code: The card.
            laid: The lay-offs before it.
            kept: The cards that are laid off, or stay in the hand or in its melds.
        """
        seat = self._seat
        may_knock = may_knock_with(state, seat, code)
        may_discard = refuse_discard(state, seat, code) is None
        if not (may_knock or may_discard):
            return None
        rest = state._hands[seat] - UNIT[code]
        melds, left = self._best_partition(rest)
        end: Closing = Discard(CARDS[code], seat)
        if may_knock:
            melds, left = self._to_show(rest, melds, left)
            # With the fewest cards, more points may be left than a knock allows.
            knock = shown_without(state, seat, code, melds)
            if isinstance(plan_knock(state, seat, knock), KnockPlan):
                end = knock
        if isinstance(end, Discard) and not may_discard:
            return None
        order = self._order(kept, left), -self._terms.worth[code], code
        return _Way(order, (*laid, end), melds, left, kept)

    def _to_show(self, kept: int, melds: Melds, left: int) -> tuple[Melds, int]:
        """
        The best melds to show, with the runs that a declaration needs.

        Args:
            kept: The cards shown; they can be shown.
            melds: The best melds whatever is needed.
            left: What these leave.
        """
        needed = terms_of_rest(self._state)
        if not needed.has_lives or self._order(kept, left) < self._order(kept, 0):
            return melds, left
        return first_partition(needed, kept)

    def _of_layoffs(self) -> Found:
        """
        The lay-offs that leave the best rest, as few as possible.
        """
        whole = self._state._hands[self._seat]
        best = None
        for draft, actions in self._laid_off():
            melds, left = self._best_partition(draft._hands[self._seat])
            order = self._order(whole, left)
            if best is None or order < best[0]:
                best = order, actions, melds, left
        assert best is not None  # noqa: S101 -- one is looked at in any case
        return self._found(*best[1:], whole)

    def _laid_off(self) -> Iterator[tuple[Draft, Actions]]:
        """
        The positions that lay-offs lead to, with these, the fewest first.
        """
        waiting: deque[tuple[Draft, Actions]] = deque([(thaw(self._state), ())])
        seen: set[tuple[object, ...]] = set()
        while waiting:
            draft, actions = waiting.popleft()
            hand = draft._hands[self._seat]
            key = hand, tuple([(meld.kind, meld.slots) for meld in draft._table])
            if key in seen:
                continue
            if self._limit is not None and self._work >= self._limit and seen:
                self._exact = False
                return
            self._work += _A_POSITION
            seen.add(key)
            yield draft, actions
            for action in unplanned(to_lay, draft, self._seat):
                play = plan(draft, self._seat, action)
                if isinstance(play, Play) and not self._is_stuck(draft, play):
                    after = thaw(draft)
                    perform(after, self._seat, play)
                    waiting.append((after, (*actions, action)))

    def _is_stuck(self, draft: Draft, play: Play) -> bool:
        """
        Whether a lay-off would leave no way to finish the turn.
        """
        if draft.phase != "play":
            return False
        return refuse_dead_end(draft, self._seat, play) is not None

    def _best_partition(self, hand: int) -> tuple[Melds, int]:
        terms = counted(self._terms, self._goal)
        # What a search needs first grows with the square of the hand.
        cards = size(hand)
        self._work += effort(terms, hand) + cards * cards
        self._exact = self._exact and surely_fewest(terms, hand)
        return best_partition(self._terms, hand, self._goal)

    def _order(self, before: int, left: int) -> tuple[int, int]:
        """
        What has to be small: first, and then among equals.
        """
        points, cards = worth_of(self._terms, left), size(left)
        if self._goal == "least cards left":
            return cards, points
        if self._goal == "most points":
            return points - worth_of(self._terms, before), cards
        return points, cards
