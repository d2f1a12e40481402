"""
Melds of kinds that house rules declare: everything agrees with the words of the rule.

The twin tries every part of a hand. Sets and runs are what they are without the rules,
so that the rules without them are its oracle for these.
"""

from __future__ import annotations

import itertools
import random
import zlib

from collections import Counter
from collections.abc import Iterator

import attrs
import pytest

import arranging
import rummyvariants as rv

from rummyvariants import testing
from rummyvariants.files._positions import read_position
from rummyvariants.melds._meld import Meld, played
from rummyvariants.melds._reading import read_meld
from rummyvariants.melds._tables import Terms
from rummyvariants.melds.shapes._numbers import (
    IN_ORDER,
    KIND_AT_MOST,
    SHAPE,
    codes_of,
    in_order,
    number_of,
)


RANKS = "A23456789TJQK"


def follow(cards: rv.Cards) -> bool:
    places = sorted(RANKS.find(one.rank) for one in cards)
    return places == [*range(places[0], places[0] + len(places))]


@rv.register_rule("meld", "test mixed runs")
@attrs.frozen
class MixedRuns(rv.HouseRule):
    """
    Cards in sequence, {shortest} at least, are a meld, whatever their suits.
    """

    shortest: int = 3

    def _fits(self, cards: rv.Cards) -> bool:
        return follow(cards)

    kinds = (rv.Kind("mixed run", _fits, least="shortest", most=6),)


@rv.register_rule("meld", "test odd fours")
@attrs.frozen
class OddFours(rv.HouseRule):
    """
    Four cards of four suits whose ranks are odd are a meld, and so are court pairs.
    """

    def _odd(self, cards: rv.Cards) -> bool:
        suits = {one.suit for one in cards}
        return len(suits) == 4 and all(one.rank in "A3579" for one in cards)

    def _court(self, cards: rv.Cards) -> bool:
        return all(one.rank in "JQK" for one in cards)

    kinds = (
        rv.Kind("odd four", _odd, least=4, most=4),
        rv.Kind("court", _court, least=2, most=3),
    )


@rv.register_rule("meld", "test whims")
@attrs.frozen
class Whims(rv.HouseRule):
    """
    A third of all cards together, two or more, are a meld for no reason ({seed}).
    """

    seed: int = 0

    def _fits(self, cards: rv.Cards) -> bool:
        text = " ".join([str(self.seed), *map(str, cards)])
        return zlib.crc32(text.encode()) % 3 == 0

    kinds = (rv.Kind("whim", _fits, least=2, most=5),)


HOUSES = (
    {"deck.jokers": 0},
    {"deck.jokers": 2, "wild.jokers": True},
    {"deck.jokers": 3, "wild.jokers": False},
    {"deck.packs": 2, "meld.set_suits": "free", "wild.twos": True},
    {"deck.packs": 2, "meld.set_suits": "distinct", "meld.ace": "low"},
    {"meld.runs": False, "deck.jokers": 0},
    {"meld.sets": False, "meld.least_run": 4, "deck.jokers": 1, "wild.jokers": True},
    {"wild.wild_melds": True, "wild.jokers": True, "deck.jokers": 4},
)


def houses(seed: str, number: int) -> Iterator[tuple[random.Random, rv.Ruleset]]:
    """
    Rules of a table with kinds of melds.
    """
    chance = random.Random(seed)
    for _ in range(number):
        rules = [MixedRuns(chance.choice([3, 3, 4])), OddFours()]
        rules.append(Whims(chance.randrange(1000)))
        chance.shuffle(rules)
        values = {**chance.choice(HOUSES), "layoff.single_wilds": False}
        base = rv.preset("rummy-500-pagat").with_values(values)
        kept = rules[: chance.randint(1, 3)]
        yield chance, base.with_values({"meld.rules": kept})


