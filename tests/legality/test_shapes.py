"""Plays as numbers: list and tree, what is filled, and naive twins."""

from __future__ import annotations

import functools
import itertools
import operator
import random

from typing import Any

import pytest

import rummyvariants as rv

from amounts import every_third
from rummyvariants.cards import (
    FIELD,
    RANKS,
    UNIT,
    codes,
    common,
    faces,
    pack,
    present,
    ranks_by_suit,
    size,
)
from rummyvariants.melds._looks import layoffs_on, melds_in
from rummyvariants.melds._meld import Meld
from rummyvariants.melds._reading import read_layoff, read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._filling import (
    Limit,
    counts_of,
    digits_of,
    fillings,
    orders,
)
from rummyvariants.melds.shapes._numbers import LAYOUT
from rummyvariants.melds.shapes._shapes import Filled, Lot, Shapes, shapes_of
from rummyvariants.melds.shapes._track import Track, as_lane, stretches, track_of
from rummyvariants.melds.shapes._walk import grown
from rummyvariants.rulings import Objection
from test_tree import walked


RULES = [
    ("rummy-500", ()),
    ("rummy-500", ("PGV-C2a", "PGV-C4b")),
    ("rummy-5000", ()),
    ("rummy-5000", ("PGV-P4",)),
    ("oklahoma-rummy", ()),
    ("2500-house", ()),
    ("george", ()),
    ("persian-rummy", ("PGV-C4b",)),
]
LIMITS: list[dict[str, Any]] = [
    {},
    {"wild.limit": "one"},
    {"wild.limit": "more naturals"},
    {
        "wild.limit": "one",
        "wild.own_place": "natural",
        "wild.real_card": "moves the wild",
    },
]


def terms_of(base: str, options: tuple[str, ...], values: dict[str, Any]) -> Terms:
    """
    The terms of a first deal.
    """
    rules = rv.preset(base).with_options(*options)
    if not rules.meld.runs:
        values = {key: one for key, one in values.items() if "real" not in key}
    rules = rules.with_values(values)
    state = rv.new_game(rules, rules.match.players[0], seed=1)
    state = rv.game.deal(state) if state.phase == "deal" else state
    return state.dealt.terms


LAID_OUT = {
    ("rummy-500", "7h 8h 9h"): 0x4811800000000,
    ("rummy-500", "9c 9d 9h"): 0x2002C00000000,
    ("rummy-500-pagat", "7h *=8h 9h"): 0x4811800000021,
    ("rummy-500-pagat", "9c *=9d 9h"): 0x2002C00000041,
    ("canasta", "4c 4d 2c=4 *=4"): 0xC000000E100EFFF1,
}


@pytest.mark.parametrize(("name", "meld"), LAID_OUT)
def test_numbers_mean_what_they_meant(name: str, meld: str) -> None:
    """
    Another layout of numbers takes another version.
    """
    terms = terms_of(name, (), {"deck.jokers": 2} if "*" in meld else {})
    shapes = shapes_of(terms)
    cards = rv.Cards([word.partition("=")[0] for word in meld.split()])
    plays = {
        " ".join(map(str, shapes.play(one).cards)): one
        for one in shapes.numbers(shapes.new(cards.bits))
    }
    assert (LAYOUT, plays[meld]) == (1, LAID_OUT[name, meld])


def hand_of(terms: Terms, chance: random.Random) -> int:
    """
    Some cards of the deck, up to four more wilds among them.
    """
    deck = [code for code, number in enumerate(terms.copies) for _ in range(number)]
    chance.shuffle(deck)
    wilds = [code for code in deck if terms.wild[code]][: chance.randrange(5)]
    others = [code for code in deck if not terms.wild[code]]
    row = chance.randrange(4)
    near = [code for code in others if code >> 4 == row][: chance.randrange(8)]
    return pack(wilds + near + others[-chance.randint(1, 6) :])


