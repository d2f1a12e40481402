"""
A wheel with the hot modules compiled, on request.

``HATCH_BUILD_HOOKS_ENABLE=1 python -m build --wheel`` compiles with mypyc; without the
variable a wheel is pure Python, and an editable install is so always.

Mypyc makes fast classes of plain ones only. So the copy that is compiled has its attrs
classes written out, with the fields, the equality, the hash and the representation that
attrs would give them; the source itself stays as it is.
"""

from __future__ import annotations

import ast
import copy
import re
import shutil
import subprocess
import sys
import tempfile

from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


PACKAGE: Final = "rummyvariants"
MODULES: Final = (
    "actions",
    "cards",
    "chance",
    "combos",
    "layoff_reading",
    "layoffs",
    "melds",
    "moves",
    "playouts",
    "reading",
    "rulings",
    "scoring",
    "shapes",
    "state",
    "terms",
    "engine/beginning",
    "engine/calls",
    "engine/candidates",
    "engine/choices",
    "engine/dealing",
    "engine/draws",
    "engine/endings",
    "engine/flow",
    "engine/game",
    "engine/plays",
    "engine/samples",
)
"""What is compiled: all that an action comes through, but no class that third parties
derive theirs from."""
LEFT: Final = frozenset({"Cards"})
"""Classes that stay with attrs: compiled, ``+=`` on them is an endless recursion."""


# ------------------------------------------------------------------ attrs, written out


class Field:
    """
    A field of an attrs class, as its source declares it.
    """

    def __init__(self, node: ast.AnnAssign) -> None:
        assert isinstance(node.target, ast.Name)  # noqa: S101 -- attrs knows no other
        self.node = node
        self.name = node.target.id
        self.kind = ast.unparse(node.annotation)
        self.given: dict[str, ast.expr] = {}
        if _called(node.value) == "attrs.field":
            assert isinstance(node.value, ast.Call)  # noqa: S101 -- as `_called` told
            self.given = {one.arg or "": one.value for one in node.value.keywords}
        elif node.value is not None:
            self.given = {"default": node.value}
        self.method: ast.FunctionDef | None = None

    def text(self, what: str) -> str:
        """
        An argument of the field as it is written; empty if it has none.
        """
        return ast.unparse(self.given[what]) if what in self.given else ""

    def has(self, what: str) -> bool:
        """
        Whether the field takes part in something: ``init``, ``repr``, ``eq``.
        """
        return self.text(what) != "False"

    @property
    def parameter(self) -> str:
        """
        How it is called as an argument, and with which default.
        """
        name = self.name.lstrip("_")
        if self.text("factory"):
            return f"{name}: {self.kind} | None = None"
        kind = "Any" if self.text("converter") else self.kind
        default = self.text("default")
        return f"{name}: {kind} = {default}" if default else f"{name}: {kind}"

    @property
    def value(self) -> str:
        """
        What it is set to.
        """
        name = self.name.lstrip("_")
        if self.method is not None:
            return f"self.{self.method.name}()"
        made = f"{self.text('factory')}()" if self.text("factory") else ""
        if not self.has("init"):
            return made or self.text("default")
        if made:
            return f"{made} if {name} is None else {name}"
        converter = self.text("converter")
        return f"{converter}({name})" if converter else name

    def key(self, of: str) -> str:
        """
        What is compared of it.
        """
        mine = f"{of}.{self.name}"
        told = self.given.get("eq")
        if not isinstance(told, ast.Lambda):
            return mine
        body = copy.deepcopy(told.body)
        argument = told.args.args[0].arg
        for node in ast.walk(body):
            if isinstance(node, ast.Name) and node.id == argument:
                node.id = mine
        return ast.unparse(body)

    @property
    def declaration(self) -> str:
        """
        The field for attrs itself, which `attrs.evolve` and its like ask for.
        """
        default = "None" if self.method is not None else self.text("default")
        parts = [
            f"init={self.has('init')}",
            f"repr={self.has('repr')}",
            f"eq={self.has('eq')}",
            *([f"factory={self.text('factory')}"] if self.text("factory") else []),
            *([f"default={default}"] if default else []),
        ]
        return f"{self.name!r}: _field({', '.join(parts)})"


def _called(node: ast.expr | None) -> str:
    """
    What a call calls; else the expression itself.
    """
    if isinstance(node, ast.Call):
        node = node.func
    return "" if node is None else ast.unparse(node)


