"""
Packages whose public names are imported when they are first used.
"""

from __future__ import annotations

import sys

from collections.abc import Callable, Mapping
from importlib import import_module
from types import FunctionType
from typing import Any


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
            msg = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(msg)
        if not found[name]:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(f"rummyvariants.{found[name]}"), name)
        if isinstance(value, FunctionType):
            value.__module__ = package  # so that `help` shows where to import it from
        vars(sys.modules[package])[name] = value
        return value

    return attribute, lambda: names, names
