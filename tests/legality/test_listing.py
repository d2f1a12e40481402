"""
The list of legal actions against `check`, both ways, in hard positions of every game.
"""

from __future__ import annotations

import random

from collections.abc import Mapping
from typing import Any

import pytest

import listing
import rummyvariants as rv

from amounts import every_third
from rummyvariants.game.verbs._known import VERBS
from rummyvariants.game.verbs._verb import Verb


# ------------------------------------------------------------------- found by players

BLACK_THREES = [
    ("4c 4c 4h 4h 4d 4d 4s 3c 3s 3c", 0, "4c 4c 4h 4h 4d 4d 4s / 3c 3s 3c"),
    ("Kc Kd Kh Ks Kc Kd 2h 3c 3s 3c 9d", 1500, "Kc Kd Kh Ks Kc Kd 2h / 3c 3s 3c"),
]


def with_black_threes(hand: str, score: int) -> rv.State:
    """
    The last card was drawn, and nothing lies on the table.
    """
    return rv.position(
        "canasta",
        hands={"N": hand, "E": "5c 6c", "S": "7d 8d", "W": "9s Ts"},
        phase="play",
        drawn=f"stock {hand.rsplit(maxsplit=1)[-1]}",
        stock="9h Th Jh",
        discards="Qh",
        scores={"N": score, "E": 0, "S": score, "W": 0},
    )


@pytest.mark.parametrize(("hand", "score", "melds"), BLACK_THREES)
def test_can_12_black_threes_help_to_reach_the_minimum(
    hand: str, score: int, melds: str
) -> None:
    state = with_black_threes(hand, score)
    action = f"meld {melds}"
    assert rv.check(state, action)
    listed = [listing.named(state, str(one)) for one in rv.legal_actions(state)]
    assert listing.named(state, action) in listed
    assert wanting(state) == []


def test_can_18_who_has_to_go_out_with_black_threes_can() -> None:
    hand, score, melds = BLACK_THREES[0]
    state = with_black_threes(hand, score)
    for action in ("ask", "yes"):
        state = rv.apply(state, action)
    (only,) = rv.legal_actions(state)
    assert listing.named(state, str(only)) == listing.named(state, f"meld {melds}")
    assert rv.apply(state, only).out == (0,)
    assert rv.playout(state, random.Random(1).randrange).is_round_over


def test_several_sets_that_end_a_hand_are_laid_together() -> None:
    rules = rv.preset("contract-rummy").with_values({"meld.last_ranks": "A5"})
    state = rv.position(
        rules,
        hands={"N": "Ac Ac 5c Ad 5d 5h 9h", "E": "Ad Js", "S": "Td Ks"},
        phase="play",
        drawn="stock 9h",
        stock="8d 4h",
        discards="Tc",
    )
    assert rv.check(state, "meld 5c 5d 5h / Ac Ac Ad")
    assert wanting(state) == []


# ---------------------------------------------------------------------- hard positions


def wanting(state: rv.State) -> list[str]:
    """
    Where the list of a state and `check` do not agree.
    """
    return [*listing.faults(state, random.Random(0), listing.Tally())]


def compare(rules: rv.Ruleset, seed: str, count: int) -> listing.Tally:
    """
    Compare so many hard positions, and see to it that nothing is wanting.
    """
    tally = listing.Tally()
    for state, lines in listing.compare(rules, seed, count, tally):
        pytest.fail("\n".join([*lines[:5], rv.files.scenario_text(state)]))
    return tally


@pytest.mark.parametrize("name", every_third(rv.presets()))
def test_a_few_positions_of_every_game(name: str) -> None:
    rules = rv.preset(name)
    tally = compare(rules, "a few", 2 if rules.meld.concealed else 5)
    assert tally.written


