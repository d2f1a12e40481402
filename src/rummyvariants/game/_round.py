"""
The parts of states: the match, the deal, what was drawn, the past.
"""

from __future__ import annotations

import functools

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, Literal

import attrs

from rummyvariants._support.values import Value
from rummyvariants.actions import Action
from rummyvariants.cards import CARDS, Card, show
from rummyvariants.house.facts import Location
from rummyvariants.melds._tables import Terms
from rummyvariants.policies import Duty
from rummyvariants.rules._ruleset import Ruleset


@attrs.frozen(eq=False, repr=False)
class ScoreItem(Value):
    """
    One line of a score sheet.

    Attributes:
        seat: The seat that gets the points.
        card: The card that they are for; None for a bonus.
        points: The points; negative if they are taken off.
        reason: What the points are for, such as ``put down``.
        rule: The id of the rule that gives them.

    >>> state = rv.position("rummy-500", hands={"Ann": "9h", "Ben": "Kd"}, fill=True)
    >>> item = rv.round_result(state, "stock").items[0]
    >>> item.card, item.points, item.reason, item.rule
    (Card('9h'), -9, 'left in the hand', 'BN-17')
    """

    seat: int
    card: Card | None
    points: int
    reason: str
    rule: str

    @property
    def words(self) -> str:
        """
        The points, the card, the reason and the rule, without the seat.
        """
        card = f"{self.card} " if self.card else ""
        return f"{self.points:+d} {card}{self.reason} [{self.rule}]"

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.words}"


DEALT_HAND: Final = "dealt hand"
"""How a round ends in which a hand is declared as it was dealt."""
BY_RULE: Final = "rule"
"""How a round ends that a house rule ends without a player who is out."""


@attrs.frozen(eq=False, repr=False)
class RoundResult(Value):
    """
    The result of a round. It prints as the score sheet.

    Attributes:
        points: The points of the round, by seat.
        items: Every point with its card, its reason and its rule.
        out: The first seat that went out; None if nobody did.
        how: How the round ended: ``out`` (somebody went out), ``dealt hand`` (somebody
            declared the hand as it was dealt), ``stock`` (it was empty), ``idle``
            (nobody drew from it or laid a card for too long), ``drop`` (all others left
            it), ``knock``, ``gin`` or ``big gin``.
        rule: The id of the rule that ended the round.
        players: The players' names, by seat.
        payments: What players pay each other beside the points, each with its reason
            and rule, positive for who is paid.

    >>> hands = {"Ann": "9h", "Ben": "Kd"}
    >>> state = rv.position("rummy-500", hands=hands, phase="play", fill=True)
    >>> result = rv.apply(state, "discard 9h").result
    >>> result
    <RoundResult: out by Ann; Ann +0, Ben -10>
    >>> result.how, result.out, result.points
    ('out', 0, (0, -10))
    """

    points: tuple[int, ...]
    items: tuple[ScoreItem, ...]
    out: int | None
    how: str
    rule: str
    players: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)
    payments: tuple[ScoreItem, ...] = ()

    @property
    def shows_hands(self) -> bool:
        """
        Whether what was left in the hands was counted in front of everybody.
        """
        return self.how != "drop"

    @property
    def names(self) -> Sequence[str]:
        """
        The players' names; the seats by number if they are not known.
        """
        return self.players or [f"seat {seat}" for seat in range(len(self.points))]

    def __repr__(self) -> str:
        by = "" if self.out is None else f" by {self.names[self.out]}"
        scored = zip(self.names, self.points, strict=True)
        points = ", ".join([f"{name} {points:+d}" for name, points in scored])
        return f"<RoundResult: {self.how}{by}; {points}>"

    def __str__(self) -> str:
        drawn = import_module("rummyvariants.files._score_text")
        return str(drawn.result_text(self))


