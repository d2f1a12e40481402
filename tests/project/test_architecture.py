"""Imports go down the plan of docs/design.md only, and the engine knows no game."""

from __future__ import annotations

import ast
import graphlib
import importlib
import re
import subprocess
import sys
import tomllib

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

import rummyvariants

from places import DOCS, PACKAGE
from rummyvariants._support.values import Value
from rummyvariants.game._state import Draft, State, thaw
from rummyvariants.rules._variants import SECTIONS, Option, every_option, presets
from rummyvariants.rulings import Rule, catalogue, entries


FILES = sorted(PACKAGE.rglob("*.py"))

# From the top of the table in docs/design.md to its end. The modules of a folder are in
# no order, but none of them imports another in a circle.
FOLDERS = (
    "errors",
    "cards",
    "_support",
    "rulings",
    "melds",
    "_patterns",
    "actions",
    "house",
    "policies",
    "rules",
    "svg",
    "events",
    "game",
    "solver",
    "files",
    "referee",
    "games",
    "learning",
    "vector",
    "testing",
    "bots",
    "simulation",
    "envs",
    "cli",
)
OUTSIDE = {"attrs", "typing_extensions"}
OUTSIDE_OF_CLI = {"click", "rich"}
OUTSIDE_OF_ARRAYS = {"numpy"}
OUTSIDE_OF_ENVS = {"gymnasium", "numpy", "pettingzoo", "pyspiel"}
OUTSIDE_OF_PLOTS = {"matplotlib"}
OUTSIDE_OF_RATINGS = {"openskill"}
OUTSIDE_OF_TESTS = {"scipy"}


def module_of(path: Path) -> str:
    """
    The name of a module in the package, without the package's own.
    """
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


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
            module = node.module or ""
            inner = {f"{module}.{alias.name}" for alias in node.names}
            modules = {one for one in inner if one in MODULES}
            found |= modules
            if len(modules) < len(inner):
                found.add(module)
    return found


MODULES = {f"rummyvariants.{module_of(path)}".rstrip("."): path for path in FILES}
IMPORTS = {
    name.removeprefix("rummyvariants.").removeprefix("rummyvariants"): {
        one.removeprefix("rummyvariants.")
        for one in imports_of(path)
        if one in MODULES and one != "rummyvariants"
    }
    for name, path in MODULES.items()
}
"""By the name of a module, those of the package that it imports."""


def test_folders_import_upwards_in_the_plan_only() -> None:
    wrong = {
        (name, other)
        for name, others in IMPORTS.items()
        if name not in {"", "__main__"}
        for other in others
        if place(other) > place(name)
    }
    assert not wrong
    assert {name.partition(".")[0] for name in IMPORTS} - {"", "__main__"} == {*FOLDERS}


def place(module: str) -> int:
    """
    Where the folder of a module stands in the plan.
    """
    return FOLDERS.index(module.partition(".")[0])


OUTER = FOLDERS[FOLDERS.index("games") :]
"""The layers that use the library as anybody could, and its inner interface."""


def outer_files() -> Iterator[tuple[str, Path]]:
    """
    The files of the outer layers, each with its layer.
    """
    for path in FILES:
        layer = module_of(path).partition(".")[0]
        if layer in OUTER:
            yield layer, path


def listed_in_the_design(heading: str) -> set[str]:
    """
    What stands in the code of a table of the page on the design.
    """
    text = (DOCS / "design.md").read_text("utf-8")
    table = text.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return {
        f"{folder}{name}"
        for folder, names in re.findall(r"(?m)^\| (?:`([\w/]+)` )?\| (.*) \|$", table)
        for name in re.findall(r"`(\w+)`", names)
    }


def test_the_outer_layers_use_the_inner_interface_and_no_other_private_module():
    used = set()
    for layer, path in outer_files():
        for module in imports_of(path):
            one = module.removeprefix("rummyvariants.")
            private = re.search(r"(^|\.)_[a-z]", one) and not one.startswith("_support")
            if private and one.partition(".")[0] != layer:
                *folders, name = one.split(".")
                used.add("/".join([*folders, name]))
    assert used == listed_in_the_design("modules that outer layers use")


