"""
What rules of one's own see of a game: facts in public types, worked out when read.
"""

from __future__ import annotations

import functools

from collections.abc import Iterable
from typing import Any

import attrs

from rummyvariants.cards import CARDS, Card, Cards, as_cards, pack
from rummyvariants.melds._meld import Meld, is_low_ace
from rummyvariants.melds._tables import Terms


class _OfADeal:
    """
    What the cards of a deal mean.
    """

    __slots__ = ()
    _terms: Terms

    def is_wild(self, card: Card) -> bool:
        """
        Whether a card is wild in this deal.
        """
        return self._terms.wild[card.code]

    def points(self, cards: Meld | Iterable[Card], laid_by: int | None = None) -> int:
        """
        What a meld, or some cards outside of one, are worth.

        Args:
            cards: The meld, or the cards.
            laid_by: The seat whose cards of the meld are counted; None for all.
        """
        terms = self._terms
        if not isinstance(cards, Meld):
            return sum([terms.worth[card.code] for card in cards])
        laid = [(at, one.card, one.seat) for at, one in enumerate(cards.slots)]
        laid += [(one.index, one.card, one.seat) for one in cards.beside]
        found = 0
        for index, card, seat in laid:
            if laid_by in {None, seat}:
                low = is_low_ace(terms, cards, index, card)
                found += terms.low_ace if low else terms.worth[card.code]
        return found


class Turn(_OfADeal):
    """
    A moment of a game, seen from a seat: who plays, or who is asked something.

    Attributes:
        seat: Who it is about.
        memory: What the rule that is asked remembers.
    """

    __slots__ = ("_state", "_terms", "memory", "seat")

    def __init__(self, state: Any, seat: int, memory: Any = None) -> None:
        self._state = state
        self._terms: Terms = state.dealt.terms
        self.seat = seat
        self.memory = memory

    @property
    def players(self) -> int:
        """
        How many play.
        """
        return len(self._state.match.players)

    @property
    def round_number(self) -> int:
        """
        The round, from 1.
        """
        return int(self._state.match.round_number)

    @property
    def scores(self) -> tuple[int, ...]:
        """
        The totals by seat of the rounds that are over.
        """
        found: tuple[int, ...] = self._state.match.scores
        return found

    @property
    def wild_rank(self) -> str:
        """
        The rank that is wild in this deal; empty for none.
        """
        return self._terms.wild_rank

    @property
    def turns_taken(self) -> tuple[int, ...]:
        """
        By seat, the turns finished in this round.
        """
        found: tuple[int, ...] = self._state.turns
        return found

    @property
    def hand(self) -> Cards:
        """
        The hand of the seat.
        """
        return as_cards(self._state._hands[self.seat])

    @property
    def sizes(self) -> tuple[int, ...]:
        """
        By seat, how many cards the hands hold.
        """
        return tuple([len(as_cards(bits)) for bits in self._state._hands])

    @property
    def has_melded(self) -> bool:
        """
        Whether the seat, or its partner, has a meld of its own.
        """
        return bool(self._state._has_meld >> self.seat & 1)

    @property
    def source(self) -> str:
        """
        Where the draw came from: ``stock``, ``discards`` or ``call``; empty before.
        """
        found: str = self._state.drawn.source
        return found

    @property
    def drawn(self) -> tuple[Card, ...]:
        """
        What was drawn this turn, the deepest card of the pile first.
        """
        return tuple([CARDS[code] for code in self._state.drawn._cards])

    @property
    def made(self) -> int:
        """
        How many new melds the turn has brought.
        """
        return int(self._state.drawn.melds)

    @property
    def table(self) -> tuple[Meld, ...]:
        """
        The melds on the table, the dealer's wild left out.
        """
        found: tuple[Meld, ...] = self._state._table
        return found

    @property
    def discards(self) -> tuple[Card, ...]:
        """
        The discard pile, the top card last.
        """
        return tuple([CARDS[code] for code in self._state._discards])

    @property
    def stock_size(self) -> int:
        """
        How many cards the stock holds.
        """
        return len(self._state._stock)

    @property
    def floating(self) -> frozenset[int]:
        """
        The seats that play on without a card.
        """
        mask = self._state._floating
        return frozenset([seat for seat in range(self.players) if mask >> seat & 1])

    @property
    def out(self) -> tuple[int, ...]:
        """
        The seats that went out, the first one first.
        """
        found: tuple[int, ...] = self._state.out
        return found

    @property
    def zones(self) -> tuple[tuple[str, int, tuple[Card, ...]], ...]:
        """
        What lies aside before everybody's eyes: name, seat and cards of each zone.
        """
        return _zones(self._state)


