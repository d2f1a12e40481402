"""
What the policies of the library answer, asked directly.
"""

from __future__ import annotations

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.cards import JOKER, code_of
from rummyvariants.policies import (
    DiscardPolicy,
    LayoffPolicy,
    MatchPolicy,
    StockPolicy,
    WildPolicy,
)
from rummyvariants.policies.deck import refuse_number
from rummyvariants.rulings import Objection


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


@pytest.mark.parametrize(
    ("values", "code", "path", "reason"),
    [
        ({"deck.ranks": "A3456789TJQK"}, code_of("2", "c"), "deck.ranks", "twos"),
        ({"deck.suits": "cdh"}, code_of("2", "s"), "deck.suits", "spades"),
        ({"deck.jokers": 0}, JOKER, "deck.jokers", "jokers"),
    ],
)
def test_a_card_that_the_deck_lacks_is_refused_by_what_it_lacks(
    values: dict[str, object], code: int, path: str, reason: str
) -> None:
    rules = rv.preset("rummy-500").with_values(values)
    refused = refuse_number(rules.deck, rules.terms(3), code, 1)
    assert refused is not None
    assert refused.path == path
    assert refused.reason.endswith(f": the deck has no {reason}")
    assert refuse_number(rules.deck, rules.terms(3), code_of("3", "c"), 1) is None


def test_a_turn_ends_with_one_discard_and_single_wilds_are_an_option() -> None:
    assert DiscardPolicy().discards_owed(taken=b"\x01\x02") == 1
    assert LayoffPolicy().refuse_single(has_meld=True, wild=True) == Objection(
        "layoff.single_wilds", "cards are not put down singly in this game"
    )


@pytest.mark.parametrize(("most", "words"), [(1, "once"), (2, "2 times")])
def test_the_pile_is_turned_over_so_many_times(most: int, words: str) -> None:
    policy = StockPolicy(when_empty="turn over", times=most)
    assert policy.refuse_turning(9, most - 1, fresh=True) is None
    refused = policy.refuse_turning(9, most, fresh=True)
    assert refused is not None
    assert refused.reason == f"the discard pile is turned over {words} at most"


@pytest.mark.parametrize(
    ("boxes", "won", "columns"),
    [
        ((0, 0, 0), False, (0,)),
        ((0, 0, 0), True, (0,)),
        ((1, 0, 0), False, (0,)),
        ((1, 0, 0), True, (0, 1)),
        ((2, 1, 1), True, (0, 1, 2)),
    ],
)
def test_a_column_is_entered_by_a_round_won(
    boxes: tuple[int, ...], columns: tuple[int, ...], *, won: bool
) -> None:
    policy = MatchPolicy(columns=3)
    assert policy.columns_for(boxes, (0, 1, 2), won=won) == columns


def test_an_ace_is_a_high_one_unless_a_run_makes_it_low() -> None:
    ace = code_of("A", "c")
    policy = rv.preset("rummy-500").score
    assert policy.question(ace, wild=False) == "score.points.A"
    assert policy.question(ace, wild=False, low_ace=True) == "score.low_ace"
