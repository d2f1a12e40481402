"""The runs that a declaration needs: hands divided with them, shown, and counted."""

from __future__ import annotations

import itertools
import random

from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

import naive
import naive_rounds
import naive_turns
import rummyvariants as rv

from amounts import every_third
from composition import look_closely
from rummyvariants.cards import UNIT, as_cards, faces, size
from rummyvariants.game._engine.endings import can_knock
from rummyvariants.game.verbs._knocking import plan_knock
from rummyvariants.melds._deadwood import (
    by_number,
    division,
    fewest_after_discard,
    fewest_points,
    least_unmatched,
    worth_of,
)
from rummyvariants.melds._partitions import (
    can_leave,
    first_partition,
    partitions,
)
from rummyvariants.melds._tables import Terms, plain
from rummyvariants.rulings import Objection
from rummyvariants.solver import GOALS
from rummyvariants.testing import do


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


def played(hands: dict[str, str], lives: str) -> rv.State:
    """
    A state in which N has drawn and holds what is needed to declare.
    """
    rules = GAME.with_values({"score.lives": lives})
    return rv.position(rules, **{**POSITION, "hands": {**HANDS, **hands}})


# ---------------------------------------------------------------------- one by one


def declared(hands: dict[str, str], lives: str) -> rv.State:
    return do(played(hands, lives), rv.game.parse_action(f"declare Qd: {DECLARED}", 0))


@pytest.mark.long
@pytest.mark.parametrize(
    ("hand", "none", "all_or_nothing", "graded"),
    [
        # No pure run.
        (HANDS["E"], 44, 92, 92),
        # A pure run, in which the eight of clubs stands for itself, and no other run.
        (ONE_RUN, 44, 93, 77),
        # Both runs: the cards that are left over.
        ("7c 8c 9c 5d 8s 7d Kc Kd Kh 2c Ah Jc 4d", 19, 22, 22),
        # A pure run of six cards is two of three.
        ("2c 3c 4c 5c 6c 7c Kd Jh 9h 5s As 4d Ts", 58, 58, 58),
        # A wild that stands for another card makes no pure run.
        ("7c 8h 9c 5d 8s 7d Kc Kd Kh 2c Ah Jc 4d", 19, 84, 84),
    ],
)
def test_what_a_hand_counts_without_its_lives(
    hand: str, none: int, all_or_nothing: int, graded: int
) -> None:
    for lives, points in (
        ("none", none),
        ("all or nothing", all_or_nothing),
        ("graded", graded),
    ):
        state = played({"E": hand}, lives)
        found = rv.arrange(state, 1, "least points left")
        assert (found.points_left, found.exact, found.goes_out) == (points, True, False)
        alone = rv.solver.arrange_hand(
            state.rules, hand, "least points left", players=2, wild_rank="8"
        )
        assert (alone.points_left, alone.exact, alone.goes_out) == (points, True, False)
        over = declared({"E": hand}, lives)
        assert over.result is not None
        assert over.result.points == (0, points)
        assert naive_rounds.fewest_points(over, over.hands[1]) == points


def test_the_worked_declaration() -> None:
    state = rv.position(GAME, **POSITION)
    assert rv.check(state, f"declare Qd: {DECLARED}")
    assert rv.check(state, "declare Qd")
    for goal in GOALS:
        found = rv.arrange(state, goal=goal)
        assert (found.goes_out, found.exact, found.points_left) == (True, True, 0)
        assert rv.check(state, found.actions[0])
    found = rv.solver.arrange_hand(
        state.rules, HANDS["N"], "out", players=2, wild_rank="8"
    )
    assert (found.goes_out, found.exact, str(found.left)) == (True, True, "Qd")
    every = [
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.Declare)
    ]
    judge = naive_turns.Judge(state)
    assert len(every) == len(set(every)) > 1
    assert all(judge.allows(state, one) for one in every)


