"""Imports go down the plan of docs/design.md only, and the engine knows no game."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib

from pathlib import Path

import pytest

import rummyvariants

from rummyvariants.game._state import Draft, State, thaw
from rummyvariants.rules._variants import options, presets
from rummyvariants.rulings import catalogue


PACKAGE = Path(__file__).parent.parent / "src" / "rummyvariants"
FILES = sorted(PACKAGE.rglob("*.py"))

# From the top of the table in docs/design.md to its end.
ROOMS = (
    "errors",
    "limits",
    "packaged",
    "tomltext",
    "cards",
    "words",
    "rulings",
    "terms",
    "melds",
    "reading",
    "layoff_reading",
    "combos",
    "layoffs",
    "shapes",
    "suit_tables",
    "unmatched",
    "actions",
    "chance",
    "events",
    "policies",
    "variants",
    "ruleset",
    "contradictions",
    "building",
    "rulesfile",
    "pieces",
    "state",
    "scoring",
    "engine.plays",
    "engine.candidates",
    "engine.endings",
    "engine.knocks",
    "engine.choices",
    "engine.draws",
    "engine.calls",
    "engine.samples",
    "engine.flow",
    "engine.dealing",
    "engine.plans",
    "engine.permissions",
    "engine.game",
    "engine.beginning",
    "moves",
    "playouts",
    "views",
    "view_html",
    "arranging",
    "stepwise",
    "position_text",
    "position_reader",
    "position_melds",
    "positions",
    "placing",
    "records",
    "expectations",
    "scenarios",
    "jsontext",
    "sheet",
    "testing",
    "bots",
    "simulation",
    "cli",
)
UPWARDS = {
    ("ruleset", "building"): "`Ruleset.with_options` is where users look for options",
    ("ruleset", "sheet"): "`Ruleset.describe` is where users look for the rule sheet",
    ("views", "view_html"): "a notebook asks the view for its HTML",
}
OUTSIDE = {"attrs", "typing_extensions"}
OUTSIDE_OF_CLI = {"click", "rich"}
OUTSIDE_OF_JSON = {"cattrs"}
OUTSIDE_OF_PLOTS = {"matplotlib"}
OUTSIDE_OF_RATINGS = {"openskill"}


def module_of(path: Path) -> str:
    """
    The name of a module in the package, without the package's own.
    """
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def room_of(module: str) -> str:
    """
    The room that a module lies in; empty for the front of the package.
    """
    if module in {"", "__main__", "engine"}:
        return ""
    fits = [room for room in ROOMS if module == room or module.startswith(room + ".")]
    assert fits, f"{module} has no room in the plan"
    return max(fits, key=len)


def imports_of(path: Path) -> set[str]:
    """
    Every module that a file imports, wherever in the file.
    """
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add(node.module or "")
            if node.module == "rummyvariants":
                found |= {f"rummyvariants.{alias.name}" for alias in node.names}
    return found


def own_imports(path: Path) -> set[str]:
    """
    The rooms that a file imports from.
    """
    rooms = set()
    for name in imports_of(path):
        inner = name.removeprefix("rummyvariants.")
        if name.startswith("rummyvariants.") and (
            (PACKAGE / f"{inner.replace('.', '/')}.py").exists()
            or (PACKAGE / inner.replace(".", "/") / "__init__.py").exists()
        ):
            rooms.add(room_of(inner))
    return rooms - {""}


@pytest.mark.parametrize(
    "path", FILES, ids=[module_of(path) or "top" for path in FILES]
)
def test_imports_go_upwards_in_the_plan_only(path):
    room = room_of(module_of(path))
    if not room:
        return
    wrong = {
        other
        for other in own_imports(path)
        if ROOMS.index(other) > ROOMS.index(room) and (room, other) not in UPWARDS
    }
    assert not wrong


def test_every_room_is_there():
    rooms = {room_of(module_of(path)) for path in FILES} - {""}
    assert rooms == set(ROOMS)


@pytest.mark.parametrize(
    "path", FILES, ids=[module_of(path) or "top" for path in FILES]
)
def test_the_core_needs_attrs_and_typing_extensions_alone(path):
    allowed = OUTSIDE | {"rummyvariants"} | set(sys.stdlib_module_names)
    if room_of(module_of(path)) == "cli":
        allowed |= OUTSIDE_OF_CLI
    if room_of(module_of(path)) == "jsontext":
        allowed |= OUTSIDE_OF_JSON
    if module_of(path) == "simulation.plots":
        allowed |= OUTSIDE_OF_PLOTS
    if module_of(path) == "simulation.ratings":
        allowed |= OUTSIDE_OF_RATINGS
    roots = {name.partition(".")[0] for name in imports_of(path)}
    assert roots - allowed - {"attr"} == set()


BLIND = [
    path
    for path in FILES
    if room_of(module_of(path)).partition(".")[0]
    in {
        "terms",
        "melds",
        "reading",
        "layoff_reading",
        "combos",
        "layoffs",
        "shapes",
        "suit_tables",
        "unmatched",
        "policies",
        "pieces",
        "state",
        "scoring",
        "engine",
        "moves",
    }
    or module_of(path).startswith("engine")
]


def words_of(path: Path) -> set[str]:
    """
    Every text that the code of a file holds, its docstrings left out.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in documented
    }


