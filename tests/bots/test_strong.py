"""
The strong bot: what it has learned, where it uses that, and that it sees no more.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import statistics

import attrs
import pytest

from hypothesis import assume, given
from hypothesis import strategies as st

import rummyvariants as rv

from gin_positions import naive_points, position, turned
from places import BENCH
from rummyvariants._support.packaged import packaged_text
from rummyvariants.bots import (
    CarefulBot,
    StrongBot,
    next_to_decide,
    play_on,
    racing,
)
from rummyvariants.bots.advantages import (
    FILE,
    Family,
    Kind,
    Learned,
    Rated,
    Rival,
    packaged,
)
from rummyvariants.bots.heuristic import careful
from rummyvariants.bots.knocking import Knocking
from rummyvariants.bots.names import BotError, bot, bot_name
from rummyvariants.bots.racing import Candidate, Tried, raced
from rummyvariants.bots.strong import FAMILIES, best_known, open_to_trial
from rummyvariants.files._positions import read_position
from walks import exchanged


EAAI = BENCH / "eaai.toml"
TRAINED = {
    "knocking": [(rv.preset("gin-rummy"), 2), (rv.load_rules(EAAI), 2)],
    "laying, 2500-house": [(rv.preset("2500-house"), 4)],
    "laying, rummy-500": [(rv.preset("rummy-500"), 2)],
    "laying, rummy-5000": [(rv.preset("rummy-5000"), 4)],
}
"""Games that each family was trained on."""
DOCUMENT = json.loads(packaged_text("data", FILE))


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
    assert 0 < len(numbers(given)) < 100
    assert all(math.isfinite(one) for one in numbers(given))
    for has in given["kinds"].values():
        assert {*has} - {"spread"} == {"margin", "weights"}
    spreads = {has["spread"] for has in given["kinds"].values() if "spread" in has}
    assert bool(spreads) == bool(given.get("playouts"))
    assert all(one > 0 for one in spreads)


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
        for done in play_on(state, [StrongBot(0)] * players, seed):
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


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_is_hidden_changes_neither_choices_nor_features(family):
    for rules, players in TRAINED[family.name]:
        exchanging(family, rules, players)


def exchanging(family: Family, rules: rv.Ruleset, players: int) -> None:
    """
    Exchange what is hidden before each choice of some rounds.
    """
    terms = DOCUMENT[family.name]["kinds"]
    rng = random.Random(1)
    kinds = set()
    for seed in range(4):
        state = rv.new_game(rules, players, seed=seed)
        for number, done in enumerate(play_on(state, [StrongBot(0)] * players, seed)):
            if done.before.to_act:
                seat = next_to_decide(done.before)
                other = exchanged(done.before, seat, rng)
                seen = rv.view(other, seat)
                assert StrongBot(0).choose(seen, rng) == done.action
                if number % 5 == 0:
                    tried = [
                        StrongBot(6).choose(rv.view(one, seat), random.Random(number))
                        for one in (done.before, other)
                    ]
                    assert tried[0] == tried[1]
                base = CarefulBot().choose(seen, rng)
                rivals = [
                    list(family.rivals(one, seat, base, terms))
                    for one in (done.before, other)
                ]
                assert rivals[0] == rivals[1]
                for rival in rivals[0]:
                    kinds.add(rival.kind)
                    for name in terms[rival.kind]["weights"]:
                        # The base choice is not to take.
                        assert {*name.split(" * ")} <= {*rival.features, *rival.usual}
            if done.after.is_round_over:
                break
    assert kinds == {*terms}


# ---------------------------------------------------------------------------- frame


def test_a_gain_is_a_weighted_sum_less_a_margin():
    kind = Kind({"a": 2.0, "a * b": -1.0}, 0.5)
    usual = {"one": 1.0, "a": 1.0, "b": 4.0}
    rival = Rival(DRAW, "x", {"one": 1.0, "a": 3.0, "b": 4.0}, usual)
    assert kind.gain(rival) == 2 * (3 - 1) - (3 * 4 - 1 * 4)
    assert kind.gain(Rival(DRAW, "x", {}, usual)) == -2 * 1 + 1 * 4


@attrs.frozen
class Two:
    """
    A family of rivals that are given.
    """

    found: tuple[Rival, ...]

    def rivals(self, state, seat, base, kinds):
        del state, seat, base, kinds
        return iter(self.found)


DRAW, TAKE, PASS = rv.actions.Draw(0), rv.actions.Take(1, 0), rv.actions.Pass(0)


def test_the_rival_with_the_most_gain_above_its_margin_comes_first():
    rivals = Two(
        (
            Rival(DRAW, "a", {"one": 1.0, "x": 1.0}),
            Rival(TAKE, "a", {"one": 1.0, "x": 3.0}),
            Rival(PASS, "b", {"one": 1.0, "x": 9.0}),
        )
    )
    for margin, better in ((1.5, [TAKE, DRAW]), (2.0, [TAKE]), (6.0, [])):
        known = Learned(rivals, {"a": Kind({"x": 2.0}, margin)}, ())
        rated = known.rated(None, 0, DRAW)
        assert [(one.action, one.gain) for one in rated] == [(TAKE, 6.0), (DRAW, 2.0)]
        assert [one.action for one in rated if one.is_better] == better


# ------------------------------------------------------------------------- playouts


def rated(*gains: tuple[str, float], margin: float = 2.0, spread=4.0):
    """
    Discards with predicted gains, the best first.
    """
    kind = Kind({}, margin, spread)
    return [
        Rated(rv.game.parse_action(f"discard {card}", seat=0), gain, kind)
        for card, gain in gains
    ]


@pytest.mark.parametrize(
    ("gains", "first", "open_"),
    [
        # Nothing is better than the base choice, and only what may be is tried.
        ((("Kd", -1.0), ("6c", -7.9), ("2d", -8.1)), "9h", {"Kd": -1.0, "6c": -7.9}),
        # The best is compared with the base choice and with the others.
        ((("Kd", 3.0), ("6c", 1.0)), "Kd", {"9h": -3.0, "6c": -2.0}),
        # It is so much better that only one rival is open, or none.
        ((("Kd", 9.0), ("6c", 1.5)), "Kd", {"6c": -7.5}),
        ((("Kd", 9.0), ("6c", 0.5)), "Kd", {}),
        # Three at most, and none that is illegal.
        (
            (("Kd", 1.0), ("Kc", 0.9), ("6c", 0.5), ("2d", 0.0), ("Ad", -1.0)),
            "9h",
            {"Kd": 1.0, "6c": 0.5, "2d": 0.0},
        ),
    ],
    ids=["the base first", "the best first", "one left", "sure", "three"],
)
def test_what_is_tried_is_what_the_learned_gains_leave_open(gains, first, open_):
    state = position("2h 3h 4h 5h 9h 9c 9s Ad 2d 6c Kd")
    known = rated(*gains)
    base = rv.game.parse_action("discard 9h", seat=0)
    chosen = best_known(state, 0, known, base)
    assert str(chosen) == f"discard {first}"
    found = open_to_trial(state, known, base, chosen)
    gained = {str(one.action).removeprefix("discard "): one.gain for one in found}
    assert gained == pytest.approx(open_)
    assert all(one.spread == 4.0 for one in found)


def test_kinds_without_a_spread_are_not_tried():
    state = position("2h 3h 4h 5h 9h 9c 9s Ad 2d 6c Kd")
    base = rv.game.parse_action("discard 9h", seat=0)
    for gain in (1.0, 5.0):
        known = rated(("Kd", gain), spread=None)
        chosen = best_known(state, 0, known, base)
        assert open_to_trial(state, known, base, chosen) == []


def last_card() -> rv.View:
    """
    A hand of one card that may be discarded or laid off.
    """
    state = read_position(
        {
            "seats": ["N", "E"],
            "dealer": "E",
            "turn": "N",
            "phase": "play",
            "hands": {"N": "Kd", "E": "3c 4d Js 6s 8s"},
            "drawn": "stock Kd",
            "discards": "5s",
            "table": ["N: 9h 9c 9d", "E: Kc Ks Kh"],
        },
        rv.preset("rummy-500"),
        fill=True,
    )
    return rv.view(state, 0)


@pytest.mark.parametrize("gain", [-50.0, 0.0, 50.0])
@pytest.mark.parametrize("playouts", [1, 500])
def test_what_is_better_in_all_worlds_is_chosen_whatever_was_expected(gain, playouts):
    """
    To lay the king off brings 20 points more, and nothing else differs.
    """
    view = last_card()
    discard, lay = [
        rv.game.parse_action(text, seat=0) for text in ("discard Kd", "lay Kd on 2")
    ]
    others = [Candidate(lay, gain, 1.0)]
    rng, as_careful = random.Random(1), CarefulBot()
    assert raced(view, discard, others, playouts, rng, as_careful, careful) == lay


def test_no_further_world_is_dealt_once_the_answer_is_settled(monkeypatch):
    dealt = []

    def counted(*asked):
        dealt.append(rv.determinize(*asked))
        return dealt[-1]

    monkeypatch.setattr(racing, "determinize", counted)
    first = rv.game.parse_action("discard Kd", seat=0)
    others = [Candidate(rv.game.parse_action("lay Kd on 2", seat=0), 0.0, 50.0)]
    raced(last_card(), first, others, 500, random.Random(1), None, careful)
    assert len(dealt) == 8
    raced(last_card(), first, [], 500, random.Random(1), None, careful)
    assert len(dealt) == 8


def test_believed_hands_are_played_with_several_orders_of_the_stock():
    state = rv.new_game("rummy-5000", 4, seed=1)
    view, rng = rv.view(state, state.turn), random.Random(1)
    worlds = [*itertools.islice(racing._worlds(view, rng, CarefulBot()), 6)]
    hands, stocks = [], set()
    for one in worlds:
        hands.append(one._hands)
        assert sorted(one._stock) == sorted(worlds[len(stocks) // 3 * 3]._stock)
        stocks.add(one._stock)
    assert len(stocks) == 6
    assert [*map(len, map(set, (hands[:3], hands[3:], hands)))] == [1, 1, 2]


@pytest.mark.parametrize(("gain", "chosen"), [(-1e6, "draw"), (1e6, "take 1")])
def test_where_luck_decides_what_was_known_counts(gain, chosen):
    state = rv.new_game("rummy-500", 2, seed=1)
    draw, take = rv.actions.Draw(state.turn), rv.actions.Take(1, state.turn)
    view = rv.view(state, state.turn)
    others = [Candidate(take, gain, 1.0)]
    found = raced(view, draw, others, 8, random.Random(1), None, careful)
    assert str(found) == chosen


@given(
    leads=st.lists(st.floats(-100, 100), min_size=2, max_size=8),
    gain=st.floats(-20, 20),
    spread=st.floats(0.5, 50),
)
def test_the_mean_of_a_rival_is_that_of_the_normal_posterior(leads, gain, spread):
    """
    Precisions add up, and the mean is weighted by them.
    """
    rival = Tried(Candidate(DRAW, gain, spread))
    for lead in leads:
        rival.note(lead)
    variance = statistics.variance(leads) / len(leads)
    assume(variance > 1e-6)
    precision = 1 / spread**2 + 1 / variance
    mean = (gain / spread**2 + statistics.fmean(leads) / variance) / precision
    assert rival.mean == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize(("ahead", "others"), [(3.0, []), (-3.0, []), (4.0, [7.0])])
def test_further_worlds_promise_what_a_change_of_the_choice_would_bring(ahead, others):
    """
    The mean of a rival moves as the precision of the worlds to come says.
    """
    rival = Tried(Candidate(DRAW, ahead, 10.0))
    for lead in (ahead - 20, ahead, ahead + 20):
        rival.note(lead)
    assert rival.mean == pytest.approx(ahead)
    now, later = [1 / (1 / 10**2 + number / 20**2) for number in (3, 3 + 9)]
    rng = random.Random(1)
    moved = [rng.gauss(ahead, (now - later) ** 0.5) for _ in range(100_000)]
    best = max([0.0, *others])
    gained = statistics.fmean([max(one, best) for one in moved]) - max(ahead, best)
    rivals = [rival, *[Tried(Candidate(DRAW, gain, 1.0)) for gain in others]]
    assert rival.promises(rivals, 9) == pytest.approx(gained, abs=0.05)


def test_playouts_change_choices_and_the_source_of_chance_decides_alone():
    changed = 0
    state = rv.new_game("rummy-500", 2, seed=5)
    for done in play_on(state, [StrongBot(0)] * 2, 5):
        if done.before.to_act:
            seat = next_to_decide(done.before)
            seen = rv.view(done.before, seat)
            tried = [StrongBot(60).choose(seen, random.Random(1)) for _ in range(2)]
            assert tried[0] == tried[1]
            changed += tried[0] != done.action
            assert StrongBot().decide(done.before, seat) == done.action
        if done.after.is_round_over:
            break
    assert changed


def test_the_number_of_playouts_is_a_parameter():
    assert bot("strong:playouts=0") == StrongBot(0)
    assert bot_name(StrongBot()) == "strong"
    assert bot_name(StrongBot(9)) == "strong:playouts=9"
    with pytest.raises(BotError, match="playouts is -1, but has to be a whole"):
        bot("strong:playouts=-1")


# ------------------------------------------------------------------------- features


def features(state: rv.State, base: str, kind: str) -> dict[str, dict[str, float]]:
    """
    The rivals of a kind, each with its features by name.
    """
    terms = DOCUMENT["knocking"]["kinds"][kind]["weights"]
    action = rv.game.parse_action(base, 0)
    return {
        str(rival.action): dict(zip(terms, rival.more(terms), strict=True))
        for rival in Knocking().rivals(state, 0, action, (kind,))
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
    return pytest.approx(
        {
            name.replace("_by_", " * ").replace("_", " "): one
            for name, one in wanted.items()
        }
    )


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
        points_by_points=0.81,
        turn=0.4,
        turn_by_turn=0.16,
        points_by_turn=0.36,
        known_cards=0.2,
        stock=2.8,
        next_points=points,
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
        assert one[f"{name} * turn"] == pytest.approx(0.4 * one[name])


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
        **{"points saved by the stock": 9 - points},
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
    assert not [*Knocking().rivals(gin, 0, rv.game.parse_action("knock Kd", 0), ())]
    king = turned(position(HELD, discards="2s Kd", other="Qd"), 4)
    assert not features(king, "draw", "take")