def tree_of(shapes: Shapes, lots: list[Lot]) -> list[Filled]:
    """
    The plays of some lots, as a walk through their tree meets them.
    """
    return [*walked(grown(shapes, lots, shapes.play, 0))]


@pytest.mark.parametrize("values", every_third(LIMITS), ids=str)
@pytest.mark.parametrize(("base", "options"), RULES)
def test_the_list_is_what_the_tree_holds(
    base: str, options: tuple[str, ...], values: dict[str, Any]
) -> None:
    terms = terms_of(base, options, values)
    shapes = shapes_of(terms)
    chance = random.Random(f"{base} {options} {values}")
    for _ in range(60):
        bits = hand_of(terms, chance)
        code = chance.choice([*codes(bits)])
        everything = [*melds_in(terms, bits)]
        for must in (-1, code):
            need = 0 if must < 0 else FIELD[must]
            lots = shapes.new(bits, need)
            tree = tree_of(shapes, lots)
            assert [*melds_in(terms, bits, must)] == tree
            assert sum(len(lot.parts) * len(lot.wilds) for lot in lots) == len(tree)
            for parts, wilds, most in lots:
                plays = [shapes.play(part + one) for part in parts for one in wilds]
                assert max(len(play.cards) for play in plays) <= most
            assert len({*tree}) == len(tree)
            assert tree == [one for one in everything if not need or one.used & need]
        if not everything:
            continue
        laid = read_meld(terms, chance.choice(everything).cards, 0)
        assert not isinstance(laid, Objection)
        more = hand_of(terms, chance)
        everything = [*layoffs_on(terms, laid, more)]
        for must in (-1, codes(more)[0]):
            need = 0 if must < 0 else FIELD[must]
            tree = tree_of(shapes, shapes.longer(laid, more, need))
            assert [*layoffs_on(terms, laid, more, must)] == tree
            assert tree == [one for one in everything if not need or one.used & need]


@pytest.mark.parametrize("values", every_third(LIMITS), ids=str)
@pytest.mark.parametrize(("base", "options"), RULES)
def test_a_number_means_the_meld_that_its_cards_are_read_as(
    base: str, options: tuple[str, ...], values: dict[str, Any]
) -> None:
    terms = terms_of(base, options, values)
    shapes = shapes_of(terms)
    chance = random.Random(f"melds of {base} {options} {values}")
    for _ in range(40):
        melds = []
        for number in shapes.numbers(shapes.new(hand_of(terms, chance))):
            read = read_meld(terms, shapes.play(number).cards, 1)
            assert isinstance(read, Meld)
            assert_same(shapes.meld(number, 1), read)
            melds.append(read)
        # Twice, since cards that lie beside wilds move when a run grows.
        laid = [chance.choice(melds)] if melds else []
        for seat in (2, 0):
            more, grown_to = hand_of(terms, chance), []
            for meld in laid:
                for number in shapes.numbers(shapes.longer(meld, more)):
                    play = shapes.play(number)
                    read = read_layoff(terms, meld, play.cards, seat, play.side)
                    assert isinstance(read, Meld)
                    assert_same(shapes.enlarged(meld, number, seat), read)
                    grown_to.append(read)
            laid = chance.sample(grown_to, min(3, len(grown_to)))


