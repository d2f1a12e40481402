"""
What one choice or two decide: how many to take, what to discard, put, swap or split.
"""

from __future__ import annotations

import functools

from collections.abc import Callable, Iterator

from rummyvariants.game._chooser.acting import Acting
from rummyvariants.game._chooser.choices import for_card, for_number, on_meld
from rummyvariants.game._chooser.tree import MOST_CHOICES, Branch, Node, fork
from rummyvariants.game._engine.candidates import puts, splits, swaps
from rummyvariants.game._engine.draws import legal_takes
from rummyvariants.game._state import State
from rummyvariants.game.actions import Choose, Take, discard


def to_take(acting: Acting) -> Iterator[Branch]:
    """
    How many discards are taken.
    """
    ends: list[Branch] = [
        (
            for_number(number),
            functools.partial(acting.end, Take(number, acting.seat), legal=True),
        )
        for number in legal_takes(acting.state, acting.seat)
    ]
    if len(ends) <= MOST_CHOICES:
        yield from ends
    else:
        for choice, node in fork(ends).branches:
            yield choice, functools.partial(_given, node)


def _given(node: Node) -> Node:
    return node


def to_discard(acting: Acting, ways: Callable[[State, int], Iterator[int]]) -> Node:
    """
    Which card is discarded, out of those that the ways yield for a seat.
    """
    state, seat = acting.state, acting.seat
    return Node(
        lambda: [
            (
                for_card(code),
                functools.partial(acting.end, discard(code, seat), legal=True),
            )
            for code in ways(state, seat)
        ]
    )


def to_choose(acting: Acting) -> Node:
    """
    How many cards are dealt.
    """
    return fork(
        [
            (for_number(one), functools.partial(acting.end, Choose(one, acting.seat)))
            for one in acting.state.rules.deal.choices()
        ]
    )


def to_put(acting: Acting) -> Node:
    """
    Which wild is put down.
    """
    return fork(
        [
            (for_card(put.card.code), functools.partial(acting.end, put))
            for put, _ in puts(acting.state, acting.seat)
        ]
    )


def to_swap(acting: Acting) -> Node:
    """
    Which card is swapped for a wild, and in which meld.
    """
    by_card: dict[int, list[Branch]] = {}
    for swap, _ in swaps(acting.state, acting.seat, acting.must()):
        by_card.setdefault(swap.card.code, []).append(
            (on_meld(swap.meld), functools.partial(acting.end, swap))
        )
    return fork(
        [
            (for_card(code), functools.partial(fork, by_card[code]))
            for code in sorted(by_card)
        ]
    )


def to_split(acting: Acting) -> Node:
    """
    Which meld is split, and after how many cards.
    """
    by_meld: dict[int, list[Branch]] = {}
    for split, _ in splits(acting.state, acting.seat):
        by_meld.setdefault(split.meld, []).append(
            (for_number(split.after), functools.partial(acting.end, split))
        )
    return fork(
        [
            (on_meld(number), functools.partial(fork, found))
            for number, found in by_meld.items()
        ]
    )
