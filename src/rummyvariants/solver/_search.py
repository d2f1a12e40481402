"""
The search for the best turn: positions by what they promise, played by the engine.

The position that promises most is looked at first. If the plays behind its promise can
be made and the turn be finished, nothing is better. If not, it gives way to positions
that promise less: with certain cards kept in the hand, or after a play.
"""

from __future__ import annotations

import heapq
import itertools

from collections.abc import Iterable, Iterator
from typing import Any, Final

import attrs

from rummyvariants.actions import LayOff, NewMeld
from rummyvariants.cards import UNIT, faces, holds, size
from rummyvariants.game._engine.candidates import NEW_MELDS, PLAYS, plans, to_swap
from rummyvariants.game._engine.plays import Play, perform, plan
from rummyvariants.game._state import Draft, thaw
from rummyvariants.melds.cover._prices import FIRST
from rummyvariants.melds.cover._runs import NEVER
from rummyvariants.melds.cover._search import Work
from rummyvariants.solver._goals import ANY, STAYS, WHOLE, cover, prices
from rummyvariants.solver._openers import Openers
from rummyvariants.solver._playing import Done, Playing, TurnPlay
from rummyvariants.solver._promises import (
    A_SEARCH,
    NO_BOUND,
    Aim,
    Promise,
    Promises,
)


_LISTED: Final = 2
"""How many plays that are listed are as much work as a node."""
_A_POSITION: Final = 40
"""The work of trying a position that nothing simpler settles, in nodes."""
_KEPT: Final = 2
"""The most cards that a turn must keep to be finished: one to discard, and another."""
_OTHERS: Final = tuple([one for one in PLAYS if one not in NEW_MELDS])
"""The branches of plays that make no new melds."""


@attrs.define(eq=False)
class _Node:
    """
    A position, and the turns that are looked for behind it.

    Attributes:
        aim: What turns these are.
        draft: The position; until it is looked at, the one before the last play.
        actions: The plays that lead to it.
        play: The last play, if it is still to be made and is planned.
        is_new: Whether the last play is still to be made.
        promise: What it promises; None until it is looked at.
    """

    aim: Aim
    draft: Draft
    actions: tuple[TurnPlay, ...] = ()
    play: Play | None = None
    is_new: bool = False
    promise: Promise | None = None