def _zones(state: Any) -> tuple[tuple[str, int, tuple[Card, ...]], ...]:
    return tuple(
        [(one.name, one.seat, one.cards) for one in state._zones if one._seen < 0]
    )


class RoundFacts(_OfADeal):
    """
    A round that is over, before its points are added to the totals.

    Attributes:
        how: ``out``, ``stock``, ``idle``, ``knock``, ``gin`` or ``big gin``.
        so_far: By seat, the points that the values and the rules before have given.
    """

    __slots__ = ("_state", "_terms", "how", "memory", "so_far")

    def __init__(
        self, state: Any, how: str, so_far: tuple[int, ...], memory: Any = None
    ) -> None:
        self._state = state
        self._terms: Terms = state.dealt.terms
        self.how = how
        self.so_far = so_far
        self.memory = memory

    @property
    def players(self) -> int:
        """
        How many play.
        """
        return len(self._state.match.players)

    @property
    def round_number(self) -> int:
        """
        The round, from 1.
        """
        return int(self._state.match.round_number)

    @property
    def scores(self) -> tuple[int, ...]:
        """
        The totals by seat before this round.
        """
        found: tuple[int, ...] = self._state.match.scores
        return found

    @property
    def hands(self) -> tuple[Cards, ...]:
        """
        What is left in the hands, by seat.
        """
        return tuple(map(as_cards, self._state._hands))

    @property
    def table(self) -> tuple[Meld, ...]:
        """
        The melds on the table, the dealer's wild left out.
        """
        found: tuple[Meld, ...] = self._state._table
        return found

    @property
    def out(self) -> tuple[int, ...]:
        """
        The seats that went out, the first one first.
        """
        found: tuple[int, ...] = self._state.out
        return found

    @property
    def turns_taken(self) -> tuple[int, ...]:
        """
        By seat, the turns finished in this round.
        """
        found: tuple[int, ...] = self._state.turns
        return found

    @property
    def zones(self) -> tuple[tuple[str, int, tuple[Card, ...]], ...]:
        """
        What lies aside before everybody's eyes: name, seat and cards of each zone.
        """
        return _zones(self._state)


@attrs.frozen
class MatchFacts:
    """
    A match between two rounds.

    Attributes:
        players: How many play.
        scores: The totals by seat.
        rounds: How many rounds are over.
        out: Who went out first in the last one, if anybody did.
        eliminated: The seats that do not play on.
    """

    players: int
    scores: tuple[int, ...]
    rounds: int
    out: int | None = None
    eliminated: frozenset[int] = frozenset()


@attrs.frozen
class DealFacts:
    """
    A deal that is about to be made.

    Attributes:
        players: How many play.
        round_number: The round, from 1.
        dealer: The dealer's seat.
        scores: The totals by seat of the rounds that are over.
        deck: The whole deck.
    """

    players: int
    round_number: int
    dealer: int
    scores: tuple[int, ...]
    deck: Cards


@functools.lru_cache(maxsize=64)
def as_deck(cards: tuple[int, ...]) -> Cards:
    """
    The cards of a deck, given by their codes.
    """
    return as_cards(pack(cards))


def mask_of(cards: Iterable[Card]) -> int:
    """
    The faces of some cards, all four bits of each.
    """
    found = 0
    for card in cards:
        found |= 15 << 4 * card.code
    return found
