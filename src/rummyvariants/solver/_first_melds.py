"""
First melds that must be laid as one action, with what may follow them in the turn.

The engine's own tree lists what a seat may lay first. The best use of what is left is
searched for behind each, those that promise most first.
"""

from __future__ import annotations

import functools
import sys

from collections.abc import Callable, Iterator
from typing import Final

import attrs

from rummyvariants.cards import FIELD, holds, size, total
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.candidates import NEW_MELDS, PlayEnd
from rummyvariants.game._engine.plays import terms_of
from rummyvariants.game._state import Draft, side_of, thaw
from rummyvariants.game.actions import GoDown, LayDown
from rummyvariants.melds._meld import Meld, Played
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.melds._tree import Fork, Known, Node
from rummyvariants.melds.dividing._runs import NEVER
from rummyvariants.solver._finder import BARE, Best, Finder, kind_of
from rummyvariants.solver._fours import may_count_otherwise
from rummyvariants.solver._goals import searcher
from rummyvariants.solver._playing import Playing
from rummyvariants.solver._situations import Situation, regained


NOTHING: Final = 0
"""Nothing may follow the first melds in the turn."""
LAYOFFS: Final = 1
"""Cards may be laid off after them."""
MELDS: Final = 2
"""Further melds may follow as well."""
First = tuple[LayDown | GoDown, int]
"""First melds as an action, and their cards as a multiset."""
_ANY: Final = sys.maxsize
"""A bound that excludes nothing."""
_OPTIONS: Final = 2
"""How many options of the tree are as much work as a node."""


class _Used(PlayEnd):
    """
    Leaves of plays with the cards that they use.
    """

    __slots__ = ()

    def leaf(self, action: LayDown | GoDown, used: int) -> First:  # type: ignore[override]
        return action, used


