"""
What shapes tell of cards owed is what the search for an end of the turn finds.
"""

from __future__ import annotations

import itertools
import random

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.cards import pack
from rummyvariants.game._engine import finish
from rummyvariants.game._engine.draws import Takes
from rummyvariants.game._engine.finish import Uses
from rummyvariants.game._engine.openings import Bound
from rummyvariants.melds._deadwood import (
    by_number,
    fewest_points,
    surely_leaves,
)
from rummyvariants.melds._tables import plain
from rummyvariants.melds.cover._divisions import divided, divided_within


TWOS = ("PGV-C2a",)
MOST = 60
"""How many actions of a list are compared at most."""


def states(rules: rv.Ruleset, seed: int, number: int) -> Iterator[rv.State]:
    """
    States of random play in which discards are taken whenever they may be.
    """
    chance = random.Random(seed)
    state = rv.new_game(rules, rules.match.players[0], seed=seed)
    for _ in range(number):
        if state.phase == "over":
            return
        if state.phase == "deal":
            state = rv.game.deal(state)
            continue
        yield state
        found = list(itertools.islice(rv.legal_actions(state), MOST))
        takes = [
            one for one in found if isinstance(one, rv.actions.Take) and one.count > 1
        ]
        ends = [one for one in found if isinstance(one, rv.actions.Discard)]
        state = rv.apply(state, chance.choice(takes or ends[:2] + found))


def answers(state: rv.State) -> tuple[list[rv.Action], list[bool]]:
    """
    The list of actions, and which numbers of discards may be taken.
    """
    listed = list(itertools.islice(rv.legal_actions(state), MOST))
    taken = []
    if state.phase == "draw":
        takes = Takes(state, state.turn)
        numbers = range(1, len(state.discards) + 2)
        taken = [takes.refuse(one) is None for one in numbers]
        allowed = [one for one in takes.numbers() if takes.allows(one)]
        assert allowed == [one for one in numbers if taken[one - 1]]
    return listed, taken