def position(
    rules: rv.Ruleset, hand: str, table: tuple[str, ...] = (), **more: object
) -> rv.State:
    """
    A turn in which a hand may be melded.
    """
    deck = Counter(map(str, arranging.Table(rules, 3).deck()))
    words = [word for meld in table for word in meld.split()[1:]]
    deck.subtract([*hand.split(), *[word.partition("=")[0] for word in words]])
    assert min(deck.values()) >= 0, (hand, table)
    rest = sorted((+deck).elements())
    return read_position(
        {
            "seats": ["N", "E", "S"],
            "turn": "N",
            "phase": "play",
            "drawn": f"stock {hand.split(maxsplit=1)[0]}",
            "stock": " ".join(rest[3:6]),
            "discards": rest[2],
            "table": [*table],
            "hands": {"N": hand, "E": rest[0], "S": rest[1]},
            **more,
        },
        rules,
    )


class Twin:
    """
    The kind of meld that cards make, by the words of `Kind` alone.
    """

    def __init__(self, rules: rv.Ruleset) -> None:
        self.rules = rules
        self.bare = rules.with_values({"meld.rules": []})
        self.terms: Terms = self.bare.terms(3)
        self.known: dict[tuple[str, str], bool] = {}

    def kind(self, cards: tuple[rv.Card, ...]) -> str:
        """
        The name of the kind, empty for none.
        """
        named = tuple(map(played, [one.code for one in cards]))
        other = read_meld(self.terms, named, 0)
        if isinstance(other, Meld) or any(self.terms.wild[one.code] for one in cards):
            return ""
        for rule in self.rules.meld.rules:
            for kind in rule.kinds:
                if self.makes(rule, kind, cards):
                    return kind.name
        return ""

    def makes(self, rule: rv.HouseRule, kind: rv.Kind, cards: tuple) -> bool:
        """
        Whether cards fit, and grow card by card.
        """
        key = kind.name, " ".join(sorted(map(str, cards)))
        if key not in self.known:
            least, most = kind.sizes(rule)
            number = len(cards)
            self.known[key] = (
                least <= number <= most
                and kind.fits(rule, rv.Cards(cards))
                and (
                    number == least
                    or any(
                        self.makes(rule, kind, cards[:at] + cards[at + 1 :])
                        for at in range(number)
                    )
                )
            )
        return self.known[key]

    def joins(self, kind: str, lying: tuple, more: tuple) -> bool:
        """
        Whether cards may be laid off one after another.
        """
        if self.kind((*lying, *more)) != kind:
            return False
        return len(more) == 1 or any(
            self.joins(kind, lying, more[:at] + more[at + 1 :])
            for at in range(len(more))
        )


def parts(hand: str, least: int, most: int) -> set[tuple[rv.Card, ...]]:
    cards = sorted(map(rv.Card, hand.split()), key=lambda one: one.code)
    sizes = range(least, min(most, len(cards)) + 1)
    return {one for size in sizes for one in itertools.combinations(cards, size)}


def chosen(at: rv.Chooser) -> Iterator[str]:
    """
    The actions that all ways of choosing lead to.
    """
    if at.action is not None:
        yield str(at.action)
    for choice in at.choices:
        yield from chosen(at.choose(choice))


def cards_of(action: rv.LayDown | rv.LayOff) -> str:
    return " ".join(sorted(str(one.card) for one in action.cards))


def kinds_in(rules: rv.Ruleset) -> set[str]:
    return {one.name for rule in rules.meld.rules for one in rule.kinds}


