"""
What trains the strong bot and audits any: the same from a seed, and right.
"""

from __future__ import annotations

import json
import random
import statistics
import sys

import attrs
import numpy as np
import pytest

import rummyvariants as rv
import train

from rummyvariants.bots.advantages import Rival, packaged
from rummyvariants.bots.heuristic import careful
from rummyvariants.bots.search import margin, play_round
from rummyvariants.bots.strong import FAMILIES
from rummyvariants.game._state import thaw


# ------------------------------------------------------------------- the regression


def naive_ridge(rows: list[list[float]], gains: list[float], strength: float):
    """
    The weights that minimize the penalized error, by steps along the gradient.
    """
    number, width = len(rows), len(rows[0])
    sizes = [
        statistics.fmean(row[at] ** 2 for row in rows) ** 0.5 for at in range(width)
    ]
    weights = [0.0] * width
    for _ in range(4000):
        errors = [
            sum(weights[at] * row[at] / sizes[at] for at in range(width)) - gain
            for row, gain in zip(rows, gains, strict=True)
        ]
        for at in range(width):
            slope = sum(
                error * row[at] / sizes[at]
                for error, row in zip(errors, rows, strict=True)
            )
            weights[at] -= 0.1 * (slope / number + strength * weights[at])
    return [weight / size for weight, size in zip(weights, sizes, strict=True)]


