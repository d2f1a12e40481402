"""
A player that follows the advice of those who play these games (HR-19).
"""

from __future__ import annotations

import itertools
import random

from collections.abc import Iterator
from typing import Final

import attrs

from rummyvariants.actions import Action, Discard, Draw, Pass, Take
from rummyvariants.bots.base import first_legal
from rummyvariants.bots.concealed import concealed
from rummyvariants.bots.outlook import Outlook
from rummyvariants.bots.plays import TRIES, calls, can_lay, plays, sizes
from rummyvariants.cards import CARDS, FIELD, UNIT, faces
from rummyvariants.combos import in_some_meld
from rummyvariants.engine.draws import refuse_draw
from rummyvariants.engine.plays import AnyState, terms_of
from rummyvariants.state import fits_of
from rummyvariants.terms import Terms
from rummyvariants.views import View


# Found by trial, over some thousands of deals of the games that come with the library.
_DEPTH: Final = 10
"""How deep into the discard pile it looks: a bigger pile brings more than it serves."""
_JUNK: Final = 3
"""A card taken that cannot be laid costs a third of its points."""
_LEFT_OVER: Final = 0.3
"""What a card caught in the hand costs, in parts of its points."""
_GIFT: Final = 4.0
"""What a card costs that the next player wants, in parts of its points."""


@attrs.frozen
class CarefulBot:
    """
    Plays as the strategy notes of the rule documents advise (HR-19).

    It lays what it can; takes as many discards as bring more points to the table than
    they leave in the hand; calls whenever it can; takes a big hand where it may choose.
    Its care goes into the discard: it keeps what is likely to be melded before the
    round is over, and parts with what the next player does not seem to want, as far as
    the cards that are seen, and those the next player was seen to take, tell. Wilds are
    held, since there is no greater gift.
    """

    def choose(self, view: View, rng: random.Random) -> Action:
        """
        The legal action that looks best; see `Bot`.
        """
        assert view.seat is not None  # noqa: S101 -- a spectator is asked nothing
        return careful(view.world, view.seat, rng)


def careful(state: AnyState, seat: int, rng: random.Random) -> Action:
    """
    What the careful bot does; see `Decide`.
    """
    del rng
    return first_legal(state, seat, preferred(state, seat))


def preferred(state: AnyState, seat: int) -> Iterator[Action]:
    """
    What may be worth doing, the best first; not all of it need be legal.
    """
    if state.match.rules.meld.concealed and state.phase != "choose":
        yield from concealed(state, seat)
        return
    match state.phase:
        case "draw":
            yield from _draws(state, seat)
        case "play":
            yield from plays(state, seat)
            yield from discards(state, seat)
        case "call":
            yield from calls(state, seat)
            yield Pass(seat)
        case "choose":
            yield from reversed(list(sizes(state, seat)))
        case _:
            yield from discards(state, seat)


def _draws(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The take that brings most, if one brings anything; then the stock.
    """
    terms = terms_of(state)
    worth = terms.worth
    fits = fits_of(state)
    fitting = fits.grows | fits.real
    hand = state._hands[seat]
    before = can_lay(state, seat, hand)
    taken = gained = 0
    takes = []
    top_first = itertools.islice(reversed(state._discards), _DEPTH)
    for count, code in enumerate(top_first, 1):
        taken += UNIT[code]
        gained += worth[code]
        if not fitting & FIELD[code] and not _may_meld(terms, hand + taken, code):
            continue  # whoever has no use for it takes fewer
        more = can_lay(state, seat, hand + taken) - before
        value = more - max(gained - more, 0) // _JUNK
        if more > 0 and value > 0:
            takes.append((-value, count))
    for _, count in itertools.islice(sorted(takes), TRIES):
        yield Take(count, seat)
    yield Draw(seat) if refuse_draw(state) is None else Pass(seat)


def _may_meld(terms: Terms, hand: int, code: int) -> bool:
    """
    A quick look: whether a card of a hand is in some meld of it.
    """
    return terms.wild[code] or in_some_meld(terms, hand, code)


def discards(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The cards of the hand, the one that can best be spared in front.
    """
    worth = terms_of(state).worth
    hand = state._hands[seat]
    outlook = Outlook(state, seat)

    def cost(code: int) -> tuple[float, int, int]:
        melds = outlook.melds(hand, code)
        kept = melds - _LEFT_OVER * (1 - melds)
        given = _GIFT * outlook.serves_next(code)
        return worth[code] * (kept + given), -worth[code], code

    for code in sorted(faces(hand), key=cost):
        yield Discard(CARDS[code], seat)
