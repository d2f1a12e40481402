"""
The tree of plays that a hand and a table offer, before dead ends are looked at.

Each function grows the branch of one kind of play, given a state, who plays, a mask of
cards of which one has to be used, and what makes a leaf of a play and of the cards that
would leave the hand.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterator
from typing import Any, Final

from rummyvariants.cards import CARDS, FIELD, UNIT, faces, holds
from rummyvariants.game import _asking as asking
from rummyvariants.game._engine.plays import (
    TO_SPLIT,
    AnyState,
    Play,
    PlayAction,
    melds_by_number,
    melds_open_to,
    plan,
    refuse_another,
    refuse_first,
    refuse_layoff,
)
from rummyvariants.game._state import fits_of
from rummyvariants.game.actions import GoDown, LayDown, LayOff, PutDown, Split, Swap
from rummyvariants.melds._choices import (
    DONE,
    Choice,
    for_card,
    for_made,
    for_meld,
    for_number,
)
from rummyvariants.melds._combos import melds_in, new_melds
from rummyvariants.melds._filling import Enough, Filled
from rummyvariants.melds._layoffs import Growth
from rummyvariants.melds._meld import Meld, Played, bits_of
from rummyvariants.melds._tree import Fork, Node, fork, leaves


End = Callable[[PlayAction, int], Node]
"""What makes a leaf of a play, and of the cards that would leave the hand."""

Grow = Callable[[AnyState, int, int, End], Node]
"""What grows a branch."""


def to_meld(state: AnyState, seat: int, need: int, end: End) -> Node:
    """
    New melds of the hand, those left out that may not be the first.
    """
    terms = state.dealt.terms
    bits = state._hands[seat]
    if bits & terms.wild_mask and refuse_first(state, seat, natural=False) is not None:
        bits &= ~terms.wild_mask
    melds = new_melds(
        terms,
        bits,
        need,
        lambda cards, used: end(LayDown(cards, seat), used),
        _asked_at_once(state),
    )
    if melds is None or refuse_another(state) is not None:
        return None
    return melds


def _asked_at_once(state: AnyState) -> Enough | None:
    """
    What tells if a new meld holds the naturals that a duty before all else asks for.
    """
    drawn = state.drawn
    owed = next((one for one in drawn.duties if one.at_once), None)
    if owed is None or not owed.joins_naturals:
        return None
    return functools.partial(owed.joins, state.dealt.terms, held=drawn.held)


def to_go_down(state: AnyState, seat: int, need: int, end: End) -> Node:
    """
    Several new melds of the hand that are laid as one action.
    """
    if not state.match.rules.lays_together or refuse_another(state, 1) is not None:
        return None
    hand = state._hands[seat]

    def laid(melds: Melds, left: int) -> Node:
        if need and not hand - left & need:
            return None
        return end(GoDown(melds, seat), hand - left)

    melds = [*melds_in(state.dealt.terms, hand)]
    return beside((), melds, hand, 2, laid, most=asking.most_at_first(state, seat))


Melds = tuple[tuple[Played, ...], ...]


def beside(
    made: Melds,
    melds: list[Filled],
    left: int,
    least: int,
    end: Callable[[Melds, int], Node],
    at: int = 0,
    most: int | None = None,
) -> Node:
    """
    The melds that are laid together with others, each lot in one order alone.

    Args:
        made: Those that are chosen already.
        melds: What melds there are, each with the cards that it uses.
        left: The cards of the hand that are left.
        least: How many melds have to be chosen.
        end: What makes a leaf of the melds, and of the cards that are left then.
        at: The first of the melds that may be chosen, lest a lot comes twice.
        most: How many melds may be chosen at most; None for any number.
    """
    full = most is not None and len(made) >= most
    end_of = at if full else len(melds)
    numbers = [one for one in range(at, end_of) if holds(left, melds[one][1])]
    options = [DONE, *numbers] if len(made) >= least else numbers

    def go(number: int) -> Node:
        if number == DONE:
            return end(made, left)
        cards, used = melds[number]
        return beside((*made, cards), melds, left - used, least, end, number, most)

    def name(number: int) -> Choice:
        return for_made(number + 1, () if number == DONE else melds[number][0])

    return fork(options, go, name)


def to_lay(state: AnyState, seat: int, need: int, end: End) -> Node:
    """
    Which meld is laid on, of those that a card might go on by a glance, and then what.
    """
    terms = state.dealt.terms
    hand = state._hands[seat]
    wilds = hand & terms.wild_mask
    fits = fits_of(state, seat)
    if not wilds and not fits.single and not hand & (fits.grows | fits.real):
        return None
    if _asked_at_once(state) is not None:
        return None  # a new meld has to come first
    if refuse_layoff(state, seat) is not None:
        return None
    # Where naturals let wilds in, one of each may fit where a wild does not.
    together = terms.rising
    kin = 0 if need & terms.wild_mask else need
    near = []
    for one in melds_by_number(state):
        meld = one[1]
        if hand & (meld.grows | meld.real):
            if not kin or meld.kin & kin:
                near.append(one)
        elif meld.kind == "wild":
            if meld.maker == seat:
                near.append(one)
        elif wilds and (meld.takes_wild or together):
            near.append(one)
    if not near:
        return None
    melds = [*melds_open_to(state, seat, among=near)]

    def go(option: tuple[int, Meld]) -> Node:
        number, meld = option

        def laid(cards: tuple[Played, ...], used: int, side: Any) -> Node:
            return end(LayOff(cards, number, side, seat), used)

        return Growth(terms, meld, hand, need, laid).start()

    return Fork(melds, go, for_meld, True) if melds else None


def to_put(state: AnyState, seat: int, need: int, end: End) -> Node:
    """
    Which wild is put down.
    """
    wilds = state._hands[seat] & state.dealt.terms.wild_mask & (need or -1)
    has_meld = bool(state._has_meld >> seat & 1)
    single = state.match.rules.layoff
    if not wilds or single.refuse_single(has_meld=has_meld, wild=True) is not None:
        return None
    return Fork(
        (*faces(wilds),),
        lambda code: end(PutDown(CARDS[code], seat), UNIT[code]),
        for_card,
        True,
    )


def to_swap(state: AnyState, seat: int, need: int, end: End) -> Node:
    """
    Which card is traded for a wild, and in which meld.
    """
    if not state.dealt.terms.swaps or refuse_layoff(state, seat) is not None:
        return None
    hand = state._hands[seat] & (need or -1)
    melds = list(melds_open_to(state, seat))

    def of_card(code: int) -> Node:
        return Fork(
            [one for one in melds if one[1].real & FIELD[code]],
            lambda one: end(Swap(CARDS[code], one[0], seat), UNIT[code]),
            for_meld,
            True,
        )

    real = (*faces(hand & fits_of(state, seat).real),)
    return Fork(real, of_card, for_card, True)


def to_split(state: AnyState, seat: int, need: int, end: End) -> Node:
    """
    Which meld is split, and after how many cards.
    """
    if need or not state.match.rules.wild.split:
        return None

    def of_meld(option: tuple[int, Meld]) -> Node:
        number, meld = option
        return Fork(
            range(3, len(meld) - 2),
            lambda after: end(Split(number, after, seat), 0),
            for_number,
            True,
        )

    melds = [one for one in melds_by_number(state) if len(one[1]) >= TO_SPLIT]
    return Fork(melds, of_meld, for_meld, True)


def unplanned(grow: Grow, state: AnyState, seat: int) -> Iterator[Any]:
    """
    The plays of a branch, whether or not the rules refuse them.
    """
    return leaves(grow(state, seat, 0, lambda action, _: action))


def longer_runs(state: AnyState, seat: int, code: int) -> Iterator[LayOff]:
    """
    Lay-offs after which a run may be split beside a card that stands in it.

    Then another card of its face fits the end of a part.
    """
    short = {
        number
        for number, meld in melds_open_to(state, seat)
        if meld.kind == "run"
        and len(meld) < TO_SPLIT
        and any(slot.code == code for slot in meld.slots)
    }
    if short:
        for action in unplanned(to_lay, state, seat):
            if action.meld in short and not bits_of(action.cards) & FIELD[code]:
                yield action


class Tried:
    """
    What a search for the end of a turn has looked at.

    Attributes:
        dead: Hands, tables and duties from which no turn can be finished.
    """

    __slots__ = ("_left", "dead")

    def __init__(self, state: AnyState) -> None:
        rules = state.match.rules
        self.dead: set[tuple[object, ...]] = set()
        # What the library's own rules leave to be searched comes to an end by itself.
        self._left = _LOOKS if rules.house or rules.overridden else -1

    def count(self) -> None:
        """
        Count a play that is looked at.

        Raises:
            SpentError: If it is one too many.
        """
        self._left -= 1
        if not self._left:
            raise SpentError


class SpentError(Exception):
    """
    A search has looked at as many plays as it may, and does not know.
    """


_LOOKS: Final = 2_000
PLAYS: Final = (to_meld, to_lay, to_put, to_swap, to_split, to_go_down)
NEW_MELDS: Final = (to_meld, to_go_down)
"""The branches of plays that make new melds."""


def plans(
    state: AnyState,
    seat: int,
    must: int,
    tried: Tried | None = None,
    branches: tuple[Grow, ...] = PLAYS,
) -> Iterator[tuple[PlayAction, Play]]:
    """
    The plays that are not refused, dead ends not looked at, with what they would do.

    Args:
        state: The state.
        seat: Who plays.
        must: The code of a card that each has to use; -1 for none.
        tried: The search that looks at them.
        branches: What grows them.

    Raises:
        SpentError: If the search has looked at as many plays as it may.
    """
    if state.match.rules.meld.concealed:
        return

    def planned(action: PlayAction, used: int) -> Node:
        del used
        if tried is not None:
            tried.count()
        play = plan(state, seat, action)
        return (action, play) if isinstance(play, Play) else None

    need = 0 if must < 0 else FIELD[must]
    for grow in branches:
        yield from leaves(grow(state, seat, need, planned))
