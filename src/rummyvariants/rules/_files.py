"""
Rules files: a preset, with the options and single values that a table plays by.
"""

from __future__ import annotations

import os

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from rummyvariants._support import toml
from rummyvariants._support.arguments import explained
from rummyvariants._support.limits import ONE_LINE, as_line, excesses, is_line
from rummyvariants._support.words import listed
from rummyvariants.errors import RulesError, nearest, shown
from rummyvariants.rules._modules import not_imported, read_modules
from rummyvariants.rules._ruleset import Ruleset, build, preset, shared
from rummyvariants.rules._variants import (
    SECTIONS,
    Option,
    no_preset,
    presets,
    values_called,
)
from rummyvariants.rulings import Rule


_HEADING: Final = frozenset(
    {"name", "title", "extends", "with", "notes", "modules", "source", "version"}
)
_FACTS: Final = "rule"
"""The key of the numbered rules of a game, which its values cite."""


@explained
def read_rules(
    given: object,
    where: str = "",
    lines: Mapping[str, int] | None = None,
    *,
    modules: bool = False,
    folder: str | os.PathLike[str] | None = None,
) -> Ruleset:
    """
    A ruleset from the ``rules`` entry of a file: a name or a table.

    Args:
        given: The name of a preset, or a table with ``extends``, ``with`` and policy
            values.
        where: The file's name for error messages.
        lines: The lines of the file on which policy values stand, by their names.
        modules: Whether to import the ``modules`` that the table names; see
            `load_rules`.
        folder: Where they are looked for before installed ones. By default only
            installed ones are found.

    Raises:
        RulesError: With all problems found.

    >>> ours = {"extends": "rummy-500", "match": {"target": 300}}
    >>> rv.rules.read_rules(ours).match.target
    300
    """
    if isinstance(given, str):
        if given.endswith(".toml"):
            msg = (
                f"rules: {given!r} is a file: write what it holds below [rules], or "
                "read it with `load_rules`"
            )
            raise RulesError(msg, where=where)
        try:
            return preset(given)
        except RulesError as error:
            raise RulesError(error.problems, where=where) from None
    problems = [
        f"{path}: {message}" if path else message for path, message in excesses(given)
    ]
    if problems:
        raise RulesError(problems, where=where)
    if not isinstance(given, Mapping):
        msg = f"rules are the name of a preset or a table, not {given!r}"
        raise RulesError(msg, where=where)
    named = given.get("modules", [])
    read_modules(named, where, folder, imports=modules)
    base = given.get("extends")
    if base is None:
        problems.append(
            "'extends' is missing: name the preset that the rules build on; "
            "`rummyvariants presets` lists them"
        )
    elif base not in presets():
        problems.append(f"extends: {no_preset(base)}")
    chosen = given.get("with", [])
    if isinstance(chosen, str):
        chosen = [chosen]
    if not isinstance(chosen, list) or not all(isinstance(one, str) for one in chosen):
        problems.append(
            "with: give a list of options, such as ['PGV-P4', 'PGV-E5=2500']"
        )
        chosen = []
    by = as_line(Path(where).name if lines else str(given.get("name") or ""))
    by = by or "the rules table"
    changes = _changes(given, by, lines or {}, problems)
    for key in ("name", "title", "source", "notes"):
        text = given.get(key, "")
        if not isinstance(text, str):
            problems.append(f"{key}: give a text, not {text!r}")
        elif key != "notes" and not is_line(text):
            problems.append(f"{key}: {ONE_LINE}")
    ids: tuple[str, ...] = ()
    rules = None
    try:
        rules = build(
            next(filter(_is_preset, (base, *given.values(), *presets()))),
            chosen,
            changes,
            name=str(given.get("name") or ""),
            title=str(given.get("title") or ""),
        )
    except RulesError as error:
        problems += error.problems
        ids = error.rules
    if problems or rules is None:
        if named and not modules:
            problems.append(not_imported(named))
        raise RulesError(dict.fromkeys(problems), ids, where=where)
    if where:
        files = tuple((one, where) for one in rules.options)
        rules = shared(attrs.evolve(rules, files=files))
    return rules


def _is_preset(given: object) -> bool:
    return isinstance(given, str) and given in presets()


def _changes(
    given: Mapping[str, Any],
    by: str,
    lines: Mapping[str, int],
    problems: list[str],
) -> list[tuple[str, Any]]:
    """
    The single policy values of a rules table; what is wrong with them is noted.
    """
    changes: list[tuple[str, Any]] = []
    known = {*_HEADING, _FACTS, *SECTIONS}
    for key, section in given.items():
        if key in _HEADING:
            continue
        if key == _FACTS:
            problems += _wrong_facts(section)
            continue
        if key not in SECTIONS:
            hint = nearest(key, known, len(problems))
            if values := values_called(key):
                sections = [f"[{one.partition('.')[0]}]" for one in values]
                hint = f"; write it in the section {listed(sections, 'or')}"
            elif _is_preset(section):
                hint = "; did you mean 'extends'?"
            problems.append(f"there is no key {key!r}{hint}")
        elif not isinstance(section, Mapping):
            problems.append(f"{key} is a section: write [{key}] and values below it")
        else:
            for name, value in section.items():
                path = f"{key}.{name}"
                set_by = f"{by}, line {lines[path]}" if path in lines else by
                for one, rule in _entries(value):
                    cited = rule if isinstance(rule, str) and is_line(rule) else None
                    if cited is None and rule is not None:
                        problems.append(f"{path}: rule: {ONE_LINE}")
                    changes.append((path, (one, cited, set_by)))
    return changes


