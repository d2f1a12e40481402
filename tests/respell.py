"""
Give every word of the policy values another spelling, and see that all still works.

``python tests/respell.py [PYTEST ARGUMENTS]`` copies the checkout, renames each word of
each `choice` and `number_or` in the policies, in ``rules/``, in the data and in what
tests, examples and pages give as values, and runs tests on the copy. The other code is
left as it is: it asks the policies, so that it does not matter how words are spelled.

A text is renamed for what it stands beside: the name of a value that it is compared
with, looked up by, given for or bound to. Other texts keep the same word.
"""

from __future__ import annotations

import ast
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final


ROOT: Final = Path(__file__).parent.parent
POLICIES: Final = "src/rummyvariants/policies/"
KNOWING: Final = (
    *(POLICIES, "src/rummyvariants/rules/", "src/rummyvariants/data/"),
    *("tests/", "examples/", "docs/", "README.md", "bench/eaai.toml"),
)
"""Where words are known; no other file is changed."""
ROWS: Final = tuple(
    f"src/rummyvariants/data/{one}" for one in ("sheet/", "contradictions.toml")
)
"""Rows whose conditions are in a language of their own."""
SAME: Final = {"blocked": "hands", "wild_ace": "wild"}
"""Values with the words of another: what is said of both is looked up as one."""
LEFT_OUT: Final = tomllib.loads((ROOT / "tests/data/respelling.toml").read_text())
"""The tests that cannot pass with other words, each with the reason."""
EITHER: Final = ("wild_upcard", "two_upcard")
ALSO: Final = {
    # What the method answers, and what the parameter takes, is what either value says.
    f"{POLICIES}deal.py": {"_wild": EITHER},
}
"""By file, what other names stand for values there."""
USUAL: Final = """
bots calls chooser cli_lookup columns comparison gin_bots messages perft playouts
policies properties readings rulesets scenarios scoring sheet_notes views
"""
"""Where none are asked for, those of these tests are run that play few games."""
OPTIONS: Final = {
    one["id"]: one["argument"].rpartition(".")[2]
    for one in tomllib.loads(
        (ROOT / "src/rummyvariants/data/catalogue.toml").read_text()
    )["rule"]
    if "argument" in one
}
"""By option, the name of the value that it is given."""
Words = dict[str, dict[str, str]]
"""By the name of a value, its words and how they are spelled in the copy."""
Bound = dict[str, list[ast.AST]]
"""By a name, what it is bound to."""


def respelled(files: Iterable[Path]) -> Words:
    """
    New words for those of each policy value, where the policies define them.
    """
    words: Words = {}
    number = itertools.count(1)
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.AnnAssign(
                    ast.Name(name), _, ast.Call(ast.Name("choice" | "number_or"), args)
                ):
                    same = words.get(SAME.get(name, ""), {})
                    new = {text.value: "" for text in texts(args)}
                    assert not new.keys() & words.get(name, {}).keys(), name
                    new |= {word: same.get(word, f"zq{next(number)}") for word in new}
                    words[name] = {**words.get(name, {}), **new}
    return words


def texts(nodes: Iterable[Any]) -> Iterator[ast.Constant]:
    """
    The texts that expressions come to, or that are their parts or their keys.
    """
    for node in nodes:
        match node:
            case ast.Constant(value=str()):
                yield node
            case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts) | ast.Dict(parts):
                yield from texts(parts)
            case ast.BoolOp(values=parts) | ast.MatchOr(parts):
                yield from texts(parts)
            case ast.IfExp(_, one, other) | ast.BinOp(one, _, other):
                yield from texts([one, other])
            case ast.Call(
                ast.Name("choice" | "number_or") | ast.Attribute(_, "param"), parts
            ):
                yield from texts(parts)
            case ast.Call(_, [ast.Tuple() | ast.List() | ast.Set() as part, *_]):
                yield from texts([part])
            case ast.Starred(part) | ast.MatchValue(part):
                yield from texts([part])


