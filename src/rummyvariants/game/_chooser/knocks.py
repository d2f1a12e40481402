"""
Knocks: the discard, and then the melds that are shown.
"""

from __future__ import annotations

import functools

from rummyvariants.cards import CARDS, faces
from rummyvariants.game._chooser.acting import Acting
from rummyvariants.game._chooser.choices import Choice, for_card
from rummyvariants.game._chooser.tree import Branch, Node, fork
from rummyvariants.game._engine.knocks import melds_without
from rummyvariants.game.actions import Knock


def to_knock(acting: Acting) -> Node:
    """
    Which card is discarded with a knock.
    """
    hand = acting.state._hands[acting.seat]
    return fork(
        [
            (for_card(code), functools.partial(to_show, acting, code))
            for code in faces(hand)
        ]
    )


def to_show(acting: Acting, code: int) -> Node:
    """
    Which melds are shown in a knock with a discard; with -1 those of big gin.
    """
    card = None if code < 0 else CARDS[code]

    def branches() -> list[Branch]:
        found: list[Branch] = []
        shown = melds_without(acting.state, acting.seat, code)
        for number, melds in enumerate(shown, 1):
            knock = Knock(card, melds, acting.seat)
            text = str(knock).partition(": ")[2]
            choice = Choice(text, "melds", number=number)
            found.append((choice, functools.partial(acting.end, knock, legal=True)))
        return found

    return Node(lambda: _few(branches()))


def _few(branches: list[Branch]) -> list[Branch]:
    """
    The branches; where there are too many to be offered at once, ranges of them.
    """
    return [
        (choice, functools.partial(_given, node))
        for choice, node in fork(branches).branches
    ]


def _given(node: Node) -> Node:
    return node
