"""
The strong bot: what it has learned, where it uses that, and that it sees no more.
"""

from __future__ import annotations

import json
import math
import random

from pathlib import Path

import attrs
import pytest

import rummyvariants as rv

from rummyvariants._support.packaged import packaged_text
from rummyvariants.bots import CarefulBot, StrongBot, next_to_decide, play_on
from rummyvariants.bots.advantages import FILE, Kind, Learned, Rival, packaged
from rummyvariants.bots.knocking import Knocking
from rummyvariants.bots.strong import FAMILIES
from test_views import exchanged


EAAI = Path(__file__).parent.parent / "bench" / "eaai.toml"
TRAINED = {"knocking": [(rv.preset("gin-rummy"), 2), (rv.load_rules(EAAI), 2)]}
"""Games that each family was trained on."""
DOCUMENT = json.loads(packaged_text(FILE))


def numbers(found: object) -> list[float]:
    """
    All numbers of a document.
    """
    if isinstance(found, dict):
        return [one for value in found.values() for one in numbers(value)]
    if isinstance(found, list):
        return [one for value in found for one in numbers(value)]
    return [] if isinstance(found, str) else [found]


def test_every_family_has_been_trained():
    assert {*DOCUMENT} == {family.name for family in FAMILIES} == {*TRAINED}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_is_shipped_is_a_few_plain_numbers(family):
    given = DOCUMENT[family.name]
    assert {*given} == {"conditions", "kinds"}
    assert 0 < len(numbers(given)) < 100
    assert all(math.isfinite(one) for one in numbers(given))
    assert {*given["kinds"]} <= {*family.features}
    for kind, has in given["kinds"].items():
        assert {*has} == {"margin", "weights"}
        assert tuple(has["weights"]) == family.features[kind]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_was_learned_is_used_in_the_games_of_the_training(family):
    (known,) = [one for one in packaged(FAMILIES) if one.family == family]
    for rules, players in TRAINED[family.name]:
        assert known.holds(rules, players)
        assert differences(rules, players, range(20))


def differences(rules: rv.Ruleset, players: int, seeds: range) -> int:
    """
    How often the strong bot chooses other than the careful one, in rounds of its own.
    """
    found = 0
    for seed in seeds:
        state = rv.new_game(rules, players, seed=seed)
        for done in play_on(state, [StrongBot()] * players, seed):
            if done.before.to_act:
                seat = next_to_decide(done.before)
                seen = rv.view(done.before, seat)
                found += CarefulBot().choose(seen, random.Random(0)) != done.action
            if done.after.is_round_over:
                break
    return found


@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (rv.preset("three-thirteen"), 2),
        (rv.preset("indian-rummy"), 2),
        (rv.preset("gin-rummy").with_values({"out.knock": 5}), 2),
        (rv.preset("gin-rummy").with_values({"score.gin_bonus": 0}), 2),
        (rv.preset("gin-rummy").with_values({"deck.ranks": "A23456789TJQ"}), 2),
    ],
    ids=["other endings", "lives", "another limit", "another bonus", "a shorter deck"],
)
def test_elsewhere_it_plays_as_the_careful_bot_does(rules, players):
    assert not differences(rules, players, range(4))


@pytest.mark.parametrize("rules", [one for one, _ in TRAINED["knocking"]], ids=str)
def test_what_is_hidden_changes_neither_choices_nor_features(rules):
    rng = random.Random(1)
    family = Knocking()
    kinds = set()
    for seed in range(4):
        state = rv.new_game(rules, 2, seed=seed)
        for done in play_on(state, [StrongBot()] * 2, seed):
            if done.before.to_act:
                seat = next_to_decide(done.before)
                other = exchanged(done.before, seat, rng)
                seen = rv.view(other, seat)
                assert StrongBot().choose(seen, rng) == done.action
                base = CarefulBot().choose(seen, rng)
                rivals = [
                    list(family.rivals(one, seat, base)) for one in (done.before, other)
                ]
                assert rivals[0] == rivals[1]
                kinds |= {rival.kind for rival in rivals[0]}
            if done.after.is_round_over:
                break
    assert kinds == {*family.features}


# ---------------------------------------------------------------------------- frame


def test_a_gain_is_a_weighted_sum_less_a_margin():
    kind = Kind((2.0, -1.0), 0.5)
    assert kind.gain((3.0, 4.0)) == 2.0


@attrs.frozen
class Two:
    """
    A family of rivals that are given.
    """

    found: tuple[Rival, ...]

    def rivals(self, state, seat, base):
        del state, seat, base
        return iter(self.found)


def test_the_best_rival_above_its_margin_comes_first():
    draw, take, other = rv.Draw(0), rv.Take(1, 0), rv.Pass(0)
    rivals = Two(
        (Rival(draw, "a", (1.0,)), Rival(take, "a", (3.0,)), Rival(other, "b", (9.0,)))
    )
    known = Learned(rivals, {"a": Kind((2.0,), 1.5)}, ())
    assert known.better(None, 0, draw) == [take, draw]
    known = Learned(rivals, {"a": Kind((2.0,), 2.0)}, ())
    assert known.better(None, 0, draw) == [take]
    known = Learned(rivals, {"a": Kind((2.0,), 6.0)}, ())
    assert known.better(None, 0, draw) == []
