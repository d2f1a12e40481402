"""
The middle of a turn as a list: legal plays and discards.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants.cards import CARDS, FIELD, count, faces, size
from rummyvariants.game._engine.candidates import actions_using
from rummyvariants.game._engine.endings import (
    Glance,
    can_finish,
    glance_at,
    refuse_dead_end,
    refuse_discard,
    surely_ends,
)
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    PlayAction,
    plan,
    refuse_another,
    terms_of,
)
from rummyvariants.game.actions import LayDown, LayOff
from rummyvariants.melds._meld import Played


class PlayCheck:
    """
    Whether plays that the cards allow are legal, by short cuts where a glance tells.

    Made once for a state and a seat, asked for many plays.

    Attributes:
        plan: What the play asked for last would do, if that had to be worked out.
    """

    __slots__ = (
        "_easy",
        "_first",
        "_glance",
        "_hand",
        "_owed",
        "_seat",
        "_spare",
        "_state",
        "_wild",
        "plan",
    )

    def __init__(self, state: AnyState, seat: int) -> None:
        rules = state.match.rules
        terms = terms_of(state)
        drawn = state.drawn
        hand = state._hands[seat]
        self._state, self._seat, self._hand = state, seat, hand
        self._wild = terms.wild_mask
        self._first = rules.meld.first_natural and not state._has_meld >> seat & 1
        plain = (
            terms.extra is None
            and rules.discards_freely
            and "meld.refuse_first" not in rules.overridden
            and refuse_another(state) is None
        )
        self._easy = plain and not drawn.duties
        # With so many cards left one can be discarded, whatever may not be thrown back.
        self._spare = size(hand) - 1
        if drawn.source == "discards":
            self._spare -= count(hand, drawn._cards[0])
        self._owed = -1
        self.plan: Play | None = None
        self._glance: Glance | None = None
        if plain and not self._first and len(drawn.duties) == 1:
            (duty,) = drawn.duties
            if duty.how == "play" and len(drawn._cards) > 1:
                self._owed = duty.code
                self._glance = glance_at(state, seat)

    def allows(self, action: PlayAction, used: int) -> bool:
        """
        Whether a play is legal.

        Args:
            action: A play that `actions_using` may give.
            used: The cards that leave the hand.
        """
        state, seat = self._state, self._seat
        self.plan = None
        if isinstance(action, (LayDown, LayOff)):
            if self._easy:
                if self._first and isinstance(action, LayDown) and used & self._wild:
                    return False
                left = self._hand - used
                if len(action.cards) < self._spare or surely_ends(state, left):
                    return True
            elif self._glance is not None:
                plainly = self._for_duty(self._glance, action, used)
                if plainly is not None:
                    return plainly
        play = plan(state, seat, action)
        if isinstance(play, Play) and refuse_dead_end(state, seat, play) is None:
            self.plan = play
            return True
        return False

    def _for_duty(
        self, glance: Glance, action: LayDown | LayOff, used: int
    ) -> bool | None:
        left = self._hand - used
        if used & FIELD[self._owed]:
            return True if size(left) > 1 else None
        fixed = isinstance(action, LayOff)
        plainly = glance.tells(left, self._owed, fixed=fixed, melded=True)
        if plainly is False and _may_take(action.cards, self._owed):
            return None
        return plainly


def _may_take(cards: tuple[Played, ...], code: int) -> bool:
    """
    A quick look: whether a meld of fully declared cards could take a natural one.
    """
    first, second = [one.stands_for or one.card for one in cards[:2]]
    if first.rank == second.rank:
        return first.rank == CARDS[code].rank
    return first.suit == CARDS[code].suit


def legal_plays(state: AnyState, seat: int) -> Iterator[PlayAction]:
    """
    Every legal play: melds, lay-offs, single wilds, swaps, splits.
    """
    if state.match.rules.meld.concealed:
        return
    check = PlayCheck(state, seat)
    for action, used in actions_using(state, seat, state.drawn.at_once):
        if check.allows(action, used):
            yield action


def may_discard_any(state: AnyState, seat: int) -> bool:
    """
    A quick look: whether surely every card of the hand may be discarded.
    """
    if not state.match.rules.discards_freely or size(state._hands[seat]) < 2:
        return False
    drawn = state.drawn
    # What may not be thrown back is a card that was taken alone.
    return not drawn.duties and (drawn.source != "discards" or len(drawn._cards) > 1)


def legal_discards(state: AnyState, seat: int) -> Iterator[int]:
    """
    The codes of the cards that may be discarded.
    """
    hand = state._hands[seat]
    if may_discard_any(state, seat):
        yield from faces(hand)
        return
    found = False
    for code in faces(hand):
        if refuse_discard(state, seat, code) is None:
            found = True
            yield code
    drawn = state.drawn
    if not found and drawn.source == "stock" and not can_finish(state, seat):
        yield from faces(hand)
