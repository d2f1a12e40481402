"""Two rulesets compared: the figures, the plot, the command."""

from __future__ import annotations

import builtins
import json
import math
import statistics

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from click.testing import CliRunner

import rummyvariants as rv

from rummyvariants.cli.commands import commands
from rummyvariants.simulation.comparison import compare
from rummyvariants.simulation.estimates import estimate
from rummyvariants.simulation.measures import MEASURES, measure
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.plots import need_matplotlib, plot
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.runs import simulate
from rummyvariants.simulation.significance import holm


SMALL = rv.preset("rummy-500").with_options("PGV-E5=100")
LARGE = rv.preset("rummy-500").with_options("PGV-E5=200")


def a_row(*rounds: RoundRow, **more: object) -> GameRow:
    """
    A finished game of the rounds.
    """
    scores = tuple(map(sum, zip(*[one.points for one in rounds], strict=True)))
    values = {
        "number": 0,
        "deal": 0,
        "seed": "0/0",
        "bots": ("x", "x", "x"),
        "status": "finished",
        "problem": "",
        "culprit": None,
        "scores": scores,
        "winners": (scores.index(max(scores)),),
        "rounds": rounds,
        "actions": sum(one.actions for one in rounds),
    }
    return GameRow(**(values | more))


FIRST = RoundRow(0, (3, 4, 5), (10, 40, 10), "out", 1, 12, 30, 0, 2)
SECOND = RoundRow(1, (7, 7, 7), (-20, 0, 80), "stock", None, 18, 50, 3, 1)
KNOCKED = RoundRow(1, (10, 10), (0, 30), "knock", 0, 18, 50, 0, 0)
GINS = tuple(
    RoundRow(1, (10, 10), (30, 0), how, 0, 18, 50, 0, 0)
    for how in ("knock", "gin", "big gin")
)


# ------------------------------------------------------------------------- the figures


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rounds", 2),
        ("match_actions", 80),
        ("lead", 50),  # 90 to 40
        ("lead_changes", 1),  # from the second to the third
        ("settled", 2),
        ("turns", 15),
        ("actions", 40),
        ("points", 20),
        ("spread", (math.sqrt(200) + math.sqrt(5600 / 3)) / 2),
        ("first_advantage", (30 + 90) / 2),  # seat 1, then seat 2
        ("dealer_advantage", (-15 - 30) / 2),
        ("ends_out", 50),
        ("ends_stock", 50),
        ("ends_idle", 0),
        ("thrown_in", 1.5),
        ("hand", 5.5),
        ("small_hands", 100 / 3),
        ("wilds", 1.5),
    ],
)
def test_measures_of_a_game_by_hand(key: str, value: float) -> None:
    assert measure(key).of(a_row(FIRST, SECOND)) == pytest.approx(value)


@pytest.mark.parametrize(
    ("key", "value"), [("ends_knock", 50), ("ends_gin", 50), ("undercuts", 25)]
)
def test_measures_of_a_game_with_knocks_by_hand(key: str, value: float) -> None:
    assert measure(key).of(a_row(KNOCKED, *GINS)) == pytest.approx(value)


def test_every_measure_has_a_case_above_and_a_name_of_its_own() -> None:
    tried = {
        case[0]
        for test in (
            test_measures_of_a_game_by_hand,
            test_measures_of_a_game_with_knocks_by_hand,
        )
        for mark in test.pytestmark
        for case in mark.args[1]
    }
    assert {one.key for one in MEASURES} == tried
    assert len({one.name for one in MEASURES}) == len(MEASURES)


def test_joint_winners_have_no_lead() -> None:
    assert measure("lead").of(a_row(FIRST, winners=(0, 2))) == 0


def test_an_unknown_measure_is_reported_with_the_nearest() -> None:
    with pytest.raises(SimulationError, match="did you mean 'rounds'"):
        measure("round")


def test_an_interval_by_hand() -> None:
    found = estimate([1, 2, 3, 6])
    assert found is not None
    assert found.interval is not None
    # The deviation is the root of 14 / 3, and 1.96 of it over the root of 4.
    assert found.mean == 3
    assert found.interval[0] == pytest.approx(3 - 1.959964 * math.sqrt(14 / 3) / 2)
    assert estimate([]) is None
    alone = estimate([5])
    assert alone is not None
    assert alone.interval is None


