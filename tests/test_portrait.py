"""A game in figures: matches, decisions, and the commands, against naive twins."""

from __future__ import annotations

import itertools
import json
import math
import random

from collections.abc import Iterator
from pathlib import Path

import pytest

from click.testing import CliRunner

import rummyvariants as rv

from rummyvariants.bots import bot, sources_of
from rummyvariants.cli.commands import commands
from rummyvariants.simulation.decisions import decisions
from rummyvariants.simulation.estimates import estimate
from rummyvariants.simulation.matches import comebacks, lengths, seat_shares
from rummyvariants.simulation.measures import measure
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.portrait import portrait
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.runs import simulate
from rummyvariants.simulation.significance import quantile, wilson
from rummyvariants.simulation.skill import measure_skill


REPEATED = 2_000


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


# ------------------------------------------------------------------------- the lengths


def test_the_quantiles_of_lengths_by_hand() -> None:
    rows = [match(*[(1, 0)] * number) for number in (3, 1, 2, 5, 4)]
    found = lengths(rows, (0.2, 0.5, 0.9))
    assert [one.value for one in found["rounds"]] == [1, 3, 5]
    assert [one.value for one in found["actions"]] == [20, 60, 100]
    # The chance that five values are all on one side of their middle is a sixteenth.
    assert found["rounds"][1].interval is None


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_the_interval_of_a_quantile_is_made_of_counts(share: float) -> None:
    values = list(range(300))
    _, interval = quantile(values, share)
    assert interval is not None

    def below(number: int) -> float:
        """
        How often at most so many of 300 are below the quantile.
        """
        return sum(
            math.comb(300, at) * share**at * (1 - share) ** (300 - at)
            for at in range(number + 1)
        )

    low, high = (int(end) for end in interval)
    assert below(high) - below(low) >= 0.95 - 1e-9
    assert below(low) <= 0.025 < below(low + 1)
    assert 1 - below(high) <= 0.025 < 1 - below(high - 2)


@pytest.mark.long
def test_the_interval_of_the_median_holds_the_truth() -> None:
    source = random.Random("median")
    held = 0
    for _ in range(REPEATED):
        _, interval = quantile([source.expovariate(1) for _ in range(400)], 0.5)
        assert interval is not None
        held += interval[0] <= math.log(2) <= interval[1]
    assert 94 <= 100 * held / REPEATED <= 96


# ----------------------------------------------------------------------- the comebacks


def races(goal: int, up: int = 0, down: int = 0) -> Iterator[tuple[int, ...]]:
    """
    Every course of a race to a number of points, one each round; 0 or 1 scores.
    """
    if goal in {up, down}:
        yield ()
        return
    for who in (0, 1):
        for rest in races(goal, up + (not who), down + who):
            yield (who, *rest)


def won_from(goal: int, own: int, other: int) -> float:
    """
    The chance to win a fair race from so many points, worked out backwards.
    """
    if goal in {own, other}:
        return float(own == goal)
    return (won_from(goal, own + 1, other) + won_from(goal, own, other + 1)) / 2


@pytest.mark.parametrize("behind", [1, 2, 3])
def test_the_chance_to_come_back_is_that_of_a_fair_race(behind: int) -> None:
    goal = 4
    rows = []
    for course in races(goal):
        row = match(*[(1 - who, who) for who in course])
        # A shorter course is more likely: it stands for all longer ones.
        rows += [row] * 2 ** (2 * goal - 1 - len(course))
    (found,) = comebacks(rows, [behind])
    # Each race has the chance of the points at which somebody first is so far behind.
    truth = reached = 0.0
    for course in races(goal):
        pairs = [
            (course[:at].count(0), course[:at].count(1)) for at in range(1, len(course))
        ]
        first = next((one for one in pairs if abs(one[0] - one[1]) >= behind), None)
        if first is not None:
            weight = 2.0 ** -len(course)
            reached += weight
            truth += weight * won_from(goal, min(first), max(first))
    assert found.matches == round(reached * 2 ** (2 * goal - 1))
    assert found.wins / found.matches == pytest.approx(truth / reached)
    assert found.interval == wilson(found.wins, found.matches)


