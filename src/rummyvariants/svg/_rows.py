"""
Cards side by side, each covering all but a strip of the one before it.
"""

from __future__ import annotations

import itertools
import math

from collections.abc import Iterable, Sequence
from typing import Final

from rummyvariants._support.words import listed
from rummyvariants.cards import Card
from rummyvariants.errors import ParseError, shown
from rummyvariants.melds import Meld, Played, Slot
from rummyvariants.svg._faces import BACK, HIGH, WIDE, Face, drawn


LOWER: Final = 34
"""How much lower a card lies that is beside a wild."""
_STRIP: Final = 42
_TAGGED: Final = 70
"""How wide the strip is that shows what a wild stands for."""
_FACE_DOWN: Final = 16

Placed = tuple[Face, float, float]
"""A card, and where its upper left corner is."""


def read(one: object) -> Face:
    """
    A card that is to be drawn, from whatever may name one.

    Raises:
        ParseError: If it does not.
    """
    if isinstance(one, Card):
        return Face(one)
    if isinstance(one, str) and one == "??":
        return BACK
    if isinstance(one, str):
        one = Played(one)
    if isinstance(one, Played | Slot):
        return Face(one.card, one.stands_for)
    msg = f"{shown(one)} is not a card such as '8h' or '*=8h'"
    raise ParseError(msg)


def read_all(cards: object) -> list[Face]:
    """
    Cards that are to be drawn, from a text with them or one after another.

    Raises:
        ParseError: If something does not name a card.
    """
    if isinstance(cards, str):
        cards = cards.replace(",", " ").split()
    if not isinstance(cards, Iterable):
        msg = f"{shown(cards)} is not a text with cards, such as '7h *=8h', or several"
        raise ParseError(msg)
    return [read(one) for one in cards]


def in_row(faces: Sequence[Face], most: float = math.inf) -> list[Placed]:
    """
    Where the cards of a row lie.

    Args:
        faces: The cards.
        most: How wide the row may be before another one begins below it.
    """
    return _placed([(one, 0) for one in faces], most)


def in_meld(meld: Meld, most: float = math.inf) -> list[Placed]:
    """
    Where the cards of a meld lie: those beside a wild follow it and lie lower.

    Args:
        meld: The meld.
        most: How wide it may be before another row begins below it.
    """
    faces: list[tuple[Face, float]] = []
    for index, slot in enumerate(meld.slots):
        faces.append((read(slot), 0))
        beside = [one for one in meld.beside if one.index == index]
        faces += [(Face(one.card), LOWER) for one in beside]
    return _placed(faces, most)


def _placed(faces: Iterable[tuple[Face, float]], most: float) -> list[Placed]:
    x = top = 0.0
    placed: list[Placed] = []
    for face, y in faces:
        if x + WIDE > most:
            x, top = 0.0, top + HIGH + LOWER
        placed.append((face, x, top + y))
        shown = _STRIP if face.place is None else _TAGGED
        x += _FACE_DOWN if face.card is None else shown
    return placed


def extent(placed: Iterable[Placed]) -> tuple[float, float]:
    """
    How wide and how high placed cards are.
    """
    corners = [(x, y) for _, x, y in placed]
    wide = max((x for x, _ in corners), default=0)
    high = max((y for _, y in corners), default=0)
    return wide + WIDE, high + HIGH


def drawn_row(placed: Sequence[Placed], *, four: bool) -> str:
    """
    Placed cards as SVG; an outline where there are none.
    """
    if not placed:
        return (
            '<rect x="2" y="2" width="96" height="136" rx="10" fill="none" '
            'stroke="#888" stroke-width="3" stroke-dasharray="9 7"/>'
        )
    shapes = []
    for (face, x, y), after in itertools.zip_longest(placed, placed[1:]):
        covered = after is not None and after[2] <= y
        shapes.append(drawn(face, four=four, covered=covered, at=(x, y)))
    return "".join(shapes)


def said_row(faces: Iterable[Face]) -> str:
    """
    Cards in words.
    """
    names = [one.said for one in faces]
    return listed(names) if names else "no cards"
