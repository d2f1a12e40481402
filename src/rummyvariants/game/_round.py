"""
What states are made of: the match, the deal, what was drawn, the past.
"""

from __future__ import annotations

import functools

from typing import Any, Final, Literal

import attrs

from rummyvariants._support.values import Value
from rummyvariants.cards import CARDS, Card, show
from rummyvariants.game.actions import Action
from rummyvariants.melds._tables import Terms
from rummyvariants.policies import Duty
from rummyvariants.rules._ruleset import Ruleset


@attrs.frozen(eq=False, repr=False)
class ScoreItem(Value):
    """
    One line of a score sheet.

    Attributes:
        seat: Whose points these are.
        card: The card that they are for; None for a bonus.
        points: The points, negative where they are taken off.
        reason: What the card did.
        rule: The id of the rule that gives them.
    """

    seat: int
    card: Card | None
    points: int
    reason: str
    rule: str

    @property
    def words(self) -> str:
        """
        The points, the card, the reason and the rule, but not whose they are.
        """
        card = f"{self.card} " if self.card else ""
        return f"{self.points:+d} {card}{self.reason} [{self.rule}]"

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.words}"


@attrs.frozen(eq=False, repr=False)
class RoundResult(Value):
    """
    What a round came to.

    Attributes:
        points: By seat.
        items: Every point with its card, its reason and its rule.
        out: The seat that went out first; None if nobody did.
        how: ``out``, ``stock`` (it was empty), ``idle`` (nothing moved), ``knock``,
            ``gin`` or ``big gin``.
        rule: The id of the rule that ended the round.
        players: The players' names, by seat.
    """

    points: tuple[int, ...]
    items: tuple[ScoreItem, ...]
    out: int | None
    how: str
    rule: str
    players: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)

    def __str__(self) -> str:
        lines = []
        for seat, points in enumerate(self.points):
            name = self.players[seat] if self.players else f"seat {seat}"
            lines.append(f"{name}: {points:+d}")
            lines += [f"  {one.words}" for one in self.items if one.seat == seat]
        return "\n".join(lines)


@attrs.frozen(eq=False, repr=False)
class Drawn(Value):
    """
    What the player whose turn it is drew.

    Attributes:
        source: ``stock``, ``discards``, or ``call`` where a call began the turn; empty
            while nothing is drawn.
        held: The hand before the draw, as a multiset.
        duties: What is still owed for them.
        melds: How many new melds the turn has brought, where they are limited.
    """

    source: Literal["", "stock", "discards", "call"]
    _cards: bytes
    held: int
    duties: tuple[Duty, ...] = ()
    melds: int = 0

    @property
    def cards(self) -> tuple[Card, ...]:
        """
        The cards, the deepest of the pile first; of a call those that it laid too.
        """
        return tuple([CARDS[code] for code in self._cards])

    @property
    def at_once(self) -> int:
        """
        The code of the card that has to be laid before anything else; -1 for none.
        """
        for duty in self.duties:
            if duty.at_once:
                return duty.code
        return -1

    def __repr__(self) -> str:
        owed = "".join(f", {duty!r}" for duty in self.duties)
        if not self.source:
            return "<Drawn nothing>"
        return f"<Drawn from the {self.source}: {show(self._cards) or 'unknown'}{owed}>"


NOTHING_DRAWN: Final = Drawn("", b"", 0)
"""What is drawn before the draw."""


@attrs.frozen(eq=False, repr=False)
class Frame(Value):
    """
    Something that goes on in a game, as data; a phase says what it means.

    Attributes:
        phase: The name of the phase that handles it.
        seat: The seat that it is about: whose turn it is, who made the discard that a
            window for calls follows, who chooses.
        waiting: Mask of the seats that may act.
        notes: What the phase has to remember, in numbers that everybody knows.
        secrets: The same, in numbers that nobody knows.
    """

    phase: str
    seat: int
    waiting: int = 0
    notes: tuple[int, ...] = ()
    secrets: tuple[int, ...] = ()

    def __repr__(self) -> str:
        mask = self.waiting
        seats = [str(seat) for seat in range(mask.bit_length()) if mask >> seat & 1]
        waits = f", waits for {', '.join(seats)}" if seats else ""
        return f"<Frame {self.phase} of seat {self.seat}{waits}>"


def knows(mask: int, seat: int | None) -> bool:
    """
    Whether a seat is in a mask; a spectator is in the one of everybody alone.
    """
    return mask < 0 if seat is None else bool(mask >> seat & 1)


@functools.cache
def turn_frames(phase: str, seat: int) -> tuple[Frame, ...]:
    """
    A turn that nothing interrupts; always the same object for the same seat.
    """
    return (Frame(phase, seat, 1 << seat),)


@attrs.frozen(repr=False)
class Dealt:
    """
    What a deal settled for its round.

    Attributes:
        dealer: The dealer's seat; -1 before the first deal.
        terms: The terms of the deal: who is wild, what is worth what.
        upcards: By seat, the cards dealt face up to it that stayed.
        indicator: The card under the stock that names the wild rank, if one does.
        redeals: How many deals were thrown in before this one.
        upcard: The card that began the discard pile, where a rule asks for it later.
    """

    dealer: int
    terms: Terms = attrs.field(eq=lambda terms: terms.wild_rank, repr=False)
    upcards: tuple[tuple[Card, ...], ...] = ()
    indicator: Card | None = None
    redeals: int = 0
    upcard: Card | None = None

    @property
    def wild_rank(self) -> str:
        """
        The rank that is wild in this deal; empty for none.
        """
        return self.terms.wild_rank

    def __repr__(self) -> str:
        return f"<Dealt by seat {self.dealer}, wild rank {self.wild_rank or 'none'}>"


