"""Every state that a round of a tiny deck can come to, for each single option."""

from __future__ import annotations

import pytest

import naive_rounds
import naive_turns
import rummyvariants as rv

from amounts import big_is_slow
from canasta_twin import Beside
from conftest import Update
from rummyvariants.testing import check_legality, check_secrecy, check_state, do
from test_tiny_decks import listed_meanings, look_at_both_ways, look_at_penalty
from tiny_decks import TinyDeck, as_lines, with_lines
from tiny_options import FILE, tally, tiny_options, without_option


pytestmark = pytest.mark.long


DECKS = {deck.name: deck for deck in tiny_options()}
STEP_EVERY = 10
"""Of how many states one is looked at for every step, and all that is legal."""
SAME = {
    *("CNV-02", "CNV-05", "COV-01", "COV-11", "HFV-02a", "HFV-02b"),
    *("PGV-D3d", "PGV-D5b", "PGV-P2c"),
}
"""Options about the deal or the deck, or that say what is so anyway."""


@pytest.mark.parametrize("option", [one for one in rv.options() if one != "PGV-P1"])
def test_there_is_a_deck_for_each_option(option: str) -> None:
    deck = DECKS[option]
    assert deck.rules["with"][0].partition("=")[0] == option


def look_after_out(state: rv.State) -> None:
    """
    Assert when a round ends after somebody is out, who has won, and what is paid.
    """
    assert naive_rounds.may_be_over(state)
    if not state.is_round_over:
        return
    if "pays" not in state.rules.asked:
        assert state.payments == naive_rounds.paid(state)
    if state.rules.match.sides != "none":
        assert state.winners == naive_rounds.ahead(state)


@pytest.mark.parametrize("deck", big_is_slow(DECKS.values()))
def test_every_state_with_an_option(deck: TinyDeck, update: Update) -> None:
    judges = naive_turns.Judges()
    start = deck.start()
    knows = deck.naive_every > 0 and start.rules.draw.melds_top
    beside = Beside(start) if knows else None

    def look(number: int, state: rv.State, actions: list[rv.Action]) -> None:
        assert bool(actions) == bool(state.to_act)
        check_state(state)
        if beside is None:
            look_after_out(state)
        if state.rules.score.hands == "the difference" and state.is_round_over:
            assert state.result.points == naive_rounds.knocked_points(state)
        if number % STEP_EVERY == 0:
            listed_meanings(state, actions)
            check_legality(state)
            check_secrecy(state)
            for action in actions:
                look_at_penalty(state, action, do(state, action))
        elif state.phase == "call" and state.rules.call.penalty != "none":
            for action in actions:
                look_at_penalty(state, action, rv.apply(state, action))
        if beside is not None:
            beside.look(state)
        elif deck.naive_every and number % deck.naive_every == 0:
            look_at_both_ways(state, actions, judges(state))

    found = tally(deck, look)
    lines = as_lines(*found)
    if not update(FILE, lambda text: with_lines(text, deck.name, lines)):
        assert found == (dict(deck.counts), dict(deck.sequences))


@pytest.mark.slow
@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
def test_an_option_makes_a_difference(deck: TinyDeck) -> None:
    try:
        counts, _ = tally(without_option(deck))
    except (rv.errors.RulesError, rv.errors.PositionError, AssertionError):
        return  # another deck, so a difference it is
    assert (counts == dict(deck.counts)) == (deck.name in SAME)
