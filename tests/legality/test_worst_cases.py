"""
Big hands full of wilds, after a big pile was taken: to ask about them is little work.

Work is counted in calls of Python functions, which is the same on every machine, and
not timed. The limits are about three times what was counted when they were written.
"""

from __future__ import annotations

import functools
import itertools
import random
import tracemalloc

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from amounts import rest_is_slow
from effort import within
from rummyvariants.cards import CARDS
from rummyvariants.files._positions import read_position
from rummyvariants.melds._looks import melds_in


HAND = 40
WILDS = 10
TABLES = {
    "sets": ["S: 9c 9d 7h=9", "N: Kc Kd Kh Kc Kd Kh", "S: Qc Qd 7s=Q"],
    "sets with jokers": ["S: 9c 9d *=9", "N: Kc Kd Kh Kc Kd Kh", "S: Qc Qd *=Q"],
    "runs": ["S: 4c 5c 7d=6c", "N: 8d 9d Td Jd Qd Kd", "S: Jh Qh Kh", "N: 9s 9h 7c=9"],
    "long": ["S: 4c 5c *=6c 7c", "N: 3d 4d 5d 6d 7d 8d", "N: 9s 9h *=9d"],
    "jokers": ["S: 4c 5c *=6c", "N: 3d 4d 5d 6d 7d 8d", "S: Jh Qh Kh", "N: 9s 9h *=9d"],
}


@attrs.frozen
class Case:
    """
    A game, and of its positions those with a hand or a pile as big as can be.
    """

    base: str
    options: tuple[str, ...] = ()
    values: Mapping[str, Any] = attrs.field(factory=dict, hash=False)

    def __str__(self) -> str:
        values = [f"{name}={value}" for name, value in self.values.items()]
        return " ".join([self.base, *self.options, *values])

    def rules(self) -> rv.Ruleset:
        """
        The rules; there are packs enough for ten wilds.
        """
        rules = rv.preset(self.base).with_options(*self.options)
        values = {"deck.packs": 3, **self.values}
        if rules.wild.indicator == "none":
            values |= {
                "deck.jokers": 2,
                "deck.jokers_in_all": "by pack",
                "wild.jokers": True,
            }
        return rules.with_values(values)

    def others(self) -> dict[str, str]:
        """
        The hands of the other players, who are as few as can be.
        """
        four = self.rules().match.players[0] > 3
        low = self.low()
        return {"S": low, "E": low} | ({"W": "3s"} if four else {})

    def low(self) -> str:
        """
        A card that fits nothing on the table.
        """
        return "3s" if self.rules().deal.laid_aside else "3h"

    def table(self) -> list[str]:
        """
        The melds of the table: one with a wild, and one long enough to be split.
        """
        rules = self.rules()
        if not rules.meld.runs:
            jokers = rules.wild.indicator == "none"
            return TABLES["sets with jokers" if jokers else "sets"]
        if rules.meld.least_run > 3:
            return TABLES["long"]
        return TABLES["runs" if rules.wild.indicator != "none" else "jokers"]

    def position(self, **keys: Any) -> rv.State:
        """
        The position of the table with what is given.
        """
        rules = self.rules()
        given = {
            "seats": ["N", *self.others()],
            "dealer": [*self.others()][-1],
            "turn": "N",
            "table": self.table(),
            "stock": "3c 3d",
            "partial": True,
            **keys,
        }
        if rules.wild.indicator != "none":
            given["wild"] = "7"
        return read_position(given, rules)

    def cards(self) -> tuple[list[str], list[str]]:
        """
        Ten wilds and many naturals that do not lie on the table, in some order.
        """
        rules = self.rules()
        players = 1 + len(self.others())
        left = Counter(str(CARDS[code]) for code in rules.deck.cards_for(players))
        used = [word.partition("=")[0] for one in self.table() for word in one.split()]
        left.subtract([*[word for word in used if ":" not in word], "3c", "3d", "3h"])
        left.subtract(set(self.others().values()) - {"3h"})
        never = (
            {*rules.deal.laid_aside, self.low()}
            if self.rules().deal.laid_aside
            else set()
        )
        deck = sorted(one for one in left.elements() if one not in never)
        random.Random(2).shuffle(deck)
        probe = self.position(phase="draw", hands={"N": self.low(), **self.others()})
        wild = [rv.Card(one) for one in deck]
        wilds = [str(one) for one in wild if probe.dealt.terms.wild[one.code]]
        return wilds[:WILDS], [one for one in deck if one not in wilds]

    def with_hand(self) -> rv.State:
        """
        Forty cards with ten wilds, one of them drawn from the stock just now.
        """
        wilds, naturals = self.cards()
        hand = wilds + naturals[: HAND - len(wilds)]
        hands = {"N": " ".join(hand), **self.others()}
        return self.position(phase="play", drawn=f"stock {hand[-1]}", hands=hands)

    def with_pile(self) -> rv.State:
        """
        Nine of the cards in the hand, and the others on the discard pile.
        """
        wilds, naturals = self.cards()
        # Of the cards of some rank two are there, for those who need a pair.
        held = naturals[:7] + wilds[:2]
        rest = wilds[2:] + naturals[7 : HAND - len(wilds)]
        random.Random(3).shuffle(rest)
        mates = Counter(card[0] for card in naturals[:7])
        pairs = {rank for rank, number in mates.items() if number > 1}
        rest.sort(key=lambda card: card[0] not in pairs)
        # The deepest of the pile has a pair in the hand, and so has the top.
        pile = [rest[0], *rest[2:], rest[1]]
        hands = {"N": " ".join(held), **self.others()}
        return self.position(phase="draw", hands=hands, discards=" ".join(pile))


