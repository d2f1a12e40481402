"""How much a game rewards skill, and what options do together: against known truths."""

from __future__ import annotations

import itertools
import math
import random
import statistics

from collections.abc import Iterator

import pytest

import rummyvariants as rv

from rummyvariants.simulation.estimates import estimate
from rummyvariants.simulation.interaction import _effects, design, interactions
from rummyvariants.simulation.measures import measure
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.runs import simulate
from rummyvariants.simulation.significance import interval_of
from rummyvariants.simulation.skill import (
    compare_skill,
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
    same = compare_skill("rummy-500", "rummy-500", games=6, seed=1)
    assert same.first == same.second
    assert same.difference.mean == same.difference.error == 0
    assert same.p is None
    one = rv.preset("rummy-500").with_options("PGV-C5")
    other = compare_skill("rummy-500", one, games=6, seed=1)
    assert other.first == same.first
    assert other.second == measure_skill(one, games=6, seed=1)
    assert other.difference.mean == pytest.approx(
        other.second.share.mean - other.first.share.mean
    )
    assert (other.left_out, other.troubles) == (0, 0)
    assert "Left out" not in str(other)


def test_deals_left_out_of_a_comparison_are_reported() -> None:
    found = compare_skill(
        "rummy-500",
        "rummy-5000",
        games=40,
        players=3,
        weaker="random",
        unit="round",
        limit=70,
    )
    assert 0 < found.left_out < 14
    assert f"not finished under both rules: {found.left_out} deals" in str(found)


# ------------------------------------------------------------------------- interactions


@pytest.mark.parametrize("number", range(2, 8))
def test_the_effects_of_a_design_do_not_mix(number: int) -> None:
    runs = design(number)
    assert len(runs) == 2 ** (number if number <= 4 else number - 1)
    columns = [
        [math.prod(run[at] for at in chosen) for run in runs]
        for size in (1, 2)
        for chosen in itertools.combinations(range(number), size)
    ]
    for one, other in itertools.combinations(columns, 2):
        assert sum(map(math.prod, zip(one, other, strict=True))) == 0
    assert all(sum(column) == 0 for column in columns)


@pytest.mark.parametrize("number", [1, 8])
def test_a_design_has_two_to_seven_options(number: int) -> None:
    with pytest.raises(SimulationError, match="2 to 7 options"):
        design(number)


def made_up(
    source: random.Random, runs: tuple[tuple[int, ...], ...], deals: int, noise: float
) -> Iterator[tuple[float, ...]]:
    """
    Deals in which option 0 adds 10, option 1 takes 4, and both together add 6.
    """
    for _ in range(deals):
        luck = source.gauss(100, 40)
        yield tuple(
            luck
            + 10 * (run[0] > 0)
            - 4 * (run[1] > 0)
            + 6 * (run[0] > 0 and run[1] > 0)
            + source.gauss(0, noise)
            for run in runs
        )


@pytest.mark.parametrize("number", [2, 3, 5])
def test_known_effects_are_found(number: int) -> None:
    names = "abcdefg"[:number]
    runs = design(number)
    deals = list(made_up(random.Random(1), runs, 40, 0))
    found = {one.options: one.size.mean for one in _effects(names, runs, deals)}
    # Alone, each effect is taken in the middle of without and with the other.
    truth = {("a",): 13, ("b",): -1, ("a", "b"): 6}
    for options, size in found.items():
        assert size == pytest.approx(truth.get(options, 0))


@pytest.mark.long
def test_the_interval_of_an_interaction_holds_the_truth() -> None:
    source = random.Random("interaction")
    runs = design(2)
    held = 0
    for _ in range(REPEATED):
        deals = list(made_up(source, runs, 40, 15))
        *_, last = _effects("ab", runs, deals)
        low, high = last.evidence.interval
        held += low <= 6 <= high
    assert 94 <= 100 * held / REPEATED <= 96


def test_effects_are_those_of_a_naive_twin() -> None:
    base = rv.preset("rummy-5000")
    options = ("PGV-C2a", "PGV-C4b")
    about = measure("points")
    points = {}
    for chosen in [(), options[:1], options[1:], options]:
        rules = base.with_options(*chosen)
        rows = simulate(rules, "greedy", games=6, players=3, seed=2, unit="round")
        points[chosen] = [about.of(row) for row in rows]
    none, one, other, both = points.values()
    found = interactions(base, options, games=6, players=3, bots="greedy", seed=2)
    mean = statistics.fmean
    assert [effect.options for effect in found] == [options[:1], options[1:], options]
    assert [effect.size.mean for effect in found] == pytest.approx(
        [
            (mean(one) + mean(both) - mean(none) - mean(other)) / 2,
            (mean(other) + mean(both) - mean(none) - mean(one)) / 2,
            mean(both) - mean(one) - mean(other) + mean(none),
        ]
    )
    spread = [w - x - y + z for w, x, y, z in zip(both, one, other, none, strict=True)]
    assert found[2].size.error == pytest.approx(statistics.stdev(spread) / math.sqrt(6))
    assert all(effect.adjusted is not None for effect in found)


def test_what_a_design_cannot_measure_is_reported() -> None:
    with pytest.raises(SimulationError, match="whole matches"):
        interactions("rummy-500", ["PGV-C5", "PGV-E4a"], of="rounds", games=1)
    with pytest.raises(SimulationError, match="did you mean"):
        interactions("rummy-500", ["PGV-C5", "PGV-E4a"], of="point", games=1)
    with pytest.raises(SimulationError, match="no deal was finished"):
        interactions("rummy-500", ["PGV-C5", "PGV-E4a"], games=1, limit=1)
