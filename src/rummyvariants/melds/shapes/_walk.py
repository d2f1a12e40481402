"""
The tree of plays: what is chosen step by step until one of them is left.

At each step lots of plays are told apart by the first thing in which they differ. What
a play is worth asking about is found without listing it: parts are looked at, and the
choices of wilds, but not their products.
"""

from __future__ import annotations

import bisect
import itertools

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, final

from rummyvariants.melds._choices import (
    DONE,
    GROW,
    Choice,
    for_beside,
    for_card,
    for_high,
    for_low,
    for_place,
    for_shape,
    for_suits,
)
from rummyvariants.melds._tree import Known, Node
from rummyvariants.melds.shapes._filling import DIGIT
from rummyvariants.melds.shapes._numbers import (
    HELD,
    HELD_MASK,
    HOLES_MASK,
    JOKERS,
    RUN,
    SUBSETS,
    WHICH,
    WHICH_MASK,
    WILDS,
)
from rummyvariants.melds.shapes._shapes import Lot, Shapes
from rummyvariants.melds.shapes._tables import suit_rows
from rummyvariants.melds.shapes._track import RUN_CODES, codes_along


LeafMaker = Callable[[int], Node]
"""Makes a leaf of the number of a play; None if the play is refused."""
Group = tuple[Choice, list[Lot]]
_WIDE: Final = frozenset({"shape", "suits", "low", "high"})
"""The kinds of choices of which each branch is searched separately."""


@final
class Plays(Known):
    """
    A fork at which plays differ, told apart only where somebody chooses.

    Args:
        shapes: The shapes of the deal.
        lots: The plays.
        leaf: What makes a leaf.
        sure: Plays of fewer cards than this are leaves for sure.
        first: Whether the shape is chosen here even if there is just one.
    """

    __slots__ = ("_first", "_leaf", "_lots", "_shapes", "_sure")

    def __init__(
        self,
        shapes: Shapes,
        lots: Sequence[Lot],
        leaf: LeafMaker,
        sure: int,
        *,
        first: bool,
    ) -> None:
        self._options = None
        self._shapes = shapes
        self._lots = lots
        self._leaf = leaf
        self._sure = sure
        self._first = first

    def grow(self) -> list[Group]:
        return (_shape if self._first else _step)(self._shapes, self._lots)

    @property
    def wide(self) -> bool:
        return self.options[0][0].kind in _WIDE

    def go(self, option: Group) -> Node:
        return grown(self._shapes, option[1], self._leaf, self._sure)

    def name(self, option: Group) -> Choice:
        return option[0]

    def every(self) -> Iterator[Any]:
        leaf = self._leaf
        for part, wilds in self._shapes.blocks(self._lots):
            for one in wilds:
                found = leaf(part + one)
                if found is not None:
                    yield found

    def listed(self) -> Sequence[Any] | None:
        sure = self._sure
        if not sure or max([lot.most for lot in self._lots]) >= sure:
            return None
        return Numbered(self._shapes.blocks(self._lots), self._leaf)


@final
class Numbered(Sequence[Any]):
    """
    Leaves of plays by their numbers, each made when it is looked at.

    Args:
        plays: The plays, as parts with the wilds of each.
        leaf: What makes a leaf.
    """

    __slots__ = ("_ends", "_leaf", "_plays")

    def __init__(self, plays: list[tuple[int, Sequence[int]]], leaf: LeafMaker) -> None:
        self._plays = plays
        self._leaf = leaf
        self._ends = [*itertools.accumulate([len(wilds) for _, wilds in plays])]

    def __len__(self) -> int:
        return self._ends[-1]

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [*self][at]
        place = range(len(self))[at]
        block = bisect.bisect_right(self._ends, place)
        part, wilds = self._plays[block]
        return self._leaf(part + wilds[place - self._ends[block]])

    def __iter__(self) -> Iterator[Any]:
        leaf = self._leaf
        for part, wilds in self._plays:
            for one in wilds:
                yield leaf(part + one)