@pytest.mark.parametrize("seed", range(3))
def test_new_melds_are_those_that_the_rules_describe(seed: int) -> None:
    seen: Counter[str] = Counter()
    for chance, rules in houses(f"new {seed}", 8):
        twin = Twin(rules)
        table = arranging.Table(rules, 3)
        for _ in range(3):
            hand = " ".join(map(str, arranging.random_hand(table, chance, 7, 5)))
            state = position(rules, hand)
            every = rv.legal_actions(state)
            found: Counter[tuple[str, str]] = Counter()
            for action in every:
                if isinstance(action, rv.LayDown):
                    kind = rv.apply(state, action).table[-1].kind
                    if kind in kinds_in(rules):
                        found[kind, cards_of(action)] += 1
            expected = {}
            for some in parts(hand, 2, 6):
                kind = twin.kind(some)
                if kind:
                    expected[kind, " ".join(sorted(map(str, some)))] = 1
                    seen[kind] += 1
                    text = [*map(str, some)]
                    chance.shuffle(text)
                    ruling = rv.check(state, f"meld {' '.join(text)}")
                    assert ruling.legal, (hand, text, ruling)
                    assert ruling.rule in {one.name for one in rules.meld.rules}
                elif not any(twin.terms.wild[one.code] for one in some):
                    text = f"meld {' '.join(map(str, some))}"
                    legal = rv.check(position(twin.bare, hand), text).legal
                    assert rv.check(state, text).legal == legal, (hand, text)
            assert found == expected, hand
            texts = [*map(str, every)]
            assert len({*texts}) == len(texts)
            assert sorted(chosen(rv.chooser(state))) == sorted(texts)
            for _ in range(10):
                assert str(every.sample(chance)) in texts
            for action in every:
                assert action in every
                assert rv.check(state, str(action))
    assert min(seen[one] for one in ("mixed run", "odd four", "court", "whim")) > 0


@pytest.mark.parametrize("seed", range(3))
def test_lay_offs_are_those_that_the_rules_describe(seed: int) -> None:
    laid: Counter[int] = Counter()
    for chance, rules in houses(f"on {seed}", 12):
        twin = Twin(rules)
        table = arranging.Table(rules, 3)
        held = [*map(str, arranging.random_hand(table, chance, 12, 5))]
        chance.shuffle(held)
        hand, rest = " ".join(held[:7]), " ".join(held[7:])
        lying = [one for one in parts(rest, 2, 5) if twin.kind(one)]
        for meld in lying[:3]:
            kind = twin.kind(meld)
            there = " ".join(map(str, meld))
            state = position(rules, hand, (f"E: {there}",))
            assert state.table[0].kind == kind
            listed = Counter(
                cards_of(one)
                for one in rv.legal_actions(state)
                if isinstance(one, rv.LayOff)
            )
            expected = {}
            for more in parts(hand, 1, 4):
                text = " ".join(map(str, more))
                legal = twin.joins(kind, meld, more)
                ruling = rv.check(state, f"lay {text} on 1")
                assert ruling.legal == legal, (there, text, ruling)
                if legal:
                    laid[len(more)] += 1
                    expected[" ".join(sorted(map(str, more)))] = 1
                    after = rv.apply(state, f"lay {text} on 1").table[0]
                    codes = [one.code for one in after.cards]
                    assert codes == in_order(codes)
            assert listed == expected, (there, hand)
            assert {*chosen(rv.chooser(state))} == {*map(str, rv.legal_actions(state))}
            for one in {*map(rv.Card, hand.split())}:
                alone = bool(state.table[0].grows >> 4 * one.code & 15)
                assert alone == twin.joins(kind, meld, (one,))
    assert laid[1] > 10
    assert laid[2] > 5


def test_numbers_of_cards_are_in_their_order() -> None:
    chance = random.Random(7)
    hands = [()]
    for _ in range(2000):
        size = chance.randint(1, KIND_AT_MOST)
        hands.append(tuple(in_order(chance.choices(IN_ORDER, k=size))))
    places = {code: at for at, code in enumerate(IN_ORDER)}
    by_place = sorted({*hands}, key=lambda one: [places[code] for code in one])
    numbers = [number_of(one) for one in by_place]
    assert numbers == sorted({*numbers})
    assert [codes_of(one) for one in numbers] == by_place
    most = number_of([IN_ORDER[-1]] * KIND_AT_MOST)
    assert codes_of(most) == (IN_ORDER[-1],) * KIND_AT_MOST
    assert most < 1 << SHAPE


@pytest.mark.parametrize("seed", range(2))
def test_games_are_played_as_the_kit_demands(seed: int) -> None:
    for _, rules in houses(f"games {seed}", 3):
        testing.play_match(rules, 3, seed, 60)
