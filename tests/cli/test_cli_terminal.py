"""
What the commands print on a narrow terminal, and in a pipe.
"""

from __future__ import annotations

import operator
import os
import re
import signal

from pathlib import Path

import pytest

from click.testing import CliRunner
from rich.color import ColorSystem

import rummyvariants as rv

from places import SCENARIOS
from rummyvariants.cli.commands import commands
from rummyvariants.cli.screen import THEME, Highlighter
from terminal import WIDTH, at_a_terminal, read_to


SCENARIO = SCENARIOS / "notation" / "declared-joker.toml"
BROKEN = """\
rules = "rummy-500"
[position]
seats = ["Ann", "Ben"]
hands = { Ann = "7h 9h Ky", Ben = "2d 2h 2h 2h" }
"""
IN_TURN = """\
import sys
from rummyvariants.cli.commands import commands
for words in sys.argv[1:]:
    commands(words.split(), standalone_mode=False)
    print("<done>", flush=True)
"""
DONE = "<done>\n"
NARROW = {"COLUMNS": str(WIDTH)}
LOOK_UPS = (
    *("presets", "explain wild", "explain PG-15", "explain match.target"),
    *("check ok.toml bad.toml", "ask ok.toml"),
)

NAMES = "Bartholomew Constantinopolitanus Cy Di Ed Flo Gus Ida"


def commands_of(game: str) -> list[str]:
    """
    Every command that prints something of a game.
    """
    low, high = rv.preset(game).match.players
    names = ",".join(NAMES.split()[:high])
    few = f"--unit round --games 2 --seed 7 --players {low} --bot random"
    return [
        f"rules {game}",
        f"rules {game} --diff rummy-500",
        f"options {game}",
        f"watch {game} --seed 7 --bot greedy --names {names} --record game.toml",
        f"watch {game} --seed 7 --rounds 2 --full",
        "replay game.toml",
        f"simulate {game} {few} --ratings",
        f"compare {game} --with PGV-E5=1000 {few}",
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    "game", ["", "gin-rummy", "hollywood-gin", "rummy-5000", "persian-rummy"]
)
def test_what_is_printed_fits_and_no_word_is_broken_or_lost(
    game, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("ok.toml").write_bytes(SCENARIO.read_bytes())
    Path("bad.toml").write_text(BROKEN, encoding="utf-8")
    all_words = commands_of(game) if game else LOOK_UPS
    with at_a_terminal(*all_words, python=("-c", IN_TURN)) as (process, at):
        shown = read_to(at).split(DONE)[:-1]
        assert process.wait(60) == 0
    for words, text in zip(all_words, shown, strict=True):
        # A bar of progress goes back to the beginning of its line.
        lines = re.split(r"[\n\r]", text)
        assert max(map(len, lines)) <= WIDTH, (words, max(lines, key=len))
        in_a_pipe = CliRunner().invoke(commands, words.split(), env=NARROW).stdout
        assert "…" not in text + in_a_pipe
        lost = words_of(in_a_pipe) - words_of(text)
        if words == "presets":
            # Below each other these need no headings.
            lost -= words_of(in_a_pipe.partition("\n")[0])
        # Nor does what each line begins with in a table that is too wide.
        assert lost <= {"player", "round", "bot", "measure"}, words


def words_of(text: str) -> set[str]:
    """
    The words of a text; where a table is too wide commas stand between its cells.
    """
    return {word.strip(",:") for word in text.split() if set(word) - set("=-─")}


def test_a_refusal_and_a_rule_fit_at_the_prompt():
    with at_a_terminal("play", "rummy-5000", "--seed", 7) as (process, at):
        shown = read_to(at, "> ")
        for line in (
            *("discard Kc", "why", "why PG-15", "table", "scores", "help", "foo"),
            *("why PG-99", "rummy", "legal", "hand", "quit"),
        ):
            os.write(at, f"{line}\n".encode())
        shown += read_to(at)
        assert process.wait(60) == 0
    assert "RV-07, The course of a turn" in shown
    assert "unknown verb 'foo'" in shown
    lines = [line for line in re.split(r"[\n\r]", shown) if "> " not in line]
    assert max(map(len, lines)) <= WIDTH


def test_an_error_fits():
    with at_a_terminal("watch", "gin-rummy", "--with", "PGV-P11") as (process, at):
        shown = read_to(at)
        assert process.wait(60) == 2
    assert "take PGV-P11 out" in " ".join(shown.split())
    assert max(map(len, shown.split("\n"))) <= WIDTH


# ----------------------------------------------------------------------------- colours


XTERM = ("000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5")
"""The eight colours of a terminal that knows no others, as most show them."""


def brightness(colour: str) -> float:
    """
    The relative luminance of a colour, as web pages are checked for contrast.
    """
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]
    return sum(map(operator.mul, (0.2126, 0.7152, 0.0722), linear))


def test_no_colour_vanishes_on_a_light_or_a_dark_background():
    found = 0
    for name, style in THEME.styles.items():
        if name.startswith("says.") and style.color is not None:
            number = style.color.downgrade(ColorSystem.STANDARD).number
            found += 1
            assert number is not None
            light = brightness(XTERM[number])
            assert (1 + 0.05) / (light + 0.05) > 3, name
            assert (light + 0.05) / 0.05 > 3, name
    assert found


@pytest.mark.parametrize("rule_id", rv.rules.catalogue())
def test_every_rule_id_is_coloured(rule_id):
    text = Highlighter()(f"It is so ({rule_id}), and 7 of 9 are 2 more.")
    assert [text.plain[one.start : one.end] for one in text.spans] == [rule_id]


def test_what_looks_like_an_id_is_not_coloured():
    assert not Highlighter()("Go on to page X-12 of ISO-8859.").spans


def test_a_game_is_kept_when_its_terminal_closes(tmp_path):
    """
    As after any signal, the exit status says which one it was.
    """
    file = tmp_path / "game.toml"
    words = ("play", "rummy-500", "--seed", 7, "--record", file)
    with at_a_terminal(*words) as (process, at):
        read_to(at, "> ")
        nowhere = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nowhere, at)  # which closes the terminal
        os.close(nowhere)
        assert process.wait(60) == 128 + signal.SIGHUP
    assert rv.files.load_record(file).rules.name == "rummy-500"
