"""What scenarios of one round cannot show: who deals next, and how matches end."""

from __future__ import annotations

from collections import Counter

import attrs
import pytest

import rummyvariants as rv

from amounts import every_third
from rummyvariants.files._positions import read_position
from rummyvariants.files.json import JsonError, from_data, from_json, to_data, to_json
from rummyvariants.game._scoring import round_result
from rummyvariants.policies import MatchPolicy
from rummyvariants.testing import check_ruleset


pytestmark = pytest.mark.long


GAMES = ("basic-rummy", "oklahoma-rummy", "persian-rummy", "rummy-500-pagat")


@pytest.mark.parametrize("name", GAMES)
def test_what_must_hold_of_every_game_holds(name: str) -> None:
    check_ruleset(name, matches=1)


def test_r5v_16_who_is_out_deals_next() -> None:
    left, winner = MatchPolicy(), MatchPolicy(rotation="to who is out")
    assert left.dealer_after(0, [0] * 4, 2) == 1
    assert winner.dealer_after(0, [0] * 4, 2) == 2
    assert winner.dealer_after(3, [0] * 4, None) == 0
    state = rv.files.parse_scenario(
        """
        rules = { extends = "rummy-500", with = ["R5V-16"] }
        [position]
        seats = ["N", "E", "S"]
        dealer = "N"
        turn = "S"
        phase = "play"
        drawn = "stock 9c"
        discards = "5d"
        stock = "3c"
        hands = { N = "2c", E = "8d", S = "9c" }
        """
    ).start
    assert state is not None
    after = rv.apply(state, "discard 9c")
    assert after.match.next_dealer == 2


def test_r5v_43_the_last_deal_ends_the_match() -> None:
    policy = MatchPolicy(rounds=3)
    assert policy.winners((10, 20), 0, last_round=False) == ()
    assert policy.winners((10, 20), 0, last_round=True) == (1,)
    assert policy.winners((510, 20), 1, last_round=False) == (0,)


def test_bas_09_the_lowest_of_all_wins() -> None:
    policy = MatchPolicy(winner="lowest", target=100)
    assert policy.winners((99, 20, 3), 0, last_round=False) == ()
    assert policy.winners((101, 20, 3), 0, last_round=False) == (2,)


def test_r5v_44_nobody_but_who_is_out() -> None:
    policy = MatchPolicy(winner="only who is out")
    assert policy.winners((510, 20), 1, last_round=False) == ()
    assert policy.winners((510, 20), None, last_round=False) == ()
    assert policy.winners((510, 600), 0, last_round=False) == (0,)


def test_r5v_47_partners_win_together() -> None:
    policy = MatchPolicy(sides="partners opposite")
    assert policy.sides_of(4) == ((0, 2), (1, 3))
    assert policy.sides_of(6) == ((0, 3), (1, 4), (2, 5))
    assert [policy.makes_sides(number) for number in range(2, 7)] == [
        *(False, False, True, False, True)
    ]
    assert policy.winners((499, 250, 0, 240), 0, last_round=False) == ()
    assert policy.winners((300, 250, 210, 240), 0, last_round=False) == (0, 2)
    lowest = attrs.evolve(policy, winner="lowest", target=100)
    assert lowest.winners((60, 30, 50, 20), 0, last_round=False) == (1, 3)


def test_a_tie_goes_to_who_won_more_rounds() -> None:
    policy = MatchPolicy(winner="lowest", tie="to who won more rounds")
    assert policy.counts_boxes
    assert policy.round_winner((0, 5, 20)) == 0
    assert policy.round_winner((0, 5, 0)) is None
    assert policy.round_winner((-10, 0, 0)) == 0
    last = {"last_round": True}
    assert policy.winners((40, 9, 9), 0, **last, boxes=(4, 1, 2)) == (2,)
    assert policy.winners((40, 9, 9), 0, **last, boxes=(4, 2, 2)) == (1, 2)
    assert policy.winners((40, 9, 10), 0, **last, boxes=(4, 0, 2)) == (1,)


def test_r5v_46_payments_make_nothing_out_of_nothing() -> None:
    policy = MatchPolicy(settlement="the differences")
    assert policy.payments((520, 300, 520), ()) == (0, 0, 0)
    assert policy.payments((520, 300, 520), (0, 2)) == (220, -440, 220)
    assert policy.payments((510, 600), (0,)) == (0, 0)  # who is behind is paid nothing
    lowest = attrs.evolve(policy, winner="lowest")
    assert lowest.payments((100, 20, 50), (1,)) == (-80, 110, -30)
    partners = attrs.evolve(policy, sides="partners opposite")
    assert partners.payments((300, 100, 230, 90), (0, 2)) == (340, -340)


@pytest.mark.parametrize("name", every_third(rv.presets(), pytest.mark.slow))
@pytest.mark.parametrize(
    "option", [one for one in rv.options() if one.startswith(("R5V", "BAS", "OKV"))]
)
def test_pgv_p1_variations_go_on_every_game(name: str, option: str) -> None:
    """
    Or the game is at odds with one, and says so with a rule.
    """
    try:
        rules = rv.preset(name).with_options(option)
    except rv.errors.RulesError as error:
        assert option in error.rules or option in str(error)
        assert name not in {"rummy-500", "rummy-5000"}
        return
    assert rules.describe()


