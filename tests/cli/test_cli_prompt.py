"""
What helps a person at the prompt of a game: hints, lists, short forms, completion.
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
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import rummyvariants as rv

from rummyvariants.bots import CarefulBot, play_on
from rummyvariants.cli import advising
from rummyvariants.cli.advising import (
    by_card,
    deadwood_line,
    opening_line,
    phase_line,
)
from rummyvariants.cli.commands import commands
from rummyvariants.cli.play import play_game
from rummyvariants.cli.prompting import candidates, help_text
from rummyvariants.cli.resuming import Game
from rummyvariants.cli.screen import Screen
from rummyvariants.files._table_text import table_lines
from rummyvariants.game.verbs._short import in_full
from terminal import at_a_terminal, interrupt, read_to
from test_cli import CALL


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    The working directory, in which games are kept.
    """
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(*words: object, written: str = "") -> Result:
    found = CliRunner().invoke(commands, ["play", *map(str, words)], input=written)
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found


def playing(state: rv.State, written: str) -> str:
    """
    What is said while a position is played.
    """
    Path("position.toml").write_text(rv.files.scenario_text(state), encoding="utf-8")
    done = play("--resume", "position.toml", "--seed", 1, written=written)
    assert done.exit_code == 0, done.output
    return done.stdout


def middle(**keys: object) -> rv.State:
    """
    Ann's turn in Rummy 500: a run, a lay-off and single cards in the hand.
    """
    given = {
        "hands": {"Ann": "7h 8h 9h Ks 4d", "Ben": "2c 3d", "Cleo": "5c 5d"},
        "table": ["Ben: Kc Kd Kh"],
        "stock": "6s Qd 2h Js",
        "discards": "9d Ad 3c",
        "phase": "play",
    }
    return rv.position("rummy-500", **{**given, **keys})


def gin(**keys: object) -> rv.State:
    given = {
        "hands": {
            "Ann": "7h 8h 9h 5c 5d 5h Kc Qd 2s 3s",
            "Ben": "2c 3d 4h 6s 8c 9s Ts Jd Qc Kh",
        },
        "stock": "6c 6d Td 4c As Ad Ac Jh",
        "discards": "9d",
        "phase": "draw",
        "partial": True,
    }
    return rv.position("gin-rummy", **{**given, **keys})


# -------------------------------------------------------------------------------- hints


def test_a_hint_says_what_the_careful_bot_would_do_and_plays_nothing():
    said = playing(middle(), "hint\nhand\n")
    assert "Hint: meld 7h 8h 9h (+24 points)\n" in said
    assert "by suit: 4d 7h 8h 9h Ks" in said


def test_following_the_hints_is_playing_like_the_bot():
    state = rv.game.begin("rummy-500", ["Ann", "Ben"], seed=4)
    seen = set()
    for done in play_on(state, [CarefulBot()] * 2):
        if isinstance(done.action, rv.actions.Deal):
            continue
        hint = advising.hint(done.before, done.action.seat)
        assert re.match(rf"Hint: {re.escape(str(done.action))}(?: \(|$)", hint)
        seen.add(re.sub(r"[-+\d]+", "1", hint.partition(" (")[2]))
    assert {"1 points)", "1 points fewer in the hand)"} <= seen
    assert "1 points can go down then)" in seen


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({}, "Hint: draw\n"),
        ({"discards": "Th"}, "Hint: take 1 (deadwood 15 rather than 25)\n"),
        (
            {
                "phase": "play",
                "hands": {"Ann": "7h 8h 9h 5c 5d 5h 2c 2d 2h Ah 4h", "Ben": "2s"},
            },
            "Hint: knock 4h (deadwood 1)\n",
        ),
    ],
)
def test_a_hint_of_gin_counts_deadwood(keys, text):
    assert text in playing(gin(**keys), "hint\n")


# -------------------------------------------------------------------------- short forms


def test_a_card_by_itself_is_discarded():
    said = playing(middle(), "ks\n")
    assert "You   discard Ks\n" in said


def test_a_card_by_itself_is_refused_like_its_discard():
    said = playing(middle(), "Qd\n")
    assert re.search(r"refused: Qd is not in the hand\n +RV-07", said)
    said = playing(middle(phase="draw"), "Ks\n")
    assert re.search(r"refused: a turn starts .*'discard Ks' has to wait\n", said)


def test_a_card_by_itself_is_discarded_in_gin_and_knocks_by_no_means():
    hands = {"Ann": "7h 8h 9h 5c 5d 5h 2c 2d 2h Ah 4h", "Ben": "3s"}
    said = playing(gin(phase="play", hands=hands), "4h\n")
    assert "You  discard 4h\n" in said


