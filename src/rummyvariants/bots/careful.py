"""
A bot that follows experienced players' advice (HR-19).
"""

from __future__ import annotations

import random

from collections.abc import Iterator
from typing import Final

import attrs

from rummyvariants._support.arguments import explained
from rummyvariants.bots.base import deciding, first_legal
from rummyvariants.bots.collecting import collecting
from rummyvariants.bots.guarded import guarded
from rummyvariants.bots.outlook import Outlook
from rummyvariants.bots.plays import wishes
from rummyvariants.bots.weighing import weighed
from rummyvariants.cards import faces
from rummyvariants.errors import Seat
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._views import View
from rummyvariants.game.actions import Action


# Found by trial over some thousands of deals of the library's presets.
_JUNK: Final = 3
"""A card that is taken and cannot be laid costs its points divided by this."""
_LEFT_OVER: Final = 0.3
"""What a card left in the hand costs, as a share of its points."""
_GIFT: Final = 4.0
"""What it costs to discard a card the next player wants, as a share of its points."""
_LAID: Final = 20.0
_GIVEN: Final = 4.0
"""Where cards on the table score nothing, a card that is laid brings the end of the
round nearer, whatever its points: what that is worth, and what it costs to give the
next player such a card.
"""


@attrs.frozen
class CarefulBot:
    """
    Plays as the strategy notes of the rule documents advise (HR-19).

    It lays what it can; takes discards if they bring more points to the table than
    they leave in the hand; calls whenever it can; takes a big hand where it may choose.
    It takes care over the discard: it keeps cards that it is likely to meld before the
    round is over, and discards what the next player does not seem to want, judging by
    the cards seen and those the next player took. It does not discard wilds, the best
    gift of all. Where melds stay in the hand it also counts unseen cards, and after
    some turns it waits for gin, or for a knock that it may undercut, rather than knock
    at once (GR-02). Where the first melds must be certain groups, it plans those that
    unseen cards are most likely to complete.
    """

    @explained
    def choose(self, view: View, rng: random.Random) -> Action:
        """
        Choose the legal action that looks best; see `Bot`.
        """
        del rng
        return careful(view.world, deciding(view.world, view.seat))

    @explained
    def decide(self, state: AnyState, seat: Seat) -> Action:
        """
        Choose the same in a state, by what the seat may see of it.
        """
        return careful(state, deciding(state, seat))


def careful(state: AnyState, seat: int) -> Action:
    """
    The careful bot's choice in a state, or a draft of one, in which the seat may act.
    """
    return first_legal(state, seat, preferred(state, seat))


def preferred(state: AnyState, seat: int) -> Iterator[Action]:
    """
    The careful bot's candidates, best first; some may be illegal.
    """
    return wishes(
        state,
        seat,
        junk=_JUNK,
        spare=_spare,
        concealed=guarded,
        contracted=weighed,
        ranked=collecting,
    )


def _spare(state: AnyState, seat: int) -> list[int]:
    """
    The cards of the hand, the most expendable first.
    """
    worth = state.dealt.terms.worth
    hand = state._hands[seat]
    outlook = Outlook(state, seat)
    scores = state.match.rules.score.counts_table

    def cost(code: int) -> tuple[float, int, int]:
        melds, wanted = outlook.melds(hand, code), outlook.serves_next(code)
        left = _LEFT_OVER * (1 - melds)
        if scores:
            price = worth[code] * (melds - left + _GIFT * wanted)
        else:
            price = _LAID * melds - worth[code] * left + _GIVEN * wanted
        return price, -worth[code], code

    return sorted(faces(hand), key=cost)