def _fields(node: ast.ClassDef) -> list[Field]:
    found = [
        Field(one)
        for one in node.body
        if isinstance(one, ast.AnnAssign) and "ClassVar" not in ast.unparse(one)
    ]
    named = {one.name: one for one in found}
    for one in node.body:
        if isinstance(one, ast.FunctionDef):
            for decorator in one.decorator_list:
                name, _, what = ast.unparse(decorator).partition(".")
                if what == "default" and name in named:
                    named[name].method = one
    return found


def _written_out(
    node: ast.ClassDef, decorator: ast.expr, fields: list[Field], loose: set[str]
) -> list[str]:
    """
    The methods that attrs gives a class.

    Args:
        node: The class.
        decorator: What makes it an attrs class.
        fields: Its fields.
        loose: Names of fields that are set later even where a class is frozen.
    """
    options = {}
    if isinstance(decorator, ast.Call):
        options = {one.arg: ast.unparse(one.value) for one in decorator.keywords}
    frozen = _called(decorator) == "attrs.frozen"
    given = [one for one in fields if one.has("init")]
    lines = [
        f"def __init__(self, {', '.join(one.parameter for one in given)}) -> None:"
    ]
    # What a method works out may need all the others.
    for one in sorted(fields, key=lambda one: one.method is not None):
        final = frozen and one.name not in loose
        kind = f"Final[{one.kind}]" if final else one.kind
        lines.append(f"    self.{one.name}: {kind} = {one.value}")
    kept = options.get("cache_hash") == "True"
    if kept:
        lines.append("    self._hash: int = 0")
    if options.get("eq") != "False":
        keys = [one for one in fields if one.has("eq")]
        same = " and ".join(f"{one.key('self')} == {one.key('other')}" for one in keys)
        mine = "".join(f"{one.key('self')}, " for one in keys)
        lines += [
            "def __eq__(self, other: object) -> Any:",
            "    if self is other:",
            "        return True",
            f"    if not isinstance(other, {node.name}):",
            "        return NotImplemented",
            f"    return {same}",
        ]
        if kept:
            lines += [
                "def __hash__(self) -> int:",
                "    if not self._hash:",
                f"        self._hash = hash(({node.name!r}, {mine}))",
                "    return self._hash",
            ]
        elif frozen or options.get("unsafe_hash") == "True":
            lines += [
                "def __hash__(self) -> int:",
                f"    return hash(({node.name!r}, {mine}))",
            ]
    if options.get("repr") != "False":
        seen = [one.name for one in fields if one.has("repr")]
        shown = ", ".join(f"{name}={{self.{name}!r}}" for name in seen)
        lines += [
            "def __repr__(self) -> str:",
            f'    return f"{node.name}({shown})"',
        ]
    again = "".join(f"self.{one.name}, " for one in given)
    lines += [
        "def __reduce__(self) -> tuple[Any, ...]:",
        f"    return {node.name}, ({again})",
    ]
    return [f"    {line}" for line in lines]


_HELPERS: Final = """
_field: Any = attrs.field
_One = TypeVar("_One")


def _evolve(one: _One, **changes: Any) -> _One:
    return cast(_One, attrs.evolve(cast(Any, one), **changes))
"""


def written_out(source: str) -> str:
    """
    The source of a module with its attrs classes written out.
    """
    lines = source.split("\n")
    loose = set(re.findall(r'object\.__setattr__\(\w+, "(\w+)"', source))
    edits: list[tuple[int, int, list[str]]] = []
    known_to_attrs = []
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ClassDef) or node.name in LEFT:
            continue
        for decorator in node.decorator_list:
            if _called(decorator) not in {"attrs.frozen", "attrs.define"}:
                continue
            edits.append((decorator.lineno, decorator.end_lineno or 0, []))
            fields = _fields(node)
            methods = _written_out(node, decorator, fields, loose)
            for one in fields:
                edits.append((one.node.lineno, one.node.end_lineno or 0, methods))
                methods = []
                if one.method is not None:
                    for way in one.method.decorator_list:
                        edits.append((way.lineno, way.end_lineno or 0, []))
            declared = ", ".join(one.declaration for one in fields)
            twin = f"attrs.make_class({node.name!r}, cast(Any, {{{declared}}}))"
            places = tuple(one.name.lstrip("_") for one in fields if one.has("init"))
            known_to_attrs += [
                f"setattr({node.name}, '__attrs_attrs__', attrs.fields({twin}))",
                f"setattr({node.name}, '__match_args__', {places})",
            ]
    for first, last, new in sorted(edits, key=lambda edit: edit[0], reverse=True):
        lines[first - 1 : last] = new
    text = "\n".join([*lines, *known_to_attrs, ""])
    text = re.sub(r'object\.__setattr__\((\w+), "(\w+)", (.+)\)', r"\1.\2 = \3", text)
    if "attrs." not in text:
        return text
    text = text.replace("attrs.evolve(", "_evolve(")
    names = "from typing import Any, Final, TypeVar, cast"
    text = text.replace("import attrs\n", f"{names}\n\nimport attrs\n", 1)
    return text.replace("\n\n\n", f"\n{_HELPERS}\n\n", 1)