def made(number: int, seed: int = 1, noise: float = 1.0) -> list[train.Sample]:
    """
    Samples that gain 3 less twice their second feature, two of each deal.
    """
    rng = random.Random(seed)
    found = []
    for at in range(number):
        features = {"one": 1.0, "b": rng.uniform(0, 4), "c": rng.gauss(0, 50)}
        gain = 3 - 2 * features["b"] + rng.gauss(0, noise)
        found.append(train.Sample(at // 2, "a", features, gain))
    return found


@pytest.mark.parametrize("strength", [0.001, 0.1])
def test_the_ridge_is_that_of_a_naive_twin(strength):
    samples = made(30)
    rows = [[*one.features.values()] for one in samples]
    gains = [one.gain for one in samples]
    found = train.ridge(np.array(rows), np.array(gains), strength)
    assert list(found) == pytest.approx(naive_ridge(rows, gains, strength), rel=1e-4)


def test_a_known_answer_is_found():
    found = train.fit(made(4000))
    assert found.weights["one"] == pytest.approx(3, abs=0.2)
    assert found.weights["b"] == pytest.approx(-2, abs=0.1)
    assert found.weights["c"] == pytest.approx(0, abs=0.005)
    # The second feature is below 1.5 in three of eight samples, and gains 0 to 3 there.
    assert found.margin < 0.6
    assert found.picked == pytest.approx(3 / 8, abs=0.08)
    assert found.gain == pytest.approx(1.5 * 3 / 8, abs=0.08)
    assert found.mean == pytest.approx(-1, abs=found.mean_half)


def test_nothing_is_gained_where_there_is_nothing_to_gain():
    rng = random.Random(1)
    samples = [attrs.evolve(one, gain=rng.gauss(-1, 10)) for one in made(4000)]
    found = train.fit(samples)
    assert abs(found.gain) < 2 * found.gain_half + 0.05


def test_an_interval_over_deals_treats_equal_samples_of_a_deal_as_one():
    rng = random.Random(1)
    values = [rng.gauss(5, 2) for _ in range(50)]
    once = train.over_deals(np.array(values), np.arange(50))
    twice = train.over_deals(np.repeat(values, 2), np.repeat(np.arange(50), 2))
    half = 1.96 * statistics.stdev(values) / 50**0.5
    assert once == pytest.approx((statistics.fmean(values), half))
    assert twice == pytest.approx(once)


def test_an_interval_covers_the_truth_in_95_of_100_repetitions():
    rng = np.random.default_rng(1)
    deals = np.repeat(np.arange(200), 3)
    covered = 0
    for _ in range(2000):
        values = np.repeat(rng.normal(1, 5, 200), 3) + rng.normal(0, 3, 600)
        mean, half = train.over_deals(values, deals)
        covered += abs(mean - 1) <= half
    assert 0.94 <= covered / 2000 <= 0.96


# -------------------------------------------------------------------- the branching


@attrs.frozen
class Others:
    """
    A family whose rivals are the base choice itself and, on a draw, the other one.
    """

    name = "others"

    def rivals(self, state, seat, base, kinds):
        del state, kinds
        yield Rival(base, "same", {"one": 1.0})
        if isinstance(base, rv.actions.Draw):
            yield Rival(rv.actions.Take(1, seat), "take", {"one": 1.0})


def test_a_rival_gains_what_the_round_played_both_ways_gives():
    branching = train.Branching(
        train.Table("gin-rummy", 2),
        "x",
        Others(),
        {"same": 1.0, "take": 1.0},
        "careful",
    )
    found = branching.samples(range(1))
    assert {one.gain for one in found if one.kind == "same"} == {0.0}
    gains = [one.gain for one in found if one.kind == "take"]
    wanted = []
    state = rv.new_game("gin-rummy", 2, seed="x/gin-rummy//0")
    while not state.is_round_over:
        seat = rv.bots.next_to_decide(state)
        action = careful(state, seat)
        if isinstance(action, rv.actions.Draw) and rv.check(state, "take 1"):
            ends = []
            for one in (action, "take 1"):
                draft = thaw(rv.apply(state, one))
                play_round(draft)
                ends.append(draft)
            points = [end.result.points for end in ends]
            leads = [two[seat] - two[1 - seat] for two in points]
            assert leads == [margin(end, seat) for end in ends]
            wanted.append(leads[1] - leads[0])
        state = rv.apply(state, action)
    assert gains == wanted
    assert any(gains)


def test_a_margin_counts_points_that_nobody_wants_the_other_way():
    draft = thaw(rv.new_game("three-thirteen", 3, seed=1))
    play_round(draft)
    points = draft.result.points
    assert len({*points}) > 1
    for seat in range(3):
        others = sum(points) - points[seat]
        assert margin(draft, seat) == others / 2 - points[seat]


# --------------------------------------------------------------------- the commands


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_training_is_the_same_again_from_a_seed(family, tmp_path):
    plan = attrs.evolve(train.PLANS[family.name], rounds=6)
    (known,) = [one for one in packaged(FAMILIES) if one.family == family]
    texts = []
    for number, seed in enumerate(["a", "a", "b"]):
        learned, fits = train.learn(family, plan, seed)
        terms = {kind: [*one.weights] for kind, one in known.kinds.items()}
        assert {kind: [*one.weights] for kind, one in fits.items()} == terms
        path = tmp_path / f"{number}.json"
        # Whatever gains: the file has all kinds that were fitted.
        kinds = {
            kind: train.Kind(one.weights, one.margin) for kind, one in fits.items()
        }
        train.write(attrs.evolve(learned, kinds=kinds), path)
        texts.append(path.read_text("utf-8"))
    assert texts[0] == texts[1] != texts[2]
    assert {*json.loads(texts[0])} == {family.name}


@pytest.mark.parametrize(
    ("bot", "game", "players"),
    [("careful", "rummy-500", 2), ("greedy", "canasta", 4), ("strong", "gin-rummy", 2)],
)
def test_any_bot_is_audited_in_any_game(
    bot, game, players, tmp_path, monkeypatch, capsys
):
    file = tmp_path / "audit.json"
    words = ["train.py", "--audit", bot, "--game", game, "--rounds", "2"]
    words += ["--players", str(players), "--rate", "0.3", "--json", str(file)]
    monkeypatch.setattr(sys, "argv", words)
    assert train.main() == 0
    data = json.loads(file.read_text("utf-8"))
    assert any(kind.startswith("another discard") for kind in data)
    printed = capsys.readouterr().out
    for kind, one in data.items():
        assert f"| {kind} | {one['samples']} |" in printed
        assert 0 <= one["picked"] <= 1


@pytest.mark.slow
def test_an_audit_finds_a_bot_that_throws_points_away():
    """
    The random bot discards anything, so what others would do in its place gains.
    """
    branching = train.Branching(
        train.Table("gin-rummy", 2), "x", train.Anything(), {"": 0.2}, "random"
    )
    samples = branching.samples(range(60))
    kinds = train.by_kind(samples)
    knocks = [
        one.gain for kind in kinds if kind.startswith("knock") for one in kinds[kind]
    ]
    assert len(knocks) > 5
    assert statistics.fmean(knocks) > 5
