"""
The answers of house rules that are more than a number or a truth value.
"""

from __future__ import annotations

import re

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final

import attrs

from rummyvariants._support.values import Value
from rummyvariants._support.words import listed, number
from rummyvariants.cards import Card, Cards
from rummyvariants.errors import RulesError, nearest, need
from rummyvariants.melds.shapes._numbers import KIND_AT_MOST


def _texts(given: str | Iterable[str]) -> tuple[str, ...]:
    need("groups", given, str, Iterable)
    return (given,) if isinstance(given, str) else tuple(given)


@attrs.frozen(eq=False, repr=False)
class Opening(Value):
    """
    What a player's first melds must be, laid as one action.

    Attributes:
        groups: The kinds of the melds, in any order: ``set``, ``run`` or a `Kind`, or
            with a number, such as ``set 4``, a set of at least four cards. Empty to
            allow any melds.
        points: The fewest points that they must be worth together.
        exact: Whether a meld may have no more cards than its group says.
        only: Whether further melds are refused.
        apart: Whether no two runs may be such that together they would be one.
        leaves: How many cards may be left in the hand; None for any number.
        wilds: The most wilds in all of them together; None for any number. A wild that
            stands for itself is none.
        wilds_each: The most wilds in each of them, likewise.
        waived_at: With this many cards in one of the melds, or more, the points are not
            needed by a player who drew from the stock and has at most one card left;
            0 if they always are.

    >>> print(rv.house.Opening(["set", "set", "run 4"], points=50))
    two sets and a run of four or more worth 50 points
    """

    groups: tuple[str, ...] = attrs.field(default=(), converter=_texts)
    points: int = 0
    exact: bool = False
    only: bool = False
    apart: bool = False
    leaves: int | None = None
    wilds: int | None = None
    wilds_each: int | None = None
    waived_at: int = 0

    def __str__(self) -> str:
        """
        In words: ``two sets of three and a run of four``, ``melds worth 50 points``.

        Empty if it asks for neither groups nor points.
        """
        more = "" if self.exact else " or more"
        parts = []
        for group, times in Counter(self.groups).items():
            kind, size = group_read(group)
            kinds = f"a {kind}" if times == 1 else f"{number(times)} {kind}s"
            parts.append(f"{kinds} of {number(size)}{more}" if size else kinds)
        if self.points:
            return f"{listed(parts or ['melds'])} worth {self.points} points"
        return listed(parts) if parts else ""


