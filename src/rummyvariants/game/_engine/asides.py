"""
Cards that no hand keeps: laid aside face up, and replaced from the stock.
"""

from __future__ import annotations

import attrs

from rummyvariants.cards import FIELD, codes, common, pack, size
from rummyvariants.game import _asking as asking
from rummyvariants.game._events import Log
from rummyvariants.game._locations import DISCARDS, HANDS, move, move_top
from rummyvariants.game._state import Draft, stock_left
from rummyvariants.house.facts import Location


def lay_aside(draft: Draft, seat: int, log: Log) -> bool:
    """
    Lay such cards of a hand aside and replace them, again if others take their place.

    Returns:
        Whether the last card that came from the stock is one of them.
    """
    drew = draft.drawn._cards if draft.drawn.source == "stock" else b""
    last = drew[-1:] if seat == draft.turn else b""
    aside = 0
    for name, faces in asking.laid_aside(draft.match, draft.dealt.dealer):
        aside |= faces
        while cards := draft._hands[seat] & faces:
            move(draft, cards, HANDS[seat], Location(name, seat), log=log)
            number = max(0, min(size(cards), stock_left(draft)))
            new = draft._stock[:number]
            last = new[-1:] or last
            move_top(draft, number, HANDS[seat], 1 << seat, log)
            if seat == draft.turn and draft.drawn.source:
                _draw_instead(draft, cards, new)
    return bool(last) and bool(aside & FIELD[last[0]])


def _draw_instead(draft: Draft, cards: int, new: bytes) -> None:
    """
    Replace cards laid aside by new ones in what was drawn, or in what was held.

    What has left the hand since does not reveal which cards are new.
    """
    drawn = draft.drawn
    gone = common(pack(drawn._cards), cards)
    if drawn.source == "stock" and gone:
        kept = bytes(codes(pack(drawn._cards) - gone))
        draft.drawn = attrs.evolve(drawn, cards=kept + new)
    else:
        held = drawn.held + pack(new)
        draft.drawn = attrs.evolve(drawn, held=held)


def take_aside(draft: Draft, seat: int, cards: bytes, log: Log) -> bytes:
    """
    Lay aside such cards of the discard pile; they are not replaced.

    Args:
        draft: The state in the making.
        seat: Who takes them.
        cards: The codes of the discards that are taken.
        log: Where what happened is noted, if anywhere.

    Returns:
        The codes of the others, which go to the hand.
    """
    for name, faces in asking.laid_aside(draft.match, draft.dealt.dealer):
        gone = pack(cards) & faces
        if gone:
            move(draft, gone, DISCARDS, Location(name, seat), log=log)
            left = pack(cards) - gone
            cards = bytes([code for code in cards if left & FIELD[code]])
    return cards