def beside(node: ast.AST) -> Iterator[tuple[list[Any], list[Any]]]:
    """
    Code that names a value, each with code in which words of that value may stand.
    """
    match node:
        case ast.Compare(one, _, others):
            yield [one, *others], [one, *others]
        case (
            ast.Subscript(one, other)
            | ast.BinOp(one, _, other)
            | ast.Call(ast.Attribute(one, "get"), [other, *_])
        ):
            yield [one, other], [one, other]
        case ast.Call(ast.Name("when" | "unless"), [one, word]):
            yield [one], [word]
        case ast.Call(ast.Attribute(_, "parametrize"), [ast.Constant() as one, rows]):
            yield [one], [rows]
        case ast.Call(ast.Attribute(_, "parametrize"), [heads, ast.List(rows), *_]):
            for row in rows:
                cells = getattr(row, "elts", None) or getattr(row, "args", [])
                for head, cell in zip(texts([heads]), cells, strict=False):
                    yield [head], [cell]
        case ast.Dict(keys, values):
            pairs = zip(keys, values, strict=True)
            yield from (([key], [value]) for key, value in pairs if key)
        case ast.Match(subject, cases):
            yield [subject], [one.pattern for one in cases]
        case ast.keyword(str(name), value):
            yield [ast.Name(name)], [value]
        case ast.FunctionDef(name):
            returns = [one for one in own(node) if isinstance(one, ast.Return)]
            yield [ast.Name(name)], [one.value for one in returns]
        case ast.Assign([ast.Tuple(ones)], ast.Tuple(values)):
            pairs = zip(ones, values, strict=False)
            yield from (([one], [value]) for one, value in pairs)
        case (
            ast.Assign([one], value)
            | ast.AnnAssign(one, _, value)
            | ast.For(one, value)
            | ast.comprehension(one, value)
        ):
            yield [one], [value]
    # The path of a value, and what comes next to it.
    for parts in (getattr(node, "elts", ()), getattr(node, "args", ())):
        for one, other in itertools.pairwise(parts if isinstance(parts, list) else ()):
            if isinstance(one, ast.Constant) and "." in str(one.value):
                yield [one], [other]


def own(scope: ast.AST) -> Iterator[ast.AST]:
    """
    The code of a function or a module, but not that of functions in it.
    """
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, ast.FunctionDef):
            yield from own(node)


def bindings(scope: ast.AST) -> Bound:
    """
    What names are bound to in a function or a module.
    """
    found: Bound = {}
    for node in own(scope):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for (target,), (value,) in beside(node):
                found.setdefault(ast.unparse(target), []).append(value or target)
    return found


def names(nodes: Iterable[Any], bound: Bound, deep: int = 2) -> Iterator[str]:
    """
    The names in code, and in what the names in it are bound to.
    """
    for node in nodes:
        match node:
            case ast.Dict() | ast.Compare():
                continue  # what comes out of it is no value
            case ast.IfExp(_, one, other):
                yield from names([one, other], bound, deep)
                continue
            case ast.Constant(str(name)) | ast.Attribute(_, name) | ast.Name(name):
                yield name.replace("__", ".").rpartition(".")[2]
        if isinstance(node, ast.Name) and deep:
            yield from names(bound.get(node.id, []), bound, deep - 1)
        yield from names(ast.iter_child_nodes(node), bound, deep)


def renamed(tree: ast.Module, words: Words, also: Any) -> Iterator[ast.Constant]:
    """
    The texts in code that are words, each as it is in the copy.
    """
    scopes = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    for scope in (tree, *scopes):
        bound = {**bindings(tree), **bindings(scope)}
        # What is given for a value has its words, whatever its own name.
        passed = {
            (given.id, name)
            for node in own(scope)
            if isinstance(node, ast.keyword | ast.Dict)
            for about, (given,) in beside(node)
            if isinstance(given, ast.Name)
            for name in names(about, {})
        }
        for node in (scope, *own(scope)):
            for about, given in beside(node):
                known = {*names(about, bound)}
                known |= {more for name in known for more in also.get(name, ())}
                known |= {name for one, name in passed if one in known}
                held = [bound.get(getattr(one, "id", ""), []) for one in given]
                for text in texts([*given, *itertools.chain(*held)]):
                    new = {words.get(name, {}).get(text.value) for name in known}
                    new -= {None}
                    assert len(new) < 2, f"{ast.unparse(node)}: which {text.value!r}?"
                    if new:
                        yield ast.copy_location(ast.Constant(new.pop()), text)


