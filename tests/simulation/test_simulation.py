"""
Simulations: the same rows whoever plays them, files gone on with, sums done by hand.
"""

from __future__ import annotations

import contextlib
import copy
import json
import logging
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import attrs
import pytest

from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

import rummyvariants as rv

from rummyvariants.bots import (
    BotError,
    CarefulBot,
    GreedyBot,
    RandomBot,
    TimedBot,
    bot,
    bot_name,
)
from rummyvariants.bots.names import _made
from rummyvariants.cli import many_games
from rummyvariants.cli.commands import commands
from rummyvariants.cli.show import winners_line
from rummyvariants.simulation import processes as processes_module
from rummyvariants.simulation import runs
from rummyvariants.simulation.files import (
    RowFile,
    asked_by,
    asked_of,
    read_rows,
)
from rummyvariants.simulation.measures import measure
from rummyvariants.simulation.plans import Simulation, SimulationError, planned
from rummyvariants.simulation.processes import processes
from rummyvariants.simulation.ratings import ratings
from rummyvariants.simulation.rows import GameRow, RoundRow
from rummyvariants.simulation.summary import shares, summarize


TABLE = ["greedy", "random"]
ASKED = {"games": 23, "players": 4, "seed": 7, "unit": "round"}


@attrs.frozen
class Raising:
    error: type[BaseException] = ValueError

    def choose(self, _view, _rng):
        raise self.error("two\nlines")


@attrs.frozen
class Answering:
    answer: object = None

    def choose(self, _view, _rng):
        return self.answer


class UntellableError(Exception):
    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__


@attrs.frozen
class Holding:
    """
    Cannot be sent to another process.
    """

    held: object = attrs.field(factory=threading.Lock)

    def choose(self, view, rng):
        return view.legal_actions.sample(rng.randrange)


class Plain:
    def __init__(self, depth: int, *, loud: bool = False, note=""):
        self.depth, self.loud, self.note = depth, loud, note

    def choose(self, view, rng):
        return view.legal_actions.sample(rng.randrange)


made = Plain(1)


def run(*words: object) -> Result:
    found = CliRunner().invoke(commands, list(map(str, words)))
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found


@pytest.fixture(scope="module")
def rows() -> list[GameRow]:
    return list(rv.simulate("rummy-500", TABLE, **ASKED))


# --------------------------------------------------------------------- bots by name


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("careful", CarefulBot()),
        ("greedy", GreedyBot()),
        ("random", RandomBot()),
        (f"{__name__}:Answering", Answering()),
        (f"{__name__}:made", made),
    ],
)
def test_a_bot_has_a_name(name, found):
    assert bot(name) == found
    if name != f"{__name__}:made":
        assert bot_name(found) == name


