"""What scenarios of one round cannot show: who deals next, and how matches end."""

from __future__ import annotations

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.policies import MatchPolicy
from rummyvariants.testing import check_ruleset


GAMES = ("basic-rummy", "oklahoma-rummy", "persian-rummy", "rummy-500-pagat")


@pytest.mark.parametrize("name", GAMES)
def test_what_must_hold_of_every_game_holds(name: str) -> None:
    check_ruleset(name, matches=1)


def test_r5v_16_who_is_out_deals_next() -> None:
    left, winner = MatchPolicy(), MatchPolicy(rotation="to who is out")
    assert left.dealer_after(0, [0] * 4, 2) == 1
    assert winner.dealer_after(0, [0] * 4, 2) == 2
    assert winner.dealer_after(3, [0] * 4, None) == 0
    state = rv.parse_scenario(
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


def test_r5v_46_payments_make_nothing_out_of_nothing() -> None:
    policy = MatchPolicy(settlement="the differences")
    assert policy.payments((520, 300, 520), ()) == (0, 0, 0)
    assert policy.payments((520, 300, 520), (0, 2)) == (220, -440, 220)
    assert policy.payments((510, 600), (0,)) == (0, 0)  # who is behind is paid nothing
    lowest = attrs.evolve(policy, winner="lowest")
    assert lowest.payments((100, 20, 50), (1,)) == (-80, 110, -30)
    partners = attrs.evolve(policy, sides="partners opposite")
    assert partners.payments((300, 100, 230, 90), (0, 2)) == (340, -340)


@pytest.mark.parametrize("name", rv.presets())
@pytest.mark.parametrize(
    "option", [one for one in rv.options() if one.startswith(("R5V", "BAS", "OKV"))]
)
def test_pgv_p1_variations_go_on_every_game(name: str, option: str) -> None:
    """
    Or the game is at odds with one, and says so with a rule.
    """
    try:
        rules = rv.preset(name).with_options(option)
    except rv.RulesError as error:
        assert option in error.rules or option in str(error)
        assert name not in {"rummy-500", "rummy-5000"}
        return
    assert rules.describe()
