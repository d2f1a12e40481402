"""Who acts: the seat that is given acts, and no seat deals."""

from __future__ import annotations

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.files.json import JsonError, from_data, to_data


def between_rounds(name: str) -> rv.State:
    """
    A game in which a deal is due, after a round or before the first.
    """
    return rv.begin(name, rv.preset(name).match.players[0], seed=5)


@pytest.mark.parametrize("name", rv.presets())
def test_rv_07_no_seat_deals(name: str) -> None:
    """
    A deal that a seat asks for is refused, in whatever form it comes.
    """
    state = between_rounds(name)
    deal = rv.next_deal(state)
    assert rv.check(state, deal)
    sent = from_data(to_data(deal), "action")
    assert sent == deal
    for seat in (*range(len(state.players)), -1, 99):
        for action in (deal, str(deal), sent, attrs.evolve(deal, seat=0)):
            ruling = rv.check(state, action, seat)
            assert not ruling
            assert ruling.rule == "RV-07"
            with pytest.raises(rv.IllegalAction):
                rv.apply(state, action, seat=seat)
            with pytest.raises(rv.IllegalAction):
                rv.step(state, action, seat)
            assert action not in rv.legal_actions(state, seat)
        assert not rv.check(state, f"{max(seat, 0)}: {deal}")
        assert not rv.check(state, attrs.evolve(deal, seat=seat))
        assert attrs.evolve(deal, seat=seat) not in rv.legal_actions(state)
    assert rv.apply(state, deal).dealer is not None
    assert deal in rv.legal_actions(state)


def test_rv_07_no_seat_deals_while_a_round_is_played_or_when_all_is_over() -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    deal = state.history[0]
    assert isinstance(deal, rv.Deal)
    assert not rv.check(state, deal, 0)
    assert not rv.check(state, deal)
    over = rv.new_game(rv.preset("rummy-500").with_options("PGV-E5=1"), 2, seed=1)
    while not over.is_over:
        legal = rv.legal_actions(over)
        over = (
            rv.deal(over) if over.phase == "deal" else rv.apply(over, next(iter(legal)))
        )
    assert not rv.check(over, deal, 0)


def test_a_record_in_which_a_seat_deals_is_not_replayed() -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    text = str(rv.record(state)).replace('"deal ', '"1: deal ')
    with pytest.raises(rv.ReplayError, match="has no seat"):
        rv.replay(text)


def test_the_seat_that_a_server_gives_acts_whoever_a_document_names() -> None:
    """
    In a call window, where several may act, nobody answers for another.
    """
    state = rv.parse_scenario(
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
    deal = to_data(rv.next_deal(between_rounds("gin-rummy")))
    assert deal["seat"] is None
    with pytest.raises(JsonError, match="a deal is an action of chance"):
        from_data({**deal, "seat": 1}, "action")