def test_a_bot_takes_parameters():
    assert attrs.asdict(bot("search:playouts=40"))["playouts"] == 40
    for name in ("search:playouts=40", "search"):
        assert bot_name(bot(name)) == name
    plain = bot(f"{__name__}:Plain:depth=2,loud=yes,note=x")
    assert vars(plain) == {"depth": 2, "loud": True, "note": "x"}
    assert bot_name(plain) == f"{__name__}:Plain:depth=2,loud=True,note=x"
    plain.name = "  Anna\nof the chance "
    assert bot_name(plain) == "Anna of the chance"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("carefull", "no bot 'carefull'; did you mean 'careful'"),
        ("serach:playouts=3", "did you mean 'search'"),
        ("search:playout=3", "no parameter 'playout'; did you mean 'playouts'"),
        ("search:playouts=x", "cannot take playouts=x"),
        ("search:playouts=0", "cannot be made"),
        ("search:playouts", "written 'name=value'"),
        ("search:playouts=1,playouts=2", "twice"),
        ("careful:x=1", "no parameter 'x': it has none"),
        ("no_such_module:Bot", "no module no_such_module"),
        (f"{__name__}:Plains", "did you mean 'Plain'"),
        (f"{__name__}:Plain", "missing 1 required positional argument"),
        (f"{__name__}:Plain:depth=1,loud=perhaps", "'perhaps' is not True or False"),
        (f"{__name__}:made:depth=1", "is an instance"),
        (f"{__name__}:run", "no method choose"),
        ("", "the known ones are careful"),
        (":x", "cannot be imported"),
        ("..:x", "cannot be imported"),
        ("math:pi.x", "no 'x' in math"),
    ],
)
def test_a_wrong_name_is_one_clear_error(name, said):
    with pytest.raises(BotError) as caught:
        bot(name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("def wrong(:", "cannot be imported for the bot 'broken:Bot': SyntaxError: "),
        ("1 / 0", "cannot be imported for the bot 'broken:Bot': ZeroDivisionError: "),
        ("raise SystemExit(3)", "cannot be imported for the bot 'broken:Bot': SystemE"),
        (
            "class Bot:\n    def __init__(self): raise OSError('two\\nlines')",
            "broken:Bot cannot be made: OSError: two lines",
        ),
    ],
)
def test_a_bot_whose_module_raises_is_one_clear_error(
    tmp_path, monkeypatch, lines, said
):
    (tmp_path / "broken.py").write_text(lines, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    with pytest.raises(BotError) as caught:
        bot("broken:Bot")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_annotations_that_cannot_be_read_leave_parameters_as_texts():
    class Hinted(Plain):
        def __init__(self, depth: 1 / 0):
            super().__init__(depth)

    assert _made(Hinted, "hinted", "depth=2").depth == "2"


# --------------------------------------------------------------------- rows


def test_every_deal_is_played_in_every_order_of_seats(rows):
    assert [row.number for row in rows] == list(range(23))
    assert [row.deal for row in rows] == [number // 2 for number in range(23)]
    for row in rows:
        order = ["greedy", "random"] if row.number % 2 == 0 else ["random", "greedy"]
        assert row.bots == (*order, *order)
        assert row.seed == f"7/{row.deal}"
        assert row.status == "finished"
        assert len(row.rounds) == 1
    dealers = [row.rounds[0].dealer for row in rows]
    assert dealers[::2][:11] == dealers[1::2]
    assert len(set(dealers)) == 4


@pytest.mark.parametrize(
    ("bots", "players", "rotations"),
    [
        (["careful"], 4, 1),
        (["careful", "greedy"], 4, 2),
        (["careful", "greedy", "greedy"], 4, 4),
        (["careful", "greedy", "random"], 3, 3),
        (["careful", "careful"], 2, 1),
        ([CarefulBot(), "careful", bot("search"), "search"], 4, 4),
        ([bot("search:playouts=1"), bot("search:playouts=2")], 2, 2),
    ],
)
def test_equal_bots_are_not_moved_round_for_nothing(bots, players, rotations):
    plan = planned("rummy-500", bots, players=players)
    assert plan.rotations == rotations
    tables = {plan.game(number).names for number in range(rotations)}
    assert len(tables) == rotations
    assert plan.game(rotations).names == plan.names
    assert [plan.game(number).deal for number in (rotations - 1, rotations)] == [0, 1]


def test_the_number_of_players_is_that_of_the_bots_or_the_least():
    assert len(planned("rummy-500", ["careful"] * 3).bots) == 3
    assert len(planned("rummy-500", "careful").bots) == 2
    assert len(planned("rummy-5000", ["careful", "greedy"]).bots) == 3


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"bots": ["careful"], "players": 20}, rv.errors.RulesError, "2 to 8 players"),
        ({"bots": ["careful"] * 4, "players": 3}, SimulationError, "4 bots"),
        ({"bots": []}, SimulationError, "at least one"),
        ({"bots": [CarefulBot]}, BotError, "is a class"),
        ({"bots": [3]}, BotError, "no method choose"),
        ({"bots": ["careful"], "unit": "game"}, SimulationError, "'game'"),
        ({"bots": ["careful"], "limit": 0}, SimulationError, "limit"),
        ({"bots": ["careful"], "first": -1}, SimulationError, "counted from 0"),
        (
            {"bots": ["careful"], "rules": "rumy-500"},
            rv.errors.RulesError,
            "did you mean",
        ),
        ({"bots": [Plain(1), attrs.make_class("Plain", [])]}, BotError, "class"),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(arguments, error, said):
    with pytest.raises(error, match=said):
        rv.simulate(**{"rules": "rummy-500", "games": 3} | arguments)


def test_two_bots_of_one_name_have_to_be_the_same():
    first, second = Plain(1), Plain(2)
    first.name = second.name = "Anna"
    with pytest.raises(SimulationError, match="two different bots are called 'Anna'"):
        planned("rummy-500", [first, second])
    assert planned("rummy-500", [first, copy.copy(first)])


class Slotted:
    """
    A bot that has slots and no dictionary.
    """

    __slots__ = ("level", "name")

    def __init__(self, level: int) -> None:
        self.name = "slotted"
        self.level = level

    def choose(self, view, rng):
        """
        Anything at all.
        """
        return rng.choice(view.legal_actions)


class Both(Slotted):
    """
    A bot that has a dictionary beside its slots.
    """

    def __init__(self, level: int, luck: int) -> None:
        super().__init__(level)
        self.luck = luck