def naive(a: rv.Ruleset, b: rv.Ruleset, bots: list[str], games: int) -> dict[str, list]:
    """
    The same comparison, written another way: deal by deal, a list for each measure.
    """
    by_deal: dict[int, list[tuple[GameRow, GameRow]]] = {}
    for here, there in zip(
        simulate(a, bots, games=games, players=4, seed=5),
        simulate(b, bots, games=games, players=4, seed=5),
        strict=True,
    ):
        assert here.seed == there.seed
        by_deal.setdefault(here.deal, []).append((here, there))
    return {
        one.key: [
            sum(one.of(there) - one.of(here) for here, there in pairs) / len(pairs)
            for pairs in by_deal.values()
        ]
        for one in MEASURES
        if not one.knocks
    }


@pytest.mark.parametrize("bots", [["greedy"], ["greedy", "random"]], ids=["one", "two"])
def test_differences_are_those_of_a_naive_twin(bots: list[str]) -> None:
    found = compare(SMALL, LARGE, games=8, players=4, bots=bots, seed=5)
    deals = naive(SMALL, LARGE, bots, 8)
    assert {one.measure.key for one in found.contrasts} - {*deals} <= {"skill"}
    for key in deals:
        one = found[key]
        differences = deals[key]
        assert len(differences) == 8 // len(bots) == one.difference.count
        mean = statistics.fmean(differences)
        assert one.difference.mean == pytest.approx(mean)
        assert one.b - one.a == pytest.approx(mean, abs=1e-9)
        half = 1.959964 * statistics.stdev(differences) / math.sqrt(len(differences))
        assert one.difference.half == pytest.approx(half, rel=1e-6)


def test_equal_rules_differ_in_nothing_at_all() -> None:
    found = compare("rummy-500", rv.preset("rummy-500"), games=3, bots="greedy")
    assert found.same_deals
    assert found.differences == ()
    for one in found.contrasts:
        assert one.a == one.b
        assert one.difference.mean == one.difference.error == 0
        assert one.side == 0
    assert "*" not in str(found)
    assert "The rules are equal." in str(found)


def test_a_doubled_target_makes_matches_longer() -> None:
    found = compare(SMALL, LARGE, games=40, players=2, bots="greedy")
    for key in ("rounds", "match_actions"):
        assert found[key].side == 1
    assert any("per match" in note for note in found.notes)
    assert found.players == 2


def test_twins_have_the_same_cards_where_the_decks_are_the_same() -> None:
    other = rv.preset("rummy-5000").with_options("PGV-E4a", "PGV-P10")
    found = compare("rummy-5000", other, games=6, bots="greedy", unit="round")
    assert found.same_deals
    for one, twin in zip(*found.rows, strict=True):
        assert one.rounds[0].dealer == twin.rounds[0].dealer
        assert one.rounds[0].hand_sizes == twin.rounds[0].hand_sizes
    assert found["hand"].difference.mean == 0
    longer = compare(SMALL, LARGE, games=4, bots="greedy")
    for one, twin in zip(*longer.rows, strict=True):
        assert twin.rounds[: len(one.rounds)] == one.rounds


def test_only_games_with_knocks_have_figures_of_knocks() -> None:
    found = compare("gin-rummy", SMALL, games=8, players=2, bots="greedy", unit="round")
    assert found["ends_knock"].a + found["ends_gin"].a + found["ends_stock"].a == 100
    assert found["ends_out"].a == found["undercuts"].b == 0
    found = compare(SMALL, LARGE, games=2, players=4, bots="greedy", unit="round")
    assert not any(one.measure.knocks for one in found.contrasts)
    with pytest.raises(SimulationError, match="nobody knocks"):
        found["ends_gin"]
    aces = rv.preset("three-thirteen").with_options("THV-01")
    found = compare("three-thirteen", aces, games=2, bots="greedy", unit="round")
    assert not any(one.measure.knocks for one in found.contrasts)


def test_rounds_alone_have_no_figures_of_matches() -> None:
    found = compare("rummy-500", "rummy-5000", games=4, bots="greedy", unit="round")
    assert found.players == 3  # the least that both allow
    assert not any(one.measure.whole_match for one in found.contrasts)
    assert found["turns"].a > 0
    with pytest.raises(SimulationError, match="single rounds"):
        found["rounds"]
    assert not found.same_deals
    assert "The decks differ" in str(found)
    assert "Cards are counted differently" in str(found)


