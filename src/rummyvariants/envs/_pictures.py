"""
A game shown as text or as a picture, with all hands.
"""

from __future__ import annotations

import sys

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, get_args

import attrs
import numpy as np

from numpy.typing import NDArray

from rummyvariants.cards import Card
from rummyvariants.envs._table import Table, refuse_word
from rummyvariants.files._table_text import (
    heading,
    pile_line,
    seat_rows,
    table_lines,
    zone_title,
)
from rummyvariants.game._engine.plays import melds_by_number
from rummyvariants.game._state import State


if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw


Mode = Literal["human", "ansi", "rgb_array"]
MODES: Final = get_args(Mode)
Image = NDArray[np.uint8]
SIZE: Final = (960, 720)
"""The width and the height of a picture."""

_FELT: Final = "#1d5c3f"
_INK: Final = "#f4f4f0"
_PAPER: Final = "#ffffff"
_BACK: Final = "#34507c"
_EDGE: Final = "#555555"
_COLOURS: Final = {"c": "#111111", "d": "#b00020", "h": "#b00020", "s": "#111111"}
_JOKER: Final = "#6a2c91"
_SCALES: Final = (1.0, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3)
"""The sizes of cards that are tried until all of them fit."""
_CARD: Final = (42, 58)
"""The width and the height of a card at full size."""
_STEP: Final = 23
"""How far a card lies to the right of the one that it covers."""
_LINE: Final = 20
"""The height of a line of text."""
_MARGIN: Final = 12


def refuse_mode(mode: object) -> None:
    """
    Refuse a way to render that there is not.

    Raises:
        EnvError: If it is neither None nor one of `MODES`.
    """
    if mode is not None:
        refuse_word("render_mode", mode, MODES)


def rendered(table: Table, mode: Mode) -> str | Image | None:
    """
    A game as it is shown in a mode; None if it was printed.
    """
    if mode == "rgb_array":
        return picture(table.state)
    lines = text(table)
    if mode == "ansi":
        return lines
    sys.stdout.write(f"{lines}\n")
    sys.stdout.flush()
    return None


def text(table: Table) -> str:
    """
    A game as lines of text.
    """
    state = table.state
    rows = [*seat_rows(state)]
    wide = max(len(name) for name, *_ in rows)
    lines = [f"{state.rules.title}: {heading(state)}"]
    for (name, _, points, notes), hand in zip(rows, state.hands, strict=True):
        line = f"{name:<{wide}} {points:>6}  {hand or 'no cards'}"
        lines.append(f"{line}  ({notes})" if notes else line)
    lines += [*table_lines(state, openly=True), pile_line(state)]
    selection = table.selection
    if selection is not None and selection.indices:
        lines.append(f"chosen so far: {', '.join(selection.labels)}")
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------- the picture


@attrs.frozen
class _Group:
    """
    Cards that lie side by side below a line of text.

    Attributes:
        title: The line.
        cards: The cards from left to right; None for one that lies face down.
        line: Whether it begins a new row.
    """

    title: str
    cards: tuple[Card | None, ...]
    line: bool = False


def picture(state: State) -> Image:
    """
    A game as a picture, an array of height, width and the colours red, green and blue.

    Raises:
        ModuleNotFoundError: If Pillow is not installed.
    """
    import PIL.Image
    import PIL.ImageDraw

    groups = [*_groups(state)]
    for scale in _SCALES:
        placed, height = _places(groups, scale)
        if height <= SIZE[1]:
            break
    canvas = PIL.Image.new("RGB", SIZE, _FELT)
    painter = _Painter(PIL.ImageDraw.Draw(canvas), scale)
    for group, corner, corners in placed:
        painter.title(group.title, corner)
        for card, place in zip(group.cards, corners, strict=True):
            painter.card(card, place)
    return np.array(canvas, np.uint8)