def test_a_comeback_counts_once_and_for_the_last_of_several() -> None:
    row = match((9, 0, 0), (0, 5, 0), (0, 30, 0))
    (found,) = comebacks([row], [9])
    assert (found.matches, found.wins) == (1, 1)  # the first seat of two that are last
    (none,) = comebacks([row], [10])
    assert (none.matches, none.interval) == (0, None)
    # The last round is left out: who falls behind in it cannot come back.
    assert comebacks([row], [25])[0].matches == 0


def test_deficits_that_nobody_names_follow_from_the_scores() -> None:
    rows = [match((100, 0), (100, 60)), match((0, 300), (-100, 0))]
    assert [one.behind for one in comebacks(rows)] == [20, 40, 60, 100]


def test_the_course_is_that_of_equal_bots() -> None:
    with pytest.raises(SimulationError, match="equal bots"):
        comebacks([match((1, 0), bots=("x", "y"))])
    with pytest.raises(SimulationError, match="no match was finished"):
        lengths([match((1, 0), status="stopped")])


def test_seats_are_counted_from_the_first_dealer() -> None:
    second = RoundRow(1, (7, 7), (0, 5), "out", 0, 9, 20, 0, 0)
    rows = [match((5, 0)), match((5, 0), rounds=(second,)), match((0, 5))]
    dealer, left = seat_shares(rows)
    # The dealers are 0, 1 and 0, and the winners 0, 0 and 1.
    assert (dealer.place, dealer.won) == (0, pytest.approx(1 / 3))
    assert dealer.interval == wilson(1, 3)
    assert left.won == pytest.approx(2 / 3)
    tied = seat_shares([match((5, 5), winners=(0, 1)), match((5, 0))])
    assert [one.won for one in tied] == [0.75, 0.25]


# ----------------------------------------------------------------------- the decisions


def played_out(state: rv.State, name: str, player: object) -> tuple[int, ...]:
    sources = sources_of(f"{name}/on", len(state.players))
    while state.result is None:
        if state.phase == "deal":
            state = rv.deal(state)
            continue
        seat = rv.bots.next_to_decide(state)
        state = rv.apply(
            state, player.choose(rv.view(state, seat), sources[seat]), seat
        )
    return state.result.points


@pytest.mark.parametrize("unit", ["match", "round"])
@pytest.mark.parametrize("game", ["rummy-500", "three-thirteen"])
def test_decisions_are_those_of_a_naive_twin(game: str, unit: str) -> None:
    player = bot("greedy")
    costs, shares = [], []
    for deal in range(3):
        name = f"3/{deal}"
        state = rv.new_game(game, players=2, seed=name)
        sources = sources_of(f"{name}/on", 2)
        met = []
        while not state.is_over:
            if state.result is not None:
                if unit == "round":
                    break
                state = rv.deal(state)
            seat = rv.bots.next_to_decide(state)
            met.append((state, seat))
            action = player.choose(rv.view(state, seat), sources[seat])
            state = rv.apply(state, action, seat)
        free = [one for one in met if len(rv.legal_actions(*one)) > 1]
        shares.append(len(free) / len(met))
        source = random.Random(f"{name}/decision")
        state, seat = source.choice(free)
        seen = rv.view(state, seat)
        own = rv.apply(state, player.choose(seen, random.Random(0)), seat)
        other = own
        while other == own:
            action = rv.legal_actions(state, seat).sample(source.randrange)
            other = rv.apply(state, action)
        lost = played_out(state, name, player)[seat]
        lost -= played_out(other, name, player)[seat]
        costs.append(-lost if game == "three-thirteen" else lost)
    found = decisions(game, "greedy", deals=3, players=2, seed=3, unit=unit)
    assert found.choices == estimate(shares)
    assert found.cost == estimate(costs)
    assert found.mattered == sum(map(bool, costs))
    assert found.interval == wilson(found.mattered, 3)


