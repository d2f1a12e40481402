"""
Games that are watched: round by round, turn by turn, with any bots and options.
"""

from __future__ import annotations

import os
import re
import sys

from pathlib import Path

import pytest

from click.testing import CliRunner, Result

import rummyvariants as rv

from places import EXAMPLES
from rummyvariants.cli.commands import commands
from rummyvariants.events import Rejoined, RoundEnded
from terminal import at_a_terminal, interrupt, read_to


MINUTES = 180
"""How long a busy machine may take for what is done at once; in seconds."""
RECORD = EXAMPLES / "short-game.toml"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A working directory of its own, in which games that are left are kept.
    """
    monkeypatch.chdir(tmp_path)


def run(*words: object, stdin: str = "") -> Result:
    found = CliRunner().invoke(commands, list(map(str, words)), input=stdin)
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found


def said(*words: object, stdin: str = "") -> str:
    done = run(*words, stdin=stdin)
    assert done.exit_code == 0, done.stderr
    return done.stdout


# ------------------------------------------------------------------- round by round


def rounds_of(file: Path) -> list[rv.State]:
    """
    The state at the end of each round of a record.
    """
    steps = rv.files.replay_steps(rv.files.load_record(file))
    return [
        one.after
        for one in steps
        if any(isinstance(event, RoundEnded) for event in one.events)
    ]


@pytest.mark.parametrize("name", ["rummy-5000", "gin-rummy", "persian-rummy"])
def test_watch_says_in_two_lines_how_a_round_ended(name, tmp_path):
    file = tmp_path / "game.toml"
    text = said("watch", name, "--seed", 7, "--record", file)
    *before, last = rounds_of(file)
    assert before
    lines = text.splitlines()[2 : 2 + 2 * len(before)]
    for state, how, points in zip(before, lines[::2], lines[1::2], strict=True):
        assert how.startswith(f"Round {state.round_number}. ")
        assert how.endswith(f"({state.result.rule}).")
        if state.result.out is not None:
            assert state.players[state.result.out] in how
        sums = zip(
            state.by_side(state.scores), state.by_side(state.result.points), strict=True
        )
        assert re.findall(r"(-?\d+) \(([+-]\d+)\)", points) == [
            (str(total), f"{more:+d}") for total, more in sums
        ]
    full = said("watch", name, "--seed", 7, "--full")
    head = f"\nRound {last.round_number}. "
    assert text[text.index(head) :] == full[full.index(head) :]
    assert full.count("is dealt") > text.count("is dealt") > 0
    assert len(full.splitlines()) > len(text.splitlines())


def test_the_last_round_that_is_asked_for_is_reported_in_full():
    text = said("watch", "rummy-500", "--seed", 7, "--rounds", 2)
    assert "Round 1. Ann deals." not in text
    assert text.count(" deals.\n") == 1
    assert "Round 2. Ben deals." in text
    assert "The match is not over" in text


NEAR_THE_END = """
rules = "gin-rummy"
[position]
seats    = ["Ann", "Ben"]
dealer   = "Ben"
turn     = "Ann"
phase    = "draw"
stock    = "2c 9d Ks"
discards = "Qd"

