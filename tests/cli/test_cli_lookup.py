"""
What can be looked up at the terminal: rules, options, values, and what shells complete.
"""

from __future__ import annotations

import io
import re

from collections.abc import Callable
from pathlib import Path

import click
import pytest

from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result
from rich.console import Console

import rummyvariants as rv

from places import DOCS
from rummyvariants.bots.names import BOT_NAMES
from rummyvariants.cli import parameters
from rummyvariants.cli.commands import commands
from rummyvariants.cli.explaining import value_names
from rummyvariants.cli.screen import Screen
from rummyvariants.rules.sheet import statements


PAGE = DOCS / "reference" / "command-line.md"


def run(*words: str) -> Result:
    found = CliRunner().invoke(commands, list(words))
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found


def said(*words: str) -> str:
    done = run(*words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def refused(*words: str) -> str:
    done = run(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    return done.stderr


# ---------------------------------------------------------------------------- searching


def test_a_word_finds_rules_options_and_values_the_best_first():
    printed = said("explain", "undercut")
    found = re.findall(r"(?m)^\S.* \[([\w., -]+)\], an? ", printed)
    assert found[0] == "GR-10"
    assert {"GR-10", "GRV-02", "score.undercut_bonus"} <= {*found}
    assert printed.endswith("\nExplain one of them by its id.\n")


def test_a_question_about_a_game_is_answered_from_its_sheet():
    question = ["explain", "--game", "oklahoma-rummy", "may", "I", "pick", "up"]
    printed = said(*question, "the whole pile")
    assert printed.startswith("In oklahoma-rummy:\n\nDrawing [OK-02]\n  To draw, ")
    assert "\nOptions about it:\n" in printed


def test_options_and_files_change_what_is_answered(tmp_path):
    question = ["explain", "until somebody has how many points", "--game"]
    assert "has 60 points" in said(*question, "rummy-500", "--with", "target score=60")
    file = tmp_path / "ours.toml"
    file.write_text('extends = "rummy-500"\nwith = ["PGV-E5=70"]\n', encoding="utf-8")
    assert "has 70 points" in said(*question, str(file))
    assert "name it with --game" in refused("explain", "pile", "--with", "PGV-E5=60")


def test_what_is_not_in_a_game_is_not_certain():
    printed = said("explain", "--game", "gin-rummy", "may I buy")
    assert printed.startswith("Nothing certain; the nearest:\n")
    assert "Not played in gin-rummy:" in printed
    assert "[CON-13]" in printed


def test_a_rule_of_another_game_is_not_explained_as_one_of_this():
    game = ("--game", "gin-rummy-classic")
    first = "Not played in gin-rummy-classic:\n\nBig gin [GR-08], a rule of gin-rummy\n"
    assert said("explain", *game, "big gin").startswith(first)
    by_id = said("explain", *game, "gr-08")
    assert by_id.splitlines()[2] == (
        "Not played in gin-rummy-classic: it is a rule of gin-rummy."
    )
    assert "set by:   nothing in this game" in by_id
    of_its_own = said("explain", "--game", "gin-rummy", "big gin")
    assert "Not played" not in of_its_own
    # Laying off is also the title of a rule of Canasta.
    assert said("explain", "--game", "rummy-500", "laying off").startswith(
        "In rummy-500:\n\nLaying off [BN-06"
    )
    option = said("explain", "--game", "rummy-500", "deuces wild")
    assert "Not played in rummy-500: it is an option." in option


def test_options_are_found_by_words_with_and_without_a_game():
    printed = said("options", "joker", "rummy-500")
    every = rv.options("joker", "rummy-500")
    titles = [one.titled for one in every.values()]
    assert [one for one in printed.splitlines() if one in titles] == titles
    assert "Trading the real card for a wild [PGV-P4]" in titles
    assert printed.splitlines()[-1].startswith(f"{len(titles)} options go with rummy-5")
    assert "[R5V-42]" not in printed
    assert said("options", "undercut").count("[GRV-") >= 2
    assert "Deuces wild [R5V-12]" in said("options", "deuces", "wild")
    assert "did you mean 'rummy-500'?" in refused("options", "rumy-500")
    assert "about 'xqz zqx'; try other words" in refused("options", "xqz", "zqx")


def test_a_hand_is_arranged():
    best = rv.arrange("rummy-500", "7h 8h 9h 2c")
    for words in (["7h 8h 9h 2c"], ["7h", "8h", "9h", "2c"], ["hand 7h 8h 9h 2c"]):
        assert said("arrange", "rummy-500", *words) == f"{best}\n"
    facts = "hand 7h Kc Kd; melds 4h 5h 6h"
    assert "lay 7h on 1" in said("arrange", "rummy-500", facts)
    assert "out: " in said("arrange", "rummy-500", facts, "--goal", "out")
    for wrong in ("hand 7h; hand 8h", "pile 7h", "7h 8h; 9h", "hand 7h; draw"):
        assert refused("arrange", "rummy-500", wrong)


def test_a_section_lists_its_values():
    own = [name for name in value_names() if name.startswith("match.")]
    lines = said("explain", "match.").splitlines()
    assert [line.partition("  ")[0] for line in lines] == own


def test_a_title_is_explained_as_its_id_is():
    of_id = said("explain", "PGV-P4")
    assert said("explain", "Trading the real card for a wild") == of_id
    assert said("explain", "trading-the-real-card-for-a-wild") == of_id


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["match.targte"], "'match.target'"),
        (["PGV-P44"], "no rule 'PGV-P44'; did you mean 'PGV-P4'?"),
        (["xqzxq"], "nothing is found about 'xqzxq'; try other words"),
        (["xqzxq", "--game", "rummy-500"], "about 'xqzxq' in rummy-500"),
        (["what", "--game", "rummy-50"], "did you mean 'rummy-500'?"),
        (["match.targte", "=", "5"], "'match.target'"),
        (["Rummy-5000"], "`rummyvariants rules rummy-5000`"),
        ([""], "give a question of 1 to 200 characters"),
        (["x" * 201], "give a question of 1 to 200 characters"),
        (["draw.duty = tpo"], "draw.duty: 'tpo' is not allowed: give 'none', "),
        (["match.target=x"], "match.target: 'x' is not allowed: give a whole number"),
    ],
)
def test_what_is_not_found_is_said_in_a_line(words, text):
    message = refused("explain", *words)
    assert text in message
    assert message.count("\n") == 1
    assert len(message) < 250


