"""
A view as a picture of the table: the players, the piles, the melds and the hand.
"""

from __future__ import annotations

import itertools
import re
import unicodedata

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final, Protocol

import attrs

from rummyvariants._support.phases import whose_turn
from rummyvariants._support.words import figure, ranks
from rummyvariants.cards import Card, Cards
from rummyvariants.melds import Meld
from rummyvariants.rules._origins import Rules
from rummyvariants.svg._faces import BACK, Face
from rummyvariants.svg._rows import (
    Placed,
    drawn_row,
    extent,
    in_meld,
    in_row,
    said_row,
)


WIDTH: Final = 720
"""The width of the picture."""
_MARGIN: Final = 14
_INNER: Final = WIDTH - 2 * _MARGIN
_CAPTION: Final = 13
"""The size of captions, and of most other text."""
_HEADING: Final = 17
_FELT: Final = "#1d5c3f"
_INK: Final = "#f4f4f0"
_OTHERS: Final = 0.36
"""The size of the cards in other hands, 1 for 140 pixels in height."""
_OPEN: Final = 0.45
_OWN: Final = 0.6


class Seen(Protocol):
    """
    What is shown of a view.
    """

    @property
    def seat(self) -> int | None: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def round_number(self) -> int: ...
    @property
    def winners(self) -> tuple[int, ...]: ...
    @property
    def sides(self) -> tuple[tuple[int, ...], ...]: ...
    @property
    def phase(self) -> str: ...
    @property
    def to_act(self) -> tuple[int, ...]: ...
    @property
    def dealer(self) -> int | None: ...
    @property
    def wild_rank(self) -> str: ...
    @property
    def known(self) -> tuple[Cards, ...]: ...
    @property
    def hand_sizes(self) -> tuple[int, ...]: ...
    @property
    def table(self) -> tuple[Meld, ...]: ...
    @property
    def dealer_wild(self) -> Meld | None: ...
    @property
    def apart(self) -> tuple[tuple[str, int, tuple[Card | None, ...]], ...]: ...
    @property
    def discards(self) -> tuple[Card, ...]: ...
    @property
    def discards_size(self) -> int: ...
    @property
    def stock_size(self) -> int: ...
    @property
    def floating(self) -> tuple[int, ...]: ...
    @property
    def drawn(self) -> tuple[Card, ...]: ...
    @property
    def legal_actions(self) -> Iterable[object]: ...


@attrs.frozen
class _Group:
    """
    Cards below a caption.

    Attributes:
        caption: What they are.
        placed: Where the cards lie, in the units of a card.
        scale: The size of the cards, 1 for 140 pixels in height.
        line: Whether the group begins a new line.
    """

    caption: str
    placed: Sequence[Placed]
    scale: float = _OPEN
    line: bool = False


def body(view: Seen, *, four: bool, legal: int) -> tuple[str, str, int]:
    """
    The name of the picture of a view, its shapes, and their height.

    Args:
        view: The view.
        four: Whether each suit has a colour of its own.
        legal: How many legal actions are listed at most.
    """
    title = f"{view.rules.title}, round {view.round_number}"
    lines = [*_wrapped(title, _HEADING)]
    top: float = _MARGIN + _HEADING
    shapes = [_text(line, top + 22 * at, _HEADING) for at, line in enumerate(lines)]
    top += 22 * len(lines)
    for line in _wrapped(_turn(view), _CAPTION):
        shapes.append(_text(line, top))
        top += 18
    groups, top = _flow(_groups(view), top)
    shapes += [_drawn(one, left, down, four=four) for one, left, down in groups]
    if view.seat in view.to_act and legal:
        for line in _wrapped(_legal(view, legal), _CAPTION):
            shapes.append(_text(line, top + _CAPTION))
            top += 18
    high = round(top + _MARGIN)
    felt = f'<rect width="{WIDTH}" height="{high}" rx="8" fill="{_FELT}"/>'
    shown = f'<g font-family="system-ui,sans-serif" fill="{_INK}">{"".join(shapes)}</g>'
    return f"{title}, seen by {_reader(view)}", felt + shown, high


# --------------------------------------------------------------------- what is shown


def _reader(view: Seen) -> str:
    if view.seat is not None:
        return view.players[view.seat]
    if view.hand_sizes == tuple(map(len, view.known)) != (0,) * len(view.players):
        return "all, with open hands"
    return "a spectator"


