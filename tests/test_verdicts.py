"""Verdicts need every bot in every block."""

from __future__ import annotations

import json

from pathlib import Path

import pytest

from click.testing import CliRunner

import rummyvariants as rv

from rummyvariants.cli.commands import commands
from rummyvariants.simulation.comparison import compare
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.significance import holm
from rummyvariants.simulation.verdicts import Verdicts, verdicts, word_of


SMALL = rv.preset("rummy-500").with_options("PGV-E5=60")
LARGE = rv.preset("rummy-500").with_options("PGV-E5=300")
BOTS = ("greedy", "careful")


@pytest.mark.parametrize(
    ("sides", "word"),
    [
        ((1, 1, 1, 1), "more"),
        ((-1, -1, -1, -1), "less"),
        ((1, 1, 1, 0), "not decided"),
        ((0, 0, 0, 0), "not decided"),
        ((1, 0, 0, -1), "disagree"),
        ((1, 1, -1, -1), "disagree"),
    ],
)
def test_a_verdict_takes_all_results(sides: tuple[int, ...], word: str) -> None:
    assert word_of(sides) == word


@pytest.fixture(scope="module")
def found() -> Verdicts:
    return verdicts(SMALL, LARGE, games=20, bots=BOTS, seed=1)


def test_the_results_are_those_of_single_comparisons(found: Verdicts) -> None:
    plain = [
        compare(SMALL, LARGE, games=20, bots=bot, seed=f"1/block {block}")
        for bot in BOTS
        for block in (1, 2)
    ]
    assert found.comparisons == tuple(plain)
    one = found["rounds"]
    assert [(of.bot, of.block) for of in one.results] == [
        *(("greedy", 1), ("greedy", 2), ("careful", 1), ("careful", 2))
    ]
    for result, comparison in zip(one.results, plain, strict=True):
        assert result.contrast.difference == comparison["rounds"].difference


DEALT = ["thrown_in", "hand", "small_hands"]


def test_all_results_are_adjusted_together(found: Verdicts) -> None:
    """
    What the deals alone decide is a result of the first bot, and no other bot's.
    """
    raw = [
        one.evidence.p
        for at, of in enumerate(found.comparisons)
        for one in of.contrasts
        if at < 2 or one.measure.key not in DEALT
    ]
    shown = [
        verdict.results[at].contrast.adjusted
        for at in range(4)
        for verdict in found.verdicts
    ]
    assert [one for one in shown if one is not None] == holm(raw)
    assert len(raw) == len(shown) - 2 * len(DEALT)
    assert found["rounds"].word == "more"
    assert found["hand"].word == "not decided"


def test_what_the_deals_decide_is_confirmed_by_no_second_bot() -> None:
    rules = rv.preset("rummy-5000")
    found = verdicts(
        rules, rules.with_options("PGV-C1b"), games=40, unit="round", seed=2
    )
    for key in DEALT:
        first, second, third, fourth = [one.contrast for one in found[key].results]
        assert (first.difference, second.difference) == (
            third.difference,
            fourth.difference,
        )
        assert first.adjusted is not None
        assert third.adjusted is fourth.adjusted is None
    assert found["small_hands"].word == "less"
    text = str(found)
    (line,) = [line for line in text.splitlines() if line.startswith("hands of 4")]
    assert (line.count("*"), line.count("[")) == (2, 2)
    assert f"all {4 * len(found.verdicts) - 6} results" in text
    assert "In brackets: decided by the deals alone" in text


def test_hands_whose_size_is_chosen_are_results_of_each_bot() -> None:
    chosen = rv.preset("rummy-5000").with_values(
        {"wild.twos": True, "deal.two_upcard": "choose"}
    )
    found = verdicts("rummy-5000", chosen, games=1, unit="round", bots=BOTS)
    assert all(one.contrast.adjusted is not None for one in found["hand"].results)


def test_the_text_shows_every_result(found: Verdicts) -> None:
    text = str(found)
    for comparison in found.comparisons:
        assert comparison.setting in text
    line = next(
        line for line in text.splitlines() if line.startswith("rounds per match")
    )
    assert line.count("*") == 4
    assert line.endswith("more")
    for one in found["rounds"].results:
        assert f"{one.contrast.difference.mean:+.2f}" in line
    assert f"all {4 * len(found.verdicts) - 6} results" in text


def test_progress_goes_on_from_block_to_block() -> None:
    done: list[int] = []
    verdicts(SMALL, SMALL, games=2, bots=BOTS, progress=done.append)
    assert done == [1, 2, 3, 4, 5, 6, 7, 8]


def test_rules_that_are_equal_have_no_verdict() -> None:
    same = verdicts(SMALL, SMALL, games=4, bots=BOTS)
    assert {one.word for one in same.verdicts} == {"not decided"}
    assert "The rules are equal." in str(same)


def test_what_has_no_verdict_is_reported(found: Verdicts) -> None:
    with pytest.raises(SimulationError, match="two bots at least"):
        verdicts(SMALL, LARGE, games=1, bots=["greedy"])
    with pytest.raises(SimulationError, match="nobody knocks"):
        found["ends_gin"]
    none = verdicts(SMALL, LARGE, games=1, bots=BOTS, limit=1)
    assert none.verdicts == ()
    assert "There is no verdict" in str(none)


def test_the_command_gives_verdicts(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    words = ["rummy-500", "--with", "PGV-E5=100", "--verdicts", "--games", "2"]
    given = ["--bot", "greedy", "--bot", "careful", "--seed", "4", "--json", str(file)]
    done = CliRunner().invoke(commands, ["compare", *words, *given])
    assert done.exit_code == 0, done.output
    rules = rv.preset("rummy-500")
    same = verdicts(rules, rules.with_options("PGV-E5=100"), games=2, bots=BOTS, seed=4)
    assert done.stdout == f"{same}\n"
    assert json.loads(file.read_text()) == json.loads(json.dumps(same.to_data()))
