"""
A bot that plays as the careful one does, save where it knows something better.
"""

from __future__ import annotations

import random

from collections.abc import Sequence
from typing import Final

import attrs

from rummyvariants import View
from rummyvariants._support.arguments import explained
from rummyvariants._support.memos import remembered
from rummyvariants.actions import Action
from rummyvariants.bots.advantages import Family, Learned, Rated, packaged
from rummyvariants.bots.base import deciding, first_legal
from rummyvariants.bots.heuristic import CarefulBot, careful
from rummyvariants.bots.knocking import Knocking
from rummyvariants.bots.laying import Laying
from rummyvariants.bots.names import at_least
from rummyvariants.bots.racing import Candidate, raced
from rummyvariants.bots.search import Player
from rummyvariants.bots.turns import whole_turn
from rummyvariants.errors import Seat
from rummyvariants.game._engine.game import is_legal
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.rules import Ruleset


FAMILIES: Final[tuple[Family, ...]] = (
    Knocking(),
    Laying("laying, rummy-500", past=True),
    Laying("laying, rummy-5000", past=True),
    Laying("laying, 2500-house"),
)
"""The families of games that something may have been learned of."""


_TRIED: Final = 3
"""How many rivals are tried out at most."""
_HOPELESS: Final = 2.0
"""By how many spreads a rival that is not tried is expected to be worse."""
_OTHERS: Final = CarefulBot()
"""As whom the other seats are taken to have played."""


@attrs.frozen
class StrongBot:
    """
    Plays as the careful bot does, save where a turn can lay more, or a rival gains.

    What rivals gain was learned from rounds of the careful bot, played on both with its
    choice and with the rival. Where that leaves a choice open, rounds are played out in
    worlds that agree with what the seat has seen. Where nothing was learned, under
    other options too, it differs from the careful bot only in turns that lay more
    points.

    Attributes:
        playouts: How many rounds it may play out for a decision, at most; None for as
            many as were found to pay in the game.

    >>> import random
    >>> view = rv.view(rv.apply(rv.new_game("rummy-500", 2, seed=3), "draw"), 0)
    >>> str(rv.bots.StrongBot(playouts=4).choose(view, random.Random(1)))
    'discard 2s'
    """

    playouts: int | None = attrs.field(
        default=None, validator=attrs.validators.optional(at_least(0))
    )

    @explained
    def choose(self, view: View, rng: random.Random) -> Action:
        """
        Choose the careful bot's action, or a better one; see `Bot`.
        """
        state, seat = view.world, deciding(view.world, view.seat)
        known = _known(state.match.rules, len(state._hands))
        base = careful_turn(state, seat)
        if known is None:
            return base
        rated = known.rated(state, seat, base)
        first = best_known(state, seat, rated, base)
        playouts = known.playouts if self.playouts is None else self.playouts
        if not playouts or state.turns[seat] < known.turns:
            return first
        others = open_to_trial(state, rated, base, first)
        believe = _OTHERS if known.believes else None
        player = playout_player(known, seat)
        return raced(view, first, others, playouts, rng, believe, player)

    @explained
    def decide(self, state: AnyState, seat: Seat) -> Action:
        """
        Choose by what was learned alone, in a state, by what the seat may see of it.
        """
        return strong(state, deciding(state, seat))


def strong(state: AnyState, seat: int) -> Action:
    """
    The strong bot's choice without playouts.

    Args:
        state: A state, or a draft of one, in which the seat may act.
        seat: Who acts.
    """
    known = _known(state.match.rules, len(state._hands))
    base = careful_turn(state, seat)
    return base if known is None else improved(state, seat, known, base)


def careful_turn(state: AnyState, seat: int) -> Action:
    """
    The careful bot's choice, or the first play of a turn that lays more.
    """
    return whole_turn(state, seat, careful(state, seat))


def playout_player(known: Learned, seat: int) -> Player:
    """
    Who plays the rounds out in which a seat's choices are tried.
    """

    def with_wilds(state: AnyState, one: int) -> Action:
        # Without a wild, whole turns rarely lay more, and they take time.
        if one == seat and state._hands[one] & state.dealt.terms.wild_mask:
            return careful_turn(state, one)
        return careful(state, one)

    return with_wilds if known.whole_turns else careful


def improved(state: AnyState, seat: int, known: Learned, base: Action) -> Action:
    """
    A base choice, or the rival of it that is known to gain most.
    """
    return best_known(state, seat, known.rated(state, seat, base), base)


def best_known(
    state: AnyState, seat: int, rated: Sequence[Rated], base: Action
) -> Action:
    """
    A base choice, or the legal one of its rivals that is known to gain most.
    """
    better = [one.action for one in rated if one.is_better]
    return first_legal(state, seat, [*better, base]) if better else base


def open_to_trial(
    state: AnyState, rated: Sequence[Rated], base: Action, first: Action
) -> list[Candidate]:
    """
    The choices that may be better than the first one, though they seem to be worse.

    Args:
        state: A state in which a seat may act.
        rated: The rivals of the base choice.
        base: The base choice.
        first: The choice that what was learned leads to.
    """
    gains = {one.action: one.gain for one in rated}
    expected = gains.get(first, 0.0)
    found = []
    for one in rated:
        spread, lead = one.kind.spread, one.gain - expected
        if one.action == first:
            if spread is not None and expected < _HOPELESS * spread:
                found.append(Candidate(base, -expected, spread))
        elif (
            spread is not None
            and lead > -_HOPELESS * spread
            and is_legal(state, one.action)
        ):
            found.append(Candidate(one.action, lead, spread))
        if len(found) == _TRIED:
            break
    return found


@remembered(8)
def _known(rules: Ruleset, players: int) -> Learned | None:
    """
    What has been learned for a game, if anything.
    """
    found = [one for one in packaged(FAMILIES) if one.holds(rules, players)]
    return found[0] if found else None
