"""
The next deal, as the seed of a game decides it.
"""

from __future__ import annotations

from typing import Final

from rummyvariants._support.arguments import explained
from rummyvariants.actions import Deal
from rummyvariants.cards import CARDS
from rummyvariants.errors import PositionError, RulesError
from rummyvariants.game._chance import SECRET_PLACES, Chance
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.rules._ruleset import Ruleset


_DEALS_AT_MOST: Final = 1_000


def next_dealer(state: AnyState) -> int:
    """
    Who deals next; chance decides where no rule does.
    """
    match = state.match
    if match.next_dealer >= 0:
        return match.next_dealer
    return Chance(str(match.seed), "dealer").below(len(match.players))


@explained
def next_deal(state: AnyState) -> Deal:
    """
    The next deal, from the game's seed.

    >>> state = rv.game.begin("rummy-500", 2, seed=3)
    >>> state = rv.apply(state, rv.game.next_deal(state))
    >>> state == rv.new_game("rummy-500", 2, seed=3)
    True
    """
    match = state.match
    if match.thrown_in >= _DEALS_AT_MOST:
        msg = (
            f"{_DEALS_AT_MOST} deals in a row needed more cards than the deck has; "
            "set deal.too_few to 'short', or use more packs"
        )
        raise RulesError(msg, ["RV-02"])
    if match.seed is None:
        msg = (
            "this game has no seed: begin it with one, such as seed=7, or give the "
            "deck by hand, such as deck='7h 8h 9h'"
        )
        raise PositionError(msg, ["RV-07"])
    chance = Chance(str(match.seed), match.round_number, match.thrown_in)
    deck = match.rules.deck.cards_for(len(match.players))
    order = tuple([CARDS[code] for code in chance.shuffled(deck)])
    places: tuple[int, ...] = ()
    if may_put_back(match.rules):
        places = chance.several(SECRET_PLACES, 1 << 30)
    shuffle = 0
    if match.rules.settled.shuffles:
        shuffle = chance.below(1 << 62)
    cut = 0
    if "remembers_deal" in match.rules.asked:
        cut = 1 + chance.below(len(order) - 1)
    return Deal(order, next_dealer(state), places, shuffle, cut=cut)


def may_put_back(rules: Ruleset) -> bool:
    """
    Whether a card may be buried or put back in a deal of these rules.
    """
    wild = rules.wild
    if rules.deal.is_fixed and not wild.by_any_card:
        return False
    return bool(
        rules.deal.put_back_ranks
        or any(wild.permanent())
        or (not wild.aces and wild.by_any_card)
    )
