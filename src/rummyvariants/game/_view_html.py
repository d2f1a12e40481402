"""
A view as HTML for notebooks: cards in colour, and in words for screen readers.
"""

from __future__ import annotations

import itertools

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, Protocol

from rummyvariants._support.words import figure
from rummyvariants.cards import CARDS, RANKS, Card, Cards
from rummyvariants.game.actions import Action
from rummyvariants.melds._meld import Meld, Place
from rummyvariants.rules._origins import Rules


LISTED: Final = 12
"""The most legal actions that are shown."""

_SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_WORDS: Final = "ace two three four five six seven eight nine ten jack queen king"
_RANKS: Final = dict(zip(RANKS, _WORDS.split(), strict=True))

# A notebook may be light or dark, so cards have their own background, the rest none.
_CARD: Final = (
    "display:inline-block;min-width:1.6em;padding:0 .25em;margin:.1em;"
    "border:1px solid #888;border-radius:.25em;background:#fff;text-align:center;"
    "white-space:nowrap;"
)
_CELL: Final = "text-align:left;vertical-align:top;padding:.2em .8em .2em 0;"
_HIDDEN: Final = (
    "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);"
)
_PHASES: Final = {
    "deal": "a deal is due",
    "choose": "has to choose the size of a hand",
    "offer": "may take the first upcard",
    "draw": "has to draw",
    "play": "plays",
    "answer": "has to say whether the partner goes out",
    "call": "may call",
    "discard": "owes a discard",
    "layoff": "may lay off after a knock",
    "over": "the match is over",
}


class _Seen(Protocol):
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
    def hand(self) -> Cards: ...
    @property
    def known(self) -> tuple[Cards, ...]: ...
    @property
    def hand_sizes(self) -> tuple[int, ...]: ...
    @property
    def table(self) -> tuple[Meld, ...]: ...
    @property
    def dealer_wild(self) -> Meld | None: ...
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
    def legal_actions(self) -> Iterable[Action]: ...


def view_html(view: _Seen) -> str:
    """
    A view as a self-contained piece of HTML.

    Args:
        view: The view.
    """
    rows = [("Turn", escape(_turn(view)))]
    if view.seat is not None:
        rows.append(("Hand", _cards(view.hand)))
    rows += [
        ("Drawn", _cards(view.drawn)) if view.drawn else ("", ""),
        ("Table", _melds(view)),
        ("Discards", _pile(view)),
        ("Stock", figure(view.stock_size, "card")),
        ("Wild", escape(_wild(view))) if view.wild_rank else ("", ""),
        ("Players", _players(view)),
    ]
    if view.seat in view.to_act:
        rows.append(("Legal", _legal(view)))
    body = "".join(
        f'<tr><th scope="row" style="{_CELL}">{head}</th>'
        f'<td style="{_CELL}">{cell}</td></tr>'
        for head, cell in rows
        if head
    )
    who = "a spectator" if view.seat is None else view.players[view.seat]
    title = f"{view.rules.title}, round {view.round_number}, seen by {who}"
    return (
        '<table class="rummyvariants-view" style="border-collapse:collapse">'
        f'<caption style="text-align:left;font-weight:bold">{escape(title)}</caption>'
        f"<tbody>{body}</tbody></table>"
    )


def _pile(view: _Seen) -> str:
    covered = view.discards_size - len(view.discards)
    more = f" on {figure(covered, 'other card')}" if covered else ""
    return f"{_cards(view.discards)}{more}"


def _turn(view: _Seen) -> str:
    phrase = _PHASES.get(view.phase, "may act")
    if not view.to_act:
        winners = " and ".join(view.players[seat] for seat in view.winners)
        return f"{phrase}; {winners} won" if winners else phrase
    if len(view.to_act) > 1:
        phrase = phrase.replace("has to", "have to")
    return " and ".join(view.players[seat] for seat in view.to_act) + f" {phrase}"


def _wild(view: _Seen) -> str:
    rank = _RANKS[view.wild_rank]
    return f"{rank}es" if rank == "six" else f"{rank}s"


