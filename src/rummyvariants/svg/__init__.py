"""
Pictures of cards, hands, melds and views, as SVG.

>>> import rummyvariants as rv
>>> from rummyvariants import svg
>>> picture = svg.meld("7h *=8h 9h")
>>> picture[:4]
'<svg'

Nothing else is needed to draw them: no other library, no file and no font, except for
the words in the picture of a view. The paper of the cards is white, so they can be read
on any background. A picture says in words what it shows, for screen readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

from rummyvariants._support.arguments import explained
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import RummyError, shown
from rummyvariants.melds import Meld, Played, Slot
from rummyvariants.policies.base import is_whole
from rummyvariants.svg import _rows, _views
from rummyvariants.svg._faces import ALL, BACK, HIGH, WIDE, Face, drawn


__all__ = [
    "Picture",
    "PictureError",
    "back",
    "card",
    "hand",
    "meld",
    "sprite",
    "view",
]

AnyCard = Card | Played | Slot | str
LISTED: Final = 12
"""The most legal actions that the picture of a view lists."""
_XMLNS: Final = 'xmlns="http://www.w3.org/2000/svg"'


class Picture(str):
    """
    A picture as the text of an SVG element, which notebooks show as a picture.

    >>> from rummyvariants import svg
    >>> svg.card("9c").startswith("<svg")
    True
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


class PictureError(RummyError, ValueError):
    """
    Something cannot be drawn.
    """


@explained
def card(card: AnyCard, *, height: float = 140, four_colours: bool = False) -> Picture:
    """
    A card.

    Args:
        card: The card, or its text. ``*=8h`` is a wild that stands for another card,
            ``??`` a card that may not be seen.
        height: The height in pixels; a style sheet may set another. Cards are five
            sevenths as wide as high, and can be read from a height of 40 pixels on.
        four_colours: Whether clubs are green and diamonds blue.

    Raises:
        ParseError: If the text does not name a card.
        PictureError: If the height is not a positive number.

    >>> from rummyvariants import svg
    >>> "seven of hearts" in svg.card("7h")
    True
    """
    return _picture(_rows.in_row([_rows.read(card)]), height, four=four_colours)


@explained
def back(*, height: float = 140) -> Picture:
    """
    A card face down.

    Args:
        height: The height in pixels.

    Raises:
        PictureError: If the height is not a positive number.

    >>> from rummyvariants import svg
    >>> "face down" in svg.back(height=70)
    True
    """
    return _picture(_rows.in_row([BACK]), height)


@explained
def hand(
    cards: Cards | str | Iterable[AnyCard],
    *,
    height: float = 140,
    four_colours: bool = False,
) -> Picture:
    """
    Cards side by side in the order given, each covering most of the one before it.

    Args:
        cards: The cards, or their text, with what wilds stand for and with ``??`` for
            cards that may not be seen, as for `card`.
        height: The height in pixels.
        four_colours: Whether clubs are green and diamonds blue.

    Raises:
        ParseError: If something does not name a card.
        PictureError: If the height is not a positive number.

    >>> from rummyvariants import svg
    >>> 'height="90"' in svg.hand("7h *=8h ??", height=90)
    True
    """
    placed = _rows.in_row(_rows.read_all(cards))
    return _picture(placed, height, four=four_colours)


@explained
def meld(
    meld: Meld | str | Iterable[AnyCard],
    *,
    height: float = 140,
    four_colours: bool = False,
) -> Picture:
    """
    A meld, with what each of its wilds stands for.

    Cards beside a wild follow it and lie lower.

    Args:
        meld: The meld, such as one of ``state.table``; or its cards, as for `hand`.
        height: The height of a card in pixels.
        four_colours: Whether clubs are green and diamonds blue.

    Raises:
        ParseError: If something does not name a card.
        PictureError: If the height is not a positive number.

    >>> from rummyvariants import svg
    >>> "joker as eight of hearts" in svg.meld("7h *=8h 9h")
    True
    """
    if not isinstance(meld, Meld):
        return hand(meld, height=height, four_colours=four_colours)
    return _picture(_rows.in_meld(meld), height, four=four_colours)


