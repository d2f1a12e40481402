"""
One card as SVG, drawn with shapes of its own so that no font is needed.

A card is 100 units wide and 140 high. Its index stands in a strip on the left that is
seen even if the next card covers the rest.
"""

from __future__ import annotations

from html import escape
from typing import Final

import attrs

from rummyvariants._support.words import card as card_in_words
from rummyvariants.cards import CARDS, JOKER, Card
from rummyvariants.melds import Place


WIDE: Final = 100
HIGH: Final = 140

# Ranks are lines in a box of 32 by 44.
_RANKS: Final = {
    "A": "M4 40L16 4L28 40M8 28H24",
    "2": "M5 14C5 1 27 1 27 13C27 22 5 32 4 40H28",
    "3": "M6 4H27L14 18C32 16 32 40 15 40C9 40 5 37 4 33",
    "4": "M22 40V4L4 29H29",
    "5": "M26 4H8L6 20C12 14 28 15 28 28C28 43 9 43 4 34",
    "6": "M25 4C12 8 4 18 4 28C4 44 28 44 28 28C28 14 8 13 4 26",
    "7": "M4 4H28C19 15 14 27 13 40",
    "8": "M16 4C3 4 3 20 16 20S30 40 16 40S3 20 16 20S29 4 16 4Z",
    "9": "M7 40C20 36 28 26 28 16C28 0 4 0 4 16C4 30 24 31 28 18",
    "T": "M4 6V40M22 4C11 4 11 40 22 40S33 4 22 4Z",
    "J": "M12 4H26M21 4V29C21 43 5 43 4 31",
    "Q": "M16 4C0 4 0 40 16 40S32 4 16 4ZM18 28L29 42",
    "K": "M5 4V40M27 4L5 26M13 18L28 40",
}
# Suits and emblems are surfaces in a box of 100 by 100.
_STAR: Final = "M50 2L62 37L98 37L69 59L80 95L50 73L20 95L31 59L2 37L38 37Z"
_SUITS: Final = {
    "c": (
        "M28 25a22 22 0 1 1 44 0a22 22 0 1 1 -44 0Z"
        "M3 59a22 22 0 1 1 44 0a22 22 0 1 1 -44 0Z"
        "M53 59a22 22 0 1 1 44 0a22 22 0 1 1 -44 0Z"
        "M50 30L66 58L54 62C55 80 60 90 70 97H30C40 90 45 80 46 62L34 58Z"
    ),
    "d": (
        "M50 1C60 21 72 37 90 50C72 63 60 79 50 99C40 79 28 63 10 50C28 37 40 21 50 1Z"
    ),
    "h": (
        "M50 95C22 68 3 52 3 30C3 14 15 5 27 5C38 5 46 12 50 23"
        "C54 12 62 5 73 5C85 5 97 14 97 30C97 52 78 68 50 95Z"
    ),
    "s": (
        "M50 2C60 24 95 40 95 62C95 76 84 84 73 84C65 84 58 80 54 72"
        "C55 84 59 92 68 98H32C41 92 45 84 46 72"
        "C42 80 35 84 27 84C16 84 5 76 5 62C5 40 40 24 50 2Z"
    ),
    "x": _STAR,
}
_EMBLEMS: Final = {
    # A shield, a coronet with pearls, a crown.
    "J": "M10 4Q30 12 50 4Q70 12 90 4V46C90 72 70 88 50 97C30 88 10 72 10 46Z",
    "Q": (
        "M16 90L4 36C20 52 28 44 32 24C38 46 44 44 50 12C56 44 62 46 68 24"
        "C72 44 80 52 96 36L84 90Z"
        "M43 7a7 7 0 1 1 14 0a7 7 0 1 1 -14 0ZM25 18a7 7 0 1 1 14 0a7 7 0 1 1 -14 0Z"
        "M61 18a7 7 0 1 1 14 0a7 7 0 1 1 -14 0Z"
    ),
    "K": "M8 78L2 18L30 42L50 4L70 42L98 18L92 78ZM8 83H92V95H8Z",
}
_INSIDE: Final = {"J": 26, "Q": 46, "K": 36}
"""How far down the suit stands in an emblem."""

_PAPER: Final = "#fff"
_EDGE: Final = "#666"
_BACK: Final = "#34507c"
_LATTICE: Final = "#9db4d8"
_TAG: Final = "#ffe08a"
_TWO_COLOURS: Final = {
    "c": "#111",
    "d": "#c8102e",
    "h": "#c8102e",
    "s": "#111",
    "x": "#8a5a00",
}
_FOUR_COLOURS: Final = _TWO_COLOURS | {"c": "#0a7a35", "d": "#1257c4"}
_JOKER: Final = "#6a2c91"
_PLAIN: Final = "#111"