def test_bots_with_slots_are_told_apart_by_what_they_hold():
    for first, second in [
        (Slotted(1), Slotted(2)),
        (Both(1, 1), Both(2, 1)),
        (Both(1, 1), Both(1, 2)),
        (Slotted(1), Both(1, 1)),
        (TimedBot(Slotted(1), 1), TimedBot(Slotted(2), 1)),
    ]:
        with pytest.raises(SimulationError, match="two different bots"):
            planned("rummy-500", [first, second])
    planned("rummy-500", [Slotted(1), Slotted(1)])
    planned("rummy-500", [Both(1, 1), Both(1, 1)])


def test_games_can_be_begun_in_the_middle(rows):
    for first in (0, 1, 5, 22, 23, 30):
        found = list(rv.simulate("rummy-500", TABLE, **ASKED, first=first))
        assert found == rows[first:]


# --------------------------------------------------------------------- executors


class Backwards(Executor):
    """
    Does what it is given when a result is asked for, the last thing first.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[Future, tuple]] = []
        self.most = 0

    def submit(self, what, /, *arguments):
        executor = self

        class Later(Future):
            def result(self, timeout=None):
                executor.most = max(executor.most, len(executor.asked))
                while executor.asked:
                    future, call = executor.asked.pop()
                    future.set_result(call[0](*call[1:]))
                return super().result(timeout)

        future = Later()
        self.asked.append((future, (what, *arguments)))
        return future


@pytest.mark.parametrize("seconds", [0, 0.02, 1000])
@pytest.mark.parametrize("make", [Backwards, lambda: ThreadPoolExecutor(3)])
def test_rows_are_the_same_however_games_are_shared_out(
    rows, make, seconds, monkeypatch
):
    monkeypatch.setattr(runs, "_SECONDS", seconds)
    with make() as executor:
        found = list(rv.simulate("rummy-500", TABLE, **ASKED, executor=executor))
    assert found == rows


def test_only_a_bounded_number_of_games_is_given_away(monkeypatch):
    monkeypatch.setattr(runs, "_SECONDS", 0.02)
    executor = Backwards()
    executor._max_workers = 2
    games = rv.simulate(
        "rummy-500", "greedy", games=10_000, unit="round", executor=executor
    )
    for _ in range(8):
        next(games)
    assert executor.most <= 6
    games.close()


def test_one_quick_game_does_not_lead_to_many_at_a_time(monkeypatch):
    """
    Of 40 games of a second each, the fifth takes a millisecond.
    """
    given = []

    def played(_plan, first, stop):
        given.append(stop - first)
        seconds = [0.001 if number == 4 else 1.0 for number in range(first, stop)]
        return [str(number) for number in range(first, stop)], sum(seconds)

    monkeypatch.setattr(runs, "_played", played)
    with ThreadPoolExecutor(2) as pool:
        found = list(runs._play_there(pool, b"", 0, 40))
    assert found == [str(number) for number in range(40)]
    assert max(given) == runs._GROWTH


def test_rows_are_the_same_from_processes_and_closing_stops_them(rows):
    with processes(2) as pool:
        assert list(rv.simulate("rummy-500", TABLE, **ASKED, executor=pool)) == rows
        many = rv.simulate(
            "rummy-500", TABLE, games=100_000, players=4, seed=7, executor=pool
        )
        first = next(many)
        assert first.number == 0
        begun = time.perf_counter()
        many.close()
        last = rv.simulate("rummy-500", "greedy", games=1, unit="round", executor=pool)
        assert len(list(last)) == 1
        assert time.perf_counter() - begun < 20

        with pytest.raises(SimulationError, match="Holding' of seat 1 cannot be sent"):
            rv.simulate("rummy-500", ["greedy", Holding()], games=3, executor=pool)
        with pytest.raises(SimulationError, match="a process that played games has d"):
            list(rv.simulate("rummy-500", [Dying()], games=3, executor=pool))


@attrs.frozen
class Dying:
    def choose(self, _view, _rng):
        os._exit(3)


@pytest.mark.long
def test_rows_are_the_same_from_dask(rows):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            processes=True,
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = client.get_executor()
        assert list(rv.simulate("rummy-500", TABLE, **ASKED, executor=executor)) == rows

        class Local:
            """
            As in a notebook, where only Dask knows how to send it.
            """

            def choose(self, view, rng):
                return view.legal_actions.sample(rng.randrange)

        found = rv.simulate(
            "rummy-500", [Local()], games=4, unit="round", executor=executor
        )
        assert [row.status for row in found] == ["finished"] * 4
        with pytest.raises(SimulationError, match="cannot be sent"):
            rv.simulate("rummy-500", [Holding()], games=3, executor=executor)
        many = rv.simulate("rummy-500", TABLE, games=100_000, executor=executor)
        next(many)
        many.close()


def test_an_unpicklable_bot_plays_where_nothing_is_sent():
    with ThreadPoolExecutor(2) as pool:
        for executor in (None, pool):
            found = rv.simulate(
                "rummy-500", [Holding()], games=2, unit="round", executor=executor
            )
            assert [row.status for row in found] == ["finished"] * 2


# --------------------------------------------------------------------- bots that break


@pytest.mark.parametrize(
    ("culprit", "status", "said"),
    [
        (Raising(), "failed", "ValueError: two lines"),
        (Raising(KeyError), "failed", "KeyError: 'two\\nlines'"),
        (Raising(SystemExit), "failed", "SystemExit: two lines"),
        (Raising(RecursionError), "failed", "RecursionError: two lines"),
        (Raising(UntellableError), "failed", "UntellableError: cannot be shown"),
        (Answering("discard Ks"), "refused", "'discard Ks': "),
        (Answering("dance"), "refused", "'dance' is not an action"),
        (Answering(rv.actions.Draw(99)), "refused", "'draw': "),
        (Answering(rv.actions.Discard("Ks")), "refused", "discard Ks"),
        (Answering(rv.actions.Discard(UntellableError())), "refused", "iscard"),
        (Answering(None), "refused", "NoneType is not an action"),
        (Answering(42), "refused", "int is not an action"),
        (Answering(UntellableError()), "refused", "UntellableError is not an action"),
        (Answering(rv.actions.Draw), "refused", "type is not an action"),
        (Answering("x" * 10_000), "refused", "x ..."),
    ],
)
def test_a_bot_that_breaks_gives_a_row(culprit, status, said):
    attempt = rv.simulate("rummy-500", ["careful", culprit], games=4)
    found = list(attempt)
    assert len(found) == 4
    for row in found:
        assert row.status == status
        assert said in row.problem
        assert "\n" not in row.problem
        assert len(row.problem) < 1000
        assert row.bots[row.culprit] == bot_name(culprit)
        assert not row.winners
    text = str(summarize(found))
    assert f"4 {status}" in text
    assert "and 1 more" in text


def test_a_game_without_end_is_stopped_at_the_limit():
    (row,) = rv.simulate("rummy-500", ["random"], games=1, limit=50)
    assert (row.status, row.actions, row.culprit) == ("stopped", 50, None)
    assert "50 actions" in row.problem


def test_an_interrupt_is_no_fault_of_a_bot():
    games = rv.simulate("rummy-500", [Raising(KeyboardInterrupt)], games=1)
    with pytest.raises(KeyboardInterrupt):
        next(games)


# --------------------------------------------------------------------- files


def write_rows(file, plan, rows):
    with RowFile(file, plan) as out:
        for row in rows:
            out.write(row)


@pytest.fixture(scope="module")
def plan() -> Simulation:
    return planned("rummy-500", TABLE, players=4, seed=7, unit="round")


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]))


@st.composite
def any_rows(draw) -> GameRow:
    players = draw(st.integers(2, 5))
    numbers = st.integers(-10_000, 10_000)
    by_seat = st.tuples(*[numbers] * players)
    counts = st.integers(0, 500)
    sizes = st.tuples(*[st.integers(0, 99)] * players)
    rounds = st.builds(
        RoundRow,
        st.integers(0, players - 1),
        sizes,
        by_seat,
        st.sampled_from(["out", "stock", "idle"]),
        st.none() | st.integers(0, players - 1),
        *[counts] * 4,
    )
    return GameRow(
        0,
        0,
        "7/0",
        tuple(draw(texts) for _ in range(players)),
        draw(st.sampled_from(["finished", "stopped", "refused", "failed"])),
        draw(texts),
        draw(st.none() | st.integers(0, players - 1)),
        draw(by_seat),
        tuple(draw(st.lists(st.integers(0, players - 1), unique=True))),
        tuple(draw(st.lists(rounds, max_size=4))),
        draw(counts),
        draw(st.sampled_from([(), tuple(seat % 2 for seat in range(players))])),
        draw(st.booleans()),
    )


@given(row=any_rows())
def test_any_row_reads_back(tmp_path_factory, row):
    file = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    plan = Simulation(rv.preset("rummy-500"), (), row.bots, 7, "match", 20)
    write_rows(file, plan, [row])
    assert list(read_rows(file)) == [row]


def test_rows_and_what_was_asked_read_back(tmp_path, rows, plan):
    house = attrs.evolve(
        plan, rules=plan.rules.with_options("PGV-P4").with_values({"match.target": 99})
    )
    for number, one in enumerate((plan, house)):
        file = tmp_path / f"rows{number}.jsonl"
        write_rows(file, one, rows)
        assert list(read_rows(file)) == rows
        assert asked_of(file) == asked_by(one)
        with pytest.raises(SimulationError, match="exists already"):
            RowFile(file, one)


def test_the_lines_are_what_the_page_says(tmp_path, rows, plan):
    write_rows(tmp_path / "rows.jsonl", plan, rows[:1])
    head, line = (tmp_path / "rows.jsonl").read_text().splitlines()
    assert json.loads(head)["bots"] == ["greedy", "random"] * 2
    assert json.loads(line)["scores"] == list(rows[0].scores)


@pytest.fixture(scope="module")
def whole(rows, plan, tmp_path_factory) -> bytes:
    file = tmp_path_factory.mktemp("whole") / "rows.jsonl"
    write_rows(file, plan, rows)
    return file.read_bytes()


@given(data=st.data())
def test_a_file_is_gone_on_with_wherever_it_was_cut(
    tmp_path_factory, data, whole, rows, plan
):
    text = whole
    ends = [at for at, byte in enumerate(text) if byte == ord("\n")]
    near = st.sampled_from(ends).flatmap(
        lambda at: st.sampled_from([max(at - 1, 0), at, at + 1])
    )
    cut = data.draw(near | st.integers(0, len(text)))
    file = tmp_path_factory.mktemp("cut") / "rows.jsonl"
    file.write_bytes(text[:cut])
    with RowFile(file, plan, resume=True) as out:
        assert out.kept == max(text[:cut].count(b"\n") - 1, 0)
        for row in rows[out.kept :]:
            out.write(row)
    assert file.read_bytes() == text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 8}, ["seed is 7 there and 8 here"]),
        ({"unit": "match"}, ["unit is round there and match here"]),
        ({"limit": 5}, ["limit is 20000 there and 5 here"]),
        ({"rules": "george"}, ["rules is rummy-500 there and george here"]),
        ({"players": 6}, ["players is 4 there and 6 here"]),
        (
            {"bots": ["greedy", "careful"], "seed": "x"},
            ["greedy, careful, greedy, careful here", "seed is 7 there and x here"],
        ),
    ],
)
def test_a_file_of_another_simulation_is_refused(tmp_path, changes, said, whole):
    file = tmp_path / "rows.jsonl"
    file.write_bytes(whole)
    asked = {"rules": "rummy-500", "bots": TABLE, "players": 4, "seed": 7}
    other = planned(**asked | {"unit": "round"} | changes)
    with pytest.raises(SimulationError) as caught:
        RowFile(file, other, resume=True)
    for one in (str(file), "another simulation", *said):
        assert one in str(caught.value)
    assert file.read_bytes() == whole


def test_what_is_no_file_of_rows_is_refused(tmp_path, whole, plan):
    file = tmp_path / "rows.jsonl"
    lines = whole.splitlines(keepends=True)
    for wrong, said in [
        ([b"hello\n"], "line 1 "),
        ([b"{}\n"], "line 1 "),
        ([100_000 * b"[" + b"\n"], "line 1 "),
        ([*lines[:2], b"hello\n"], "line 3 "),
        ([*lines[:2], b"\xff\n"], "line 3 "),
        ([*lines[:2], lines[3]], "line 3 .*game 2 is where game 1 belongs"),
        ([*lines[:3], lines[2]], "line 4 .*game 1 is where game 2 belongs"),
    ]:
        file.write_bytes(b"".join(wrong))
        with pytest.raises(SimulationError, match=said):
            RowFile(file, plan, resume=True)
        with pytest.raises(SimulationError, match=said):
            list(read_rows(file))
        assert file.read_bytes() == b"".join(wrong)


def test_a_text_without_a_line_is_not_cut_off(tmp_path, whole, plan):
    file = tmp_path / "rows.jsonl"
    for text in (b"a precious note", whole[:10] + b"!"):
        file.write_bytes(text)
        with pytest.raises(SimulationError, match="does not begin like"):
            RowFile(file, plan, resume=True)
        assert file.read_bytes() == text


def test_files_that_cannot_be(tmp_path, plan):
    with pytest.raises(SimulationError, match=r"written as \.jsonl"):
        RowFile(tmp_path / "rows.txt", plan)
    with pytest.raises(SimulationError, match="cannot be read"):
        list(read_rows(tmp_path / "rows.jsonl"))
    with pytest.raises(SimulationError, match="cannot be written"):
        RowFile(tmp_path / "no" / "rows.jsonl", plan)
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(SimulationError, match="cannot be"):
        RowFile(tmp_path / "folder.jsonl", plan, resume=True)


def test_text_that_is_no_text_can_be_written(tmp_path, plan, rows):
    row = attrs.evolve(rows[0], problem="\udc80")
    write_rows(tmp_path / "rows.jsonl", plan, [row])
    assert list(read_rows(tmp_path / "rows.jsonl")) == [row]


# --------------------------------------------------------------------- summaries


def row_of(number: int, deal: int, bots: str, scores: tuple[int, ...], **more):
    seats = len(bots)
    rounds = (
        RoundRow(1, (7,) * seats, scores, "out", 0, 10 + number, 40, 0, 0),
        *(
            []
            if number
            else [RoundRow(2, (7,) * seats, scores, "stock", None, 3, 9, 0, 0)]
        ),
    )
    best = max(scores)
    values = {
        "status": "finished",
        "problem": "",
        "culprit": None,
        "winners": tuple(at for at, score in enumerate(scores) if score == best),
    }
    values |= more
    return GameRow(
        number,
        deal,
        f"7/{deal}",
        tuple(bots),
        scores=scores,
        rounds=rounds,
        actions=50,
        **values,
    )


BY_HAND = [
    row_of(0, 0, "AB", (10, 30)),
    row_of(1, 0, "BA", (20, 50)),
    row_of(2, 1, "AB", (40, 40)),
    row_of(3, 1, "BA", (0, 90)),
    row_of(4, 2, "AB", (70, 10)),
    row_of(5, 2, "BA", (5, 5), status="failed", problem="bad", culprit=0, winners=()),
]


def test_means_and_intervals_are_those_done_by_hand():
    found = summarize(iter(BY_HAND))
    a, b = found.bots
    assert (found.games, found.deals) == (6, 3)
    assert found.statuses == {"finished": 5, "failed": 1}
    assert (a.name, a.games, a.played, a.wins) == ("A", 6, 5, 3.5)
    assert (b.name, b.games, b.played, b.wins) == ("B", 6, 5, 1.5)

    # Of the games of a deal the mean first: deal 0: 0 and 1, deal 1: half and 1.
    won = [0.5, 0.75, 1.0]
    assert a.figures.won.mean == 0.75
    half = 1.959964 * statistics.stdev(won) / math.sqrt(3)
    assert a.figures.won.half == pytest.approx(half, rel=1e-6)
    assert a.figures.won.interval == pytest.approx((0.75 - half, 0.75 + half))
    assert a.figures.won.count == 3

    assert a.figures.match_points.mean == pytest.approx((30 + 65 + 70) / 3)
    # Game 0 has two rounds, and the round of game 5 was over before it failed.
    assert a.figures.round_points.mean == pytest.approx(
        ((10 + 10 + 50) / 3 + 65 + 37.5) / 3
    )
    (difference,) = found.differences
    assert (difference.one, difference.other) == ("A", "B")
    pairs = [30 - 25, 65 - 20, 70 - 10]
    assert difference.figures.match_points.mean == pytest.approx(
        statistics.fmean(pairs)
    )
    assert difference.figures.match_points.half == pytest.approx(
        1.959964 * statistics.stdev(pairs) / math.sqrt(3), rel=1e-6
    )

    # The first dealer sits at seat 1, so seat 0 is one place behind.
    assert [one.seat for one in found.places] == [0, 1]
    assert found.places[1].figures.won.mean == pytest.approx((0 + 0.25 + 1) / 3)
    assert found.rounds.mean == pytest.approx((1.5 + 1 + 1) / 3)
    assert found.turns.mean == pytest.approx(((10 + 3 + 11) / 3 + 12.5 + 14.5) / 3)
    assert found.endings == {"out": 6, "stock": 1}
    assert b.troubles == {"failed": 1}
    assert b.problems == ("game 5: bad",)


def test_one_deal_has_no_interval():
    found = summarize(BY_HAND[:2])
    assert found.bots[0].figures.won.mean == 0.5
    assert found.bots[0].figures.won.interval is None
    data = found.to_data()
    assert data["bots"][0]["figures"]["won"] == {
        "mean": 0.5,
        "low": None,
        "high": None,
        "deals": 1,
    }
    assert "±" not in str(found).partition("± gives")[0]


def test_a_round_after_which_players_come_back_is_counted_once():
    rows = [*rv.simulate("indian-rummy-pool", "greedy", players=3, games=2, seed=3)]
    came_back = 0
    for row in rows:
        totals = [
            sum(points)
            for points in zip(*[one.points for one in row.rounds], strict=True)
        ]
        came_back += totals != [*row.scores]
        assert all(one.actions > 1 for one in row.rounds)
        assert sum(one.actions for one in row.rounds) <= row.actions
    assert came_back


def test_in_a_single_round_the_most_points_win():
    row = attrs.evolve(BY_HAND[2], winners=())
    assert shares(row) == (0.5, 0.5)
    assert shares(attrs.evolve(BY_HAND[0], winners=())) == (0, 1)
    assert shares(attrs.evolve(BY_HAND[0], winners=(0,))) == (1, 0)


def test_a_summary_is_a_table_and_plain_values():
    found = summarize(BY_HAND)
    lines = str(found).splitlines()
    assert lines[0] == "6 games of 3 deals: 5 finished, 1 failed"
    assert lines[2].split()[:4] == ["bot", "seats", "wins", "won"]
    assert lines[3].startswith("A        5   3.5  75.0 ± 28.3 %")
    assert "A - B" in str(found)
    assert "B: 1 failed" in lines
    assert json.loads(json.dumps(found.to_data())) == found.to_data()
    assert str(summarize([])).startswith("0 games of 0 deals")


# --------------------------------------------------------------------- ratings


def test_ratings_follow_the_scores_in_order():
    model = PlackettLuce()
    a, b = model.rating(), model.rating()
    for mine, theirs in [(10, 30), (50, 20), (40, 40), (90, 0), (70, 10)]:
        ((a,), (b,)) = model.rate([[a], [b]], scores=[mine, theirs])
    found = ratings(BY_HAND)
    assert list(found) == ["A", "B"]
    assert (found["A"].mu, found["A"].sigma) == (a.mu, a.sigma)
    assert (found["B"].ordinal, found["B"].games) == (b.ordinal(), 5)


def test_several_seats_of_a_bot_are_rated_as_one():
    found = ratings([row_of(0, 0, "ABAC", (100, 60, 0, 10))])
    assert found["B"].mu > found["A"].mu > found["C"].mu
    assert ratings([row_of(0, 0, "AA", (1, 2))])["A"].mu == 25


def test_without_openskill_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill", None)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(SimulationError, match=r"rummyvariants\[tournament\]"):
        ratings([])


# --------------------------------------------------------------------- the command


COMMAND = (
    *("simulate", "rummy-500", "--bot", "greedy", "--bot", "random"),
    *("--players", 4, "--unit", "round"),
)


def test_the_command_writes_rows_and_a_summary(tmp_path, rows, whole):
    file = tmp_path / "rows.jsonl"
    done = run(*COMMAND, "--games", 10, "--seed", 7, "--output", file)
    assert done.exit_code == 0
    assert str(summarize(rows[:10])) in done.output
    again = run(*COMMAND, "--games", 23, "--seed", 7, "--output", file)
    assert again.exit_code == 2
    assert "exists already" in again.output
    # Without a seed that of the file is taken.
    done = run(*COMMAND, "--games", 23, "--output", file, "--resume", "--ratings")
    assert done.exit_code == 0
    assert str(summarize(rows)) in done.output
    assert "ordinal" in done.output
    assert file.read_bytes() == whole
    other = run(*COMMAND, "--games", 23, "--seed", 8, "--output", file, "--resume")
    assert other.exit_code == 2
    assert "seed is 7 there and 8 here" in other.output


def test_the_command_tells_of_bots_that_break(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    Path("breaking.py").write_text(
        "class Bot:\n    def choose(self, view, rng):\n        return 'dance'\n"
    )
    done = run("simulate", "rummy-500", "--bot", "breaking:Bot", "--games", 3)
    assert done.exit_code == 1
    assert "breaking:Bot: 3 refused" in done.output
    for words in (
        ("--bot", "breaking:Bat"),
        ("--resume",),
        ("--output", "rows.txt"),
        ("--players", 40),
    ):
        assert run("simulate", "rummy-500", *words).exit_code == 2


def test_more_processes_than_there_can_be_are_refused(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        msg = "max_workers must be <= 61"
        raise ValueError(msg)

    monkeypatch.setattr(processes_module, "ProcessPoolExecutor", refuse)
    done = run(*COMMAND, "--processes", 62)
    assert done.exit_code == 2
    assert "cannot be played in 62 processes: max_workers must be <= 61" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be removed there")
def test_a_folder_that_is_gone_holds_no_bots(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])
    done = run(*COMMAND, "--games", 2, "--seed", 7)
    assert done.exit_code == 0
    assert "no module nobody" in run(*COMMAND, "--bot", "nobody:Bot").stderr


def test_progress_is_reported_now_and_then(monkeypatch):
    monkeypatch.setattr(many_games, "_PAUSE", 0)
    done = run(*COMMAND, "--games", 5, "--seed", 7)
    assert "3 of 5 games, " in done.stderr
    assert "seconds left" in done.stderr


@contextlib.contextmanager
def started(file: Path, *words: object):
    process = subprocess.Popen(
        [
            *(sys.executable, "-W", "error", "-m", "rummyvariants"),
            *map(str, (*COMMAND, "--games", 1_000_000, "--seed", 7)),
            *map(str, ("--output", file, *words)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hear_interrupts if os.name != "nt" else None,  # noqa: PLW1509
    )
    with process:
        try:
            until = time.monotonic() + 60
            while not file.exists() or file.read_bytes().count(b"\n") < 30:
                assert time.monotonic() < until
                assert process.poll() is None
                time.sleep(0.02)
            yield process
        finally:
            process.kill()


def _hear_interrupts() -> None:
    """
    Undo what a shell does to programs that it starts in the background.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])