@explained
def view(
    view: _views.Seen, *, legal: int = LISTED, four_colours: bool = False
) -> Picture:
    """
    The table as a seat sees it, on a ground of its own.

    It shows the players with their scores and hands, the piles, the melds, what lies
    apart, the seat's own hand, and what the seat may do. Cards that the seat does not
    know lie face down. The text is in the reader's font, and names are shortened.

    Args:
        view: The view, from `rummyvariants.view`.
        legal: How many legal actions are listed at most.
        four_colours: Whether clubs are green and diamonds blue.

    Raises:
        PictureError: If it is no view, or the number is not one from 0 on.

    >>> from rummyvariants import svg
    >>> picture = svg.view(rv.view(rv.new_game("rummy-500", ["Ann", "Ben"]), "Ben"))
    >>> "Ann" in picture
    True
    """
    if not hasattr(view, "hand_sizes"):
        msg = f"{shown(view)} is not a view: draw rummyvariants.view(state, seat)"
        raise PictureError(msg)
    if not is_whole(legal, 0):
        msg = f"{shown(legal)} is no number of legal actions: give one from 0 on"
        raise PictureError(msg)
    title, shapes, high = _views.body(view, four=four_colours, legal=legal)
    return Picture(
        f'<svg {_XMLNS} viewBox="0 0 {_views.WIDTH} {high}" width="{_views.WIDTH}" '
        f'height="{high}" role="group" style="max-width:100%;height:auto">'
        f"<title>{_views.safe(title)}</title>{shapes}</svg>"
    )


@explained
def sprite(
    cards: Cards | str | Iterable[Card | str] | None = None,
    *,
    four_colours: bool = False,
) -> Picture:
    """
    Cards to be drawn by their names anywhere in a page: an element that shows nothing.

    Put it into the page once. Then ``<svg><use href="#card-9c"/></svg>`` is the nine of
    clubs, ``#card-*`` a joker and ``#card-back`` a card face down. The shapes of a suit
    have the class ``suit-c``, ``suit-d``, ``suit-h``, ``suit-s`` or ``suit-x``, those
    of a joker ``suit-none``. The ``color`` that a style sheet gives to a class is the
    colour of the suit.

    Args:
        cards: The cards; None for all. The back is always there.
        four_colours: Whether clubs are green and diamonds blue.

    Raises:
        ParseError: If something does not name a card.

    >>> from rummyvariants import svg
    >>> 'id="card-9c"' in svg.sprite("9c *")
    True
    """
    wanted = (
        ALL if cards is None else [Face(one) for one in dict.fromkeys(Cards(cards))]
    )
    symbols = "".join(
        f'<symbol id="card-{one.card or "back"}" viewBox="0 0 {WIDE} {HIGH}">'
        f"{drawn(one, four=four_colours)}</symbol>"
        for one in (*wanted, BACK)
    )
    return Picture(
        f'<svg {_XMLNS} width="0" height="0" style="position:absolute" '
        f'aria-hidden="true">{symbols}</svg>'
    )


def _picture(
    placed: Sequence[_rows.Placed], height: Any, *, four: bool = False
) -> Picture:
    is_number = isinstance(height, int | float) and not isinstance(height, bool)
    if not (is_number and 0 < height <= _HIGHEST):
        msg = (
            f"{shown(height)} is no height for a card: give a number of pixels above 0 "
            f"and up to {_HIGHEST}"
        )
        raise PictureError(msg)
    scale = height / HIGH
    wide, high = _rows.extent(placed)
    said = _rows.said_row(face for face, _, _ in placed)
    return Picture(
        f'<svg {_XMLNS} viewBox="0 0 {wide:g} {high:g}" width="{wide * scale:g}" '
        f'height="{high * scale:g}" role="img"><title>{escape(said)}</title>'
        f"{_rows.drawn_row(placed, four=four)}</svg>"
    )


_HIGHEST: Final = 10_000
