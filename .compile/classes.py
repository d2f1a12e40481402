"""
Write the attrs classes of a module out as plain classes, which mypyc makes fast.

Each gets the fields, the equality, the hash and the representation that attrs would
give it, and `attrs.evolve` and `attrs.fields` still work. Features of attrs that no
compiled class uses are left out.
"""

from __future__ import annotations

import ast
import re

from collections.abc import Collection, Iterator
from typing import Final


LEFT: Final = frozenset({"Cards"})
"""Classes that stay with attrs: if compiled, ``+=`` on them recurses endlessly."""
BASES: Final = "PublicInformation"
"""Compiled classes from which classes that are not compiled derive, as a pattern."""


class Field:
    """
    A field of an attrs class, as its source declares it.
    """

    def __init__(self, node: ast.AnnAssign) -> None:
        self.node = node
        self.name = ast.unparse(node.target)
        self.kind = ast.unparse(node.annotation)
        self.given: dict[str, str] = {}
        if isinstance(node.value, ast.Call) and _called(node.value) == "attrs.field":
            given = node.value.keywords
            self.given = {one.arg or "": ast.unparse(one.value) for one in given}
        elif node.value is not None:
            self.given = {"default": ast.unparse(node.value)}
        self.method = ""
        """The method that works it out, where one does."""

    def has(self, what: str) -> bool:
        """
        Whether the field takes part in ``init``, ``repr`` or ``eq``.
        """
        return self.given.get(what) != "False"

    @property
    def argument(self) -> str:
        """
        Its name as an argument.
        """
        return self.name.lstrip("_")

    @property
    def parameter(self) -> str:
        """
        The argument with its type and its default.
        """
        if "factory" in self.given:
            return f"{self.argument}: {self.kind} | None = None"
        kind = "Any" if "converter" in self.given else self.kind
        default = self.given.get("default")
        return f"{self.argument}: {kind}{f' = {default}' if default else ''}"

    @property
    def value(self) -> str:
        """
        The expression that it is set to.
        """
        name = self.argument
        if self.method:
            return f"self.{self.method}()"
        if "factory" in self.given:
            made = f"cast({self.kind}, ({self.given['factory']})())"
            return f"{made} if {name} is None else {name}" if self.has("init") else made
        if not self.has("init"):
            return self.given["default"]
        return f"{self.given.get('converter', '')}({name})"

    def key(self, of: str) -> str:
        """
        The expression that is compared.
        """
        return f"({self.given.get('eq') or ''})({of}.{self.name})".removeprefix("()")

    @property
    def declaration(self) -> str:
        """
        The field for attrs itself.
        """
        given = dict.fromkeys(("init", "repr", "eq", "default", "factory"), "")
        given |= {"default": "None"} if self.method else {}
        given |= {key: self.given[key] for key in given if key in self.given}
        given["type"] = repr(self.kind)
        parts = [f"{key}={value}" for key, value in given.items() if value]
        return f"{self.name!r}: described.field({', '.join(parts)})"


def _called(node: ast.expr) -> str:
    """
    What a call calls; else the expression itself.
    """
    return ast.unparse(node.func if isinstance(node, ast.Call) else node)


def _fields(node: ast.ClassDef) -> list[Field]:
    found = {}
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and "ClassVar" not in ast.unparse(one):
            field = Field(one)
            found[field.name] = field
        elif isinstance(one, ast.FunctionDef):
            for decorator in one.decorator_list:
                name, _, what = ast.unparse(decorator).partition(".")
                if what == "default":
                    found[name].method = one.name
    return list(found.values())


def _methods(
    node: ast.ClassDef,
    decorator: ast.expr,
    fields: list[Field],
    loose: set[str],
    own: Collection[str],
) -> Iterator[str]:
    """
    The methods that attrs gives a class, or its base, `Value`.

    Args:
        node: The class.
        decorator: What makes it an attrs class.
        fields: Its fields.
        loose: Names of fields that are set later even if a class is frozen.
        own: The class's own methods, which are kept.
    """
    options = {}
    if isinstance(decorator, ast.Call):
        options = {one.arg: ast.unparse(one.value) for one in decorator.keywords}
    if node.bases:
        options["eq"] = options["repr"] = options["unsafe_hash"] = "True"
    frozen = _called(decorator) == "attrs.frozen"
    given = [one for one in fields if one.has("init")]
    if "__init__" not in own:
        parameters = ", ".join(one.parameter for one in given)
        yield f"def __init__(self, {parameters}) -> None:"
        # A value computed by a method may need all the others.
        for one in sorted(fields, key=lambda one: bool(one.method)):
            final = frozen and one.name not in loose
            kind = f"Final[{one.kind}]" if final else one.kind
            yield f"    self.{one.name}: {kind} = {one.value}"
    if options.get("cache_hash") == "True":
        yield "    self._hash: int = 0"
    if options.get("eq") != "False":
        keys = [one for one in fields if one.has("eq")]
        same = " and ".join(f"{one.key('self')} == {one.key('other')}" for one in keys)
        yield "def __eq__(self, other: object) -> Any:"
        yield "    if self is other:"
        yield "        return True"
        yield f"    if not isinstance(other, {node.name}):"
        yield "        return NotImplemented"
        yield f"    return {same}"
        hashed = f"hash(({node.name!r}, {', '.join(one.key('self') for one in keys)}))"
        if options.get("cache_hash") == "True":
            yield "def __hash__(self) -> int:"
            yield "    if not self._hash:"
            yield f"        self._hash = {hashed}"
            yield "    return self._hash"
        elif "__hash__" not in own and (frozen or options.get("unsafe_hash") == "True"):
            yield "def __hash__(self) -> int:"
            yield f"    return {hashed}"
    if options.get("repr") != "False" and "__repr__" not in own:
        seen = [one.name for one in fields if one.has("repr")]
        shown = ", ".join(f"{name}={{self.{name}!r}}" for name in seen)
        yield "def __repr__(self) -> str:"
        yield f'    return f"{node.name}({shown})"'
    if "__reduce__" not in own:
        again = "".join(f"self.{one.name}, " for one in given)
        yield "def __reduce__(self) -> tuple[Any, ...]:"
        yield f"    return {node.name}, ({again})"


