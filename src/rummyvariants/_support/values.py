"""
How frozen values are shown and compared.

The methods that attrs writes for a class are compiled when the class is made, that is,
each time the package is imported. Most classes do without them and share these.
"""

from __future__ import annotations

import functools
import operator

from collections.abc import Callable
from typing import Any

import attrs


class Value:
    """
    Base of attrs classes that have ``eq=False, repr=False`` and are still values.

    Their fields are compared as they are; a class with a field that has its own ``eq``
    needs the methods of attrs.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        kind: Any = type(self)
        shown = ", ".join(
            f"{one.name}={getattr(self, one.name)!r}"
            for one in attrs.fields(kind)
            if one.repr
        )
        return f"{kind.__qualname__.rpartition('>.')[2]}({shown})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(_compared(self) == _compared(other))

    def __hash__(self) -> int:
        return hash((type(self), _compared(self)))


def _compared(one: Any) -> Any:
    """
    The values by which a value is compared.
    """
    return _comparing(one.__class__)(one)


@functools.cache
def _comparing(kind: Any) -> Callable[[Any], Any]:
    """
    A function that returns those values, for all instances of a class.
    """
    names = [one.name for one in attrs.fields(kind) if one.eq]
    return operator.attrgetter(*names) if names else type
