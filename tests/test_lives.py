"""The runs that a declaration needs: hands divided with them, shown, and counted."""

from __future__ import annotations

import itertools
import random

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import naive
import naive_rounds
import rummyvariants as rv

from rummyvariants.cards import UNIT, as_cards, faces, size
from rummyvariants.melds._deadwood import (
    by_number,
    can_leave,
    division,
    fewest_after_discard,
    fewest_points,
    first_partition,
    least_unmatched,
    partitions,
    worth_of,
)
from rummyvariants.melds._tables import Terms, plain


INDIAN: dict[str, Any] = {
    "deal.by_round": {1: 13},
    "deck.packs": 2,
    "deck.jokers": 1,
    "wild.indicator": "separate",
    "wild.jokers": True,
    "wild.wild_melds": False,
    "meld.set_suits": "distinct",
    "meld.ace": "high or low",
    "out.declare": "with a discard",
    "out.last_turn": False,
    "out.runs": 2,
    "out.pure_runs": 1,
    "score.points": dict.fromkeys("ATJQK", 10),
    "score.wild": 0,
    "score.lives": "all or nothing",
}
GAME = rv.preset("three-thirteen").with_values(INDIAN)
DECLARED = "4h 5h 6h / 9s *=Ts Js / Kc Kd Kh / 3c 3d 3s 8h=3h"
HANDS = {
    "N": "4h 5h 6h 9s * Js Kc Kd Kh 3c 3d 3s 8h Qd",
    "E": "2c 3c 8c Qh Qd Qs 7d 7s 9c 9d Jh Ah 5s",
}
POSITION: dict[str, Any] = {
    "seats": ["N", "E"],
    "turn": "N",
    "phase": "play",
    "wild": "8",
    "drawn": "stock Qd",
    "discards": "2h",
    "hands": HANDS,
}
ONE_RUN = "7c 8c 9c Kc Kd Kh 2c 5s 6s Ah Jc 4d Th"


def played(hands: dict[str, str], lives: str = "all or nothing") -> rv.State:
    """
    A state in which N has drawn and holds what is needed to declare.
    """
    rules = GAME.with_values({"score.lives": lives})
    return rv.position(rules, **{**POSITION, "hands": {**HANDS, **hands}})


# ------------------------------------------------------------------ trying everything


def random_rules(chance: random.Random) -> rv.Ruleset:
    """
    Rules under which few cards make runs with and without wilds.
    """
    long_run = chance.choice([0, 0, 4])
    return GAME.with_values(
        {
            "deck.suits": chance.choice(["cd", "cdh"]),
            "meld.least_run": chance.choice([2, 3, 3]),
            "meld.least_set": chance.choice([2, 3]),
            "meld.set_suits": chance.choice(["distinct", "free"]),
            "meld.ace": chance.choice(["low", "high or low", "round the corner"]),
            "wild.twos": chance.random() < 0.2,
            "wild.limit": chance.choice(["none", "none", "one", "more naturals"]),
            "wild.own_place": chance.choice(["natural", "wild"]),
            "wild.wild_melds": chance.random() < 0.3,
            "out.runs": chance.randint(0 if long_run else 1, 2),
            "out.pure_runs": chance.randint(0, 1),
            "out.long_run": long_run,
            "score.special": {"4c": chance.choice([-3, 0, 9])},
            "score.wild": chance.choice([0, 0, 15, "as the card"]),
            "score.lives": chance.choice(["none", *["all or nothing", "graded"] * 2]),
        }
    )


def random_hand(rules: rv.Ruleset, chance: random.Random, most: int) -> list[rv.Card]:
    deck = [
        card
        for card in rv.next_deal(rv.begin(rules, 2, seed=0)).cards
        if card.rank in "A2345*" and (not card.is_joker or chance.random() < 0.5)
    ]
    return chance.sample(deck, chance.choice([0, *range(3, most + 1), most]))


Way = tuple[tuple[str, ...], tuple[rv.Card, ...]]


def divisions(
    melds: naive.MeldRules, cards: tuple[rv.Card, ...]
) -> Iterator[tuple[tuple[naive.Lying, ...], tuple[rv.Card, ...]]]:
    """
    Every way to divide a hand into melds and cards left over, some more than once.
    """
    if not cards:
        yield (), ()
        return
    first, rest = cards[0], cards[1:]
    for groups, left in divisions(melds, rest):
        yield groups, (first, *left)
    for number in range(1, len(rest) + 1):
        for places in itertools.combinations(range(len(rest)), number):
            part = (first, *[rest[at] for at in places])
            others = tuple(rest[at] for at in range(len(rest)) if at not in places)
            for meld in naive_rounds.melds_of(melds, part):
                for groups, left in divisions(melds, others):
                    yield (meld, *groups), left