def _wrong_facts(given: object) -> Iterator[str]:
    """
    What is wrong with the numbered rules of a file.
    """
    facts = given if isinstance(given, list) else [given]
    known = {one.name for cls in (Rule, Option) for one in attrs.fields(cls)}
    for at, fact in enumerate(facts, 1):
        if not isinstance(fact, Mapping):
            yield f"rule: write [[rule]] and below it id, title and text, not {fact!r}"
            continue
        called = fact.get("id", f"number {at}")
        for key in fact:
            if key not in known:
                yield f"rule {called}: there is no key {key!r}{nearest(key, known)}"
        for key in ("id", "title", "text"):
            if not (isinstance(fact.get(key), str) and fact[key].strip()):
                yield f"rule {called}: give a text as {key!r}"


def _entries(given: Any) -> list[tuple[Any, Any]]:
    """
    What a file says of a policy value, as values each with the rule to cite.

    A record of a game whose rules were changed step by step has a list of them.
    """
    keys = {"value"}, {"value", "rule"}
    if isinstance(given, Mapping) and set(given) == keys[1]:
        return [(given["value"], given["rule"])]
    if isinstance(given, list) and given:
        if all(isinstance(one, Mapping) and set(one) in keys for one in given):
            return [(one["value"], one.get("rule")) for one in given]
    return [(given, None)]


@explained
def load_rules(path: str | os.PathLike[str], *, modules: bool = False) -> Ruleset:
    """
    Read the rules of a house-rules file.

    Args:
        path: A TOML file with ``extends``, ``with`` and single policy values.
        modules: Whether to import the ``modules`` that the file names, from its folder
            or else from those installed. That runs their code, so a program that loads
            files of strangers must not ask for it. Otherwise the rules of the modules
            are known only if the program has imported them.

    Raises:
        RulesError: If the file cannot be read, a module cannot be imported or the rules
            are impossible; with all problems found, and the line if it is not TOML.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "ours.toml")
    ...     _ = path.write_text('extends = "rummy-500"')
    ...     rv.load_rules(path).match.target
    500
    """
    file = Path(path)
    try:
        source = file.read_text(encoding="utf-8")
        given = toml.read(source)
    except OSError as error:
        msg = f"cannot be read: {error.strerror or error}"
        if isinstance(error, FileNotFoundError):
            games = "`rummyvariants presets` lists the games that need no file"
            msg += nearest(file.stem, presets(), listed=games)
        raise RulesError(msg, where=str(path)) from None
    except UnicodeDecodeError:
        msg = "is not a UTF-8 text file"
        raise RulesError(msg, where=str(path)) from None
    except ValueError as error:
        raise RulesError(str(error), where=str(path)) from None
    wrapped = set(given) == {"rules"}
    given = given["rules"] if wrapped else given
    lines = {
        name.removeprefix("rules.") if wrapped else name: line
        for name, line in toml.lines(source).items()
    }
    rules = read_rules(
        given, where=str(path), lines=lines, modules=modules, folder=file.parent
    )
    if "name" in given:
        return rules
    return shared(attrs.evolve(rules, name=as_line(file.stem)))


def rules_at(name: str | os.PathLike[str], *, modules: bool = False) -> Ruleset:
    """
    The rules of a preset or of a house-rules file.

    Args:
        name: The name of a preset, or the path of a file. A path that is a text ends in
            ``.toml``, names a folder, or exists.
        modules: As for `load_rules`.

    Raises:
        RulesError: If there is no such preset, or the file does not hold rules.
    """
    path = Path(name)
    if isinstance(name, str) and (
        name in presets()
        or not (path.suffix == ".toml" or path.name != name or os.path.lexists(path))
    ):
        return preset(name)
    return load_rules(path, modules=modules)


def rules_of(given: object) -> Ruleset:
    """
    The same rules, or those that are named as for `rules_at`.

    Raises:
        RulesError: If it is neither rules nor a name nor a path, and as for `rules_at`.
    """
    if isinstance(given, Ruleset):
        return given
    if not isinstance(given, str | os.PathLike):
        msg = (
            f"{shown(given)} are no rules: give the name of a preset, the path of a "
            "file of rules, or a ruleset"
        )
        raise RulesError(msg)
    return rules_at(given)
