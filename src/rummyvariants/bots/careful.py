"""
A player that follows the advice of those who play these games (HR-19).
"""

from __future__ import annotations

import random

from collections.abc import Iterator
from typing import Final

import attrs

from rummyvariants.bots.base import first_legal
from rummyvariants.bots.guarded import guarded
from rummyvariants.bots.outlook import Outlook
from rummyvariants.bots.plays import wishes
from rummyvariants.cards import faces
from rummyvariants.game._engine.plays import AnyState, terms_of
from rummyvariants.game._views import View
from rummyvariants.game.actions import Action


# Found by trial, over some thousands of deals of the games that come with the library.
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
    held, since there is no greater gift. Where melds stay in the hand it counts unseen
    cards as well, and after some turns it waits for gin, or for another's knock that it
    may undercut, rather than knock at once (GR-02).
    """

    def choose(self, view: View, rng: random.Random) -> Action:
        """
        The legal action that looks best; see `Bot`.
        """
        del rng
        assert view.seat is not None  # noqa: S101 -- a spectator is asked nothing
        return careful(view.world, view.seat)


def careful(state: AnyState, seat: int) -> Action:
    """
    What the careful bot does in any state, or draft of one, in which a seat may act.
    """
    return first_legal(state, seat, preferred(state, seat))


def preferred(state: AnyState, seat: int) -> Iterator[Action]:
    """
    What the careful bot would like to do, the best first; not all of it is legal.
    """
    return wishes(state, seat, junk=_JUNK, spare=_spare, concealed=guarded)


def _spare(state: AnyState, seat: int) -> list[int]:
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

    return sorted(faces(hand), key=cost)