def test_take_with_a_card_takes_the_pile_down_to_it():
    hands = {"Ann": "Ac Ah Ks", "Ben": "2c 3d"}
    said = playing(middle(phase="draw", hands=hands, table=[]), "take Ad\n")
    assert "You  take Ad 3c\n" in said


def test_take_all_takes_the_pile():
    hands = {"Ann": "7d 8d Ks", "Ben": "2c 3d"}
    said = playing(middle(phase="draw", hands=hands, table=[]), "take all\n")
    assert "You  take 9d Ad 3c\n" in said


@pytest.mark.parametrize(
    ("written", "refused"),
    [
        ("take Qc", "Qc is not in the discard pile"),
        ("take *", r"\* is not in the deck|\* is not in the discard pile"),
        ("take all", "9d has to be melded or laid off this turn"),
        ("take Ad", "Ad has to be melded or laid off this turn"),
    ],
)
def test_a_take_that_cannot_be_is_refused_by_a_rule(written, refused):
    said = playing(middle(phase="draw"), f"{written}\n")
    assert re.search(rf"refused: (?:{refused}).*\n +(?:BN|RV)-\d+, ", said)


def test_a_take_of_all_cards_where_there_are_none_is_refused():
    said = playing(middle(phase="draw", discards=""), "take all\ntake 3c\n")
    assert len(re.findall(r"refused: .*\n +\w+-\d+, ", said)) == 2


def test_a_card_that_lies_twice_in_the_pile_has_to_be_counted():
    state = rv.position(
        "rummy-500",
        hands={
            "Ann": "9h Th Kc Kd",
            "Ben": "2c",
            "Cleo": "3c",
            "Dan": "4c",
            "Eve": "5c",
            "Finn": "6c",
        },
        seats=["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"],
        stock="2d 3d",
        discards="Jh 4s Jh 8s",
        phase="draw",
    )
    both = [one for one in (2, 4) if rv.check(state, f"take {one}")]
    assert both == [2, 4]
    said = playing(state, "take Jh\n")
    assert "Jh is in the discard pile twice: write 'take 2' or 'take 4'" in said


def test_where_the_pile_is_taken_whole_any_card_of_it_says_so():
    rules = rv.preset("rummy-500").with_values({"draw.take": "the whole pile"})
    hands = {"Ann": "5h 5d", "Ben": "2c"}
    state = rv.position(rules, hands=hands, discards="9h 5c 9d", stock="3s")
    for card in ("9h", "5c", "9d"):
        assert in_full(state, f"take {card}") == "take 3"


@given(st.text(max_size=12))
def test_what_is_no_short_form_stays_as_it_is(text):
    try:
        full = in_full(middle(phase="draw"), text, 0)
    except (rv.IllegalAction, rv.errors.ParseError):
        return
    assert full == text or re.fullmatch(r"discard \S+|take \d+", full)


# -------------------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("me", ["meld"]),
        ("l", ["lay", "legal"]),
        ("hi", ["hint"]),
        ("k", ["Ks"]),
        ("discard ", ["4d", "7h", "8h", "9h", "Ks"]),
        ("discard k", ["Ks"]),
        ("discard Ks ", []),
        ("meld ", ["7h", "8h", "9h"]),
        ("meld 9h ", ["7h", "8h"]),
        ("meld 9h 7h 8h ", []),
        ("meld Ks ", []),
        ("lay ", ["Ks"]),
        ("lay ks ", ["on"]),
        ("lay Ks on ", ["1"]),
        ("LAY KS ON ", ["1"]),
        ("? 7", ["7h"]),
        ("take ", []),
        ("draw", []),
        ("nonsense ", []),
        ("save ", []),
    ],
)
def test_the_tab_key_offers_what_is_legal(line, found):
    assert candidates(middle(), 0, line) == found


def test_an_empty_line_is_completed_by_verbs_cards_and_commands():
    found = candidates(middle(), 0, "")
    assert found[:4] == ["meld", "lay", "discard", "4d"]
    assert {"hint", "clear", "?", "quit", "help", "undo"} <= set(found)
    assert not {"draw", "take", "knock"} & set(found)


def test_a_wild_need_not_say_what_it_stands_for_to_be_followed():
    hands = {"Ann": "7h 9h * Ks", "Ben": "2c 3d"}
    state = middle(hands=hands, table=[])
    for line in ("meld * ", "meld *=8h "):
        assert {"7h", "9h"} <= set(candidates(state, 0, line)), line
    assert candidates(state, 0, "meld 7h 9h ") == ["*=8h"]


def test_a_take_is_completed_by_numbers_cards_and_all():
    hands = {"Ann": "7d 8d Ks", "Ben": "2c 3d"}
    state = middle(phase="draw", hands=hands, table=[])
    assert candidates(state, 0, "take ") == ["1", "3c", "3", "9d", "all"]


