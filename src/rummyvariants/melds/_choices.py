"""
The choices at a fork of the tree, and what each is called.
"""

from __future__ import annotations

import functools

from collections.abc import Iterable
from typing import Any, Final, Literal

import attrs

from rummyvariants._support.values import Value
from rummyvariants.cards import CARDS, ROW_OF, Card


ChoiceKind = Literal[
    "seat",
    "verb",
    "numbers",
    "number",
    "on",
    "shape",
    "suits",
    "low",
    "high",
    "card",
    "wild",
    "beside",
    "done",
    "melds",
]


@attrs.frozen(eq=False, repr=False)
class Choice(Value):
    """
    One of the choices at a step.

    Attributes:
        text: Its name. The same thing has the same text at every step and in every
            game.
        kind: What is chosen: a ``seat``, a ``verb``, a range of ``numbers`` or a
            ``number``, the meld that cards go ``on`` or come from, the ``shape`` of a
            new meld, the places of a set by their ``suits``, the ``low`` or ``high``
            end of a run, a ``card``, a ``wild`` for a place, a card to go ``beside``
            its wild, ``done`` for no more cards, or the ``melds`` of a knock.
        card: The card that is chosen, or whose place a wild takes.
        number: The number that is chosen: of cards, of a meld, of a seat.

    >>> choice = rv.chooser(rv.new_game("rummy-500", 2)).choices[0]
    >>> choice.text, choice.kind
    ('draw', 'verb')
    """

    text: str
    kind: ChoiceKind
    card: Card | None = None
    number: int | None = None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Choice {self.text!r}>"


DONE: Final = -1
"""The option to choose no more cards, among the codes of cards."""
GROW: Final = -2
"""The option that a meld grows, beside the codes of cards that go beside its wilds."""


@functools.cache
def for_card(code: int) -> Choice:
    """
    The choice of a card, or of no more cards.
    """
    if code == DONE:
        return Choice("done", "done")
    return Choice(str(CARDS[code]), "card", CARDS[code])


@functools.cache
def for_place(code: int) -> Choice:
    """
    The choice of the card of a place, or of a wild for it (its complement).
    """
    if code >= 0:
        return for_card(code)
    return Choice(f"wild for {CARDS[~code]}", "wild", CARDS[~code])


@functools.cache
def for_beside(code: int) -> Choice:
    """
    The choice of a card beside a wild, of letting the meld grow, or of no more cards.
    """
    if code == GROW:
        return Choice("grow", "on")
    if code == DONE:
        return for_card(code)
    return Choice(f"{CARDS[code]} beside", "beside", CARDS[code])


@functools.cache
def for_verb(name: str) -> Choice:
    """
    The choice of a verb.
    """
    return Choice(name, "verb")


@functools.cache
def for_number(number: int) -> Choice:
    """
    The choice of a number.
    """
    return Choice(str(number), "number", number=number)


def for_meld(option: tuple[int, Any]) -> Choice:
    """
    The choice of a meld on the table, given with its number; 0 and None for a new one.
    """
    number, meld = option
    if meld is None:
        return Choice("new meld", "on")
    return Choice(f"on {number}", "on", number=number)


def for_made(number: int, cards: Iterable[Any]) -> Choice:
    """
    The choice of a meld that is laid with others, by its number; 0 for no more.
    """
    if not number:
        return Choice("done", "done", number=0)
    return Choice(" ".join(map(str, cards)), "melds", number=number)


def for_part(cards: Iterable[Any]) -> Choice:
    """
    The choice of a meld of a hand by its cards; without cards, that a card is in none.
    """
    return Choice(" ".join(map(str, cards)) or "left over", "melds")


@functools.cache
def for_shape(shape: str) -> Choice:
    """
    The choice of a set by its rank, of a run by its suit, or of another meld by name.
    """
    if len(shape) > 1:
        return Choice(shape, "shape")
    return Choice(f"{'run' if shape in ROW_OF else 'set'} of {shape}", "shape")


@functools.cache
def for_suits(places: tuple[int, ...]) -> Choice:
    """
    The choice of the places of a set.
    """
    return Choice(" ".join([str(CARDS[code]) for code in places]), "suits")


@functools.cache
def for_low(code: int) -> Choice:
    """
    The choice of the lowest card of some runs.
    """
    return Choice(f"from {CARDS[code]}", "low", CARDS[code])


@functools.cache
def for_high(code: int) -> Choice:
    """
    The choice of the highest card of a run.
    """
    return Choice(f"to {CARDS[code]}", "high", CARDS[code])


def for_end(option: tuple[str, int]) -> Choice:
    """
    The choice of an end of a run, given with the card by which the run grows there.
    """
    end, code = option
    return for_low(code) if end == "low" else for_high(code)
