"""
First melds that are laid together, arranged: against every turn, played by the twin.
"""

from __future__ import annotations

import itertools
import random

from collections import Counter

import pytest

import arranging
import rummyvariants as rv
import turn_twin

from rummyvariants.files._positions import read_position
from rummyvariants.solver import GOALS


OPTIONS = ((), ("COV-02",), ("COV-17",), ("COV-02", "COV-17"), ("COV-04", "COV-02"))
"""Options of contract games that change what a turn may bring."""


def in_round(rules, number, hand, table=(), drawn=None):
    """
    A player with a hand to play from in a round.
    """
    hand = hand.split() if isinstance(hand, str) else [*map(str, hand)]
    seats = [*"NESW"][: max(2, rules.match.players[0])]
    words = [word.partition("=")[0] for meld in table for word in meld.split()[1:]]
    left = Counter(map(str, arranging.Table(rules, len(seats)).deck()))
    left.subtract([*hand, *words])
    rest = sorted(left.elements(), reverse=True)
    hands = {seat: rest[at] for at, seat in enumerate(seats)}
    return read_position(
        {
            "seats": seats,
            "dealer": seats[-1],
            "turn": "N",
            "phase": "play",
            "round": number,
            "drawn": drawn or f"stock {hand[-1]}",
            "stock": " ".join(rest[5:8]),
            "discards": rest[4],
            "table": [*table],
            "hands": {**hands, "N": " ".join(hand)},
        },
        rules,
    )


def hold_against_every_turn(twin, state, goal, *, layoffs=True):
    """
    Play what is arranged, and hold it against every turn.

    Returns:
        Whether something is laid.
    """
    hand = state.hands[state.turn]
    found = rv.arrange(state, goal=goal, layoffs=layoffs)
    about = f"{hand}, {[*map(str, state.table)]}, {goal}, {layoffs=}: {found}"
    after = state
    for action in found.actions:
        ruling = rv.check(after, action)
        assert ruling, f"{action} is {ruling}: {about}"
        after = rv.apply(after, action)
    assert found.exact, about
    assert Counter([*found.left]) == Counter([*after.hands[state.turn]]), about
    best = turn_twin.best_turn(twin, state, goal, layoffs=layoffs)
    worth = sum(state.dealt.terms.worth[card.code] for card in hand)
    got = arranging.value_of(
        goal,
        found.points,
        worth - found.points_left,
        len(hand) - found.cards_left,
    )
    assert got == best, f"there is {best}, not {got}: {about}"
    return bool(found.actions)


def likely_hand(rules, groups, size, chance):
    """
    A hand in which a contract may lie: most of it, some jokers, and other cards.
    """
    deck = [rv.Card(card) for card in map(str, arranging.Table(rules, 3).deck())]
    cards = []
    for kind, number in groups:
        if kind == "set":
            rank = chance.choice("3456789TJQKA")
            cards += [rv.Card(rank + chance.choice("cdhs")) for _ in range(number)]
        else:
            low = chance.randrange(15 - number)
            suit = chance.choice("cdhs")
            track = "A23456789TJQKA"[low : low + number]
            cards += [rv.Card(rank + suit) for rank in track]
    jokers = [rv.Card("*")] * chance.choice([0, 0, 1, 1, 2, 3])
    chance.shuffle(cards)
    kept = cards[: max(0, len(cards) - chance.randint(0, len(jokers) + 1))]
    left = Counter(deck)
    hand = []
    for card in (*jokers, *kept, *chance.sample(deck, len(deck))):
        if left[card] and len(hand) < size:
            left[card] -= 1
            hand.append(card)
    chance.shuffle(hand)
    return hand
