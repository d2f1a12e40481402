"""
The bots that choose by rules of thumb: a greedy one, and a careful one (HR-19).
"""

from __future__ import annotations

import random

from typing import ClassVar, Final

import attrs

from rummyvariants import View
from rummyvariants._support.arguments import explained
from rummyvariants.actions import Action
from rummyvariants.bots import concealed, contracts, plays, ranks
from rummyvariants.bots.base import deciding, first_legal
from rummyvariants.bots.plays import Styles
from rummyvariants.errors import Seat
from rummyvariants.game._engine.plays import AnyState


GREEDY: Final = Styles(plays.GREEDY, concealed.GREEDY, contracts.GREEDY, ranks.GREEDY)
CAREFUL: Final = Styles(
    plays.CAREFUL, concealed.CAREFUL, contracts.CAREFUL, ranks.CAREFUL
)
preferred: Final = CAREFUL.wishes
"""The careful bot's candidates, best first; some may be illegal."""


def greedy(state: AnyState, seat: int) -> Action:
    """
    The greedy bot's choice in a state, or a draft of one, in which the seat may act.
    """
    return first_legal(state, seat, GREEDY.wishes(state, seat))


def careful(state: AnyState, seat: int) -> Action:
    """
    The careful bot's choice in a state, or a draft of one, in which the seat may act.
    """
    return first_legal(state, seat, preferred(state, seat))


@attrs.frozen
class HeuristicBot:
    """
    A bot that chooses by what its seat sees of a state, without chance.
    """

    _styles: ClassVar[Styles]

    @explained
    def choose(self, view: View, rng: random.Random) -> Action:
        """
        Choose the legal action that looks best; see `Bot`.
        """
        del rng
        return self.decide(view.world, view.seat)

    @explained
    def decide(self, state: AnyState, seat: Seat | None) -> Action:
        """
        Choose the same in a state, by what the seat may see of it.
        """
        number = deciding(state, seat)
        return first_legal(state, number, self._styles.wishes(state, number))


@attrs.frozen
class GreedyBot(HeuristicBot):
    """
    Lays what it can, most points first, and discards its highest cards.

    It takes discards if that lets it put more points on the table than it adds to its
    hand, calls whenever it can, and keeps no card for what it might become.

    >>> import random
    >>> view = rv.view(rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw"), 0)
    >>> str(rv.bots.GreedyBot().choose(view, random.Random(1)))
    'discard Ah'
    """

    _styles: ClassVar[Styles] = GREEDY


@attrs.frozen
class CarefulBot(HeuristicBot):
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

    >>> import random
    >>> view = rv.view(rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw"), 0)
    >>> str(rv.bots.CarefulBot().choose(view, random.Random(1)))
    'discard 2s'
    """

    _styles: ClassVar[Styles] = CAREFUL
