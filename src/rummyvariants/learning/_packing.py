"""
Numbers as the bytes of an array, remembered where the same ones come again.
"""

from __future__ import annotations

import functools
import itertools
import operator
import sys

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar, final

from rummyvariants.cards import (
    CODES,
    FIELD,
    GUARDS,
    JOKER,
    codes,
    count,
    differences,
    show,
)
from rummyvariants.learning._fields import MOST, ObservationError


Key = TypeVar("Key")
Value = TypeVar("Value")

BYTES: Final = 4
"""How many bytes a number takes."""
_WIDTH: Final = 264
"""How many bits a multiset takes, in whole bytes."""
_WITH_STARS: Final = 4 * CODES
"""The same where the deck has stars."""
_DIGITS: Final = bytes.maketrans(b"0123456789abcde", bytes(range(15)))
_NO_FACE: Final = b"f"
"""The digit of a code that no card of the deck has."""
KEPT_AT_MOST: Final = 4_096
"""How many results of one kind are remembered before they are forgotten."""


def packed(numbers: Iterable[int]) -> bytes:
    """
    Numbers that are known to be small, as bytes.
    """
    return array("i", numbers).tobytes()


def bounded(numbers: Iterable[int], what: str) -> bytes:
    """
    Numbers of any size, as bytes.

    Args:
        numbers: The numbers.
        what: What they are, in words.

    Raises:
        ObservationError: If one is out of bounds.
    """
    found = [*numbers]
    for one in found:
        if abs(one) > MOST:
            msg = f"{one} of {what} is too much: an observation holds {MOST} at most"
            raise ObservationError(msg)
    return packed(found)


def zeros(number: int) -> bytes:
    """
    So many zeros, as bytes.
    """
    return bytes(BYTES * number)


@final
class Kept:
    """
    What follows from some objects and a seat, remembered by the objects' identities.

    Args:
        make: What follows, given the seat and the objects.

    Attributes:
        found: By the seat and the ids of the objects, the objects and what follows.
            Who looks there before a call saves the call.
    """

    __slots__ = ("_make", "found")

    def __init__(self, make: Callable[..., bytes]) -> None:
        self._make = make
        self.found: dict[Any, tuple[tuple[Any, ...], bytes]] = {}

    def __call__(self, seat: int, *things: object) -> tuple[tuple[Any, ...], bytes]:
        key = (seat, *map(id, things))
        found = self.found.get(key)
        # An entry keeps its objects, so that no others get the same ids meanwhile.
        if found is None:
            found = things, self._make(seat, *things)
            if len(self.found) >= KEPT_AT_MOST:
                self.found.clear()
            self.found[key] = found
        return found


class Memo(dict[Key, Value]):
    """
    What follows from a value, remembered by the value.

    Args:
        make: What follows, given the value.
    """

    def __init__(self, make: Callable[[Key], Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Key) -> Value:
        if len(self) >= KEPT_AT_MOST:
            self.clear()
        found = self[key] = self._make(key)
        return found


Column = tuple[bytes, int]
"""
Some numbers of several observations, one observation after another.

As bytes, and how many of them each number takes: one or `BYTES`.
"""


def in_rows(columns: Sequence[Column], number: int) -> bytes:
    """
    So many observations as bytes, one after another.
    """
    wide = [data if size > 1 else widened(data) for data, size in columns]
    if number == 1:
        return b"".join(wide)
    lengths = [len(data) // number for data in wide]
    return b"".join(
        [
            data[at * length : (at + 1) * length]
            for at in range(number)
            for data, length in zip(wide, lengths, strict=True)
        ]
    )


def widened(small: bytes) -> bytes:
    """
    The numbers from 0 to 255 that some bytes are, each with as many bytes as any.
    """
    return small.decode("latin-1").encode(_WIDE)


_WIDE: Final = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
"""A letter in this form has `BYTES` bytes, which are the number of the letter."""


@final
class CardRows(Memo[int, bytes]):
    """
    How often a multiset holds each face of a deck, by the multiset.

    Args:
        faces: The codes of the faces, lowest first.
    """

    def __init__(self, faces: Sequence[int]) -> None:
        super().__init__(self._row)
        self._faces = tuple(faces)
        width = _WITH_STARS if max(faces) > JOKER else _WIDTH
        every = (1 << width) - 1
        self._others = every ^ sum([FIELD[code] for code in faces])
        self._strange = self._others | ~every
        self._bytes = width // 8

    def _row(self, bits: int) -> bytes:
        return widened(self.of((bits,)))

    def of(self, multisets: Sequence[int]) -> bytes:
        """
        The rows of several multisets, one after another; they are not remembered.

        Returns:
            The numbers, each as a byte.
        """
        others, size = self._others, self._bytes
        if functools.reduce(operator.or_, multisets) & self._strange:
            found = [code for one in multisets for code in codes(one & self._strange)]
            msg = f"the deck of the observed game has no {show(found)}"
            raise ObservationError(msg)
        marked = [(one | others).to_bytes(size, "big") for one in reversed(multisets)]
        digits = b"".join(marked).hex().encode()
        numbers = digits.translate(_DIGITS, _NO_FACE)[::-1]
        if len(numbers) < len(multisets) * len(self._faces):
            # Fifteen jokers are written like a code that no card of the deck has.
            each = [[count(one, code) for code in self._faces] for one in multisets]
            numbers = bytes(itertools.chain.from_iterable(each))
        return numbers

    def difference(self, bits: int) -> bytes:
        """
        The same of a difference of two multisets, in which numbers may be negative.
        """
        if bits >= 0 and not bits & GUARDS:
            return self[bits]
        found = dict(differences(bits))
        return packed([found.get(code, 0) for code in self._faces])


# ------------------------------------------------------------------ values of any kind


_NUMBER, _NOTHING, _TEXT, _SEVERAL, _SUMMARY = range(1, 6)


def folded(value: object, width: int) -> bytes:
    """
    A value that a rule remembers, as so many numbers.

    It is spelled: 1 and a number; 2 for nothing; 3, the length and the letters of a
    text; 4, the length and the parts of a tuple. A value that is too long is 5 and its
    `summary`.
    """
    numbers = [*_spelled(value)]
    if len(numbers) > width or not all(-MOST <= one <= MOST for one in numbers):
        numbers = [_SUMMARY, *summary(value)]
    return packed(numbers) + zeros(width - len(numbers))


def _spelled(value: Any) -> Iterator[int]:
    if value is None:
        yield _NOTHING
    elif isinstance(value, str):
        yield from (_TEXT, len(value), *map(ord, value))
    elif isinstance(value, tuple):
        yield from (_SEVERAL, len(value))
        for one in value:
            yield from _spelled(one)
    else:
        # Values that are equal are spelled alike, so true is one.
        yield from (_NUMBER, operator.index(value))


SUMMARY: Final = 8
"""How many numbers a summary has."""


def summary(value: object) -> tuple[int, ...]:
    """
    Eight numbers below 65,536 that differ for different values, as good as certainly.

    They are the first 128 bits of the SHA-256 of what the value is spelled as.
    """
    import hashlib  # noqa: PLC0415 -- few games need it

    text = " ".join(map(str, _spelled(value)))
    found = hashlib.sha256(text.encode()).digest()
    return tuple(
        [int.from_bytes(found[at : at + 2], "big") for at in range(0, 2 * SUMMARY, 2)]
    )
