"""A game in figures: its measures, and the command, against naive twins."""

from __future__ import annotations

import itertools
import json
import random
import statistics

from pathlib import Path

import pytest

from click.testing import CliRunner

import rummyvariants as rv

from rummyvariants.cli.commands import commands
from rummyvariants.simulation.measures import MEASURES, measure, measured
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.runs import simulate
from rummyvariants.simulation.skill import measure_skill
from rummyvariants.simulation.summary import summarize


def match(*rounds: tuple[int, ...], **more: object) -> GameRow:
    """
    A match between equal bots, by the points of its rounds.
    """
    scores = tuple(map(sum, zip(*rounds, strict=True)))
    seats = len(scores)
    values = {
        "number": 0,
        "deal": 0,
        "seed": "0/0",
        "bots": ("x",) * seats,
        "status": "finished",
        "problem": "",
        "culprit": None,
        "scores": scores,
        "winners": (scores.index(max(scores)),),
        "rounds": tuple(
            RoundRow(0, (7,) * seats, points, "out", 0, 9, 20, 0, 0)
            for points in rounds
        ),
        "actions": 20 * len(rounds),
    }
    return GameRow(**(values | more))


# --------------------------------------------------------------------------- the course


def test_the_course_of_a_match_by_hand() -> None:
    row = match((10, 0), (0, 10), (0, 5), (30, 0), (0, 10))
    assert row.course == ((10, 0), (10, 10), (10, 15), (40, 15), (40, 25))
    assert measure("lead_changes").of(row) == 2  # to the second and back
    assert measure("settled").of(row) == 4


def test_partners_and_low_scores_have_a_course_too() -> None:
    partners = match((5, 0, 5, 3), (0, 9, 0, 9), sides=(0, 1, 0, 1), winners=(1, 3))
    assert partners.course == ((10, 3, 10, 3), (10, 21, 10, 21))
    assert measure("lead_changes").of(partners) == 1
    assert measure("settled").of(partners) == 2
    low = match((5, 0), (5, 40), lowest=True, winners=(0,))
    assert low.course == ((-5, 0), (-10, -40))
    assert measure("settled").of(low) == 2


def test_a_match_that_only_its_end_decides_is_settled_last() -> None:
    # A bonus at the end, or a tie that somebody wins.
    assert measure("settled").of(match((9, 0), (9, 0), (9, 0), winners=(1,))) == 3
    assert measure("settled").of(match((9, 0), (0, 9), winners=(0,))) == 2
    assert measure("settled").of(match((9, 0), (9, 0))) == 1


def test_the_course_against_a_naive_twin() -> None:
    source = random.Random(4)
    for _ in range(300):
        seats = source.choice((2, 3, 4))
        rounds = [
            tuple(source.randrange(4) for _ in range(seats))
            for _ in range(source.randrange(1, 9))
        ]
        row = match(*rounds)
        (winner,) = row.winners
        led = []
        for number in range(1, len(rounds) + 1):
            totals = [
                sum(one[seat] for one in rounds[:number]) for seat in range(seats)
            ]
            best = [seat for seat in range(seats) if totals[seat] == max(totals)]
            led.append(best[0] if len(best) == 1 else None)
        alone = [one for one in led if one is not None]
        changes = len([*itertools.groupby(alone)]) - 1
        assert measure("lead_changes").of(row) == max(changes, 0)
        settled = min(
            [
                number
                for number in range(1, len(rounds) + 1)
                if all(one == winner for one in led[number - 1 :])
            ],
            default=len(rounds),
        )
        assert measure("settled").of(row) == settled


# ------------------------------------------------------------------------- of one game


def test_the_figures_of_a_game_by_hand() -> None:
    rows = [
        match(*[(1, 0)] * number, deal=deal)
        for deal, number in enumerate((3, 1, 2, 5, 4))
    ]
    broken = match((1, 0), deal=5, status="stopped")
    rounds, *_ = measured([*rows, broken], knocks=False)
    assert rounds.measure.key == "rounds"
    assert (rounds.median, rounds.most) == (3, 5)
    assert rounds.mean.mean == 3
    assert rounds.mean.count == 5
    assert rounds.mean.error == pytest.approx(statistics.stdev(range(1, 6)) / 5**0.5)


def test_half_of_the_games_have_at_most_the_median() -> None:
    source = random.Random(2)
    for number in (1, 2, 3, 20, 41):
        rows = [
            match(*[(1, 0)] * source.randrange(1, 9), deal=deal)
            for deal in range(number)
        ]
        values = [len(row.rounds) for row in rows]
        found, *_ = measured(rows)
        for share, value in ((0.5, found.median), (0.95, found.most)):
            least = [
                one
                for one in values
                if sum(other <= one for other in values) >= share * number - 1e-9
            ]
            assert value == min(least)


def test_games_of_a_deal_are_one_observation() -> None:
    rows = [
        match(*[(1, 0)] * many, deal=deal) for many, deal in ((1, 0), (3, 0), (4, 1))
    ]
    rounds, *_ = measured(rows)
    assert (rounds.mean.mean, rounds.mean.count) == (3, 2)


def test_measures_are_those_that_the_games_have() -> None:
    rows = [match((1, 0))]
    keys = [one.measure.key for one in measured(rows, "round", knocks=False)]
    assert keys == [
        one.key for one in MEASURES if not one.whole_match and not one.knocks
    ]
    assert len(measured(rows)) == len(MEASURES)


def test_games_none_of_which_is_finished_are_reported() -> None:
    with pytest.raises(SimulationError, match="no game was finished; the first: slow"):
        measured([match((1, 0), status="stopped", problem="slow")])


# ------------------------------------------------------------------------- the command


def test_the_command_measures_a_game_for_several_numbers(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    words = ["rummy-500", "--with", "PGV-E5=100", "--games", "4", "--seed", "5"]
    given = ["--bot", "greedy", "--weaker", "random", "--players", "2"]
    given += ["--players", "3", "--json", str(file)]
    done = CliRunner().invoke(commands, ["measure", *words, *given])
    assert done.exit_code == 0, done.stderr
    rules = rv.preset("rummy-500").with_options("PGV-E5=100")
    data = json.loads(file.read_text())
    for many, found in zip((2, 3), data, strict=True):
        rows = list(simulate(rules, "greedy", games=4, players=many, seed=5))
        skill = measure_skill(
            rules, better="greedy", weaker="random", games=4, players=many, seed=5
        )
        measures = [one.to_data() for one in measured(rows, knocks=False)]
        assert found["players"] == many
        assert found["measures"] == json.loads(json.dumps(measures))
        assert found["skill"] == json.loads(json.dumps(skill.to_data()))
        assert found["seats"] == summarize(rows).to_data()["places"]
        assert (
            f"rummy-500 with PGV-E5=100, {many} players, greedy, seed 5" in done.stdout
        )
    assert done.stdout.count("skill share") == 2


def test_what_was_played_is_measured_where_skill_cannot_be() -> None:
    words = ["rummy-500", "--games", "2", "--unit", "round", "--seed", "1", "--plain"]
    done = CliRunner().invoke(commands, ["measure", *words, "--bot", "careful"])
    assert done.exit_code == 0, done.output
    assert "turns per round" in done.stdout
    assert "skill cannot be measured: there are fewer than two" in done.stdout


def test_skill_is_measured_between_two_bots() -> None:
    done = CliRunner().invoke(commands, ["measure", "rummy-500", "--bot", "greedy"])
    assert done.exit_code == 2
    assert "--bot and --weaker both name greedy" in done.stderr
