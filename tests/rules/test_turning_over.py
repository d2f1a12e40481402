"""The discard pile turned over to be the stock: bounded, replayable, and forgotten."""

from __future__ import annotations

import random

import attrs
import pytest

import rummyvariants as rv

from rummyvariants.policies import StockPolicy
from rummyvariants.testing import check_record, play_match


SHUFFLED = rv.preset("basic-rummy").with_options("BAS-08a")
POSITION = """
[rules]
extends = "basic-rummy"
with = ["BAS-08a"]

[position]
seats = ["N", "E"]
dealer = "E"
turn = "N"
shuffle = {shuffle}
stock = ""
discards = "5d Jc 2h 9s Kc 3d 7d 8s"
hands = {{ N = "Kd 3h", E = "8d Tc" }}
"""


def position(shuffle: int) -> rv.State:
    state = rv.files.parse_scenario(POSITION.format(shuffle=shuffle)).start
    assert state is not None
    return state


def throw_on(state: rv.State) -> rv.Action:
    """
    What a player does who never lays a card: draw, and discard what was drawn.
    """
    if state.phase == "draw":
        moves = list(rv.legal_actions(state))
        return next(
            (one for one in moves if isinstance(one, rv.actions.Draw)), moves[-1]
        )
    drawn = state.drawn
    discards = [
        one for one in rv.legal_actions(state) if isinstance(one, rv.actions.Discard)
    ]
    return next((one for one in discards if one.card.code in drawn._cards), discards[0])


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("options", [(), ("BAS-08a",), ("BAS-08d",), ("BAS-05",)])
def test_rv_08_players_who_never_lay_a_card_come_to_an_end(
    players: int, options: tuple[str, ...]
) -> None:
    rules = rv.preset("basic-rummy").with_options(*options)
    state = rv.new_game(rules, players, seed=4)
    turned = 0
    for _ in range(1_000):
        if state.result is not None:
            break
        state = rv.apply(state, throw_on(state))
        turned = max(turned, state.turned)
    assert state.result is not None
    assert state.result.how == "stock"
    assert turned == 1


@pytest.mark.parametrize("most", [1, 2])
def test_a_limit_to_turning_over_is_kept(most: int) -> None:
    rules = SHUFFLED.with_options(f"BAS-08c={most}")
    reached = 0
    for seed in range(12):
        state = rv.game.begin(rules, 3, seed=seed)
        randrange = random.Random(seed).randrange
        state = rv.game.deal(state)
        while state.result is None:
            state = rv.apply(state, rv.legal_actions(state).sample(randrange))
            assert state.turned <= most
            reached = max(reached, state.turned)
    assert reached == most


def test_the_order_comes_from_the_deal_alone() -> None:
    """
    The order of these eight cards is the same on every platform.
    """
    orders = {}
    for shuffle in range(40):
        state = rv.apply(position(shuffle), "draw")
        orders[shuffle] = [*state.hands[0], *state.stock]
        assert rv.apply(position(shuffle), "draw") == state
        assert sorted(state.stock)
    first = rv.apply(position(7), "draw")
    assert " ".join(map(str, first.stock)) == ORDER
    assert len({tuple(map(str, one)) for one in orders.values()}) == 40


ORDER = "8s 5d 2h 7d Jc 3d Kc"


def test_a_deal_tells_what_shuffles_come_from() -> None:
    state = rv.game.begin(SHUFFLED, 2, seed=9)
    state = rv.game.deal(state)
    (deal,) = state.history
    assert isinstance(deal, rv.actions.Deal)
    assert deal.shuffle > 0
    assert f" shuffle {deal.shuffle} : " in str(deal)
    assert rv.game.parse_action(str(deal)) == deal
    plain = rv.new_game("basic-rummy", 2, seed=9).history[0]
    assert isinstance(plain, rv.actions.Deal)
    assert plain.shuffle == 0
    assert plain.cards == deal.cards


def test_a_deal_by_hand_may_name_it() -> None:
    start = rv.game.begin(SHUFFLED, 2, seed=1)
    one, other = (rv.game.deal(start, deck="2c", shuffle=number) for number in (3, 4))
    assert one != other
    assert rv.view(one, 0) == rv.view(other, 0)


@pytest.mark.long
def test_records_lead_to_the_same_order() -> None:
    for seed in range(3):
        state = play_match(SHUFFLED, 2, seed, 400)
        check_record(state)
    assert any(isinstance(one, rv.actions.Draw) for one in state.history)


def test_rv_09_views_hold_no_secret_of_the_order() -> None:
    one, other = position(1), position(2)
    assert rv.view(one, 0) == rv.view(other, 0)
    assert rv.view(one, 0).world._shuffle == 0
    one, other = rv.apply(one, "draw"), rv.apply(other, "draw")
    assert one.stock != other.stock
    seen = rv.view(one, 1)
    assert rv.view(one, None).stock_size == 7
    assert len(seen.unseen) == 7 + 3
    assert seen.discards == ()


def test_worlds_of_a_view_shuffle_for_themselves() -> None:
    seen = rv.view(position(1), 1)
    rng = random.Random(3)
    orders = set()
    for _ in range(6):
        world = rv.determinize(seen, rng)
        assert rv.view(world, 1) == seen
        orders.add(rv.apply(world, "draw").stock)
    assert len(orders) > 1


def test_a_position_is_written_with_what_it_takes() -> None:
    state = rv.apply(position(5), "draw")
    again = rv.files.parse_scenario(rv.files.scenario_text(state)).start
    assert again == state
    assert again is not None
    assert (again.turned, again.fresh) == (1, False)


def test_the_policy_alone_says_whether_a_pile_is_turned() -> None:
    turning = StockPolicy(when_empty="turn over", times=2, turned_top="stays")
    assert turning.refuse_turning(2, 1, fresh=True) is None
    for pile, times, fresh, path in (
        (1, 0, True, "stock.turned_top"),
        (5, 2, True, "stock.times"),
        (5, 1, False, "RV-08"),
    ):
        wrong = turning.refuse_turning(pile, times, fresh=fresh)
        assert wrong is not None
        assert wrong.path == path
    always = attrs.evolve(turning, without_progress=True)
    assert always.refuse_turning(5, 1, fresh=False) is None
