"""
Packages whose public names are imported when they are first used.
"""

from __future__ import annotations

import sys

from collections.abc import Callable, Mapping
from importlib import import_module
from types import FunctionType
from typing import Any


class NoNameError(AttributeError):
    """
    A name that a package or a class does not have; its text says what to write.

    Python asks for such names often and shows few, so the text is made when it is read.
    """

    def __str__(self) -> str:
        owner, name = self.args
        of_class = isinstance(owner, type)
        what = f"{owner.__name__!r} object" if of_class else f"module {owner!r}"
        found = "" if name.startswith("_") else _guesses().guess(owner, name)
        return f"{what} has no attribute {name!r}{found}"


def _guesses() -> Any:
    return import_module("rummyvariants._support.guesses")


def guessing(kind: type) -> None:
    """
    Let a class say what to write for a name that it does not have.

    It is set from outside: type checkers would believe that the class has every name.
    """

    def missing(self: object, name: str) -> Any:
        raise NoNameError(type(self), name)

    setattr(kind, "__getattr__", missing)  # noqa: B010 -- as above


def offered(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """
    What a package needs to offer names of inner modules.

    Args:
        package: The name of the package.
        homes: By module, below the library, the names that it defines; for a name that
            is itself a module, the module is empty.

    Returns:
        The package's ``__getattr__``, ``__dir__`` and ``__all__``.
    """
    found = {name: home for home, names in homes.items() for name in names.split()}
    names = sorted(found)

    def attribute(name: str) -> Any:
        if name not in found:
            raise NoNameError(package, name)
        if not found[name]:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(f"rummyvariants.{found[name]}"), name)
        if isinstance(value, FunctionType):
            value.__module__ = package  # so that `help` shows where to import it from
        vars(sys.modules[package])[name] = value
        return value

    return attribute, lambda: names, names
