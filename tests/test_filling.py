"""What is looked up of melds and lay-offs is what their tree holds, and naive twins."""

from __future__ import annotations

import itertools
import random

from collections.abc import Iterator
from typing import Any

import pytest

import rummyvariants as rv

from rummyvariants.cards import CARDS, FIELD, RANKS, codes, pack, size
from rummyvariants.melds._combos import melds_in, new_melds
from rummyvariants.melds._filling import End
from rummyvariants.melds._layoffs import Growth, LaidEnd, layoffs_on
from rummyvariants.melds._parts import parts, sub_multisets
from rummyvariants.melds._places import (
    left_to_wilds,
    numbers_of,
    parts_of_row,
    which_places,
)
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
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
]


def terms_of(base: str, options: tuple[str, ...], values: dict[str, Any]) -> Terms:
    """
    The terms of a first deal.
    """
    rules = rv.preset(base).with_options(*options).with_values(values)
    state = rv.new_game(rules, rules.match.players[0], seed=1)
    state = rv.deal(state) if state.phase == "deal" else state
    return state.dealt.terms


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


@pytest.mark.parametrize("values", LIMITS, ids=str)
@pytest.mark.parametrize(("base", "options"), RULES)
def test_what_is_looked_up_is_what_the_tree_holds(
    base: str, options: tuple[str, ...], values: dict[str, Any]
) -> None:
    terms = terms_of(base, options, values)
    chance = random.Random(f"{base} {options} {values}")
    for _ in range(60):
        bits = hand_of(terms, chance)
        code = chance.choice([*codes(bits)])
        for must in (-1, code):
            need = 0 if must < 0 else FIELD[must]
            tree = [*walked(new_melds(terms, bits, need, End()))]
            assert [*melds_in(terms, bits, must)] == tree
            assert len(set(tree)) == len(tree)
            assert all(used & need for _, used in tree if need)
        if not tree:
            continue
        laid = read_meld(terms, chance.choice(tree)[0], 0)
        assert not isinstance(laid, Objection)
        more = hand_of(terms, chance)
        for must in (-1, codes(more)[0]):
            need = 0 if must < 0 else FIELD[must]
            growth = Growth(terms, laid, more, need, LaidEnd())
            assert [*layoffs_on(terms, laid, more, must)] == [*walked(growth.start())]


def test_a_card_that_is_held_twice_may_be_the_one_that_is_needed() -> None:
    terms = terms_of("rummy-5000", (), {})
    bits = rv.Cards("Kc Kd Kh Kh Ks").bits
    need = FIELD[rv.Card("Kh").code]
    tree = [*walked(new_melds(terms, bits, need, End()))]
    assert len(tree) == 4
    assert [*melds_in(terms, bits, rv.Card("Kh").code)] == tree


def test_what_is_left_to_wilds_is_what_trying_all_places_finds() -> None:
    chance = random.Random(3)
    for _ in range(400):
        number = chance.randint(1, 9)
        there = chance.randrange(1 << number)
        homes = there & chance.randrange(1 << number)
        wilds, most = chance.randint(0, 6), chance.randint(0, 9)
        counts_homes, new = chance.random() < 0.5, chance.random() < 0.5
        slowly = []
        for out in range(1 << number):
            own = there & ~out
            laid = number - own.bit_count()
            at_home = (own & homes).bit_count()
            if (
                not out & ~there
                and laid <= wilds - at_home
                and laid + (at_home if counts_homes else 0) <= most
                and (own or not new)
            ):
                holes = numbers_of((1 << number) - 1 & ~own)
                slowly.append((numbers_of(out), holes, bool(out & homes)))
        limit = most, counts_homes, new
        assert [*left_to_wilds(number, there, homes, wilds, limit)] == slowly


def test_parts_of_a_row_are_what_each_choice_of_places_allows() -> None:
    for there, wild in itertools.product(range(16), repeat=2):
        homes = there & wild
        for wilds, new in itertools.product(range(4), (False, True)):
            limits = tuple((many // 2, False, new) for many in range(5))
            slowly = [
                (numbers_of(mask), holes)
                for mask in which_places(there, 4, 2, wilds, int(new))
                for at in [numbers_of(mask)]
                for _, holes, _ in left_to_wilds(
                    len(at),
                    sum(bool(there >> -one - 1 & 1) << -n - 1 for n, one in _last(at)),
                    sum(bool(homes >> -one - 1 & 1) << -n - 1 for n, one in _last(at)),
                    wilds,
                    limits[len(at)],
                )
            ]
            found = parts_of_row(4, there, homes, wilds, 2, limits)
            assert [(at, holes) for at, _, holes, _ in found] == slowly
            for at, kept, holes, _ in found:
                assert sorted([*kept, *[at[hole] for hole in holes]]) == [*at]


def _last(numbers: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """
    Numbers with their own, counted from the end.
    """
    return zip(range(-len(numbers), 0), numbers, strict=True)


@pytest.mark.parametrize("seed", range(30))
def test_parts_of_a_multiset_are_listed_in_the_order_of_their_tree(seed: int) -> None:
    chance = random.Random(seed)
    faces = chance.sample([code for code in range(65) if CARDS[code].rank], 4)
    bits = pack([one for one in faces for _ in range(chance.randint(0, 3))])
    for least, most in itertools.product(range(5), repeat=2):
        tree = [*walked(parts(bits, least, most, 0, int))] if most >= least else []
        if size(bits) < least:
            tree = []
        assert [*sub_multisets(bits, least, most)] == tree


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
                for one in along.windows
                if (one[2] & ~ranks).bit_count() <= holes and one[2] & ranks
            )
            assert along.near(ranks, holes) == slowly
            grouped = itertools.chain.from_iterable(along.by_low(ranks, holes))
            assert sorted(grouped) == [*slowly]