def _groups(state: State) -> Iterator[_Group]:
    """
    What is to be seen.
    """
    yield _Group(f"{state.rules.title}: {heading(state)}", (), line=True)
    for (name, _, points, notes), hand in zip(
        seat_rows(state), state.hands, strict=True
    ):
        more = f" ({notes})" if notes else ""
        yield _Group(f"{name}: {points} points{more}", tuple(hand), line=True)
    yield _Group(
        f"stock: {len(state.stock)}", (None,) if state.stock else (), line=True
    )
    pile = state.discards
    shown = pile if state.rules.draw.open_pile else pile[-1:]
    yield _Group(f"discards: {len(pile)}", shown)
    for place, (number, meld) in enumerate(melds_by_number(state)):
        yield _Group(f"{number}", meld.cards, line=not place)
    for place, zone in enumerate(state.zones):
        title = zone_title(zone, state.players)
        yield _Group(title, zone.cards, line=not place)


_Corner = tuple[float, float]
_Placed = tuple[_Group, _Corner, list[_Corner]]


def _places(groups: Sequence[_Group], scale: float) -> tuple[list[_Placed], float]:
    """
    Where everything goes if cards have a size.

    Args:
        groups: What is shown.
        scale: The size of cards, 1 for full size.

    Returns:
        The groups, each with the upper left corner of its title and those of its cards;
        and how high all of it is.
    """
    wide, high, step = _CARD[0] * scale, _CARD[1] * scale, _STEP * scale
    most = int((SIZE[0] - 2 * _MARGIN - wide) / step) + 1
    placed: list[_Placed] = []
    left, top, below = float(_MARGIN), 0.0, float(_MARGIN)
    for group in groups:
        number = len(group.cards)
        # A letter is about seven pixels wide.
        titled = 7.0 * len(group.title)
        width = max(titled, wide + step * (min(number, most) - 1)) + _MARGIN
        if group.line or left + width > SIZE[0]:
            left, top = float(_MARGIN), below
        corners = [
            (left + at % most * step, top + _LINE + at // most * (high + 4))
            for at in range(number)
        ]
        placed.append((group, (left, top), corners))
        bottom = corners[-1][1] + high + 6 if corners else top + _LINE
        below = max(below, bottom)
        left += width
    return placed, below


class _Painter:
    """
    Draws cards and lines.

    Args:
        draw: Where to draw.
        scale: The size of cards, 1 for full size.
    """

    def __init__(self, draw: ImageDraw, scale: float) -> None:
        from PIL.ImageFont import load_default

        self._draw = draw
        self._scale = scale
        self._title = load_default(13)
        self._rank = load_default(15 * scale)

    def title(self, title: str, corner: _Corner) -> None:
        """
        Write a line.
        """
        self._draw.text(corner, title, _INK, self._title)

    def card(self, card: Card | None, corner: _Corner) -> None:
        """
        Draw a card; None for its back.
        """
        (x, y), scale = corner, self._scale
        box = (x, y, x + _CARD[0] * scale, y + _CARD[1] * scale)
        paper = _BACK if card is None else _PAPER
        self._draw.rounded_rectangle(box, 4 * scale, paper, _EDGE)
        if card is None:
            return
        rank = {"T": "10", "*": "Jo"}.get(card.rank, card.rank)
        ink = _COLOURS.get(card.suit, _JOKER)
        self._draw.text((x + 3 * scale, y + 2 * scale), rank, ink, self._rank)
        if card.suit:
            self._suit(card.suit, (x + 3 * scale, y + 22 * scale), 17 * scale, ink)

    def _suit(self, suit: str, corner: _Corner, size: float, ink: str) -> None:
        """
        Draw the symbol of a suit in a square.
        """
        x, y = corner

        def disc(left: float, top: float) -> None:
            box = (left, top, left + size / 2, top + size / 2)
            self._draw.ellipse(box, ink)

        def polygon(*points: _Corner) -> None:
            self._draw.polygon([(x + size * a, y + size * b) for a, b in points], ink)

        if suit == "d":
            polygon((0.5, 0), (0.9, 0.5), (0.5, 1), (0.1, 0.5))
        elif suit == "h":
            disc(x, y)
            disc(x + size / 2, y)
            polygon((0.05, 0.4), (0.95, 0.4), (0.5, 1))
        else:
            polygon((0.5, 0.5), (0.7, 1), (0.3, 1))
            disc(x, y + size * 0.4)
            disc(x + size / 2, y + size * 0.4)
            if suit == "s":
                polygon((0.5, 0), (1, 0.6), (0, 0.6))
            else:
                disc(x + size / 4, y)