def test_a_knock_is_completed_by_its_discards():
    hands = {"Ann": "7h 8h 9h 5c 5d 5h 2c 2d 2h Ah 4h", "Ben": "3s"}
    state = gin(phase="play", hands=hands)
    assert "knock" in candidates(state, 0, "")
    may = [one for one in state.hands[0] if rv.check(state, f"knock {one}")]
    assert sorted(candidates(state, 0, "knock ")) == sorted(map(str, may))
    assert 0 < len(may) < 11
    assert candidates(state, 0, "knock 4h ") == []


@pytest.mark.parametrize("name", ["rummy-5000", "gin-rummy", "2500-house"])
def test_every_legal_action_can_be_completed_word_by_word(name):
    players = rv.preset(name).match.players[0]
    state = rv.new_game(name, players, seed=5)
    kinds = set()
    for number, done in enumerate(play_on(state, [CarefulBot()] * players)):
        if number > 120:
            break
        seat = done.action.seat
        if seat is None or number % 3:
            continue
        for action in list(rv.legal_actions(done.before, seat))[:40:7]:
            words = str(action).partition(":")[0].split()
            kinds.add(words[0])
            for at, word in enumerate(words):
                line = " ".join([*words[:at], ""])
                found = candidates(done.before, seat, line)
                assert word in found, (line, word)
    assert len(kinds) > 2


def test_kinds_that_share_a_word_are_completed_by_it():
    hands = {"Ann": "6c 6s 6d 9d 9h 9c Ks", "Ben": "2c 3d", "Cleo": "4d"}
    state = rv.position("contract-rummy", hands=hands, phase="play", fill=True)
    assert "go down" in rv.legal_actions(state).count_by_kind()
    assert candidates(state, 0, "")[:2] == ["meld", "discard"]


def test_the_cards_of_a_meld_come_after_those_that_are_taken():
    hands = {"Ann": "9c 9h Ks Kd Kh 7s 7d", "Ben": "2c 4d"}
    state = rv.position("canasta", hands=hands, discards="4c 9s", fill=True)
    assert candidates(state, 0, "tak") == ["take"]
    assert candidates(state, 0, "take ") == ["all"]
    assert candidates(state, 0, "take all ") == ["with"]
    assert {"9c", "9h"} <= set(candidates(state, 0, "take all with "))


def test_nothing_is_printed_into_a_pipe():
    done = subprocess.run(
        [sys.executable, "-m", "rummyvariants", "play", "rummy-500", "--seed", "7"],
        input=b"clear\nquit\n",
        capture_output=True,
        check=False,
        env={**os.environ, "TERM": "xterm"},
    )
    assert b"\x1b" not in done.stdout
    assert b"\f" not in done.stdout
    assert done.stderr == b""


# ------------------------------------------------------------------------- a terminal


def on_a_terminal(*words: object, keys: list[bytes], code: str = "") -> str:
    """
    What a terminal shows of a game in which some keys are pressed, one after another.

    Each waits for a prompt.
    """
    begin = f"{code}\nfrom rummyvariants.cli import main; main()"
    with at_a_terminal("play", *words, python=("-c", begin)) as (process, at):
        shown = ""
        for key in keys:
            shown += read_to(at, "> ", escapes=True)
            if key == CTRL_C:
                interrupt(at)
            else:
                os.write(at, key)
        shown += read_to(at, escapes=True)
        process.wait(timeout=60)
    return shown


CTRL_C = b"\x03"


def test_the_tab_key_completes_on_a_terminal():
    pytest.importorskip("readline")
    words = ("rummy-500", "--players", 3, "--seed", 7)
    shown = on_a_terminal(*words, keys=[b"dr\t\r", b"disc\tk\t\r", b"quit\r"])
    assert "discard Kc" in shown
    assert "You   discard Kc" in shown


def test_without_readline_a_game_is_played_all_the_same():
    code = "import sys; sys.modules['readline'] = None"
    words = ("rummy-500", "--players", 3, "--seed", 7)
    shown = on_a_terminal(*words, keys=[b"draw\r", b"Kc\r", b"quit\r"], code=code)
    assert "You   discard Kc" in shown
    assert "Traceback" not in shown


def test_an_interrupt_at_the_prompt_keeps_the_game_too(folder):
    words = ("rummy-500", "--players", 3, "--seed", 7)
    shown = on_a_terminal(*words, keys=[b"draw\r", CTRL_C])
    assert "play --resume rummy-500-game.toml" in shown
    assert (
        rv.replay(rv.files.load_record(folder / "rummy-500-game.toml")).phase == "play"
    )
    assert "Traceback" not in shown