@pytest.mark.parametrize("lives", ["none", "all or nothing", "graded"])
@pytest.mark.parametrize(
    ("values", "hand", "melds", "paths", "reason"),
    [
        (
            {},
            "2c 2d 2h 4c 4d 4h 6c 6d 6h Tc Th Ts Td Qd",
            "2c 2d 2h / 4c 4d 4h / 6c 6d 6h / Tc Th Ts Td",
            ("out.runs", "out.pure_runs"),
            "the hand shows no run, and a declaration needs two, one of them pure",
        ),
        (
            {},
            "2c 3c 4c 4d 4h 4s 6c 6d 6h Tc Th Ts Td Qd",
            "2c 3c 4c / 4d 4h 4s / 6c 6d 6h / Tc Th Ts Td",
            ("out.runs",),
            "the hand shows one run, and a declaration needs two, one of them pure",
        ),
        (
            {},
            "2c 3c 8s 5d 6d * 6c 6d 6h Tc Th Ts Td Qd",
            "2c 3c 8s=4c / 5d 6d *=7d / 6c 6d 6h / Tc Th Ts Td",
            ("out.pure_runs",),
            "the hand shows no pure run, and a declaration needs one",
        ),
        (
            {"out.long_run": 4, "out.runs": 1},
            "2c 3c 4c 4d 4h 4s 6c 6d 6h Tc Th Ts Td Qd",
            "2c 3c 4c / 4d 4h 4s / 6c 6d 6h / Tc Th Ts Td",
            ("out.long_run",),
            "the hand shows no run of four cards, and a declaration needs one",
        ),
        (
            {"out.long_run": 4, "out.runs": 0, "out.pure_runs": 0},
            "2c 2d 2h 4c 4d 4h 6c 6d 6h Tc Th Ts Td Qd",
            "2c 2d 2h / 4c 4d 4h / 6c 6d 6h / Tc Th Ts Td",
            ("out.long_run",),
            "the hand shows no run of four cards, and a declaration needs one",
        ),
    ],
)
def test_a_declaration_without_its_lives_is_refused(
    values: dict[str, Any],
    hand: str,
    melds: str,
    paths: tuple[str, ...],
    reason: str,
    lives: str,
) -> None:
    rules = GAME.with_values({**values, "score.lives": lives})
    hands = {"N": hand, "E": "3s 5s 7s 9s Js Ks Ad 3d 7h 9h Jh Kh 2s"}
    state = rv.position(rules, **{**POSITION, "hands": hands})
    action = rv.game.parse_action(f"declare Qd: {melds}", 0)
    assert isinstance(action, rv.actions.Declare)
    wrong = plan_knock(state, 0, action)
    assert isinstance(wrong, Objection)
    assert ((wrong.path, *wrong.also), wrong.reason) == (paths, reason)
    assert rv.check(state, action).reason == reason
    # Without melds it is refused for the same, and nothing like it is listed.
    bare = rv.check(state, "declare Qd")
    assert not bare
    assert bare.reason.startswith("the hand shows")
    assert not can_knock(state, 0)
    assert not [
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.Declare)
    ]
    for goal in GOALS:
        found = rv.arrange(state, goal=goal)
        assert (found.goes_out, found.exact) == (False, True)
        alone = rv.solver.arrange_hand(rules, hand, goal, players=2, wild_rank="8")
        assert (alone.goes_out, alone.exact) == (False, True)


def test_a_declaration_needs_its_lives_whatever_the_hands_count() -> None:
    """
    The melds that leave the least lack a run here, and those that are shown do not.
    """
    rules = GAME.with_values({"score.lives": "none", "deal.by_round": {1: 6}})
    hands = {"N": "5c 6c 7c 5d 6d 7d 2s", "E": "Ks Jh 9s 7s 5h 3s"}
    drawn = {"hands": hands, "drawn": "stock 2s"}
    state = rv.position(rules, **{**POSITION, **drawn})
    assert [str(one) for one in rv.arrange(state, goal="out").actions] == [
        "declare 2s: 5c 6c 7c / 5d 6d 7d"
    ]
    look_closely(state)


@rv.house.register_rule("meld", "no run begins with an ace")
@attrs.frozen
class NoAceRuns(rv.house.HouseRule):
    """
    No run begins with an ace.
    """

    def allows_meld(self, meld: rv.melds.Meld) -> bool:
        return meld.kind != "run" or meld.slots[0].card.rank != "A"


def test_what_a_rule_refuses_is_no_life() -> None:
    house = GAME.with_values({"meld.rules": [NoAceRuns()]})
    hand = rv.Cards("Ac 2c 3c 5d 6d 7d Kc").bits
    for rules, points in ((GAME, 10), (house, 43)):
        terms = rules.terms(2, "8")
        assert fewest_points(terms, hand) == points
        ways = [worth_of(terms, left) for _, left in partitions(terms, hand, 43)]
        assert min(ways) == points
    longer = rv.Cards("Ac 2c 3c 4c 5d 6d 7d Kc").bits
    assert fewest_points(house.terms(2, "8"), longer) == 20


# ------------------------------------------------------------------ trying everything


