"""Positions that no play leads to are refused; those that play leads to are not."""

from __future__ import annotations

import copy
import random

from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.files.json import JsonError, from_data, to_data


PLAYED = (
    "draw",
    "stock",
    "play",
    "answer",
    "call",
    "buy",
    "discard",
    "offer",
    "layoff",
)
CONCEALED = [name for name in rv.presets() if rv.preset(name).meld.concealed]


def states_of(
    rules: rv.Ruleset, players: int, seed: int, number: int
) -> Iterator[rv.State]:
    """
    The states of random play in which a round is in progress, so many at most.
    """
    randrange = random.Random(f"unreachable {seed}").randrange
    state = rv.new_game(rules, players, seed=seed)
    for _ in range(number):
        if state.is_over:
            return
        if state.phase == "deal":
            state = rv.game.deal(state)
            continue
        if state.phase in PLAYED:
            yield state
        state = rv.apply(state, rv.legal_actions(state).sample(randrange))


def as_position(state: rv.State) -> dict[str, Any]:
    """
    A state as the document of a position, whatever led to it.
    """
    return to_data(state)


@pytest.mark.long
@pytest.mark.parametrize("name", rv.presets())
def test_what_play_leads_to_is_accepted(name: str) -> None:
    rules = rv.preset(name)
    for players in dict.fromkeys(rules.match.players):
        for at, state in enumerate(states_of(rules, players, players, 240)):
            if at % 12:
                continue
            data = as_position(state)
            assert "partial" not in data
            assert from_data(data, "state") == state
            scenario = rv.files.parse_scenario(rv.files.scenario_text(state))
            assert scenario.problem is None, scenario.problem
            for seat in (None, *range(players)):
                view = rv.view(state, seat)
                assert from_data(to_data(view), "view") == view


# ------------------------------------------------------------------ hands of odd sizes


def refused(data: dict[str, Any], *words: str) -> None:
    """
    Assert that a document is refused, in a sentence with some words for each problem.
    """
    kind = "view" if "hand_sizes" in data else "state"
    with pytest.raises(JsonError) as found:
        from_data(data, kind)
    for word in words:
        assert word in str(found.value)


@pytest.mark.long
@pytest.mark.parametrize("name", CONCEALED)
def test_hands_of_other_sizes_say_so(name: str) -> None:
    """
    One card more or fewer, in every phase: refused, unless the position says so.
    """
    rules = rv.preset(name)
    phases = set()
    for seed in range(2):
        for at, state in enumerate(states_of(rules, 2, seed, 120)):
            seen = at % 40 and state.phase in phases
            if seen or state.out or len(state.stock) < 8:
                continue
            phases.add(state.phase)
            data = as_position(state)
            for seat in range(2):
                for more in (False, True):
                    # A card moves between the hand and the bottom of the stock.
                    other = copy.deepcopy(data)
                    hand = other["hands"][seat]
                    stock = other["stock"]
                    if seat == state.turn and state.phase == "play":
                        continue  # the card drawn must stay, and it is the last
                    if more:
                        hand.append(stock.pop())
                    else:
                        other["shown"][seat] = []
                        other["known_by_some"] = []
                        stock.append(hand.pop())
                    name_of = state.players[seat]
                    size = len(hand)
                    refused(other, f"hands[{seat}]: {name_of} holds {size} card")
                    other["partial"] = True
                    accepted = from_data(other, "state")
                    assert as_position(accepted)["partial"]
                    text = rv.files.scenario_text(accepted)
                    assert "partial = true" in text
                    again = rv.files.parse_scenario(text).start
                    assert again is not None
                    assert again.hands == accepted.hands
    assert {"draw", "play"} <= phases