@attrs.frozen(eq=False, repr=False)
class Drawn(Value):
    """
    What the player in turn has drawn.

    Attributes:
        source: ``stock``, ``discards``, or ``call`` if a call began the turn; empty
            before the draw.
        held: The hand before the draw, as a multiset.
        duties: The duties for these cards that are still to be met.
        melds: How many new melds were made in the turn, where their number is limited.
        number: How many cards came from the stock, in what a seat knows of others where
            there may be several; otherwise None.

    >>> rv.apply(rv.new_game("rummy-500", 2, seed=3), "take 1").drawn
    <Drawn from the discards: 8c>
    """

    source: Literal["", "stock", "discards", "call", "rule"]
    _cards: bytes
    held: int
    duties: tuple[Duty, ...] = ()
    melds: int = 0
    number: int | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """
        The cards, the deepest of the pile first; for a call, also those that it laid.

        >>> state = rv.apply(rv.new_game("rummy-500", 2, seed=3), "take 1")
        >>> state.drawn.source, state.drawn.cards
        ('discards', (Card('8c'),))
        """
        return tuple([CARDS[code] for code in self._cards])

    @property
    def at_once(self) -> int:
        """
        The code of the card that has to be laid before all others; -1 if there is none.
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


BETWEEN_ROUNDS: Final = frozenset({"deal", "rejoin", "over"})
"""The phases in which no round is in play."""
NOTHING_DRAWN: Final = Drawn("", b"", 0)
"""Before the draw."""


SOURCES: Final = ("", "stock", "discards", "call", BY_RULE)
"""Where the cards that began a turn came from, first of all from nowhere."""
ANSWERS: Final = ("", "yes", "no")
"""The answers to a question whether to go out, first of all none."""


@attrs.frozen(eq=False, repr=False)
class Frame(Value):
    """
    A part of a game in progress, as data: a turn, or what interrupts one.

    Attributes:
        phase: The name of the phase that says what may be done in it.
        seat: The seat that it is about: the player in turn, the player whose discard
            opened a window for calls, or the player who chooses.
        waiting: Mask of the seats that may act.
        notes: What the phase remembers, as numbers that everybody knows.
        secrets: The same, as numbers that nobody knows.

    >>> rv.new_game("rummy-500", 2).frames
    (<Frame draw of seat 0, waits for 0>,)
    """

    phase: str
    seat: int
    waiting: int = 0
    notes: tuple[int, ...] = ()
    secrets: tuple[int, ...] = ()

    @property
    def last_source(self) -> str:
        """
        After a round that house rules scored: where the last draw came from.
        """
        ended = self.phase in {"deal", "over"} and bool(self.notes)
        return SOURCES[self.notes[0]] if ended else ""

    @property
    def discards_made(self) -> int:
        """
        Of a turn after the draw: how many of several discards have been made.
        """
        return self.notes[0] if self.notes else 0

    @property
    def answer(self) -> str:
        """
        Of a turn after the draw: the answer to the question whether to go out.

        It is ``yes`` or ``no``; empty if there was no answer.
        """
        return ANSWERS[self.notes[1]] if len(self.notes) > 1 else ""

    def __repr__(self) -> str:
        mask = self.waiting
        seats = [str(seat) for seat in range(mask.bit_length()) if mask >> seat & 1]
        waits = f", waits for {', '.join(seats)}" if seats else ""
        return f"<Frame {self.phase} of seat {self.seat}{waits}>"


def knows(mask: int, seat: int | None) -> bool:
    """
    Whether a seat is in a mask; a spectator is only in the mask of everybody.
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
    What a deal decided for its round.

    Attributes:
        dealer: The dealer's seat; -1 before the first deal.
        terms: The terms of the deal: which cards are wild, and what each is worth.
        upcards: By seat, the cards dealt face up that were kept.
        indicator: The card under the stock that names the wild rank, if there is one.
        redeals: How many deals were abandoned before this one.
        upcard: The card that began the discard pile, where a rule needs it later.

    >>> rv.new_game("three-thirteen", 2).dealt.wild_rank
    '3'
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


EVERYBODY: Final = -1
"""The mask of all seats and the spectators."""
STOCK: Final = Location("stock")
UPCARD: Final = "upcard"
"""The place of cards that are dealt face up, until the rest of the hand is dealt."""
INDICATOR: Final = "indicator"
"""The place of a card that lies under the stock and names the wild rank."""


@attrs.frozen(eq=False, repr=False)
class Zone(Value):
    """
    Cards that lie apart because of a rule.

    Attributes:
        name: The name of the zone.
        seat: Whose it is; -1 if it belongs to no seat.

    >>> zone = rv.new_game("canasta", 4, seed=3).zones[0]
    >>> zone.name, zone.seat, zone.cards
    ('laid aside', 0, (Card('3d'),))
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
    One of several columns of a score, which is a game of its own.

    Attributes:
        scores: By seat, the points of the rounds that count in it.
        boxes: By seat, the rounds won that count in it; one may count more than once.
        winners: Who has won it; empty while it is open.
        bonuses: What was added to the points when it was won.

    >>> columns = rv.new_game("hollywood-gin", 2).match.columns
    >>> [column.scores for column in columns]
    [(0, 0), (0, 0), (0, 0)]
    """

    scores: tuple[int, ...]
    boxes: tuple[int, ...]
    winners: tuple[int, ...] = ()
    bonuses: tuple[ScoreItem, ...] = ()

    @property
    def final_scores(self) -> tuple[int, ...]:
        """
        By seat, the points with the bonuses.
        """
        return with_bonuses(self.scores, self.bonuses)


@attrs.frozen(eq=False, repr=False)
class Match(Value):
    """
    What stays the same through a round.

    Attributes:
        rules: The rules.
        players: The players' names, by seat.
        seed: The seed of the shuffles; None if every deck is given by hand.
        scores: By seat, the total scores of the finished rounds.
        round_number: The round in play, or else the next one, from 1.
        next_dealer: The seat that deals next; -1 if chance decides.
        thrown_in: How many deals of the coming round were abandoned.
        winners: The seats that have won; empty while the match goes on.
        boxes: By seat, the rounds won; one may count more than once. Empty where that
            does not matter.
        bonuses: What was added to the totals at the end of the match.
        columns: The columns of the score, if it is kept in several. The boxes and
            bonuses are in the columns then.
        paid: By seat, what was paid beside the points; empty if nothing was.

    >>> match = rv.new_game("rummy-500", ["Ann", "Ben"]).match
    >>> match.players, match.scores, match.round_number
    (('Ann', 'Ben'), (0, 0), 1)
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
    paid: tuple[int, ...] = ()


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
    Unpickle a history, which is stored flat: a long chain would exhaust the stack.
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
    By seat, the points that decide a match: its totals, or the sums of its columns.

    They include what the end of the match adds if the rules say that it decides.
    """
    if match.rules.match.compares_final:
        return final_scores(match)
    return _totals(match)


def final_scores(match: Match) -> tuple[int, ...]:
    """
    The totals of a match, or the sums of its columns, with the bonuses at its end.
    """
    return with_bonuses(_totals(match), match.bonuses)


def _totals(match: Match) -> tuple[int, ...]:
    if not match.columns:
        return match.scores
    each = [column.final_scores for column in match.columns]
    return tuple(sum(points) for points in zip(*each, strict=True))