def test_games_not_finished_are_reported_and_left_out() -> None:
    found = compare(SMALL, LARGE, games=12, bots="greedy", limit=60)
    first, second = found.unfinished
    assert 0 < first < second
    both = sum(
        one.status == other.status == "finished"
        for one, other in zip(*found.rows, strict=True)
    )
    assert {one.difference.count for one in found.contrasts} == {both}
    assert f"A: {first} of 12 games" in str(found)
    assert f"B: {second} of 12 games" in str(found)
    assert found.to_data()["games_by_status"][0]["stopped"] == first


def test_games_none_of_which_is_finished_have_no_figures() -> None:
    found = compare(SMALL, LARGE, games=2, bots="greedy", limit=1)
    assert found.contrasts == ()
    assert "2 of 2 games" in str(found)
    with pytest.raises(SimulationError, match="no game was finished"):
        found["points"]


def test_the_text_says_how_to_repeat_the_run() -> None:
    found = rv.compare(SMALL, LARGE, games=3, bots="greedy", seed="tea")
    text = str(found)
    assert "A: rummy-500 with PGV-E5=100" in text
    assert "match.target: 100 (PGV-E5) | 200 (PGV-E5)" in text
    assert "3 matches each, 2 players, bots: greedy, seed tea" in text
    assert f"rummyvariants {found.version}" in text
    data = found.to_data()
    assert json.loads(json.dumps(data)) == json.loads(json.dumps(found.to_data()))
    again = compare(
        rv.rules.read_rules(data["a"]["rules"]),
        rv.rules.read_rules(data["b"]["rules"]),
        games=data["games"],
        players=data["players"],
        bots=data["bots"],
        seed=data["seed"],
        unit=data["unit"],
        limit=data["limit"],
    )
    assert again.to_data() == data


def test_an_executor_changes_nothing_and_progress_is_reported() -> None:
    done: list[int] = []
    with ThreadPoolExecutor(2) as pool:
        found = compare(
            SMALL, LARGE, games=6, bots="greedy", executor=pool, progress=done.append
        )
    assert found == compare(SMALL, LARGE, games=6, bots="greedy")
    assert done == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"games": 0}, "needs at least one game"),
        ({"games": 2, "players": 9}, "2 to 8"),
        ({"games": 2, "bots": "carefull"}, "did you mean 'careful'"),
        ({"games": 2, "bots": ["careful", "greedy"], "players": 1}, "1"),
    ],
)
def test_what_cannot_be_compared_is_reported(
    more: dict[str, object], said: str
) -> None:
    with pytest.raises(rv.RummyError, match=said):
        compare("rummy-500", "rummy-500", **more)


# --------------------------------------------------------------------------- the plot


@pytest.fixture(scope="module")
def compared() -> rv.simulation.Comparison:
    evil = SMALL.with_values({"match.target": 120}, set_by="<script>alert(1)</script>&")
    return compare(evil, LARGE, games=60, bots="greedy", seed="<b>&amp;")


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_plot_is_drawn_and_is_the_same_each_time(
    compared: rv.simulation.Comparison, ending: str, tmp_path: Path
) -> None:
    files = [tmp_path / f"{number}.{ending}" for number in (1, 2)]
    for file in files:
        plot(compared, file)
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert first.startswith(b"<?xml" if ending == "svg" else b"\x89PNG")


def test_a_plot_that_cannot_be_is_reported(
    compared: rv.simulation.Comparison, tmp_path: Path
) -> None:
    for file, why in (("no/x.svg", "cannot be written"), ("x.foo", r"not as '\.foo'")):
        with pytest.raises(SimulationError, match=why):
            plot(compared, tmp_path / file)
    nothing = compare(SMALL, SMALL, games=1, bots="greedy", limit=1)
    with pytest.raises(SimulationError, match="no difference with an interval"):
        plot(nothing, tmp_path / "x.svg")


def test_a_plot_of_an_unknown_form_is_refused_before_any_game() -> None:
    words = ["rummy-500", "--with", "PGV-C5", "--plot", "x.foo", "--games", "1000000"]
    done = CliRunner().invoke(commands, ["compare", *words])
    assert done.exit_code == 2
    assert "a plot is written as .svg or .png, not as '.foo'" in done.stderr


