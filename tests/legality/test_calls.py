"""A turn that a call began, as everybody else sees it: files, views, players."""

from __future__ import annotations

import random
import re

import attrs
import pytest

import rummyvariants as rv
import test_chooser

from rummyvariants.bots.names import bot
from rummyvariants.files._positions import read_position
from rummyvariants.files._scenarios import parse_scenario
from rummyvariants.files.json import JsonError, from_data, from_json, to_data, to_json
from rummyvariants.rules._files import read_rules
from rummyvariants.testing import check_legality, check_secrecy, check_state


RULES = read_rules({"extends": "rummy-500-pagat"})
POSITION = {
    "seats": ["N", "E", "S", "W"],
    "dealer": "W",
    "turn": "N",
    "phase": "play",
    "drawn": "stock 9c",
    "stock": "3c 4h 8h 8d",
    "discards": "4d 7h Kc",
    "table": ["E: 7c 7d 7s", "W: Jd Qd Kd"],
    "hands": {"N": "Qh 9c", "E": "2d 3d", "S": "Kh Ks Td 5s Th", "W": "2h 3h"},
}


@pytest.fixture(name="called")
def _called():
    """
    The turn of S, begun by a call.
    """
    state = read_position(POSITION, RULES)
    return rv.apply(rv.apply(state, "discard 9c", 0), "rummy 7h on 1", 2)


def in_the_turn(state):
    """
    States of the turn: its beginning, and after plays in it.
    """
    yield state
    for play in ("meld Kc Kh Ks", "lay Td on 2"):
        state = rv.apply(state, play)
        yield state


def test_it_holds_what_every_state_holds(called):
    for state in in_the_turn(called):
        assert (state.phase, state.turn, state.drawn.source) == ("play", 2, "call")
        check_state(state)
        check_legality(state)
        check_secrecy(state)
        test_chooser.look(state, list(rv.legal_actions(state)))


def test_it_is_written_as_json_and_read_back(called):
    for state in in_the_turn(called):
        assert from_json(to_json(state), rv.State) == state
        for seat in (*range(4), None):
            view = rv.view(state, seat)
            assert from_json(to_json(view), rv.View) == view


def test_json_that_has_it_in_another_game_is_refused(called):
    other = to_data(read_position(POSITION, rv.preset("rummy-500")))
    data = to_data(called)
    data["rules"] = other["rules"]
    with pytest.raises(JsonError, match=r"drawn\.source: no call begins a turn"):
        from_data(data, rv.State)


def test_it_is_written_as_a_position_and_read_back(called):
    for state in in_the_turn(called):
        again = parse_scenario(rv.files.scenario_text(state)).start
        assert again.drawn.source == "call"
        assert set(rv.legal_actions(again)) == set(rv.legal_actions(state))
        assert attrs.evolve(again, drawn=state.drawn) == state


def test_a_view_of_another_seat_deals_worlds_in_which_it_goes_on(called):
    for state in in_the_turn(called):
        for seat in range(4):
            view = rv.view(state, seat)
            assert view.drawn == tuple(rv.cards.parse_cards("7h Kc 9c"))
            world = rv.determinize(view, random.Random(seat))
            assert (world.turn, world.drawn.source) == (2, "call")
            check_state(world)


@pytest.mark.parametrize("name", ["random", "greedy", "careful", "search:playouts=4"])
def test_bots_play_it(called, name):
    player = bot(name)
    state, chance = called, random.Random(1)
    while state.phase == "play" and state.turn == 2:
        action = player.choose(rv.view(state, 2), chance)
        assert action in rv.legal_actions(state)
        state = rv.apply(state, action)
    assert state.turn != 2 or state.is_round_over


def test_a_sample_of_it_is_legal(called):
    chance = random.Random(3)
    actions = rv.legal_actions(called)
    for _ in range(50):
        assert actions.sample(chance.randrange) in actions


def test_games_with_it_are_replayed_from_their_records():
    begun = 0
    for seed in range(12):
        state = rv.new_game(RULES.with_values({"match.target": 60}), 3, seed=seed)
        chance = random.Random(seed)
        while not state.is_over and len(state.history) < 400:
            if state.phase == "deal":
                state = rv.game.deal(state)
                continue
            state = rv.apply(state, rv.legal_actions(state).sample(chance.randrange))
            begun += state.drawn.source == "call"
        assert rv.replay(rv.record(state)) == state
    assert begun > 10


@pytest.mark.parametrize(
    ("table", "ways"),
    [
        (
            ["N: 4h 5h 6h", "S: 7c 7d 7s"],
            ["'rummy 7h on 1' (4h 5h 6h)", "'rummy 7h on 2' (7c 7d 7s)"],
        ),
        (["N: Jc Jd Js", "S: 7c 7d 7s"], ["'rummy 7h on 2' (7c 7d 7s)"]),
    ],
)
@pytest.mark.parametrize("melds", [True, False])
def test_a_call_that_names_no_meld_is_told_which_it_may_name(table, ways, melds):
    rules = rv.preset("rummy-500").with_values({"call.melds": melds})
    state = rv.position(
        rules,
        hands={"N": "Kc 2s", "E": "Th 3c", "S": "5c 6d"},
        table=table,
        dealer="S",
        turn="E",
        phase="call",
        discarder="N",
        discards="Qd 7h",
        stock="5d 9d",
    )
    ruling = rv.check(state, rv.actions.CallRummy((rv.melds.Played("7h"),), seat=2))
    assert not ruling
    assert ruling.reason == f"name the meld for 7h: {' or '.join(ways)}"
    for text in re.findall(r"'(.*?)'", ruling.reason):
        assert rv.check(state, text, 2)