def group_read(group: str) -> tuple[str, int]:
    """
    The kind of the melds of a group, and their fewest cards; 0 if it does not say.
    """
    kind, _, size = group.rpartition(" ")
    return (kind, int(size)) if size.isdecimal() else (group, 0)


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

    >>> rv.house.Owed(rv.Card("9s"), with_pair=True, at_once=True).how
    'two naturals from hand at once'
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

    >>> rv.house.Price(penalty=2)
    Price(penalty=2, priority=0, if_declined=False)
    """

    penalty: int = 1
    priority: int = 0
    if_declined: bool = False


# ----------------------------------------------------------------------------- effects


class Effect(Value):
    """
    What a rule does to a game; the kinds are the classes derived from this one.

    >>> isinstance(rv.house.Remember(True), rv.house.Effect)
    True
    """


@attrs.frozen(eq=False, repr=False)
class Points(Effect):
    """
    Points that a rule awards.

    They count at the end of the round, whenever they are awarded.

    Attributes:
        seat: The seat that gets them.
        points: How many; negative to take points off.
        reason: What for, in a few words.
        card: The card that they are for, if there is one.

    >>> rv.house.Points(seat=0, points=50, reason="a red run", card=rv.Card("7h"))
    Points(seat=0, points=50, reason='a red run', card=Card('7h'))
    """

    seat: int
    points: int
    reason: str
    card: Card | None = None


def _named_cards(given: Cards | str | Iterable[Card] | None) -> Cards | None:
    return given if given is None else Cards(given)


@attrs.frozen(eq=False, repr=False)
class Move(Effect):
    """
    Cards that go from one place to another.

    Attributes:
        source: Where they come from: ``stock``, ``discards``, ``hand``, or the name of
            a zone: a `Pile` that a rule declares, or a rule's own where it lays cards
            aside.
        target: Where they go; the same names.
        number: How many cards from the top, as far as there are so many; None for all
            of them. From a hand or a zone, it counts if no cards are named.
        cards: From a hand or a zone: which cards. Cards that are not there are ignored.
            From a hand, name them, or move all of them.
        source_seat: Whose hand or zone they come from; -1 for a zone that belongs to no
            seat.
        target_seat: Whose hand or zone they go to; -1 as for ``source_seat``.
        shown: Whether everybody sees them; cards on the discard pile are always seen.

    >>> draw_two = rv.house.Move("stock", "hand", number=2, target_seat=1)
    >>> draw_two.number, draw_two.shown
    (2, False)
    """

    source: str
    target: str
    number: int | None = 1
    cards: Cards | None = attrs.field(default=None, converter=_named_cards)
    source_seat: int = -1
    target_seat: int = -1
    shown: bool = False


@attrs.frozen(eq=False, repr=False)
class Show(Effect):
    """
    Cards are shown where they lie.

    Attributes:
        source: Where: ``stock``, ``hand``, or the name of a zone.
        to: The seats that see them; None for everybody.
        number: Of the stock: how many cards, from the top. Of others all are shown.
        source_seat: Whose hand or zone it is; -1 for a zone that belongs to no seat.
        cards: Of a hand: which cards; None for all of them. Cards that are not there
            are ignored.

    >>> rv.house.Show("hand", source_seat=1).to is None
    True
    """

    source: str
    to: tuple[int, ...] | None = None
    number: int = 1
    source_seat: int = -1
    cards: Cards | None = attrs.field(default=None, converter=_named_cards)


@attrs.frozen(eq=False, repr=False)
class Leave(Effect):
    """
    The player in turn leaves the round, with all cards.

    Attributes:
        points: What it costs.
        under_stock: Whether the cards go under the stock, so that others may draw them.

    >>> rv.house.Leave(points=20, under_stock=True)
    Leave(points=20, under_stock=True)
    """

    points: int = 0
    under_stock: bool = False


@attrs.frozen(eq=False, repr=False)
class Remember(Effect):
    """
    A new value of the rule's memory.

    Attributes:
        value: The value, of the same kinds as `Memory.start`.

    >>> rv.house.Remember((1, "knocked")).value
    (1, 'knocked')
    """

    value: Any


def _seats(given: Iterable[int]) -> tuple[int, ...]:
    need("seats", given, Iterable)
    return tuple(given)


@attrs.frozen(eq=False, repr=False)
class AskOthers(Effect):
    """
    Players are asked, one after another, for one of the actions that the rule offers.

    The turn goes on when somebody has answered, or nobody has anything to do. A player
    to whom it offers nothing then is not asked.

    Attributes:
        seats: The seats, in order.
        all: Whether the others are asked as well after somebody has answered.
        may_pass: Whether a player may pass.

    >>> rv.house.AskOthers([2, 0], all=True).seats
    (2, 0)
    """

    seats: tuple[int, ...] = attrs.field(converter=_seats)
    all: bool = False
    may_pass: bool = True


@attrs.frozen(eq=False, repr=False)
class GoOn(Effect):
    """
    The turn goes on without what is due now.

    Attributes:
        to: ``play``, as after a draw, or ``next turn``.
        seat: The seat whose turn is next; None for the usual one.

    >>> skip = rv.house.Offer("skip", [rv.house.GoOn("next turn", seat=2)])
    >>> skip.effects
    (GoOn(to='next turn', seat=2),)
    """

    to: str
    seat: int | None = None


@attrs.frozen(eq=False, repr=False)
class EndRound(Effect):
    """
    The round ends.

    Attributes:
        out: The seats that have gone out by it, the first of them first; with none it
            is scored as if the stock were empty.

    >>> rv.house.EndRound(out=[1]).out
    (1,)
    """

    out: tuple[int, ...] = attrs.field(default=(), converter=_seats)


@attrs.frozen(eq=False, repr=False)
class EndMatch(Effect):
    """
    The round ends, and with it the match.

    Attributes:
        winners: The seats that have won it.
        out: As for `EndRound`.

    >>> rv.house.EndMatch(winners=[1]).winners
    (1,)
    """

    winners: tuple[int, ...] = attrs.field(converter=_seats)
    out: tuple[int, ...] = attrs.field(default=(), converter=_seats)


EFFECTS: Final = frozenset(
    {Points, Move, Show, Remember, AskOthers, GoOn, Leave, EndRound, EndMatch}
)
"""The kinds of effects."""


# ------------------------------------------------------------------------ declarations


def _listed_effects(given: Iterable[Effect]) -> tuple[Effect, ...]:
    need("effects", given, Iterable)
    return tuple(given)


@attrs.frozen(eq=False, repr=False)
class Offer(Value):
    """
    An action that a player has because of a rule.

    Attributes:
        name: Its name, one of the rule's `HouseRule.actions`; it is written like that.
        effects: What it does, in order.
        cards: The cards that are written after the name, if there is a choice.
        refused: Why it may not be chosen now, as a refusal says it; empty if it may.

    >>> look = rv.house.Show("stock", to=(0,))
    >>> rv.house.Offer("look", [look], refused="it is too late").refused
    'it is too late'
    """

    name: str
    effects: tuple[Effect, ...] = attrs.field(default=(), converter=_listed_effects)
    cards: Cards = attrs.field(factory=Cards, converter=Cards)
    refused: str = ""


@attrs.frozen(eq=False, repr=False)
class Pile(Value):
    """
    A place for cards beside those that all games have: a zone.

    Attributes:
        name: The name of the zone.
        cards: How many cards a deal lays there, after the hands; or the name of the
            rule's value that says so.
        of: Whose it is: the ``table``'s, or one for each ``seat`` or ``side``, which is
            the zone of its first seat.
        shown: Who sees the cards: ``nobody``, ``owner`` or ``everybody``.

    >>> rv.house.Pile("dead hand", cards=11).shown
    'nobody'
    """

    name: str
    cards: int | str = 0
    of: str = "table"
    shown: str = "nobody"

    def __attrs_post_init__(self) -> None:
        name: object = self.name
        if not isinstance(name, str) or name in {"", *KNOWN_PLACES}:
            msg = f"no pile is named {name!r}: give a name that no place has"
            raise RulesError(msg)
        for field, known in (("of", _OWNERS), ("shown", _SEEN_BY)):
            wrong = getattr(self, field)
            if not isinstance(wrong, str) or wrong not in known:
                msg = f"{wrong!r} is no value of Pile.{field}{nearest(wrong, known)}"
                raise RulesError(msg)

    def size(self, rule: Any) -> int:
        """
        How many cards a deal lays there under a rule that declares it.
        """
        found = getattr(rule, self.cards) if isinstance(self.cards, str) else self.cards
        return int(found)


@attrs.frozen(eq=False, repr=False)
class Kind(Value):
    """
    A kind of meld, beside sets and runs: of natural cards alone, in any order.

    Such melds grow card by card: more than ``least`` cards are one only if they are one
    without one of them, and if they fit. Cards that make a set or a run are that, and
    of two kinds they make the one that is declared first.

    Attributes:
        name: Its name, such as ``mixed run``: lower-case words that name no other meld.
        fits: Whether some cards may be such a meld, ``least`` to ``most`` of them: a
            method of the rule, given the cards. The answer may depend only on these and
            on the values of the rule.
        least: The fewest cards of such a meld, from 2 to 5, or the name of the rule's
            value that says so.
        most: The most, up to 12, or the name of a value.

    >>> def rainbow(rule, cards):
    ...     return len({card.suit for card in cards}) == 4
    >>> kind = rv.house.Kind("rainbow", rainbow, least=4)
    >>> kind.name, kind.least, kind.most
    ('rainbow', 4, 12)
    """

    name: str
    fits: Callable[[Any, Cards], bool]
    least: int | str = 3
    most: int | str = KIND_AT_MOST

    def __attrs_post_init__(self) -> None:
        name = str(self.name)
        if not _WORDS(name) or name in _OTHER_MELDS:
            what = "another meld" if name in _OTHER_MELDS else "no lower-case words"
            msg = f"a kind of meld is not named {name!r}, which is {what}"
            raise RulesError(msg)
        if not callable(self.fits):
            msg = f"fits of the kind {name!r} is {self.fits!r}: give a method"
            raise RulesError(msg)

    def sizes(self, rule: Any) -> tuple[int, int]:
        """
        The fewest and the most cards under a rule that declares the kind.
        """
        low, high = [
            getattr(rule, one) if isinstance(one, str) else one
            for one in (self.least, self.most)
        ]
        return low, high


_OTHER_MELDS: Final = frozenset({"set", "run", "alike", "wild", "wilds"})
_WORDS: Final = re.compile("[a-z]{2,}( [a-z]{2,})*").fullmatch

KNOWN_PLACES: Final = frozenset({"stock", "discards", "hand", "table"})
"""Names of places of cards, which no zone may have, and so no rule."""
_OWNERS: Final = ("table", "seat", "side")
_SEEN_BY: Final = ("nobody", "owner", "everybody")


@attrs.frozen(eq=False, repr=False)
class Memory(Value):
    """
    What a rule remembers between the actions of a game. All players know it.

    Attributes:
        start: Its first value: a truth value, a number, a text, or a tuple of such
            values, which may contain None.
        scope: How long it is kept: for a ``turn``, a ``round`` or the ``match``.

    >>> rv.house.Memory(start=False, scope="match")
    Memory(start=False, scope='match')
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
