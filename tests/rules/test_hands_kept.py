"""Hands whose melds stay in them: what is listed, ruled, arranged and played."""

from __future__ import annotations

import pytest

import hands_kept
import rummyvariants as rv

from amounts import every_third


OTHERS = "3h 4h 4s 6c 6s 7c 7s 8c Tc Jc Qc Kc Ad"


@pytest.mark.parametrize("first", every_third(range(20, 100, 20)))
def test_what_shows_a_hand_is_listed_and_legal(first: int) -> None:
    looked = 0
    for seed in range(first, first + 20):
        try:
            state = hands_kept.position(seed, 6)
        except rv.errors.RulesError:
            continue
        hands_kept.look(state)
        hands_kept.look_closely(state)
        looked += 1
    assert looked > 14


@pytest.mark.long
@pytest.mark.parametrize("number", [3, 5, 7, 10, 13])
def test_what_shows_a_hand_of_any_size_is_listed_and_legal(number: int) -> None:
    looked = 0
    for seed in range(10_000, 10_000 + 1_000 // number):
        try:
            state = hands_kept.position(seed, number)
        except rv.errors.RulesError:
            continue
        hands_kept.look(state)
        if number < 7:
            hands_kept.look_closely(state)
        looked += 1
    assert looked > 800 // number


@pytest.mark.parametrize(
    ("base", "values", "hand", "shown"),
    [
        (
            "three-thirteen",
            {"meld.set_ranks": "A3456789TJQK"},
            "2d 2s 2c Kh",
            "declare Kh: 2c 2d 2s",
        ),
        (
            "straight-gin",
            {"meld.set_ranks": "A3456789TJQK"},
            "2d 2s 2c 5h 6h 7h 9s 9h 9d 9c Kh",
            "knock Kh: 2c 2d 2s / 5h 6h 7h / 9c 9d 9h 9s",
        ),
        (
            "gin-rummy",
            {"wild.twos": True, "meld.natural_ranks": "3"},
            "3d 3s 2c 5h 6h 7h 8h Js Jh Jd Kh",
            "knock Kh: 5h 6h 7h 8h / Jd Jh Js / 2c=3h 3d 3s",
        ),
        (
            "gin-rummy",
            {"wild.twos": True, "meld.natural_ranks": "A2TJK", "meld.runs": False},
            "2c 2s 2h Th Td Ts Js Jh Jd Ac Kh",
            "knock Kh: 2c=2c 2s=2d 2h=2h / Td Th Ts / Jd Jh Js",
        ),
        (
            "indian-rummy",
            {"meld.natural_ranks": "7"},
            "5c 6c 7c 8c Js Qs Ks 9h Th Jh 7d 7s * Ac",
            "declare Ac: 5c 6c 7c 8c / Js Qs Ks / 9h Th Jh / 7d 7s *=7h",
        ),
    ],
)
def test_a_set_of_a_rank_that_makes_none_shows_no_hand(
    base: str, values: dict[str, object], hand: str, shown: str
) -> None:
    cards = hand.split()
    wild = {"three-thirteen": {"wild": "3"}, "indian-rummy": {"wild": "2"}}
    state = rv.position(
        rv.preset(base).with_values(values),
        hands={"N": hand, "S": OTHERS[: 3 * len(cards) - 4]},
        turn="N",
        dealer="S",
        phase="play",
        drawn=f"stock {cards[-1]}",
        discards="4d",
        stock="5d 6d 7d 8d",
        **wild.get(base, {}),
    )
    assert not rv.check(state, shown)
    hands_kept.look(state)
