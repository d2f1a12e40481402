"""Worlds in which the other hands were developed agree with the view."""

from __future__ import annotations

import random
import statistics

from collections.abc import Callable

import pytest

import rummyvariants as rv

from amounts import every_third
from rummyvariants.bots import CarefulBot, bot, play_on
from rummyvariants.bots.plays import can_lay as can_lay_any
from rummyvariants.cards import pack
from rummyvariants.game._past import past_of
from rummyvariants.melds._deadwood import fewest_points
from walks import GAMES, IDS, exchanged, walk


class Plain:
    """
    A bot of a third party: it answers in text, and knows only what views show.
    """

    def choose(self, view: rv.View, rng: random.Random) -> str:
        actions = list(view.legal_actions)[:20]
        return str(actions[rng.randrange(len(actions))])


BOTS = (bot("careful"), bot("greedy"), bot("random"), Plain())


def agrees(state: rv.State, seat: int | None, world: rv.State) -> None:
    """
    Check that a world is what a seat sees, with all cards.
    """
    assert rv.view(world, seat) == rv.view(state, seat)
    assert cards_of(world) == cards_of(state)
    assert world.to_act == state.to_act


def cards_of(state: rv.State) -> int:
    zones = sum(pack(zone._cards) for zone in state.zones)
    return sum(state._hands) + pack(state._stock) + zones


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "players", "seed"), every_third(GAMES, pytest.mark.slow), ids=IDS
)
def test_worlds_agree_with_the_view(rules: rv.Ruleset, players: int, seed: int) -> None:
    """
    Whatever the rules are, whoever plays and whoever is believed to play.
    """
    rng = random.Random(seed)
    for number, done in enumerate(walk(rules, players, seed, 110)):
        state = done.after
        if state.dealer is None or number % 22 or state.is_round_over:
            continue
        for at, seat in enumerate((None, *range(players))):
            view = rv.view(state, seat)
            believe = BOTS[(number + at) % len(BOTS)]
            world = rv.determinize(view, rng, believe)
            agrees(state, seat, world)
            other = rv.view(exchanged(state, seat, rng), seat)
            worlds = [
                rv.determinize(one, random.Random(number), believe)
                for one in (view, other)
            ]
            assert worlds[0] == worlds[1]


NOT_FOLLOWED = {"burraco", "canasta", "chinchon", "conquian", "hand-and-foot"}
"""Games with pots, cards laid aside or actions of rules, or a pile that is shuffled."""


@pytest.mark.parametrize("name", rv.presets())
def test_rounds_of_bots_are_followed_from_the_deal(name: str) -> None:
    """
    In most positions of every game, but for those that hide more than hands.
    """
    low, high = rv.preset(name).match.players
    players = max(low, min(3, high))
    rng = random.Random(4)
    followed = []
    state = rv.new_game(name, players, seed=8)
    for done in play_on(state, [bot("greedy")] * players, seed=8):
        state = done.after
        if state.round_number > 1 and len(followed) >= 12:
            break
        if state.is_round_over or rng.random() > 0.3:
            continue
        seat = rng.choice([None, *range(players)])
        view = rv.view(state, seat)
        world = rv.determinize(view, rng, believe=BOTS[len(followed) % 2])
        agrees(state, seat, world)
        end = rv.playout(world, rng.randrange, actions=30)
        assert len(end.history) > len(world.history)
        known = [cards.bits for cards in view.known]
        followed.append(past_of(view.world, seat, known) is not None)
    assert name in NOT_FOLLOWED or statistics.fmean(followed) > 0.55


def can_lay(world: rv.State, seat: int) -> bool:
    return can_lay_any(world, seat, world._hands[seat]) > 0


def deadwood(world: rv.State, seat: int) -> int:
    return fewest_points(world.dealt.terms, world._hands[seat])


@pytest.mark.parametrize(
    ("name", "figure"), [("gin-rummy", deadwood), ("rummy-500", can_lay)]
)
def test_believed_hands_are_nearer_to_true_ones(
    name: str, figure: Callable[[rv.State, int], float]
) -> None:
    """
    In their points of deadwood in gin, and in how many can lay anything in rummy.
    """
    careful = CarefulBot()
    true, uniform, believed = found = ([], [], [])
    for deal in range(12):
        state = rv.new_game(name, 2, seed=f"calibration/{deal}")
        rng = random.Random(deal)
        while not state.is_round_over:
            seat = state.to_act[0]
            if state.phase in {"draw", "offer"} and state.turns[seat] > 2:
                view = rv.view(state, seat)
                worlds = [rv.determinize(view, rng, one) for one in (None, careful)]
                for values, world in zip(found, [state, *worlds], strict=True):
                    values.append(figure(world, 1 - seat))
            state = rv.apply(state, careful.decide(state, seat))
    assert len(true) > 50
    off = [
        abs(statistics.fmean(one) - statistics.fmean(true))
        for one in (uniform, believed)
    ]
    assert off[1] < off[0] / 3


def test_discards_that_were_taken_are_of_use() -> None:
    """
    In gin most of them are in melds, in believed hands as in true ones.
    """
    matched = [0, 0, 0]
    careful = CarefulBot()
    for seed in range(9):
        state = rv.new_game("gin-rummy", 2, seed=f"taken {seed}")
        while not state.is_round_over:
            seat = state.to_act[0]
            view = rv.view(state, seat)
            other, rng = 1 - seat, random.Random(seed)
            worlds = [rv.determinize(view, rng, one) for one in (careful, None)]
            for at, world in enumerate([state, *worlds]):
                left = rv.view(world, other).deadwood
                matched[at] += sum(card not in left for card in view.known[other])
            state = rv.apply(state, careful.decide(state, seat))
    true, believed, uniform = matched
    assert true > 40
    assert abs(believed - true) < 0.15 * true
    assert uniform < 0.5 * true


@pytest.mark.parametrize("wrong", ["careful", CarefulBot, 3])
def test_who_is_believed_is_a_bot(wrong: object) -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    seen = rv.view(state, 0)
    with pytest.raises(TypeError, match="believe takes a bot"):
        rv.determinize(seen, random.Random(1), believe=wrong)  # type: ignore[arg-type]
