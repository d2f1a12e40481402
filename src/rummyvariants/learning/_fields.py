"""
What an observation consists of: its fields, and the meaning of each number in them.
"""

from __future__ import annotations

import math

from collections.abc import Iterable
from typing import Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants.errors import RummyError


MOST: Final = (1 << 24) - 1
"""The highest number, so that an array of 32-bit floats holds all of them exactly."""


class ObservationError(RummyError, ValueError):
    """
    An observation that cannot be made, or an array that it cannot be written into.
    """


@attrs.frozen(eq=False, repr=False)
class Axis(Value):
    """
    An axis of a field.

    Attributes:
        name: What its places are, such as ``card`` or ``seat``.
        size: How many places there are.
        labels: What each place stands for; empty if they are only counted.

    >>> rv.learning.observation_spec("gin-rummy", 2).fields[0].axes[1]
    Axis(name='seat', size=2, labels=('the observer', '1 to the left'))
    """

    name: str
    size: int
    labels: tuple[str, ...] = ()


def axis(name: str, labels: Iterable[str]) -> Axis:
    """
    An axis with a label for each of its places.
    """
    found = tuple(labels)
    return Axis(name, len(found), found)


@attrs.frozen(eq=False, repr=False)
class Field(Value):
    """
    A part of an observation: an array with a name.

    Attributes:
        name: The name.
        axes: Its axes.
        low: The lowest number that it can hold.
        high: The highest number that it can hold.
        doc: What the numbers mean.
        start: Where it begins in an observation that is one vector.

    >>> field = rv.learning.observation_spec("rummy-500", 2)["hands"]
    >>> field.shape, field.low, field.high
    ((2, 53), 0, 15)
    >>> field.doc
    "The cards known to be in each hand; the observer's own first."
    """

    name: str
    axes: tuple[Axis, ...]
    low: int
    high: int
    doc: str
    start: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """
        The sizes of the axes.
        """
        return tuple([one.size for one in self.axes])

    @property
    def size(self) -> int:
        """
        How many numbers there are.
        """
        return math.prod(self.shape)

    @property
    def stop(self) -> int:
        """
        Where it ends in an observation that is one vector.
        """
        return self.start + self.size


def in_a_row(fields: Iterable[Field]) -> tuple[Field, ...]:
    """
    Fields one after another, those without any number left out.
    """
    found: list[Field] = []
    start = 0
    for field in fields:
        if field.size:
            found.append(attrs.evolve(field, start=start))
            start += field.size
    return tuple(found)