def _any_given(init: ast.FunctionDef) -> str:
    """
    The head of a class's own ``__init__``, which accepts arguments of any type.
    """
    names = ", ".join(f"{one.arg}: Any" for one in init.args.args[1:])
    return f"    def __init__(self, {names}) -> None:"


_FINAL: Final = r"self.\1: Final = \2"
"""A field that such an ``__init__`` sets."""

_NAMES: Final = """
from typing import TYPE_CHECKING, Any, Final, cast
from rummyvariants._support import described
if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
"""

_OPEN: Final = r"@mypyc_attr(allow_interpreted_subclasses=True)\n\g<0>"


def written_out(source: str) -> str:
    """
    The source of a module with its attrs classes written out.
    """
    lines = source.split("\n")
    loose = set(re.findall(r'object\.__setattr__\((?!self)\w+, "(\w+)"', source))
    edits: list[tuple[ast.expr | ast.stmt | ast.arg, list[str]]] = []
    calls = []
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ClassDef) or node.name in LEFT:
            continue
        for decorator in node.decorator_list:
            if _called(decorator) not in {"attrs.frozen", "attrs.define"}:
                continue
            fields = _fields(node)
            own = {
                one.name: one for one in node.body if isinstance(one, ast.FunctionDef)
            }
            methods = _methods(node, decorator, fields, loose, own)
            if "__init__" in own:
                edits.append(
                    (own["__init__"].args.args[1], [_any_given(own["__init__"])])
                )
            edits.append((decorator, []))
            edits += [(one.node, []) for one in fields[1:]]
            edits.append((fields[0].node, [f"    {line}" for line in methods]))
            edits += [
                (way, [])
                for one in node.body
                if isinstance(one, ast.FunctionDef)
                for way in one.decorator_list
                if ast.unparse(way).endswith(".default")
            ]
            about = (
                repr(ast.get_docstring(node)),
                repr({one.name: one.kind for one in fields}),
                repr(tuple(one.name for one in fields if one.has("init"))),
                f"_fields_of_{node.name}",
            )
            declared = ", ".join(one.declaration for one in fields)
            calls += [
                f"def _fields_of_{node.name}() -> dict[str, Any]:",
                f"    return {{{declared}}}",
                f"described.describe({node.name}, {', '.join(about)})",
            ]
    for place, new in sorted(edits, key=lambda edit: edit[0].lineno, reverse=True):
        lines[place.lineno - 1 : place.end_lineno] = new
    text = "\n".join([*lines, *calls, ""])
    text = re.sub(r'object\.__setattr__\(self, "(\w+)", (.+)\)', _FINAL, text)
    text = re.sub(r'object\.__setattr__\((\w+), "(\w+)", (.+)\)', r"\1.\2 = \3", text)
    text = text.replace("attrs.evolve(", "described.evolve(")
    text = re.sub(r"\(Value\):", ":", text)
    text = re.sub(rf"^class ({BASES}):", _OPEN, text, flags=re.MULTILINE)
    return text.replace("import attrs\n", f"import attrs\n\n{_NAMES}", 1)


def with_drafts(source: str) -> str:
    """
    The source of a module in which a draft is copied into a state.

    The object of a compiled class cannot change its class.
    """
    turned = "    draft.__class__ = State  # type: ignore[assignment]\n"
    begin = source.find(turned)
    if begin < 0:
        return source
    (state,) = [
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.name == "State"
    ]
    fields = _fields(state)
    made = ", ".join(f"draft.{one.name}" for one in fields if one.has("init"))
    later = [one.name for one in fields if not one.has("init")]
    lines = [
        f"    state = State({made})",
        *(f"    state.{name} = draft.{name}" for name in later),
        "    return state",
        "",
    ]
    end = source.index("\n", begin + len(turned)) + 1
    return source[:begin] + "\n".join(lines) + source[end:]
