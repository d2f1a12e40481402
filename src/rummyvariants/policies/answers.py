"""
What house rules answer where a number or a truth value would not do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import RulesError, nearest


def _texts(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


@attrs.frozen(eq=False, repr=False)
class Opening(Value):
    """
    What the first melds of a player have to be, laid as one action.

    Attributes:
        groups: The kinds of the melds, in any order: ``set`` or ``run``, and with
            ``set 4`` a set of four cards or more. Empty if any melds will do.
        points: The least points that they come to together.
        only: Whether melds beyond the groups are refused.
        whole_hand: Whether the melds have to leave one card in the hand at most.
    """

    groups: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    points: int = 0
    only: bool = False
    whole_hand: bool = False


@attrs.frozen(eq=False, repr=False)
class Owed(Value):
    """
    A card that was drawn on a condition, and has to be used this turn.

    Attributes:
        card: The card, which is among those drawn.
        new_meld: Whether it has to go into a new meld, not onto one on the table.
        with_pair: Whether that meld has to hold two natural cards that were in the hand
            before the draw.
        at_once: Whether that comes before any other play of the turn.
        or_discard: Whether it may be discarded as well. Leave the others out then.
    """

    card: Card
    new_meld: bool = False
    with_pair: bool = False
    at_once: bool = False
    or_discard: bool = False

    @property
    def how(self) -> str:
        """
        What has to be done with it, in the words of `rummyvariants.policies.Duty`.
        """
        if self.or_discard:
            return "play or discard"
        how = "new meld" if self.new_meld else "play"
        if self.with_pair:
            how = "two naturals from hand"
        return f"{how} at once" if self.at_once else how


@attrs.frozen(eq=False, repr=False)
class Price(Value):
    """
    What it costs to take a discard out of turn.

    Attributes:
        penalty: How many cards of the stock come with it.
        priority: Players with a higher one are asked first, equals in turn from the
            left of the player whose turn it is.
    """

    penalty: int = 1
    priority: int = 0


@attrs.frozen(eq=False, repr=False)
class Points(Value):
    """
    Points that a rule gives at the end of a round.

    Attributes:
        seat: Whose they are.
        points: How many; less than nothing where they are taken off.
        reason: What for, in a few words.
        card: The card that they are for, if they are for one.
    """

    seat: int
    points: int
    reason: str
    card: Card | None = None


@attrs.frozen(eq=False, repr=False)
class Move(Value):
    """
    Cards that an action sends somewhere, beside what it does itself.

    Attributes:
        source: Where they lie: ``stock``, ``discards`` or ``hand``, or the name of a
            zone: a rule's name, or one of your own.
        target: Where they go; the same names.
        number: From the stock or the discard pile: how many cards of the top, or as
            many as there are.
        cards: From a hand or a zone: which cards. Those that are not there are left
            out.
        source_seat: Whose hand or zone they come from; -1 for a zone of nobody's.
        target_seat: Whose hand or zone they go to; likewise.
        shown: Whether everybody sees them; the discard pile is open in any case.
    """

    source: str
    target: str
    number: int = 1
    cards: Cards = attrs.field(factory=Cards, converter=Cards)
    source_seat: int = -1
    target_seat: int = -1
    shown: bool = False


@attrs.frozen(eq=False, repr=False)
class Memory(Value):
    """
    What a rule remembers between the actions of a game. It is known to all.

    Attributes:
        start: What it is at first: a truth value, a number, a text, or a tuple of such
            values, in which there may be None.
        scope: How long it is kept: for a ``turn``, a ``round`` or the ``match``.
    """

    start: Any = ()
    scope: str = "round"

    def __attrs_post_init__(self) -> None:
        if self.scope not in SCOPES:
            hint = nearest(self.scope, SCOPES)
            msg = f"a memory is kept for a turn, a round or the match{hint}"
            raise RulesError(msg)
        if not can_be_kept(self.start):
            msg = f"a memory cannot start with {self.start!r}: give {KEPT}"
            raise RulesError(msg)


SCOPES: Final = ("turn", "round", "match")
KEPT: Final = "a truth value, a whole number, a text, None, or a tuple of these"
"""What can be remembered."""


def can_be_kept(value: object) -> bool:
    """
    Whether a rule may remember a value.
    """
    if isinstance(value, tuple):
        return all(map(can_be_kept, value))
    return value is None or isinstance(value, bool | int | str)
