"""Whatever asks for many games keeps their rows, and continues them."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import time

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from click.testing import CliRunner, Result

import rummyvariants as rv

from rummyvariants.cli import many_games
from rummyvariants.cli.commands import commands
from rummyvariants.cli.many_games import Games, seed_for
from rummyvariants.simulation import plans
from rummyvariants.simulation.files import read_rows
from rummyvariants.simulation.plans import SimulationError
from rummyvariants.simulation.processes import processes
from rummyvariants.simulation.skill import measure_skill


# --------------------------------------------------------------------- in Python

PAIR = {"better": "greedy", "weaker": "random"}
OF_TWO: dict[str, Any] = {"games": 3, "seed": 5, "unit": "round"}


def _simulate(progress: Callable[[int], None] | None = None, **more: Any) -> Any:
    rows = []
    with contextlib.closing(
        rv.simulate("gin-rummy", ["greedy", "random"], games=5, seed=5, **more)
    ) as found:
        for row in found:
            rows.append(row)
            if progress is not None:
                progress(len(rows))
    return rows


def _shorter() -> rv.Ruleset:
    return rv.preset("rummy-500").with_options("PGV-E5=150")


ASKED: dict[str, tuple[str, Callable[..., Any]]] = {
    "simulate": ("rows.jsonl", _simulate),
    "compare": (
        "rows",
        lambda **more: rv.compare(
            "rummy-500", _shorter(), bots=["greedy", "random"], **OF_TWO, **more
        ),
    ),
    "measure_skill": (
        "rows.jsonl",
        lambda **more: measure_skill(
            "rummy-500", **PAIR, **OF_TWO | {"games": 6}, **more
        ).to_data(),
    ),
}


def files_of(output: Path) -> dict[str, bytes]:
    """
    The files in a folder, or a file, by name.
    """
    if output.is_file():
        return {"": output.read_bytes()}
    return {
        str(one.relative_to(output)): one.read_bytes()
        for one in sorted(output.rglob("*"))
        if one.is_file()
    }


class CutOffError(Exception):
    """
    Ends a call in the middle.
    """


@pytest.mark.parametrize("name", ASKED)
def test_rows_kept_are_continued_after_every_row(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, ask = ASKED[name]
    said: list[int] = []
    result = ask(progress=said.append)
    played: list[object] = []
    play_game = plans.play_game

    def counted(game: Any) -> rv.simulation.GameRow:
        played.append(game)
        return play_game(game)

    whole = tmp_path / place
    assert ask(output=whole) == result
    expected = files_of(whole)
    lines = sum(text.count(b"\n") for text in expected.values())
    assert lines > len(expected) > 0
    monkeypatch.setattr(plans, "play_game", counted)
    for stop in range(len(said)):
        output = tmp_path / str(stop) / place
        output.parent.mkdir()
        countdown = iter(range(stop))

        def end(_: int, left: Iterator[int] = countdown) -> None:
            if next(left, None) is None:
                raise CutOffError

        with pytest.raises(CutOffError):
            ask(output=output, progress=end)
        kept = files_of(output)
        for file, text in kept.items():
            assert expected[file].startswith(text)
        assert sum(text.count(b"\n") for text in kept.values()) > stop
        played.clear()
        again: list[int] = []
        assert ask(output=output, resume=True, progress=again.append) == result
        assert files_of(output) == expected
        assert again == said
        rows = sum(max(text.count(b"\n") - 1, 0) for text in kept.values())
        assert len(played) == lines - len(expected) - rows


@pytest.mark.parametrize("name", ASKED)
def test_a_file_may_be_cut_anywhere(name: str, tmp_path: Path) -> None:
    place, ask = ASKED[name]
    output = tmp_path / place
    result = ask(output=output)
    expected = files_of(output)
    for file, text in expected.items():
        path = output / file if file else output
        for cut in (0, 1, text.index(b"\n") + 1, len(text) // 2, len(text) - 1):
            path.write_bytes(text[:cut])
            assert ask(output=output, resume=True) == result
            assert files_of(output) == expected


@pytest.mark.parametrize("name", ASKED)
def test_what_is_there_is_continued_only_if_asked(name: str, tmp_path: Path) -> None:
    place, ask = ASKED[name]
    output = tmp_path / place
    result = ask(output=output)
    expected = files_of(output)
    with pytest.raises(SimulationError, match="exists already"):
        ask(output=output)
    with pytest.raises(SimulationError):
        ask(output=tmp_path / "no" / "such" / place)
    assert files_of(output) == expected
    assert ask(output=output, resume=True) == result


def test_fewer_or_more_games_may_be_asked_for(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"seed": 5, "unit": "round", "bots": "greedy"}
    for games in (6, 2, 9):
        found = rv.compare(
            "rummy-500",
            "gin-rummy",
            games=games,
            output=tmp_path,
            resume=True,
            **asked,
        )
        assert found == rv.compare("rummy-500", "gin-rummy", games=games, **asked)
    assert len(list(read_rows(tmp_path / "b.jsonl"))) == 9


def test_the_first_games_may_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    asked: dict[str, Any] = {"seed": 5, "unit": "round", "games": 9}
    rows = list(rv.simulate("gin-rummy", "greedy", **asked))
    for first in (6, 2, 9):
        found = rv.simulate(
            "gin-rummy", "greedy", **asked, first=first, output=file, resume=True
        )
        assert list(found) == rows[first:]
    assert list(read_rows(file)) == rows


@pytest.mark.parametrize("name", ["compare", "measure_skill"])
def test_processes_change_nothing(name: str, tmp_path: Path) -> None:
    place, ask = ASKED[name]
    result = ask(output=tmp_path / place)
    with processes(2) as pool:
        assert ask(output=tmp_path / f"other-{place}", executor=pool) == result
    assert files_of(tmp_path / place) == files_of(tmp_path / f"other-{place}")


def test_errors_are_copied_and_sent_as_they_are() -> None:
    ruling = rv.check(rv.new_game("gin-rummy", players=2, seed=1), "discard Kc")
    first = rv.errors.RulesError(
        [f"{at}: {'x' * 300}" for at in range(9)], ["R5"], where="f"
    )
    for again in (copy.copy, lambda one: pickle.loads(pickle.dumps(one))):  # noqa: S301 -- of our own making
        refused: Any = again(rv.IllegalAction(ruling))
        assert refused.ruling == ruling
        assert str(refused) == ruling.words
        problems: Any = again(first)
        assert type(problems) is rv.errors.RulesError
        assert str(problems) == str(first)
        assert vars(problems) == vars(first)


# --------------------------------------------------------------------- hostile files


def _compare(output: Path, **changes: Any) -> rv.simulation.Comparison:
    asked: dict[str, Any] = {"a": "rummy-500", "b": "gin-rummy", "bots": "greedy"}
    return rv.compare(**asked | OF_TWO | {"output": output, "resume": True} | changes)


@pytest.mark.parametrize(
    ("changes", "file", "said"),
    [
        ({"a": "gin-rummy"}, "a.jsonl", "rules is rummy-500 there and gin-rummy here"),
        ({"b": "rummy-500"}, "b.jsonl", "rules is gin-rummy there and rummy-500 here"),
        ({"seed": 6}, "a.jsonl", "seed is 5 there and 6 here"),
        ({"bots": "random"}, "a.jsonl", "bots is greedy, greedy there and random"),
        ({"unit": "match"}, "a.jsonl", "unit is round there and match here"),
        ({"limit": 9}, "a.jsonl", "limit is 20000 there and 9 here"),
    ],
)
def test_rows_of_another_question_are_refused(
    changes: dict[str, Any], file: str, said: str, tmp_path: Path
) -> None:
    _compare(tmp_path)
    before = files_of(tmp_path)
    with pytest.raises(SimulationError, match=said) as caught:
        _compare(tmp_path, **changes)
    assert str(tmp_path / file) in str(caught.value)
    assert files_of(tmp_path) == before


_ROW = {
    "number": 0,
    "deal": 0,
    "seed": "5/0",
    "bots": ["greedy", "greedy"],
    "status": "finished",
    "problem": "",
    "culprit": None,
    "scores": [1, 2],
    "winners": [],
    "rounds": [],
    "actions": 9,
}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"number": 1}, "game 1 is where game 0 belongs"),
        ({"deal": -1}, "deal give a whole number from 0"),
        ({"deal": 0.5}, "deal give a whole number from 0"),
        ({"actions": float("nan")}, "actions give a whole number from 0"),
        ({"culprit": 2}, "there is no seat 2"),
        ({"winners": [-1]}, "winners"),
        ({"scores": [1]}, "scores has 1 entries for 2 players"),
        ({"sides": [0]}, "sides has 1 entries for 2 players"),
        ({"bots": []}, "bots has 0 entries for 0 players"),
        ({"bots": "greedy"}, "bots give a list"),
        ({"score": 3}, "there is no such key; did you mean 'scores'"),
        ({"actions": 10**200}, "at most 100 digits"),
        ({"rounds": [{"dealer": 0}]}, r"rounds\[0\].*is missing"),
    ],
)
def test_a_row_that_makes_no_sense_is_refused(
    changes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "rows.jsonl"
    asked: dict[str, Any] = {"seed": 5, "unit": "round", "output": file}
    list(rv.simulate("gin-rummy", "greedy", games=0, **asked))
    head = file.read_bytes()
    file.write_bytes(head + json.dumps(_ROW).encode() + b"\n")
    assert [row.actions for row in read_rows(file)] == [9]
    file.write_bytes(head + json.dumps(_ROW | changes).encode() + b"\n")
    before = file.read_bytes()
    with pytest.raises(SimulationError, match=said):
        list(rv.simulate("gin-rummy", "greedy", games=3, resume=True, **asked))
    assert file.read_bytes() == before


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    note = tmp_path / "note"
    note.write_text("precious\n")
    with pytest.raises(SimulationError, match="this folder cannot be made"):
        _compare(note)
    with pytest.raises(SimulationError, match="this folder cannot be made"):
        _compare(note / "rows")
    with pytest.raises(SimulationError, match="this folder cannot be made"):
        _compare(tmp_path / "a\0b")
    assert note.read_text() == "precious\n"
    (tmp_path / "b.jsonl").mkdir()
    with pytest.raises(SimulationError, match=r"b\.jsonl: cannot be written"):
        _compare(tmp_path)


# ------------------------------------------------------------ at the command line


def run(*words: object) -> Result:
    """
    A command in this process.
    """
    found = CliRunner().invoke(commands, list(map(str, words)))
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found


COMPARE = ("compare", "rummy-500", "gin-rummy", "--unit", "round")
COMMANDS: dict[str, tuple[object, ...]] = {
    "compare": (*COMPARE, "--bot", "greedy"),
    "measure": (
        *("measure", "rummy-500", "--bot", "greedy", "--weaker", "random"),
        *("--unit", "round", "--players", 2, "--players", 3),
    ),
}


@contextlib.contextmanager
def started(
    output: Path, least: int, *words: object
) -> Iterator[subprocess.Popen[str]]:
    """
    A command in a process of its own, once it has written so many lines.
    """
    process = subprocess.Popen(
        [
            *(sys.executable, "-W", "error", "-m", "rummyvariants"),
            *map(str, (*words, "--seed", 7, "--output", output)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hear_interrupts if os.name != "nt" else None,  # noqa: PLW1509
    )
    with process:
        try:
            until = time.monotonic() + 120
            while lines_in(output) < least:
                assert time.monotonic() < until
                assert process.poll() is None
                time.sleep(0.01)
            yield process
        finally:
            process.kill()


def _hear_interrupts() -> None:
    """
    Undo what a shell does to programs that it starts in the background.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def lines_in(output: Path) -> int:
    """
    How many lines were written.
    """
    return sum(text.count(b"\n") for text in files_of(output).values())


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_command_goes_on_to_the_same_result(name: str, tmp_path: Path) -> None:
    words = (*COMMANDS[name], "--games", 20)
    whole = tmp_path / "whole"
    figures = tmp_path / "whole.json"
    done = run(*words, "--seed", 7, "--output", whole, "--json", figures)
    assert done.exit_code == 0, done.output
    lines = lines_in(whole)
    output = tmp_path / "rows"
    for part in (0.2, 0.7):
        more = () if part == 0.2 else ("--resume",)
        with started(output, round(part * lines), *words, *more) as process:
            process.kill()
            process.communicate(timeout=60)
        assert lines_in(output) < lines
        for file, text in files_of(output).items():
            assert files_of(whole)[file].startswith(text)
    again = tmp_path / "again.json"
    # The seed is in the rows.
    resumed = run(*words, "--output", output, "--resume", "--json", again)
    assert resumed.exit_code == 0, resumed.output
    assert resumed.stdout == done.stdout
    assert again.read_bytes() == figures.read_bytes()
    assert files_of(output) == files_of(whole)


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("name", ["compare", "measure"])
def test_an_interrupted_command_says_how_to_go_on(
    name: str, number: int, tmp_path: Path
) -> None:
    output = tmp_path / "rows"
    words = (*COMMANDS[name], "--games", 100_000, "--processes", number)
    kind = signal.SIGINT if number == 1 else signal.SIGTERM
    with started(output, 30, *words) as process:
        process.send_signal(kind)
        text, said = process.communicate(timeout=60)
    assert process.returncode == 128 + kind
    assert not text
    games = 100_000 if name == "compare" else 400_000
    assert f" of {games} games: they are in {output}; continue with" in said
    assert "--resume" in said
    assert "Traceback" not in said
    assert all(one.endswith(b"\n") for one in files_of(output).values())
    least = min(len(list(read_rows(file))) for file in output.rglob("[abg]*.jsonl"))
    done = int(said.partition("Interrupted after ")[2].split()[0])
    assert least - 1 <= done <= least
    if name == "compare":
        more = ("--games", least + 2, "--output", output, "--resume")
        assert run(*COMMANDS[name], *more).exit_code == 0


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
def test_without_a_folder_an_interrupt_says_what_is_missing() -> None:
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "rummyvariants"),
            *map(str, (*COMMANDS["compare"], "--games", 100_000)),
        ],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hear_interrupts,  # noqa: PLW1509
    )
    with process:
        assert process.stderr is not None
        # The first line of progress: the games are being played.
        first = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert " of 100000 games" in first
    assert process.returncode == 128 + signal.SIGINT
    assert said.endswith("name a place for them with --output.\n")


