"""
What a hand is good for, at a glance: no search, and so not every meld.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rummyvariants.actions import LayDown
from rummyvariants.cards import (
    CARDS,
    FIELD,
    JOKER,
    RANKS,
    SUITS,
    UNIT,
    Card,
    code_of,
    codes,
    faces,
    present,
    size,
)
from rummyvariants.melds import OWN_PLACE, place, played, run_code
from rummyvariants.terms import Terms


# Melds without a long search: of each rank and of each run all natural cards, or one
# wild where a single card is wanting.


def naturals(terms: Terms, hand: int) -> Iterator[list[int]]:
    """
    New melds of natural cards, by their codes.
    """
    held = hand & terms.natural_mask
    if terms.sets:
        for rank in terms.ranks:
            cards = _of_rank(terms, held, rank)
            if len(cards) >= terms.least_set:
                yield cards
    if terms.runs:
        for suit, low, length in _stretches(terms, held, 0):
            yield [run_code(terms, suit, at) for at in range(low, low + length)]


def with_a_wild(terms: Terms, hand: int) -> Iterator[list[int]]:
    """
    New melds with one wild card, by their codes, the wild last.
    """
    wilds = list(faces(hand & terms.wild_mask))
    held = hand & terms.natural_mask
    if not wilds:
        return
    if terms.sets:
        for rank in terms.ranks:
            cards = _of_rank(terms, held, rank)
            if cards and len(cards) == terms.least_set - 1:
                yield [*cards, wilds[0]]
    if terms.runs:
        for suit, low, length in _stretches(terms, held, 1):
            run = [run_code(terms, suit, at) for at in range(low, low + length)]
            there = [code for code in run if held & FIELD[code]]
            if len(there) < length:
                yield [*there, wilds[0]]


def _of_rank(terms: Terms, held: int, rank: str) -> list[int]:
    cards = held & terms.rank_masks[rank]
    return list(codes(present(cards) if terms.distinct else cards))


def _stretches(terms: Terms, held: int, holes: int) -> Iterator[tuple[str, int, int]]:
    """
    The runs that some cards make but for so many holes: suit, place, length.
    """
    for suit in terms.suits:
        ranks = 0
        for code in faces(held & _SUIT_MASKS[suit]):
            ranks |= 1 << code % 16 - 1
        if ranks.bit_count() < terms.least_run - holes:
            continue
        for low, length, _ in terms.runs_along.near(ranks, holes):
            yield suit, low, length


_SUIT_MASKS: Final = {
    suit: sum(FIELD[code_of(rank, suit)] for rank in RANKS) for suit in SUITS
}


def declared(terms: Terms, cards: list[int], seat: int) -> LayDown:
    """
    The meld of some codes, a wild among them declared where it stands.
    """
    natural = [code for code in cards if not terms.wild[code]]
    named = [played(code) for code in natural]
    for wild in (code for code in cards if terms.wild[code]):
        ranks = {CARDS[code].rank for code in natural}
        if len(ranks) > 1:
            named.append(played(wild, OWN_PLACE[_hole(terms, natural)]))
        elif terms.distinct:
            (rank,) = ranks
            free = [code_of(rank, suit) for suit in terms.suits]
            suits = [code for code in free if code not in natural]
            named.append(played(wild, OWN_PLACE[suits[0]]))
        else:
            named.append(played(wild, place(ranks.pop())))
    return LayDown(tuple(named), seat)


def _hole(terms: Terms, natural: list[int]) -> int:
    """
    The code of the card that a run lacks: between its cards, or at one of its ends.
    """
    ranks = sum(1 << code % 16 - 1 for code in natural)
    suit = CARDS[natural[0]].suit
    for low, length, _ in terms.runs_along.near(ranks, 1):
        places = [run_code(terms, suit, at) for at in range(low, low + length)]
        missing = [code for code in places if code not in natural]
        if length == len(natural) + 1 and len(missing) == 1:
            return missing[0]
    return natural[0]


def has_company(terms: Terms, hand: int, code: int) -> bool:
    """
    Whether a hand holds a card of the same rank, or a neighbour in the suit.
    """
    card = CARDS[code]
    others = hand - UNIT[code]
    if terms.sets and code != JOKER:
        mates = others & terms.rank_masks[card.rank] & terms.natural_mask
        if size(mates & ~FIELD[code] if terms.distinct else mates):
            return True
    return terms.runs and any(
        others & FIELD[near] & terms.natural_mask for near in _neighbours(terms, card)
    )


def _neighbours(terms: Terms, card: Card) -> Iterator[int]:
    for at, rank in enumerate(terms.track):
        if rank == card.rank:
            for near in terms.track[max(at - 2, 0) : at + 3]:
                if near in RANKS and near != rank:
                    yield code_of(near, card.suit)