def meaning(melds: naive.MeldRules, meld: naive.Lying) -> str:
    if meld.kind == "wilds":
        return repr(("wilds", *sorted(str(card) for card, _, _ in meld.cards)))
    return repr(naive._meaning(melds, meld.kind, meld.cards))


def ways_by_hand(
    rules: rv.Ruleset, melds: naive.MeldRules, hand: list[rv.Card], without: str
) -> set[Way]:
    """
    The ways to divide a hand that count where it needs certain runs.
    """
    lives = naive.lives_of(rules)
    found = set()
    for groups, left in divisions(melds, tuple(sorted(hand))):
        counts = not any(naive.lives_beside(lives, groups)) or without == "none"
        if without in {"all or nothing", "graded"}:
            counts = counts or not groups
        if without == "graded":
            counts = counts or (len(groups) == 1 and naive.is_pure(groups[0]))
        if counts:
            meant = tuple(sorted(meaning(melds, meld) for meld in groups))
            found.add((meant, tuple(sorted(left))))
    return found


def ways_found(terms: Terms, melds: naive.MeldRules, bits: int, most: int) -> list[Way]:
    found = []
    for groups, left in partitions(terms, bits, most):
        meant = [repr(*naive.readings(melds, group)) for group in groups]
        found.append((tuple(sorted(meant)), tuple(as_cards(left))))
    return found


def divided_by_hand(
    chance: random.Random, most: int
) -> tuple[rv.Ruleset, Terms, naive.MeldRules, list[rv.Card]]:
    rules, rank = random_rules(chance), chance.choice("34")
    melds = naive.MeldRules.under(rules, 2, rank)
    return rules, rules.terms(2, rank), melds, random_hand(rules, chance, most)


@pytest.mark.parametrize("seed", range(6))
def test_the_fewest_points_by_trying_everything(seed: int) -> None:
    chance = random.Random(f"lives {seed}")
    kinds, outs = Counter[bool](), Counter[bool]()
    for _ in range(20):
        rules, terms, melds, hand = divided_by_hand(chance, 7)
        about = f"{rules.changes} {terms} {' '.join(map(str, hand))}"
        bits = rv.Cards(hand).bits
        least = naive_rounds.fewest_counted(rules, melds, hand)
        best = division(terms, bits)
        assert (best.points, best.exact) == (least, True), about
        assert fewest_points(terms, bits) == least, about
        assert worth_of(terms, least_unmatched(terms, bits)) == least, about
        groups, left = first_partition(terms, bits)
        assert worth_of(terms, left) == least, about
        assert sum(map(len, groups)) + size(left) == len(hand), about
        found = rv.arrange_hand(
            rules, hand, "least points left", players=2, wild_rank=terms.wild_rank
        )
        assert (found.points_left, found.exact) == (least, True), about
        if hand:
            rests = [bits - UNIT[code] for code in faces(bits)]
            after = [fewest_points(terms, rest) for rest in rests]
            assert fewest_after_discard(terms, bits) == min(after), about
            found = rv.arrange_hand(
                rules, hand, "out", players=2, wild_rank=terms.wild_rank
            )
            lives = naive.lives_of(rules)
            one_point = dict.fromkeys(hand, 1)
            declares = [
                not naive_rounds.fewest_with(
                    melds, one_point, tuple(as_cards(rest)), lives
                )
                for rest in rests
            ]
            assert (found.goes_out, found.exact) == (any(declares), True), about
            outs[any(declares)] += 1
        kinds[least != fewest_points(plain(terms), bits)] += 1
    assert min(kinds.values()) > 2
    assert outs[True]


@pytest.mark.parametrize("seed", range(6))
def test_all_divisions_with_lives_are_found_and_each_once(seed: int) -> None:
    chance = random.Random(f"all with lives {seed}")
    for _ in range(12):
        rules, terms, melds, hand = divided_by_hand(chance, 5)
        about = f"{rules.changes} {terms} {' '.join(map(str, hand))}"
        bits = rv.Cards(hand).bits
        for one, without in (
            (terms, rules.score.lives),
            (by_number(terms), "refused"),
        ):
            ways = ways_by_hand(rules, melds, hand, without)
            for most in (0, 1, 5, 30):
                found = ways_found(one, melds, bits, most)
                assert len(set(found)) == len(found), about
                wanted = {
                    way for way in ways if worth_of(one, rv.Cards(way[1]).bits) <= most
                }
                assert set(found) == wanted, about
                assert can_leave(one, bits, most) == bool(wanted), about