def random_rules(chance: random.Random) -> rv.Ruleset:
    """
    Rules under which few cards make runs with and without wilds.
    """
    long_run, pure = chance.choice([0, 0, 4]), chance.randint(0, 1)
    return GAME.with_values(
        {
            "deck.suits": chance.choice(["cd", "cdh"]),
            "meld.least_run": chance.choice([2, 3, 3]),
            "meld.least_set": chance.choice([2, 3]),
            "meld.set_suits": chance.choice(["distinct", "free"]),
            "meld.set_wilds": chance.choice(["for a suit", "for any suit"]),
            "meld.ace": chance.choice(["low", "high or low", "round the corner"]),
            "wild.twos": chance.random() < 0.2,
            "wild.limit": chance.choice(["none", "none", "one", "more naturals"]),
            "wild.own_place": chance.choice(["natural", "wild"]),
            "wild.wild_melds": chance.random() < 0.3,
            "out.runs": max(pure, chance.randint(0 if long_run else 1, 2)),
            "out.pure_runs": pure,
            "out.long_run": long_run,
            "score.special": {"4c": chance.choice([-3, 0, 9])},
            "score.wild": chance.choice([0, 0, 15, "as the card"]),
            "score.lives": chance.choice(["none", *["all or nothing", "graded"] * 2]),
        }
    )


def random_hand(rules: rv.Ruleset, chance: random.Random, most: int) -> list[rv.Card]:
    deck = [
        card
        for card in rv.game.next_deal(rv.game.begin(rules, 2, seed=0)).cards
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
    rules: rv.Ruleset, melds: naive.MeldRules, hand: list[rv.Card], *, shown: bool
) -> set[Way]:
    """
    The ways to divide a hand that is counted, or that is shown in a declaration.
    """
    lacking = rules.score.lives
    found = set()
    for groups, left in divisions(melds, tuple(sorted(hand))):
        counts = not any(naive.lives_beside(naive.lives_of(rules), groups))
        if not shown:
            counts = counts or lacking == "none" or not groups
            if lacking == "graded" and len(groups) == 1:
                counts = counts or naive.is_pure(groups[0])
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
    chance: random.Random, most: int, *, alike: bool
) -> tuple[rv.Ruleset, Terms, naive.MeldRules, list[rv.Card]]:
    rules, rank = random_rules(chance), chance.choice("34")
    if alike:
        rules = rules.with_values({"meld.alike": True, "deck.packs": 3})
    melds = naive.MeldRules.under(rules, 2, rank)
    hand = random_hand(rules, chance, most)
    if alike and hand and chance.random() < 0.8:
        # What is left of the hand beside three identical cards.
        one = chance.choice([card for card in hand if not card.is_joker] or hand)
        others = [card for card in hand if card != one]
        hand = [*[one] * (1 if one.is_joker else 3), *others[: most - 3]]
    return rules, rules.terms(2, rank), melds, hand


@pytest.mark.parametrize("seed", every_third(range(6)))
def test_the_fewest_points_by_trying_everything(seed: int) -> None:
    compare_fewest_points(random.Random(f"lives {seed}"), alike=False)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_inv_10_the_fewest_points_beside_identical_cards(seed: int) -> None:
    compare_fewest_points(random.Random(f"alike {seed}"), alike=True)


def compare_fewest_points(chance: random.Random, *, alike: bool) -> None:
    kinds, outs = Counter[bool](), Counter[bool]()
    for _ in range(40 if alike else 20):
        rules, terms, melds, hand = divided_by_hand(chance, 7, alike=alike)
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
        found = rv.solver.arrange_hand(
            rules, hand, "least points left", players=2, wild_rank=terms.wild_rank
        )
        assert (found.points_left, found.exact) == (least, True), about
        if hand:
            rests = [bits - UNIT[code] for code in faces(bits)]
            after = [fewest_points(terms, rest) for rest in rests]
            assert fewest_after_discard(terms, bits) == min(after), about
            found = rv.solver.arrange_hand(
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
    compare_all_divisions(random.Random(f"all with lives {seed}"), alike=False)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_inv_10_all_divisions_with_identical_cards_are_found(seed: int) -> None:
    compare_all_divisions(random.Random(f"all alike {seed}"), alike=True)


def compare_all_divisions(chance: random.Random, *, alike: bool) -> None:
    for _ in range(12):
        rules, terms, melds, hand = divided_by_hand(chance, 5, alike=alike)
        about = f"{rules.changes} {terms} {' '.join(map(str, hand))}"
        bits = rv.Cards(hand).bits
        for one, shown in ((terms, False), (by_number(terms), True)):
            ways = ways_by_hand(rules, melds, hand, shown=shown)
            for most in (0, 1, 5, 30):
                found = ways_found(one, melds, bits, most)
                assert len(set(found)) == len(found), about
                wanted = {
                    way for way in ways if worth_of(one, rv.Cards(way[1]).bits) <= most
                }
                assert set(found) == wanted, about
                assert can_leave(one, bits, most) == bool(wanted), about
