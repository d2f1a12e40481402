"""
The commands: what they print, what they refuse, and the exit status of each.
"""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys

from pathlib import Path

import pytest

from click.testing import CliRunner, Result
from rich.console import Console

import rummyvariants as rv

from amounts import every_third
from places import SCENARIOS
from rummyvariants.bots import CarefulBot, play_on
from rummyvariants.cli.commands import commands
from rummyvariants.cli.files import write_whole
from rummyvariants.cli.screen import Screen
from rummyvariants.cli.show import winners_line
from rummyvariants.cli.telling import Telling
from rummyvariants.files._score_text import column_blocks


POSITION = """\
title = "The real card goes beside the wild"
rules = "rummy-5000"

[position]
seats    = ["N", "E", "S"]
dealer   = "S"
turn     = "N"
phase    = "draw"
wild     = "4"
stock    = "2c 9d Ks 3s"
discards = "Qd 6s"
table    = ["E: 6h 4c=7h 8h", "N: Jc Jd Jh | E: Js"]
hands    = { N = "7h 9h Kc", E = "2d 2h", S = "5c 6d" }
"""
STEPS = """
[[step]]
seat = "N"
do   = "draw"

[[step]]
seat = "N"
do   = "lay 7h on 1"

[[step]]
seat = "N"
do   = "lay 7h on 1"
refused = "*"

[expect]
turn  = "N"
hands = { N = "9h Kc 2c" }
"""


def run(*words: object, stdin: str = "") -> Result:
    """
    A command run in this process.
    """
    found = CliRunner().invoke(commands, list(map(str, words)), input=stdin)
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found