@pytest.mark.long
def test_decisions_between_rounds_are_left_out() -> None:
    # In the pool, who is out may come back: that is no decision of a round.
    found = decisions("indian-rummy-pool", "greedy", deals=1, players=3, seed=1)
    assert found.deals == 1


def test_a_game_that_takes_too_long_is_reported() -> None:
    with pytest.raises(SimulationError, match="not over after 9 actions"):
        decisions("rummy-500", "greedy", deals=1, limit=9)


@pytest.mark.long
def test_another_random_action_costs_a_random_player_nothing() -> None:
    found = decisions("gin-rummy", "random", deals=400, seed=1, unit="round")
    assert abs(found.cost.mean) < 3 * found.cost.error


@pytest.mark.long
def test_another_action_costs_a_player_who_thinks() -> None:
    found = decisions("gin-rummy", "greedy", deals=400, seed=1, unit="round")
    assert found.cost.mean > 2 * found.cost.error
    assert found.mattered > 100


# ------------------------------------------------------------------------ the portrait


def test_a_portrait_is_made_of_its_parts() -> None:
    found = portrait("rummy-500", games=6, bot="greedy", weaker="random", seed=2)
    rows = list(simulate("rummy-500", "greedy", games=6, seed=2))
    assert found.lengths == lengths(rows)
    assert found.comebacks == comebacks(rows)
    assert found.seats == seat_shares(rows)
    assert found.skill == measure_skill(
        "rummy-500", better="greedy", weaker="random", games=6, seed=2
    )
    assert found.decisions == decisions("rummy-500", "greedy", deals=6, seed=2)
    assert found.unfinished == 0
    json.dumps(found.to_data())
    assert "Rounds until greedy leads in 90 % of matches" in str(found)


def test_progress_goes_on_to_the_end() -> None:
    done: list[int] = []
    portrait("rummy-500", games=3, bot="greedy", weaker="random", progress=done.append)
    assert done[-1] == 9
    assert done == sorted(done)


def command(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(commands, [*words])
    return done.exit_code, done.stdout, done.stderr


def test_the_command_measures_a_game_for_several_numbers(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    words = ["rummy-500", "--with", "PGV-E5=100", "--games", "4", "--seed", "5"]
    given = [
        "--bot",
        "greedy",
        "--weaker",
        "random",
        "--players",
        "2",
        "--players",
        "3",
    ]
    status, out, errors = command("measure", *words, *given, "--json", str(file))
    assert status == 0, errors
    rules = rv.preset("rummy-500").with_options("PGV-E5=100")
    parts = [
        portrait(rules, games=4, bot="greedy", weaker="random", players=many, seed=5)
        for many in (2, 3)
    ]
    assert out == f"{parts[0]}\n\n{parts[1]}\n"
    data = [one.to_data() for one in parts]
    assert json.loads(file.read_text()) == json.loads(json.dumps(data))


def test_the_command_compares_the_skill(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    words = ["rummy-500", "--with", "PGV-C5", "--skill", "--games", "6", "--seed", "4"]
    status, out, _ = command(
        "compare", *words, "--bot", "greedy", "--bot", "random", "--json", str(file)
    )
    assert status == 0
    assert "greedy against random" in out
    assert json.loads(file.read_text())["skill"][1]["deals"] == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bot", "greedy"], "name the better one first"),
        (["--html", "x.html"], "a page of a plain comparison"),
        (["--verdicts"], "do not go together"),
        (["--bot", "greedy", "--bot", "greedy"], "both are greedy"),
    ],
)
def test_what_does_not_go_with_skill_is_refused(words: list[str], said: str) -> None:
    status, _, errors = command("compare", "rummy-500", "george", "--skill", *words)
    assert status == 2
    assert said in errors