TWICE = {"score.four_at_once": "twice"}
FREE = {"meld.set_suits": "free", "deck.packs": 2}


@pytest.mark.parametrize(
    ("values", "table", "hands", "steps", "doubled", "more"),
    [
        (
            {},
            [],
            {"N": "5c 6c 7c 8c 9c Tc Kd Ks", "S": "Jc 3d"},
            "meld 7c 8c 9c Tc, lay 6c on 1, lay 5c on 1, discard Kd, draw, lay Jc on 1",
            (1,),
            {0: 34},
        ),
        # A card traded for one of the four counts as that did.
        (
            {"wild.real_card": "swap"},
            [],
            {"N": "6c 7c 8c * Tc Kd Ks", "S": "9c 3d"},
            "meld 7c 8c *=9c Tc, lay 6c on 1, discard Kd, draw, swap 9c on 1",
            (1,),
            {0: 25, 1: 9},
        ),
        # Of equal cards those count twice that came first.
        (
            FREE,
            [],
            {"N": "9c 9c 9d 9h 9h Kd Ks", "S": "9d 3d"},
            "meld 9c 9c 9d 9h, lay 9h on 1, discard Kd, draw, lay 9d on 1",
            (1,),
            {0: 36},
        ),
        (
            {"wild.split": True},
            ["S: Qc Qd Qh"],
            {"N": "4c 5c 6c 7c 8c 9c Tc Kd Ks", "S": "3d"},
            "meld 7c 8c 9c Tc, lay 4c 5c 6c on 2, split 2 after 3",
            (3,),
            {0: 34},
        ),
        (
            {"wild.split": True},
            [],
            {"N": "4c 5c 6c 7c 8c 9c Tc Kd Ks", "S": "3d"},
            "meld 7c 8c 9c Tc, lay 4c 5c 6c on 1, split 1 after 4",
            (),
            {},
        ),
        # All thirteen cards of a suit lie elsewhere on the track.
        (
            {"meld.ace": "round the corner"},
            [],
            {"N": "Jc Qc Kc Ac Kd Ks", "S": "2c 3c 4c 5c 6c 7c 8c 9c Tc 3d"},
            "meld Jc Qc Kc Ac, discard Kd, draw, lay 2c 3c 4c 5c 6c 7c 8c 9c Tc on 1",
            (1,),
            {0: 45},
        ),
    ],
)
def test_rv_40_the_four_are_known_whatever_becomes_of_their_meld(
    values, table, hands, steps, doubled, more
) -> None:
    position = {
        "seats": ["N", "S"],
        "dealer": "S",
        "turn": "N",
        "phase": "play",
        "drawn": "stock Kd",
        "stock": "2d 8s",
        "discards": "5d",
        "table": table,
        "hands": hands,
    }
    rules = rv.preset("rummy-500").with_values(
        {**TWICE, "call.calls": "none", **values}
    )
    state = read_position(position, rules)
    for step in steps.split(", "):
        state = rv.apply(state, step)
    assert state.doubled == doubled
    found: Counter[int] = Counter()
    for item in round_result(state, "stock").items:
        if item.reason.startswith("once more"):
            found[item.seat] += item.points
    assert found == more
    again = rv.files.parse_scenario(rv.files.scenario_text(state)).start
    assert again is not None
    assert again.table == state.table
    assert from_json(to_json(rv.view(state, 0)), rv.View) == rv.view(state, 0)


def test_rv_40_documents_that_name_no_four_are_refused() -> None:
    position = {
        "seats": ["N", "E", "S", "W"],
        "turn": "N",
        "stock": "2d 8s",
        "discards": "5d",
        "table": ["N: 7c 8c 9c Tc 6c"],
        "doubled": [1],
        "hands": {"N": "Kd", "E": "Ks", "S": "3d", "W": "4d"},
    }
    state = read_position(position, rv.preset("persian-rummy"))
    data = to_data(rv.view(state, 0))
    assert data["table"][0]["doubled"] == [1, 2, 3, 4]
    for given, message in (
        ([1, 2, 3], "name each once"),
        ([1, 2, 3, 3], "name each once"),
        ([1, 2, 3, 5], "numbered to 4"),
    ):
        data["table"][0]["doubled"] = given
        with pytest.raises(JsonError, match=message):
            from_data(data, rv.View)
    data["table"][0]["doubled"] = [1, 2, 3, 4]
    data["rules"] = {"extends": "persian-rummy", "score": {"four_at_once": "once"}}
    with pytest.raises(JsonError, match="no card of it counts twice"):
        from_data(data, rv.View)
    for key, given in (
        ("doubled", [2]),
        ("doubled", ["x"]),
        ("table", ["N: 7c 8c 9c"]),
    ):
        with pytest.raises(rv.errors.PositionError, match="doubled: "):
            read_position({**position, key: given}, rv.preset("persian-rummy"))