def write(path: Path, *parts: str) -> Path:
    path.write_text("\n".join(parts), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def elsewhere(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    A working directory of its own, in which games that are left are kept.
    """
    monkeypatch.chdir(tmp_path_factory.mktemp("kept"))


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    return write(tmp_path / "beside.toml", POSITION, STEPS)


# ----------------------------------------------------------------------------- watching


def test_watch_tells_a_whole_game_to_its_score_sheet():
    done = run("watch", "rummy-5000", "--players", 4, "--seed", 7, "--full")
    assert done.exit_code == 0
    for word in ("Round 1.", "turns up", "draws", "takes", "melds", "lays", "discards"):
        assert word in done.stdout
    sheet = done.stdout.index("Score sheet of round")
    points = done.stdout.index("Points by round")
    assert sheet < points < done.stdout.index("wins the match with")
    assert re.search(r"Ann .* melded .* PG-20", done.stdout[sheet:])
    assert "\x1b" not in done.stdout


def test_the_same_seed_tells_the_same_game_and_another_seed_another():
    same = [run("watch", "rummy-500", "--players", 3, "--seed", 5) for _ in range(2)]
    other = run("watch", "rummy-500", "--players", 3, "--seed", 6)
    assert same[0].stdout == same[1].stdout != other.stdout


def test_watch_stops_after_some_rounds():
    done = run("watch", "2500-house", "--players", 3, "--seed", "a", "--rounds", 2)
    assert done.exit_code == 0
    assert "Round 2." in done.stdout
    assert "Round 3." not in done.stdout
    assert "The match is not over" in done.stdout


def test_watch_takes_names_and_a_file_of_house_rules(tmp_path):
    file = write(
        tmp_path / "ours.toml", 'extends = "rummy-500"', "[match]", "target = 60"
    )
    done = run("watch", file, "--names", "Xan, Yve", "--seed", 1)
    assert done.exit_code == 0
    assert "Xan" in done.stdout
    assert "Yve" in done.stdout


@pytest.mark.parametrize("name", rv.presets())
def test_a_watched_game_replays_to_the_same_story(name, tmp_path):
    file = tmp_path / "game.toml"
    watched = run("watch", name, "--seed", 3, "--record", file, "--full")
    replayed = run("replay", file)
    assert watched.exit_code == replayed.exit_code == 0
    # The first line of the one names the seed.
    assert watched.stdout.split("\n")[1:] == replayed.stdout.split("\n")[1:]
    assert list(tmp_path.iterdir()) == [file]


def test_replay_says_where_a_record_stops_being_legal(tmp_path):
    file = tmp_path / "game.toml"
    run("watch", "rummy-500", "--seed", 3, "--rounds", 1, "--record", file)
    lines = file.read_text(encoding="utf-8").split("\n")
    draw = next(at for at, line in enumerate(lines) if line.endswith(': draw",'))
    seat = lines[draw].strip(' "')[0]
    lines.insert(draw + 1, f'  "{seat}: discard *",')
    file.write_text("\n".join(lines), encoding="utf-8")
    number = draw - lines.index("actions = [") + 1
    done = run("replay", file)
    assert done.exit_code == 1
    assert f"Action {number} is not legal" in done.stdout
    assert "refused: * is not in the hand" in done.stdout
    assert "RV-07" in done.stdout


# -------------------------------------------------------------- what was interrupted


def _start(*words: object) -> subprocess.Popen[str]:
    """
    A command run as a program of its own.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "rummyvariants", *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=_hear_interrupts if os.name != "nt" else None,  # noqa: PLW1509
    )


def _hear_interrupts() -> None:
    """
    Undo what a shell does to programs that it starts in the background.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _long_game(folder: Path) -> Path:
    return write(
        folder / "long.toml", 'extends = "rummy-500"', "[match]", "target = 1_000_000"
    )


@pytest.mark.parametrize(
    ("words", "players"),
    [
        (("--humans", 1, "--bots", 2), 3),
        (("--bots", 2), 3),
        (("--humans", 5), 5),
        (("--humans", 2), 4),
    ],
)
def test_people_and_bots_make_the_players(words, players):
    done = run("play", "rummy-500", *words, "--seed", 7, stdin="quit\n")
    assert f"Rummy 500, {players} players, seed 7" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])
def test_an_interrupted_watch_leaves_a_record(number, tmp_path):
    file = tmp_path / "game.toml"
    rules = _long_game(tmp_path)
    with _start(
        "watch", rules, "--players", 4, "--seed", 2, "--record", file
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Round 2."):
                break
        process.send_signal(number)
        rest, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "Interrupted in round" in said
    assert str(file) in said
    assert "Traceback" not in said + rest
    state = rv.replay(rv.files.load_record(file))
    assert state.round_number >= 2
    assert not state.is_over
    assert run("replay", file).exit_code == 0
    assert sorted(tmp_path.iterdir()) == [file, rules]


@pytest.mark.skipif(os.name == "nt", reason="pipes are another thing there")
def test_a_closed_pipe_leaves_a_record_too(tmp_path):
    file = tmp_path / "game.toml"
    rules = _long_game(tmp_path)
    with _start(
        "watch", rules, "--players", 4, "--seed", 2, "--record", file
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
        process.wait(timeout=60)
    assert "Traceback" not in said
    assert not rv.replay(rv.files.load_record(file)).is_over


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    file = write(tmp_path / "game.toml", "before")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(rv.errors.RecordError, match="No space left"):
        write_whole(file, "after")
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_text_that_no_file_can_hold_is_reported(tmp_path):
    with pytest.raises(rv.errors.RecordError, match="is not valid text"):
        write_whole(tmp_path / "game.toml", "Ann, \udcff")


def test_a_device_is_not_replaced_by_a_file():
    write_whole(Path(os.devnull), "text")
    assert not Path(os.devnull).is_file()


# ------------------------------------------------------------------------------ playing


def _script(name: str, players: int, seed: int) -> tuple[list[str], rv.State]:
    """
    What the first player would write to play like a bot, and where that leads.
    """
    written: list[str] = []
    state = rv.game.begin(name, _names(players), seed=seed)
    for done in play_on(state, [CarefulBot()] * players, seed):
        action = done.action
        only_pass = isinstance(action, rv.actions.Pass) and done.before.phase == "call"
        if action.seat == 0 and not (
            only_pass and len(rv.legal_actions(done.before, 0)) == 1
        ):
            written.append(str(action))
        state = done.after
    return written, state


def _names(players: int) -> list[str]:
    return ["Ann", "Ben", "Cleo", "Dan"][:players]


@pytest.mark.long
@pytest.mark.parametrize("name", every_third(rv.presets(), pytest.mark.slow))
def test_a_whole_game_is_played_from_a_script(name, tmp_path):
    file = tmp_path / "game.toml"
    low, high = rv.preset(name).match.players
    players = max(low, min(3, high))
    script, state = _script(name, players, seed=8)
    done = run(
        *("play", name, "--players", players, "--seed", 8, "--record", file),
        stdin="\n".join(script) + "\n",
    )
    assert done.exit_code == 0
    assert re.search(r"\bwins? the match", done.stdout)
    paid = re.search(r" Paid: .+ \[PER-09\]\.", " ".join(done.stdout.split()))
    assert bool(paid) == (name == "persian-rummy")
    assert rv.replay(rv.files.load_record(file)) == state


def test_play_shows_only_what_the_seat_may_see():
    done = run("play", "rummy-500", "--players", 3, "--seed", 7, stdin="draw\ntable\n")
    state = rv.new_game("rummy-500", _names(3), seed=7)
    assert f"Your hand: {state.hands[0]}" in done.stdout
    assert "is dealt 7 cards\n" in done.stdout
    assert "draws a card" in done.stdout
    for hand in state.hands[1:]:
        assert str(hand) not in done.stdout


def test_a_refusal_shows_reason_rule_and_title():
    done = run(
        *("play", "rummy-500", "--players", 3, "--seed", 7),
        stdin="discard Kc\nwhy\ndraw\nmeld Kc 2d 8d\nfoo\ndicsard Kc\ndiscard 1c\n",
    )
    assert "refused: a turn starts with a draw" in done.stdout
    assert "RV-07, The course of a turn" in done.stdout
    # Only the values of this game, not those of all the others.
    assert re.findall("set by: +(.*)", done.stdout) == [
        'rummy-500: meld.a_turn = "any number", wild.split = false',
        'rummy-500: discard.ends_turn = "one card", discard.throw_back = "allowed"',
    ]
    assert re.search(r"refused: .*\n +BN-0[45], ", done.stdout)
    assert "'foo' is not an action" in done.stdout
    assert "did you mean 'discard'?" in done.stdout
    assert "'1c' is not a card" in done.stdout
    assert done.exit_code == 0


def test_help_legal_hand_table_scores_rules_and_why():
    done = run(
        *("play", "rummy-5000", "--players", 3, "--seed", 7),
        stdin="help\n?\nlegal\nlegal 9\nhand\ntable\nscores\nrules\n"
        "why PG-15\nwhy PG-99\n",
    )
    assert done.exit_code == 0
    for word in (
        "Write an action as",
        "  draw\n",
        "nothing more",
        "by rank:",
        "discards, the top last:",
        "Points by round",
        "RUMMY 5000",
        "The real card beside a wild",
        "there is no rule 'PG-99'; did you mean",
    ):
        assert word in done.stdout


def test_undo_takes_actions_back(tmp_path):
    file = tmp_path / "game.toml"
    words = ("play", "rummy-500", "--players", 3, "--seed", 7, "--record", file)
    done = run(*words, stdin="undo\ndraw\ndiscard Kc\nundo\nundo\nundo\n")
    assert done.stdout.count("Taken back.") == 2
    assert done.stdout.count("There is nothing to take back.") == 2
    state = rv.replay(rv.files.load_record(file))
    assert state.to_act == (0,)
    assert state.phase == "draw"
    assert state.turns[0] == 0


def test_a_game_is_resumed_and_its_record_goes_on(tmp_path):
    file, other = tmp_path / "game.toml", tmp_path / "other.toml"
    words = ("play", "rummy-500", "--players", 3, "--seed", 7)
    first = run(*words, "--record", file, stdin="draw\nquit\n")
    assert f"play --resume {file}" in first.stdout
    half = rv.replay(rv.files.load_record(file))
    assert half.phase == "play"
    again = run("play", "--resume", file, stdin="discard Kc\nquit\n")
    assert again.exit_code == 0
    run(*words, "--record", other, stdin="draw\ndiscard Kc\nquit\n")
    assert file.read_text() == other.read_text()


def test_a_record_in_place_is_not_overwritten_by_a_new_game(tmp_path):
    file = write(tmp_path / "game.toml", "precious")
    done = run("play", "rummy-500", "--record", file, stdin="draw\n")
    assert done.exit_code == 2
    assert "--resume" in done.stderr
    assert file.read_text() == "precious"


def test_a_position_is_saved_and_played_on(tmp_path):
    file = tmp_path / "position.toml"
    words = ("play", "rummy-500", "--players", 3, "--seed", 7)
    done = run(*words, stdin=f"draw\nsave {file}\nsave {file}\nsave\n")
    assert f"is in {file}" in done.stdout
    assert "exists already" in done.stdout
    assert "Name the file" in done.stdout
    assert run("check", file).stdout == f"{file}: ok\n"
    again = run("play", "--resume", file, "--seed", 1, stdin="discard Kc\nquit\n")
    assert again.exit_code == 0
    assert "You   discard Kc" in again.stdout


CALL = """\
title = "Who will have the king?"
rules = "rummy-500"

[position]
seats    = ["Ann", "Ben", "Cleo"]
dealer   = "Ben"
turn     = "Cleo"
phase    = "draw"
stock    = "2c 3d 4h 8s"
discards = "7d 9c"
table    = ["Cleo: Kc Kd Kh"]
hands    = { Ann = "5c 6d 2h", Ben = "5d 6h 3c", Cleo = "2s 9s Ks" }

[[step]]
do = "draw"

[[step]]
do = "discard Ks"
"""


def test_a_call_is_asked_for_and_declined_for_another_to_make(tmp_path):
    file = write(tmp_path / "call.toml", CALL)
    done = run("play", "--resume", file, stdin="?\nlay Ks on 1\npass\n")
    assert "Cleo discarded Ks: you may call Ks" in done.stdout
    assert "Ann, call>   Ks  rummy Ks on 1 +10\n  pass\n" in done.stdout
    assert re.search(r"refused: .*'lay Ks on 1' has to wait\b[^[]*\bRV-07", done.stdout)
    assert "Ben   calls rummy: Ks on 1" in done.stdout
    assert "Ann, draw>" in done.stdout


def test_who_can_only_pass_is_not_asked(tmp_path):
    file = write(tmp_path / "call.toml", CALL.replace("discard Ks", "discard 9s"))
    done = run("play", "--resume", file, stdin="quit\n")
    assert "Ann, call>" not in done.stdout
    assert "Ann, draw>" in done.stdout


def test_several_persons_hand_the_screen_over():
    words = ("play", "rummy-500", "--names", "Ann,Ben,Cleo", "--humans", 3, "--seed", 7)
    done = run(*words, stdin="\ndraw\ndiscard Td\n\ndraw\n")
    state = rv.new_game("rummy-500", ["Ann", "Ben", "Cleo"], seed=7)
    first, second = done.stdout.split("Ann is next: press Enter")
    assert "Cleo is next: press Enter when only Cleo sees the screen." in first
    assert f"Your hand: {state.hands[2]}" in first
    assert str(state.hands[0]) not in first
    assert f"Your hand: {state.hands[0]}" in second
    assert str(state.hands[2]) not in second
    assert "Cleo  draws a card, discards Td" in second


def test_what_is_written_at_the_hand_over_is_the_first_answer():
    words = ("play", "rummy-500", "--names", "Ann,Ben,Cleo", "--humans", 3, "--seed", 7)
    done = run(*words, stdin="draw\ndiscard Td\ndraw\n")
    assert "You   draw" in done.stdout.split("Ann is next: press Enter")[1]


@pytest.mark.parametrize(
    "words",
    [
        ("rummy-500", "--players", 3, "--bots", 1, "--humans", 1),
        ("rummy-500", "--players", 3, "--bots", 3),
        ("rummy-500", "--players", 3, "--humans", 4),
        ("gin-rummy", "--humans", 1, "--bots", 2),
        ("rummy-500", "--names", "A,B", "--players", 3),
        (),
    ],
)
def test_play_refuses_what_does_not_add_up(words):
    done = run("play", *words, stdin="quit\n")
    assert done.exit_code == 2
    assert "Error: " in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])
def test_an_interrupted_play_leaves_a_record(number, tmp_path):
    file = tmp_path / "game.toml"
    words = ("play", "rummy-500", "--players", 3, "--seed", 7, "--record", file)
    with _start(*words) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("draw\n")
        process.stdin.flush()
        for line in process.stdout:
            if "You   draw" in line:
                break
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "Traceback" not in said
    assert rv.replay(rv.files.load_record(file)).phase == "play"


# ----------------------------------------------------------------------------- disputes


def test_ask_gives_rulings_legal_actions_and_the_score(scenario):
    done = run("ask", scenario)
    assert done.exit_code == 0
    assert "2. N: lay 7h on 1\n  Legal: 7h goes beside 4c=7h" in done.stdout
    assert "PG-15, The real card beside a wild: If a melded wild" in done.stdout
    assert "3. N: lay 7h on 1\n  Refused: " in done.stdout
    assert "Everything is as the file expects." in done.stdout
    assert "N may\n" in done.stdout
    assert "  discard Kc\n" in done.stdout
    assert "The score if the round ended now" in done.stdout
    assert re.search(r" 4c +100 +\+100  melded as a wild +PG-20", done.stdout)


def test_ask_lists_so_many_actions_and_says_how_many_more(scenario):
    done = run("ask", scenario, "--most", 1)
    assert re.search(r"\.\.\. and \d+ more", done.stdout)


def test_ask_stops_at_a_step_that_is_refused(tmp_path):
    file = write(
        tmp_path / "refused.toml",
        POSITION,
        *('[[step]]\ndo = "lay 7h on 1"', '[[step]]\ndo = "draw"', "[expect]"),
    )
    done = run("ask", file)
    assert done.exit_code == 0
    assert "Refused: " in done.stdout
    assert "1 more step was not checked." in done.stdout


def test_ask_says_what_is_wrong_with_a_position_that_must_be_refused(tmp_path):
    text = POSITION.replace('"E: 6h 4c=7h 8h"', '"E: 6h 9h 8h"')
    file = write(tmp_path / "invalid.toml", 'invalid = "*"', text)
    done = run("ask", file)
    assert done.exit_code == 0
    assert "This position is impossible:" in done.stdout


def test_ask_declares_wild_cards_that_a_question_leaves_open():
    done = run("ask", "rummy-500", "meld 5h 6h *; discard 3c")
    assert "; that 'meld *=4h 5h 6h' is meant." in done.stdout
    assert "1. meld *=4h 5h 6h\n  Legal: " in done.stdout
    assert "2. discard 3c\n  Legal: " in done.stdout


def test_ask_takes_a_question_in_a_few_words():
    done = run("ask", "rummy-500", "hand 7h 8h 2c; pile 9h 4d; take 9h")
    assert done.exit_code == 0
    assert "Assumed: 2 players; Ben's hand; the stock." in done.stdout
    assert "1. take 9h\n  Legal: " in done.stdout
    assert "Hands\n  Ann: 2c 4d 7h 8h 9h\n\nAnn may\n  meld 7h 8h 9h\n" in done.stdout
    assert "Ben  " not in done.stdout  # whose hand was made up, so it has no score
    several = ("hand 7h 8h 2c", "pile 9h 4d", "take 9h")
    assert run("ask", "rummy-500", *several).stdout == done.stdout
    apart = run("ask", "rummy-5000", "meld", "Kc", "Ac", "2c")
    assert "PG-09" in apart.stdout
    for heading in ("Hands", "Ann may", "The score"):
        assert heading not in apart.stdout


def test_ask_gives_no_score_for_a_hand_that_was_made_up():
    hand = "hand 3c 3d 3h 5s 6s 7s 8s As 2c 2d Kd"
    said = run("ask", "gin-rummy", f"{hand}; knock Kd").stdout
    assert "Legal: " in said
    assert "The score" not in said


def test_ask_says_what_drawn_cards_are_made_up_and_does_not_count_them():
    question = "hand 7h 8h 9h Kc; pile 2c; draw; meld 7h 8h 9h; discard Kc"
    done = run("ask", "rummy-500", question)
    assert "what was drawn is made up" in done.stdout
    assert "The score" not in done.stdout
    known = run("ask", "rummy-500", f"stock 5d; {question}")
    assert "made up" not in known.stdout
    assert "The score" in known.stdout


def test_ask_answers_a_sentence_from_the_rules():
    done = run("ask", "rummy-500", "May I take just the top discard and keep it?")
    assert done.exit_code == 0
    assert "BN-14" in done.stdout
    wrong = run("ask", "rummy-500", "meld 7h 8h 9y")
    assert wrong.exit_code == 2


def test_ask_names_the_options_and_the_house_rules_in_its_heading(tmp_path):
    option = run("ask", "rummy-500", "--with", "PGV-E5=200", "draw").stdout
    title = rv.rules.catalogue()["PGV-E5"].title
    assert option.startswith(f"Rummy 500 with {title} (PGV-E5=200): draw")
    house = tmp_path / "house.toml"
    house.write_text('extends = "rummy-500"\n[match]\ntarget = 700\n')
    assert run("ask", str(house), "draw").stdout.startswith(
        "Rummy 500 with house rules: draw"
    )


def test_ask_answers_by_options_and_files_of_rules(tmp_path):
    question = "melds 6h *=7h 8h; swap 7h on 1"
    assert "Refused: " in run("ask", "rummy-500", question).stdout
    assert "Legal: " in run("ask", "rummy-500", "--with", "PGV-P4", question).stdout
    ours = write(tmp_path / "ours.toml", 'extends = "rummy-500"\nwith = ["PGV-P4"]')
    assert "Legal: " in run("ask", ours, question).stdout


def test_ask_says_that_the_match_is_over_and_who_has_won():
    facts = "hands 9h / 8h; scores Ann: 480 / Ben: 20; melds Ann: Kc Kd Kh"
    said = run("ask", "rummy-500", f"{facts}; discard 9h").stdout
    assert "The score of the round\n" in said
    assert "The round is over.\nAnn wins the match with 510 points." in said
    hands = "3c 3d 3h 5s 6s 7s 8s As 2c 2d Kd / 4c 6d 8h 9c Jd Qh Tc Kc Ks Ah"
    knock = f"hands {hands}; scores Ann: 99; boxes Ann: 2; knock Kd; pass"
    said = run("ask", "gin-rummy", knock).stdout
    assert "Score sheet of the match" in said
    assert "Ann wins the match" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rummy-500"], "what is the question?"),
        (["rumy-500", "draw"], "did you mean 'rummy-500'?"),
        (["rummy-500", "hnd 7h"], "facts begin with hand, hands, pile, melds, players"),
        (["rummy-500", "take 3"], "pile: give the discard pile"),
        (["rummy-500", "hand 7y; draw"], "hand: '7y' is not a card"),
        (["none.toml", "--with", "PGV-P4"], "a scenario file names its options"),
    ],
)
def test_ask_says_what_to_write(words, message):
    done = run("ask", *words)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_check_writes_a_line_for_each_file(scenario, tmp_path):
    wrong = write(tmp_path / "wrong.toml", POSITION, STEPS.replace('"N"\nh', '"E"\nh'))
    done = run("check", scenario, wrong)
    lines = done.stdout.splitlines()
    assert lines[0] == f"{scenario}: ok"
    assert lines[1].startswith(f"{wrong}: turn")
    assert len(lines) == 2
    assert done.exit_code == 1


def test_check_tells_of_files_that_cannot_be_read_and_goes_on(scenario, tmp_path):
    broken = write(tmp_path / "broken.toml", 'title = "x"', "rules =", "[deal]")
    missing = tmp_path / "missing.toml"
    done = run("check", broken, missing, scenario)
    lines = done.stdout.splitlines()
    assert re.match(rf"{re.escape(str(broken))}: .*line 2", lines[0])
    assert lines[1].startswith(f"{missing}: ")
    assert lines[2].endswith(": ok")
    assert done.exit_code == 2


def test_an_error_in_the_library_fails_one_file_alone(scenario, tmp_path, monkeypatch):
    really = rv.files.run

    def spoiled(one):
        if one.title == "spoiled":
            msg = "two\nlines"
            raise IndexError(msg)
        return really(one)

    monkeypatch.setattr(rv.files, "run", spoiled)
    title = "The real card goes beside the wild"
    broken = write(tmp_path / "bad.toml", POSITION.replace(title, "spoiled"), STEPS)
    done = run("check", broken, scenario)
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{broken}: an error in the library")
    assert r"IndexError('two\nlines')" in lines[0]
    assert lines[1:] == [f"{scenario}: ok"]
    assert done.exit_code == 1


def test_check_takes_folders(tmp_path):
    write(tmp_path / "beside.toml", POSITION, STEPS)
    (tmp_path / "deeper").mkdir()
    write(tmp_path / "deeper" / "one.toml", POSITION, STEPS)
    write(tmp_path / "notes.txt", "no scenario")
    done = run("check", tmp_path)
    assert done.stdout.count(": ok") == 2
    assert done.exit_code == 0
    (tmp_path / "empty").mkdir()
    done = run("check", tmp_path / "empty")
    assert done.exit_code == 2
    assert "no TOML file" in done.stdout


def test_check_passes_our_own_scenarios():
    done = run("check", SCENARIOS / "notation")
    assert [line for line in done.stdout.splitlines() if ": ok" not in line] == []
    assert done.exit_code == 0


# -------------------------------------------------------------------------------- rules


def test_presets_are_listed():
    done = run("presets")
    assert done.exit_code == 0
    for name in rv.presets():
        assert re.search(rf"^{name} ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("name", rv.presets())
def test_the_rule_sheet_is_printed(name):
    sheets = [
        run("rules", name, "--format", form) for form in ("text", "markdown", "html")
    ]
    assert all(sheet.exit_code == 0 for sheet in sheets)
    assert sheets[0].stdout.strip() == rv.preset(name).describe().strip()
    assert "<html" in sheets[2].stdout


def test_rules_are_compared(tmp_path):
    file = write(tmp_path / "ours.toml", 'extends = "rummy-500"\n[match]\ntarget = 60')
    done = run("rules", "rummy-500", "--diff", file)
    assert re.search(r" 500 \(BN-18, rummy-500\)\n.* 60 \(", done.stdout)
    same = run("rules", "rummy-500", "--diff", "rummy-500")
    assert same.stdout == "rummy-500 and rummy-500 do not differ.\n"
    assert run("rules", "rummy-500", "--diff", file, "--format", "html").exit_code == 2


@pytest.mark.parametrize("rule_id", rv.rules.catalogue())
def test_every_rule_is_explained(rule_id):
    done = run("explain", rule_id.lower())
    assert done.exit_code == 0
    rule = rv.rule(rule_id)
    for text in (rule.title, rule.text, rule.reading, rule.trap, rule.source):
        assert text in done.stdout


def test_what_puts_a_rule_in_force_is_reported():
    done = run("explain", "PG-15")
    assert 'preset rummy-5000: wild.real_card = "beside"' in done.stdout
    assert "changed by option PGV-P4" in done.stdout
    assert 'wild.real_card = "swap"' in run("explain", "PGV-P4").stdout


# ---------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["watch", "rumy-5000"], "no preset 'rumy-5000'; did you mean 'rummy-5000'?"),
        (["play", "rummy-50"], "did you mean 'rummy-500'?"),
        (["rules", "george2"], "did you mean 'george'?"),
        (["explain", "PGV-P44"], "no rule 'PGV-P44'; did you mean 'PGV-P4'?"),
        (["watch", "rummy-5000", "--players", "2"], "3 to 8 players, not 2"),
        (["watch", "rummy-5000", "--players", "9"], "3 to 8 players, not 9"),
        (["watch", "rummy-500", "--players", "0"], "2 to 8 players, not 0"),
        (["watch", "rummy-500", "--names", "A,A"], "name of their own"),
        (["watch", "rummy-500", "--names", "A,"], "name of their own"),
        (["watch", "rummy-500", "--players", "many"], "not a valid integer"),
        (["watch", "rummy-500", "--seed", "1", "--record", "."], "directory"),
        (["watch", "none.toml"], "none.toml: cannot be read: No such file"),
        (["replay", "none.toml"], "none.toml: cannot be read: No such file"),
        (["ask", "none.toml"], "none.toml: cannot be read: No such file"),
        (["play", "--resume", "none.toml"], "none.toml: cannot be read: No such file"),
        (["wacth"], "No such command 'wacth'"),
        (["ask", "none.toml", "--most", "9" * 20], "is not in the range"),
    ],
)
def test_bad_words_are_reported_in_a_message(words, message):
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


READING = (
    *("watch FILE", "play FILE", "play --resume FILE", "replay FILE", "ask FILE"),
    *("check FILE", "rules FILE", "rules rummy-500 --diff FILE"),
    *("simulate FILE", "compare FILE rummy-500"),
)
WRITING = (
    "watch rummy-500 --rounds 1 --record FILE",
    "play rummy-500 --record FILE",
    "simulate rummy-500 --games 1 --output FILE.jsonl",
    "simulate rummy-500 --games 1 --resume --output FILE.jsonl",
    "compare rummy-500 george --bot random --games 1 --unit round --json FILE",
)
TOO_LONG = 5000 * "x"


def run_with(command: str, file: Path) -> Result:
    return run(*[word.replace("FILE", str(file)) for word in command.split()])


@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize(
    "kind", ["missing", "below", "folder", "bytes", "loop", "long"]
)
def test_a_file_that_cannot_be_read_is_refused_in_a_line(tmp_path, command, kind):
    file = tmp_path / "file.toml"
    if kind == "below":
        write(file, "no folder")
        file /= "file.toml"
    elif kind == "folder":
        file.mkdir()
    elif kind == "bytes":
        file.write_bytes(bytes(range(256)))
    elif kind == "loop":
        try:
            file.symlink_to(file)
        except OSError:
            pytest.skip("no symbolic links here")
    elif kind == "long":
        file = tmp_path / f"{TOO_LONG}.toml"
    done = run_with(command, file)
    assert done.exit_code == 2
    said = done.stdout if command == "check FILE" else done.stderr
    assert str(file)[-40:] in said
    assert (
        said.count("cannot be read")
        + said.count("UTF-8")
        + said.count("no TOML file in this folder")
        + said.count("is a directory")
        == 1
    )


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="who may read all does"
)
@pytest.mark.parametrize("command", READING)
def test_a_file_that_may_not_be_read_is_refused_in_a_line(tmp_path, command):
    file = write(tmp_path / "file.toml", "")
    file.chmod(0)
    done = run_with(command, file)
    assert done.exit_code == 2
    assert f"{file}: cannot be read: Permission denied" in done.output


@pytest.mark.parametrize("command", WRITING)
@pytest.mark.parametrize("kind", ["below", "folder", "long"])
def test_a_file_that_cannot_be_written_is_refused_in_a_line(tmp_path, command, kind):
    file = tmp_path / "file"
    if kind == "below":
        write(file, "no folder")
        file /= "file"
    elif kind == "folder":
        file.mkdir()
        (tmp_path / "file.jsonl").mkdir()
    else:
        file = tmp_path / TOO_LONG
    before = sorted(tmp_path.iterdir())
    done = run_with(command, file)
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr or "is a directory" in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_check_goes_on_behind_a_name_that_no_file_can_have(scenario):
    done = run("check", TOO_LONG, scenario)
    assert "cannot be read" in done.stdout
    assert done.stdout.endswith(": ok\n")
    assert done.exit_code == 2


def test_a_name_that_nothing_can_have_is_no_preset():
    done = run("rules", TOO_LONG)
    assert done.exit_code == 2
    assert "there is no preset" in done.stderr


def test_a_position_is_not_saved_where_nothing_can_be(tmp_path):
    names = ("a\0b", tmp_path / TOO_LONG, tmp_path / "none" / "x.toml")
    done = run(
        *("play", "rummy-500", "--players", 3, "--seed", 7),
        stdin="".join(f"save {name}\n" for name in names) + "draw\n",
    )
    assert done.exit_code == 0
    assert done.stdout.count("cannot be written: ") == len(names)
    assert "You   draw" in done.stdout


def test_a_record_that_cannot_be_written_is_reported(tmp_path):
    file = tmp_path / "none" / "game.toml"
    done = run("watch", "rummy-500", "--record", file)
    assert done.exit_code == 2
    assert f"{file}: cannot be written" in done.stderr


BAD_POSITIONS = {
    "no-toml": ("dealer   =", "dealer", "line 6"),
    "unknown-key": ("stock    =", "stok =", "did you mean 'stock'?"),
    "unknown-seat": ('turn     = "N"', 'turn = "W"', "no seat 'W'"),
    "no-card": ('"7h 9h Kc"', '"7h 9h Ky"', "'Ky' is not a card"),
    "card-too-often": ('"5c 6d"', '"5c 5c"', "5c"),
    "card-not-in-the-deck": ('"5c 6d"', '"5c *"', "*"),
    "no-meld": ('"E: 6h 4c=7h 8h"', '"E: 6h 9h 8h"', "6h 9h 8h"),
    "too-few-players": (
        'seats    = ["N", "E", "S"]',
        'seats = ["N"]',
        "3 to 8 players",
    ),
    "unknown-preset": ('"rummy-5000"', '"rumy-5000"', "did you mean 'rummy-5000'?"),
    "unknown-option": (
        'rules = "rummy-5000"',
        'rules = { extends = "rummy-5000", with = ["PGV-P44"] }',
        "there is no option 'PGV-P44'",
    ),
    "unknown-value": (
        'rules = "rummy-5000"',
        'rules = { extends = "rummy-5000", match = { tarket = 1 } }',
        "did you mean 'match.target'?",
    ),
}


@pytest.mark.parametrize("case", BAD_POSITIONS)
@pytest.mark.parametrize("command", ["ask", "check", "play --resume"])
def test_bad_files_are_reported_in_a_message(command, case, tmp_path):
    old, new, message = BAD_POSITIONS[case]
    assert old in POSITION
    file = write(tmp_path / "bad.toml", POSITION.replace(old, new), STEPS)
    done = run(*command.split(), file)
    assert done.exit_code == 2
    said = done.stdout if command == "check" else done.stderr
    assert message in said
    assert str(file) in said
    assert "Traceback" not in done.output


def test_all_problems_of_a_file_are_reported(tmp_path):
    text = POSITION.replace('"7h 9h Kc"', '"7h 9h Ky"').replace('"5c 6d"', '"5c 5c"')
    file = write(tmp_path / "bad.toml", text, STEPS)
    asked = run("ask", file)
    assert "Error: there are 2 problems" in asked.stderr
    checked = run("check", file)
    assert len(checked.stdout.splitlines()) == 1
    for said in (asked.stderr, checked.stdout):
        assert "Ky" in said
        assert "5c" in said


# ------------------------------------------------------------------------- as a program


def _python(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False
    )


def test_it_runs_as_a_module():
    done = _python("-m", "rummyvariants", "presets")
    assert done.returncode == 0
    assert "rummy-5000" in done.stdout
    wrong = _python("-m", "rummyvariants", "explain", "XX-1")
    assert wrong.returncode == 2
    assert wrong.stdout == ""
    assert wrong.stderr.startswith("Error: there is no rule 'XX-1'")
    assert wrong.stderr.count("\n") == 1


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_without_the_extra_a_sentence_says_what_to_install(missing):
    done = _python(
        "-c",
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from rummyvariants.cli import main; main()",
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "pip install 'rummyvariants[cli]'" in done.stderr


def test_the_command_line_is_loaded_only_when_it_is_needed():
    done = _python(
        "-c",
        "import sys, rummyvariants, rummyvariants.cli\n"
        "print({'click', 'rich'} & set(sys.modules))",
    )
    assert done.stdout.strip() == "set()"


# ------------------------------------------------------------------------- the terminal


@pytest.mark.parametrize("width", [80, 120])
def test_on_a_terminal_lines_are_wrapped_and_coloured(width):
    written = io.StringIO()
    console = Console(
        file=written, force_terminal=True, width=width, legacy_windows=False
    )
    state = rv.game.begin("rummy-5000", ["Ann", "Ben", "Cleo"], seed=7)
    telling = Telling(Screen(console=console), state)
    for done in play_on(state, [CarefulBot()] * 3):
        telling.step(done)
        state = done.after
        if telling.finished == 3:
            break
    telling.end(state)
    text = written.getvalue()
    assert "\x1b[" in text
    lines = re.sub(r"\x1b\[[\d;]*m", "", text).split("\n")
    assert max(map(len, lines)) <= width
    assert "─" in text


def test_plain_is_plain_on_a_terminal_too(monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert Screen(plain=True).plain


def test_columns_are_told_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    state = rv.game.begin(rv.preset("gin-rummy").with_options("GRV-09"), 2, seed=5)
    assert "The match is not over" in winners_line(state)
    *_, last = play_on(state, [CarefulBot(), CarefulBot()], 5)
    Screen(plain=True).blocks(column_blocks(last.after.players, last.after.columns))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("column")
    assert str(last.after.columns[2].final_scores[0]) in lines[3]
    most = max(last.after.final_scores)
    assert f"with {most} points" in winners_line(last.after)
    assert not [*column_blocks(("Ann", "Ben"), rv.new_game("gin-rummy", 2).columns)]
