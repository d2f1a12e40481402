"""Who acts: the seat that is given acts, and no seat deals."""

from __future__ import annotations

import random

from collections.abc import Callable
from typing import Any

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.bots import bot
from rummyvariants.files.json import JsonError, from_data, to_data


def between_rounds(name: str) -> rv.State:
    """
    A game in which a deal is due, after a round or before the first.
    """
    return rv.game.begin(name, rv.preset(name).match.players[0], seed=5)


@pytest.mark.parametrize("name", rv.presets())
def test_rv_07_no_seat_deals(name: str) -> None:
    """
    A deal that a seat asks for is refused, in whatever form it comes.
    """
    state = between_rounds(name)
    deal = rv.game.next_deal(state)
    assert rv.check(state, deal)
    sent = from_data(to_data(deal), "action")
    assert sent == deal
    for seat in range(len(state.players)):
        for action in (deal, str(deal), sent, attrs.evolve(deal, seat=0)):
            ruling = rv.check(state, action, seat)
            assert not ruling
            assert ruling.rule == "RV-07"
            with pytest.raises(rv.IllegalAction):
                rv.apply(state, action, seat=seat)
            with pytest.raises(rv.IllegalAction):
                rv.step(state, action, seat)
            assert action not in rv.legal_actions(state, seat)
        assert not rv.check(state, f"{seat}: {deal}")
    for seat in (*range(len(state.players)), -1, 99):
        assert not rv.check(state, attrs.evolve(deal, seat=seat))
        assert attrs.evolve(deal, seat=seat) not in rv.legal_actions(state)
    assert rv.apply(state, deal).dealer is not None
    assert deal in rv.legal_actions(state)


def test_rv_07_no_seat_deals_while_a_round_is_played_or_when_all_is_over() -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    deal = state.history[0]
    assert isinstance(deal, rv.actions.Deal)
    assert not rv.check(state, deal, 0)
    assert not rv.check(state, deal)
    over = rv.new_game(rv.preset("rummy-500").with_options("PGV-E5=1"), 2, seed=1)
    while not over.is_over:
        legal = rv.legal_actions(over)
        over = (
            rv.game.deal(over)
            if over.phase == "deal"
            else rv.apply(over, next(iter(legal)))
        )
    assert not rv.check(over, deal, 0)


def test_a_record_in_which_a_seat_deals_is_not_replayed() -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    text = str(rv.record(state)).replace('"deal ', '"1: deal ')
    with pytest.raises(rv.files.ReplayError, match="has no seat"):
        rv.replay(text)


def test_the_seat_that_a_server_gives_acts_whoever_a_document_names() -> None:
    """
    In a call window, where several may act, nobody answers for another.
    """
    state = rv.files.parse_scenario(
        """
        title = "Two are asked"
        cites = ["BN-15"]
        rules = "rummy-500"
        [position]
        seats = ["Ann", "Ben", "Cy"]
        phase = "call"
        turn = "Ben"
        discarder = "Ann"
        stock = "Kd Qd"
        discards = "6c"
        table = ["Ann: 6d 6h 6s"]
        hands = { Ann = "2c", Ben = "3c", Cy = "4c" }
        """
    ).start
    assert state is not None
    assert state.to_act == (1, 2)
    sent = from_data({"seat": 1, "action": "pass"}, "action")
    assert rv.apply(state, sent, seat=2).to_act == (1,)
    assert not rv.check(state, sent, seat=0)
    assert rv.apply(state, "1: pass", seat=2).to_act == (1,)


def test_a_document_in_which_a_seat_deals_says_so() -> None:
    deal = to_data(rv.game.next_deal(between_rounds("gin-rummy")))
    assert deal["seat"] is None
    with pytest.raises(JsonError, match="a deal is an action of chance"):
        from_data({**deal, "seat": 1}, "action")


