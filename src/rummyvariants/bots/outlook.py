"""
What a seat can expect of the cards that it does not see.

Every unseen card is taken to be equally likely to lie anywhere in the other hands and
the stock. The number of them that would help, and the number of turns left, give a
rough chance that a card finds partners; nothing here is exact, and nothing is searched.
"""

from __future__ import annotations

import math

from typing import Final

import attrs

from rummyvariants._support.memos import remembered
from rummyvariants.cards import (
    CARDS,
    FIELD,
    JOKER,
    RANKS,
    code_of,
    count,
    faces,
    pack,
    present,
    size,
    total,
)
from rummyvariants.game._engine.plays import AnyState
from rummyvariants.game._state import absent, fits_of, side_of
from rummyvariants.melds import Terms
from rummyvariants.melds._meld import played
from rummyvariants.melds._reading import is_allowed


# Chances of near certainties: a wild finds a place, a card that fits the table is laid
# off, a card of a whole meld is laid.
_WILD: Final = 0.85
_FITTING: Final = 0.9
_FITTING_LATER: Final = 0.6
_MELDED: Final = 0.97
LIKELY: Final = 0.6
"""How likely a hand is to be the lowest with which bots let hands be compared."""
# Counted in some hundreds of rounds in which nobody knocked.
_LATER: Final = 0.86
"""The share of the points of a hand that a turn leaves."""
_SPREAD: Final = 0.25
"""By how much they vary, as a share of what they are at first."""


@attrs.frozen
class Company:
    """
    The cards that can share a meld with a card, as masks of fields.

    Attributes:
        mates: The cards of its rank, itself included; none where there are no sets.
        pairs: The other two cards of each run of three, and the cards that make a run
            with those two.
        all: All of these, and the card itself.
    """

    mates: int
    pairs: tuple[tuple[int, int, int], ...]
    all: int


@remembered(1)
def companies(terms: Terms) -> dict[int, Company]:
    """
    For each card, by its code, the cards that can share a meld with it.
    """
    return {code: _company(terms, code) for code in terms.codes}


def _company(terms: Terms, code: int) -> Company:
    mates = 0
    if terms.sets:
        mates = terms.rank_masks.get(CARDS[code].rank, 0) & terms.natural_mask
    found = _neighbours(terms, code) if terms.runs else {}
    pairs = []
    for one, other in found:
        thirds = {
            third
            for pair in _neighbours(terms, one)
            if other in pair
            for third in pair
            if third != other
        }
        pairs.append((FIELD[one], FIELD[other], sum(FIELD[third] for third in thirds)))
    every = FIELD[code] | mates
    for one, other, _ in pairs:
        every |= one | other
    return Company(mates, tuple(pairs), every)


def _neighbours(terms: Terms, code: int) -> dict[tuple[int, int], None]:
    """
    The pairs of cards, by their codes, that make a run of three with a card.
    """
    card = CARDS[code]
    found: dict[tuple[int, int], None] = {}
    for run in zip(terms.track, terms.track[1:], terms.track[2:], strict=False):
        for at, rank in enumerate(run):
            others = run[:at] + run[at + 1 :]
            if rank == card.rank and all(near in RANKS for near in others):
                one, other = [code_of(near, card.suit) for near in others]
                found[one, other] = None
    return found


@remembered(1)
def sets_take_twins(terms: Terms) -> bool:
    """
    Whether a new set may hold two cards of one suit.
    """
    if not terms.twins or terms.extra is None:
        return terms.twins
    ranks = [
        faces(terms.rank_masks[rank] & terms.natural_mask)
        for rank in terms.ranks
        if rank in terms.set_ranks
    ]
    others = max(ranks, key=len, default=())
    made = [*others[:1], *others, *others][: terms.least_set]
    return not made or is_allowed(terms, [*map(played, made)])