@pytest.mark.parametrize(
    ("rules", "keys", "holds"),
    [
        ("gin-rummy", {}, "9c"),
        ("gin-rummy", {"phase": "play"}, "9c Tc"),
        ("three-thirteen", {"wild": "3"}, "9c"),
        ("indian-rummy", {"wild": "3", "indicator": "3d"}, "9c"),
    ],
)
def test_a_position_says_how_many_cards_a_hand_has(
    rules: str, keys: dict[str, Any], holds: str
) -> None:
    given = {"hands": {"Ann": holds}, "stock": "7c 8d 9h", "discards": "Kd"}
    with pytest.raises(
        rv.errors.PositionError, match=r"Ann: Ann holds \d cards?, but"
    ) as why:
        rv.position(rules, seats=["Ann", "Ben"], turn="Ann", **given, **keys)
    assert why.value.rules
    state = rv.position(
        rules, seats=["Ann", "Ben"], turn="Ann", partial=True, **given, **keys
    )
    assert str(state.hands[0]) == holds
    for wrong in (1, "yes", None):
        with pytest.raises(
            rv.errors.PositionError, match="partial: give true or false"
        ):
            rv.position(rules, seats=["Ann", "Ben"], partial=wrong, **given, **keys)


# -------------------------------------------------------------- what the rules exclude


CANASTA: dict[str, Any] = {
    "seats": ["N", "E", "S", "W"],
    "dealer": "W",
    "stock": "5c 6d 7h 8s",
    "discards": "Kd",
    "hands": {"N": "4c 5d 6h 7s", "E": "8c", "S": "Tc Jd", "W": "Qc Kc"},
    "table": ["N: 9h 9s 9c 9d", "E: Ts Th Td"],
}
CONTRACT: dict[str, Any] = {
    "seats": ["N", "E", "S"],
    "dealer": "S",
    "stock": "5c 6d 7h 8s 9c",
    "discards": "Kd",
    "hands": {"N": "4c 5d 6h 7s", "E": "8c 9d", "S": "Tc Jd"},
}
LYING = ["N: 2h 2s 2d", "N: As Ah Ad"]
SETS = ["N: 9h 9s 9d", "N: Ts Th Td"]
BROKEN: list[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...]]] = [
    (
        "canasta",
        CANASTA,
        {"hands": {"N": "4c 3h 6h 7s", "E": "8c", "S": "Tc", "W": "Qc 3d"}},
        ("hands.N: no hand holds 3h", "hands.W: no hand holds 3d"),
    ),
    (
        "canasta",
        CANASTA,
        {"table": ["N: 9h 9s 9h", "S: 9s 9d 9c"]},
        ("table, meld 2: the side has a meld of that rank, meld 1",),
    ),
    (
        "canasta",
        CANASTA,
        {"table": ["N: 9h 9s 9c 9d", "E: 3c 3s 3c"]},
        ("table, meld 2: threes are only the last meld of a hand",),
    ),
    (
        "canasta",
        CANASTA,
        {"red_threes": {"N": "3h 5h"}},
        ("red_threes.N: 5h is not laid out in this game",),
    ),
    (
        "canasta",
        CANASTA,
        {"zones": {"red threes": {"N": "3h"}}},
        ("zones.red threes.N: there is no zone 'red threes'; the known ones are laid",),
    ),
    (
        "canasta",
        CANASTA,
        {"turned": 1, "idle_turns": 12},
        ("turned: the discard pile is not turned over", "idle_turns: after 12 idle"),
    ),
    (
        "contract-rummy",
        CONTRACT,
        {"table": SETS[:1]},
        ("table, meld 1: the melds of N are not the contract of the round, set 3",),
    ),
    (
        "contract-rummy",
        CONTRACT,
        {"table": [SETS[0], "N: 4h 5h 6h 7h"]},
        ("the melds of N are not the contract",),
    ),
    (
        "contract-rummy",
        CONTRACT,
        {"table": [*SETS, "N: Qs Qh Qd", "E: 4h 5h 6h 7h"]},
        ("the melds of N are not the contract", "the melds of E are not the contract"),
    ),
    (
        "contract-rummy",
        CONTRACT,
        {"turned": 2, "round": 8},
        (
            "turned: the discard pile is turned over once at most",
            "round: the match would be over",
        ),
    ),
    (
        "three-thirteen",
        {**CONTRACT, "hands": {"N": "4c 5d 6h"}, "wild": "3"},
        {"wild": "4"},
        ("wild: in round 1 threes are wild",),
    ),
    (
        "rummy-500",
        CONTRACT,
        {"zones": {"cellar": "3h"}},
        ("zones.cellar: there is no zone 'cellar': no rule here keeps cards apart",),
    ),
    (
        "rummy-500",
        {**CONTRACT, "turn": "N", "phase": "play", "table": LYING},
        {"melds_made": 3, "fresh": False},
        ("melds_made: of the table, 2 melds began", "fresh: the discard pile has not"),
    ),
    (
        "basic-rummy",
        {**CONTRACT, "turn": "N", "phase": "play", "table": LYING},
        {"melds_made": 2},
        ("melds_made: only one new meld may be made in a turn",),
    ),
]