def with_drafts(source: str) -> str:
    """
    The source of `state` with drafts that are copied, not turned, into states.

    A compiled object cannot change its class.
    """
    begin, middle = source.index("class Draft:"), source.index("def thaw(")
    end = source.index("\n\n\n", source.index("def freeze(")) + 3
    slots = re.findall(r"^    (\w+): (.+)$", source[begin:middle], re.MULTILINE)
    names = [name for name, _ in slots]
    copied = [name for name in names if name not in {"_fits", "_known"}]
    taken = ", ".join(f"state.{name}" for name in names if name != "_known")
    lines = [
        "class Draft:",
        '    """',
        "    A state in the making, private to one step.",
        '    """',
        "",
        f"    def __init__(self, {', '.join(f'{n}: {kind}' for n, kind in slots)}):",
        *(f"        self.{name} = {name}" for name in names),
        "",
        "",
        "def thaw(state: State | Draft) -> Draft:",
        # The same twice: each branch reads the fields of one class, without a question.
        "    if isinstance(state, State):",
        f"        return Draft({taken}, None)",
        f"    return Draft({taken}, None)",
        "",
        "",
        "def freeze(draft: Draft) -> State:",
        f"    state = State({', '.join(f'draft.{name}' for name in copied)})",
        "    state._fits = draft._fits",
        "    state._known = draft._known",
        "    return state",
        "",
        "",
        "",
    ]
    return source[:begin] + "\n".join(lines) + source[end:]


# --------------------------------------------------------------------------- compiling


_SETUP: Final = """
import sys
from mypyc.build import mypycify
from setuptools import setup
given = ["--config-file=mypy.ini", *sys.argv[1:]]
modules = mypycify(given, opt_level="3", debug_level="0")
script = ["build_ext", "--inplace"]
setup(name="compiled", packages=[], ext_modules=modules, script_args=script)
"""

_MYPY: Final = """
[mypy]
python_version = {version}
mypy_path = $MYPY_CONFIG_FILE_DIR
follow_imports = silent
"""


def compiled(package: Path, work: Path) -> dict[str, str]:
    """
    Compile the modules of a package in a directory.

    Returns:
        Where each file lies that goes into the wheel, and where it goes there.
    """
    shutil.copytree(package, work / PACKAGE)
    found = {}
    for module in MODULES:
        name = f"{PACKAGE}/{module}.py"
        file = work / name
        text = file.read_text(encoding="utf-8")
        # What type checkers read of the wheel is the source as it is.
        found[str(package.parent / name)] = f"{name}i"
        if module == "state":
            text = with_drafts(text)
        file.write_text(written_out(text), encoding="utf-8")
        found[str(file)] = name
    version = "{}.{}".format(*sys.version_info)
    (work / "mypy.ini").write_text(_MYPY.format(version=version), encoding="utf-8")
    (work / "setup.py").write_text(_SETUP, encoding="utf-8")
    names = [f"{PACKAGE}/{module}.py" for module in MODULES]
    subprocess.run([sys.executable, "setup.py", *names], cwd=work, check=True)
    for pattern in ("*.so", "*.pyd"):
        for file in work.rglob(pattern):
            place = file.relative_to(work)
            if place.parts[0] != "build":
                found[str(file)] = place.as_posix()
    return found


class Compiled(BuildHookInterface[Any]):
    """
    The hook of the build: off unless asked for, and never on for editable installs.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """
        Compile, and put what came of it into the wheel.
        """
        if version == "editable":
            return
        self.work = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        package = Path(self.root, "src", PACKAGE)
        build_data["force_include"].update(compiled(package, Path(self.work.name)))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(
        self,
        version: str,
        build_data: dict[str, Any],
        artifact_path: str,
    ) -> None:
        """
        Throw away what was compiled.
        """
        del build_data, artifact_path
        if version != "editable":
            self.work.cleanup()