@pytest.mark.parametrize(
    ("base", "options", "values"),
    [
        ("rummy-5000", (), {}),
        ("rummy-5000", TWOS, {}),
        ("rummy-5000", TWOS, {"meld.ace": "round the corner"}),
        ("rummy-5000", (), {"draw.duty": "deepest", "draw.at_once": True}),
        ("rummy-500", (), {}),
        ("rummy-500", TWOS, {"draw.duty": "deepest", "layoff.needs_own_meld": True}),
        ("rummy-500", ("PGV-P6",), {}),
        ("rummy-500", (*TWOS, "PGV-P6"), {"draw.at_once": True}),
        ("rummy-500", (*TWOS, "PGV-P2b", "PGV-P6"), {}),
        ("rummy-500", (*TWOS, "PGV-P4", "PGV-P6"), {}),
        ("rummy-500", (*TWOS, "PGV-P2d"), {}),
        ("rummy-500", TWOS, {"meld.set_suits": "distinct"}),
        ("rummy-500", TWOS, {"meld.set_wilds": "for any suit"}),
        ("rummy-500", (), {"meld.least_run": 4, "meld.first_natural": True}),
        ("rummy-500", TWOS, {"meld.one_of_a_rank": True, "draw.new_meld": True}),
        ("rummy-500", (), {"meld.last_ranks": "7QK", "draw.new_meld": True}),
        ("rummy-500", (), {"meld.last_ranks": "7QK", "draw.duty": "deepest"}),
        ("persian-rummy", ("PGV-P6",), {}),
        ("2500-house", ("PGV-P6",), {}),
        ("oklahoma-rummy", (), {"draw.take": "any number"}),
        ("oklahoma-rummy", ("PGV-C4b", "PGV-P6"), {"draw.take": "any number"}),
        ("persian-rummy", TWOS, {"draw.duty": "deepest", "draw.take": "any number"}),
        ("george", (), {"draw.duty": "deepest", "draw.take": "any number"}),
        ("gin-rummy", ("R5V-27",), {"draw.take": "any number"}),
    ],
)
def test_shapes_tell_what_the_search_finds(
    base: str,
    options: tuple[str, ...],
    values: Mapping[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = rv.preset(base).with_options(*options).with_values(values)
    found = [
        (state, answers(state))
        for seed in range(3)
        for state in states(rules, seed, 60)
    ]
    monkeypatch.setattr(Uses, "tells", lambda *_, **__: None)
    monkeypatch.setattr(finish, "_TURN", [(None, None, {})])
    for state, before in found:
        assert answers(state) == before


@rv.house.register_rule("discard", "of the last two")
@attrs.frozen
class LastTwo(rv.house.HouseRule):
    """A card is discarded only from a hand of two cards or fewer."""

    reads = frozenset({"hand"})

    def discards(self, turn: rv.house.Turn) -> list[rv.Card]:
        """
        The cards of such a hand.
        """
        return list(turn.hand) if len(turn.hand) <= 2 else []


def test_what_a_limit_leaves_open_stays_so() -> None:
    """
    A search that may stop early does not go on where another one stopped.
    """
    rules = rv.preset("rummy-500").with_values({"discard.rules": ["of the last two"]})
    state = rv.position(
        rules,
        hands={"N": "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh 2c 5d 9s Jc Qs", "E": "3c 4d"},
        dealer="E",
        turn="N",
        phase="draw",
        stock="6d 7d 3s",
        discards="Kd",
    )
    rulings = [rv.check(state, "take 1") for _ in range(6)]
    assert [*map(bool, rulings)] == [bool(rulings[0])] * 6
    lists = [[*rv.legal_actions(state)] for _ in range(6)]
    assert lists == [lists[0]] * 6
    assert ("take 1" in map(str, lists[0])) == bool(rulings[0])


@rv.house.register_rule("layoff", "not with a hundred")
@attrs.frozen
class Rich(rv.house.HouseRule):
    """A player with 100 points or more lays off nothing."""

    reads = frozenset({"seat", "scores"})

    def may_lay_off(self, turn: rv.house.Turn) -> bool:
        """
        Whether the player has fewer.
        """
        return turn.scores[turn.seat] < 100


def test_what_scores_forbid_is_asked_in_each_round() -> None:
    rules = rv.preset("rummy-500").with_values({"layoff.rules": ["not with a hundred"]})
    for score in (0, 150, 0):
        state = rv.position(
            rules,
            hands={"N": "6h 7h 8h 9h 2c Jd Qs", "E": "3c 4d"},
            dealer="E",
            turn="N",
            phase="play",
            drawn="take 9h 2c",
            stock="6d 7d 3s",
            discards="Kd",
            scores={"N": score, "E": 0},
        )
        melds = ["meld 6h 7h 8h", "meld 7h 8h 9h", "meld 6h 7h 8h 9h"]
        legal = [one for one in melds if rv.check(state, one)]
        assert [
            one for one in melds if one in {*map(str, rv.legal_actions(state))}
        ] == (legal)


# ------------------------------------------------------------------------ first melds


@rv.house.register_rule("meld", "a set and a run for 40")
@attrs.frozen
class Both(rv.house.HouseRule):
    """The first melds of a player are a set and a run, worth {points} points."""

    points: int = 40
    reads = frozenset[str]()

    def opening(self, turn: rv.house.Turn) -> rv.house.Opening:
        """
        Groups and points at once.
        """
        del turn
        return rv.house.Opening(("set", "run 4"), points=self.points)


@rv.house.register_rule("meld", "for 30")
@attrs.frozen
class Points(rv.house.HouseRule):
    """The first melds of a player are worth {points} points."""

    points: int = 30
    reads = frozenset[str]()

    def opening(self, turn: rv.house.Turn) -> rv.house.Opening:
        """
        Points alone.
        """
        del turn
        return rv.house.Opening(points=self.points)


def hands(rules: rv.Ruleset, number: int) -> Iterator[rv.State]:
    """
    The first turns of many rounds, after a draw.
    """
    rounds = range(1, 11)
    for seed in range(number):
        state = rv.new_game(rules, rules.match.players[0], seed=seed)
        match = attrs.evolve(state.match, round_number=rounds[seed % len(rounds)])
        state = attrs.evolve(state, match=match)
        while state.phase == "offer":
            state = rv.apply(state, "pass")
        takes = "take 1" in rv.legal_actions(state)
        yield rv.apply(state, "take 1" if takes else "draw")


@pytest.mark.long
@pytest.mark.parametrize(
    ("base", "values"),
    [
        ("canasta", {}),
        ("canasta", {"meld.minimum": {-100000: 40}, "deal.hand_size": 12}),
        ("shanghai-rummy", {}),
        ("contract-rummy", {}),
        ("rummy-500", {"wild.twos": True, "meld.rules": [Points(30)]}),
        (
            "rummy-500",
            {"wild.twos": True, "wild.limit": "one", "meld.rules": [Points(40)]},
        ),
        (
            "rummy-500",
            {"wild.own_place": "natural", "wild.twos": True, "meld.rules": [Both(40)]},
        ),
        ("oklahoma-rummy", {"wild.wild_melds": True, "meld.rules": [Points(50)]}),
    ],
)
def test_first_melds_that_are_not_looked_at_are_impossible(
    base: str, values: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    states = [*hands(rv.preset(base).with_values(values), 60)]
    quick = [[*map(str, rv.legal_actions(state))] for state in states]
    refused = 0

    def looked(found: Any) -> bool:
        nonlocal refused
        refused += not found
        return True

    allows, groups = Bound.allows, Bound.has_groups
    monkeypatch.setattr(
        Bound, "allows", lambda *given, once: looked(allows(*given, once=once))
    )
    monkeypatch.setattr(Bound, "has_groups", lambda *given: looked(groups(*given)))
    assert [[*map(str, rv.legal_actions(state))] for state in states] == quick
    assert refused
    assert any("meld " in one for listed in quick for one in listed)


@pytest.mark.parametrize("wild", ["4", "K"])
@pytest.mark.parametrize("base", ["three-thirteen", "indian-rummy", "contract-rummy"])
def test_a_quick_look_at_cards_left_over_counts_no_more_than_there_are(
    base: str, wild: str
) -> None:
    rules = rv.preset(base)
    terms = plain(by_number(rules.terms(rules.match.players[0], wild)))
    deck = [one for one in rules.deck.cards_for(4) if one >> 4 < 2 or one & 15 < 6]
    chance = random.Random(base + wild)
    close = 0
    for number in range(400):
        bits = pack(chance.sample(deck, 5 + number % 8))
        least = surely_leaves(terms, bits)
        assert least <= fewest_points(terms, bits)
        close += least == fewest_points(terms, bits) > 0
    assert close > 100


@pytest.mark.parametrize("base", ["three-thirteen", "indian-rummy", "gin-rummy"])
def test_the_fewest_points_are_found_sooner_within_a_limit(base: str) -> None:
    rules = rv.preset(base)
    terms = rules.terms(rules.match.players[0], "4")
    deck = rules.deck.cards_for(rules.match.players[0])
    chance = random.Random(base)
    told = set()
    for _ in range(150):
        bits = pack(chance.sample(deck, 11))
        least = divided(terms, bits).points
        for most in (0, 5, least - 1, least, least + 7):
            found = divided_within(terms, bits, most).points
            assert found == least if least <= most else found > most
            told.add(least > most)
    assert told == {True, False}


def test_no_play_takes_what_another_duty_needs() -> None:
    """
    A set of the other king owed, of which just two of the hand's kings are left.
    """
    values = {"draw.duty": "top", "draw.with_naturals": True, "draw.at_once": True}
    state = rv.position(
        rv.preset("2500-house").with_values({"draw.take": "any number", **values}),
        hands={"N": "Kd Kd Kc Ks 3c 5h 7h 8h", "S": "3h"},
        stock="3c 5h Kh 9d",
        dealer="S",
        turn="N",
        phase="play",
        drawn="take Kd Kc",
        owed="Kc Kd",
    )
    (action,) = rv.legal_actions(state)
    assert str(action) == "meld Kc Kd Kd Ks"
    assert rv.legal_actions(rv.apply(state, action))


def test_jokers_that_are_not_wild_join_two_others_from_the_hand() -> None:
    """
    Three jokers are a set, though they differ in nothing.
    """
    state = rv.position(
        rv.preset("persian-rummy").with_options("PGV-P6"),
        hands={"N": "* * 5d 8h Qh Ts", "E": "3c", "S": "4d", "W": "4c"},
        dealer="W",
        turn="N",
        phase="draw",
        stock="6d 7d 3s",
        discards="9d * Tc",
    )
    assert rv.check(state, "take 2")
    state = rv.apply(state, "take 2")
    assert "meld * * *" in map(str, rv.legal_actions(state))
