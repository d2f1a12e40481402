"""Worlds in which the other hands were developed agree with the view."""

from __future__ import annotations

import random
import statistics

import pytest

import calibration
import rummyvariants as rv

from rummyvariants.bots import CarefulBot, bot, play_on
from rummyvariants.cards import pack
from rummyvariants.game._past import past_of
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


@pytest.mark.parametrize(("name", "players"), [("gin-rummy", 2), ("rummy-500", 2)])
def test_believed_hands_are_nearer_to_true_ones(name: str, players: int) -> None:
    """
    Their points in gin, and in rummy the share of those from which cards can be laid.
    """
    seen = list(calibration.measure(rv.preset(name), players, 12))
    what = "points" if name == "gin-rummy" else "lays"
    late = [getattr(one, what) for one in seen if one.turn > 3]
    means = [statistics.fmean(one[kind] for one in late) for kind in calibration.KINDS]
    true, uniform, believed = means
    assert len(late) > 50
    assert abs(believed - true) < abs(uniform - true) / 3


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


def test_the_interval_of_a_ratio_holds_the_ratio() -> None:
    """
    In 94 to 96 % of simulated sets of deals, whose positions depend on their deal.
    """
    rng = random.Random(11)
    held = 0
    for _ in range(2000):
        pairs = []
        for deal in range(120):
            luck = rng.gauss(20, 4)
            for _ in range(1 + deal % 3):
                other = luck + rng.gauss(0, 2)
                pairs.append((deal, 1.1 * luck + rng.gauss(0, 5), other))
        found, half = calibration.ratio(pairs)
        held += abs(found - 1.1) <= half
    assert 0.94 <= held / 2000 <= 0.96


@pytest.mark.parametrize("wrong", ["careful", CarefulBot, 3])
def test_who_is_believed_is_a_bot(wrong: object) -> None:
    state = rv.new_game("rummy-500", 2, seed=1)
    seen = rv.view(state, 0)
    with pytest.raises(TypeError, match="believe takes a bot"):
        rv.determinize(seen, random.Random(1), believe=wrong)  # type: ignore[arg-type]
