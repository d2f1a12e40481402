"""
Rulesets as documents: how each is built, and where each of its values came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from rummyvariants._support.limits import ONE_LINE, is_line
from rummyvariants.errors import RulesError, nearest
from rummyvariants.files._problems import Problems
from rummyvariants.files.json._problems import JsonError
from rummyvariants.files.json._shapes import (
    RulesetDocument,
    RuleValue,
    ValueChange,
    ValueOrigin,
)
from rummyvariants.policies.house import HouseRule, rule_spelled
from rummyvariants.rules._ruleset import Ruleset, build, shared
from rummyvariants.rules._variants import no_preset, presets


NOT_EXACT = (
    "they cannot be written exactly: a rule has to be registered, and named in them"
)


def ruleset_document(rules: Ruleset) -> RulesetDocument:
    """
    The document of a ruleset.

    Raises:
        JsonError: If the rules read from it would be different.
    """
    document = _document(rules)
    try:
        same = _built(document) == rules
    except RulesError:
        same = False
    if not same:
        raise JsonError([("changes", NOT_EXACT)])
    return document


def _document(rules: Ruleset) -> RulesetDocument:
    values = rules.values()
    return RulesetDocument(
        name=rules.name,
        title=rules.title,
        preset=rules.base,
        version=rules.version,
        source=rules.source,
        options=rules.options,
        option_files=dict(rules.files),
        changes=tuple(
            ValueChange(name=path, value=plain(value), rule=rule, set_by=set_by)
            for path, (value, rule, set_by) in rules.changes
        ),
        values={
            path: RuleValue(value=plain(value), rule=origin.rule, set_by=origin.set_by)
            for path, value in values.items()
            for origin in [rules.origin(path)]
        },
        parts={
            path: ValueOrigin(rule=one.rule, set_by=one.set_by)
            for path, one in rules.origins.items()
            if path not in values
        },
    )


def ruleset_of(given: RulesetDocument) -> Ruleset:
    """
    The ruleset that a document describes.

    Raises:
        JsonError: With every problem, if there is no such ruleset in this version of
            the library.
    """
    problems = Problems(JsonError)
    if given.preset not in presets():
        problems.add("preset", no_preset(given.preset))
    for key in ("name", "title"):
        if not is_line(getattr(given, key)):
            problems.add(key, ONE_LINE)
    for at, one in enumerate(given.changes):
        for key in ("rule", "set_by"):
            text = getattr(one, key)
            if text is not None and not (text and is_line(text)):
                problems.add(f"changes[{at}].{key}", ONE_LINE)
    problems.done()
    try:
        rules = _built(given)
    except RulesError as error:
        raise JsonError([("", one) for one in error.problems], error.rules) from None
    if given.version != rules.version:
        message = (
            f"this library has version {rules.version} of {given.preset}, which may "
            f"play differently from version {given.version}"
        )
        problems.add("version", message)
        problems.done()
    _compare(problems, given, _document(rules))
    problems.done()
    return rules


def _built(given: RulesetDocument) -> Ruleset:
    rules = build(
        given.preset,
        given.options,
        [(one.name, (one.value, one.rule, one.set_by)) for one in given.changes],
        name=given.name,
        title=given.title,
    )
    return shared(attrs.evolve(rules, files=tuple(given.option_files.items())))


def _compare(problems: Problems, given: RulesetDocument, true: RulesetDocument) -> None:
    """
    Note what does not follow from the preset, the options and the changes.
    """
    for key in ("source", "options"):
        said, found = getattr(given, key), getattr(true, key)
        if said != found:
            problems.add(key, _differs(said, found))
    for key in ("values", "parts"):
        here, there = getattr(given, key), getattr(true, key)
        for name in dict.fromkeys((*here, *there)):
            if name not in there:
                hint = nearest(name, there, len(problems.found))
                problems.add(f"{key}.{name}", f"there is no such value{hint}")
            elif name not in here:
                problems.add(f"{key}.{name}", "is missing")
            elif here[name] != there[name]:
                for field in attrs.fields(type(there[name])):
                    said = getattr(here[name], field.name)
                    found = getattr(there[name], field.name)
                    if said != found:
                        path = f"{key}.{name}.{field.name}"
                        problems.add(path, _differs(said, found))


def _differs(said: object, true: object) -> str:
    return f"{said!r} does not agree with the rest, which gives {true!r}"


def plain(given: Any) -> Any:
    """
    A value of a rules table in the types that JSON has.
    """
    match given:
        case Mapping():
            return {str(name): plain(one) for name, one in given.items()}
        case HouseRule():
            return plain(rule_spelled(given))
        case tuple() if given and all(
            isinstance(one, tuple) and len(one) == 2 for one in given
        ):
            return {str(name): plain(one) for name, one in given}
        case tuple() | list() | set() | frozenset():
            return [plain(one) for one in given]
        case bool() | int() | str() | None:
            return given
        case _:
            return str(given)