def inside(text: str, words: Words) -> str:
    """
    Rules in TOML or JSON, or anything else that gives values by name, respelled.
    """

    def quoted(match: re.Match[str]) -> str:
        known = words[match["name"]]
        each = r"""(?<=["'])[^"\\\n]+?(?=\\?["'](?![a-z]))"""
        new = re.sub(each, lambda one: known.get(one[0], one[0]), match["value"])
        return match["before"] + new

    name = f"(?P<name>{'|'.join(words)})"
    equals = r"""\\?["'`]*\s*(?:==|!=|=|:)\s*(?:\{\s*"?value"?\s*[=:]\s*)?"""
    value = r"""(?P<value>\[[^\]\n]*\]|\\?"[^"\\\n]*\\?"|\\?'[^'\\\n]*\\?')"""
    text = re.sub(rf"(?P<before>(?:\b|(?<=\\n)){name}{equals}){value}", quoted, text)
    first = rf'(?P<before>argument = "[a-z]+\.{name}"\ndefault = ){value}'
    text = re.sub(first, quoted, text)
    for option, of in OPTIONS.items():
        for old, new in words.get(of, {}).items():
            text = text.replace(f"{option}={old}", f"{option}={new}")
    known = sorted({word for each in words.values() for word in each}, key=len)
    word = f"(?P<word>{'|'.join(map(re.escape, reversed(known)))})"
    return re.sub(
        rf"(?P<before>\b[a-z]+\.{name}\s?=\s?){word}(?!\w)",
        lambda one: one["before"] + words[one["name"]].get(one["word"], one["word"]),
        text,
    )


def in_rows(text: str, words: Words) -> str:
    """
    Rows of the rule sheet with the words of their conditions respelled.
    """

    def condition(match: re.Match[str]) -> str:
        known = words.get(match["name"], {})
        values = [known.get(one, one) for one in match["values"].split(" | ")]
        return match["before"] + " | ".join(values)

    def keys(match: re.Match[str]) -> str:
        known = words.get(match["name"], {})

        def key(one: re.Match[str]) -> str:
            new = known.get(one["key"].strip('"'))
            return f'"{new}" = ' if new else one[0]

        rows = re.sub(r'(?m)^(?P<key>"[^"]*"|[\w-]+) = ', key, match["rows"])
        return match["before"] + rows

    path = r"\b[a-z]+\.(?P<name>[a-z_]+)"
    atom = rf'(?P<before>{path} is (?:not )?)(?P<values>[^,;"]+)'
    table = rf'(?P<before>by = "{path}"\n)(?P<rows>(?:[^\[\n].*\n)*)'
    return re.sub(table, keys, re.sub(atom, condition, text))


def respell(text: str, file: str, words: Words) -> str:
    """
    What a file holds, with the words respelled.
    """
    if file.startswith(ROWS):
        return in_rows(text, words)
    if not file.endswith(".py"):
        return inside(text, words)
    tree, raw = ast.parse(text), text.encode()
    starts = [0, *itertools.accumulate(map(len, raw.splitlines(keepends=True)))]

    def span(node: Any) -> tuple[int, int]:
        first = starts[node.lineno - 1] + node.col_offset
        return first, starts[node.end_lineno - 1] + node.end_col_offset

    new = renamed(tree, words, ALSO.get(file, {}))
    edits = {span(one): repr(one.value) for one in new}
    for node in ast.walk(tree) if not file.startswith("src/") else ():
        if isinstance(node, ast.JoinedStr | ast.Constant):
            old = raw[slice(*span(node))].decode()
            if old[-1:] in {'"', "'"}:
                edits.setdefault(span(node), inside(old, words))
    done = len(raw)
    for (first, last), put in sorted(edits.items(), reverse=True):
        if last <= done:  # not a part of a text that was changed as a whole
            raw, done = raw[:first] + put.encode() + raw[last:], first
    return raw.decode()


def copy(folder: Path) -> None:
    """
    Write the checkout into a folder, respelled.
    """
    command = [shutil.which("git") or "git", "ls-files"]
    files = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    words = respelled(ROOT / one for one in files if one.startswith(POLICIES))
    for file in files:
        raw = (ROOT / file).read_bytes()
        if file.startswith(KNOWING) and file != "tests/respell.py":
            raw = respell(raw.decode(), file, words).encode()
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(raw)


def main() -> int:
    usual = [
        one.relative_to(ROOT).as_posix()
        for name in USUAL.split()
        for one in ROOT.glob(f"tests/*/test_{name}.py")
    ]
    usual += ["-m", "not slow and not long"]
    with tempfile.TemporaryDirectory() as folder:
        copy(Path(folder))
        tests = [f"--deselect={one}" for one in LEFT_OUT] + (sys.argv[1:] or usual)
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *tests]
        there = {**os.environ, "PYTHONPATH": str(Path(folder) / "src")}
        return subprocess.run(command, cwd=folder, env=there, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
