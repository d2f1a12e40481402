"""
What an observation consists of: its fields, and the meaning of each number in them.
"""

from __future__ import annotations

import math

from collections.abc import Iterable, Mapping
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
class Measure(Value):
    """
    What a number of an observation can be.

    Attributes:
        low: The lowest number.
        high: The highest number.
        usual: A usual size, for a number without bounds of its own; 0 for others.
        names: The axis of what the numbers from 1 name, where they name something; 0
            is then none.
        listed: Whether the numbers of a field are a list of such names, oldest first.

    >>> rv.learning.observation_spec("gin-rummy", 2)["seats"].measures[0]
    Measure(low=0, high=1, usual=0, names=None, listed=False)
    """

    low: int
    high: int
    usual: int = 0
    names: Axis | None = None
    listed: bool = False


@attrs.frozen(eq=False, repr=False)
class Axis(Value):
    """
    An axis of a field.

    Attributes:
        name: What its places are, such as ``card`` or ``seat``.
        size: How many places there are.
        labels: What each place stands for; empty if they are only counted.
        measures: What a number of each place can be, where places differ in that.

    >>> rv.learning.observation_spec("gin-rummy", 2).fields[0].axes[1]
    Axis(name='seat', size=2, labels=('the observer', '1 to the left'))
    """

    name: str
    size: int
    labels: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = attrs.field(default=(), repr=False)


def axis(
    name: str, labels: Iterable[str], measures: Mapping[str, Measure] | None = None
) -> Axis:
    """
    An axis with a label for each of its places, perhaps with what is measured there.
    """
    found = tuple(labels)
    measured = tuple([measures[one] for one in found]) if measures else ()
    return Axis(name, len(found), found, measured)


def named(names: Axis, *, listed: bool = False) -> Measure:
    """
    The measure of numbers that name something.
    """
    return Measure(0, names.size, names=names, listed=listed)


@attrs.frozen(eq=False, repr=False)
class Field(Value):
    """
    A part of an observation: an array with a name.

    Attributes:
        name: The name.
        axes: Its axes.
        measure: What a number of it can be, unless an axis says so of each place.
        doc: What the numbers mean.
        start: Where it begins in an observation that is one vector.

    >>> field = rv.learning.observation_spec("rummy-500", 2)["hands"]
    >>> field.shape, field.low, field.high
    ((2, 53), 0, 2)
    >>> field.doc
    "The cards known to be in each hand; the observer's own first."
    """

    name: str
    axes: tuple[Axis, ...]
    measure: Measure = attrs.field(repr=False)
    doc: str
    start: int = 0

    @property
    def measured(self) -> int | None:
        """
        The place among the axes of the one whose places differ in what they measure.
        """
        return next((at for at, one in enumerate(self.axes) if one.measures), None)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """
        What each number can be, in their order in a vector.
        """
        at = self.measured
        if at is None:
            return (self.measure,) * self.size
        after = math.prod(self.shape[at + 1 :])
        before = math.prod(self.shape[:at])
        return before * tuple(
            [one for one in self.axes[at].measures for _ in range(after)]
        )

    @property
    def low(self) -> int:
        """
        The lowest number that it can hold.
        """
        return min(one.low for one in self.measures)

    @property
    def high(self) -> int:
        """
        The highest number that it can hold.
        """
        return max(one.high for one in self.measures)

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
