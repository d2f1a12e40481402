"""
What a seat can expect of the cards that it does not see.

Every unseen card is taken to be equally likely to lie anywhere in the other hands and
the stock. The number of them that would help, and the number of turns left, give a
rough chance that a card finds partners; nothing here is exact, and nothing is searched.
"""

from __future__ import annotations

import functools
import math

from typing import Final

from rummyvariants.cards import CARDS, FIELD, RANKS, Card, code_of, pack, size
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._state import absent, fits_of, side_of


# Chances of near certainties: a wild finds a place, a card that fits the table is laid
# off, a card of a whole meld is laid.
_WILD: Final = 0.85
_FITTING: Final = 0.9
_FITTING_LATER: Final = 0.6
_MELDED: Final = 0.97


class Outlook:
    """
    What a seat can expect in a state, judging only by what it may see.

    Attributes:
        turns: About how many turns it still has in the round.
    """

    def __init__(self, state: AnyState, seat: int) -> None:
        self._terms = terms = state.dealt.terms
        hands = state._hands
        seen = state._seen
        self._hidden = unseen(state, seat)
        self._hidden_wilds = size(self._hidden & terms.wild_mask)
        hidden = max(1, size(self._hidden))
        sizes = [
            size(hand)
            for other, hand in enumerate(hands)
            if other != seat and not state._floating >> other & 1
        ]
        # A player with few cards may soon go out; nobody plays on without a stock.
        self.turns = max(
            1.0, min(len(state._stock) / len(hands), 3.0 + min(sizes or [0]))
        )
        self._coming = self.turns / hidden
        following = next_opponent(state, seat)
        self._share = size(hands[following]) / hidden
        self._known = seen[following]
        fits = fits_of(state, seat)
        self._fitting = fits.grows | fits.real
        fits = fits_of(state, following)
        self._fitting_next = fits.grows | fits.real
        self._opened = (
            bool(state._has_meld >> seat & 1)
            or not state.match.rules.layoff.needs_own_meld
        )

    def melds(self, hand: int, code: int) -> float:
        """
        About how likely a card of a hand is to be laid before the round is over.

        Args:
            hand: The hand, which includes the card.
            code: The card.
        """
        terms = self._terms
        if terms.wild[code]:
            return _WILD
        if self._fitting & FIELD[code]:
            return _FITTING if self._opened else _FITTING_LATER
        coming, hidden = self._coming, self._hidden
        misses = 1.0
        if terms.sets:
            mates = terms.rank_masks[CARDS[code].rank] & terms.natural_mask
            held, wanted = size(hand & mates), size(hidden & mates)
            if held >= 3:
                return _MELDED
            if held == 2:
                misses *= math.exp(-coming * (wanted + self._hidden_wilds / 2))
            else:
                misses *= 1 - min(1.0, (coming * wanted) ** 2 / 2)
        if terms.runs:
            for one, other in neighbours(terms.track, CARDS[code]):
                has = bool(hand & FIELD[one]), bool(hand & FIELD[other])
                if all(has):
                    return _MELDED
                first = 1.0 if has[0] else coming * size(hidden & FIELD[one])
                second = 1.0 if has[1] else coming * size(hidden & FIELD[other])
                if any(has):
                    misses *= math.exp(-first * second)
                else:
                    misses *= 1 - min(1.0, first * second)
        return 1 - misses

    def serves_next(self, code: int) -> float:
        """
        About how likely the next player is to have a use for a card.

        Cards that the next player took in the open count in full.
        """
        terms = self._terms
        if terms.wild[code] or self._fitting_next & FIELD[code]:
            return 1.0
        known, hidden, share = self._known, self._hidden, self._share
        useless = 1.0
        if terms.sets:
            mates = terms.rank_masks[CARDS[code].rank] & terms.natural_mask
            held = size(known & mates) + share * size(hidden & mates)
            useless = math.exp(-held) * (1 + held)
        if terms.runs:
            for one, other in neighbours(terms.track, CARDS[code]):
                first = 1.0 if known & FIELD[one] else share * size(hidden & FIELD[one])
                second = (
                    1.0 if known & FIELD[other] else share * size(hidden & FIELD[other])
                )
                useless *= 1 - min(1.0, first * second)
        return 1 - useless


def next_opponent(state: AnyState, seat: int) -> int:
    """
    The next seat of another side that has a turn: who has dropped takes no discard.

    A discard that helps a partner is no loss.
    """
    seats = len(state._hands)
    side, gone = side_of(state, seat), absent(state)
    others = [
        one
        for one in ((seat + step) % seats for step in range(1, seats))
        if not side >> one & 1
    ]
    return next((one for one in others if one not in gone), others[0])


def unseen(state: AnyState, seat: int) -> int:
    """
    The cards of the stock and of other hands that a seat has not seen, as a multiset.
    """
    hands = state._hands
    seen = state._seen
    shown = sum(seen) - seen[seat]
    return sum(hands) - hands[seat] - shown + pack(state._stock)


@functools.lru_cache(maxsize=4096)
def neighbours(track: tuple[str, ...], card: Card) -> tuple[tuple[int, int], ...]:
    """
    The pairs of cards that make a run of three with a card, as codes.

    Args:
        track: The ranks in the order of runs (see `Terms`).
        card: The card.
    """
    found = []
    for at, rank in enumerate(track):
        if rank != card.rank or card.is_joker:
            continue
        for one, other in ((at - 2, at - 1), (at - 1, at + 1), (at + 1, at + 2)):
            if one < 0 or other >= len(track):
                continue
            ranks = track[one], track[other]
            if all(near in RANKS for near in ranks):
                found.append(
                    (code_of(ranks[0], card.suit), code_of(ranks[1], card.suit))
                )
    return tuple(dict.fromkeys(found))
