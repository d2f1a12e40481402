"""
What of the tree of choices is legal: the branches that the verbs offer in a phase.

Each function grows the branch of one verb, given a state and who is to act, who may act
in it. A leaf is a legal action with its plan, or with `LATER` in its place.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from rummyvariants.cards import CARDS, CODES, FIELD, UNIT, faces, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.candidates import Grow, Melds, beside, to_lay
from rummyvariants.game._engine.draws import (
    TakePlan,
    Takes,
    plan_take_with,
    refuse_draw,
)
from rummyvariants.game._engine.endings import (
    discardable,
    discards_of,
    is_released,
    may_knock_with,
    points_allow_knock,
    refuse_dead_end,
    surely_ends,
)
from rummyvariants.game._engine.glances import Glance, glance_at
from rummyvariants.game._engine.knocks import melds_without
from rummyvariants.game._engine.plays import (
    LATER,
    AnyState,
    Play,
    PlayAction,
    meld_at,
    plan,
    refuse_another,
    terms_of,
)
from rummyvariants.game._state import Leaf
from rummyvariants.game.actions import (
    Choose,
    Knock,
    LayDown,
    LayOff,
    Pass,
    Take,
    TakeWith,
    discard,
    draw,
)
from rummyvariants.melds._choices import Choice, for_card, for_made, for_number
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._deadwood import LOOKS, matched
from rummyvariants.melds._deadwood import Melds as Shown
from rummyvariants.melds._meld import Meld
from rummyvariants.melds._tree import Fork, Lazily, Node
from rummyvariants.policies import Duty


Offer = Callable[[AnyState, int], Node]
"""What grows the branch of a verb, given a state and who acts."""


# ------------------------------------------------------------------ putting cards down


class PlayCheck:
    """
    Whether plays that the cards allow are legal, by short cuts where a glance tells.

    Made once for a branch, asked for many plays.
    """

    __slots__ = (
        "_duty",
        "_easy",
        "_goes",
        "_hand",
        "_melds",
        "_near",
        "_room",
        "_seat",
        "_spare",
        "_state",
    )

    def __init__(self, state: AnyState, seat: int) -> None:
        self._state, self._seat = state, seat
        self._easy: bool | None = None

    def _look(self) -> None:
        """
        See which short cuts there are, once there is something to ask about.
        """
        state, seat = self._state, self._seat
        rules = state.match.rules
        drawn = state.drawn
        hand = self._hand = state._hands[seat]
        plain = (
            state.dealt.terms.extra is None
            and rules.discardable != 0
            and "meld.refuse_first" not in rules.overridden
            and refuse_another(state) is None
        )
        self._easy = plain and not drawn.duties
        self._goes = discardable(state)
        # With so many cards left one can be discarded.
        self._spare = size(hand & self._goes) - 1
        self._duty: tuple[Duty, Glance] | None = None
        first = rules.meld.first_natural and not state._has_meld >> seat & 1
        # Whoever cannot meet what a card of the stock asks for is released from it.
        glances = plain and not first and drawn.source != "stock"
        if glances and len(drawn.duties) == 1:
            (duty,) = drawn.duties
            if duty.is_binding and not duty.is_natural_set:
                glance = glance_at(state, seat)
                if glance.tells_at_all:
                    self._duty = duty, glance
                    self._room = self._spare + 1 - glance.enough
                    self._near = glance.near(duty.code) if duty.any_play else 0
                    # By what a play takes of those cards, whether a new meld is left.
                    self._melds: dict[int, bool] = {}

    def leaf(self, action: PlayAction, used: int) -> Leaf | None:
        """
        A play that uses some cards as a leaf, its plan with it if that was worked out.

        Returns:
            None if it is not legal.
        """
        if self._easy is None:
            self._look()
        state, seat = self._state, self._seat
        if isinstance(action, (LayDown, LayOff)):
            if self._easy:
                few = len(action.cards) < self._spare
                if few or surely_ends(state, self._hand - used, laid=True):
                    return action, LATER
            elif self._duty is not None:
                plainly = self._for_duty(*self._duty, action, used)
                if plainly is not None:
                    return (action, LATER) if plainly else None
        play = plan(state, seat, action)
        if isinstance(play, Play) and refuse_dead_end(state, seat, play) is None:
            return action, play
        return None

    def _for_duty(
        self, owed: Duty, glance: Glance, action: LayDown | LayOff, used: int
    ) -> bool | None:
        """
        Whether a play leaves a way to meet a duty; None if a glance does not tell.
        """
        state = self._state
        held = state.drawn.held
        left = self._hand - used
        if used & FIELD[owed.code]:
            melds = isinstance(action, LayDown)
            terms = state.dealt.terms
            if not owed.needs_meld or owed.met_by(
                terms, used, held, meld=melds, natural=False
            ):
                return True if len(action.cards) < self._spare else None
        if owed.at_once or not left & FIELD[owed.code]:
            return False
        found = None
        if owed.any_play:
            near = used & self._near
            found = self._melds.get(near)
            if found is None:
                found = self._melds[near] = glance.melds(left, owed.code)
            if found and len(action.cards) <= self._room:
                return True
        onto = None
        if isinstance(action, LayOff):
            meld = meld_at(state, action.meld)
            onto = meld if isinstance(meld, Meld) else None
        return glance.tells(
            left, (owed,), held, self._goes, action.cards, onto, found=found
        )


def of_plays(grow: Grow) -> Offer:
    """
    What offers, in the middle of a turn, the legal plays of a branch.
    """

    def offer(state: AnyState, seat: int) -> Node:
        must = state.drawn.at_once
        check = PlayCheck(state, seat)
        return grow(state, seat, 0 if must < 0 else FIELD[must], check.leaf)

    return offer


def of_layoffs(state: AnyState, seat: int) -> Node:
    """
    What may be laid off on the melds of a player who has knocked.
    """

    def laid(action: PlayAction, used: int) -> Leaf | None:
        del used
        if "may_lay" not in state.match.rules.asked:
            return action, LATER
        play = plan(state, seat, action)
        return (action, play) if isinstance(play, Play) else None

    return to_lay(state, seat, 0, laid)


# -------------------------------------------------------------- the ends of a turn


def of_draws(state: AnyState, seat: int) -> Node:
    """
    The draw from the stock.
    """
    return (draw(seat), None) if refuse_draw(state) is None else None


def of_takes(state: AnyState, seat: int) -> Node:
    """
    How many discards are taken.
    """
    takes = Takes(state, seat)
    numbers = takes.numbers()

    def taken(number: int) -> Node:
        return _take(number, seat) if takes.allows(number) else None

    return Fork(numbers, taken, for_number, True) if numbers else None


@functools.cache
def _take(number: int, seat: int) -> Leaf:
    """
    A number of discards taken as a leaf; always the same object for the same two.
    """
    return Take(number, seat), None


def of_takes_with(state: AnyState, seat: int) -> Node:
    """
    How many discards are taken together with a meld, and with which melds.
    """
    pile, hand, terms = state._discards, state._hands[seat], terms_of(state)
    if not pile:
        return None
    top = pile[-1]
    named = {}
    for cards, used in melds_in(terms, hand + UNIT[top], top):
        at = max(at for at, one in enumerate(cards) if one.card.code == top)
        named[cards[:at] + cards[at + 1 :]] = used - UNIT[top]
    firsts = [*named.items()]

    def of_count(count: int) -> Node:
        whole = None if count == len(pile) else count

        def laid(melds: Melds, left: int) -> Node:
            del left
            action = TakeWith(whole, melds, seat)
            plan = plan_take_with(state, seat, action)
            return (action, plan) if isinstance(plan, TakePlan) else None

        def with_first(number: int) -> Node:
            cards, used = firsts[number]
            left = hand - used
            together = state.match.rules.lays_together
            others = [*melds_in(terms, left)] if together else []
            most = asking.most_at_first(state, seat)
            return beside((cards,), others, left, 1, laid, most=most)

        return Fork(
            range(len(firsts)),
            with_first,
            lambda number: for_made(number + 1, firsts[number][0]),
            True,
        )

    def name(count: int) -> Choice:
        return Choice("all", "number") if count == len(pile) else for_number(count)

    return Fork(range(1, len(pile) + 1), of_count, name, True)


def of_passes(state: AnyState, seat: int) -> Node:
    """
    Nothing done, unless a card can be drawn.
    """
    if state.phase == "draw" and refuse_draw(state) is None:
        return None
    return Pass(seat), None


def of_sizes(state: AnyState, seat: int) -> Node:
    """
    How many cards are dealt.
    """
    sizes = state.match.rules.deal.choices()
    return Fork(sizes, lambda size: (Choose(size, seat), None), for_number, True)


def of_discards(state: AnyState, seat: int) -> Node:
    """
    Which card is discarded. Where melds stay in the hand, their cards are one option.
    """
    hand = state._hands[seat]
    allowed = discards_of(state, seat)
    if allowed != hand and (allowed or not is_released(state, seat)):
        hand = allowed
    thrown = discards_by_code(seat)

    def every() -> list[Leaf]:
        return [thrown[code] for code in faces(hand)]

    def apart(hand: int) -> Node:
        melded = hand & matched(state.dealt.terms, state._hands[seat])
        loose = faces(hand - melded)
        if not melded:
            return Fork(loose, thrown.__getitem__, _for_discard, True)
        return Fork((*loose, _MELDED), partial(either, melded), _for_discard, True)

    def either(melded: int, code: int) -> Node:
        if code < 0:
            return Fork(faces(melded), thrown.__getitem__, for_card)
        return thrown[code]

    if state.match.rules.meld.concealed:
        # A list takes all leaves at once, and need not know which cards are in melds.
        return Fork((hand,), apart, _for_discard, False, every)
    return Fork(faces(hand), thrown.__getitem__, _for_discard, True, every)


@functools.cache
def discards_by_code(seat: int) -> tuple[Leaf, ...]:
    """
    The discards of a seat as leaves, by the codes of the cards.
    """
    return tuple([(discard(code, seat), None) for code in range(CODES)])


def of_knocks(state: AnyState, seat: int) -> Node:
    """
    Which card is discarded with a knock, none with big gin, and which melds are shown.
    """
    if not points_allow_knock(state, seat):
        return None

    def with_discard(code: int) -> Node:
        if not may_knock_with(state, seat, code):
            return None
        card = None if code == _BIG_GIN else CARDS[code]

        def knock(option: tuple[int, Shown]) -> Node:
            return Knock(card, option[1], seat), LATER

        def name(option: tuple[int, Shown]) -> Choice:
            text = str(Knock(card, option[1], seat)).partition(": ")[2]
            return Choice(text, "melds", number=option[0])

        def every() -> Iterator[Leaf]:
            return map(knock, enumerate(melds_without(state, seat, code), 1))

        shown = Lazily(lambda: enumerate(melds_without(state, seat, code, [LOOKS]), 1))
        return Fork(shown, knock, name, True, every)

    discards = (*faces(state._hands[seat]), _BIG_GIN)
    return Fork(discards, with_discard, _for_discard, True)


_BIG_GIN: Final = -1
"""The discard of a knock without one."""
_MELDED: Final = -2
"""In the place of those discards that would break a meld of a hand."""


def _for_discard(code: int) -> Choice:
    if code == _BIG_GIN:
        return Choice("big gin", "verb")
    return Choice("of a meld", "on") if code == _MELDED else for_card(code)