def private_members(path: Path) -> set[str]:
    """
    The private fields and methods of the classes of a file.
    """
    found = {
        node.target.id if isinstance(node, ast.AnnAssign) else node.name
        for kind in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(kind, ast.ClassDef)
        for node in kind.body
        if isinstance(node, ast.FunctionDef | ast.AnnAssign)
    }
    return {name for name in found if re.match("_[a-z]", name)}


def test_the_outer_layers_read_the_packed_fields_and_nothing_else_that_is_private():
    outer = [path for _, path in outer_files()]
    core = set().union(*(private_members(one) for one in FILES if one not in outer))
    used = {
        node.attr
        for path in outer
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in core - private_members(path)
        and ast.unparse(node.value) not in {"self", "cls"}
    }
    assert used == listed_in_the_design("packed fields that outer layers read")


def imported_by_name(path: Path) -> set[str]:
    """
    The modules of the package that a file imports by a text, when it needs them.
    """
    return {
        node.args[0].value.removeprefix("rummyvariants.")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("import_module")
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value.startswith("rummyvariants.")
    }


def test_values_show_themselves_by_the_modules_that_the_design_names_alone() -> None:
    used = {module_of(one): imported_by_name(one) for one in FILES if module_of(one)}
    table = (DOCS / "design.md").read_text("utf-8").partition("what shows them |")[2]
    rows = re.findall(r"(?m)^\| (`.*) \| (.*) \|$", table.partition("\n\n")[0])
    listed = {
        module: set(re.findall(r"`(.*?)`", shown))
        for modules, shown in rows
        for module in re.findall(r"`(.*?)`", modules)
    }
    assert listed == {module: names for module, names in used.items() if names}


def test_no_circle_of_imports() -> None:
    graph = {name: others for name, others in IMPORTS.items() if name}
    graphlib.TopologicalSorter(graph).prepare()  # raises a CycleError that names it


@pytest.mark.parametrize(
    "path", FILES, ids=[module_of(path) or "top" for path in FILES]
)
def test_the_core_needs_attrs_and_typing_extensions_alone(path):
    allowed = OUTSIDE | {"rummyvariants"} | set(sys.stdlib_module_names)
    if module_of(path).startswith("cli"):
        allowed |= OUTSIDE_OF_CLI
    if module_of(path) == "learning._arrays":
        allowed |= OUTSIDE_OF_ARRAYS
    if module_of(path).startswith("envs"):
        allowed |= OUTSIDE_OF_ENVS
    if module_of(path) == "simulation.plots":
        allowed |= OUTSIDE_OF_PLOTS
    if module_of(path) == "simulation.ratings":
        allowed |= OUTSIDE_OF_RATINGS
    if module_of(path) == "simulation.significance":
        allowed |= OUTSIDE_OF_TESTS
    roots = {name.partition(".")[0] for name in imports_of(path)}
    assert roots - allowed - {"attr"} == set()


BLIND = [
    path
    for path in FILES
    if module_of(path).startswith(("melds.", "policies.", "game."))
]


def named_in(tree: ast.Module) -> set[str]:
    """
    What a module defines for others at its top: classes, functions and values.
    """
    found: set[str] = set()
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Assign():
                found |= {one.id for one in node.targets if isinstance(one, ast.Name)}
            case ast.AnnAssign(target=ast.Name()):
                found.add(node.target.id)
    return {name for name in found if not name.startswith("_")}


def test_a_name_means_one_thing_in_the_core() -> None:
    where: dict[str, set[str]] = {}
    for path in FILES:
        module = module_of(path)
        if module.startswith(("melds", "policies", "rules", "game", "solver")):
            for name in named_in(ast.parse(path.read_text("utf-8"))):
                where.setdefault(name, set()).add(module)
    assert {name: those for name, those in where.items() if len(those) > 1} == {}


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


VALUES = {name for policy in SECTIONS.values() for name in policy.values()}


def by_word(node: ast.AST) -> bool:
    """
    Whether code compares a policy value with a word, or with one of several.
    """
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    parts = [part for side in sides for part in ast.walk(side)]
    return any(
        isinstance(side, ast.Attribute) and side.attr in VALUES for side in sides
    ) and any(
        isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts
    )