def _melds(view: _Seen) -> str:
    melds: list[tuple[int, Meld]] = list(enumerate(view.table, 1))
    if view.dealer_wild is not None:
        melds.insert(0, (0, view.dealer_wild))
    if not melds:
        return "no melds"
    lines = []
    for number, meld in melds:
        slots = "".join(_card(one.card, one.stands_for) for one in meld.slots)
        beside = "".join(_card(one.card) for one in meld.beside)
        also = f" beside {beside}" if beside else ""
        laid = dict.fromkeys(view.players[one.seat] for one in meld.laid)
        by = escape(", ".join(laid))
        lines.append(f"<div>{number}: {slots}{also} <small>{by}</small></div>")
    return "".join(lines)


def _with_partner(view: _Seen, seat: int) -> str:
    side = next(side for side in view.sides if seat in side)
    names = [escape(view.players[one]) for one in side if one != seat]
    return f"with {' and '.join(names)}"


def _players(view: _Seen) -> str:
    heads = ("player", "score", "cards", "known to be in the hand")
    head = "".join(f'<th scope="col" style="{_CELL}">{one}</th>' for one in heads)
    lines = []
    for seat, name in enumerate(view.players):
        marks = [
            word
            for word, there in (
                ("dealer", seat == view.dealer),
                (_with_partner(view, seat), len(view.sides) < len(view.players)),
                ("floating", seat in view.floating),
                ("winner", seat in view.winners),
            )
            if there
        ]
        note = f" <small>({', '.join(marks)})</small>" if marks else ""
        cells = (
            f"{escape(name)}{note}",
            str(view.scores[seat]),
            str(view.hand_sizes[seat]),
            "all" if seat == view.seat else _cards(view.known[seat]),
        )
        line = "".join(f'<td style="{_CELL}">{one}</td>' for one in cells)
        lines.append(f"<tr>{line}</tr>")
    return (
        f'<table style="border-collapse:collapse"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _legal(view: _Seen) -> str:
    first = list(itertools.islice(view.legal_actions, LISTED + 1))
    texts = [f"<code>{escape(str(action))}</code>" for action in first[:LISTED]]
    return ", ".join([*texts, *(["and more"] if len(first) > LISTED else [])])


def _cards(cards: Iterable[Card]) -> str:
    return "".join(_each(cards)) or "none"


def _each(cards: Iterable[Card]) -> Iterator[str]:
    for one in cards:
        yield _card(one)


def _card(card: Card, stands_for: Place | None = None) -> str:
    """
    A card as a symbol to see and as words to hear.
    """
    said = _said(card.rank, card.suit)
    shown = _shown(card.rank, card.suit)
    if stands_for is not None:
        same = (stands_for.rank, stands_for.suit) == (card.rank, card.suit)
        said += ", wild"
        if not same:
            said += f", as {_said(stands_for.rank, stands_for.suit)}"
            place = _shown(stands_for.rank, stands_for.suit)
            colour = _colour(stands_for.suit)
            shown += f'<small style="color:{colour}">={place}</small>'
    return (
        f'<span style="{_CARD}color:{_colour(card.suit)}" title="{said}">'
        f'<span aria-hidden="true">{shown}</span>'
        f'<span style="{_HIDDEN}">{said} </span></span>'
    )


def _colour(suit: str) -> str:
    return "#b00020" if suit in {"d", "h"} else "#111"


def _shown(rank: str, suit: str) -> str:
    if rank == CARDS[-1].rank:
        return "★"
    # The selector asks for the letter form of the symbol rather than the picture.
    symbol = f"{_SYMBOLS[suit]}\N{VARIATION SELECTOR-15}" if suit else ""
    return f"{'10' if rank == 'T' else rank}{symbol}"


def _said(rank: str, suit: str) -> str:
    if rank == CARDS[-1].rank:
        return "joker"
    return f"{_RANKS[rank]} of {_SUITS[suit]}" if suit else _RANKS[rank]
