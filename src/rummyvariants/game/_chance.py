"""
A shuffle of our own: the same order on every Python and platform.

The numbers are the bytes of SHA-256 over a name and a counter, so that they depend on
nothing but the name.
"""

from __future__ import annotations

import functools
import itertools

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar


T = TypeVar("T")
PLACES: Final = 32
"""How many places for cards put back a deal from a seed holds."""


class Chance:
    """
    A stream of random numbers that a name alone decides.

    Args:
        parts: What the stream is named by, such as a seed and a round.
    """

    __slots__ = ("_numbers",)

    def __init__(self, *parts: int | str) -> None:
        self._numbers = _numbers("/".join(map(str, parts)))

    def below(self, bound: int) -> int:
        """
        A number from 0 to below the bound, each as likely as any other.

        Raises:
            ValueError: If the bound is not positive.
        """
        if bound < 1:
            msg = f"the bound is {bound}, but has to be positive"
            raise ValueError(msg)
        # Numbers above the last whole multiple would favour the small ones.
        limit = _RANGE - _RANGE % bound
        for number in self._numbers:
            if number < limit:
                return number % bound
        raise AssertionError  # pragma: no cover -- the stream has no end

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """
        The items in random order, each order as likely as any other.
        """
        mixed = list(items)
        numbers = self._numbers
        for last in range(len(mixed) - 1, 0, -1):
            # As `below`, which would be called for every card of every deal.
            bound = last + 1
            limit = _limit(bound)
            number = next(numbers)
            while number >= limit:
                number = next(numbers)
            other = number % bound
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


@functools.cache
def _limit(bound: int) -> int:
    """
    The last whole multiple of a bound.
    """
    return _RANGE - _RANGE % bound


def _numbers(name: str) -> Iterator[int]:
    import hashlib  # both take long to import, and only shuffles need them
    import struct

    for counter in itertools.count():
        block = hashlib.sha256(f"rummyvariants/{name}/{counter}".encode()).digest()
        yield from struct.unpack(">4Q", block)


_RANGE: Final = 1 << 64