@pytest.mark.long
@pytest.mark.parametrize("name", rv.presets())
def test_many_positions_of_every_game(name: str) -> None:
    rules = rv.preset(name)
    tally = compare(rules, "many", 20 if rules.out.declares else 60)
    assert tally.refused > tally.written.total()
    assert tally.long < 0.2 * tally.positions.total()
    if not rules.meld.concealed:
        assert tally.listed["LayOff"]
        assert tally.listed["NewMelds" if "opening" in rules.asked else "NewMeld"]


VALUES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("canasta", {"meld.natural_ranks": ""}),
    ("canasta", {"meld.last_ranks": "3K", "wild.wild_melds": True}),
    ("canasta", {"meld.last_ranks": "3Q", "meld.runs": True}),
    ("canasta", {"meld.one_of_a_rank": False}),
    ("contract-rummy", {"meld.last_ranks": "A23456"}),
    ("shanghai-rummy", {"meld.last_ranks": "4K", "meld.natural_ranks": "5"}),
    ("liverpool-rummy", {"meld.one_of_a_rank": True}),
    ("rummy-500", {"meld.minimum": {0: 30}}),
    ("rummy-5000", {"meld.minimum": {0: 40}, "meld.last_ranks": "K3"}),
    ("rummy-5000", {"meld.one_of_a_rank": True}),
    ("george", {"meld.minimum": {0: 30}}),
    ("oklahoma-rummy", {"meld.minimum": {0: 50}, "meld.one_of_a_rank": True}),
    ("2500-house", {"meld.minimum": {0: 30}, "meld.last_ranks": "34"}),
    ("2500-house", {"meld.set_ranks": "2468TQ", "meld.natural_ranks": "48Q"}),
)
"""By game, values that limit new melds in other ways than the game does."""


@pytest.mark.long
@pytest.mark.parametrize(("name", "values"), VALUES, ids=str)
def test_other_limits_of_new_melds(name: str, values: Mapping[str, Any]) -> None:
    compare(rv.preset(name).with_values(values), "limits", 60)


@pytest.mark.parametrize("path", ["meld.set_ranks", "meld.natural_ranks"])
def test_the_dealers_wild_takes_no_rank_that_makes_no_set_with_it(path: str) -> None:
    ranks = "4" if path == "meld.natural_ranks" else "A2356789TJQK"
    state = rv.position(
        rv.preset("2500-house").with_values({path: ranks}),
        hands={"N": "Kc 8d", "E": "5c 5d", "S": "4c 4s 9c 9d Js"},
        table=["N: Jc Jd Jh", "S: Qc Qd Qh"],
        turn="S",
        dealer="S",
        phase="play",
        drawn="stock 9d",
        wild="7",
        dealer_wild="7h",
        discards="6s",
        fill=True,
    )
    listed = [*rv.legal_actions(state)]
    built = {
        str(one)
        for one in listed
        if isinstance(one, rv.actions.LayOff) and not one.meld
    }
    assert built == {"lay 9c 9d on 0"}
    assert all(rv.check(state, one) for one in listed)
    assert not rv.check(state, "lay 4c 4s on 0")


@pytest.mark.parametrize("name", ["gin-rummy", "rummy-5000", "canasta", "indian-rummy"])
def test_an_action_that_was_checked_is_not_planned_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[str] = []
    for verb in VERBS.values():

        def plan(state: rv.State, action: rv.Action, verb: Verb = verb) -> Any:
            planned.append(verb.name)
            return type(verb).plan(verb, state, action)

        monkeypatch.setattr(verb, "plan", plan)
    state = rv.new_game(name, 4 if name == "rummy-5000" else 2, seed=1)
    chance = random.Random(1)
    while not state.is_over and len(state.history) < 150:
        if not state.to_act:
            state = rv.game.deal(state)
            continue
        action = rv.legal_actions(state).sample(chance)
        planned.clear()
        assert rv.check(state, str(action), action.seat)
        state = rv.apply(state, str(action), action.seat)
        assert len(planned) == 1