def test_clear_clears_a_terminal():
    words = ("rummy-500", "--players", 3, "--seed", 7)
    shown = on_a_terminal(*words, keys=[b"clear\r", b"quit\r"])
    assert "\x1b[2J" in shown


# ------------------------------------------------------------------------ what is shown


def test_a_hand_of_gin_is_shown_with_its_melds_and_deadwood():
    said = playing(gin(), "")
    assert (
        "Your hand: 5c Kc 5d Qd 5h 7h 8h 9h 2s 3s\n"
        "Melds:     5c 5d 5h / 7h 8h 9h; deadwood 25: Kc Qd 2s 3s\n"
    ) in said
    assert "deadwood" not in playing(middle(), "")


@pytest.mark.parametrize("seed", range(3))
def test_deadwood_is_counted_as_by_hand(seed):
    state = rv.new_game("gin-rummy", 2, seed=seed)
    for done in play_on(state, [CarefulBot()] * 2, seed):
        after = done.after
        if not after.to_act or after.phase == "layoff":
            continue
        seat = after.to_act[0]
        line = deadwood_line(after, seat)
        match = re.fullmatch(r"Melds:     (.*); deadwood (\d+)(?:: (.*))?", line)
        melds = [] if match[1] == "none" else match[1].split(" / ")
        left = rv.Cards(match[3] or "") if melds else after.hands[seat]
        assert sorted(rv.Cards(" ".join([*melds, str(left)]))) == sorted(
            after.hands[seat]
        )
        worth = {**dict.fromkeys("TJQK", 10), "A": 1}
        points = [worth.get(one.rank) or int(one.rank) for one in left]
        assert int(match[2]) == sum(points)


def test_what_is_legal_is_listed_by_card_with_its_points():
    said = playing(middle(), "?\n")
    assert (
        "  7h  meld 7h 8h 9h +24\n"
        "  8h  meld 7h 8h 9h +24\n"
        "  9h  meld 7h 8h 9h +24\n"
        "  Ks  lay Ks on 1 +10\n"
        "  discard 4d, 7h, 8h, 9h, Ks\n"
    ) in said


@pytest.mark.parametrize("name", ["rummy-500", "rummy-5000", "2500-house"])
def test_a_play_scores_what_a_score_sheet_would_add(name):
    def on_table(state: rv.State, seat: int) -> int:
        items = rv.round_result(state, "stock").items
        held = "left in the hand"
        return sum(
            one.points for one in items if one.seat == seat and held not in one.reason
        )

    players = rv.preset(name).match.players[0]
    scored = 0
    for done in play_on(rv.new_game(name, players, seed=2), [CarefulBot()] * players):
        if done.after.round_number > 2:
            break
        if not done.before.to_act or done.before.phase not in {"play", "call"}:
            continue
        seat = done.action.seat
        found, is_all = advising.entries(done.before, seat)
        assert is_all
        for one in found[:20]:
            after = rv.apply(done.before, one.action, seat)
            gained = on_table(after, seat) - on_table(done.before, seat)
            assert one.points == gained, one
            scored += gained > 0
    assert scored > 20


def test_the_last_card_laid_off_scores_too():
    state = middle(hands={"Ann": "Ks", "Ben": "2c", "Cleo": "4c"})
    assert "  Ks  lay Ks on 1 +10\n" in playing(state, "?\n")


def test_cards_on_the_table_that_do_not_count_score_nothing_at_once():
    state = rv.position(
        "basic-rummy",
        hands={"Ann": "7h 8h 9h Ks", "Ben": "2c"},
        stock="2d",
        phase="play",
    )
    assert "  7h  meld 7h 8h 9h\n" in playing(state, "?\n")


def test_a_draw_lists_the_takes_by_the_cards_that_they_go_down_to():
    hands = {"Ann": "7d 8d Ks", "Ben": "2c 3d"}
    said = playing(middle(phase="draw", hands=hands, table=[]), "?\n")
    assert "  draw\n  take 1 (3c), 3 (9d)\n" in said


def test_knocks_are_listed_with_what_they_leave():
    hands = {"Ann": "7h 8h 9h 5c 5d 5h 2c 2d 2h Ah 4h", "Ben": "3s"}
    said = playing(gin(phase="play", hands=hands), "?\n")
    assert re.search(r"  knock .*Ah \(4 left\), .*4h \(1 left\)\n", said)


def crowded() -> rv.State:
    """
    A hand with far more melds than fit a screen.
    """
    return rv.position(
        "rummy-500",
        hands={"Ann": "4h 5h 6h 7h 8h 9h Th Jh * * 2c 3c", "Ben": "5d"},
        stock="2d 3d",
        discards="Ks",
        phase="play",
    )