_MANY = ("PGV-C2a", "PGV-C4b")
CASES = []
for _base in rv.presets():
    if rv.preset(_base).meld.concealed:
        continue  # nothing is melded in a turn
    for _more in (
        (),
        ("PGV-P4",),
        ("PGV-P2b",),
        ("PGV-P4", "PGV-P2b"),
        ("PGV-P6",),
        ("PGV-P8",),
        ("PGV-P2d",),
        ("PGV-P3",),
        ("PGV-P11",),
        ("PGV-P4", "PGV-P6"),
        ("PGV-P4", "PGV-P2b", "PGV-P6"),
        ("PGV-C4c",),
    ):
        _wild = _MANY if "2" in rv.preset(_base).deck.ranks else _MANY[1:]
        CASES.append(Case(_base, (*_wild, *_more)))
    CASES += [
        Case(_base, _wild, {"wild.limit": limit})
        for limit in ("none", "one", "more naturals")
    ]


def chosen(state: rv.State) -> rv.Action:
    """
    An action chosen step by step.
    """
    chance = random.Random(1)
    chooser = rv.chooser(state)
    while not chooser.is_complete:
        assert 0 < len(chooser.choices) <= rv.game.MOST_CHOICES
        chooser = chooser.choose(chance.choice(chooser.choices))
    assert chooser.action is not None
    return chooser.action


def look(state: rv.State) -> None:
    """
    Ask what is asked of any state.
    """
    moves = rv.legal_actions(state)
    some = within(100_000, lambda: list(itertools.islice(moves, 20)))
    assert some
    assert within(12_000, lambda: bool(moves))
    assert within(20_000, lambda: all(one in moves for one in some))
    assert within(20_000, lambda: [rv.check(state, str(one)) for one in some])
    for seed in range(5):
        chance = random.Random(seed)
        picked = within(20_000, functools.partial(moves.sample, chance.randrange))
        assert picked in moves
    assert within(20_000, lambda: rv.chooser(state).choices)
    assert within(120_000, lambda: chosen(state)) in moves


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_big_hand(case: Case) -> None:
    state = case.with_hand()
    hand = state.hands[0]
    assert len(hand) == HAND
    wild = state.dealt.terms.wild
    assert sum(wild[card.code] for card in hand) >= WILDS - 2
    look(state)
    within(40_000, lambda: [rv.check(state, f"discard {card}") for card in set(hand)])


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_big_pile(case: Case) -> None:
    state = case.with_pile()
    deep = len(state.discards)
    assert deep > 25
    within(
        40_000,
        lambda: [rv.check(state, f"take {one}") for one in range(1, deep + 1)],
    )
    look(state)
    takes = [one for one in range(1, deep + 1) if rv.check(state, f"take {one}")]
    if takes:
        look(rv.apply(state, f"take {takes[-1]}"))


