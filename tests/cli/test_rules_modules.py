"""Modules of rules: named by a file, or to a command; never imported unasked."""

from __future__ import annotations

import importlib
import itertools
import json
import pickle
import subprocess
import sys

from collections.abc import Callable
from pathlib import Path

import pytest

from click.testing import CliRunner, Result

import rummyvariants as rv

from places import EXAMPLES
from rummyvariants.cli import parameters
from rummyvariants.cli.commands import commands
from rummyvariants.files.json import from_data, to_data
from rummyvariants.house import rules as house
from rummyvariants.simulation.processes import processes


_NUMBERS = itertools.count()

MODULE = '''\
import attrs
import rummyvariants as rv


@rv.house.register_rule("meld", "{rule}")
@attrs.frozen
class FewATurn(rv.house.HouseRule):
    """A player makes {{melds}} new meld a turn."""

    melds: int = {melds}

    def most_melds(self, turn):
        return self.melds
'''
POSITION = """
[position]
seats    = ["Ann", "Ben"]
turn     = "Ann"
phase    = "play"
stock    = "4c 5c"
discards = "Jd"
drawn    = "stock 2c"
hands    = { Ann = "7h 8h 9h Kc Kd Ks 2c", Ben = "Qh 3d" }

[[step]]
seat = "Ann"
do   = "meld 7h 8h 9h"

[[step]]
seat = "Ann"
do   = "meld Kc Kd Ks"
refused = "*"
"""


class Table:
    """A folder with a module of a rule, and files whose rules name it."""

    def __init__(self, folder: Path, melds: int = 1) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        # All tests of a process share the registry.
        self.rule = f"few a turn {next(_NUMBERS)}"
        code = MODULE.format(rule=self.rule, melds=melds)
        self.module = self.write("our_rules.py", code)
        self.plain = self.write("plain.toml", self.rules())
        self.file = self.naming('["our_rules"]', "named.toml")
        self.scenario = self.write("s.toml", 'rules = "named.toml"', POSITION)
        self.bare = self.write("bare.toml", 'rules = "plain.toml"', POSITION)

    def write(self, name: str, *parts: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(parts), encoding="utf-8")
        return path

    def rules(self) -> str:
        return f'extends = "rummy-500"\n[meld]\nrules = ["{self.rule}"]\n'

    def naming(self, modules: str, name: str = "other.toml") -> Path:
        return self.write(name, f"modules = {modules}", self.rules())


@pytest.fixture(name="table")
def _table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.chdir(tmp_path)
    return Table(tmp_path / "table")


def run(*words: object, stdin: str = "") -> Result:
    """A command in a process that has imported no module of rules yet."""
    for name in [one for one in sys.modules if one.endswith("%2Epy")]:
        del sys.modules[name]
    for key in [one for one in house._RULES if one[1].startswith("few a turn")]:
        del house._RULES[key]
    found = CliRunner().invoke(commands, list(map(str, words)), input=stdin)
    assert found.exception is None or isinstance(found.exception, SystemExit)
    return found


# ----------------------------------------------------------------------------- loading


def test_a_file_is_loaded_with_the_modules_beside_it(table: Table) -> None:
    path = [*sys.path]
    rules = rv.load_rules(table.file, modules=True)
    assert [rule.name for _, rule in rules.house] == [table.rule]
    assert rv.load_rules(table.file, modules=True) == rules
    assert sys.path == path
    assert "our_rules" not in sys.modules
    outcome = rv.files.run(rv.files.load_scenario(table.scenario, modules=True))
    assert not outcome.differences


def test_modules_of_one_name_in_two_folders_are_two(table: Table) -> None:
    other = Table(table.folder / "other", melds=2)
    for one, melds in ((table, 1), (other, 2), (table, 1)):
        rules = rv.load_rules(one.file, modules=True)
        assert [rule.melds for _, rule in rules.house] == [melds]  # type: ignore[attr-defined]


