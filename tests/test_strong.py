"""
The strong bot: what it has learned, where it uses that, and that it sees no more.
"""

from __future__ import annotations

import json
import math
import random
import statistics

from pathlib import Path

import attrs
import pytest

import rummyvariants as rv

from rummyvariants._support.packaged import packaged_text
from rummyvariants.bots import CarefulBot, StrongBot, next_to_decide, play_on
from rummyvariants.bots.advantages import FILE, Kind, Learned, Rival, packaged
from rummyvariants.bots.knocking import Knocking
from rummyvariants.bots.strong import FAMILIES
from test_gin_panel import naive_points, position, turned
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


# ------------------------------------------------------------------------- features


def features(state: rv.State, base: str, kind: str) -> dict[str, dict[str, float]]:
    """
    The rivals of a kind, each with its features by name.
    """
    names = Knocking().features[kind]
    action = rv.parse_action(base, state, 0)
    return {
        str(rival.action): dict(zip(names, rival.features, strict=True))
        for rival in Knocking().rivals(state, 0, action)
        if rival.kind == kind
    }


def naive_ahead(state: rv.State, hand: str) -> tuple[float, float, float]:
    """
    The points after the next unseen card, and how often they allow a knock, and gin.
    """
    held = frozenset(hand.split())
    unseen = {str(card) for card in (*state.stock, *state.hands[1])}
    unseen -= {str(card) for card in state.seen_in_hands[1]}
    after = [
        min(naive_points((held | {drawn}) - {gone}) for gone in held | {drawn})
        for drawn in unseen
    ]
    number = len(after)
    return (
        statistics.fmean(after),
        sum(one <= 10 for one in after) / number,
        after.count(0) / number,
    )


HELD = "2h 3h 4h 5h 9h 9c 9s Ad 2d 6c"


def approximately(**wanted: float) -> object:
    return pytest.approx({name.replace("_", " "): one for name, one in wanted.items()})


def test_the_features_of_a_knock():
    """
    Nine points; the three of diamonds would make it gin.
    """
    state = turned(position(f"{HELD} Kd", known="Jc Js", other="Qd"), 4)
    points, _, gin = naive_ahead(state, HELD)
    assert gin == 1 / 38
    ((action, found),) = features(state, "discard Kd", "knock").items()
    assert action.partition(":")[0] == "knock Kd"
    assert found == approximately(
        one=1,
        points=0.9,
        squared_points=0.81,
        turn=0.4,
        squared_turn=0.16,
        points_by_turn=0.36,
        known_cards=0.2,
        stock=2.8,
        next_points=points / 10,
        gin_next=gin,
        # A six and an ace of hearts, the fourth nine, and aces and a two beside others:
        # whatever adds no points.
        cards_that_fit=len(fitting(state, HELD)) / 10,
        known_points=2,
    )
    assert {"6h", "Ah", "9d", "3d"} <= fitting(state, HELD)
    (contrary,) = features(state, "knock Kd", "knock").items()
    assert contrary == ("discard Kd", {name: -one for name, one in found.items()})


def fitting(state: rv.State, hand: str) -> set[str]:
    """
    The cards not seen in a pile or the own hand that add no points to a hand.
    """
    held = frozenset(hand.split())
    others = {str(card) for card in (*state.stock, *state.hands[1])}
    return {one for one in others if naive_points(held | {one}) <= naive_points(held)}


def test_the_features_of_another_discard():
    state = turned(position(f"{HELD} Kd", known="Jc Js", other="Qd"), 4)
    found = features(state, "discard Kd", "discard")
    assert [*found] == ["discard 6c", "discard 2d", "discard Ad"]
    one = found["discard 6c"]
    kept = HELD.replace("6c", "Kd")
    usual, other = naive_ahead(state, HELD), naive_ahead(state, kept)
    assert one["points"] == 13 - 9
    assert one["worth"] == 6 - 10
    ahead = one["next points"], one["knock next"], one["gin next"]
    assert ahead == pytest.approx(
        tuple([mine - its for mine, its in zip(other, usual, strict=True)])
    )
    for name in ("points", "hope", "gift", "worth", "next points", "knock next"):
        assert one[f"late {name}"] == pytest.approx(0.4 * one[name])


def test_the_features_of_taking_the_upcard():
    """
    The six of hearts lengthens a run, and the six of clubs goes.
    """
    state = turned(position(HELD, discards="Ks 6h", known="Jc Js", other="Qd"), 4)
    points, knock, gin = naive_ahead(state, HELD)
    ((action, found),) = features(state, "draw", "take").items()
    assert action == "take 1"
    assert found.pop("saving") > 4
    assert found == approximately(
        one=1,
        offered=0,
        turn=0.4,
        points_saved=6,
        points_saved_by_the_stock=9 - points,
        knock=1,
        knock_next=knock,
        gin=0,
        gin_next=gin,
        melded=1,
        stock=2.8,
    )
    (contrary,) = features(state, "take 1", "take")
    assert contrary == "draw"


def test_a_knock_that_is_gin_or_a_card_of_no_use_has_no_rival():
    gin = position("2h 3h 4h 5h 9h 9c 9s Ad 2d 3d Kd")
    assert not [*Knocking().rivals(gin, 0, rv.parse_action("knock Kd", gin, 0))]
    king = turned(position(HELD, discards="2s Kd", other="Qd"), 4)
    assert not features(king, "draw", "take")