def test_many_wilds_are_put_to_places_without_trying_their_orders() -> None:
    """
    Nine wilds of two faces in a run that begins with the place of one of them.
    """
    state = Case("rummy-500", _MANY).with_hand()
    terms = state.dealt.terms
    hand = rv.Cards("2c 2c 2c 2d 2d 2d 2h 2h 2h 2s Jc").bits
    must = rv.Card("Jc").code
    ways = melds_in(terms, hand, must)
    assert within(200_000, lambda: [one for one in ways if len(one.cards) == 10])


@pytest.mark.parametrize(
    "number", [15_000, pytest.param(100_000, marks=pytest.mark.slow)]
)
def test_memory_stays_small_however_many_actions_are_listed(number: int) -> None:
    state = Case("rummy-5000").with_hand()
    moves = iter(rv.legal_actions(state))
    for _ in itertools.islice(moves, 1_000):
        pass  # what is remembered for all states of the deal
    tracemalloc.start()
    try:
        listed = sum(1 for _ in itertools.islice(moves, number))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert listed == number
    assert peak < 4 * 2**20


# ------------------------------------------------------- hands that stay in the hand


CONCEALED = (
    {},
    {"wild.limit": "one"},
    {"wild.limit": "more naturals", "wild.own_place": "natural"},
    {"meld.set_suits": "free"},
    {"meld.set_wilds": "for any suit"},
    {"meld.least_set": 2, "meld.least_run": 2},
    {"deck.jokers": 2, "wild.jokers": True},
)


def concealed(values: Mapping[str, Any], cards: int, wilds: int, seed: int) -> rv.State:
    """
    A hand of two packs with twos wild, just drawn to, where players knock.
    """
    rules = (
        rv.preset("oklahoma-gin")
        .with_options("R5V-12", "R5V-26", "PGV-C6a", "GRV-05a")
        .with_values({"deck.more_packs": True, **values})
    )
    wild, chance = rules.terms(2).wild, random.Random(seed)
    deck = [CARDS[code] for code in rules.deck.cards_for(2)]
    chance.shuffle(deck)
    deck.sort(key=lambda card: not wild[card.code])
    at = sum(wild[card.code] for card in deck)
    hand = [*deck[:wilds], *deck[at : at + cards - wilds]]
    rest = deck[at + cards - wilds :]
    return read_position(
        {
            "seats": ["N", "S"],
            "dealer": "S",
            "turn": "N",
            "phase": "play",
            "upcard": "Td",
            "drawn": f"stock {hand[-1]}",
            "stock": " ".join(map(str, rest[12:16])),
            "discards": " ".join(map(str, rest[10:12])),
            "hands": {
                "N": " ".join(map(str, hand)),
                "S": " ".join(map(str, rest[:10])),
            },
        },
        rules,
    )


def _play_a_knock(
    state: Callable[[], rv.State],
    chance: Callable[[int], int],
    limit: int,
    verb: str = "knock",
) -> None:
    """
    Asks for an action, rules on a knock, and chooses one where there is any.
    """
    one = within(limit, functools.partial(rv.legal_actions(state()).sample, chance))
    assert rv.check(state(), one)
    thrown = max(state().hands[0])
    within(limit, functools.partial(rv.check, state(), f"{verb} {thrown}"))
    step = rv.chooser(state())

    def choices() -> Sequence[object]:
        return within(limit, lambda: step.choices)

    if verb not in map(str, choices()):
        return
    step = step.choose(verb)
    last = choices()[-1]
    text = f"{verb} {last}".removesuffix(" no discard")
    assert within(limit, functools.partial(rv.check, state(), text))
    step = step.choose(last)
    step = step.choose(choices()[0])
    while step.action is None:
        step = step.choose(step.choices[0])
    assert rv.apply(step.state, step.action)