def test_a_command_says_what_is_wrong_with_its_rows(tmp_path: Path) -> None:
    words = (*COMMANDS["compare"], "--games", 2)
    output = tmp_path / "rows"
    assert run(*words, "--seed", 7, "--output", output).exit_code == 0
    for more, said in [
        (("--resume",), "name what to continue, with --output"),
        (("--output", output), "exists already: continue it, or name another"),
        (("--output", output, "--resume", "--seed", 8), "seed is 7 there and 8 here"),
        (("--output", output / "a.jsonl"), "is a file"),
    ]:
        done = run(*words, *more)
        assert done.exit_code == 2
        assert said in done.stderr
    (output / "a.jsonl").write_text("hello\n")
    done = run(*words, "--output", output, "--resume")
    assert done.exit_code == 2
    assert "a.jsonl: line 1 " in done.stderr
    # Nothing was kept yet, so that there is no seed either.
    (tmp_path / "empty").mkdir()
    done = run(*words, "--output", tmp_path / "empty", "--resume")
    assert done.exit_code == 0


def test_the_measure_of_a_number_twice_is_one(tmp_path: Path) -> None:
    words = ("measure", "gin-rummy", "--bot", "greedy", "--weaker", "random")
    figures = tmp_path / "figures.json"
    more = ("--unit", "round", "--games", 3, "--players", 2, "--players", 2)
    output = tmp_path / "rows"
    done = run(*words, *more, "--output", output, "--json", figures)
    assert done.exit_code == 0, done.output
    assert len(json.loads(figures.read_text())) == 1
    assert (output / "games.jsonl").exists()


