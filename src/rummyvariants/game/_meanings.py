"""
What actions mean, however they are written.
"""

from __future__ import annotations

import functools

from collections import Counter
from collections.abc import Callable, Iterator

from rummyvariants.cards import Card
from rummyvariants.game._engine.draws import TakePlan
from rummyvariants.game._engine.naming import (
    cards_named,
    number_named,
    number_of_meld,
)
from rummyvariants.game._engine.plays import Play
from rummyvariants.game._state import Leaf, State
from rummyvariants.game.actions import (
    Action,
    CallRummy,
    Declare,
    GoDown,
    Knock,
    LayDown,
    LayOff,
)
from rummyvariants.game.verbs._calling import Call
from rummyvariants.game.verbs._knocking import KnockPlan, named
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
    if isinstance(action, Knock | Declare):
        action = named(state, action)
    plan = planned(state, action)
    if isinstance(plan, Play) and isinstance(action, (LayDown, LayOff)):
        return (type(action).__name__, plan.number, *_placed(state, plan, plan.used))
    if isinstance(plan, Play) and isinstance(action, GoDown):
        placed = [_placed(state, play, play.used) for play in (plan, *plan.then)]
        return ("GoDown", *sorted(placed, key=str))
    if isinstance(plan, TakePlan):
        play = plan.play
        placed = [_placed(state, one, one.used) for one in (play, *play.then)]
        onto = 0 if play.is_meld else play.number
        return ("TakeWith", plan.count, onto, *sorted(placed, key=str))
    if isinstance(plan, Call):
        new = isinstance(action, CallRummy) and action.meld is None
        return ("CallRummy", new, plan.play.number, *_placed(state, plan.play, 0))
    if isinstance(plan, KnockPlan):
        number = len(state.table) + 1
        plays = [Play(0, number, meld, how="meld") for meld in plan.melds]
        card = action.card if isinstance(action, Knock | Declare) else None
        return ("Knock", card, *sorted(_placed(state, play, 0) for play in plays))
    return None if isinstance(plan, Objection) else (str(action),)


def _placed(state: State, play: Play, used: int) -> tuple[object, ...]:
    """
    The cards that a play adds, wilds without their places and places without wilds.
    """
    melds = {0: state.dealer_wild, **dict(enumerate(state.table, 1))}
    old = melds.get(play.number) if play.how != "meld" else None
    before = Counter(old.slots if old else ())
    new = list((Counter(play.after.slots) - before).elements())
    natural = sorted(str(slot.card) for slot in new if slot.stands_for is None)
    own = sorted(str(slot.card) for slot in new if slot.own_place)
    wild = [slot for slot in new if slot.stands_for is not None and not slot.own_place]
    beside = len(play.after.beside) - (len(old.beside) if old else 0)
    lying = (
        sorted(str(one.card) for one in play.after.beside[-beside:]) if beside else []
    )
    return (
        play.after.kind,
        play.after.low,
        tuple(natural),
        tuple(own),
        tuple(sorted(str(slot.card) for slot in wild)),
        tuple(sorted(str(slot.stands_for) for slot in wild)),
        tuple(lying),
        used,
    )


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
    verb = VERBS[type(action)].name
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
