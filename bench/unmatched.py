"""
Time the count of deadwood in gin: the points of a hand outside its melds.

Run ``python bench/unmatched.py``, with OpenSpiel installed for a comparison. It prints
medians of interleaved rounds, and ratios taken in each round.
"""

from __future__ import annotations

import importlib.util
import random
import statistics
import time

from collections.abc import Callable
from typing import Any

import attrs

import rummyvariants as rv

from rummyvariants.cards import UNIT, as_cards, faces
from rummyvariants.melds._deadwood import (
    fewest_after_discard,
    fewest_points,
    least_unmatched,
    worth_of,
)
from rummyvariants.melds._tables import Terms


RULES = "gin-rummy"
CARDS = 10
HANDS = 4_000
"""How many hands are counted in a round, all of them new."""
WARM = 40_000
"""How many other hands fill the tables first."""


@attrs.frozen
class Figure:
    """
    The figures of one question.

    Attributes:
        question: The question, with the number of cards.
        rate: Hands a second.
        ratio: The ratio to the rate of OpenSpiel's ``min_deadwood`` for ten cards; 0 if
            that is not installed.
    """

    question: str
    rate: float
    ratio: float


class _Hands:
    """
    New random hands: their terms, and ways to ask about them.
    """

    def __init__(self) -> None:
        state = rv.begin(RULES, 2, seed=0)
        self.deck = [card.code for card in rv.next_deal(state).cards]
        self.chance = random.Random(CARDS)
        self.rules = rv.preset(RULES)
        self.terms: Terms = self.rules.terms(2)
        self.utils: Any = None
        if importlib.util.find_spec("pyspiel"):
            import pyspiel

            self.utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, CARDS)

    def new(self, cards: int, number: int) -> list[int]:
        """
        A number of hands of a given size.
        """
        some = [self.chance.sample(self.deck, cards) for _ in range(number)]
        return [sum([UNIT[code] for code in codes]) for codes in some]

    def theirs(self, bits: int) -> list[int]:
        """
        A hand in OpenSpiel's representation.
        """
        texts = [str(card) for card in as_cards(bits)]
        return [self.utils.card_int(text) for text in texts]


def measure(rounds: int = 9) -> list[Figure]:
    """
    Measure each question in interleaved rounds, new hands in every one.
    """
    hands = _Hands()
    terms, rules = hands.terms, hands.rules
    goal = "least points left"
    questions: dict[str, tuple[int, Callable[[list[int]], list[Any]]]] = {
        f"fewest points, {CARDS} cards": (
            CARDS,
            lambda asked: [fewest_points(terms, bits) for bits in asked],
        ),
        f"the cards unmatched, {CARDS} cards": (
            CARDS,
            lambda asked: [least_unmatched(terms, bits) for bits in asked],
        ),
        f"fewest points after a discard, {CARDS + 1} cards": (
            CARDS + 1,
            lambda asked: [fewest_after_discard(terms, bits) for bits in asked],
        ),
        f"`arrange_hand` for {goal}, {CARDS} cards": (
            CARDS,
            lambda asked: [
                rv.arrange_hand(rules, as_cards(bits), goal) for bits in asked
            ],
        ),
    }
    for bits in hands.new(CARDS + 1, WARM):
        fewest_after_discard(terms, bits)
        fewest_points(terms, bits - UNIT[faces(bits)[0]])
    rates: dict[str, list[float]] = {}

    def counted(given: list[list[int]]) -> list[int]:
        return [hands.utils.min_deadwood(hand) for hand in given]

    for _ in range(rounds):
        for name, (cards, ask) in questions.items():
            rates.setdefault(name, []).append(_rate(ask, hands.new(cards, HANDS)))
        if hands.utils is not None:
            asked = hands.new(CARDS, HANDS)
            given = list(map(hands.theirs, asked))
            # Both sides have to agree.
            for bits, hand in zip(asked[:100], given, strict=False):
                points = hands.utils.min_deadwood(hand)
                if not points == fewest_points(terms, bits) == _checked(terms, bits):
                    raise AssertionError(as_cards(bits))
            rates.setdefault(THEIRS, []).append(_rate(counted, given))
    theirs = rates.get(THEIRS, [])
    return [
        Figure(
            name,
            statistics.median(those),
            statistics.median([a / b for a, b in zip(those, theirs, strict=False)])
            if theirs
            else 0.0,
        )
        for name, those in rates.items()
    ]


THEIRS = f"OpenSpiel's `min_deadwood`, {CARDS} cards"


def _checked(terms: Terms, bits: int) -> int:
    return worth_of(terms, least_unmatched(terms, bits))


def _rate(ask: Callable[[list[Any]], object], hands: list[Any]) -> float:
    start = time.perf_counter()
    ask(hands)
    return len(hands) / (time.perf_counter() - start)


def main() -> None:
    """
    Print the table.
    """
    for one in measure():
        times = f"  {one.ratio:6.2f} x OpenSpiel" if one.ratio else ""
        print(f"{one.question:50} {one.rate:11,.0f} a second{times}")


if __name__ == "__main__":
    main()