NAMED = rv.new_game("rummy-500", ["Ann", "Ben", "0"], seed=1)
"""A game whose third player has the number of the first as a name."""
SPEC = rv.learning.observation_spec("rummy-500", 3)
TAKES_A_SEAT: dict[str, Callable[..., Any]] = {
    "apply": lambda seat: rv.apply(NAMED, "draw", seat),
    "check": lambda seat: rv.check(NAMED, "draw", seat),
    "step": lambda seat: rv.step(NAMED, "draw", seat).after,
    "seen_by": lambda seat: rv.step(NAMED, "draw").seen_by(seat),
    "legal_actions": lambda seat: list(rv.legal_actions(NAMED, seat)),
    "LegalActions": lambda seat: list(rv.game.LegalActions(NAMED, seat)),
    "view": lambda seat: rv.view(NAMED, seat),
    "chooser": lambda seat: rv.chooser(NAMED, seat).choices,
    "arrange": lambda seat: rv.arrange(NAMED, seat),
    "observation": lambda seat: str(rv.learning.observation(NAMED, seat)),
    "has_meld": NAMED.has_meld,
    "first_melds": NAMED.first_melds,
    "had_laid": NAMED.had_laid,
    "view.has_meld": rv.view(NAMED).has_meld,
    "begin": lambda seat: rv.game.begin("rummy-500", NAMED.players, dealer=seat),
    "begin an encoding": rv.learning.encoding("rummy-500", 3).begin,
    "vector": lambda seat: list(
        rv.learning.observation_spec("rummy-500", 3).vector(NAMED, seat)
    ),
    "decide": lambda seat: bot("careful").decide(NAMED, seat),
}
"""The functions that take a seat of a game."""


def with_seat(name: str, seat: object) -> object:
    """
    What a function says of a seat; an encoding takes the state first.
    """
    function = TAKES_A_SEAT[name]
    if name == "begin an encoding":
        return function(NAMED, seat).seat
    return function(seat)


@pytest.mark.parametrize("name", TAKES_A_SEAT)
def test_a_seat_is_its_number_or_the_name_of_its_player(name: str) -> None:
    """
    A text is a name, even if it looks like a number; numbers of any type will do.
    """
    seats = NAMED.to_act if name == "decide" else range(3)
    for seat in seats:
        by_number = outcome(name, seat)
        assert outcome(name, NAMED.players[seat]) == by_number
        assert outcome(name, Whole(seat)) == by_number


def outcome(name: str, seat: object) -> object:
    """
    What comes back, or the refusal of the rules.
    """
    try:
        return with_seat(name, seat)
    except rv.IllegalAction as error:
        return error.ruling


class Whole:
    """
    A whole number that is no ``int``, as those of numpy are.
    """

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


@pytest.mark.parametrize("name", TAKES_A_SEAT)
@pytest.mark.parametrize("wrong", [3, -1, False, True, 0.0, 1.0, "Anne", "", b"Ann"])
def test_a_seat_that_is_none_is_refused(name: str, wrong: object) -> None:
    """
    With one sentence, and the nearest name.
    """
    said = "'Ann'" if wrong == "Anne" else "there is no seat"
    with pytest.raises(rv.RummyError, match=said):
        with_seat(name, wrong)


def test_a_seat_that_acts_is_recorded_as_a_plain_number() -> None:
    """
    Whatever stands for it, the record can be read again.
    """
    for seat in (1, "Ben", Whole(1)):
        state = rv.apply(rv.new_game("rummy-500", ["Ann", "Ben"], seed=1), "draw", seat)
        assert type(state.history[-1].seat) is int
        assert rv.replay(str(rv.record(state))) == state


@pytest.mark.parametrize("name", ["careful", "greedy", "random", "search", "strong"])
def test_a_bot_decides_only_for_a_seat_that_is_to_act(name: str) -> None:
    """
    It does not make up an action for others.
    """
    player, rng = bot(name), random.Random(1)
    (acting,) = NAMED.to_act
    for seat in range(3):
        if seat == acting:
            assert player.choose(rv.view(NAMED, seat), rng)
            continue
        said = f"has nothing to decide now: {NAMED.players[acting]} is to act"
        with pytest.raises(rv.errors.RequestError, match=said):
            player.choose(rv.view(NAMED, seat), rng)
        if hasattr(player, "decide"):
            with pytest.raises(rv.errors.RequestError, match=said):
                player.decide(NAMED, seat)
    with pytest.raises(
        rv.errors.RequestError, match="a spectator has nothing to decide"
    ):
        player.choose(rv.view(NAMED), rng)