@pytest.mark.parametrize("values", every_third(LIMITS), ids=str)
@pytest.mark.parametrize(("base", "options"), RULES)
def test_the_fewest_cards_that_use_a_card_are_what_the_list_holds(
    base: str, options: tuple[str, ...], values: dict[str, Any]
) -> None:
    terms = terms_of(base, options, values)
    shapes = shapes_of(terms)
    chance = random.Random(f"fewest of {base} {options} {values}")
    told = set()
    for _ in range(60):
        bits, more = hand_of(terms, chance), hand_of(terms, chance)
        everything = [*melds_in(terms, bits)]
        for code in faces(bits):
            sizes = [len(one.cards) for one in melds_in(terms, bits, code)]
            assert shapes.fewest(bits, code) == min(sizes, default=0)
            told.add(bool(sizes))
        used = functools.reduce(operator.or_, [one.used for one in everything], 0)
        assert not present(used) & terms.natural_mask & ~shapes.reach(bits)
        if everything:
            laid = read_meld(terms, chance.choice(everything).cards, 0)
            assert isinstance(laid, Meld)
            for code in faces(more):
                sizes = [len(one.cards) for one in layoffs_on(terms, laid, more, code)]
                found = shapes.fewest_onto(laid, more, code)
                assert found == min(sizes, default=0)
    assert told == {True, False}


@pytest.mark.parametrize("values", LIMITS, ids=str)
@pytest.mark.parametrize(("base", "options"), RULES)
def test_the_fewest_cards_that_join_two_naturals_are_what_the_list_holds(
    base: str, options: tuple[str, ...], values: dict[str, Any]
) -> None:
    terms = terms_of(base, options, values)
    shapes = shapes_of(terms)
    chance = random.Random(f"joining of {base} {options} {values}")
    told = set()
    for _ in range(30):
        bits = hand_of(terms, chance)
        every = codes(bits)
        held = pack(chance.sample(every, max(len(every) - 2, 0)))
        for code in faces(bits - held):
            mates = common(bits - UNIT[code], held) & terms.natural_mask
            sizes = [
                len(one.cards)
                for one in melds_in(terms, bits, code)
                if size(common(one.used - UNIT[code], mates)) > 1
            ]
            assert shapes.joining(bits, code, mates) == min(sizes, default=0)
            told.add(bool(sizes))
    assert told == {True, False}


def assert_same(one: Meld, other: Meld) -> None:
    """
    That two melds are equal, with all that is worked out about them.
    """
    assert one == other
    for name in ("grows", "real", "takes_wild", "kin"):
        assert getattr(one, name) == getattr(other, name), (name, one)


@pytest.mark.parametrize(("base", "options"), RULES)
def test_numbers_differ_where_plays_differ(base: str, options: tuple[str, ...]) -> None:
    terms = terms_of(base, options, {})
    shapes, chance = shapes_of(terms), random.Random(base)
    for _ in range(60):
        bits = hand_of(terms, chance)
        numbers = shapes.numbers(shapes.new(bits))
        assert sorted({*numbers}) == numbers
        plays = [shapes.play(one) for one in numbers]
        assert [pack(one.card.code for one in cards) for cards, *_ in plays] == [
            used for _, used, _ in plays
        ]
        # What is remembered does not matter.
        again = Shapes(terms)
        assert [again.play(one) for one in reversed(numbers)] == plays[::-1]


def test_a_card_that_is_held_twice_may_be_the_one_that_is_needed() -> None:
    terms = terms_of("rummy-5000", (), {})
    bits = rv.Cards("Kc Kd Kh Kh Ks").bits
    king = rv.Card("Kh").code
    tree = tree_of(shapes_of(terms), shapes_of(terms).new(bits, FIELD[king]))
    assert len(tree) == 4
    assert [*melds_in(terms, bits, king)] == tree


def test_a_run_grows_round_the_corner_as_far_as_it_may() -> None:
    values = {"meld.ace": "round the corner", "deck.packs": 4}
    terms = rv.preset("three-thirteen").with_values(values).terms(4, "9")
    run = read_meld(terms, [rv.melds.Played(one) for one in ("6c", "7c", "8c")], 0)
    assert not isinstance(run, Objection)
    hand = rv.Cards("Kc Ac 2c 9d 9d 9h").bits
    texts = {" ".join(map(str, one.cards)) for one in layoffs_on(terms, run, hand)}
    assert "Kc Ac 2c 9d=3c 9d=4c 9h=5c" in texts