def test_of_many_actions_a_line_says_how_many_more_there_are_and_where():
    state = crowded()
    found = by_card(state, 0)
    assert len(found) <= 20
    # The best meld of a card is there, however long it is.
    assert all(len(one) <= 60 or one.count("meld") == 1 for one in found)
    line = next(one for one in found if one.startswith("4h"))
    more = re.search(r"; (\d+) more: \? 4h$", line)
    listed = line.count("meld")
    uses = [one for one in rv.legal_actions(state, 0) if " 4h" in str(one)]
    melds = [one for one in uses if isinstance(one, rv.actions.NewMeld)]
    assert listed + int(more[1]) == len(melds)
    # The best stand in front.
    assert line[4:].startswith(f"meld {' '.join(map(str, best(state, melds).cards))}")


def best(state: rv.State, melds: list[rv.actions.NewMeld]) -> rv.actions.NewMeld:
    table = [rv.round_result(rv.apply(state, one), "stock") for one in melds]

    def down(result: rv.game.RoundResult) -> int:
        return sum(one.points for one in result.items if "melded" in one.reason)

    return max(zip(melds, table, strict=True), key=lambda pair: down(pair[1]))[0]


def test_all_that_can_be_done_with_a_card_is_listed_page_by_page():
    state = crowded()
    uses = [one for one in rv.legal_actions(state, 0) if " 4h" in str(one)]
    pages = -(-len(uses) // advising.LISTED)
    assert pages > 1
    said = playing(state, "".join(f"? 4h {at + 1}\n" for at in range(pages + 1)))
    for one in uses:
        assert re.search(rf"  {re.escape(str(one))}(?: \+\d+)?\n", said)
    more = len(uses) - advising.LISTED
    assert f"  ... and {more} more: ? 4h 2\n" in said
    assert said.count("  nothing more\n") == 1


def test_legal_stays_quick_and_says_so_where_not_all_was_looked_at(monkeypatch):
    monkeypatch.setattr(advising, "COUNTED", 5)
    found = by_card(crowded(), 0)
    assert any("at least" in one for one in found)
    assert found[-1].startswith("discard ")


def test_before_the_cards_are_dealt_all_that_helps_does(folder):
    rules = 'extends = "rummy-5000"\nwith = ["PGV-D3e", "PGV-C2a"]\n'
    (folder / "rules.toml").write_text(rules, encoding="utf-8")
    words = ("rules.toml", "--players", 3, "--seed", 27)
    said = play(*words, written="?\nhint\n? 2c\nKd\n").stdout
    assert "Ann, choose>   choose 2, 12\n" in said
    assert "Hint: choose 12\n" in said
    assert "  nothing\n" in said
    assert "refused: a hand size has to be chosen" in said


def test_a_call_names_the_card_and_the_discard_before_it(folder):
    (folder / "call.toml").write_text(CALL, encoding="utf-8")
    said = play("--resume", "call.toml", written="?\n").stdout
    assert (
        "Cleo discarded Ks: you may call Ks ('rummy Ks on 1'), or 'pass'.\n"
        "Ann, call>   Ks  rummy Ks on 1 +10\n  pass\n"
    ) in said


def test_a_call_of_a_deeper_card_names_both(folder):
    state = rv.position(
        "rummy-500",
        hands={"Ann": "5c 6d 2h", "Ben": "2s 9s 3s", "Cleo": "5d 6h 3c"},
        table=["Ben: Kc Kd Kh"],
        stock="3d 4h 8s",
        discards="Ks 7d",
        turn="Ben",
        phase="play",
    )
    state = rv.apply(state, "discard 9s", 1)
    if state.phase != "call":
        pytest.fail("nobody is asked")
    seat = state.to_act[0]
    line = phase_line(state, seat)
    assert line.startswith("Ben discarded 9s: you may call Ks (")
    assert folder.exists()


# -------------------------------------------------------------------------- leaving


def test_a_game_that_is_left_is_kept_and_gone_on_with(folder):
    first = play("rummy-500", "--players", 3, "--seed", 7, written="draw\nquit\n")
    assert "The match is saved in rummy-500-game.toml.\n" in first.stdout
    command = re.search(r"Resume with: rummyvariants (.*)\n", first.stdout)[1]
    assert command == "play --resume rummy-500-game.toml"
    again = play(*command.split()[1:], written="Kc\nquit\n")
    assert "You   discard Kc" in again.stdout
    assert [one.name for one in folder.iterdir()] == ["rummy-500-game.toml"]
    assert rv.replay(rv.files.load_record("rummy-500-game.toml")).turns[0] == 1


def test_the_end_of_what_is_written_leaves_as_quit_does(folder):
    play("rummy-500", "--players", 3, "--seed", 7, written="draw\n")
    assert (
        rv.replay(rv.files.load_record(folder / "rummy-500-game.toml")).phase == "play"
    )


@pytest.mark.parametrize("written", ["quit\n", "", "?\nhint\nquit\n", "draw\nundo\n"])
def test_of_a_game_in_which_nothing_was_played_nothing_is_kept(folder, written):
    done = play("rummy-500", "--players", 3, "--seed", 7, written=written)
    assert "Resume with" not in done.stdout
    assert list(folder.iterdir()) == []


def test_no_file_is_overwritten(folder):
    precious = folder / "rummy-500-game.toml"
    precious.write_text("precious")
    (folder / "rummy-500-game-2.toml").symlink_to(folder / "nowhere")
    done = play("rummy-500", "--players", 3, "--seed", 7, written="draw\n")
    assert "The match is saved in rummy-500-game-3.toml.\n" in done.stdout
    assert precious.read_text() == "precious"
    assert not (folder / "nowhere").exists()


def test_a_game_from_a_position_is_kept_as_a_position(folder):
    said = playing(middle(), "Ks\nquit\n")
    assert "--resume rummy-500-game.toml" in said
    again = play("--resume", "rummy-500-game.toml", written="hand\n")
    assert "by suit: 4d 7h 8h 9h\n" in again.stdout
    assert sorted(one.name for one in folder.iterdir()) == [
        "position.toml",
        "rummy-500-game.toml",
    ]


def test_a_position_that_is_left_between_two_rounds_is_kept_after_the_deal(folder):
    state = middle(hands={"Ann": "Ks", "Ben": "2c", "Cleo": "4c"})
    said = playing(state, "lay Ks on 1\nquit\n")
    assert "Press Enter for the next round" in said
    again = play("--resume", folder / "rummy-500-game.toml", written="quit\n")
    assert again.exit_code == 0
    assert "Round 2" in again.stdout


def test_how_many_persons_play_is_part_of_what_goes_on():
    done = play(
        *("rummy-500", "--players", 3, "--humans", 3, "--seed", 7), written="\ndraw\n"
    )
    assert "play --resume rummy-500-game.toml --humans 3\n" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="folders are another thing there")