def test_without_matplotlib_one_sentence_names_the_extra(
    compared: rv.simulation.Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = builtins.__import__

    def absent(name, *rest, **more):
        if name.partition(".")[0] == "matplotlib":
            raise ModuleNotFoundError(name, name=name)
        return really(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(SimulationError, match=r"rummyvariants\[plot\]"):
        need_matplotlib("x.svg")
    with pytest.raises(SimulationError, match=r"rummyvariants\[plot\]"):
        plot(compared, "x.svg")
    assert "rounds per match" in str(compared)


def test_the_marks_are_adjusted_for_the_number_of_measures() -> None:
    found = compare(SMALL, LARGE, games=40, players=2, bots="greedy")
    raw = [one.evidence.p for one in found.contrasts]
    assert [one.adjusted for one in found.contrasts] == holm(raw)
    for one in found.contrasts:
        line = next(
            line for line in str(found).splitlines() if one.measure.name in line
        )
        assert line.endswith("*") == (one.adjusted < 0.05)
    data = {one["measure"]: one for one in found.to_data()["measures"]}
    assert data["rounds"]["p"] == found["rounds"].evidence.p


def test_without_scipy_games_are_compared_but_not_tested(
    compared: rv.simulation.Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = builtins.__import__

    def absent(name, *rest, **more):
        if name.partition(".")[0] == "scipy":
            raise ModuleNotFoundError(name, name=name)
        return really(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    found = compare(compared.a, compared.b, games=60, bots="greedy", seed="<b>&amp;")
    assert not found.is_tested
    assert found["rounds"].difference == compared["rounds"].difference
    assert found["rounds"].side == 0
    text = str(found)
    assert "rummyvariants[statistics]" in text
    assert "  p" not in text
    assert json.loads(json.dumps(found.to_data()))["measures"][0]["adjusted"] is None
    assert "not tested" in text


# ------------------------------------------------------------------------- the command


def command(*words: str) -> tuple[int, str, str]:
    """
    The exit status, the output and the errors of `rummyvariants compare`.
    """
    done = CliRunner().invoke(commands, ["compare", *words])
    return done.exit_code, done.stdout, done.stderr


def test_the_command_compares_a_game_with_an_option(tmp_path: Path) -> None:
    picture, data = tmp_path / "x.svg", tmp_path / "x.json"
    words = ["rummy-500", "--with", "PGV-E5=100", "--games", "3", "--bot", "greedy"]
    files = ["--plot", str(picture), "--json", str(data)]
    status, out, _ = command(*words, "--seed", "4", *files)
    assert status == 0
    rules = rv.preset("rummy-500")
    found = compare(
        rules,
        rules.with_options("PGV-E5=100"),
        games=3,
        bots="greedy",
        seed=4,
    )
    assert out == f"{found}\n"
    assert json.loads(data.read_text()) == json.loads(json.dumps(found.to_data()))
    assert picture.read_bytes().startswith(b"<?xml")


def test_the_command_takes_files_and_rounds(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('extends = "rummy-500"\nwith = ["PGV-E5=100", "PGV-C5"]\n')
    words = ["--games", "2", "--bot", "greedy", "--unit", "round", "--players", "3"]
    status, out, _ = command("rummy-500", str(file), *words)
    assert status == 0
    assert "2 rounds each, 3 players" in out
    assert "deck.more_packs: false" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rummy-500"], "name a second game"),
        (["rummy-500", "george", "--with", "PGV-C5"], "and not both"),
        (["rummy-500", "gorge"], "did you mean 'george'"),
        (["rummy-500", "--with", "PGV-C99"], "there is no option"),
        (["rummy-500", "george", "--players", "9"], "9"),
        (["rummy-500", "george", "--bot", "carefull"], "did you mean 'careful'"),
    ],
)
def test_the_command_says_what_is_wrong(words: list[str], said: str) -> None:
    status, _, errors = command(*words, "--games", "1")
    assert status == 2
    assert said in errors


def test_an_option_that_changes_nothing_is_reported() -> None:
    words = ["rummy-500", "--with", "PGV-E4a", "--games", "1", "--bot", "greedy"]
    status, _, errors = command(*words)
    assert status == 0
    assert "PGV-E4a changes nothing" in errors