@attrs.frozen
class Face:
    """
    What is to be seen of a card.

    Attributes:
        card: The card; None if it lies face down.
        place: What it stands for if it is wild.
    """

    card: Card | None
    place: Place | None = None

    @property
    def said(self) -> str:
        """
        The card in words.
        """
        if self.card is None:
            return "a card face down"
        name = card_in_words(str(self.card))
        if self.place is None:
            return name
        place = card_in_words(str(self.place))
        return f"{name}, wild" if place == name else f"{name} as {place}"


BACK: Final = Face(None)
ALL: Final = tuple([Face(one) for one in CARDS if one.rank])


def drawn(
    face: Face,
    *,
    four: bool = False,
    covered: bool = False,
    at: tuple[float, float] = (0, 0),
) -> str:
    """
    A card as a group of SVG with its name as the title.

    Args:
        face: The card.
        four: Whether each suit has a colour of its own.
        covered: Whether another card covers all but the strip on the left.
        at: Where its upper left corner is.
    """
    card, place = face.card, face.place
    moved = f' transform="translate({at[0]:g} {at[1]:g})"' if at != (0, 0) else ""
    title = f"<title>{escape(face.said)}</title>"
    if card is None:
        return f"<g{moved}>{title}{_back(covered=covered)}</g>"
    shapes = [_SHEET, _index(card.rank, card.suit)]
    if place is not None:
        shapes.append(
            f'<path d="M3 92H97V129a8 8 0 0 1 -8 8H11a8 8 0 0 1 -8 -8Z" fill="{_TAG}"/>'
            f"<g{_ink(place.suit, _PLAIN, four=four)}>{_rank(place.rank, 9, 96, 0.85)}"
            f"{_surface(_SUITS[place.suit], 40, 102, 26) if place.suit else ''}</g>"
        )
    if not covered:
        shapes.append(_middle(card, small=place is not None))
    return f"<g{_ink(card.suit, _JOKER, four=four)}{moved}>{title}{''.join(shapes)}</g>"


def _ink(suit: str, other: str, *, four: bool) -> str:
    """
    The attributes of a group whose shapes have the colour of a suit.
    """
    colours = _FOUR_COLOURS if four else _TWO_COLOURS
    return f' class="suit-{suit or "none"}" color="{colours.get(suit, other)}"'


def _index(rank: str, suit: str) -> str:
    if not suit:
        return _surface(_STAR, 5, 9, 36)
    return _rank(rank, 7, 9, 1) + _surface(_SUITS[suit], 8, 59, 30)


def _middle(card: Card, *, small: bool) -> str:
    """
    What is beside the strip: a large suit, an emblem with the suit, or a star.
    """
    x, y, size = (50, 34, 42) if small else (43, 70, 52)
    if card.code == JOKER:
        return _surface(_STAR, x, y, size)
    emblem = _EMBLEMS.get(card.rank)
    if emblem is None:
        return _surface(_SUITS[card.suit], x, y, size)
    part = size / 100
    down = y + _INSIDE[card.rank] * part
    inside = _surface(_SUITS[card.suit], x + 30 * part, down, 40 * part, _PAPER)
    return _surface(emblem, x, y, size) + inside


def _rank(rank: str, x: float, y: float, scale: float) -> str:
    grown = "" if scale == 1 else f" scale({scale})"
    return (
        f'<path transform="translate({x} {y}){grown}" d="{_RANKS[rank]}" fill="none" '
        'stroke="currentColor" stroke-width="7.5" stroke-linejoin="round" '
        'stroke-linecap="round"/>'
    )


def _surface(
    shape: str, x: float, y: float, size: float, colour: str = "currentColor"
) -> str:
    return (
        f'<path transform="translate({x:g} {y:g}) scale({size / 100:g})" d="{shape}" '
        f'fill="{colour}"/>'
    )


def _back(*, covered: bool) -> str:
    printed = f'<rect x="8" y="8" width="84" height="124" rx="5" fill="{_BACK}"/>'
    return _SHEET + printed + ("" if covered else _LINES)


_SHEET: Final = (
    f'<rect x="1.5" y="1.5" width="97" height="137" rx="10" fill="{_PAPER}" '
    f'stroke="{_EDGE}" stroke-width="3"/>'
)
_LINES: Final = (
    '<path d="M8 28L28 8M8 70L70 8M8 112L92 28M30 132L92 70M72 132L92 112'
    'M92 28L72 8M92 70L30 8M92 112L8 28M70 132L8 70M28 132L8 112" '
    f'stroke="{_LATTICE}" stroke-width="3"/>'
)
