"""
What is chosen at a step, and what each choice is called.
"""

from __future__ import annotations

from typing import Final, Literal

import attrs

from rummyvariants.cards import CARDS, Card
from rummyvariants.errors import RummyError


Kind = Literal[
    "seat",
    "verb",
    "numbers",
    "number",
    "on",
    "shape",
    "low",
    "high",
    "card",
    "wild",
    "beside",
    "done",
    "melds",
]


@attrs.frozen(repr=False)
class Choice:
    """
    One of the choices at a step.

    Attributes:
        text: What it is called: one text for one thing, at every step and in every
            game.
        kind: What is chosen: a seat, a verb, a range of ``numbers`` or a ``number``,
            the meld that cards go ``on``, the ``shape`` of a new meld, the ``low`` or
            ``high`` end of a run, a ``card``, a ``wild`` for a place, a card to go
            ``beside`` its wild, that one is ``done``, or the ``melds`` of a knock.
        card: The card that is chosen, or whose place a wild takes.
        number: The number that is chosen, of whatever is counted.
    """

    text: str
    kind: Kind
    card: Card | None = None
    number: int | None = None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Choice {self.text!r}>"


class ChoiceError(RummyError, ValueError):
    """
    A choice that is not offered.
    """


def for_card(code: int) -> Choice:
    """
    The choice of a card.
    """
    return Choice(str(CARDS[code]), "card", CARDS[code])


def for_number(number: int) -> Choice:
    """
    The choice of a number.
    """
    return Choice(str(number), "number", number=number)


def for_verb(text: str) -> Choice:
    """
    The choice of a verb.
    """
    return Choice(text, "verb")


def on_meld(number: int) -> Choice:
    """
    The choice of a meld on the table.
    """
    return Choice(f"on {number}", "on", number=number)


def wild_for(code: int) -> Choice:
    """
    The choice of a wild for the place of a card.
    """
    return Choice(f"wild for {CARDS[code]}", "wild", CARDS[code])


def end_of(kind: Literal["low", "high"], code: int) -> Choice:
    """
    The choice of a card as an end of a run.
    """
    word = {"low": "from", "high": "to"}[kind]
    return Choice(f"{word} {CARDS[code]}", kind, CARDS[code])


DONE: Final = Choice("done", "done")
NEW_MELD: Final = Choice("new meld", "on")