def test_an_interrupted_command_keeps_whole_rows(tmp_path, kind, number, rows):
    file = tmp_path / "rows.jsonl"
    with started(file, "--processes", number) as process:
        process.send_signal(kind)
        output, said = process.communicate(timeout=60)
    assert process.returncode == 128 + kind
    assert "--resume" in said
    assert "Traceback" not in said
    text = file.read_bytes()
    assert text.endswith(b"\n")
    kept = list(read_rows(file))
    assert f"Interrupted after {len(kept)} of 1000000 games" in said
    assert kept[: len(rows)] == rows
    assert str(summarize(kept)) in output
    more = len(kept) + 2
    done = run(*COMMAND, "--games", more, "--output", file, "--resume")
    assert done.exit_code == 0
    assert file.read_bytes().startswith(text)
    assert [row.number for row in read_rows(file)] == list(range(more))


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
def test_a_killed_command_can_be_gone_on_with(tmp_path, plan):
    file = tmp_path / "rows.jsonl"
    with started(file, "--processes", 2) as process:
        process.kill()
        process.communicate(timeout=60)
    with RowFile(file, plan, resume=True) as out:
        assert out.kept >= 25
    assert [row.number for row in read_rows(file)] == list(range(out.kept))


@pytest.mark.skipif(os.name == "nt", reason="no limit of a file's size there")
def test_a_file_that_cannot_grow_keeps_whole_rows(tmp_path):
    resource = pytest.importorskip("resource")
    file = tmp_path / "rows.jsonl"
    done = subprocess.run(
        [
            *(sys.executable, "-B", "-m", "rummyvariants"),
            *map(str, (*COMMAND, "--games", 99, "--seed", 7, "--output", file)),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert done.returncode == 2
    assert done.stderr == f"Error: {file}: cannot be written: File too large\n"
    kept = len(list(read_rows(file)))
    assert 0 < kept < 99
    done = run(*COMMAND, "--games", kept + 2, "--output", file, "--resume")
    assert done.exit_code == 0
    assert [row.number for row in read_rows(file)] == list(range(kept + 2))


def test_chance_of_the_process_is_left_alone():
    random.seed(3)
    before = random.getstate()
    list(rv.simulate("rummy-500", TABLE, games=2, unit="round"))
    assert random.getstate() == before


def test_where_the_lowest_score_wins_it_is_the_best() -> None:
    penalties = rv.preset("basic-rummy").with_options("BAS-09")
    bots = ["careful", "random"]
    rounds = list(rv.simulate(penalties, bots, games=20, seed=3, unit="round"))
    for row in rounds:
        low = min(row.scores)
        wins = [score == low for score in row.scores]
        assert shares(row) == tuple(one / sum(wins) for one in wins)
    found = ratings(rounds)
    assert found["careful"].ordinal > found["random"].ordinal
    for row in rv.simulate(penalties, bots, games=4, seed=3):
        (won,) = row.winners
        assert measure("lead").of(row) == row.scores[1 - won] - row.scores[won] > 0
    state = rv.game.begin(penalties, ["Ann", "Ben"])
    ahead = attrs.evolve(state.match, scores=(30, 7))
    assert "Ben leads with 7 points" in winners_line(attrs.evolve(state, match=ahead))


def test_partners_win_together() -> None:
    four = {"bots": ("A", "B", "A", "B"), "scores": (10, 40, 25, -30)}
    row = attrs.evolve(BY_HAND[0], **four, sides=(0, 1, 0, 1), winners=())
    assert row.side_scores == (35, 10, 35, 10)
    assert shares(row) == (1, 0, 1, 0)
    assert shares(attrs.evolve(row, sides=())) == (0, 1, 0, 0)
    assert shares(attrs.evolve(row, winners=(1, 3))) == (0, 1, 0, 1)
    assert shares(attrs.evolve(row, winners=(0, 1, 2, 3))) == (0.5,) * 4
