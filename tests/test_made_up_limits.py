"""
Limits on the size of melds that no value sets: everything obeys them.

A third party's `MeldPolicy.largest` is all that says so. What is a meld under it is
what is a meld without it and is no larger, so that the rules without it are the oracle.
"""

from __future__ import annotations

import functools
import itertools
import random

from collections import Counter
from collections.abc import Iterator

import attrs
import pytest

import arranging
import rummyvariants as rv

from rummyvariants import testing
from rummyvariants._support.words import counted
from rummyvariants.files._positions import read_position
from rummyvariants.policies import register_policy
from rummyvariants.policies.meld import MeldPolicy


@register_policy("runs of four at most")
@attrs.frozen(eq=False, repr=False)
class ShortRuns(MeldPolicy):
    """
    No run has more than four cards.
    """

    def largest(self):
        return {"run": (4, "meld.policy")}


@register_policy("sets of three")
@attrs.frozen(eq=False, repr=False)
class SmallSets(MeldPolicy):
    """
    No set has more than three cards.
    """

    def largest(self):
        return {"set": (3, "meld.policy")}


@register_policy("four wilds at most")
@attrs.frozen(eq=False, repr=False)
class FewWilds(MeldPolicy):
    """
    No meld of wilds alone has more than four cards.
    """

    def largest(self):
        return {"wilds": (4, "meld.policy")}


@register_policy("short melds")
@attrs.frozen(eq=False, repr=False)
class ShortMelds(MeldPolicy):
    """
    All melds are short.
    """

    def largest(self):
        return {
            "run": (5, "meld.policy"),
            "set": (4, "meld.policy"),
            "wilds": (3, "meld.policy"),
        }


@register_policy("a rank may be skipped")
@attrs.frozen(eq=False, repr=False)
class Skipping(MeldPolicy):
    """
    A run may leave out one rank within it.
    """

    def stretches(self, deck_ranks):
        plain = super().stretches(deck_ranks)
        inner = [(one, at) for one in plain for at in range(1, len(one) - 1)]
        return (*plain, *{one[:at] + one[at + 1 :] for one, at in inner})


NAMES = (
    "runs of four at most",
    "sets of three",
    "four wilds at most",
    "short melds",
)
HOUSES = (
    {},
    {"wild.wild_melds": True, "wild.jokers": True, "deck.jokers": 6},
    {"meld.ace": "round the corner", "wild.jokers": True, "deck.jokers": 3},
    {"meld.set_suits": "free", "deck.packs": 2, "wild.jokers": True},
    {"wild.limit": "one", "wild.jokers": True, "deck.jokers": 2, "wild.twos": True},
    {"wild.real_card": "beside", "wild.jokers": True, "deck.jokers": 3},
)
"""Values that change what a meld is; none of them lets single wilds lie."""


def tables(seed: str) -> Iterator[tuple[random.Random, rv.Ruleset, rv.Ruleset, str]]:
    """
    Rules with a limit and without it, and a hand for both.
    """
    chance = random.Random(seed)
    for _ in range(60):
        values = {**chance.choice(HOUSES), "layoff.single_wilds": False}
        free = rv.preset("rummy-500-pagat").with_values(values)
        limited = free.with_values({"meld.policy": chance.choice(NAMES)})
        table = arranging.Table(free, 3)
        hand = arranging.random_hand(table, chance, chance.randint(5, 8), 5)
        yield chance, limited, free, " ".join(map(str, hand))


def position(rules: rv.Ruleset, hand: str, table: tuple[str, ...] = ()) -> rv.State:
    """
    A turn in which a hand may be melded.
    """
    deck = Counter(map(str, arranging.Table(rules, 3).deck()))
    words = [word for meld in table for word in meld.split()[1:]]
    deck.subtract([*hand.split(), *[word.partition("=")[0] for word in words]])
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
        },
        rules,
    )


def most_of(rules: rv.Ruleset, meld: rv.Meld) -> int:
    """
    The most cards of the meld's kind.
    """
    return rules.meld.largest().get(meld.kind, (99, ""))[0]


def plays(state: rv.State) -> dict[str, rv.Meld]:
    """
    What may be melded or laid off, and the meld that it leads to.
    """
    found = {}
    for action in rv.legal_actions(state):
        if isinstance(action, rv.LayDown | rv.LayOff):
            after = rv.apply(state, action)
            number = getattr(action, "meld", len(after.table))
            found[str(action)] = after.table[number - 1]
    return found


def chosen(at: rv.Chooser) -> Iterator[str]:
    """
    The actions that all ways of choosing lead to.
    """
    if at.action is not None:
        yield str(at.action)
    for choice in at.choices:
        yield from chosen(at.choose(choice))


TABLE = ("E: 5h 6h 7h", "S: 9c 9d 9h")


