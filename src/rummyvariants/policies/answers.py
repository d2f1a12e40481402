"""
The answers of house rules that are more than a number or a truth value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants._support.words import listed, number
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import RulesError, nearest, need


def _texts(given: str | Iterable[str]) -> tuple[str, ...]:
    need("groups", given, str, Iterable)
    return (given,) if isinstance(given, str) else tuple(given)


@attrs.frozen(eq=False, repr=False)
class Opening(Value):
    """
    What a player's first melds must be, laid as one action.

    Attributes:
        groups: The kinds of the melds, in any order: ``set`` or ``run``, or with a
            number, such as ``set 4``, a set of at least four cards. Empty to allow any
            melds.
        points: The fewest points that they must be worth together.
        exact: Whether a meld may have no more cards than its group says.
        only: Whether further melds are refused.
        apart: Whether no two runs may be such that together they would be one.
        leaves: How many cards may be left in the hand; None for any number.
        waived_at: With this many cards in one of the melds, or more, the points are not
            needed by a player who drew from the stock and has at most one card left;
            0 if they always are.
    """

    groups: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    points: int = 0
    exact: bool = False
    only: bool = False
    apart: bool = False
    leaves: int | None = None
    waived_at: int = 0

    def __str__(self) -> str:
        """
        In words: ``two sets of three and a run of four``, ``melds worth 50 points``.

        Empty if it asks for neither groups nor points.
        """
        more = "" if self.exact else " or more"
        parts = []
        for group, times in Counter(self.groups).items():
            kind, _, size = group.partition(" ")
            kinds = f"a {kind}" if times == 1 else f"{number(times)} {kind}s"
            parts.append(f"{kinds} of {number(int(size))}{more}" if size else kinds)
        if self.points:
            return f"{listed(parts or ['melds'])} worth {self.points} points"
        return listed(parts) if parts else ""


@attrs.frozen(eq=False, repr=False)
class Owed(Value):
    """
    A drawn card that must be used this turn.

    Attributes:
        card: The card, one of those drawn.
        new_meld: Whether it must go into a new meld, not onto one on the table.
        with_pair: Whether that meld must hold two natural cards that were in the hand
            before the draw.
        at_once: Whether this must come before any other play of the turn.
        or_discard: Whether it may be discarded instead. The other flags must then be
            left out.
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
        penalty: How many cards from the stock come with it.
        priority: Players with a higher priority are asked first. Those with the same
            are asked in turn, from the left of the player whose turn it is, or where
            the first to speak buys, together.
        if_declined: Whether the player whose turn it is may take the discard first, and
            the others are asked only if that player passes.
    """

    penalty: int = 1
    priority: int = 0
    if_declined: bool = False


@attrs.frozen(eq=False, repr=False)
class Points(Value):
    """
    Points that a rule awards at the end of a round.

    Attributes:
        seat: The seat that gets them.
        points: How many; negative to take points off.
        reason: What for, in a few words.
        card: The card that they are for, if there is one.
    """

    seat: int
    points: int
    reason: str
    card: Card | None = None


@attrs.frozen(eq=False, repr=False)
class Move(Value):
    """
    Cards that go from one place to another as an additional effect of an action.

    Attributes:
        source: Where they come from: ``stock``, ``discards``, ``hand``, or the name of
            a zone, which is a rule's name or one of your own.
        target: Where they go; the same names.
        number: From the stock or the discard pile: how many cards from the top; if
            there are fewer, all of them.
        cards: From a hand or a zone: which cards. Cards that are not there are ignored.
        source_seat: Whose hand or zone they come from; -1 for a zone that belongs to no
            seat.
        target_seat: Whose hand or zone they go to; -1 as for ``source_seat``.
        shown: Whether everybody sees them; cards on the discard pile are always seen.
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
    What a rule remembers between the actions of a game. All players know it.

    Attributes:
        start: Its first value: a truth value, a number, a text, or a tuple of such
            values, which may contain None.
        scope: How long it is kept: for a ``turn``, a ``round`` or the ``match``.
    """

    start: Any = ()
    scope: str = "round"

    def __attrs_post_init__(self) -> None:
        if str(self.scope) not in SCOPES:
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