@attrs.frozen(eq=False, repr=False)
class Location(Value):
    """
    Where cards may lie.

    Attributes:
        name: ``stock``, ``discards``, ``hand``, ``table``, or the name of a zone.
        seat: Whose hand or zone it is; -1 for nobody's.
    """

    name: str
    seat: int = -1

    def __str__(self) -> str:
        return self.name if self.seat < 0 else f"{self.name} of seat {self.seat}"


@attrs.frozen(eq=False, repr=False)
class Zone(Value):
    """
    Cards that lie apart, by some rule.

    Attributes:
        name: The name of the zone.
        seat: Whose it is; -1 for nobody's.
    """

    name: str
    seat: int = -1
    _cards: bytes = b""
    # Mask of the seats that know which cards they are; -1 for everybody.
    _seen: int = attrs.field(default=0, eq=False)

    @property
    def cards(self) -> tuple[Card, ...]:
        """
        The cards, in the order in which they came.
        """
        return tuple([CARDS[code] for code in self._cards])

    def __repr__(self) -> str:
        return f"<Zone {self.name} of seat {self.seat}: {show(self._cards)}>"


@attrs.frozen(eq=False, repr=False)
class Column(Value):
    """
    One of several columns of a score: a game of its own.

    Attributes:
        scores: By seat, the points of the rounds that count in it.
        boxes: By seat, the rounds won that count in it, each as often as it counts.
        winners: Who has won it; empty while it is open.
        bonuses: What was added beside the points when it was won.
    """

    scores: tuple[int, ...]
    boxes: tuple[int, ...]
    winners: tuple[int, ...] = ()
    bonuses: tuple[ScoreItem, ...] = ()

    @property
    def final_scores(self) -> tuple[int, ...]:
        """
        The points by seat with the bonuses.
        """
        return with_bonuses(self.scores, self.bonuses)


@attrs.frozen(eq=False, repr=False)
class Match(Value):
    """
    What stays the same through a round.

    Attributes:
        rules: The rules.
        players: The players' names, by seat.
        seed: What the shuffles come from; None if every deck is given by hand.
        scores: The totals of the rounds that are over.
        round_number: The round that is played or comes next, from 1.
        next_dealer: Who has to deal next; -1 where chance decides.
        thrown_in: How many deals of the coming round were thrown in.
        winners: Who has won; empty while the match goes on.
        boxes: By seat, the rounds won, each as often as it counts; empty where that
            does not matter.
        bonuses: What was added at the end of the match, beside the totals.
        columns: The columns of the score, where it is kept in several. They have the
            boxes and the bonuses that count then.
    """

    rules: Ruleset
    players: tuple[str, ...]
    seed: int | str | None
    scores: tuple[int, ...]
    round_number: int = 1
    next_dealer: int = -1
    thrown_in: int = 0
    winners: tuple[int, ...] = ()
    boxes: tuple[int, ...] = ()
    bonuses: tuple[ScoreItem, ...] = ()
    columns: tuple[Column, ...] = ()


class History:
    """
    The actions that led to a state, shared with the states before it.

    Attributes:
        before: The history before the last action; None at the start.
        action: The last action; None at the start.
        starts_round: Whether that action is the first deal of a round.
    """

    __slots__ = ("_seen", "action", "before", "starts_round")

    def __init__(
        self,
        before: History | None = None,
        action: Action | None = None,
        starts_round: bool = False,  # noqa: FBT001, FBT002 -- one is made each step
    ) -> None:
        self.before = before
        self.action = action
        self.starts_round = starts_round
        # What some seats alone saw then: the mask of those seats, the codes of the
        # cards, and where they came to lie.
        self._seen: tuple[tuple[int, bytes, Location], ...] = ()

    @property
    def start(self) -> History:
        """
        Where the history begins.
        """
        node = self
        while node.before is not None:
            node = node.before
        return node

    def nodes(self) -> list[History]:
        """
        The steps of the history, first to last, without the start.
        """
        found = []
        node: History | None = self
        while node is not None and node.action is not None:
            found.append(node)
            node = node.before
        found.reverse()
        return found

    def __repr__(self) -> str:
        return f"<History of {len(self.nodes())} actions>"

    def __reduce__(self) -> tuple[Any, ...]:
        steps = [(one.action, one.starts_round, one._seen) for one in self.nodes()]
        return _history, (self.start._seen, steps)


def _history(dealt: Any, steps: list[tuple[Action, bool, Any]]) -> History:
    """
    A history unpickled; kept flat, since a long chain would exhaust the stack.
    """
    node = History()
    node._seen = dealt
    for action, starts_round, seen in steps:
        node = History(node, action, starts_round)
        node._seen = seen
    return node


def with_bonuses(
    scores: tuple[int, ...], bonuses: tuple[ScoreItem, ...]
) -> tuple[int, ...]:
    """
    Totals by seat with bonuses added to them.
    """
    totals = list(scores)
    for item in bonuses:
        totals[item.seat] += item.points
    return tuple(totals)


def standing(match: Match) -> tuple[int, ...]:
    """
    The points by seat that decide a match: its totals, or the sums of its columns.

    What the end of the match adds is among them where the rules say that it decides.
    """
    if match.rules.match.compares_final:
        return final_scores(match)
    return _totals(match)


def final_scores(match: Match) -> tuple[int, ...]:
    """
    The totals of a match, or the sums of its columns, with what its end has added.
    """
    return with_bonuses(_totals(match), match.bonuses)


def _totals(match: Match) -> tuple[int, ...]:
    if not match.columns:
        return match.scores
    each = [column.final_scores for column in match.columns]
    return tuple(sum(points) for points in zip(*each, strict=True))