def test_the_pace_is_that_of_the_games_played_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr(many_games.time, "monotonic", lambda: clock[0])
    said: list[str] = []
    monkeypatch.setattr(many_games.click, "echo", lambda text, **_: said.append(text))
    with many_games.progress(1000, plain=True) as tell:
        # 800 games come from a file, then one is played each second.
        for done in range(1, 801):
            tell(done)
        for done in range(801, 813):
            clock[0] += 1
            tell(done)
    assert said == [
        "805 of 1000 games",
        "810 of 1000 games, 1.0 a second, 190 seconds left",
    ]


def test_there_is_nothing_to_resume_without_a_place() -> None:
    with pytest.raises(SimulationError, match="nothing to resume"):
        rv.simulate("rummy-500", "greedy", games=1, unit="round", resume=True)


def test_a_path_that_no_file_can_have(tmp_path: Path) -> None:
    path = tmp_path / "e\0.jsonl"
    with pytest.raises(SimulationError, match="cannot be written"):
        list(rv.simulate("rummy-500", "greedy", games=1, unit="round", output=path))


def test_the_seed_is_that_of_any_file(tmp_path: Path) -> None:
    """
    The machine may have gone down when the first file had just been made.
    """
    (tmp_path / "a.jsonl").touch()
    asked: dict[str, Any] = {"unit": "round", "seed": "kept"}
    file = tmp_path / "b.jsonl"
    assert (
        len(list(rv.simulate("rummy-500", "greedy", games=1, output=file, **asked)))
        == 1
    )
    assert seed_for(None, tmp_path, resume=True) == "kept"


def test_what_was_done_before_counts_at_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = Games(300, "7", "round", 1, None, resume=False, plain=True)
    with pytest.raises(click.exceptions.Exit), asked.playing(600, 1, 2):
        signal.raise_signal(signal.SIGINT)
    assert "Interrupted after 600 of 1200 games: " in capsys.readouterr().err
