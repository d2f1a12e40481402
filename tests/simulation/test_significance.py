"""Exact tests and intervals: against naive twins, and data whose truth is known."""

from __future__ import annotations

import builtins
import itertools
import random

from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from rummyvariants.simulation.estimates import estimate
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.significance import (
    evidence,
    holm,
    interval_of,
    need_scipy,
    sign_test,
    t_test,
)


REPEATED = 2_000


# ---------------------------------------------------------------------------- the twins


@pytest.mark.parametrize("of", range(1, 16))
def test_the_sign_test_is_a_count_of_all_outcomes(of: int) -> None:
    tossed = [sum(sides) for sides in itertools.product((0, 1), repeat=of)]
    for count in range(of + 1):
        as_far = [abs(2 * one - of) >= abs(2 * count - of) for one in tossed]
        assert sign_test(count, of) == pytest.approx(sum(as_far) / 2**of)


def test_pairs_none_of_which_differ_show_nothing() -> None:
    assert sign_test(0, 0) == 1


def closed(values: Sequence[float]) -> list[float]:
    """
    Holm by its definition: a hypothesis falls only with every set that it is in.
    """
    sets = [
        one
        for size in range(1, len(values) + 1)
        for one in itertools.combinations(range(len(values)), size)
    ]
    return [
        max(
            min(1.0, len(one) * min(values[x] for x in one))
            for one in sets
            if at in one
        )
        for at in range(len(values))
    ]


def test_holm_is_the_closed_test_of_bonferroni() -> None:
    source = random.Random(3)
    for size in range(7):
        for _ in range(20):
            values = [
                source.choice((0.5, 0.1, 0.01)) * source.random() for _ in range(size)
            ]
            assert holm(values) == pytest.approx(closed(values))
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


# ------------------------------------------------------------------ which of the tests


def test_shares_are_tested_by_the_pairs_in_which_one_has_the_event() -> None:
    found = evidence([0.0] * 994 + [100.0] * 5 + [-100.0], share=True)
    assert found.test == "McNemar"
    assert found.p == pytest.approx(float(Fraction(2 * (1 + 6), 2**6)))
    # Four of a thousand against none, which the mean alone calls a difference.
    rare = evidence([0.0] * 996 + [100.0] * 4, share=True)
    assert rare.p == pytest.approx(0.125)
    assert rare.interval is not None
    assert rare.interval[0] < 0 < rare.interval[1]


def test_a_share_that_never_came_up_has_an_interval_of_about_three_by_n() -> None:
    found = evidence([0.0] * 1000, share=True)
    assert found.p == 1
    assert found.interval == pytest.approx((-0.277, 0.277), abs=0.001)


def test_few_differences_are_counted_and_many_are_measured() -> None:
    few = evidence([0.0] * 200 + [1.0] * 9, share=False)
    assert few.test == "sign"
    assert few.p == pytest.approx(2 / 2**9)
    # An interval of the mean would go by another test.
    assert few.interval is None
    source = random.Random(1)
    values = [source.gauss(0.3, 1) for _ in range(80)]
    many = evidence(values, share=False)
    assert many.test == "t"
    assert many.interval is not None
    plain = estimate(values)
    assert plain is not None
    assert many.interval == interval_of(plain)
    assert many.p == t_test(plain)
    # The interval ends at zero where p is 0.05.
    moved = estimate([one - many.interval[0] for one in values])
    assert t_test(moved) == pytest.approx(0.05)


def test_where_nothing_varies_there_is_no_interval() -> None:
    same = evidence([3.0] * 40, share=False)
    assert (same.interval, same.test) == (None, "sign")
    assert same.p == pytest.approx(2 / 2**40)
    none = evidence([0.0] * 40, share=False)
    assert (none.interval, none.p) == (None, 1)
    alone = evidence([4.0], share=False)
    assert (alone.interval, alone.p) == (None, 1)


# ------------------------------------------------------------------------- known truths


def pairs_of(source: random.Random, number: int, up: float, down: float) -> list[float]:
    """
    Differences of pairs of an event, of which a share differs each way.
    """
    drawn = [source.random() for _ in range(number)]
    return [100.0 if one < up else -100.0 * (one < up + down) for one in drawn]


def covered(truth: float, interval: Callable[[], tuple[float, float] | None]) -> float:
    """
    In what percentage of repetitions an interval holds the truth.
    """
    held = 0
    for _ in range(REPEATED):
        found = interval()
        assert found is not None
        held += found[0] <= truth <= found[1]
    return 100 * held / REPEATED


@pytest.mark.parametrize(
    ("number", "up", "down"), [(60, 0.3, 0.2), (150, 0.1, 0.1), (400, 0.12, 0.05)]
)
def test_intervals_of_paired_shares_hold_the_truth(number, up, down):
    source = random.Random(f"shares {number}")
    truth = 100 * (up - down)
    share = covered(
        truth,
        lambda: evidence(pairs_of(source, number, up, down), share=True).interval,
    )
    assert 94 <= share <= 96


@pytest.mark.parametrize("number", [30, 100])
def test_intervals_of_means_hold_the_truth(number: int) -> None:
    source = random.Random(f"means {number}")
    share = covered(
        7,
        lambda: (
            evidence([source.gauss(7, 20) for _ in range(number)], share=False).interval
        ),
    )
    assert 94 <= share <= 96


@pytest.mark.long
def test_rules_that_change_nothing_get_a_mark_in_one_page_of_twenty() -> None:
    source = random.Random("holm")
    wrong = 0
    for _ in range(400):
        values = [
            evidence(pairs_of(source, 80, 0.2, 0.2), share=True).p or 0
            for _ in range(6)
        ] + [
            evidence([source.gauss(0, 1) for _ in range(60)], share=False).p or 0
            for _ in range(6)
        ]
        wrong += min(holm(values)) < 0.05
    assert 1 <= wrong <= 33  # 20 of 400 expected at most, and three deviations more


# ----------------------------------------------------------------------- without scipy


@pytest.fixture
def without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    really = builtins.__import__

    def absent(name, *rest, **more):
        if name.partition(".")[0] == "scipy":
            raise ModuleNotFoundError(name, name=name)
        return really(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)


@pytest.mark.usefixtures("without_scipy")
def test_without_scipy_there_is_an_interval_and_no_test() -> None:
    values = [1.0, 2.0, 3.0, 6.0]
    found = evidence(values, share=False)
    plain = estimate(values)
    assert plain is not None
    assert (found.interval, found.test, found.p) == (plain.interval, None, None)
    assert evidence([0.0, 100.0, 0.0], share=True).test is None


@pytest.mark.usefixtures("without_scipy")
@pytest.mark.parametrize(
    "asks",
    [need_scipy, lambda: sign_test(1, 2)],
    ids=["need", "sign"],
)
def test_without_scipy_one_sentence_names_the_extra(asks: Callable[[], object]) -> None:
    with pytest.raises(SimulationError, match=r"rummyvariants\[statistics\]"):
        asks()