# --------------------------------------------------------------------------- explaining


@pytest.mark.parametrize("rule_id", ["COV-14", "INV-16"])
def test_a_rule_that_is_not_played_says_so(rule_id):
    printed = said("explain", rule_id)
    assert "not played here, owned by" in printed
    assert rv.rule(rule_id).reading.split(".")[0] in " ".join(printed.split())
    assert rule_id not in rv.options()


@pytest.mark.parametrize("path", value_names())
def test_every_policy_value_is_explained(path):
    printed = said("explain", path.upper())
    section, _, name = path.partition(".")
    field = type(getattr(rv.preset("rummy-500"), section)).values()[name].metadata
    assert field["doc"] in printed
    assert field["takes"] in printed
    for game in rv.presets():
        sets = any(
            at == path or at.startswith(f"{path}.") for at in rv.preset(game).origins
        )
        assert (f"preset {game}: " in printed) == sets
    for option in rv.options().values():
        sets = path in option.set or path in option.arguments
        assert (f"option {option.id}, " in printed) == sets


def test_a_value_says_what_it_is_in_a_game():
    of_game = said("explain", "match.target", "--game", "rummy-5000")
    assert "here:     5000\n" in of_game


def test_a_value_says_where_it_is_what():
    printed = said("explain", "match.target")
    assert "preset rummy-5000: 5000 (PG-22)" in printed
    assert "option PGV-E5, Another target score: the points, such as 2500" in printed
    later = "carioca, continental, contract-rummy, five-suit-thirteen, "
    later += "indian-rummy, indian-rummy-deals, indian-rummy-pool, "
    later += "liverpool-rummy, shanghai-rummy and three-thirteen"
    assert f"default:  500, as in {later}\n" in printed
    assert "default:  false, as in every game\n" in said("explain", "deck.more_packs")
    printed = said("explain", "deal.hand_size")
    games = "2500-house, carioca, continental, contract-rummy, five-suit-thirteen, "
    games += "george, liverpool-rummy, rummy-5000, "
    assert f", as in {games}shanghai-rummy and three-thirteen\n" in printed


