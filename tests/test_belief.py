"""Worlds in which the other hands were developed agree with the view."""

from __future__ import annotations

import random
import statistics

import pytest

import rummyvariants as rv

from rummyvariants.bots import bot, play_on
from rummyvariants.cards import pack
from rummyvariants.game._past import past_of
from test_views import GAMES, IDS, exchanged, walk


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


@pytest.mark.parametrize(("rules", "players", "seed"), GAMES, ids=IDS)
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


@pytest.mark.parametrize("name", rv.presets())
def test_rounds_of_bots_are_followed_from_the_deal(name: str) -> None:
    """
    In most positions of every game; not in canasta, whose red threes are laid aside.
    """
    low, high = rv.preset(name).match.players
    players = max(low, min(3, high))
    rng = random.Random(4)
    followed = []
    state = rv.new_game(name, players, seed=8)
    for done in play_on(state, [bot("greedy")] * players, seed=8):
        state = done.after
        if state.round_number > 1 + (len(followed) < 4):
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
    assert name == "canasta" or statistics.fmean(followed) > 0.55
