"""The shuffle gives the same order everywhere, and every order alike."""

from __future__ import annotations

import itertools

from collections import Counter

import pytest

import rummyvariants as rv

from rummyvariants.game._chance import Chance


def test_numbers_are_the_same_on_every_machine():
    chance = Chance(7, 1, 0)
    numbers = [chance.below(1000) for _ in range(8)]
    assert numbers == [34, 588, 140, 104, 942, 476, 970, 393]


def test_a_shuffle_is_the_same_on_every_machine():
    assert Chance("x").shuffled(range(10)) == [8, 4, 9, 0, 1, 7, 5, 3, 2, 6]


def test_a_game_from_a_seed_is_the_same_on_every_machine():
    state = rv.new_game("rummy-5000", 4, seed=7)
    assert state.dealer == 0
    assert state.wild_rank == "T"
    assert state.stock[:8] == rv.cards.parse_cards("8s 9s 5s 8h Ac Ah 2d 6s")


def test_a_shuffle_asks_for_one_number_below_each_place():
    def asked(chance: Chance, cards: list[int]) -> list[int]:
        for last in range(len(cards) - 1, 0, -1):
            other = chance.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards

    for length in range(40):
        chance, twin = Chance(length), Chance(length)
        for number in (length, 7, 53):
            assert chance.shuffled(range(number)) == asked(twin, [*range(number)])
            assert chance.below(3) == twin.below(3)


@pytest.mark.parametrize("places", [2, 3, 5, 8, 9])
def test_a_shuffle_skips_what_is_too_high(places):
    # Numbers that `below` skips, or does not, by the bound; read ahead by hand.
    high = [(1 << 64) - 1 - at for at in (0, 1, 2, 0, 4, 3, 5)]
    chance, twin = Chance("high"), Chance("high")
    chance._ahead, twin._ahead = [*high], [*high]
    cards = [*range(places)]
    for last in range(places - 1, 0, -1):
        other = twin.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    assert chance.shuffled(range(places)) == cards
    assert [chance.below(99) for _ in range(9)] == [twin.below(99) for _ in range(9)]


def test_the_name_decides():
    def first(*parts: int | str) -> list[int]:
        chance = Chance(*parts)
        return [chance.below(10**6) for _ in range(4)]

    assert first(1, 2) == first("1", "2")
    assert len({tuple(first(*parts)) for parts in ((1, 2), (2, 1), (12,), (1,))}) == 4


def test_every_order_of_four_comes_as_often():
    rounds = 4_800
    counts = Counter(tuple(Chance(n).shuffled("abcd")) for n in range(rounds))
    orders = list(itertools.permutations("abcd"))
    assert set(counts) == set(orders)
    expected = rounds / len(orders)
    chi = sum((counts[order] - expected) ** 2 / expected for order in orders)
    # 23 degrees of freedom: above 49.7 once in a thousand.
    assert chi < 49.7


def test_numbers_below_a_bound_come_as_often():
    chance = Chance("bound")
    counts = Counter(chance.below(10) for _ in range(10_000))
    chi = sum((counts[number] - 1_000) ** 2 / 1_000 for number in range(10))
    # 9 degrees of freedom: above 27.9 once in a thousand.
    assert chi < 27.9


@pytest.mark.parametrize("bound", [0, -3])
def test_a_bound_that_is_none_is_reported(bound):
    with pytest.raises(ValueError, match="positive"):
        Chance(1).below(bound)


def test_other_rounds_and_redeals_have_other_decks():
    state = rv.game.begin("rummy-5000", 4, seed=3)
    first = rv.game.next_deal(state)
    assert rv.game.next_deal(state) == first
    other = rv.game.next_deal(rv.game.begin("rummy-5000", 4, seed=4))
    assert other.cards != first.cards
    assert sorted(map(str, other.cards)) == sorted(map(str, first.cards))
