"""
Modules that register rules: named by a rules file, or for a command.
"""

from __future__ import annotations

import importlib
import os
import traceback

from collections.abc import Iterable, Iterator
from pathlib import Path

from rummyvariants._support.modules import beside, file_of, given_as, home
from rummyvariants._support.words import listed
from rummyvariants.errors import RulesError, nearest, shown
from rummyvariants.house.rules import known_rules
from rummyvariants.rules._ruleset import Ruleset
from rummyvariants.rules._variants import SECTIONS


def read_modules(
    given: object,
    where: str,
    folder: str | os.PathLike[str] | None,
    *,
    imports: bool,
) -> None:
    """
    Read the ``modules`` of a rules file.

    Args:
        given: What it gives as their names.
        where: Its name for error messages.
        folder: The folder in which they are looked for first; None for none.
        imports: Whether to import them, which runs their code.

    Raises:
        RulesError: If they are no names, or one cannot be imported or registers no
            rule.
    """
    problems = [*_wrong_names(given)]
    if imports and isinstance(given, list) and not problems:
        place = None if folder is None else Path(folder)
        problems = [*filter(None, (import_failed(one, place) for one in given))]
    if problems:
        raise RulesError([f"modules: {one}" for one in problems], where=where)


def _wrong_names(given: object) -> Iterator[str]:
    if not isinstance(given, list):
        yield f"give a list of names, such as ['our_rules'], not {shown(given)}"
        return
    for one in given:
        parts = one.split(".") if isinstance(one, str) else [""]
        if not all(part.isidentifier() for part in parts):
            yield (
                f"{shown(one)} is not the name of a module: write 'our_rules' for "
                "our_rules.py in the same folder"
            )


def not_imported(names: Iterable[str]) -> str:
    """
    What may be wrong with rules whose modules were not imported.
    """
    return (
        f"modules: {listed(names)} may have to be imported first: that runs code, so "
        "it has to be asked for, as in load_rules(path, modules=True)"
    )


def import_failed(name: str, folder: Path | None, *, installed: bool = True) -> str:
    """
    Import a module of rules, which runs its code.

    Args:
        name: Its name.
        folder: The folder in which it is looked for first; None for none.
        installed: Whether it is then looked for among the installed modules.

    Returns:
        Why that failed; empty if it has registered a rule.
    """
    found = beside(name, folder) if folder is not None else None
    if found is None:
        if not installed:
            return _missing(name, folder, installed=False)
        found = name
    try:
        module = importlib.import_module(found)
    except (Exception, SystemExit) as error:  # noqa: BLE001 -- code of the user's
        looked_for = getattr(error, "name", None)
        if isinstance(error, ModuleNotFoundError) and f"{found}.".startswith(
            f"{looked_for}."
        ):
            return _missing(name, folder, installed=installed)
        said = " ".join(traceback.format_exception_only(error)[-1].split())
        return f"{name!r} cannot be imported: {_place(error)}{said}"
    file = file_of(module.__name__)
    inside = file.removesuffix("__init__.py")
    named = {id(one) for one in vars(module).values()}
    known = known_rules()
    if any(home(one).startswith(inside) or id(one) in named for one in known):
        return ""
    return (
        f"{name!r} registers no rule: put @rv.house.register_rule(section, name) "
        f"above a class of {file}"
    )


def _missing(name: str, folder: Path | None, *, installed: bool) -> str:
    if folder is None:
        return (
            f"there is no module {name!r} among those installed, and a text lies in no "
            "folder in which to look"
        )
    here = [one.stem for one in folder.glob("*.py")]
    here += [one.parent.name for one in folder.glob("*/__init__.py")]
    near = nearest(name, here) if here else ""
    nor = ", nor is it installed" if installed else ""
    where = os.path.realpath(folder)
    return f"there is no module {name!r}: it is not in {where}{nor}{near}"


def _place(error: BaseException) -> str:
    """
    The file and the line of a module at which its import failed.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}: "
    for one in traceback.extract_tb(error.__traceback__):
        if one.name == "<module>":
            return f"{one.filename}, line {one.lineno}: "
    return ""


def modules_of(rules: Ruleset) -> list[str]:
    """
    The modules of the house rules and policies in force that are not the library's.

    Returns:
        Each as a command takes it.
    """
    kinds = [type(rule) for _, rule in rules.house]
    kinds += [type(getattr(rules, section)) for section in SECTIONS]
    theirs = (one for one in kinds if not one.__module__.startswith("rummyvariants."))
    return [*dict.fromkeys(map(given_as, theirs))]