@pytest.mark.parametrize(
    "words",
    [["wild.real_card = swap"], ['wild.real_card="swap"'], ["wild.real_card", "=swap"]],
)
def test_one_thing_that_a_value_may_be_is_explained(words):
    printed = said("explain", *words)
    assert 'wild.real_card = "swap"' in printed
    assert "option PGV-P4, " in printed
    assert "PGV-P5" not in printed
    assert 'preset contract-rummy: "swap" (CON-11)' in printed
    assert "preset rummy-500" not in printed


def test_truth_may_be_written_as_in_a_file_or_as_yes_and_no():
    assert said("explain", "wild.jokers = true") == said("explain", "wild.jokers = yes")
    assert "preset rummy-500: true (BN-09)" in said("explain", "wild.jokers = true")


def test_an_option_with_its_value_is_explained():
    printed = said("explain", "pgv-e5=2500")
    assert "Another target score" in printed
    assert "takes:    the points, such as 2500; write PGV-E5=2500" in printed


# ------------------------------------------------------------------------------ options


@pytest.fixture(scope="module", params=["rummy-5000", "straight-gin"])
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_an_option_that_goes_can_be_put_on_and_changes_the_game(game):
    rules = rv.preset(game)
    for fit in rv.rules.options_for(game):
        if fit.status == "goes":
            for need in fit.needs or ("",):
                before = rules.with_options(*filter(None, [need]))
                after = before.with_options(fit.option.example)
                changed = statements(after) != statements(before)
                assert changed or fit.option.argument, fit
        elif fit.status == "refused":
            with pytest.raises(rv.errors.RulesError) as caught:
                rules.with_options(fit.option.example)
            assert fit.why.partition(": ")[0] in str(caught.value)
            assert " take " not in fit.why, "it is not on"
        elif fit.option.set or fit.option.argument:
            after = rules.with_options(fit.option.example)
            assert statements(after) == statements(rules)


def test_every_option_is_looked_at(game):
    fits = rv.rules.options_for(game)
    assert [fit.option.id for fit in fits] == [*rv.options()]
    assert {fit.status for fit in fits} == {"goes", "idle", "refused"}
    assert all(bool(fit.why) == (fit.status != "goes") for fit in fits)


def test_why_an_option_does_not_go():
    fits = {fit.option.id: fit for fit in rv.rules.options_for("straight-gin")}
    assert fits["GRV-06"].why == "these rules already say so"
    assert fits["PGV-P4"].why == "it does not come up"
    assert fits["PGV-P11"].status == "refused"
    assert "melds stay in the hand" in fits["PGV-P11"].why
    on = rv.preset("rummy-500").with_options("PGV-E5=3000")
    (fit,) = [one for one in rv.rules.options_for(on) if one.option.id == "PGV-E5"]
    assert fit.why == "it is on already"


@pytest.mark.long
def test_what_an_option_needs_is_named_where_the_game_has_none_of_it():
    for name in rv.presets():
        for fit in rv.rules.options_for(name):
            assert {*fit.needs} <= {*rv.rule(fit.option.id).needs}
    needs = {
        name: {fit.option.id: fit.needs for fit in rv.rules.options_for(name)}[
            "PGV-E4b"
        ]
        for name in ("rummy-500", "rummy-5000")
    }
    assert needs == {"rummy-500": (), "rummy-5000": ("PGV-E4a",)}


def test_the_options_of_a_game_are_listed(game, tmp_path):
    printed = said("options", game)
    file = tmp_path / "ours.toml"
    file.write_text(f'extends = "{game}"\n', encoding="utf-8")
    everything = said("options", game, "--all")
    for fit in rv.rules.options_for(game):
        head = f"\n{rv.rule(fit.option.id).title} [{fit.option.id}]\n"
        assert (head in printed) == (fit.status == "goes")
        assert head in everything
        if fit.why:
            assert f"  left out: {fit.why}\n" in everything
    assert printed.splitlines()[-1].endswith("--all lists them with the reason.")
    of_file = said("options", str(file))
    heads = r"(?m)^.*\]$"
    assert re.findall(heads, of_file) == re.findall(heads, printed)