def test_where_nothing_can_be_written_it_is_said(folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder / "none"))
    (folder / "gone").mkdir()
    monkeypatch.chdir(folder / "gone")
    (folder / "gone").rmdir()
    done = play("rummy-500", "--players", 3, "--seed", 7, written="draw\n")
    assert done.exit_code == 2
    assert "rummy-500-game.toml: cannot be written: " in done.stderr
    (folder / "none").mkdir()
    done = play("rummy-500", "--players", 3, "--seed", 7, written="draw\n")
    assert done.exit_code == 0
    assert (folder / "none" / "rummy-500-game.toml").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals are another thing there")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_game_without_a_record_is_kept(name, folder):
    number = getattr(signal, name)
    with subprocess.Popen(
        [sys.executable, "-m", "rummyvariants", "play", "rummy-500", "--seed", "7"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"draw\n")
        for line in process.stdout:
            if b"You   draw" in line:
                break
        process.send_signal(number)
        rest, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert b"play --resume rummy-500-game.toml" in rest
    assert (folder / "rummy-500-game.toml").exists()


# ---------------------------------------------------------------------------- its width


STARTS = {
    **{
        name: rv.new_game(name, rv.preset(name).match.players[0], seed=11)
        for name in rv.presets()
    },
    "crowded": crowded(),
    "gin": gin(),
}


@pytest.mark.parametrize("name", STARTS)
def test_at_the_prompt_all_fits_sixty_columns(name, monkeypatch):
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=60, legacy_windows=False)
    helps = ["help", "?", "hint", "hand", "clear", "table", "scores", "foo", "save ."]
    asked = iter([*helps, "draw", "?", "hint", "? 4h", "*", "why", "quit"])
    lines: list[str] = []

    def answer(prompt: str) -> str:
        lines.append(prompt)
        return next(asked)

    monkeypatch.setattr("builtins.input", answer)
    state = STARTS[name]
    bots = [CarefulBot() for _ in state.players[1:]]
    assert play_game(Screen(console=console), Game(state), 1, bots, None) == 0
    text = re.sub(r"\x1b\[[\d;]*[mJH]", "", written.getvalue())
    assert max(map(len, [*text.split("\n"), *lines])) <= 60
    assert "…" not in text


@pytest.mark.parametrize("name", ["rummy-500", "gin-rummy"])
def test_help_names_what_can_be_written(name):
    state = rv.new_game(name, 2, seed=1)
    text = help_text(state)
    assert max(map(len, text.splitlines())) <= 60
    for word in ("hint", "? 7h", "clear", "Tab", "quit", "just Kc"):
        assert word in text
    if name == "rummy-500":
        assert "take 9d, take all" in text
    done = play(name, "--players", 2, "--seed", 1, written="help\n")
    assert text in done.stdout


