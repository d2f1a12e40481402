"""Canasta beside its twin, which knows only the rules: random deals and tiny ones."""

from __future__ import annotations

import random

import attrs
import pytest

import naive_canasta as twin
import rummyvariants as rv


def beside(rules: rv.Ruleset, game: twin.Game, seed: int) -> str:
    """
    Play a deal at random, and compare all that may be done and what it brings.

    Returns:
        How the deal ended.
    """
    chance = random.Random(seed)
    state = rv.new_game(rules, game.players, seed=seed, dealer=game.players - 1)
    first = state.history[0]
    assert isinstance(first, rv.Deal)
    deck = [str(card) for card in first.cards]
    other = twin.deal(game, deck, dealer=game.players - 1)
    while not state.is_round_over:
        listed = list(rv.legal_actions(state))
        here = {twin.plain(str(one)) for one in listed}
        there = {twin.plain(one) for one in twin.legal(other)}
        assert here == there, (rv.view(state, None), here ^ there)
        action = chance.choice(listed)
        assert action.seat == other.to_act
        state, other = rv.apply(state, action), twin.do(other, str(action))
    assert other.phase == "over"
    result = state.result
    assert result is not None
    for side in range(game.sides):
        seats = range(side, game.players, game.sides)
        assert sum(result.points[seat] for seat in seats) == twin.points(other, side)
    assert result.how == other.how
    return result.how


GAMES = {
    2: attrs.evolve(twin.FOR_TWO, one_by_one=False),
    3: attrs.evolve(twin.FOR_THREE, one_by_one=False),
    4: attrs.evolve(twin.FOR_FOUR, one_by_one=False),
}


@pytest.mark.parametrize("players", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_random_deals_are_those_of_the_twin(players: int, seed: int) -> None:
    beside(rv.preset("canasta"), GAMES[players], seed)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("option", "changed"),
    [
        ("CAV-01", {"turn_black": True}),
        ("CAV-02", {"to_go_out": 2}),
        ("CAV-03", {"draws": 2}),
        ("CAV-04", {"always_frozen": True}),
        ("CAV-05", {"closed": True}),
        ("CAV-06", {"no_pile": True}),
        ("CAV-07", {"nothing_down": True}),
        ("CAV-08", {"fewer_wilds": True}),
        ("CAV-09", {"wild_melds": True}),
    ],
)
def test_deals_with_options_are_those_of_the_twin(
    option: str, changed: dict[str, bool | int], seed: int
) -> None:
    rules = rv.preset("canasta").with_options(option)
    for players in (2, 4):
        beside(rules, attrs.evolve(GAMES[players], **changed), seed)


@pytest.mark.long
@pytest.mark.parametrize("players", GAMES)
@pytest.mark.parametrize("seed", range(3, 40))
def test_many_random_deals_are_those_of_the_twin(players: int, seed: int) -> None:
    beside(rv.preset("canasta"), GAMES[players], seed)