def by_shape(shapes: Shapes, lots: Sequence[Lot], leaf: LeafMaker, sure: int) -> Node:
    """
    The tree of some new melds, which begins with their shape even if there is just one.

    Args:
        shapes: The shapes of the deal.
        lots: The new melds.
        leaf: What makes a leaf of a play.
        sure: Plays of fewer cards than this are leaves for sure.
    """
    return Plays(shapes, lots, leaf, sure, first=True) if lots else None


def grown(shapes: Shapes, lots: Sequence[Lot], leaf: LeafMaker, sure: int) -> Node:
    """
    The tree of some plays.

    Args:
        shapes: The shapes of the deal.
        lots: The plays.
        leaf: What makes a leaf of a play.
        sure: Plays of fewer cards than this are leaves for sure.
    """
    if not lots:
        return None
    parts, wilds, _ = lots[0]
    if len(lots) == len(parts) == len(wilds) == 1:
        return leaf(parts[0] + wilds[0])
    return Plays(shapes, lots, leaf, sure, first=False)


# ------------------------------------------------------------------------------- steps


def _step(shapes: Shapes, lots: Sequence[Lot]) -> list[Group]:
    """
    The first choice at which plays differ.
    """
    for step in (_beside, _shape, _end, _places, _taken):
        groups = step(shapes, lots)
        if len(groups) > 1:
            return groups
    raise AssertionError  # two plays have one number


def _ordered(items: Iterable[tuple[Choice, Lot]]) -> list[Group]:
    """
    Lots by choices, in the order of the first number of each.
    """
    # Texts are quicker to look up than choices.
    found: dict[str, Group] = {}
    for choice, lot in items:
        found.setdefault(choice.text, (choice, []))[1].append(lot)
    groups = [*found.values()]
    if len(groups) > 1:
        groups.sort(key=lambda one: min([p[0] + w[0] for p, w, _ in one[1]]))
    return groups


def _by_sequence(items: Iterable[tuple[tuple[Choice, ...], Lot]]) -> list[Group]:
    """
    Lots by the first choice in which the sequences that lead to them differ.
    """
    those = [*items]
    for choices in zip(*[one for one, _ in those], strict=False):
        if any(one is not choices[0] for one in choices):
            return _ordered(zip(choices, [lot for _, lot in those], strict=True))
    return []


def _split(lots: Iterable[Lot], keys: list[list[Choice]]) -> list[Group]:
    """
    Lots by a choice for each of their parts.
    """
    items = []
    for (parts, wilds, most), choices in zip(lots, keys, strict=True):
        some: dict[str, tuple[Choice, list[int]]] = {}
        for part, choice in zip(parts, choices, strict=True):
            some.setdefault(choice.text, (choice, []))[1].append(part)
        items += [(choice, Lot(kept, wilds, most)) for choice, kept in some.values()]
    return _ordered(items)


def _beside(shapes: Shapes, lots: Sequence[Lot]) -> list[Group]:
    """
    Which cards lie beside wilds, and then whether the meld grows.
    """
    width = shapes.width
    lying = [shapes.beside((lot.parts[0] + lot.wilds[0]) >> width) for lot in lots]
    if not any(lying):
        return []
    items = []
    for codes, (parts, wilds, most) in zip(lying, lots, strict=True):
        steps = tuple([for_beside(code) for code in codes])
        for part in parts:
            grows = len(shapes.outline(part + wilds[0]).codes) > len(codes)
            last = for_beside(GROW if grows or not codes else DONE)
            items.append(((*steps, last), Lot([part], wilds, most)))
    return _by_sequence(items)


def _shape(shapes: Shapes, lots: Sequence[Lot]) -> list[Group]:
    """
    The shape of a meld.
    """
    names = [for_shape(shapes.names[shapes.shape_of(one.wilds[0])]) for one in lots]
    return _ordered(zip(names, lots, strict=True))


