"""
How frozen values are shown and compared, and dictionaries that stay as they are.

The methods that attrs writes for a class are compiled when the class is made, that is,
each time the package is imported. Most classes do without them and share these.
"""

from __future__ import annotations

import functools
import operator

from collections.abc import Callable
from typing import Any, TypeVar

import attrs


K = TypeVar("K")
V = TypeVar("V")


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


class Fixed(dict[K, V]):
    """
    A dictionary that nobody changes; it can be copied and pickled.
    """

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> Any:
        msg = "this table cannot be changed: dict(...) makes one of your own of it"
        raise TypeError(msg)

    __setitem__: Any = _refuse
    __delitem__: Any = _refuse
    __ior__: Any = _refuse
    clear: Any = _refuse
    pop: Any = _refuse
    popitem: Any = _refuse
    setdefault: Any = _refuse
    update: Any = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return Fixed, (dict(self),)


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