[position.hands]
Ann = "3c 5c 7c 9c Jc 4d 6d 8d Td 2h"
Ben = "3h 5h 7h 9h Jh 4s 6s 8s Ts 2s"
"""


def test_a_round_after_which_players_come_back_is_told_once(tmp_path):
    file = tmp_path / "game.toml"
    words = ("indian-rummy-pool", "--players", 3, "--seed", 3)
    text = said("watch", *words, "--plain", "--record", file)
    steps = [*rv.files.replay_steps(rv.files.load_record(file))]
    back = [
        event for step in steps for event in step.events if isinstance(event, Rejoined)
    ]
    assert len(back) > 1
    over = len(rounds_of(file))
    assert re.findall(r"(?m)^Round (\d+)\. .*\.$", text) == [
        *map(str, range(1, over + 1))
    ]
    for one in back:
        name = steps[0].after.players[one.seat]
        assert (
            len(re.findall(f"(?m)^{name} +comes back with {one.total} points?$", text))
            == 1
        )
    rows = [
        [int(number) for number in line.split()[1:]]
        for line in text.partition("Points by round")[2].splitlines()
        if re.match(r"(\d+|back|total) ", line)
    ]
    assert len(rows) == over + len(back) + 1
    assert [*map(sum, zip(*rows[:-1], strict=True))] == rows[-1]


def test_the_first_line_names_the_options() -> None:
    given = ("watch", "rummy-500", "--with", "PGV-C5", "--with", "PGV-E5=200")
    first = said(*given, "--seed", 7).splitlines()[0]
    assert first == "Rummy 500 with PGV-C5 and PGV-E5=200, 4 players, seed 7"


def test_how_many_cards_are_left_is_said_where_some_are_never_drawn(tmp_path):
    file = tmp_path / "end.toml"
    file.write_text(NEAR_THE_END, encoding="utf-8")
    text = said("play", "--resume", file, stdin="draw\ndiscard 2c\n")
    assert "The round is over: only two cards are left in the stock (" in text
    assert "stock is empty" not in text


# -------------------------------------------------------------------- step by step


def actions_in(text: str) -> int:
    return len(re.findall(r"(?m)^(?:Ann|Ben) .*(?:draws|takes|discards|melds)", text))


@pytest.mark.parametrize("command", ["watch", "replay"])
def test_a_pipe_steps_line_by_line_and_q_ends_it(command):
    words: tuple[object, ...] = ("watch", "gin-rummy", "--seed", 7)
    if command == "replay":
        words = ("replay", RECORD)
    texts = [
        said(*words, "--step", stdin="\n" * lines + "q\nq\n") for lines in range(4)
    ]
    assert [actions_in(text) for text in texts] == [0, 1, 2, 3]
    for text in texts:
        assert text.splitlines()[-1].startswith("The match is not over")
        assert "Enter" not in text
    assert "is dealt" in texts[0]


@pytest.mark.parametrize("stdin", ["", "\n\n", "\n" * 500])
def test_nothing_waits_when_the_input_has_ended(stdin):
    full = said("watch", "gin-rummy", "--seed", 7, "--full")
    text = said("watch", "gin-rummy", "--seed", 7, "--step", stdin=stdin)
    end = full.index("\nPoints by round")
    assert text.endswith(full[end:])
    # Each action stands by itself.
    assert "draws 8d\nBen  discards Qc\n" in text
    assert "draws 8d, discards Qc\n" in full


def test_what_was_stepped_through_is_kept(tmp_path):
    file = tmp_path / "game.toml"
    said("watch", "rummy-500", "--seed", 7, "--step", "--record", file, stdin="\n\nq\n")
    assert len(list(rv.files.replay_steps(rv.files.load_record(file)))) == 3


def test_a_terminal_is_asked_after_each_action():
    with at_a_terminal("watch", "gin-rummy", "--seed", 7, "--step") as (process, at):
        first = read_to(at, "q ends] ")
        assert "is dealt" in first
        assert "takes 5c" not in first
        os.write(at, b"\n")
        assert "takes 5c\n" in read_to(at, "\n: ")
        os.write(at, b"q\n")
        assert "The match is not over" in read_to(at)
        assert process.wait(MINUTES) == 0


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_interrupt_while_it_waits_ends_it_with_the_record(tmp_path):
    file = tmp_path / "game.toml"
    words = ("watch", "gin-rummy", "--seed", 7, "--step", "--record", file)
    with at_a_terminal(*words) as (process, at):
        read_to(at, "q ends] ")
        interrupt(at)
        assert "Interrupted in round 1;" in " ".join(read_to(at).split())
        assert process.wait(MINUTES) == 130
    assert len(list(rv.files.replay_steps(rv.files.load_record(file)))) == 1


# ------------------------------------------------------------------- the match's end


def sheets(text: str) -> list[str]:
    """
    The score sheets of a match, or of its columns.
    """
    parts = re.split(r"(?m)^Score sheet of (?:the match|column \d)\n", text)
    return [part.partition("\n\n")[0] for part in parts[1:]]


def test_a_declaration_is_one_thing_that_a_player_does():
    text = said("watch", "three-thirteen", "--seed", 7, "--full")
    lines = [one for one in text.splitlines() if " declares " in one]
    assert lines
    for line in lines:
        assert re.search(r"declares [^,:]+( / [^,]+)*, is out$", line)
        assert " melds " not in line


@pytest.mark.parametrize("name", ["gin-rummy", "gin-rummy-classic", "hollywood-gin"])
@pytest.mark.parametrize("command", ["watch", "play"])
def test_each_bonus_of_a_match_is_listed_with_its_rule(name, command, tmp_path):
    file = tmp_path / "game.toml"
    text = said("watch", name, "--seed", 7, "--record", file)
    state = rv.replay(rv.files.load_record(file))
    if command == "play":
        text = said("play", "--resume", file)
    games = state.columns or (state.match,)
    found = sheets(text)
    assert len(found) == len(games)
    for sheet, game in zip(found, games, strict=True):
        assert game.bonuses
        for item in game.bonuses:
            line = rf"{item.points:+d}  {item.reason} +{item.rule}".replace(
                "+", r"\+", 1
            )
            assert re.search(rf"(?m)^ +{line}$", sheet)
        final = rv.game.Column(game.scores, (), (), game.bonuses).final_scores
        assert re.findall(r"(-?\d+)  in all", sheet) == [str(one) for one in final]


def test_a_match_says_which_bonuses_it_got(tmp_path):
    file = tmp_path / "game.toml"
    said("watch", "gin-rummy", "--seed", 7, "--record", file)
    state = rv.replay(rv.files.load_record(file))
    assert {item.reason for item in state.bonuses} >= {"for the game"}
    assert rv.view(state, 0).bonuses == state.bonuses
    more = [0, 0]
    for item in state.bonuses:
        assert item.rule in rv.rules.catalogue()
        more[item.seat] += item.points
    totals = zip(state.scores, more, strict=True)
    assert state.final_scores == tuple(map(sum, totals))
    assert rv.new_game("gin-rummy", 2).bonuses == ()
    assert "Score sheet of the match" not in said("watch", "george", "--seed", 7)


# --------------------------------------------------------------------- bots and options


BOTS = """\
class Broken:
    def choose(self, view, rng):
        raise OSError("no idea")

