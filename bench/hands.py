"""
Time the best arrangement, for most points, of hands of two packs with jokers.

Run ``python bench/hands.py``, with OR-tools installed for a comparison with CP-SAT. It
prints medians of interleaved rounds, and ratios taken in each round.
"""

from __future__ import annotations

import functools
import random
import statistics
import sys
import time

from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

import rummyvariants as rv

from rummyvariants.cards import UNIT, faces
from rummyvariants.melds._looks import melds_in
from rummyvariants.melds.cover import _runs, _sets
from rummyvariants.rules import _ruleset


sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import arranging


TABLE = arranging.Table(rv.preset("rummy-500"), 5)
SIZES = (10, 15, 20, 25)
HANDS = {"ours": 60, "CP-SAT": 30, "everything": 3}
WARM = 3_000
"""How many other hands fill the tables before warm ones are timed."""


@attrs.frozen
class Figure:
    """
    The figures for one hand size.

    Attributes:
        cards: The number of cards.
        cold: Hands a second, the tables empty before the first hand of a round.
        each: The same with the tables emptied before every hand.
        warm: The same with tables that other hands have filled.
        solver: CP-SAT with one worker, models built anew; 0 if it is not installed.
        everything: Every meld tried for every card; 0 if that takes too long.
        cold_ratio: `cold` to `solver`, the median of the rounds.
        each_ratio: `each` to `solver`.
        warm_ratio: `warm` to `solver`.
    """

    cards: int
    cold: float
    each: float
    warm: float
    solver: float
    everything: float
    cold_ratio: float
    each_ratio: float
    warm_ratio: float


def _forget() -> None:
    """
    Forget all that is remembered of hands and deals.
    """
    for remembered in (_ruleset._terms, _runs._pieces_of, _sets._pieces_of):
        remembered.cache_clear()
    TABLE.rules.terms(TABLE.players)


def measure(rounds: int = 5) -> list[Figure]:
    """
    Measure hands of each size, in interleaved rounds, new hands in every one.
    """
    found = []
    for cards in SIZES:
        found.append(_measure(cards, rounds))
    return found


def _measure(cards: int, rounds: int) -> Figure:
    chance = random.Random(cards)
    deck = TABLE.deck()

    def hands(number: int) -> list[list[rv.Card]]:
        return [chance.sample(deck, cards) for _ in range(number)]

    rates: dict[str, list[float]] = {}
    for _ in range(rounds):
        _forget()
        _rate(rates, "cold", _ours, hands(HANDS["ours"]))
        rates.setdefault("each", []).append(_each(_forget, hands(20)))
        for hand in hands(WARM):
            _ours(hand)
        _rate(rates, "warm", _ours, hands(HANDS["ours"]))
        if _solver() is not None:
            _rate(rates, "solver", _solver(), hands(HANDS["CP-SAT"]))
        if cards <= 10:
            _rate(rates, "everything", _everything, hands(HANDS["everything"]))
    medians = {name: statistics.median(those) for name, those in rates.items()}

    def ratio(name: str) -> float:
        pairs = zip(rates[name], rates.get("solver", ()), strict=False)
        return statistics.median([one / other for one, other in pairs] or [0.0])

    return Figure(
        cards,
        medians["cold"],
        medians["each"],
        medians["warm"],
        medians.get("solver", 0.0),
        medians.get("everything", 0.0),
        ratio("cold"),
        ratio("each"),
        ratio("warm"),
    )


def _rate(
    rates: dict[str, list[float]],
    name: str,
    solve: Callable[[Sequence[rv.Card]], object] | None,
    hands: list[list[rv.Card]],
) -> None:
    assert solve is not None  # noqa: S101 -- called only if it is installed
    start = time.perf_counter()
    for hand in hands:
        solve(hand)
    rates.setdefault(name, []).append(len(hands) / (time.perf_counter() - start))


def _each(forget: Callable[[], None], hands: list[list[rv.Card]]) -> float:
    spent = 0.0
    for hand in hands:
        forget()
        start = time.perf_counter()
        _ours(hand)
        spent += time.perf_counter() - start
    return len(hands) / spent


def _ours(hand: Sequence[rv.Card]) -> rv.Arrangement:
    return rv.arrange_hand(TABLE.rules, hand, players=TABLE.players)


@functools.cache
def _solver() -> Callable[[Sequence[rv.Card]], int] | None:
    try:
        import ortools  # noqa: F401
    except ImportError:
        return None
    return lambda hand: arranging.packing(TABLE, hand)


def _everything(hand: Sequence[rv.Card]) -> int:
    """
    The most points by trying every meld for every card, positions remembered.
    """
    terms = TABLE.rules.terms(TABLE.players)

    @functools.cache
    def best(bits: int) -> int:
        if not bits:
            return 0
        code = faces(bits)[0]
        found = best(bits - UNIT[code])
        for cards, used, _ in melds_in(terms, bits, code):
            second = cards[1].stands_for or cards[1].card
            is_low = second.rank == "2"
            points = sum(
                [
                    TABLE.points(
                        one.card, low=is_low and at == 0 and one.card.rank == "A"
                    )
                    for at, one in enumerate(cards)
                ]
            )
            found = max(found, points + best(bits - used))
        return found

    return best(rv.Cards(hand).bits)


def main() -> None:
    """
    Print the table.
    """
    print("cards      cold   emptied      warm    CP-SAT  all tried   hands a second")
    figures = measure()
    for one in figures:
        print(
            f"{one.cards:5} {one.cold:9,.0f} {one.each:9,.0f} {one.warm:9,.0f} "
            f"{one.solver:9,.0f} {one.everything:10,.1f}"
        )
    for one in figures:
        if one.solver:
            print(
                f"{one.cards:5} cards, times CP-SAT: cold {one.cold_ratio:.1f}, "
                f"emptied for each hand {one.each_ratio:.1f}, warm {one.warm_ratio:.1f}"
            )


if __name__ == "__main__":
    main()
