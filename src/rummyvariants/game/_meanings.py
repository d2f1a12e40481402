"""
What actions mean, however they are written.
"""

from __future__ import annotations

import functools

from collections import Counter
from collections.abc import Callable, Iterator

from rummyvariants.actions import (
    Action,
)
from rummyvariants.cards import Card
from rummyvariants.game._engine.naming import (
    cards_named,
    number_named,
    number_of_meld,
)
from rummyvariants.game._state import Leaf, State
from rummyvariants.game.verbs._known import VERBS, offers_in, planned
from rummyvariants.melds._choices import Choice
from rummyvariants.melds._meld import Played
from rummyvariants.melds._tree import Fork, Known, Node
from rummyvariants.rulings import Objection


def meaning(state: State, action: Action) -> tuple[object, ...] | None:
    """
    The meaning of an action, however it is written; None if it is illegal.

    The order of cards in a set, a declaration left out and two wilds exchanged make no
    difference.
    """
    verb = VERBS[type(action)]
    done = verb.meant(state, action)
    plan = planned(state, done)
    return None if isinstance(plan, Objection) else verb.meaning(state, done, plan)


def listed_like(state: State, action: Action) -> Iterator[Action]:
    """
    The listed actions that may mean the same as one that a seat names.

    The list is looked through only where the verb is the same, the meld on the table is
    the same, and no other cards are chosen: of very many actions few are listed.
    """
    if action.seat not in state.to_act:
        return
    leads = functools.partial(
        _leads,
        Counter([one.card for one in cards_named(action)]),
        {None, number_of_meld(action), number_named(action)},
    )
    verb = VERBS[type(action)].name_of(action)
    for name, offer in offers_in(state):
        if name == verb:
            for one, _ in _leaves(offer(state, action.seat), leads):
                yield one


def _leads(cards: Counter[Card], numbers: set[int | None], choice: Choice) -> bool:
    """
    Whether a choice may lead to an action that names some cards and numbers.
    """
    if choice.kind in {"card", "beside"}:
        return choice.card in cards
    if choice.kind in {"on", "number"}:
        return choice.number in numbers
    if choice.kind == "melds" and choice.number:
        return Counter([Played(one).card for one in choice.text.split()]) <= cards
    return True


def _leaves(node: Node, leads: Callable[[Choice], bool]) -> Iterator[Leaf]:
    """
    The leaves of a tree that are reached by some of its choices.
    """
    if isinstance(node, Known):
        yield from node.every()
    elif isinstance(node, Fork):
        for option in node.options:
            if leads(node.name(option)):
                yield from _leaves(node.go(option), leads)
    elif node is not None:
        yield node
