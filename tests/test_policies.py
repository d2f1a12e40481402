"""
What the policies of the library answer, asked directly.
"""

from __future__ import annotations

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.policies import MatchPolicy, WildPolicy


@pytest.mark.parametrize(
    ("aces", "ranks", "wild"),
    [
        (False, "A23456789TJQK", "23456789TJQK"),
        (True, "A23456789TJQK", "A23456789TJQK"),
        (False, "A3456789TJQK", "3456789TJQK"),
        (True, "A3K", "A3K"),
    ],
)
def test_a_wild_rank_of_each_round_is_one_of_the_deck(
    *, aces: bool, ranks: str, wild: str
) -> None:
    assert WildPolicy(aces=aces).in_rounds(ranks) == wild


@pytest.mark.parametrize(
    ("settlement", "winner", "winners", "paid"),
    [
        ("none", "highest", (1,), (0, 0, 0)),
        ("the differences", "highest", (1,), (-20, 50, -30)),
        ("the differences", "lowest", (2,), (-10, -30, 40)),
        ("the differences", "highest", (0, 1), (10, 30, -40)),
        # Nobody pays whoever is behind, as the winner of a match with bonuses may be.
        ("the differences", "highest", (2,), (0, 0, 0)),
    ],
)
def test_losers_pay_by_how_much_the_winners_are_ahead(
    settlement: str, winner: str, winners: tuple[int, ...], paid: tuple[int, ...]
) -> None:
    policy = MatchPolicy(settlement=settlement, winner=winner)
    assert policy.payments((30, 50, 20), winners) == paid


def test_the_deal_passes_to_the_left() -> None:
    policy = rv.preset("rummy-500").match
    assert [policy.next_dealer(seat, 3) for seat in range(3)] == [1, 2, 0]
    assert attrs.evolve(policy).next_dealer(0, 2) == 1
