"""Positions of gin by the rules that a bot was trained for, and deadwood by trying."""

from __future__ import annotations

import functools
import itertools

import attrs

import rummyvariants as rv

from places import BENCH
from rummyvariants.cards import pack
from rummyvariants.files._positions import read_position


@functools.cache
def rules() -> rv.Ruleset:
    return rv.load_rules(BENCH / "eaai.toml")


def position(
    hand: str,
    *,
    discards: str = "As",
    other: str = "",
    known: str = "",
    top: str = "",
    **more: object,
) -> rv.State:
    """
    A hand of the challenge in which the first player acts; the stock has the rest.

    Args:
        hand: That player's hand; of eleven cards, the last one was drawn.
        discards: The discard pile, the top card last.
        other: What the other player holds and nobody has seen; ten cards in all.
        known: What the other player holds and everybody has seen.
        top: What the stock has on top, not counting the card drawn.
        more: Further keys of the position.
    """
    rest = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    for card in f"{hand} {other} {known} {discards} {top}".split():
        rest.remove(card)
    # Spread over ranks and suits.
    rest = rest[::7] + [card for at, card in enumerate(rest) if at % 7]
    lacking = 10 - len(f"{other} {known}".split())
    theirs = " ".join([other, known, *rest[:lacking]])
    plays = len(hand.split()) == 11
    given = {
        "seats": ["N", "E"],
        "dealer": "E",
        "turn": "N",
        "phase": "play" if plays else "draw",
        "hands": {"N": hand, "E": theirs},
        "discards": discards,
        "stock": " ".join([top, *rest[lacking:]]),
        **({"drawn": f"stock {hand.rsplit(maxsplit=1)[-1]}"} if plays else {}),
        **more,
    }
    state = read_position(given, rules())
    return attrs.evolve(
        state, seen=(0, pack(rv.Card(one).code for one in known.split()))
    )


def turned(state: rv.State, turns: int) -> rv.State:
    """
    A position in which both players have finished so many turns.
    """
    return attrs.evolve(state, turns=(turns, turns))


def naive_points(hand: frozenset[str]) -> int:
    """
    The fewest points unmatched, by trying every meld with the first card or none.
    """
    return _naive_points(tuple(sorted(hand)))


RANKS = "A23456789TJQK"
WORTH = dict(zip(RANKS, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], strict=True))


def _melds_of(first: str, hand: frozenset[str]):
    rank, suit = first
    others = [rank + one for one in "cdhs" if one != suit and rank + one in hand]
    for number in (2, 3):
        for more in itertools.combinations(others, number):
            yield {first, *more}
    for low, high in itertools.combinations(range(14), 2):
        run = {one + suit for one in RANKS[low:high]}
        if len(run) >= 3 and first in run and run <= hand:
            yield run


@functools.cache
def _naive_points(hand: tuple[str, ...]) -> int:
    if not hand:
        return 0
    first, held = hand[0], frozenset(hand)
    return min(
        WORTH[first[0]] + naive_points(held - {first}),
        *(naive_points(held - meld) for meld in _melds_of(first, held)),
        999,
    )