def test_places_for_wilds_are_what_trying_all_finds() -> None:
    chance = random.Random(3)
    for _ in range(400):
        number = chance.randint(1, 9)
        every = (1 << number) - 1
        there = chance.randrange(1 << number)
        home = chance.randrange(1 << number) & ~there
        wilds, most = chance.randint(0, 6), chance.randint(0, 9)
        limit = Limit((most,), own=chance.random() < 0.5)
        old = chance.choice([None, (0, 0), (3, 1)])
        naturals, counted = old or (0, 0)
        slowly = set()
        for holes in range(1 << number):
            own = every & ~holes
            stay, away = own & home, holes.bit_count()
            if own & ~(there | home) or away + stay.bit_count() > wilds:
                continue
            if not limit.allows(
                naturals + (own & there).bit_count(), stay.bit_count(), counted + away
            ):
                continue
            if own or old:
                slowly.add((holes, away, stay, home & holes))
        found = fillings(limit, every, there, home, wilds, old)
        assert len(found) == len({*found})
        assert {*found} == slowly


def test_digits_are_in_the_order_in_which_cards_are_taken() -> None:
    """
    Copies of the first face, then of the next, whatever is complete first.
    """
    pool = (3, 0, 7, 2, 15)
    some = [*itertools.product(*[range(min(number, 3) + 1) for number in pool])]
    some += [(3, 0, 7, 2, 15), (0, 0, 0, 0, 15), (0, 0, 7, 0, 0), (1, 0, 0, 0, 9)]
    taken = {
        counts: [at for at, number in enumerate(counts) for _ in range(number)]
        for counts in some
    }
    assert sorted(taken, key=digits_of) == sorted(taken, key=taken.__getitem__)
    for counts in some:
        assert counts_of(digits_of(counts), len(pool)) == [*counts]
    for number in range(6):
        mine = [one for one in taken if sum(one) == number]
        found = [
            counts_of(one, len(pool))
            for one in orders(tuple(min(one, 3) for one in pool), number)
        ]
        assert found == sorted(map(list, mine), key=digits_of)


@pytest.mark.parametrize(("base", "options"), RULES)
def test_runs_near_a_suit_are_those_of_which_few_cards_are_missing(
    base: str, options: tuple[str, ...]
) -> None:
    along = terms_of(base, options, {}).runs_along
    chance = random.Random(base)
    for _ in range(100):
        ranks = chance.randrange(1 << len(RANKS)) & chance.randrange(1 << len(RANKS))
        for holes in range(4):
            slowly = tuple(
                one
                for one in along.new
                if (one.ranks & ~ranks).bit_count() <= holes and one.ranks & ranks
            )
            assert along.near(ranks, holes) == slowly


TRACKS = [("gin-rummy", 2), ("rummy-500", 3), ("contract-rummy", 3), ("canasta", 4)]
SKIPPING = tuple([(at, at + 2, at + 4) for at in range(9)])
"""Runs of every second rank."""


@pytest.mark.parametrize(
    "track",
    [
        *[rv.preset(name).terms(players).runs_along for name, players in TRACKS],
        track_of("A23456789TJQK", SKIPPING, 3),
        track_of("A234567JQK", stretches("A234567JQK"), 3),
        track_of("A23456789TJQKA23456789TJQK", stretches("A23456789TJQK" * 2), 5),
    ],
)
def test_natural_runs_of_all_suits_are_those_of_each(track: Track) -> None:
    chance = random.Random(f"runs of {track.new}")
    deck = [one for one in range(64) if 1 <= one & 15 <= 13]
    for number in (3, 8, 15, 25):
        for _ in range(100):
            held = pack(chance.sample(deck, number))
            by_suit = [
                as_lane(track.covered(ranks, 0)) << 64 * row
                for row, ranks in enumerate(ranks_by_suit(held))
            ]
            assert track.in_own_places(held) == sum(by_suit)