@pytest.mark.parametrize("path", BLIND, ids=[module_of(path) for path in BLIND])
def test_the_engine_knows_no_game_and_no_option(path):
    words = words_of(path)
    assert not words & set(presets())
    # Its own rules of the turn and the deal are the only ids that it names.
    ids = {
        found for word in words for found in re.findall(r"[A-Z][A-Z0-9]{1,2}-\w+", word)
    }
    assert {one for one in ids if not one.startswith("RV-")} == set()
    assert ids <= set(catalogue())


def test_rule_ids_in_data_and_code_are_in_the_catalogue():
    known = set(catalogue())
    for name in presets():
        text = (PACKAGE / "data" / "presets" / f"{name}.toml").read_text("utf-8")
        entries = tomllib.loads(text)
        cited = {
            entry["rule"]
            for section in entries.values()
            if isinstance(section, dict)
            for entry in section.values()
        }
        assert cited <= known
    assert set(options()) <= known


def test_every_option_of_the_catalogue_is_data():
    wanted = {rule.id for rule in catalogue().values() if rule.kind == "option"}
    assert wanted == set(options())


def test_excludes_are_told_on_both_sides():
    for rule in catalogue().values():
        for other in rule.excludes:
            assert rule.id in catalogue()[other].excludes


@pytest.mark.skipif(
    rummyvariants.IS_COMPILED, reason="compiled, a draft is made with all its fields"
)
def test_a_draft_has_every_slot_of_a_state_and_thaw_copies_it():
    annotated = set(Draft.__annotations__)
    assert set(Draft.__slots__) == set(State.__slots__) == annotated
    draft = Draft()
    for name in State.__slots__:
        setattr(draft, name, object())
    copy = thaw(draft)
    for name in set(State.__slots__) - {"_known"}:
        assert getattr(copy, name) is getattr(draft, name)
    assert copy._known is None, "a plan is for the state that it was made for"


# What a game does without.
APART = """
arranging jsontext playouts records rulesfile scenarios simulation stepwise views
"""


def loaded_by(code: str) -> set[str]:
    """
    The modules that are there after some code has run in a new interpreter.
    """
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_every_name_brings_its_module_with_it() -> None:
    named = set()
    for room, names in rummyvariants._LATER.items():
        for name in names.split():
            module = importlib.import_module(f"rummyvariants.{room}")
            assert getattr(rummyvariants, name) is getattr(module, name)
            named.add(name)
    assert named | {"IS_COMPILED"} == set(rummyvariants.__all__)
    with pytest.raises(AttributeError, match="no attribute 'arrnage'"):
        _ = rummyvariants.arrnage


def test_a_game_is_there_without_what_it_does_not_need() -> None:
    loaded = loaded_by("from rummyvariants import new_game, legal_actions, apply")
    assert "rummyvariants.game._engine.game" in loaded
    assert not {f"rummyvariants.{room}" for room in APART.split()} & loaded
    assert not {"tomllib", "hashlib"} & loaded


def test_the_command_line_begins_before_the_rest_is_imported() -> None:
    loaded = loaded_by("import rummyvariants.cli")
    own = {name for name in loaded if name.startswith("rummyvariants")}
    assert own == {"rummyvariants", "rummyvariants.cli"}
    assert not {"attr", "attrs", "click", "rich"} & loaded