class FirstMelds:
    """
    The search for the best turn of a seat whose first melds must be laid together.

    Args:
        playing: The turn.
        finder: The search for what follows.
    """

    __slots__ = (
        "_asked",
        "_finder",
        "_follows",
        "_lays_off",
        "_melded",
        "_playing",
        "_ways",
    )

    def __init__(self, playing: Playing, finder: Finder) -> None:
        start, seat = playing.start, playing.seat
        self._playing = playing
        self._finder = finder
        self._asked = asking.asked_openings(start, seat)
        self._melded = self._as_if_melded()
        follows = playing.situation(self._melded, 0)
        # What may be laid after the first melds.
        single = start.match.rules.layoff.single_wilds
        layoffs = single or playing.lays_off(self._melded, follows.most)
        self._follows = LAYOFFS if layoffs else NOTHING
        self._lays_off = layoffs
        if follows.melds_left != 0:
            self._follows = MELDS
        self._ways: list[First] | None = None

    @property
    def are_asked(self) -> bool:
        """
        Whether rules say what the first melds must be.
        """
        return bool(self._asked)

    @property
    def may_be_waived(self) -> bool:
        """
        Whether first melds need no points that leave at most one card.
        """
        from_stock = self._playing.start.drawn.source == "stock"
        return from_stock and any(answer.waived_at for _, _, answer, _ in self._asked)

    @property
    def _is_only(self) -> bool:
        """
        Whether nothing but certain groups may be laid first.
        """
        return any(answer.only for _, _, answer, _ in self._asked)

    def _as_if_melded(self) -> Draft:
        """
        The state as if the first melds lay there already.
        """
        draft, seat = thaw(self._playing.start), self._playing.seat
        draft._has_meld |= side_of(draft, seat)
        made = max([len(groups) for *_, groups in self._asked], default=0) or 1
        draft.drawn = attrs.evolve(draft.drawn, melds=draft.drawn.melds + made)
        return draft

    def best(self, here: Situation, above: int = NEVER, owed: int = -1) -> Best | None:
        """
        The best turn; the first melds come first in it.

        Args:
            here: The situation before them.
            above: Only turns worth more than this are looked for.
            owed: The code of a card that must be used; -1 for none.
        """
        finder = self._finder
        # Without first melds there may be lay-offs.
        best = finder.best(attrs.evolve(here, most=here.made), above, owed)
        ways: list[tuple[int, LayDown | GoDown, int]] = []
        most = _ANY
        if self._follows == MELDS or not self._is_only:
            free = self._freely(here, owed)
            if free is None or free.value <= (above if best is None else best.value):
                return best
            joined = _joined(free)
            if joined is not None and self._playing.after(joined.actions):
                return joined
            most = free.value
        if self._has_points(here):
            ways = self._promising(here)
        for bound, action, used in finder.counted(ways):
            floor = above if best is None else best.value
            if min(bound, most) <= floor:
                break
            one = self._after(here, action, used, floor, owed)
            best = best if one is None else one
        if self._depends(here):
            reached = best is not None and best.value >= most
            finder.exact = finder.exact and reached
        return best

    def _depends(self, here: Situation) -> bool:
        """
        Whether plays before the first melds might make others possible.
        """
        layoff = here.rules.layoff
        if layoff.needs_own_meld or not (here.layoffs and here.melds):
            return False
        # All other plays may as well come later.
        return (
            here.terms.swaps
            or layoff.single_wilds
            or not self._lays_off
            or any(
                answer.leaves is not None or answer.waived_at
                for _, _, answer, _ in self._asked
            )
        )

    def _freely(self, here: Situation, owed: int) -> Best | None:
        """
        The best turn if any melds could be the first.
        """
        there = self._playing.situation(self._melded, here.hand)
        return self._finder.best(
            attrs.evolve(
                here,
                melds=there.melds,
                has_meld=True,
                layoffs=there.layoffs,
                most=there.most if self._is_only else here.most,
            ),
            owed=owed,
        )

    def _has_points(self, here: Situation) -> bool:
        """
        Whether a hand might reach the points that its first melds need.
        """
        finder = self._finder
        points = max([answer.points for _, _, answer, _ in self._asked])
        if not points or (self.may_be_waived and here.spare is not None):
            return True
        alone = attrs.evolve(here, melds={}, spare=None, long=0, has_meld=True)
        best = Finder("least points left", finder.left, BARE)
        found = best.best(alone)
        finder.work += best.work
        if found is None or not best.exact:
            return True
        worth = here.terms.worth
        return total(worth, here.hand) - total(worth, found.left) >= points

    def _promising(self, here: Situation) -> list[tuple[int, LayDown | GoDown, int]]:
        """
        What may be laid first, with a bound on the value of a turn that begins with it.
        """
        if self._ways is None:
            start, seat = self._playing.start, self._playing.seat
            trees = [grow(start, seat, 0, _Used()) for grow in NEW_MELDS]
            self._ways = [
                one
                for tree in trees
                for one in self._leaves(tree)
                if self._is_short(one[0])
            ]
        bound = self._bounds(here)
        ways = [(bound(*one), *one) for one in self._ways if holds(here.hand, one[1])]
        ways.sort(key=lambda one: -one[0])
        return ways

    def _leaves(self, node: Node) -> Iterator[First]:
        """
        The leaves of a tree, within the limit of the search.
        """
        if not isinstance(node, Fork):
            if node is not None:
                yield node
        elif isinstance(node, Known):
            yield from node.every()
        else:
            for option in self._finder.counted(node.options, a_node=_OPTIONS):
                yield from self._leaves(node.go(option))

    def _is_short(self, action: LayDown | GoDown) -> bool:
        """
        Whether no shorter melds would surely do, to which the rest could be added.
        """
        terms = terms_of(self._playing.start)
        sized = [groups for *_, groups in self._asked if groups]
        needs_more = any(
            one.points or one.leaves is not None for _, _, one, _ in self._asked
        )
        if self._follows == NOTHING or needs_more or len(sized) != 1 or terms.extra:
            return True
        longest = {"set": terms.least_set, "run": terms.least_run}
        for kind, number in sized[0]:
            longest[kind] = max(longest[kind], number)
        return all(
            len(cards) <= longest[kind_of(cards)]
            or (terms.rising and any(terms.wild[one.card.code] for one in cards))
            for cards in _melds_of(action)
        )

    def _bounds(self, here: Situation) -> Callable[[LayDown | GoDown, int], int]:
        """
        What bounds the value of a turn that begins with some melds, given their cards.
        """
        terms, goal, follows = here.terms, self._playing.goal, self._follows
        prices = searcher(terms, here.rules, goal).prices
        no_bound = goal == "most points" and (
            may_count_otherwise(here) or prices.canasta[0]
        )
        more, number = 0, size(here.hand & terms.wild_mask)
        fit = terms.wild_mask
        for meld in here.melds.values():
            # Wilds that others have laid may be traded for.
            wilds = [one.code for one in meld.cards if terms.wild[one.code]]
            gains = [prices.cards[one] - regained(goal, prices, one) for one in wilds]
            trades = min(size(here.hand & meld.real), len(wilds)) * terms.swaps
            more += trades * max([0, *gains])
            number += trades
        for meld in here.melds.values():
            fit |= _reach(terms, meld, here.hand, number)

        @functools.cache
        def near(cards: tuple[Played, ...]) -> int:
            meld = read_meld(terms, cards, 0, legal=True)
            if not isinstance(meld, Meld):
                return 0
            return _reach(terms, meld, here.hand, number)

        def bound(action: LayDown | GoDown, used: int) -> int:
            if no_bound:
                return _ANY
            if follows == NOTHING:
                return prices.of(used)
            if follows == MELDS:
                return prices.of(here.hand) + more
            reach = fit
            for cards in _melds_of(action):
                reach |= near(cards)
            return prices.of(used) + prices.of(here.hand - used & reach) + more

        return bound

    def _after(
        self,
        here: Situation,
        action: LayDown | GoDown,
        used: int,
        floor: int,
        owed: int,
    ) -> Best | None:
        """
        The best turn that begins with some melds, if it is worth more than a floor.
        """
        playing, hand = self._playing, here.hand - used
        draft = playing.after((action,))
        if draft is None:
            return None
        points = playing.points(draft)
        value = playing.value(points, here.hand, hand)
        if self._follows == NOTHING:
            if here.spare is not None and size(hand) > here.spare:
                return None
            ends = value > floor and playing.may_end(draft)
            return Best(value, (action,), hand, points) if ends else None
        there = attrs.evolve(
            playing.situation(draft, hand),
            long=playing.canastas_needed(draft) if here.long else 0,
            spare=here.spare,
            last=here.last,
        )
        owes = owed if owed >= 0 and not used & FIELD[owed] else -1
        rest = self._finder.best(there, floor - value, owes)
        if rest is None:
            return None
        return Best(
            value + rest.value, (action, *rest.actions), rest.left, points + rest.points
        )


def _melds_of(action: LayDown | GoDown) -> tuple[tuple[Played, ...], ...]:
    return action.melds if isinstance(action, GoDown) else (action.cards,)


def _reach(terms: Terms, meld: Meld, hand: int, wilds: int) -> int:
    """
    Mask of the cards of a hand that may come to lie on a meld with so many wilds.
    """
    if meld.kind != "run":
        return meld.kin
    along = terms.run_codes[meld.suit]
    found = meld.kin & meld.real
    below, above = along[: meld.low][::-1], along[meld.low + len(meld) :]
    for beyond in below, above:
        gaps = 0
        for code in beyond:
            found |= hand & FIELD[code]
            gaps += not hand & FIELD[code]
            if gaps > wilds:
                break
    return found


def _joined(found: Best) -> Best | None:
    """
    Plays with all new melds as the first of them; None if there are none.
    """
    new = [one for one in found.actions if isinstance(one, LayDown)]
    if not new:
        return None
    rest = [one for one in found.actions if not isinstance(one, LayDown)]
    first = GoDown(tuple([one.cards for one in new]), new[0].seat)
    return attrs.evolve(found, actions=(first if len(new) > 1 else new[0], *rest))