ASKING = [
    path for path in FILES if not module_of(path).startswith(("policies", "rules"))
]


@pytest.mark.parametrize(
    "path", ASKING, ids=[module_of(path) or "top" for path in ASKING]
)
def test_policies_are_asked_and_their_words_not_compared(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [ast.unparse(node) for node in ast.walk(tree) if by_word(node)] == []


WORDED = {
    (section, name)
    for section, policy in SECTIONS.items()
    for name, field in policy.values().items()
    if getattr(field.metadata.get("read"), "__qualname__", "").startswith(
        ("choice.", "number_or.")
    )
}
"""The sections and names of the policy values that are words, or may be."""
OF_POLICIES = {policy.__name__: name for name, policy in SECTIONS.items()}


def policies_in(function: ast.AST) -> dict[str, str]:
    """
    The names that stand for policies in a function, each with the policy's section.
    """
    found = {}
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.annotation is not None:
            found[node.arg] = OF_POLICIES.get(ast.unparse(node.annotation), "")
        if not isinstance(node, ast.Assign | ast.NamedExpr):
            continue
        target = node.target if isinstance(node, ast.NamedExpr) else node.targets[0]
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = [*zip(target.elts, node.value.elts, strict=True)]
        for one, value in pairs:
            if isinstance(value, ast.Attribute) and value.attr in SECTIONS:
                found[ast.unparse(one)] = value.attr
    return found


def raw_reads(tree: ast.Module) -> set[str]:
    """
    Where code reads a word from what is to be recognised as a policy.
    """
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    scopes = [(tree, {}), *((one, policies_in(one)) for one in functions)]
    return {
        ast.unparse(node)
        for scope, policies in scopes
        for node in ast.walk(scope)
        if isinstance(node, ast.Attribute)
        for base in [node.value]
        for section in [
            base.attr
            if isinstance(base, ast.Attribute)
            else policies.get(ast.unparse(base), "")
        ]
        if (section, node.attr) in WORDED
    }


@pytest.mark.parametrize(
    "path", ASKING, ids=[module_of(path) or "top" for path in ASKING]
)
def test_policies_are_asked_what_their_words_mean(path):
    assert raw_reads(ast.parse(path.read_text(encoding="utf-8"))) == set()


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("rules.score.rummy", "rules.score.rummy"),
        ("self.rules.out.knock == 1", "self.rules.out.knock"),
        ("out = rules.out; f(out.knock)", "out.knock"),
        ("m, n = rules.match, 3; m.rounds", "m.rounds"),
        ("rules.score.rummy_bonus, rules.match.target, match.rounds", None),
    ],
)
def test_raw_reads_are_recognised(code, read):
    assert raw_reads(ast.parse(f"def f(rules):\n  {code}")) == {read} - {None}


def test_rule_ids_in_data_and_code_are_in_the_catalogue():
    known = set(catalogue())
    for name in presets():
        text = (PACKAGE / "games" / f"{name}.toml").read_text("utf-8")
        entries = tomllib.loads(text)
        cited = {
            entry["rule"]
            for section in entries.values()
            if isinstance(section, dict)
            for entry in section.values()
        }
        assert cited <= known
    assert set(every_option()) <= known


def test_every_key_of_the_catalogue_is_read_and_every_option_sets_something():
    known = attrs.fields_dict(Rule).keys() | attrs.fields_dict(Option).keys()
    for entry in entries():
        assert entry.keys() <= known, entry["id"]
        sets = "set" in entry or "argument" in entry
        assert sets == (entry["kind"] == "option"), entry["id"]


def test_excludes_are_listed_on_one_side():
    places = [*catalogue()]
    for entry in entries():
        listed = [*map(places.index, entry.get("excludes", ()))]
        assert listed == sorted({*listed}), entry["id"]
        assert all(place < places.index(entry["id"]) for place in listed), entry["id"]


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
solver files.json game._playouts files._records rules._files files._scenarios
simulation game._chooser game._offered game._views game._worlds game.events
policies.cases.aside policies.cases.canastas policies.cases.openings
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


