"""
What befalls a command from outside: full disks, closed streams, interrupts, a kill.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from click.testing import CliRunner

import rummyvariants as rv

from rummyvariants.cli import files
from rummyvariants.cli.commands import commands


MINUTES = 180
"""How long a busy machine may take for what is done at once; in seconds."""
FULL = Path("/dev/full")
POSIX = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell, POSIX signals")
NEEDS_FULL = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")

POSITION = """\
rules = "rummy-500"

[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "draw"
stock    = "2c 9d Ks 3s"
discards = "Qd 6s"
hands    = { Ann = "7h 9h Kc", Ben = "2d 2h" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """
    A folder with a scenario and a record.
    """
    (tmp_path / "scenario.toml").write_text(POSITION, encoding="utf-8")
    state = rv.new_game("rummy-500", 2, seed=7)
    (tmp_path / "game.toml").write_text(str(rv.record(state)), encoding="utf-8")
    return tmp_path


COMMANDS = {
    "help": "--help",
    "version": "--version",
    "watch": "watch rummy-500 --rounds 1",
    "play": "play rummy-500",
    "replay": "replay game.toml",
    "ask": "ask scenario.toml",
    "arrange": "arrange rummy-500 7h 8h 9h 2c",
    "check": "check scenario.toml",
    "rules": "rules rummy-500",
    "explain": "explain PG-15",
    "presets": "presets",
    "options": "options gin-rummy",
    "simulate": "simulate rummy-500 --bot random --unit round --games 2",
    "compare": "compare rummy-500 george --bot random --unit round --games 2",
}


def shell(folder: Path, words: str, streams: str) -> subprocess.CompletedProcess[str]:
    """
    A command with its standard streams led elsewhere, as a shell does it.
    """
    return subprocess.run(
        ["sh", "-c", f'"$0" -m rummyvariants {words} {streams}', sys.executable],  # noqa: S607
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=MINUTES,
    )


@POSIX
@NEEDS_FULL
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_standard_output_is_said_in_a_line(folder, command):
    done = shell(folder, COMMANDS[command], "> /dev/full")
    assert done.returncode == 2
    assert done.stderr == "Error: standard output: No space left on device\n"


@POSIX
@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_standard_output_is_said_in_a_line(folder, command):
    done = shell(folder, COMMANDS[command], ">&-")
    assert done.returncode == 2
    assert done.stderr == "Error: standard output is closed\n"


@POSIX
@pytest.mark.parametrize(
    "streams", ["2>&-", "2> /dev/full", ">&- 2>&-", "<&- >&- 2>&-"]
)
def test_what_cannot_be_said_changes_no_exit_status(folder, streams):
    if "full" in streams and not FULL.exists():
        pytest.skip("there is no /dev/full")
    done = shell(folder, "explain XX-1", streams)
    assert done.returncode == 2
    assert done.stdout + done.stderr == ""


@POSIX
def test_without_standard_error_a_file_is_written_as_ever(folder):
    words = "watch rummy-500 --seed 7 --rounds 1 --record"
    for name, streams in [("quiet.toml", "<&- 2>&-"), ("loud.toml", "")]:
        done = shell(folder, f"{words} {name}", streams)
        assert done.returncode == 0
        assert "Score sheet" in done.stdout
    quiet, loud = (folder / name for name in ("quiet.toml", "loud.toml"))
    assert quiet.read_text() == loud.read_text()


@POSIX
def test_a_closed_standard_input_is_said_by_who_reads_it(folder):
    done = shell(folder, "play rummy-500 --record new.toml", "<&-")
    assert done.returncode == 2
    assert done.stderr == "Error: standard input is closed, so no one can play\n"
    assert not (folder / "new.toml").exists()
    assert shell(folder, "presets", "<&-").returncode == 0
    stepped = shell(folder, "watch rummy-500 --seed 7 --rounds 1 --step", "<&-")
    assert stepped.returncode == 0
    assert "The match is not over" in stepped.stdout


@POSIX
def test_a_reader_that_has_enough_is_no_error(folder):
    done = shell(folder, "watch rummy-500 --players 4", "| head -n 1")
    assert done.stdout.startswith("Rummy 500, 4 players")
    assert done.stderr == ""


def test_bytes_that_are_no_text_are_no_action():
    done = subprocess.run(
        [sys.executable, "-m", "rummyvariants", "play", "rummy-500"],
        input=b"\xff\xfe\n\0\ndraw\xc3\nquit\n",
        capture_output=True,
        check=False,
        timeout=MINUTES,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.count(b"is not an action") == 3


# ------------------------------------------------------------------------ interrupts


def hear_interrupts() -> None:
    """
    Undo what a shell does to programs that it starts in the background.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextlib.contextmanager
def started(
    *words: object, python: tuple[str, ...] = ("-m", "rummyvariants"), **more: object
) -> Iterator[subprocess.Popen[bytes]]:
    """
    A command run as a program of its own, which does not outlive the test.
    """
    with subprocess.Popen(
        [sys.executable, *python, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_interrupts if os.name != "nt" else None,  # noqa: PLW1509
        **more,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(met: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    """
    Wait until something is so that a program does.
    """
    until = time.monotonic() + MINUTES
    while not met():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.01)


INTERRUPTED = (
    r"Interrupted( after \d+ of \d+ games: to be able to continue, name a place for"
    r" them with --output)?\."
)
"""What an interrupted command says, with the number of games once it plays."""


def assert_interrupted(process: subprocess.Popen[bytes]) -> None:
    _, said = process.communicate(timeout=MINUTES)
    *progress, last = said.decode().splitlines()
    # A slow machine may have said how far the games are.
    assert all(" games, " in one for one in progress)
    assert re.fullmatch(INTERRUPTED, last)
    assert process.returncode == 130


INTERRUPTING = """\
import os, runpy, signal, sys

class Finder:
    def find_spec(self, name, *_):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.argv[0] = "-m"
runpy.run_module("rummyvariants", run_name="__main__", alter_sys=True)
"""


@POSIX
@pytest.mark.parametrize(
    "name",
    [
        *("click", "attr", "rich", "rich.table", "rummyvariants.cards"),
        *("rummyvariants.game._engine.game", "rummyvariants.cli.commands"),
        *("rummyvariants.cli.play", "rummyvariants.simulation.comparison"),
    ],
)
def test_an_interrupt_at_an_import_is_said_in_a_line(name):
    words = COMMANDS["compare"].split()
    with started(*words, python=("-c", INTERRUPTING.format(name=name))) as process:
        assert_interrupted(process)


SAYING = """\
import runpy, sys

class Finder:
    def find_spec(self, name, *_):
        if name == "rummyvariants.cli.commands":
            print("importing", flush=True)

sys.meta_path.insert(0, Finder())
sys.argv[0] = "-m"
runpy.run_module("rummyvariants", run_name="__main__", alter_sys=True)
"""


@POSIX
@pytest.mark.parametrize("milliseconds", [0, 10, 30, 60, 100, 150, 250, 400, 800])
def test_an_interrupt_while_a_command_begins_is_said_in_a_line(milliseconds):
    words = ("compare", "rummy-500", "george", "--bot", "random", "--games", 1_000_000)
    with started(*words, python=("-c", SAYING)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"importing\n"
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGINT)
        assert_interrupted(process)


MARKING = """\
from pathlib import Path

class Bot:
    def choose(self, view, rng):
        Path("playing").touch()
        return view.legal_actions.sample(rng.randrange)
"""


@POSIX
@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupt_of_a_comparison_is_said_in_a_line(folder, processes):
    (folder / "marking.py").write_text(MARKING, encoding="utf-8")
    words = (
        *("compare", "rummy-500", "george", "--bot", "marking:Bot"),
        *("--games", 1_000_000, "--json", "found.json", "--processes", processes),
    )
    with started(*words, cwd=folder) as process:
        wait_for((folder / "playing").exists, process)
        process.send_signal(signal.SIGINT)
        assert_interrupted(process)
    assert not (folder / "found.json").exists()


# ------------------------------------------------------------------ a game that is kept


def prompted(process: subprocess.Popen[bytes], written: str = "") -> str:
    """
    What a game says until it asks for the next action.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(written.encode())
    process.stdin.flush()
    said = b""
    while not re.search(rb"^Ann, \w+> $", said, re.MULTILINE):
        some = os.read(process.stdout.fileno(), 65536)
        assert some, said
        said += some
    return said.decode()


def test_every_action_of_a_game_that_is_killed_is_on_disk(tmp_path):
    file = tmp_path / "game.toml"
    words = ("play", "rummy-500", "--players", 3, "--seed", 7, "--record", file)
    with started(*words, bufsize=0) as process:
        said = prompted(process)
        for turn in range(3):
            for written in ("draw\n", "discard {}\n", "undo\n", "discard {}\n"):
                state = rv.replay(rv.files.load_record(file))
                hand = re.findall("^Your hand: (.*)$", said, re.MULTILINE)[-1].strip()
                assert hand == str(state.hands[0])
                assert said.endswith(f"Ann, {state.phase}> ")
                said = prompted(process, written.format(hand.split()[0]))
            assert state.turns[0] == turn
        before = file.read_bytes()
        process.kill()
        process.communicate(timeout=MINUTES)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
    resumed = CliRunner().invoke(commands, ["play", "--resume", str(file)], input="")
    assert resumed.exit_code == 0
    assert said.splitlines()[-2] in resumed.stdout


@pytest.mark.parametrize("back_at", [3, 99])
def test_a_record_that_cannot_be_kept_is_said_at_each_prompt(
    tmp_path, monkeypatch, back_at
):
    file = tmp_path / "game.toml"
    write, calls = files.write_whole, iter(range(100))

    def fail(path: Path, text: str) -> None:
        if 1 <= next(calls) < back_at:
            msg = "cannot be written: No space left on device"
            raise rv.errors.RecordError(msg, where=str(path))
        write(path, text)

    monkeypatch.setattr(files, "write_whole", fail)
    done = CliRunner().invoke(
        commands,
        ["play", "rummy-500", "--players", "3", "--seed", "7", "--record", str(file)],
        input="draw\ndiscard Kc\nquit\n",
    )
    line = f"Error: {file}: cannot be written: No space left on device\n"
    assert "You   discard Kc" in done.stdout
    kept = rv.files.load_record(file)
    if back_at == 3:
        assert done.exit_code == 0
        assert done.stderr == 2 * line
        assert "Resume with: " in done.stdout
        assert rv.replay(kept).turns[0] == 1
    else:
        assert done.exit_code == 2
        assert done.stderr == 4 * line
        assert "Resume with: " not in done.stdout
        assert kept.actions == ()