@pytest.mark.parametrize(("rules", "sound", "broken", "words"), BROKEN)
def test_what_no_play_leads_to_is_refused_with_every_problem(
    rules: str, sound: dict[str, Any], broken: dict[str, Any], words: tuple[str, ...]
) -> None:
    rv.position(rules, **sound)
    with pytest.raises(rv.errors.PositionError) as found:
        rv.position(rules, **{**sound, **broken})
    for one in words:
        assert one in str(found.value)
    assert len(found.value.problems) == len(words)


@rv.house.register_rule("out", "another hand")
@attrs.frozen
class AnotherHand(rv.house.HouseRule):
    """Whoever lays the last card takes the stock."""

    def refills(self, turn: rv.house.Turn) -> Iterator[rv.house.Move]:
        yield rv.house.Move("stock", "hand", None, target_seat=turn.seat)


def test_the_last_meld_of_a_hand_stays_where_a_rule_gives_another_hand() -> None:
    rules = rv.preset("canasta").with_values({"out.rules": ["another hand"]})
    table = ["N: 9h 9s 9c 9d", "E: 3c 3s 3c"]
    state = rv.position(rules, **{**CANASTA, "table": table})
    assert rv.files.from_json(rv.files.to_json(state), rv.State) == state


def test_upcards_without_a_deal_are_refused() -> None:
    data = as_position(rv.game.begin("rummy-500", 2, seed=1))
    data["upcards"] = [["7h"], []]
    refused(data, "upcards")


def test_cards_of_many_kinds_are_refused_at_once() -> None:
    broken = {
        "hands": {"N": "4c 3h 6h 7s", "E": "8c", "S": "Tc", "W": "Qc"},
        "table": ["N: 9h 9s 9h", "S: 9s 9d 9c", "E: 3c 3s 3c"],
        "idle_turns": 99,
        "turned": 3,
    }
    with pytest.raises(rv.errors.PositionError) as found:
        rv.position("canasta", **{**CANASTA, **broken})
    assert len(found.value.problems) == 5


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """
    A function that changes a key of a position.
    """

    def changes(position: dict[str, Any]) -> None:
        position[path] = value(position[path]) if callable(value) else value

    return changes


MUTANTS = {
    "idle_turns": change("idle_turns", 99),
    "turned": change("turned", 99),
    "zones": change(
        "zones",
        [
            {
                "name": "attic",
                "owner": None,
                "size": 0,
                "cards": [],
                "seen_by": None,
            }
        ],
    ),
}


@pytest.mark.parametrize("name", rv.presets())
def test_a_document_that_is_changed_is_refused_where_it_is(name: str) -> None:
    rules = rv.preset(name)
    turns_over = rules.stock.when_empty == "turn over"
    for at, state in enumerate(states_of(rules, max(rules.match.players), 1, 120)):
        if at % 30:
            continue
        data = as_position(state)
        for key, mutate in MUTANTS.items():
            if key == "turned" and turns_over and rules.stock.times == "any number":
                continue
            other = copy.deepcopy(data)
            mutate(other)
            refused(other, key)