def test_without_a_game_all_options_are_listed():
    printed = said("options")
    for option in rv.options().values():
        entry = rv.rule(option.id)
        assert f"\n{entry.title} [{option.id}]\n{entry.text}\n" in printed
        if option.takes:
            assert f"  takes: {option.takes}; write {option.example}" in printed
    assert "  excludes: PGV-C1b, PGV-C1c" in printed
    assert re.search(r"  needs: \S+ or \S+", printed)


# ------------------------------------------------------------------------------- errors


UNKNOWN: dict[str, tuple[Callable[[], object], str]] = {
    "preset": (lambda: rv.preset("xqzxq"), "`rummyvariants presets` lists them"),
    "rule": (lambda: rv.rule("xq"), "`rummyvariants explain WORD` searches them"),
    "option": (
        lambda: rv.preset("rummy-500").with_options("xqzxq"),
        "`rummyvariants options` lists them",
    ),
    "value": (
        lambda: rv.preset("rummy-500").value("match.xqzxq"),
        "`rummyvariants explain match.` finds them",
    ),
    "no base": (
        lambda: rv.rules.read_rules({"with": []}),
        "`rummyvariants presets` lists them",
    ),
    "base": (
        lambda: rv.rules.read_rules({"extends": "xqzxq"}),
        "`rummyvariants presets` lists them",
    ),
    "cited": (
        lambda: rv.files.parse_scenario('rules = "rummy-500"\ncites = "xqzxq"'),
        "`rummyvariants explain WORD` searches them",
    ),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_an_error_says_what_lists_the_names_in_place_of_listing_them(case):
    attempt, message = UNKNOWN[case]
    with pytest.raises(rv.RummyError) as caught:
        attempt()
    lines = [line for line in str(caught.value).splitlines() if message in line]
    assert lines
    assert max(map(len, lines)) < 160


def test_play_without_a_game_says_what_lists_the_games():
    assert "`rummyvariants presets` lists them" in refused("play")


# --------------------------------------------------------------------------- completion


def completed(*words: str) -> list[str]:
    """
    What a shell would offer for the last of some words.
    """
    shell = ShellComplete(commands, {}, "rummyvariants", "_RUMMYVARIANTS_COMPLETE")
    *before, last = words
    return [one.value for one in shell.get_completions(before, last) if one.value]


@pytest.mark.parametrize(
    "words",
    [
        ["rules"],
        ["rules", "george", "--diff"],
        ["options"],
        ["play"],
        ["watch"],
        ["simulate"],
        ["compare"],
        ["compare", "george"],
    ],
)
def test_games_are_completed_and_files_as_well(words):
    assert completed(*words, "gin") == ["gin", "gin-rummy", "gin-rummy-classic"]
    assert completed(*words, "") == [*rv.presets()]
    shell = ShellComplete(commands, {}, "rummyvariants", "_RUMMYVARIANTS_COMPLETE")
    # In bash what stands after the files is offered beside them.
    assert shell.get_completions(words, "our")[0].type == "file"


def test_options_bots_and_names_are_completed():
    assert completed("compare", "george", "--with", "pgv-c6") == [
        *("PGV-C6a", "PGV-C6b", "PGV-C6c")
    ]
    for command in ("simulate", "compare"):
        assert completed(command, "george", "--bot", "") == [*BOT_NAMES]
    assert completed("explain", "gr-1") == [
        one for one in rv.rules.catalogue() if one.startswith("GR-1")
    ]
    assert completed("explain", "undercut", "meld.least_") == [
        *("meld.least_set", "meld.least_run")
    ]
    assert completed("ex") == ["explain"]
    assert "--all" in completed("options", "--")


def test_whatever_asks_for_a_name_completes_it():
    named = {"PRESET", "[PRESET]", "OTHER", "A", "[B]", "BOT", "ID", "WORD..."}
    for name, command in commands.commands.items():
        context = click.Context(command)
        for parameter in command.params:
            if parameter.metavar in named:
                assert parameter.shell_complete(context, ""), (name, parameter.name)


# ----------------------------------------------------------------------------- the page


def sections() -> dict[str, str]:
    """
    The part of the page about each command.
    """
    parts = re.split(r"(?m)^### `(\w+)`$", PAGE.read_text(encoding="utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_command_is_on_the_page():
    assert {*sections()} == {*commands.commands}


@pytest.mark.parametrize("name", commands.commands)
def test_every_command_has_its_options_and_an_example(name):
    text = sections()[name].partition("\n## ")[0]
    used = {*re.findall(r"--[a-z][\w-]*", text)} - {"--help"}
    options = [
        one for one in commands.commands[name].params if isinstance(one, click.Option)
    ]
    known = {word for one in options for word in one.opts}
    assert used <= known
    assert f"../parts/options-of-{name}.md" in text or known <= used
    assert f"```console\n$ rummyvariants {name}" in text
    assert "exits with" in text


# ------------------------------------------------------------------- a narrow terminal


@pytest.fixture(params=[60, 100])
def terminal(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[str]]:
    """
    Runs a command as on a terminal of some width and gives the lines, without colour.
    """

    def shown(*words: str) -> list[str]:
        written = io.StringIO()
        console = Console(
            file=written,
            force_terminal=True,
            width=request.param,
            highlight=False,
            legacy_windows=False,
        )
        with monkeypatch.context() as patch:
            patch.setattr(parameters, "Screen", lambda **_: Screen(console=console))
            said(*words)
        text = re.sub(r"\x1b\[[\d;]*m", "", written.getvalue())
        lines = text.rstrip("\n").split("\n")
        assert max(map(len, lines)) <= request.param
        return lines

    return shown


LOOKED_UP = [
    *(f"explain {one}" for one in ("PG-15", "PGV-P4", "PGV-C1a", "HR-04", "match.")),
    *(
        "explain wild",
        "explain draw.duty",
        "explain score.points",
        "explain deck.ranks",
    ),
    *("options", "options rummy-5000", "options straight-gin --all"),
    *(f"rules {name}" for name in rv.presets()),
]


def words_of(text: str) -> list[str]:
    """
    The words of a text without the lines below headings.
    """
    return sorted(word for word in text.split() if set(word) - set("=-"))


@pytest.mark.parametrize("words", LOOKED_UP)
def test_no_word_is_broken_or_lost(terminal, words):
    lines = terminal(*words.split())
    assert words_of("\n".join(lines)) == words_of(said(*words.split()))


def test_nothing_of_the_games_is_lost(terminal):
    listed, in_a_pipe = (
        re.sub(r"\s+", " ", text)
        for text in ("\n".join(terminal("presets")), said("presets"))
    )
    for name in rv.presets():
        rules = rv.preset(name)
        assert f"{name} {rules.title}, " in listed
        assert f"{name} {rules.title} " in in_a_pipe
        assert f"players {rules.source}" in listed
        assert rules.source in in_a_pipe


def test_every_rule_and_value_fits(terminal):
    for name in (*rv.rules.catalogue(), *value_names()):
        terminal("explain", name)


def test_differences_fit(terminal):
    lines = terminal("rules", "2500-house", "--diff", "hollywood-gin")
    at = next(n for n, line in enumerate(lines) if line.startswith("out.knock: The "))
    assert re.search(r'(?m)^  2500-house: +"never" \(', "\n".join(lines[at:]))
    assert re.search(r"(?m)^  hollywood-gin: 10 \(GR-06", "\n".join(lines[at:]))


def test_the_command_prints_notices(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text('extends = "rummy-500"\nwith = ["PGV-D1"]\n', encoding="utf-8")
    done = CliRunner().invoke(commands, ["rules", str(file), "--plain"])
    assert done.exit_code == 0
    message = f"Note: {file}, with: PGV-D1 changes nothing: it does not come up\n"
    assert done.stderr == message
