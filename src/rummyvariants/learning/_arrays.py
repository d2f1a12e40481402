"""
Arrays for observations: numpy's where numpy is installed, otherwise nested lists.
"""

from __future__ import annotations

import functools
import math

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rummyvariants._support.words import a
from rummyvariants.errors import shown
from rummyvariants.learning._fields import Field, ObservationError
from rummyvariants.learning._packing import Column, in_rows


NUMBERS: Final = {
    "i": "int32",
    "q": "int64",
    "l": "int64",
    "f": "float32",
    "d": "float64",
}
"""The types of numbers that hold every observation, by their letters in `array`."""


@functools.cache
def numpy() -> Any:
    """
    The module numpy; None if it is not installed.
    """
    try:
        import numpy as np  # noqa: PLC0415 -- it is optional, and slow to import
    except ImportError:
        return None
    return np


def as_vector(data: bytes, letter: str) -> Any:
    """
    Packed numbers, of a type by its letter in `array`, as a new array or as a list.
    """
    np = numpy()
    if np is not None:
        return np.frombuffer(data, letter).copy()
    return array(letter, data).tolist()


def write(
    data: bytes, letter: str, out: Any, shape: tuple[int, ...], types: Mapping[str, str]
) -> None:
    """
    Write an observation into an array of the caller's.

    Args:
        data: Its numbers, packed.
        letter: The letter of their type in `array`.
        out: An array of numpy with one axis, or anything like `array.array` that lies
            in one piece in memory.
        shape: The shape that it should have.
        types: The names of the types that it may have, by their letters.

    Raises:
        ObservationError: If they cannot be written into it.
    """
    wrong = unfit(out, shape, types)
    if wrong:
        msg = f"an observation cannot be written into {wrong}"
        raise ObservationError(msg)
    fill(out, data, letter)


def unfit(out: Any, shape: tuple[int, ...], types: Mapping[str, str]) -> str:
    """
    Why numbers cannot be written into an array of the caller's.

    Args:
        out: An array of numpy, or anything that lies in one piece in memory. What is
            not numpy's may also have a single axis for all numbers.
        shape: The shape that it should have.
        types: The names of the types that it may have, by their letters in `array`.

    Returns:
        What it is, and what would be right; empty if it is fit.
    """
    np = numpy()
    if np is not None and isinstance(out, np.ndarray):
        if out.shape == shape and out.dtype.char in types and out.flags.writeable:
            return ""
        only = "" if out.flags.writeable else "read-only "
        given = f"a {only}numpy array of {out.dtype.name} and of shape {out.shape}"
    else:
        given = _unfit_buffer(out, shape, types)
    names = ", ".join(dict.fromkeys(types.values()))
    return given and f"{given}: give an array of shape {shape} and of {names}"


def _unfit_buffer(out: Any, shape: tuple[int, ...], types: Mapping[str, str]) -> str:
    """
    What something is that is not numpy's and is not fit; empty if it is.
    """
    try:
        view = memoryview(out)
    except TypeError:
        return f"{a(type(out).__name__)}"
    if view.readonly:
        return f"{a(type(out).__name__)}, which is read-only"
    if view.shape not in {shape, (math.prod(shape),)}:
        return f"an array of shape {view.shape}"
    if view.format not in types or not view.c_contiguous:
        return f"an array of the type {view.format!r}"
    return ""


def fill(out: Any, data: bytes | bytearray, letter: str) -> None:
    """
    Write numbers into an array that is not `unfit`.

    Args:
        out: The array.
        data: All of the numbers, packed.
        letter: The letter of their type in `array`.
    """
    np = numpy()
    if np is not None and isinstance(out, np.ndarray):
        out[...] = np.frombuffer(data, letter).reshape(out.shape)
        return
    view = memoryview(out)
    if view.format != letter and view.itemsize > 1:
        data = array(view.format, array(letter, data)).tobytes()
    view.cast("B")[:] = data


def fill_columns(out: Any, columns: Sequence[Column], number: int) -> None:
    """
    Write so many observations into an array that is not `unfit`.
    """
    np = numpy()
    if np is None or not isinstance(out, np.ndarray):
        fill(out, in_rows(columns, number), "i")
        return
    start = 0
    for data, size in columns:
        numbers = np.frombuffer(data, "i" if size > 1 else "B").reshape(number, -1)
        out[:, start : start + numbers.shape[1]] = numbers
        start += numbers.shape[1]


def parts_of(vector: Any, fields: tuple[Field, ...], size: int) -> dict[str, Any]:
    """
    The parts of a vector by the names of the fields, in their shapes.

    Args:
        vector: An array of numpy whose last axis is that of the vectors; or a sequence
            of numbers.
        fields: The fields.
        size: The size of a vector.

    Raises:
        ObservationError: If the vector has another size.
    """
    np = numpy()
    if np is not None and isinstance(vector, np.ndarray):
        before, found = vector.shape[:-1], vector.shape[-1:]
        if found != (size,):
            raise _wrong_size(vector.shape, size)
        return {
            one.name: vector[..., one.start : one.stop].reshape(before + one.shape)
            for one in fields
        }
    if not isinstance(vector, Iterable):
        msg = f"{shown(vector)} is no observation: give a list or an array"
        raise ObservationError(msg)
    numbers = list(vector)
    if len(numbers) != size:
        raise _wrong_size((len(numbers),), size)
    return {
        one.name: _nested(numbers[one.start : one.stop], one.shape) for one in fields
    }


def _nested(numbers: list[Any], shape: tuple[int, ...]) -> list[Any]:
    if len(shape) == 1:
        return numbers
    step = math.prod(shape[1:])
    return [
        _nested(numbers[at : at + step], shape[1:])
        for at in range(0, len(numbers), step)
    ]


def _wrong_size(shape: tuple[int, ...], size: int) -> ObservationError:
    return ObservationError(
        f"an observation is a vector of {size} numbers, not of shape {shape}"
    )