def test_a_name_that_two_modules_claim_is_refused(table: Table) -> None:
    rv.load_rules(table.file, modules=True)
    other = Table(table.folder / "other")
    other.module.write_text(table.module.read_text("utf-8"), "utf-8")
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.load_rules(other.file, modules=True)
    said = str(caught.value)
    assert f"{other.file}: modules: 'our_rules' cannot be imported" in said
    assert f"{other.module}, line 5" in said
    assert f"is taken by FewATurn of {table.module}" in said


def test_an_installed_module_is_found_after_those_beside(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = Table(table.folder / "installed", melds=3)
    installed.module.rename(installed.folder / "installed_rules.py")
    monkeypatch.syspath_prepend(installed.folder)
    file = installed.naming('["installed_rules"]', "../far.toml")
    assert rv.load_rules(file, modules=True).house
    given = {"extends": "rummy-500", "modules": ["installed_rules"]}
    given["meld"] = {"rules": [installed.rule]}  # type: ignore[assignment]
    assert rv.rules.read_rules(given, modules=True).house
    # One beside the file has the same name.
    table.module.rename(table.folder / "installed_rules.py")
    rules = rv.load_rules(table.naming('["installed_rules"]'), modules=True)
    assert [rule.melds for _, rule in rules.house] == [1]  # type: ignore[attr-defined]


def test_a_text_lies_in_no_folder(table: Table, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(table.folder)
    given = {"extends": "rummy-500", "modules": ["our_rules"]}
    with pytest.raises(rv.errors.RulesError, match="'our_rules' among those installed"):
        rv.rules.read_rules(given, modules=True)
    assert rv.rules.read_rules(given, modules=True, folder=table.folder)


def test_a_package_leads_to_its_modules(table: Table) -> None:
    code = table.module.read_text("utf-8")
    table.write("pack/__init__.py", "")
    table.write("pack/words.py", "MELDS = 1")
    table.write("pack/inner.py", "from . import words", code)
    table.module.unlink()
    assert rv.load_rules(table.naming('["pack.inner"]'), modules=True).house
    with pytest.raises(rv.errors.RulesError, match=r"no module 'pack\.outer'"):
        rv.load_rules(table.naming('["pack.outer"]'), modules=True)


def test_a_module_that_a_program_has_imported_is_taken(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(table.folder)
    table.module.rename(table.folder / "once_imported.py")
    once_imported = importlib.import_module("once_imported")

    file = table.naming('["once_imported"]')
    for asked in (False, True):
        rules = rv.load_rules(file, modules=asked)
        assert [type(rule) for _, rule in rules.house] == [once_imported.FewATurn]


def test_a_module_may_be_imported_by_its_name_later(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A command does so for a bot in the same module.
    table.module.rename(table.folder / "late_imported.py")
    file = table.naming('["late_imported"]')
    assert rv.load_rules(file, modules=True)
    monkeypatch.syspath_prepend(table.folder)
    late_imported = importlib.import_module("late_imported")

    assert late_imported.FewATurn.name == table.rule
    assert rv.load_rules(file, modules=True)


@pytest.mark.parametrize(
    ("modules", "code", "said"),
    [
        ('["our_ruls"]', None, ("there is no module 'our_ruls': it is not in "
         "{folder}, nor is it installed; did you mean 'our_rules'?")),
        ('["far.away"]', None, "there is no module 'far.away': it is not in {folder}"),
        ('["faulty"]', "import attrs\n1 / 0", ("'faulty' cannot be imported: "
         "{file}, line 2: ZeroDivisionError: division by zero")),
        ('["faulty"]', "\n\ndef f(:", "{file}, line 3: SyntaxError: "),
        ('["faulty"]', "raise SystemExit", "{file}, line 1: SystemExit"),
        ('["faulty"]', "import no_such", "line 1: ModuleNotFoundError: No module"),
        ('["faulty"]', "import json", "'faulty' registers no rule: put @rv.house.reg"),
        ('["json"]', None, "'json' registers no rule"),
        ('"our_rules"', None, "give a list of names, such as ['our_rules'], not 'o"),
        ("3", None, "give a list of names"),
        ('["our_rules.py/x"]', None, "'our_rules.py/x' is not the name of a module"),
        ('["../our_rules"]', None, "'../our_rules' is not the name of a module"),
        ('["%2Epy"]', None, "'%2Epy' is not the name of a module"),
        ("[3]", None, "3 is not the name of a module"),
        ('[""]', None, "'' is not the name of a module"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_module_is_said(
    table: Table, modules: str, code: str | None, said: str
) -> None:
    module = table.write("faulty.py", code) if code else table.module
    file = table.naming(modules)
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.load_rules(file, modules=True)
    (problem,) = caught.value.problems
    assert str(caught.value) == f"{file}: {problem}"
    assert problem.startswith("modules: ")
    assert said.format(folder=table.folder, file=module) in problem
    # A module that failed is read anew.
    if code:
        with pytest.raises(rv.errors.RulesError, match="modules: "):
            rv.load_rules(file, modules=True)


def test_all_modules_that_are_wrong_are_named(table: Table) -> None:
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.load_rules(table.naming('["first_one", "our_rules", "other"]'), modules=True)
    assert len(caught.value.problems) == 2


# ----------------------------------------------------------------- nothing runs unasked


@pytest.mark.parametrize(
    "load",
    [
        lambda table: rv.load_rules(table.file),
        lambda table: rv.files.load_scenario(table.scenario),
        lambda table: rv.files.parse_scenario(
            f'rules = {{ extends = "rummy-500", modules = ["our_rules"], '
            f'meld = {{ rules = ["{table.rule}"] }} }}{POSITION}'
        ),
    ],
    ids=["rules", "scenario", "text"],
)
def test_no_module_is_imported_unasked(
    table: Table, load: Callable[[Table], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.folder)
    monkeypatch.syspath_prepend(table.folder)
    ran = table.folder / "ran"
    code = f"open({str(ran)!r}, 'w').close()\n{table.module.read_text('utf-8')}"
    table.module.write_text(code, "utf-8")
    with pytest.raises(rv.errors.RulesError):
        load(table)
    assert not ran.exists()
    assert rv.load_rules(table.file, modules=True)
    assert ran.exists()


def test_it_is_said_how_to_ask(table: Table) -> None:
    with pytest.raises(rv.errors.RulesError) as caught:
        rv.load_rules(table.file)
    unknown, how = caught.value.problems
    assert "is not a rule of meld" in unknown
    assert "our_rules may have to be imported first" in how
    assert "load_rules(path, modules=True)" in how


def test_a_document_imports_no_module() -> None:
    record = rv.record(rv.new_game("rummy-500", 2, seed=1))
    data = to_data(record)
    data["rules"] = {"extends": "rummy-500", "modules": ["this"]}
    sys.modules.pop("this", None)
    assert from_data(data, rv.files.Record) == record
    assert "this" not in sys.modules


# ---------------------------------------------------------------------- other processes


def test_other_processes_find_the_module(table: Table) -> None:
    rules = rv.load_rules(table.file, modules=True)
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301 -- of our own making
    with processes(2) as pool:
        rows = rv.simulate(
            rules, ["greedy"] * 2, games=4, seed=1, unit="round", executor=pool
        )
        assert len(list(rows)) == 4


# ------------------------------------------------------------------------- the commands


@pytest.fixture(name="ways", params=["named", "by name", "by file", "by rules"])
def _ways(
    request: pytest.FixtureRequest, table: Table, monkeypatch: pytest.MonkeyPatch
) -> tuple[Path, Path, list[object]]:
    """
    A file of rules, a scenario, and the words that let a command know them.
    """
    words: dict[str, list[object]] = {
        "named": [],
        "by name": ["our_rules"],
        "by file": [table.module],
        "by rules": [table.file],
    }
    given = words[request.param]
    if request.param == "by name":
        monkeypatch.chdir(table.folder)
    if not given:
        return table.file, table.scenario, []
    return table.plain, table.bare, ["--rules-module", *given]


def test_commands_know_the_rules_of_a_module(
    ways: tuple[Path, Path, list[object]], tmp_path: Path
) -> None:
    rules, scenario, words = ways
    done = run("rules", rules, *words)
    assert "A player makes 1 new meld a turn." in " ".join(done.stdout.split())
    assert "meld.rules" in run("rules", "rummy-500", "--diff", rules, *words).stdout
    assert run("check", scenario, *words).stdout.endswith(": ok\n")
    assert "Refused: no more melds" in run("ask", scenario, *words).stdout
    assert run("options", rules, *words).exit_code == 0
    few = ["--unit", "round", "--games", 2, "--bot", "greedy", "--seed", 1, *words]
    assert "2 games" in run("simulate", rules, *few).stdout
    assert run("compare", "rummy-500", rules, *few).exit_code == 0
    record = tmp_path / "game.toml"
    kept = ["--seed", 1, "--record", record, *words]
    assert run("watch", rules, "--rounds", 1, "--players", 2, *kept).exit_code == 0
    assert (
        "Round 1."
        in run("replay", record, *(words or ["--rules-module", rules])).stdout
    )


def test_a_game_that_is_left_says_how_to_go_on(
    ways: tuple[Path, Path, list[object]], table: Table
) -> None:
    rules, _, words = ways
    done = run("play", rules, "--players", 2, "--seed", 1, *words, stdin="draw\nquit\n")
    last = done.stdout.splitlines()[-1].partition("rummyvariants ")[2].split()
    assert last[-2:] == ["--rules-module", str(table.module)]
    assert run(*last, stdin="table\nquit\n").exit_code == 0
    file = next(Path().glob("*game.toml"))
    assert "modules =" not in file.read_text("utf-8")


@pytest.mark.parametrize("words", [["replay"], ["play", "--resume"]])
def test_a_record_of_unknown_rules_says_what_to_do(
    tmp_path: Path, words: list[str]
) -> None:
    record = str(rv.record(rv.new_game("rummy-500", 2, seed=1)))
    rules = '{ extends = "rummy-500", meld = { rules = ["qqqq"] } }'
    file = tmp_path / "game.toml"
    file.write_text(record.replace('"rummy-500"', rules, 1), "utf-8")
    done = run(*words, file)
    assert done.exit_code == 2
    assert "'qqqq' is not a rule of meld; import" in done.stderr
    assert "--rules-module" in done.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("our_ruls", ("there is no module 'our_ruls': it is not in {folder}, nor is "
         "it installed; did you mean 'our_rules'?")),
        ("./our_ruls.py", "no module 'our_ruls': it is not in {folder}; did you mean"),
        ("nowhere/json.py", "no module 'json': it is not in {folder}/nowhere\n"),
        ("nowhere.toml", "nowhere.toml: cannot be read: "),
        ("json", "'json' registers no rule"),
    ],
)  # fmt: skip
def test_a_wrong_module_for_a_command_is_refused(
    table: Table, given: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.folder)
    done = run("rules", "rummy-500", "--rules-module", given)
    assert done.exit_code == 2
    assert not done.stdout
    assert said.format(folder=table.folder) in done.stderr


@pytest.mark.parametrize("name", sorted({*commands.commands} - {"presets"}))
def test_every_command_that_reads_rules_takes_modules(name: str) -> None:
    assert parameters.RULES_MODULES
    assert "--rules-module" in run(name, "--help").stdout


def test_the_shell_runs_no_module_to_complete_a_line(table: Table) -> None:
    table.module.write_text("raise RuntimeError", "utf-8")
    words = ["rules", "--rules-module", str(table.module)]
    context = commands.make_context("rummyvariants", words, resilient_parsing=True)
    command = commands.commands["rules"]
    assert command.make_context(
        "rules", words[1:], parent=context, resilient_parsing=True
    )


@pytest.mark.long
def test_two_processes_compare_rules_of_modules(table: Table) -> None:
    other = Table(table.folder / "other", melds=2)
    json_file = table.folder / "found.json"
    words = ["--games", "4", "--unit", "round", "--bot", "greedy", "--processes", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "rummyvariants", "compare", table.file, other.plain,
         "--rules-module", "our_rules", *words, "--json", json_file],
        cwd=other.folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(json_file.read_text("utf-8"))
    assert found["a"]["rules"]["meld"]["rules"] == [table.rule]


def test_the_example_is_known_to_the_commands() -> None:
    done = run("check", EXAMPLES / "games" / "gleaning.toml")
    assert done.stdout.endswith(": ok\n"), done.stdout