def _end(shapes: Shapes, lots: Sequence[Lot]) -> list[Group]:
    """
    Where a run begins, or where it ends, or what lies between; the suits of a set.
    """
    shape, width = shapes.shape_of(lots[0].wilds[0]), shapes.width
    at = width + WHICH
    numbers = [[part >> at & WHICH_MASK for part in lot.parts] for lot in lots]
    if shape < JOKERS and shapes.terms.distinct:
        free = for_suits_of(shape)
        return _split(lots, [[free[one] for one in some] for some in numbers])
    if not RUN <= shape < WILDS:
        return []
    row, track = shape - RUN, shapes.terms.runs_along
    _, held = shapes.window((lots[0].parts[0] + lots[0].wilds[0]) >> width)
    windows = track.downs if held else track.windows
    codes = RUN_CODES[row]
    which = {one: windows[one] for some in numbers for one in some}
    for name in (
        {at: for_low(codes[one.along[0]]) for at, one in which.items()},
        {at: for_high(codes[one.along[-1]]) for at, one in which.items()},
        {at: for_suits(codes_along(row, one)) for at, one in which.items()},
    ):
        if len({one.text for one in name.values()}) > 1:
            return _split(lots, [[name[one] for one in some] for some in numbers])
    return []


def for_suits_of(rank: int) -> list[Choice]:
    """
    The choices of the suits that a set of a rank fills, by their numbers.
    """
    return [
        for_suits(tuple([16 * row + rank + 1 for row in suit_rows(one)]))
        for one in SUBSETS
    ]


def _places(shapes: Shapes, lots: Sequence[Lot]) -> list[Group]:
    """
    Whether the first place in which plays differ is left to a wild.

    Of a set whose suits do not matter, its next card.
    """
    shape, width = shapes.shape_of(lots[0].wilds[0]), shapes.width
    first = lots[0].parts[0]
    if len(lots) == 1 == len(lots[0].parts):
        return []
    if not shapes.has_places[shape]:
        items = []
        for parts, wilds, most in lots:
            for part in parts:
                codes = shapes.outline(part + wilds[0]).codes
                steps = tuple([for_card(code) for code in (*codes, DONE)])
                items.append((steps, Lot([part], wilds, most)))
        return _by_sequence(items)
    differ = 0
    for lot in lots:
        for part in lot.parts:
            differ |= part ^ first
    # Where the wild of a run moves, another place may have been filled before.
    shift = width + HELD * (shape >= RUN and differ >> width + HELD & HELD_MASK > 0)
    differ = differ >> shift & HOLES_MASK
    if not differ:
        return []
    bit = 1 << differ.bit_length() - 1
    if shape < JOKERS:
        code = 16 * suit_rows(bit)[0] + shape + 1
    else:
        window, _ = shapes.window((first + lots[0].wilds[0]) >> width)
        code = RUN_CODES[shape - RUN][window.along[window.length - bit.bit_length()]]
    names, bit = (for_place(code), for_place(~code)), bit << shift
    return _split(lots, [[names[part & bit > 0] for part in lot.parts] for lot in lots])


def _taken(shapes: Shapes, lots: Sequence[Lot]) -> list[Group]:
    """
    The next wild that is taken, or no more.
    """
    faces, (part, first) = shapes.faces, (lots[0].parts, lots[0].wilds[0])
    differ = 0
    for lot in lots:
        for one in lot.wilds:
            differ |= one ^ first
    # The first face of which not all take as many; `digits_of` says what a digit is.
    left = (differ.bit_length() + DIGIT - 1) // DIGIT
    shift, last = DIGIT * (left - 1), left == 1
    numbers = [one >> shift & 15 for lot in lots for one in lot.wilds]
    fewest = min([15 - one if one & 8 and not last else one for one in numbers])
    some: dict[int, list[int]] = {}
    for lot in lots:
        for one in lot.wilds:
            digit, at = one >> shift & 15, left
            if (15 - digit if digit & 8 and not last else digit) <= fewest:
                # It takes no more of this face; 15 is none of a face, and some later.
                at = left - 1 if digit & 8 and not last else 0
                while at and one >> DIGIT * (at - 1) & 15 == 15 and at > 1:
                    at -= 1
            some.setdefault(at, []).append(one)
    number, most = len(faces), max([lot.most for lot in lots])
    return _ordered(
        [
            (
                for_card(faces[number - at] if at else DONE),
                Lot(part, sorted(those), most),
            )
            for at, those in some.items()
        ]
    )
