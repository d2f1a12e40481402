"""
A shuffle that gives the same order on every Python and platform.

The numbers are the bytes of SHA-256 over a name and a counter, so they depend only on
the name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar


T = TypeVar("T")
SECRET_PLACES: Final = 32
"""How many places for cards put back are in a deal from a seed."""


class Chance:
    """
    A stream of random numbers that depends only on a name.

    Args:
        parts: The parts of the name, such as a seed and a round.
    """

    __slots__ = ("_ahead", "_blocks", "_name")

    def __init__(self, *parts: int | str) -> None:
        self._name = f"rummyvariants/{'/'.join(map(str, parts))}/"
        self._blocks = 0
        # Numbers of the stream that have not been used yet, the next one last.
        self._ahead: list[int] = []

    def below(self, bound: int) -> int:
        """
        A number from 0 to below the bound, each as likely as any other.

        Raises:
            ValueError: If the bound is not positive.
        """
        if bound < 1:
            msg = f"the bound is {bound}, but must be positive"
            raise ValueError(msg)
        # Numbers above the last whole multiple would favour the small ones.
        limit = _RANGE - _RANGE % bound
        while True:
            if not self._ahead:
                self._read(1)
            number = self._ahead.pop()
            if number < limit:
                return number % bound

    def several(self, number: int, bound: int) -> tuple[int, ...]:
        """
        So many numbers, as `below` would give them one by one.
        """
        self._read(number - len(self._ahead))
        return tuple([self.below(bound) for _ in range(number)])

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """
        The items in random order, each order as likely as any other.
        """
        mixed = list(items)
        # All at once: requesting a number takes longer than making it.
        self._read(len(mixed) - 1 - len(self._ahead))
        ahead = self._ahead
        surely = _RANGE - len(mixed)
        for bound in range(len(mixed), 1, -1):
            number = ahead.pop()
            if number >= surely:
                # One that `below` might skip.
                ahead.append(number)
                number = self.below(bound)
                self._read(bound - 2 - len(ahead))
            other = number % bound
            last = bound - 1
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def _read(self, number: int) -> None:
        """
        Read so many more numbers ahead, or up to three more than that.
        """
        import hashlib  # both take long to import, and only shuffles need them
        import struct

        if number < 1:
            return
        blocks = range(self._blocks, self._blocks + (number + 3) // 4)
        self._blocks = blocks.stop
        read = b"".join(
            [hashlib.sha256(f"{self._name}{at}".encode()).digest() for at in blocks]
        )
        found = struct.unpack(f">{len(read) // 8}Q", read)
        self._ahead[:0] = found[::-1]


_RANGE: Final = 1 << 64