@pytest.mark.parametrize("seed", range(2))
def test_lists_and_checks_obey(seed: int) -> None:
    refused = 0
    for chance, limited, free, hand in tables(f"lists {seed}"):
        words = hand.split()
        table = TABLE if not {"5h", "6h", "7h", "9c", "9d", "9h"} & {*words} else ()
        there = position(limited, hand, table)
        every = plays(position(free, hand, table))
        allowed = {
            text for text, meld in every.items() if len(meld) <= most_of(limited, meld)
        }
        about = f"{hand} with {limited.meld.largest()}"
        assert {*plays(there)} == allowed, about
        for text, meld in every.items():
            ruling = rv.check(there, text)
            assert ruling.legal == (text in allowed), f"{text}: {about}"
            if not ruling.legal:
                refused += 1
                most = most_of(limited, meld)
                assert f"has at most {counted(most, 'card')}" in ruling.reason, ruling
        for _ in range(5):
            action = rv.legal_actions(there).sample(chance)
            if isinstance(action, rv.LayDown | rv.LayOff):
                assert str(action) in allowed, about
        assert {*chosen(rv.chooser(there))} == {*map(str, rv.legal_actions(there))}
    assert refused > 20


def best_by_lists(rules: rv.Ruleset, hand: str) -> int:
    """
    The fewest cards left, by all combinations of melds that the list has.
    """
    melds = [
        Counter(played.card for played in action.cards)
        for action in rv.legal_actions(position(rules, hand))
        if isinstance(action, rv.LayDown)
    ]

    @functools.cache
    def least(cards: tuple[rv.Card, ...]) -> int:
        held = Counter(cards)
        best = len(cards)
        for meld in melds:
            if meld <= held:
                best = min(best, least(tuple(sorted((held - meld).elements()))))
        return best

    return least(tuple(sorted(map(rv.Card, hand.split()))))


@pytest.mark.parametrize("seed", range(2))
def test_arrangements_obey(seed: int) -> None:
    for _, limited, free, hand in tables(f"arranged {seed}"):
        if free.wild.lies_beside:
            continue  # a card beside a wild is no meld of the list
        found = rv.arrange_hand(limited, hand, "least cards left", players=3)
        about = f"{hand} with {limited.meld.largest()}: {found}"
        assert found.exact, about
        for meld in found.melds:
            assert len(meld) <= most_of(limited, meld), about
        assert found.cards_left == best_by_lists(limited, hand), about


@pytest.mark.parametrize("name", ["runs of four at most", "sets of three"])
def test_hands_of_gin_obey(name: str) -> None:
    chance = random.Random(name)
    gin = rv.preset("gin-rummy")
    limited = gin.with_values({"meld.policy": name})
    # The same melds where they are laid down, which needs no tables of suits.
    values = {"meld.policy": name, "deck.jokers": 0, "meld.ace": "low"}
    laid = rv.preset("rummy-500-pagat").with_values(values)
    differ = 0
    for _ in range(60):
        cards = arranging.random_hand(arranging.Table(gin, 2), chance, 10)
        hand = " ".join(map(str, cards))
        found = rv.arrange_hand(limited, hand, "least points left")
        free = rv.arrange_hand(gin, hand, "least points left")
        assert found.exact
        assert found.points_left >= free.points_left
        differ += found.points_left > free.points_left
        for meld in found.melds:
            assert len(meld) <= most_of(limited, meld)
        for goal in ("least cards left", "out"):
            here = rv.arrange_hand(limited, hand, goal)
            there = rv.arrange_hand(laid, hand, goal, players=3)
            assert here.cards_left == there.cards_left, f"{hand}: {here}, {there}"
    assert differ


@pytest.mark.parametrize("seed", range(2))
def test_runs_that_skip_a_rank(seed: int) -> None:
    chance, skipped = random.Random(f"skipped {seed}"), 0
    values = {"meld.policy": "a rank may be skipped", "deck.jokers": 0}
    laid = rv.preset("rummy-500-pagat").with_values({**values, "meld.ace": "low"})
    gin = rv.preset("gin-rummy").with_values({"meld.policy": "a rank may be skipped"})
    for _ in range(25):
        ranks = sorted(chance.sample("A23456789TJQK", 7), key="A23456789TJQK".index)
        cards = [rv.Card(rank + "h") for rank in ranks]
        runs = set()
        for size in range(3, len(cards) + 1):
            for part in itertools.combinations(cards, size):
                places = ["A23456789TJQK".index(card.rank) for card in part]
                gaps = places[-1] - places[0] - (size - 1)
                if gaps < 2:
                    runs.add("meld " + " ".join(map(str, part)))
                    skipped += gaps
        state = position(laid, " ".join(map(str, cards)))
        legal = {*map(str, rv.legal_actions(state))}
        assert {one for one in legal if one.startswith("meld")} == runs
        assert {*chosen(rv.chooser(state))} == legal
        for size in range(3, 6):
            for part in itertools.combinations(cards, size):
                text = "meld " + " ".join(map(str, part))
                assert rv.check(state, text).legal == (text in runs), text
        left = best_by_lists(laid, " ".join(map(str, cards)))
        for rules in (laid, gin):
            found = rv.arrange_hand(rules, cards, "least cards left")
            assert (found.cards_left, found.exact) == (left, True)
    assert skipped > 50


@pytest.mark.parametrize(
    ("base", "name"),
    [
        ("rummy-500", "a rank may be skipped"),
        ("rummy-5000", "a rank may be skipped"),
        ("oklahoma-rummy", "sets of three"),
    ],
)
def test_matches_are_played_as_the_kit_demands(base: str, name: str) -> None:
    rules = rv.preset(base).with_values({"meld.policy": name})
    for seed in range(2):
        testing.play_match(rules, 3, seed, 120)