def wilds_fill_sets(terms: Terms) -> bool:
    """
    Whether a wild may be the last card of a smallest set.
    """
    return terms.most_wilds("set")[terms.least_set - 1] > 0


class Outlook:
    """
    What a seat can expect in a state, judging only by what it may see.

    Attributes:
        turns: About how many turns it still has in the round.
        hidden: The cards that it has not seen.
        known: Those that it has seen in the hand of the next opponent.
        share: The share of the hidden cards that is in that hand.
        pile: The discards.
    """

    def __init__(self, state: AnyState, seat: int) -> None:
        terms, hands = state.dealt.terms, state._hands
        self._terms, self._company = terms, companies(terms)
        self.hidden = unseen(state, seat)
        self._twins = sets_take_twins(terms)
        wilds = terms.wild_mask if wilds_fill_sets(terms) else 0
        self._hidden_wilds = size(self.hidden & wilds)
        hidden = max(1, size(self.hidden))
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
        self.following = next_opponent(state, seat)
        self.share = size(hands[self.following]) / hidden
        self.known = state._seen[self.following]
        self.fitting = fitting(state, seat)
        self._fitting_next = fitting(state, self.following)
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
        if self.fitting & FIELD[code]:
            return _FITTING if self._opened else _FITTING_LATER
        coming, hidden = self._coming, self.hidden
        near, misses = self._company[code], 1.0
        own, free = hand & near.mates, near.mates
        if not self._twins and code != JOKER:
            if count(hand, code) > 1:
                return 0.0  # the other one is kept
            own = present(own)
            free &= ~(own * FIELD[0])
        held, wanted = size(own), size(hidden & free)
        if held >= 3:
            return _MELDED
        if held == 2:
            misses *= math.exp(-coming * (wanted + self._hidden_wilds / 2))
        else:
            misses *= 1 - min(1.0, (coming * wanted) ** 2 / 2)
        for one, other, _ in near.pairs:
            has = bool(hand & one), bool(hand & other)
            if all(has):
                return _MELDED
            first = 1.0 if has[0] else coming * size(hidden & one)
            second = 1.0 if has[1] else coming * size(hidden & other)
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
        if self._terms.wild[code] or self._fitting_next & FIELD[code]:
            return 1.0
        known, hidden, share = self.known, self.hidden, self.share
        near = self._company[code]
        held = size(known & near.mates) + share * size(hidden & near.mates)
        useless = math.exp(-held) * (1 + held)
        for pair in near.pairs:
            first, second = [
                1.0 if known & one else share * size(hidden & one) for one in pair[:2]
            ]
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


def chance_of_lowest(state: AnyState, seat: int, points: float) -> float:
    """
    About how likely all other hands are to count more than so many points.
    """
    hidden = unseen(state, seat)
    each = total(state.dealt.terms.worth, hidden) / max(1, size(hidden))
    chance = 1.0
    for other in {*range(len(state._hands))} - {seat, *absent(state)}:
        most = each * size(state._hands[other])
        expected = most * _LATER ** state.turns[other]
        further = (points - expected) / max(1.0, _SPREAD * most)
        chance *= math.erfc(further / math.sqrt(2)) / 2
    return chance


def fitting(state: AnyState, seat: int) -> int:
    """
    The cards that a seat could lay off on melds or trade for their wilds, as a mask.
    """
    fits = fits_of(state, seat)
    return fits.grows | fits.real


def one_or_two(known: int, hidden: int, share: float) -> tuple[float, float]:
    """
    The chances that a hand has exactly one of some cards, and two or more of them.

    Args:
        known: How many of the cards the hand is known to have.
        hidden: How many of them nobody has seen.
        share: The share of the hidden cards that is in the hand.
    """
    none = (1 - share) ** hidden
    one = hidden * share * (1 - share) ** max(0, hidden - 1)
    return ((one, 1 - none - one), (none, 1 - none), (0.0, 1.0))[min(known, 2)]