class TurnSearch:
    """
    The search for the best turn.

    Args:
        playing: The turn.
        limit: How many nodes may be looked at; None for all.
    """

    def __init__(self, playing: Playing, limit: int | None) -> None:
        self._playing = playing
        self.work = Work(limit)
        self._promises = Promises(playing, self.work)
        self._waiting: list[tuple[int, int, _Node]] = []
        self._numbers = itertools.count()
        self._seen: set[object] = set()
        self._top: Done | None = None

    def best(self) -> Done:
        """
        The best turn that was found.
        """
        playing = self._playing
        start = playing.start
        if playing.ends_matter:
            if playing.may_go_out:
                self._wait(NO_BOUND, _Node(Aim(WHOLE), start))
            if playing.may_stay:
                self._wait(NO_BOUND, _Node(Aim(STAYS), start))
        else:
            self._wait(NO_BOUND, _Node(Aim(ANY), start))
        best = self._run() or playing.done(thaw(start), ())
        if playing.goal == "out" and not best.goes_out:
            best = self._way_out(best)
        return best

    def _way_out(self, best: Done) -> Done:
        """
        A turn that leaves one card which may be discarded, if there is any.
        """
        playing = self._playing
        left = size(best.after._hands[playing.seat])
        # No way out leaves more cards than the turn that leaves the fewest.
        if left < _KEPT or not self.work.exact:
            self._waiting.clear()
            self._seen.clear()
            self._top = None
            for code in faces(playing.start._hands[playing.seat]):
                self._wait(NO_BOUND, _Node(Aim(WHOLE, UNIT[code]), playing.start))
            return self._run(out=True) or best
        return best

    # ------------------------------------------------------------------- positions

    def _wait(self, bound: int, node: _Node) -> None:
        """
        Keep a node until no other promises more.
        """
        heapq.heappush(self._waiting, (-bound, next(self._numbers), node))

    def _run(self, *, out: bool = False) -> Done | None:
        """
        Look at nodes, those that promise most first.

        Args:
            out: Whether any turn that goes out will do, and no other.

        Returns:
            The best turn that was found.
        """
        while self._waiting:
            bound, _, node = heapq.heappop(self._waiting)
            top = NEVER if out or self._top is None else self._top.value
            if -bound <= top:
                break
            promise = node.promise
            if promise is None:
                promise = node.promise = self._looked(node, top)
                if promise is None or promise.value <= top:
                    continue
                if self._waiting and promise.value < -self._waiting[0][0]:
                    self._wait(promise.value, node)
                    continue
            self._try(node, promise, out=out)
            if self._top is not None and out:
                break
            if not self.work.exact:
                self._begin_at_least(node, promise, out=out)
                break
        return self._top

    def _looked(self, node: _Node, top: int) -> Promise | None:
        """
        What a node promises; None if it cannot be reached, or was looked at before.
        """
        seat = self._playing.seat
        if node.is_new:
            play = node.play or plan(node.draft, seat, node.actions[-1])
            if not isinstance(play, Play):
                return None
            node.draft = thaw(node.draft)
            perform(node.draft, seat, play)
        draft = node.draft
        key = (
            node.aim,
            draft._hands[seat],
            tuple([(meld.kind, meld.slots, meld.beside) for meld in draft._table]),
            draft.dealer_wild,
            draft.drawn,
        )
        if key in self._seen or not self.work.spend(_A_POSITION * node.is_new):
            return None
        self._seen.add(key)
        return self._promises.of(draft, node.aim, top)

    def _try(self, node: _Node, promise: Promise, *, out: bool) -> None:
        """
        Play what a node promises; if that is not the best of it, look further.
        """
        playing = self._playing
        after = done = None
        for actions in _orders(node.draft, promise.actions):
            after = playing.after(actions, node.draft)
            if after is not None:
                done = self._done(after, (*node.actions, *actions), out=out)
                break
        if done is not None and done.value >= promise.value:
            if self._spoils(node):
                # With another card for the discard it may do better.
                self._keep(node, promise)
        elif self.work.exact:
            self._go_on(node, promise, after, out=out)

    def _done(
        self, draft: Draft, actions: tuple[TurnPlay, ...], *, out: bool
    ) -> Done | None:
        """
        The end of a turn, kept if it is the best so far; None if it is none.
        """
        if not self._playing.may_end(draft):
            return None
        done = self._playing.done(draft, actions)
        if out and not done.goes_out:
            return None
        if self._top is None or done.value > self._top.value:
            self._top = done
        return done

    def _spoils(self, node: _Node) -> bool:
        """
        Whether a wild of the hand may cost more on a set than it is worth.
        """
        draft = node.draft
        terms, goal = draft.dealt.terms, self._playing.goal
        size_, natural, mixed, _ = prices(terms, draft.match.rules, goal).canasta
        wilds = draft._hands[self._playing.seat] & terms.wild_mask
        is_whole = node.aim.turn == WHOLE and not node.aim.kept
        return is_whole and bool(size_ and natural > mixed and wilds)

    def _begin_at_least(self, node: _Node, promise: Promise, *, out: bool) -> None:
        """
        Keep as many plays in a row as can be made and the turn then finished.
        """
        actions = next(_orders(node.draft, promise.actions), ())
        for end in range(len(actions), -1, -1):
            after = self._playing.after(actions[:end], node.draft)
            played = (*node.actions, *actions[:end])
            if after is not None and self._done(after, played, out=out):
                return

    # --------------------------------------------------------------------- going on

    def _go_on(
        self, node: _Node, promise: Promise, after: Draft | None, *, out: bool
    ) -> None:
        """
        Look at what a node leads to.

        Args:
            node: The node.
            promise: What it promises.
            after: The position after the plays behind that; None if they cannot be
                made.
            out: Whether only turns that go out are looked for.
        """
        playing, aim = self._playing, node.aim
        is_met = after is not None and playing.owed(after) == {}
        if promise.value >= NO_BOUND // 2:
            self._play(node, promise, out=out)
        elif not is_met and playing.owed(node.draft):
            self._meet_duties(node, promise)
        elif after is None and aim.melds:
            self._meld(node, promise)
        elif after is None or playing.may_end(after):
            # What can be played may not count as much together as was hoped for.
            self._play(node, promise, out=out)
        else:
            self._keep(node, promise)
            # A turn that leaves less than two cards goes out.
            uses_all = promise.left == aim.kept and aim.turn != STAYS
            if uses_all or size(aim.kept) == _KEPT:
                self._play(node, promise, out=out)

    def _keep(self, node: _Node, promise: Promise) -> None:
        """
        Look at turns that keep one card more.
        """
        aim, playing = node.aim, self._playing
        whole = aim.turn == WHOLE
        if size(aim.kept) >= (1 if whole else _KEPT):
            return
        for code in faces(node.draft._hands[playing.seat] - aim.kept):
            if not whole or playing.may_throw_last(code):
                more = attrs.evolve(aim, kept=aim.kept + UNIT[code])
                bound = NO_BOUND if whole else promise.value
                self._wait(bound, _Node(more, node.draft, node.actions))

    def _play(self, node: _Node, promise: Promise, *, out: bool) -> None:
        """
        Look at the end of the turn in a position, and at what follows each play.
        """
        self._done(node.draft, node.actions, out=out)
        branches = PLAYS if node.aim.melds else _OTHERS
        seat = self._playing.seat
        self._list(node, promise, plans(node.draft, seat, -1, None, branches))

    def _list(
        self, node: _Node, promise: Promise, listed: Iterable[tuple[Any, Play]]
    ) -> None:
        playing = self._playing
        free = node.draft._hands[playing.seat] - node.aim.kept
        old = len(playing.start._table)
        for number, (action, play) in enumerate(listed):
            if not self.work.spend(int(number % _LISTED == 0)):
                return
            if play.second is None and holds(free, play.used):
                if play.is_meld or play.number > old or playing.may_use(play.number):
                    actions = (*node.actions, action)
                    child = _Node(node.aim, node.draft, actions, play, is_new=True)
                    self._wait(promise.value, child)

    def _meet_duties(self, node: _Node, promise: Promise) -> None:
        """
        Look at what follows the plays of a card that must be played.
        """
        draft, seat = node.draft, self._playing.seat
        duty = next(one for one in draft.drawn.duties if one.is_binding)
        if not draft._has_meld >> seat & 1:
            self._meld(node, promise)
        branches = NEW_MELDS if duty.needs_meld else PLAYS
        self._list(node, promise, plans(draft, seat, duty.code, None, branches))
        if not duty.at_once:
            # With a wild that is traded for, it may be played.
            self._list(node, promise, plans(draft, seat, -1, None, (to_swap,)))

    def _meld(self, node: _Node, promise: Promise) -> None:
        """
        Look at what follows each new meld, and at turns without any.
        """
        playing, draft = self._playing, node.draft
        closed = attrs.evolve(node.aim, melds=False)
        self._wait(promise.value, _Node(closed, draft, node.actions))
        openers = Openers(playing, draft)
        if openers.depends:
            self._list(node, promise, plans(draft, playing.seat, -1, None, _OTHERS))
        needed = openers.needs_points(whole=node.aim.turn == WHOLE)
        if not self._has_points(draft, needed):
            return
        free = draft._hands[playing.seat] - node.aim.kept
        worths = prices(draft.dealt.terms, draft.match.rules, playing.goal)
        bound = None
        if openers.is_asked and not (promise.together or worths.canasta[0]):
            bound = openers.bound(worths, free)
        worth = playing.value(draft)
        for number, opener in enumerate(openers.all(short=not promise.together)):
            if not self.work.spend(int(number % _LISTED == 0)):
                return
            action, used = opener
            if holds(free, used):
                most = promise.value
                if bound is not None:
                    most = min(most, worth + bound(opener))
                actions = (*node.actions, action)
                self._wait(most, _Node(node.aim, draft, actions, is_new=True))

    def _has_points(self, draft: Draft, points: int) -> bool:
        """
        Whether the cards of a hand might be worth so many points in melds.
        """
        if not points:
            return True
        search = cover(draft.dealt.terms, draft.match.rules, "least points left")
        work = Work(self.work.left)
        use = search.best(draft._hands[self._playing.seat], work=work)
        self.work.spend(work.nodes + A_SEARCH)
        return use is None or not work.exact or use.value // FIRST >= points


def _orders(
    draft: Draft, actions: tuple[TurnPlay, ...] | None
) -> Iterator[tuple[TurnPlay, ...]]:
    """
    The orders in which plays are tried, what has to be laid at once first in each.

    Args:
        draft: The position before them.
        actions: The plays, new melds first; None if they are not known.
    """
    if actions is None:
        return
    owed, old = draft.drawn.at_once, len(draft._table)
    first = [
        one
        for one in actions
        if isinstance(one, NewMeld | LayOff)
        and any(played.card.code == owed for played in one.cards)
    ][:1]
    rest = [one for one in actions if one not in first]
    yield (*first, *rest)
    # Where melds are made, cards may have to be laid off before.
    before = [one for one in rest if isinstance(one, LayOff) and one.meld <= old]
    if before and before != rest:
        yield (*first, *before, *[one for one in rest if one not in before])
