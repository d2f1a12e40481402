"""
The melds that may come first or next, as the engine's own tree lists them.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterator
from typing import Final

from rummyvariants.actions import NewMeld, NewMelds
from rummyvariants.cards import holds, ranks_held, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.candidates import NEW_MELDS, PlayEnd
from rummyvariants.game._engine.plays import PlayAction, refuse_layoff
from rummyvariants.game._state import Draft
from rummyvariants.melds._meld import Meld, Played, kind_of, window_of
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.melds._tree import Node, leaves
from rummyvariants.melds.cover._prices import FIRST, Prices
from rummyvariants.melds.shapes._track import as_lane
from rummyvariants.solver._playing import Playing


NEXT: Final = "anything"
"""After the first melds, further ones may follow."""
LAYOFFS: Final = "lay-offs"
"""Only cards that are laid off may follow."""
NO_MORE: Final = "nothing"
"""Nothing may follow in the turn."""
Opener = tuple[NewMeld | NewMelds, int]
"""New melds as an action, and their cards as a multiset."""


class _Used(PlayEnd):
    """
    Leaves of plays with the cards that they use.
    """

    __slots__ = ()

    def leaf(self, action: PlayAction, used: int, number: int = -1) -> Node:
        del number
        return action, used


class Openers:
    """
    The new melds with which a turn may go on from a position.

    Args:
        playing: The turn.
        draft: The position.
    """

    __slots__ = ("_asked", "_draft", "_opened", "_playing", "follows")

    def __init__(self, playing: Playing, draft: Draft) -> None:
        self._playing = playing
        self._draft = draft
        self._asked = asking.asked_openings(draft, playing.seat)
        self._opened = opened = playing.as_if_melded(draft)
        if playing.makes_melds(opened):
            self.follows = NEXT
        elif playing.lays_off(opened) or draft.match.rules.layoff.single_wilds:
            self.follows = LAYOFFS
        else:
            self.follows = NO_MORE

    @property
    def is_asked(self) -> bool:
        """
        Whether rules say what the melds must be.
        """
        return bool(self._asked)

    def needs_points(self, *, whole: bool) -> int:
        """
        How many points the melds must be worth; 0 for any number.

        Args:
            whole: Whether they may leave one card at most, for which some rules waive
                the points.
        """
        from_stock = self._draft.drawn.source == "stock"
        answers = [answer for _, _, answer, _ in self._asked]
        if whole and from_stock and any(one.waived_at for one in answers):
            return 0
        return max([one.points for one in answers], default=0)

    @property
    def depends(self) -> bool:
        """
        Whether other plays that come before the melds might make more possible.
        """
        if not self._playing.open_to(self._draft):
            return False
        # All other plays may as well come later, if they still may be made.
        return not self._then_lays_off() or (
            bool(self._asked)
            and (
                self._draft.dealt.terms.swaps
                or self._draft.match.rules.layoff.single_wilds
                or any(
                    answer.leaves is not None or answer.waived_at
                    for _, _, answer, _ in self._asked
                )
            )
        )

    def _then_lays_off(self) -> bool:
        """
        Whether cards may surely be laid off right after the melds.
        """
        return refuse_layoff(self._opened, self._playing.seat) is None

    def all(self, *, short: bool) -> Iterator[Opener]:
        """
        The new melds.

        Args:
            short: Whether to leave out what is longer than it need be, where the rest
                can be added.
        """
        for grow in NEW_MELDS:
            tree = grow(self._draft, self._playing.seat, 0, _Used())
            for opener in leaves(tree):
                if not short or self._is_short(opener[0]):
                    yield opener

    def _is_short(self, action: NewMeld | NewMelds) -> bool:
        """
        Whether no shorter melds would surely do, to which the rest could be added.
        """
        terms = self._draft.dealt.terms
        sized = [groups for *_, groups in self._asked if groups]
        needs_more = any(
            one.points or one.leaves is not None for _, _, one, _ in self._asked
        )
        if (
            needs_more
            or not self._then_lays_off()
            or len(sized) > 1
            or not terms.by_values
        ):
            return True
        longest = {"set": terms.least_set, "run": terms.least_run}
        for kind, number in sized[0] if sized else ():
            longest[kind] = max(longest[kind], number)
        # Where naturals allow wilds, a shorter part may hold too few of them.
        return all(
            len(cards) <= longest.get(kind_of(terms, cards), terms.least_set)
            or (terms.rising and any(terms.wild[one.card.code] for one in cards))
            for cards in _melds_of(action)
        )

    def bound(self, prices: Prices, hand: int) -> Callable[[Opener], int]:
        """
        What bounds the worth of cards that are played, beginning with certain melds.

        Args:
            prices: What the use of cards is worth.
            hand: The cards that may be used.
        """
        terms = self._draft.dealt.terms
        lying = [*self._playing.open_to(self._opened).values()]
        more = traded = 0
        # What comes into the hand has to leave it again: only its points are gained.
        scale = {"most points": FIRST, "least points left": 0}.get(
            self._playing.goal, 1
        )
        if terms.swaps:
            for meld in lying:
                # Wilds on the table may be traded for.
                wilds = [one.code for one in meld.cards if terms.wild[one.code]]
                number = min(size(hand & meld.real), len(wilds))
                traded += number
                more += number * scale * max([0, *[terms.worth[one] for one in wilds]])

        @functools.cache
        def fit(wilds: int) -> int:
            found = terms.wild_mask
            for meld in lying:
                found |= _reach(terms, meld, hand, wilds)
            return found

        @functools.cache
        def near(cards: tuple[Played, ...], wilds: int) -> int:
            meld = read_meld(terms, cards, 0)
            if not isinstance(meld, Meld):
                return 0
            return _reach(terms, meld, hand, wilds)

        def bounded(opener: Opener) -> int:
            action, used = opener
            if not holds(hand, used):
                return -1
            if self.follows == NO_MORE:
                return prices.of(used)
            if self.follows == NEXT:
                return prices.of(hand) + more
            rest = hand - used
            wilds = size(rest & terms.wild_mask) + traded
            reach = fit(wilds)
            for cards in _melds_of(action):
                reach |= near(cards, wilds)
            return prices.of(used) + prices.of(rest & reach) + more

        return bounded


def _melds_of(action: NewMeld | NewMelds) -> tuple[tuple[Played, ...], ...]:
    return action.melds if isinstance(action, NewMelds) else (action.cards,)


def _reach(terms: Terms, meld: Meld, hand: int, wilds: int) -> int:
    """
    Mask of the cards of a hand that may come to lie on a meld with so many wilds.
    """
    if meld.kind != "run":
        return meld.kin
    window = window_of(meld)
    lane = 64 * meld.row
    found, held = meld.kin & meld.real, ranks_held(hand >> lane)
    for one, _, _ in terms.runs_along.longer(window):
        new = one.ranks & ~window.ranks
        if (new & ~held).bit_count() <= wilds:
            found |= as_lane(new) * 15 << lane
    return found & hand