class Wild:
    def choose(self, view, rng):
        return "discard *"

class First:
    def choose(self, view, rng):
        return next(iter(view.legal_actions))
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    A folder with bots of our own, in which commands are given.
    """
    (tmp_path / "our_bots.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


@pytest.mark.usefixtures("here")
def test_other_bots_play_another_game():
    words = ("watch", "rummy-500", "--seed", 7, "--rounds", 1)
    careful = said(*words)
    assert said(*words, "--bot", "careful") == careful
    mixed = said(*words, "--bot", "random", "--bot", "careful")
    assert mixed != careful
    ours = said(*words, "--bot", "our_bots:First")
    assert ours != careful
    five = said(*words, *(5 * ["--bot", "random"]))
    assert five.startswith("Rummy 500, 5 players")


@pytest.mark.parametrize("place", [0, 1])
def test_bots_sit_behind_the_persons_in_the_order_of_their_names(here, place):
    bots = ["careful", "careful"]
    bots[place] = "our_bots:Broken"
    done = run(
        *("play", "rummy-500", "--players", 3, "--seed", 7, "--record", "game.toml"),
        *("--bot", bots[0], "--bot", bots[1]),
        stdin="draw\ndiscard Kc\n",
    )
    assert done.exit_code == 2
    assert done.stderr == "Error: the bot our_bots:Broken failed: OSError: no idea\n"
    # What was done before the bot had to act is on disk.
    state = rv.replay(rv.files.load_record(here / "game.toml"))
    assert 1 + place in state.to_act


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["watch", "gin-rummy", "--with", "GRV-66"], "did you mean 'GRV-06'?"),
        (["play", "gin-rummy", "--with", "GRW-06"], "did you mean 'GRV-06'?"),
        (["rules", "gin-rummy", "--with", "GRW-06"], "did you mean 'GRV-06'?"),
        (["simulate", "gin-rummy", "--with", "GRW-06"], "did you mean 'GRV-06'?"),
        (["watch", "gin-rummy", "--with", "PGV-P11"], "take PGV-P11 out"),
        (["watch", "rummy-500", "--with", "PGV-E5=x"], "give the points"),
        (["watch", "rummy-500", "--bot", "carful"], "did you mean 'careful'?"),
        (["play", "rummy-500", "--bot", "carful"], "did you mean 'careful'?"),
        (
            ["watch", "rummy-500", "--bot", "our_bots:Broken"],
            "the bot our_bots:Broken failed: OSError: no idea",
        ),
        (
            ["watch", "rummy-500", "--bot", "our_bots:Wild"],
            "the bot our_bots:Wild chose 'discard *': refused: ",
        ),
    ],
)
def test_a_bot_or_an_option_that_will_not_do_is_said_in_a_line(words, message):
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_more_bots_than_seats_are_refused():
    words = ("rummy-500", "--players", 2, *(3 * ["--bot", "careful"]))
    for command, seats in (("watch", "2 seats"), ("play", "1 seat")):
        done = run(command, *words)
        assert done.exit_code == 2
        assert f"3 bots cannot fill {seats}" in done.stderr


def test_an_option_is_played_by_and_kept(tmp_path):
    file = tmp_path / "game.toml"
    words = ("--with", "GRV-06", "--with", "PGV-E5=20", "--record", file)
    text = said("watch", "gin-rummy", "--seed", 7, *words)
    assert rv.files.load_record(file).rules.options == ("PGV-E5=20", "GRV-06")
    assert "has knocked" not in text
    assert "has gone gin" in text
    assert said("replay", file).endswith(text[text.index("\nScore sheet") :])


def test_a_game_with_an_option_is_resumed_with_it(tmp_path):
    file = tmp_path / "game.toml"
    said("play", "gin-rummy", "--seed", 7, "--with", "GRV-06", "--record", file)
    text = said("play", "--resume", file, stdin="rules\n")
    assert "[GRV-06]" in text
    done = run("play", "--resume", file, "--with", "GRV-06")
    assert done.exit_code == 2
    assert "come from the file" in done.stderr


def test_an_option_goes_on_a_rule_sheet_and_a_simulation(tmp_path):
    assert "[PGV-E5]" in said("rules", "rummy-500", "--with", "PGV-E5=3000")
    printed = said("rules", "rummy-500", "--with", "PGV-E5=3000", "--diff", "rummy-500")
    assert re.search(r"match\.target: .*\n.* 3000 \(PGV-E5\)\n.* 500 \(BN-18", printed)
    words = ("simulate", "gin-rummy", "--unit", "round", "--games", 2, "--seed", 7)
    assert "a knock" in said(*words)
    file = tmp_path / "rows.jsonl"
    with_it = (*words, "--with", "GRV-06", "--output", file)
    assert "a knock" not in said(*with_it)
    assert "GRV-06" in file.read_text(encoding="utf-8")
    said(*with_it, "--resume")
    assert run(*words, "--output", file, "--resume").exit_code == 2


def test_an_option_that_changes_nothing_is_noted():
    done = run("watch", "gin-rummy", "--seed", 7, "--rounds", 1, "--with", "PGV-P4")
    assert done.exit_code == 0
    assert done.stderr == "Note: PGV-P4 changes nothing: it does not come up\n"
