"""
What makes a compiled class known to attrs.

A wheel with compiled modules includes this module, and those modules import it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs


_One = TypeVar("_One")
field: Any = attrs.field


def evolve(one: _One, **changes: Any) -> _One:
    """
    Like `attrs.evolve`, which accepts only attrs classes.
    """
    value: Any = one
    changed: _One = attrs.evolve(value, **changes)
    return changed


class _Fields:
    """
    The fields of a class, made when attrs asks for them.
    """

    def __init__(self, kind: Any, declared: Callable[[], dict[str, Any]]) -> None:
        self.kind = kind
        self.declared = declared

    def __get__(self, one: object, kind: object) -> Any:
        bare: Any = {"init": False, "repr": False, "eq": False}
        twin: Any = attrs.make_class(self.kind.__name__, self.declared(), **bare)
        self.kind.__attrs_attrs__ = found = attrs.fields(twin)
        return found


def describe(
    kind: Any,
    doc: str | None,
    types: dict[str, str],
    given: tuple[str, ...],
    declared: Callable[[], dict[str, Any]],
) -> None:
    """
    Give a class the attributes that attrs and Python look up in it.

    Args:
        kind: The class.
        doc: Its docstring.
        types: The types of its fields, as their source names them.
        given: The fields that are arguments of its ``__init__``.
        declared: A function that returns its fields, as for `attrs.make_class`.
    """
    found = {
        "__doc__": doc,
        "__annotations__": types,
        "__match_args__": given,
        "__attrs_attrs__": _Fields(kind, declared),
    }
    for name, value in found.items():
        setattr(kind, name, value)
