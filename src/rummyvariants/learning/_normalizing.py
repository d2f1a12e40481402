"""
Observations in a form that networks take: every number from 0 to 1.

An amount becomes its share of the highest, a number without bounds comes near to 0 or 1
as it grows, and a name becomes a 1 in a place of its own.
"""

from __future__ import annotations

import itertools
import math

from collections.abc import Iterator, Sequence
from typing import Any, Final, final

import attrs

from rummyvariants.learning._arrays import numpy
from rummyvariants.learning._fields import (
    Axis,
    Field,
    Measure,
    ObservationError,
    in_a_row,
)


_SHARE: Final = Measure(0, 1)


@final
class Normalizer:
    """
    What makes normalized observations from those in whole numbers.

    Args:
        fields: The fields of the whole numbers.

    Attributes:
        fields: Those of the normalized form.

    Raises:
        ObservationError: If numpy is not installed, or a field is the past as words.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        np = numpy()
        if np is None:
            msg = (
                "normalized observations need numpy: "
                "pip install 'rummyvariants[learning]'"
            )
            raise ObservationError(msg)
        self._np = np
        self._whole = fields[-1].stop
        self.fields = in_a_row([_normalized(field) for field in fields])
        measures = [one for field in fields for one in field.measures]
        targets, strides = _targets(fields, self.fields)
        low, high = (
            np.array([getattr(one, end) for one in measures], np.float32)
            for end in ("low", "high")
        )
        self._factor = 1 / (high - low)
        self._shift = -low * self._factor
        self._open = np.flatnonzero([bool(one.usual) for one in measures])
        self._usual = np.array([measures[at].usual for at in self._open], np.float32)
        signed = low[self._open] < 0
        self._half = np.where(signed, 0.5, 1).astype(np.float32)
        self._middle = np.where(signed, 0.5, 0).astype(np.float32)
        names = [one.names is not None and not one.listed for one in measures]
        self._named = np.flatnonzero(names)
        self._first = np.array([targets[at] for at in self._named], np.intp)
        self._stride = np.array([strides[at] for at in self._named], np.intp)
        plain = [at for at, one in enumerate(measures) if one.names is None]
        self._runs = [*_runs(plain, targets)]
        self._lists = [
            (slice(whole.start, whole.stop), found.start, whole.size)
            for whole, found in zip(fields, self.fields, strict=True)
            if whole.measure.listed
        ]

    def __call__(self, data: bytes) -> bytes:
        """
        Normalize observations.

        Args:
            data: One observation or several in whole numbers, packed.

        Returns:
            The same normalized, packed as 32-bit floats.
        """
        np = self._np
        numbers = np.frombuffer(data, np.int32).reshape(-1, self._whole)
        found = np.zeros((len(numbers), self.fields[-1].stop), np.float32)
        shares = numbers * self._factor
        shares += self._shift
        amounts = numbers[:, self._open].astype(np.float32)
        part = amounts / (np.abs(amounts) + self._usual)
        shares[:, self._open] = part * self._half + self._middle
        for source, target in self._runs:
            found[:, target] = shares[:, source]
        named = numbers[:, self._named]
        rows, columns = np.nonzero(named)
        names = named[rows, columns] - 1
        found[rows, self._first[columns] + names * self._stride[columns]] = 1
        for source, start, room in self._lists:
            rows, places = np.nonzero(numbers[:, source])
            listed = numbers[:, source][rows, places] - 1
            last = np.count_nonzero(numbers[:, source], axis=1)[rows] - 1
            # The last one is 1, those before it less: later ones overwrite.
            found[rows, start + listed] = 1 - (last - places) / room
        return bytes(found.tobytes())


def _normalized(field: Field) -> Field:
    """
    A field with a place for each name, and otherwise as it was.

    Raises:
        ObservationError: If it is the past as words.
    """
    if field.name == "history":
        msg = (
            "the past as words cannot be normalized: observe in the Markov form, and "
            "take the past from `tokens`"
        )
        raise ObservationError(msg)
    axes = list(field.axes)
    at, names = field.measured, field.measure.names
    if at is not None:
        labels = [
            label if one.names is None else f"{label}: {name}"
            for label, one in zip(axes[at].labels, axes[at].measures, strict=True)
            for name in (one.names.labels if one.names else ("",))
        ]
        axes[at] = Axis(axes[at].name, len(labels), tuple(labels))
    elif names is not None:
        axes = [names] if field.measure.listed else [*axes, names]
    return attrs.evolve(field, axes=tuple(axes), measure=_SHARE)


def _targets(
    fields: Sequence[Field], normalized: Sequence[Field]
) -> tuple[list[int], list[int]]:
    """
    By number, where its first place is in a normalized vector, and how far the next is.
    """
    targets: list[int] = []
    strides: list[int] = []
    for field, after in zip(fields, normalized, strict=True):
        at = field.measured
        # The sizes before, along and after the axis whose places differ in width.
        split = len(field.axes) if at is None else at + 1
        rest = math.prod(field.shape[split:])
        before = math.prod(field.shape[: split - (at is not None)])
        measures = (field.measure,) if at is None else field.axes[at].measures
        widths = [one.names.size if one.names else 1 for one in measures]
        starts = [0, *itertools.accumulate(widths)]
        for first, (start, _), last in itertools.product(
            range(before), zip(starts, widths, strict=False), range(rest)
        ):
            targets.append(after.start + (first * starts[-1] + start) * rest + last)
            strides.append(rest)
    return targets, strides


def _runs(places: Sequence[int], targets: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """
    Places that stay side by side, as a slice from where and a slice to where.
    """
    for _, run in itertools.groupby(places, lambda at: targets[at] - at):
        found = list(run)
        first, size = found[0], found[-1] - found[0] + 1
        start = targets[first]
        yield slice(first, first + size), slice(start, start + size)