@pytest.mark.long
@pytest.mark.parametrize("values", CONCEALED, ids=str)
@pytest.mark.parametrize(("cards", "wilds"), [(11, 8), (30, 4), (30, 8), (45, 8)])
@pytest.mark.parametrize("seed", range(2))
def test_a_big_hand_where_melds_stay_in_it(
    values: Mapping[str, Any], cards: int, wilds: int, seed: int
) -> None:
    def state() -> rv.State:
        # The tables of a deal are made anew with its rules.
        return concealed(values, cards, wilds, seed)

    # What is asked first fills tables that all deals share.
    for limit in (100_000, 20_000):
        _play_a_knock(state, random.Random(seed).randrange, limit)
    asked = state()
    found = within(200_000, lambda: rv.arrange(asked, goal="least points left"))
    for action in found.actions:
        assert rv.check(asked, action)


@pytest.mark.long
@pytest.mark.parametrize("wilds", [0, 2, 4, 8])
@pytest.mark.parametrize("seed", range(3))
def test_the_biggest_hand_that_is_declared(wilds: int, seed: int) -> None:
    """
    Fourteen cards of four packs, kings wild.
    """
    chance = random.Random(f"{wilds} {seed}")

    def state() -> rv.State:
        rules = rv.preset("three-thirteen").with_values({"deck.least_packs": 4})
        deck = [CARDS[code] for code in rules.deck.cards_for(2)]
        random.Random(seed).shuffle(deck)
        deck.sort(key=lambda card: card.rank != "K")
        hand = [*deck[:wilds], *deck[16 : 30 - wilds]]
        return rv.position(
            rules,
            seats=["N", "S"],
            dealer="S",
            turn="N",
            phase="play",
            round=11,
            wild="K",
            drawn=f"stock {hand[-1]}",
            stock=" ".join(map(str, deck[60:64])),
            discards=str(deck[59]),
            hands={
                "N": " ".join(map(str, hand)),
                "S": " ".join(map(str, deck[40:53])),
            },
        )

    for limit in (100_000, 20_000):
        _play_a_knock(state, chance.randrange, limit, "declare")
    asked = state()
    found = within(200_000, lambda: rv.arrange(asked, goal="least points left"))
    assert found.exact
    for action in found.actions:
        assert rv.check(asked, action)


# ----------------------------------------------------------- first melds laid together


TOGETHER = (
    "7c 7d 7h 7s 8c 8d 8h 8s 9c 9d 9h * * * *",
    "3c 3c 4c 4c 5c 5c 6c 7c 8c 9c Tc * * * *",
    "3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc * * * *",
    "2c 4h 4s 6c 6d 8h 8s Tc Td Qh Qs * * * *",
    "7c 7c 8c 8c 9c 9c 7d 7d 8d 8d 9d 9d * * *",
)
"""Fifteen cards, several of them jokers, in which many contracts lie."""
CALLS_TOGETHER = 16_000_000
"""Most of them list what may be laid first, where that is tens of thousands of ways."""
LYING = ("E: 5h 6h *=7h 8h", "E: Kc Kd *=K", "S: 9s Ts Js Qs", "S: 2d 3d 4d 5d")


@pytest.mark.long
@pytest.mark.parametrize("number", rest_is_slow([3, 7, 1, 2, 4, 5, 6], 2))
@pytest.mark.parametrize(
    "options",
    rest_is_slow([("COV-02", "COV-17"), ("COV-02",), ("COV-17",), ()], 1),
    ids=" ".join,
)
def test_fifteen_cards_before_a_contract(options: tuple[str, ...], number: int) -> None:
    rules = rv.preset("contract-rummy").with_options(*options)
    rules = rules.with_values({"deck.packs": 4, "deck.most_jokers": 7})
    for hand in TOGETHER:
        state = rv.position(
            rules,
            seats=["N", "E", "S"],
            dealer="S",
            turn="N",
            phase="play",
            round=number,
            drawn=f"stock {hand[:2]}",
            stock="2h 3s Ah",
            discards="Ad",
            table=list(LYING),
            hands={"N": hand, "E": "As", "S": "Ac"},
            partial=True,
        )
        for goal in ("most points", "least points left", "out"):
            found = within(
                CALLS_TOGETHER, functools.partial(rv.arrange, state, goal=goal)
            )
            assert found.exact
            after = state
            for action in found.actions:
                after = rv.apply(after, action)