def test_help_names_the_verbs_of_the_game_alone():
    verbs = ("put", "swap", "split", "choose")
    for options, named in (
        ((), ()),
        (("PGV-P2b", "PGV-P4"), ("swap", "split")),
        (("PGV-C2a", "PGV-D3e"), ("choose",)),
    ):
        rules = rv.preset("rummy-5000").with_options(*options)
        text = help_text(rv.new_game(rules, 3, seed=1))
        assert max(map(len, text.splitlines())) <= 60
        assert tuple(verb for verb in verbs if f"\n  {verb} " in text) == named
    assert "\n  put 7c" in help_text(rv.new_game("2500-house", 2, seed=1))
    text = help_text(rv.new_game("contract-rummy", 3, seed=1))
    assert max(map(len, text.splitlines())) <= 60
    for line in ("take     ", "meld 7h 8h 9h / Kc Kd Ks", "buy, pass", "swap 8h on 2"):
        assert f"\n  {line}" in text
    for word in ("take 3", "rummy", "put"):
        assert f"\n  {word}" not in text
    moved = rv.preset("contract-rummy").with_options("COV-03")
    text = help_text(rv.new_game(moved, 3, seed=1))
    assert "\n  swap 8h low on 2" in text
    assert max(map(len, text.splitlines())) <= 60
    rules = rv.preset("three-thirteen")
    for one, lays in ((rules, False), (rules.with_options("THV-06"), True)):
        text = help_text(rv.new_game(one, 3, seed=1))
        assert ("\n  lay Th on 2" in text) == lays


def test_help_shows_melds_of_the_game():
    for name, shown in (
        ("canasta", ["7h 7s 7d", "7h 7s 7d / Kc Kd Ks"]),
        ("basic-rummy", ["7h 8h 9h"]),
        ("rummy-5000", ["7h 8h 9h", "7h 4c=8h 9h"]),
    ):
        players = rv.preset(name).match.players[0]
        lines = help_text(rv.new_game(name, players, seed=1)).splitlines()
        melds = [one[7:].split("  ")[0] for one in lines if one.startswith("  meld ")]
        assert melds == shown


def test_a_player_is_told_the_contract_and_what_is_for_sale():
    state = rv.new_game("contract-rummy", 3, seed=1)
    upcard = state.discards[-1]
    assert opening_line(state, 0) == "First lay two sets of three, together."
    assert f"take the upcard, {upcard} ('take'), or decline it" in phase_line(state, 0)
    state = rv.apply(state, "pass")
    assert phase_line(state, 1) == (
        f"You may buy {upcard}, with one card from the stock ('buy'), or 'pass'."
    )
    state = rv.apply(state, "buy")
    assert "'draw' from the stock" in phase_line(state, 0)
    state = rv.apply(state, "draw")
    assert not phase_line(state, 0)
    assert not opening_line(rv.new_game("rummy-500", 3, seed=1), 0)


def test_help_says_how_the_pile_is_taken():
    canasta = rv.preset("canasta")
    for values, forms in (
        ({}, ("take all with 9c 9h", "take all on 2")),
        ({"draw.top_card": "kept"}, ("take all",)),
        ({"draw.take": "any number"}, ("take 3 with 9c 9h", "take 3 on 2")),
    ):
        text = help_text(rv.new_game(canasta.with_values(values), 4, seed=1))
        lines = [one for one in text.splitlines() if one.startswith("  take ")]
        assert [one[:23].strip() for one in lines] == [*forms]
        assert max(map(len, text.splitlines())) <= 60


def canasta(discards, melded=()):
    return rv.position(
        "canasta",
        seats=["N", "E", "S", "W"],
        dealer="W",
        turn="N",
        stock="8s 7s",
        table=[*melded],
        discards=discards,
        hands={"N": "9c Kc Kd", "E": "4c 5c", "S": "6c 7c", "W": "Tc Jc"},
        phase="draw",
    )


def test_a_player_is_told_what_first_melds_are_worth_and_of_frozen_piles():
    state = canasta("4d Kh")
    lay = "First lay melds worth at least 50 points, together."
    assert opening_line(state, 0) == lay
    assert phase_line(state, 0) == (
        "The discard pile is frozen for a side that has not melded: it is taken only "
        "with two natural kings, as in 'take all with Kc Kd'."
    )
    melded = canasta("4d Kh", ["N: 8c 8d 8h"])
    assert not opening_line(melded, 0)
    assert not phase_line(melded, 0)
    frozen = canasta("2d Kh", ["N: 8c 8d 8h"])
    assert phase_line(frozen, 0).startswith("2d freezes the discard pile for all: ")
    assert "nobody may take it" in phase_line(canasta("4d 3s"), 0)