OFFERING = ("", "files", "game", "learning", "rules", "simulation")
"""The packages that import their public names when these are first used."""


def names_offered(package: Any) -> set[tuple[str, str]]:
    """
    The names that a package offers, each with the module that it comes from.
    """
    return {
        (f"rummyvariants.{home}" if home else package.__name__, name)
        for home, names in package._OFFERED.items()
        for name in names.split()
    }


@pytest.mark.parametrize("folder", OFFERING)
def test_every_name_brings_its_module_with_it(folder: str) -> None:
    package = importlib.import_module(f"rummyvariants.{folder}".rstrip("."))
    offered = names_offered(package)
    for home, name in offered:
        found = getattr(package, name)
        if home == package.__name__:
            assert found is importlib.import_module(f"{home}.{name}")
        else:
            assert found is getattr(importlib.import_module(home), name)
    assert {name for _, name in offered} == set(package.__all__) == set(dir(package))
    path = PACKAGE / folder / "__init__.py"
    typed = {
        (node.module, alias.name)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.If)
        for node in node.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == offered


def test_a_name_that_there_is_not_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'arrnage'"):
        _ = rummyvariants.arrnage


def test_a_game_is_there_without_what_it_does_not_need() -> None:
    loaded = loaded_by("from rummyvariants import new_game, legal_actions, apply")
    assert "rummyvariants.game._engine.game" in loaded
    assert not {f"rummyvariants.{name}" for name in APART.split()} & loaded
    assert not {"tomllib", "hashlib", "random", "difflib"} & loaded
    assert not {"pathlib", "traceback", "urllib.parse"} & loaded


def test_a_preset_is_read_without_the_rest_of_the_data() -> None:
    asked = "from rummyvariants.rulings import entries as found"
    listed = "from rummyvariants.rules._variants import preset_file as file"
    said = "print(f'{found.cache_info().misses}:{file.cache_info().misses}')"
    code = "import rummyvariants\nrummyvariants.preset('rummy-5000')\n"
    assert "0:1" in loaded_by(f"{code}{asked}\n{listed}\n{said}")


def test_fields_compared_by_a_key_are_left_to_attrs() -> None:
    below = [Value]
    for kind in below:
        below += kind.__subclasses__()
        if attrs.has(kind) and kind.__eq__ is Value.__eq__:
            assert not [one.name for one in attrs.fields(kind) if one.eq_key]


def test_the_command_line_begins_before_the_rest_is_imported() -> None:
    loaded = loaded_by("import rummyvariants.cli")
    own = {name for name in loaded if name.startswith("rummyvariants")}
    inner = {"", "._support", "._support.lazy", ".cli", ".cli.statuses"}
    assert own == {f"rummyvariants{name}" for name in inner}
    assert not {"attr", "attrs", "click", "rich"} & loaded


ABOUT_RULES = re.compile(r"\b(Terms|Ruleset|State|Draft|AnyState|View|Meld)\b")
KEPT_BY_THEIR_MODULE = {
    "game._belief._PASTS": "of eight states",
    "rules._ruleset._KNOWN": "the rulesets used last, which share what is found out",
    "rules._ruleset._terms": "the terms used last",
    "envs.openspiel._RULES": "the games that were registered",
}


def test_what_is_remembered_about_rules_and_games_goes_with_them() -> None:
    found = set()
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    for path in [one for one in FILES if re.search(r"cache|= \{\}\n", texts[one])]:
        for node in ast.parse(texts[path]).body:
            if isinstance(node, ast.FunctionDef):
                ways = " ".join(map(ast.unparse, node.decorator_list))
                about = ast.unparse(node.args) if "cache" in ways else ""
                name = node.name
            elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
                about = "" if node.value.keys else ast.unparse(node.annotation)
                name = ast.unparse(node.target)
            else:
                continue
            if ABOUT_RULES.search(about):
                found.add(f"{module_of(path)}.{name}")
    assert found == {*KEPT_BY_THEIR_MODULE}, (
        "remember it with @remembered, in the `_memo` of what it is about"
    )
