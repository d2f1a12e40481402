"""
The middle of a turn as a list: legal plays and discards, or one of them at random.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterator

from rummyvariants.actions import Discard, LayDown, LayOff, discard
from rummyvariants.cards import CARDS, FIELD, count, face_at, faces, present, size
from rummyvariants.engine.candidates import actions_using, onto, puts, splits, swaps
from rummyvariants.engine.endings import (
    Glance,
    can_finish,
    refuse_dead_end,
    refuse_discard,
    surely_ends,
)
from rummyvariants.engine.plays import AnyState, Play, PlayAction, plan, terms_of
from rummyvariants.layoffs import layoffs_on
from rummyvariants.melds import Meld, Played
from rummyvariants.shapes import RandRange, one_of_shape, shapes_in


class PlayCheck:
    """
    Whether plays that the cards allow are legal, by short cuts where a glance tells.

    Made once for a state and a seat, asked for many plays.
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
    )

    def __init__(self, state: AnyState, seat: int) -> None:
        rules = state.match.rules
        terms = terms_of(state)
        drawn = state.drawn
        hand = state._hands[seat]
        self._state, self._seat, self._hand = state, seat, hand
        self._wild = terms.wild_mask
        self._first = rules.meld.first_natural and not state._has_meld >> seat & 1
        plain = terms.extra is None and not rules.discard.keep
        self._easy = plain and (drawn is None or not drawn.duties)
        # With so many cards left one can be discarded, whatever may not be thrown back.
        self._spare = size(hand) - 1
        if drawn is not None and drawn.source == "discards":
            self._spare -= count(hand, drawn.cards[0])
        self._owed = -1
        self._glance: Glance | None = None
        if plain and not self._first and drawn is not None and len(drawn.duties) == 1:
            (duty,) = drawn.duties
            if duty.how == "play" and len(drawn.cards) > 1:
                self._owed = duty.code
                self._glance = Glance(state, seat)

    def allows(self, action: PlayAction, used: int) -> bool:
        """
        Whether a play is legal.

        Args:
            action: A play that `actions_using` may give.
            used: The cards that leave the hand.
        """
        state, seat = self._state, self._seat
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
        return isinstance(play, Play) and refuse_dead_end(state, seat, play) is None

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
    check = PlayCheck(state, seat)
    must = _at_once(state)
    for action, used in actions_using(state, seat, must):
        if check.allows(action, used):
            yield action


def _at_once(state: AnyState) -> int:
    """
    The code of a card that has to be laid before anything else is done; -1 for none.
    """
    if state.drawn is not None:
        for duty in state.drawn.duties:
            if duty.at_once:
                return duty.code
    return -1


def random_play(
    state: AnyState, seat: int, randrange: RandRange
) -> PlayAction | Discard | None:
    """
    A legal play or discard at random, without listing all of them.

    Discards, shapes of melds, and melds to lay off on are drawn from alike. Each legal
    action can come, but for melds and lay-offs with many wilds.

    Returns:
        None if a few draws found none.
    """
    hand = state._hands[seat]
    terms = terms_of(state)
    duties = () if state.drawn is None else state.drawn.duties
    if duties and (duties[0].at_once or randrange(4)):
        found = _with_card_owed(state, seat, duties[0].code, randrange)
        if found is not None:
            return found
    discards = 0
    if not duties or duties[0].how == "play or discard":
        discards = present(hand).bit_count()
    shapes = shapes_in(terms, hand)
    rest: list[tuple[PlayAction, int]] = []
    targets: list[tuple[int, Meld]] = []
    wild = state.match.rules.wild
    if state.match.rules.layoff.single_wilds:
        rest += puts(state, seat)
    if state._table or state.dealer_wild is not None:
        targets += onto(state, seat, -1)
        if wild.real_card == "swap":
            rest += swaps(state, seat, -1)
        if wild.split:
            rest += splits(state, seat)
    total = discards + len(shapes) + len(rest) + len(targets)
    check = None
    for _ in range(_DRAWS if total else 0):
        at = randrange(total)
        if at < discards:
            code = face_at(hand, at)
            if refuse_discard(state, seat, code) is None:
                return discard(code, seat)
            continue
        at -= discards
        action: PlayAction | None = None
        used = 0
        if at < len(shapes):
            choice = one_of_shape(terms, shapes[at], hand, randrange)
            if choice is not None:
                action, used = LayDown(choice[0], seat), choice[1]
        elif at < len(shapes) + len(rest):
            action, used = rest[at - len(shapes)]
        else:
            number, meld = targets[at - len(shapes) - len(rest)]
            looked_at = _LOOKED_AT[randrange(len(_LOOKED_AT))]
            some = list(itertools.islice(layoffs_on(terms, meld, hand), looked_at))
            if some:
                cards, used, end = some[randrange(len(some))]
                action = LayOff(cards, number, end, seat)  # type: ignore[arg-type]
        if action is not None:
            check = check or PlayCheck(state, seat)
            if check.allows(action, used):
                return action
    return None


def _with_card_owed(
    state: AnyState, seat: int, code: int, randrange: RandRange
) -> PlayAction | None:
    """
    A legal play of a card owed, one of the first that there are.
    """
    plays = list(itertools.islice(actions_using(state, seat, code), _LOOKED_AT[-1]))
    check = PlayCheck(state, seat)
    while plays:
        action, used = plays.pop(randrange(len(plays)))
        if check.allows(action, used):
            return action
    return None


_DRAWS = 8


_LOOKED_AT = (1, 4, 64)


def legal_discards(state: AnyState, seat: int) -> Iterator[int]:
    """
    The codes of the cards that may be discarded.
    """
    hand = state._hands[seat]
    if (
        not state.match.rules.discard.keep
        and (
            state.drawn is None
            or not (state.drawn.duties or state.drawn.source != "stock")
        )
        and size(hand) > 1
    ):
        yield from faces(hand)
        return
    found = False
    for code in faces(hand):
        if refuse_discard(state, seat, code) is None:
            found = True
            yield code
    drawn = state.drawn
    if (
        not found
        and drawn is not None
        and drawn.source == "stock"
        and not can_finish(state, seat)
    ):
        yield from faces(hand)
