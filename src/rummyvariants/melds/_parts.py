"""
The parts of a multiset: their tree, their list, and wilds of a part put in places.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, final

from rummyvariants.cards import FIELD, UNIT, codes, faces, size
from rummyvariants.melds._choices import DONE, Choice, for_card
from rummyvariants.melds._tree import Known, Node, leaves


PartEnd = Callable[[int], Node]
"""Makes a leaf from a multiset, or a branch."""


def parts(
    bits: int, least: int, most: int, need: int, end: PartEnd, chosen: int = 0
) -> Node:
    """
    The parts of a multiset: one card after another, none lower than the last.

    Least and most count the cards still to come after those chosen. Of the cards of a
    mask one must be used; 0 for none.
    """
    if most <= 0:
        return end(chosen) if not need or chosen & need else None
    options = []
    if least <= 0 and (not need or chosen & need):
        options.append(DONE)
    left, rest = size(bits), bits
    for code in faces(bits):
        if left < least or (need and not (chosen | rest) & need):
            break
        options.append(code)
        copies = rest & FIELD[code]
        left -= copies >> 4 * code
        rest ^= copies
    return _Parts(options, bits, least, most, need, end, chosen).node()


@final
class _Parts(Known):
    """
    The next card of a part, or no more.
    """

    __slots__ = ("_bits", "_chosen", "_end", "_least", "_most", "_need")

    def __init__(
        self,
        options: list[int],
        bits: int,
        least: int,
        most: int,
        need: int,
        end: PartEnd,
        chosen: int,
    ) -> None:
        self.options = options
        self._bits = bits
        self._least = least
        self._most = most
        self._need = need
        self._end = end
        self._chosen = chosen

    def go(self, code: int) -> Node:
        if code == DONE:
            return self._end(self._chosen)
        unit = UNIT[code]
        left = (self._bits >> 4 * code << 4 * code) - unit
        chosen = self._chosen + unit
        return parts(
            left, self._least - 1, self._most - 1, self._need, self._end, chosen
        )

    def name(self, code: int) -> Choice:
        return for_card(code)

    def every(self) -> Iterator[Any]:
        need, chosen = self._need, self._chosen
        for part in sub_multisets(self._bits, self._least, self._most):
            if not need or (chosen | part) & need:
                yield from leaves(self._end(chosen + part))


def sub_multisets(bits: int, least: int = 0, most: int = 99) -> Iterable[int]:
    """
    The parts of a multiset with so many cards, in the order of `parts`.
    """
    held = size(bits)
    if held < least or most < least:
        return ()
    if held <= _FEW:
        return _few_parts(bits, max(least, 0), min(most, held))
    return _some_parts(bits, least, most)


def _some_parts(bits: int, least: int, most: int) -> Iterator[int]:
    if least <= 0:
        yield 0
    if most <= 0:
        return
    for code in faces(bits):
        unit = UNIT[code]
        for part in sub_multisets(bits - unit, least - 1, most - 1):
            yield unit + part
        bits &= ~FIELD[code]


_FEW: Final = 6
"""The most cards whose parts are remembered."""


@functools.lru_cache(maxsize=4_000)
def _few_parts(bits: int, least: int, most: int) -> tuple[int, ...]:
    return tuple(_some_parts(bits, least, most))


def orders_of(pool: int, number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """
    So many wilds out of some, lowest first, and the same as a multiset.
    """
    for part in sub_multisets(pool, number, number):
        yield tuple(codes(part)), part


FEW_WILDS: Final = 10
"""The most wilds for which the ways to take some are remembered."""


@functools.lru_cache(maxsize=1_000)
def few_orders(pool: int, number: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    return tuple(orders_of(pool, number))


def arranged(wilds: Iterable[int], targets: tuple[int, ...]) -> tuple[int, ...] | None:
    """
    Wilds put in as many places in order, the lowest first, none in its own place.

    Returns:
        None if one of them would have to go to its own place.
    """
    left = list(wilds)
    found: list[int] = []
    for at in range(len(targets)):
        after = targets[at + 1 :]
        for code in left:
            if code == targets[at]:
                continue
            rest = list(left)
            rest.remove(code)
            if not any(rest.count(one) == len(rest) for one in after if one in rest):
                found.append(code)
                left = rest
                break
        else:
            return None
    return tuple(found)
