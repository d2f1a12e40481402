"""
The plays that a hand and a table offer, before the rules of the turn are asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummyvariants.cards import CARDS, FIELD, UNIT, faces
from rummyvariants.game._engine.plays import (
    AnyState,
    Play,
    PlayAction,
    melds_by_number,
    melds_open_to,
    plan,
    refuse_another,
    refuse_layoff,
    terms_of,
)
from rummyvariants.game._state import fits_of
from rummyvariants.game.actions import LayDown, LayOff, PutDown, Split, Swap
from rummyvariants.melds._combos import melds_in
from rummyvariants.melds._layoffs import layoffs_on
from rummyvariants.melds._meld import Meld


def actions_using(
    state: AnyState, seat: int, must: int = -1
) -> Iterator[tuple[PlayAction, int]]:
    """
    The plays that the cards allow, first melds and dead ends not looked at.

    Args:
        state: A state in which the seat may play.
        seat: Who plays.
        must: The code of a card that every play has to use; -1 for none.

    Yields:
        Each play, and the cards that would leave the hand.
    """
    terms = terms_of(state)
    hand = state._hands[seat]
    if state.match.rules.meld.concealed:
        return
    if refuse_another(state) is None:
        for cards, used in melds_in(terms, hand, must):
            yield LayDown(cards, seat), used
    for number, meld in onto(state, seat, must):
        for cards, used, end in layoffs_on(terms, meld, hand, must):
            yield LayOff(cards, number, end, seat), used  # type: ignore[arg-type]
    for put, used in puts(state, seat):
        if must in {-1, put.card.code}:
            yield put, used
    yield from swaps(state, seat, must)
    if must < 0:
        yield from splits(state, seat)


def knocked_on(state: AnyState, seat: int) -> Iterator[LayOff]:
    """
    What may be laid off on the melds of a player who has knocked.
    """
    terms = terms_of(state)
    hand = state._hands[seat]
    for number, meld in onto(state, seat, -1):
        for cards, _, end in layoffs_on(terms, meld, hand):
            yield LayOff(cards, number, end, seat)  # type: ignore[arg-type]


def onto(state: AnyState, seat: int, must: int) -> Iterator[tuple[int, Meld]]:
    """
    The melds that some card of the hand might go on, by a glance.
    """
    if refuse_layoff(state, seat) is not None:
        return
    terms = terms_of(state)
    hand = state._hands[seat]
    wilds = hand & terms.wild_mask
    fits = fits_of(state, seat)
    if not wilds and not fits.single and not hand & (fits.grows | fits.real):
        return
    # Where naturals must outnumber wilds, one of each may fit where a wild does not.
    together = terms.limit == "more naturals"
    for number, meld in melds_open_to(state, seat):
        if meld.kind == "wild":
            if meld.maker != seat:
                continue
        elif not hand & (meld.grows | meld.real):
            if not wilds or not (meld.takes_wild or together):
                continue
        elif must >= 0 and not (meld.kin | terms.wild_mask) & FIELD[must]:
            continue
        yield number, meld


def puts(state: AnyState, seat: int) -> Iterator[tuple[PutDown, int]]:
    """
    The single wilds that a seat might put down.
    """
    has_meld = bool(state._has_meld >> seat & 1)
    if state.match.rules.layoff.refuse_single(has_meld=has_meld, wild=True) is None:
        for code in faces(state._hands[seat] & terms_of(state).wild_mask):
            yield PutDown(CARDS[code], seat), UNIT[code]


def swaps(state: AnyState, seat: int, must: int) -> Iterator[tuple[Swap, int]]:
    """
    The trades of real cards for wilds that a hand might make.
    """
    terms = terms_of(state)
    if terms.real_card != "swap" or refuse_layoff(state, seat) is not None:
        return
    hand = state._hands[seat]
    for number, meld in melds_open_to(state, seat):
        for code in faces(hand & meld.real):
            if must in {-1, code}:
                yield Swap(CARDS[code], number, seat), UNIT[code]


def splits(state: AnyState, seat: int) -> Iterator[tuple[Split, int]]:
    """
    The places where melds might be parted.
    """
    if not state.match.rules.wild.split:
        return
    for number, meld in melds_by_number(state):
        for after in range(3, len(meld) - 2):
            yield Split(number, after, seat), 0


def plans(state: AnyState, seat: int, must: int) -> Iterator[tuple[PlayAction, Play]]:
    """
    The plays of `actions_using` that are not refused, with what they would do.
    """
    for action, _ in actions_using(state, seat, must):
        play = plan(state, seat, action)
        if isinstance(play, Play):
            yield action, play