def test_a_contract_is_listed_by_its_cards():
    state = rv.position(
        "contract-rummy",
        hands={"N": "7c 7d 7h 9c 9d 9h Kc", "E": "2c", "S": "3c"},
        stock="4c 5c",
        discards="Ks",
        phase="play",
    )
    assert by_card(state, 0)[0] == "7c  meld 7c 7d 7h / 9c 9d 9h"


DECLARED = """
rules = "three-thirteen"

[position]
seats    = ["Ann", "Ben", "Cleo"]
dealer   = "Cleo"
turn     = "Ann"
phase    = "play"
wild     = "3"
drawn    = "stock 7d"
stock    = "2c 5c 6c 7c"
discards = "9h"
hands    = { Ann = "8c 8h 3c 7d", Ben = "6c 8d 9s", Cleo = "5c Jd Qs" }
"""


def test_a_declaration_at_the_prompt(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("declared.toml").write_text(DECLARED, encoding="utf-8")
    words = ("--resume", "declared.toml", "--humans", 2, "--seed", 1)
    said = play(*words, written="help\n?\ndeclare 7d\n\n?\nquit\n").stdout
    assert "declare Kc           go out" in said
    assert "knock" not in said
    assert "\n  declare 7d" in said.replace("Ann, play> ", "\n")
    assert "discards 7d, declares 8c 8h 3c=8, is out" in said
    assert "Ann is out: this is your last turn in the round." in said


PARTNERS = {
    "phase": "play",
    "table": ["Ann: Kc Kd Kh Ks Kc Kd Kh"],
    "stock": "Tc Td Th Ts",
    "discards": "7h",
}


def test_a_partner_is_asked_whether_to_go_out():
    cards = ("4c 4d 4h 5c", "6c 7c", "8c 8d 8h 6d 7d", "9c 9d")
    hands = dict(zip(("Ann", "Ben", "Cleo", "Dan"), cards, strict=True))
    state = rv.position("canasta", hands=hands, **PARTNERS)
    text = help_text(state)
    assert max(map(len, text.splitlines())) <= 60
    assert "\n  ask  " in text
    assert "\n  yes, no  " in text
    assert "ask" in by_card(state, 0)
    said = playing(state, "hint\nask\n?\nmeld 4c 4d 4h\n5c\n\nquit\n")
    assert "Hint: ask\n" in said
    assert "You ask Cleo whether to go out.\nCleo  answers yes\n" in said
    after = said.partition("answers yes")[2]
    assert "\n  discard" not in after.replace("Ann, play> ", "\n")


@pytest.mark.parametrize("word", ["yes", "no"])
def test_a_person_is_asked_whether_a_partner_goes_out(word):
    cards = ("8c 8d 8h 6d 7d", "6c 7c", "4c 4d 4h 5c", "9c 9d")
    hands = dict(zip(("Ann", "Ben", "Cleo", "Dan"), cards, strict=True))
    state = rv.position("canasta", hands=hands, turn="Cleo", **PARTNERS)
    said = playing(state, f"hint\n{word}\nquit\n")
    assert "Cleo asks you whether to go out.\n" in said
    assert "Cleo asks whether to go out: 'yes' or 'no'. It binds.\n" in said
    assert "Ann, answer> Hint: yes\n" in said
    assert f"You   answer {word}\n" in said
    assert ("Cleo  melds 4c 4d 4h as 2, discards 5c, is out" in said) == (word == "yes")


def test_cards_laid_aside_are_on_the_table():
    cards = ("4c 4d 4h 5c", "6c 7c", "8c 8d 8h", "9c 9d")
    hands = dict(zip(("Ann", "Ben", "Cleo", "Dan"), cards, strict=True))
    aside = {"Cleo": "3d 3h"}
    state = rv.position("canasta", hands=hands, red_threes=aside, **PARTNERS)
    said = playing(state, "table\nquit\n")
    assert "\n     Cleo, laid aside: 3d 3h\ndiscards: " in said


def test_a_hand_that_left_the_round_stays_hidden():
    state = rv.apply(rv.new_game("indian-rummy", 3, seed=1), "drop")
    hidden = f"     player 0, dropped: {' '.join(['??'] * 13)}"
    assert [*table_lines(state, 1)][-1] == hidden
    assert [*table_lines(state)][-1] == hidden
    (zone,) = state.zones
    own = f"     player 0, dropped: {' '.join(map(str, zone.cards))}"
    assert [*table_lines(state, 0)][-1] == own
    assert [*table_lines(state, openly=True)][-1] == own