def _groups(view: Seen) -> Iterator[_Group]:
    """
    All cards of the picture, in the order of reading.
    """
    others = [seat for seat in range(len(view.players)) if seat != view.seat]
    for seat in others:
        known = [Face(one) for one in view.known[seat]]
        hidden = [BACK] * (view.hand_sizes[seat] - len(known))
        yield _row(_player(view, seat), [*known, *hidden], _OTHERS)
    stock = [BACK] if view.stock_size else []
    yield _row(f"Stock: {figure(view.stock_size, 'card')}", stock, line=True)
    pile = [*map(Face, view.discards)]
    yield _row(f"Discards: {figure(view.discards_size, 'card')}", pile)
    if view.drawn:
        yield _row("Drawn in this turn", [*map(Face, view.drawn)])
    melds = [*enumerate(view.table, 1)]
    if view.dealer_wild is not None:
        melds.insert(0, (0, view.dealer_wild))
    for at, (number, meld) in enumerate(melds):
        laid = dict.fromkeys(view.players[one.seat] for one in meld.laid)
        placed = in_meld(meld, _INNER / _OPEN)
        yield _Group(f"{number}: {', '.join(laid)}", placed, line=not at)
    for at, (name, seat, cards) in enumerate(view.apart):
        owner = f"{view.players[seat]}, " if seat >= 0 else ""
        yield _row(f"{owner}{name}", [*map(Face, cards)], line=not at)
    if view.seat is not None:
        hand = [Face(one) for one in view.known[view.seat]]
        yield _row(_player(view, view.seat), hand, _OWN, line=True)


def _row(
    caption: str, faces: Sequence[Face], scale: float = _OPEN, *, line: bool = False
) -> _Group:
    return _Group(caption, in_row(faces, _INNER / scale), scale, line)


def _turn(view: Seen) -> str:
    """
    Who has to do what, and which rank is wild.
    """
    said = whose_turn(view.phase, view.players, view.to_act, view.winners)
    return f"{said}; {ranks(view.wild_rank)} are wild" if view.wild_rank else said


def _player(view: Seen, seat: int) -> str:
    """
    A player with score and cards, shortened to a line.
    """
    side = next(side for side in view.sides if seat in side)
    notes = ["dealer"] * (seat == view.dealer) + ["floating"] * (seat in view.floating)
    notes += ["winner"] * (seat in view.winners)
    notes += [f"with {_shortened(view.players[one])}" for one in side if one != seat]
    noted = f" ({', '.join(notes)})" if notes else ""
    points = figure(view.scores[seat], "point")
    cards = figure(view.hand_sizes[seat], "card")
    return f"{_shortened(view.players[seat])}{noted}: {points}, {cards}"


def _shortened(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"


_NAME: Final = 24
"""How many letters of a name are shown."""


def _legal(view: Seen, most: int) -> str:
    first = [*map(str, itertools.islice(view.legal_actions, most + 1))]
    first[most:] = ["and more"] * (len(first) > most)
    return f"Legal: {', '.join(first)}"


# --------------------------------------------------------------------- where it goes


def _flow(
    groups: Iterable[_Group], top: float
) -> tuple[list[tuple[_Group, float, float]], float]:
    """
    Groups side by side as far as they fit, each with its place; and where they end.
    """
    placed: list[tuple[_Group, float, float]] = []
    left, below = float(_MARGIN), top
    for group in groups:
        wide, high = (size * group.scale for size in extent(group.placed))
        wide = max(wide, _long(_clipped(group.caption), _CAPTION))
        if group.line or left + wide > WIDTH - _MARGIN:
            left, top = float(_MARGIN), below
        placed.append((group, left, top))
        left += wide + 18
        below = max(below, top + 20 + high + 10)
    return placed, below


def _long(text: str, size: float) -> float:
    """
    How long a line of text is at most, in nearly any font.
    """
    return size * sum(map(_em, text))


def _em(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.3
    return 0.95 if letter in "MWmw@%…" else 0.72 if letter.isupper() else 0.58


def _wrapped(text: str, size: float) -> Iterator[str]:
    """
    A text as lines that fit.
    """
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and _long(longer, size) > _INNER:
            yield line
            longer = word
        while _long(longer, size) > _INNER:
            part = 1
            while _long(longer[: part + 1], size) <= _INNER:
                part += 1
            yield longer[:part]
            longer = longer[part:]
        line = longer
    yield line


def _clipped(caption: str) -> str:
    """
    As much of a caption as fits on a line.
    """
    line, *more = _wrapped(caption, _CAPTION)
    return f"{line}…" if more else line


# ------------------------------------------------------------------------- as shapes


def safe(text: str) -> str:
    """
    A text as it may stand in XML, without the characters that may not.
    """
    return escape(re.sub(_NOT_XML, "\N{REPLACEMENT CHARACTER}", text))


_NOT_XML: Final = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def _text(line: str, down: float, size: int = _CAPTION) -> str:
    bold = ' font-weight="bold"' if size == _HEADING else ""
    return (
        f'<text x="{_MARGIN}" y="{down:g}" font-size="{size}"{bold}>{safe(line)}</text>'
    )


def _drawn(group: _Group, left: float, top: float, *, four: bool) -> str:
    said = said_row(face for face, _, _ in group.placed)
    caption = safe(_clipped(group.caption))
    return (
        f'<g role="img" transform="translate({left:g} {top:g})">'
        f"<title>{safe(f'{group.caption}: {said}')}</title>"
        f'<text y="{_CAPTION}" font-size="{_CAPTION}">{caption}</text>'
        f'<g transform="translate(0 20) scale({group.scale})">'
        f"{drawn_row(group.placed, four=four)}</g></g>"
    )
