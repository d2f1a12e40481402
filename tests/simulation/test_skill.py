"""How much a game rewards skill: against known truths."""

from __future__ import annotations

import math
import random
import statistics

import pytest

import rummyvariants as rv

from rummyvariants.simulation.estimates import estimate
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.runs import simulate
from rummyvariants.simulation.significance import interval_of
from rummyvariants.simulation.skill import (
    SkillError,
    measure_skill,
    rounds_for,
    skill_of,
)


REPEATED = 2_000


def game(deal: int, moved: int, *points: int, **more: object) -> GameRow:
    """
    A round between a and b, whose points come in this order.
    """
    names = ("a", "b")
    bots = tuple(names[(seat + moved) % 2] for seat in range(len(points)))
    one = RoundRow(0, (7,) * len(points), points, "out", 0, 9, 20, 0, 0)
    values = {
        "number": 2 * deal + moved,
        "deal": deal,
        "seed": f"0/{deal}",
        "bots": bots,
        "status": "finished",
        "problem": "",
        "culprit": None,
        "scores": points,
        "winners": (),
        "rounds": (one,),
        "actions": 20,
    }
    return GameRow(**(values | more))


# --------------------------------------------------------------------- the skill share


def test_the_skill_share_by_hand() -> None:
    rows = [
        game(0, 0, 30, 10),  # a leads by 20
        game(0, 1, 10, 10),  # by 0
        game(1, 0, 0, 10),  # by -10
        game(1, 1, 0, 50),  # by 50
    ]
    found = skill_of(rows, "a", "b")
    assert found.lead == estimate([10, 20])
    assert found.deviation == pytest.approx(statistics.pstdev([20, 0, -10, 50]))
    assert found.share.mean == pytest.approx(15 / found.deviation)
    assert found.share.count == 2
    turned = skill_of(rows, "b", "a")
    assert turned.share.mean == pytest.approx(-found.share.mean)
    assert turned.rounds is None


def test_seats_of_a_bot_are_put_together_and_low_scores_may_be_best() -> None:
    rows = [
        game(deal, moved, *points, lowest=True)
        for deal, points in enumerate([(5, 20, 15, 30), (4, 9, 2, 1)])
        for moved in (0, 1)
    ]
    found = skill_of(rows, "a", "b")
    # In the first deal 10 against 25, where less is better; then the seats exchanged.
    assert found.lead == estimate([0, 0])
    assert found.deviation == pytest.approx(math.sqrt((2 * 15**2 + 2 * 2**2) / 4))


def test_deals_that_were_not_finished_are_left_out() -> None:
    rows = [game(0, 0, 5, 1), game(0, 1, 2, 9), game(1, 0, 7, 0), game(1, 1, 0, 1)]
    broken = [game(2, 0, 99, 0), game(2, 1, 0, 0, status="stopped", rounds=())]
    assert skill_of(rows + broken, "a", "b") == skill_of(rows, "a", "b")
    with pytest.raises(SimulationError, match="fewer than two finished deals"):
        skill_of([*rows[:2], *broken], "a", "b")
    with pytest.raises(SimulationError, match="between a and c"):
        skill_of(rows, "a", "c")


def test_games_of_which_none_was_finished_in_all_orders_show_no_skill() -> None:
    stopped = [
        game(deal, moved, 5 + deal, moved, status="stopped")
        for deal in range(3)
        for moved in (0, 1)
    ]
    halves = [game(deal, 0, 5 + deal, 0) for deal in range(3)]
    for rows in (stopped, halves):
        with pytest.raises(SkillError, match="fewer than two finished deals"):
            skill_of(rows, "a", "b")


def test_a_lead_that_never_varies_has_no_skill_share() -> None:
    rows = [game(deal, moved, 5, 5) for deal in (0, 1) for moved in (0, 1)]
    with pytest.raises(SimulationError, match="no two finished rounds differ"):
        skill_of(rows, "a", "b")


def leads(source: random.Random, kind: str) -> float:
    """
    The lead of a round, with a mean of 30 and a deviation of 60.
    """
    if kind == "normal":
        return source.gauss(30, 60)
    return 60 * source.expovariate(1) - 30  # skewed, as the points of a round are


@pytest.mark.long
@pytest.mark.parametrize("kind", ["normal", "skewed"])
def test_the_interval_of_the_skill_share_holds_the_truth(kind: str) -> None:
    source = random.Random(kind)
    held = 0
    for _ in range(REPEATED):
        rows = [
            game(deal, moved, *((lead, 0) if not moved else (0, lead)))
            for deal in range(120)
            for moved in (0, 1)
            for lead in (leads(source, kind),)
        ]
        found = skill_of(rows, "a", "b")
        low, high = interval_of(found.share)
        held += low <= 0.5 <= high
    assert 94 <= 100 * held / REPEATED <= 96


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6])
def test_so_many_rounds_and_no_fewer_let_the_better_lead(share: float) -> None:
    source = random.Random(f"rounds {share}")
    number = rounds_for(share)
    assert number is not None

    def led(rounds: int) -> float:
        matches = 6_000
        return (
            sum(
                sum(source.gauss(share, 1) for _ in range(rounds)) > 0
                for _ in range(matches)
            )
            / matches
        )

    assert led(number) > 0.9 - 0.012  # three deviations of the simulation
    assert led(math.ceil(0.7 * number)) < 0.9


def test_without_a_lead_no_number_of_rounds_is_enough() -> None:
    assert rounds_for(0) is rounds_for(-1) is None


def test_skill_is_measured_in_rounds_with_the_seats_exchanged() -> None:
    for unit in ("match", "round"):
        found = measure_skill(
            "rummy-500", better="greedy", weaker="random", games=7, seed=3, unit=unit
        )
        rows = simulate("rummy-500", ["greedy", "random"], games=8, seed=3, unit=unit)
        assert found == skill_of(rows, "greedy", "random")
    with pytest.raises(SimulationError, match="both are greedy"):
        measure_skill("rummy-500", better="greedy", weaker="greedy", games=2)


def test_rules_are_compared_by_the_same_deals() -> None:
    asked = {"games": 6, "seed": 1, "bots": ["careful", "greedy"]}
    same = rv.compare("rummy-500", "rummy-500", **asked)["skill"]
    assert same.difference.mean == same.difference.error == 0
    one = rv.preset("rummy-500").with_options("PGV-C5")
    found = rv.compare("rummy-500", one, **asked)["skill"]
    here, there = (
        measure_skill(rules, games=6, seed=1).share for rules in ("rummy-500", one)
    )
    assert found.a == same.a == pytest.approx(here.mean)
    assert found.b == pytest.approx(there.mean)
    assert found.difference.mean == pytest.approx(there.mean - here.mean)
    assert found.difference.count == 3


def test_a_comparison_without_two_bots_or_two_deals_has_no_skill() -> None:
    for bots, games in ((["greedy"], 4), (["greedy", "random"], 2)):
        found = rv.compare("rummy-500", "rummy-500", games=games, bots=bots)
        with pytest.raises(SimulationError, match="it takes two bots, and two deals"):
            found["skill"]


def test_deals_left_out_of_a_comparison_count_in_no_game() -> None:
    asked = {"games": 40, "players": 3, "bots": ["careful", "random"], "unit": "round"}
    found = rv.compare("rummy-500", "rummy-5000", limit=70, **asked)
    unfinished = {
        row.deal for rows in found.rows for row in rows if row.status != "finished"
    }
    # Three orders of seats, so that the last deal lacks two.
    assert found["skill"].difference.count == len({*range(13)} - unfinished) > 1
