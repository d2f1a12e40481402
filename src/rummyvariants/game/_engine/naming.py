"""
What an action names: cards, melds, a number, read from its fields whatever its kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import attrs

from rummyvariants.cards import Card, Cards
from rummyvariants.game._engine.plays import Play
from rummyvariants.game._state import State
from rummyvariants.melds._meld import PLAIN, Played


def values_of(action: Any) -> Iterator[tuple[str, Any]]:
    """
    The names and values of an action's fields, without its seat.
    """
    if attrs.has(type(action)):
        for field in attrs.fields(type(action)):
            if field.name != "seat":
                yield field.name, getattr(action, field.name)


def cards_named(action: Any) -> Iterator[Played]:
    """
    Every card that an action names, in the order of its text.
    """
    for _, value in values_of(action):
        yield from _played(value)


def discard_named(action: Any) -> Iterator[Played]:
    """
    The discard of an action that also shows melds; nothing if it has none.
    """
    yield from _played(action.card)


def _played(value: object) -> Iterator[Played]:
    if isinstance(value, Played):
        yield value
    elif isinstance(value, Card):
        yield PLAIN[value.code]
    elif isinstance(value, tuple | Cards):
        for one in value:
            yield from _played(one)


def melds_named(action: Any) -> tuple[tuple[Played, ...], ...]:
    """
    The new melds that an action makes or shows.
    """
    found: list[tuple[Played, ...]] = []
    onto = number_of_meld(action) is not None
    for _, value in values_of(action):
        if not isinstance(value, tuple) or not value:
            continue
        if isinstance(value[0], Played):
            found += [] if onto else [value]
        elif isinstance(value[0], tuple):
            found += [one for one in value if one and isinstance(one[0], Played)]
    return tuple(found)


def number_of_meld(action: Any) -> int | None:
    """
    The number of the meld on the table that an action changes.
    """
    value = dict(values_of(action)).get("meld")
    return value if type(value) is int else None


def number_named(action: Any) -> int | None:
    """
    The number that an action names besides that of a meld.
    """
    for name, value in values_of(action):
        if name != "meld" and type(value) is int:
            return value
    return None


def cards_added(state: State, play: Play, used: int) -> tuple[object, ...]:
    """
    The cards that a play adds, wilds without their places and places without wilds.
    """
    melds = {0: state.dealer_wild, **dict(enumerate(state.table, 1))}
    old = melds.get(play.number) if play.how != "meld" else None
    before = Counter(old.slots if old else ())
    new = list((Counter(play.after.slots) - before).elements())
    natural = sorted(str(slot.card) for slot in new if slot.stands_for is None)
    own = sorted(str(slot.card) for slot in new if slot.own_place)
    wild = [slot for slot in new if slot.substitutes]
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
